package eos

import (
	"strings"

	"railyard/generator/observed"
)

func seenPortLine(p *observed.Port, facts *seenPortFacts, r observed.Row, word, rest string) {
	switch word {
	case "description":
		p.Description, p.DescribedAt = strings.Clone(rest), r.Number
	case "shutdown":
		p.Down = true
	case "mtu":
		if n, ok := observed.Number(rest); ok {
			p.MTU = observed.MTU{Bytes: n, At: r.Number, IP: true}
		}
	case "no":
		if rest == "switchport" {
			p.Mode, p.VLAN = observed.Routed, 0
		}
	case "switchport":
		switch {
		case rest == "mode trunk":
			p.Mode, p.VLAN = observed.Trunk, 0
		case strings.HasPrefix(rest, "access vlan ") && p.Mode == observed.Access:
			p.VLAN = max(0, observed.Within(rest[len("access vlan "):], 4094))
		}
	case "ip", "ipv6":
		if a, ok := strings.CutPrefix(rest, "address "); ok {
			a, _, _ = strings.Cut(a, " ")
			if prefix, ok := observed.Slashed(a); ok {
				p.Addresses = append(p.Addresses, prefix)
			}
		}
	case "service-profile":
		facts.profile, facts.bound = strings.Clone(rest), r.Number
	case "channel-group":
		number, _, _ := strings.Cut(rest, " ")
		p.Bundle = "Port-Channel" + number
	case "speed":
		p.SpeedGbps = seenSpeedOf(rest)
	case "flowcontrol":
		if strings.HasSuffix(rest, " on") {
			p.PauseAll = r.Number
		}
	}
}

// speedOf reads "400g-4", "forced 100gfull", "auto 400g-4".
func seenSpeedOf(rest string) int {
	word := rest[strings.LastIndexByte(rest, ' ')+1:]
	at := strings.IndexByte(word, 'g')
	if at < 0 {
		return 0
	}
	n, _ := observed.Number(word[:at])
	return n
}

func (s *seenService) queueLine(q int, r observed.Row) {
	queue := &s.queues[q]
	f := strings.Fields(r.Text)
	switch {
	case r.Text == "no priority":
		queue.Sched, queue.SchedAt = observed.Weighted, r.Number
	case r.Text == "priority strict":
		queue.Sched, queue.SchedAt = observed.Strict, r.Number
	case len(f) == 3 && f[0] == "bandwidth" && f[1] == "percent":
		n, _ := observed.Number(f[2])
		queue.Weight = int32(n)
	case len(f) > 7 && f[0] == "random-detect" && f[1] == "ecn" && f[2] == "minimum-threshold":
		e := &observed.ECN{Unit: strings.Clone(f[4]), Active: true, Own: true, At: r.Number}
		low, _ := observed.Number(f[3])
		high, _ := observed.Number(f[6])
		e.Min, e.Max = int64(low), int64(high)
		for i := 8; i+1 < len(f); i++ {
			if f[i] == "max-mark-probability" {
				e.Percent = max(0, observed.Within(f[i+1], 100))
			}
		}
		queue.ECN, queue.ECNAt = e, r.Number
	}
}
