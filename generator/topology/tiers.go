package topology

import (
	"fmt"
	"slices"

	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// tiered designs leaf-spine or three tiers; want is one of them or "" to
// choose: two tiers wherever they reach.
func (d *designer) tiered(want fabric.Topology) *shape {
	speeds := d.uplinkSpeeds()
	if speeds == nil {
		return nil
	}
	if want != fabric.ThreeTier {
		for i, u := range speeds {
			before := len(d.choices)
			s := d.spread(u, d.twoTiers)
			if s == nil || s.spines == 0 {
				d.choices = d.choices[:before]
				continue
			}
			if i > 0 {
				d.choose("uplink_speed", quantity.Speed(u).String(), fmt.Sprintf("whole uplinks of %s would need more spines than a leaf has uplinks", quantity.Speed(speeds[0])), "three tiers")
			}
			if want == "" {
				d.choose("topology", string(fabric.LeafSpine), fmt.Sprintf("%d NIC ports a plane do not fit one %s; two tiers reach", d.endpoints(), d.leaf.ID), "")
			}
			return s
		}
		if want == fabric.LeafSpine {
			d.refuseTwoTiers(speeds[0])
			return nil
		}
	}
	s := d.spread(speeds[0], d.threeTiers)
	switch {
	case s == nil:
		d.refuseUnit(speeds[0])
		return nil
	case s.cores == 0:
		d.fail("servers", "use switches with more ports, more oversubscription or planes",
			"three tiers of %s, %s and %s do not reach %d NIC ports a plane", d.leaf.ID, d.spine.ID, d.core.ID, d.endpoints())
		return nil
	}
	if want == "" {
		d.choose("topology", string(fabric.ThreeTier), fmt.Sprintf("%d NIC ports a plane need more spines than a leaf has uplinks", d.endpoints()), "")
	}
	return s
}

// uplinkSpeeds lists the speeds to try, best first: whole cages before split
// ones, none below a NIC's own speed unless the user names one. A slower uplink
// could not carry one NIC's flow.
func (d *designer) uplinkSpeeds() []int {
	common := commonSpeeds(d.leaf, d.spine)
	if u := int(d.c.Fabric.UplinkSpeed); u > 0 {
		if !slices.Contains(common, u) {
			d.fail("fabric.uplink_speed", fmt.Sprintf("both ends can do %v Gb/s", common), "%s does not run between %s and %s", quantity.Speed(u), d.leaf.ID, d.spine.ID)
			return nil
		}
		return []int{u}
	}
	nic := 0
	for i := range d.c.Servers {
		nic = max(nic, int(d.c.Servers[i].NICSpeed))
	}
	var fast []int
	for _, u := range common {
		if u >= nic {
			fast = append(fast, u)
		}
	}
	if len(fast) > 0 {
		return fast
	}
	if len(common) == 0 {
		d.fail("switches.spine.model", fmt.Sprintf("choose a spine with ports of one of %v Gb/s", allSpeeds(d.leaf)), "%s and %s have no speed in common", d.leaf.ID, d.spine.ID)
		return nil
	}
	return common[:1]
}

// spread chooses rails per leaf for every group and then asks tiers for the
// spines. It returns nil when some group's unit does not fit a leaf, and a
// shape without spines (or cores) when the upper tiers do not reach.
func (d *designer) spread(uplink int, tiers func(*shape)) *shape {
	s := &shape{planes: d.c.Fabric.Planes, uplink: uplink}
	for i := range d.c.Servers {
		g, ok := d.bestGroup(i, uplink, tiers)
		if !ok {
			return nil
		}
		s.add(g)
	}
	tiers(s)
	return s
}

func (s *shape) add(g groupShape) {
	g.firstUnit, g.firstLeaf = s.units, s.leaves
	s.groups = append(s.groups, g)
	s.units += g.units
	s.leaves += g.units * g.slots
}

func (s *shape) switches() int {
	n := s.leaves + s.spines + s.cores
	for _, b := range s.blocks {
		n += b.spines
	}
	return n
}

// bestGroup finds the rails per leaf that need the fewest switches for this
// group alone; ties go to fewer rails per leaf.
func (d *designer) bestGroup(i, uplink int, tiers func(*shape)) (groupShape, bool) {
	nics := d.c.Servers[i].NICs
	var best groupShape
	fewest, one := 0, 0
	for m := 1; m <= nics; m++ {
		if nics%m != 0 || !d.allowedPerLeaf(&d.c.Servers[i], m) {
			continue
		}
		g, ok := d.group(i, m, uplink)
		if !ok {
			continue
		}
		s := &shape{planes: d.c.Fabric.Planes, uplink: uplink}
		s.add(g)
		tiers(s)
		n := s.switches()
		if s.spines+s.cores == 0 {
			n += 1 << 30 // does not reach: only if nothing else does
		}
		if m == 1 {
			one = n
		}
		if fewest == 0 || n < fewest {
			best, fewest = g, n
		}
	}
	if fewest == 0 {
		return best, false
	}
	if d.c.Fabric.RailsPerLeaf == 0 && d.c.Fabric.Attachment != "tor" && nics > 1 && fewest < 1<<30 {
		other := ""
		switch {
		case best.perLeaf > 1 && one > 0 && one < 1<<30:
			other = fmt.Sprintf("one rail per leaf: %d switches a plane", one)
		case best.perLeaf > 1:
			other = "one rail per leaf does not reach"
		}
		d.choose(d.groupKey(i, "rails_per_leaf"), fmt.Sprint(best.perLeaf), fmt.Sprintf("fewest switches: %d a plane", fewest), other)
	}
	return best, true
}

// groupKey names a choice; with several groups it carries the group's name.
func (d *designer) groupKey(i int, key string) string {
	if len(d.c.Servers) == 1 {
		return key
	}
	return d.c.Servers[i].Name + "." + key
}

// group spreads group i with m rails per leaf: the declared or the largest
// number of servers whose downlinks and uplinks fit the leaf.
func (d *designer) group(i, m, uplink int) (groupShape, bool) {
	g := &d.c.Servers[i]
	b := int(g.NICSpeed)
	p := newPanel(d.leaf)
	runs := func(servers int) []run {
		return []run{{n: servers * m, speed: b}, {n: uplinksFor(servers*m, b, uplink, d.c.Fabric.Oversubscription), speed: uplink, fromEnd: true}}
	}
	s := d.perUnit
	if s == 0 {
		for s = d.leaf.Radix(b) / m; s > 0 && !p.fits(runs(s)...); s-- {
		}
	}
	if s == 0 || !p.fits(runs(s)...) {
		return groupShape{}, false
	}
	places := d.places(i)
	return groupShape{
		g: g, index: i, perLeaf: m, slots: g.NICs / m, perUnit: s,
		uplinks: uplinksFor(s*m, b, uplink, d.c.Fabric.Oversubscription),
		units:   ceilDiv(places, s), today: ceilDiv(g.Count+d.ufmPlaces(i), s), reserved: places,
	}, true
}

// twoTiers sets the spines of a leaf-spine plane: the smallest divisor of the
// uplinks whose ports hold all links, at least two where a leaf has two
// uplinks; 0 when there is none.
func (d *designer) twoTiers(s *shape) {
	s.topology = fabric.LeafSpine
	links, common, least := 0, 0, 0
	for i := range s.groups {
		g := &s.groups[i]
		links += g.units * g.slots * g.uplinks
		common = gcd(common, g.uplinks)
		if least == 0 || g.uplinks < least {
			least = g.uplinks
		}
	}
	radix := d.spine.Radix(s.uplink)
	need := max(ceilDiv(links, max(radix, 1)), 1)
	holds := func(spines int) bool { return slices.Max(s.linksPerSpine(spines)) <= radix }
	if forced := int(d.c.Fabric.Spines); forced > 0 {
		if forced >= need && forced <= least && holds(forced) {
			s.spines, s.uneven = forced, common%forced != 0
		}
		return
	}
	if least >= 2 {
		need = max(need, 2)
	}
	s.spines = smallestDivisor(common, need)
	for n := need; s.spines == 0 && len(s.groups) > 1 && n <= least; n++ {
		// Groups whose uplink counts share no useful divisor still work, with
		// bundles that differ by one link.
		if holds(n) {
			s.spines, s.uneven = n, true
		}
	}
}

// threeTiers sets blocks, spines and cores.
func (d *designer) threeTiers(s *shape) {
	s.topology = fabric.ThreeTier
	speeds := commonSpeeds(d.spine, d.core)
	if len(speeds) == 0 {
		return
	}
	s.coreLink = speeds[0]
	for _, even := range []bool{false, true} {
		s.blocks, s.cores = nil, 0
		if d.cutBlocks(s, even) && d.countCores(s) {
			return
		}
	}
	s.blocks, s.cores = nil, 0
}

// cutBlocks cuts the leaves of each slot into blocks of at most U units, the
// last one taking the rest or (even) all about equal, and sizes their spines.
func (d *designer) cutBlocks(s *shape, even bool) bool {
	hold := d.spineDown(s)
	if hold == 0 {
		return false
	}
	for i := range s.groups {
		g := &s.groups[i]
		n := ceilDiv(g.units, g.uplinks)
		for slot := range g.slots {
			for k, first := 0, 0; k < n; k++ {
				units := min(g.uplinks, g.units-first)
				if even {
					units = ceilDiv(g.units-first, n-k)
				}
				want := ceilDiv(units*g.uplinks, hold)
				if g.uplinks >= 2 {
					want = max(want, 2)
				}
				b := block{group: i, slot: slot, first: first, units: units, spines: smallestDivisor(g.uplinks, want)}
				if b.spines == 0 {
					return false
				}
				b.downlinks = units * g.uplinks / b.spines
				b.uplinks = uplinksFor(b.downlinks, s.uplink, s.coreLink, d.c.Fabric.CoreOversubscription)
				s.blocks = append(s.blocks, b)
				first += units
			}
		}
	}
	return d.forceSpines(s)
}

// forceSpines applies fabric.spines to three tiers: the total, spread evenly over the blocks.
func (d *designer) forceSpines(s *shape) bool {
	forced := int(d.c.Fabric.Spines)
	if forced == 0 {
		return true
	}
	if forced%len(s.blocks) != 0 {
		return false
	}
	each, hold := forced/len(s.blocks), d.spineDown(s)
	for i := range s.blocks {
		b := &s.blocks[i]
		up := s.groups[b.group].uplinks
		if each > up || up%each != 0 || b.units*up/each > hold {
			return false
		}
		b.spines, b.downlinks = each, b.units*up/each
		b.uplinks = uplinksFor(b.downlinks, s.uplink, s.coreLink, d.c.Fabric.CoreOversubscription)
	}
	return true
}

// spineDown is how many downlinks a spine holds together with the uplinks they need.
func (d *designer) spineDown(s *shape) int {
	p := newPanel(d.spine)
	for n := d.spine.Radix(s.uplink); n > 0; n-- {
		if p.fits(run{n: n, speed: s.uplink}, run{n: uplinksFor(n, s.uplink, s.coreLink, d.c.Fabric.CoreOversubscription), speed: s.coreLink, fromEnd: true}) {
			return n
		}
	}
	return 0
}

// countCores: all spine uplinks over the core's ports, at least two where a
// spine has two uplinks. Every block must reach every core, else two blocks
// might share none: false when that fails.
func (d *designer) countCores(s *shape) bool {
	total, least, spread := 0, 0, 0
	for _, b := range s.blocks {
		n := b.spines * b.uplinks
		total += n
		if least == 0 || n < least {
			least = n
		}
		spread = max(spread, b.uplinks)
	}
	s.cores = ceilDiv(total, d.core.Radix(s.coreLink))
	if spread >= 2 {
		s.cores = max(s.cores, 2)
	}
	if least < s.cores {
		s.cores = 0
		return false
	}
	return true
}

// ddc joins packet switches and cell switches: every packet switch spreads all
// its cell ports evenly over all cell switches.
func (d *designer) ddc() *shape {
	s := &shape{planes: d.c.Fabric.Planes, topology: fabric.DDC}
	for i := range d.c.Servers {
		best, ok := groupShape{}, false
		for m := 1; m <= d.c.Servers[i].NICs; m++ {
			if d.c.Servers[i].NICs%m != 0 || !d.allowedPerLeaf(&d.c.Servers[i], m) {
				continue
			}
			g, fits := d.ddcGroup(i, m)
			if fits && (!ok || g.units*g.slots < best.units*best.slots) {
				best, ok = g, true
			}
		}
		if !ok {
			d.refuseUnit(0)
			return nil
		}
		s.add(best)
	}
	up, radix := cellPorts(newPanel(d.leaf)), cellPorts(newPanel(d.spine))
	if up == 0 || radix == 0 {
		d.fail("fabric.topology", "declare ports with fabric: true", "ddc needs cell ports on both tiers: %s has %d, %s has %d", d.leaf.ID, up, d.spine.ID, radix)
		return nil
	}
	need := ceilDiv(s.leaves*up, radix)
	if forced := int(d.c.Fabric.Spines); forced > 0 {
		if up%forced != 0 || forced < need {
			d.fail("fabric.spines", fmt.Sprintf("use a divisor of %d that is at least %d", up, need), "%d cell switches cannot take %d cell ports of each packet switch evenly", forced, up)
			return nil
		}
		need = forced
	}
	if s.spines = smallestDivisor(up, need); s.spines == 0 {
		d.fail("servers", fmt.Sprintf("at most %d packet switches", up*radix/up), "%d packet switches need %d cell switches, but each has %d cell ports", s.leaves, need, up)
		return nil
	}
	return s
}

func (d *designer) ddcGroup(i, m int) (groupShape, bool) {
	g := &d.c.Servers[i]
	per := d.perUnit
	if per == 0 {
		per = d.leaf.Radix(int(g.NICSpeed)) / m
	}
	if per == 0 || !newPanel(d.leaf).fits(run{n: per * m, speed: int(g.NICSpeed)}) {
		return groupShape{}, false
	}
	places := d.places(i)
	return groupShape{g: g, index: i, perLeaf: m, slots: g.NICs / m, perUnit: per, uplinks: cellPorts(newPanel(d.leaf)),
		units: ceilDiv(places, per), today: ceilDiv(g.Count+d.ufmPlaces(i), per), reserved: places}, true
}

func cellPorts(p panel) int {
	n := 0
	for _, c := range p.cages {
		if c.Fabric {
			n++
		}
	}
	return n
}

// spineOf is the spine of uplink j of a leaf. An uneven count gives every spine
// the same number of links and the rest in rotation, leaf after leaf.
func spineOf(spines, leaf, j, uplinks int) int {
	each := uplinks / spines
	if j < each*spines {
		return j / each
	}
	return (leaf + j) % spines
}

// linksPerSpine counts the links that each of so many spines would get.
func (s *shape) linksPerSpine(spines int) []int {
	total := make([]int, spines)
	for gi := range s.groups {
		g := &s.groups[gi]
		for l := range g.units * g.slots {
			for j := range g.uplinks {
				total[spineOf(spines, g.firstLeaf+l, j, g.uplinks)]++
			}
		}
	}
	return total
}
