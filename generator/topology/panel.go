package topology

import (
	"fmt"
	"slices"

	"railyard/generator/catalog"
	"railyard/generator/fabric"
)

// panel is a switch's front as a flat list of cages.
type panel struct {
	spec  *catalog.Switch
	cages []catalog.Ports // one entry a cage; cage i is printed as i+1
}

func newPanel(spec *catalog.Switch) panel {
	p := panel{spec: spec}
	for _, run := range spec.Ports {
		for range run.Count {
			p.cages = append(p.cages, run)
		}
	}
	return p
}

// run is a stretch of equal logical ports: n ports of a speed, taken from the
// front of the panel (downlinks) or from its end (uplinks). Where the ends of a
// box are spare they stay in the middle, so that the population of downlinks
// never moves an uplink.
type run struct {
	n, speed int
	fromEnd  bool
}

// face is a panel with every logical port laid out. runs[k][i] is the index in
// ports of port i of run k.
type face struct {
	ports []fabric.Port
	runs  [][]int
	cells []int // DDC cell ports
}

// layOut places the runs, front runs from cage 1 upwards in order, the end run
// in the last cages. It fails with the limit that broke.
func (p panel) layOut(runs ...run) (*face, error) {
	mode := make([]int, len(p.cages)) // children of each used cage
	speed := make([]int, len(p.cages))
	first := make([]int, len(runs)) // first cage of each run
	next, last := 0, len(p.cages)
	for k, r := range runs {
		if r.n == 0 {
			continue
		}
		if r.fromEnd {
			at, err := p.takeEnd(r, mode, speed, last)
			if err != nil {
				return nil, err
			}
			first[k], last = at, at
		}
	}
	for k, r := range runs {
		if r.n == 0 || r.fromEnd {
			continue
		}
		left := r.n
		first[k] = -1
		for ; left > 0 && next < last; next++ {
			c := p.cages[next]
			if n := c.Children(r.speed); n > 0 && !c.Fabric {
				if first[k] < 0 {
					first[k] = next
				}
				mode[next], speed[next] = n, r.speed
				left -= n
			}
		}
		if left > 0 {
			return nil, fmt.Errorf("%d ports of %dG do not fit: %d are left over", r.n, r.speed, left)
		}
	}
	if err := p.withinLimits(mode); err != nil {
		return nil, err
	}
	return p.draw(runs, first, mode, speed), nil
}

func (p panel) takeEnd(r run, mode, speed []int, last int) (int, error) {
	left, at := r.n, last
	for i := last - 1; i >= 0 && left > 0; i-- {
		c := p.cages[i]
		if n := c.Children(r.speed); n > 0 && !c.Fabric {
			mode[i], speed[i] = n, r.speed
			left -= n
			at = i
		}
	}
	if left > 0 {
		return 0, fmt.Errorf("%d uplinks of %dG do not fit: %d are left over", r.n, r.speed, left)
	}
	return at, nil
}

// withinLimits holds the breakouts against the model's bounds on logical ports.
// An unused cage counts as one.
func (p panel) withinLimits(mode []int) error {
	ports := func(i int) int { return max(mode[i], 1) }
	total := 0
	for i := range mode {
		total += ports(i)
	}
	if most := p.spec.MaxLogicalPorts; most > 0 && total > most {
		return fmt.Errorf("%d logical ports, %s allows %d", total, p.spec.ID, most)
	}
	g := p.spec.PortGroups
	if g == nil {
		return nil
	}
	groups := g.Cages
	for at := 0; g.Size > 0 && at < len(mode); at += g.Size {
		var group []int
		for i := at; i < min(at+g.Size, len(mode)); i++ {
			group = append(group, i+1)
		}
		groups = append(groups, group)
	}
	for _, group := range groups {
		n := 0
		for _, cage := range group {
			if cage >= 1 && cage <= len(mode) {
				n += ports(cage - 1)
			}
		}
		if n > g.Max {
			return fmt.Errorf("cages %v would hold %d logical ports, %s allows %d together", group, n, p.spec.ID, g.Max)
		}
	}
	return nil
}

func (p panel) draw(runs []run, first, mode, speed []int) *face {
	f := &face{runs: make([][]int, len(runs))}
	at := make([]int, len(p.cages)) // index of each cage's first port
	for i, c := range p.cages {
		at[i] = len(f.ports)
		port := fabric.Port{Cage: i + 1, Split: 1, SpeedGbps: int(c.Speed), Role: fabric.UnusedPort, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
		if mode[i] > 0 {
			port.Split, port.SpeedGbps = mode[i], speed[i]
		} else if modes := c.Modes(); len(modes) > 0 && c.Twin {
			port.Split, port.SpeedGbps = modes[0].Children, int(modes[0].Speed)
		}
		if c.Fabric {
			port.Role = fabric.CellPort
			f.cells = append(f.cells, len(f.ports))
		}
		if port.Split == 1 {
			f.ports = append(f.ports, port)
			continue
		}
		for lane := 1; lane <= port.Split; lane++ {
			port.Lane = lane
			f.ports = append(f.ports, port)
		}
	}
	for k, r := range runs {
		for i := first[k]; len(f.runs[k]) < r.n; i++ {
			if mode[i] == 0 || speed[i] != r.speed {
				continue
			}
			for lane := 0; lane < mode[i] && len(f.runs[k]) < r.n; lane++ {
				f.runs[k] = append(f.runs[k], at[i]+lane)
			}
		}
	}
	return f
}

// fits reports whether the runs can be laid out.
func (p panel) fits(runs ...run) bool {
	_, err := p.layOut(runs...)
	return err == nil
}

// commonSpeeds lists the rates at which both panels can link, fastest first.
func commonSpeeds(a, b *catalog.Switch) []int {
	var out []int
	for _, s := range allSpeeds(a) {
		if b.Radix(s) > 0 {
			out = append(out, s)
		}
	}
	return out
}

func allSpeeds(s *catalog.Switch) []int {
	var out []int
	for _, p := range s.Ports {
		if p.Fabric {
			continue
		}
		for _, m := range p.Modes() {
			if !slices.Contains(out, int(m.Speed)) {
				out = append(out, int(m.Speed))
			}
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}
