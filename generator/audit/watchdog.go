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
		for _, i := range f.lossless[m] {
			p := &sw.Ports[i]
			if !p.Watch.Known || f.bad[m][i] {
				continue
			}
			if lossless++; first < 0 {
				first = int(i)
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
		if i, ok := f.hostsOnly(m); ok {
			p := &sw.Ports[i]
			f.add(spot{m, -1}, note{severity: observed.Info, code: "WATCHDOG_HOSTS_ONLY", aspect: "watchdog", at: line(p.Watch.At, p.At),
				what: "the watchdog is on for host ports only: a pause that lasts is noticed where it begins, not between switches", remedy: "fine when hosts are the only suspects; else switch it on between switches too"})
			continue
		}
		for i := range sw.Ports {
			if p := &sw.Ports[i]; live(p) && p.Watch.Known && !f.bad[m][i] {
				f.watch(spot{m, i}, p)
			}
		}
	}
}

// hostsOnly reports whether exactly the ports in a VLAN are watched and none of
// the routed ones, which vendors' own designs do; with the first that is not.
func (f *whole) hostsOnly(m int) (int, bool) {
	ports, first := f.net.Switches[m].Ports, -1
	routed, access := 0, 0
	for _, i := range f.lossless[m] {
		p := &ports[i]
		watched := p.Watch.Priorities == p.PFC.Lossless()
		switch {
		case !p.Watch.Known || f.bad[m][i]:
		case p.Mode == observed.Access && p.VLAN > 1 && watched:
			access++
		case p.Mode == observed.Routed && p.Watch.Priorities == 0:
			if routed++; first < 0 {
				first = int(i)
			}
		default:
			return 0, false
		}
	}
	return first, access > 1 && routed > 1
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
