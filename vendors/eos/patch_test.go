package eos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"railyard/vendors/clitree"
	"railyard/vendors/clitree/drill"
)

// eosDevice is a switch's command line as far as patches touch it. EOS takes lines
// in any order more readily than others; what counts here:
//
//   - a line at its default is not stored, so that no X is never an error where X
//     is a setting with a default, and is one where X names an object;
//   - a queue profile, VLAN or VRF in use is removed after its users (order of a
//     careful operator; EOS itself would leave users dangling);
//   - another VRF takes the interface's addresses;
//   - two interfaces cannot have one address;
//   - no neighbor takes all lines of a neighbor;
//   - maps of DSCPs are kept per DSCP; a list of a trunk's VLANs replaces the old one.
func eosDevice() drill.Model {
	return drill.Model{
		Negation: "no", Leave: "exit", Ignore: []string{"configure terminal", "end"},
		View: eosView, Set: eosSet, Undo: eosUndo,
		Slots: []string{"hostname", "description", "name", "mtu", "speed", "switchport access vlan", "switchport mode", "switchport trunk allowed vlan", "vrf", "ip address", "service-profile",
			"qos trust", "bandwidth percent", "random-detect ecn minimum-threshold", "priority-flow-control priority *", "router-id", "maximum-paths",
			"neighbor * remote-as", "neighbor * description", "neighbor * maximum-routes", "neighbor * route-map * *", "redistribute *", "seq *", "spanning-tree mode",
			"service routing protocols model", "priority-flow-control pause watchdog action", "priority-flow-control pause watchdog default *",
			"match ip address prefix-list", "match community", "set community", "username * ssh-key secondary"},
	}
}

func eosView(path []string, line string) bool {
	if len(path) > 0 {
		return strings.Contains(line, "tx-queue ") && !strings.HasPrefix(line, "qos map") || strings.HasPrefix(line, "address-family") || strings.HasPrefix(line, "transport grpc")
	}
	for _, v := range []string{"interface ", "vlan ", "router bgp ", "qos profile ", "vrf instance ", "management ", "ip prefix-list ", "route-map "} {
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

// spreadDSCP writes map lines one DSCP each.
func spreadDSCP(d *drill.Device) {
	var out []*clitree.Node
	for _, c := range d.Root.Children {
		rest, ok := strings.CutPrefix(c.Text, "qos map dscp ")
		if !ok {
			out = append(out, c)
			continue
		}
		list, class, _ := strings.Cut(rest, " to ")
		for _, n := range strings.Fields(list) {
			out = append(out, &clitree.Node{Text: "qos map dscp " + n + " to " + class})
		}
	}
	d.Root.Children = out
}

func eosSet(d *drill.Device, line string) (bool, error) {
	words := strings.Fields(line)
	here, last := d.Here(), words[len(words)-1]
	switch {
	case prefixed("qos map dscp")(line):
		spreadDSCP(d)
		list, class, _ := strings.Cut(strings.TrimPrefix(line, "qos map dscp "), " to ")
		for _, n := range strings.Fields(list) {
			d.Drop(d.Root, prefixed("qos map dscp "+n))
			d.Root.Children = append(d.Root.Children, &clitree.Node{Text: "qos map dscp " + n + " to " + class})
		}
		return true, nil
	case line == "priority strict":
		d.Drop(here, exactly("no priority"))
		return true, nil
	case line == "switchport":
		d.Drop(here, exactly("no switchport"))
		return true, nil
	case line == "default qos trust":
		d.Drop(here, func(s string) bool { return prefixed("qos trust")(s) || s == "no qos trust" })
		return true, nil
	case prefixed("bgp default")(line):
		d.Drop(here, exactly("no "+line))
		return true, nil
	case prefixed("ip routing vrf")(line):
		d.Drop(here, exactly("no "+line))
	case prefixed("ip address")(line) && drill.Has(d.Root, exactly(line)) && here.Find(line) == nil:
		return true, fmt.Errorf("%q is on another interface", line)
	case prefixed("vrf")(line) && len(d.Path()) == 1 && here.Find(line) == nil && words[1] != "instance":
		d.Drop(here, prefixed("ip address"))
	case prefixed("service-profile")(line) && d.Root.Find("qos profile "+last) == nil:
		return true, fmt.Errorf("%q: no such profile", line)
	case prefixed("switchport access vlan")(line) && d.Root.Find("vlan "+last) == nil:
		return true, fmt.Errorf("%q: no such VLAN", line)
	case words[0] == "neighbor" && len(words) == 5 && words[2] == "peer" && !drill.Has(here, exactly("neighbor "+last+" peer group")):
		return true, fmt.Errorf("%q: no such group", line)
	case words[0] == "route-map" && len(words) == 4:
		d.Drop(d.Root, func(s string) bool { // the same number with another action
			w := strings.Fields(s)
			return len(w) == 4 && w[0] == "route-map" && w[1] == words[1] && w[3] == words[3] && w[2] != words[2]
		})
	case prefixed("match ip address prefix-list")(line) && d.Root.Find("ip prefix-list "+last) == nil:
		return true, fmt.Errorf("%q: no such list", line)
	}
	return false, nil
}

func eosUndo(d *drill.Device, rest string) (bool, error) {
	words := strings.Fields(rest)
	here := d.Here()
	gone := func(n int) (bool, error) {
		if n == 0 {
			return true, fmt.Errorf("no %s in %q: there is no such line", rest, d.Path())
		}
		return true, nil
	}
	stored := func(positive string) (bool, error) {
		d.Drop(here, exactly(positive))
		d.Put("no " + positive)
		return true, nil
	}
	inUse := func(line string) error {
		if drill.Has(d.Root, exactly(line)) {
			return fmt.Errorf("no %s while %q", rest, line)
		}
		return nil
	}
	switch {
	case rest == "priority" || rest == "switchport" || prefixed("bgp default")(rest) || prefixed("ip routing vrf")(rest):
		return stored(rest)
	case rest == "priority-flow-control":
		return gone(d.Drop(here, exactly("priority-flow-control on")))
	case words[0] == "neighbor" && len(words) == 2, prefixed("neighbor interface")(rest) && len(words) == 3, words[0] == "username" && len(words) == 2:
		n := d.Drop(here, prefixed(rest))
		for _, c := range here.Children {
			d.Drop(c, prefixed(rest))
		}
		return gone(n)
	case words[0] == "neighbor" && strings.HasSuffix(rest, " peer group"):
		return gone(d.Drop(here, prefixed(rest)))
	case rest == "random-detect ecn minimum-threshold", prefixed("priority-flow-control priority")(rest):
		return gone(d.Drop(here, prefixed(rest)))
	case words[0] == "qos" && words[1] == "profile":
		return false, inUse("service-profile " + words[2])
	case words[0] == "vlan" && len(words) == 2:
		if d.Root.Find("interface Vlan"+words[1]) != nil {
			return true, fmt.Errorf("no %s before its interface", rest)
		}
		return false, inUse("switchport access vlan " + words[1])
	case prefixed("ip prefix-list")(rest):
		return false, inUse("match ip address prefix-list " + words[2])
	}
	return false, nil
}

// TestPatchBetweenRoles turns every golden switch into every other.
func TestPatchBetweenRoles(t *testing.T) {
	all := diffGoldens(t)
	for a, from := range all {
		for b, to := range all {
			diffDrill().Patch(t, eosDevice(), a+" to "+b, from, to, clitree.Full)
		}
	}
}

// TestPatchOfChanges makes several changes at random and takes them back.
func TestPatchOfChanges(t *testing.T) {
	o := diffDrill()
	for name, text := range diffGoldens(t) {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 3))
			changed := drill.Scramble(r, text, eosScramble)
			o.Patch(t, eosDevice(), fmt.Sprint(name, " seed ", seed), changed, text, clitree.Owned)
			o.Patch(t, eosDevice(), fmt.Sprint(name, " seed ", seed, " back"), text, changed, clitree.Owned)
		}
	}
}

var eosScramble = []drill.Edit{
	{Find: "minimum-threshold 400000 bytes", Put: "minimum-threshold 256000 bytes"},
	{Find: " weight 0\n", Put: " weight 3\n"},
	{Find: "      no priority\n", Put: ""},
	{Find: "      bandwidth percent 20\n", Put: "      bandwidth percent 10\n"},
	{Find: "      bandwidth percent 80\n", Put: ""},
	{Find: "   priority-flow-control priority 3 no-drop\n", Put: "   priority-flow-control priority 4 no-drop\n"},
	{Find: "   priority-flow-control on\n", Put: ""},
	{Find: "   mtu 9214\n", Put: ""},
	{Find: "   spanning-tree portfast\n", Put: ""},
	{Find: "   description unused\n   shutdown\n", Put: "   description taken\n   no switchport\n   ip address 192.0.2.1/31\n", Once: true},
	{Find: "qos map dscp 26 to", Put: "qos map dscp 24 26 to"},
	{Find: "qos map dscp 48 to traffic-class 6\n", Put: ""},
	{Find: "watchdog action drop\n", Put: "watchdog action errdisable\n"},
	{Find: "default timeout 0.20", Put: "default timeout 0.50"},
	{Find: "maximum-paths 2 ecmp 2", Put: "maximum-paths 4 ecmp 4"},
	{Find: "remote-as 4200001000", Put: "remote-as 4200001009"},
	{Find: "   neighbor 10.240.0.1 description spine-02:Ethernet1/1\n", Put: ""},
	{Find: "   redistribute connected route-map RM-CONN-2-BGP\n", Put: ""},
	{Find: "   no bgp default ipv4-unicast\n", Put: ""},
	{Find: "   seq 10 permit 10.16.0.0/24\n", Put: "   seq 10 permit 10.17.0.0/24\n"},
	{Find: "   name rail0\n", Put: "   name other\n"},
	{Find: "!\nvlan 101\n", Put: "!\nvlan 666\n!\nvlan 101\n"},
	{Find: "spanning-tree mode mstp", Put: "spanning-tree mode none"},
	{Find: "route-map RM-TO-UPLINKS deny 10", Put: "route-map RM-TO-UPLINKS permit 10"},
	{Find: "   speed 400g-4\n", Put: "   speed 400g-8\n"},
	{Find: "ip routing\n", Put: ""},
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
		steps := diffDrill().Patch(t, eosDevice(), s.Name, s.Before, s.After, clitree.Owned)
		if got := drill.Listing(steps); got != s.Patch {
			t.Errorf("%s: patch\n%s\nwant\n%s", s.Name, got, s.Patch)
		}
	}
}
