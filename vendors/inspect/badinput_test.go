//go:build unix

package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// TestNoFiles: things that lie in a directory and are no files must neither block
// nor be taken for switches; links that lead nowhere or out are named.
func TestNoFiles(t *testing.T) {
	dir := folder(t, map[string]string{"good.txt": eosText, "sub.cfg/inner.cfg": comwareText, "real/v.cfg": vrpText})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		syscall.Mkfifo(at("pipe.cfg"), 0o644), syscall.Mkfifo(at("real/lldp-pipe"), 0o644),
		os.Symlink("pipe.cfg", at("to-pipe.cfg")), os.Symlink("loop2", at("loop1")), os.Symlink("loop1", at("loop2")),
		os.Symlink(".", at("myself")), os.Symlink("real", at("current")), os.Symlink("nowhere", at("broken.cfg")),
		os.Symlink("/etc/hostname", at("outside.cfg")), os.Symlink("real/v.cfg", at("again.cfg")),
	} {
		if err != nil {
			t.Skipf("cannot make it here: %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		net, err := Dir(ctx, dir)
		if err != nil {
			t.Error(err)
			return
		}
		if len(net.Switches) != 3 {
			t.Errorf("%d switches", len(net.Switches))
		}
		reasons := map[string]string{}
		for _, u := range net.Unreadable {
			reasons[u.File] = u.Reason
		}
		for file, want := range map[string]string{"loop1": "", "loop2": "", "broken.cfg": "no such file", "outside.cfg": "escapes", "again.cfg": "copy", "real/v.cfg": "copy"} {
			got, ok := reasons[file]
			if file == "again.cfg" || file == "real/v.cfg" {
				continue // one of the two is the copy
			}
			if !ok || !strings.Contains(got, want) {
				t.Errorf("%s: %q, want %q", file, got, want)
			}
		}
		if reasons["again.cfg"]+reasons["real/v.cfg"] == "" || len(reasons) != 5 {
			t.Errorf("unreadable: %v", reasons)
		}
	}()
	select {
	case <-done:
	case <-ctx.Done():
		t.Fatal("it waits for a pipe")
	}
}

func TestUnreadableFile(t *testing.T) {
	dir := folder(t, map[string]string{"good.txt": eosText, "secret.cfg": comwareText})
	if err := os.Chmod(filepath.Join(dir, "secret.cfg"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(filepath.Join(dir, "secret.cfg")); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	net := read(t, dir)
	if len(net.Switches) != 1 || len(net.Unreadable) != 1 || !strings.Contains(net.Unreadable[0].Reason, "permission denied") {
		t.Errorf("%+v", net.Unreadable)
	}
}

// TestEncodings: UTF-16 as Windows terminals save it and GBK as Chinese ones do.
func TestEncodings(t *testing.T) {
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.ReplaceAll(comwareText, "\n", "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	chinese, err := simplifiedchinese.GBK.NewEncoder().String(strings.Replace(vrpText, " undo portswitch", " description 上联核心交换机\n undo portswitch", 1))
	if err != nil {
		t.Fatal(err)
	}
	db, err := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(sonicText)
	if err != nil {
		t.Fatal(err)
	}
	net := read(t, folder(t, map[string]string{"wide.cfg": wide, "chinese.cfg": chinese, "db.json": db, "bom.txt": "\ufeff" + strings.ReplaceAll(eosText, "\n", "\r\n")}))
	if len(net.Switches) != 4 || len(net.Unreadable) != 0 {
		t.Fatalf("%d switches, unreadable %+v", len(net.Switches), net.Unreadable)
	}
	for _, sw := range net.Switches {
		if len(sw.Ports) == 0 || sw.OS != "sonic" && sw.Ports[0].PFC.Lossless() == 0 {
			t.Errorf("%s: %+v", sw.Name, sw.Ports)
		}
	}
	if got := net.Switches[3].Ports[0].Description; net.Switches[3].Name != "v1" || got != "上联核心交换机" {
		t.Errorf("description %q of %s", got, net.Switches[3].Name)
	}
	if got := net.Quote("wide.cfg", 7); got != "port link-mode route" {
		t.Errorf("quoted %q", got)
	}
}

// TestSparse: a gigabyte of nothing is refused by its size, without reading it.
func TestSparse(t *testing.T) {
	dir := folder(t, map[string]string{"good.txt": eosText})
	f, err := os.Create(filepath.Join(dir, "huge.cfg"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 30); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	start := time.Now()
	net := read(t, dir)
	if len(net.Unreadable) != 1 || !strings.Contains(net.Unreadable[0].Reason, "1073741824 bytes") || time.Since(start) > 5*time.Second {
		t.Errorf("%+v after %v", net.Unreadable, time.Since(start))
	}
}

// TestNothingOutlivesItsFile: workers read one file after the other into the same
// memory, so whatever is kept must be a copy.
func TestNothingOutlivesItsFile(t *testing.T) {
	bodies := []string{}
	files, err := filepath.Glob("../../fixtures/running/audit/*/*")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		if body, err := os.ReadFile(file); err == nil {
			bodies = append(bodies, string(body))
		}
	}
	for _, body := range append(bodies, []string{comwareText, vrpText, eosText, sonicText, "- set:\n    interface:\n      swp1:\n        description: up\n        qos:\n          pfc:\n            profile: far\n    system:\n      hostname: n1\n"}...) {
		dir := folder(t, map[string]string{"a": body})
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		examined := func(spoil bool) string {
			var s scratch
			out := newDetector().examine(root.FS(), "a", readers(), &s)
			if out.sw == nil {
				t.Fatalf("%q: %v", body, out.fault)
			}
			if spoil {
				copy(s.buf[:cap(s.buf)], bytes.Repeat([]byte{'?'}, cap(s.buf)))
			}
			return render(out.sw)
		}
		if kept, spoiled := examined(false), examined(true); kept != spoiled {
			t.Errorf("something points into the file that was read:\n%s\n%s", kept, spoiled)
		}
	}
}

// render writes everything a switch holds.
func render(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// TestSwollen: texts that would make far more of themselves than they are.
func TestSwollen(t *testing.T) {
	var cli, commands, db, keys strings.Builder
	cli.WriteString("#\n version 9.1.058, Release 9126\n#\n sysname swollen\n#\n")
	for i := range 20_000 {
		fmt.Fprintf(&cli, "interface FourHundredGigE1/0/%d\n port link-mode route\n qos trust dscp\n#\n", i)
		fmt.Fprintf(&commands, "nv set interface swp%ds0-4000 link mtu 9000\n", i)
		fmt.Fprintf(&keys, "        k%d: {}\n", i)
		fmt.Fprintf(&db, "\"Ethernet%d\": {\"admin_status\": \"up\"},\n", i)
	}
	cli.WriteString("return\n")
	start := time.Now()
	net := read(t, folder(t, map[string]string{
		"good.txt": eosText, "cli.cfg": cli.String(), "commands.txt": "nv set system hostname c\n" + commands.String(),
		"db.json": "{\"PORT\": {" + strings.TrimSuffix(db.String(), ",\n") + "}}", "keys.yaml": "- set:\n    interface:\n      swp1: {}\n    x:\n" + keys.String(),
	}))
	if len(net.Switches) != 2 || len(net.Unreadable) != 3 || time.Since(start) > 20*time.Second {
		t.Errorf("%d switches, unreadable %+v, after %v", len(net.Switches), net.Unreadable, time.Since(start))
	}
	for _, u := range net.Unreadable {
		if !strings.Contains(u.Reason, "no single switch") && !strings.Contains(u.Reason, "more often") {
			t.Errorf("%+v", u)
		}
	}
}
