package comware

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

// comwareDevice is a switch's command line as far as patches touch it. What it
// refuses and what vanishes by itself is in the manuals (see diff_rules.go):
//
//   - an applied buffer cannot be edited (GUIDE data buffer);
//   - the AS of a peer cannot be changed, undo peer takes all its lines (CW7-CMD);
//   - a WRED table in use cannot be removed, a missing one not applied (HP-5900);
//   - another link mode resets the port (H3C-IF66), another VPN instance its
//     addresses (ANNET), joining a group a peer's settings (ANNET);
//   - a VLAN must exist before a port joins it or an interface is made, and the
//     watchdog needs a no-drop list (CW7-CMD, GUIDE PFC);
//   - two interfaces cannot have one address;
//   - parts of a cage exist only after a person has split it.
func comwareDevice() drill.Model {
	return drill.Model{
		Negation: "undo", Leave: "quit", Ignore: []string{"system-view", "return"},
		View: comwareView, Set: comwareSet, Undo: comwareUndo, Remark: comwareRemark,
		Slots: []string{"sysname", "description", "name", "jumboframe enable", "mtu", "port link-mode", "port access vlan", "port link-type", "port trunk pvid",
			"ip binding vpn-instance", "qos trust", "qos wfq *", "qos wred apply", "priority-flow-control no-drop dot1p",
			"priority-flow-control dot1p * headroom", "priority-flow-control dot1p * ingress-buffer", "priority-flow-control deadlock precision",
			"priority-flow-control deadlock cos *", "priority-flow-control deadlock auto-recover cos *", "priority-flow-control deadlock auto-recover action",
			"buffer egress cell queue * shared", "router-id", "peer * as-number", "peer * description", "import *", "queue * drop-level *",
			"queue * weighting-constant", "password", "authorization-attribute user-role"},
	}
}

func comwareView(path []string, line string) bool {
	if len(path) == 1 {
		return strings.HasPrefix(path[0], "bgp") && strings.HasPrefix(line, "address-family")
	}
	for _, v := range []string{"interface ", "vlan ", "bgp ", "qos map-table ", "qos wred queue table ", "ip vpn-instance ", "line ", "local-user "} {
		if strings.HasPrefix(line, v) && len(path) == 0 {
			return true
		}
	}
	return false
}

func prefixed(p string) func(string) bool {
	return func(s string) bool { return s == p || strings.HasPrefix(s, p+" ") }
}

func exactly(want string) func(string) bool { return func(s string) bool { return s == want } }

func comwareSet(d *drill.Device, line string) (bool, error) {
	words := strings.Fields(line)
	here := d.Here()
	last := words[len(words)-1]
	switch {
	case prefixed("buffer egress")(line) && d.Root.Find("buffer apply") != nil:
		return true, fmt.Errorf("%q while the buffer is applied", line)
	case words[0] == "interface" && strings.Contains(line, ":"):
		whole, _, _ := strings.Cut(line[strings.IndexByte(line, '/'):], ":")
		if drill.Has(d.Root, func(s string) bool {
			return strings.HasPrefix(s, "interface ") && !strings.HasPrefix(s, "interface M-") && strings.HasSuffix(s, whole) && !strings.Contains(s, ":")
		}) {
			return true, fmt.Errorf("%q before the cage was split", line)
		}
	case prefixed("interface Vlan-interface")(line) || strings.HasPrefix(line, "interface Vlan-interface"):
		if n := strings.TrimPrefix(words[1], "Vlan-interface"); d.Root.Find("vlan "+n) == nil {
			return true, fmt.Errorf("%q without the VLAN", line)
		}
	case prefixed("port access vlan")(line) && last != "1" && d.Root.Find("vlan "+last) == nil:
		return true, fmt.Errorf("%q without the VLAN", line)
	case prefixed("port link-mode")(line):
		if old := "port link-mode " + map[string]string{"route": "bridge", "bridge": "route"}[last]; last == "route" || here.Find(old) != nil {
			if here.Find(line) == nil {
				d.Drop(here, func(s string) bool {
					return !prefixed("description")(s) && !prefixed("jumboframe")(s) && s != "shutdown"
				})
			}
		}
	case prefixed("ip binding vpn-instance")(line) && here.Find(line) == nil:
		d.Drop(here, prefixed("ip address"))
	case prefixed("ip address")(line) && drill.Has(d.Root, exactly(line)) && here.Find(line) == nil:
		return true, fmt.Errorf("%q is on another interface", line)
	case prefixed("ip address")(line) && last != "sub":
		d.Drop(here, func(s string) bool { return prefixed("ip address")(s) && !strings.HasSuffix(s, " sub") })
	case prefixed("qos wred apply")(line) && d.Root.Find("qos wred queue table "+last) == nil:
		return true, fmt.Errorf("%q without the table", line)
	case prefixed("priority-flow-control deadlock enable")(line) && !drill.Has(here, prefixed("priority-flow-control no-drop dot1p")):
		return true, fmt.Errorf("%q without a no-drop list", line)
	case line == "priority-flow-control enable" || line == "priority-flow-control auto":
		d.Drop(here, func(s string) bool { return s == "priority-flow-control enable" || s == "priority-flow-control auto" })
	case line == "qos wfq byte-count" || line == "qos wfq weight":
		d.Drop(here, func(s string) bool { return s == "qos wfq byte-count" || s == "qos wfq weight" })
	case words[0] == "balance" && len(words) == 2 && last[0] >= '0' && last[0] <= '9':
		d.Drop(here, func(s string) bool { return prefixed("balance")(s) && s[len(s)-1] <= '9' })
	case words[0] == "peer":
		return comwarePeer(d, line, words)
	}
	return false, nil
}

func comwarePeer(d *drill.Device, line string, words []string) (bool, error) {
	bgp := d.Root.Find(d.Path()[0])
	known := drill.Has(bgp, prefixed("peer "+words[1]+" as-number"))
	if words[2] == "group" && d.Here().Find(line) == nil {
		d.Drop(bgp, func(s string) bool {
			return prefixed("peer "+words[1])(s) && !prefixed("peer "+words[1]+" as-number")(s)
		})
		for _, c := range bgp.Children {
			d.Drop(c, prefixed("peer "+words[1]))
		}
	}
	if words[2] != "as-number" {
		if !known && !drill.Has(bgp, prefixed("group "+words[1])) {
			return true, fmt.Errorf("%q before the peer exists", line)
		}
		return false, nil
	}
	if known && d.Here().Find(line) == nil {
		return true, fmt.Errorf("%q: the AS of a peer cannot be changed", line)
	}
	return false, nil
}

func comwareUndo(d *drill.Device, rest string) (bool, error) {
	words := strings.Fields(rest)
	here := d.Here()
	gone := func(n int) (bool, error) {
		if n == 0 {
			return true, fmt.Errorf("undo %s in %q: there is no such line", rest, d.Path())
		}
		return true, nil
	}
	switch {
	case rest == "priority-flow-control":
		return gone(d.Drop(here, func(s string) bool { return s == rest+" enable" || s == rest+" auto" }))
	case prefixed("priority-flow-control dot1p")(rest) && words[len(words)-2] == "ingress-buffer":
		return gone(d.Drop(here, prefixed(rest)))
	case rest == "qos wfq":
		return gone(d.Drop(here, func(s string) bool { return s == "qos wfq byte-count" || s == "qos wfq weight" }))
	case rest == "balance":
		return gone(d.Drop(here, func(s string) bool { return prefixed("balance")(s) && s[len(s)-1] <= '9' }))
	case words[0] == "peer" && len(words) == 2:
		n := d.Drop(here, prefixed(rest))
		for _, c := range here.Children {
			d.Drop(c, prefixed(rest))
		}
		return gone(n)
	case words[0] == "queue" && len(words) == 2 || prefixed("ip as-path")(rest) && len(words) == 3:
		return gone(d.Drop(here, prefixed(rest)))
	case rest == "ip address":
		return gone(d.Drop(here, prefixed(rest)))
	case prefixed("buffer egress")(rest) && d.Root.Find("buffer apply") != nil:
		return true, fmt.Errorf("undo %s while the buffer is applied", rest)
	case prefixed("qos wred queue table")(rest):
		if drill.Has(d.Root, exactly("qos wred apply "+words[4])) {
			return true, fmt.Errorf("undo %s while it is applied", rest)
		}
	case words[0] == "vlan" && len(words) == 2:
		if d.Root.Find("interface Vlan-interface"+words[1]) != nil || drill.Has(d.Root, exactly("port access vlan "+words[1])) {
			return true, fmt.Errorf("undo %s while it is in use", rest)
		}
	}
	return false, nil
}

// comwareRemark splits and joins cages as the remark says.
func comwareRemark(d *drill.Device, text string) {
	if words := strings.Fields(text); len(words) > 2 && (words[0] == "split" || words[0] == "join") {
		d.Drop(d.Root, func(s string) bool {
			c, _, ok := cageOf(s)
			return ok && c == words[2]
		})
	}
}

// TestPatchBetweenRoles turns every golden switch into every other: nothing alike
// but the command language.
func TestPatchBetweenRoles(t *testing.T) {
	all := diffGoldens(t)
	o := diffDrill()
	for a, from := range all {
		for b, to := range all {
			o.Patch(t, comwareDevice(), a+" to "+b, from, to, clitree.Full)
		}
	}
}

// TestPatchOfChanges makes several changes at random and takes them back.
func TestPatchOfChanges(t *testing.T) {
	o := diffDrill()
	for name, text := range diffGoldens(t) {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 3))
			changed := drill.Scramble(r, text, comwareScramble)
			o.Patch(t, comwareDevice(), fmt.Sprint(name, " seed ", seed), changed, text, clitree.Owned)
			o.Patch(t, comwareDevice(), fmt.Sprint(name, " seed ", seed, " back"), text, changed, clitree.Owned)
		}
	}
}

// comwareScramble are changes that leave a configuration a switch could have.
var comwareScramble = []drill.Edit{
	{Find: "low-limit 787 high-limit 3150", Put: "low-limit 1000 high-limit 4000"},
	{Find: " queue 3 weighting-constant 0\n", Put: ""},
	{Find: " queue 3 ecn\n", Put: ""},
	{Find: " import 26 export 3\n", Put: " import 26 export 4\n"},
	{Find: "shared ratio 100", Put: "shared ratio 33"},
	{Find: " buffer apply\n", Put: ""},
	{Find: "deadlock precision low", Put: "deadlock precision high"},
	{Find: " priority-flow-control deadlock auto-recover action discard\n", Put: ""},
	{Find: " priority-flow-control deadlock enable\n", Put: ""},
	{Find: "no-drop dot1p 3\n", Put: "no-drop dot1p 3,5\n"},
	{Find: "ingress-buffer dynamic 11", Put: "ingress-buffer static 9000"},
	{Find: " priority-flow-control dot1p 3 headroom 1671\n", Put: ""},
	{Find: " qos trust dscp\n", Put: ""},
	{Find: "qos wfq cs6 group sp", Put: "qos wfq cs6 group 1 byte-count 10"},
	{Find: " description unused\n shutdown\n", Put: " description taken\n"},
	{Find: " jumboframe enable 9216\n", Put: ""},
	{Find: " stp edged-port\n", Put: ""},
	{Find: "balance 8", Put: "balance 4"},
	{Find: " router-id ", Put: " graceful-restart\n router-id "},
	{Find: "as-number 4200001000", Put: "as-number 4200001009"},
	{Find: " lldp global enable\n", Put: " dns server 192.0.2.9\n lldp global enable\n"},
	{Find: "#\nvlan 100\n name rail0\n", Put: "#\nvlan 99\n#\nvlan 101\n#\nvlan 100\n"},
	{Find: " ip as-path 1 permit ^$\n", Put: " ip as-path 1 permit ^65000$\n ip as-path 1 permit ^$\n"},
	{Find: " ip route-static vpn-instance mgmt 0.0.0.0 0 192.168.100.1\n", Put: " ip route-static vpn-instance mgmt 0.0.0.0 0 192.168.100.254\n"},
	{Find: " port link-mode route\n", Put: " port link-mode bridge\n"},
}

// TestPatchScenarios are what a person does to a running fabric, as triples before,
// after and patch in testdata/patches.yaml.
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
		steps := diffDrill().Patch(t, comwareDevice(), s.Name, s.Before, s.After, clitree.Owned)
		if got := drill.Listing(steps); got != s.Patch {
			t.Errorf("%s: patch\n%s\nwant\n%s", s.Name, got, s.Patch)
		}
	}
}
