package vrp

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aymanbagabas/go-udiff"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func render(t testing.TB, f *fabric.Fabric, sw int) (config, steps string) {
	t.Helper()
	files, err := driver(t).Render(f, &f.Switches[sw], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 || files[0].Name != ConfigFile || files[1].Name != StepsFile {
		t.Fatalf("files: %v", files)
	}
	return string(files[0].Body), string(files[1].Body)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := udiff.Unified(path, "rendered", string(want), got); d != "" {
		t.Errorf("run with -update after reading the difference:\n%s", d)
	}
}

// each renders every switch kind of every sketch.
func each(t *testing.T, do func(t *testing.T, name string, f *fabric.Fabric, sw int, config, steps string)) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(sketches())) {
		f := sketches()[name].build(t)
		for _, at := range []int{0, 2} {
			if at >= len(f.Switches) {
				continue
			}
			file := name + "-" + string(f.Switches[at].Role)
			t.Run(file, func(t *testing.T) {
				config, steps := render(t, f, at)
				do(t, file, f, at, config, steps)
			})
		}
	}
}

func TestGolden(t *testing.T) {
	each(t, func(t *testing.T, name string, _ *fabric.Fabric, _ int, config, steps string) {
		golden(t, name+".cfg", config)
		golden(t, name+".steps.txt", steps)
	})
}

// The rules of a file that "load configuration … replace" takes (CG Replacing
// the Configuration File), and what a screen capture must not leave behind.
func TestFileForm(t *testing.T) {
	view := regexp.MustCompile(`^( *)(\S.*)$`)
	each(t, func(t *testing.T, _ string, _ *fabric.Fabric, _ int, config, steps string) {
		for i, line := range strings.Split(strings.TrimSuffix(config+steps, "\n"), "\n") {
			if strings.ContainsAny(line, "\t\r") || strings.TrimRight(line, " ") != line {
				t.Errorf("line %d has a tab, a carriage return or trailing blanks: %q", i+1, line)
			}
		}
		if !strings.HasPrefix(config, "#\nsysname ") || !strings.HasSuffix(config, "\n#\n") {
			t.Error("the file does not begin and end with a separator")
		}
		depth := 0
		seen := map[string]bool{}
		for i, line := range strings.Split(strings.TrimSuffix(config, "\n"), "\n") {
			m := view.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("line %d is empty", i+1)
			}
			if len(m[1]) > depth+1 {
				t.Errorf("line %d is indented by %d under %d: %q", i+1, len(m[1]), depth, line)
			}
			if m[2] != "#" {
				depth = len(m[1])
			}
			if strings.HasPrefix(line, "interface ") || strings.HasPrefix(line, "vlan ") || strings.HasPrefix(line, "drop-profile ") {
				if seen[line] {
					t.Errorf("%q appears twice", line)
				}
				seen[line] = true
			}
		}
	})
}

// Every line has a rule of the switch's family with a source, and stands where the
// switch takes it.
func TestEveryLineIsConfirmed(t *testing.T) {
	d := driver(t)
	g, err := d.Grammar()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, _ string, f *fabric.Fabric, at int, config, _ string) {
		sw := &f.Switches[at]
		for _, x := range g.Check([]byte(config), d.Family(f.ModelOf(sw), sw.Release)) {
			t.Errorf("%s:%d: %q in view %s: %s", g.File, x.Line, x.Text, x.View, x.Reason)
		}
	})
}

func TestUnknownFamilyGetsNoLosslessLine(t *testing.T) {
	f := sketches()["unknown-split"].build(t)
	config, steps := render(t, f, 0)
	if hit := regexp.MustCompile(`(?m)^ ?(dcb|qos|drop-profile|diffserv|trust|ecn).*$`).FindString(config); hit != "" {
		t.Errorf("lossless line %q of an unknown family", hit)
	}
	for _, want := range []string{"dcb pfc", "ecn buffer-size low-limit 200000 high-limit 800000 discard-percentage 20", "family P", "family J", "headroom"} {
		if !strings.Contains(steps, want) {
			t.Errorf("%s does not propose %q", StepsFile, want)
		}
	}
	for _, want := range []string{"bgp 4200010000", "vlan batch 100", "interface Vlanif100", " ip address 10.240.0.", "split-type 2*200GE"} {
		if !strings.Contains(config, want) {
			t.Errorf("%s lacks %q", ConfigFile, want)
		}
	}
}

func TestSecretsStayWhereTheyBelong(t *testing.T) {
	f := sketches()["p-nvidia"].build(t)
	d := driver(t)
	files, err := d.Render(f, &f.Switches[0], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	if !files[0].Secret || files[1].Secret {
		t.Error("only the file with the hash is secret")
	}
	for _, file := range files {
		if bytes.Contains(file.Body, []byte("foreignhash")) {
			t.Errorf("%s holds a foreign hash, which would be taken for a clear password", file.Name)
		}
	}
	if bytes.Contains(files[1].Body, []byte(ownSecret)) {
		t.Error("the steps hold a hash")
	}
	if !bytes.Contains(files[1].Body, []byte("passwords of viewer\n")) {
		t.Error("nobody says that viewer has no password")
	}
	if !bytes.Contains(files[0].Body, []byte("\n ssh-rsa")) && !bytes.Contains(files[0].Body, []byte("\n  "+testKey+" rsa-key\n")) {
		t.Error("the SSH key is missing")
	}
	f.Management.Users[0].PasswordHash.Env = "NONE"
	if _, err := d.Render(f, &f.Switches[0], testSecrets); err == nil || !strings.Contains(err.Error(), "user admin: secret NONE") {
		t.Errorf("error of a missing secret: %v", err)
	}
	f.Management.Users = []fabric.User{{Name: "a b", Role: "admin"}}
	if _, err := d.Render(f, &f.Switches[0], testSecrets); err == nil {
		t.Error("a user name that would break the line is accepted")
	}
	f.Management.Users = []fabric.User{{Name: "a", SSHKeys: []string{"ssh-rsa AAAA"}}}
	if _, err := d.Render(f, &f.Switches[0], testSecrets); err == nil {
		t.Error("a damaged key is accepted")
	}
}

// Hash forms: CG scripts and captures of live switches.
func TestOwnHash(t *testing.T) {
	for hash, own := range map[string]bool{
		"$1d$+,JS+))\\\\2$KVNj(.3`_5x0FCKGv}H&.kUTI`Ff&H*eBqO.ua>)$": true, // CG STelnet example
		"$1c$-u0DQ5>Bs5$c='\\~%>nwLnaO^9RuFA(h7EH!,#p1$H@m.T-JVe#$":  true, // field CE8850 V200R002
		"$1a$+:!j;\\;$Z!$&%}p%ctzj\"W`GM;APoC=XPLB=L-vJG3-'3Dhyci;$": true, // CG Telnet troubleshooting
		"$6$salt$hash": false, "$5$salt$hash": false, "$y$j9T$salt$hash": false, // Unix
		"$h$6$salt$hash": false, // Comware
		"Clear-Text-1":   false, "": false, "$1d$x\ny$z$": false, "$1d$only$": false,
	} {
		if ownHash.MatchString(hash) != own {
			t.Errorf("ownHash(%q) = %t", hash, !own)
		}
	}
}

// Whatever a user gives as a key or a hash, one line comes of it or none.
func FuzzLogin(f *testing.F) {
	for _, seed := range []string{testKey, ownSecret, foreignSecret, "ssh-rsa AAAA", "ssh-rsa  \n", "$1d$a\r$b$", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, err := rsaKey([]string{s})
		if err != nil && key != "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("key %q, error %v", key, err)
		}
		if ownHash.MatchString(s) && strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("hash %q", s)
		}
	})
}

func TestOverlay(t *testing.T) {
	f := sketches()["p-nvidia"].build(t)
	d, err := New(fstest.MapFS{"vrp/lossless_port.tmpl": {Data: []byte("\n site-own {{.Band}}")}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.Render(f, &f.Switches[0], testSecrets)
	if err != nil {
		t.Fatal(err)
	}
	if body := string(files[0].Body); !strings.Contains(body, "\n site-own ROCE_100G\n") || strings.Contains(body, "dcb pfc enable") {
		t.Error("the site's template is not laid over the embedded one")
	}
	if _, err := New(fstest.MapFS{"vrp/bgp.tmpl": {Data: []byte("{{.Broken")}}); err == nil || !strings.Contains(err.Error(), "bgp.tmpl") {
		t.Errorf("error of a broken template: %v", err)
	}
}

func TestDeterministicAndConcurrent(t *testing.T) {
	f := sketches()["j-ascend"].build(t)
	d := driver(t)
	want, _ := render(t, f, 0)
	done := make(chan string)
	for range 8 {
		go func() {
			files, err := d.Render(f, &f.Switches[0], testSecrets)
			if err != nil {
				done <- err.Error()
				return
			}
			done <- string(files[0].Body)
		}()
	}
	for range 8 {
		if got := <-done; got != want {
			t.Fatal("two renderings differ")
		}
	}
}

func BenchmarkRender(b *testing.B) {
	s := sketch{leaf: ce9866(), spine: ce9866(), hosts: run(1, 64, 1, 400), ups: run(65, 128, 1, 400), downs: run(1, 64, 1, 400), classes: nvidia()}
	s.leaf.Family = "J"
	f := s.build(b)
	d := driver(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		files, err := d.Render(f, &f.Switches[0], testSecrets)
		if err != nil {
			b.Fatal(err)
		}
		n = len(files[0].Body) + len(files[1].Body)
	}
	b.SetBytes(int64(n))
}

func BenchmarkCheck(b *testing.B) {
	s := sketch{leaf: ce9866(), spine: ce9866(), hosts: run(1, 64, 1, 400), ups: run(65, 128, 1, 400), downs: run(1, 64, 1, 400), classes: nvidia()}
	f := s.build(b)
	d := driver(b)
	b.ReportAllocs()
	for b.Loop() {
		d.Check(f, &f.Switches[0])
	}
}
