package ibsubnet

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

const (
	// MaxLIDs is how many unicast LIDs a subnet has: 0x0001 to 0xbfff (ib_types.h,
	// IB_LID_UCAST_END_HO).
	MaxLIDs = 0xbfff

	maxPorts = 254 // a port number is eight bits; 0 is the switch itself, 255 means any
	maxPKeys = 128 // P_Keys a port holds, the default one included (Mellanox/ib-kubernetes pull 49)

	// MaxListed is how many objects a finding names; its message has the whole number.
	MaxListed = 16
)

// Report collects findings about a fabric's subnets.
type Report struct {
	Fabric   *fabric.Fabric
	Subnets  []Subnet
	Manager  string // as messages call the subnet manager
	Findings []fabric.Finding
}

// Add appends a finding; objects are sorted and cut at MaxListed.
func (r *Report) Add(s fabric.Severity, code, message, remedy, source string, objects ...string) {
	slices.Sort(objects)
	objects = slices.Compact(objects)
	r.Findings = append(r.Findings, fabric.Finding{Severity: s, Code: code, Message: message, Remedy: remedy, Source: source, Objects: objects[:min(len(objects), MaxListed)]})
}

// Has reports whether a code was found already.
func (r *Report) Has(code string) bool {
	return slices.ContainsFunc(r.Findings, func(x fabric.Finding) bool { return x.Code == code })
}

// Errors are the messages of the findings that are errors.
func (r *Report) Errors() []string {
	var out []string
	for i := range r.Findings {
		if r.Findings[i].Severity == fabric.Error {
			out = append(out, r.Findings[i].Message)
		}
	}
	return out
}

// Names refuses names that cannot stand in every file and command a subnet manager
// takes: in topology files a name ends at a blank, in name maps at a quote, in
// partition rules at : ; , and =.
func (r *Report) Names() {
	var bad []string
	note := func(name string) {
		if name == "" || strings.ContainsFunc(name, func(c rune) bool {
			return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && !strings.ContainsRune("._-", c)
		}) {
			bad = append(bad, fmt.Sprintf("%q", name))
		}
	}
	f := r.Fabric
	for i := range f.Switches {
		note(f.Switches[i].Name)
	}
	for i := range f.Servers {
		note(f.Servers[i].Name)
	}
	for i := range f.InfiniBand.Partitions {
		p := f.InfiniBand.Partitions[i].Name
		note(p)
		if strings.EqualFold(p, "Default") || strings.EqualFold(p, "management") {
			bad = append(bad, fmt.Sprintf("%q", p)) // OpenSM's and UFM's name for the default partition
		}
	}
	note(f.Name)
	if len(bad) > 0 {
		r.Add(fabric.Error, "IB_NAME", fmt.Sprintf("%d names cannot stand in the files of %s, such as %s", len(bad), r.Manager, bad[0]),
			"use letters, digits, dots, dashes and underscores", "ibdm-topo-file(1), osm_prtn_config.c", bad...)
	}
}

// Limits looks for subnets that InfiniBand cannot number.
func (r *Report) Limits() {
	for i := range r.Subnets {
		s := &r.Subnets[i]
		if lids := len(s.Hosts) + len(s.Switches); lids > MaxLIDs {
			r.Add(fabric.Error, "IB_LID_LIMIT",
				fmt.Sprintf("%s needs %d LIDs, and one InfiniBand subnet has %d", s.Where(), lids, MaxLIDs),
				"spread the servers over several planes or fabrics", "InfiniBand unicast LID range, OpenSM ib_types.h")
		}
		for _, sw := range s.Switches {
			if n := s.numbering[sw].Count; n > maxPorts && !r.Has("IB_PORT_LIMIT") {
				r.Add(fabric.Error, "IB_PORT_LIMIT",
					fmt.Sprintf("the model %s would have %d InfiniBand ports, and a switch has at most %d", r.Fabric.ModelOf(&r.Fabric.Switches[sw]).ID, n, maxPorts),
					"declare fewer ports or a coarser breakout", "InfiniBand port numbers")
			}
		}
	}
}

// GUIDs looks for missing, made-up and repeated GUIDs.
func (r *Report) GUIDs() {
	var missing, placeholder, twice []string
	seen := make(map[uint64]string)
	total := 0
	note := func(g fabric.GUID, name string) {
		total++
		switch other, dup := seen[g.Value]; {
		case g.Value == 0:
			missing = append(missing, name)
		case dup:
			twice = append(twice, other, name)
		}
		seen[g.Value] = name
		if g.Placeholder {
			placeholder = append(placeholder, name)
		}
	}
	for i := range r.Fabric.Switches {
		note(r.Fabric.Switches[i].GUID, r.Fabric.Switches[i].Name)
	}
	for i := range r.Subnets {
		for j := range r.Subnets[i].Hosts {
			h := &r.Subnets[i].Hosts[j]
			sv := &r.Fabric.Servers[h.Server]
			note(h.GUID, sv.Name+"/"+sv.Ports[h.Port].Name)
		}
	}
	const source = "InfiniBand node and port GUIDs"
	if len(missing) > 0 {
		r.Add(fabric.Error, "IB_GUID_MISSING", fmt.Sprintf("%d of %d ports and switches have no GUID", len(missing), total),
			"name a CSV of names and GUIDs in infiniband.guids", source, missing...)
	}
	if len(twice) > 0 {
		r.Add(fabric.Error, "IB_GUID_DUPLICATE", "the same GUID belongs to several ports or switches; a subnet manager does not route a subnet with duplicated GUIDs",
			"correct infiniband.guids", source, twice...)
	}
	if len(placeholder) > 0 {
		r.Add(fabric.Warning, "IB_GUID_PLACEHOLDER",
			fmt.Sprintf("%d of %d GUIDs are made up; roots, partitions and routing order would not find the real ports", len(placeholder), total),
			"put the GUIDs that ibstat -p and ibswitches show into infiniband.guids and generate again", source, placeholder...)
	}
}

// Ports says where port numbers are inferred, and the file that shows them.
func (r *Report) Ports(file string) {
	if Generation(r.Fabric) >= Quantum2Cage {
		r.Add(fabric.Info, "IB_PORT_NUMBERS",
			"InfiniBand port numbers of twin-port cages are counted as (cage-1)*2+port, and with cages split four ways as (cage-1)*4+port, which NVIDIA does not document",
			"compare "+file+" with ibnetdiscover on the first switch", "inferred from 64 ports in 32 cages, QM9700 manual")
	}
}
