package reference

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const driver = `package x

import "railyard/vendors/y"

// view is what the templates see.
type view struct {
	base
	Name  string
	Ports []*port // in panel order
	Load  y.Load
	own   int
}

type base struct {
	// VRF of the management
	// port.
	VRF string
}

type port struct{ Name, Peer string } // both ends
type kind uint8

// Up says whether the port is up.
func (p *port) Up() bool { return true }
`

// module writes a small module with one OS.
func module(t *testing.T, template string) *source {
	t.Helper()
	root := t.TempDir()
	for name, body := range map[string]string{
		"vendors/x/x.go":      driver,
		"vendors/y/y.go":      "package y\n\n// Load is a number of things.\ntype Load int\n",
		"templates/x/a.tmpl":  template,
		"templates/x/b.tmpl":  "{{.Name}} {{.Up}}",
		"templates/x/no.text": "",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return &source{root: root, pkgs: map[string]*pkg{}}
}

func about() page {
	return page{Folder: "x", Source: "vendors/x", About: "X.", Run: map[string]string{"a.tmpl": "view"},
		Templates: map[string]string{"a.tmpl": "all", "b.tmpl": "a port"},
		Fields:    map[string]string{"view.Name": "name of the switch", "port.Name": "name", "port.Peer": "other end", "view.Load": "how many"}}
}

func TestTables(t *testing.T) {
	p := about()
	text, faults, err := p.write(module(t, `{{$v := .}}{{range $i, $p := .Ports}}{{template "b.tmpl" $p}}{{$p.Peer}} {{$v.VRF}}{{end}}{{(index .Ports 0).Up}}`), nil, map[string]bool{})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	for _, want := range []string{
		"| `a.tmpl` | [view](#x-view) | all |\n| `b.tmpl` | [port](#x-port) | a port |",
		"#### x: view\n\nview is what the templates see.\n",
		"| `.VRF` | text | VRF of the management port. |\n| `.Name` | text | name of the switch |\n| `.Ports` | list of [port](#x-port) or nothing | in panel order |\n| `.Load` | number | how many |\n",
		"| `.Up` | yes or no | Up says whether the port is up. |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		template string
		change   func(*page)
		want     string
	}{
		"field that is not there":        {`{{.Nmae}}`, nil, "x/a.tmpl: view has no field Nmae"},
		"below a range":                  {`{{range .Ports}}{{.VRF}}{{end}}`, nil, "x/a.tmpl: port has no field VRF"},
		"in an included one":             {`{{template "b.tmpl" .}}`, nil, "x/b.tmpl: view has no field Up"},
		"from the root":                  {`{{range .Ports}}{{$.Peer}}{{end}}`, nil, "x/a.tmpl: view has no field Peer"},
		"included one that is not there": {`{{template "c.tmpl" .}}`, nil, "no template c.tmpl"},
		"template nobody describes":      {`{{range .Ports}}{{template "b.tmpl" .}}{{end}}`, func(p *page) { delete(p.Templates, "b.tmpl") }, "says nothing about x/b.tmpl"},
		"template that is gone":          {`{{.Name}}`, func(p *page) { p.Templates["z.tmpl"] = "?" }, "describes x/z.tmpl, which does not exist"},
		"field nobody describes":         {`{{.Name}}`, func(p *page) { delete(p.Fields, "view.Name") }, "nothing says what view.Name of x is"},
		"field that is gone":             {`{{.Name}}`, func(p *page) { p.Fields["view.Gone"] = "?" }, "describes view.Gone of x"},
		"field with a comment":           {`{{.Name}}`, func(p *page) { p.Fields["view.Ports"] = "?" }, "describes view.Ports of x"},
	} {
		p := about()
		if c.change != nil {
			c.change(&p)
		}
		_, faults, err := p.write(module(t, c.template), nil, map[string]bool{})
		if err != nil || !strings.Contains(strings.Join(faults, "\n"), c.want) {
			t.Errorf("%s: %v %q, want %s", name, err, faults, c.want)
		}
	}
	if _, err := Fill([]byte("no marks"), ".."); err == nil {
		t.Error("a README without marks")
	}
}
