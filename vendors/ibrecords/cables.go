package ibrecords

import (
	"fmt"
	"strings"
)

// fit is how a planned cable is found on the wire.
type fit struct {
	a, b       spot // where the cable at either end leads; node -2: nothing is shown
	known      bool // both nodes are on the wire
	right      bool
	disputed   bool // one end says it is right, the other leads elsewhere
	told       bool
	provenNone bool // the port list of an end is whole and lacks it
}

var nowhere = spot{node: -2}

// cables compares the links.
func (r *report) cables() {
	if len(r.seen.links) == 0 {
		r.problem(CodeNotCovered, "no record shows cables (ibnetdiscover, saquery LR): they are not compared")
		return
	}
	fits := make([]fit, len(r.plan.cables))
	for i := range fits {
		fits[i] = r.fit(&r.plan.cables[i])
	}
	used := map[spot]bool{} // ends whose wrong cable has been told
	moved, wrong, disputed := 0, 0, 0
	for i := range fits {
		f, c := &fits[i], &r.plan.cables[i]
		switch {
		case !f.known || f.told:
		case f.right:
			r.rate(c)
		case f.disputed:
			disputed++
			used[c.a], used[c.b], used[f.a], used[f.b] = true, true, true, true
		default:
			if r.wrong(fits, i, used) {
				wrong++
				if f.a.node == c.b.node || f.b.node == c.a.node {
					moved++
				}
			}
		}
	}
	if r.plan.twin && moved > 4 && 2*moved > len(fits) {
		r.problem(CodeNotCovered, "%d of %d cables lead to the planned node but to another port: the numbers of ports in twin cages are inferred, compare one with the panel before moving cables", moved, wrong)
	}
	if disputed > 0 {
		r.problem(CodeNotCovered, "the records contradict one another about %d cables (saved at different times?): they are not compared", disputed)
	}
	r.unplanned(used)
}

func (r *report) fit(c *cable) fit {
	f := fit{a: nowhere, b: nowhere}
	a, ok1 := r.wire(c.a)
	b, ok2 := r.wire(c.b)
	f.known = ok1 && ok2
	if !f.known {
		return f
	}
	if l, ok := r.seen.links[a]; ok {
		f.a = r.spot(l.b)
	}
	if l, ok := r.seen.links[b]; ok {
		f.b = r.spot(l.b)
	}
	f.right = f.a == c.b && f.b == c.a
	f.disputed = !f.right && (f.a == c.b || f.b == c.a)
	f.provenNone = r.seen.nodes[a.node].whole || r.seen.nodes[b.node].whole
	return f
}

// wrong tells of a cable that is not where it should be, and reports whether it did.
func (r *report) wrong(fits []fit, i int, used map[spot]bool) bool {
	f, c := &fits[i], &r.plan.cables[i]
	if f.a == nowhere && f.b == nowhere {
		if f.provenNone {
			r.at(c.a, "", "cable to "+r.name(c.b), "no link is up here")
		}
		return f.provenNone
	}
	if j := r.partner(fits, i); j >= 0 {
		o := &r.plan.cables[j]
		r.tell(c, f.a, "swapped with the cable of "+r.name(o.a), used)
		r.tell(o, fits[j].a, "swapped with the cable of "+r.name(c.a), used)
		f.told, fits[j].told = true, true
		used[c.b], used[o.b] = true, true
		return true
	}
	note := ""
	switch {
	case f.a == nowhere:
		note = "nothing is plugged in here; " + r.name(c.b) + " leads to " + r.name(f.b)
		if f.b.node < 0 || r.isUpper(f.b) {
			r.at(c.b, "cable to "+r.name(f.b), "cable to "+r.name(c.a), "")
			used[c.b], used[f.b] = true, true
		}
		r.at(c.a, "", "cable to "+r.name(c.b), note)
		return true
	case f.a.node == c.b.node:
		note = "the right node, another port"
	}
	if f.b != nowhere && f.b != c.a {
		note = strings.TrimPrefix(note+"; "+r.name(c.b)+" leads to "+r.name(f.b), "; ")
	}
	r.tell(c, f.a, note, used)
	return true
}

// isUpper tells an end that no planned cable has as its lower one.
func (r *report) isUpper(s spot) bool {
	i, ok := r.plan.at[s]
	return !ok || r.plan.cables[i].a != s
}

func (r *report) tell(c *cable, leads spot, note string, used map[spot]bool) {
	r.at(c.a, "cable to "+r.name(leads), "cable to "+r.name(c.b), note)
	used[c.a], used[leads] = true, true
}

// partner finds the cable that one is swapped with: each lower end leads to the
// other's upper end, or two lower and two upper ends are joined.
func (r *report) partner(fits []fit, i int) int {
	f, c := &fits[i], &r.plan.cables[i]
	j, ok := r.plan.at[f.a]
	if !ok || j == i {
		return -1
	}
	o := &r.plan.cables[j]
	if o.b == f.a && fits[j].known && !fits[j].told && fits[j].a == c.b {
		return j
	}
	if o.a == f.a && fits[j].known && !fits[j].told && fits[j].b == c.b {
		return j
	}
	return -1
}

// unplanned tells of links at ends that no planned cable has told of.
func (r *report) unplanned(used map[spot]bool) {
	for _, n := range r.seen.order {
		if n.kind == 'H' && r.plannedNode(n) < 0 {
			continue // told with the node
		}
		for port := 1; port <= maxPort; port++ {
			l, ok := r.seen.links[end{n.guid, port}]
			if !ok {
				continue
			}
			a, b := r.spot(l.a), r.spot(l.b)
			if a.node < 0 || used[a] || used[b] {
				continue
			}
			if b.node < 0 && (r.plannedNode(r.seen.nodes[b.guid]) < 0) {
				continue // told with the other node, or a part of this one
			}
			if i, ok := r.plan.at[a]; ok && (r.plan.cables[i].b == b || r.plan.cables[i].a == b) {
				continue
			}
			used[a], used[b] = true, true
			r.at(a, "cable to "+r.name(b), "", "not planned")
		}
	}
}

// Lanes in Gb/s as cables are sold by: four lanes of HDR are 200 Gb/s.
var lanes = map[string]float64{"SDR": 2.5, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200}

// simulatedGbps is the fastest link that ibsim 0.10 knows, 4xHDR: simulated nodes are
// not held against more.
const simulatedGbps = 200

// wanted is the speed a link of the plan can be held against, in Gb/s.
func (r *report) wanted(c *cable) int {
	if r.plan.nodes[c.a.node].seen.simulated() && r.plan.nodes[c.b.node].seen.simulated() {
		return min(c.gbps, simulatedGbps)
	}
	return c.gbps
}

// rate compares width and speed of a link with the plan.
func (r *report) rate(c *cable) {
	a, _ := r.wire(c.a)
	l := r.seen.links[a]
	if l.speed == "" {
		return
	}
	gbps := float64(l.width) * lanes[l.speed]
	if want := r.wanted(c); gbps < float64(want) {
		r.at(c.a, fmt.Sprintf("speed %dx%s (%g Gb/s)", l.width, l.speed, gbps), fmt.Sprintf("speed %d Gb/s", want), "on the cable to "+r.name(c.b))
	}
}
