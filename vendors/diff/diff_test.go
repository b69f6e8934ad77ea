package diff

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"railyard/vendors/clitree"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

const fixtures = "../../fixtures/running"

func engines(t testing.TB) *Engines {
	t.Helper()
	e, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Error(udiff.Unified(name, "now", string(want), got))
	}
}

// TestRunningFixtures compares captures in the shape real switches print, with
// everything that railyard does not manage in them, with what a driver wrote. Each
// was edited in a few places; nothing else may show.
func TestRunningFixtures(t *testing.T) {
	for os, stem := range map[string]string{"comware": "leaf-u01-r0", "vrp": "leaf-u01-r0", "eos": "leaf-u01-r0-1", "sonic": "leaf-u01-r0-1"} {
		t.Run(os, func(t *testing.T) {
			running, intended := one(t, filepath.Join(fixtures, os, stem+".running.*")), one(t, filepath.Join(fixtures, os, stem+".intended.*"))
			running.Name = stem
			r, err := engines(t).Pair(os, running, intended, Options{Patch: true})
			if err != nil {
				t.Fatal(err)
			}
			var text, patch, notes bytes.Buffer
			if err := r.Text(&text, TextOptions{}); err != nil {
				t.Fatal(err)
			}
			if err := r.Patch(&patch, &notes); err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Join(fixtures, os, stem+".diff.txt"), text.String())
			golden(t, filepath.Join(fixtures, os, stem+".patch.txt"), patch.String()+notes.String())
		})
	}
}

func one(t *testing.T, pattern string) File {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v %v", pattern, files, err)
	}
	f, err := ReadFile(files[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestJSON holds the report to design section 8.
func TestJSON(t *testing.T) {
	r, err := engines(t).Pair("eos", File{"a", []byte(eosB)}, File{"b", []byte(eosA)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.JSON(&b); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := `{"format_version":"1.0","switches":[{"changes":[{"add":["mtu 9214"],"note":"","path":["interface Ethernet1/1"],"remove":["mtu 1400"],"reordered":false}],"file":"a","name":"a","os":"eos","status":"differs"}]}`
	if again, _ := json.Marshal(got); string(again) != want {
		t.Errorf("%s\nwant %s", again, want)
	}
	r, err = engines(t).Pair("sonic", File{"a", []byte(`{"PORT":{"Ethernet0":{"lanes":"1"}},"INTERFACE":{"Ethernet0":{}}}`)}, File{"b", []byte(`{"PORT":{"Ethernet0":{"lanes":"1","mtu":"9216"}}}`)}, Options{Options: clitree.Options{Scope: clitree.Full}})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Switches[0].Changes; len(c) != 2 || !slices.Equal(c[0].Add, []string{"mtu=9216"}) || !slices.Equal(c[1].Path, []string{"INTERFACE", "Ethernet0"}) || !slices.Equal(c[1].Remove, []string{"(row)"}) {
		t.Errorf("%+v", c)
	}
}

// TestPairTruth: in the two-file form a fragment may be compared with a fragment,
// but a text cut off not with a whole one.
func TestPairTruth(t *testing.T) {
	fragment := "interface Ethernet1/1\n   mtu 1400\n"
	tests := []struct {
		name, running, intended string
		want                    Status
	}{
		{"fragments", fragment, strings.Replace(fragment, "1400", "9214", 1), Differs},
		{"whole ones", eosA, eosA, Same},
		{"cut off", eosA[:len(eosA)-10], eosA, Unreadable},
		{"a whole one against a fragment", eosA, "hostname a\n", Differs},
		{"CR LF and trailing blanks", strings.ReplaceAll(eosA, "\n", "  \r\n"), eosA, Same},
	}
	for _, test := range tests {
		r, err := engines(t).Pair("eos", File{"a", []byte(test.running)}, File{"b", []byte(test.intended)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Switches[0].Status; got != test.want {
			t.Errorf("%s: %s (%s), want %s", test.name, got, r.Switches[0].Reason, test.want)
		}
	}
	if _, err := engines(t).Pair("ios", File{}, File{}, Options{}); err == nil || !strings.Contains(err.Error(), "comware") {
		t.Errorf("unknown system: %v", err)
	}
}

func TestIgnoreAndScope(t *testing.T) {
	running := "hostname b\n!\nsnmp-server community x ro\n!\ninterface Ethernet1/1\n   mtu 1400\n   description old\n!\ninterface Management1\n   ip address 192.0.2.9/24\n!\nend\n"
	intended := "hostname a\n!\ninterface Ethernet1/1\n   mtu 9214\n   description new\n!\ninterface Management1\n   ip address 192.0.2.1/24\n!\nend\n"
	for _, test := range []struct {
		scope  clitree.Scope
		ignore []string
		want   string
	}{
		{clitree.Owned, nil, " interface Ethernet1/1 interface Management1"},
		{clitree.Owned, []string{"interface management*"}, " interface Ethernet1/1"},
		{clitree.Owned, []string{"* / description *", "interface * / mtu *", "hostname *"}, "interface Management1"},
		{clitree.Full, []string{"interface *"}, ""},
	} {
		r, err := engines(t).Pair("eos", File{"a", []byte(running)}, File{"b", []byte(intended)}, Options{Options: clitree.Options{Scope: test.scope, Ignore: test.ignore}})
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, c := range r.Switches[0].Changes {
			paths = append(paths, strings.Join(c.Path, " / "))
			if test.scope == clitree.Full && !slices.Contains(c.Remove, "snmp-server community x ro") && !strings.Contains(strings.Join(c.Remove, ""), "secret") {
				t.Errorf("full scope leaves out %q", c.Remove)
			}
		}
		if got := strings.Join(paths, " "); got != test.want {
			t.Errorf("scope %d ignore %q: %q, want %q", test.scope, test.ignore, got, test.want)
		}
	}
}

// TestEngines: every system's own golden compares as equal with itself and shows
// an edit.
func TestEngines(t *testing.T) {
	for os, pattern := range map[string]string{"comware": "../comware/testdata/*.cfg", "vrp": "../vrp/testdata/*.cfg", "eos": "../eos/testdata/*.cfg", "rgos": "../rgos/testdata/*.cfg",
		"zxros": "../zxros/testdata/*.cfg", "cumulus": "../cumulus/testdata/*[a-z0-9].yaml", "sonic": "../sonic/testdata/*/*/config_db.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files", os)
		}
		for _, name := range files {
			f, err := ReadFile(name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, "breakout.yaml") {
				continue
			}
			r, err := engines(t).Pair(os, f, f, Options{Options: clitree.Options{Scope: clitree.Full}, Patch: true})
			if err != nil || r.Switches[0].Status != Same {
				t.Errorf("%s: %+v %v", name, r, err)
			}
			edited := File{f.Name, bytes.Replace(f.Body, []byte("9216"), []byte("9000"), 1)}
			if bytes.Equal(edited.Body, f.Body) {
				edited.Body = bytes.Replace(f.Body, []byte("unused"), []byte("taken"), 1)
			}
			if bytes.Equal(edited.Body, f.Body) {
				continue
			}
			if r, err = engines(t).Pair(os, edited, f, Options{Patch: true}); err != nil || len(r.Switches[0].Changes) != 1 || len(r.Switches[0].Patch.Body) == 0 {
				t.Errorf("%s edited: %+v %v", name, r, err)
			}
		}
	}
}

func TestSubnetManager(t *testing.T) {
	dir := "../opensm/testdata/two-tier"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []File
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{e.Name(), body})
	}
	running := slices.Clone(files)
	if out, err := (managerFiles{}).compare(running, files, Options{}, true); err != nil || len(out.changes) > 0 {
		t.Errorf("itself: %+v %v", out, err)
	}
	for i, f := range running {
		switch f.Name {
		case "partitions.conf":
			running[i].Body = bytes.Replace(f.Body, []byte("    0x1070fd0300000401=full,\n"), nil, 1)
		case "opensm.conf":
			running[i].Body = append([]byte("# by hand\nqos_max_vls 8\n"), bytes.Replace(f.Body, []byte("sm_priority 14"), []byte("sm_priority   13"), 1)...)
		}
	}
	out, err := (managerFiles{}).compare(running, files, Options{Patch: true}, true)
	want := "[{[opensm.conf] [sm_priority 13] [sm_priority 14] false } {[partitions.conf infer-b=0x0020] [] [0x1070fd0300000401=full] false }]"
	if got := fmt.Sprint(out.changes); err != nil || got != want || len(out.patch.Notes) != 2 {
		t.Errorf("%s %v %q\nwant %s", got, err, out.patch.Notes, want)
	}
}

// TestSubnetSources: a subnet manager's files are found in any folder, and commands
// under the name of their switch.
func TestSubnetSources(t *testing.T) {
	files := []File{{"opensm.conf", []byte("sm_priority 14\n")}, {"root_guids.conf", []byte("0x1\n")}, {"topology.net", []byte("x")}, {"INSTALL.txt", []byte("x")}}
	for name, dir := range map[string]map[string]string{
		"as railyard writes": {"subnet-manager/opensm.conf": "sm_priority 14\n", "subnet-manager/root_guids.conf": "0x1\n", "subnet-manager/topology.net": "x", "manifest.json": "{}", "plan.json": "{}"},
		"the folder itself":  {"opensm.conf": "sm_priority 14\n", "root_guids.conf": "0x01\n"},
		"a copy of /etc":     {"sm1/etc/opensm/opensm.conf": "sm_priority 14\n", "sm1/etc/opensm/root_guids.conf.gz": "1\n"},
	} {
		r, err := Run(context.Background(), tree(t, dir), "", Subnet("opensm", files), Options{})
		if err != nil || len(r.Switches) != 1 || r.Switches[0].Status != Same || r.Switches[0].Name != SubnetManager {
			t.Errorf("%s: %+v %v", name, r, err)
		}
	}
	if r, err := Run(context.Background(), tree(t, map[string]string{"x.txt": "y"}), "", Subnet("opensm", files), Options{}); err != nil || r.Switches[0].Status != Missing {
		t.Errorf("none: %+v %v", r, err)
	}
	cli := "hostname spine-01\nib sm\nib smnode spine-01 sm-priority 14\nwrite memory\n"
	files = []File{{"p0/INSTALL.txt", nil}, {"p0/spine-01.PLACEHOLDER.cli", []byte(cli)}, {"p0/node-name-map", []byte("0x1 \"a\"\n")}, {"spine-02.cli", []byte(strings.ReplaceAll(cli, "01", "02"))}}
	dir := tree(t, map[string]string{"spine-01.cfg": "##\n## Running database \"initial\"\n##\n   hostname spine-01\n   ib sm\n   ib smnode spine-01 sm-priority 1\n", "spine-02/running-config": strings.ReplaceAll(cli, "01", "02")})
	r, err := Run(context.Background(), dir, "", Subnet("switch", files), Options{Patch: true})
	if err != nil || len(r.Switches) != 2 || r.Switches[0].Name != "spine-01" || r.Switches[0].Status != Differs || r.Switches[1].Status != Same {
		t.Fatalf("%+v %v", r, err)
	}
	if got := string(r.Switches[0].Patch.Body); got != "ib smnode spine-01 sm-priority 14\nwrite memory\n" {
		t.Errorf("patch %q", got)
	}
}

// TestScreen: 400 switches with three kinds of difference fit a screen.
func TestScreen(t *testing.T) {
	var names []string
	files := map[string]string{}
	text := "! device\nhostname x\n!\n"
	for p := 1; p <= 64; p++ {
		text += fmt.Sprintf("interface Ethernet%d/1\n   mtu 9214\n!\n", p)
	}
	text += "vlan 100\n!\nend\n"
	for u := 1; u <= 50; u++ {
		for r := range 8 {
			n := fmt.Sprintf("leaf-u%02d-r%d", u, r)
			names = append(names, n)
			files[n] = text
			switch {
			case r == 3:
				files[n] = strings.ReplaceAll(text, "mtu 9214", "mtu 9000")
			case r == 5 && u < 20:
				files[n] = strings.Replace(text, "vlan 100", "vlan 101", 1)
			case n == "leaf-u07-r0":
				files[n] = strings.Replace(text, "hostname x", "hostname y", 1)
			}
		}
	}
	r, err := Run(context.Background(), tree(t, files), "", intentOf(names, text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, summary := range []bool{false, true} {
		var b bytes.Buffer
		if err := r.Text(&b, TextOptions{Summary: summary}); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(b.String(), "\n"); lines > 40 {
			t.Errorf("%d lines for a screen:\n%s", lines, b.String())
		}
		golden(t, fmt.Sprintf("testdata/screen-%v.txt", summary), b.String())
	}
}

func TestColourAndControls(t *testing.T) {
	evil := strings.Replace(eosB, "mtu 1400", "description \u009b31m owned", 1)
	r, err := engines(t).Pair("eos", File{"a", []byte(evil)}, File{"b", []byte(eosA)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := r.Text(&b, TextOptions{Colour: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\u009b") || !strings.Contains(b.String(), red) {
		t.Errorf("%q", b.String())
	}
}

func TestPatches(t *testing.T) {
	dir := tree(t, map[string]string{"a": eosB, "b": eosA})
	r, err := Run(context.Background(), dir, "", intentOf([]string{"a", "b"}, eosA), Options{Patch: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	n, err := r.Patches(func(name string, body []byte) error { got[name] = string(body); return nil })
	if err != nil || n != 1 || len(got) != 1 || got["a/patch.txt"] != "configure terminal\ninterface Ethernet1/1\n mtu 9214\n exit\nend\n" {
		t.Errorf("%d %v %q", n, err, got)
	}
	var b bytes.Buffer
	if err := r.Patch(&b, io.Discard); err != nil || !strings.HasPrefix(b.String(), "=== a (eos)\nconfigure terminal\n") {
		t.Errorf("%q", b.String())
	}
}

func TestReadFile(t *testing.T) {
	dir := tree(t, map[string]string{"a.gz": eosA})
	whole, err := os.ReadFile(filepath.Join(dir, "a.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if f, err := ReadFile(filepath.Join(dir, "a.gz"), nil); err != nil || string(f.Body) != eosA {
		t.Errorf("%q %v", f.Body, err)
	}
	if _, err := ReadFile("-", bytes.NewReader(whole[:len(whole)-12])); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("a cut archive: %v", err)
	}
	if _, err := ReadFile(dir, nil); err == nil {
		t.Error("a directory was read")
	}
	if f, err := ReadFile("-", strings.NewReader(eosA)); err != nil || f.Name != "stdin" {
		t.Errorf("%+v %v", f, err)
	}
}

func TestCompress(t *testing.T) {
	for _, test := range []struct {
		names []string
		want  string
	}{
		{[]string{"spine-01"}, "spine-01"},
		{[]string{"spine-01", "spine-02", "spine-04"}, "spine-[01-02,04]"},
		{[]string{"leaf-u01-r0", "leaf-u01-r1", "leaf-u02-r0", "leaf-u02-r1"}, "leaf-u[01-02]-r[0-1]"},
		{[]string{"leaf-u01-r0", "leaf-u02-r0", "core"}, "leaf-u[01-02]-r0,core"},
		{[]string{"a1", "a02"}, "a1,a02"},
	} {
		if got := compress(test.names); got != test.want {
			t.Errorf("%q: %q, want %q", test.names, got, test.want)
		}
	}
}

func FuzzPair(f *testing.F) {
	f.Add(uint8(0), []byte(eosA), []byte(eosB))
	f.Add(uint8(4), []byte("- set:\n    interface:\n      swp1-2:\n        type: swp\n"), []byte("- set:\n    a: b\n"))
	f.Add(uint8(6), []byte(`{"PORT":{"Ethernet0":{"lanes":"1"}}}`), []byte(`{"QUEUE":{"Ethernet0|3-4":{"a":"b"}}}`))
	f.Add(uint8(29), []byte("\xa1\xa1\xa1\xa1"), []byte("\xa1\xa1\xa1\xa1\n p\n")) // GBK blanks
	f.Add(uint8(100), []byte("- set:\n  "), []byte("- set:\n    interface:\n"))
	e := engines(f)
	f.Fuzz(func(t *testing.T, which uint8, a, b []byte) {
		names := e.Names()
		os := names[int(which)%len(names)]
		for _, scope := range []clitree.Scope{clitree.Owned, clitree.Full} {
			o := Options{Options: clitree.Options{Scope: scope}, Patch: true}
			r, err := e.Pair(os, File{"a", a}, File{"b", b}, o)
			if err == nil && r.Switches[0].Status == Differs && len(r.Switches[0].Changes) == 0 {
				t.Fatal("differs without a difference")
			}
			if same, err := e.Pair(os, File{"a", a}, File{"a", a}, o); err == nil && same.Switches[0].Status == Differs {
				t.Fatalf("%s differs from itself: %+v", os, same.Switches[0].Changes)
			}
		}
	})
}
