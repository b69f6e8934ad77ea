package cumulus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"railyard/generator/fabric"
)

// The device has eight switch priorities and as many traffic classes.
const priorities = 8

// scheduler is the name of the one egress scheduler profile.
const scheduler = "railyard"

// mapRow sends a code point or a priority somewhere.
type mapRow struct{ From, To int }

// share is one traffic class of the scheduler; Weight is 0 for a strict one.
type share struct{ TrafficClass, Weight int }

// ecnProfile is one marking band, for the traffic classes that mark.
type ecnProfile struct {
	Name                   string
	TrafficClasses         []int
	Low, High, Probability int
}

// pfcProfile is pause for one cable length.
type pfcProfile struct {
	Name       string
	Length     int
	Priorities []int
}

// qos is the lossless plan in NVUE's terms.
type qos struct {
	Trust     string
	CodePoint string // dscp or pcp: what Map reads
	Map       []mapRow
	Queues    []mapRow // switch priority to traffic class
	Shares    []share
	ECN       []ecnProfile
	Unmark    bool // traffic class 0 marks by default and must not
	PFC       []pfcProfile
	Watchdog  *watchdog
	Pool      int    // percent of the buffer for lossless traffic
	Lossy     int    // the rest
	Alpha     string // "" for the device's own
}

// watchdog counts polls: a queue is stuck after Polls of them.
type watchdog struct{ Interval, Polls int }

// The ranges of polling-interval, in milliseconds, and of robustness (NVUE).
const (
	intervalLeast, intervalMost = 100, 5000
	pollsMost                   = 1000
)

// lossless reports whether any port of the switch has a lossless profile.
func lossless(f *fabric.Fabric, sw *fabric.Switch) bool {
	return f.Lossless != nil && slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Profile >= 0 && linked(&p) })
}

// usedProfiles are the profiles of the switch's ports, each once, in port order.
func usedProfiles(f *fabric.Fabric, sw *fabric.Switch) []*fabric.Profile {
	if f.Lossless == nil {
		return nil
	}
	var seen []int
	var out []*fabric.Profile
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Profile >= 0 && linked(p) && !slices.Contains(seen, p.Profile) {
			seen = append(seen, p.Profile)
			out = append(out, &f.Lossless.Profiles[p.Profile])
		}
	}
	return out
}

func newQoS(f *fabric.Fabric, sw *fabric.Switch) *qos {
	if !lossless(f, sw) {
		return nil
	}
	l := f.Lossless
	q := &qos{Trust: "l3", CodePoint: "dscp", Queues: queueRows(l), Shares: shares(l), Watchdog: newWatchdog(l)}
	if f.RoCE == "v1" {
		q.Trust, q.CodePoint, q.Map = "l2", "pcp", pcpRows()
	} else {
		q.Map = dscpRows(l)
	}
	q.Pool = poolPercent(l)
	q.Lossy = 100 - q.Pool
	ecn := trafficClasses(l, func(c *fabric.Class) bool { return c.ECN })
	q.Unmark = !slices.Contains(ecn, 0)
	pause := pausedPriorities(l)
	for _, p := range usedProfiles(f, sw) {
		e := ecnProfile{ecnName(p), ecn, p.KminBytes, p.KmaxBytes, p.PmaxPercent}
		if len(ecn) > 0 && !slices.ContainsFunc(q.ECN, func(x ecnProfile) bool { return x.Name == e.Name }) {
			q.ECN = append(q.ECN, e)
		}
		c := pfcProfile{pfcName(p), metres(p), pause}
		if len(pause) > 0 && !slices.ContainsFunc(q.PFC, func(x pfcProfile) bool { return x.Name == c.Name }) {
			q.PFC = append(q.PFC, c)
		}
	}
	slices.SortFunc(q.ECN, func(a, b ecnProfile) int { return a.Low - b.Low })
	slices.SortFunc(q.PFC, func(a, b pfcProfile) int { return a.Length - b.Length })
	if log2, same := commonAlpha(f, sw); same && log2 != 0 {
		q.Alpha = alphaWord(log2)
	}
	return q
}

// The names carry the numbers, so that equal profiles fall together and a name
// never means two things.
func ecnName(p *fabric.Profile) string {
	return fmt.Sprintf("ecn-%d-%d-%d", p.KminBytes, p.KmaxBytes, p.PmaxPercent)
}

func pfcName(p *fabric.Profile) string { return fmt.Sprintf("pfc-%dm", metres(p)) }

// metres rounds a cable up to what NVUE counts in; headroom for a longer cable
// is enough for a shorter one.
func metres(p *fabric.Profile) int { return max(1, int(math.Ceil(p.LengthM))) }

// dscpRows names all code points: what the map leaves out keeps a default that
// would put foreign traffic into the lossless class.
func dscpRows(l *fabric.Lossless) []mapRow {
	rows := make([]mapRow, 64)
	other := 0
	if d := l.Default(); d != nil {
		other = d.Priority
	}
	for i := range rows {
		rows[i] = mapRow{i, other}
	}
	for i := range l.Classes {
		for _, d := range l.Classes[i].DSCP {
			if d >= 0 && d < len(rows) {
				rows[d].To = l.Classes[i].Priority
			}
		}
	}
	return rows
}

// pcpRows: without an IP header the priority in the tag is the class.
func pcpRows() []mapRow {
	rows := make([]mapRow, priorities)
	for i := range rows {
		rows[i] = mapRow{i, i}
	}
	return rows
}

// queueRows sends priorities that no class names where the default class goes.
func queueRows(l *fabric.Lossless) []mapRow {
	rows := make([]mapRow, priorities)
	other := 0
	if d := l.Default(); d != nil {
		other = d.TrafficClass
	}
	for i := range rows {
		rows[i] = mapRow{i, other}
	}
	for i := range l.Classes {
		if c := &l.Classes[i]; c.Priority >= 0 && c.Priority < len(rows) {
			rows[c.Priority].To = c.TrafficClass
		}
	}
	return rows
}

// trafficClasses of the classes that match, sorted, each once.
func trafficClasses(l *fabric.Lossless, match func(*fabric.Class) bool) []int {
	var out []int
	for i := range l.Classes {
		if c := &l.Classes[i]; match(c) {
			out = append(out, c.TrafficClass)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func pausedPriorities(l *fabric.Lossless) []int {
	var out []int
	for i := range l.Classes {
		if c := &l.Classes[i]; c.Lossless {
			out = append(out, c.Priority)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func shares(l *fabric.Lossless) []share {
	var out []share
	for _, tc := range trafficClasses(l, func(*fabric.Class) bool { return true }) {
		s := share{TrafficClass: tc}
		strict := false
		for i := range l.Classes {
			if c := &l.Classes[i]; c.TrafficClass == tc {
				strict = strict || c.Strict
				s.Weight += c.WeightPercent
			}
		}
		if strict {
			s.Weight = 0
		}
		out = append(out, s)
	}
	return out
}

// poolPercent divides the buffer as the plan divides the bandwidth: it has no
// pool sizes of its own, and NVUE must be told some before PFC (QOS516).
func poolPercent(l *fabric.Lossless) int {
	sum := 0
	for i := range l.Classes {
		if c := &l.Classes[i]; c.Lossless {
			sum += c.WeightPercent
		}
	}
	return min(max(sum, 1), 99)
}

// commonAlpha is the dynamic threshold all ports share; same is false when they differ.
func commonAlpha(f *fabric.Fabric, sw *fabric.Switch) (log2 int, same bool) {
	for i, p := range usedProfiles(f, sw) {
		if i > 0 && p.AlphaLog2 != log2 {
			return 0, false
		}
		log2 = p.AlphaLog2
	}
	return log2, true
}

// alphaWord is NVUE's name of 2^log2; "" outside 1/128 to 64 (NVUE).
func alphaWord(log2 int) string {
	switch {
	case log2 >= -7 && log2 < 0:
		return "alpha_1_" + strconv.Itoa(1<<-log2)
	case log2 >= 0 && log2 <= 6:
		return "alpha_" + strconv.Itoa(1<<log2)
	}
	return ""
}

// newWatchdog is nil where it is off or asks for what NVUE does not have. It
// polls as often as NVUE allows and stretches the interval to meet the plan.
func newWatchdog(l *fabric.Lossless) *watchdog {
	w := &l.Watchdog
	ms := int((w.Detect + time.Millisecond - 1) / time.Millisecond)
	polls := min(max(ms/intervalLeast, 1), pollsMost)
	interval := max((ms+polls-1)/polls, intervalLeast)
	if !w.Enabled || w.Action != "drop" || ms < 1 || interval > intervalMost {
		return nil
	}
	return &watchdog{interval, polls}
}
