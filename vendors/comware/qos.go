package comware

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"railyard/generator/fabric"
)

// queueNames are the words "qos wfq" takes for queues 0 to 7 (PUSH400, H3C-QOS).
var queueNames = [8]string{"be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"}

// qos is the lossless section of one switch.
type qos struct {
	Shared                []int // queues that may use the whole shared egress buffer
	Watchdog              *watchdog
	PriorityMap, QueueMap []mapping // 802.1p → queue, DSCP → 802.1p
	Tables                []table

	ports map[int]portQoS // by index of the profile
}

// portQoS is what all ports of one profile share.
type portQoS struct {
	pfc        pfc
	scheduling scheduling
}

// pfc is the flow control of a profile's ports, nil where there is none.
func (q *qos) pfc(profile int) *pfc {
	if q == nil || profile < 0 {
		return nil
	}
	p := q.ports[profile].pfc
	return &p
}

// scheduling is the queueing of a profile's ports, nil where there is none.
func (q *qos) scheduling(profile int) *scheduling {
	if q == nil || profile < 0 {
		return nil
	}
	s := q.ports[profile].scheduling
	return &s
}

// mapping is one line of a priority map.
type mapping struct{ Import, Export int }

// table is one WRED table: the marking band of all ports of one speed.
type table struct {
	Name   string
	Queues []band
}

// band is the marking band of one queue; Low and High in buffer cells.
type band struct{ Queue, Low, High, Percent int }

// pfc is what a port's flow-control lines are written from.
type pfc struct {
	Priorities []int
	Headroom   int // cells; 0: the switch's own value
	Dynamic    int // share of the free buffer; -1: the switch's own value
	Watchdog   bool
}

// scheduling is what a port's queueing lines are written from.
type scheduling struct {
	Queues []queue
	Table  string // WRED table; "" without one
}

// queue is how one queue is served; Weight 0 is strict priority.
type queue struct {
	Name   string
	Strict bool
	Weight int
}

// lossless plans the lossless section; nil where the fabric has none or no port
// of this switch carries a lossless profile.
func lossless(f *fabric.Fabric, sw *fabric.Switch, s *survey) *qos {
	l, cell := f.Lossless, f.ModelOf(sw).CellBytes
	if l == nil || len(s.profiles) == 0 {
		return nil
	}
	q := &qos{PriorityMap: priorityToQueue(l), QueueMap: dscpToPriority(l), Watchdog: watchdogOf(l), ports: map[int]portQoS{}}
	for i := range l.Classes {
		if c := &l.Classes[i]; c.Lossless || c.CNP {
			q.Shared = once(q.Shared, c.Queue)
		}
	}
	slices.Sort(q.Shared)
	priorities, queues := losslessPriorities(l), schedule(l)
	for _, i := range s.profiles {
		p := &l.Profiles[i]
		q.ports[i] = portQoS{
			pfc{
				Priorities: priorities, Headroom: cellsUp(p.XoffBytes, cell),
				Dynamic: dynamicShare(p.AlphaLog2), Watchdog: q.Watchdog != nil,
			},
			scheduling{Queues: queues, Table: q.tableFor(l, p, cell)},
		}
	}
	return q
}

// losslessPriorities are the 802.1p priorities with PFC, ascending.
func losslessPriorities(l *fabric.Lossless) []int {
	var list []int
	if l != nil {
		for i := range l.Classes {
			if l.Classes[i].Lossless {
				list = once(list, l.Classes[i].Priority)
			}
		}
		slices.Sort(list)
	}
	return list
}

// priorityToQueue lists all eight priorities, because the factory map is not
// the identity (0→2, 1→0, 2→1; HPE-5950) and the H3C sample writes all eight.
// A priority of no class goes where unnamed traffic goes.
func priorityToQueue(l *fabric.Lossless) []mapping {
	rows := make([]mapping, 8)
	for p := range rows {
		rows[p] = mapping{p, p}
		if def := l.Default(); def != nil {
			rows[p].Export = def.Queue
		}
		for i := range l.Classes {
			if l.Classes[i].Priority == p {
				rows[p].Export = l.Classes[i].Queue
				break
			}
		}
	}
	return rows
}

// dscpToPriority lists every DSCP that a class names, and every other one whose
// factory priority (DSCP div 8, HPE-5950) is not that of unnamed traffic:
// without those lines CS3 and its neighbours would fill the lossless queue.
func dscpToPriority(l *fabric.Lossless) []mapping {
	named := [64]bool{}
	priority := [64]int{}
	for i := range priority {
		priority[i] = i / 8
		if def := l.Default(); def != nil {
			priority[i] = def.Priority
		}
	}
	for i := len(l.Classes) - 1; i >= 0; i-- {
		for _, v := range l.Classes[i].DSCP {
			if v >= 0 && v < 64 {
				named[v], priority[v] = true, l.Classes[i].Priority
			}
		}
	}
	var rows []mapping
	for v := range priority {
		if named[v] || priority[v] != v/8 {
			rows = append(rows, mapping{v, priority[v]})
		}
	}
	return rows
}

// schedule serves each queue as its class asks; classes that share a queue add
// their weights, and one strict class makes the queue strict.
func schedule(l *fabric.Lossless) []queue {
	var all [8]queue
	for i := range l.Classes {
		c := &l.Classes[i]
		if c.Queue < 0 || c.Queue > 7 {
			continue
		}
		q := &all[c.Queue]
		q.Name = queueNames[c.Queue]
		q.Strict = q.Strict || c.Strict
		q.Weight += c.WeightPercent
	}
	list := all[:0]
	for _, q := range all {
		if q.Name != "" && (q.Strict || q.Weight > 0) {
			list = append(list, q)
		}
	}
	return list
}

// tableFor returns the name of the WRED table with a profile's band, making it
// where none has it yet. Without a known cell size there is no table.
func (q *qos) tableFor(l *fabric.Lossless, p *fabric.Profile, cell int) string {
	if cell <= 0 {
		return ""
	}
	var bands []band
	for i := range l.Classes {
		if l.Classes[i].ECN {
			bands = append(bands, bandOf(p, l.Classes[i].Queue, cell))
		}
	}
	if len(bands) == 0 {
		return ""
	}
	name := "ROCE-" + strconv.Itoa(p.SpeedGbps) + "G"
	n := 1
	for _, t := range q.Tables {
		if t.Name == name || strings.HasPrefix(t.Name, name+"-") {
			if slices.Equal(t.Queues, bands) {
				return t.Name
			}
			n++
		}
	}
	if n > 1 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	q.Tables = append(q.Tables, table{Name: name, Queues: bands})
	return name
}

// bandOf rounds the band outwards to cells. The switch wants the upper limit
// above the lower one (HPE-5130HI queue command), so a band without width
// becomes one cell wide.
func bandOf(p *fabric.Profile, queue, cell int) band {
	b := band{
		Queue: queue, Percent: p.PmaxPercent,
		Low: p.KminBytes / cell, High: cellsUp(p.KmaxBytes, cell),
	}
	b.High = max(b.High, b.Low+1)
	return b
}

// cellsUp is the number of buffer cells that hold a size; 0 where the cell is
// not known.
func cellsUp(bytes, cell int) int {
	if cell <= 0 || bytes <= 0 {
		return 0
	}
	return (bytes + cell - 1) / cell
}

// dynamicShares is the argument of "ingress-buffer dynamic" for alpha = 2^-7 …
// 2^3: the percentage alpha/(1+alpha) that the switch maps to that alpha, the
// upper end of each band of the H3C-RDMA table (0 is 1/128, 1 is 1/64, 2–3 is
// 1/32, … 81–100 is 8).
var dynamicShares = []int{0, 1, 3, 5, 11, 20, 33, 50, 66, 80, 88}

// lowestAlpha is the log2 of the smallest alpha in the table.
const lowestAlpha = -7

// dynamicShare turns alpha into the switch's percentage, -1 where the table has
// no band for it.
func dynamicShare(alphaLog2 int) int {
	i := alphaLog2 - lowestAlpha
	if i < 0 || i >= len(dynamicShares) {
		return -1
	}
	return dynamicShares[i]
}

// watchdog is the deadlock detection of a switch.
type watchdog struct {
	Queues    []int  // CoS as the command means it: local precedence, which is the queue (H3C-S6850)
	Precision string // unit of Interval; "" for the default, normal
	Interval  int
	Delay     int
	Discard   bool
}

// watchdogUnits are the units of the detection interval by precision, finest
// first. The words are documented (H3C-S6850), the durations are commonly
// quoted and match the timer of the same chip under another network OS
// (granularity 1, 10 or 100 ms times 1 to 15); Check says so.
var watchdogUnits = []struct {
	precision string
	unit      time.Duration
}{{"high", time.Millisecond}, {"", 10 * time.Millisecond}, {"low", 100 * time.Millisecond}}

const (
	longestWatchdog = 15                     // units, of interval and delay
	watchdogDelay   = 100 * time.Millisecond // unit of the recovery delay
)

// watchdogOf turns the declared watchdog into the switch's; nil without one and
// where only an alert is wanted, which the switch cannot do.
func watchdogOf(l *fabric.Lossless) *watchdog {
	w := l.Watchdog
	if !w.Enabled || w.Action == "alert" {
		return nil
	}
	d := &watchdog{Discard: w.Action == "drop"}
	for i := range l.Classes {
		if l.Classes[i].Lossless {
			d.Queues = once(d.Queues, l.Classes[i].Queue)
		}
	}
	if len(d.Queues) == 0 {
		return nil
	}
	slices.Sort(d.Queues)
	for _, u := range watchdogUnits {
		d.Precision, d.Interval = u.precision, units(w.Detect, u.unit)
		if d.Interval <= longestWatchdog {
			break
		}
	}
	d.Interval = min(d.Interval, longestWatchdog)
	d.Delay = min(units(w.Restore, watchdogDelay), longestWatchdog)
	return d
}

// units rounds a duration up to whole units, at least one.
func units(d, unit time.Duration) int { return max(1, int((d+unit-1)/unit)) }
