package lossless

import (
	"cmp"
	"slices"

	"railyard/generator/fabric"
)

// graph is the switches and the cables between them, parallel links of a pair
// taken together: they carry the same routes, so a circle through one of them
// exists exactly when one exists through the bundle.
type graph struct {
	f      *fabric.Fabric
	cables []bundle
	arcs   []arc // directed bundles, by their first switch, then by the second
	first  []int // arcs[first[s]:first[s+1]] leave switch s
	leaves []int // switches that hosts hang on: the sources and destinations
}

// bundle is all links between two switches.
type bundle struct {
	low, high int // switches
	links     int
	first     int // index into Fabric.Links
}

// arc is one direction of a bundle. Its numbers are small and many.
type arc struct {
	from, to int32
	cable    int32
	back     int32 // the opposite arc
	up       bool
}

// failure is a set of switches and bundles that are down.
type failure struct {
	switches []int
	cables   []int
}

// size counts the links and switches of a failure.
func (g *graph) size(f failure) int {
	n := len(f.switches)
	for _, c := range f.cables {
		n += g.cables[c].links
	}
	return n
}

func newGraph(f *fabric.Fabric, joins func(*fabric.Link) (a, b int, packet, cell bool)) *graph {
	g := &graph{f: f}
	for i := range f.Links {
		a, b, packet, _ := joins(&f.Links[i])
		if packet {
			g.cables = append(g.cables, bundle{min(a, b), max(a, b), 1, i})
		}
	}
	slices.SortFunc(g.cables, func(x, y bundle) int {
		return cmp.Or(cmp.Compare(x.low, y.low), cmp.Compare(x.high, y.high), cmp.Compare(x.first, y.first))
	})
	merged := g.cables[:0]
	for _, c := range g.cables {
		if n := len(merged); n > 0 && merged[n-1].low == c.low && merged[n-1].high == c.high {
			merged[n-1].links++
		} else {
			merged = append(merged, c)
		}
	}
	g.cables = merged
	g.link()
	for i := range f.Switches {
		if f.Switches[i].Role == fabric.Leaf && g.first[i] < g.first[i+1] {
			g.leaves = append(g.leaves, i)
		}
	}
	return g
}

// link lays out the arcs.
func (g *graph) link() {
	g.first = make([]int, len(g.f.Switches)+1)
	for _, c := range g.cables {
		g.first[c.low+1]++
		g.first[c.high+1]++
	}
	for i := 1; i < len(g.first); i++ {
		g.first[i] += g.first[i-1]
	}
	g.arcs = make([]arc, 2*len(g.cables))
	next := slices.Clone(g.first[:len(g.first)-1])
	put := func(from, to, cable int) int32 {
		at := next[from]
		next[from]++
		up := tier(g.f.Switches[to].Role) > tier(g.f.Switches[from].Role)
		g.arcs[at] = arc{from: int32(from), to: int32(to), up: up, cable: int32(cable)}
		return int32(at)
	}
	for i, c := range g.cables {
		there, back := put(c.low, c.high, i), put(c.high, c.low, i)
		g.arcs[there].back, g.arcs[back].back = back, there
	}
}

func (g *graph) out(s int) []arc { return g.arcs[g.first[s]:g.first[s+1]] }

// work is the cost of simulating one case, in visits of an arc.
func (g *graph) work() int { return len(g.leaves) * len(g.arcs) }

// singles are the failures of one bundle of a single link, and of one switch. A
// link that has parallels changes no route when it fails.
func (g *graph) singles() []failure {
	var all []failure
	for i, c := range g.cables {
		if c.links == 1 {
			all = append(all, failure{cables: []int{i}})
		}
	}
	for s := range g.f.Switches {
		if g.first[s] < g.first[s+1] {
			all = append(all, failure{switches: []int{s}})
		}
	}
	return all
}

// maxPairs bounds the list of pairs, and with it memory.
const maxPairs = 1_000_000

// pairs are two of the single failures at once, and bundles of two links; the
// first most of them.
func (g *graph) pairs(most int) []failure {
	var all []failure
	for i, c := range g.cables {
		if c.links == 2 && len(all) < most {
			all = append(all, failure{cables: []int{i}})
		}
	}
	one := g.singles()
	for i := range one {
		for j := i + 1; j < len(one); j++ {
			if len(all) >= most {
				return all
			}
			all = append(all, failure{
				switches: slices.Concat(one[i].switches, one[j].switches),
				cables:   slices.Concat(one[i].cables, one[j].cables),
			})
		}
	}
	return all
}

// simulation holds the routes of one destination after another, and the buffer
// dependencies that all of them together create.
type simulation struct {
	g     *graph
	asn   []uint32
	quiet []bool  // switches with the no-transit policy
	tier  []int32 // of each switch
	live  []int32 // arcs that are up, by switch as in graph.arcs
	from  []int32 // live[from[s]:from[s+1]] leave switch s
	level []int32 // AS hops to the destination plus one; 0 no route
	best  []int32 // switch whose route is the best one, -1 at the destination
	order []int32 // switches with a route, nearest first
	hops  [][]int32
	// in[s] is the set of s's arcs over whose opposite packets for the
	// destination arrive; deps[a] the same for all destinations of those that
	// leave through arc a. Bits count from the switch's first arc.
	in      [][]uint64
	deps    [][]uint64
	upward  [][]uint64
	turning bool // some path comes down and goes up again
}

func newSimulation(g *graph) *simulation {
	n := len(g.f.Switches)
	s := &simulation{g: g, asn: make([]uint32, n), quiet: make([]bool, n), tier: make([]int32, n), from: make([]int32, n+1),
		level: make([]int32, n), best: make([]int32, n), hops: make([][]int32, n),
		in: make([][]uint64, n), deps: make([][]uint64, len(g.arcs)), upward: make([][]uint64, n)}
	for i := range n {
		sw := &g.f.Switches[i]
		s.asn[i], s.quiet[i], s.tier[i] = sw.ASN, sw.NoTransit, int32(tier(sw.Role))
		if g.f.Technology == fabric.InfiniBand {
			s.asn[i] = uint32(i) + 1 // no switch rejects a path: the shortest ones are taken
		}
		words := (g.first[i+1] - g.first[i] + 63) / 64
		s.in[i], s.upward[i] = make([]uint64, words), make([]uint64, words)
		block := make([]uint64, words*(g.first[i+1]-g.first[i]))
		for j := g.first[i]; j < g.first[i+1]; j++ {
			s.deps[j], block = block[:words:words], block[words:]
			if g.arcs[j].up {
				set(s.upward[i], j-g.first[i])
			}
		}
	}
	return s
}

func set(b []uint64, i int) { b[i/64] |= 1 << (i % 64) }

// run builds the dependencies of a failure for these destinations.
func (s *simulation) run(f failure, destinations []int) {
	s.fail(f)
	for i := range s.deps {
		clear(s.deps[i])
	}
	s.turning = false
	for _, d := range destinations {
		if !slices.Contains(f.switches, d) {
			s.route(int32(d))
			s.flow(int32(d))
		}
	}
}

// fail lists the arcs that are left.
func (s *simulation) fail(f failure) {
	s.live = s.live[:0]
	for sw := range s.quiet {
		s.from[sw] = int32(len(s.live))
		if slices.Contains(f.switches, sw) {
			continue
		}
		for i := s.g.first[sw]; i < s.g.first[sw+1]; i++ {
			a := &s.g.arcs[i]
			if !slices.Contains(f.cables, int(a.cable)) && !slices.Contains(f.switches, int(a.to)) {
				s.live = append(s.live, int32(i))
			}
		}
	}
	s.from[len(s.quiet)] = int32(len(s.live))
}

// route spreads the prefix of a leaf as eBGP does: the shortest AS path wins,
// equal ones share the traffic, the one of the lowest switch (router id) is told
// on, a switch drops paths with its own ASN and keeps to its export policy.
// Paths grow by one AS with every hop, so a breadth-first pass settles every
// switch with final inputs.
func (s *simulation) route(d int32) {
	for _, sw := range s.order {
		s.level[sw], s.hops[sw] = 0, s.hops[sw][:0]
	}
	s.order = append(s.order[:0], d)
	s.level[d], s.best[d] = 1, -1
	for i := 0; i < len(s.order); i++ {
		w := s.order[i]
		next, quiet := s.level[w]+1, s.quietUpward(w)
		for _, at := range s.live[s.from[w]:s.from[w+1]] {
			a := &s.g.arcs[at]
			u := a.to
			if l := s.level[u]; l != 0 && l != next || quiet && a.up || s.seen(w, u) {
				continue
			}
			if s.level[u] == 0 {
				s.level[u], s.best[u] = next, w
				s.order = append(s.order, u)
			} else if w < s.best[u] {
				s.best[u] = w
			}
			s.hops[u] = append(s.hops[u], a.back)
		}
	}
}

// quietUpward says whether a switch keeps its route from the switches above it.
func (s *simulation) quietUpward(w int32) bool {
	return s.quiet[w] && s.best[w] >= 0 && s.tier[s.best[w]] > s.tier[w]
}

// seen says whether u would find its own ASN in the path that w tells.
func (s *simulation) seen(w, u int32) bool {
	own := s.asn[u]
	for ; w >= 0; w = s.best[w] {
		if s.asn[w] == own {
			return true
		}
	}
	return false
}

// flow follows the packets of all leaves to the destination, farthest switches
// first, and notes which arc feeds which.
func (s *simulation) flow(d int32) {
	for i := len(s.order) - 1; i > 0; i-- {
		u := s.order[i]
		in := s.in[u]
		transit := nonZero(in)
		if !transit && s.tier[u] > 0 {
			continue
		}
		for _, at := range s.hops[u] {
			a := &s.g.arcs[at]
			set(s.in[a.to], int(a.back)-s.g.first[a.to])
			if !transit {
				continue
			}
			deps := s.deps[at]
			for w := range in {
				deps[w] |= in[w]
				if a.up && in[w]&s.upward[u][w] != 0 {
					s.turning = true
				}
			}
		}
		clear(in)
	}
	clear(s.in[d])
}

func nonZero(b []uint64) bool {
	for _, w := range b {
		if w != 0 {
			return true
		}
	}
	return false
}

// feeds calls do for every arc that packets take right after arc a.
func (s *simulation) feeds(a int, do func(next int) bool) {
	to := s.g.arcs[a].to
	from := int(s.g.arcs[a].back) - s.g.first[to]
	for next := s.g.first[to]; next < s.g.first[to+1]; next++ {
		if s.deps[next][from/64]&(1<<(from%64)) != 0 && !do(next) {
			return
		}
	}
}
