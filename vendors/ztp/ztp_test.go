package ztp

import (
	"encoding/json"
	"flag"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files")

func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }

// mixed has a switch of every OS that boots without touch, and some that do not.
func mixed() *fabric.Fabric {
	return &fabric.Fabric{
		Name: "mixed",
		Switches: []fabric.Switch{
			{Name: "leaf-u01-r0", OS: "sonic", Management: prefix("192.168.100.11/22")},
			{Name: "leaf-u01-r1", OS: "cumulus", Management: prefix("192.168.100.12/22")},
			{Name: "leaf-u02-r0", OS: "comware", Management: prefix("192.168.100.13/22")},
			{Name: "leaf-u02-r1", OS: "vrp", Management: prefix("192.168.100.14/22")},
			{Name: "leaf-u03-r0"},
			{Name: "spine-01", OS: "eos", Management: prefix("192.168.101.1/22")},
		},
		Management: fabric.Management{
			Subnet: prefix("192.168.100.0/22"), Gateway: netip.MustParseAddr("192.168.100.1"),
			DNS: []netip.Addr{netip.MustParseAddr("192.168.100.2"), netip.MustParseAddr("192.168.100.3")},
		},
	}
}

func writer(t testing.TB, server string) *Writer {
	t.Helper()
	w, err := New(nil, server)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// of are the driver's files by name.
func of(names ...string) (files []fabric.File) {
	for _, n := range names {
		files = append(files, fabric.File{Name: n})
	}
	return files
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	at := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(at, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}

func TestGolden(t *testing.T) {
	w := writer(t, "")
	f := mixed()
	dhcp, err := w.DHCP(f)
	if err != nil {
		t.Fatal(err)
	}
	if dhcp.Name != "dhcpd.conf" || dhcp.Secret {
		t.Errorf("%s, secret %v", dhcp.Name, dhcp.Secret)
	}
	golden(t, "dhcpd.conf", string(dhcp.Body))
	for i, written := range [][]fabric.File{of("config_db.json", "frr.conf"), of("startup.yaml", "breakout.yaml")} {
		files, err := w.Files(&f.Switches[i], written)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		golden(t, files[0].Name, string(files[0].Body))
	}
}

// Which switch has which boot file, and what DHCP points it to.
func TestWays(t *testing.T) {
	w := writer(t, "https://10.0.0.5:8443/day0/")
	dhcp, err := w.DHCP(mixed())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sw      int
		written []fabric.File
		file    string // "" when the configuration itself is fetched
		line    string // in the switch's DHCP entry
	}{
		{0, of("config_db.json"), "ztp.json", `option bootfile-name "https://10.0.0.5:8443/day0/switches/leaf-u01-r0/ztp.json";`},
		{0, nil, "", `option bootfile-name "https://10.0.0.5:8443/day0/switches/leaf-u01-r0/ztp.json";`},
		{1, of("startup.yaml"), "cumulus-ztp.sh", `option cumulus-provision-url "https://10.0.0.5:8443/day0/switches/leaf-u01-r1/cumulus-ztp.sh";`},
		{2, of("startup.cfg"), "", `option bootfile-name "https://10.0.0.5:8443/day0/switches/leaf-u02-r0/startup.cfg";`},
		{3, of("vrpcfg.cfg"), "", ""},
		{4, nil, "", ""},
		{5, of("startup-config"), "", `option bootfile-name "https://10.0.0.5:8443/day0/switches/spine-01/startup-config";`},
	} {
		sw := &mixed().Switches[c.sw]
		files, err := w.Files(sw, c.written)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range files {
			got += f.Name
			if f.Secret {
				t.Errorf("%s of %s is secret", f.Name, sw.Name)
			}
		}
		if got != c.file {
			t.Errorf("%s (%s): boot file %q, want %q", sw.Name, sw.OS, got, c.file)
		}
		_, entry, _ := strings.Cut(string(dhcp.Body), "\nhost "+sw.Name+" {")
		entry, _, _ = strings.Cut(entry, "\n}")
		if hasLine := strings.Contains(entry, "bootfile-name") || strings.Contains(entry, "provision-url"); hasLine != (c.line != "") || !strings.Contains(entry, c.line) {
			t.Errorf("%s: entry%s", sw.Name, entry)
		}
	}
	if strings.Contains(string(dhcp.Body), "PLACEHOLDER server") {
		t.Error("a given server is called a placeholder")
	}
}

// SONiC reads the file as JSON, the section's name is the plugin's (sonic-ztp).
func TestZTPJSON(t *testing.T) {
	files, err := writer(t, "http://10.0.0.5").Files(&mixed().Switches[0], of("config_db.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]map[string]map[string]map[string]string
	if err := json.Unmarshal(files[0].Body, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]map[string]map[string]string{"ztp": {"configdb-json": {"url": {
		"source": "http://10.0.0.5/switches/leaf-u01-r0/config_db.json", "destination": "/etc/sonic/config_db.json"}}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// need finds a tool or skips; RAILYARD_REQUIRE_TOOLS=1 makes a missing one a failure.
func need(t *testing.T, tool, pkg string) {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	if _, err := exec.LookPath(tool); err == nil {
		return
	}
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatalf("needs %s (Debian: %s)", tool, pkg)
	}
	t.Skipf("needs %s (Debian: %s)", tool, pkg)
}

func dhcpd(t *testing.T, conf string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	at, leases := filepath.Join(dir, "dhcpd.conf"), filepath.Join(dir, "leases")
	for name, body := range map[string]string{at: conf, leases: ""} {
		if err := os.WriteFile(name, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "dhcpd", "-t", "-4", "-cf", at, "-lf", leases).CombinedOutput()
	return string(out), err
}

// A real DHCP server reads the snippet; with an entry broken it does not.
func TestRealServer(t *testing.T) {
	need(t, "dhcpd", "isc-dhcp-server")
	open := mixed()
	open.Management = fabric.Management{} // the site assigns addresses
	for i := range open.Switches {
		open.Switches[i].Management = netip.Prefix{}
	}
	one := mixed()
	one.Switches = one.Switches[5:]
	for _, f := range []*fabric.Fabric{mixed(), open, one} {
		conf, err := writer(t, "").DHCP(f)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := dhcpd(t, string(conf.Body)); err != nil {
			t.Errorf("%v:\n%s\n%s", err, out, conf.Body)
		}
	}
	conf, _ := writer(t, "").DHCP(mixed())
	for _, change := range [][2]string{
		{"option cumulus-provision-url code 239 = text;\n", ""},
		{"hardware ethernet 02:00:c0:a8:64:0b;", "hardware ethernet LEAF;"},
		{"fixed-address 192.168.100.11;", "fixed-address ;"},
	} {
		broken := strings.Replace(string(conf.Body), change[0], change[1], 1)
		if broken == string(conf.Body) {
			t.Fatalf("nothing like %q", change[0])
		}
		if out, err := dhcpd(t, broken); err == nil {
			t.Errorf("%q is accepted:\n%s", change[1], out)
		}
	}
}

// The script runs with stand-ins for the switch's own programs: in order, and it
// ends with an error at the first that fails.
func TestCumulusScript(t *testing.T) {
	need(t, "bash", "bash")
	files, err := writer(t, "http://10.0.0.5").Files(&mixed().Switches[1], of("startup.yaml", "breakout.yaml", "steps-to-check.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(files[0].Body), "#!/bin/bash\n") || !strings.Contains(string(files[0].Body), "# CUMULUS-AUTOPROVISIONING\n") {
		t.Error("the marker is missing")
	}
	const all = "curl http://10.0.0.5/switches/leaf-u01-r1/breakout.yaml\nnv patch breakout\nnv apply -y\n" +
		"curl http://10.0.0.5/switches/leaf-u01-r1/startup.yaml\nnv replace startup\nnv apply -y\nnv save\n"
	for _, c := range []struct {
		fails string // the call that fails
		want  string // calls that were made
	}{
		{"none", all},
		{"nv patch breakout", all[:strings.Index(all, "nv apply")]},
		{"curl http://10.0.0.5/switches/leaf-u01-r1/startup.yaml", all[:strings.Index(all, "nv replace")]},
		{"nv save", all},
	} {
		dir := t.TempDir()
		stub := func(name, body string) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+body), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		log := `; echo "$call" >> ` + dir + `/calls; [ "$call" != "` + c.fails + `" ]`
		stub("curl", `out="$5"; url="$6"; name=${url##*/}; echo "${name%.yaml}" > "$out"; call="curl $url"`+log)
		stub("nv", `[ "$1" = config ] || exit 9; case $2 in patch|replace) call="nv $2 $(cat "$3")";; apply) call="nv apply $3";; *) call="nv $2";; esac`+log)
		stub("ztp.sh", strings.ReplaceAll(string(files[0].Body), "/var/log/autoprovision", dir+"/log"))
		cmd := exec.CommandContext(t.Context(), "bash", filepath.Join(dir, "ztp.sh"))
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "TMPDIR="+dir)
		err := cmd.Run()
		if (err == nil) != (c.fails == "none") {
			t.Errorf("%s fails: the script ends with %v", c.fails, err)
		}
		calls, _ := os.ReadFile(filepath.Join(dir, "calls"))
		if d := cmp.Diff(c.want, string(calls)); d != "" {
			t.Errorf("%s fails (-want +got):\n%s", c.fails, d)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "tmp.*")); len(left) > 0 {
			t.Errorf("the configuration stays behind in %v", left)
		}
	}
}

// Growth changes no other switch's stand-in address, and no two are alike.
func TestPlaceholderMAC(t *testing.T) {
	f := mixed()
	seen := map[string]bool{}
	for i := range f.Switches {
		mac := placeholderMAC(&f.Switches[i], i)
		if seen[mac] || !strings.HasPrefix(mac, "02:") {
			t.Errorf("%s: %s", f.Switches[i].Name, mac)
		}
		seen[mac] = true
	}
	if a, b := placeholderMAC(&f.Switches[5], 5), placeholderMAC(&f.Switches[5], 500); a != b || a != "02:00:c0:a8:65:01" {
		t.Errorf("%s became %s", a, b)
	}
}

func TestNew(t *testing.T) {
	for _, bad := range []string{`http://a"; }`, "http://a b", "http://$(reboot)", "http://a'b", "http://a\nb"} {
		if _, err := New(nil, bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	w, err := New(fstest.MapFS{"ztp/ztp.json.tmpl": {Data: []byte("{{.Nothing}}")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Files(&mixed().Switches[0], of("config_db.json")); err == nil || !strings.Contains(err.Error(), "leaf-u01-r0") {
		t.Errorf("a template with an unknown field: %v", err)
	}
}
