package lossless

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

func graphOf(c *planner) *graph { return newGraph(c.f, c.packetLink) }

func planned(t *testing.T, k clos) (*fabric.Fabric, *planner) {
	t.Helper()
	c := declared(t)
	f := k.build(t, c)
	mustPlan(t, c, f)
	return f, &planner{c: c, f: f}
}

func TestSharedSpineASNIsFree(t *testing.T) {
	for _, k := range []clos{
		{leaves: 4, spines: 2, hosts: 4}, {leaves: 8, spines: 4, hosts: 4, links: 2},
		{groups: 2, leaves: 4, spines: 4, cores: 4, hosts: 4},
	} {
		f, _ := planned(t, k)
		d := f.Lossless.Deadlock
		if !d.Checked || !d.Free || len(d.Cycle) > 0 || finding(f, "CBD_CYCLE") != nil {
			t.Errorf("%+v: %+v", k, d)
		}
		if !strings.Contains(d.Scope, "proved on all") || !strings.Contains(d.Scope, "confirmed by simulating") {
			t.Errorf("scope %q", d.Scope)
		}
	}
}

// With NoTransit the proof holds for unique ASNs too.
func TestUniqueASNWithNoTransitIsFree(t *testing.T) {
	for _, k := range []clos{
		{leaves: 4, spines: 2, hosts: 4, unique: true, noTransit: true},
		{groups: 2, leaves: 4, spines: 4, cores: 4, hosts: 4, unique: true, noTransit: true},
	} {
		f, _ := planned(t, k)
		if d := f.Lossless.Deadlock; !d.Checked || !d.Free {
			t.Errorf("%+v: %+v", k, d)
		}
	}
}

// Unique ASNs without it must be caught, however many spines there are; with
// two, the loss of two links is enough.
func TestUniqueASNIsCaught(t *testing.T) {
	for _, tc := range []struct {
		k     clos
		after string
	}{
		{clos{leaves: 4, spines: 2, hosts: 4, unique: true}, "after the loss of 2 links or switches"},
		{clos{leaves: 8, spines: 2, hosts: 4, unique: true}, "after the loss of 2 links or switches"},
		{clos{leaves: 4, spines: 2, hosts: 4, links: 2, unique: true}, "after the loss of 4 links or switches"},
		{clos{leaves: 8, spines: 4, hosts: 4, unique: true}, "after the loss of 4 links or switches"},
		{clos{leaves: 64, spines: 32, hosts: 32, unique: true}, "after the loss of 32 links or switches"},
		{clos{groups: 2, leaves: 4, spines: 4, cores: 4, hosts: 4, unique: true}, "after the loss of"},
	} {
		f, p := planned(t, tc.k)
		d, x := f.Lossless.Deadlock, finding(f, "CBD_CYCLE")
		if !d.Checked || d.Free || x == nil || x.Severity != fabric.Error {
			t.Errorf("%+v: %+v", tc.k, d)
			continue
		}
		if !strings.Contains(x.Message, tc.after) {
			t.Errorf("%+v: %s, want %q", tc.k, x.Message, tc.after)
		}
		if !strings.Contains(x.Remedy, "spine_mode: shared") || !strings.Contains(x.Remedy, "no-transit") {
			t.Errorf("remedy %q", x.Remedy)
		}
		checkCycle(t, p, d.Cycle)
	}
}

// checkCycle: every hop of the printed circle starts at the switch where the
// one before ended, over a cable that exists between those very ports.
func checkCycle(t *testing.T, p *planner, cycle []string) {
	t.Helper()
	if len(cycle) < 4 {
		t.Errorf("circle of %d", len(cycle))
	}
	ends := map[string]bool{}
	for i := range p.f.Links {
		a, b := p.f.Links[i].A, p.f.Links[i].B
		for _, d := range [][2]fabric.End{{a, b}, {b, a}} {
			ends[fmt.Sprintf("%s port %s to %s port %s", p.f.DeviceName(d[0]), p.f.PortName(d[0]), p.f.DeviceName(d[1]), p.f.PortName(d[1]))] = true
		}
	}
	for i, hop := range cycle {
		if !ends[hop] {
			t.Errorf("no cable %q", hop)
		}
		to := strings.Fields(hop)[4]
		if next := strings.Fields(cycle[(i+1)%len(cycle)])[0]; next != to {
			t.Errorf("%q is followed by a hop from %s", hop, next)
		}
	}
}

// One spine with another ASN (an override) breaks the shared plan.
func TestOneForeignSpineIsCaught(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 6, spines: 4, hosts: 4}.build(t, c)
	for i := range f.Switches {
		if f.Switches[i].Name == "spine-0002" {
			f.Switches[i].ASN = 65000
		}
	}
	mustPlan(t, c, f)
	if x := finding(f, "CBD_CYCLE"); x == nil {
		t.Errorf("%+v", f.Lossless.Deadlock)
	}
}

// Cores with ASNs of their own above spines that share one: the path turns at a
// spine, and the circle runs over cores.
func TestUniqueCoreASNIsCaught(t *testing.T) {
	c := declared(t)
	f := clos{groups: 5, leaves: 4, spines: 4, cores: 8, hosts: 4}.build(t, c)
	for i := range f.Switches {
		if f.Switches[i].Role == fabric.Core {
			f.Switches[i].ASN += uint32(i)
		}
	}
	mustPlan(t, c, f)
	x := finding(f, "CBD_CYCLE")
	if x == nil || !strings.Contains(x.Message, "core-") || !strings.Contains(x.Message, "spine-") || strings.Contains(f.Lossless.Deadlock.Cycle[0], "leaf-") {
		t.Fatalf("%+v", f.Lossless.Deadlock)
	}
	checkCycle(t, &planner{c: c, f: f}, f.Lossless.Deadlock.Cycle)
}

// A single leaf without the policy can turn paths, but no circle closes over
// one leaf: warned, and free within what was simulated.
func TestOneLeafWithoutPolicy(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 5, spines: 2, hosts: 4, unique: true, noTransit: true}.build(t, c)
	f.Switches[0].NoTransit = false
	mustPlan(t, c, f)
	d := f.Lossless.Deadlock
	if !d.Checked || !d.Free || !strings.Contains(d.Scope, "and 136 pairs of them") {
		t.Errorf("%+v", d)
	}
	if x := finding(f, "VALLEY_ROUTES"); x == nil || x.Objects[0] != "leaf-0000" {
		t.Errorf("%+v", x)
	}
}

// Links beside the tiers: two leaves joined as a pair, and rings of leaves.
func TestPeerLinks(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 4, spines: 0, hosts: 4}.build(t, c)
	f.Topology, f.Underlay.BGP = fabric.LeafSpine, true
	for i := range 4 {
		join(f, i, (i+1)%4, 400, 5)
	}
	mustPlan(t, c, f)
	x := finding(f, "CBD_CYCLE")
	if x == nil || !strings.HasPrefix(x.Message, "with no failure") {
		t.Fatalf("a ring of four leaves: %+v", f.Lossless.Deadlock)
	}
	checkCycle(t, &planner{c: c, f: f}, f.Lossless.Deadlock.Cycle)

	c = declared(t)
	f = clos{leaves: 4, spines: 2, hosts: 4}.build(t, c)
	join(f, 0, 1, 400, 5)
	mustPlan(t, c, f)
	if strings.Contains(f.Lossless.Deadlock.Scope, "proved") {
		t.Errorf("a peer link must not pass the proof: %+v", f.Lossless.Deadlock)
	}
}

func TestPlanesAreKeptApart(t *testing.T) {
	c := declared(t)
	two := func() *fabric.Fabric {
		f := clos{groups: 2, leaves: 4, spines: 2, hosts: 4}.build(t, c)
		f.Planes = 2
		for i := range f.Switches {
			sw := &f.Switches[i]
			if sw.Role == fabric.Leaf && i >= 4 || sw.Role == fabric.Spine && sw.Group == 1 {
				sw.Plane = 1
			}
		}
		for i := range f.Links {
			if f.Links[i].Kind == fabric.FabricLink {
				f.Links[i].Plane = f.Switches[f.Links[i].A.Device].Plane
			}
		}
		return f
	}
	f := two()
	mustPlan(t, c, f)
	if d := f.Lossless.Deadlock; !d.Free || !strings.Contains(d.Scope, "in 2 planes") {
		t.Errorf("%+v", d)
	}
	f = two()
	join(f, 0, 11, 400, 5) // a leaf of plane 0 to a spine of plane 1
	mustPlan(t, c, f)
	if d := f.Lossless.Deadlock; strings.Contains(d.Scope, "proved") {
		t.Errorf("an inter-plane link passed the proof: %+v", d)
	}
}

func TestNoRoutingIsNotCalledFree(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 2, spines: 2, hosts: 4}.build(t, c)
	f.Underlay.BGP = false
	mustPlan(t, c, f)
	if d := f.Lossless.Deadlock; d.Checked || d.Free || finding(f, "DEADLOCK_UNCHECKED") == nil {
		t.Errorf("%+v", d)
	}
}

// Routes by hand, four leaves and two spines of unique ASN, leaf 0 without
// spine 5 and leaf 1 without spine 4: the way from 0 to 1 is up to spine 4, down
// to leaf 2 or 3, up to spine 5, down to 1.
func TestRoutesBounce(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 4, spines: 2, hosts: 4, unique: true}.build(t, c)
	p := &planner{c: c, f: f}
	g := graphOf(p)
	var fail failure
	for i, b := range g.cables {
		if b.low == 0 && b.high == 5 || b.low == 1 && b.high == 4 {
			fail.cables = append(fail.cables, i)
		}
	}
	s := newSimulation(g)
	s.run(fail, []int{1})
	// Plus one, in the order leaf 0 to 3, spine 4, spine 5.
	if want := []int32{5, 1, 3, 3, 4, 2}; !slices.Equal(s.level, want) {
		t.Errorf("AS path lengths %v, want %v", s.level, want)
	}
	var via []int
	for _, a := range s.hops[4] {
		via = append(via, int(g.arcs[a].to))
	}
	slices.Sort(via)
	if !slices.Equal(via, []int{2, 3}) || !s.turning {
		t.Errorf("spine 4 forwards to %v (turning %v), want leaves 2 and 3", via, s.turning)
	}
	if s.cycle() != nil {
		t.Error("one destination cannot close a circle")
	}
	s.run(fail, g.leaves)
	if s.cycle() == nil {
		t.Error("all destinations together must")
	}
	// The same failure with a shared ASN leaves 0 and 1 without a way.
	f.Switches[5].ASN = f.Switches[4].ASN
	s = newSimulation(g)
	s.run(fail, []int{1})
	if s.level[0] != 0 || s.turning {
		t.Errorf("shared ASN: level %v", s.level)
	}
}

// The short cut (no turn upward, no circle) and Tarjan's algorithm agree, and
// the proof is never contradicted, over random Clos fabrics, ASNs, policies and
// failures.
func TestProofAgreesWithSimulation(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	found := 0
	for round := range 400 {
		c := declared(t)
		k := clos{leaves: 2 + draw.IntN(4), spines: 2 + draw.IntN(2), hosts: 1, unique: draw.IntN(2) == 0, noTransit: draw.IntN(3) == 0}
		if draw.IntN(2) == 0 {
			k.groups, k.cores = 2+draw.IntN(2), k.spines*(1+draw.IntN(2))
		}
		f := k.build(t, c)
		p := &planner{c: c, f: f}
		for range draw.IntN(3) {
			f.Switches[draw.IntN(len(f.Switches))].NoTransit = draw.IntN(2) == 0
		}
		st := p.inspect()
		g := graphOf(p)
		s := newSimulation(g)
		for range 8 {
			var fail failure
			for range draw.IntN(6) {
				fail.cables = append(fail.cables, draw.IntN(len(g.cables)))
			}
			s.run(fail, g.leaves)
			component := s.strong()
			if component != nil {
				found++
			}
			if (s.cycle() != nil) != (component != nil) {
				t.Fatalf("round %d %+v: the short cut says %v, Tarjan %v", round, k, s.cycle(), component)
			}
			if st.valleyFree() && (s.turning || component != nil) {
				t.Fatalf("round %d %+v: proved, and yet turning %v, circle %v", round, k, s.turning, component)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d circles drawn: the test proves little", found)
	}
}

// The circle does not depend on the number of processors or on chance.
func TestSimulationIsDeterministic(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 8, spines: 2, hosts: 1, unique: true}.build(t, c)
	g := graphOf(&planner{c: c, f: f})
	cases := g.pairs(100000)
	first := g.simulate(cases)
	for range 20 {
		if again := g.simulate(cases); again.at != first.at || !slices.Equal(again.cycle, first.cycle) {
			t.Fatalf("case %d %v, then case %d %v", first.at, first.cycle, again.at, again.cycle)
		}
	}
}

func TestParallelLinksAreOneBundle(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 3, spines: 2, hosts: 1, links: 4}.build(t, c)
	g := graphOf(&planner{c: c, f: f})
	if len(g.cables) != 6 || g.cables[0].links != 4 || len(g.arcs) != 12 {
		t.Errorf("%d bundles of %d, %d arcs", len(g.cables), g.cables[0].links, len(g.arcs))
	}
	if n := len(g.singles()); n != 5 {
		t.Errorf("%d single failures that matter, want the 5 switches", n)
	}
}
