package rgos

import (
	"flag"
	"fmt"
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

type golden struct {
	name string
	f    *fabric.Fabric
	sw   int
}

// goldens are read line by line against the sources in doc.go when they change.
func goldens() []golden {
	return []golden{
		{"leaf", leafSpine(true), 0},
		{"spine", leafSpine(true), 1},
		{"single", single(), 0},
		{"split", split800(), 0},
		{"unnumbered-leaf", leafSpine(false), 0},
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
	files, err := driver(t).Render(f, &f.Switches[sw], noSecrets)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, file := range files {
		if file.Secret {
			t.Errorf("%s is marked secret", file.Name)
		}
		out[file.Name] = string(file.Body)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			files := render(t, g.f, g.sw)
			for name, file := range map[string]string{config: g.name + ".cfg", stepsToCheck: g.name + ".steps.txt"} {
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
		for _, x := range g.Check([]byte(render(t, c.f, c.sw)[config]), d.Family(c.f.ModelOf(sw), sw.Release)) {
			t.Errorf("%s:%d: %q in view %s: %s", c.name, x.Line, x.Text, x.View, x.Reason)
		}
	}
}

// TestSupport: a row is either written, with a source, or a step.
func TestSupport(t *testing.T) {
	for _, in := range Support() {
		if (in.Level == Not) != (len(in.Commands) == 0) || in.Level == Not != in.Steps || in.Level != Not && in.Source == "" {
			t.Errorf("support row %+v", in)
		}
	}
}

// TestPlanInSteps looks for every number of the plan in the steps: what the
// configuration refuses must at least be at hand.
func TestPlanInSteps(t *testing.T) {
	for _, g := range goldens() {
		text := render(t, g.f, g.sw)[stepsToCheck]
		var want []string
		for i := range g.f.Lossless.Classes {
			c := &g.f.Lossless.Classes[i]
			want = append(want, fmt.Sprintf("class %s: ", c.Name), fmt.Sprintf("priority %d, traffic class %d, queue %d, ", c.Priority, c.TrafficClass, c.Queue))
			for _, d := range c.DSCP {
				want = append(want, fmt.Sprintf("DSCP %d, ", d))
			}
			if !c.Strict {
				want = append(want, fmt.Sprintf(", %d percent", c.WeightPercent))
			}
		}
		sw := &g.f.Switches[g.sw]
		for i := range sw.Ports {
			p := &sw.Ports[i]
			if p.PeerASN != 0 {
				want = append(want, fmt.Sprintf("%s: neighbour ", p.Name), fmt.Sprintf(", AS %d\n", p.PeerASN))
			}
			if p.Profile >= 0 {
				x := &g.f.Lossless.Profiles[p.Profile]
				want = append(want, fmt.Sprintf("ports at %dG with %g m: xoff %d bytes, xon %d bytes, alpha 2^%d; ECN from %d to %d bytes, %d percent at most",
					x.SpeedGbps, x.LengthM, x.XoffBytes, x.XonBytes, x.AlphaLog2, x.KminBytes, x.KmaxBytes, x.PmaxPercent))
			}
		}
		want = append(want, "detect after 200ms, restore after 400ms, drop", "NTP server: 192.168.100.3", "user admin, admin")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the steps do not say %q", g.name, w)
			}
		}
	}
}

// TestOverlay lays a site's own part over one of ours.
func TestOverlay(t *testing.T) {
	site := func(body string) fstest.MapFS { return fstest.MapFS{"rgos/interfaces.tmpl": {Data: []byte(body)}} }
	f := single()
	d, err := New(site("!\ninterface site\n"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.Render(f, &f.Switches[0], noSecrets)
	if err != nil {
		t.Fatal(err)
	}
	if body := string(files[0].Body); !strings.Contains(body, "!\ninterface site\n!") {
		t.Errorf("the site's part is not in place:\n%s", body)
	}
	if _, err := New(site("{{if}}")); err == nil || !strings.Contains(err.Error(), "rgos/interfaces.tmpl") {
		t.Errorf("a broken template: %v", err)
	}
	if d, err = New(site("x\n{{.NoSuchField}}")); err != nil {
		t.Fatal(err)
	}
	_, err = d.Render(f, &f.Switches[0], noSecrets)
	if err == nil || !strings.Contains(err.Error(), "leaf-u01-r0-1") || !strings.Contains(err.Error(), "interfaces.tmpl:2") {
		t.Errorf("a template with an unknown field: %v", err)
	}
}

// codes are the findings of a switch with their severity.
func codes(t *testing.T, f *fabric.Fabric, sw int) []string {
	t.Helper()
	var out []string
	for _, x := range driver(t).Check(f, &f.Switches[sw]) {
		if x.Message == "" || strings.Contains(x.Message, f.Switches[sw].Name) || !slices.Equal(x.Objects, []string{f.Switches[sw].Name}) {
			t.Errorf("finding %+v", x)
		}
		out = append(out, string(x.Severity)+" "+x.Code)
	}
	return out
}

func BenchmarkRender(b *testing.B) {
	f, d := leafSpine(true), driver(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Render(f, &f.Switches[0], noSecrets); err != nil {
			b.Fatal(err)
		}
	}
}
