package lossless

import (
	"fmt"
	"strings"

	"railyard/generator/fabric"
)

// A PFC deadlock needs buffers that wait for each other in a circle. The
// buffers of a lossless priority are the directed links between switches; a
// link waits for the next one when some route takes packets from the first to
// the second. Routes do not look at priorities, so one graph stands for every
// lossless class. Host links end or begin every path and close no circle.
//
// The proof. Suppose every link between packet switches joins two neighbouring
// tiers of one plane, and every switch v with two or more upper neighbours
// either exports no route that it learned from above to another switch above
// (NoTransit), or has upper neighbours of one and the same ASN. A path that
// comes down to v from x and goes up again to y needs v to have learned the
// destination from y and to have told x. In the first case v does not tell; in
// the second the AS path that v sends to x begins with v and continues with the
// ASN of y, which is x's own, and x drops it as a loop. So no installed route
// turns upward again: each is up*, down*. Rank the link a-b by the tier of a
// when it goes up, and by (twice the number of tiers - tier of a) when it goes
// down. Along up*, down* the rank rises with every hop, and a graph whose edges
// all raise a rank has no circle.
//
// Taking links or switches away only takes neighbours and routes away: the
// supposition stays true, so the conclusion holds for every set of failures at
// once. It is checked link by link for the whole fabric, in one pass, and
// nothing about the fabric's regularity is assumed. Where it fails, the routes
// are simulated instead.

// Budgets of simulated work, in visits of a directed link: about 0.1 s to
// confirm a proof on a small fabric, and about 3 s to search for a circle.
const (
	confirmBudget = 10_000_000
	searchBudget  = 400_000_000
	confirmLinks  = 10_000 // more are not worth laying out a graph for
)

const deadlockSource = "cyclic buffer dependencies: Tagger (CoNEXT 2017); route export and loop check: RFC 4271 section 9.1.2, RFC 7938 section 5.2"

// structure is the outcome of the pass over all links.
type structure struct {
	links   int   // between packet switches
	cells   int   // links of a cell fabric, left out
	planes  int   // planes that have links
	crooked []int // links that do not join neighbouring tiers of one plane
	transit []int // switches that could carry a path down and up again
}

// valleyFree says whether the proof's supposition holds.
func (s *structure) valleyFree() bool { return len(s.crooked) == 0 && len(s.transit) == 0 }

func tier(r fabric.Role) int {
	switch r {
	case fabric.Leaf:
		return 0
	case fabric.Spine:
		return 1
	default:
		return 2
	}
}

// packetLink says whether a link joins two packet switches and gives them.
func (p *planner) packetLink(l *fabric.Link) (a, b int, packet, cell bool) {
	if l.Kind != fabric.FabricLink || l.A.Kind != fabric.SwitchDevice || l.B.Kind != fabric.SwitchDevice {
		return 0, 0, false, false
	}
	pa := &p.f.Switches[l.A.Device].Ports[l.A.Port]
	pb := &p.f.Switches[l.B.Device].Ports[l.B.Port]
	cell = pa.Role == fabric.CellPort || pb.Role == fabric.CellPort
	return l.A.Device, l.B.Device, !cell, cell
}

// inspect checks the proof's supposition on every link and switch.
func (p *planner) inspect() structure {
	var s structure
	type upper struct {
		asn     uint32
		known   bool
		several bool
	}
	uppers := make([]upper, len(p.f.Switches))
	planes := map[int]bool{}
	for i := range p.f.Links {
		l := &p.f.Links[i]
		a, b, packet, cell := p.packetLink(l)
		if cell {
			s.cells++
		}
		if !packet {
			continue
		}
		s.links++
		planes[l.Plane] = true
		low, high := &p.f.Switches[a], &p.f.Switches[b]
		if tier(low.Role) > tier(high.Role) {
			a, low, high = b, high, low
		}
		if tier(high.Role)-tier(low.Role) != 1 || low.Plane != high.Plane {
			s.crooked = append(s.crooked, i)
			continue
		}
		u := &uppers[a]
		u.several = u.several || u.known && u.asn != high.ASN
		u.asn, u.known = high.ASN, true
	}
	for i := range uppers {
		if uppers[i].several && !p.f.Switches[i].NoTransit {
			s.transit = append(s.transit, i)
		}
	}
	s.planes = len(planes)
	return s
}

// deadlock proves the absence of cyclic buffer dependencies or looks for one.
func (p *planner) deadlock() {
	s := p.inspect()
	d := &p.f.Lossless.Deadlock
	switch {
	case s.links == 0:
		d.Checked, d.Free = true, true
		d.Scope = "no link joins two packet switches, so no buffer waits for another switch's"
		if s.cells > 0 {
			d.Scope += fmt.Sprintf("; %d links of the cell fabric are scheduled by credits and carry no PFC", s.cells)
		}
		return
	case !p.f.Underlay.BGP:
		p.unchecked("the links between switches carry no routing that could be examined")
		return
	}
	if s.valleyFree() {
		d.Checked, d.Free = true, true
		d.Scope = p.provedScope(&s)
		p.confirm(&s)
		return
	}
	p.search(newGraph(p.f, p.packetLink), &s)
}

func (p *planner) provedScope(s *structure) string {
	planes := ""
	if s.planes > 1 {
		planes = fmt.Sprintf(" in %d planes, none joined to another", s.planes)
	}
	return fmt.Sprintf("proved on all %d links between switches%s: each joins neighbouring tiers, and every switch either sees one ASN above it or exports nothing from one upper switch to another; so every route goes up and then down, and buffer dependencies only rise in rank: no circle with no failure, under any single link or switch down, any pair, or any other set of failures", s.links, planes)
}

// confirm simulates small fabrics as well. It can only ever contradict a wrong
// proof, and then the simulation is believed.
func (p *planner) confirm(s *structure) {
	if s.links > confirmLinks {
		return
	}
	g := newGraph(p.f, p.packetLink)
	cases := append([]failure{{}}, g.singles()...)
	if g.work()*len(cases) > confirmBudget {
		return
	}
	if r := g.simulate(cases); r.cycle != nil {
		p.circle(g, cases[r.at], r.cycle)
		return
	}
	p.f.Lossless.Deadlock.Scope += fmt.Sprintf("; confirmed by simulating the routes of %s (no failure, each switch, each link that has no parallel)", plural(len(cases), "case", "cases"))
}

// search simulates where the proof's supposition fails: no failure, each link
// and switch, then failures aimed at the switches that could turn a path
// upward, and pairs as far as the budget goes. A circle that needs fewer
// failures is told before one that needs more.
func (p *planner) search(g *graph, s *structure) {
	budget := searchBudget / max(g.work(), 1)
	base := append([]failure{{}}, g.singles()...)
	if len(base) <= budget {
		if r := g.simulate(base); r.cycle != nil {
			p.circle(g, base[r.at], r.cycle)
			return
		}
	}
	aim, cycle := g.aimed(s.transit)
	spare := min(budget-len(base), maxPairs)
	if cycle != nil {
		spare = min(spare, confirmBudget/max(g.work(), 1))
	}
	var pairs []failure
	if spare > 0 && (cycle == nil || g.size(aim) > 2) {
		pairs = g.pairs(spare)
		if r := g.simulate(pairs); r.cycle != nil {
			p.circle(g, pairs[r.at], r.cycle)
			return
		}
	}
	if cycle != nil {
		p.circle(g, aim, cycle)
		return
	}
	if len(base) > budget {
		p.unchecked(fmt.Sprintf("%s could carry a path down and up again, and the fabric is too large to simulate every failure", plural(len(s.transit)+len(s.crooked), "switch or link", "switches or links")))
		return
	}
	d := &p.f.Lossless.Deadlock
	d.Checked, d.Free = true, true
	d.Scope = fmt.Sprintf("simulated routes over %d links between switches: no failure, each of the %d links without parallel and switches down, and %s of them; no circle found. More failures at once were not examined", s.links, len(base)-1, plural(len(pairs), "pair", "pairs"))
	p.find(fabric.Warning, "VALLEY_ROUTES",
		"some routes could come down from one upper switch and go up to another after failures; no circle of buffers was found, but nothing rules one out in general",
		"let all switches above another share one ASN (addressing.asn.spine_mode: shared), or keep the no-transit export policy everywhere",
		deadlockSource, p.turning(s))
}

func (p *planner) turning(s *structure) []string {
	names := make([]string, 0, len(s.transit))
	for _, i := range s.transit {
		names = append(names, p.f.Switches[i].Name)
	}
	return append(names, p.ends(s.crooked)...)
}

func (p *planner) unchecked(why string) {
	d := &p.f.Lossless.Deadlock
	d.Checked, d.Free, d.Scope = false, false, "not checked: "+why
	p.find(fabric.Warning, "DEADLOCK_UNCHECKED", "whether pauses can wait on each other in a circle was not decided: "+why,
		"let all switches above another share one ASN (addressing.asn.spine_mode: shared), or keep the no-transit export policy everywhere",
		deadlockSource, nil)
}

// circle records a counterexample.
func (p *planner) circle(g *graph, f failure, cycle []int) {
	d := &p.f.Lossless.Deadlock
	d.Checked, d.Free = true, false
	hops, devices := p.hops(g, cycle)
	d.Cycle = hops
	when := p.when(g, f)
	d.Scope = "routes simulated; a circle exists " + when
	p.find(fabric.Error, "CBD_CYCLE",
		fmt.Sprintf("%s, buffers wait for each other in a circle of %d links: %s", when, len(cycle), inOrder(d.Cycle)),
		"let the spines share one ASN (addressing.asn.spine_mode: shared, no asn overrides), so that the AS-path loop check rejects routes that bounce off a leaf; or keep the no-transit export policy on every leaf",
		deadlockSource, devices)
}

// when says after which failure something happens.
func (p *planner) when(g *graph, f failure) string {
	if n := g.size(f); n > 0 {
		return "after " + p.failed(g, f, n)
	}
	return "with no failure"
}

// hops names the links of a circle, and the switches they leave.
func (p *planner) hops(g *graph, cycle []int) (hops, devices []string) {
	for _, arc := range cycle {
		a := &g.arcs[arc]
		l := &p.f.Links[g.cables[a.cable].first]
		from, to := l.A, l.B
		if from.Device != int(a.from) {
			from, to = to, from
		}
		hops = append(hops, fmt.Sprintf("%s port %s to %s port %s",
			p.f.DeviceName(from), p.f.PortName(from), p.f.DeviceName(to), p.f.PortName(to)))
		devices = append(devices, p.f.DeviceName(from))
	}
	return hops, devices
}

// inOrder writes a circle, shortened in the middle of very long ones.
func inOrder(hops []string) string {
	const most = 12
	text := ""
	for i, h := range hops {
		if i == most {
			return text + fmt.Sprintf(", and %d more", len(hops)-most)
		}
		if i > 0 {
			text += ", then "
		}
		text += h
	}
	return text
}

// failed describes a set of failures.
func (p *planner) failed(g *graph, f failure, n int) string {
	var what []string
	for _, s := range f.switches {
		what = append(what, p.f.Switches[s].Name)
	}
	for _, c := range f.cables {
		name := p.ends([]int{g.cables[c].first})[0]
		if n := g.cables[c].links; n > 1 {
			name = fmt.Sprintf("all %d from %s", n, name)
		}
		what = append(what, name)
	}
	if len(what) > maxObjects {
		what = append(what[:maxObjects:maxObjects], fmt.Sprintf("and %d more", len(what)-maxObjects))
	}
	return fmt.Sprintf("the loss of %s (%s)", plural(n, "link or switch", "links or switches"), strings.Join(what, ", "))
}
