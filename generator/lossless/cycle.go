package lossless

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// outcome is the first case, in order, that has a circle; cycle is nil if none has.
type outcome struct {
	at    int
	cycle []int // arcs in order
}

// simulate runs the cases, each for all leaves as destinations, on all
// processors. The outcome does not depend on how many there are: the circle of
// the lowest case is returned.
func (g *graph) simulate(cases []failure) outcome {
	var next, found atomic.Int64
	found.Store(int64(len(cases)))
	cycles := make([][]int, len(cases))
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(cases)) {
		wait.Go(func() {
			s := newSimulation(g)
			for {
				i := next.Add(1) - 1
				if i >= found.Load() {
					return
				}
				s.run(cases[i], g.leaves)
				if c := s.cycle(); c != nil {
					cycles[i] = c
					lower(&found, i)
				}
			}
		})
	}
	wait.Wait()
	for i, c := range cycles {
		if c != nil {
			return outcome{i, c}
		}
	}
	return outcome{}
}

func lower(v *atomic.Int64, to int64) {
	for {
		old := v.Load()
		if old <= to || v.CompareAndSwap(old, to) {
			return
		}
	}
}

// cycle is a shortest circle of dependencies through the first arc that lies on
// one, nil without any. Without a turn upward there is none: ranks only rise
// (see deadlock.go). Links beside the tiers count as turns.
func (s *simulation) cycle() []int {
	if !s.turning && !s.g.crooked() {
		return nil
	}
	component := s.strong()
	if component == nil {
		return nil
	}
	return s.around(component)
}

// crooked says whether some cable joins switches of the same tier, of tiers
// that are not neighbours, or of two planes.
func (g *graph) crooked() bool {
	for _, c := range g.cables {
		low, high := &g.f.Switches[c.low], &g.f.Switches[c.high]
		if d := tier(low.Role) - tier(high.Role); d != 1 && d != -1 || low.Plane != high.Plane {
			return true
		}
	}
	return false
}

// strong returns the first strongly connected component of more than one arc
// (or of one that feeds itself), by Tarjan's algorithm without recursion, in
// time linear in arcs and dependencies.
func (s *simulation) strong() []int {
	n := len(s.g.arcs)
	number, low := make([]int, n), make([]int, n) // 0: not reached
	onStack := make([]bool, n)
	var stack []int
	type frame struct {
		arc  int
		next []int // successors still to visit
	}
	successors := func(a int) []int {
		var next []int
		s.feeds(a, func(b int) bool { next = append(next, b); return true })
		return next
	}
	count := 0
	for root := range n {
		if number[root] != 0 {
			continue
		}
		var calls []frame
		enter := func(a int) {
			count++
			number[a], low[a], onStack[a] = count, count, true
			stack = append(stack, a)
			calls = append(calls, frame{a, successors(a)})
		}
		for enter(root); len(calls) > 0; {
			f := &calls[len(calls)-1]
			if len(f.next) > 0 {
				b := f.next[0]
				f.next = f.next[1:]
				switch {
				case b == f.arc:
					return []int{b}
				case number[b] == 0:
					enter(b)
				case onStack[b]:
					low[f.arc] = min(low[f.arc], number[b])
				}
				continue
			}
			a := f.arc
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].arc
				low[up] = min(low[up], low[a])
			}
			if low[a] != number[a] {
				continue
			}
			from := slices.Index(stack, a)
			if component := stack[from:]; len(component) > 1 {
				return slices.Clone(component)
			}
			stack, onStack[a] = stack[:from], false
		}
	}
	return nil
}

// around is a shortest circle within a strongly connected component, starting
// at its lowest arc.
func (s *simulation) around(component []int) []int {
	inside := map[int]bool{}
	for _, a := range component {
		inside[a] = true
	}
	start := slices.Min(component)
	before := map[int]int{}
	queue := []int{start}
	for i := 0; i < len(queue); i++ {
		a, closed := queue[i], false
		s.feeds(a, func(b int) bool {
			if b == start {
				closed = true
				return false
			}
			if _, known := before[b]; inside[b] && !known {
				before[b] = a
				queue = append(queue, b)
			}
			return true
		})
		if closed {
			cycle := []int{a}
			for a != start {
				a = before[a]
				cycle = append(cycle, a)
			}
			slices.Reverse(cycle)
			return cycle
		}
	}
	return nil
}

// maxAims bounds how many switches and pairs of neighbours are aimed at.
const maxAims = 64

// aimed looks for a circle by failures made for it. For two switches c and d
// that may turn a path between upper neighbours x and y of different ASN, it
// takes two more lower neighbours a and b of x and y and leaves a only x of
// what it shares with b, and b all but x: their traffic then bounces off c and
// d in both directions. Where a and b are not leaves, the other switches above
// one of their leaves fail too, so that nothing goes around. Few destinations
// suffice to show a circle, so this works on fabrics of any size.
func (g *graph) aimed(transit []int) (failure, []int) {
	tried := 0
	var s *simulation
	for _, c := range transit {
		for _, pair := range g.turns(c) {
			if tried++; tried > maxAims {
				return failure{}, nil
			}
			f, destinations, ok := g.aim(c, pair[0], pair[1], transit)
			if !ok {
				continue
			}
			if s == nil {
				s = newSimulation(g)
			}
			s.run(f, destinations)
			if cycle := s.cycle(); cycle != nil {
				return f, cycle
			}
		}
	}
	return failure{}, nil
}

// turns are pairs of upper neighbours of different ASN: the first one against
// each other.
func (g *graph) turns(c int) [][2]int {
	var uppers []int
	for _, a := range g.out(c) {
		if a.up {
			uppers = append(uppers, int(a.to))
		}
	}
	var pairs [][2]int
	for i, x := range uppers {
		for _, y := range uppers[i+1:] {
			if g.f.Switches[x].ASN != g.f.Switches[y].ASN {
				pairs = append(pairs, [2]int{x, y})
				if len(pairs) == 4 {
					return pairs
				}
			}
		}
	}
	return pairs
}

// aim makes the failure for a path that turns at c between x and y.
func (g *graph) aim(c, x, y int, transit []int) (failure, []int, bool) {
	var others []int // lower neighbours of x and y besides c
	d := -1
	for _, a := range g.out(x) {
		low := int(a.to)
		if a.up || low == c || !g.joined(low, y) {
			continue
		}
		if _, may := slices.BinarySearch(transit, low); d < 0 && may {
			d = low
			continue
		}
		others = append(others, low)
	}
	if d < 0 || len(others) < 2 {
		return failure{}, nil, false
	}
	a, b := others[0], others[1]
	var f failure
	for _, up := range g.out(a) {
		if up.up && int(up.to) != x && g.joined(b, int(up.to)) {
			f.cables = append(f.cables, int(up.cable))
		}
	}
	for _, up := range g.out(b) {
		if int(up.to) == x {
			f.cables = append(f.cables, int(up.cable))
		}
	}
	destinations := make([]int, 0, 4)
	for _, sw := range []int{a, b, c, d} {
		leaf := g.below(sw)
		destinations = append(destinations, leaf)
		if sw != a || leaf == sw {
			continue
		}
		for _, up := range g.out(leaf) {
			if int(up.to) != sw {
				f.switches = append(f.switches, int(up.to))
			}
		}
	}
	return f, destinations, true
}

func (g *graph) joined(low, high int) bool {
	return slices.ContainsFunc(g.out(low), func(a arc) bool { return int(a.to) == high })
}

// below is the switch itself if it is a leaf, else a leaf under it.
func (g *graph) below(sw int) int {
	for tier(g.f.Switches[sw].Role) > 0 {
		down := slices.IndexFunc(g.out(sw), func(a arc) bool { return !a.up })
		if down < 0 {
			return sw
		}
		sw = int(g.out(sw)[down].to)
	}
	return sw
}
