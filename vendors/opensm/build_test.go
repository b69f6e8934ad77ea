package opensm

import (
	"fmt"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// tree describes a fabric for tests. The designer is not used here, so that these
// tests do not depend on how it counts.
type tree struct {
	name          string
	servers       int // GPU servers
	perUnit       int // places of a unit
	rails, planes int
	ufm           int // ports of one management host, which takes the last place
	cages, speed  int // of every switch; 800 and above are twin-port cages
	spines        int // per plane, or per rail group where there are cores; 0: none
	cores         int // per plane
	placeholder   bool
}

// Models and their cages as the catalog has them.
var (
	// twoTier is the fabric of 16 adapters that the notes on ibsim use.
	twoTier = tree{name: "two-tier", servers: 8, perUnit: 4, rails: 2, planes: 1, cages: 8, speed: 200, spines: 2}
	// threeTier has two rail groups of two units, two spines each, and two cores.
	threeTier = tree{name: "three-tier", servers: 8, perUnit: 4, rails: 2, planes: 1, cages: 4, speed: 800, spines: 2, cores: 2, placeholder: true}
	twoPlanes = tree{name: "two-planes", servers: 6, perUnit: 4, rails: 2, planes: 2, cages: 4, speed: 800, spines: 2, placeholder: true}
	railOnly  = tree{name: "rail-only", servers: 4, perUnit: 8, rails: 2, planes: 1, cages: 8, speed: 200}
	oneSwitch = tree{name: "one-switch", servers: 2, perUnit: 4, rails: 1, planes: 1, cages: 8, speed: 200}
	// superPOD is 4 SU of DGX H100 on QM9700: 127 servers, 32 leaves, 16 spines
	// (DGX SuperPOD H100 network fabrics, table 4); four UFM ports in the last place.
	superPOD = tree{name: "h100-superpod", servers: 127, perUnit: 32, rails: 8, planes: 1, ufm: 4, cages: 32, speed: 800, spines: 16, placeholder: true}
	// b200 is 16 SU of DGX B200: 512 servers, 128 leaves, 128 spines, 64 cores (DGX
	// SuperPOD B200 reference architecture).
	b200 = tree{name: "b200-16su", servers: 512, perUnit: 32, rails: 8, planes: 1, cages: 32, speed: 800, spines: 16, cores: 64, placeholder: true}
)

type builder struct {
	tree
	f     *fabric.Fabric
	lanes int
	taken []int // ports in use of each switch, handed out in order
}

func (t tree) build() *fabric.Fabric {
	b := &builder{tree: t, lanes: 1}
	if t.speed >= ibsubnet.Quantum2Cage {
		b.lanes = 2
	}
	m := fabric.Model{ID: fmt.Sprintf("test-%dx%d", t.cages, t.speed)}
	for i := range t.cages {
		m.Cages = append(m.Cages, fabric.Cage{Number: i + 1, SpeedGbps: t.speed})
	}
	b.f = &fabric.Fabric{
		Name: t.name, Technology: fabric.InfiniBand, Planes: t.planes, Rails: t.rails, Models: []fabric.Model{m},
		InfiniBand: &fabric.Subnet{Manager: "opensm", Routing: "auto"},
	}
	for range t.servers {
		b.server(fmt.Sprintf("gpu-%03d", len(b.f.Servers)+1), t.rails*t.planes, false)
	}
	if t.ufm > 0 {
		b.server("ufm-1", t.ufm, true)
	}
	for p := range t.planes {
		b.plane(p)
	}
	return b.f
}

func (b *builder) units() int { return (len(b.f.Servers) + b.perUnit - 1) / b.perUnit }

func (b *builder) server(name string, ports int, ufm bool) {
	i := len(b.f.Servers)
	s := fabric.Server{Name: name, UFM: ufm, Unit: i / b.perUnit, Slot: i % b.perUnit}
	for j := range ports {
		n := fabric.NICPort{Name: fmt.Sprintf("nic%d", j/b.planes), NIC: j / b.planes, Rail: j / b.planes, Plane: j % b.planes, Link: -1}
		if b.planes > 1 {
			n.Name += fmt.Sprintf("p%d", n.Plane)
		}
		n.GUID = fabric.GUID{Value: 0x1070fd0300000001 + uint64(i*64+j)*4, Placeholder: b.placeholder}
		s.Ports = append(s.Ports, n)
	}
	b.f.Servers = append(b.f.Servers, s)
}

func (b *builder) sw(prefix string, role fabric.Role, plane, unit int, name string) int {
	i := len(b.f.Switches)
	index := 0
	for _, other := range b.f.Switches {
		if other.Role == role && other.Plane == plane {
			index++
		}
	}
	s := fabric.Switch{Name: name, Index: index, Role: role, Plane: plane, Unit: unit,
		GUID: fabric.GUID{Value: 0xb83fd20300000000 + uint64(i)*0x10, Placeholder: b.placeholder}}
	if b.planes > 1 {
		s.Name = prefix + name
	}
	for c := range b.cages {
		for l := range b.lanes {
			p := fabric.Port{Cage: c + 1, Split: b.lanes, SpeedGbps: b.speed / b.lanes, Role: fabric.UnusedPort, Link: -1, Rail: -1, VLAN: -1}
			if b.lanes > 1 {
				p.Lane = l + 1
			}
			s.Ports = append(s.Ports, p)
		}
	}
	b.f.Switches = append(b.f.Switches, s)
	b.taken = append(b.taken, 0)
	return i
}

func (b *builder) plane(p int) {
	prefix := fmt.Sprintf("p%d-", p)
	var leaves, spines []int
	for u := range b.units() {
		for r := range b.rails {
			leaves = append(leaves, b.sw(prefix, fabric.Leaf, p, u, fmt.Sprintf("leaf-u%02d-r%d", u+1, r)))
		}
	}
	groups := 1
	if b.cores > 0 {
		groups = b.rails
	}
	for i := range groups * b.spines {
		spines = append(spines, b.sw(prefix, fabric.Spine, p, -1, fmt.Sprintf("spine-%02d", i+1)))
	}
	for i := range b.f.Servers {
		for j := range b.f.Servers[i].Ports {
			if n := &b.f.Servers[i].Ports[j]; n.Plane == p {
				leaf := leaves[b.f.Servers[i].Unit*b.rails+n.Rail]
				b.cable(fabric.End{Kind: fabric.ServerDevice, Device: i, Port: j}, fabric.End{Device: leaf, Port: b.f.Servers[i].Slot}, p)
			}
		}
	}
	if b.spines == 0 {
		return
	}
	half := b.cages * b.lanes / 2
	for i, leaf := range leaves {
		b.taken[leaf] = half
		group := spines
		if groups > 1 {
			group = spines[i%b.rails*b.spines:][:b.spines]
		}
		b.fan(leaf, group, half/b.spines, p)
	}
	b.top(prefix, spines, half, p)
}

// top connects spine j of every group to core plane j.
func (b *builder) top(prefix string, spines []int, uplinks, plane int) {
	if b.cores == 0 {
		return
	}
	var cores []int
	for i := range b.cores {
		cores = append(cores, b.sw(prefix, fabric.Core, plane, -1, fmt.Sprintf("core-%02d", i+1)))
	}
	width := b.cores / b.spines
	for i, spine := range spines {
		j := i % b.spines
		b.fan(spine, cores[j*width:(j+1)*width], uplinks/width, plane)
	}
}

func (b *builder) fan(from int, to []int, parallel, plane int) {
	for _, t := range to {
		for range parallel {
			b.cable(b.next(from), b.next(t), plane)
		}
	}
}

func (b *builder) next(sw int) fabric.End {
	b.taken[sw]++
	return fabric.End{Device: sw, Port: b.taken[sw] - 1}
}

func (b *builder) cable(a, z fabric.End, plane int) {
	l := fabric.Link{A: a, B: z, Kind: fabric.FabricLink, Plane: plane, SpeedGbps: b.speed / b.lanes}
	at := len(b.f.Links)
	far := &b.f.Switches[z.Device].Ports[z.Port]
	if far.Link >= 0 {
		panic("port used twice")
	}
	far.Link, far.Peer, far.Role = at, a, fabric.DownlinkPort
	if a.Kind == fabric.ServerDevice {
		l.Kind, far.Role = fabric.HostLink, fabric.HostPort
		b.f.Servers[a.Device].Ports[a.Port].Link = at
	} else {
		near := &b.f.Switches[a.Device].Ports[a.Port]
		near.Link, near.Peer, near.Role = at, z, fabric.UplinkPort
	}
	b.f.Links = append(b.f.Links, l)
}

// tenants declares two partitions of half the servers each, and a third of limited
// members that belong to the first as well.
func tenants(f *fabric.Fabric) *fabric.Fabric {
	var a, b []int
	for i := range f.Servers {
		if f.Servers[i].UFM {
			continue
		}
		if i < len(f.Servers)/2 {
			a = append(a, i)
		} else {
			b = append(b, i)
		}
	}
	f.InfiniBand.Partitions = []fabric.Partition{
		{Name: "train-a", PKey: 0x0010, Full: true, Members: a},
		{Name: "infer-b", PKey: 0x8020, Full: true, Members: b},
		{Name: "store", PKey: 0x0030, Full: true, Members: a[:1]},
		{Name: "store-clients", PKey: 0x0030, Full: false, Members: append(append([]int{}, a[1:]...), b...)},
	}
	return f
}
