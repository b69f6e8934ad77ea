package eos

import (
	"railyard/generator/observed"
)

// finish lays each interface's own lines over its profile.
func (o *seenObserver) finish() {
	o.maps.Pause = o.maps.Queue
	w := &o.sw.Watchdog
	w.Enabled = true
	if w.PollMS > 0 && w.DetectMS > 0 && w.RestoreMS > 0 && 2*w.PollMS > min(w.DetectMS, w.RestoreMS) {
		o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Warning, Code: "WATCHDOG_BELOW_POLL", Aspect: "watchdog", Line: w.At,
			Text: "the polling interval is more than half of the timeout or the recovery time, so the switch uses an interval of its own", Remedy: "poll at most every half of the shorter time"})
	}
	for i := range o.sw.Ports {
		p, facts := &o.sw.Ports[i], o.facts[i]
		if len(p.Addresses) > 0 && p.Kind != observed.Gateway {
			p.Mode, p.VLAN = observed.Routed, 0
		}
		if p.MTU.Bytes == 0 {
			if p.MTU = o.mtu; p.MTU.Bytes == 0 {
				p.MTU = observed.MTU{Bytes: 1500, IP: true}
			}
		}
		if p.Mode != observed.Routed {
			p.MTU = observed.MTU{} // the switched limit is another one and not in the file
		}
		if p.Kind == observed.Gateway {
			continue
		}
		if bundle, ok := o.index[p.Bundle]; ok && facts.profile == "" {
			facts.profile, facts.bound = o.facts[bundle].profile, o.facts[bundle].bound
		}
		if bundle, ok := o.index[p.Bundle]; ok {
			p.Mode, p.VLAN = o.sw.Ports[bundle].Mode, o.sw.Ports[bundle].VLAN
		}
		o.finishPort(p, facts)
	}
}

func (o *seenObserver) finishPort(p *observed.Port, facts *seenPortFacts) {
	s := facts.seenService
	base := o.profiles[facts.profile]
	if base == nil {
		if facts.profile != "" {
			o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Error, Code: "MAP_UNKNOWN", Aspect: "pfc", Port: p.Name, Line: facts.bound,
				Text: "the qos profile " + facts.profile + " is not in the file", Remedy: "define the profile, or attach the one that exists"})
		}
		base = &seenService{}
	}
	p.PFC = base.pfc
	if s.pfc.On {
		p.PFC.On, p.PFC.OnAt = true, s.pfc.OnAt
	}
	if s.pfc.Priorities != 0 {
		p.PFC.Priorities, p.PFC.At = p.PFC.Priorities|s.pfc.Priorities, s.pfc.At
	}
	p.PFC.Priorities &^= s.dropped
	if s.off > 0 && !base.pfc.On {
		p.PFC.On, p.PFC.OnAt = false, s.off
	}
	if o.allOff > 0 {
		p.PFC.On, p.PFC.OnAt = false, o.allOff
	}
	p.Trust, p.TrustAt = base.trust, base.trustAt
	if s.trust != observed.TrustUnknown {
		p.Trust, p.TrustAt = s.trust, s.trustAt
	}
	if p.Trust == observed.TrustUnknown {
		p.TrustAt = base.begins
		p.Trust = observed.TrustDot1p
		if p.Mode == observed.Routed {
			p.Trust = observed.TrustDSCP
		}
	}
	for q := range p.Queues {
		p.Queues[q] = seenMergeQueue(base.queues[q], s.queues[q])
	}
	for q := range p.Queues {
		if p.Queues[q].ECN == nil {
			p.Queues[q].ECNAt = base.begins
		}
		if p.Queues[q].SchedAt == 0 {
			p.Queues[q].SchedAt = base.begins
		}
	}
	p.Maps = &o.maps
	if s.policy == "" {
		s.policy, s.policyAt = base.policy, base.policyAt
	}
	if s.policy != "" {
		o.rule(p, s.policy, s.policyAt)
	}
	p.Watch = observed.Watch{Known: true, Priorities: p.PFC.Lossless()}
	if s.watchOff > 0 {
		p.Watch.Priorities, p.Watch.At = 0, s.watchOff
	}
}

func seenMergeQueue(q, own observed.Queue) observed.Queue {
	if own.ECN != nil {
		q.ECN, q.ECNAt = own.ECN, own.ECNAt
	}
	if own.Sched != observed.SchedUnknown {
		q.Sched, q.SchedAt = own.Sched, own.SchedAt
	}
	if own.Weight > 0 {
		q.Weight = own.Weight
	}
	if q.Sched == observed.SchedUnknown {
		q.Sched = observed.Strict
	}
	return q
}
