package vrp

import (
	"fmt"

	"railyard/generator/fabric"
)

func (r *report) lossless(f *fabric.Fabric, sw *fabric.Switch, fam family) {
	p := planFor(f, sw, fam)
	if p.ports == 0 && fam != familyNone {
		return
	}
	switch fam {
	case familyNone:
		r.add(fabric.Error, "NO_PFC", "this model has no PFC", "use a model that has", "CR dcb pfc enable: list of models")
		return
	case familyUnknown:
		r.add(fabric.Warning, "LOSSLESS_FAMILY_UNKNOWN", "no document says which lossless commands this model or release speaks, so PFC, ECN, DSCP map, scheduling and watchdog are not configured",
			"confirm one of the two proposals in "+StepsFile+" on a device, then set the model's family to P or J", "CG: model lists of the PFC and ECN pages")
		return
	}
	lim := fam.limits()
	r.classes(f.Lossless, p, lim)
	r.buffers(f.Lossless, p, lim)
	r.marking(p, lim)
	r.watchdog(f, p)
}

func (r *report) classes(l *fabric.Lossless, p *plan, lim limits) {
	for i := range l.Classes {
		c := &l.Classes[i]
		if c.Lossless && c.Queue != c.Priority {
			r.add(fabric.Error, "QUEUE_PRIORITY", fmt.Sprintf("class %s uses queue %d with PFC priority %d, but the two are one number here", c.Name, c.Queue, c.Priority),
				"give both the same number", "CG Priority Mapping")
		}
		if c.Lossless && c.Priority > lim.maxPriority || c.ECN && c.Queue > lim.ecnQueue {
			r.add(fabric.Error, "PFC_PRIORITY", fmt.Sprintf("class %s: PFC and ECN reach only up to priority %d on family %s", c.Name, lim.maxPriority, p.Family),
				"use a lower lossless.priority", "CR priority (DCB PFC view); CG ECN precautions")
		}
	}
	n := len(p.lossless)
	if n > lim.priorities || p.Family == familyJ && p.DropDefaultPriority && n > 3 {
		r.add(fabric.Error, "PFC_PRIORITIES", fmt.Sprintf("%d PFC priorities are more than family %s has", n, p.Family), "", "CR priority (DCB PFC view)")
	} else if n > 2 {
		r.add(fabric.Warning, "PFC_PRIORITIES", "more than two PFC priorities on a port are advised against", "", "CG DCB precautions")
	}
	if lim.pfcPorts > 0 && p.ports > lim.pfcPorts && n > 0 {
		r.add(fabric.Error, "PFC_PORTS", fmt.Sprintf("PFC on %d ports; family %s has it on at most %d", p.ports, p.Family, lim.pfcPorts), "", "CR priority (DCB PFC view)")
	}
	if p.ports*n > 256 {
		r.add(fabric.Warning, "PFC_QUEUES", "more than 256 PFC queues on one switch: their backpressure acts on the whole device", "", "CG DCB precautions")
	}
	if p.DropDefaultPriority {
		r.add(fabric.Info, "PFC_DEFAULT_PRIORITY", "PFC is on for priority 3 by default; it is switched off, as no class there is lossless",
			"see with display dcb pfc-profile that it is", "CR priority (DCB PFC view); CANN")
	}
	if p.DRR == "" {
		r.add(fabric.Warning, "SCHEDULING", "weighted queues that do not lie side by side cannot be written; all stay in strict priority",
			"give strict classes the highest queues", "CG Congestion Management")
	}
}

func (r *report) buffers(l *fabric.Lossless, p *plan, lim limits) {
	if len(p.lossless) == 0 {
		return
	}
	r.add(fabric.Info, "PFC_THRESHOLD", "the buffer level at which PFC fires stays the device's own", "compare display dcb pfc buffer with the plan",
		"CR dcb pfc buffer gives no factor for its alpha values")
	if p.Family == familyP {
		r.add(fabric.Info, "HEADROOM", "the chip reserves headroom by itself; the plan's bytes cannot be set", "", "CG Enabling PFC")
		return
	}
	for i, kb := range p.headroom {
		if kb > maxHeadroomKB {
			r.add(fabric.Error, "HEADROOM", fmt.Sprintf("headroom of %d bytes is more than the 30720 KB of a queue", l.Profiles[i].XoffBytes), "", "CR dcb pfc buffer")
		}
	}
	if p.PoolKB > maxHeadroomKB {
		r.add(fabric.Warning, "HEADROOM_POOL", fmt.Sprintf("headroom of all ports is %d KB, the pool ends at 30720 KB: it does not hold when all ports pause at once", p.PoolKB),
			"shorten cables or use fewer lossless ports", "CR qos buffer headroom-pool")
	}
	if p.sizes > lim.headroomSizes {
		r.add(fabric.Error, "HEADROOM_SIZES", fmt.Sprintf("%d different headroom sizes; a switch has room for %d", p.sizes, lim.headroomSizes),
			"use fewer cable lengths", "CR dcb pfc buffer")
	}
}

func (r *report) marking(p *plan, lim limits) {
	for _, b := range p.Bands {
		if b.Low < lim.ecnLow || b.High > lim.ecnHigh || b.Low > b.High {
			r.add(fabric.Error, "ECN_RANGE", fmt.Sprintf("ECN band %d to %d bytes lies outside %d to %d", b.Low, b.High, lim.ecnLow, lim.ecnHigh), "", "CR ecn (drop profile view)")
		}
		if p.Family == familyP && b.Low >= defaultXoffBytes {
			r.add(fabric.Warning, "ECN_ABOVE_XOFF", fmt.Sprintf("ECN starts at %d bytes of an egress queue, PFC by default at %d bytes of one ingress port: with few senders PFC comes first", b.Low, defaultXoffBytes),
				"lower lossless.ecn.kmin, or raise the threshold with dcb pfc buffer", "CR dcb pfc buffer")
		}
	}
	if len(p.Bands) > lim.bands {
		r.add(fabric.Error, "ECN_BANDS", fmt.Sprintf("%d ECN bands; a switch has room for %d", len(p.Bands), lim.bands), "", "CG Configuring ECN")
	}
	if p.GlobalECN {
		r.add(fabric.Info, "ECN_GLOBAL", "marking is also switched on globally, so congestion marks ECN packets of every queue", "", "CG Configuring ECN; ECN precautions")
	}
}

func (r *report) watchdog(f *fabric.Fabric, p *plan) {
	w := &f.Lossless.Watchdog
	const source = "CG Configuring PFC Deadlock Detection"
	switch {
	case len(p.lossless) == 0:
	case !w.Enabled:
		r.add(fabric.Info, "WATCHDOG", "the deadlock watchdog cannot be switched off; it keeps its 100 ms", "", source)
	default:
		if !p.exact {
			got := fmt.Sprintf("%d and %d ms", ms(p.DetectTimer), ms(p.RestoreTimer))
			if p.Family == familyJ {
				got = fmt.Sprintf("%d and %d ms", p.times.detect*p.times.interval, p.times.restore*p.times.interval)
			}
			r.add(fabric.Warning, "WATCHDOG", fmt.Sprintf("the watchdog's detect %s and restore %s become %s", w.Detect, w.Restore, got),
				"P: 10 to 1500 ms; J: up to 15 and 31 steps of 10, 100, 500 or 1000 ms", source)
		}
		if w.Action == "alert" {
			r.add(fabric.Warning, "WATCHDOG", "there is no action that only alerts; the device drops or forwards while it recovers", "use drop or forward", source)
		}
		if w.Action != "drop" && mustDiscard(f) {
			r.add(fabric.Warning, "WATCHDOG", "a fabric with a switch of family P has to drop while a deadlock lasts, so every switch does", "use drop", source)
		}
	}
}

func ms(timer int) int {
	if timer == 0 {
		return 100
	}
	return timer
}
