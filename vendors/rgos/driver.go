package rgos

import (
	"io/fs"
	"text/template"

	"railyard/generator/fabric"
	"railyard/templates"
)

// The files of a switch. What RGOS calls its own file is not confirmed, so the
// name says what the text looks like.
const (
	config       = "running-config.txt"
	stepsToCheck = "steps-to-check.txt"
)

// Driver writes RGOS configurations. It holds no state but its templates and may
// be used from many goroutines.
type Driver struct{ set *templates.Set }

// New parses the embedded templates with overlay's folder rgos laid over them
// file by file; overlay may be nil. Errors name the template and line.
func New(overlay fs.FS) (*Driver, error) {
	set, err := templates.Load("rgos", overlay, template.FuncMap{})
	if err != nil {
		return nil, err
	}
	return &Driver{set}, nil
}

// Name is rgos.
func (*Driver) Name() string { return "rgos" }

// PortName is what RGOS calls a port, or the neutral cage number where that is
// not known.
func (*Driver) PortName(m *fabric.Model, p *fabric.Port) string {
	if name := portName(m, p); name != "" {
		return name
	}
	return neutral(p)
}

// Check lists what is refused, left out or not confirmed on this switch.
func (*Driver) Check(f *fabric.Fabric, sw *fabric.Switch) []fabric.Finding {
	gaps := gapsOf(f, sw)
	findings := make([]fabric.Finding, 0, len(gaps))
	for _, g := range gaps {
		g.Objects = []string{sw.Name}
		findings = append(findings, g.Finding)
	}
	return findings
}

// TakesHash is true for any hash: the file holds no users.
func (*Driver) TakesHash(string) bool { return true }

// Render returns the confirmed part of the configuration and steps-to-check.txt.
// It fetches no secret.
func (d *Driver) Render(f *fabric.Fabric, sw *fabric.Switch, _ fabric.Secrets) ([]fabric.File, error) {
	body, err := d.set.Execute("running-config.tmpl", sw.Name, newView(f, sw))
	if err != nil {
		return nil, err
	}
	files := []fabric.File{{Name: config, Body: templates.Tidy(body)}}
	if body, err = d.set.Execute("steps-to-check.tmpl", sw.Name, steps{sw.Name, gapsOf(f, sw)}); err != nil {
		return nil, err
	}
	return append(files, fabric.File{Name: stepsToCheck, Body: body}), nil
}
