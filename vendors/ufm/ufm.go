// Package ufm writes what NVIDIA's UFM Enterprise needs to run a designed fabric:
// changes to its subnet manager's configuration, partitions both as a file and as
// REST requests, names, and the topology to compare the cables with. A fabric of
// several subnets gets a folder for each, since a UFM manages one.
//
// UFM owns opensm.conf, gv.cfg and partitions.conf, so railyard never writes whole
// ones: the files *.changes name the keys to set, everything else is whole.
//
// Sources, by the short names used in this package:
//
//	UM       UFM Enterprise user manuals 6.11 to 6.22, appendices on partitioning,
//	         partitions.conf and adaptive routing
//	RG       UFM Enterprise REST guides 6.9 to 6.22
//	CM       NVIDIA Config Manager, UFM activities (2024-26), pinned to UFM 6.19
//	RUN      NVIDIA's own InfiniBand runbook for multi-tenant sites and Netris'
//	         description of its UFM integration: default_membership
//	RECIPE   NVIDIA engineers' published settings of a large rail-optimised site
//	         (2021-22): routing_engine, root_guid_file, use_ucast_cache
package ufm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"railyard/generator/fabric"
	"railyard/templates"
	"railyard/vendors/ibsubnet"
)

const name = "ufm"

// Manager writes the files of UFM.
type Manager struct{ set *templates.Set }

// New parses the templates; overlay, which may be nil, is a site's own.
func New(overlay fs.FS) (*Manager, error) {
	set, err := templates.Load(name, overlay, nil)
	if err != nil {
		return nil, fmt.Errorf("ufm: %w", err)
	}
	return &Manager{set}, nil
}

// Name is the subnet manager's name in cluster files.
func (*Manager) Name() string { return name }

// PortName is the name printed or configured on an InfiniBand switch.
func (*Manager) PortName(m *fabric.Model, p *fabric.Port) string { return ibsubnet.PanelName(m, p) }

// Check says what UFM cannot do with this fabric and what a user must supply.
func (*Manager) Check(f *fabric.Fabric) []fabric.Finding {
	if !handles(f) {
		return nil
	}
	return check(f, ibsubnet.Split(f)).Findings
}

// Files are the files for UFM, in a folder for each subnet where there are several.
// INSTALL.txt says what goes where. It is an error to ask for a fabric that is not
// UFM's, for an unknown routing engine, or for names that would break a file's syntax.
func (m *Manager) Files(f *fabric.Fabric) ([]fabric.File, error) {
	if !handles(f) {
		return nil, errors.New("ufm: the fabric is not an InfiniBand fabric managed by ufm")
	}
	subnets := ibsubnet.Split(f)
	if err := refuse(f, subnets); err != nil {
		return nil, fmt.Errorf("ufm: %w", err)
	}
	var files []fabric.File
	for i := range subnets {
		more, err := m.subnetFiles(f, &subnets[i])
		if err != nil {
			return nil, fmt.Errorf("ufm: %w", err)
		}
		files = append(files, more...)
	}
	return files, nil
}

func handles(f *fabric.Fabric) bool {
	return f.Technology == fabric.InfiniBand && f.InfiniBand != nil && f.InfiniBand.Manager == name
}

// refuse is the part of check without which the files would be wrong.
func refuse(f *fabric.Fabric, subnets []ibsubnet.Subnet) error {
	r := ibsubnet.Report{Fabric: f, Subnets: subnets, Manager: "UFM"}
	r.Names()
	engines(&r)
	if list := r.Errors(); len(list) > 0 {
		return errors.New(strings.Join(list, "; "))
	}
	return nil
}

// subnetFiles renders one subnet's files.
func (m *Manager) subnetFiles(f *fabric.Fabric, s *ibsubnet.Subnet) ([]fabric.File, error) {
	p := newPage(f, s)
	var files []fabric.File
	add := func(name string, body []byte) {
		files = append(files, fabric.File{Name: path.Join(s.Name, name), Body: body})
	}
	for _, file := range []struct {
		name, tmpl string
		wanted     bool
		what       string
		list       func() []byte
	}{
		{"INSTALL.txt", "INSTALL.txt.tmpl", true, "", nil},
		{"conf/opensm/opensm.conf.changes", "opensm.conf.changes.tmpl", true, "", nil},
		{"conf/opensm/" + rootFile, "list.head.tmpl", p.Roots, "Node GUIDs of the top tier's switches", func() []byte { return rootList(f, s) }},
		{"conf/opensm/" + orderFile, "list.head.tmpl", true, "Port GUIDs in routing order, rail by rail,", func() []byte { return ibsubnet.OrderList(s) }},
		{"conf/opensm/ib-node-name-map", "list.head.tmpl", true, "Node GUIDs and names", func() []byte { return ibsubnet.NameMap(f, s, ibsubnet.OneGUID) }},
		{"conf/gv.cfg.changes", "gv.cfg.changes.tmpl", p.Isolated, "", nil},
		{"conf/partitions.conf.user_ext", "partitions.conf.user_ext.tmpl", len(p.Partitions) > 0, "", nil},
		{"rest/requests.txt", "requests.txt.tmpl", len(p.Partitions) > 0, "", nil},
	} {
		if !file.wanted {
			continue
		}
		p.What = file.what
		body, err := m.set.Execute(file.tmpl, path.Join("subnet-manager", s.Name), p)
		if err != nil {
			return nil, err
		}
		if file.list != nil {
			body = append(body, file.list()...)
		}
		add(file.name, body)
	}
	for i := range p.Partitions {
		body, err := json.MarshalIndent(&p.Partitions[i].body, "", "  ")
		if err != nil {
			return nil, err
		}
		add("rest/"+p.Partitions[i].File, append(body, '\n'))
	}
	return append(files, ibsubnet.Topology(f, s)...), nil
}
