package audit

import (
	"fmt"
	"math/bits"

	"railyard/generator/observed"
)

// cnp is the code point of congestion notification packets: CS6 of NVIDIA's and
// nearly all other NICs.
const cnp = 48

// classes follows code points through each port and compares where they end up.
func (f *whole) classes() {
	f.usable(func(s spot, p *observed.Port) {
		r := f.reach(s)
		f.notifications(s, p, r)
		switch {
		case p.Policy > 0 && (r.by != f.set || f.set.all() == 0):
			f.add(s, note{severity: observed.Info, code: "CLASS_BY_POLICY", aspect: "dscp-map", at: p.Policy,
				what: "a traffic policy classes packets here; audit follows maps and does not know what is lossless on this port", remedy: "check that the policy sends RoCE to the lossless class"})
		case f.set.all() == 0 && r.dot1p == 0:
			f.unreached(s, p, r)
		case f.set.all() == 0:
		case r.by.all() == 0 && r.dot1p != 0:
			f.byTag(s, p)
		case r.by != f.set:
			f.compare(s, p, r)
		}
		f.stopped(s, p, r)
		f.dropping(s, p, r)
	})
	f.notificationQueues()
}

// dropping checks that a paused queue's own buffer does not drop.
func (f *whole) dropping(s spot, p *observed.Port, r *reach) {
	for q := range p.Queues {
		if r.paused.Has(q) && p.Queues[q].Lossy > 0 && !f.misqueued[s.sw] {
			f.add(s, note{severity: observed.Error, code: "BUFFER_LOSSY", aspect: "buffer", at: p.Queues[q].Lossy,
				what: fmt.Sprintf("lossless queue %d has a buffer profile made for lossy traffic: it drops on the way out", q), remedy: "give the queue the lossless egress profile"})
			return
		}
	}
}

// notificationQueues finds switches that send congestion notifications through
// another queue than nearly all.
func (f *whole) notificationQueues() {
	var queues tally[string, int8]
	f.usable(func(s spot, p *observed.Port) {
		if r := f.reach(s); p.Trust == observed.TrustDSCP && p.Policy == 0 && r.by.priority(cnp) < 0 {
			queues.add(s, "", r.queue[cnp])
		}
	})
	queues.odd(func(s spot, _ string, have, most int8, sure bool) {
		p := f.portAt(s)
		at := mapLine(p, cnp)
		if t := f.reach(s).class[cnp]; t >= 0 && p.Maps.DSCP[cnp].To == most && p.Maps.Queue[t].At > 0 {
			at = p.Maps.Queue[t].At
		}
		f.add(s, note{severity: hint(sure, observed.Warning), code: "CNP_QUEUE", aspect: "cnp", at: line(at, p.At),
			what:   fmt.Sprintf("congestion notifications (DSCP %d) wait in queue %s here and in queue %s elsewhere in the fabric", cnp, numbered(int(have)), numbered(int(most))),
			remedy: "map them as the other switches do"})
	})
}

// unreached reports lossless priorities that no code point reaches anywhere.
func (f *whole) unreached(s spot, p *observed.Port, r *reach) {
	if p.Trust != observed.TrustDSCP {
		f.untrusted(s, p)
		return
	}
	f.add(s, note{severity: observed.Error, code: "CLASS_UNREACHED", aspect: "dscp-map", at: p.PFC.At,
		what: "no code point ends in lossless priority " + numbers(p.PFC.Lossless()) + ": the maps never lead to what PFC protects", remedy: "map the code point of RoCE (26 is usual) to the class of that priority"})
}

// byTag notes a port that classes by 802.1p in a fabric that does by DSCP.
func (f *whole) byTag(s spot, p *observed.Port) {
	at := p.TrustAt
	if at == 0 {
		at = p.At
	}
	f.add(s, note{severity: observed.Warning, code: "TRUST_DIFFERS", aspect: "trust", at: at,
		what: "the port classes by the 802.1p tag, the rest of the fabric by DSCP: untagged RoCE is not lossless here", remedy: "trust DSCP, unless all that comes here is tagged"})
}

func (f *whole) untrusted(s spot, p *observed.Port) {
	at := p.TrustAt
	if at == 0 {
		at = p.At
	}
	f.add(s, note{severity: observed.Error, code: "TRUST_MISSING", aspect: "trust", at: at,
		what:   "the port does not trust DSCP (it trusts " + p.Trust.String() + "), so RoCE from it lands in a class that is not lossless",
		remedy: "trust DSCP on this port"})
}

// compare holds a port's lossless code points against the fabric's.
func (f *whole) compare(s spot, p *observed.Port, r *reach) {
	want, have := f.set.all(), r.by.all()
	var kept, moved uint64
	for prio := range f.set {
		kept |= f.set[prio] & r.by[prio]
	}
	moved = want & have &^ kept
	lost := want &^ have
	extra := have &^ want &^ (1 << cnp)
	// Code points whose priority the port does not pause are PFC's matter.
	for prio, set := range f.set {
		if !p.PFC.Lossless().Has(prio) {
			lost &^= set
			moved &^= set
		}
	}
	switch {
	case moved != 0:
		f.moved(s, p, r, moved)
	case lost != 0 && (kept == 0 || bits.OnesCount64(lost) <= bits.OnesCount64(kept)):
		f.lost(s, p, r, lost)
	case lost != 0:
		f.add(s, note{severity: observed.Info, code: "CLASS_NARROWER", aspect: "dscp-map", at: p.Maps.DSCPAt,
			what: fmt.Sprintf("only DSCP %s are lossless here, more are elsewhere in the fabric (%s)", codePoints(have), codePoints(want)), remedy: "fine when hosts send no others"})
	case extra != 0 && bits.OnesCount64(extra) <= bits.OnesCount64(kept):
		d := bits.TrailingZeros64(extra)
		f.add(s, note{severity: observed.Warning, code: "CLASS_WIDER", aspect: "dscp-map", at: mapLine(p, d),
			what: fmt.Sprintf("DSCP %s is lossless here and lossy elsewhere in the fabric", codePoints(extra)), remedy: "map it as the other switches do"})
	case extra != 0 && kept != 0:
		severity := observed.Info // one vendor's defaults beside another's map
		if f.usualSet[f.net.Switches[s.sw].OS]&extra == 0 {
			severity = observed.Warning
		}
		f.add(s, note{severity: severity, code: "CLASS_WIDER", aspect: "dscp-map", at: p.Maps.DSCPAt,
			what: fmt.Sprintf("more code points are lossless here (%s) than elsewhere in the fabric (%s)", codePoints(have), codePoints(want)), remedy: "fine when hosts send no others"})
	}
}

// moved reports code points on another lossless priority than elsewhere.
func (f *whole) moved(s spot, p *observed.Port, r *reach, set uint64) {
	d := bits.TrailingZeros64(set)
	at := mapLine(p, d)
	if t := r.class[d]; p.Maps.DSCP[d].At == 0 && t >= 0 && p.Maps.Group[t].At > 0 {
		at = p.Maps.Group[t].At
	}
	f.add(s, note{severity: observed.Error, code: "CLASS_MISMATCH", aspect: "dscp-map", at: at,
		what:   fmt.Sprintf("DSCP %s is on priority %d here and on %d elsewhere: a pause of one end stops another class at the other", codePoints(set), r.by.priority(d), f.set.priority(d)),
		remedy: fmt.Sprintf("map it to priority %d", f.set.priority(d))})
}

// lost reports code points that are lossless elsewhere and not here, each at the
// step of the chain that loses it.
func (f *whole) lost(s spot, p *observed.Port, r *reach, set uint64) {
	if p.Trust != observed.TrustDSCP {
		f.untrusted(s, p)
		return
	}
	for set != 0 {
		d := bits.TrailingZeros64(set)
		n, same := f.step(p, r, d, set)
		f.add(s, n)
		set &^= same | 1<<d
	}
}

// step finds the step that loses a code point, and the others it loses.
func (f *whole) step(p *observed.Port, r *reach, d int, set uint64) (note, uint64) {
	want := f.set.priority(d)
	n := note{severity: observed.Error, code: "CLASS_MISMATCH", aspect: "dscp-map", at: mapLine(p, d),
		remedy: fmt.Sprintf("map it to the class that leads to priority %d", want)}
	class := r.class[d]
	if class < 0 {
		n.what = fmt.Sprintf("DSCP %d has no row in the map, elsewhere it is lossless on priority %d", d, want)
		return n, 0
	}
	if int(r.prio[d]) == want {
		// Arrives at the right priority, but the group's buffer drops.
		for i := range p.Buffers {
			if b := &p.Buffers[i]; b.Lossy && b.Priority == want {
				return note{severity: observed.Error, code: "BUFFER_LOSSY", aspect: "buffer", at: b.At,
					what:   fmt.Sprintf("the priority group of lossless priority %d has the profile %s, which reserves no headroom: packets that arrive after the pause are dropped", want, b.Of),
					remedy: "give the group a lossless profile"}, f.set[want]
			}
		}
	}
	// Which class would have led there?
	leads := false
	for t := range int8(8) {
		if int(groupPriority(p.Maps, t)) == want {
			leads = true
		}
	}
	usual := int8(want)
	if class == usual || !leads {
		g := p.Maps.Group[class]
		n.code, n.at = "GROUP_LOSSY", g.At
		if n.at == 0 {
			n.at = p.Maps.DSCPAt
		}
		n.what = fmt.Sprintf("traffic class %d goes to priority group %d, which does not pause priority %d: no pause is ever sent for the lossless class", class, g.To, want)
		n.remedy = fmt.Sprintf("map traffic class %d to the group of priority %d", class, want)
		var same uint64
		for o := range r.class {
			if r.class[o] == class {
				same |= 1 << o
			}
		}
		return n, same
	}
	n.what = fmt.Sprintf("DSCP %d goes to class %d, which is not lossless; elsewhere in the fabric it is lossless on priority %d", d, class, want)
	// What goes astray together is one finding, at the line of the best known.
	var same uint64
	for o := range r.class {
		if set&(1<<o) != 0 && r.class[o] == class && f.set.priority(o) == want {
			same |= 1 << o
		}
	}
	for _, known := range []int{26, 24, 33} {
		if same&(1<<known) != 0 {
			n.at, d = mapLine(p, known), known
			break
		}
	}
	if int(groupPriority(p.Maps, usual)) == want {
		n.dscp = d // the class has the priority's number, which the vendor's words take for granted
	}
	if bits.OnesCount64(same) > 1 {
		n.what = fmt.Sprintf("DSCP %s go to class %d, which is not lossless; elsewhere in the fabric they are lossless on priority %d", codePoints(same), class, want)
	}
	return n, same
}

// stopped checks that a received pause stops the queue the class waits in.
func (f *whole) stopped(s spot, p *observed.Port, r *reach) {
	for set := r.by.all(); set != 0; set &= set - 1 {
		d := bits.TrailingZeros64(set)
		prio, class, q := r.by.priority(d), r.class[d], r.queue[d]
		pause := p.Maps.Pause[prio]
		step := p.Maps.Queue[class]
		switch {
		case q != pause.To:
			at := step.At
			if int(pause.To) != prio && int(q) == prio || at == 0 {
				at = pause.At
			}
			f.add(s, note{severity: observed.Error, code: "QUEUE_MISMATCH", aspect: "dscp-map", at: at,
				what:   fmt.Sprintf("the lossless class of priority %d waits in queue %d, but a pause of that priority stops queue %d", prio, q, pause.To),
				remedy: "make class, queue and priority agree"})
		case step.At > 0 && q != f.queue[d] && !marks(p, int(q)) && f.queue[d] >= 0 && marks(p, int(f.queue[d])),
			step.At > 0 && int(q) != prio && !marks(p, int(q)) && marks(p, prio):
			f.add(s, note{severity: observed.Error, code: "QUEUE_MISMATCH", aspect: "dscp-map", at: step.At,
				what:   fmt.Sprintf("the lossless class of priority %d goes to queue %d, while marking and scheduling are made for queue %d", prio, q, prio),
				remedy: fmt.Sprintf("map it to queue %d", prio)})
		default:
			continue
		}
		f.misqueued[s.sw] = true
		return
	}
}

func marks(p *observed.Port, q int) bool {
	return q >= 0 && q < 8 && p.Queues[q].ECN != nil && p.Queues[q].ECN.Active
}

// notifications checks that CNPs are not paused with the data they should slow.
func (f *whole) notifications(s spot, p *observed.Port, r *reach) {
	if p.Trust != observed.TrustDSCP || r.by.priority(cnp) < 0 {
		return
	}
	at := mapLine(p, cnp)
	if p.Maps.DSCP[cnp].At == 0 || !f.common.Has(r.by.priority(cnp)) {
		at = p.PFC.At
	}
	f.add(s, note{severity: observed.Warning, code: "CNP_LOSSLESS", aspect: "cnp", at: at,
		what:   fmt.Sprintf("congestion notifications (DSCP %d) are on lossless priority %d: they are paused together with what they should slow", cnp, r.by.priority(cnp)),
		remedy: "give them a strict queue that is not lossless, 6 is usual"})
}

// mapLine is the line that maps a code point, or the map's own.
func mapLine(p *observed.Port, d int) observed.Line {
	if at := p.Maps.DSCP[d].At; at > 0 {
		return at
	}
	return p.Maps.DSCPAt
}

// codePoints writes a set, runs as ranges.
func codePoints(set uint64) string {
	out := ""
	for d := 0; d < 64; d++ {
		if set&(1<<d) == 0 {
			continue
		}
		end := d
		for end+1 < 64 && set&(1<<(end+1)) != 0 {
			end++
		}
		if out != "" {
			out += ","
		}
		if end > d+1 {
			out += fmt.Sprintf("%d-%d", d, end)
			d = end
		} else {
			out += fmt.Sprint(d)
		}
	}
	if out == "" {
		return "none"
	}
	return out
}
