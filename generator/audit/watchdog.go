package audit

import (
	"fmt"

	"railyard/generator/observed"
)

// watchdogs checks that lossless priorities are watched and no others.
func (f *whole) watchdogs() {
	for _, m := range f.members {
		sw := f.net.Switches[m]
		var lossless, watched int
		first := -1
		for i := range sw.Ports {
			p := &sw.Ports[i]
			if !usable(p) || !p.Watch.Known || f.bad[m][i] {
				continue
			}
			if lossless++; first < 0 {
				first = i
			}
			if p.Watch.Priorities != 0 {
				watched++
			}
		}
		if lossless > 0 && watched == 0 {
			at := line(sw.Watchdog.At, sw.Ports[first].Watch.At, sw.Ports[first].At)
			f.add(spot{m, -1}, note{severity: observed.Warning, code: "WATCHDOG_MISSING", aspect: "watchdog", at: at,
				what: "no port of this switch watches its lossless priorities: one host that pauses without end stops everything behind it", remedy: "switch the PFC watchdog on"})
			continue
		}
		for i := range sw.Ports {
			if p := &sw.Ports[i]; live(p) && p.Watch.Known && !f.bad[m][i] {
				f.watch(spot{m, i}, p)
			}
		}
	}
}

func (f *whole) watch(s spot, p *observed.Port) {
	if p.Kind != observed.Physical {
		return
	}
	lossless := p.PFC.Lossless()
	if extra := lossless &^ f.common; notifies(p, extra) {
		lossless &^= extra // wrong in itself, and said
	}
	if lossless == 0 {
		return
	}
	if extra := p.Watch.Priorities &^ lossless; extra != 0 {
		f.add(s, note{severity: observed.Error, code: "WATCHDOG_LOSSY_QUEUE", aspect: "watchdog", at: line(p.Watch.At, p.At),
			what: fmt.Sprintf("the watchdog watches priority %s, which is not lossless on this port", numbers(extra)), remedy: "watch the lossless priorities only"})
	} else if bare := lossless &^ p.Watch.Priorities; bare != 0 {
		f.add(s, note{severity: observed.Warning, code: "WATCHDOG_MISSING", aspect: "watchdog", at: line(p.Watch.At, p.At),
			what: fmt.Sprintf("lossless priority %s is not watched on this port", numbers(bare)), remedy: "switch the watchdog on for it"})
	}
}
