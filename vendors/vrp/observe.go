package vrp

import (
	"strconv"
	"strings"

	"railyard/generator/observed"
)

// Observe reads what a running configuration says about losslessness. Defaults
// are those of the V300R023 guides (CG, CR): DSCP/8, queue = priority, PFC of
// priority 3 where a port has it on, deadlock detection always on, switched
// ports trusting 802.1p, routed ports DSCP, every queue strict.
func Observe(text observed.Text) *observed.Switch {
	o := &seenObserver{sw: &observed.Switch{OS: "vrp"}, index: map[string]int{}, domains: map[string]*seenDomainSeen{}, drops: map[string]*observed.ECN{},
		profiles: map[string]*seenPfcProfile{}, children: map[string]int{}}
	o.sw.Ports, o.facts = make([]observed.Port, 0, text.Interfaces), make([]seenPortFacts, 0, text.Interfaces)
	for r := range text.Rows {
		if r.Depth == 0 {
			o.section(r)
		} else if r.Depth == 1 {
			o.line(r)
		}
	}
	o.finish()
	return o.sw
}

type seenPlace uint8

const (
	seenElsewhere seenPlace = iota
	seenInInterface
	seenInDomain
	seenInDrop
	seenInPFC
)

// seenDomainSeen is a diffserv domain.
type seenDomainSeen struct {
	maps observed.Maps
}

// seenPfcProfile is a "dcb pfc" profile: which priorities ports with it pause.
type seenPfcProfile struct {
	name     string
	set      observed.Set
	at       observed.Line // first line that names priorities
	begins   observed.Line
	cleared  observed.Set // "undo priority"
	detected [8]observed.Line
	never    observed.Set // never restored
}

type seenPortFacts struct {
	domain    string
	domainAt  observed.Line
	profile   string
	weighted  observed.Set
	drrAt     observed.Line
	scheduled bool
	drop      [8]string
	dropAt    [8]observed.Line
	ecnAt     [8]observed.Line
	ets       bool
}

type seenObserver struct {
	neverAt  observed.Line // where a recovery time of 0 stands
	sw       *observed.Switch
	place    seenPlace
	port     int
	index    map[string]int
	facts    []seenPortFacts
	domains  map[string]*seenDomainSeen
	domain   *seenDomainSeen
	drops    map[string]*observed.ECN
	drop     *observed.ECN
	profiles map[string]*seenPfcProfile
	profile  *seenPfcProfile
	children map[string]int // speed of the children of a split port
	family   family         // by the lines that only one of the two has
	familyAt observed.Line
	mapped   bool // dcb pfc dscp-mapping enable
	global   bool // qos ecn enable
	off      observed.Line
	interval int
	detect   int // J: times the interval
	restore  int
}

func seenNewDomain() *seenDomainSeen {
	d := &seenDomainSeen{}
	observed.Eights(&d.maps.DSCP)
	for _, m := range []*[8]observed.Step{&d.maps.Dot1p, &d.maps.Queue, &d.maps.Group, &d.maps.Priority, &d.maps.Pause} {
		observed.Identity(m)
	}
	d.maps.Shared = true
	return d
}

func (o *seenObserver) section(r observed.Row) {
	o.place, o.port = seenElsewhere, -1
	word, rest, _ := strings.Cut(r.Text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "interface":
		o.open(r, rest)
	case "sysname":
		o.sw.Name = strings.Clone(rest)
	case "diffserv":
		if name, ok := strings.CutPrefix(rest, "domain "); ok {
			if o.domains[name] == nil {
				name = strings.Clone(name)
				o.domains[name] = seenNewDomain()
				o.domains[name].maps.DSCPAt = r.Number
			}
			o.place, o.domain = seenInDomain, o.domains[name]
		}
	case "drop-profile":
		if o.drops[rest] == nil {
			rest = strings.Clone(rest)
			o.drops[rest] = &observed.ECN{At: r.Number}
		}
		o.place, o.drop = seenInDrop, o.drops[rest]
	case "dcb":
		o.dcb(r, rest)
	case "qos":
		if strings.HasPrefix(rest, "buffer headroom-pool size ") {
			o.set("qos buffer headroom-pool size", rest[len("buffer headroom-pool size "):], "headroom", r.Number)
		}
		switch {
		case rest == "ecn enable":
			o.global = true
			o.knows(familyP, r.Number)
		case strings.HasPrefix(rest, "buffer headroom-pool size ") && strings.Contains(rest, "mbytes"):
			o.knows(familyJ, r.Number)
		}
	case "port":
		o.split(rest)
	}
}

func (o *seenObserver) set(name, value, aspect string, at observed.Line) {
	if len(o.sw.Settings) == observed.MostSettings {
		return
	}
	o.sw.Settings = append(o.sw.Settings, observed.Setting{Name: strings.Clone(name), Value: strings.Clone(value), Aspect: aspect, At: at})
}

func (o *seenObserver) knows(f family, at observed.Line) {
	if o.family == familyUnknown {
		o.family, o.familyAt = f, at
	}
}

// split reads "port split dimension interface A [to B] … split-type N*SGE".
func (o *seenObserver) split(rest string) {
	list, kind, ok := strings.Cut(strings.TrimPrefix(rest, "split dimension interface "), " split-type ")
	_, size, star := strings.Cut(kind, "*")
	speed, number := observed.Number(strings.TrimSuffix(size, "GE"))
	if !ok || !star || !number {
		return
	}
	fields := strings.Fields(list)
	for i, f := range fields {
		o.children[strings.Clone(f)] = speed
		if f == "to" && i > 0 && i+1 < len(fields) {
			cut := strings.LastIndexByte(fields[i-1], '/')
			end := strings.LastIndexByte(fields[i+1], '/')
			from, ok1 := observed.Number(fields[i-1][cut+1:])
			to, ok2 := observed.Number(fields[i+1][end+1:])
			for n := from; ok1 && ok2 && cut > 0 && n <= to && n < from+512; n++ {
				o.children[fields[i-1][:cut+1]+strconv.Itoa(n)] = speed
			}
		}
	}
}

// dcb reads the system view's lines; "dcb pfc [NAME]" opens a profile.
func (o *seenObserver) dcb(r observed.Row, rest string) {
	f := strings.Fields(rest)
	if len(f) == 0 || f[0] != "pfc" {
		return
	}
	w := &o.sw.Watchdog
	if len(f) > 3 && strings.HasPrefix(f[1], "deadlock") {
		o.set("dcb pfc "+f[1]+" "+f[2], strings.Join(f[3:], " "), "watchdog", r.Number)
	}
	switch {
	case len(f) > 2 && f[1] == "dscp-mapping" && f[2] == "enable":
		o.mapped = true
		o.knows(familyJ, r.Number)
	case len(f) > 2 && f[1] == "global" && f[2] == "disable":
		o.off = r.Number
	case len(f) > 3 && f[1] == "deadlock-detect" && f[2] == "timer":
		o.knows(familyP, r.Number)
		w.DetectMS, w.At, w.DetectAt = max(0, observed.Within(f[3], 10000)), r.Number, r.Number
	case len(f) > 3 && f[1] == "deadlock-recovery" && f[2] == "timer":
		o.knows(familyP, r.Number)
		w.RestoreMS = max(0, observed.Within(f[3], 10000))
	case len(f) > 3 && f[1] == "deadlock-detect" && f[2] == "interval":
		o.knows(familyJ, r.Number)
		o.interval, w.At = max(0, observed.Within(f[3], 10000)), r.Number
	case len(f) > 3 && f[1] == "deadlock" && f[2] == "recovery-behavior":
		w.Action = strings.Clone(f[3])
	case len(f) > 1 && (f[1] == "uplink" || f[1] == "deadlock"):
	case len(f) <= 2:
		name := strings.Join(f[1:], "")
		if o.profiles[name] == nil {
			o.profiles[name] = &seenPfcProfile{begins: r.Number, name: strings.Clone(name)}
		}
		o.place, o.profile = seenInPFC, o.profiles[name]
	}
}

func (o *seenObserver) open(r observed.Row, name string) {
	name = strings.Clone(strings.ReplaceAll(name, " ", ""))
	p := observed.Port{Name: name, At: r.Number, Mode: observed.Access, VLAN: 1}
	switch {
	case strings.HasPrefix(name, "Vlanif"):
		p.Kind, p.Mode, p.VLAN = observed.Gateway, observed.Routed, max(0, observed.Within(name[len("Vlanif"):], 4094))
		p.MTU = observed.MTU{Bytes: 1500, IP: true}
	case strings.HasPrefix(name, "Eth-Trunk"):
		p.Kind = observed.Aggregate
	default:
		at := strings.Index(name, "GE")
		speed, ok := 0, at > 0
		if ok {
			speed, ok = observed.Number(name[:at])
		}
		if !ok || strings.ContainsRune(name, '.') {
			return
		}
		p.SpeedGbps = speed
		if parent, _, child := strings.Cut(name, ":"); child {
			p.SpeedGbps = o.children[parent]
		}
	}
	o.place = seenInInterface
	if at, ok := o.index[name]; ok {
		o.port = at
		return
	}
	if len(o.sw.Ports) == observed.MostPorts {
		o.place = seenElsewhere
		return
	}
	o.port = len(o.sw.Ports)
	o.index[name] = o.port
	o.sw.Ports = append(o.sw.Ports, p)
	o.facts = append(o.facts, seenPortFacts{})
}

func (o *seenObserver) line(r observed.Row) {
	switch o.place {
	case seenInInterface:
		o.portLine(r)
	case seenInDomain:
		seenDomainLine(o.domain, r)
	case seenInDrop:
		seenDropLine(o.drop, r)
	case seenInPFC:
		o.profileLine(r)
	}
}

// domainLine reads "ip-dscp-inbound D phb P COLOUR" and "8021p-inbound N phb P".
func seenDomainLine(d *seenDomainSeen, r observed.Row) {
	f := strings.Fields(r.Text)
	if len(f) < 4 || f[2] != "phb" {
		return
	}
	queue := -1
	for i, name := range phbs {
		if f[3] == name {
			queue = i
		}
	}
	if queue < 0 {
		return
	}
	step := observed.Step{To: int8(queue), At: r.Number}
	switch n, ok := observed.Number(f[1]); {
	case !ok:
	case f[0] == "ip-dscp-inbound" && n < 64:
		d.maps.DSCP[n] = step
	case f[0] == "8021p-inbound" && n < 8:
		d.maps.Dot1p[n] = step
	}
}

// dropLine reads the band of a drop profile. The V200 generation marks with the
// band of colour green.
func seenDropLine(e *observed.ECN, r observed.Row) {
	f := strings.Fields(r.Text)
	if len(f) < 2 || f[0] != "ecn" && (f[0] != "color" || f[1] != "green") {
		return
	}
	if f[0] == "color" && e.Unit != "" || f[1] == "weight" {
		return
	}
	band := observed.ECN{Unit: "percent", At: r.Number}
	for i := 1; i < len(f); i++ {
		switch f[i] {
		case "buffer-size":
			band.Unit = "bytes"
		case "cell":
			band.Unit = "cells"
		}
		if i+1 >= len(f) {
			break
		}
		n, ok := observed.Number(f[i+1])
		switch {
		case !ok:
		case f[i] == "low-limit":
			band.Min = int64(n)
		case f[i] == "high-limit":
			band.Max = int64(n)
		case f[i] == "discard-percentage":
			band.Percent = n
		}
	}
	*e = band
}

func (o *seenObserver) profileLine(r observed.Row) {
	f := strings.Fields(r.Text)
	if len(f) >= 3 && f[0] == "undo" && f[1] == "priority" {
		for _, n := range observed.Priorities(strings.Join(f[2:], " ")).List() {
			o.profile.cleared = o.profile.cleared.With(n)
		}
		return
	}
	if len(f) < 2 || f[0] != "priority" {
		return
	}
	n := observed.Within(f[1], 7)
	if len(f) > 4 && strings.HasPrefix(f[2], "deadlock") {
		o.set(strings.Join(strings.Fields("dcb pfc "+o.profile.name+" priority "+f[1]+" "+f[2]+" "+f[3]), " "), strings.Join(f[4:], " "), "watchdog", r.Number)
		o.sw.Settings[len(o.sw.Settings)-1].Of = "dcb pfc " + o.profile.name
	}
	for i := 2; i+2 < len(f) && n >= 0; i++ {
		switch {
		case f[i] == "deadlock-detect" && f[i+1] == "time":
			o.knows(familyJ, r.Number)
			o.profile.detected[n] = r.Number
			o.detect = max(0, observed.Within(f[i+2], 100))
		case f[i] == "deadlock-recovery" && f[i+1] == "time":
			o.restore = max(0, observed.Within(f[i+2], 100))
			if f[i+2] == "0" {
				o.profile.never, o.neverAt = o.profile.never.With(n), r.Number
			}
		}
	}
	if list, ok := observed.Numbers(strings.Join(f[1:], " ")); ok {
		if o.profile.at == 0 {
			o.profile.at = r.Number
		}
		for _, n := range list {
			o.profile.set = o.profile.set.With(n)
		}
	}
}
