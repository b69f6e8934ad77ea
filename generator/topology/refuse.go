package topology

import (
	"fmt"

	"railyard/generator/quantity"
)

// refuseTwoTiers says which limit broke a leaf-spine wish and what would fit.
func (d *designer) refuseTwoTiers(uplink int) {
	s := d.spread(uplink, d.twoTiers)
	if s == nil {
		d.refuseUnit(uplink)
		return
	}
	radix := d.spine.Radix(uplink)
	links := 0
	for i := range s.groups {
		links += s.groups[i].units * s.groups[i].slots * s.groups[i].uplinks
	}
	g := &s.groups[0]
	need := ceilDiv(links, radix)
	if forced := int(d.c.Fabric.Spines); forced >= need && forced <= g.uplinks {
		d.fail("fabric.spines", fmt.Sprintf("use a divisor of %d, or one more spine", g.uplinks),
			"%d spines do not work: they do not divide a leaf's %d uplinks, and with the odd links dealt out some spine needs more than its %d ports",
			forced, g.uplinks, radix)
		return
	} else if forced > 0 {
		d.fail("fabric.spines", fmt.Sprintf("use %d to %d, or leave it out", need, g.uplinks),
			"%d spines do not work: %d links of %s need at least %d spines of %d ports, and a leaf with %d uplinks reaches at most %d",
			forced, links, quantity.Speed(uplink), need, radix, g.uplinks, g.uplinks)
		return
	}
	most := radix / g.slots * g.perUnit
	d.fail("fabric.topology", fmt.Sprintf("two tiers of these switches hold about %d servers; use topology: auto or three-tier, or planes", most),
		"leaf-spine: %d links of %s need %d spines of %d ports, but no divisor of a leaf's %d uplinks is that large",
		links, quantity.Speed(uplink), need, radix, g.uplinks)
}

// refuseUnit says why not even one unit can be built.
func (d *designer) refuseUnit(uplink int) {
	before := len(d.problems)
	for i := range d.c.Servers {
		g := &d.c.Servers[i]
		b := int(g.NICSpeed)
		radix := d.leaf.Radix(b)
		path := fmt.Sprintf("servers[%d].nic_speed", i)
		switch n := d.perUnit; {
		case radix == 0:
			d.fail(path, fmt.Sprintf("it has %v Gb/s; choose another leaf or nic_speed", allSpeeds(d.leaf)), "%s has no ports of %s", d.leaf.ID, g.NICSpeed)
		case d.c.Fabric.RailsPerLeaf > 0 && g.NICs%min(int(d.c.Fabric.RailsPerLeaf), g.NICs) != 0:
			d.fail("fabric.rails_per_leaf", fmt.Sprintf("use a divisor of %d", g.NICs), "%d rails do not divide into leaves of %d", g.NICs, d.c.Fabric.RailsPerLeaf)
		case n > 0:
			d.fail("fabric.servers_per_unit", fmt.Sprintf("%s has %d ports of %s; use %s or leave it out", d.leaf.ID, radix, g.NICSpeed, d.mostPerUnit(i, uplink)),
				"%d servers a unit do not fit a leaf together with their uplinks", n)
		case uplink > 0 && d.leaf.Radix(uplink) == 0:
			d.fail("fabric.uplink_speed", "leave it out", "%s has no ports of %s", d.leaf.ID, quantity.Speed(uplink))
		default:
			if _, ok := d.group(i, g.NICs, uplink); !ok {
				d.fail("fabric.rails_per_leaf", "fewer rails per leaf, more oversubscription or a larger leaf", "not even one server's NICs fit a leaf of %s with their uplinks", d.leaf.ID)
			}
		}
	}
	if len(d.problems) == before {
		d.fail("switches.leaf", "choose a larger leaf", "no unit fits %s", d.leaf.ID)
	}
}

// mostPerUnit is the largest unit per allowed number of rails per leaf, in words.
func (d *designer) mostPerUnit(i, uplink int) string {
	auto := *d
	auto.perUnit = 0
	for m := 1; m <= d.c.Servers[i].NICs; m++ {
		if d.c.Servers[i].NICs%m != 0 || !d.allowedPerLeaf(&d.c.Servers[i], m) {
			continue
		}
		if g, ok := auto.group(i, m, uplink); ok {
			return fmt.Sprintf("at most %d with %d rails per leaf", g.perUnit, m)
		}
	}
	return "fewer"
}
