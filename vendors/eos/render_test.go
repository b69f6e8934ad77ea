package eos

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aymanbagabas/go-udiff"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files")

// goldens are read line by line against the sources in doc.go when they change.
func goldens() []struct {
	name string
	f    *fabric.Fabric
	sw   int
} {
	return []struct {
		name string
		f    *fabric.Fabric
		sw   int
	}{
		{"leaf", leafSpine(true), 0},
		{"spine", leafSpine(true), 1},
		{"single", single(), 0},
		{"breakout", breakout(), 0},
		{"unnumbered-leaf", unnumbered(), 0},
		{"unnumbered-spine", unnumbered(), 1},
		{"jericho-spine", jericho(), 1},
	}
}

func driver(t testing.TB) *Driver {
	t.Helper()
	d, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func render(t testing.TB, f *fabric.Fabric, sw int) map[string]string {
	t.Helper()
	files, err := driver(t).Render(f, &f.Switches[sw], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range files {
		out[file.Name] = string(file.Body)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			files := render(t, g.f, g.sw)
			for name, file := range map[string]string{startupConfig: g.name + ".cfg", stepsToCheck: g.name + ".steps.txt"} {
				path := filepath.Join("testdata", file)
				if *update {
					if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
						t.Fatal(err)
					}
					continue
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := udiff.Unified(path, name, string(want), files[name]); diff != "" {
					t.Errorf("run with -update and read the change:\n%s", diff)
				}
			}
		})
	}
}

// TestShape holds every file against what "show running-config" looks like.
func TestShape(t *testing.T) {
	for _, g := range goldens() {
		cfg := render(t, g.f, g.sw)[startupConfig]
		if !strings.HasPrefix(cfg, "! device: ") || !strings.HasSuffix(cfg, "\n!\nend\n") {
			t.Errorf("%s: does not begin with the device and end with end", g.name)
		}
		depth := 0
		for i, line := range strings.Split(strings.TrimSuffix(cfg, "\n"), "\n") {
			text := strings.TrimLeft(line, " ")
			indent := len(line) - len(text)
			switch {
			case strings.ContainsAny(line, "\t\r") || line != strings.TrimRight(line, " ") || line == "":
				t.Errorf("%s:%d: tab, carriage return, trailing or lone blank: %q", g.name, i+1, line)
			case indent%3 != 0 || indent/3 > depth+1:
				t.Errorf("%s:%d: indented by %d after depth %d: %q", g.name, i+1, indent, depth, line)
			case strings.Contains(line, "invalid") || strings.Contains(line, "<"):
				t.Errorf("%s:%d: unset value: %q", g.name, i+1, line)
			}
			if text != "!" {
				depth = indent / 3
			}
		}
		if strings.Contains(cfg, "!\n!\n") {
			t.Errorf("%s: two separators in a row", g.name)
		}
	}
}

// TestEveryLineIsConfirmed: every line has a rule with a source, and stands where
// the switch takes it.
func TestEveryLineIsConfirmed(t *testing.T) {
	d := driver(t)
	g, err := d.Grammar()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range goldens() {
		sw := &c.f.Switches[c.sw]
		for _, x := range g.Check([]byte(render(t, c.f, c.sw)[startupConfig]), d.Family(c.f.ModelOf(sw), sw.Release)) {
			t.Errorf("%s:%d: %q in view %s: %s", c.name, x.Line, x.Text, x.View, x.Reason)
		}
	}
}

// TestOrder is the order of blocks of EOS 4.35 (AVD, eos-intended-config).
func TestOrder(t *testing.T) {
	order := []string{
		"\nusername ", "\nservice routing protocols", "\nlogging ", "\nhostname ", "\nip name-server ", "\nqos profile ",
		"\nspanning-tree mode", "\nvlan ", "\nvrf instance ", "\nmanagement api gnmi", "\naaa authorization ",
		"\ninterface Ethernet", "\ninterface Loopback", "\ninterface Management", "\ninterface Vlan", "\nip routing",
		"\nip community-list", "\nip prefix-list ", "\nipv6 unicast-routing", "\nip route ", "\nntp server ", "\nqos map ",
		"\npriority-flow-control ", "\nroute-map ", "\nrouter bgp ", "\nend\n",
	}
	for _, g := range goldens() {
		cfg := render(t, g.f, g.sw)[startupConfig]
		last := 0
		for _, head := range order {
			at := strings.Index(cfg, head)
			if at < 0 {
				continue
			}
			if at < last {
				t.Errorf("%s: %q stands too early", g.name, strings.TrimSpace(head))
			}
			last = strings.LastIndex(cfg, head)
		}
	}
}

func TestSecretMarksFile(t *testing.T) {
	f := single()
	files, err := driver(t).Render(f, &f.Switches[0], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if has := bytes.Contains(file.Body, []byte("$6$salt")); has != file.Secret {
			t.Errorf("%s: holds a hash: %v, marked secret: %v", file.Name, has, file.Secret)
		}
	}
}

func TestUsers(t *testing.T) {
	f := single()
	env := func(name string) fabric.Secret { return fabric.Secret{Env: name} }
	f.Management.Users = []fabric.User{
		{Name: "ops", Role: "operator", PasswordHash: env("ADMIN_HASH")},
		{Name: "yes", Role: "admin", PasswordHash: env("YESCRYPT"), SSHKeys: []string{"ssh-rsa AAAA"}},
		{Name: "key", Role: "admin", SSHKeys: []string{"ssh-rsa K1", "ssh-rsa K2", "ssh-rsa K3"}},
		{Name: "none", Role: "admin"},
		{Name: "evil", Role: "admin", SSHKeys: []string{"ssh-rsa AAAA\nusername root nopassword"}},
	}
	got := render(t, f, 0)
	want := "!\nusername ops privilege 1 role network-operator secret sha512 " + hash +
		"\nusername key privilege 15 role network-admin nopassword\nusername key ssh-key ssh-rsa K1\nusername key ssh-key secondary ssh-rsa K2\n!"
	if !strings.Contains(got[startupConfig], want) {
		t.Errorf("users:\n%s", got[startupConfig][:600])
	}
	if !strings.Contains(got[stepsToCheck], "EOS_HASH_FORM\n   the password hash of user yes ") || strings.Contains(got[stepsToCheck], "$y$") {
		t.Errorf("the foreign hash is not reported by name alone:\n%s", got[stepsToCheck])
	}
	var codes []string
	for _, x := range driver(t).Check(f, &f.Switches[0]) {
		codes = append(codes, x.Code)
	}
	for _, code := range []string{"EOS_USER_NOPASSWORD", "EOS_USER_WITHOUT_LOGIN", "EOS_SSH_KEYS"} {
		if !slices.Contains(codes, code) {
			t.Errorf("no finding %s in %v", code, codes)
		}
	}
	f.Management.Users = []fabric.User{{Name: "admin", PasswordHash: env("UNSET")}}
	_, err := driver(t).Render(f, &f.Switches[0], testSecrets)
	if err == nil || !strings.Contains(err.Error(), "leaf-u01-r0-1: password hash of user admin: ") {
		t.Errorf("error of an unset secret: %v", err)
	}
}

// TestOverlay lays a site's own part over one of ours.
func TestOverlay(t *testing.T) {
	site := fstest.MapFS{"eos/management.tmpl": {Data: []byte("!\nmanagement api gnmi\n   transport grpc site\n      port 57400\n\n")}}
	d, err := New(site)
	if err != nil {
		t.Fatal(err)
	}
	f := single()
	files, err := d.Render(f, &f.Switches[0], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	body := string(files[0].Body)
	if !strings.Contains(body, "!\nmanagement api gnmi\n   transport grpc site\n      port 57400\n!\ninterface Ethernet1/1\n") || strings.Contains(body, "transport grpc default") {
		t.Errorf("the site's part is not in place:\n%s", body)
	}
	if _, err := New(fstest.MapFS{"eos/bgp.tmpl": {Data: []byte("{{if}}")}}); err == nil || !strings.Contains(err.Error(), "eos/bgp.tmpl") {
		t.Errorf("a broken template: %v", err)
	}
	d, err = New(fstest.MapFS{"eos/bgp.tmpl": {Data: []byte("x\n{{.NoSuchField}}")}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Render(f, &f.Switches[0], testSecrets)
	if err == nil || !strings.Contains(err.Error(), "leaf-u01-r0-1") || !strings.Contains(err.Error(), "bgp.tmpl:2") {
		t.Errorf("a template with an unknown field: %v", err)
	}
}

// wide is a leaf of 128 ports at 400G, half of them uplinks.
func wide() *fabric.Fabric {
	f := base(panel("arista-7060x6-64pe", "th5", 64, 800, "OSFP"))
	f.VLANs = []fabric.VLAN{{ID: 100, Name: "rail0", Subnet: prefix("10.16.0.0/24"), Gateway: prefix("10.16.0.1/24")}}
	sw := fabric.Switch{Name: "leaf-u01-r0", Role: fabric.Leaf, ASN: 4200010000, Loopback: addr("10.255.0.11"), Management: prefix("192.168.100.11/22"), VLANs: []int{0}}
	spine := fabric.Switch{Name: "spine-01", Role: fabric.Spine, ASN: 4200001000, Loopback: addr("10.255.1.1")}
	for i := 1; i <= 64; i++ {
		cage(&sw, i, 2, 400, fabric.UnusedPort)
		cage(&spine, i, 2, 400, fabric.UnusedPort)
	}
	l, s := addSwitch(f, sw), addSwitch(f, spine)
	a := addr("10.240.0.0")
	for i := range 64 {
		host(f, l, i, "gpu-001", 0, 0, 0)
		wire(f, l, 64+i, s, i, 0, a.String()+"/31")
		a = a.Next().Next()
	}
	return named(f)
}

func BenchmarkRender(b *testing.B) {
	f, d := wide(), driver(b)
	b.ReportAllocs()
	for b.Loop() {
		files, err := d.Render(f, &f.Switches[0], testSecrets)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(files[0].Body)))
	}
}

func BenchmarkCheck(b *testing.B) {
	f, d := wide(), driver(b)
	b.ReportAllocs()
	for b.Loop() {
		d.Check(f, &f.Switches[0])
	}
}
