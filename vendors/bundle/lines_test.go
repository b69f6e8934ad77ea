package bundle_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"railyard/generator/fabric"
	"railyard/templates"
	"railyard/vendors"
	"railyard/vendors/bundle"
)

func overlaid(t testing.TB, name, body string) *vendors.Set {
	t.Helper()
	set, err := vendors.Load(fstest.MapFS{name: {Data: []byte(body)}})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func withCode(list []fabric.Finding, codes ...string) []fabric.Finding {
	var out []fabric.Finding
	for _, x := range list {
		if slices.Contains(codes, x.Code) {
			out = append(out, x)
		}
	}
	return out
}

// fixtureNames are all clusters that can be generated.
func fixtureNames(t testing.TB) []string {
	files, err := filepath.Glob(filepath.Join(fixtures, "clusters", "*.yaml"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%v %v", files, err)
	}
	for i := range files {
		files[i] = strings.TrimSuffix(filepath.Base(files[i]), ".yaml")
	}
	return files
}

// Every line of every switch of every cluster of the fixtures is confirmed.
func TestEveryLineIsConfirmed(t *testing.T) {
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range fixtureNames(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, f := design(t, set, name)
			lines := set.CheckLines(f)
			secret := func(fabric.Secret) (string, error) { return "$6$salt$" + strings.Repeat("a", 86), nil }
			err := set.Render(context.Background(), f, secret, func(sw *fabric.Switch, files []fabric.File) error {
				return lines.Add(sw, files)
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range lines.Findings() {
				t.Error(x.Message)
			}
		})
	}
}

// A line of a site's template that no rule confirms is one warning for all
// switches, in the plan too; the files are written all the same.
func TestUnconfirmedTemplateLines(t *testing.T) {
	set := overlaid(t, "comware/queueing.tmpl", " qos trust dscp\n qos wred apply {{.Table}}\n qos weight {{len .Queues}}\n")
	c, f := design(t, set, "h3c-256")
	sketch, err := set.CheckTemplates(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	f.Findings = append(f.Findings, sketch...)
	if got := withCode(f.Findings, vendors.TemplateLine); len(got) != 1 || len(got[0].Objects) != 2 {
		t.Fatalf("of one switch of each kind: %+v", got)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := bundle.Generate(context.Background(), f, set, bundle.Options{Dir: out, Outputs: c.Outputs}); err != nil {
		t.Fatal(err)
	}
	got := withCode(f.Findings, vendors.TemplateLine, vendors.BuiltInLine)
	if len(got) != 1 || got[0].Severity != fabric.Warning || len(got[0].Objects) != len(f.Switches) {
		t.Fatalf("findings: %+v", got)
	}
	for _, want := range []string{"startup.cfg", `"qos weight 4"`, "view port", "unknown in this view", "leaf-u01-r0 line ", " more like it"} {
		if !strings.Contains(got[0].Message, want) {
			t.Errorf("no %q in %s", want, got[0].Message)
		}
	}
	plan, err := os.ReadFile(filepath.Join(out, "plan.json"))
	if err != nil || !strings.Contains(string(plan), vendors.TemplateLine) {
		t.Errorf("the plan does not list it: %v", err)
	}
}

// The same bytes and findings, however the switches come.
func TestTemplateLinesAreDeterministic(t *testing.T) {
	body := "!\n{{range $i, $v := .VLANs}}\nvlan {{.ID}}\n   nam {{.Name}}\n   wrong-{{$i}} 10.0.{{$i}}.1\n{{end}}\n{{with .VRF}}\nvrf instance {{.}}\n{{end}}\nfirst {{.Name}}\n"
	var last string
	for range 4 {
		set := overlaid(t, "eos/vlans.tmpl", body)
		c, f := design(t, set, "mixed-arista-sonic-512")
		if _, err := bundle.Generate(context.Background(), f, set, bundle.Options{Dir: filepath.Join(t.TempDir(), "out"), Outputs: c.Outputs}); err != nil {
			t.Fatal(err)
		}
		now := fmt.Sprintf("%+v", withCode(f.Findings, vendors.TemplateLine))
		if last != "" && now != last {
			t.Fatalf("%s\nand before\n%s", now, last)
		}
		last = now
	}
	if !strings.Contains(last, "nearest rule is name <remark 1-32>") {
		t.Error(last)
	}
}

// Thousands of different lines do not become thousands of findings.
func TestManyUnconfirmedLines(t *testing.T) {
	set := overlaid(t, "eos/management.tmpl", "{{range $i := until 60}}\nnonsense {{repeat (int (add 1 $i)) \"x\"}}\n{{end}}\n")
	_, f := design(t, set, "mixed-arista-sonic-512")
	got, err := set.CheckTemplates(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 41 || !strings.Contains(got[40].Message, "20 more kinds of lines") {
		t.Errorf("%d findings, the last %+v", len(got), got[len(got)-1])
	}
}

// A line of our own that fails is an error: nothing may be written with it.
func TestBuiltInLineIsAnError(t *testing.T) {
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, f := design(t, set, "h3c-256")
	lines := set.CheckLines(f)
	if err := lines.Add(&f.Switches[0], []fabric.File{{Name: "startup.cfg", Body: []byte("#\n sysname x\n#\nlocal-user admin class manage\n passwrd hash $h$6$abc$def\n#\nreturn\n")}}); err != nil {
		t.Fatal(err)
	}
	got := lines.Findings()
	if len(got) != 1 || got[0].Severity != fabric.Error || got[0].Code != vendors.BuiltInLine {
		t.Fatalf("%+v", got)
	}
	if strings.Contains(fmt.Sprintf("%+v", got), "abc") {
		t.Errorf("a secret is shown: %+v", got)
	}
	f.Findings = append(f.Findings, got...)
	var refused *bundle.RefusedError
	_, err = bundle.Generate(context.Background(), f, set, bundle.Options{Dir: filepath.Join(t.TempDir(), "out")})
	if !errors.As(err, &refused) {
		t.Errorf("generated: %v", err)
	}
}

// A template that fails is told by plan already, with device, template and line.
func TestBrokenTemplateIsTold(t *testing.T) {
	set := overlaid(t, "vrp/users.tmpl", "x\n{{.NoSuchField}}")
	_, f := design(t, set, "huawei-1024")
	_, err := set.CheckTemplates(context.Background(), f)
	var broken *templates.Error
	if !errors.As(err, &broken) || !strings.HasPrefix(err.Error(), "leaf-u01-r0: template vrp/users.tmpl:2:2: ") {
		t.Error(err)
	}
	if _, err := vendors.Load(fstest.MapFS{"bgp.tmpl": {Data: []byte("x")}}); err == nil || !strings.Contains(err.Error(), "beside the folders") {
		t.Errorf("a template outside the folders: %v", err)
	}
}
