package cumulus

import (
	"strings"

	"railyard/generator/observed"
)

// Observe reads what an NVUE configuration says about losslessness. Defaults are
// those of the QoS and RoCE pages: without a RoCE mode the switch trusts 802.1p,
// DSCP/8, switch priority = traffic class, all classes weighted, ECN on class 0,
// no PFC; with "qos roce mode lossless" DSCP, classes 3 and 6, PFC on priority 3
// of every port for a cable of 100 m. The watchdog is off. An error is an
// *observed.Fault.
func Observe(body string) (*observed.Switch, error) {
	p, err := seenRead(body)
	if err != nil {
		return nil, err
	}
	o := &seenObserver{set: &p.set, sw: &observed.Switch{OS: "cumulus"}, index: map[string]int{}, marks: map[string]*[8]observed.ECN{},
		pauses: map[string]*seenPause{}, orders: map[string]*[8]observed.Queue{}, maps: map[string]*seenTrust{}}
	o.sw.Name = o.text("system", "hostname")
	if model, _ := p.header.get("model").word(); model != "" {
		o.sw.Hardware = strings.Clone("nvidia-" + model)
	}
	o.roce()
	for _, n := range p.set.get("interface").below() {
		seenNames(n.key, func(name string) bool { return o.open(name, n) })
	}
	if o.opened > seenMostOpened {
		return nil, &observed.Fault{Line: 1, Reason: "interfaces are named more often than in any configuration"}
	}
	o.neighbors()
	o.watchdog()
	if len(o.sw.Ports) == 0 {
		return nil, &observed.Fault{Line: 1, Reason: "no swp interface in it, so nothing to judge"}
	}
	for i := range o.sw.Ports {
		o.finish(&o.sw.Ports[i], &o.facts[i])
	}
	o.settings()
	return o.sw, nil
}

// settings are the leaves below "qos" that hold for the whole switch, but for
// the maps, which are followed row by row.
func (o *seenObserver) settings() {
	aspects := map[string]string{"pfc": "pfc", "pfc-watchdog": "watchdog", "congestion-control": "ecn", "egress-scheduler": "scheduler",
		"traffic-pool": "buffer", "advance-buffer-config": "buffer", "roce": "pfc"}
	for _, n := range o.set.get("qos").below() {
		if aspect := aspects[n.key]; aspect != "" {
			profiles := n.key == "pfc" || n.key == "congestion-control" || n.key == "egress-scheduler"
			for _, c := range n.children {
				of := ""
				if profiles && c.key != seenGlobal {
					of = "qos " + n.key + " " + c.key
				}
				o.leaves("qos "+n.key+" "+c.key, of, aspect, c, 0)
			}
		}
	}
}

func (o *seenObserver) leaves(path, of, aspect string, n *seenNode, depth int) {
	if len(n.children) == 0 || depth > 8 {
		value := n.value
		if at := strings.LastIndexByte(path, ' '); value == "" && at > 0 {
			path, value = path[:at], path[at+1:] // a command list cannot tell values
		}
		if len(o.sw.Settings) == observed.MostSettings {
			return
		}
		o.sw.Settings = append(o.sw.Settings, observed.Setting{Name: path, Value: strings.Clone(value), Of: of, Aspect: aspect, At: n.at})
		return
	}
	for _, c := range n.children {
		o.leaves(path+" "+c.key, of, aspect, c, depth+1)
	}
}

// seenMostOpened bounds how often interfaces are named, ranges written out.
const seenMostOpened = 1 << 18

type seenObserver struct {
	set    *seenNode
	sw     *observed.Switch
	index  map[string]int
	opened int // interfaces opened so far; ranges may name the same many times
	facts  []seenFacts
	mode   string // of RoCE, "" without
	roceAt observed.Line
	// Profiles, read when a port first uses them.
	marks  map[string]*[8]observed.ECN
	pauses map[string]*seenPause
	orders map[string]*[8]observed.Queue
	maps   map[string]*seenTrust
}

// seenFacts is which profiles a port names.
type seenFacts struct {
	pause, mark, order, trust         string
	pauseAt, markAt, orderAt, trustAt observed.Line
	watch                             bool
	watchAt                           observed.Line
}

func (o *seenObserver) text(path ...string) string {
	s, _ := o.set.get(path...).word()
	return strings.Clone(s)
}

// roce reads the shorthand. A mode alone switches it on; "enable: off" or "state:
// disabled" off.
func (o *seenObserver) roce() {
	n := o.set.get("qos", "roce")
	if n == nil {
		return
	}
	for _, key := range []string{"enable", "state"} {
		if s, _ := n.get(key).word(); s == "off" || s == "disabled" || s == "disable" {
			return
		}
	}
	o.mode, o.roceAt = "lossless", n.at
	if s, at := n.get("mode").word(); s != "" {
		o.mode, o.roceAt = strings.Clone(s), at
	}
}

// lossless reports whether the shorthand pauses priority 3.
func (o *seenObserver) lossless() bool {
	return o.mode == "lossless" || o.mode == "lossless-single-ipool"
}

// open reads the settings of one interface; several lines may name the same.
// It is false when there are more than a switch can have.
func (o *seenObserver) open(name string, n *seenNode) bool {
	if o.opened++; o.opened > seenMostOpened || len(o.sw.Ports) == observed.MostPorts {
		return false
	}
	p := observed.Port{At: n.at, MTU: observed.MTU{Bytes: 9216, IP: true}}
	switch {
	case strings.HasPrefix(name, "swp"):
	case strings.HasPrefix(name, "bond"):
		p.Kind = observed.Aggregate
	case strings.HasPrefix(name, "vlan"):
		p.Kind, p.VLAN = observed.Gateway, max(0, observed.Within(name[len("vlan"):], 4094))
	default:
		return true
	}
	at, ok := o.index[name]
	if !ok {
		p.Name = strings.Clone(name)
		at = len(o.sw.Ports)
		o.index[p.Name] = at
		o.sw.Ports = append(o.sw.Ports, p)
		o.facts = append(o.facts, seenFacts{})
	}
	o.port(&o.sw.Ports[at], &o.facts[at], n)
	for _, m := range n.get("bond", "member").below() {
		seenNames(m.key, func(member string) bool {
			if !o.open(member, &seenNode{at: m.at}) {
				return false
			}
			if i, ok := o.index[member]; ok {
				o.sw.Ports[i].Bundle = o.sw.Ports[at].Name
			}
			return true
		})
	}
	return true
}

func (o *seenObserver) port(p *observed.Port, f *seenFacts, n *seenNode) {
	if s, at := n.get("description").word(); s != "" {
		p.Description, p.DescribedAt = strings.Clone(s), at
	}
	link := n.get("link")
	if v, at := link.get("mtu").number(20000); v > 0 {
		p.MTU = observed.MTU{Bytes: v, At: at, IP: true}
	}
	if s, _ := link.get("speed").word(); s != "" {
		p.SpeedGbps = max(0, observed.Within(strings.TrimSuffix(s, "G"), 1600))
	}
	if s, _ := link.get("state").word(); s == "down" || link.get("state", "down") != nil {
		p.Down = true
	}
	if link.get("breakout") != nil && p.Kind == observed.Physical && !strings.ContainsRune(p.Name[len("swp"):], 's') {
		p.Down = true // split: its parts are the ports
	}
	for _, b := range n.get("bridge", "domain").below() {
		if v, _ := b.get("access").number(4094); v > 0 {
			p.Mode, p.VLAN = observed.Access, v
		} else if p.Mode != observed.Access {
			p.Mode = observed.Trunk
		}
	}
	for _, family := range []string{"ip", "ipv4", "ipv6"} {
		for _, a := range n.get(family, "address").below() {
			if prefix, ok := observed.Slashed(a.key); ok {
				p.Addresses = append(p.Addresses, prefix)
			}
		}
	}
	q := n.get("qos")
	seenName(q.get("pfc", "profile"), &f.pause, &f.pauseAt)
	seenName(q.get("congestion-control", "profile"), &f.mark, &f.markAt)
	seenName(q.get("egress-scheduler", "profile"), &f.order, &f.orderAt)
	seenName(q.get("mapping", "profile"), &f.trust, &f.trustAt)
	if q.get("link-pause") != nil {
		p.PauseAll = q.get("link-pause").at
	}
	if w := q.get("pfc-watchdog"); w != nil {
		s, at := w.get("state").word()
		f.watch, f.watchAt = s != "disable" && s != "disabled", max(at, w.at)
	}
}

func seenName(n *seenNode, name *string, at *observed.Line) {
	if s, line := n.word(); s != "" {
		*name, *at = strings.Clone(s), line
	}
}

// neighbors makes ports with a BGP session of their own routed ones; others are
// routed when they are in no bridge and have an address.
func (o *seenObserver) neighbors() {
	for _, vrf := range o.set.get("vrf").below() {
		for _, n := range vrf.get("router", "bgp", "neighbor").below() {
			seenNames(n.key, func(name string) bool { return o.open(name, &seenNode{at: n.at}) })
		}
	}
}

// watchdog reads the times: a queue is stuck after robustness polls. The device's
// are three of 100 ms.
func (o *seenObserver) watchdog() {
	w := &o.sw.Watchdog
	n := o.set.get("qos", "pfc-watchdog")
	w.PollMS = 100
	polls := 3
	if n != nil {
		w.At = n.at
	}
	if v, at := n.get("polling-interval").number(5000); v > 0 {
		w.PollMS, w.At, w.DetectAt = v, at, at
	}
	if v, at := n.get("robustness").number(1000); v > 0 {
		polls = v
		if w.DetectAt == 0 {
			w.At, w.DetectAt = at, at
		}
	}
	w.DetectMS = w.PollMS * polls
	w.Action = "drop"
	for i := range o.facts {
		w.Enabled = w.Enabled || o.facts[i].watch
	}
}
