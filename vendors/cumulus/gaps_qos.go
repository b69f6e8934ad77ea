package cumulus

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"railyard/generator/fabric"
)

// classNumbers holds the classes against what NVUE ties together.
func classNumbers(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !lossless(f, sw) {
		return nil
	}
	var gaps []gap
	sum := 0
	for i := range f.Lossless.Classes {
		c := &f.Lossless.Classes[i]
		sum += c.WeightPercent
		if c.Queue != c.TrafficClass {
			gaps = append(gaps, one(fabric.Error, "CUMULUS_QUEUE_NUMBER",
				fmt.Sprintf("class %s has traffic class %d and queue %d: here they are one number", c.Name, c.TrafficClass, c.Queue),
				"use the same number for both", "QOS516")...)
		}
		if out := max(c.Priority, c.TrafficClass); out >= priorities || min(c.Priority, c.TrafficClass) < 0 {
			gaps = append(gaps, one(fabric.Error, "CUMULUS_CLASS_RANGE",
				fmt.Sprintf("class %s has a priority or traffic class outside 0 to %d", c.Name, priorities-1), "use numbers in that range", "QOS516")...)
		}
	}
	if sum > 100 {
		gaps = append(gaps, one(fabric.Error, "CUMULUS_SHARES",
			fmt.Sprintf("the classes ask for %d percent of the bandwidth", sum), "let the shares add up to 100", "QOS516")...)
	}
	for _, r := range sharedPriorities(f.Lossless) {
		gaps = append(gaps, one(fabric.Error, "CUMULUS_PRIORITY_SHARED",
			"classes "+r+" have one priority and different traffic classes: a priority has one traffic class", "give each class its own priority", "QOS516")...)
	}
	return gaps
}

func sharedPriorities(l *fabric.Lossless) []string {
	var out []string
	for i := range l.Classes {
		for j := range l.Classes[:i] {
			a, b := &l.Classes[j], &l.Classes[i]
			if a.Priority == b.Priority && a.TrafficClass != b.TrafficClass {
				out = append(out, a.Name+" and "+b.Name)
			}
		}
	}
	return out
}

func losslessClasses(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !lossless(f, sw) {
		return nil
	}
	var gaps []gap
	pause := pausedPriorities(f.Lossless)
	if len(pause) > 1 {
		gaps = one(fabric.Warning, "CUMULUS_LOSSLESS_CLASSES",
			fmt.Sprintf("%d priorities are lossless and share one priority group and one pool per port, so one can use up the other's headroom", len(pause)),
			"plan one lossless class on these switches", "QOS516", "nv show qos pfc")
	}
	if slices.Contains(pause, 3) {
		gaps = append(gaps, one(fabric.Info, "CUMULUS_CPU_PRIORITY",
			"packets the switch itself sends, BGP among them, carry internal priority 3 and so share the queue of RoCE",
			"nothing, as long as the sessions stay up under load", "QOS516", "nv show interface <port> counters qos egress-queue-stats")...)
	}
	return gaps
}

// shorthand says where the vendor's fixed RoCE profile would have differed, so
// that nobody turns it on in good faith: it would overwrite the explicit one.
func shorthand(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !lossless(f, sw) {
		return nil
	}
	var other []string
	add := func(differs bool, what string) {
		if differs {
			other = append(other, what)
		}
	}
	l := f.Lossless
	marks := trafficClasses(l, func(c *fabric.Class) bool { return c.ECN })
	band, length := true, true
	for _, p := range usedProfiles(f, sw) {
		band = band && p.KminBytes == 150_000 && p.KmaxBytes == 1_500_000 && p.PmaxPercent == 100
		length = length && metres(p) == 100
	}
	rows := dscpRows(l)
	add(slices.ContainsFunc(rows, func(r mapRow) bool { return r.To != r.From/8 }), "DSCP by eights to priorities (24-31 to 3, 48-55 to 6)")
	add(!slices.Equal(pausedPriorities(l), []int{3}), "PFC on priority 3")
	add(!slices.Equal(marks, []int{0, 3}), "ECN on traffic classes 0 and 3")
	add(!band, "marking from 150000 to 1500000 bytes at 100 percent")
	add(!slices.Equal(shares(l), []share{{0, 50}, {3, 50}, {6, 0}}), "50:50 between traffic classes 0 and 3, 6 strict")
	add(!length, "headroom for 100 m of cable")
	return one(fabric.Info, "CUMULUS_ROCE_MODE",
		"lossless is written as explicit profiles, not as \"qos roce mode lossless\"; the shorthand fixes, unlike this plan: "+strings.Join(other, "; "),
		"leave the shorthand off: the two exclude each other. Adaptive routing, which builds on it, is therefore not configured", "ROCE515, QOS516",
		"nv show qos roce")
}

// headroom is the device's own: NVUE has bytes for it, and its maker advises
// against them.
func headroom(f *fabric.Fabric, sw *fabric.Switch) []gap {
	used := usedProfiles(f, sw)
	if len(used) == 0 || len(pausedPriorities(f.Lossless)) == 0 {
		return nil
	}
	var plan []string
	for _, p := range used {
		plan = append(plan, fmt.Sprintf("plan: %dG, %g m: xoff %d bytes, xon %d bytes", p.SpeedGbps, p.LengthM, p.XoffBytes, p.XonBytes))
	}
	return one(fabric.Info, "CUMULUS_HEADROOM",
		"PFC headroom is computed by the switch from speed and cable length, which is written in whole metres; the plan's bytes are not",
		"compare what the switch reserves with the plan", "QOS516", append(plan, "nv show qos pfc", "nv show interface <port> qos buffer")...)
}

func poolSplit(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !lossless(f, sw) {
		return nil
	}
	return one(fabric.Info, "CUMULUS_POOL_SPLIT",
		fmt.Sprintf("the shared buffer is divided like the bandwidth, %d percent for lossless traffic: NVUE needs a division, and the plan has none of its own", poolPercent(f.Lossless)),
		"change traffic-pool in the template if you measured a better one", "QOS516", "nv show qos traffic-pool")
}

func thresholds(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !lossless(f, sw) {
		return nil
	}
	log2, same := commonAlpha(f, sw)
	switch {
	case !same:
		return one(fabric.Warning, "CUMULUS_ALPHA_MIXED",
			"the plan has several dynamic thresholds, and NVUE takes one for all ports; the device keeps its own, alpha 1",
			"plan one threshold for these switches", "NVUE", "nv show qos advance-buffer-config default-global")
	case alphaWord(log2) == "":
		return one(fabric.Error, "CUMULUS_ALPHA",
			fmt.Sprintf("no dynamic threshold 2^%d exists; the device keeps its own, alpha 1", log2), "choose 1/128 to 64", "NVUE")
	}
	return nil
}

func watchdogGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !lossless(f, sw) {
		return nil
	}
	w := &f.Lossless.Watchdog
	switch {
	case !w.Enabled:
		return nil
	case w.Action != "drop":
		return one(fabric.Error, "CUMULUS_WATCHDOG_ACTION",
			fmt.Sprintf("the watchdog of NVUE can only drop; action %q is not possible and the watchdog is left out", w.Action), "use drop", "NVUE")
	case newWatchdog(f.Lossless) == nil:
		return one(fabric.Error, "CUMULUS_WATCHDOG_RANGE",
			fmt.Sprintf("no number of polls makes a detection time of %v; the watchdog is left out", w.Detect),
			fmt.Sprintf("choose a time up to %v", intervalMost*pollsMost*time.Millisecond), "NVUE")
	}
	var gaps []gap
	d := newWatchdog(f.Lossless)
	if got := time.Duration(d.Interval*d.Polls) * time.Millisecond; got != w.Detect {
		gaps = one(fabric.Info, "CUMULUS_WATCHDOG_ROUNDED",
			fmt.Sprintf("the watchdog counts polls of at least %d ms: %v becomes %v", intervalLeast, w.Detect, got), "choose a multiple of 100 ms", "NVUE")
	}
	return append(gaps, one(fabric.Info, "CUMULUS_WATCHDOG_RESTORE",
		fmt.Sprintf("the time to restore (%v) cannot be set: a queue comes back after the first poll without pause", w.Restore),
		"nothing; the page for 5.16 spells the port's switch enabled, the command reference and current configurations enable, which is written", "NVUE, QOS516, GEN",
		"nv show qos pfc-watchdog", "nv show interface <port> qos pfc-watchdog")...)
}
