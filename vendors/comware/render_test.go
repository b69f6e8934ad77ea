package comware

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aymanbagabas/go-udiff"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files")

// cases are all switches of the hand-built fabrics.
var cases = []struct {
	name  string
	build func(*testing.T) *site
	sw    int
}{
	{"leaf", leafSpine, 0},
	{"spine", leafSpine, 1},
	{"single", singleSwitch, 0},
	{"leaf-routed-hosts", noTransit, 0},
	{"spine-no-transit", noTransit, 1},
	{"core", noTransit, 2},
	{"leaf-800g", wide, 0},
	{"spine-800g", wide, 1},
	{"ddc-packet", cellFabric, 0},
	{"ddc-cell", cellFabric, 1},
}

// each renders every case and hands over its two files.
func each(t *testing.T, check func(t *testing.T, f *fabric.Fabric, sw *fabric.Switch, config, steps string)) {
	t.Helper()
	d := driver(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := c.build(t).done(d)
			files, err := d.Render(f, &f.Switches[c.sw], secrets)
			if err != nil {
				t.Fatal(err)
			}
			if len(files) != 2 || files[0].Name != "startup.cfg" || files[1].Name != "steps-to-check.txt" {
				t.Fatalf("files: %v", files)
			}
			check(t, f, &f.Switches[c.sw], string(files[0].Body), string(files[1].Body))
		})
	}
}

func TestGolden(t *testing.T) {
	each(t, func(t *testing.T, _ *fabric.Fabric, _ *fabric.Switch, config, steps string) {
		name := strings.TrimPrefix(t.Name(), "TestGolden/")
		golden(t, name+".cfg", config)
		golden(t, name+".steps.txt", steps)
	})
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
	if diff := udiff.Unified("want/"+name, "got/"+name, string(want), got); diff != "" {
		t.Error(diff)
	}
}

func TestLayout(t *testing.T) {
	each(t, func(t *testing.T, _ *fabric.Fabric, _ *fabric.Switch, config, steps string) {
		for name, text := range map[string]string{"startup.cfg": config, "steps-to-check.txt": steps} {
			for i, line := range strings.Split(text, "\n") {
				if strings.ContainsAny(line, "\t\r") || strings.TrimRight(line, " ") != line {
					t.Errorf("%s:%d: %q", name, i+1, line)
				}
			}
			if !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
				t.Errorf("%s does not end with exactly one line feed", name)
			}
		}
		if !strings.HasPrefix(config, "#\n sysname ") || !strings.HasSuffix(config, "#\nreturn\n") {
			t.Error("startup.cfg does not start and end like display current-configuration")
		}
		if strings.Contains(config, "#\n#\n") || strings.Contains(config, "\n\n") {
			t.Error("startup.cfg has an empty section or line")
		}
		if strings.Contains(steps, "\n\n\n") {
			t.Error("steps-to-check.txt has two empty lines in a row")
		}
		for i, line := range strings.Split(config, "\n") {
			if strings.HasPrefix(line, "   ") {
				t.Errorf("startup.cfg:%d is indented deeper than the device does: %q", i+1, line)
			}
		}
	})
}

// Every line has a rule with a source, and stands where the switch takes it.
func TestEveryLineIsConfirmed(t *testing.T) {
	d := driver(t)
	g, err := d.Grammar()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, f *fabric.Fabric, sw *fabric.Switch, config, _ string) {
		for _, x := range g.Check([]byte(config), d.Family(f.ModelOf(sw), sw.Release)) {
			t.Errorf("%s:%d: %q in view %s: %s", g.File, x.Line, x.Text, x.View, x.Reason)
		}
	})
}

func TestSecrets(t *testing.T) {
	d := driver(t)
	f := leafSpine(t).done(d)
	files, err := d.Render(f, &f.Switches[0], secrets)
	if err != nil {
		t.Fatal(err)
	}
	config, steps := string(files[0].Body), string(files[1].Body)
	if !files[0].Secret || files[1].Secret {
		t.Error("the file with the hash, and only that one, must be secret")
	}
	if !strings.Contains(config, " password hash "+ownHash+"\n") {
		t.Error("the platform's own hash is missing")
	}
	if strings.Contains(config, "local-user watch") || strings.Contains(config+steps, "$6$rounds") {
		t.Error("a foreign hash or its user was written")
	}
	if !strings.Contains(steps, "User watch has a password hash of another system") {
		t.Error("the user without a usable hash is not named")
	}

	broken := errors.New("file is gone")
	_, err = d.Render(f, &f.Switches[0], func(fabric.Secret) (string, error) { return "", broken })
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "user admin") || !strings.Contains(err.Error(), "user watch") {
		t.Errorf("error: %v", err)
	}
	if _, err = d.Render(f, &f.Switches[0], nil); err == nil {
		t.Error("no error without a source of secrets")
	}
}

// Hash forms: the first is from a captured configuration (version 7.1.070), the
// others are crypt(3), Huawei, Cisco and plain text.
func TestHashForm(t *testing.T) {
	for hash, own := range map[string]bool{
		"$h$6$UbzeUQ8NH26dzBEC$ax7hk0pgBaLuPCKCCIgHJR6AxMKc7jvk1dJBC+QIee3NEYYEi6ENe+4cgLmN8ry344OGoxRIlzbKODsCddeXpQ==": true,
		"$h$6$ZhD+zRTCkaQJiPqrS9fQ02dpUI+FoyiuQ45pUiK9WUqGhXWW/Q==":                                                      true,
		"$6$saltsalt$abcdef":           false,
		"$1c$abc$def$":                 false,
		"$9$abcdef":                    false,
		"secret":                       false,
		"$h$6$abc\nlocal-user x":       false,
		"$h$6$abc def":                 false,
		"$c$3$FkGiSZ0G+muMMxOLEA3fGQ=": false,
	} {
		if got := hashForm.MatchString(hash); got != own {
			t.Errorf("%q: %v", hash, got)
		}
	}
}

func TestOverlay(t *testing.T) {
	site := fstest.MapFS{
		"comware/queueing.tmpl": {Data: []byte(" qos trust dscp\n{{with .Table}} qos wred apply {{.}}\n{{end}}")},
		"vrp/port.tmpl":         {Data: []byte("{{broken")},
	}
	d, err := New(site)
	if err != nil {
		t.Fatal(err)
	}
	f := leafSpine(t).done(d)
	files, err := d.Render(f, &f.Switches[1], secrets)
	if err != nil {
		t.Fatal(err)
	}
	config := string(files[0].Body)
	if strings.Contains(config, "qos wfq") || !strings.Contains(config, " qos trust dscp\n qos wred apply ROCE-400G\n") {
		t.Error("the site's template was not used")
	}
	if !strings.Contains(config, "bgp 4200001000") {
		t.Error("the other templates are gone")
	}

	_, err = New(fstest.MapFS{"comware/port.tmpl": {Data: []byte("{{if}}")}})
	if err == nil || !strings.Contains(err.Error(), "comware/port.tmpl") {
		t.Errorf("error of a broken template: %v", err)
	}
	d, err = New(fstest.MapFS{"comware/port.tmpl": {Data: []byte("{{.Nothing}}")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = d.Render(f, &f.Switches[1], secrets); err == nil || !strings.Contains(err.Error(), "spine-01") {
		t.Errorf("error of a wrong field: %v", err)
	}
}

func TestNoLosslessSection(t *testing.T) {
	d := driver(t)
	s := leafSpine(t)
	s.Lossless = nil
	f := s.done(d)
	files, err := d.Render(f, &f.Switches[0], secrets)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"qos ", "priority-flow-control", "buffer "} {
		if strings.Contains(string(files[0].Body), word) {
			t.Errorf("%q without a lossless plan", word)
		}
	}
	for _, finding := range d.Check(f, &f.Switches[0]) {
		if strings.HasPrefix(finding.Code, "WATCHDOG") || strings.HasPrefix(finding.Code, "HEADROOM") {
			t.Errorf("finding %s without a lossless plan", finding.Code)
		}
	}
}

// Many goroutines render the same switch: the same bytes, every time.
func TestRenderIsDeterministic(t *testing.T) {
	d := driver(t)
	f := leafSpine(t).done(d)
	const n = 8
	got := make(chan string, n)
	for range n {
		go func() {
			files, err := d.Render(f, &f.Switches[0], secrets)
			if err != nil {
				got <- err.Error()
				return
			}
			got <- string(files[0].Body) + string(files[1].Body)
		}()
	}
	first := <-got
	for range n - 1 {
		if next := <-got; next != first {
			t.Fatal(udiff.Unified("first", "next", first, next))
		}
	}
}
