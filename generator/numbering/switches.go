package numbering

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// tiers lists the roles with how many switches of each a plane finally has.
func (a *assigner) tiers() []tier {
	return []tier{{fabric.Leaf, a.size.Leaves}, {fabric.Spine, a.size.Spines}, {fabric.Core, a.size.Cores}}
}

type tier struct {
	role  fabric.Role
	count int // a plane
}

// ordinal is a switch's number within its tier over all planes of the final fabric.
func (a *assigner) ordinal(sw *fabric.Switch) int {
	for _, t := range a.tiers() {
		if t.role == sw.Role {
			return sw.Plane*t.count + sw.Index
		}
	}
	return sw.Index
}

// starts places one run of numbers per tier behind another. Each tier starts at
// a multiple of align, the first at align itself (or 1 where align is 1).
func (a *assigner) starts(align int) (map[fabric.Role]int, int) {
	at, next := map[fabric.Role]int{}, align
	for _, t := range a.tiers() {
		at[t.role] = next
		used := next%align + t.count*a.f.Planes
		if align > 1 {
			used++ // the run begins behind the .0
		}
		next = next/align*align + (used+align-1)/align*align
	}
	return at, next
}

// loopbacks gives leaves 10.255.1.x, spines 10.255.2.x, cores 10.255.3.x where
// they fit a /24 each; longer tiers take more /24s, and a prefix too small for
// that is filled without gaps.
func (a *assigner) loopbacks() {
	prefix := a.c.Addressing.Loopbacks
	at, end := a.starts(256)
	first := 1
	if end > addresses(prefix) {
		at, end = a.starts(1)
		first = 0
	}
	if end > addresses(prefix) {
		a.fail("addressing.loopbacks", fmt.Sprintf("use at least a /%d", 32-log2(end)), "%s has %d addresses, the final fabric needs %d", prefix, addresses(prefix), end)
		return
	}
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		if a.f.Topology == fabric.DDC && sw.Role != fabric.Leaf {
			continue // a cell switch is no router
		}
		sw.Loopback = offset(prefix, at[sw.Role]+first+a.ordinal(sw))
	}
}

// asnSpan is a tier's run of AS numbers.
type asnSpan struct {
	path  string
	first uint32
	count int
}

// asns numbers autonomous systems: one per leaf, one per spine group (all
// spines of a group share it, which keeps routing valley-free: RFC 7938
// section 5.2), one for the cores of a plane. With spine_mode unique every
// spine has its own and leaves must not pass routes on.
func (a *assigner) asns() {
	asn := a.c.Addressing.ASN
	unique := asn.SpineMode == "unique"
	spines := a.size.SpineGroups
	if unique {
		spines = a.size.Spines
	}
	stride := (spines + 99) / 100 * 100 // per plane
	spans := []asnSpan{
		{"addressing.asn.leaf", asn.Leaf, a.size.Leaves * a.f.Planes},
		{"addressing.asn.spine", asn.Spine, (a.f.Planes-1)*stride + spines},
	}
	if a.size.Cores > 0 {
		spans = append(spans, asnSpan{"addressing.asn.core", asn.Core, a.f.Planes})
	}
	if !a.checkASNs(spans) {
		return
	}
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		switch {
		case sw.Role == fabric.Leaf:
			sw.ASN, sw.NoTransit = asn.Leaf+uint32(a.ordinal(sw)), unique
		case sw.Role == fabric.Core:
			sw.ASN = asn.Core + uint32(sw.Plane)
		case unique:
			sw.ASN = asn.Spine + uint32(sw.Plane*stride+sw.Index)
		default:
			sw.ASN = asn.Spine + uint32(sw.Plane*stride+sw.Group)
		}
		a.overrideASN(sw)
	}
}

func (a *assigner) overrideASN(sw *fabric.Switch) {
	for i := range a.c.Overrides {
		o := &a.c.Overrides[i]
		if (o.ASN == nil && o.NoTransit == nil) || !o.Matches(sw.Name) {
			continue
		}
		if o.ASN != nil {
			sw.ASN = *o.ASN
		}
		if o.NoTransit != nil {
			sw.NoTransit = *o.NoTransit
		}
	}
}

// checkASNs refuses runs that leave the range of AS numbers, cross from 2-byte
// into 4-byte numbers, or run into each other.
func (a *assigner) checkASNs(spans []asnSpan) bool {
	before := len(a.problems)
	last := func(s asnSpan) uint64 { return uint64(s.first) + uint64(max(s.count, 1)) - 1 }
	for i, s := range spans {
		switch {
		case s.first <= 65534 && last(s) > 65534:
			a.fail(s.path, fmt.Sprintf("start at %d or lower, or use 4-byte numbers such as 4200010000", max(65534-s.count+1, 1)),
				"%d AS numbers from %d leave the 2-byte range (to 65534)", s.count, s.first)
		case last(s) > 4294967294:
			a.fail(s.path, fmt.Sprintf("start at %d or lower", 4294967294-uint64(s.count)+1), "%d AS numbers from %d leave the range (to 4294967294)", s.count, s.first)
		case s.first <= 23456 && last(s) >= 23456:
			a.fail(s.path, "use private numbers: 64512 to 65534 or 4200000000 to 4294967294", "%d AS numbers from %d run over 23456 (AS_TRANS, RFC 6793)", s.count, s.first)
		}
		for _, t := range spans[:i] {
			if uint64(s.first) <= last(t) && uint64(t.first) <= last(s) {
				a.fail(s.path, "move one of them", "AS numbers %d to %d overlap %s, %d to %d", s.first, last(s), t.path, t.first, last(t))
			}
		}
	}
	return len(a.problems) == before
}

// management numbers the switches' out-of-band addresses from the eleventh
// address on, around gateway and servers.
func (a *assigner) management() fabric.Management {
	m := a.c.Management
	out := fabric.Management{Subnet: m.Subnet, Gateway: m.Gateway, VRF: m.VRF, NTP: m.NTP, DNS: m.DNS, Syslog: m.Syslog}
	for _, u := range m.Users {
		out.Users = append(out.Users, fabric.User{Name: u.Name, Role: u.Role, PasswordHash: fabric.Secret(u.PasswordHash), SSHKeys: u.SSHKeys})
	}
	need := 0
	for _, t := range a.tiers() {
		need += t.count * a.f.Planes
	}
	free := a.freeAddresses(out, need, 11)
	if len(free) < need {
		free = a.freeAddresses(out, need, 1)
	}
	if len(free) < need && !a.c.ManagementDeclared() {
		// The default subnet is for a hall of a few hundred switches.
		out.Subnet = netip.PrefixFrom(netip.AddrFrom4([4]byte{172, 16, 0, 0}), 32-max(log2(need+16), 12))
		out.Gateway = offset(out.Subnet, 1)
		free = a.freeAddresses(out, need, 11)
	}
	if len(free) < need {
		a.fail("management.subnet", fmt.Sprintf("use at least a /%d", 32-log2(need+8)), "%s has %d free addresses, the final fabric has %d switches", out.Subnet, len(free), need)
		return out
	}
	at := 0
	starts := map[fabric.Role]int{}
	for _, t := range a.tiers() {
		starts[t.role] = at
		at += t.count * a.f.Planes
	}
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		sw.Management = netip.PrefixFrom(free[starts[sw.Role]+a.ordinal(sw)], out.Subnet.Bits())
	}
	return out
}

// freeAddresses lists up to n addresses of the subnet from its from-th on that
// nothing else has.
func (a *assigner) freeAddresses(m fabric.Management, n, from int) []netip.Addr {
	taken := map[netip.Addr]bool{m.Gateway: true}
	for _, list := range [][]netip.Addr{m.NTP, m.DNS, m.Syslog} {
		for _, addr := range list {
			taken[addr] = true
		}
	}
	var free []netip.Addr
	for i := from; i < addresses(m.Subnet)-1 && len(free) < n; i++ {
		if addr := offset(m.Subnet, i); !taken[addr] {
			free = append(free, addr)
		}
	}
	return free
}

// Placeholder GUIDs carry the locally administered bit of an EUI-64, so that
// none can be taken for a vendor's: 0x02000001… switches, 0x02000002… host
// ports. Host port GUIDs are four apart: node GUID = port GUID - 1.
const (
	switchGUID = 0x0200000100000000
	hostGUID   = 0x0200000200000000
)

func (a *assigner) guids() {
	base := 0
	starts := map[fabric.Role]int{}
	for _, t := range a.tiers() {
		starts[t.role] = base
		base += t.count * a.f.Planes
	}
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		sw.GUID = a.guid(sw.Name, switchGUID+uint64(starts[sw.Role]+a.ordinal(sw)+1))
	}
	for i := range a.f.Servers {
		srv := &a.f.Servers[i]
		group := srv.Group
		if group < 0 {
			group = len(a.size.FirstHost) - 1
		}
		place := srv.Unit*a.size.HostsPerUnit + a.size.FirstHost[group] + srv.Slot
		for p := range srv.Ports {
			nic := &srv.Ports[p]
			n := (place*a.f.Rails+nic.Rail)*a.f.Planes + nic.Plane
			nic.GUID = a.guid(srv.Name+"/"+nic.Name, hostGUID+uint64(4*n+1))
		}
	}
	a.duplicateGUIDs()
	a.unusedGUIDs()
}

// unusedGUIDs tells of names in infiniband.guids that nothing has, such as a
// misspelt one.
func (a *assigner) unusedGUIDs() {
	left := maps.Clone(a.c.GUIDs)
	for i := range a.f.Switches {
		delete(left, a.f.Switches[i].Name)
	}
	for i := range a.f.Servers {
		for p := range a.f.Servers[i].Ports {
			delete(left, a.f.Servers[i].Name+"/"+a.f.Servers[i].Ports[p].Name)
		}
	}
	if len(left) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(left))
	a.f.Findings = append(a.f.Findings, fabric.Finding{Severity: fabric.Warning, Code: "IB_GUID_UNUSED",
		Message: fmt.Sprintf("%d of %d names in infiniband.guids belong to no switch or NIC of today's fabric, such as %s", len(left), len(a.c.GUIDs), names[0]),
		Remedy:  "correct the name, or leave it if the device comes with growth", Source: "infiniband.guids", Objects: names[:min(len(names), 16)]})
}

func (a *assigner) guid(name string, placeholder uint64) fabric.GUID {
	if v, ok := a.c.GUIDs[name]; ok {
		return fabric.GUID{Value: v}
	}
	return fabric.GUID{Value: placeholder, Placeholder: true}
}

// duplicateGUIDs refuses a GUID that two ports or switches would have.
func (a *assigner) duplicateGUIDs() {
	seen := map[uint64]string{}
	check := func(name string, g fabric.GUID) {
		if other, ok := seen[g.Value]; ok {
			a.problems = append(a.problems, cluster.Problem{Position: a.c.Where("infiniband.guids"), Path: "infiniband.guids",
				Message: fmt.Sprintf("%s and %s have the same GUID 0x%016x", other, name, g.Value), Remedy: "every GUID is unique; read them with ibstat -p"})
			return
		}
		seen[g.Value] = name
	}
	for i := range a.f.Switches {
		check(a.f.Switches[i].Name, a.f.Switches[i].GUID)
	}
	for i := range a.f.Servers {
		for p := range a.f.Servers[i].Ports {
			check(a.f.Servers[i].Name+"/"+a.f.Servers[i].Ports[p].Name, a.f.Servers[i].Ports[p].GUID)
		}
	}
}
