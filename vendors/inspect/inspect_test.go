package inspect

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"railyard/generator/observed"
	"railyard/vendors/clitree"
)

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t testing.TB, dir string) *observed.Network {
	t.Helper()
	net, err := Dir(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func zipped(t testing.TB, body string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	comwareText = "#\n version 9.1.058, Release 9126\n#\n sysname c1\n#\ninterface FourHundredGigE1/0/1\n port link-mode route\n qos trust dscp\n priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n#\nreturn\n"
	vrpText     = "#\nsysname v1\n#\ndcb pfc\n priority 3\n#\ninterface 100GE1/0/1\n undo portswitch\n dcb pfc enable mode manual\n#\nreturn\n"
	eosText     = "! device: e1 (DCS-7060X6-64PE-B, EOS-4.35.1F)\n!\nhostname e1\n!\ninterface Ethernet1/1\n   no switchport\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\nend\n"
	sonicText   = `{"DEVICE_METADATA": {"localhost": {"hostname": "s1"}}, "PORT": {"Ethernet0": {"speed": "400000", "admin_status": "up"}}}`
)

// TestBadFiles: each is named with line and reason, and the good one is read.
func TestBadFiles(t *testing.T) {
	damaged := zipped(t, strings.Repeat(eosText, 400))
	tests := []struct {
		name, file, body string
		line             observed.Line
		os, reason       string
	}{
		{"cut in mid line", "a.cfg", comwareText[:len(comwareText)-40], 10, "comware", "stops in mid line"},
		{"cut in a session", "a.cfg", "<c9>display current-configuration\n" + strings.TrimSuffix(strings.ReplaceAll(comwareText, "c1", "c9"), "#\nreturn\n"), 11, "comware", "cut off"},
		{"json cut", "config_db.json", sonicText[:90], 1, "sonic", "stops"},
		{"json broken on line 3", "x.json", "{\n\"PORT\": {\n\"Ethernet0\": }\n}", 3, "sonic", "'}'"},
		{"other json", "x.json", `{"a": {"b": 1}}`, 0, "", "neither PORT nor DEVICE_METADATA"},
		{"binary", "a.cfg", strings.Repeat("\x00\x01\x02\x03\xff", 500), 1, "", "not text"},
		{"zip", "a.cfg", "PK\x03\x04rest", 0, "", "zip archive"},
		{"empty", "a.cfg", "", 0, "", "no configuration"},
		{"blanks", "a.cfg", "\n  \n\n", 0, "", "no configuration"},
		{"ios", "a.cfg", "!\nservice timestamps log datetime\nboot-start-marker\nboot-end-marker\nhostname r1\nline con 0\nend\n", 1, "ios", "looks like ios"},
		{"nx-os", "a.cfg", "!Command: show running-config\nfeature bgp\nvdc x id 1\nhostname n\ninterface Ethernet1/1\n", 1, "nx-os", "looks like nx-os"},
		{"junos", "a.conf", "set system host-name j\nset interfaces et-0/0/0 mtu 9216\n", 1, "junos", "looks like junos"},
		{"nvue", "startup.yaml", "- header:\n    model: SN5600\n- set:\n    interface:\n", 1, "cumulus", "no s"},
		{"no configuration at all", "a.txt", "Dear colleague,\nthe switch is down.\n", 1, "", "not recognised"},
		{"damaged gzip", "a.cfg.gz", damaged[:len(damaged)-20], 1, "", "damaged gzip"},
		{"flat", "a.cfg", "#\nsysname c9\ninterface FourHundredGigE1/0/1\nport link-mode route\npriority-flow-control enable\npriority-flow-control no-drop dot1p 3\ninterface FourHundredGigE1/0/2\nport link-mode route\nqos trust dscp\nqos wred apply X\n#\nreturn\n", 2, "comware", "no line is indented"},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			net := read(t, folder(t, map[string]string{x.file: x.body, "good.txt": eosText}))
			if len(net.Switches) != 1 || net.Switches[0].Name != "e1" {
				t.Fatalf("the good file was not read: %+v", net.Switches)
			}
			if len(net.Unreadable) != 1 {
				t.Fatalf("unreadable: %+v", net.Unreadable)
			}
			u := net.Unreadable[0]
			if u.File != x.file || u.OS != x.os || !strings.Contains(u.Reason, x.reason) || x.line > 1 && u.Line != x.line {
				t.Errorf("got %+v", u)
			}
		})
	}
}

func TestHugeFile(t *testing.T) {
	dir := folder(t, map[string]string{"good.txt": eosText})
	f, err := os.Create(filepath.Join(dir, "huge.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(clitree.MaxSize + 1); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.WriteFile(filepath.Join(dir, "bomb.cfg.gz"), []byte(zipped(t, strings.Repeat("#\n", clitree.MaxSize/2+1))), 0o644); err != nil {
		t.Fatal(err)
	}
	net := read(t, dir)
	if len(net.Switches) != 1 || len(net.Unreadable) != 2 {
		t.Fatalf("%+v", net.Unreadable)
	}
	for _, u := range net.Unreadable {
		if !strings.Contains(u.Reason, "more than") {
			t.Errorf("%+v", u)
		}
	}
}

// TestLayouts: files, folders, an output directory, copies, notes beside them.
func TestLayouts(t *testing.T) {
	net := read(t, folder(t, map[string]string{
		"c1.cfg": comwareText, "v1.txt.gz": zipped(t, vrpText), "e1/running-config": eosText, "e1/startup-config": eosText, "e1/notes.txt": "rack 4",
		"s1/config_db.json": sonicText, "s1/frr.conf": "frr version 8\nrouter bgp 1\n", "README.md": "# backups", "cabling.csv": "a,b,length", ".git/config": "x",
		"site2/unnamed.cfg": strings.ReplaceAll(vrpText, "v1", "HUAWEI"),
	}))
	var names []string
	for _, sw := range net.Switches {
		names = append(names, sw.Name+" "+sw.OS+" "+sw.File)
	}
	want := []string{"c1 comware c1.cfg", "e1 eos e1/running-config", "s1 sonic s1/config_db.json", "unnamed vrp site2/unnamed.cfg", "v1 vrp v1.txt.gz"}
	if !slices.Equal(names, want) {
		t.Errorf("switches %q", names)
	}
	if len(net.Unreadable) != 0 {
		t.Errorf("unreadable %+v", net.Unreadable)
	}
	if want := []string{"README.md", "cabling.csv", "e1/notes.txt", "e1/startup-config", "s1/frr.conf"}; !slices.Equal(net.Skipped, want) {
		t.Errorf("skipped %q", net.Skipped)
	}
	if got := net.Quote("e1/running-config", 7); got != "priority-flow-control on" {
		t.Errorf("quoted %q", got)
	}

	out := read(t, folder(t, map[string]string{"manifest.json": "{}", "plan.json": "{}", "hosts/gpu-001/nccl.conf": "x", "switches/e1/startup-config": eosText, "switches/e1/steps-to-check.txt": "steps"}))
	if len(out.Switches) != 1 || len(out.Unreadable) != 0 {
		t.Errorf("output directory: %+v %+v", out.Switches, out.Unreadable)
	}
	twice := read(t, folder(t, map[string]string{"a/one.cfg": comwareText, "b/two.cfg": comwareText}))
	if len(twice.Switches) != 1 || len(twice.Unreadable) != 1 || !strings.Contains(twice.Unreadable[0].Reason, "copy") {
		t.Errorf("copies: %+v", twice.Unreadable)
	}
	if _, err := Dir(context.Background(), t.TempDir()); err == nil {
		t.Error("an empty directory is no network")
	}
	if _, err := Dir(context.Background(), filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("a directory that is not there")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Dir(ctx, folder(t, map[string]string{"a.cfg": comwareText})); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// TestDoubts: a text without its closing line is judged, with a doubt.
func TestDoubts(t *testing.T) {
	net := read(t, folder(t, map[string]string{"a.txt": strings.TrimSuffix(strings.TrimPrefix(eosText, "! device: e1 (DCS-7060X6-64PE-B, EOS-4.35.1F)\n"), "end\n")}))
	if len(net.Switches) != 1 || len(net.Doubts) != 1 || !net.Doubts[0].Broken {
		t.Errorf("%+v %+v", net.Unreadable, net.Doubts)
	}
}

// TestLLDP reads the neighbour tables of four systems (columns as in the public
// samples the vendor references name; every name and address is made up).
func TestLLDP(t *testing.T) {
	files := map[string]string{
		"c1.cfg": comwareText, "v1.cfg": vrpText, "e1.txt": eosText,
		"s1/config_db.json": strings.Replace(sonicText, `"admin_status": "up"`, `"admin_status": "up", "alias": "etp1a"`, 1),
		"s1/lldp.txt":       "Capability codes: (R) Router, (B) Bridge, (O) Other\nLocalPort    RemoteDevice    RemotePortID     Capability    RemotePortDescr\n-----------  --------------  ---------------  ------------  -----\nEthernet0    e1              Ethernet1/1      BR            spare\n",
		"lldp-c1.txt":       "Chassis ID : * -- -- Nearest nontpmr bridge neighbor\nSystem Name          Local Interface Chassis ID      Port ID\nv1                   400GE1/0/1      0001-0203-0405  100GE1/0/1\ngpu-17               400GE1/0/2      0001-0203-0406  ens1\n",
		"lldp/e1.txt":       "Port          Neighbor Device ID       Neighbor Port ID    TTL\n----------\nEt1/1         s1.example.net           etp1a               120\n",
		"v1_lldp.txt":       "Local Interface         Exptime(s) Neighbor Interface       Neighbor Device\n100GE1/0/1                     104  FourHundredGigE1/0/1     c1\n",
		"stranger-lldp.txt": "Et1/1 e1 Ethernet1/1 120\n",
	}
	net := read(t, folder(t, files))
	var got []string
	for _, n := range net.Neighbors {
		got = append(got, n.Switch+" "+n.Port+" "+n.Remote+" "+n.RemotePort)
	}
	slices.Sort(got)
	want := []string{"c1 FourHundredGigE1/0/1 v1 100GE1/0/1", "e1 Ethernet1/1 s1 Ethernet0", "s1 Ethernet0 e1 Ethernet1/1", "v1 100GE1/0/1 c1 FourHundredGigE1/0/1"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if !slices.ContainsFunc(net.Skipped, func(s string) bool { return strings.HasPrefix(s, "stranger-lldp.txt") }) {
		t.Errorf("skipped %q", net.Skipped)
	}
}

// TestRowsAgree: the quick way through clean texts gives what the parser gives.
func TestRowsAgree(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../*/testdata/*.cfg", "../../fixtures/running/audit/*/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	d, quick := newDetector(), 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			continue // a folder
		}
		r, ok := readers()[d.system(string(body[:min(len(body), headSize)]))]
		if !ok {
			continue
		}
		if _, ok := clean(string(body), body, r.syntax); !ok {
			continue
		}
		quick++
		tree, problems := clitree.Parse(body, r.syntax)
		if p := clitree.Worst(problems, clitree.Fatal); p != nil {
			t.Errorf("%s: the parser refuses it: %+v", file, p)
			continue
		}
		want := slices.Collect(flatten(tree))
		got := slices.Collect(cut(string(body), r.syntax))
		if !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("%s: row %d is %+v, the parser has %+v", file, i, got[i], want[i])
					break
				}
			}
			t.Errorf("%s: %d rows, the parser has %d", file, len(got), len(want))
		}
	}
	if quick < 15 {
		t.Errorf("only %d files went the quick way", quick)
	}
}

// FuzzExamine feeds whole files to everything that reads them.
func FuzzExamine(f *testing.F) {
	for _, s := range []string{comwareText, vrpText, eosText, sonicText, "", "#\n", "!\nend\n", "{\"PORT\": {\"Ethernet0\": {}", "interface Ethernet1/1\n   uc-tx-queue 9\n"} {
		f.Add([]byte(s))
	}
	d, known := newDetector(), readers()
	f.Fuzz(func(t *testing.T, body []byte) {
		out := d.examine(fstest.MapFS{"x": {Data: body}}, "x", known, &scratch{})
		if (out.sw == nil) == (out.fault == nil) {
			t.Errorf("neither read nor refused: %+v", out)
		}
		if out.fault != nil && (out.fault.Reason == "" || out.fault.Line < 0) {
			t.Errorf("no reason: %+v", out.fault)
		}
	})
}
