package vrp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"railyard/vendors/clitree"
	"railyard/vendors/clitree/drill"
)

// vrpDevice is a CloudEngine's command line as far as patches touch it. What it
// refuses and what vanishes by itself is in the manuals (see diff_rules.go):
//
//   - a physical port takes addresses only after undo portswitch, and turns only
//     when no line of the other kind is on it (CG);
//   - profiles and domains in use cannot be removed, missing ones not used (CG, CR);
//   - VLANs are removed after whatever is in them (CR);
//   - the AS of a peer cannot be changed, undo peer takes all its lines (ANNET);
//   - kinds of load balancing exclude each other (CR);
//   - an MTU is undone before another is set (ANNET);
//   - undo dcb pfc buffer takes all thresholds of the queue (CR);
//   - splitting removes the port and brings its parts, undo the other way (CR).
func vrpDevice() drill.Model {
	return drill.Model{
		Negation: "undo", Leave: "quit", Ignore: []string{"system-view", "return", "commit"},
		View: vrpView, Set: vrpSet, Undo: vrpUndo,
		Slots: []string{"sysname", "description", "name", "mtu", "jumboframe enable", "port default vlan", "port link-type", "ip binding vpn-instance",
			"trust upstream", "trust", "qos queue * drr weight", "qos queue * wred", "dcb pfc enable", "dcb pfc buffer * hdrm", "dcb pfc buffer * xoff",
			"dcb pfc deadlock-detect interval", "dcb pfc deadlock-detect timer", "dcb pfc deadlock-recovery timer", "dcb pfc deadlock recovery-behavior",
			"priority * deadlock-detect time", "priority * deadlock-recovery time", "ecn weight", "ecn", "ip-dscp-inbound *", "qos buffer headroom-pool",
			"router-id", "peer * as-number", "peer * description", "maximum load-balancing ebgp", "maximum load-balancing", "source-ip", "authentication-mode", "protocol inbound",
			"ntp unicast-server *", "info-center loghost *", "local-user * privilege level"},
	}
}

func vrpView(path []string, line string) bool {
	if len(path) == 1 {
		return strings.HasSuffix(line, "-family unicast") || line == "ipv4-family" || line == "grpc server" || line == "public-key-code begin"
	}
	if len(path) > 0 || strings.HasPrefix(line, "vlan batch") || line == "dcb pfc global disable" || strings.HasPrefix(line, "dcb pfc deadlock") || strings.HasPrefix(line, "dcb pfc dscp") {
		return false
	}
	for _, v := range []string{"interface ", "vlan ", "bgp ", "dcb pfc", "drop-profile ", "diffserv domain ", "ip vpn-instance ", "aaa", "grpc", "rsa ", "user-interface "} {
		if strings.HasPrefix(line, v) {
			return true
		}
	}
	return false
}

func prefixed(p string) func(string) bool {
	return func(s string) bool { return s == p || strings.HasPrefix(s, p+" ") }
}

func exactly(want string) func(string) bool { return func(s string) bool { return s == want } }

// vlans reads the batch; edit writes it back when it returns true.
func vlans(d *drill.Device) map[string]bool {
	set := map[string]bool{"1": true}
	for _, c := range d.Root.Children {
		if rest, ok := strings.CutPrefix(c.Text, "vlan batch "); ok {
			for _, v := range numbers(rest) {
				set[v] = true
			}
		}
	}
	return set
}

func numbers(s string) (out []string) {
	words := strings.Fields(s)
	for i := 0; i < len(words); i++ {
		if i+2 < len(words) && words[i+1] == "to" {
			var a, b int
			fmt.Sscan(words[i], &a)
			fmt.Sscan(words[i+2], &b)
			for ; a <= b; a++ {
				out = append(out, fmt.Sprint(a))
			}
			i += 2
			continue
		}
		out = append(out, words[i])
	}
	return out
}

func storeVLANs(d *drill.Device, set map[string]bool) {
	d.Drop(d.Root, prefixed("vlan batch"))
	for v := range set {
		d.Root.Children = append(d.Root.Children, &clitree.Node{Text: "vlan batch " + v})
	}
}

// splitPorts are the ports of a split line.
func splitPorts(rest string) (ports []string, kind string) {
	list, kind, _ := strings.Cut(rest, " split-type ")
	words := strings.Fields(list)
	for i := 0; i < len(words); i++ {
		if i+2 < len(words) && words[i+1] == "to" {
			cut := strings.LastIndexByte(words[i], '/') + 1
			for _, n := range numbers(words[i][cut:] + " to " + words[i+2][strings.LastIndexByte(words[i+2], '/')+1:]) {
				ports = append(ports, words[i][:cut]+n)
			}
			i += 2
			continue
		}
		ports = append(ports, words[i])
	}
	return ports, kind
}

const splitLine = "port split dimension interface "

func split(d *drill.Device, port string) bool {
	for _, c := range d.Root.Children {
		if rest, ok := strings.CutPrefix(c.Text, splitLine); ok {
			if ports, _ := splitPorts(rest); slices.Contains(ports, port) {
				return true
			}
		}
	}
	return false
}

var l2, l3 = []string{"port default vlan", "port link-type", "stp edged-port", "trust dscp", "trust 8021p"}, []string{"ip address", "ip binding"}

func hasAny(n *clitree.Node, list []string) bool {
	for _, p := range list {
		if drill.Has(n, func(s string) bool { return strings.HasPrefix(s, p) }) {
			return true
		}
	}
	return false
}

func vrpSet(d *drill.Device, line string) (bool, error) {
	words := strings.Fields(line)
	here, last := d.Here(), words[len(words)-1]
	physical := strings.Contains(here.Text, "GE")
	routed := here.Find("undo portswitch") != nil
	refuse := func(why string) (bool, error) { return true, fmt.Errorf("%q: %s", line, why) }
	switch {
	case strings.HasPrefix(line, splitLine):
		ports, kind := splitPorts(strings.TrimPrefix(line, splitLine))
		for _, p := range ports {
			d.Drop(d.Root, exactly("interface "+p))
			d.Root.Children = append(d.Root.Children, &clitree.Node{Text: splitLine + p + " split-type " + kind})
		}
		return true, nil
	case strings.HasPrefix(line, "port mode"):
		for _, p := range words[4:] {
			d.Drop(d.Root, exactly("interface "+p))
			d.Root.Children = append(d.Root.Children, &clitree.Node{Text: strings.Join(words[:4], " ") + " " + p})
		}
		return true, nil
	case words[0] == "interface":
		whole, _, part := strings.Cut(words[1], ":")
		if strings.Contains(whole, "GE") && part != split(d, whole) && d.Root.Find(line) == nil {
			return refuse("the port is split otherwise")
		}
		if v, ok := strings.CutPrefix(words[1], "Vlanif"); ok && !vlans(d)[v] {
			return refuse("no such VLAN")
		}
	case strings.HasPrefix(line, "vlan batch "):
		set := vlans(d)
		for _, v := range numbers(line[len("vlan batch "):]) {
			set[v] = true
		}
		storeVLANs(d, set)
		return true, nil
	case words[0] == "vlan":
		if set := vlans(d); !set[last] {
			set[last] = true
			storeVLANs(d, set)
		}
	case line == "portswitch":
		if hasAny(here, l3) {
			return refuse("routed lines are on the port")
		}
		d.Drop(here, exactly("undo portswitch"))
		return true, nil
	case strings.HasPrefix(line, "ip address") && physical && !routed, hasAny(&clitree.Node{Children: []*clitree.Node{{Text: line}}}, l2) && routed:
		return refuse("the port is of the other kind")
	case prefixed("ip address")(line) && drill.Has(d.Root, exactly(line)) && here.Find(line) == nil:
		return refuse("it is on another interface")
	case prefixed("ip address")(line) && last != "sub":
		d.Drop(here, func(s string) bool { return prefixed("ip address")(s) && !strings.HasSuffix(s, " sub") })
	case prefixed("ip binding vpn-instance")(line) && here.Find(line) == nil:
		d.Drop(here, prefixed("ip address"))
	case prefixed("port default vlan")(line) && !vlans(d)[last]:
		return refuse("no such VLAN")
	case prefixed("mtu")(line) && drill.Has(here, prefixed("mtu")):
		return refuse("undo mtu comes first")
	case prefixed("trust upstream")(line) && d.Root.Find("diffserv domain "+last) == nil:
		return refuse("no such domain")
	case prefixed("qos queue")(line) && words[3] == "wred" && d.Root.Find("drop-profile "+last) == nil:
		return refuse("no such profile")
	case prefixed("maximum load-balancing")(line) && drill.Has(here, func(s string) bool {
		return prefixed("maximum load-balancing")(s) && strings.Fields(s)[2] != words[2] && len(strings.Fields(s)) != len(words)
	}):
		return refuse("another kind is set")
	case words[0] == "peer":
		known := drill.Has(d.Root.Find(d.Path()[0]), prefixed("peer "+words[1]+" as-number"))
		if words[2] != "as-number" && !known {
			return refuse("no such peer")
		}
		if words[2] == "as-number" && known && here.Find(line) == nil {
			return refuse("the AS of a peer cannot be changed")
		}
	case line == "qos drr" || prefixed("qos drr")(line):
		for _, q := range numbers(line[len("qos drr "):]) {
			d.Put("qos drr " + q)
		}
		return true, nil
	}
	return false, nil
}

// spread writes a list line as one line per element, so that some can go.
func spread(n *clitree.Node, head string) {
	var out []*clitree.Node
	for _, c := range n.Children {
		if rest, ok := strings.CutPrefix(c.Text, head+" "); ok {
			for _, v := range numbers(rest) {
				out = append(out, &clitree.Node{Text: head + " " + v})
			}
			continue
		}
		out = append(out, c)
	}
	n.Children = out
}

// joinPorts undoes splits and says how many.
func joinPorts(d *drill.Device, rest string) int {
	ports, kind := splitPorts(rest)
	n := 0
	for _, p := range ports {
		for _, c := range d.Root.Children {
			if old, ok := strings.CutPrefix(c.Text, splitLine); ok {
				all, _ := splitPorts(old)
				if len(all) > 1 {
					c.Text = splitLine + all[0] + " split-type " + kind
					for _, x := range all[1:] {
						d.Root.Children = append(d.Root.Children, &clitree.Node{Text: splitLine + x + " split-type " + kind})
					}
				}
			}
		}
		n += d.Drop(d.Root, exactly(splitLine+p+" split-type "+kind))
		d.Drop(d.Root, func(s string) bool { return strings.HasPrefix(s, "interface "+p+":") })
	}
	return n
}

// leaveMode undoes the mode of ports and says of how many.
func leaveMode(d *drill.Device, ports []string) int {
	n := 0
	for _, c := range slices.Clone(d.Root.Children) {
		w := strings.Fields(c.Text)
		if !prefixed("port mode")(c.Text) || len(w) < 5 {
			continue
		}
		d.Drop(d.Root, exactly(c.Text))
		for _, port := range w[4:] {
			if slices.Contains(ports, port) {
				n++
				d.Drop(d.Root, exactly("interface "+w[2]+port[strings.Index(port, "GE")+2:]))
				continue
			}
			d.Root.Children = append(d.Root.Children, &clitree.Node{Text: strings.Join(w[:4], " ") + " " + port})
		}
	}
	return n
}

// removeVLANs takes VLANs that nothing uses.
func removeVLANs(d *drill.Device, list []string) error {
	set := vlans(d)
	for _, v := range list {
		if d.Root.Find("interface Vlanif"+v) != nil || drill.Has(d.Root, exactly("port default vlan "+v)) {
			return fmt.Errorf("undo vlan batch %s while it is in use", v)
		}
		if !set[v] {
			return fmt.Errorf("undo vlan batch %s: there is no such VLAN", v)
		}
		delete(set, v)
		d.Drop(d.Root, exactly("vlan "+v))
	}
	storeVLANs(d, set)
	return nil
}

func vrpUndo(d *drill.Device, rest string) (bool, error) {
	words := strings.Fields(rest)
	here := d.Here()
	gone := func(n int) (bool, error) {
		if n == 0 {
			return true, fmt.Errorf("undo %s in %q: there is no such line", rest, d.Path())
		}
		return true, nil
	}
	inUse := func(line string) (bool, error) {
		if drill.Has(d.Root, func(s string) bool { return s == line || strings.HasSuffix(s, " "+line) }) {
			return true, fmt.Errorf("undo %s while it is in use", rest)
		}
		return false, nil
	}
	switch {
	case rest == "portswitch":
		if hasAny(here, l2) {
			return true, fmt.Errorf("undo portswitch in %q: switched lines are on the port", d.Path())
		}
		d.Put("undo portswitch")
		return true, nil
	case strings.HasPrefix(rest, splitLine):
		return gone(joinPorts(d, strings.TrimPrefix(rest, splitLine)))
	case prefixed("port mode")(rest):
		return gone(leaveMode(d, words[4:]))
	case strings.HasPrefix(rest, "vlan batch "):
		return true, removeVLANs(d, numbers(rest[len("vlan batch "):]))
	case words[0] == "drop-profile":
		return inUse("wred " + words[1])
	case prefixed("diffserv domain")(rest):
		return inUse("trust upstream " + words[2])
	case words[0] == "peer" && len(words) == 2:
		n := d.Drop(here, prefixed(rest))
		for _, c := range here.Children {
			d.Drop(c, prefixed(rest))
		}
		return gone(n)
	case prefixed("dcb pfc buffer")(rest) && len(words) == 4:
		return gone(d.Drop(here, prefixed(rest)))
	case prefixed("qos drr")(rest):
		spread(here, "qos drr")
		n := 0
		for _, q := range numbers(rest[len("qos drr "):]) {
			n += d.Drop(here, exactly("qos drr "+q))
		}
		return gone(n)
	case rest == "stp edged-port":
		return gone(d.Drop(here, exactly("stp edged-port enable")))
	case prefixed("qos buffer headroom-pool slot")(rest):
		return gone(d.Drop(here, prefixed("qos buffer headroom-pool")))
	case prefixed("dcb pfc deadlock recovery-behavior slot")(rest):
		return gone(d.Drop(here, prefixed("dcb pfc deadlock recovery-behavior")))
	case rest == "priority 3" && here.Text == "dcb pfc":
		d.Drop(here, exactly(rest)) // on by default, so that its undo is what is stored
		d.Put("undo priority 3")
		return true, nil
	case prefixed("rsa peer-public-key")(rest):
		return gone(d.Drop(here, prefixed(rest)))
	}
	return false, nil
}

// TestPatchBetweenRoles turns every golden switch into every other.
func TestPatchBetweenRoles(t *testing.T) {
	all := diffGoldens(t)
	for a, from := range all {
		for b, to := range all {
			if strings.HasPrefix(a, "unknown") != strings.HasPrefix(b, "unknown") {
				continue // these hold parts of ports without the line that splits them
			}
			diffDrill().Patch(t, vrpDevice(), a+" to "+b, from, to, clitree.Full)
		}
	}
}

// TestPatchOfChanges makes several changes at random and takes them back.
func TestPatchOfChanges(t *testing.T) {
	o := diffDrill()
	for name, text := range diffGoldens(t) {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 3))
			changed := drill.Scramble(r, text, vrpScramble)
			o.Patch(t, vrpDevice(), fmt.Sprint(name, " seed ", seed), changed, text, clitree.Owned)
			o.Patch(t, vrpDevice(), fmt.Sprint(name, " seed ", seed, " back"), text, changed, clitree.Owned)
		}
	}
}

// vrpScramble are changes that leave a configuration a switch could have.
var vrpScramble = []drill.Edit{
	{Find: "low-limit 100000 high-limit 400000", Put: "low-limit 7000 high-limit 750000"},
	{Find: " mtu 9000\n", Put: " mtu 4500\n"},
	{Find: " mtu 9000\n", Put: ""},
	{Find: " qos queue 0 drr weight 50\n", Put: ""},
	{Find: " qos queue 4 ecn\n", Put: ""},
	{Find: " qos drr 0 to 5\n", Put: " qos drr 0 to 3\n"},
	{Find: " dcb pfc enable mode manual\n", Put: ""},
	{Find: " dcb pfc buffer 4 hdrm 68 kbytes\n", Put: " dcb pfc buffer 4 hdrm 99 kbytes\n dcb pfc buffer 4 guaranteed 3200 bytes\n"},
	{Find: " trust dscp\n", Put: ""},
	{Find: " ip-dscp-inbound 8 phb be green\n", Put: " ip-dscp-inbound 8 phb af2 green\n"},
	{Find: " ip-dscp-inbound 9 phb be green\n", Put: ""},
	{Find: "vlan batch 100\n", Put: "vlan batch 99 to 102\n"},
	{Find: " description unused\n shutdown\n", Put: " description taken\n"},
	{Find: " maximum load-balancing ebgp 2\n", Put: " maximum load-balancing 8\n"},
	{Find: "as-number 4200001000", Put: "as-number 4200001009"},
	{Find: " dcb pfc deadlock-detect timer 200\n", Put: ""},
	{Find: "#\ndcb pfc deadlock recovery-behavior discard slot 1\n", Put: ""},
	{Find: "size 4 mbytes", Put: "size 8 mbytes"},
	{Find: " stp edged-port enable\n", Put: ""},
	{Find: "priority 4 deadlock-detect time 2\n", Put: "priority 4 deadlock-detect time 5\n"},
	{Find: " undo priority 3\n", Put: ""},
	{Find: "lldp enable\n", Put: "qos ecn enable\n"},
	{Find: "interface 100GE1/0/9\n description unused\n shutdown\n", Put: "interface 100GE1/0/9\n undo portswitch\n mtu 9000\n ip address 192.0.2.1 255.255.255.0\n"},
}

// TestPatchScenarios are triples of testdata/patches.yaml.
func TestPatchScenarios(t *testing.T) {
	var scenarios []drill.Scenario
	body, err := os.ReadFile("testdata/patches.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(body, &scenarios); err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios {
		steps := diffDrill().Patch(t, vrpDevice(), s.Name, s.Before, s.After, clitree.Owned)
		if got := drill.Listing(steps); got != s.Patch {
			t.Errorf("%s: patch\n%s\nwant\n%s", s.Name, got, s.Patch)
		}
	}
}
