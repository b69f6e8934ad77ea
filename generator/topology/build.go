package topology

import (
	"cmp"
	"slices"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/numbering"
)

// builder turns a shape into devices, ports and links. It walks the reserved
// (final) fabric and leaves out what does not exist today, so that whatever
// does exist stands where it will stand at the final size.
type builder struct {
	*designer
	s     *shape
	f     *fabric.Fabric
	names numbering.Names
	size  numbering.Size
	faces map[faceKey]*face
	model map[string]int
	twin  bool // leaf cages are twin-port: their halves are cabled one by one

	// Cables are numbered over the final fabric, so that growth keeps their
	// numbers: hosts by group, then plane by plane leaf-spine and spine-core.
	hostBase            []int // number before the first cable of each group
	hostTotal, perPlane int

	leaves map[leafKey]int // index into f.Switches
}

type faceKey struct {
	model      string
	role       fabric.Role
	group, key int
}

type leafKey struct{ plane, group, unit, slot int }

// specFor is the switch type of a device: its tier's, unless an override names another.
func (b *builder) specFor(name string, tier *catalog.Switch) *catalog.Switch {
	for i := range b.c.Overrides {
		if o := &b.c.Overrides[i]; o.Spec != nil && o.Matches(name) {
			tier = o.Spec
		}
	}
	return tier
}

// systemFor is the network OS and release of a device: its tier's, or an
// override's; an override that only names another model brings that model's
// usual OS.
func (b *builder) systemFor(sw *fabric.Switch, spec *catalog.Switch) (os, release string) {
	tier := map[fabric.Role]*cluster.Tier{fabric.Leaf: &b.c.Switches.Leaf, fabric.Spine: &b.c.Switches.Spine, fabric.Core: &b.c.Switches.Core}[sw.Role]
	os, release = tier.OS, tier.Release
	for i := range b.c.Overrides {
		o := &b.c.Overrides[i]
		if !o.Matches(sw.Name) {
			continue
		}
		if o.Spec != nil && len(spec.OS) > 0 && !slices.Contains(spec.OS, os) {
			os, release = spec.OS[0], ""
		}
		if o.OS != "" && o.OS != os {
			os, release = o.OS, ""
		}
		if o.Release != "" {
			release = o.Release
		}
	}
	return os, release
}

func (b *builder) modelIndex(spec *catalog.Switch) int {
	if i, ok := b.model[spec.ID]; ok {
		return i
	}
	m := fabric.Model{ID: spec.ID, Vendor: spec.Vendor, ASIC: spec.ASIC, Family: spec.Family, BufferBytes: int64(spec.Buffer), CellBytes: spec.Cell, Confidence: string(spec.Confidence)}
	for i, c := range newPanel(spec).cages {
		m.Cages = append(m.Cages, fabric.Cage{Number: i + 1, SpeedGbps: int(c.Speed), Form: c.Form, Fabric: c.Fabric})
	}
	b.f.Models = append(b.f.Models, m)
	b.model[spec.ID] = len(b.f.Models) - 1
	return b.model[spec.ID]
}

// add appends a switch with its panel laid out and returns its index and face.
func (b *builder) add(sw fabric.Switch, spec *catalog.Switch, key int, runs ...run) (int, *face) {
	k := faceKey{spec.ID, sw.Role, sw.Group, key}
	f := b.faces[k]
	if f == nil {
		var err error
		if f, err = newPanel(spec).layOut(runs...); err != nil {
			b.fail("overrides", "choose a model with enough ports of that speed", "%s as %s: %v", spec.ID, sw.Name, err)
			f = &face{}
			for _, r := range runs {
				f.runs = append(f.runs, make([]int, r.n))
			}
			f.ports = make([]fabric.Port, 1)
		}
		b.faces[k] = f
	}
	sw.Model = b.modelIndex(spec)
	sw.OS, sw.Release = b.systemFor(&sw, spec)
	sw.Ports = slices.Clone(f.ports)
	b.f.Switches = append(b.f.Switches, sw)
	return len(b.f.Switches) - 1, f
}

// build fills the fabric plane by plane.
func (b *builder) build() {
	b.addServers()
	links := b.perPlane * b.s.planes
	for i := range b.f.Servers {
		links += len(b.f.Servers[i].Ports)
	}
	b.f.Links, b.size.LinkIndex = make([]fabric.Link, 0, links), make([]int, 0, links)
	for plane := range b.s.planes {
		first := len(b.f.Switches)
		leafFaces := b.addLeaves(plane)
		b.hostLinks(plane, leafFaces)
		switch b.s.topology {
		case fabric.LeafSpine, fabric.DDC:
			b.twoTierLinks(plane, leafFaces)
		case fabric.ThreeTier:
			b.threeTierLinks(plane, leafFaces)
		}
		b.sortLinks(first)
	}
	b.count()
}

// sortLinks puts the links of the plane whose first switch is given in order:
// host links by leaf and port, then fabric links by lower switch and port.
func (b *builder) sortLinks(first int) {
	plane := b.f.Switches[first].Plane
	from := slices.IndexFunc(b.f.Links, func(l fabric.Link) bool { return l.Plane == plane })
	if from < 0 {
		return
	}
	links, index := b.f.Links[from:], b.size.LinkIndex[from:]
	order := make([]int, len(links))
	for i := range order {
		order[i] = i
	}
	at := func(l *fabric.Link) fabric.End {
		if l.Kind == fabric.HostLink {
			return l.B
		}
		return l.A
	}
	slices.SortFunc(order, func(i, j int) int {
		x, y := &links[i], &links[j]
		if x.Kind != y.Kind {
			return cmp.Compare(y.Kind, x.Kind) // host before fabric
		}
		return cmp.Or(cmp.Compare(at(x).Device, at(y).Device), cmp.Compare(at(x).Port, at(y).Port))
	})
	sorted, sortedIndex := make([]fabric.Link, len(links)), make([]int, len(links))
	for k, i := range order {
		sorted[k], sortedIndex[k] = links[i], index[i]
		for _, end := range []fabric.End{links[i].A, links[i].B} {
			if end.Kind == fabric.SwitchDevice {
				b.f.Switches[end.Device].Ports[end.Port].Link = from + k
			} else {
				b.f.Servers[end.Device].Ports[end.Port].Link = from + k
			}
		}
	}
	copy(links, sorted)
	copy(index, sortedIndex)
}

// link joins two ports. index is the link's number in the final fabric, -1 for host links.
func (b *builder) link(l fabric.Link, index int) {
	n := len(b.f.Links)
	b.f.Links = append(b.f.Links, l)
	b.size.LinkIndex = append(b.size.LinkIndex, index)
	b.plug(l.A, l.B, n)
	b.plug(l.B, l.A, n)
}

func (b *builder) plug(at, peer fabric.End, n int) {
	if at.Kind == fabric.ServerDevice {
		b.f.Servers[at.Device].Ports[at.Port].Link = n
		return
	}
	p := &b.f.Switches[at.Device].Ports[at.Port]
	p.Link, p.Peer, p.Reserved = n, peer, false
}

// addLeaves adds the leaves that exist today; faces are by leafKey.
func (b *builder) addLeaves(plane int) map[leafKey]*face {
	faces := map[leafKey]*face{}
	for i := range b.s.groups {
		g := &b.s.groups[i]
		if b.s.topology == fabric.SingleSwitch && i > 0 {
			continue
		}
		for unit := range g.today {
			for slot := range g.slots {
				b.addLeaf(plane, g, unit, slot, faces)
			}
		}
	}
	return faces
}

func (b *builder) addLeaf(plane int, g *groupShape, unit, slot int, faces map[leafKey]*face) {
	rails := make([]int, g.perLeaf)
	for r := range rails {
		rails[r] = slot*g.perLeaf + r
	}
	runs := []run{{n: g.perUnit * g.perLeaf, speed: int(g.g.NICSpeed)}}
	if b.s.topology == fabric.SingleSwitch {
		runs, rails = nil, make([]int, b.f.Rails)
		for r := range rails {
			rails[r] = r
		}
		for k := range b.s.groups {
			runs = append(runs, run{n: b.s.groups[k].perUnit * b.s.groups[k].g.NICs, speed: int(b.s.groups[k].g.NICSpeed)})
		}
	}
	if b.s.topology != fabric.DDC && g.uplinks > 0 {
		runs = append(runs, run{n: g.uplinks, speed: b.s.uplink, fromEnd: true})
	}
	if b.s.topology == fabric.RailOnly {
		// The places beyond the final size are spare, not laid out.
		runs[0].n = g.reserved * g.perLeaf
	}
	name := b.names.Leaf(plane, g.firstUnit+unit, rails[0], rails[len(rails)-1])
	sw := fabric.Switch{
		Name: name, Role: fabric.Leaf, Plane: plane, Unit: g.firstUnit + unit, Slot: slot, Group: g.index,
		Rails: rails, Index: g.firstLeaf + unit*g.slots + slot,
	}
	at, f := b.add(sw, b.specFor(name, b.leaf), 0, runs...)
	key := leafKey{plane, g.index, unit, slot}
	faces[key], b.leaves[key] = f, at
	ports := b.f.Switches[at].Ports
	for k, ports2 := range f.runs {
		for _, p := range ports2 {
			if runs[k].fromEnd {
				ports[p].Role, ports[p].Reserved = fabric.UplinkPort, true
			} else {
				ports[p].Reserved = true
			}
		}
	}
}
