package cumulus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"railyard/vendors/clitree"
)

func diffGoldens(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no goldens")
	}
	out := map[string]string{}
	for _, f := range append(files, "../../fixtures/running/cumulus/leaf-5.14.yaml") {
		if strings.HasSuffix(f, ".breakout.yaml") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(filepath.Dir(f))+"/"+filepath.Base(f)] = string(b)
	}
	return out
}

func mustRead(t testing.TB, text string) *DiffConfig {
	t.Helper()
	c, err := DiffRead([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%.400s", err, text)
	}
	return c
}

// tree is a configuration to print in other ways.
type tree struct {
	keys []string
	sub  map[string]*tree
	leaf string
}

func (c *DiffConfig) tree() *tree {
	root := &tree{sub: map[string]*tree{}}
	for _, key := range c.order {
		at := root
		for _, w := range c.settings[key].path {
			if at.sub[w] == nil {
				at.sub[w] = &tree{sub: map[string]*tree{}}
				at.keys = append(at.keys, w)
			}
			at = at.sub[w]
		}
		at.leaf = c.settings[key].value
	}
	return root
}

// print writes a tree as nv config show does, in a random order, some equal
// neighbours as one range; without r as it stands.
func (n *tree) print(r *rand.Rand, indent string, b *strings.Builder) {
	keys := slices.Clone(n.keys)
	if r != nil {
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	body := func(k string) string {
		var x strings.Builder
		n.sub[k].print(nil, "", &x)
		return n.sub[k].leaf + x.String()
	}
	done := map[string]bool{}
	for _, k := range keys {
		if done[k] {
			continue
		}
		name := k
		if r != nil && (digitsOnly(k) || strings.HasPrefix(k, "swp")) {
			for _, other := range keys {
				if other > k && !done[other] && (digitsOnly(other) || strings.HasPrefix(other, "swp")) && body(other) == body(k) && r.IntN(2) == 0 {
					name, done[other] = name+","+other, true
				}
			}
		}
		done[k] = true
		s := n.sub[k]
		if strings.ContainsAny(name, ":{}*#") || strings.ContainsAny(name[:1], "/!&%@") {
			name = "'" + name + "'"
		}
		switch {
		case len(s.keys) > 0:
			fmt.Fprintf(b, "%s%s:\n", indent, name)
			s.print(r, indent+"  ", b)
		case s.leaf == "":
			fmt.Fprintf(b, "%s%s: {}\n", indent, name)
		default:
			fmt.Fprintf(b, "%s%s: %s\n", indent, name, map[bool]string{true: "'" + strings.ReplaceAll(s.leaf, "'", "''") + "'", false: s.leaf}[r != nil && r.IntN(2) == 0 || strings.ContainsAny(s.leaf, ":#{}[]*!&%@'\"") || s.leaf == "<secret>"])
		}
	}
}

func (c *DiffConfig) yaml(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("- header:\n    model: MSN4700\n    rev-id: 1.0\n    version: Cumulus Linux 5.14.0\n- set:\n")
	c.tree().print(r, "    ", &b)
	return b.String()
}

// typed writes nv config show -o commands.
func (c *DiffConfig) typed(r *rand.Rand) string {
	var lines []string
	for _, key := range c.order {
		s := c.settings[key]
		words := s.path
		if s.value != "" {
			words = append(words[:len(words):len(words)], s.value)
		}
		lines = append(lines, "nv set "+diffWords(words))
	}
	if r == nil {
		return strings.Join(lines, "\n") + "\n"
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return strings.Join(lines, "\n") + "\n"
}

func capture(text, command string) string {
	return "Last login: Mon Nov 30 10:00:00 2026 from 192.0.2.1\r\n - unauthorised use is prohibited -\r\n\x1b[?2004hcumulus@leaf:mgmt:~$ " + command + "\r\n\x1b[?2004l\r" +
		strings.ReplaceAll(text, "\n", "\r\n") + "\x1b[?2004hcumulus@leaf:mgmt:~$ exit\r\n"
}

func TestDiffIdentity(t *testing.T) {
	for name, text := range diffGoldens(t) {
		want := mustRead(t, text)
		for seed := range uint64(8) {
			r := rand.New(rand.NewPCG(seed, 7))
			for form, run := range map[string]string{"yaml": want.yaml(r), "commands": want.typed(r), "capture": capture(want.yaml(r), "nv config show"),
				"captured commands": capture(want.typed(r), "nv config show -o commands"), "words of 5.15": strings.NewReplacer(": enabled\n", ": on\n", ": disabled\n", ": off\n").Replace(want.yaml(r))} {
				for _, scope := range []clitree.Scope{clitree.Owned, clitree.Full} {
					if got := mustRead(t, run).Compare(want, clitree.Options{Scope: scope}); len(got) > 0 {
						t.Fatalf("%s as %s, seed %d: %+v\n%.3000s", name, form, seed, got, run)
					}
					if got := want.Compare(mustRead(t, run), clitree.Options{Scope: scope}); len(got) > 0 {
						t.Fatalf("%s against %s, seed %d: %+v", name, form, seed, got)
					}
				}
			}
		}
	}
}

// without is a configuration less one setting, or with another value of it.
func (c *DiffConfig) without(key, value string) *DiffConfig {
	out := &DiffConfig{settings: map[string]diffSetting{}}
	for _, k := range c.order {
		s := c.settings[k]
		if k == key {
			if value == "" {
				continue
			}
			s = diffSetting{path: s.path, value: value}.shown()
		}
		out.put(s)
	}
	return out
}

func TestDiffMutations(t *testing.T) {
	total, named := 0, 0
	for name, text := range diffGoldens(t) {
		want := mustRead(t, text)
		for i, key := range want.order {
			s := want.settings[key]
			section := s.path[:min(len(s.path), diffSection)]
			values := []string{""}
			if s.value != "" && s.value != "<secret>" {
				values = append(values, "spare-7")
			}
			for _, value := range values {
				changed := want.without(key, value)
				forms := []string{}
				if i%2 == 0 || s.value != "" {
					forms = append(forms, changed.typed(nil))
				}
				if i%4 == 1 { // yaml takes longer
					forms = append(forms, changed.yaml(nil))
				}
				for _, run := range forms {
					total++
					got := mustRead(t, run).Compare(want, clitree.Options{})
					var remove []string
					if value != "" {
						remove = []string{strings.TrimSuffix(s.show, s.value) + value}
					}
					if len(got) != 1 || !slices.Equal(got[0].Path, section) || !slices.Equal(got[0].Add, []string{s.show}) || !slices.Equal(got[0].Remove, remove) {
						t.Errorf("%s: %q to %q: %+v", name, s.show, value, got)
						continue
					}
					named++
				}
			}
		}
		more := want.without("", "")
		more.put(diffSetting{path: []string{"interface", "swp1", "spare"}, value: "7"}.shown())
		for _, run := range []string{more.yaml(nil), more.typed(nil)} {
			if got := mustRead(t, run).Compare(want, clitree.Options{}); len(got) != 1 || !slices.Equal(got[0].Remove, []string{"spare 7"}) {
				t.Errorf("%s with a line more: %+v", name, got)
			}
		}
	}
	t.Logf("%d of %d mutations named exactly", named, total)
}

// TestDiffPatch types the commands of a patch: unset takes away all below, set adds.
func TestDiffPatch(t *testing.T) {
	all := diffGoldens(t)
	for a, from := range all {
		for b, to := range all {
			run, want := mustRead(t, from), mustRead(t, to)
			now := run.without("", "")
			for _, l := range strings.Split(string(run.Patch(want, clitree.Options{})), "\n") {
				rest, unset := strings.CutPrefix(l, "nv unset ")
				set := ""
				if !unset {
					if set, _ = strings.CutPrefix(l, "nv set "); set == l {
						continue
					}
					rest = set
				}
				words, err := diffShell(rest)
				if err != nil {
					t.Fatal(err)
				}
				if unset {
					for _, k := range slices.Clone(now.order) {
						if p := now.settings[k].path; len(p) >= len(words) && slices.Equal(p[:len(words)], words) {
							now = now.without(k, "")
						}
					}
					continue
				}
				one := &DiffConfig{settings: map[string]diffSetting{}}
				one.put(diffSetting{path: words, open: true}.shown())
				for _, s := range one.closed(want).settings {
					now.put(s)
				}
			}
			for _, c := range now.Compare(want, clitree.Options{}) {
				for _, l := range append(c.Remove, c.Add...) {
					if !strings.Contains(l, "<secret>") {
						t.Errorf("%s to %s: still %v %q", a, b, c.Path, l)
					}
				}
			}
		}
	}
}

func TestDiffRules(t *testing.T) {
	set := func(lines string) string {
		return "- set:\n    " + strings.ReplaceAll(lines, "\n", "\n    ") + "\n"
	}
	tests := []struct{ name, running, intended, want string }{
		{"ranges with names and numbers", set("interface:\n  eth0,swp1-2:\n    link:\n      state:\n        up: {}"), set("interface:\n  swp1:\n    link:\n      state:\n        up: {}\n  swp2,eth0:\n    link:\n      state:\n        up: {}"), ""},
		{"split ports", set("interface:\n  swp3s0-1,swp4s0-1:\n    type: swp"), set("interface:\n  swp3s0,swp3s1,swp4s0,swp4s1:\n    type: swp"), ""},
		{"VLANs", set("bridge:\n  domain:\n    br_default:\n      vlan:\n        10,20-22: {}"), "nv set bridge domain br_default vlan 10\nnv set bridge domain br_default vlan 20-22\n", ""},
		{"a VLAN more", "nv set bridge domain br_default vlan 10-12\n", set("bridge:\n  domain:\n    br_default:\n      vlan:\n        10-11: {}"), "[{[bridge domain] [br_default vlan 12] [] false }]"},
		{"a value in a command", "nv set interface swp1 link mtu 9000\n", set("interface:\n  swp1:\n    link:\n      mtu: 9216"), "[{[interface swp1] [link mtu 9000] [link mtu 9216] false }]"},
		{"texts", "nv set interface swp1 description 'to leaf-1, port 2'\n", set("interface:\n  swp1:\n    description: to leaf-1, port 2"), ""},
		{"secrets", set("system:\n  aaa:\n    user:\n      a:\n        hashed-password: $6$a$b"), "nv set system aaa user a hashed-password '*'\n", ""},
		{"what railyard does not manage", set("service:\n  snmp-server:\n    enable: on\ninterface:\n  swp1:\n    type: swp"), set("interface:\n  swp1:\n    type: swp"), ""},
		{"a revision in front", "---\n" + set("interface:\n  swp1:\n    type: swp"), set("interface:\n  swp1:\n    type: swp"), ""},
		{"a text over lines", "nv set system message pre-login '###\n# a: b\n###'\nnv set interface swp1 type swp\n", set("interface:\n  swp1:\n    type: swp"), ""},
	}
	for _, test := range tests {
		got := ""
		if changes := mustRead(t, test.running).Compare(mustRead(t, test.intended), clitree.Options{}); len(changes) > 0 {
			got = fmt.Sprint(changes)
		}
		if got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
	}
	for name, text := range map[string]string{"another system": "hostname a\n!\ninterface Ethernet1\n!\nend\n", "cut off": "- set:\n    interface:\n      swp1:\n        link:\n", "empty": "", "JSON": "{\"PORT\": {}}",
		"a quote": "nv set system message pre-login 'x\n", "flat": "- set:\ninterface:\n"} {
		if _, err := DiffRead([]byte(text)); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	for text, doubts := range map[string]int{"- set:\n    interface:\n      swp1:\n        link:\n          mtu: 92": 1, "- set:\n    interface:\n      swp1:\n        ty": 1, "nv set interface swp1 link mtu 92": 1,
		"- set:\n    interface:\n      swp1:\n        type: swp\n": 0, "a@b:~$ nv config show\n- set:\n    interface:\n      swp1:\n        type: swp\na@b:~$ ": 0} {
		if c := mustRead(t, text); len(c.Doubts()) != doubts {
			t.Errorf("%q: doubts %q", text, c.Doubts())
		}
	}
}

func FuzzDiffRead(f *testing.F) {
	f.Add([]byte("- set:\n    interface:\n      swp1-3,eth0:\n        type: swp\n"))
	f.Add([]byte("x@y:~$ nv config show -o commands\nnv set interface swp1-3 description 'a\nb'\nx@y:~$ \n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := DiffRead(text)
		if err != nil {
			return
		}
		if got := c.Compare(c, clitree.Options{Scope: clitree.Full}); len(got) > 0 {
			t.Fatalf("differs from itself: %+v", got)
		}
		_ = c.Patch(&DiffConfig{settings: map[string]diffSetting{}}, clitree.Options{Scope: clitree.Full})
	})
}
