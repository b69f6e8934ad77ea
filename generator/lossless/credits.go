package lossless

import (
	"fmt"
	"strings"

	"railyard/generator/fabric"
)

// InfiniBand waits for credits where Ethernet waits for the end of a pause, so the
// proof of deadlock.go holds as it stands: what differs is who makes the routes.
const creditSource = "opensm(8) 3.3.23: fat-tree and up/down routing, credit loops of minhop"

// creditLoops says whether packets can wait for each other's credits in a circle,
// by what the routing engine promises and what the cabling lets it keep.
func (p *planner) creditLoops() {
	s := p.inspect()
	d := &p.f.InfiniBand.Deadlock
	engine := p.f.InfiniBand.Routing
	switch {
	case s.links == 0:
		d.Checked, d.Free = true, true
		d.Scope = "no link joins two switches, so no buffer waits for another switch's"
	case len(s.crooked) > 0:
		d.Scope = "links beside the tiers"
		p.find(fabric.Warning, "CREDIT_LOOP_RISK",
			fmt.Sprintf("%s not join neighbouring tiers of one plane; up/down and fat-tree routing cannot rank the switches", plural(len(s.crooked), "link does", "links do")),
			"cable every switch only to the tier above and below", "OpenSM up/down and fat-tree routing: ranks by distance from the roots", p.ends(s.crooked))
	case ranked(engine):
		d.Checked, d.Free = true, true
		d.Scope = fmt.Sprintf("proved on all %d links between switches: each joins neighbouring tiers, and %s routes go up and then down, so credits are only ever waited for in rising rank, whatever fails; it holds while the subnet manager runs such an engine from the roots written here", s.links, engineName(engine))
	case layered(engine):
		d.Scope = engine + " keeps paths that could form a circle on different virtual lanes by itself; which ones was not examined"
	default:
		p.searchCredits(newGraph(p.f, p.packetLink), engine, &s)
	}
}

// ranked reports whether an engine only makes routes that go up and then down from
// ranked roots. Every manager's auto is one of these (or minhop on a single switch).
func ranked(engine string) bool {
	switch strings.TrimPrefix(engine, "ar_") {
	case "", "auto", "ftree", "updn":
		return true
	}
	return false
}

func engineName(engine string) string {
	if engine == "" || engine == "auto" {
		return "the fat-tree or up/down engine that auto stands for:"
	}
	return engine + "'s"
}

// layered reports whether an engine breaks circles with virtual lanes.
func layered(engine string) bool { return engine == "lash" || engine == "dfsssp" || engine == "nue" }

// searchCredits lays all shortest paths from leaf to leaf, of which the other
// engines pick some: without failures, and without each link that has no parallel
// and each switch, as far as the budget goes.
func (p *planner) searchCredits(g *graph, engine string, s *structure) {
	d := &p.f.InfiniBand.Deadlock
	cases := append([]failure{{}}, g.singles()...)
	if budget := max(1, searchBudget/max(g.work(), 1)); len(cases) > budget {
		cases = cases[:budget]
	}
	remedy := "set infiniband.routing to auto, updn or ftree, which route up and then down only"
	if r := g.simulate(cases); r.cycle != nil {
		hops, devices := p.hops(g, r.cycle)
		when := p.when(g, cases[r.at])
		d.Checked, d.Cycle = true, hops
		d.Scope = "shortest paths laid; a circle exists " + when
		p.find(fabric.Warning, "CREDIT_LOOP_RISK",
			fmt.Sprintf("%s may wait for credits in a circle of %d links %s: %s", engine, len(r.cycle), when, inOrder(hops)),
			remedy, creditSource, devices)
		return
	}
	d.Checked, d.Free = true, true
	d.Scope = fmt.Sprintf("all shortest paths over %d links between switches, of which %s takes some: no failure and %s; no circle found. More failures at once were not examined", s.links, engine, plural(len(cases)-1, "link or switch down", "single links and switches down"))
	p.find(fabric.Info, "CREDIT_LOOP_ENGINE",
		engine+" takes shortest paths without ranks: after failures one may come down and go up again, and credits may then be waited for in a circle",
		remedy, creditSource, nil)
}
