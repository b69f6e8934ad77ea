package vrp

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

// diffDrill is how VRP prints and what it takes (CG, CR, ANNET).
func diffDrill() *drill.OS {
	return &drill.OS{
		Rules: DiffRules(), Indent: 1,
		Head: "2026-03-14 19:42:14.040 +01:00\n!Software Version V300R023C00SPC500\n!Last configuration was updated at 2026-03-14 by admin\n", Tail: "return\n",
		Spell: diffSpell, Extra: diffExtra, Silent: diffSilent,
	}
}

func diffSpell(r *rand.Rand, path []string, line string) string {
	if name, ok := strings.CutPrefix(line, "interface "); ok && len(path) == 0 {
		if at := strings.Index(name, "GE"); at > 0 && r.IntN(2) == 0 {
			return "interface " + strings.ToLower(name[:at+2]) + " " + name[at+2:]
		}
		return "interface " + strings.ToLower(name)
	}
	line = strings.NewReplacer("ip address 10.240.0.12 255.255.255.254", "ip address 10.240.0.12 31", "dcb pfc enable mode manual", "dcb pfc enable",
		"qos drr 0 to 5", "qos pq 6 to 7 drr 0 to 5", "0.0.0.0 0.0.0.0", "0.0.0.0 0", "size 4 mbytes", "size 4096 kbytes", "split-type 4*", "split-type  4*",
		"ipv4-family unicast", "ipv4-family").Replace(line)
	if path != nil && strings.HasPrefix(path[0], "ip vpn-instance") {
		return line
	}
	return strings.ReplaceAll(line, " ", []string{" ", "  "}[r.IntN(2)])
}

func diffExtra(path, lines []string) []string {
	switch {
	case len(path) == 0:
		return []string{"vlan batch 1", "stp enable", "dcb pfc deadlock-detect timer 100"}[:2]
	case strings.HasPrefix(path[0], "interface ") && !slices.Contains(lines, "shutdown"):
		extra := []string{"undo shutdown", "trust upstream default", "jumboframe enable 9216", "port link-type access"}
		if slices.ContainsFunc(lines, func(s string) bool { return strings.HasPrefix(s, "trust upstream") }) {
			extra = slices.Delete(extra, 1, 2)
		}
		if slices.Contains(lines, "undo portswitch") {
			extra = append(extra, "trust dscp")
		}
		return extra
	case strings.HasPrefix(path[0], "diffserv domain"):
		return []string{"ip-dscp-inbound 0 phb be green", "8021p-inbound 3 phb af3 green"}
	}
	return nil
}

// diffSilent: lines at their default, and VLANs named twice.
func diffSilent(path []string, line string) bool {
	if len(path) == 0 {
		return line == "dcb pfc" || strings.HasPrefix(line, "vlan batch") || strings.HasPrefix(line, "grpc")
	}
	for _, site := range []string{"ip vpn-instance", "aaa", "rsa ", "user-interface", "grpc"} {
		if strings.HasPrefix(path[0], site) {
			return true
		}
	}
	return path[0] == "dcb pfc" && line == "priority 3" || strings.HasPrefix(path[0], "diffserv") || line == "ipv4-family"
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

// TestDiffRules has one row per rule that a manual or a real configuration gives.
func TestDiffRules(t *testing.T) {
	port := "#\ninterface 100GE1/0/1\n"
	tests := []struct{ name, running, intended, want string }{
		{"VLAN batch in two lines", "#\nvlan batch 2 to 4\nvlan batch 10\n#\n", "#\nvlan batch 2 3 4 10\n#\n", ""},
		{"a pair prints as a range", "#\nvlan batch 1603 to 1604\n#\n", "#\nvlan batch 1603 1604\n#\n", ""},
		{"a named VLAN is in the batch", "#\nvlan batch 10\n#\nvlan 10\n description a\n#\n", "#\nvlan 10\n description a\n#\n", ""},
		{"one VLAN more", "#\nvlan batch 2 to 5\n#\n", "#\nvlan batch 2 to 4\n#\n", `[] -[vlan batch 5] +[]`},
		{"priority 3 is the default", "#\ndcb pfc\n#\n", "#\ndcb pfc\n priority 3\n#\n", ""},
		{"priority 3 taken away", "#\ndcb pfc\n#\n", "#\ndcb pfc\n undo priority 3\n#\n", `[dcb pfc] -[] +[undo priority 3]`},
		{"several priorities in a line", "#\ndcb pfc\n priority 3 4\n#\n", "#\ndcb pfc\n priority 4\n#\n", ""},
		{"deadlock in one line", "#\ndcb pfc\n priority 3 deadlock-detect time 5 deadlock-recovery time 15\n#\n", "#\ndcb pfc\n priority 3 deadlock-detect time 5\n priority 3 deadlock-recovery time 15\n#\n", ""},
		{"split ports as ranges", "#\nport split dimension interface 100GE1/0/7 to 100GE1/0/10 split-type 4*25GE\n#\n", "#\nport split dimension interface 100GE1/0/7 100GE1/0/8 100GE1/0/9 100GE1/0/10 split-type 4*25GE\n#\n", ""},
		{"one split port more", "#\nport split dimension interface 100GE1/0/7 to 100GE1/0/10 split-type 4*25GE\n#\n", "#\nport split dimension interface 100GE1/0/7 to 100GE1/0/9 split-type 4*25GE\n#\n", `[] -[port split dimension interface 100GE1/0/10 split-type 4*25GE] +[]`},
		{"what is plugged in is noted", port + " device transceiver 100GBASE-FIBER\n#\n", port + " mtu 4200\n#\n", "[interface 100GE1/0/1] -[] +[mtu 4200]"},
		{"PQ is hidden", port + " qos drr 0 to 4\n#\n", port + " qos pq 5 to 7 drr 0 to 4\n#\n", ""},
		{"trust on a routed port", port + " undo portswitch\n#\n", port + " undo portswitch\n trust dscp\n#\n", ""},
		{"trust on a switched port", port + "#\n", port + " trust dscp\n#\n", `[interface 100GE1/0/1] -[] +[trust dscp]`},
		{"service types in another order", "#\naaa\n local-user a service-type terminal ssh\n#\n", "#\naaa\n local-user a service-type ssh terminal\n#\n", ""},
		{"password with blanks and quotes", "#\naaa\n local-user a password irreversible-cipher $1d$a b\"c$<#\n#\n", "#\naaa\n local-user a password irreversible-cipher $1d$x$y$z\n#\n", ""},
		{"ecn and its weight are two settings", "#\ndrop-profile a\n ecn buffer-size low-limit 1 high-limit 2 discard-percentage 3\n ecn weight 4\n#\n", "#\ndrop-profile a\n ecn buffer-size low-limit 1 high-limit 2 discard-percentage 3\n#\n", `[drop-profile a] -[ecn weight 4] +[]`},
		{"other than the default colour", "#\ndiffserv domain a\n ip-dscp-inbound 28 phb af3 yellow\n#\n", "#\ndiffserv domain a\n ip-dscp-inbound 28 phb af3 green\n#\n", `[diffserv domain a] -[ip-dscp-inbound 28 phb af3 yellow] +[ip-dscp-inbound 28 phb af3 green]`},
		{"kinds of load balancing", "#\nbgp 1\n ipv4-family unicast\n  maximum load-balancing 4\n#\n", "#\nbgp 1\n ipv4-family unicast\n  maximum load-balancing ebgp 4\n#\n", `[bgp 1] [ipv4-family unicast] -[maximum load-balancing 4] +[maximum load-balancing ebgp 4]`},
		{"megabytes and kilobytes", "#\nqos buffer headroom-pool size 4096 kbytes slot 1\n#\n", "#\nqos buffer headroom-pool size 4 mbytes slot 1\n#\n", ""},
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
