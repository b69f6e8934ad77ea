package comware

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

// diffDrill is how Comware prints and what it takes (CW7-CMD, FIELD).
func diffDrill() *drill.OS {
	return &drill.OS{
		Rules: DiffRules(), Indent: 1, Top: 1,
		Head: "#\n version 9.1.058, Ess 9320P01\n#\nmdc Admin id 1\n", Tail: "return\n",
		Ordered: func(_ []string, line string) bool { return strings.HasPrefix(line, "ip as-path") },
		Spell:   diffSpell, Extra: diffExtra, Silent: diffSilent,
	}
}

func diffSpell(r *rand.Rand, path []string, line string) string {
	short := map[string]string{"FourHundredGigE": "400GE", "TwoHundredGigE": "200GE", "HundredGigE": "HGE", "LoopBack": "Loop"}
	if name, ok := strings.CutPrefix(line, "interface "); ok && len(path) == 0 {
		digit := strings.IndexAny(name, "0123456789")
		kind, number := name[:digit], name[digit:]
		switch r.IntN(4) {
		case 0:
			return "interface " + kind + " " + number
		case 1:
			return "interface " + strings.ToLower(kind) + number
		case 2:
			if s := short[kind]; s != "" {
				return "interface " + s + number
			}
			return "int " + name
		}
		return line
	}
	line = strings.NewReplacer("255.255.255.254", "31", "255.255.255.255", "32", "ingress-buffer dynamic 11", "ingress-buffer dynamic 8",
		"address-family ipv4 unicast", "address-family ipv4", "stp edged-port", "stp edged", "no-drop dot1p 3,4", "no-drop dot1p 3-4").Replace(line)
	return strings.ReplaceAll(line, " ", []string{" ", "  "}[r.IntN(2)])
}

func diffExtra(path, lines []string) []string {
	switch {
	case len(path) == 0:
		return []string{"vlan 1", "undo irf link-delay", "irf member 1 priority 1", "interface NULL0"}
	case strings.HasPrefix(path[0], "interface ") && !slices.Contains(lines, "shutdown"):
		return []string{"undo shutdown", "mtu 1500", "undo description"}[:2]
	case path[0] == "qos map-table dot1p-lp":
		return nil
	case path[0] == "qos map-table dscp-dot1p" && len(lines) > 0:
		return []string{"import 0 export 0", "import 7 export 0"}
	}
	return nil
}

// diffSilent: lines at their default, and VLAN 1.
func diffSilent(path []string, line string) bool {
	switch {
	case len(path) == 0:
		return strings.HasPrefix(line, "qos map-table") || line == "vlan 1"
	case strings.HasPrefix(path[0], "interface "):
		return line == "port link-mode bridge" || strings.Contains(line, "ingress-buffer dynamic")
	case path[0] == "qos map-table dot1p-lp" || path[0] == "qos map-table dscp-dot1p":
		return true
	case path[0] == "line vty 0 63" || strings.HasPrefix(path[0], "local-user") || strings.HasPrefix(path[0], "ip vpn-instance"):
		return line == "spare-setting 7" || strings.HasPrefix(line, "password hash")
	}
	return false
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

// TestDiffRules has one row per rule that a manual or a real configuration gives:
// what the device prints against what railyard writes, and what must show.
func TestDiffRules(t *testing.T) {
	port := "#\ninterface FourHundredGigE1/0/1\n port link-mode route\n"
	tests := []struct{ name, running, intended, want string }{
		{"VLANs collapse", "#\nvlan 10 to 12\n#\n", "#\nvlan 10\n#\nvlan 11\n#\nvlan 12\n#\n", ""},
		{"one VLAN of a range", "#\nvlan 10 to 12\n#\n", "#\nvlan 10\n#\nvlan 12\n#\n", `[] -[vlan 11] +[]`},
		{"trunk lists", port + " port link-type trunk\n port trunk permit vlan 1 51 to 53\n#\n", port + " port link-type trunk\n port trunk permit vlan 51 53\n port trunk permit vlan 52\n#\n", ""},
		{"one VLAN of a trunk", port + " port link-type trunk\n port trunk permit vlan 51 to 53\n#\n", port + " port link-type trunk\n port trunk permit vlan 51 to 52\n#\n", `[interface FourHundredGigE1/0/1] -[port trunk permit vlan 53] +[]`},
		{"VLAN 1 taken off a trunk", port + " port link-type trunk\n#\n", port + " port link-type trunk\n undo port trunk permit vlan 1\n#\n", `[interface FourHundredGigE1/0/1] -[] +[undo port trunk permit vlan 1]`},
		{"threshold within a band", port + " priority-flow-control dot1p 3 ingress-buffer dynamic 6\n#\n", port + " priority-flow-control dot1p 3 ingress-buffer dynamic 11\n#\n", ""},
		{"threshold in the next band", port + " priority-flow-control dot1p 3 ingress-buffer dynamic 12\n#\n", port + " priority-flow-control dot1p 3 ingress-buffer dynamic 11\n#\n", `[interface FourHundredGigE1/0/1] -[priority-flow-control dot1p 3 ingress-buffer dynamic 12] +[priority-flow-control dot1p 3 ingress-buffer dynamic 11]`},
		{"WRED for all colours", "#\nqos wred queue table T\n queue 3 low-limit 10 high-limit 20 discard-probability 5\n#\n", "#\nqos wred queue table T\n queue 3 drop-level 0 low-limit 10 high-limit 20 discard-probability 5\n queue 3 drop-level 1 low-limit 10 high-limit 20 discard-probability 5\n queue 3 drop-level 2 low-limit 10 high-limit 20 discard-probability 5\n#\n", ""},
		{"maps print in full or not", "#\nqos map-table dot1p-lp\n import 0 export 2\n import 3 export 3\n#\n", "#\nvlan 1\n#\n", ""},
		{"salted hash", "#\nlocal-user a class manage\n password hash $h$6$xxx$yyy==\n#\n", "#\nlocal-user a class manage\n password hash $h$6$zzz$www==\n#\n", ""},
		{"secret masked by the archive", "#\nlocal-user a class manage\n password hash <secret hidden>\n#\n", "#\nlocal-user a class manage\n password hash $h$6$zzz$www==\n#\n", ""},
		{"another form of secret", "#\nlocal-user a class manage\n password simple x\n#\n", "#\nlocal-user a class manage\n password hash $h$6$zzz$www==\n#\n", `[local-user a class manage] -[password simple <secret>] +[password hash <secret>]`},
		{"mask length", port + " ip address 10.0.0.1 31\n#\n", port + " ip address 10.0.0.1 255.255.255.254\n#\n", ""},
		{"link mode", port + "#\n", "#\ninterface FourHundredGigE1/0/1\n port link-mode bridge\n#\n", `[interface FourHundredGigE1/0/1] -[port link-mode route] +[port link-mode bridge]`},
		{"order of an AS path list", "#\n ip as-path 1 permit ^1$\n ip as-path 1 permit ^2$\n#\n", "#\n ip as-path 1 permit ^2$\n ip as-path 1 permit ^1$\n#\n", `[] -[ip as-path 1 permit ^1$ ip as-path 1 permit ^2$] +[ip as-path 1 permit ^2$ ip as-path 1 permit ^1$] reordered`},
		{"service ports of the box", "#\ninterface Ten-GigabitEthernet1/0/129\n port link-mode bridge\n#\n", "#\nvlan 1\n#\n", ""},
		{"what railyard does not manage", "#\n snmp-agent community read x\n#\nrole name level-0\n description y\n#\nvlan 1\n#\n", "#\nvlan 1\n#\n", ""},
		{"address family in short", "#\nbgp 1\n address-family ipv4\n  balance 4\n#\n", "#\nbgp 1\n #\n address-family ipv4 unicast\n  balance 4\n#\n", ""},
		{"default route by its mask", "#\n ip route-static vpn-instance mgmt 0.0.0.0 0.0.0.0 10.0.0.1\n#\n", "#\n ip route-static vpn-instance mgmt 0.0.0.0 0 10.0.0.1\n#\n", ""},
		{"default route elsewhere", "#\n ip route-static 0.0.0.0 0.0.0.0 10.0.0.9\n#\n", "#\n ip route-static 0.0.0.0 0 10.0.0.1\n#\n", "[] -[ip route-static 0.0.0.0 0 10.0.0.9] +[ip route-static 0.0.0.0 0 10.0.0.1]"},
		{"a section printed twice", port + "#\n" + "interface FourHundredGigE1/0/1\n mtu 9000\n#\n", port + " mtu 9000\n#\n", ""},
	}
	o := diffDrill()
	c := o.Comparer(t)
	for _, test := range tests {
		got := ""
		for _, ch := range c.Compare(o.Parse(t, test.running), o.Parse(t, test.intended), clitree.Options{}) {
			got += "[" + strings.Join(ch.Path, "] [") + "] -[" + strings.Join(ch.Remove, " ") + "] +[" + strings.Join(ch.Add, " ") + "]"
			if ch.Reordered {
				got += " reordered"
			}
		}
		if got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
}
