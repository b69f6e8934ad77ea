package clitree

import (
	"strings"
	"sync"
)

// mark is a text that betrays one or more systems: the first word of a line and a
// part of what follows, with ^ its beginning.
type mark struct{ word, rest, systems string }

const (
	chinese = "comware vrp"
	cisco   = "eos frr rgos nx-os ios"
)

// marks tell systems apart; "!" is the word of lines that begin with it.
var marks = []mark{
	{"sysname", "", chinese}, {"undo", "", chinese}, {"peer", "as-number", chinese}, {"info-center", "", chinese}, {"local-user", "", chinese},
	{"port", "link-mode", "comware"}, {"version", "7.1.", "comware"}, {"version", "9.1.", "comware"}, {"version", "5.20", "comware"},
	{"interface", "Vlan-interface", "comware"}, {"interface", "M-GigabitEthernet", "comware"}, {"interface", "GigE1/0", "comware"},
	{"qos", "wred queue", "comware"}, {"qos", "wred apply", "comware"}, {"qos", "wfq", "comware"}, {"priority-flow-control", "no-drop dot1p", "comware"},
	{"line", "class", "comware"}, {"authorization-attribute", "", "comware"}, {"local-user", "class manage", "comware"}, {"mdc", "", "comware"},
	{"lldp", "global enable", "comware"}, {"ssh", "server enable", "comware"}, {"buffer", "egress", "comware"}, {"port", "trunk permit", "comware"},
	{"address-family", "ipv4 unicast", "comware frr nx-os"},
	{"port", "default vlan", "vrp"}, {"undo", "portswitch", "vrp"}, {"vlan", "batch", "vrp"}, {"interface", "Vlanif", "vrp"}, {"interface", "MEth", "vrp"},
	{"interface", "Eth-Trunk", "vrp"}, {"interface", "0GE", "vrp"}, {"interface", "25GE", "vrp"}, {"dcb", "pfc", "vrp"}, {"qos", "drr", "vrp"},
	{"drop-profile", "", "vrp"}, {"ipv4-family", "", "vrp"}, {"diffserv", "domain", "vrp"}, {"stelnet", "", "vrp"}, {"!Software", "Version", "vrp"},
	{"lldp", "enable", "vrp"}, {"qos", "queue", "vrp"}, {"user-interface", "", "vrp"},
	{"hostname", "", cisco}, {"router", "bgp", cisco}, {"neighbor", "", cisco}, {"no", "", cisco}, {"switchport", "", cisco}, {"spanning-tree", "", cisco},
	{"interface", "^Ethernet", "eos frr nx-os"}, {"route-map", "", cisco}, {"ip", "prefix-list", cisco},
	{"!", "device:", "eos rgos zxros"}, {"!", "Command: show running-config", "eos"}, {"interface", "Management1", "eos"},
	{"service", "routing protocols", "eos"}, {"management", "api", "eos"}, {"priority-flow-control", "on", "eos"}, {"uc-tx-queue", "", "eos"},
	{"tx-queue", "", "eos"}, {"service-profile", "", "eos"}, {"username", "role network-admin secret", "eos"}, {"transceiver", "qsfp", "eos"}, {"speed", "g-", "eos"},
	{"frr", "", "frr"}, {"exit-address-family", "", "frr ios"},
	{"!Command:", "", "nx-os"}, {"!Running", "configuration last done", "nx-os"}, {"feature", "", "nx-os"}, {"vdc", "", "nx-os"}, {"vpc", "", "nx-os"},
	{"boot-start-marker", "", "ios"}, {"boot-end-marker", "", "ios"}, {"service", "timestamps", "ios"}, {"ip", "classless", "ios"}, {"line", "con 0", "ios"},
	{"set", "system", "junos"}, {"set", "interfaces", "junos"}, {"system", "{", "junos"}, {"interfaces", "{", "junos"}, {"##", "Last", "junos"},
	{"-", "set:", "nvue"}, {"-", "header:", "nvue"}, {"nv", "set", "nvue"},
	{"switchvlan-configuration", "", "zxros"}, {"interface", "gei-", "zxros"}, {"$", "", "zxros"},
	{"interface", "GigabitEthernet 0/", "rgos"}, {"interface", "TFGigabitEthernet", "rgos"}, {"interface", "AggregatePort", "rgos"}, {"Building", "configuration", "rgos ios"},
}

// systems that marks know, in the order in which a tie is decided.
var systems = strings.Fields("comware vrp eos frr rgos zxros nx-os ios junos nvue")

// looked is how many lines are read to tell the system; the head of a
// configuration and its first interfaces are in them.
const looked = 1500

// foreign reports a text of another system or format.
func (p *parser) foreign(lines []line) bool {
	if p.syntax.Name == "generic" || len(lines) == 0 {
		return false
	}
	if what := format(lines[0].text); what != "" {
		p.problem(lines[0].number, Fatal, CodeWrongSystem, "this is %s, not a configuration of %s", what, p.syntax.Name)
		return true
	}
	found := betrayed(lines[:min(len(lines), looked)])
	best, most := "", 1
	for _, other := range systems {
		theirs, ours := 0, 0
		for i := range found {
			if found[i].text == "" {
				continue
			}
			t, o := has(marks[i].systems, other), has(marks[i].systems, p.syntax.Name)
			if t && !o {
				theirs++
			} else if o && !t {
				ours++
			}
		}
		if theirs > most && theirs > 2*ours {
			best, most = other, theirs
		}
	}
	if best == "" {
		return false
	}
	first := line{number: 1 << 30}
	for i, l := range found {
		if l.text != "" && has(marks[i].systems, best) && !has(marks[i].systems, p.syntax.Name) && l.number < first.number {
			first = l
		}
	}
	p.problem(first.number, Fatal, CodeWrongSystem, "this looks like %s, not %s: %s", best, p.syntax.Name, quote(first.text))
	return true
}

// byWord finds the marks of a word.
var byWord = sync.OnceValue(func() map[string][]int {
	index := make(map[string][]int, len(marks))
	for i, m := range marks {
		index[m.word] = append(index[m.word], i)
	}
	return index
})

// betrayed returns the first line of each mark that is in the text, in the order of
// marks; a line without text where it is not. How often one appears says nothing.
func betrayed(lines []line) []line {
	index := byWord()
	found := make([]line, len(marks))
	for _, l := range lines {
		word, rest, _ := strings.Cut(l.text, " ")
		for _, i := range index[word] {
			if found[i].text == "" && marks[i].fits(rest) {
				found[i] = l
			}
		}
	}
	return found
}

func (m mark) fits(rest string) bool {
	if head, ok := strings.CutPrefix(m.rest, "^"); ok {
		return strings.HasPrefix(rest, head)
	}
	return strings.Contains(rest, m.rest)
}

func has(list, word string) bool {
	for list != "" {
		first, rest, _ := strings.Cut(list, " ")
		if first == word {
			return true
		}
		list = rest
	}
	return false
}

// format names texts that are no command lines at all, by their first line.
func format(s string) string {
	low := strings.ToLower(s)
	switch {
	case s[0] == '{' || strings.HasPrefix(s, "[{"):
		return "JSON"
	case strings.HasPrefix(low, "<?xml") || strings.HasPrefix(low, "<rpc"):
		return "XML"
	case strings.HasPrefix(low, "<!doctype") || strings.HasPrefix(low, "<html"):
		return "HTML"
	case strings.HasPrefix(s, "diff --git") || strings.HasPrefix(s, "--- a/"):
		return "a patch"
	}
	return ""
}

// Recognise names the system whose marks a text has most of, "" when there are
// too few to tell.
func Recognise(text []byte) string {
	c := &cleaner{}
	lines := c.lines(text[:min(len(text), MaxSize)])
	if len(lines) == 0 || Worst(c.problems, Fatal) != nil || format(lines[0].text) != "" {
		return ""
	}
	found := betrayed(lines[:min(len(lines), looked)])
	best, most := "", 2
	for _, s := range systems {
		n := 0
		for i := range found {
			if found[i].text != "" && has(marks[i].systems, s) {
				n++
				if !strings.Contains(marks[i].systems, " ") {
					n += 2 // nobody else has it
				}
			}
		}
		if n > most {
			best, most = s, n
		}
	}
	return best
}
