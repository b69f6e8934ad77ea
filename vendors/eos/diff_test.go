package eos

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"railyard/vendors/clitree"
	"railyard/vendors/clitree/drill"
)

// diffDrill is how EOS prints and what it takes (AVD, BF).
func diffDrill() *drill.OS {
	return &drill.OS{
		Rules: DiffRules(), Indent: 3,
		Head: "! Command: show running-config\n! device: leaf1 (DCS-7060X6-64PE, EOS-4.34.2F)\n!\n! boot system flash:/EOS-4.34.2F.swi\n", Tail: "end\n",
		Ordered: func(_ []string, line string) bool { return strings.HasPrefix(line, "ip community-list") },
		Spell:   diffSpell, Extra: diffExtra, Silent: diffSilent,
	}
}

func diffSpell(r *rand.Rand, path []string, line string) string {
	if name, ok := strings.CutPrefix(line, "interface Ethernet"); ok && len(path) == 0 {
		return []string{"interface Et" + name, "interface ethernet " + name, "int Ethernet" + name, line}[r.IntN(4)]
	}
	line = strings.NewReplacer("spanning-tree portfast", "spanning-tree portfast edge", " weight 0", "", "timeout 0.20", "timeout 0.2", "recovery-time 0.40", "recovery-time 0.4",
		"polling-interval 0.100", "polling-interval 0.1", "dscp 24 25 27", "dscp 24-25 27", "peer group UPLINKS", "peer-group UPLINKS").Replace(line)
	if strings.HasPrefix(line, "neighbor interface Ethernet") {
		return strings.Replace(line, "Ethernet", "Et", 1)
	}
	return strings.ReplaceAll(line, " ", []string{" ", "  "}[r.IntN(2)])
}

func diffExtra(path, lines []string) []string {
	switch {
	case len(path) == 0:
		return []string{"vlan 1", "interface Ethernet65", "qos map dscp 57 to traffic-class 7"}[:2]
	case len(path) == 1 && strings.HasPrefix(path[0], "interface "):
		out := []string{"no shutdown", "no speed", "mtu 1500", "no dcbx mode", "load-interval default", "switchport mode access", "default error-correction encoding", "lldp transmit",
			"no priority-flow-control", "priority-flow-control pause watchdog", "no priority-flow-control priority 3", "no channel-group", "no flowcontrol send"}
		out = slices.DeleteFunc(out, func(x string) bool {
			words := strings.Fields(x)
			return slices.ContainsFunc(lines, func(l string) bool {
				return x == "no shutdown" && l == "shutdown" || strings.HasPrefix(l, words[0]+" ") && words[0] == "mtu" || x == "no speed" && strings.HasPrefix(l, "speed")
			})
		})
		if slices.Contains(lines, "no switchport") {
			return append(out, "qos trust dscp")
		}
		return append(out, "switchport", "default qos trust")
	case strings.Contains(path[len(path)-1], "tx-queue"):
		return []string{"no shape rate", "no random-detect drop", "no bandwidth guaranteed", "no random-detect ecn count"}
	}
	return nil
}

func diffSilent(path []string, line string) bool {
	if len(path) == 0 {
		return strings.HasPrefix(line, "username") || strings.HasPrefix(line, "qos map dscp")
	}
	for _, site := range []string{"management", "vrf instance", "ip prefix-list", "route-map"} {
		if strings.HasPrefix(path[0], site) {
			return line == "spare-setting 7"
		}
	}
	return line == "priority strict" || line == "no qos trust" || strings.HasPrefix(path[0], "interface") && line == "qos trust dscp"
}

func diffGoldens(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.cfg")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens")
	}
	out := map[string]string{}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(f)] = string(b)
	}
	return out
}

func TestDiffIdentity(t *testing.T) {
	for name, text := range diffGoldens(t) {
		diffDrill().Identity(t, name, text, 40)
	}
}

func TestDiffMutations(t *testing.T) {
	var score drill.Score
	for name, text := range diffGoldens(t) {
		diffDrill().Mutate(t, name, text, &score)
	}
	t.Log(score)
}

// TestDiffAll: what show running-config all adds to every section is no difference,
// and one of those lines at another value is exactly that.
func TestDiffAll(t *testing.T) {
	o := diffDrill()
	c := o.Comparer(t)
	const port = "no description|no dcbx mode|default error-correction encoding|no switchport phone vlan|no  pim ipv4 local-interface|default ntp serve|qos cos 0|lldp transmit|no channel-group" +
		"|evpn ethernet-segment\n      no identifier\n      no redundancy"
	const bgp = "no shutdown|no bgp confederation identifier|no bgp missing-policy direction in action|no default-metric|no redistribute static|no ucmp mode|no neighbor UPLINKS next-hop-self|default neighbor UPLINKS monitoring"
	for name, text := range diffGoldens(t) {
		want := o.Parse(t, text)
		var all, odd strings.Builder
		for _, l := range strings.Split(text, "\n") {
			all.WriteString(l + "\n")
			odd.WriteString(l + "\n")
			more := ""
			switch {
			case strings.HasPrefix(l, "interface Ethernet"), strings.HasPrefix(l, "interface Loopback"):
				more = strings.ReplaceAll(port, "|", "\n") + strings.NewReplacer("circuit-id *", "circuit-id Ethernet1/1").Replace(allPort)
			case strings.HasPrefix(l, "router bgp"):
				more = strings.ReplaceAll(bgp, "|", "\n") + strings.NewReplacer("neighbor *", "neighbor UPLINKS", "neighbor * maximum-routes 12000\n", "", "maximum-paths 1 ecmp 128\n", "", "no **\n", "").Replace(allBGP)
			case strings.HasPrefix(l, "vlan "):
				more = "state active\nmac address learning\nno private-vlan"
			}
			for _, m := range strings.Split(strings.TrimSpace(more), "\n") {
				if m == "" || strings.HasSuffix(m, "maximum-routes 12000") {
					continue
				}
				all.WriteString("   " + m + "\n")
				odd.WriteString("   " + strings.Replace(m, "timers bgp 60 180", "timers bgp 3 9", 1) + "\n")
			}
		}
		if got := c.Compare(o.Parse(t, all.String()), want, clitree.Options{}); len(got) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
		got := c.Compare(o.Parse(t, odd.String()), want, clitree.Options{})
		if strings.Contains(text, "router bgp") && (len(got) != 1 || !slices.Equal(got[0].Remove, []string{"timers bgp 3 9"}) || len(got[0].Add) > 0) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestDiffRules has one row per rule that a document or a real configuration gives.
func TestDiffRules(t *testing.T) {
	port := "interface Ethernet1/1\n"
	tests := []struct{ name, running, intended, want string }{
		{"sections in the order of another release", "qos map dscp 26 to traffic-class 4\n!\npriority-flow-control pause watchdog action drop\n!\nhostname a\n!\nend\n", "hostname a\n!\npriority-flow-control pause watchdog action drop\n!\nqos map dscp 26 to traffic-class 4\n!\nend\n", ""},
		{"uc-tx-queue in a map", "qos map traffic-class 3 to uc-tx-queue 2\n!\nend\n", "qos map traffic-class 3 to tx-queue 2\n!\nend\n", ""},
		{"class n to queue n is hidden", "hostname a\n!\nend\n", "hostname a\n!\nqos map traffic-class 3 to tx-queue 3\n!\nend\n", ""},
		{"DSCP at its default class", "hostname a\n!\nend\n", "hostname a\n!\nqos map dscp 0 8 26 to traffic-class 0\n!\nend\n", `[] -[] +[qos map dscp 0 26 to traffic-class 0]`},
		{"one DSCP", "qos map dscp 10 11 12 to traffic-class 4\n!\nend\n", "qos map dscp 10 12 to traffic-class 4\n!\nqos map dscp 11 to traffic-class 5\n!\nend\n", `[] -[qos map dscp 11 to traffic-class 4] +[qos map dscp 11 to traffic-class 5]`},
		{"neighbours merged", "router bgp 1\n   neighbor interface Et2-3,5 peer-group G remote-as 2\n!\nend\n", "router bgp 1\n   neighbor interface Ethernet2 peer-group G remote-as 2\n   neighbor interface Ethernet3 peer-group G remote-as 2\n   neighbor interface Ethernet5 peer-group G remote-as 2\n!\nend\n", ""},
		{"neighbours with slots merged", "router bgp 1\n   neighbor interface Et3/1/1,4/1/1 peer-group G remote-as 2\n!\nend\n", "router bgp 1\n   neighbor interface Ethernet3/1/1 peer-group G remote-as 2\n   neighbor interface Ethernet4/1/1 peer-group G remote-as 2\n!\nend\n", ""},
		{"peer-group", "router bgp 1\n   neighbor 10.0.0.1 peer-group G\n!\nend\n", "router bgp 1\n   neighbor 10.0.0.1 peer group G\n!\nend\n", ""},
		{"trunk ranges", port + "   switchport trunk allowed vlan 10-12,20\n!\nend\n", port + "   switchport trunk allowed vlan 10,11,12,20\n!\nend\n", ""},
		{"one VLAN of a trunk", port + "   switchport trunk allowed vlan 10-12\n!\nend\n", port + "   switchport trunk allowed vlan 10-11\n!\nend\n", `[interface Ethernet1/1] -[switchport trunk allowed vlan 12] +[]`},
		{"VLANs in one block", "vlan 10,12-13\n!\nend\n", "vlan 10\n!\nvlan 12\n!\nvlan 13\n!\nend\n", ""},
		{"defaults shown", port + "   no shutdown\n   mtu 1500\n   switchport\n   switchport mode access\n   no switchport nonegotiate\n   priority-flow-control pause watchdog\n   tx-queue 3\n      priority strict\n      no bandwidth percent\n!\nend\n", "hostname a\n!\nend\n", `[] -[] +[hostname a]`},
		{"watchdog of a port off", port + "   no priority-flow-control pause watchdog\n!\nend\n", port + "   mtu 9214\n!\nend\n", `[interface Ethernet1/1] -[no priority-flow-control pause watchdog] +[mtu 9214]`},
		{"trust on a routed port", port + "   no switchport\n!\nend\n", port + "   no switchport\n   qos trust dscp\n!\nend\n", ""},
		{"trust on a switched port", port + "   mtu 9214\n!\nend\n", port + "   mtu 9214\n   qos trust dscp\n!\nend\n", `[interface Ethernet1/1] -[] +[qos trust dscp]`},
		{"siblings of a broken-out port", "interface Ethernet1/5\n!\nhostname a\n!\nend\n", "hostname a\n!\nend\n", ""},
		{"secrets", "username a privilege 15 role network-admin secret sha512 $6$x$y\n!\nend\n", "username a privilege 15 role network-admin secret sha512 $6$p$q\n!\nend\n", ""},
		{"kbytes are not bytes", "qos profile ROCE\n   tx-queue 3\n      random-detect ecn minimum-threshold 390 kbytes maximum-threshold 1600 kbytes max-mark-probability 20\n!\nend\n", "qos profile ROCE\n   tx-queue 3\n      random-detect ecn minimum-threshold 390000 bytes maximum-threshold 1600000 bytes max-mark-probability 20\n!\nend\n",
			`[qos profile ROCE] [tx-queue 3] -[random-detect ecn minimum-threshold 390 kbytes maximum-threshold 1600 kbytes max-mark-probability 20] +[random-detect ecn minimum-threshold 390000 bytes maximum-threshold 1600000 bytes max-mark-probability 20]`},
		{"what railyard does not manage", "snmp-server community x ro\n!\ndaemon TerminAttr\n   no shutdown\n!\nhostname a\n!\nend\n", "hostname a\n!\nend\n", ""},
	}
	o := diffDrill()
	c := o.Comparer(t)
	for _, test := range tests {
		got := ""
		for _, ch := range c.Compare(o.Parse(t, test.running), o.Parse(t, test.intended), clitree.Options{}) {
			got += "[" + strings.Join(ch.Path, "] [") + "] -[" + strings.Join(ch.Remove, " ") + "] +[" + strings.Join(ch.Add, " ") + "]"
		}
		if got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}
