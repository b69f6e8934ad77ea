package cumulus

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
	"gopkg.in/yaml.v3"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files")

type golden struct {
	name string
	f    *fabric.Fabric
	sw   int
}

// goldens are read line by line against the sources in doc.go when they change.
func goldens() []golden {
	return []golden{
		{"leaf", leafSpine(true), 0},
		{"leaf-5.9", released("5.9.2"), 0},
		{"leaf-5.14", released("5.14.0"), 0},
		{"spine", leafSpine(true), 1},
		{"single", single(), 0},
		{"single-v1", ethernet(), 0},
		{"breakout", breakout(), 0},
		{"unnumbered-leaf", unnumbered(), 0},
		{"unnumbered-spine", unnumbered(), 1},
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
			for name, suffix := range map[string]string{startup: ".yaml", breakouts: ".breakout.yaml", stepsToCheck: ".steps.txt"} {
				path := filepath.Join("testdata", g.name+suffix)
				if _, ok := files[name]; !ok {
					if _, err := os.Stat(path); err == nil {
						t.Errorf("%s is no longer rendered", path)
					}
					continue
				}
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

// TestShape holds every document against what the device prints: two blanks per
// level below "set", keys sorted, no key twice.
func TestShape(t *testing.T) {
	for _, g := range goldens() {
		for name, body := range render(t, g.f, g.sw) {
			if !strings.HasSuffix(name, ".yaml") {
				continue
			}
			if !strings.HasPrefix(body, "# device: ") || !strings.Contains(body, "\n- set:\n    ") {
				t.Errorf("%s/%s: does not begin with the device and a set", g.name, name)
			}
			for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
				indent := len(line) - len(strings.TrimLeft(line, " "))
				if strings.ContainsAny(line, "\t\r") || line != strings.TrimRight(line, " ") || line == "" || indent%2 != 0 || strings.Contains(line, "invalid") {
					t.Errorf("%s/%s:%d: %q", g.name, name, i+1, line)
				}
			}
			sorted(t, g.name+"/"+name, "", document(t, body))
		}
	}
}

// document parses strictly: yaml.v3 refuses a key that stands twice.
func document(t testing.TB, body string) *yaml.Node {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(body), &root); err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	var twice any
	if err := root.Decode(&twice); err != nil {
		t.Fatal(err)
	}
	list := root.Content[0]
	if list.Kind != yaml.SequenceNode || len(list.Content) != 1 || list.Content[0].Content[0].Value != "set" {
		t.Fatalf("no list of one set:\n%s", body)
	}
	return list.Content[0].Content[1]
}

// sorted looks at fixed keys only; ports, addresses and numbers have an order of
// their own, and BGP's switch stands where the older "enable" stood.
func sorted(t *testing.T, name, path string, n *yaml.Node) {
	t.Helper()
	last := ""
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz-") == "" && path != " system aaa user" && (key != "state" || !strings.Contains(path, "bgp")) {
			if key < last {
				t.Errorf("%s:%s: %q after %q", name, path, key, last)
			}
			last = key
		}
		sorted(t, name, path+" "+key, n.Content[i+1])
	}
}

// TestDoNotEmit lists keys that belong to another release, to the shorthand or
// to what the device does better itself.
func TestDoNotEmit(t *testing.T) {
	never := []string{
		"roce", "xoff", "xon-threshold", "port-buffer", // the shorthand; bytes the vendor advises against
		"fec", "auto-negotiate", "lanes-per-port", // set by the optic, by the device
		" rx:", " tx:", // on in a profile, and documented the wrong way round
		"ecn: enable", // on in a profile
		"red:", "remark", "adaptive-routing", "snippet", "header:", "<",
		"maximum-paths", "remote-as: external", // a blog's key; the plan knows the number
		"redistribute", // would announce link addresses
		"enable: 'on'", "state: on", "enable: enabled", "service:\n      lldp",
		"allowas-in", // would allow bounced paths and so buffer cycles
	}
	older := []string{"        ip:\n", "enable: on", "admin-edge: on", "aspath-ignore: on", "\n    service:\n"}
	newer := []string{"ipv4:", "state: enabled\n        router-id", "admin-edge: enabled", "aspath-ignore: enabled", "\n      ntp:\n        server:"}
	for _, g := range goldens() {
		words := append(slices.Clone(never), older...)
		if minor, _ := minorOf(g.f.Switches[g.sw].Release); minor < 15 {
			words = append(slices.Clone(never), newer...)
		}
		body := render(t, g.f, g.sw)[startup]
		for _, word := range words {
			if strings.Contains(body, word) {
				t.Errorf("%s: emits %q", g.name, word)
			}
		}
	}
}

func TestSecretMarksFile(t *testing.T) {
	f := breakout()
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
		{Name: "no", Role: "admin", PasswordHash: env("YESCRYPT")},
		{Name: "bad", Role: "admin", PasswordHash: env("CISCO"), SSHKeys: []string{"ssh-rsa AAAA"}},
		{Name: "key", Role: "admin", SSHKeys: []string{"ssh-rsa K1 me@here", "ssh-unknown K2", "ssh-ed25519 K3"}},
		{Name: "none", Role: "admin"},
		{Name: "evil", Role: "admin", SSHKeys: []string{"ssh-rsa AAAA\n          root:"}},
	}
	got := render(t, f, 0)
	want := `        user:
          key:
            hashed-password: '*'
            role: system-admin
            ssh:
              authorized-key:
                key-1:
                  key: K1
                  type: ssh-rsa
                key-2:
                  key: K3
                  type: ssh-ed25519
          'no':
            hashed-password: '$y$j9T$abc$def'
            role: system-admin
          ops:
            hashed-password: '` + hash + `'
            role: nvue-monitor
      api:
`
	if !strings.Contains(got[startup], want) {
		t.Errorf("users:\n%s", got[startup][strings.Index(got[startup], "        user:"):])
	}
	if !strings.Contains(got[stepsToCheck], "CUMULUS_HASH_FORM\n   the password hash of user bad ") || strings.Contains(got[stepsToCheck], "0123456789abcdef") {
		t.Errorf("the foreign hash is not reported by name alone:\n%s", got[stepsToCheck])
	}
	f.Management.Users = []fabric.User{{Name: "admin", PasswordHash: env("UNSET")}}
	_, err := driver(t).Render(f, &f.Switches[0], testSecrets)
	if err == nil || !strings.Contains(err.Error(), "leaf-u01-r0-1: password hash of user admin: ") {
		t.Errorf("error of an unset secret: %v", err)
	}
}

// TestOverlay lays a site's own part over one of ours.
func TestOverlay(t *testing.T) {
	site := func(name, body string) fstest.MapFS {
		return fstest.MapFS{"cumulus/" + name: {Data: []byte(body)}}
	}
	d, err := New(site("service.tmpl", "    service:\n      ptp:\n        '1':\n          state: enabled\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := single()
	files, err := d.Render(f, &f.Switches[0], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	if body := string(files[0].Body); !strings.Contains(body, "    service:\n      ptp:\n        '1':\n          state: enabled\n    system:\n") {
		t.Errorf("the site's part is not in place:\n%s", body)
	}
	if _, err := New(site("vrf.tmpl", "{{if}}")); err == nil || !strings.Contains(err.Error(), "cumulus/vrf.tmpl") {
		t.Errorf("a broken template: %v", err)
	}
	for _, c := range []struct{ body, want string }{
		{"x\n{{.NoSuchField}}", "vrf.tmpl:2"},
		{"   vrf:\n", "not an NVUE document (output line "},
		{"    system: {}\n", "not an NVUE document (output line "}, // a key twice
		{"    x: \"{{(index .Users 0).Hash}}\n", "not an NVUE document"},
	} {
		d, err := New(site("vrf.tmpl", c.body))
		if err != nil {
			t.Fatal(err)
		}
		_, err = d.Render(f, &f.Switches[0], testSecrets)
		if err == nil || !strings.Contains(err.Error(), "leaf-u01-r0-1: template ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "$6$") {
			t.Errorf("template %q: %v", c.body, err)
		}
	}
}

// wide is a leaf of 128 ports at 400G, half of them uplinks.
func wide() *fabric.Fabric {
	f := base(panel("nvidia-sn5600", "spc4", 64, 800, "OSFP"))
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
