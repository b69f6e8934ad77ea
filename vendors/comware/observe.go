package comware

import (
	"strings"

	"railyard/generator/observed"
)

// Observe reads what a running configuration says about losslessness. Defaults
// are those of the Comware 7 manuals (EN-GUIDE, HPE5950): DSCP/8, local
// precedence 2 0 1 3…7, PFC and its deadlock detection off, nothing trusted.
func Observe(text observed.Text) *observed.Switch {
	o := &seenObserver{sw: &observed.Switch{OS: "comware", Chips: []string{"th4", "th5"}}, tables: map[string]*[8]observed.ECN{}, index: map[string]int{}}
	observed.Eights(&o.maps.DSCP)
	observed.Identity(&o.maps.Dot1p)
	observed.Identity(&o.maps.Group)
	observed.Identity(&o.maps.Priority)
	for d, lp := range [8]int8{2, 0, 1, 3, 4, 5, 6, 7} {
		o.maps.Queue[d] = observed.Step{To: lp}
	}
	o.maps.Shared = true
	o.port = -1
	o.sw.Ports, o.ports = make([]observed.Port, 0, text.Interfaces), make([]seenPortFacts, 0, text.Interfaces)
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
	seenInDSCPMap
	seenInDot1pMap
	seenInWRED
)

type seenObserver struct {
	sw        *observed.Switch
	maps      observed.Maps
	place     seenPlace
	port      int // index of the port of the current view, -1 without one
	index     map[string]int
	tables    map[string]*[8]observed.ECN
	table     *[8]observed.ECN
	tableName string
	ports     []seenPortFacts
	global    observed.PFC
	trust     observed.Trust
	trustAt   observed.Line
	watched   observed.Set // by queue
	cosAt     [8]observed.Line
	precise   string
	interval  string
	recover   string
}

// seenPortFacts is what is resolved once the whole text is read.
type seenPortFacts struct {
	deadlock   observed.Line
	own        bool // has PFC lines of its own
	table      string
	tableAt    observed.Line
	priority   int8 // of untrusted packets
	weighted   bool // wfq or wrr instead of the default
	inline     [8]observed.ECN
	inlined    bool
	onlyStrict bool
}

var seenTypeSpeeds = [...]struct {
	prefix string
	gbps   int
}{
	{"Ten-GigabitEthernet", 10}, {"Twenty-FiveGigE", 25}, {"FortyGigE", 40}, {"FiftyGigE", 50}, {"HundredGigE", 100},
	{"TwoHundredGigE", 200}, {"FourHundredGigE", 400}, {"EightHundredGigE", 800}, {"GigabitEthernet", 1},
}

func (o *seenObserver) section(r observed.Row) {
	o.place, o.port = seenElsewhere, -1
	word, rest, _ := strings.Cut(r.Text, " ")
	switch word {
	case "interface":
		o.open(r, strings.TrimSpace(rest))
	case "sysname":
		o.sw.Name = strings.Clone(strings.TrimSpace(rest))
	case "qos":
		o.qos(r, rest)
	case "priority-flow-control":
		o.globalPFC(r, rest)
	case "burst-mode":
		o.set("burst-mode", rest, "buffer", r.Number)
	case "buffer":
		name, value := seenLastNumber(r.Text)
		o.set(name, value, "buffer", r.Number)
	}
}

func (o *seenObserver) set(name, value, aspect string, at observed.Line) {
	if len(o.sw.Settings) == observed.MostSettings {
		return
	}
	o.sw.Settings = append(o.sw.Settings, observed.Setting{Name: strings.Clone(name), Value: strings.Clone(value), Aspect: aspect, At: at})
}

// lastNumber cuts a command from the number at its end; "on" without one.
func seenLastNumber(text string) (name, value string) {
	if at := strings.LastIndexByte(text, ' '); at > 0 {
		if _, ok := observed.Number(text[at+1:]); ok {
			return text[:at], text[at+1:]
		}
	}
	return text, "on"
}

func (o *seenObserver) qos(r observed.Row, rest string) {
	switch rest {
	case "map-table dscp-dot1p":
		o.place, o.maps.DSCPAt = seenInDSCPMap, r.Number
	case "map-table dot1p-lp":
		o.place = seenInDot1pMap
	case "trust dscp":
		o.trust, o.trustAt = observed.TrustDSCP, r.Number
	case "trust dot1p":
		o.trust, o.trustAt = observed.TrustDot1p, r.Number
	default:
		if name, ok := strings.CutPrefix(rest, "wred queue table "); ok {
			name = strings.Clone(strings.TrimSpace(name))
			if o.tables[name] == nil {
				o.tables[name] = new([8]observed.ECN)
			}
			o.place, o.tableName, o.table = seenInWRED, name, o.tables[name]
		}
	}
}

// globalPFC reads the lines of the system view.
func (o *seenObserver) globalPFC(r observed.Row, rest string) {
	f := strings.Fields(rest)
	if len(f) > 1 && (f[0] == "deadlock" || f[0] == "poolid") {
		aspect := map[string]string{"deadlock": "watchdog", "poolid": "headroom"}[f[0]]
		name, value := seenLastNumber(r.Text)
		if value == "on" {
			at := strings.LastIndexByte(r.Text, ' ')
			name, value = r.Text[:at], r.Text[at+1:]
		}
		o.set(name, value, aspect, r.Number)
	}
	switch {
	case len(f) == 1 && (f[0] == "enable" || f[0] == "auto"):
		o.global.On, o.global.OnAt, o.global.Auto = true, r.Number, f[0] == "auto"
	case len(f) > 2 && f[0] == "no-drop":
		o.global.Priorities, o.global.At = observed.Priorities(strings.Join(f[2:], " ")), r.Number
	case len(f) > 4 && f[0] == "deadlock" && f[1] == "cos" && f[3] == "interval":
		if q := observed.Within(f[2], 7); q >= 0 {
			o.watched = o.watched.With(q)
			o.cosAt[q] = r.Number
			o.interval = "cos " + f[2] + " interval " + f[4]
			o.sw.Watchdog.At, o.sw.Watchdog.DetectAt = r.Number, r.Number
		}
	case len(f) > 2 && f[0] == "deadlock" && f[1] == "precision":
		o.precise = "precision " + f[2]
	case len(f) > 3 && f[0] == "deadlock" && f[1] == "auto-recover" && f[2] == "action":
		o.sw.Watchdog.Action = strings.Clone(f[3])
	case len(f) > 5 && f[0] == "deadlock" && f[1] == "auto-recover":
		o.recover = "recover delay " + f[5]
	}
}

// open begins an interface. The same one may be printed twice.
func (o *seenObserver) open(r observed.Row, name string) {
	name = strings.Clone(strings.ReplaceAll(name, " ", ""))
	p := observed.Port{Name: name, At: r.Number, Mode: observed.Access, VLAN: 1}
	switch {
	case strings.HasPrefix(name, "Vlan-interface"):
		p.Kind, p.Mode = observed.Gateway, observed.Routed
		p.VLAN = max(0, observed.Within(name[len("Vlan-interface"):], 4094))
	case strings.HasPrefix(name, "Bridge-Aggregation"), strings.HasPrefix(name, "Route-Aggregation"):
		p.Kind = observed.Aggregate
	default:
		for _, s := range seenTypeSpeeds {
			if strings.HasPrefix(name, s.prefix) {
				p.SpeedGbps = s.gbps
				break
			}
		}
		if p.SpeedGbps == 0 {
			return
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
	o.ports = append(o.ports, seenPortFacts{})
}

func (o *seenObserver) line(r observed.Row) {
	switch o.place {
	case seenInInterface:
		o.portLine(r)
	case seenInDSCPMap:
		seenImportLine(r, func(from int, s observed.Step) {
			if from < 64 {
				o.maps.DSCP[from] = s
			}
		})
	case seenInDot1pMap:
		seenImportLine(r, func(from int, s observed.Step) {
			if from < 8 {
				o.maps.Queue[from] = s
			}
		})
	case seenInWRED:
		if rest, ok := strings.CutPrefix(r.Text, "queue "); ok {
			f := strings.Fields(rest)
			seenWredLine(o.table, f, r.Number)
			if len(f) > 2 && f[1] == "weighting-constant" {
				o.set("qos wred queue table "+o.tableName+" queue "+f[0]+" weighting-constant", f[2], "ecn", r.Number)
				o.sw.Settings[len(o.sw.Settings)-1].Of = o.tableName // a full list keeps its last
			}
		}
	}
}

// importLine reads "import LIST export N".
func seenImportLine(r observed.Row, set func(int, observed.Step)) {
	list, to, ok := strings.Cut(strings.TrimPrefix(r.Text, "import "), " export ")
	if !ok {
		return
	}
	value := observed.Within(strings.TrimSpace(to), 7)
	from, ok := observed.Numbers(list)
	if value < 0 || !ok {
		return
	}
	for _, n := range from {
		set(n, observed.Step{To: int8(value), At: r.Number})
	}
}

// wredLine reads a line of a WRED table, or of a port, behind "queue".
func seenWredLine(table *[8]observed.ECN, f []string, at observed.Line) {
	if len(f) < 2 {
		return
	}
	q := observed.Within(f[0], 7)
	if q < 0 {
		return
	}
	e := &table[q]
	switch f[1] {
	case "ecn":
		e.Active, e.Own, e.At = true, true, at
		return
	case "weighting-constant":
		return
	}
	e.Unit, e.Own = "cells", true
	if e.At == 0 {
		e.At = at
	}
	// RoCE has drop level 0 unless something recolours it; the limits of the other
	// levels count only where it has none.
	level := 0
	if len(f) > 2 && f[1] == "drop-level" {
		level = observed.Within(f[2], 7)
	}
	if e.BandAt > 0 && level > 0 {
		return
	}
	e.BandAt, e.Why = at, ""
	if level > 0 {
		e.Why = "drop level 0, which packets have unless something recolours them, has no limits of its own"
	}
	for i := 1; i+1 < len(f); i++ {
		n, ok := observed.Number(f[i+1])
		switch {
		case !ok:
		case f[i] == "low-limit":
			e.Min = int64(n)
		case f[i] == "high-limit":
			e.Max = int64(n)
		case f[i] == "discard-probability":
			e.Percent = n
		}
	}
}

// finish resolves what the order of lines left open.
func (o *seenObserver) finish() {
	// A received pause of a priority stops the queue its packets wait in.
	o.maps.Pause = o.maps.Queue
	byPriority := map[int8]*observed.Maps{0: &o.maps}
	w := &o.sw.Watchdog
	w.Enabled = o.watched != 0
	for _, s := range []string{o.interval, o.precise, o.recover} {
		if s != "" {
			w.Written = strings.TrimPrefix(w.Written+", "+s, ", ")
		}
	}
	if w.Enabled && w.Action == "" {
		w.Action = "forwarding"
	}
	for i := range o.sw.Ports {
		p, facts := &o.sw.Ports[i], &o.ports[i]
		if p.Kind == observed.Gateway {
			continue
		}
		o.finishPort(p, facts)
		if byPriority[facts.priority] == nil {
			m := o.maps
			m.Untagged = facts.priority
			byPriority[facts.priority] = &m
		}
		p.Maps = byPriority[facts.priority]
	}
	o.lossyWatch()
}

func (o *seenObserver) finishPort(p *observed.Port, facts *seenPortFacts) {
	if !facts.own {
		p.PFC = o.global
	}
	if p.Trust == observed.TrustUnknown {
		p.Trust, p.TrustAt = o.trust, o.trustAt
	}
	if p.Trust == observed.TrustUnknown {
		p.Trust = observed.TrustNone
	}
	// Bands of the port itself and of a table are alternatives; the port's win.
	table, bound := o.tables[facts.table], facts.tableAt
	if facts.inlined {
		table, bound = &facts.inline, 0
	}
	for q := range p.Queues {
		if table != nil && table[q].At > 0 {
			e := &table[q]
			if e.Active && e.Why != "" {
				e.Active, e.At = false, e.BandAt
			} else if !e.Active && e.Why == "" {
				e.Why = "the queue has limits but no ecn line, so packets are dropped and not marked"
			} else if e.Max == 0 {
				e.Active, e.Why = false, "the queue has an ecn line but no limits"
			}
			p.Queues[q].ECN, p.Queues[q].ECNAt = e, bound
		}
		if facts.onlyStrict {
			p.Queues[q].Sched = observed.Strict
		}
	}
	p.Watch.Known, p.Watch.At = true, facts.deadlock
	if facts.deadlock > 0 {
		for prio := range 8 {
			if lp := o.maps.Queue[prio].To; lp >= 0 && o.watched.Has(int(lp)) {
				p.Watch.Priorities = p.Watch.Priorities.With(prio)
			}
		}
		p.Watch.Priorities &= p.PFC.Lossless() // others are named once, by lossyWatch
	}
}

// lossyWatch names deadlock detection of a queue that no port keeps lossless:
// the cos must be one of the no-drop list after dot1p-lp (S6850 manual).
func (o *seenObserver) lossyWatch() {
	var kept observed.Set
	some := false
	for i := range o.sw.Ports {
		for _, prio := range o.sw.Ports[i].PFC.Lossless().List() {
			kept = kept.With(int(o.maps.Queue[prio].To))
			some = true
		}
	}
	for _, q := range o.watched.List() {
		if some && !kept.Has(q) {
			o.sw.Remarks = append(o.sw.Remarks, observed.Remark{Severity: observed.Error, Code: "WATCHDOG_LOSSY_QUEUE", Aspect: "watchdog", Line: o.cosAt[q],
				Text:   "deadlock detection watches cos " + string(rune('0'+q)) + ", which no port keeps lossless",
				Remedy: "watch the cos that the no-drop priority has after dot1p-lp"})
		}
	}
}
