package cumulus

import (
	"strings"

	"railyard/generator/observed"
)

// global is the profile that ports without one of their own follow.
const seenGlobal = "default-global"

// seenPause is a PFC profile.
type seenPause struct {
	priorities observed.Set
	at         observed.Line // where the priorities stand
	cable      int
	cableAt    observed.Line
	half       observed.Line // receive or transmit is off
}

// seenTrust is a mapping profile: what is believed and where it leads.
type seenTrust struct {
	trust observed.Trust
	at    observed.Line
	maps  observed.Maps
}

// The band that RoCE mode and class 0 of the default profile have, in bytes, and
// the cables that a profile without a length is made for, in metres (QoS page).
const (
	seenLow, seenHigh      = 150_000, 1_500_000
	seenCable, seenLong    = 10, 100
	seenRoCE, seenNotified = 3, 6
)

func (o *seenObserver) finish(p *observed.Port, f *seenFacts) {
	if p.Kind == observed.Gateway {
		return
	}
	if b, ok := o.index[p.Bundle]; ok && p.Bundle != "" {
		p.Mode, p.VLAN = o.sw.Ports[b].Mode, o.sw.Ports[b].VLAN
	}
	for _, ref := range []struct {
		kind, name, aspect string
		at                 observed.Line
	}{{"pfc", f.pause, "pfc", f.pauseAt}, {"congestion-control", f.mark, "ecn", f.markAt}, {"egress-scheduler", f.order, "scheduler", f.orderAt}, {"mapping", f.trust, "dscp-map", f.trustAt}} {
		if ref.name != "" && ref.name != seenGlobal && o.set.get("qos", ref.kind, ref.name) == nil {
			o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Error, Code: "MAP_UNKNOWN", Aspect: ref.aspect, Port: p.Name, Line: ref.at,
				Text: "the " + ref.kind + " profile " + ref.name + " is not in the file", Remedy: "define the profile, or bind the one that exists"})
		}
	}
	t := o.mapping(f.trust)
	p.Trust, p.TrustAt, p.Maps = t.trust, t.at, &t.maps
	pause := o.pause(f.pause)
	// A profile without priorities pauses nothing: somebody wanted it to.
	p.PFC = observed.PFC{On: pause.priorities != 0 || f.pause != "" && f.pause != seenGlobal, OnAt: f.pauseAt, Priorities: pause.priorities, At: pause.at}
	if p.PFC.On && (p.PFC.OnAt == 0 || pause.priorities == 0) {
		p.PFC.OnAt = pause.at
	}
	if pause.half > 0 {
		p.PFC.On, p.PFC.OnAt = false, pause.half
	}
	if pause.priorities != 0 {
		p.CableM, p.CableAt = float64(pause.cable), pause.cableAt
	}
	order, marks := o.order(f.order), o.mark(f.mark)
	for q := range p.Queues {
		p.Queues[q] = order[q]
		if marks[q].At > 0 || marks[q].Active {
			p.Queues[q].ECN = &marks[q]
		}
		p.Queues[q].ECNAt = f.markAt
		if n := o.set.get("qos", "congestion-control", f.mark); n != nil && marks[q].At == 0 {
			p.Queues[q].ECNAt = n.at
		}
		if p.Queues[q].SchedAt == 0 {
			p.Queues[q].SchedAt = f.orderAt
		}
	}
	p.Watch = observed.Watch{Known: true, At: f.watchAt}
	if f.watch {
		p.Watch.Priorities = p.PFC.Lossless()
	}
}

// digits visits the numbers of a key like "3", "0-25,27" up to most.
func seenDigits(key string, most int, visit func(n int)) {
	list, _ := observed.Numbers(key)
	for _, n := range list {
		if n <= most {
			visit(n)
		}
	}
}

// mapping reads trust, code points and queues.
func (o *seenObserver) mapping(name string) *seenTrust {
	if name == "" {
		name = seenGlobal
	}
	if t := o.maps[name]; t != nil {
		return t
	}
	t := &seenTrust{trust: observed.TrustDot1p}
	o.maps[name] = t
	m := &t.maps
	m.Shared = true
	observed.Eights(&m.DSCP)
	for _, s := range []*[8]observed.Step{&m.Dot1p, &m.Queue, &m.Group, &m.Priority} {
		observed.Identity(s)
	}
	if o.mode != "" {
		t.trust, t.at = observed.TrustDSCP, o.roceAt
		m.DSCPAt = o.roceAt
		for sp := range m.Queue {
			if sp != seenRoCE && sp != seenNotified {
				m.Queue[sp].To = 0
			}
		}
	}
	n := o.set.get("qos", "mapping", name)
	if n != nil {
		m.DSCPAt = n.at
	}
	if t.at == 0 {
		t.at = m.DSCPAt
	}
	if q := o.set.get("qos"); t.at == 0 && q != nil {
		t.at = q.at
	}
	switch s, at := n.get("trust").word(); s {
	case "l3", "both":
		t.trust, t.at = observed.TrustDSCP, at
	case "l2":
		t.trust, t.at = observed.TrustDot1p, at
	case "port":
		t.trust, t.at = observed.TrustNone, at
	}
	if v, _ := n.get("port-default-sp").number(7); v >= 0 {
		m.Untagged = int8(v)
	}
	for _, c := range n.get("dscp").below() {
		if v, at := c.get("switch-priority").number(7); v >= 0 {
			seenDigits(c.key, 63, func(d int) { m.DSCP[d] = observed.Step{To: int8(v), At: at} })
		}
	}
	for _, c := range n.get("pcp").below() {
		if v, at := c.get("switch-priority").number(7); v >= 0 {
			seenDigits(c.key, 7, func(d int) { m.Dot1p[d] = observed.Step{To: int8(v), At: at} })
		}
	}
	for _, c := range o.set.get("qos", "egress-queue-mapping", seenGlobal, "switch-priority").below() {
		if v, at := c.get("traffic-class").number(7); v >= 0 {
			seenDigits(c.key, 7, func(sp int) { m.Queue[sp] = observed.Step{To: int8(v), At: at} })
		}
	}
	m.Pause = m.Queue
	return t
}

// pause reads a PFC profile.
func (o *seenObserver) pause(name string) *seenPause {
	if name == "" {
		name = seenGlobal
	}
	if p := o.pauses[name]; p != nil {
		return p
	}
	n := o.set.get("qos", "pfc", name)
	p := &seenPause{cable: seenCable}
	o.pauses[name] = p
	if n != nil {
		p.at, p.cableAt = n.at, n.at
	}
	if name == seenGlobal && o.lossless() {
		p.priorities, p.at, p.cable, p.cableAt = observed.Set(0).With(seenRoCE), o.roceAt, seenLong, o.roceAt
	}
	if list := n.get("switch-priority"); len(list.below()) > 0 {
		p.priorities, p.at = 0, list.at
		for _, c := range list.children {
			seenDigits(c.key, 7, func(sp int) { p.priorities = p.priorities.With(sp) })
			p.at = c.at
		}
	}
	if v, at := n.get("cable-length").number(100_000); v >= 0 {
		p.cable, p.cableAt = v, at
	}
	for _, way := range []string{"rx", "tx"} {
		if s, at := n.get(way).word(); s == "disable" || s == "disabled" {
			p.half = at
		}
	}
	return p
}

// mark reads a congestion-control profile, in bytes.
func (o *seenObserver) mark(name string) *[8]observed.ECN {
	if name == "" {
		name = seenGlobal
	}
	if m := o.marks[name]; m != nil {
		return m
	}
	m := new([8]observed.ECN)
	o.marks[name] = m
	standard := observed.ECN{Min: seenLow, Max: seenHigh, Unit: "bytes", Percent: 100, Active: true}
	if name == seenGlobal {
		m[0] = standard
		if o.mode == "lossless" || o.mode == "lossy" || o.lossless() {
			standard.At = o.roceAt
			m[0], m[seenRoCE] = standard, standard
		}
	}
	for _, c := range o.set.get("qos", "congestion-control", name, "traffic-class").below() {
		seenDigits(c.key, 7, func(tc int) { seenBand(&m[tc], c) })
	}
	return m
}

func seenBand(e *observed.ECN, n *seenNode) {
	if e.Unit == "" {
		*e = observed.ECN{Unit: "bytes", Active: true, At: n.at}
	}
	if e.At == 0 {
		e.At = n.at
	}
	if v, at := n.get("min-threshold").number(1_000_000_000); v >= 0 {
		e.Min, e.BandAt = int64(v), at
	}
	if v, at := n.get("max-threshold").number(1_000_000_000); v >= 0 {
		e.Max = int64(v)
		if e.BandAt == 0 {
			e.BandAt = at
		}
	}
	if v, _ := n.get("probability").number(100); v >= 0 {
		e.Percent = v
	}
	if s, at := n.get("ecn").word(); s == "disable" || s == "disabled" {
		e.Active, e.At, e.Why = false, at, "ecn is disabled"
	}
}

// order reads a scheduler profile. Without one all classes are weighted alike;
// RoCE mode has its own.
func (o *seenObserver) order(name string) *[8]observed.Queue {
	if name == "" {
		name = seenGlobal
	}
	if q := o.orders[name]; q != nil {
		return q
	}
	list := new([8]observed.Queue)
	o.orders[name] = list
	profile := o.set.get("qos", "egress-scheduler", name)
	for tc := range list {
		if profile != nil {
			list[tc].SchedAt = profile.at
		}
		list[tc].Sched, list[tc].Weight = observed.Weighted, 12
		if name == seenGlobal && o.mode != "" {
			list[tc].Weight, list[tc].SchedAt = 0, o.roceAt
			switch tc {
			case 0, seenRoCE:
				list[tc].Weight = 50
			case seenNotified:
				list[tc].Sched = observed.Strict
			}
		}
	}
	for _, c := range o.set.get("qos", "egress-scheduler", name, "traffic-class").below() {
		seenDigits(c.key, 7, func(tc int) {
			q := &list[tc]
			q.SchedAt = c.at
			if v, _ := c.get("bw-percent").number(100); v >= 0 {
				q.Weight = int32(v)
			}
			switch s, at := c.get("mode").word(); {
			case strings.EqualFold(s, "strict"):
				q.Sched, q.SchedAt = observed.Strict, at
			case s != "":
				q.Sched, q.SchedAt = observed.Weighted, at
			}
		})
	}
	return list
}
