package vrp

import (
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// phbs are the per-hop behaviours by queue (CG Default Settings for Priority Mapping).
var phbs = [8]string{"be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"}

// defaultColour is the colour of a DSCP in the default map (CG, the same page).
func defaultColour(dscp int) string {
	switch dscp {
	case 12, 20, 28, 36:
		return "yellow"
	case 14, 22, 30, 38:
		return "red"
	default:
		return "green"
	}
}

// mapping is one entry of a DiffServ domain.
type mapping struct {
	DSCP        int
	PHB, Colour string
}

// mappings are the entries in which the plan differs from the default map, which
// is DSCP / 8 to queue. A DSCP that no class names belongs to the default class.
func mappings(l *fabric.Lossless) []mapping {
	var queues [64]int
	if d := l.Default(); d != nil {
		for i := range queues {
			queues[i] = d.Queue
		}
	}
	var named [64]bool
	for i := range l.Classes {
		for _, dscp := range l.Classes[i].DSCP {
			if dscp >= 0 && dscp < 64 {
				queues[dscp], named[dscp] = l.Classes[i].Queue, true
			}
		}
	}
	var out []mapping
	for dscp, q := range queues {
		if q < 0 || q > 7 || q == dscp/8 && (!named[dscp] || defaultColour(dscp) == "green") {
			continue
		}
		out = append(out, mapping{DSCP: dscp, PHB: phbs[q], Colour: "green"})
	}
	return out
}

// drr is the range of queues that share bandwidth by weight; the rest stay in
// strict priority, which is the default and is not printed. Queues 6 and 7 stay
// strict unless a class weighs them (AIF). ok is false where the queues do not
// form one range, for which no document shows the command.
func drr(classes []fabric.Class) (queues string, first, last int, ok bool) {
	var weighted [8]bool
	for q := range 6 {
		weighted[q] = true
	}
	for i := range classes {
		if q := classes[i].Queue; q >= 0 && q < 8 {
			weighted[q] = !classes[i].Strict
		}
	}
	first, last = -1, -1
	runs := 0
	for q, w := range weighted {
		if w && (q == 0 || !weighted[q-1]) {
			runs++
			if first < 0 {
				first = q
			}
		}
		if w {
			last = q
		}
	}
	if runs != 1 || first == last {
		return "", first, last, false
	}
	return strconv.Itoa(first) + " to " + strconv.Itoa(last), first, last, true
}

// weight is a queue's share; 1 is the default and is not printed (CR qos queue drr).
type weight struct{ Queue, Weight int }

func weights(classes []fabric.Class) []weight {
	var out []weight
	for i := range classes {
		if w := min(classes[i].WeightPercent, 100); !classes[i].Strict && w > 1 {
			out = append(out, weight{classes[i].Queue, w})
		}
	}
	slices.SortFunc(out, func(a, b weight) int { return a.Queue - b.Queue })
	return out
}

// band is a drop profile that marks.
type band struct {
	Name               string
	Low, High, Percent int // bytes, bytes, percent
}

// recovery is the watchdog of one priority, in units of the box's interval.
type recovery struct{ Priority, Detect, Restore int }

// plan is the lossless side of one switch in one family's terms.
type plan struct {
	Family                    family
	Bands                     []band
	Priorities                string // of PFC; empty where no class is lossless
	DropDefaultPriority       bool   // priority 3 is on by itself and carries nothing lossless
	Recovery                  []recovery
	Interval                  int    // family J, ms; 0 default
	DetectTimer, RestoreTimer int    // family P, ms; 0 default
	Behaviour                 string // discard or forwarding; empty default
	PoolKB                    int    // family J: headroom pool
	ByDSCP                    bool   // family J keys PFC on 802.1p unless told otherwise
	GlobalECN                 bool
	Domain                    string // DiffServ domain, empty where the default map serves
	Map                       []mapping
	DRR                       string
	Weights                   []weight

	lossless []int    // PFC priorities
	marked   []int    // queues that mark
	bandOf   []string // by fabric profile
	headroom []int    // KB by fabric profile
	ports    int      // ports with PFC
	sizes    int      // different headroom sizes
	times    steps    // family J
	exact    bool     // watchdog times met
}

// domainName of the DSCP map.
const domainName = "roce"

// planFor turns the fabric's lossless plan into a family's terms.
func planFor(f *fabric.Fabric, sw *fabric.Switch, fam family) *plan {
	l := f.Lossless
	p := &plan{Family: fam, exact: true, bandOf: make([]string, len(l.Profiles)), headroom: make([]int, len(l.Profiles))}
	for i := range l.Classes {
		c := &l.Classes[i]
		if c.Lossless {
			p.lossless = append(p.lossless, c.Priority)
		}
		if c.ECN {
			p.marked = append(p.marked, c.Queue)
		}
	}
	slices.Sort(p.lossless)
	slices.Sort(p.marked)
	words := make([]string, len(p.lossless))
	for i, prio := range p.lossless {
		words[i] = strconv.Itoa(prio)
	}
	p.Priorities = strings.Join(words, " ")
	p.DropDefaultPriority = len(words) > 0 && !slices.Contains(p.lossless, 3)
	p.Map = mappings(l)
	if len(p.Map) > 0 {
		p.Domain = domainName
	}
	p.DRR, _, _, _ = drr(l.Classes)
	if p.DRR != "" {
		p.Weights = weights(l.Classes)
	}
	p.usePorts(f, sw)
	p.ByDSCP = fam == familyJ
	p.GlobalECN = fam == familyP && len(p.Bands) > 0
	if len(p.lossless) > 0 {
		p.watch(f)
	}
	return p
}

// usePorts collects what the ports of the switch need.
func (p *plan) usePorts(f *fabric.Fabric, sw *fabric.Switch) {
	l := f.Lossless
	used := make([]int, len(l.Profiles))
	for i := range sw.Ports {
		if n := sw.Ports[i].Profile; n >= 0 && n < len(used) && sw.Ports[i].Link >= 0 {
			used[n]++
		}
	}
	sizes := map[int]bool{}
	for i, n := range used {
		if n == 0 {
			continue
		}
		prof := &l.Profiles[i]
		p.ports += n
		if len(p.marked) > 0 && prof.KmaxBytes > 0 {
			p.bandOf[i] = p.band(prof)
		}
		if p.Family != familyJ {
			continue
		}
		p.headroom[i] = headroomKB(prof.XoffBytes)
		sizes[p.headroom[i]] = true
		kb := p.headroom[i]
		if kb == 0 {
			kb = defaultHeadroomKB
		}
		p.PoolKB += n * kb * len(p.lossless)
	}
	p.sizes = len(sizes)
}

// PoolMB is the headroom pool in whole megabytes: the headroom of all ports (CG
// Enabling PFC), at least the 4 MB that CR advises, at most what the command takes.
func (p *plan) PoolMB() int {
	if p.PoolKB == 0 {
		return 0
	}
	return min(max((p.PoolKB+kilobyte-1)/kilobyte, 4), maxHeadroomKB/kilobyte)
}

// band finds or makes the drop profile of a marking band. Bands of one speed
// that differ are numbered in the order of the fabric's profiles.
func (p *plan) band(prof *fabric.Profile) string {
	want := band{Low: prof.KminBytes, High: prof.KmaxBytes, Percent: prof.PmaxPercent}
	name := "ROCE_" + strconv.Itoa(prof.SpeedGbps) + "G"
	same := 1
	for _, b := range p.Bands {
		if b.Low == want.Low && b.High == want.High && b.Percent == want.Percent && strings.HasPrefix(b.Name, name) {
			return b.Name
		}
		if b.Name == name || strings.HasPrefix(b.Name, name+"_") {
			same++
		}
	}
	if same > 1 {
		name += "_" + strconv.Itoa(same)
	}
	want.Name = name
	p.Bands = append(p.Bands, want)
	return name
}

// watch sets the deadlock watchdog, which the device cannot switch off (CG
// Enabling PFC); values equal to the device's defaults are left out.
func (p *plan) watch(f *fabric.Fabric) {
	w := &f.Lossless.Watchdog
	if p.Family == familyJ && (w.Enabled && w.Action == "drop" || mustDiscard(f)) {
		p.Behaviour = "discard"
	}
	if !w.Enabled {
		return
	}
	switch p.Family {
	case familyP:
		detect, ok1 := timerMS(w.Detect)
		restore, ok2 := timerMS(w.Restore)
		p.exact = ok1 && ok2
		p.DetectTimer, p.RestoreTimer = unless(detect, 100), unless(restore, 100)
		if w.Action == "forward" && !mustDiscard(f) {
			p.Behaviour = "forwarding"
		}
	case familyJ:
		p.times = stepsFor(w.Detect, w.Restore)
		p.exact = p.times.exact
		p.Interval = unless(p.times.interval, 10)
		for _, prio := range p.lossless {
			r := recovery{prio, unless(p.times.detect, 10), unless(p.times.restore, 10)}
			if r.Detect > 0 || r.Restore > 0 {
				p.Recovery = append(p.Recovery, r)
			}
		}
	}
}

// mustDiscard reports whether a switch of family P is in the fabric: then every
// switch has to discard while a deadlock lasts (CG Configuring PFC Deadlock Detection).
func mustDiscard(f *fabric.Fabric) bool {
	return slices.ContainsFunc(f.Models, func(m fabric.Model) bool { return familyOf(&m, "") == familyP })
}

func unless(v, byDefault int) int {
	if v == byDefault {
		return 0
	}
	return v
}

// portPlan is the lossless side of one kind of port.
type portPlan struct {
	Routed       bool
	Domain       string
	DRR          string
	Weights      []weight
	Band         string
	MarkedQueues []int
	PausedQueues []int
	HeadroomKB   int
}

func (p *plan) port(profile int, routed bool) portPlan {
	out := portPlan{Routed: routed, Domain: p.Domain, DRR: p.DRR, Weights: p.Weights, PausedQueues: p.lossless,
		Band: p.bandOf[profile], HeadroomKB: p.headroom[profile]}
	if out.Band != "" {
		out.MarkedQueues = p.marked
	}
	return out
}
