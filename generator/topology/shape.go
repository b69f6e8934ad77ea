package topology

import (
	"fmt"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// shape is everything decided before a single port is placed. Counts are those
// of one plane at the reserved (final) size unless they say "today".
type shape struct {
	topology fabric.Topology
	planes   int
	groups   []groupShape
	uplink   int // Gb/s of leaf uplinks; 0 without
	spines   int // two tiers and DDC: spines a plane
	blocks   []block
	cores    int
	coreLink int // Gb/s of spine uplinks
	leaves   int
	units    int
	uneven   bool // spine count does not divide the uplinks
}

// groupShape is how one server group is spread over leaves.
type groupShape struct {
	g         *cluster.ServerGroup
	index     int
	slots     int // leaves a unit = rails / rails per leaf
	perLeaf   int // rails per leaf
	perUnit   int // servers of a full unit
	uplinks   int // of a leaf
	firstUnit int
	units     int // reserved
	today     int // units that exist today
	firstLeaf int // position of the group's first leaf
	reserved  int // server places in use at the final size, UFM places included
}

// block is one spine group of a three-tier design: the leaves of one slot of
// one server group, or a part of them.
type block struct {
	group, slot  int // server group, leaf slot
	first, units int // units of the group, counted within the group
	spines       int
	downlinks    int // of each spine
	uplinks      int // of each spine
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// smallestDivisor returns the smallest divisor of n that is at least want, 0 when there is none.
func smallestDivisor(n, want int) int {
	for d := max(want, 1); d <= n; d++ {
		if n%d == 0 {
			return d
		}
	}
	return 0
}

// designer holds what the decisions read.
type designer struct {
	c           *cluster.Cluster
	leaf, spine *catalog.Switch
	core        *catalog.Switch
	perUnit     int // servers_per_unit as declared, 0 auto
	problems    cluster.Problems
	choices     []fabric.Choice
}

func (d *designer) fail(path, remedy, format string, args ...any) {
	d.problems = append(d.problems, d.c.Problem(path, fmt.Sprintf(format, args...), remedy))
}

// decide settles topology, rails per leaf, servers per unit, uplinks and spines.
func (d *designer) decide() *shape {
	switch want := fabric.Topology(d.c.Fabric.Topology); want {
	case fabric.SingleSwitch:
		return d.single(true)
	case fabric.RailOnly:
		return d.railOnly()
	case fabric.DDC:
		return d.ddc()
	case fabric.LeafSpine, fabric.ThreeTier:
		return d.tiered(want)
	}
	if s := d.single(false); s != nil {
		d.choose("topology", "single-switch", fmt.Sprintf("all %d NIC ports of a plane fit one %s", d.endpoints(), d.leaf.ID), "")
		return s
	}
	return d.tiered("")
}

func (d *designer) choose(subject, chosen, reason, other string) {
	d.choices = append(d.choices, fabric.Choice{Subject: subject, Chosen: chosen, Reason: reason, Else: other})
}

// endpoints is the number of NIC ports in one plane at the final size.
func (d *designer) endpoints() int {
	n := 0
	for i := range d.c.Servers {
		n += d.places(i) * d.c.Servers[i].NICs
	}
	return n
}

// places is the number of server places group i needs at its final size: its
// servers, and for the group that gives up places to UFM those as well.
func (d *designer) places(i int) int {
	return d.c.Servers[i].Reserve + d.ufmPlaces(i)
}

// ufmPlaces is the number of server places UFM takes from group i: the last
// group gives them, one place for as many links as a server has NICs.
func (d *designer) ufmPlaces(i int) int {
	links := d.c.InfiniBand.UFMLinks
	if links == 0 || i != len(d.c.Servers)-1 || d.c.Fabric.Technology != string(fabric.InfiniBand) {
		return 0
	}
	return ceilDiv(links, d.c.Servers[i].NICs)
}

// single puts every NIC on one switch, rail by rail within each group. It
// returns nil when they do not fit; with force it says why.
func (d *designer) single(force bool) *shape {
	s := &shape{topology: fabric.SingleSwitch, planes: d.c.Fabric.Planes, leaves: 1, units: 1}
	var runs []run
	for i := range d.c.Servers {
		g := &d.c.Servers[i]
		n := d.places(i)
		runs = append(runs, run{n: n * g.NICs, speed: int(g.NICSpeed)})
		s.groups = append(s.groups, groupShape{g: g, index: i, slots: 1, perLeaf: g.NICs, perUnit: n, units: 1, today: 1, reserved: n})
	}
	_, err := newPanel(d.leaf).layOut(runs...)
	if err == nil {
		return s
	}
	if force {
		g := &d.c.Servers[0]
		d.fail("fabric.topology", fmt.Sprintf("%s holds at most %d servers with %d NICs of %s; use topology: auto", d.leaf.ID, d.leaf.Radix(int(g.NICSpeed))/g.NICs, g.NICs, g.NICSpeed),
			"single-switch: %d NIC ports do not fit one %s: %v", d.endpoints(), d.leaf.ID, err)
	}
	return nil
}

// railOnly gives every rail an island of its own: all its NICs on one leaf, no spine.
func (d *designer) railOnly() *shape {
	s := &shape{topology: fabric.RailOnly, planes: d.c.Fabric.Planes}
	for i := range d.c.Servers {
		g := &d.c.Servers[i]
		if gpu := d.c.Catalog.GPU(g.GPU); gpu != nil && gpu.ScaleUp == "none" && g.NICs > 1 {
			d.fail("fabric.topology", "use leaf-spine or single-switch", "rail-only: %s has no scale-up fabric, so its rails could not reach each other", g.GPU)
		}
	}
	if len(d.c.Servers) > 1 {
		d.fail("fabric.topology", "use leaf-spine, or one server group", "rail-only joins one group of like servers, here are %d", len(d.c.Servers))
		return nil
	}
	g := &d.c.Servers[0]
	n := d.places(0)
	perUnit := n
	if v := d.perUnit; v > 0 {
		if v < n {
			d.fail("fabric.servers_per_unit", fmt.Sprintf("set it to at least %d or leave it out", n), "rail-only has one unit, since its rails have no spine: %d places do not hold %d servers", v, n)
			return nil
		}
		perUnit = v
	}
	for m := g.NICs; m >= 1; m-- {
		if g.NICs%m != 0 || !d.allowedPerLeaf(g, m) {
			continue
		}
		most := d.leaf.Radix(int(g.NICSpeed)) / m
		if newPanel(d.leaf).fits(run{n: perUnit * m, speed: int(g.NICSpeed)}) {
			s.groups = []groupShape{{g: g, slots: g.NICs / m, perLeaf: m, perUnit: max(perUnit, most), units: 1, today: 1, reserved: n}}
			s.leaves, s.units = g.NICs/m, 1
			d.choose("rails_per_leaf", fmt.Sprint(m), "the most rails one leaf holds for all servers", "")
			return s
		}
	}
	d.fail("fabric.topology", fmt.Sprintf("%s reaches %d servers; use leaf-spine", d.leaf.ID, d.leaf.Radix(int(g.NICSpeed))),
		"rail-only: %d NICs of a rail do not fit one %s", n, d.leaf.ID)
	return nil
}

// allowedPerLeaf reports whether the user's attachment and rails_per_leaf allow m.
func (d *designer) allowedPerLeaf(g *cluster.ServerGroup, m int) bool {
	if d.c.Fabric.Attachment == "tor" {
		return m == g.NICs
	}
	if want := int(d.c.Fabric.RailsPerLeaf); want > 0 {
		return m == min(want, g.NICs)
	}
	return true
}

// uplinksFor is U: what a leaf with that many downlinks needs at the declared oversubscription.
func uplinksFor(down, speed, up int, o quantity.Ratio) int {
	return ceilDiv(down*speed*o.Up, o.Down*up)
}
