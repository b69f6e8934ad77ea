package audit

import (
	"fmt"

	"railyard/generator/observed"
)

// bandKey is the ports whose bands should be equal.
type bandKey struct {
	os    string
	speed int
	hosts bool
	edge  bool
	unit  string
}

type band struct {
	min, max int64
	percent  int
}

// farOff is how many times a band must be another to be odd among switches of
// another place in the fabric, whose bands a site may choose differently.
const farOff = 4

// oddBands finds the ports, or the one switch, whose band differs from nearly all
// of its like.
func (f *whole) oddBands(said saidSet) {
	var near, wide [8]tally[bandKey, band]
	f.usable(func(s spot, p *observed.Port) {
		_, linked := f.far(s)
		for q := range p.Queues {
			if e := p.Queues[q].ECN; e != nil && e.Active {
				k := bandKey{f.net.Switches[s.sw].OS, p.SpeedGbps, !linked, f.edge[s.sw], e.Unit}
				b := band{e.Min, e.Max, e.Percent}
				near[q].add(s, k, b)
				k.edge = false
				wide[q].add(s, k, b)
			}
		}
	})
	for q := range near {
		told := map[spot]bool{}
		tell := func(s spot, k bandKey, have, most band, sure bool) {
			if told[s] {
				return
			}
			told[s] = true
			p := f.portAt(s)
			e := p.Queues[q].ECN
			n := note{severity: hint(sure, observed.Warning), code: "ECN_DIFFERS", aspect: "ecn", at: line(e.BandAt, e.At, p.Queues[q].ECNAt, p.At),
				what:   fmt.Sprintf("queue %d is marked from %d to %d %s at %d %%, on nearly all ports like it from %d to %d at %d %%", q, have.min, have.max, k.unit, have.percent, most.min, most.max, most.percent),
				remedy: "use the band of the others"}
			if !said.has(f.judge, s, n) {
				f.add(s, n)
			}
		}
		wide[q].odd(func(s spot, k bandKey, have, most band, sure bool) {
			if have.max >= farOff*most.max || have.max*farOff <= most.max {
				tell(s, k, have, most, sure)
			}
		})
		near[q].odd(tell)
	}
}

// portKey is what ports must share to be compared.
type portKey struct {
	os, hardware string
	speed        int
	linked, edge bool
	metres       float64 // of cable, where the configuration says it
}

func (f *whole) portKey(s spot, p *observed.Port) portKey {
	sw := f.net.Switches[s.sw]
	_, linked := f.far(s)
	return portKey{sw.OS, sw.Hardware, p.SpeedGbps, linked, f.edge[s.sw], p.CableM}
}

// reservation is what a port sets aside for its first lossless priority.
type reservation struct {
	headroom, xoff, share int64
	dynamic               int32
	headroomUnit          string
	xoffUnit              string
	some                  bool
}

// rhythm is a port's scheduling: its strict queues and the others' shares in
// steps of a twentieth.
type rhythm [8]int8

// oddPorts compares ports of the same kind in what no other question compares.
// What another question found already is left alone.
func (f *whole) oddPorts() {
	said := f.saidSoFar()
	f.oddBands(said)
	var buffers tally[portKey, reservation]
	var rhythms tally[portKey, rhythm]
	var times tally[portKey, string]
	var kept tally[portKey, bool]
	f.usable(func(s spot, p *observed.Port) {
		k := f.portKey(s, p)
		buffers.add(s, k, reserves(p))
		if !f.misqueued[s.sw] {
			rhythms.add(s, k, scheduled(p))
		}
		times.add(s, k, p.Watch.Times)
		paused := f.pausedQueues(s)
		kept.add(s, k, keeps(p, paused))
	})
	buffers.odd(func(s spot, _ portKey, have, most reservation, sure bool) { f.oddBuffer(s, have, most, sure, said) })
	kept.odd(func(s spot, _ portKey, have, most, sure bool) {
		p := f.portAt(s)
		n := note{severity: hint(sure, observed.Error), code: "BUFFER_LOSSY", aspect: "buffer", at: p.At,
			what: "the lossless queue has no lossless egress buffer here, on nearly all ports like it it has", remedy: "give the queue the lossless egress profile"}
		if most && !have && !said.has(f.judge, s, n) {
			f.add(s, n)
		}
	})
	rhythms.odd(func(s spot, _ portKey, have, most rhythm, sure bool) {
		p := f.portAt(s)
		q := have.differs(most)
		n := note{severity: hint(sure, observed.Warning), code: "SCHEDULER_DIFFERS", aspect: "scheduler", at: line(p.Queues[q].SchedAt, p.At),
			what: fmt.Sprintf("queue %d is scheduled as %s here and as %s on nearly all ports like it", q, have.words(q), most.words(q)), remedy: "schedule it as on the other ports"}
		if !said.has(f.judge, s, n) {
			f.add(s, n)
		}
	})
	times.odd(func(s spot, _ portKey, have, most string, sure bool) {
		p := f.portAt(s)
		if have == "" || most == "" {
			return // said elsewhere
		}
		n := note{severity: hint(sure, observed.Warning), code: "WATCHDOG_DIFFERS", aspect: "watchdog", at: line(p.Watch.TimesAt, p.Watch.At, p.At),
			what: "the watchdog is set to " + have + " here and to " + most + " on nearly all ports like it", remedy: "use the times of the others"}
		if !said.has(f.judge, s, n) {
			f.add(s, n)
		}
	})
}

// saidSet is what was found: by switch, port and aspect, and by line.
type saidSet map[saidKey]bool

type saidKey struct {
	sw, port, aspect string
	line             observed.Line
}

func (j *judge) saidSoFar() saidSet {
	set := saidSet{}
	for i := range j.findings {
		x := &j.findings[i]
		if x.Severity == observed.Info && x.Aspect != "dscp-map" {
			continue // worth knowing, and no cause
		}
		set[saidKey{sw: x.Switch, port: x.Port, aspect: x.Aspect}] = true
		set[saidKey{sw: x.Switch, line: x.Line}] = true
		set[saidKey{sw: x.Switch, aspect: "any " + x.Aspect}] = true
	}
	return set
}

func (set saidSet) has(j *judge, s spot, n note) bool {
	sw := j.net.Switches[s.sw]
	return set[saidKey{sw: sw.Name, line: n.at}] || set[saidKey{sw: sw.Name, port: sw.Ports[s.port].Name, aspect: n.aspect}] || set[saidKey{sw: sw.Name, aspect: n.aspect}]
}

// differs is the queue that is most unlike: strict instead of weighted first.
func (r rhythm) differs(most rhythm) int {
	best, by := 0, 0
	for q := range r {
		d := int(r[q]) - int(most[q])
		if d = max(d, -d); d > 0 && (r[q] <= 0) != (most[q] <= 0) {
			d += 100
		}
		if d > by {
			best, by = q, d
		}
	}
	return best
}

func (f *whole) portAt(s spot) *observed.Port { return &f.net.Switches[s.sw].Ports[s.port] }

// keeps reports whether every paused queue has a buffer that does not drop.
func keeps(p *observed.Port, paused observed.Set) bool {
	for q := range p.Queues {
		if paused.Has(q) && !p.Queues[q].Kept {
			return false
		}
	}
	return true
}

func reserves(p *observed.Port) reservation {
	for i := range p.Buffers {
		if b := &p.Buffers[i]; p.PFC.Lossless().Has(b.Priority) && !b.Lossy {
			return reservation{b.Headroom, b.Xoff, b.Share, b.Dynamic, b.Unit, b.XoffUnit, true}
		}
	}
	return reservation{}
}

func (f *whole) oddBuffer(s spot, have, most reservation, sure bool, said saidSet) {
	p := f.portAt(s)
	n := note{severity: observed.Warning, code: "BUFFER_DIFFERS", aspect: "buffer", at: p.At, remedy: "reserve as on the other ports, unless this cable is another one"}
	for i := range p.Buffers {
		if b := &p.Buffers[i]; p.PFC.Lossless().Has(b.Priority) {
			n.at = line(b.At, b.XoffAt, p.At)
			if have.headroom == most.headroom {
				n.at = line(b.XoffAt, b.At, p.At)
			}
			break
		}
	}
	switch {
	case !have.some:
		n.severity, n.code, n.aspect = observed.Error, "HEADROOM_NONE", "headroom"
		n.what, n.remedy = "nothing is reserved for the lossless priority here, on nearly all ports like it something is", "reserve headroom as on the other ports"
		for i := range p.Buffers {
			if b := &p.Buffers[i]; b.Lossy && p.PFC.Lossless().Has(b.Priority) {
				return // it has one that drops, and that is said
			}
		}
	case !most.some:
		n.severity, n.what = observed.Info, "a reservation of its own, which no port like it has"
	case have.headroom != most.headroom && most.headroom > 0:
		n.what = fmt.Sprintf("%d %s of headroom are reserved here and %d on nearly all ports like it", have.headroom, have.headroomUnit, most.headroom)
		if have.headroom > most.headroom {
			n.severity = observed.Info // costs buffer, loses nothing
		}
		if have.headroom == 0 {
			n.what = "no headroom is reserved here, on nearly all ports like it there is"
		}
	case have.xoff != most.xoff:
		if most.xoff == 0 || have.xoff == 0 {
			n.what = "a fixed pause threshold on one and a floating one on the other: here it is otherwise than on nearly all ports like it"
			break
		}
		n.what = fmt.Sprintf("pausing begins at %d %s here and at %d on nearly all ports like it", have.xoff, have.xoffUnit, most.xoff)
	case have.dynamic != most.dynamic:
		n.what = fmt.Sprintf("the dynamic threshold of the lossless priority is %d here and %d on nearly all ports like it", have.dynamic, most.dynamic)
	default:
		return
	}
	n.severity = hint(sure, n.severity)
	if !said.has(f.judge, s, n) {
		f.add(s, n)
	}
}

func scheduled(p *observed.Port) rhythm {
	var out rhythm
	var sum int64
	for q := range p.Queues {
		if p.Queues[q].Sched == observed.Weighted {
			sum += int64(p.Queues[q].Weight)
		}
	}
	for q := range p.Queues {
		switch x := &p.Queues[q]; {
		case x.Sched == observed.Strict:
			out[q] = -1
		case x.Sched == observed.Weighted && sum > 0:
			out[q] = 1 + int8((20*int64(x.Weight)+sum/2)/sum)
		}
	}
	return out
}

func (r rhythm) words(q int) string {
	switch r[q] {
	case 0:
		return "the system's default"
	case -1:
		return "strict"
	}
	return fmt.Sprintf("weighted, %d %%", 5*(int(r[q])-1))
}
