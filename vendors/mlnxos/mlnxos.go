// Package mlnxos writes the commands for the subnet manager that runs on the
// switches themselves: MLNX-OS on QM8700 and QM9700, and the little of it that NVOS
// has. A subnet gets at most two, one master and one standby.
//
// It emits only commands that NVIDIA documents or that run in the field; the rest
// goes to steps-to-check.txt. Sources, by the short names used here:
//
//	UM      MLNX-OS user manuals 3.10 to 3.12, "Subnet Manager", "SM Commands"
//	WINOF   NVIDIA WinOF-2 documentation 25.10, "InfiniBand Network": member, type
//	STACKI  Teradata stacki's Mellanox switch driver: hostname, force, members by GUID
//	SX      notes of a site on MLNX-OS 3.6.8012: pkey, ipoib, write memory; forms of
//	        GUID that the switch refuses
//	APL     automation of a UFM appliance, and a site's notes on its switches:
//	        routing-engines ftree; the appliance alone: root-guid
//	NVOS    NVIDIA's NVOS test suite and manuals 25.02
package mlnxos

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"railyard/generator/fabric"
	"railyard/templates"
	"railyard/vendors/ibsubnet"
)

// name is the subnet manager's in cluster files, folder that of its templates.
const (
	name   = "switch"
	folder = "mlnxos"
)

// Manager writes the commands of switch-embedded subnet managers.
type Manager struct{ set *templates.Set }

// New parses the templates; overlay, which may be nil, is a site's own.
func New(overlay fs.FS) (*Manager, error) {
	set, err := templates.Load(folder, overlay, nil)
	if err != nil {
		return nil, fmt.Errorf("mlnxos: %w", err)
	}
	return &Manager{set}, nil
}

// Name is the subnet manager's name in cluster files.
func (*Manager) Name() string { return name }

// PortName is the name printed or configured on an InfiniBand switch.
func (*Manager) PortName(m *fabric.Model, p *fabric.Port) string { return ibsubnet.PanelName(m, p) }

// Check says what an embedded subnet manager cannot do with this fabric and what a
// user must supply.
func (*Manager) Check(f *fabric.Fabric) []fabric.Finding {
	if !handles(f) {
		return nil
	}
	return check(f, ibsubnet.Split(f)).Findings
}

// Files are the commands, a file named after each switch that runs a subnet manager
// (spine-01.cli, typed in configuration mode), INSTALL.txt, steps-to-check.txt where
// commands could not be confirmed, names, and the topology that cables are checked
// with; in a folder for each subnet where there are several. It is an error to ask for
// a fabric that is not managed so, that no switch can manage, or with names that would
// break a command.
func (m *Manager) Files(f *fabric.Fabric) ([]fabric.File, error) {
	if !handles(f) {
		return nil, errors.New("mlnxos: the fabric is not an InfiniBand fabric managed by its switches")
	}
	subnets := ibsubnet.Split(f)
	if err := refuse(f, subnets); err != nil {
		return nil, fmt.Errorf("mlnxos: %w", err)
	}
	var files []fabric.File
	for i := range subnets {
		more, err := m.subnetFiles(f, &subnets[i])
		if err != nil {
			return nil, fmt.Errorf("mlnxos: %w", err)
		}
		files = append(files, more...)
	}
	return files, nil
}

func handles(f *fabric.Fabric) bool {
	return f.Technology == fabric.InfiniBand && f.InfiniBand != nil && f.InfiniBand.Manager == name
}

// refuse is the part of check without which there is nothing right to write.
func refuse(f *fabric.Fabric, subnets []ibsubnet.Subnet) error {
	r := ibsubnet.Report{Fabric: f, Subnets: subnets, Manager: "the switch"}
	r.Names()
	engine(&r)
	places(&r)
	if list := r.Errors(); len(list) > 0 {
		return errors.New(strings.Join(list, "; "))
	}
	return nil
}

// subnetFiles renders one subnet's files.
func (m *Manager) subnetFiles(f *fabric.Fabric, s *ibsubnet.Subnet) ([]fabric.File, error) {
	p := newPage(f, s)
	var files []fabric.File
	add := func(name, tmpl string, data any, more []byte) error {
		body, err := m.set.Execute(tmpl, path.Join("subnet-manager", s.Name), data)
		files = append(files, fabric.File{Name: path.Join(s.Name, name), Body: append(body, more...)})
		return err
	}
	if err := add("INSTALL.txt", "INSTALL.txt.tmpl", p, nil); err != nil {
		return nil, err
	}
	for i := range p.Switches {
		sw := &p.Switches[i]
		if err := add(sw.File, sw.template(), sw, nil); err != nil {
			return nil, err
		}
	}
	if p.Steps {
		if err := add("steps-to-check.txt", "steps-to-check.txt.tmpl", p, nil); err != nil {
			return nil, err
		}
	}
	if err := add("node-name-map", "list.head.tmpl", p, ibsubnet.NameMap(f, s, ibsubnet.OneGUID)); err != nil {
		return nil, err
	}
	return append(files, ibsubnet.Topology(f, s)...), nil
}
