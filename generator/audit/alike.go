package audit

import (
	"cmp"
	"slices"

	"railyard/generator/observed"
)

// leastLike is how many must be alike before one that differs is called odd.
const leastLike = 5

// leastTold is how many must be alike before one that differs is mentioned: with
// three or four it is a hint, no more.
const leastTold = 3

// rare reports whether few of a total differ from the rest: one of five or more,
// or one in ten.
func rare(few, total int) bool {
	return total >= leastLike && (few == 1 || few*10 <= total)
}

// hinted reports whether it is one of three or four.
func hinted(few, total int) bool { return few == 1 && total >= leastTold && total < leastLike }

// tally counts what ports say, by what makes them comparable.
type tally[K, V comparable] struct {
	by    map[K]map[V]*said
	order []K
	key   K // asked for last: neighbouring ports are alike
	value V
	last  *said
}

// said is who says one thing: runs of ports, for neighbours are alike.
type said struct {
	runs            []run
	ports, switches int
}

type run struct{ sw, from, to int32 }

func (x *said) add(s spot) {
	x.ports++
	sw, port := int32(s.sw), int32(s.port)
	last := len(x.runs) - 1
	if last >= 0 && x.runs[last].sw == sw && x.runs[last].to == port-1 {
		x.runs[last].to = port
		return
	}
	if last < 0 || x.runs[last].sw != sw {
		x.switches++
	}
	x.runs = append(x.runs, run{sw, port, port})
}

func (t *tally[K, V]) add(s spot, k K, v V) {
	if t.last == nil || k != t.key || v != t.value {
		if t.by == nil {
			t.by = map[K]map[V]*said{}
		}
		if t.by[k] == nil {
			t.by[k] = map[V]*said{}
			t.order = append(t.order, k)
		}
		if t.by[k][v] == nil {
			t.by[k][v] = &said{}
		}
		t.key, t.value, t.last = k, v, t.by[k][v]
	}
	t.last.add(s)
}

// odd visits the ports that say something else than nearly all of their like:
// few ports, or those of one switch among several. It is sure unless these are
// but three or four.
func (t *tally[K, V]) odd(visit func(s spot, k K, have, most V, sure bool)) {
	for _, k := range t.order {
		var most V
		var best *said
		if len(t.by[k]) == 1 {
			continue // all agree
		}
		ports, switches := 0, map[int32]bool{}
		for v, x := range t.by[k] {
			ports += x.ports
			for _, r := range x.runs {
				switches[r.sw] = true
			}
			if best == nil || x.ports > best.ports || x.ports == best.ports && x.runs[0].compare(best.runs[0]) < 0 {
				most, best = v, x
			}
		}
		var others []V
		for v := range t.by[k] {
			if v != most {
				others = append(others, v)
			}
		}
		slices.SortFunc(others, func(a, b V) int { return t.by[k][a].runs[0].compare(t.by[k][b].runs[0]) })
		for _, v := range others {
			x := t.by[k][v]
			sure := rare(x.ports, ports)
			alone := x.switches == 1 && best.switches >= len(switches)-1 // all other switches agree
			sure = sure || alone && rare(1, len(switches))
			if !sure && !(alone && hinted(1, len(switches))) {
				continue
			}
			for _, r := range x.runs {
				for port := r.from; port <= r.to; port++ {
					visit(spot{int(r.sw), int(port)}, k, v, most, sure)
				}
			}
		}
	}
}

// hint is a finding's severity as far as it is sure.
func hint(sure bool, s observed.Severity) observed.Severity {
	if sure {
		return s
	}
	return observed.Info
}

func (a run) compare(b run) int { return cmp.Or(cmp.Compare(a.sw, b.sw), cmp.Compare(a.from, b.from)) }
