package comware

import (
	"testing"

	"railyard/generator/observed"
)

func seen(text string) *observed.Switch { return Observe(observed.Text{Rows: seenRowsOf(text)}) }

// TestObserveDefaults: what the manuals say of a port with nothing on it.
func TestObserveDefaults(t *testing.T) {
	sw := seen("#\n sysname a\n#\ninterface HundredGigE1/0/1\n port link-mode bridge\n#\ninterface TwoHundredGigE1/0/2:1\n port link-mode route\n ip address 10.0.0.1 255.255.255.254\n#\ninterface NULL0\n#\ninterface M-GigabitEthernet0/0/0\n ip address 192.0.2.1 24\n#\nreturn\n")
	if sw.Name != "a" || len(sw.Ports) != 2 {
		t.Fatalf("%+v", sw)
	}
	p := &sw.Ports[0]
	for from, want := range map[int]int8{0: 0, 8: 1, 26: 3, 48: 6, 63: 7} { // HPE5950 table 6: DSCP/8
		if got := p.Maps.DSCP[from].To; got != want {
			t.Errorf("dscp %d: %d", from, got)
		}
	}
	for from, want := range [8]int8{2, 0, 1, 3, 4, 5, 6, 7} { // HPE5950 table 5
		if got := p.Maps.Queue[from].To; got != want {
			t.Errorf("dot1p %d: %d", from, got)
		}
	}
	if p.PFC.On || p.Trust != observed.TrustNone || p.Watch.Priorities != 0 || p.SpeedGbps != 100 || p.Mode != observed.Access {
		t.Errorf("%+v", p)
	}
	if q := &sw.Ports[1]; q.SpeedGbps != 200 || q.Mode != observed.Routed || q.Addresses[0].String() != "10.0.0.1/31" || q.MTU.Bytes != 0 {
		t.Errorf("%+v", q)
	}
}

// TestObserveForms: forms of one setting, by the section of the H3C reference.
func TestObserveForms(t *testing.T) {
	port := "#\ninterface FourHundredGigE1/0/1\n port link-mode route\n"
	tests := []struct {
		name, text string
		ok         func(sw *observed.Switch, p *observed.Port) bool
	}{
		{"no-drop list with commas (later findings, PFC)", port + " priority-flow-control enable\n priority-flow-control no-drop dot1p 1,2,3\n", func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0b1110 }},
		{"no-drop range (3.2)", port + " priority-flow-control enable\n priority-flow-control no-drop dot1p 3-5\n", func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0b111000 }},
		{"system view (3.2)", "#\n priority-flow-control enable\n priority-flow-control no-drop dot1p 5\n qos trust dscp\n" + port, func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == 0b100000 && p.Trust == observed.TrustDSCP
		}},
		{"map with lists (3.1)", "#\nqos map-table dscp-dot1p\n import 24 to 27 30 export 5\n" + port, func(_ *observed.Switch, p *observed.Port) bool {
			return p.Maps.DSCP[27] == observed.Step{To: 5, At: 3} && p.Maps.DSCP[30].To == 5 && p.Maps.DSCP[28].To == 3
		}},
		{"band on the port (3.5, form A)", port + " qos wred queue 5 drop-level 0 low-limit 6000 high-limit 12000 discard-probability 40\n qos wred queue 5 ecn\n", func(_ *observed.Switch, p *observed.Port) bool {
			e := p.Queues[5].ECN
			return e != nil && e.Active && e.Min == 6000 && e.Max == 12000 && e.Percent == 40 && e.Unit == "cells"
		}},
		{"table without ecn (3.5, form B)", "#\nqos wred queue table T\n queue 3 low-limit 10 high-limit 20\n" + port + " qos wred apply T\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Queues[3].ECN != nil && !p.Queues[3].ECN.Active && p.Queues[3].ECN.Why != ""
		}},
		{"scheduling (3.6)", port + " qos wfq byte-count\n qos wfq ef group 1 byte-count 96\n qos wfq cs6 group sp\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Queues[5].Sched == observed.Weighted && p.Queues[5].Weight == 96 && p.Queues[6].Sched == observed.Strict && p.Queues[0].Sched == observed.SchedUnknown
		}},
		{"thresholds (3.2)", port + " priority-flow-control dot1p 3 headroom 2000\n priority-flow-control dot1p 3 ingress-buffer static 13000\n", func(_ *observed.Switch, p *observed.Port) bool {
			b := p.Buffers[0]
			return len(p.Buffers) == 1 && b.Headroom == 2000 && b.Xoff == 13000 && b.Unit == "cells"
		}},
		{"deadlock needs the system and the port (3.3)", "#\n priority-flow-control deadlock cos 3 interval 10\n priority-flow-control deadlock precision high\n" + port + " priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n priority-flow-control deadlock enable\n", func(sw *observed.Switch, p *observed.Port) bool {
			return p.Watch.Priorities == 0b1000 && sw.Watchdog.Written == "cos 3 interval 10, precision high" && sw.Watchdog.DetectMS == 0
		}},
		{"the same interface twice (6)", port + " qos trust dscp\n" + port + " shutdown\n", func(sw *observed.Switch, p *observed.Port) bool {
			return len(sw.Ports) == 1 && p.Down && p.Trust == observed.TrustDSCP
		}},
		{"untrusted packets get the port's priority (3.1)", port + " qos priority 5\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Maps.Untagged == 5 }},
	}
	for _, x := range tests {
		sw := seen(x.text + "#\nreturn\n")
		if len(sw.Ports) == 0 || !x.ok(sw, &sw.Ports[0]) {
			t.Errorf("%s: %+v", x.name, sw.Ports)
		}
	}
}
