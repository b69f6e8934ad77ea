package comware

import (
	"fmt"
	"time"

	"railyard/generator/fabric"
)

// reserved are the 802.1p priorities on which the manual forbids PFC: protocol
// and stack traffic uses them (H3C-CMD). The command itself accepts them.
func reserved(priority int) bool { return priority == 0 || priority == 6 || priority == 7 }

func (c *findings) classes(l *fabric.Lossless) {
	for i := range l.Classes {
		k := &l.Classes[i]
		if k.Lossless && reserved(k.Priority) {
			c.add(fabric.Error, "PFC_PRIORITY_RESERVED",
				fmt.Sprintf("class %s: Comware needs priority %d for its own protocols; PFC must not be enabled on 0, 6 and 7", k.Name, k.Priority),
				"use one of the priorities 1 to 5", "H3C-CMD priority-flow-control no-drop dot1p")
		}
	}
}

func (c *findings) watchdog(l *fabric.Lossless) {
	w := l.Watchdog
	if !w.Enabled {
		return
	}
	d := watchdogOf(l)
	if d == nil {
		if w.Action == "alert" {
			c.add(fabric.Warning, "WATCHDOG_ALERT_UNSUPPORTED",
				"Comware's deadlock detection always acts on the port; a watchdog that only alerts is not written",
				"choose drop or forward, or watch the PFC counters", "H3C-S6850")
		}
		return
	}
	c.add(fabric.Warning, "WATCHDOG_UNITS_UNCONFIRMED",
		fmt.Sprintf("watchdog: %v to detect and %v to recover are written as interval %d (precision %s) and delay %d; the units behind these numbers were not seen in a manual",
			w.Detect, w.Restore, d.Interval, precisionName(d), d.Delay),
		"compare with the on-line help as "+stepsFile+" says", "H3C-S6850")
	const most = longestWatchdog * 100 * time.Millisecond
	if w.Detect > most || w.Restore > most {
		c.add(fabric.Warning, "WATCHDOG_RANGE",
			fmt.Sprintf("watchdog: %v to detect and %v to recover; the switch counts to %v at the most, and that is written", w.Detect, w.Restore, most),
			fmt.Sprintf("keep both at or below %v", most), "H3C-S6850")
	}
}

func precisionName(d *watchdog) string {
	if d.Precision == "" {
		return "normal"
	}
	return d.Precision
}

// Highest WRED limits, in cells: that of one manual of the family (HPE-5130HI), and
// that of one H3C text, beyond which nothing is known.
const (
	seenLimit     = 16000
	furthestLimit = 38000
)

func (c *findings) buffers(f *fabric.Fabric, sw *fabric.Switch, s *survey) {
	m := f.ModelOf(sw)
	if m.CellBytes <= 0 {
		c.add(fabric.Warning, "CELL_SIZE_UNKNOWN",
			m.ID+": Comware counts headroom and ECN limits in buffer cells, and the cell of this model is not known; neither is written",
			"declare it: switches.<tier>.cell (254 for Tomahawk 4 and 5, 318 for Trident 4, 256 for Trident 3)", "H3C-RDMA")
		return
	}
	highest := 0
	for _, i := range s.profiles {
		p := &f.Lossless.Profiles[i]
		highest = max(highest, cellsUp(p.KmaxBytes, m.CellBytes))
		if dynamicShare(p.AlphaLog2) < 0 {
			c.add(fabric.Warning, "ALPHA_UNSUPPORTED",
				fmt.Sprintf("a dynamic threshold of 2^%d has no value on this switch; its own value stays", p.AlphaLog2),
				"use an alpha between 1/128 and 8", "H3C-RDMA")
		}
	}
	if highest > furthestLimit {
		c.add(fabric.Error, "ECN_LIMIT_RANGE",
			fmt.Sprintf("ECN upper limit of %d cells: no text of the family goes beyond %d", highest, furthestLimit),
			fmt.Sprintf("choose a lossless.ecn band that ends at %d bytes or less", furthestLimit*m.CellBytes), "H3C text quoted in a public note, HPE-5130HI queue")
	} else if highest > seenLimit {
		c.add(fabric.Warning, "ECN_LIMIT_RANGE",
			fmt.Sprintf("ECN upper limit of %d cells: one manual of the family ends at %d", highest, seenLimit),
			"lower kmax if the switch refuses the line", "HPE-5130HI queue")
	}
	c.add(fabric.Info, "XON_NOT_EMITTED",
		"the switch takes xon as a distance below xoff, which the plan does not give; its own value stays",
		"none needed; the command is priority-flow-control dot1p … ingress-threshold-offset", "H3C-IF66")
	if s.pool > 0 {
		c.add(fabric.Warning, "HEADROOM_POOL_UNCONFIRMED",
			fmt.Sprintf("%s: %d cells of headroom must be backed by the shared headroom pool, whose size, number and limits are not documented for this model", m.ID, s.pool),
			"read and set the pool as "+stepsFile+" says", "SAMPLE, H3C-PFC poolid")
	}
}
