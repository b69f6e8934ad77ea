package eos

import (
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// mapLine is one "qos map": the values that lead to one target.
type mapLine struct {
	From string // numbers in rising order, separated by spaces
	To   int
}

// queue is one transmit queue of a profile.
type queue struct {
	Kind   string // uc-tx-queue or tx-queue
	ID     int
	Strict bool
	Weight int // percent among the weighted queues
	ECN    *band
}

// band is an ECN marking band.
type band struct {
	Low, High int // in Unit
	Unit      string
	Pmax      int  // percent
	Weight    bool // write weight 0: mark on the instantaneous queue
}

// qosProfile is one "qos profile": what all ports of one speed and cable length
// share.
type qosProfile struct {
	Name   string
	Trust  string // dscp or cos
	Queues []queue
	NoDrop []int // PFC priorities, rising
}

// watchdog is the global PFC watchdog.
type watchdog struct {
	Timeout, Recovery, Polling string // seconds
	Action                     string
}

// qos is the part of the lossless plan one switch carries.
type qos struct {
	Profiles []qosProfile
	CoS      []mapLine // RoCE v1 only
	DSCP     []mapLine // RoCE v2 only
	Queues   []mapLine // traffic classes whose queue has another number
	Kind     string    // queue word of the Queues lines
	Watchdog *watchdog
}

func newQoS(f *fabric.Fabric, sw *fabric.Switch, p platform) qos {
	var q qos
	l := f.Lossless
	used := usedProfiles(l, sw)
	if len(used) == 0 {
		return q
	}
	q.Kind = p.queue
	if trust(f) == "cos" {
		q.CoS = valueMap(l, 8, func(c *fabric.Class) []int { return []int{c.Priority} })
	} else {
		q.DSCP = valueMap(l, 64, func(c *fabric.Class) []int { return c.DSCP })
	}
	if p.queue != "" {
		q.Queues = queueMap(l)
	}
	for _, i := range used {
		q.Profiles = append(q.Profiles, newProfile(f, &l.Profiles[i], p))
	}
	q.Watchdog = newWatchdog(l)
	return q
}

// trust is what ports classify by: RoCE v1 has no IP header, so no DSCP.
func trust(f *fabric.Fabric) string {
	if f.RoCE == "v1" {
		return "cos"
	}
	return "dscp"
}

// usedProfiles lists the profiles of a switch's ports by speed, then length.
func usedProfiles(l *fabric.Lossless, sw *fabric.Switch) []int {
	var used []int
	if l == nil {
		return nil
	}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Profile >= 0 && p.Link >= 0 && p.Role != fabric.CellPort && !slices.Contains(used, p.Profile) {
			used = append(used, p.Profile)
		}
	}
	slices.SortFunc(used, func(a, b int) int {
		x, y := &l.Profiles[a], &l.Profiles[b]
		switch {
		case x.SpeedGbps != y.SpeedGbps:
			return x.SpeedGbps - y.SpeedGbps
		case x.LengthM < y.LengthM:
			return -1
		case x.LengthM > y.LengthM:
			return 1
		}
		return a - b
	})
	return used
}

// profileName is made of what tells profiles of one switch model apart, so that
// growth never renames one.
func profileName(p *fabric.Profile) string {
	length := strconv.FormatFloat(p.LengthM, 'f', -1, 64)
	return "ROCE-" + strconv.Itoa(p.SpeedGbps) + "G-" + strings.ReplaceAll(length, ".", "_") + "M"
}

func newProfile(f *fabric.Fabric, prof *fabric.Profile, p platform) qosProfile {
	out := qosProfile{Name: profileName(prof), Trust: trust(f)}
	low, high := p.unit.thresholds(prof.KminBytes, prof.KmaxBytes)
	for i := range f.Lossless.Classes {
		c := &f.Lossless.Classes[i]
		if c.Lossless && !slices.Contains(out.NoDrop, c.Priority) {
			out.NoDrop = append(out.NoDrop, c.Priority)
		}
		if p.queue == "" || slices.ContainsFunc(out.Queues, func(q queue) bool { return q.ID == c.Queue }) {
			continue
		}
		q := queue{Kind: p.queue, ID: c.Queue, Strict: c.Strict, Weight: c.WeightPercent}
		if c.ECN {
			q.ECN = &band{Low: low, High: high, Unit: string(p.unit), Pmax: prof.PmaxPercent, Weight: p.weight}
		}
		out.Queues = append(out.Queues, q)
	}
	slices.Sort(out.NoDrop)
	slices.SortFunc(out.Queues, func(a, b queue) int { return a.ID - b.ID })
	return out
}

// valueMap writes where each of n code points goes. All of them are written,
// those that EOS sends there by default too: the defaults are known only from
// field sources, and they put DSCP 0 into class 1 and DSCP 8 into class 0.
func valueMap(l *fabric.Lossless, n int, of func(*fabric.Class) []int) []mapLine {
	target := make([]int, n)
	for i := range target {
		target[i] = -1
		if d := l.Default(); d != nil {
			target[i] = d.TrafficClass
		}
	}
	for i := range l.Classes {
		c := &l.Classes[i]
		for _, v := range of(c) {
			if v >= 0 && v < n {
				target[v] = c.TrafficClass
			}
		}
	}
	var lines []mapLine
	for tc := 0; tc < 8; tc++ {
		var from []string
		for v, to := range target {
			if to == tc {
				from = append(from, strconv.Itoa(v))
			}
		}
		if len(from) > 0 {
			lines = append(lines, mapLine{strings.Join(from, " "), tc})
		}
	}
	return lines
}

// queueMap lists the traffic classes that do not go to the queue of their own
// number. Class 7 and queue 7 belong together and cannot be mapped (RoCE436).
func queueMap(l *fabric.Lossless) []mapLine {
	var lines []mapLine
	seen := [8]bool{}
	for i := range l.Classes {
		c := &l.Classes[i]
		if c.TrafficClass == c.Queue || c.TrafficClass < 0 || c.TrafficClass > 6 || seen[c.TrafficClass] {
			continue
		}
		seen[c.TrafficClass] = true
		lines = append(lines, mapLine{strconv.Itoa(c.TrafficClass), c.Queue})
	}
	slices.SortFunc(lines, func(a, b mapLine) int { return strings.Compare(a.From, b.From) })
	return lines
}

// newWatchdog is nil when the plan wants none, or a form EOS cannot take; the
// latter is a finding.
func newWatchdog(l *fabric.Lossless) *watchdog {
	w := l.Watchdog
	timeout, ok := timer(w.Detect)
	recovery, fits := timer(w.Restore)
	if !w.Enabled || !ok || !fits || w.Action != "drop" {
		return nil
	}
	return &watchdog{Timeout: timeout, Recovery: recovery, Polling: polling(w.Detect, w.Restore), Action: w.Action}
}
