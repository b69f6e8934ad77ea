package audit

import (
	"fmt"
	"slices"

	"railyard/generator/observed"
)

// kinds counts, per operating system, how a class is scheduled.
type kinds struct {
	by       map[observed.Sched]int // switches
	os       map[string]map[observed.Sched]int
	majority observed.Sched
}

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
	k := kinds{by: map[observed.Sched]int{}, os: map[string]map[observed.Sched]int{}}
	f.ports(usable, func(s spot, p *observed.Port) {
		if q := of(s, p); q >= 0 && !f.misqueued[s.sw] {
			os := f.net.Switches[s.sw].OS
			if k.os[os] == nil {
				k.os[os] = map[observed.Sched]int{}
			}
			k.os[os][p.Queues[q].Sched]++
			k.by[p.Queues[q].Sched]++
		}
	})
	k.majority = wanted
	if other := observed.Strict + observed.Weighted - wanted; k.by[other] > k.by[wanted] {
		k.majority = other
	}
	if k.by[k.majority] == 0 {
		return
	}
	words := map[observed.Sched]string{observed.Strict: "strict", observed.Weighted: "weighted", observed.SchedUnknown: "left at its default"}
	f.ports(usable, func(s spot, p *observed.Port) {
		q := of(s, p)
		if q < 0 || f.misqueued[s.sw] {
			return
		}
		have := p.Queues[q].Sched
		seen := k.os[f.net.Switches[s.sw].OS]
		if have == observed.SchedUnknown && seen[have]*4 > seen[observed.Strict]+seen[observed.Weighted] {
			return // unknown on many: nothing to say
		}
		if have == k.majority {
			return
		}
		f.add(s, note{severity: observed.Warning, code: "SCHEDULER_DIFFERS", aspect: "scheduler", at: line(p.Queues[q].SchedAt, p.At),
			what: fmt.Sprintf("%s, %d, is %s here and %s elsewhere in the fabric", name, q, words[have], words[k.majority]), remedy: "schedule it as on the other ports"})
	})
	if k.majority != wanted {
		said := map[int]bool{}
		f.ports(usable, func(s spot, p *observed.Port) {
			q := of(s, p)
			if q >= 0 && p.Queues[q].Sched == k.majority && !f.misqueued[s.sw] && !said[s.sw] {
				said[s.sw] = true
				f.add(spot{s.sw, -1}, note{severity: observed.Info, code: "SCHEDULER_UNUSUAL", aspect: "scheduler", at: line(p.Queues[q].SchedAt, p.At),
					what: fmt.Sprintf("%s, %d, is %s everywhere; %s is usual", name, q, words[k.majority], words[wanted]), remedy: "fine when it is meant"})
			}
		})
	}
}

// shares compares the lossless queue's share of the weighted bandwidth.
func (f *whole) shares() {
	byOS := map[string][]float64{}
	share := func(s spot, p *observed.Port) (float64, int) {
		paused := f.pausedQueues(s)
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
	f.ports(usable, func(s spot, p *observed.Port) {
		if v, q := share(s, p); q >= 0 && !f.misqueued[s.sw] {
			os := f.net.Switches[s.sw].OS
			byOS[os] = append(byOS[os], v)
		}
	})
	for _, list := range byOS {
		slices.Sort(list)
	}
	f.ports(usable, func(s spot, p *observed.Port) {
		v, q := share(s, p)
		list := byOS[f.net.Switches[s.sw].OS]
		if q < 0 || f.misqueued[s.sw] || len(list) < 2 {
			return
		}
		if median := list[len(list)/2]; v*2 < median {
			f.add(s, note{severity: observed.Warning, code: "SCHEDULER_SHARE", aspect: "scheduler", at: line(p.Queues[q].SchedAt, p.At),
				what: fmt.Sprintf("lossless queue %d gets %d %% of the weighted bandwidth, elsewhere %d %%", q, int(100*v+0.5), int(100*median+0.5)), remedy: "give it the weight of the others"})
		}
	})
}
