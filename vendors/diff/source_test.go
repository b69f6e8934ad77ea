package diff

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree writes files under a temporary directory.
func tree(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		content := []byte(body)
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if _, err := z.Write(content); err != nil {
				t.Fatal(err)
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			content = b.Bytes()
		}
		if err := os.WriteFile(p, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const (
	eosA = "hostname a\n!\ninterface Ethernet1/1\n   mtu 9214\n!\nend\n"
	eosB = "hostname a\n!\ninterface Ethernet1/1\n   mtu 1400\n!\nend\n"
)

func intentOf(names []string, text string) Intent {
	in := Intent{}
	for _, n := range names {
		in.Switches = append(in.Switches, Switch{n, "eos"})
	}
	in.Render = func(_ context.Context, emit func(string, []File) error) error {
		for _, n := range names {
			if err := emit(n, []File{{"startup-config", []byte(text)}, {"steps-to-check.txt", nil}}); err != nil {
				return err
			}
		}
		return nil
	}
	return in
}

// TestLayouts are the ways in which tools leave configurations.
func TestLayouts(t *testing.T) {
	names := []string{"leaf-1", "leaf-1-3", "spine-01"}
	layouts := map[string]map[string]string{
		"oxidized":            {"leaf-1": eosA, "leaf-1-3": eosA, "spine-01": eosA},
		"oxidized groups":     {"hall-a/leaf-1": eosA, "hall-a/leaf-1-3": eosA, "hall-b/spine-01": eosA},
		"rancid":              {"dc/configs/leaf-1": eosA, "dc/configs/leaf-1-3": eosA, "dc/configs/spine-01": eosA, "dc/router.db": "x"},
		"endings":             {"leaf-1.cfg": eosA, "leaf-1-3.txt": eosA, "spine-01.conf": eosA},
		"domains":             {"leaf-1.example.net": eosA, "leaf-1-3.example.net.cfg": eosA, "SPINE-01.example.net": eosA},
		"words behind":        {"leaf-1-running-config.txt": eosA, "leaf-1-3_running.cfg": eosA, "spine-01-20260301.cfg": eosA},
		"folders":             {"leaf-1/running-config": eosA, "leaf-1-3/startup-config": eosA, "spine-01/anything.txt": eosA},
		"railyard":            {"switches/leaf-1/startup-config": eosA, "switches/leaf-1-3/startup-config": eosA, "switches/spine-01/startup-config": eosA, "switches/leaf-1/steps-to-check.txt": "x", "manifest.json": "{}"},
		"gzip":                {"leaf-1.cfg.gz": eosA, "leaf-1-3.gz": eosA, "spine-01/running-config.gz": eosA},
		"lldp tables beside":  {"leaf-1": eosA, "leaf-1-3": eosA, "spine-01": eosA, "leaf-1.lldp.txt": "x"},
		"hidden folders":      {"leaf-1": eosA, "leaf-1-3": eosA, "spine-01": eosA, ".git/leaf-1": eosB},
		"several dates":       {"leaf-1-20260101.cfg": eosB, "leaf-1-20260301.cfg": eosA, "leaf-1-3": eosA, "spine-01": eosA},
		"exact name is first": {"leaf-1": eosA, "leaf-1.example.net": eosB, "leaf-1-3": eosA, "spine-01": eosA},
	}
	for name, files := range layouts {
		r, err := Run(context.Background(), tree(t, files), "", intentOf(names, eosA), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, s := range r.Switches {
			if s.Status != Same {
				t.Errorf("%s: %s is %s (%s, %s)", name, s.Name, s.Status, s.File, s.Reason)
			}
		}
		if len(r.Switches) != len(names) {
			t.Errorf("%s: %d switches", name, len(r.Switches))
		}
	}
}

// TestOutcomes has a switch of every outcome.
func TestOutcomes(t *testing.T) {
	dir := tree(t, map[string]string{"same": eosA, "other": eosB, "cut": eosA[:30], "wrong": "#\nsysname a\n#\nvlan batch 10\n#\ninterface 100GE1/0/1\n port default vlan 10\n#\nreturn\n",
		"binary": strings.Repeat("\x01\x02\x03", 50), "stranger.cfg": "! device: stranger (DCS-7060X6-64PE, EOS-4.34.2F)\n" + eosA, "readme.txt": "hello",
		"part": "part#show running-config interfaces Ethernet1\n" + eosA})
	in := intentOf([]string{"same", "other", "cut", "wrong", "binary", "gone", "part"}, eosA)
	in.Switches = append(in.Switches, Switch{"odd", "junos"})
	render := in.Render
	in.Render = func(ctx context.Context, emit func(string, []File) error) error {
		if err := emit("odd", nil); err != nil {
			return err
		}
		return render(ctx, emit)
	}
	r, err := Run(context.Background(), dir, "", in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Switches {
		got = append(got, s.Name+" "+string(s.Status))
	}
	want := []string{"same same", "other differs", "cut unreadable", "wrong unreadable", "binary unreadable", "gone missing", "part unreadable", "odd unreadable", "stranger extra"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if r.Trouble() != 5 || !r.Differs() || !slices.Equal(r.Strange, []string{"readme.txt"}) {
		t.Errorf("trouble %d, differs %v, strange %q", r.Trouble(), r.Differs(), r.Strange)
	}
	var text bytes.Buffer
	if err := r.Text(&text, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"unreadable: cut: line 3: the text stops in mid line", "looks like vrp, not eos", "only a part of the configuration was asked for", `the system "junos" cannot be compared`,
		"missing, no running configuration was found: gone", "9 switches, 1 same, 1 differs, 1 missing, 1 extra, 5 unreadable"} {
		if !strings.Contains(text.String(), s) {
			t.Errorf("no %q in\n%s", s, text.String())
		}
	}
}

func TestUnreachable(t *testing.T) {
	source := &Source{Read: func(context.Context, string, []File) (Reading, error) {
		return Reading{}, fmt.Errorf("%w: dial tcp: i/o timeout", ErrUnreachable)
	}}
	s := NewSession(engines(t), source, []Switch{{"a", "eos"}}, Options{})
	if err := s.Add(context.Background(), "a", []File{{"startup-config", []byte(eosA)}}); err != nil {
		t.Fatal(err)
	}
	if r := s.Report(); r.Switches[0].Status != Unreachable || r.Trouble() != 1 {
		t.Errorf("%+v", r.Switches)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, tree(t, map[string]string{"a": eosA}), "", intentOf([]string{"a"}, eosA), Options{}); err == nil {
		t.Error("a cancelled comparison gave a report")
	}
}

func TestSelect(t *testing.T) {
	dir := tree(t, map[string]string{"leaf-1": eosA, "spine-1": eosB})
	r, err := Run(context.Background(), dir, "leaf-*", intentOf([]string{"leaf-1", "spine-1"}, eosA), Options{})
	if err != nil || len(r.Switches) != 1 || r.Switches[0].Status != Same {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := Run(context.Background(), dir, "core-*", intentOf([]string{"leaf-1"}, eosA), Options{}); err == nil {
		t.Error("a pattern without switches was taken")
	}
}
