package topology

import (
	"slices"

	"railyard/generator/catalog"
	"railyard/generator/fabric"
)

// place finds where server i of a group stands: unit and slot within the
// group. UFM's places are skipped.
func (b *builder) place(g *groupShape, i int) (unit, slot int) {
	if k := b.ufmPlaces(g.index); k > 0 && b.ufmUnit(g) == 0 && i >= g.perUnit-k {
		i += k
	}
	return i / g.perUnit, i % g.perUnit
}

// ufmUnit is the unit whose last places UFM has: the last one, or the first
// where the cluster is laid out for growth, since the last does not exist yet
// and nothing may move later.
func (b *builder) ufmUnit(g *groupShape) int {
	if b.c.Fabric.Reserve.Servers > 0 {
		return 0
	}
	return g.units - 1
}

func (b *builder) addServers() {
	for i := range b.s.groups {
		g := &b.s.groups[i]
		for n := range g.g.Count {
			unit, slot := b.place(g, n)
			b.f.Servers = append(b.f.Servers, fabric.Server{
				Name: g.g.ServerName(n), Group: i, Unit: g.firstUnit + unit, Slot: slot, Ports: b.nics(g),
			})
		}
	}
	last := &b.s.groups[len(b.s.groups)-1]
	places := b.ufmPlaces(last.index)
	left := b.c.InfiniBand.UFMLinks
	for k := range places {
		s := fabric.Server{Name: b.names.UFM(k), Group: -1, UFM: true, Unit: last.firstUnit + b.ufmUnit(last), Slot: last.perUnit - places + k}
		s.Ports = b.nics(last)[:min(left, last.g.NICs)*b.s.planes]
		left -= min(left, last.g.NICs)
		b.f.Servers = append(b.f.Servers, s)
	}
}

func (b *builder) nics(g *groupShape) []fabric.NICPort {
	ports := make([]fabric.NICPort, 0, g.g.NICs*b.s.planes)
	for nic := range g.g.NICs {
		for plane := range b.s.planes {
			ports = append(ports, fabric.NICPort{Name: b.names.NIC(nic, plane), NIC: nic, Rail: nic, Plane: plane, Link: -1})
		}
	}
	return ports
}

// hostLinks cables the NIC ports of one plane. Position of NIC r of the server
// in slot i on its leaf: (r mod rails per leaf) * servers per unit + i, so that
// a rail is one run of ports and neighbouring servers share a cage.
func (b *builder) hostLinks(plane int, faces map[leafKey]*face) {
	for n := range b.f.Servers {
		srv := &b.f.Servers[n]
		gi := srv.Group
		if srv.UFM {
			gi = len(b.s.groups) - 1
		}
		g := &b.s.groups[gi]
		for p := range srv.Ports {
			nic := &srv.Ports[p]
			if nic.Plane != plane {
				continue
			}
			key := leafKey{plane, gi, srv.Unit - g.firstUnit, nic.Rail / g.perLeaf}
			k := 0
			if b.s.topology == fabric.SingleSwitch {
				key, k = leafKey{plane, 0, 0, 0}, gi
			}
			stride := g.perUnit
			if b.s.topology == fabric.RailOnly {
				stride = g.reserved
			}
			port := faces[key].runs[k][nic.Rail%g.perLeaf*stride+srv.Slot]
			leaf := b.leaves[key]
			sp := &b.f.Switches[leaf].Ports[port]
			sp.Role, sp.Rail = fabric.HostPort, nic.Rail
			b.link(fabric.Link{
				A: fabric.End{Kind: fabric.ServerDevice, Device: n, Port: p}, B: fabric.End{Kind: fabric.SwitchDevice, Device: leaf, Port: port},
				Kind: fabric.HostLink, Plane: plane, SpeedGbps: int(g.g.NICSpeed),
				LengthM: float64(g.g.Cable.Length), CableType: g.g.Cable.Type,
				Cable: b.hostBase[gi] + b.hostCable(g, srv, nic),
			}, -1)
		}
	}
}

func (b *builder) prepareCables() {
	for i := range b.s.groups {
		g := &b.s.groups[i]
		b.hostBase = append(b.hostBase, b.hostTotal)
		b.hostTotal += g.units * g.perUnit * g.g.NICs * b.cablesPerNIC(g)
	}
	b.perPlane = b.s.leafSpineLinks() + b.s.spineCoreLinks()
	b.twin = slices.ContainsFunc(b.leaf.Ports, func(p catalog.Ports) bool { return p.Twin })
}

// cablesPerNIC is one a plane, or one in all where the NIC's ports leave
// through a twin-port cage.
func (b *builder) cablesPerNIC(g *groupShape) int {
	if nic := b.c.Catalog.NIC(g.g.NIC); nic != nil && nic.TwinCage && b.s.planes == 2 {
		return 1
	}
	return b.s.planes
}

func (b *builder) hostCable(g *groupShape, srv *fabric.Server, nic *fabric.NICPort) int {
	per := b.cablesPerNIC(g)
	place := (srv.Unit-g.firstUnit)*g.perUnit + srv.Slot
	return (place*g.g.NICs+nic.NIC)*per + min(nic.Plane, per-1) + 1
}
