package eos

import (
	"fmt"
	"io/fs"
	"text/template"

	"railyard/generator/fabric"
	"railyard/templates"
)

// The files of a switch.
const (
	startupConfig = "startup-config"
	stepsToCheck  = "steps-to-check.txt"
)

// Driver writes EOS configurations. It holds no state but its templates and may
// be used from many goroutines.
type Driver struct{ set *templates.Set }

// New parses the embedded templates with overlay's folder eos laid over them
// file by file; overlay may be nil. Errors name the template and line.
func New(overlay fs.FS) (*Driver, error) {
	set, err := templates.Load("eos", overlay, template.FuncMap{})
	if err != nil {
		return nil, err
	}
	return &Driver{set}, nil
}

// Name is eos.
func (*Driver) Name() string { return "eos" }

// PortName is what EOS calls a port: Ethernet1/5.
func (*Driver) PortName(m *fabric.Model, p *fabric.Port) string { return portName(m, p) }

// Check lists what EOS cannot express of the plan on this switch and what
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

// Render returns startup-config, complete and in the order of "show
// running-config" of EOS 4.35, and steps-to-check.txt where something could not
// be confirmed. A secret that cannot be fetched is an error.
func (d *Driver) Render(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) ([]fabric.File, error) {
	v := newView(f, sw, platformOf(f.ModelOf(sw)))
	users, foreign, secret, err := logins(f, secrets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", sw.Name, err)
	}
	v.Users = users
	body, err := d.set.Execute("startup-config.tmpl", sw.Name, v)
	if err != nil {
		return nil, err
	}
	files := []fabric.File{{Name: startupConfig, Body: templates.Tidy(body), Secret: secret}}
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
