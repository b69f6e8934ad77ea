package vrp

import (
	"slices"
	"strconv"

	"railyard/generator/fabric"
)

// splitTypes are the documented splits by parent speed (CR port split).
var splitTypes = map[int][]string{
	100: {"4*25GE", "2*50GE"},
	200: {"2*100GE", "4*50GE"},
	400: {"4*100GE", "2*200GE"},
}

// change is one system-view line that remakes ports.
type change struct{ Type, Ports string }

// layout is what must be done to a box's cages before its ports exist.
type layout struct {
	names      []string // of each port; empty where splitting a neighbour removes it
	modes      []change
	splits     []change
	candidates []change // splits no document confirms
	clashes    bool     // a port of a rate group is to run at another rate than its group
	removed    bool     // splitting removes a port that is to be used
}

// made is a group of cages that are changed alike, in order of appearance.
type made struct {
	rate   int
	kind   string
	number []int
}

// arrange finds names and changes of all ports of a switch.
func arrange(m *fabric.Model, ports []fabric.Port) layout {
	p := panelOf(m)
	p.prepare()
	switched := map[int]int{} // group → rate
	fours := map[int]bool{}   // groups of four with a split port
	for i := range ports {
		s := p.at(ports[i].Cage)
		if r := p.rate(&ports[i], s); r != s.native {
			switched[p.group(s)] = r
		}
		if ports[i].Split > 1 && p.fours() && s.number <= 32 {
			fours[(s.number-1)/4] = true
		}
	}
	l := layout{names: make([]string, len(ports))}
	var modes, splits []made
	for i := range ports {
		port := &ports[i]
		s := p.at(port.Cage)
		r := p.rate(port, s)
		if g := p.group(s); len(switched) > 0 && (g >= 0 || r != s.native) {
			to := switched[g]
			switch {
			case g < 0, to != 0 && r != to && !idle(port):
				l.clashes = true
			case to != 0:
				r = to
				if port.Lane <= 1 {
					modes = add(modes, to, "", s.number)
				}
			}
		}
		l.names[i] = p.name(port, r, s.number)
		if p.fours() && s.number <= 32 && s.number%2 == 0 && fours[(s.number-1)/4] {
			l.removed = l.removed || !idle(port)
			l.names[i] = ""
			continue
		}
		if port.Split > 1 && port.Lane == 1 {
			kind := strconv.Itoa(port.Split) + "*" + strconv.Itoa(port.SpeedGbps) + "GE"
			splits = add(splits, r, kind, s.number)
		}
	}
	l.write(&p, modes, splits)
	return l
}

func add(list []made, rate int, kind string, number int) []made {
	for i := range list {
		if list[i].rate == rate && list[i].kind == kind {
			list[i].number = append(list[i].number, number)
			return list
		}
	}
	return append(list, made{rate: rate, kind: kind, number: []int{number}})
}

// write lists the changes, three or more neighbours as a range (the form annet
// reads back), 24 items in a split and 18 in a rate change (CR port split, port mode).
func (l *layout) write(p *panel, modes, splits []made) {
	shortest := 3
	if p.perCard > 0 {
		shortest = len(p.m.Cages) + 1 // a range may not cross cards
	}
	for _, c := range modes {
		from := map[int]int{200: 100, 50: 25}[c.rate]
		for _, line := range ranges(c.number, shortest, 18, func(n int) string { return p.cage(from, n) }) {
			l.modes = append(l.modes, change{strconv.Itoa(c.rate) + "GE", line})
		}
	}
	for _, c := range splits {
		for _, line := range ranges(c.number, shortest, 24, func(n int) string { return p.cage(c.rate, n) }) {
			if slices.Contains(splitTypes[c.rate], c.kind) {
				l.splits = append(l.splits, change{c.kind, line})
			} else {
				l.candidates = append(l.candidates, change{c.kind, line})
			}
		}
	}
}
