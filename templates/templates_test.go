package templates

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"text/template"
)

func site(files ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fsys
}

// A site's file that changes nothing is refused, with the name that was meant.
func TestOverlayFiles(t *testing.T) {
	for _, c := range []struct {
		name    string
		overlay fstest.MapFS
		want    string // part of the error; "" for none
	}{
		{"replaces one", site("eos/bgp.tmpl", "x"), ""},
		{"of another OS", site("vrp/whatever.tmpl", "x"), ""},
		{"new and included", site("eos/vlans.tmpl", `{{template "site.tmpl" .}}`, "eos/site.tmpl", "x"), ""},
		{"included deep inside", site("eos/vlans.tmpl", `{{if .VRF}}{{range .DNS}}{{else}}{{with .NTP}}{{template "site.tmpl" .}}{{end}}{{end}}{{end}}`, "eos/site.tmpl", "x"), ""},
		{"defines what another calls", site("eos/vlans.tmpl", `{{template "site.banner" .}}`, "eos/parts.tmpl", `{{define "site.banner"}}x{{end}}`), ""},
		{"defines a built-in one", site("eos/parts.tmpl", `{{define "vlans.tmpl"}}x{{end}}`), ""},
		{"misspelt", site("eos/bgpp.tmpl", "x"), "template eos/bgpp.tmpl replaces no built-in template and no template includes it, so it would change nothing; did you mean eos/bgp.tmpl?"},
		{"misspelt beyond guessing", site("eos/zzzz.tmpl", "x"), "the templates of eos are bgp.tmpl, ethernet.tmpl,"},
		{"defines what nobody calls", site("eos/parts.tmpl", `{{define "site.banner"}}x{{end}}`), "eos/parts.tmpl replaces no built-in template"},
		{"other ending", site("eos/bgp.tpl", "x"), "eos/bgp.tpl would not be read, because its name does not end in .tmpl; did you mean eos/bgp.tmpl?"},
		{"too deep", site("eos/old/bgp.tmpl", "x"), "eos/old/bgp.tmpl would not be read; templates lie in eos itself"},
		{"notes, backups, other data", site("eos/README.md", "x", "eos/bgp.tmpl~", "x", "eos/.bgp.tmpl.swp", "x", "eos/data/x.ini", "x"), ""},
		{"syntax", site("eos/vlans.tmpl", "\n{{if}}"), "template eos/vlans.tmpl: template: vlans.tmpl:2:"},
		{"unknown function", site("eos/vlans.tmpl", "{{now}}{{define \"x\"}}{{end}}"), `function "now" not defined`},
	} {
		_, err := Load("eos", c.overlay, template.FuncMap{})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	if _, err := Load("junos", nil, nil); err == nil {
		t.Error("an OS without templates")
	}
}

// Whatever goes wrong in a template, the error names device, template and line.
func TestExecuteErrors(t *testing.T) {
	type data struct{ Empty map[string]string }
	for body, want := range map[string]string{
		"a\nb\n{{.NoSuchField}}":      "leaf-1: template eos/vlans.tmpl:3:2: ",
		"a\n{{repeat -1 \"x\"}}":      "leaf-1: template eos/vlans.tmpl:2:2: ", // a panic inside a function
		"{{boom}}":                    "leaf-1: template eos/vlans.tmpl:1:2: ",
		"a\n\n{{fail \"no\"}}":        "leaf-1: template eos/vlans.tmpl:3:2: ",
		"a\n{{.Empty.x}}":             "leaf-1: template eos/vlans.tmpl:2:8: ",
		"a\nb {{index (dict) \"x\"}}": "leaf-1: template eos/vlans.tmpl: output line 2 has a missing value",
		"{{template \"nowhere\" .}}":  "leaf-1: template eos/vlans.tmpl:1:11: ",
		"{{define \"d\"}}\n{{.X}}{{end}}\n{{template \"d\" .}}": "leaf-1: template eos/vlans.tmpl:2:2: ",
	} {
		s, err := Load("eos", site("eos/vlans.tmpl", body), template.FuncMap{"boom": func() string { panic("boom") }})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Execute("vlans.tmpl", "leaf-1", &data{})
		var broken *Error
		if !errors.As(err, &broken) || broken.Device != "leaf-1" || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s…", body, err, want)
		}
	}
}
