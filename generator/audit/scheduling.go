package audit

import (
	"fmt"
	"maps"
	"slices"

	"railyard/generator/observed"
)

// kinds counts ports by how a class is scheduled.
type kinds [observed.Weighted + 1]int

// scheduling checks that the lossless class is weighted, or strict, as elsewhere,
// and that notifications go first as elsewhere.
func (f *whole) scheduling() {
	f.schedule("the lossless queue", observed.Weighted, func(s spot, _ *observed.Port) int {
		if list := f.pausedQueues(s).List(); len(list) > 0 {
			return list[0]
		}
		return -1
	})
	f.schedule("the queue of congestion notifications", observed.Strict, func(s spot, p *observed.Port) int {
		r := f.reach(s)
		if p.Trust != observed.TrustDSCP || f.pausedQueues(s).Has(int(r.queue[cnp])) {
			return -1
		}
		return int(r.queue[cnp])
	})
	f.shares()
}

func (f *whole) schedule(name string, wanted observed.Sched, of func(spot, *observed.Port) int) {
	var all kinds
	byOS := map[string]*kinds{}
	var here *kinds // of the OS of the switch visited
	at := -1
	visit := func(do func(s spot, p *observed.Port, q int)) {
		f.usable(func(s spot, p *observed.Port) {
			if s.sw != at {
				os := f.net.Switches[s.sw].OS
				if byOS[os] == nil {
					byOS[os] = &kinds{}
				}
				at, here = s.sw, byOS[os]
			}
			if q := of(s, p); q >= 0 && !f.misqueued[s.sw] {
				do(s, p, q)
			}
		})
	}
	visit(func(_ spot, p *observed.Port, q int) {
		here[p.Queues[q].Sched]++
		all[p.Queues[q].Sched]++
	})
	majority := wanted
	if other := observed.Strict + observed.Weighted - wanted; all[other] > all[wanted] {
		majority = other
	}
	if all[majority] == 0 {
		return
	}
	words := map[observed.Sched]string{observed.Strict: "strict", observed.Weighted: "weighted", observed.SchedUnknown: "left at its default"}
	said := map[int]bool{}
	visit(func(s spot, p *observed.Port, q int) {
		have := p.Queues[q].Sched
		switch {
		case have == observed.SchedUnknown && here[have]*4 > here[observed.Strict]+here[observed.Weighted]:
			// unknown on many: nothing to say
		case have != majority:
			f.add(s, note{severity: observed.Warning, code: "SCHEDULER_DIFFERS", aspect: "scheduler", at: line(p.Queues[q].SchedAt, p.At),
				what: fmt.Sprintf("%s, %d, is %s here and %s elsewhere in the fabric", name, q, words[have], words[majority]), remedy: "schedule it as on the other ports"})
		case majority != wanted && !said[s.sw]:
			said[s.sw] = true
			f.add(spot{s.sw, -1}, note{severity: observed.Info, code: "SCHEDULER_UNUSUAL", aspect: "scheduler", at: line(p.Queues[q].SchedAt, p.At),
				what: fmt.Sprintf("%s, %d, is %s everywhere; %s is usual", name, q, words[majority], words[wanted]), remedy: "fine when it is meant"})
		}
	})
}

// shares compares the lossless queue's share of the weighted bandwidth.
func (f *whole) shares() {
	type one struct {
		s     spot
		queue int
		value float64
	}
	byOS := map[string][]one{}
	at, os := -1, ""
	var here []one
	keep := func() {
		if len(here) > 0 {
			byOS[os] = append(byOS[os], here...)
		}
		here = here[:0]
	}
	f.usable(func(s spot, p *observed.Port) {
		if s.sw != at {
			keep()
			at, os = s.sw, f.net.Switches[s.sw].OS
		}
		if v, q := share(p, f.pausedQueues(s)); q >= 0 && !f.misqueued[s.sw] {
			here = append(here, one{s, q, v})
		}
	})
	keep()
	for _, os := range slices.Sorted(maps.Keys(byOS)) {
		list := byOS[os]
		if len(list) < 2 {
			continue
		}
		values := make([]float64, len(list))
		for i := range list {
			values[i] = list[i].value
		}
		slices.Sort(values)
		median := values[len(values)/2]
		for _, x := range list {
			if p := &f.net.Switches[x.s.sw].Ports[x.s.port]; x.value*2 < median {
				f.add(x.s, note{severity: observed.Warning, code: "SCHEDULER_SHARE", aspect: "scheduler", at: line(p.Queues[x.queue].SchedAt, p.At),
					what: fmt.Sprintf("lossless queue %d gets %d %% of the weighted bandwidth, elsewhere %d %%", x.queue, int(100*x.value+0.5), int(100*median+0.5)), remedy: "give it the weight of the others"})
			}
		}
	}
}

// share is the part of a port's weighted bandwidth that its paused queues get,
// and the last of these; -1 when nothing else shares it.
func share(p *observed.Port, paused observed.Set) (float64, int) {
	var sum, own int64
	last := -1
	for q := range p.Queues {
		if p.Queues[q].Sched == observed.Weighted && p.Queues[q].Weight > 0 {
			sum += int64(p.Queues[q].Weight)
			if paused.Has(q) {
				own += int64(p.Queues[q].Weight)
				last = q
			}
		}
	}
	if last < 0 || sum == own {
		return 0, -1
	}
	return float64(own) / float64(sum), last
}
