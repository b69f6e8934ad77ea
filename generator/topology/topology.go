// Package topology decides how many switches a cluster needs and which port
// goes to which port.
//
// The counting rules are those of rail-optimised designs: leaf (unit, slot)
// takes a fixed set of rails of the servers of a unit; spines are the smallest
// divisor of a leaf's uplinks that holds all links, so that every leaf-spine
// pair has the same number of parallel links; where no divisor reaches, spines
// are grouped per rail under cores. They reproduce the published NVIDIA DGX
// SuperPOD tables (H100, B200, B300) row by row.
package topology

import (
	"fmt"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/numbering"
	"railyard/generator/quantity"
)

// Build designs the switches, servers, ports and links of a cluster and names
// them. Size is what numbering needs of the final fabric. The error is
// cluster.Problems: which limit broke and what would fit.
func Build(c *cluster.Cluster) (*fabric.Fabric, *numbering.Size, error) {
	d := &designer{c: c, leaf: &c.Switches.Leaf.Spec, spine: &c.Switches.Spine.Spec, core: &c.Switches.Core.Spec, perUnit: int(c.Fabric.ServersPerUnit)}
	s := d.decide()
	if s == nil || len(d.problems) > 0 {
		d.problems.Sort()
		return nil, nil, d.problems
	}
	b := newBuilder(d, s)
	b.build()
	if len(d.problems) > 0 {
		d.problems.Sort()
		return nil, nil, d.problems
	}
	return b.f, &b.size, nil
}

func newBuilder(d *designer, s *shape) *builder {
	c := d.c
	b := &builder{designer: d, s: s, faces: map[faceKey]*face{}, model: map[string]int{}, leaves: map[leafKey]int{}}
	b.f = &fabric.Fabric{
		Name: c.Name, Technology: fabric.Technology(c.Fabric.Technology), Topology: s.topology,
		Attachment: c.Fabric.Attachment, Planes: s.planes,
	}
	if b.f.Technology == fabric.RoCE {
		b.f.RoCE = c.Fabric.RoCE
	}
	spines := s.spines
	for _, blk := range s.blocks {
		spines += blk.spines
	}
	for i := range c.Servers {
		b.f.Rails = max(b.f.Rails, c.Servers[i].NICs)
	}
	b.names = numbering.NewNames(s.planes, s.units, spines, s.cores)
	b.size = numbering.Size{
		Units: s.units, Leaves: s.leaves, Spines: spines, Cores: s.cores, SpineGroups: max(len(s.blocks), 1),
		LeafSpineLinks: s.leafSpineLinks(), SpineCoreLinks: s.spineCoreLinks(),
	}
	b.addGroups()
	b.prepareCables()
	return b
}

// addGroups fills the fabric's view of the server groups and numbering's view of their places.
func (b *builder) addGroups() {
	slot := 0
	for i := range b.s.groups {
		g := &b.s.groups[i]
		// Today's units end with the last server's; UFM's last places exist from the start.
		unit, _ := b.place(g, g.g.Count-1)
		g.today = unit + 1
		if b.ufmPlaces(i) > 0 {
			g.today = max(g.today, b.ufmUnit(g)+1)
		}
		fg := fabric.Group{
			Name: g.g.Name, Count: g.g.Count, ServerModel: g.g.Model, GPU: g.g.GPU, GPUsPerServer: g.g.GPUs, NIC: g.g.NIC, NICs: g.g.NICs,
			NICSpeed: int(g.g.NICSpeed), RailsPerLeaf: g.perLeaf, ServersPerUnit: g.perUnit, FirstUnit: g.firstUnit, Units: g.today,
			UplinksPerLeaf: g.uplinks, UplinkSpeed: b.s.uplink, Class: -1,
		}
		if gpu := b.c.Catalog.GPU(g.g.GPU); gpu != nil {
			fg.GPUVendor, fg.ScaleUp = gpu.Vendor, gpu.ScaleUp != "none"
		}
		if nic := b.c.Catalog.NIC(g.g.NIC); nic != nil {
			fg.NICVendor = nic.Vendor
		}
		b.f.Groups = append(b.f.Groups, fg)
		b.size.FirstHost = append(b.size.FirstHost, slot)
		hosts := g.perUnit
		if b.s.topology == fabric.SingleSwitch {
			slot += g.perUnit // all groups share the one unit's subnets
		} else if b.s.topology == fabric.RailOnly {
			hosts = g.reserved
		}
		b.size.HostsPerUnit = max(b.size.HostsPerUnit, hosts, slot)
	}
}

// count fills the totals, ratios, choices and findings.
func (b *builder) count() {
	f := b.f
	f.Counts = fabric.Counts{Rails: f.Rails, Planes: f.Planes}
	for i := range f.Groups {
		g := &f.Groups[i]
		f.Counts.Servers += g.Count
		f.Counts.GPUs += g.Count * g.GPUsPerServer
		f.Counts.Units += g.Units
		f.Counts.HostLinks += g.Count * g.NICs * f.Planes
	}
	if f.Topology == fabric.SingleSwitch {
		f.Counts.Units = 1
	}
	for i := range f.Switches {
		switch f.Switches[i].Role {
		case fabric.Leaf:
			f.Counts.Leaf++
		case fabric.Spine:
			f.Counts.Spine++
		case fabric.Core:
			f.Counts.Core++
		}
	}
	b.countLinks()
	b.ratios()
	f.Choices = b.choices
	if b.s.uneven {
		f.Findings = append(f.Findings, fabric.Finding{
			Severity: fabric.Warning, Code: "UNEVEN_SPINES",
			Message: fmt.Sprintf("%d spines do not divide a leaf's uplinks, so some leaf-spine pairs have one link more than others and equal-cost hashing loads them unevenly", b.s.spines),
			Remedy:  "use a spine count that divides the uplinks, or weighted ECMP",
			Source:  "divisor rule behind the NVIDIA DGX SuperPOD tables",
		})
	}
}

func (b *builder) countLinks() {
	f := b.f
	seen := make([]bool, b.hostTotal+b.perPlane*b.s.planes+1) // by cable number
	for i := range f.Links {
		l := &f.Links[i]
		cables := &f.Counts.FabricCables
		switch {
		case l.Kind == fabric.HostLink:
			cables = &f.Counts.HostCables
		case f.Switches[l.B.Device].Role == fabric.Core:
			f.Counts.SpineCoreLinks++
		default:
			f.Counts.LeafSpineLinks++
		}
		if !seen[l.Cable] {
			seen[l.Cable] = true
			*cables++
		}
	}
}

// ratios states the oversubscription of full switches: the worst group's leaf, the worst block's spine.
func (b *builder) ratios() {
	worse := func(a, r quantity.Ratio) bool { return a.Down == 0 || r.Down*a.Up > a.Down*r.Up }
	var leaf, spine quantity.Ratio
	for i := range b.s.groups {
		g := &b.s.groups[i]
		up := b.s.uplink
		if b.s.topology == fabric.DDC {
			up = int(b.leaf.Ports[len(b.leaf.Ports)-1].Speed)
		}
		if g.uplinks == 0 {
			continue
		}
		if r := quantity.Reduce(g.perUnit*g.perLeaf*int(g.g.NICSpeed), g.uplinks*up); worse(leaf, r) {
			leaf = r
		}
	}
	for _, k := range b.s.blocks {
		if r := quantity.Reduce(k.downlinks*b.s.uplink, k.uplinks*b.s.coreLink); worse(spine, r) {
			spine = r
		}
	}
	b.f.LeafOversubscription = fabric.Ratio(leaf)
	b.f.SpineOversubscription = fabric.Ratio(spine)
}
