package topology

import (
	"railyard/generator/fabric"
)

// twoTierLinks adds the spines (or cell switches) of a plane and cables every
// leaf of the final fabric to them, keeping those that exist today.
func (b *builder) twoTierLinks(plane int, faces map[leafKey]*face) {
	ddc := b.s.topology == fabric.DDC
	uplinks := make([][]int, b.s.spines) // ports taken on each spine so far is len
	spines := make([]int, b.s.spines)
	spineFaces := make([]*face, b.s.spines)
	total := b.s.linksPerSpine(b.s.spines)
	for i := range spines {
		name := b.names.Spine(plane, i)
		sw := fabric.Switch{Name: name, Role: fabric.Spine, Plane: plane, Unit: -1, Slot: -1, Index: i}
		var runs []run
		if !ddc {
			runs = []run{{n: total[i], speed: b.s.uplink}}
		}
		spines[i], spineFaces[i] = b.add(sw, b.specFor(name, b.spine), total[i], runs...)
		if !ddc {
			b.reserve(spines[i], spineFaces[i].runs[0], fabric.DownlinkPort)
		}
	}
	n := 0 // number of the link in the final plane
	for gi := range b.s.groups {
		g := &b.s.groups[gi]
		for unit := range g.units {
			for slot := range g.slots {
				leaf := g.firstLeaf + unit*g.slots + slot
				key := leafKey{plane, gi, unit, slot}
				for j := range g.uplinks {
					s := spineOf(b.s.spines, leaf, j, g.uplinks)
					at := len(uplinks[s])
					uplinks[s] = append(uplinks[s], leaf)
					if unit < g.today {
						b.fabricLink(plane, key, faces[key], j, spines[s], spineFaces[s], at, n)
					}
					n++
				}
			}
		}
	}
}

func (b *builder) reserve(sw int, ports []int, role fabric.PortRole) {
	for _, p := range ports {
		b.f.Switches[sw].Ports[p].Role, b.f.Switches[sw].Ports[p].Reserved = role, true
	}
}

// fabricLink cables uplink j of a leaf to port number at of a spine.
func (b *builder) fabricLink(plane int, key leafKey, lf *face, j, spine int, sf *face, at, n int) {
	leaf := b.leaves[key]
	l := fabric.Link{Kind: fabric.FabricLink, Plane: plane, SpeedGbps: b.s.uplink,
		LengthM: float64(b.c.Switches.Spine.Cable.Length), CableType: b.c.Switches.Spine.Cable.Type}
	var up, down int
	if b.s.topology == fabric.DDC {
		up, down = lf.cells[j], sf.cells[at]
		l.SpeedGbps = lf.ports[up].SpeedGbps
	} else {
		up, down = lf.runs[len(lf.runs)-1][j], sf.runs[0][at]
	}
	l.A = fabric.End{Kind: fabric.SwitchDevice, Device: leaf, Port: up}
	l.B = fabric.End{Kind: fabric.SwitchDevice, Device: spine, Port: down}
	l.Cable = b.fabricCable(plane, n, &lf.ports[up], j)
	b.link(l, n)
}

// fabricCable numbers the cables between leaf and spine after those of the
// hosts. The halves of a split uplink cage are one splitter cable; those of a
// twin-port InfiniBand cage are two cables.
func (b *builder) fabricCable(plane, n int, up *fabric.Port, j int) int {
	base := b.hostTotal + plane*b.perPlane
	if up.Split > 1 && !b.twin {
		n -= j % up.Split // all children carry the number of the first
	}
	return base + n + 1
}

func (s *shape) leafSpineLinks() int {
	n := 0
	for i := range s.groups {
		n += s.groups[i].units * s.groups[i].slots * s.groups[i].uplinks
	}
	return n
}

func (s *shape) spineCoreLinks() int {
	n := 0
	for _, k := range s.blocks {
		n += k.spines * k.uplinks
	}
	return n
}

// threeTierLinks adds the spine groups and cores of a plane and their cables.
func (b *builder) threeTierLinks(plane int, faces map[leafKey]*face) {
	b.spineGroups(plane, faces)
	b.coreLinks(plane)
}

// spineGroups cables every block's leaves to its own spines.
func (b *builder) spineGroups(plane int, faces map[leafKey]*face) {
	index, n := 0, 0
	for k := range b.s.blocks {
		blk := &b.s.blocks[k]
		g := &b.s.groups[blk.group]
		spines, spineFaces := make([]int, blk.spines), make([]*face, blk.spines)
		for i := range spines {
			name := b.names.Spine(plane, index)
			sw := fabric.Switch{Name: name, Role: fabric.Spine, Plane: plane, Unit: -1, Slot: -1, Group: k, Index: index}
			spines[i], spineFaces[i] = b.add(sw, b.specFor(name, b.spine), 0,
				run{n: blk.downlinks, speed: b.s.uplink}, run{n: blk.uplinks, speed: b.s.coreLink, fromEnd: true})
			b.reserve(spines[i], spineFaces[i].runs[0], fabric.DownlinkPort)
			b.reserve(spines[i], spineFaces[i].runs[1], fabric.UplinkPort)
			index++
		}
		each := g.uplinks / blk.spines
		for u := range blk.units {
			key := leafKey{plane, blk.group, blk.first + u, blk.slot}
			for j := range g.uplinks {
				if key.unit < g.today {
					s := j / each
					b.fabricLink(plane, key, faces[key], j, spines[s], spineFaces[s], u*each+j%each, n)
				}
				n++
			}
		}
	}
}

// coreLinks deals the spine uplinks out to the cores. Where the cores divide
// into as many planes as every block has spines, spine j of each block goes to
// core plane j with equal parallel links. Else the uplinks go round the cores
// one by one, which fills all cores evenly (see countCores).
func (b *builder) coreLinks(plane int) {
	first := len(b.f.Switches)
	spines := b.planeSpines(plane)
	deal := b.dealByPlane()
	if deal == nil {
		deal = b.dealRound()
	}
	used := make([]int, b.s.cores)
	for _, cores := range deal {
		for _, c := range cores {
			used[c]++
		}
	}
	coreFaces := make([]*face, b.s.cores)
	for i := range coreFaces {
		name := b.names.Core(plane, i)
		sw := fabric.Switch{Name: name, Role: fabric.Core, Plane: plane, Unit: -1, Slot: -1, Index: i}
		at, f := b.add(sw, b.specFor(name, b.core), used[i], run{n: used[i], speed: b.s.coreLink})
		coreFaces[i] = f
		b.reserve(at, f.runs[0], fabric.DownlinkPort)
	}
	n, next := b.s.leafSpineLinks(), make([]int, b.s.cores)
	for i, cores := range deal {
		up := b.faces[faceKey{b.f.Models[b.f.Switches[spines[i]].Model].ID, fabric.Spine, b.f.Switches[spines[i]].Group, 0}].runs[1]
		for t, c := range cores {
			b.link(fabric.Link{
				A: fabric.End{Kind: fabric.SwitchDevice, Device: spines[i], Port: up[t]}, B: fabric.End{Kind: fabric.SwitchDevice, Device: first + c, Port: coreFaces[c].runs[0][next[c]]},
				Kind: fabric.FabricLink, Plane: plane, SpeedGbps: b.s.coreLink,
				LengthM: float64(b.c.Switches.Core.Cable.Length), CableType: b.c.Switches.Core.Cable.Type,
				Cable: b.hostTotal + plane*b.perPlane + n + 1,
			}, n)
			next[c]++
			n++
		}
	}
}

func (b *builder) planeSpines(plane int) []int {
	var out []int
	for i := range b.f.Switches {
		if b.f.Switches[i].Plane == plane && b.f.Switches[i].Role == fabric.Spine {
			out = append(out, i)
		}
	}
	return out
}

// dealByPlane returns the cores of each spine's uplinks in order, nil when the
// counts do not divide.
func (b *builder) dealByPlane() [][]int {
	d := b.s.blocks[0].spines
	if b.s.cores%d != 0 {
		return nil
	}
	width := b.s.cores / d
	var deal [][]int
	fill := make([]int, b.s.cores)
	for _, blk := range b.s.blocks {
		if blk.spines != d || blk.uplinks%width != 0 {
			return nil
		}
		each := blk.uplinks / width
		for j := range blk.spines {
			cores := make([]int, blk.uplinks)
			for t := range cores {
				cores[t] = j*width + t/each
				fill[cores[t]]++
			}
			deal = append(deal, cores)
		}
	}
	for _, n := range fill {
		if n > b.core.Radix(b.s.coreLink) {
			return nil
		}
	}
	return deal
}

func (b *builder) dealRound() [][]int {
	var deal [][]int
	n := 0
	for _, blk := range b.s.blocks {
		for range blk.spines {
			cores := make([]int, blk.uplinks)
			for t := range cores {
				cores[t] = n % b.s.cores
				n++
			}
			deal = append(deal, cores)
		}
	}
	return deal
}
