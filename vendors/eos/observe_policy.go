package eos

import (
	"strings"

	"railyard/generator/observed"
)

// seenRule is one class of a policy: what it matches and where that goes.
type seenRule struct {
	class string
	to    int // traffic class, -1 none
	at    observed.Line
}

// seenMatch is what a class-map matches: code points, a bit each, or anything else.
type seenMatch struct {
	dscp  uint64
	other bool
}

// mostRules bounds the classes of a policy.
const seenMostRules = 256

func seenLastWord(s string) string {
	s = strings.TrimSpace(s)
	return strings.Clone(s[strings.LastIndexByte(s, ' ')+1:])
}

// policyLine reads "match dscp LIST" of a class-map and "class NAME" of a policy.
// A class that matches anything else is unknown.
func (o *seenObserver) policyLine(r observed.Row) {
	f := strings.Fields(r.Text)
	switch {
	case o.policy == "" && f[0] == "match":
		for len(f) > 1 && (f[1] == "ip" || f[1] == "ipv6") {
			f = f[1:]
		}
		m := o.matches[o.class]
		m.other = m.other || !(len(f) > 2 && f[1] == "dscp")
		if !m.other {
			list, ok := observed.Numbers(strings.Join(f[2:], " "))
			m.other = !ok
			for _, d := range list {
				if m.other = m.other || d > 63; d < 64 {
					m.dscp |= 1 << d
				}
			}
		}
		o.matches[o.class] = m
	case o.policy != "" && f[0] == "class" && len(f) > 1 && len(o.policies[o.policy]) < seenMostRules:
		o.policies[o.policy] = append(o.policies[o.policy], seenRule{strings.Clone(f[len(f)-1]), -1, r.Number})
	}
}

// setLine reads "set traffic-class N" below a class.
func (o *seenObserver) setLine(r observed.Row) {
	rules := o.policies[o.policy]
	if n, ok := strings.CutPrefix(r.Text, "set traffic-class "); ok && len(rules) > 0 {
		rules[len(rules)-1].to, rules[len(rules)-1].at = observed.Within(n, 7), r.Number
	}
}

// rule lays a policy over the maps of a port. What it does not match goes by the
// port's trust. A policy that is not fully understood is only noted.
func (o *seenObserver) rule(p *observed.Port, policy string, at observed.Line) {
	rules, ok := o.policies[policy]
	sets := false
	for _, rule := range rules {
		sets = sets || rule.to >= 0
		m := o.matches[rule.class]
		ok = ok && (rule.class == "class-default" || m.dscp != 0 && !m.other)
	}
	switch {
	case !ok:
		p.Policy = at
		return
	case !sets:
		return // it counts or polices
	}
	key := policy + "|" + p.Trust.String()
	if o.ruled[key] == nil {
		o.ruled[key] = o.laidOver(rules, p.Trust, at)
	}
	p.Maps, p.Trust, p.TrustAt = o.ruled[key], observed.TrustDSCP, at
}

func (o *seenObserver) laidOver(rules []seenRule, trust observed.Trust, at observed.Line) *observed.Maps {
	m := o.maps
	m.DSCPAt = at
	if trust != observed.TrustDSCP {
		for d := range m.DSCP {
			m.DSCP[d] = observed.Step{To: m.Untagged}
		}
	}
	var done uint64 // the first class that matches wins
	for _, rule := range rules {
		set := o.matches[rule.class].dscp
		if rule.class == "class-default" {
			set = ^uint64(0)
		}
		for d := range m.DSCP {
			if (set&^done)&(1<<d) != 0 && rule.to >= 0 {
				m.DSCP[d] = observed.Step{To: int8(rule.to), At: rule.at}
			}
		}
		done |= set
	}
	return &m
}
