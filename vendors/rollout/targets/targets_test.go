package targets

import (
	"bytes"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

func sw(name, osName, address string) *fabric.Switch {
	s := &fabric.Switch{Name: name, OS: osName}
	if address != "" {
		s.Management = netip.MustParsePrefix(address)
	}
	return s
}

const whole = `
tls-ca: ca.pem
username: admin
password: {env: TARGETS_TEST_PASSWORD}
timeout: 2s
os:
  sonic: {port: 8080, username: sonic}
targets:
  - {name: "leaf-*", tls-server-name: leaf.example}
  - {name: leaf-02, address: "10.0.0.2:9000", netrc: netrc}
  - name: spine-01
    address: spine.example
    insecure: false
    skip-verify: true
`

func TestLayers(t *testing.T) {
	f, err := Read("targets.yaml", strings.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	list, err := f.Resolve([]*fabric.Switch{sw("leaf-01", "eos", "10.0.0.1/24"), sw("leaf-02", "eos", "10.0.0.9/24"), sw("spine-01", "sonic", "")})
	if err != nil {
		t.Fatal(err)
	}
	if got := list[0]; got.Address() != "10.0.0.1:6030" || got.Username != "admin" || got.ServerName != "leaf.example" || got.CA != "ca.pem" || got.Password.Env == "" {
		t.Errorf("leaf-01: %+v", got)
	}
	if got := list[1]; got.Address() != "10.0.0.2:9000" || got.Netrc != "netrc" || got.Password != (Reference{}) {
		t.Errorf("leaf-02: %+v", got)
	}
	if got := list[2]; got.Address() != "spine.example:8080" || got.Username != "sonic" || !got.SkipVerify || got.Insecure {
		t.Errorf("spine-01: %+v", got)
	}
	t.Setenv("TARGETS_TEST_PASSWORD", "from-env")
	open := func(name string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(map[string]string{"ca.pem": "PEM",
			"netrc": "machine other login a password b\nmachine 10.0.0.2 login admin password from-netrc\n"}[name])), nil
	}
	ends, err := f.Endpoints(list, open)
	if err != nil {
		t.Fatal(err)
	}
	if string(ends[0].Password) != "from-env" || string(ends[1].Password) != "from-netrc" || string(ends[0].Security.CA) != "PEM" {
		t.Errorf("endpoints: %q %q", string(ends[0].Password), string(ends[1].Password))
	}
	os.Unsetenv("TARGETS_TEST_PASSWORD")
	if _, err := f.Endpoints(list, open); err == nil || strings.Count(err.Error(), "TARGETS_TEST_PASSWORD") != 1 {
		t.Errorf("one problem for all switches, got %v", err)
	}
}

func TestProblems(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"unknown key", "tls_ca: x\n", "t.yaml:1:1: tls_ca: unknown key (did you mean tls-ca?)"},
		{"password in clear", "password: hunter2\n", "t.yaml:1:1: password:"},
		{"two references", "password: {env: A, file: b}\n", "needs one of env and file"},
		{"port", "targets:\n  - {name: a, port: 70000}\n", "t.yaml:2:15: targets[0].port: the number 70000 is no TCP port"},
		{"no name", "targets:\n  - {address: 10.0.0.1}\n", "targets[0].name: is missing"},
		{"address", "targets:\n  - {name: a, address: \"a b\"}\n", "cannot hold ' '"},
		{"glob", "targets:\n  - {name: \"leaf-[\"}\n", "is no name and no glob"},
		{"plaintext with TLS", "insecure: true\ntls-ca: a\n", "TLS settings stand beside it"},
		{"half a pair", "tls-cert: a\n", "go together"},
		{"timeout", "timeout: 1ms\n", "not between"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Read("t.yaml", strings.NewReader(row.text))
			if err == nil || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "hunter2") {
				t.Fatalf("got %v\nwant %s", err, row.want)
			}
		})
	}
	f, err := Read("t.yaml", strings.NewReader("username: admin\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Resolve([]*fabric.Switch{sw("a", "eos", ""), sw("b", "comware", "10.0.0.1/8"), sw("c", "eos", "10.0.0.1/8")})
	dup, dupErr := Read("t.yaml", strings.NewReader("targets: [{name: \"*\", address: 10.0.0.1}]"))
	if dupErr != nil {
		t.Fatal(dupErr)
	}
	if _, err := dup.Resolve([]*fabric.Switch{sw("a", "eos", ""), sw("b", "eos", "")}); err == nil || !strings.Contains(err.Error(), "b: has the address of a") {
		t.Error(err)
	}
	for _, want := range []string{"a: no address", "b: no port", "c: a username without password"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing from %v", want, err)
		}
	}
}

func TestNetrc(t *testing.T) {
	// The forms of the GNU inetutils manual, section "The .netrc file".
	const text = "# comment\nmachine a.example\n  login one password p1\nmacdef init\n machine a.example login x password y\n\nmachine a.example login two password \"p2\"\ndefault login anonymous password guest\n"
	for _, row := range []struct{ host, user, login, password string }{
		{"a.example", "", "one", "p1"}, {"a.example", "two", "two", "p2"}, {"b.example", "", "anonymous", "guest"}, {"b.example", "root", "", ""},
	} {
		login, password, ok := netrc(text, row.host, row.user)
		if ok != (row.login != "") || ok && (login != row.login || password != row.password) {
			t.Errorf("%s %s: %s %s %v", row.host, row.user, login, password, ok)
		}
	}
}

func TestWrittenFileReadsBack(t *testing.T) {
	f := &fabric.Fabric{Name: "x", Technology: fabric.RoCE, Switches: []fabric.Switch{*sw("leaf-01", "eos", "10.0.0.1/24"), *sw("spine-01", "sonic", "")}}
	var b bytes.Buffer
	if err := Write(&b, f); err != nil {
		t.Fatal(err)
	}
	file, err := Read("targets.yaml", &b)
	if err != nil {
		t.Fatal(err)
	}
	list, err := file.Resolve([]*fabric.Switch{&f.Switches[0], &f.Switches[1]})
	if err != nil {
		t.Fatal(err)
	}
	if list[0].Address() != "10.0.0.1:6030" || list[1].Address() != "spine-01:8080" {
		t.Errorf("%s %s", list[0].Address(), list[1].Address())
	}
	ib := &fabric.Fabric{Name: "x", Technology: fabric.InfiniBand, Switches: f.Switches}
	b.Reset()
	if err := Write(&b, ib); err != nil {
		t.Fatal(err)
	}
	if _, err := Read("targets.yaml", &b); err != nil {
		t.Fatal(err)
	}
}

func TestBeside(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "pw"), []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Beside(filepath.Join(dir, "targets.yaml"))("pw")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func FuzzRead(f *testing.F) {
	f.Add(whole)
	f.Add("targets: [{name: a}]")
	f.Add("password: {env: }")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read("t.yaml", strings.NewReader(text))
		if err == nil {
			_, _ = file.Resolve([]*fabric.Switch{sw("leaf-01", "eos", "")})
		}
	})
}

func FuzzNetrc(f *testing.F) {
	f.Add("machine a login b password c", "a")
	f.Add("default login", "x")
	f.Fuzz(func(t *testing.T, text, host string) {
		if login, password, ok := netrc(text, host, ""); ok && (login == "" || password == "") {
			t.Fatal("half a login")
		}
	})
}

func TestPermit(t *testing.T) {
	list := []Target{{Switch: "a", Insecure: true, SkipVerify: true}, {Switch: "b", SkipVerify: true}, {Switch: "c"}}
	if _, err := Permit(list, false); err == nil || err.Error() != "the targets file asks for no TLS to a and no verification of b: say --insecure if that is meant" {
		t.Errorf("%v", err)
	}
	w, err := Permit(list, true)
	if err != nil || len(w) != 2 || !strings.HasPrefix(w[0], "NO TLS to a:") || !strings.HasPrefix(w[1], "TLS WITHOUT VERIFICATION to b:") {
		t.Errorf("%q %v", w, err)
	}
	if w, err := Permit(list[2:], false); err != nil || len(w) > 0 {
		t.Errorf("%q %v", w, err)
	}
}
