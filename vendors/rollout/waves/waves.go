// Package waves decides which switches may change at the same time. It reads
// the plan's links and keeps a path open for every server at every moment:
//
//   - planes one after the other;
//   - tiers one after the other, top down: what reacts (spines that mark and
//     pause) is ready before what triggers it;
//   - never two switches of a tier that serve the same switch below;
//   - never two leaves of one server, and leaves of one rail set at a time, so
//     that a bad change costs a job one rail;
//   - before all others, one canary for each tier, OS and model, alone.
package waves

import (
	"cmp"
	"slices"

	"railyard/generator/fabric"
)

// Wave is a set of switches that change together.
type Wave struct {
	Switches []string
	Canary   bool
}

// Plan orders the switches of the fabric that are to change. Size bounds a wave;
// 0 sets no bound beside redundancy.
func Plan(f *fabric.Fabric, change []string, size int) []Wave {
	p := &planner{f: f, size: size, below: make([][]int, len(f.Switches))}
	wanted := map[string]bool{}
	for _, name := range change {
		wanted[name] = true
	}
	p.neighbours()
	var canaries, rest []int
	seen := map[class]bool{}
	for _, i := range p.order() {
		sw := &f.Switches[i]
		if !wanted[sw.Name] {
			continue
		}
		c := class{sw.Role, sw.OS, sw.Model}
		if !seen[c] {
			seen[c] = true
			canaries = append(canaries, i)
			continue
		}
		rest = append(rest, i)
	}
	var out []Wave
	for _, i := range canaries {
		out = append(out, Wave{[]string{f.Switches[i].Name}, true})
	}
	return append(out, p.pack(rest)...)
}

type class struct {
	role  fabric.Role
	os    string
	model int
}

type planner struct {
	f     *fabric.Fabric
	size  int
	below [][]int // devices served from above, each once: switches as index, servers after them
}

func (p *planner) neighbours() {
	id := func(e fabric.End) int {
		if e.Kind == fabric.ServerDevice {
			return len(p.f.Switches) + e.Device
		}
		return e.Device
	}
	for i := range p.f.Links {
		l := &p.f.Links[i]
		if l.B.Kind == fabric.SwitchDevice {
			p.below[l.B.Device] = append(p.below[l.B.Device], id(l.A))
		}
	}
	for i := range p.below {
		slices.Sort(p.below[i])
		p.below[i] = slices.Compact(p.below[i])
	}
}

func rank(r fabric.Role) int {
	return slices.Index([]fabric.Role{fabric.Core, fabric.Spine, fabric.Leaf}, r)
}

// order lists switches tier by tier from the top, plane by plane, by rails.
func (p *planner) order() []int {
	list := make([]int, len(p.f.Switches))
	for i := range list {
		list[i] = i
	}
	slices.SortStableFunc(list, func(a, b int) int {
		x, y := &p.f.Switches[a], &p.f.Switches[b]
		return cmp.Or(cmp.Compare(rank(x.Role), rank(y.Role)), cmp.Compare(x.Plane, y.Plane), slices.Compare(x.Rails, y.Rails), cmp.Compare(a, b))
	})
	return list
}

// pack puts each switch into the first wave of its own kind that has no one it
// could hurt.
func (p *planner) pack(list []int) []Wave {
	type open struct {
		members []int
		served  map[int]bool
	}
	var out []Wave
	for first := 0; first < len(list); {
		last := first
		for last < len(list) && p.alike(list[first], list[last]) {
			last++
		}
		var waves []*open
		for _, i := range list[first:last] {
			w := slices.IndexFunc(waves, func(o *open) bool {
				return (p.size == 0 || len(o.members) < p.size) &&
					!slices.ContainsFunc(p.below[i], func(d int) bool { return o.served[d] })
			})
			if w < 0 {
				waves = append(waves, &open{served: map[int]bool{}})
				w = len(waves) - 1
			}
			waves[w].members = append(waves[w].members, i)
			for _, d := range p.below[i] {
				waves[w].served[d] = true
			}
		}
		for _, o := range waves {
			var names []string
			for _, i := range o.members {
				names = append(names, p.f.Switches[i].Name)
			}
			out = append(out, Wave{Switches: names})
		}
		first = last
	}
	return out
}

func (p *planner) alike(a, b int) bool {
	x, y := &p.f.Switches[a], &p.f.Switches[b]
	return x.Role == y.Role && x.Plane == y.Plane && slices.Equal(x.Rails, y.Rails)
}
