package eos

import (
	"strings"

	"railyard/generator/observed"
)

// Observe reads what a running configuration says about losslessness. Defaults
// are those of the EOS manual: DSCP/8 with the two lowest classes swapped, queue
// = traffic class, PFC off, its watchdog on, every queue strict, switched ports
// trusting CoS, routed ports DSCP, IP MTU 1500. Lines of an interface win over
// those of its profile.
func Observe(text observed.Text) *observed.Switch {
	o := &seenObserver{sw: &observed.Switch{OS: "eos"}, index: map[string]int{}, profiles: map[string]*seenService{},
		matches: map[string]seenMatch{}, policies: map[string][]seenRule{}, ruled: map[string]*observed.Maps{}}
	observed.Eights(&o.maps.DSCP)
	for _, m := range []*[8]observed.Step{&o.maps.Dot1p, &o.maps.Queue, &o.maps.Group, &o.maps.Priority} {
		observed.Identity(m)
	}
	for d := range 8 {
		o.maps.DSCP[d].To, o.maps.DSCP[8+d].To = 1, 0
	}
	o.maps.Dot1p[0].To, o.maps.Dot1p[1].To = 1, 0
	o.maps.Untagged, o.maps.Shared = 1, true
	o.hardware(text.Head)
	o.sw.Ports, o.facts = make([]observed.Port, 0, text.Interfaces), make([]*seenPortFacts, 0, text.Interfaces)
	for r := range text.Rows {
		switch r.Depth {
		case 0:
			o.section(r)
		case 1:
			o.line(r)
		case 2:
			if o.policy != "" {
				o.setLine(r)
			} else if o.queue >= 0 && o.into != nil {
				o.into.queueLine(o.queue, r)
			}
		}
	}
	o.finish()
	return o.sw
}

// seenService is what a qos profile, or an interface itself, says.
type seenService struct {
	begins   observed.Line
	pfc      observed.PFC
	dropped  observed.Set // priorities set to drop
	trust    observed.Trust
	trustAt  observed.Line
	off      observed.Line // "no priority-flow-control"
	watchOff observed.Line
	queues   [8]observed.Queue
	policy   string // that classes packets by itself
	policyAt observed.Line
}

type seenPortFacts struct {
	seenService
	profile string
	bound   observed.Line
}

type seenObserver struct {
	sw       *observed.Switch
	maps     observed.Maps
	index    map[string]int
	facts    []*seenPortFacts
	profiles map[string]*seenService
	into     *seenService
	port     int
	queue    int
	defaults bool // in "interface defaults"
	mtu      observed.MTU
	allOff   observed.Line
	// Policies may class packets in place of the maps.
	policy, class string // the ones being read; class also for a class-map
	matches       map[string]seenMatch
	policies      map[string][]seenRule
	ruled         map[string]*observed.Maps // maps of ports with a policy
}

// hardware reads the device's own comment: "! device: NAME (MODEL, EOS-…)".
func (o *seenObserver) hardware(head string) {
	_, rest, ok := strings.Cut(head, "! device: ")
	if !ok {
		return
	}
	rest, _, _ = strings.Cut(rest, "\n")
	if _, in, ok := strings.Cut(rest, "("); ok {
		model, _, _ := strings.Cut(in, ",")
		o.sw.Hardware = strings.Clone(strings.Trim(model, "() \r"))
	}
}

func (o *seenObserver) section(r observed.Row) {
	o.into, o.port, o.queue, o.defaults, o.policy, o.class = nil, -1, -1, false, "", ""
	word, rest, _ := strings.Cut(r.Text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "interface":
		o.open(r, rest)
	case "hostname":
		o.sw.Name = strings.Clone(rest)
	case "qos":
		if name, ok := strings.CutPrefix(rest, "profile "); ok {
			if o.profiles[name] == nil {
				o.profiles[strings.Clone(name)] = &seenService{begins: r.Number}
			}
			o.into = o.profiles[name]
		} else if list, ok := strings.CutPrefix(rest, "map "); ok {
			o.mapLine(r, list)
		}
	case "class-map":
		o.class = seenLastWord(rest)
	case "policy-map":
		if strings.HasPrefix(rest, "type quality-of-service ") {
			o.policy = seenLastWord(rest)
			o.policies[o.policy] = nil
		}
	case "priority-flow-control":
		o.global(r, rest)
	}
}

// mapLine reads "dscp LIST to traffic-class N", "cos …" and "traffic-class LIST
// to tx-queue N". "traffic-class N to dscp D" rewrites on the way out and
// classifies nothing.
func (o *seenObserver) mapLine(r observed.Row, rest string) {
	what, rest, _ := strings.Cut(rest, " ")
	list, to, ok := strings.Cut(rest, " to ")
	f := strings.Fields(to)
	if !ok || len(f) < 2 {
		return
	}
	from, ok := observed.Numbers(list)
	value := observed.Within(f[1], 7)
	if !ok || value < 0 {
		return
	}
	for _, n := range from {
		step := observed.Step{To: int8(value), At: r.Number}
		if what == "dscp" && o.maps.DSCPAt == 0 {
			o.maps.DSCPAt = r.Number
		}
		switch {
		case what == "dscp" && f[0] == "traffic-class" && n < 64:
			o.maps.DSCP[n] = step
		case what == "cos" && f[0] == "traffic-class" && n < 8:
			o.maps.Dot1p[n] = step
		case what == "traffic-class" && (f[0] == "tx-queue" || f[0] == "uc-tx-queue") && n < 8:
			o.maps.Queue[n] = step
		}
	}
}

// global reads the switch-wide PFC lines; times are in seconds.
func (o *seenObserver) global(r observed.Row, rest string) {
	w := &o.sw.Watchdog
	f := strings.Fields(rest)
	if len(f) > 3 && f[0] == "pause" && f[1] == "watchdog" && len(o.sw.Settings) < observed.MostSettings {
		o.sw.Settings = append(o.sw.Settings, observed.Setting{Name: "priority-flow-control " + strings.Join(f[:len(f)-1], " "), Value: strings.Clone(f[len(f)-1]), Aspect: "watchdog", At: r.Number})
	}
	switch {
	case rest == "all off":
		o.allOff = r.Number
	case len(f) == 5 && f[0] == "pause" && f[1] == "watchdog" && f[2] == "default":
		ms := seenMilliseconds(f[4])
		w.At = r.Number
		switch f[3] {
		case "timeout":
			w.DetectMS, w.DetectAt = ms, r.Number
		case "recovery-time":
			w.RestoreMS = ms
		case "polling-interval":
			w.PollMS = ms
		}
	case len(f) > 3 && f[0] == "pause" && f[1] == "watchdog" && f[len(f)-2] == "action":
		w.Action = strings.Clone(f[len(f)-1])
	}
}

// milliseconds reads seconds with decimals; 0 when it is none.
func seenMilliseconds(s string) int {
	whole, part, _ := strings.Cut(s, ".")
	n, ok := observed.Number(whole)
	if !ok || n > 1000 || len(part) > 3 {
		return 0
	}
	for len(part) < 3 {
		part += "0"
	}
	m, ok := observed.Number(part)
	if !ok {
		return 0
	}
	return n*1000 + m
}

func (o *seenObserver) open(r observed.Row, name string) {
	if name == "defaults" {
		o.defaults = true
		return
	}
	name = seenLongName(strings.ReplaceAll(name, " ", ""))
	p := observed.Port{Name: name, At: r.Number, Mode: observed.Access, VLAN: 1}
	switch {
	case strings.HasPrefix(name, "Vlan"):
		p.Kind, p.Mode = observed.Gateway, observed.Routed
		p.VLAN = max(0, observed.Within(name[len("Vlan"):], 4094))
	case strings.HasPrefix(name, "Port-Channel"):
		p.Kind = observed.Aggregate
	case !strings.HasPrefix(name, "Ethernet") || strings.ContainsRune(name, '.'):
		return
	}
	if at, ok := o.index[name]; ok {
		o.port = at
	} else if len(o.sw.Ports) == observed.MostPorts {
		return
	} else {
		o.port = len(o.sw.Ports)
		o.index[name] = o.port
		o.sw.Ports = append(o.sw.Ports, p)
		o.facts = append(o.facts, &seenPortFacts{})
	}
	o.into = &o.facts[o.port].seenService
}

// longName writes Et1/1 as the configuration does.
func seenLongName(s string) string {
	if rest, ok := strings.CutPrefix(s, "Et"); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		return "Ethernet" + rest
	}
	return strings.Clone(s)
}

func (o *seenObserver) line(r observed.Row) {
	o.queue = -1
	if o.policy != "" || o.class != "" {
		o.policyLine(r)
		return
	}
	if o.defaults {
		if n, ok := observed.Number(strings.TrimPrefix(r.Text, "mtu ")); ok {
			o.mtu = observed.MTU{Bytes: n, At: r.Number, IP: true}
		}
		return
	}
	if o.into == nil {
		return
	}
	word, rest, _ := strings.Cut(r.Text, " ")
	switch word {
	case "uc-tx-queue", "tx-queue":
		o.queue = observed.Within(rest, 7)
		return
	case "qos":
		switch rest {
		case "trust dscp":
			o.into.trust, o.into.trustAt = observed.TrustDSCP, r.Number
		case "trust cos":
			o.into.trust, o.into.trustAt = observed.TrustDot1p, r.Number
		}
		return
	case "priority-flow-control":
		o.into.pfcLine(r, rest)
		return
	case "service-policy":
		if name, ok := strings.CutPrefix(rest, "type qos input "); ok {
			o.into.policy, o.into.policyAt = strings.Clone(name), r.Number
		}
		return
	case "no":
		if o.into.negated(r, rest) {
			return
		}
	}
	if o.port >= 0 {
		seenPortLine(&o.sw.Ports[o.port], o.facts[o.port], r, word, rest)
	}
}

func (s *seenService) pfcLine(r observed.Row, rest string) {
	f := strings.Fields(rest)
	switch {
	case rest == "on":
		s.pfc.On, s.pfc.OnAt, s.off = true, r.Number, 0
	case len(f) == 3 && f[0] == "priority":
		n := observed.Within(f[1], 7)
		if n < 0 {
			return
		}
		if f[2] == "no-drop" {
			s.pfc.Priorities = s.pfc.Priorities.With(n)
			if s.pfc.At == 0 {
				s.pfc.At = r.Number
			}
		} else if f[2] == "drop" {
			s.dropped = s.dropped.With(n)
		}
	}
}

// negated reads "no …" lines that mean something here. A device that prints its
// defaults has them on every port.
func (s *seenService) negated(r observed.Row, rest string) bool {
	switch rest {
	case "priority-flow-control":
		s.off = r.Number
	case "priority-flow-control pause watchdog":
		s.watchOff = r.Number
	case "qos trust":
		s.trust, s.trustAt = observed.TrustNone, r.Number
	default:
		return false
	}
	return true
}
