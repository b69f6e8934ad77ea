package comware

import (
	"net/netip"
	"strings"

	"railyard/generator/observed"
)

func (o *seenObserver) portLine(r observed.Row) {
	p, facts := &o.sw.Ports[o.port], &o.ports[o.port]
	word, rest, _ := strings.Cut(r.Text, " ")
	switch word {
	case "port":
		seenModeLine(p, rest)
	case "description":
		p.Description, p.DescribedAt = strings.Clone(rest), r.Number
	case "shutdown":
		p.Down = true
	case "jumboframe":
		if n, ok := observed.Number(strings.TrimPrefix(rest, "enable ")); ok {
			p.MTU = observed.MTU{Bytes: n, At: r.Number}
		}
	case "ip", "ipv6":
		if a, ok := seenAddressLine(rest); ok {
			p.Addresses = append(p.Addresses, a)
		}
	case "qos":
		seenQosLine(p, facts, r, rest)
	case "priority-flow-control":
		seenPfcLine(p, facts, r, rest)
	case "flow-control":
		p.PauseAll = r.Number
	}
}

func seenModeLine(p *observed.Port, rest string) {
	switch {
	case rest == "link-mode route":
		p.Mode, p.VLAN = observed.Routed, 0
	case rest == "link-type trunk", rest == "link-type hybrid":
		p.Mode, p.VLAN = observed.Trunk, 0
	case strings.HasPrefix(rest, "access vlan "):
		p.VLAN = max(0, observed.Within(rest[len("access vlan "):], 4094))
	case strings.HasPrefix(rest, "link-aggregation group "):
		p.Bundle = strings.Clone(rest[len("link-aggregation group "):])
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

func seenQosLine(p *observed.Port, facts *seenPortFacts, r observed.Row, rest string) {
	var words [16]string
	f := observed.Fields(rest, &words)
	if len(f) == 0 {
		return
	}
	switch {
	case f[0] == "trust" && len(f) > 1:
		switch f[1] {
		case "dscp":
			p.Trust, p.TrustAt = observed.TrustDSCP, r.Number
		case "dot1p":
			p.Trust, p.TrustAt = observed.TrustDot1p, r.Number
		}
	case f[0] == "priority" && len(f) > 1:
		facts.priority = int8(max(0, observed.Within(f[1], 7)))
	case f[0] == "wred" && len(f) > 2 && f[1] == "apply":
		facts.table, facts.tableAt = strings.Clone(f[2]), r.Number
	case f[0] == "wred" && len(f) > 2 && f[1] == "queue":
		facts.inlined = true
		seenWredLine(&facts.inline, f[2:], r.Number)
	case f[0] == "apply" && len(f) > 2 && f[1] == "policy" && f[len(f)-1] == "inbound":
		p.Policy = r.Number
	case f[0] == "sp":
		facts.onlyStrict = true
	case f[0] == "wfq" || f[0] == "wrr":
		seenScheduleLine(p, facts, f[1:], r.Number)
	}
}

// scheduleLine reads "QUEUE group sp" and "QUEUE group 1 byte-count|weight N".
func seenScheduleLine(p *observed.Port, facts *seenPortFacts, f []string, at observed.Line) {
	facts.weighted = true
	if len(f) < 3 || f[1] != "group" {
		return
	}
	q := observed.Within(f[0], 7)
	for i, name := range queueNames {
		if f[0] == name {
			q = i
		}
	}
	if q < 0 {
		return
	}
	if f[2] == "sp" {
		p.Queues[q].Sched, p.Queues[q].SchedAt = observed.Strict, at
		return
	}
	p.Queues[q].Sched, p.Queues[q].SchedAt = observed.Weighted, at
	if n, ok := observed.Number(f[len(f)-1]); ok {
		p.Queues[q].Weight = int32(n)
	}
}

func seenPfcLine(p *observed.Port, facts *seenPortFacts, r observed.Row, rest string) {
	var words [16]string
	f := observed.Fields(rest, &words)
	switch {
	case len(f) == 1 && (f[0] == "enable" || f[0] == "auto"):
		facts.own = true
		p.PFC.On, p.PFC.OnAt, p.PFC.Auto = true, r.Number, f[0] == "auto"
	case len(f) > 2 && f[0] == "no-drop":
		facts.own = true
		p.PFC.Priorities, p.PFC.At = observed.Priorities(strings.Join(f[2:], " ")), r.Number
	case len(f) == 2 && f[0] == "deadlock" && f[1] == "enable":
		facts.deadlock = r.Number
	case len(f) > 3 && f[0] == "dot1p":
		seenBufferLine(p, f[1:], r.Number)
	}
}

// bufferLine reads "P headroom N" and "P ingress-buffer static N".
func seenBufferLine(p *observed.Port, f []string, at observed.Line) {
	n, ok := observed.Number(f[len(f)-1])
	priority := observed.Within(f[0], 7)
	if !ok || priority < 0 {
		return
	}
	var b *observed.Buffer
	for i := range p.Buffers {
		if p.Buffers[i].Priority == priority {
			b = &p.Buffers[i]
		}
	}
	if b == nil {
		p.Buffers = append(p.Buffers, observed.Buffer{Priority: priority})
		b = &p.Buffers[len(p.Buffers)-1]
	}
	switch {
	case f[1] == "headroom":
		b.Headroom, b.Unit, b.At = int64(n), "cells", at
	case f[1] == "ingress-buffer" && f[2] == "dynamic":
		b.Dynamic, b.XoffAt = int32(n), at
	case f[1] == "ingress-buffer" && f[2] == "static":
		b.Xoff, b.XoffUnit, b.XoffAt = int64(n), "cells", at
	}
}
