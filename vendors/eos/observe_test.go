package eos

import (
	"testing"

	"railyard/generator/observed"
)

func seen(text string) *observed.Switch {
	return Observe(observed.Text{Head: text, Rows: seenRowsOf(text)})
}

// TestObserveForms: defaults and forms, by the section of the Arista reference.
func TestObserveForms(t *testing.T) {
	const port = "!\ninterface Ethernet1/1\n"
	const routed = port + "   no switchport\n"
	const on = "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
	tests := []struct {
		name, text string
		ok         func(sw *observed.Switch, p *observed.Port) bool
	}{
		{"inverted low classes (2.1)", routed, func(_ *observed.Switch, p *observed.Port) bool {
			return p.Maps.DSCP[0].To == 1 && p.Maps.DSCP[15].To == 0 && p.Maps.DSCP[26].To == 3 && p.Maps.DSCP[48].To == 6 && p.Maps.Dot1p[0].To == 1
		}},
		{"trust of a routed port (2.1)", routed, func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDSCP && p.MTU.Bytes == 1500 && p.MTU.At == 0 && p.Queues[3].Sched == observed.Strict
		}},
		{"trust of a switched port (2.1)", port, func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDot1p && p.MTU.Bytes == 0
		}},
		{"an address makes a port routed (8)", port + "   ip address 10.0.0.1/31\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Mode == observed.Routed }},
		{"watchdog is on by default (2.2)", routed + on, func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == 0b1000 && p.Watch.Priorities == 0b1000
		}},
		{"watchdog off (2.2)", routed + on + "   no priority-flow-control pause watchdog\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Watch.Priorities == 0 && p.Watch.At == 6 }},
		{"priority without on (2.2)", routed + "   priority-flow-control priority 3 no-drop\n", func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0 && p.PFC.Priorities != 0 }},
		{"port over profile (2.3)", "!\nqos profile X\n   qos trust cos\n   !\n   uc-tx-queue 3\n      no priority\n      bandwidth percent 50\n   !\n" + on + routed + "   service-profile X\n   qos trust dscp\n   !\n   uc-tx-queue 3\n      bandwidth percent 70\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDSCP && p.Queues[3].Sched == observed.Weighted && p.Queues[3].Weight == 70 && p.PFC.Lossless() == 0b1000
		}},
		{"ecn (2.3)", routed + "   !\n   tx-queue 3\n      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 100 weight 0\n      random-detect ecn count\n", func(_ *observed.Switch, p *observed.Port) bool {
			e := p.Queues[3].ECN
			return e.Active && e.Min == 256 && e.Max == 512 && e.Unit == "kbytes" && e.Percent == 100
		}},
		{"no ecn, printed (4.2)", routed + "   !\n   tx-queue 3\n      no random-detect ecn\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Queues[3].ECN == nil }},
		{"maps (2.1)", routed + "!\nqos map dscp 18 20 22 to traffic-class 4 drop-precedence 2\nqos map dscp 33-35 to traffic-class 5\nqos map traffic-class 6 to uc-tx-queue 2\nqos map traffic-class 5 to tx-queue 1\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Maps.DSCP[20].To == 4 && p.Maps.DSCP[34].To == 5 && p.Maps.Queue[6].To == 2 && p.Maps.Queue[5].To == 1
		}},
		{"the rewrite map classifies nothing (later findings)", routed + "!\nqos map traffic-class 7 to dscp 48\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Maps.DSCP[48].To == 6 && p.Maps.Queue[7].To == 7
		}},
		{"seconds (2.2)", routed + "!\npriority-flow-control pause watchdog default timeout 0.05\npriority-flow-control pause watchdog default recovery-time 1.11\npriority-flow-control pause watchdog default polling-interval 0.025\npriority-flow-control pause watchdog action drop\n", func(sw *observed.Switch, _ *observed.Port) bool {
			w := sw.Watchdog
			return w.DetectMS == 50 && w.RestoreMS == 1110 && w.PollMS == 25 && w.Action == "drop" && len(sw.Remarks) == 0
		}},
		{"polling of the syntax sample (3)", routed + "!\npriority-flow-control pause watchdog default timeout 0.05\npriority-flow-control pause watchdog default recovery-time 1.22\npriority-flow-control pause watchdog default polling-interval 10.001\n", func(sw *observed.Switch, _ *observed.Port) bool {
			return len(sw.Remarks) == 1 && sw.Remarks[0].Code == "WATCHDOG_BELOW_POLL"
		}},
		{"device comment (4.1)", "! Command: show running-config\n! device: leaf1 (DCS-7060X6-64PE, EOS-4.34.2F)\n" + routed, func(sw *observed.Switch, _ *observed.Port) bool { return sw.Hardware == "DCS-7060X6-64PE" }},
		{"abbreviated (1.2)", "!\ninterface Et3/1/1\n   speed forced 100gfull\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Name == "Ethernet3/1/1" && p.SpeedGbps == 100
		}},
		{"interface defaults (1.5)", "!\ninterface defaults\n   mtu 9000\n" + routed, func(_ *observed.Switch, p *observed.Port) bool { return p.MTU.Bytes == 9000 && p.MTU.At == 3 }},
		{"bundle member", "!\ninterface Port-Channel5\n   no switchport\n   service-profile X\n" + port + "   channel-group 5 mode active\n!\nqos profile X\n" + on, func(sw *observed.Switch, _ *observed.Port) bool {
			return sw.Ports[1].PFC.Lossless() == 0b1000 && sw.Ports[1].Mode == observed.Routed
		}},
	}
	for _, x := range tests {
		sw := seen(x.text + "!\nend\n")
		if len(sw.Ports) == 0 || !x.ok(sw, &sw.Ports[0]) {
			t.Errorf("%s: %+v", x.name, sw)
		}
	}
}
