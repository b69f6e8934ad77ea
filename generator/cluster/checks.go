package cluster

import (
	"fmt"
	"net/netip"
	"slices"

	"railyard/generator/catalog"
)

// fabric checks the section "fabric" as far as no topology is needed.
func (l *loader) fabric() {
	f := &l.c.Fabric
	if l.usable("fabric.technology", "fabric.topology") {
		l.require(f.Topology != "ddc" || f.Technology == "roce", "fabric.topology", "write technology: roce", "a distributed system (ddc) carries Ethernet, not InfiniBand")
	}
	if l.usable("fabric.topology", "fabric.attachment") {
		l.require(f.Topology != "rail-only" || f.Attachment == "rail", "fabric.attachment", "write attachment: rail", "rail-only needs every rail on its own leaf")
	}
	if l.usable("fabric.topology", "fabric.spines") {
		flat := f.Topology == "single-switch" || f.Topology == "rail-only"
		l.require(f.Spines == 0 || !flat, "fabric.spines", "remove it, or write topology: leaf-spine", "topology %s has no spines", f.Topology)
	}
	if l.usable("fabric.roce", "fabric.technology", "addressing.host") && f.Technology == "roce" && f.RoCE == "v1" {
		l.require(l.c.Addressing.Host != "routed", "fabric.roce", "write roce: v2, or addressing: {host: vlan}", "RoCE v1 cannot cross a router, and addressing.host: routed puts one before every NIC")
	}
	if !l.usable("servers") {
		return
	}
	most := 0
	for i := range l.c.Servers {
		most = max(most, l.c.Servers[i].NICs)
	}
	l.require(int(f.RailsPerLeaf) <= most, "fabric.rails_per_leaf", fmt.Sprintf("use at most %d", most), "%d rails on a leaf, and servers have at most %d", f.RailsPerLeaf, most)
}

// lossless checks marking, classes and, by the hosts, what auto will be.
func (l *loader) lossless() {
	s := &l.c.Lossless
	l.marking(&s.ECN)
	if !l.usable("lossless.cnp", "lossless.priority", "lossless.dscp") {
		return
	}
	for _, p := range l.hostClasses() {
		if s.CNP.Priority == p.priority {
			l.fail("lossless.cnp.priority", "use 6", "congestion notifications would share priority %d with RoCE and be paused with it", p.priority)
			return
		}
		if s.CNP.DSCP == p.dscp {
			l.fail("lossless.cnp.dscp", "use 48", "congestion notifications would share DSCP %d with RoCE", p.dscp)
			return
		}
	}
}

type hostClass struct{ priority, dscp int }

// hostClasses are the classes the hosts send on: as declared, else 4 and 33 for
// accelerators with Huawei's library, 3 and 26 for the others (design, section 4).
func (l *loader) hostClasses() []hostClass {
	var list []hostClass
	for i := range l.c.Servers {
		class := hostClass{3, 26}
		if gpu := l.c.Catalog.GPU(l.c.Servers[i].GPU); gpu != nil && gpu.Library == "HCCL" {
			class = hostClass{4, 33}
		}
		if p := l.c.Lossless.Priority; p.Set {
			class.priority = p.Value
		}
		if d := l.c.Lossless.DSCP; d.Set {
			class.dscp = d.Value
		}
		list = append(list, class)
	}
	return list
}

func (l *loader) marking(e *ECN) {
	const path = "lossless.ecn"
	if !l.usable(path) {
		return
	}
	given := e.Kmin > 0 || e.Kmax > 0 || e.Pmax > 0
	switch {
	case e.Profile != "custom" && given && l.c.written(path+".profile"):
		l.fail(path+".profile", "write profile: custom, or remove kmin, kmax and pmax", "the profile %s brings its own kmin, kmax and pmax", e.Profile)
	case e.Profile != "custom" && given:
		l.fail(path, "write all of kmin, kmax and pmax", "kmin is missing")
	case e.Profile == "custom" && (e.Kmin == 0 || e.Kmax == 0 || e.Pmax == 0):
		l.fail(path, "write for example {kmin: 400KB, kmax: 1600KB, pmax: 20}", "a marking of one's own needs all of kmin, kmax and pmax")
	case e.Profile == "custom" && e.Kmin >= e.Kmax:
		l.fail(path+".kmax", "write a kmax above kmin", "kmax %s is not above kmin %s", e.Kmax, e.Kmin)
	}
}

// addressing checks that prefixes keep clear of each other, and AS numbers apart.
func (l *loader) addressing() {
	a := &l.c.Addressing
	type named struct {
		path   string
		prefix netip.Prefix
	}
	var taken []named
	for _, n := range []named{
		{"addressing.rails", a.Rails}, {"addressing.loopbacks", a.Loopbacks}, {"addressing.links", a.Links.Prefix}, {"management.subnet", l.c.Management.Subnet},
	} {
		if !n.prefix.IsValid() || !l.usable(n.path) {
			continue
		}
		for _, t := range taken {
			if !t.prefix.Overlaps(n.prefix) {
				continue
			}
			if path := n.path; l.c.written(path) || !l.c.written(t.path) {
				l.fail(path, "choose prefixes that do not overlap", "%s overlaps %s %s", n.prefix, t.path, t.prefix)
			} else {
				l.fail(t.path, "choose prefixes that do not overlap, or set "+path+" too", "%s overlaps %s %s, which is its default", t.prefix, path, n.prefix)
			}
			break
		}
		taken = append(taken, n)
	}
	if l.usable("addressing.asn") {
		n := a.ASN
		l.require(n.Leaf != n.Spine && n.Leaf != n.Core && n.Spine != n.Core, "addressing.asn", "give each tier its own", "leaf %d, spine %d and core %d are not all different, so BGP would refuse the routes between them", n.Leaf, n.Spine, n.Core)
	}
}

// management checks the out-of-band side.
func (l *loader) management() {
	m := &l.c.Management
	if l.usable("management.subnet", "management.gateway") {
		l.outOfBand(m.Subnet, m.Gateway)
	}
	// YAML 1.1 takes these words for booleans, and so do the people who write them.
	yes := []string{"no", "off", "yes", "on", "none", "false", "true", "default"}
	l.require(!slices.Contains(yes, m.VRF), "management.vrf", "name the VRF, or leave the key out for mgmt", "%s would be the name of a VRF", quote(m.VRF))
	for _, list := range []struct {
		path  string
		addrs []netip.Addr
	}{{"management.ntp", m.NTP}, {"management.dns", m.DNS}, {"management.syslog", m.Syslog}} {
		l.require(len(list.addrs) <= 8, list.path, "use at most 8", "%d servers", len(list.addrs))
		for i, a := range list.addrs {
			path := fmt.Sprintf("%s[%d]", list.path, i)
			if a.IsValid() && slices.Contains(list.addrs[:i], a) {
				l.require(false, path, "remove one of the two", "%s stands twice", a)
			}
		}
	}
	l.users(m.Users)
}

func (l *loader) outOfBand(subnet netip.Prefix, gateway netip.Addr) {
	const path = "management.gateway"
	switch last := lastAddr(subnet); {
	case subnet.Bits() > 30:
		l.fail("management.subnet", "write at least a /30", "%s has no room for a gateway and a switch", subnet)
	case subnet.Contains(gateway) && gateway != subnet.Addr() && gateway != last:
	case l.c.written(path) && !l.c.written("management.subnet"):
		l.fail(path, "write management.subnet too", "%s is not a host of the default subnet %s", gateway, subnet)
	default:
		l.fail(path, fmt.Sprintf("use %s to %s", subnet.Addr().Next(), last.Prev()), "%s is not a host of the subnet %s", gateway, subnet)
	}
}

// lastAddr is the broadcast address of an IPv4 subnet.
func lastAddr(p netip.Prefix) netip.Addr {
	a := p.Addr().As4()
	for bit := p.Bits(); bit < 32; bit++ {
		a[bit/8] |= 1 << (7 - bit%8)
	}
	return netip.AddrFrom4(a)
}

// overrides checks that each can concern a switch and changes something.
func (l *loader) overrides() {
	for i := range l.c.Overrides {
		o := &l.c.Overrides[i]
		path := fmt.Sprintf("overrides[%d]", i)
		if !l.usable(path) {
			continue
		}
		o.list = l.switchPattern(path+".match", o.Match)
		if o.OS == "" && o.Model == "" && o.Release == "" && o.ASN == nil && o.NoTransit == nil {
			l.fail(path, "write os, model, release, asn or no_transit, or remove the entry", "changes nothing")
			continue
		}
		l.overrideModel(o, path)
	}
}

func (l *loader) overrideModel(o *Override, path string) {
	if o.Model != "" {
		known := l.c.Catalog.Switch(o.Model)
		if known == nil {
			l.fail(path+".model", unknownRemedy("switches", o.Model, switchIDs(l.c.Catalog)), "the catalog has no switch %s", o.Model)
			return
		}
		// An override is a tier of its own: the same rules hold for its model.
		t := Tier{Model: o.Model, OS: o.OS}
		if l.tier(&t, path, path) {
			o.Spec, o.OS = &t.Spec, t.OS
		}
		return
	}
	if o.OS = osName(o.OS); o.OS != "" {
		l.osOf(path+".os", o.OS, l.modelOf(o))
	}
}

// modelOf is the catalog entry of the switches that an override without a model
// concerns, nil where they may be of several.
func (l *loader) modelOf(o *Override) *catalog.Switch {
	s := &l.c.Switches
	if s.Leaf.Model == s.Spine.Model && (s.Core.Model == "" || s.Core.Model == s.Leaf.Model) {
		return &s.Leaf.Spec
	}
	return nil
}

// outputs checks the list of what to write.
func (l *loader) outputs() {
	list := l.c.Outputs
	l.require(len(list) > 0, "outputs", "leave it out for all", "lists nothing to write")
	for i, o := range list {
		if o != "" && slices.Contains(list[:i], o) {
			l.require(false, fmt.Sprintf("outputs[%d]", i), "remove one of the two", "%s stands twice", o)
		}
	}
}
