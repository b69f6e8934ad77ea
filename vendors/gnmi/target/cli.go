package target

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// cli is a configuration as EOS holds one: lines in sections, entered through
// the same modes that the keyboard has.
type cli struct{ root *section }

type section struct {
	line string
	word command
	key  string
	subs []*section
}

// command is one form of line: words that stand for themselves, * for one that
// belongs to the identity, and whatever follows is the value.
type command struct {
	words []string
	mode  string // entered by it, "" for none
	multi bool   // each value is a line of its own
}

// grammar lists the commands of each mode. Sources: the configurations of
// Arista's AVD project and EOS manuals; it is what the tests need, and no more.
var grammar = parseGrammar(`
top: hostname | service | !logging | !ip name-server | qos profile * > qos | spanning-tree mode | vlan * > vlan
top: vrf instance * > vrf | management api gnmi > api | interface * > interface | ip routing | no ip routing vrf *
top: ip prefix-list * > prefix | !ip route | !ntp server | !qos map dscp | priority-flow-control pause watchdog default *
top: priority-flow-control pause watchdog action | route-map * * * > map | router bgp * > bgp | username * | snmp-server community * | aaa authorization exec default
qos: qos trust | uc-tx-queue * > queue | tx-queue * > queue | priority-flow-control on | !priority-flow-control priority *
queue: priority | no priority | bandwidth percent | random-detect ecn
vlan: name
vrf: description
api: transport grpc * > transport
transport: vrf | port | ssl profile
interface: description | mtu | speed | switchport access vlan | no switchport | ip address | service-profile | spanning-tree portfast | vrf | shutdown | no shutdown | load-interval
prefix: seq *
map: !match ip address prefix-list
bgp: router-id | maximum-paths | no bgp default ipv4-unicast | neighbor * peer group | neighbor * remote-as | neighbor * description | neighbor * maximum-routes
bgp: neighbor * password | redistribute * | address-family * > family
family: neighbor * activate
`)

func parseGrammar(text string) map[string][]command {
	g := map[string][]command{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		mode, rest, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, form := range strings.Split(rest, " | ") {
			form, into, _ := strings.Cut(form, " > ")
			bare, multi := strings.CutPrefix(form, "!")
			g[mode] = append(g[mode], command{words: strings.Fields(bare), mode: into, multi: multi})
		}
	}
	return g
}

// match finds the command of a line in a mode: the longest form that fits.
func match(mode string, words []string) (best command, key string, ok bool) {
	for _, c := range grammar[mode] {
		if len(words) < len(c.words) || ok && len(c.words) <= len(best.words) {
			continue
		}
		fits := true
		for i, w := range c.words {
			fits = fits && (w == "*" || w == words[i])
		}
		if fits {
			best, ok = c, true
			key = strings.Join(words[:len(c.words)], " ")
			if c.multi {
				key = strings.Join(words, " ")
			}
		}
	}
	return best, key, ok
}

func parseCLI(body []byte) (store, error) {
	c := &cli{root: &section{}}
	if err := c.enter(string(body)); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *cli) clone() *cli { return &cli{root: c.root.clone()} }

func (s *section) clone() *section {
	out := &section{line: s.line, word: s.word, key: s.key}
	for _, x := range s.subs {
		out.subs = append(out.subs, x.clone())
	}
	return out
}

// enter types lines in configuration mode.
func (c *cli) enter(text string) error {
	stack, modes := []*section{c.root}, []string{"top"}
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "!") || line == "configure terminal" {
			continue
		}
		if words[0] == "end" {
			return nil
		}
		if words[0] == "exit" {
			if len(stack) == 1 {
				return nil
			}
			stack, modes = stack[:len(stack)-1], modes[:len(modes)-1]
			continue
		}
		level := c.level(modes, words)
		if level < 0 {
			return fmt.Errorf("%% Invalid input (at token 0: '%s') at line %d", words[0], n+1)
		}
		stack, modes = stack[:level+1], modes[:level+1]
		into, mode := stack[level].do(modes[level], words)
		if into != nil {
			stack, modes = append(stack, into), append(modes, mode)
		}
	}
	return nil
}

// level is the mode, from the innermost outward, that knows the line.
func (c *cli) level(modes []string, words []string) int {
	for l := len(modes) - 1; l >= 0; l-- {
		if _, _, ok := match(modes[l], words); ok {
			return l
		}
		if _, _, ok := match(modes[l], opposite(words)); ok {
			return l
		}
	}
	return -1
}

// do types one line; a section that it opens comes back.
func (s *section) do(mode string, words []string) (*section, string) {
	word, key, ok := match(mode, words)
	if !ok {
		_, key, _ = match(mode, opposite(words))
		s.subs = slices.DeleteFunc(s.subs, func(x *section) bool { return x.key == key })
		return nil, ""
	}
	// Where both forms are printed, one takes the place of the other.
	if c, other, ok := match(mode, opposite(words)); ok && len(c.words) == len(opposite(words)) {
		s.subs = slices.DeleteFunc(s.subs, func(x *section) bool { return x.key == other })
	}
	line := strings.Join(words, " ")
	for _, x := range s.subs {
		if x.key == key {
			x.line = line
			return openSection(x, word)
		}
	}
	x := &section{line: line, word: word, key: key}
	s.subs = append(s.subs, x)
	return openSection(x, word)
}

// opposite is what undoes a line.
func opposite(words []string) []string {
	if words[0] == "no" || words[0] == "default" {
		return words[1:]
	}
	return append([]string{"no"}, words...)
}

func openSection(x *section, word command) (*section, string) {
	if word.mode == "" {
		return nil, ""
	}
	return x, word.mode
}

func (c *cli) dump() []byte {
	var b bytes.Buffer
	b.WriteString("! Command: show running-config\n!\n")
	for _, s := range c.root.subs {
		s.print(&b, 0)
		b.WriteString("!\n")
	}
	b.WriteString("end\n")
	return b.Bytes()
}

func (s *section) print(b *bytes.Buffer, depth int) {
	fmt.Fprintf(b, "%s%s\n", strings.Repeat("   ", depth), s.line)
	for _, x := range s.subs {
		x.print(b, depth+1)
	}
}

func (c *cli) get(p *gpb.Path, req *gpb.GetRequest) ([]*gpb.Update, error) {
	if p.GetOrigin() != "cli" {
		return nil, status.Errorf(codes.Unimplemented, "configuration behind origin %q", p.GetOrigin())
	}
	if len(p.GetElem()) != 1 || p.GetElem()[0].GetName() != "show running-config" {
		return nil, status.Error(codes.InvalidArgument, "% Invalid input")
	}
	if req.GetEncoding() != gpb.Encoding_ASCII {
		return nil, status.Error(codes.InvalidArgument, "text only in this test")
	}
	return []*gpb.Update{{Path: p, Val: &gpb.TypedValue{Value: &gpb.TypedValue_AsciiVal{AsciiVal: string(c.dump())}}}}, nil
}

func (c *cli) set(req *gpb.SetRequest) (store, error) {
	if len(req.GetDelete()) > 0 {
		return nil, status.Error(codes.InvalidArgument, "delete is not supported for origin cli")
	}
	if len(req.GetReplace()) > 1 {
		return nil, status.Error(codes.InvalidArgument, "more than one replace for origin cli")
	}
	out := c.clone()
	if len(req.GetReplace()) == 1 {
		out = &cli{root: &section{}}
	}
	for _, u := range slices.Concat(req.GetReplace(), req.GetUpdate()) {
		origin := u.GetPath().GetOrigin()
		if origin == "" {
			origin = req.GetPrefix().GetOrigin()
		}
		text, ok := u.GetVal().GetValue().(*gpb.TypedValue_AsciiVal)
		switch {
		case origin != "cli":
			return nil, status.Errorf(codes.InvalidArgument, "origin %q is not known", origin)
		case len(u.GetPath().GetElem()) > 0:
			return nil, status.Error(codes.InvalidArgument, "a path behind origin cli")
		case !ok:
			return nil, status.Error(codes.InvalidArgument, "CLI origin encoding should be ASCII")
		}
		if err := out.enter(text.AsciiVal); err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
	}
	return out, nil
}
