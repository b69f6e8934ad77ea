package sonic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"railyard/generator/fabric"
)

// classPlan is the class table in SONiC's terms. It is the same for all
// switches of a fabric, but cheap enough to be made for each.
type classPlan struct {
	classes  []fabric.Class
	lossless []int  // priorities = queues = groups, sorted
	pfc      string // the same, joined with commas
	queues   []classQueue
	groups   []int // lossy priority groups, sorted
}

// classQueue is one queue with the class that owns it.
type classQueue struct {
	queue     int
	key       string // "|3"
	scheduler string // row of SCHEDULER
	ecn       bool
}

// mapsName is the one row of every QoS map.
const mapsName = "ROCE"

const (
	maxDSCP     = 64
	maxPriority = 8
)

// planClasses checks what SONiC can express and returns every problem.
func planClasses(l *fabric.Lossless) (*classPlan, error) {
	c := &classPlan{classes: l.Classes}
	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	if l.Default() == nil {
		fail("no class takes the DSCPs that none names")
	}
	for i := range l.Classes {
		cl := &l.Classes[i]
		for _, n := range []struct {
			what  string
			value int
		}{{"priority", cl.Priority}, {"traffic class", cl.TrafficClass}, {"queue", cl.Queue}, {"priority group", cl.PriorityGroup}} {
			if n.value < 0 || n.value >= maxPriority {
				fail("class %s: %s %d is outside 0..%d", cl.Name, n.what, n.value, maxPriority-1)
			}
		}
		if !cl.Strict && (cl.WeightPercent < 1 || cl.WeightPercent > 100) {
			fail("class %s: weight %d %% is outside 1..100", cl.Name, cl.WeightPercent)
		}
		if cl.Lossless {
			if sameNumber(cl) {
				c.lossless = append(c.lossless, cl.Priority)
			} else {
				fail("class %s: %s", cl.Name, numbersDiffer(cl))
			}
		} else if !slices.Contains(c.groups, cl.PriorityGroup) {
			c.groups = append(c.groups, cl.PriorityGroup)
		}
		if err := c.addQueue(cl); err != nil {
			problems = append(problems, err)
		}
	}
	problems = append(problems, overlaps(l.Classes)...)
	slices.Sort(c.lossless)
	slices.Sort(c.groups)
	slices.SortFunc(c.queues, func(a, b classQueue) int { return a.queue - b.queue })
	for _, pg := range c.groups {
		if slices.Contains(c.lossless, pg) {
			fail("priority group %d would hold lossless and lossy traffic", pg)
		}
	}
	c.pfc = joinInts(c.lossless)
	return c, errors.Join(problems...)
}

// overlaps finds two classes that claim one DSCP, or one traffic class for
// different queues or groups.
func overlaps(classes []fabric.Class) []error {
	var problems []error
	owner := map[int]string{}
	for i := range classes {
		a := &classes[i]
		for _, d := range a.DSCP {
			if d < 0 || d >= maxDSCP {
				problems = append(problems, fmt.Errorf("class %s: DSCP %d is outside 0..%d", a.Name, d, maxDSCP-1))
			}
			if other, taken := owner[d]; taken {
				problems = append(problems, fmt.Errorf("DSCP %d belongs to classes %s and %s", d, other, a.Name))
			}
			owner[d] = a.Name
		}
		for j := range i {
			b := &classes[j]
			if a.TrafficClass == b.TrafficClass && (a.Queue != b.Queue || a.PriorityGroup != b.PriorityGroup) {
				problems = append(problems, fmt.Errorf("classes %s and %s share traffic class %d but not queue and priority group", b.Name, a.Name, a.TrafficClass))
			}
			if a.Lossless && b.Lossless && a.Priority == b.Priority {
				problems = append(problems, fmt.Errorf("classes %s and %s are both lossless on priority %d", b.Name, a.Name, a.Priority))
			}
		}
	}
	return problems
}

// sameNumber: the watchdog takes the PFC priority for the queue's number, and
// the traditional buffer manager for the group's.
func sameNumber(c *fabric.Class) bool {
	return c.Queue == c.Priority && c.PriorityGroup == c.Priority
}

func numbersDiffer(c *fabric.Class) string {
	return fmt.Sprintf("priority %d, queue %d and priority group %d of a lossless class have to be one number on SONiC", c.Priority, c.Queue, c.PriorityGroup)
}

func (c *classPlan) addQueue(cl *fabric.Class) error {
	name := "sched." + cl.Name
	for i := range c.queues {
		q := &c.queues[i]
		if q.queue != cl.Queue {
			continue
		}
		q.ecn = q.ecn || cl.ECN
		owner := c.class(strings.TrimPrefix(q.scheduler, "sched."))
		if owner.Strict != cl.Strict || owner.Lossless != cl.Lossless || !cl.Strict && owner.WeightPercent != cl.WeightPercent {
			return fmt.Errorf("classes %s and %s share queue %d but want it served differently", owner.Name, cl.Name, cl.Queue)
		}
		return nil
	}
	c.queues = append(c.queues, classQueue{cl.Queue, "|" + strconv.Itoa(cl.Queue), name, cl.ECN})
	return nil
}

func (c *classPlan) class(name string) *fabric.Class {
	for i := range c.classes {
		if c.classes[i].Name == name {
			return &c.classes[i]
		}
	}
	return nil
}

// write writes the maps and schedulers.
func (c *classPlan) write(out *builder, def *fabric.Class, toGroup bool) {
	out.addFields("DSCP_TO_TC_MAP", mapsName, numbered(maxDSCP, func(dscp int) int {
		for i := range c.classes {
			if slices.Contains(c.classes[i].DSCP, dscp) {
				return c.classes[i].TrafficClass
			}
		}
		return def.TrafficClass
	}))
	byTC := func(of func(*fabric.Class) int) []field {
		return numbered(maxPriority, func(tc int) int {
			for i := range c.classes {
				if c.classes[i].TrafficClass == tc {
					return of(&c.classes[i])
				}
			}
			return of(def) // no DSCP leads to this traffic class
		})
	}
	out.addFields("TC_TO_QUEUE_MAP", mapsName, byTC(func(cl *fabric.Class) int { return cl.Queue }))
	out.addFields("TC_TO_PRIORITY_GROUP_MAP", mapsName, byTC(func(cl *fabric.Class) int { return cl.PriorityGroup }))
	out.addFields("MAP_PFC_PRIORITY_TO_QUEUE", mapsName, numbered(maxPriority, func(p int) int { return p }))
	if toGroup && len(c.lossless) > 0 {
		fields := make([]field, len(c.lossless))
		for i, p := range c.lossless {
			fields[i] = num(strconv.Itoa(p), int64(p))
		}
		out.addFields("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", mapsName, fields)
	}
	for _, q := range c.queues {
		cl := c.class(strings.TrimPrefix(q.scheduler, "sched."))
		out.add("SCHEDULER", q.scheduler, scheduler{cl.Strict, cl.WeightPercent})
	}
}

func numbered(n int, value func(int) int) []field {
	fields := make([]field, n)
	for i := range fields {
		fields[i] = num(strconv.Itoa(i), int64(value(i)))
	}
	return fields
}

type scheduler struct {
	strict bool
	weight int
}

func (s scheduler) fields() []field {
	if s.strict {
		return some(str("type", "STRICT"))
	}
	return some(str("type", "DWRR"), num("weight", int64(s.weight)))
}

// wred is one marking profile: all colours alike, marking and (for packets that
// cannot be marked) dropping between kmin and kmax.
type wred struct{ kmin, kmax, pmax int }

func (w wred) fields() []field {
	colour := func(name string) []field {
		return []field{
			num(name+"_drop_probability", int64(w.pmax)),
			num(name+"_max_threshold", int64(w.kmax)),
			num(name+"_min_threshold", int64(w.kmin)),
		}
	}
	on := []field{str("wred_green_enable", "true"), str("wred_red_enable", "true"), str("wred_yellow_enable", "true")}
	return slices.Concat([]field{str("ecn", "ecn_all")}, colour("green"), colour("red"), on, colour("yellow"))
}

type portQoS struct {
	pfc, watch        string
	lossless, toGroup bool
}

func (p portQoS) fields() []field {
	out := []field{str("dscp_to_tc_map", mapsName)}
	if p.lossless {
		out = append(out, str("pfc_enable", p.pfc))
		if p.toGroup {
			out = append(out, str("pfc_to_pg_map", mapsName))
		}
	}
	out = append(out, str("pfc_to_queue_map", mapsName))
	if p.lossless {
		// Written even when empty: without it older images watch whatever
		// pfc_enable names.
		out = append(out, str("pfcwd_sw_enable", p.watch))
	}
	return append(out, str("tc_to_pg_map", mapsName), str("tc_to_queue_map", mapsName))
}

type watchdog struct {
	action          string
	detect, restore time.Duration
}

func (w watchdog) fields() []field {
	return some(str("action", w.action), num("detection_time", w.detect.Milliseconds()), num("restoration_time", w.restore.Milliseconds()))
}

// poll is the watchdog's poll interval. pfcwd start_default uses 200 ms for up
// to 32 ports and as much again for every 32 more, at most 1000 ms; neither
// time of the plan may be below it, and 100 ms is the least.
func poll(w *fabric.Watchdog, ports int) time.Duration {
	return max(min(defaultDetect(ports), time.Second, w.Detect, w.Restore), minDetect*time.Millisecond)
}

// defaultDetect is the detection time that pfcwd start_default would set.
func defaultDetect(ports int) time.Duration {
	return 200 * time.Millisecond * time.Duration(max(1, (ports-1)/32+1))
}

func checkWatchdogRange(w *fabric.Watchdog) error {
	var problems []error
	inRange := func(what string, d time.Duration, most int64) {
		if d < minDetect*time.Millisecond || d > time.Duration(most)*time.Millisecond || d%time.Millisecond != 0 {
			problems = append(problems, fmt.Errorf("watchdog %s %v: SONiC takes whole milliseconds from %d to %d", what, d, minDetect, most))
		}
	}
	inRange("detection time", w.Detect, maxDetect)
	inRange("restoration time", w.Restore, maxRestore)
	if !slices.Contains([]string{"drop", "forward", "alert"}, w.Action) {
		problems = append(problems, fmt.Errorf("watchdog action %q: SONiC has drop, forward and alert", w.Action))
	}
	return errors.Join(problems...)
}

func joinInts(list []int) string {
	s := make([]string, len(list))
	for i, n := range list {
		s[i] = strconv.Itoa(n)
	}
	return strings.Join(s, ",")
}
