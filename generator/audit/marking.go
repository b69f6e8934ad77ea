package audit

import (
	"fmt"

	"railyard/generator/observed"
)

// pausedQueues are the egress queues that the lossless priorities of a port use:
// where its classes go, or where a pause stops when nothing tells the classes.
func (f *whole) pausedQueues(s spot) observed.Set { return f.reach(s).paused }

// marking judges ECN: on the queue that is paused, active, and before PFC.
func (f *whole) marking() {
	marked := f.markedQueues()
	f.usable(func(s spot, p *observed.Port) {
		if f.misqueued[s.sw] {
			return
		}
		paused := f.pausedQueues(s)
		elsewhere := -1 // a queue that marks although it is never paused
		for q := range p.Queues {
			if marks(p, q) && !paused.Has(q) && elsewhere < 0 {
				elsewhere = q
			}
		}
		wrong := false
		for _, q := range paused.List() {
			e := p.Queues[q].ECN
			switch {
			case e != nil && e.Active:
				f.band(s, p, q, e)
			case elsewhere >= 0:
				wrong = true
			case e != nil:
				f.add(s, note{severity: observed.Warning, code: "ECN_INACTIVE", aspect: "ecn", at: line(e.At, p.Queues[q].ECNAt, p.At),
					what: fmt.Sprintf("queue %d has marking configured that does not mark: %s", q, e.Why), remedy: "complete it"})
			case marked.Has(q):
				f.add(s, note{severity: observed.Warning, code: "ECN_MISSING", aspect: "ecn", at: line(p.Queues[q].ECNAt, p.At),
					what: fmt.Sprintf("lossless queue %d is not marked here, it is elsewhere in the fabric: only pauses slow senders", q), remedy: "bind the marking profile as on the other ports"})
			}
		}
		if wrong {
			e := p.Queues[elsewhere].ECN
			f.add(s, note{severity: observed.Error, code: "ECN_WRONG_QUEUE", aspect: "ecn", at: line(queueLine(p, elsewhere), e.At, p.At),
				what: fmt.Sprintf("queue %d marks but is not lossless, while lossless queue %s does not mark", elsewhere, numbers(unmarked(p, paused))), remedy: "mark the queue of the lossless class"})
		}
	})
	f.unmarkedEverywhere(marked)
}

// queueLine is the line that makes just this queue mark.
func queueLine(p *observed.Port, q int) observed.Line {
	if e := p.Queues[q].ECN; e.Own {
		return e.At
	}
	return p.Queues[q].ECNAt
}

func line(candidates ...observed.Line) observed.Line {
	for _, c := range candidates {
		if c > 0 {
			return c
		}
	}
	return 0
}

func unmarked(p *observed.Port, paused observed.Set) observed.Set {
	var set observed.Set
	for q := range 8 {
		if paused.Has(q) && !marks(p, q) {
			set = set.With(q)
		}
	}
	return set
}

// markedQueues are the paused queues that most switches using them mark.
func (f *whole) markedQueues() observed.Set {
	var yes, no [8]int
	for _, m := range f.members {
		var with, without [8]int
		ports := f.net.Switches[m].Ports
		for _, i := range f.lossless[m] {
			paused := f.pausedQueues(spot{m, int(i)})
			for q := range 8 {
				switch {
				case !paused.Has(q):
				case marks(&ports[i], q):
					with[q]++
				default:
					without[q]++
				}
			}
		}
		for q := range with {
			switch {
			case with[q] > 0 && with[q] >= without[q]:
				yes[q]++
			case without[q] > 0:
				no[q]++
			}
		}
	}
	var set observed.Set
	for q := range yes {
		if yes[q] > 0 && yes[q] >= no[q] {
			set = set.With(q)
		}
	}
	return set
}

// unmarkedEverywhere notes, once a switch, lossless queues that nobody marks.
func (f *whole) unmarkedEverywhere(marked observed.Set) {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		for _, i := range f.lossless[m] {
			p := &ports[i]
			if f.misqueued[m] || f.bad[m][i] {
				continue
			}
			bare := unmarked(p, f.pausedQueues(spot{m, int(i)})) &^ marked
			for _, q := range bare.List() {
				if p.Queues[q].ECN != nil {
					bare &^= observed.Set(0).With(q)
				}
			}
			if bare != 0 {
				f.add(spot{m, -1}, note{severity: observed.Info, code: "ECN_NONE", aspect: "ecn", at: p.PFC.At,
					what: "no switch marks lossless queue " + numbers(bare) + ": only pauses slow senders", remedy: "fine with receiver-driven congestion control; else mark it"})
				break
			}
		}
	}
}

// band judges one active marking band.
func (f *whole) band(s spot, p *observed.Port, q int, e *observed.ECN) {
	at := line(e.BandAt, e.At, p.Queues[q].ECNAt, p.At)
	if e.Max > 0 && e.Min > e.Max {
		f.add(s, note{severity: observed.Warning, code: "ECN_BAND", aspect: "ecn", at: at,
			what: fmt.Sprintf("marking of queue %d begins at %d %s and is complete at %d", q, e.Min, e.Unit, e.Max), remedy: "give a lower limit below the upper one"})
		return
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if !p.PFC.Lossless().Has(b.Priority) || p.Maps == nil || int(p.Maps.Pause[b.Priority].To) != q {
			continue
		}
		xoff, floating := b.Xoff, false
		same := b.XoffUnit == e.Unit
		if xoff == 0 && b.Share > 0 {
			xoff, floating, same = b.Share, true, e.Unit == "bytes"
		}
		if xoff == 0 {
			continue
		}
		low, high := e.Min, e.Max
		if !same {
			var ok bool
			if low, high, xoff, ok = toBytes(e, xoff, b.XoffUnit); !ok {
				continue
			}
		}
		how := fmt.Sprintf("pauses at %d %s", b.Xoff, b.XoffUnit)
		if floating {
			how = fmt.Sprintf("pauses, with eight groups congested, at %d bytes", b.Share)
		} else {
			at = line(b.XoffAt, at)
		}
		if low >= xoff {
			f.add(s, note{severity: observed.Error, code: "ECN_ABOVE_XOFF", aspect: "ecn", at: at,
				what:   fmt.Sprintf("queue %d is marked from %d %s on, but the port %s: PFC always acts first", q, e.Min, e.Unit, how),
				remedy: "lower the marking limits below the pause threshold"})
		} else if high > xoff {
			severity := observed.Warning
			if b.XoffUnit == "kbytes" {
				severity = observed.Info // an ingress port's threshold beside an egress queue's; vendors' own values do that
			}
			f.add(s, note{severity: severity, code: "ECN_ABOVE_XOFF", aspect: "ecn", at: at,
				what:   fmt.Sprintf("marking of queue %d is complete only at %d %s, but the port %s: PFC acts before all packets are marked", q, e.Max, e.Unit, how),
				remedy: "keep the upper marking limit below the pause threshold"})
		}
	}
}

// toBytes makes a band and a threshold comparable where both units are bytes
// under any reading. Kilobytes are taken as the reading that finds less.
func toBytes(e *observed.ECN, xoff int64, unit string) (low, high, threshold int64, ok bool) {
	scale := map[string]int64{"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
	a, b := scale[e.Unit], scale[unit]
	if unit == "kbytes" {
		b = 1024
	}
	if a == 0 || b == 0 {
		return 0, 0, 0, false
	}
	return e.Min * a, e.Max * a, xoff * b, true
}
