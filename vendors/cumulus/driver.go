package cumulus

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"text/template"

	"gopkg.in/yaml.v3"

	"railyard/generator/fabric"
	"railyard/templates"
)

// The files of a switch.
const (
	startup      = "startup.yaml"
	breakouts    = "breakout.yaml"
	stepsToCheck = "steps-to-check.txt"
)

// Driver writes NVUE documents. It holds no state but its templates and may be
// used from many goroutines.
type Driver struct {
	set *templates.Set
	// foreign says that a site's own templates are in use, so that the text may
	// not even be YAML.
	foreign bool
}

// New parses the embedded templates with overlay's folder cumulus laid over
// them file by file; overlay may be nil. Errors name the template and line.
func New(overlay fs.FS) (*Driver, error) {
	set, err := templates.Load("cumulus", overlay, template.FuncMap{"scalar": scalar, "quoted": quoted})
	if err != nil {
		return nil, err
	}
	d := &Driver{set: set}
	if overlay != nil {
		own, err := fs.Glob(overlay, "cumulus/*.tmpl")
		if err != nil {
			return nil, err
		}
		d.foreign = len(own) > 0
	}
	return d, nil
}

// Name is cumulus.
func (*Driver) Name() string { return "cumulus" }

// PortName is what Cumulus Linux calls a port: swp1, or swp1s0 in a split cage.
func (*Driver) PortName(_ *fabric.Model, p *fabric.Port) string { return portName(p) }

// Check lists what NVUE cannot express of the plan on this switch and what
// railyard could not confirm.
func (*Driver) Check(f *fabric.Fabric, sw *fabric.Switch) []fabric.Finding {
	gaps := gapsOf(f, sw)
	findings := make([]fabric.Finding, 0, len(gaps))
	for _, g := range gaps {
		g.Objects = []string{sw.Name}
		findings = append(findings, g.Finding)
	}
	return findings
}

// Render returns startup.yaml, complete; breakout.yaml, which has to be applied
// before it, where cages are split; and steps-to-check.txt where something could
// not be confirmed. A secret that cannot be fetched is an error.
func (d *Driver) Render(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) ([]fabric.File, error) {
	v := newView(f, sw)
	users, foreign, secret, err := logins(f, secrets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sw.Name, err)
	}
	v.Users = users
	body, err := d.document("startup.yaml.tmpl", sw.Name, v)
	if err != nil {
		return nil, err
	}
	files := []fabric.File{{Name: startup, Body: body, Secret: secret}}
	if splitFirst(f, sw) {
		if body, err = d.document("breakout.yaml.tmpl", sw.Name, v); err != nil {
			return nil, err
		}
		files = append(files, fabric.File{Name: breakouts, Body: body})
	}
	gaps := append(foreignHashes(foreign), gapsOf(f, sw)...)
	if len(gaps) == 0 {
		return files, nil
	}
	body, err = d.set.Execute("steps-to-check.tmpl", sw.Name, steps{sw.Name, gaps})
	if err != nil {
		return nil, err
	}
	return append(files, fabric.File{Name: stepsToCheck, Body: body}), nil
}

// document runs a template that writes YAML. Our own are known to; a site's are
// read back, because a wrong indentation would otherwise surface on the switch.
func (d *Driver) document(name, device string, v *view) ([]byte, error) {
	body, err := d.set.Execute(name, device, v)
	if err != nil {
		return nil, err
	}
	body = templates.Tidy(body)
	if d.foreign {
		var doc []map[string]any
		if err := yaml.Unmarshal(body, &doc); err != nil {
			// The parser's own words may quote a value, and a hash is one.
			return nil, fmt.Errorf("%s: template cumulus/%s: what it writes is not an NVUE document%s", device, name, lineOf(err))
		}
	}
	return body, nil
}

var yamlLine = regexp.MustCompile(`line ([0-9]+)`)

func lineOf(err error) string {
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		return " (output line " + m[1] + ")"
	}
	return ""
}

// plain are scalars no YAML reader takes for anything but text.
var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// scalar writes a name bare where that is safe. The words are those YAML 1.1,
// which NVUE reads, takes for truth values and nothing.
func scalar(s string) string {
	switch strings.ToLower(s) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return quoted(s)
	}
	if plain.MatchString(s) {
		return s
	}
	return quoted(s)
}

// quoted writes any one-line text.
func quoted(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
