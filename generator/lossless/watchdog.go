package lossless

import (
	"fmt"
	"slices"
	"time"

	"railyard/generator/fabric"
)

// watchdogLimits is what an operating system accepts.
type watchdogLimits struct {
	os               string
	detectLow        time.Duration
	detectHigh       time.Duration
	restoreLow       time.Duration
	restoreHigh      time.Duration
	poll             time.Duration // the system's usual polling interval; 0 not published
	source, pollHint string
}

func watchdogTable() []watchdogLimits {
	return []watchdogLimits{
		{os: "sonic", detectLow: 100 * time.Millisecond, detectHigh: 5 * time.Second, restoreLow: 100 * time.Millisecond, restoreHigh: time.Minute,
			poll: 200 * time.Millisecond, source: "SONiC sonic-pfcwd.yang and pfcwd defaults",
			pollHint: "SONiC polls every 200 ms unless told otherwise and takes no time below its polling interval"},
		{os: "eos", detectLow: 10 * time.Millisecond, detectHigh: time.Minute, restoreLow: 10 * time.Millisecond, restoreHigh: time.Minute,
			source: "Arista EOS priority-flow-control pause watchdog: 0.01 to 60 s"},
	}
}

// congestionTree is how long the pauses of an ordinary incast may last: one
// full pause is 84 us at 400G, but trees of them last milliseconds.
const congestionTree = 10 * time.Millisecond

// watchdog takes the declared watchdog over and holds it against every
// operating system in the fabric. A detection time of zero switches it off.
func (p *planner) watchdog() {
	w := p.c.Lossless.Watchdog
	p.f.Lossless.Watchdog = fabric.Watchdog{Enabled: w.Detect > 0, Detect: w.Detect, Restore: w.Restore, Action: w.Action}
	if w.Detect <= 0 {
		p.find(fabric.Warning, "WATCHDOG_OFF",
			"no PFC watchdog: one host or port that pauses without end stops every flow behind it, and the stop spreads",
			"set lossless.watchdog.detect, 200ms is usual",
			"Microsoft, RDMA over commodity Ethernet at scale (SIGCOMM 2016), PFC storms", nil)
		return
	}
	if w.Detect < congestionTree {
		p.find(fabric.Warning, "WATCHDOG_SHORT",
			fmt.Sprintf("a detection time of %s is within the pauses of ordinary congestion; the watchdog would drop healthy traffic", w.Detect),
			"use 100ms or more; 200ms is usual",
			"IEEE 802.3 31B pause quanta: 84 us a pause at 400G, congestion trees last milliseconds", nil)
	}
	for _, l := range watchdogTable() {
		names := p.switchesOf(l.os)
		if len(names) == 0 {
			continue
		}
		p.limit("detect", w.Detect, l.detectLow, l.detectHigh, l)
		p.limit("restore", w.Restore, l.restoreLow, l.restoreHigh, l)
		if low := min(w.Detect, w.Restore); low >= l.detectLow && low < l.poll {
			p.find(fabric.Warning, "WATCHDOG_BELOW_POLL",
				fmt.Sprintf("the watchdog times (%s, %s) are below the polling interval of %s: %s", w.Detect, w.Restore, l.poll, l.pollHint),
				fmt.Sprintf("use %s or more, or lower the polling interval on these switches", l.poll), l.source, names)
		}
	}
}

func (p *planner) limit(key string, v, low, high time.Duration, l watchdogLimits) {
	if v < low || v > high {
		p.problem("lossless.watchdog."+key, fmt.Sprintf("%s is outside what %s accepts", v, l.os),
			fmt.Sprintf("use %s to %s (%s)", low, high, l.source))
	}
}

func (p *planner) switchesOf(os string) []string {
	var names []string
	for i := range p.f.Switches {
		sw := &p.f.Switches[i]
		if sw.OS == os && slices.ContainsFunc(sw.Ports, func(port fabric.Port) bool { return carriesLossless(&port) }) {
			names = append(names, sw.Name)
		}
	}
	return names
}
