package vrp

import (
	"net/netip"
	"strings"

	"railyard/generator/observed"
)

func (o *seenObserver) portLine(r observed.Row) {
	p, facts := &o.sw.Ports[o.port], &o.facts[o.port]
	var words [16]string
	word, rest, _ := strings.Cut(r.Text, " ")
	switch word {
	case "description":
		p.Description, p.DescribedAt = strings.Clone(rest), r.Number
	case "shutdown":
		p.Down = true
	case "undo":
		if rest == "portswitch" && p.Kind != observed.Gateway {
			p.Mode, p.VLAN = observed.Routed, 0
		}
	case "port":
		switch {
		case strings.HasPrefix(rest, "default vlan "):
			p.VLAN = max(0, observed.Within(rest[len("default vlan "):], 4094))
		case rest == "link-type trunk", rest == "link-type hybrid":
			p.Mode, p.VLAN = observed.Trunk, 0
		}
	case "eth-trunk":
		p.Bundle = "Eth-Trunk" + rest
	case "mtu":
		if n, ok := observed.Number(rest); ok {
			p.MTU = observed.MTU{Bytes: n, At: r.Number, IP: true}
		}
	case "ip", "ipv6":
		if a, ok := seenAddressLine(rest); ok {
			p.Addresses = append(p.Addresses, a)
		}
	case "traffic-policy":
		if strings.HasSuffix(rest, " inbound") {
			p.Policy = r.Number
		}
	case "trust":
		switch {
		case rest == "dscp":
			p.Trust, p.TrustAt = observed.TrustDSCP, r.Number
		case strings.HasPrefix(rest, "8021p"):
			p.Trust, p.TrustAt = observed.TrustDot1p, r.Number
		case strings.HasPrefix(rest, "upstream "):
			facts.domain, facts.domainAt = strings.Clone(rest[len("upstream "):]), r.Number
		}
	case "qos":
		seenQosLine(p, facts, r, observed.Fields(rest, &words))
	case "dcb":
		seenDcbLine(o, p, facts, r, observed.Fields(rest, &words))
	case "flow-control":
		p.PauseAll = r.Number
	}
}

// addressLine reads "address A MASK", the mask dotted or a length, or "address A/N".
func seenAddressLine(rest string) (netip.Prefix, bool) {
	f := strings.Fields(rest)
	switch {
	case len(f) > 1 && f[0] == "address" && strings.Contains(f[1], "/"):
		return observed.Slashed(f[1])
	case len(f) > 2 && f[0] == "address":
		return observed.Prefix(f[1], f[2])
	}
	return netip.Prefix{}, false
}

func seenQosLine(p *observed.Port, facts *seenPortFacts, r observed.Row, f []string) {
	if len(f) < 2 {
		return
	}
	if f[0] == "drr" || f[0] == "pq" {
		facts.scheduled = true
		// "drr 0 to 5", "pq 5 to 7 drr 0 to 4"
		if _, list, ok := strings.Cut(strings.Join(f, " "), "drr "); ok {
			facts.weighted, facts.drrAt = observed.Priorities(list), r.Number
		}
		return
	}
	q := observed.Within(f[1], 7)
	if f[0] != "queue" || q < 0 || len(f) < 3 {
		return
	}
	switch {
	case f[2] == "ecn":
		facts.ecnAt[q] = r.Number
	case f[2] == "wred" && len(f) > 3:
		facts.drop[q], facts.dropAt[q] = strings.Clone(f[3]), r.Number
	case f[2] == "drr" && len(f) > 4:
		n, _ := observed.Number(f[4])
		p.Queues[q].Weight, p.Queues[q].SchedAt = int32(n), r.Number
	}
}

func seenDcbLine(o *seenObserver, p *observed.Port, facts *seenPortFacts, r observed.Row, f []string) {
	switch {
	case len(f) > 1 && f[0] == "ets":
		facts.ets = true
	case len(f) > 1 && f[0] == "pfc" && f[1] == "enable":
		p.PFC.On, p.PFC.OnAt = true, r.Number
		for i := 2; i < len(f); i++ {
			if f[i] == "mode" {
				p.PFC.Auto = i+1 < len(f) && f[i+1] == "auto"
				break
			}
			facts.profile = strings.Clone(f[i])
		}
	case len(f) > 4 && f[0] == "pfc" && f[1] == "buffer":
		priority := observed.Within(f[2], 7)
		if priority >= 0 {
			seenBufferLine(o, p, priority, f[3:], r.Number)
		}
	}
}

// bufferLine reads "hdrm N UNIT", "xoff static N UNIT" and "xon … xoff …".
func seenBufferLine(o *seenObserver, p *observed.Port, priority int, f []string, at observed.Line) {
	var b *observed.Buffer
	for i := range p.Buffers {
		if p.Buffers[i].Priority == priority {
			b = &p.Buffers[i]
		}
	}
	if b == nil {
		b = &observed.Buffer{Priority: priority}
	}
	fresh := b.At == 0 && b.XoffAt == 0
	for i := 0; i+2 < len(f); i++ {
		value, unit := i+1, i+2
		if f[i+1] == "static" {
			value, unit = i+2, i+3
		}
		if unit >= len(f) {
			break
		}
		n, ok := observed.Number(f[value])
		switch {
		case !ok:
		case f[i] == "hdrm":
			o.knows(familyJ, at)
			b.Headroom, b.Unit, b.At = int64(n), strings.Clone(f[unit]), at
		case f[i] == "xoff" && f[i+1] == "static":
			b.Xoff, b.XoffUnit, b.XoffAt = int64(n), strings.Clone(f[unit]), at
		}
	}
	if fresh && (b.At > 0 || b.XoffAt > 0) {
		p.Buffers = append(p.Buffers, *b)
	}
}

// finish resolves what the order of lines left open.
func (o *seenObserver) finish() {
	w := &o.sw.Watchdog
	w.Enabled = true
	if o.neverAt > 0 {
		w.At = o.neverAt
	}
	if o.family == familyJ && o.interval > 0 {
		w.DetectMS, w.RestoreMS = o.interval*o.detect, o.interval*o.restore
	}
	standard := o.domains["default"]
	if standard == nil {
		standard = seenNewDomain()
	}
	for i := range o.sw.Ports {
		p, facts := &o.sw.Ports[i], &o.facts[i]
		if p.Kind == observed.Gateway {
			continue
		}
		if bundle, ok := o.index[p.Bundle]; ok && p.Bundle != "" {
			o.inherit(p, facts, bundle)
		}
		o.finishTrust(p, facts, standard)
		o.finishQueues(p, facts)
		o.finishPFC(p, facts)
	}
	o.remarks()
}

// inherit takes over what a bundle says for its members.
func (o *seenObserver) inherit(p *observed.Port, facts *seenPortFacts, bundle int) {
	b, of := &o.sw.Ports[bundle], &o.facts[bundle]
	p.Mode, p.VLAN = b.Mode, b.VLAN
	if p.Trust == observed.TrustUnknown {
		p.Trust, p.TrustAt = b.Trust, b.TrustAt
	}
	if facts.domain == "" {
		facts.domain, facts.domainAt = of.domain, of.domainAt
	}
}

func (o *seenObserver) finishTrust(p *observed.Port, facts *seenPortFacts, standard *seenDomainSeen) {
	if p.Trust == observed.TrustUnknown {
		p.Trust = observed.TrustDot1p
		if p.Mode == observed.Routed {
			p.Trust = observed.TrustDSCP
		}
	}
	d := standard
	switch named := o.domains[facts.domain]; {
	case facts.domain == "none":
		p.Trust, p.TrustAt = observed.TrustNone, facts.domainAt
	case named != nil:
		d = named
	case facts.domain != "" && facts.domain != "default":
		o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Error, Code: "MAP_UNKNOWN", Aspect: "dscp-map", Port: p.Name, Line: facts.domainAt,
			Text: "the diffserv domain " + facts.domain + " that the port trusts is not in the file", Remedy: "define the domain, or bind the one that exists"})
	}
	p.Maps = &d.maps
	if p.Mode == observed.Routed && p.MTU.Bytes == 0 && p.Kind == observed.Physical {
		p.MTU = observed.MTU{Bytes: 1500, IP: true}
	}
	if p.Mode != observed.Routed {
		p.MTU = observed.MTU{}
	}
}

func (o *seenObserver) finishQueues(p *observed.Port, facts *seenPortFacts) {
	for q := range p.Queues {
		queue := &p.Queues[q]
		switch {
		case facts.ets:
		case facts.weighted.Has(q):
			queue.Sched = observed.Weighted
			if queue.SchedAt == 0 {
				queue.SchedAt, queue.Weight = facts.drrAt, 1
			}
		default:
			queue.Sched = observed.Strict
			queue.SchedAt = facts.drrAt
		}
		if facts.dropAt[q] == 0 && facts.ecnAt[q] == 0 {
			continue
		}
		e := &observed.ECN{}
		if band := o.drops[facts.drop[q]]; band != nil {
			*e = *band
		}
		e.Active = true
		switch {
		case facts.ecnAt[q] == 0:
			e.Active, e.At, e.Why = false, facts.dropAt[q], "the queue has a drop profile but no ecn line"
		case facts.dropAt[q] == 0:
			e.Active, e.At, e.Why = false, facts.ecnAt[q], "the queue has an ecn line but no drop profile"
		case e.Max == 0:
			e.Active, e.Why = false, "the drop profile "+facts.drop[q]+" has no ecn band"
		case o.family == familyP && !o.global:
			e.At = o.familyAt
			e.Active, e.Why = false, "this family marks only with \"qos ecn enable\" in the system view"
		}
		bound := facts.ecnAt[q]
		if bound == 0 {
			bound = facts.dropAt[q]
		}
		queue.ECN, queue.ECNAt = e, bound
	}
}

// finishPFC resolves the port's profile. A profile that names no priority
// pauses 3; whether one that names others keeps 3 is not documented, so only
// what is written counts.
func (o *seenObserver) finishPFC(p *observed.Port, facts *seenPortFacts) {
	profile := o.profiles[facts.profile]
	p.PFC.Priorities, p.PFC.At = observed.Set(0).With(3), p.PFC.OnAt
	if profile != nil {
		p.PFC.At = profile.begins
		if profile.at > 0 {
			p.PFC.Priorities, p.PFC.At = profile.set, profile.at
		} else if profile.cleared.Has(3) {
			p.PFC.Priorities = 0
		}
		if p.PFC.On && p.PFC.Priorities == 0 {
			p.PFC.OnAt = profile.begins
		}
	}
	if o.off > 0 {
		p.PFC.On, p.PFC.OnAt = false, o.off
	}
	if !p.PFC.On {
		p.PFC.Priorities, p.PFC.At = 0, 0
	}
	p.Watch.Known, p.Watch.Priorities = true, p.PFC.Lossless()
	if profile != nil {
		p.Watch.Priorities &^= profile.never
		p.Watch.At = profile.begins
	}
}

func (o *seenObserver) remarks() {
	kept, uses, first := observed.Set(0), false, observed.Line(0)
	for i := range o.sw.Ports {
		p := &o.sw.Ports[i]
		kept |= p.PFC.Lossless()
		if p.PFC.On && p.Trust == observed.TrustDSCP && !p.Down {
			if uses = true; first == 0 {
				first = p.PFC.OnAt
			}
		}
	}
	if o.family == familyJ && uses && !o.mapped {
		o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Error, Code: "PFC_KEYED_ON_DOT1P", Aspect: "pfc", Line: first,
			Text:   "PFC of this family looks at the 802.1p value: untagged and routed packets that are classed by DSCP are never paused",
			Remedy: "dcb pfc dscp-mapping enable slot 1"})
	}
	for name, profile := range o.profiles {
		for q, at := range profile.detected {
			if at > 0 && kept != 0 && !kept.Has(q) {
				o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Error, Code: "WATCHDOG_LOSSY_QUEUE", Aspect: "watchdog", Line: at,
					Text:   "deadlock detection of priority " + string(rune('0'+q)) + strings.TrimRight(" in profile "+name, " ") + ", which no port keeps lossless",
					Remedy: "set it for a priority that the profile pauses"})
			}
		}
	}
}
