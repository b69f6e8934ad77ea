// Package opensm writes the files of OpenSM, the InfiniBand subnet manager: one
// set for a fabric, or one per subnet where planes or rails are not connected.
//
// The package knows upstream OpenSM 3.3.2x as Debian and RHEL ship it, not
// NVIDIA's own subnet manager, which reads more keys and has other engines.
package opensm

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"railyard/generator/fabric"
	"railyard/templates"
	"railyard/vendors/ibsubnet"
)

const name = "opensm"

// configDir is where Debian's OpenSM looks for its files. The paths in opensm.conf
// are absolute because the daemon's working directory is / and OpenSM goes on
// without a file it cannot find.
const configDir = "/etc/opensm"

// Manager writes the files of OpenSM.
type Manager struct{ set *templates.Set }

// New parses the templates; overlay, which may be nil, is a site's own.
func New(overlay fs.FS) (*Manager, error) {
	set, err := templates.Load(name, overlay, nil)
	if err != nil {
		return nil, fmt.Errorf("opensm: %w", err)
	}
	return &Manager{set}, nil
}

// Name is the subnet manager's name in cluster files.
func (*Manager) Name() string { return name }

// PortName is the name printed or configured on an InfiniBand switch.
func (*Manager) PortName(m *fabric.Model, p *fabric.Port) string { return ibsubnet.PanelName(m, p) }

// Check says what OpenSM cannot do with this fabric and what a user must supply.
func (*Manager) Check(f *fabric.Fabric) []fabric.Finding {
	if !handles(f) {
		return nil
	}
	return check(f, ibsubnet.Split(f))
}

// Files are the subnet manager's files. The fabric of several subnets (planes,
// rails without spines) gets a folder for each: p0/opensm.conf, …
// It is an error to ask for a fabric that is not OpenSM's, for an unknown routing
// engine, or for names that would break a file's syntax.
func (m *Manager) Files(f *fabric.Fabric) ([]fabric.File, error) {
	if !handles(f) {
		return nil, errors.New("opensm: the fabric is not an InfiniBand fabric managed by opensm")
	}
	subnets := ibsubnet.Split(f)
	if err := refuse(f, subnets); err != nil {
		return nil, fmt.Errorf("opensm: %w", err)
	}
	var files []fabric.File
	for i := range subnets {
		more, err := m.subnetFiles(f, &subnets[i])
		if err != nil {
			return nil, fmt.Errorf("opensm: %w", err)
		}
		files = append(files, more...)
	}
	for i := range subnets { // what cables are checked against, before the first is laid and after
		files = append(files, ibsubnet.Topology(f, &subnets[i])...)
	}
	return files, nil
}

func handles(f *fabric.Fabric) bool {
	return f.Technology == fabric.InfiniBand && f.InfiniBand != nil && f.InfiniBand.Manager == name
}

// subnetFiles renders one subnet's files.
func (m *Manager) subnetFiles(f *fabric.Fabric, s *ibsubnet.Subnet) ([]fabric.File, error) {
	p, err := newPage(f, s)
	if err != nil {
		return nil, err
	}
	device := path.Join("subnet-manager", s.Name)
	var files []fabric.File
	for _, file := range []struct {
		name, tmpl, what string
		list             func() []byte
	}{
		{"opensm.conf", "opensm.conf.tmpl", "", nil},
		{"partitions.conf", "partitions.conf.tmpl", "", nil},
		{"qos-policy.conf", "qos-policy.conf.tmpl", "", nil},
		{"root_guids.conf", "list.head.tmpl", "Node GUIDs of the top tier's switches", func() []byte { return ibsubnet.RootList(f, s) }},
		{"cn_guids.conf", "list.head.tmpl", "Port GUIDs of the compute nodes", func() []byte { return computeList(s) }},
		{"guid_routing_order.conf", "list.head.tmpl", "Port GUIDs in routing order, rail by rail,", func() []byte { return ibsubnet.OrderList(s) }},
		{"node-name-map", "list.head.tmpl", "Node GUIDs and names", func() []byte { return ibsubnet.NameMap(f, s, nodeOf) }},
		{"topology.net", "topology.head.tmpl", "", func() []byte { return netfile(f, s) }},
	} {
		if file.name == "root_guids.conf" && len(s.Roots) == 0 {
			continue
		}
		p.What = file.what
		body, err := m.set.Execute(file.tmpl, device, p)
		if err != nil {
			return nil, err
		}
		if file.list != nil {
			body = append(body, file.list()...)
		}
		files = append(files, fabric.File{Name: path.Join(s.Name, file.name), Body: body})
	}
	return files, nil
}
