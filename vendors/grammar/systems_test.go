package grammar

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sample is a configuration that we wrote and read line by line.
type sample struct {
	file, family string
	text         []byte
}

// systems are the grammars of all network OSes with their golden files.
var systems = []struct {
	os       string
	families []string
	family   map[string]string // by beginning of a golden file's name
	fixtures string            // name of the file below fixtures/golden and beside fixtures/running
}{
	{"comware", nil, nil, "startup.cfg"},
	{"vrp", []string{"P", "J"}, map[string]string{"p-": "P", "j-": "J", "single-": "J", "unknown-": ""}, ""},
	{"eos", []string{"strata", "sand"}, map[string]string{"jericho-": "sand", "": "strata"}, "startup-config"},
	{"rgos", nil, nil, ""},
	{"zxros", nil, nil, ""},
}

func load(t testing.TB, os1 string) *Grammar {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", os1, "grammar.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func samples(t testing.TB, i int) []sample {
	t.Helper()
	s := systems[i]
	var out []sample
	add := func(pattern string) {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			body, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			family, best := "", -1
			for begin, name := range s.family {
				if strings.HasPrefix(filepath.Base(f), begin) && len(begin) > best {
					family, best = name, len(begin)
				}
			}
			out = append(out, sample{f, family, body})
		}
	}
	add(filepath.Join("..", s.os, "testdata", "*.cfg"))
	if s.fixtures != "" {
		add(filepath.Join("../../fixtures/golden/*/switches/*", s.fixtures))
		add(filepath.Join("../../fixtures/running", s.os, "*.intended.cfg"))
	}
	if len(out) < 4 {
		t.Fatalf("%s: %d golden files", s.os, len(out))
	}
	return out
}

// Every line of every golden file is confirmed; every rule confirms a line of a
// golden file or has an example that it confirms.
func TestGoldenFiles(t *testing.T) {
	for i, s := range systems {
		g := load(t, s.os)
		hit := make([]bool, len(g.Rules))
		for _, sm := range samples(t, i) {
			for _, d := range g.Check(sm.text, sm.family) {
				t.Errorf("%s:%d: %q in view %s: %s: %s", sm.file, d.Line, d.Text, d.View, d.Kind, d.Reason)
			}
			lines := 0
			for _, r := range g.Trace(sm.text, sm.family) {
				if r >= 0 {
					hit[r] = true
					lines++
				}
			}
			if lines < 6 {
				t.Errorf("%s: only %d lines were looked at", sm.file, lines)
			}
		}
		for k := range g.Allowed() {
			r := &g.Rules[k]
			switch {
			case r.Example == "" && !hit[k]:
				t.Errorf("%s: no golden file and no example shows %q in view %s", s.os, r.Form, r.View)
			case hit[k] && r.Example != "":
				t.Errorf("%s: %q has an example, which says that only a site's own templates write it, but a golden file shows it", s.os, r.Form)
			case r.Example != "":
				if !confirms(g, k, r.Example, s.families) {
					t.Errorf("%s: the example %q is not of the form %q", s.os, r.Example, r.Form)
				}
			}
		}
	}
}

// confirms reports whether the rule that matches a line in its view is k.
func confirms(g *Grammar, k int, line string, families []string) bool {
	for _, f := range append([]string{""}, families...) {
		m := &matcher{g: g, family: f, words: cut(nil, line)}
		if m.find(g.views[g.at[g.Rules[k].View]].root) == k {
			return true
		}
	}
	return false
}

// Every rule names a document or configuration, by a name that doc.go of the
// driver or the head of the grammar explains.
func TestSources(t *testing.T) {
	tag := regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*`)
	for _, s := range systems {
		g := load(t, s.os)
		known := ""
		for _, file := range []string{"doc.go", "grammar.yaml"} {
			body, err := os.ReadFile(filepath.Join("..", s.os, file))
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(body)) {
				if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") {
					known += line
				}
			}
		}
		for _, r := range g.Allowed() {
			if name := tag.FindString(r.Source); name == "" || !regexp.MustCompile(`(?m)^(//|#)\s+(SONiC aliases|`+regexp.QuoteMeta(name)+`)\s`).MatchString(known) {
				t.Errorf("%s: %q: nothing explains the source %q", s.os, r.Form, r.Source)
			}
		}
	}
}

// What must never be written is refused with its reason.
func TestNeverWritten(t *testing.T) {
	for _, s := range systems {
		g := load(t, s.os)
		if len(g.Never) < 8 {
			t.Errorf("%s: only %d forms are known to be wrong", s.os, len(g.Never))
		}
		for _, n := range g.Never {
			view := n.View
			if view == "*" {
				view = g.views[0].name
			}
			family := ""
			if len(n.Families) > 0 {
				family = n.Families[0]
			}
			m := &matcher{g: g, family: family, words: cut(nil, n.Line)}
			if r := m.find(g.views[g.at[view]].root); r >= 0 && g.Rules[r].never == "" {
				t.Errorf("%s: %q in view %s is confirmed by %q", s.os, n.Line, view, g.Rules[r].Form)
			}
			d := Doubt{View: view, Kind: Unknown, raw: n.Line}
			if g.Explain(&d, family); d.Kind != Never || d.Reason != n.Reason {
				t.Errorf("%s: %q in view %s: %s: %s; want never: %s", s.os, n.Line, view, d.Kind, d.Reason, n.Reason)
			}
		}
	}
}

// A letter is missing from the first word of a line: always noticed, and the rule
// that was meant comes out as the nearest, if the line says enough.
func TestMisspeltKeywords(t *testing.T) {
	for i, s := range systems {
		g := load(t, s.os)
		seen := map[string]bool{}
		near, all := 0, 0
		for _, sm := range samples(t, i) {
			lines := strings.Split(string(sm.text), "\n")
			for n, r := range g.Trace(sm.text, sm.family) {
				if r < 0 || seen[g.Rules[r].Form+g.Rules[r].View] {
					continue
				}
				seen[g.Rules[r].Form+g.Rules[r].View] = true
				text := strings.TrimLeft(lines[n], " ")
				first, _, _ := strings.Cut(text, " ")
				cut := len(lines[n]) - len(text) + len(first)/2
				changed := slices.Clone(lines)
				changed[n] = lines[n][:cut] + lines[n][cut+1:]
				at := slices.IndexFunc(g.Check([]byte(strings.Join(changed, "\n")), sm.family), func(d Doubt) bool { return d.Line == n+1 })
				if at < 0 {
					t.Errorf("%s: %q passes", s.os, changed[n])
					continue
				}
				all++
				if d := g.Check([]byte(strings.Join(changed, "\n")), sm.family)[at]; d.Nearest == readable(g.Rules[r].Form) {
					near++
				}
			}
		}
		if near*10 < all*6 {
			t.Errorf("%s: the nearest rule is the one meant for %d of %d lines", s.os, near, all)
		}
	}
}

// mutation changes one place of a golden file.
type mutation struct {
	os, file, family string
	from, to         string
	kind             Kind
	line             string // that is doubted
	reason           string // a part of it
}

var mutations = []mutation{
	{"comware", "leaf", "", "priority-flow-control no-drop dot1p 3\n", "priority-flow-control nodrop dot1p 3\n", Unknown, "priority-flow-control nodrop dot1p 3", "unknown in this view"},
	{"comware", "leaf", "", "#\nvlan 100\n", "#\nvlan 100\n lldp global enable\n", View, "lldp global enable", "view system"},
	{"comware", "leaf", "", " port link-mode route\n description spine-01:FourHundredGigE1/0/1\n", " description spine-01:FourHundredGigE1/0/1\n port link-mode route\n", Order, "port link-mode route", "first line of its view"},
	{"comware", "leaf", "", " buffer egress cell queue 6 shared ratio 100\n buffer apply\n", " buffer apply\n buffer egress cell queue 6 shared ratio 100\n", Order, "buffer egress cell queue 6 shared ratio 100", `must stand before "buffer apply"`},
	{"comware", "leaf", "", "priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n", "priority-flow-control no-drop dot1p 3\n priority-flow-control enable\n", Order, "priority-flow-control no-drop dot1p 3", `needs "priority-flow-control enable"`},
	{"comware", "leaf", "", "qos wred apply ROCE-400G", "qos wred apply ROCE-40G", Order, "qos wred apply ROCE-40G", "WRED table ROCE-40G, which the file does not define"},
	{"comware", "leaf", "", "vlan 100\n", "vlan 4095\n", Range, "vlan 4095", `"4095" is not <1-4094>`},
	{"comware", "leaf", "", "deadlock cos 3 interval 2", "deadlock cos 3 interval 16", Range, "priority-flow-control deadlock cos 3 interval 16", `"16" is not <1-15>`},
	{"comware", "leaf", "", "no-drop dot1p 3\n", "no-drop dot1p 6\n", Never, "priority-flow-control no-drop dot1p 6", "own protocols"},
	{"comware", "leaf", "", " stp edged-port\n", " stp edged-port\n using twohundredgige\n", Never, "using twohundredgige", "asks back"},
	{"comware", "leaf", "", "interface FourHundredGigE1/0/5\n", "interface EightHundredGigE1/0/5\n", Never, "interface EightHundredGigE1/0/5", "other vendors"},
	{"comware", "leaf", "", " sysname leaf", "sysname leaf", Column, "sysname leaf-u01-r0", "one blank"},
	{"comware", "leaf", "", "return\n", "return\n ssh server enable\n", Order, "ssh server enable", "behind the end"},

	{"vrp", "j-ascend-leaf", "J", "dcb pfc enable mode manual", "dcb pfc enabel mode manual", Unknown, "dcb pfc enabel mode manual", "unknown in this view"},
	{"vrp", "j-ascend-leaf", "J", "#\ndns resolve\n", "#\ndns resolve\ntrust dscp\n", View, "trust dscp", "view port"},
	{"vrp", "j-ascend-leaf", "J", "drop-profile ROCE_100G\n", "drop-profile OTHER\n", Order, "qos queue 4 wred ROCE_100G", "drop profile ROCE_100G"},
	{"vrp", "j-ascend-leaf", "J", "qos buffer headroom-pool size 4 mbytes slot 1\n", "#\n", Order, "dcb pfc enable mode manual", "headroom-pool"},
	{"vrp", "p-routed-split-leaf", "P", " undo portswitch\n mtu 9000\n", " mtu 9000\n undo portswitch\n", Order, "mtu 9000", `needs "undo portswitch"`},
	{"vrp", "p-routed-split-leaf", "P", " undo portswitch\n", " undo portswitch\n trust dscp\n", Order, "trust dscp", "cannot stand beside"},
	{"vrp", "j-ascend-leaf", "J", "priority 4 deadlock-detect time 2", "priority 4 deadlock-detect time 16", Range, "priority 4 deadlock-detect time 16", `"16" is not <1-15>`},
	{"vrp", "p-nvidia-leaf", "P", " qos queue 3 ecn\n", " qos queue 6 ecn\n", Family, "qos queue 6 ecn", "confirmed for J only, not for P"},
	{"vrp", "p-nvidia-leaf", "P", " qos queue 3 ecn\n", " qos queue 8 ecn\n", Range, "qos queue 8 ecn", `"8" is not <0-5>`},
	{"vrp", "p-nvidia-leaf", "P", "qos ecn enable\n", "dcb pfc dscp-mapping enable slot 1\n", Family, "dcb pfc dscp-mapping enable slot 1", "confirmed for J only, not for P"},
	{"vrp", "j-ascend-leaf", "J", " priority 4\n", " priority 4\n#\nqos ecn enable\n", Family, "qos ecn enable", "confirmed for P only, not for J"},
	{"vrp", "j-ascend-leaf", "J", " trust dscp\n", " flow-control\n", Never, "flow-control", "exclude each other"},
	{"vrp", "j-ascend-leaf", "J", "#\nlldp enable\n", "#\nlldp enable\n#\nreturn\n", Never, "return", "must not hold it"},
	{"vrp", "unknown-split-leaf", "", "#\nlldp enable\n", "#\nlldp enable\n#\ndcb pfc\n priority 3\n", Family, "dcb pfc", "confirmed for P, J only"},

	{"eos", "leaf", "strata", "service-profile ROCE-400G-5M", "servise-profile ROCE-400G-5M", Unknown, "servise-profile ROCE-400G-5M", "unknown in this view"},
	{"eos", "leaf", "strata", "hostname leaf-u01-r0-1\n", "hostname leaf-u01-r0-1\nspanning-tree portfast\n", View, "spanning-tree portfast", "view port"},
	{"eos", "leaf", "strata", "qos profile ROCE-400G-5M\n", "qos profile ROCE-400G-50M\n", Order, "service-profile ROCE-400G-5M", "qos profile ROCE-400G-5M, which the file does not define"},
	{"eos", "leaf", "strata", "      no priority\n      bandwidth percent 20\n", "      bandwidth percent 20\n      no priority\n", Order, "bandwidth percent 20", `needs "no priority"`},
	{"eos", "leaf", "strata", "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n", "   priority-flow-control priority 3 no-drop\n   priority-flow-control on\n", Order, "priority-flow-control priority 3 no-drop", `needs "priority-flow-control on"`},
	{"eos", "leaf", "strata", "qos map dscp 26 to", "qos map dscp 64 to", Range, "qos map dscp 64 to traffic-class 3", `"64" is not <list 0-63>`},
	{"eos", "leaf", "strata", "timeout 0.20", "timeout 200", Range, "priority-flow-control pause watchdog default timeout 200", `"200" is not <0.01-60>`},
	{"eos", "leaf", "strata", "mtu 9214", "mtu 9216", Range, "mtu 9216", `"9216" is not <68-9214>`},
	{"eos", "leaf", "strata", "   uc-tx-queue 3\n", "   tx-queue 3\n", Family, "tx-queue 3", "confirmed for sand only, not for strata"},
	{"eos", "leaf", "strata", "   speed 400g-4\n", "   speed forced 400gfull\n", Never, "speed forced 400gfull", "no such word"},
	{"eos", "leaf", "strata", "   no switchport\n", "   no switchport\n   no shutdown\n", Never, "no shutdown", "not printed"},
	{"eos", "leaf", "strata", "   mtu 9214\n", "    mtu 9214\n", Column, "mtu 9214", "3 blanks"},

	{"rgos", "leaf", "", " switchport access vlan 100", " switchport acess vlan 100", Unknown, "switchport acess vlan 100", "unknown in this view"},
	{"rgos", "leaf", "", "hostname leaf-u01-r0-1\n", "hostname leaf-u01-r0-1\nswitchport mode access\n", View, "switchport mode access", "view port"},
	{"rgos", "leaf", "", "!\ninterface Vlan 100\n", "!\ninterface Vlan 200\n", Order, "interface Vlan 200", "vlan 200"},
	{"rgos", "leaf", "", " no switchport\n description spine-01:FHGigabitEthernet 0/1\n ip address 10.240.0.2 255.255.255.254\n", " ip address 10.240.0.2 255.255.255.254\n no switchport\n", Order, "ip address 10.240.0.2 255.255.255.254", `needs "no switchport"`},
	{"rgos", "leaf", "", "vlan 101\n", "vlan 4095\n", Range, "vlan 4095", `"4095" is not <1-4094>`},
	{"rgos", "leaf", "", "interface FHGigabitEthernet 0/1\n", "interface FourHundredGigabitEthernet 0/1\n", Never, "interface FourHundredGigabitEthernet 0/1", "no text shows the name"},
	{"rgos", "leaf", "", " no switchport\n", " no switchport\n priority-flow-control enable\n", Never, "priority-flow-control enable", "remembered only"},

	{"zxros", "leaf", "", "switchport mode access", "swichport mode access", Unknown, "swichport mode access", "unknown in this view"},
	{"zxros", "leaf", "", "interface cdgei-0/1/1/1\n  description gpu-001:nic0\n", "interface cdgei-0/1/1/1\n  switchport mode access\n", Never, "switchport mode access", "switchvlan-configuration"},
	{"zxros", "leaf", "", "  vlan 100\n    name rail0\n", "  vlan 100\n    mtu 9216\n", View, "mtu 9216", "view port"},
	{"zxros", "leaf", "", "    switchport mode access\n    switchport access vlan 100\n", "    switchport access vlan 100\n    switchport mode access\n", Order, "switchport access vlan 100", `needs "switchport mode access"`},
	{"zxros", "leaf", "", "  description gpu-001:nic0\n  no shutdown\n  mtu 9216\n$\n", "  description gpu-001:nic0\n  no shutdown\n  mtu 9216\n", Order, "interface cdgei-0/1/1/2", "is not closed by $"},
	{"zxros", "leaf", "", "!</if-intf>\n", "", View, "!<switchvlan>", "view file"},
	{"zxros", "leaf", "", "!</switchvlan>\n", "", Order, "", "not closed"},
	{"zxros", "leaf", "", "  mtu 9216\n", "  mtu 16000\n", Range, "mtu 16000", `"16000" is not <68-9600>`},
	{"zxros", "leaf", "", "interface cdgei-0/1/1/4\n", "interface dcccgei-0/1/1/4\n", Never, "interface dcccgei-0/1/1/4", "seen nowhere"},
}

func TestMutations(t *testing.T) {
	kinds := map[string]map[Kind]bool{}
	for _, m := range mutations {
		g := load(t, m.os)
		body, err := os.ReadFile(filepath.Join("..", m.os, "testdata", m.file+".cfg"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(body), m.from) {
			t.Errorf("%s %s: %q is not in the file", m.os, m.file, m.from)
			continue
		}
		changed := strings.Replace(string(body), m.from, m.to, 1)
		doubts := g.Check([]byte(changed), m.family)
		found := slices.ContainsFunc(doubts, func(d Doubt) bool {
			return d.Kind == m.kind && d.Text == m.line && strings.Contains(d.Reason, m.reason)
		})
		if !found {
			t.Errorf("%s: %q for %q: want %s %q: %s; got %+v", m.os, m.to, m.from, m.kind, m.line, m.reason, doubts[:min(len(doubts), 6)])
		}
		if kinds[m.os] == nil {
			kinds[m.os] = map[Kind]bool{}
		}
		kinds[m.os][m.kind] = true
	}
	for _, s := range systems {
		for _, k := range []Kind{Unknown, View, Order, Range, Never} {
			if !kinds[s.os][k] {
				t.Errorf("%s: no mutation of kind %s", s.os, k)
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	var all []*Grammar
	for i, s := range systems {
		all = append(all, load(f, s.os))
		body := samples(f, i)[0].text
		f.Add(body[:min(len(body), 3000)], uint8(i))
	}
	f.Add([]byte("interface \n  \n#\n ! \n$\n!<if-intf>\n$"), uint8(4))
	f.Add([]byte("banner motd\nx"), uint8(2))
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		i := int(which) % len(all)
		family := ""
		if n := systems[i].families; n != nil {
			family = n[int(which)/len(all)%len(n)]
		}
		lines := strings.Count(string(text), "\n") + 1
		doubts := all[i].Check(text, family)
		for _, d := range doubts {
			if d.Line < 0 || d.Line > lines || d.Reason == "" || d.View == "" || strings.Contains(d.Text, "\n") {
				t.Fatalf("%+v of %d lines", d, lines)
			}
		}
		if again := all[i].Check(text, family); !slices.Equal(doubts, again) {
			t.Fatalf("%+v and then %+v", doubts, again)
		}
		unread := 0
		for _, d := range doubts {
			if d.Kind != Order && d.Kind != Column {
				unread += 1 + d.Below
			}
		}
		for _, r := range all[i].Trace(text, family) {
			if r == noRule {
				unread--
			}
		}
		if unread != 0 {
			t.Fatalf("doubts and lines without a rule differ by %d", unread)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	for i, s := range systems {
		b.Run(s.os, func(b *testing.B) {
			g := load(b, s.os)
			sm := samples(b, i)[0]
			for _, x := range samples(b, i) {
				if len(x.text) > len(sm.text) {
					sm = x
				}
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(sm.text)))
			for b.Loop() {
				if n := len(g.Scan(sm.text, sm.family)); n > 0 {
					b.Fatal(n)
				}
			}
		})
	}
}
