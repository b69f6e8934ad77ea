package vrp

import (
	"testing"

	"railyard/generator/observed"
)

func seen(text string) *observed.Switch { return Observe(observed.Text{Rows: seenRowsOf(text)}) }

// TestObserveForms: defaults and forms, by the section of the Huawei reference.
func TestObserveForms(t *testing.T) {
	const routed = "#\ninterface 100GE1/0/1\n undo portswitch\n"
	const switched = "#\ninterface 100GE1/0/1\n port default vlan 100\n"
	tests := []struct {
		name, text string
		ok         func(sw *observed.Switch, p *observed.Port) bool
	}{
		{"switched port (1.3, 3.1)", switched, func(_ *observed.Switch, p *observed.Port) bool {
			return p.Mode == observed.Access && p.VLAN == 100 && p.Trust == observed.TrustDot1p && p.MTU.Bytes == 0 && p.Queues[3].Sched == observed.Strict && !p.PFC.On
		}},
		{"routed port (1.3, 3.1)", routed + " ip address 10.0.0.0 255.255.255.254\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDSCP && p.MTU.Bytes == 1500 && p.MTU.At == 0 && p.Maps.DSCP[26].To == 3 && p.Maps.DSCP[33].To == 4 && p.Maps.Queue[5].To == 5
		}},
		{"bare profile is priority 3 (2.2)", "#\ndcb pfc\n" + routed + " dcb pfc enable mode manual\n", func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0b1000 }},
		{"no profile at all (2.2)", routed + " dcb pfc enable\n", func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0b1000 }},
		{"several priorities (3.2)", "#\ndcb pfc\n priority 3 4\n" + routed + " dcb pfc enable mode manual\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == 0b11000 && p.PFC.At == 3 && p.Watch.Priorities == 0b11000
		}},
		{"named profile (later findings, Ascend)", "#\ndcb pfc server\n priority 4\n priority 4 deadlock-detect time 10 deadlock-recovery time 10\n" + routed + " dcb pfc enable server mode manual\n dcb pfc buffer 4 xoff dynamic 6\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == 0b10000 && len(p.Buffers) == 0
		}},
		{"switched off (3.2)", "#\ndcb pfc global disable\n" + routed + " dcb pfc enable mode manual\n", func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0 }},
		{"domain (3.1)", "#\ndiffserv domain d\n ip-dscp-inbound 24 phb af4 green\n 8021p-inbound 2 phb cs6 green\n" + switched + " trust dscp\n trust upstream d\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Maps.DSCP[24] == observed.Step{To: 4, At: 3} && p.Maps.Dot1p[2].To == 6 && p.Trust == observed.TrustDSCP
		}},
		{"ecn in bytes (3.3)", "#\ndrop-profile x\n ecn buffer-size low-limit 7000 high-limit 750000 discard-percentage 10\n" + routed + " qos queue 3 wred x\n qos queue 3 ecn\n", func(_ *observed.Switch, p *observed.Port) bool {
			e := p.Queues[3].ECN
			return e.Active && e.Unit == "bytes" && e.Min == 7000 && e.Max == 750000 && e.Percent == 10
		}},
		{"ecn in cells (3.3)", "#\ndrop-profile x\n ecn buffer-size cell low-limit 70 high-limit 750 discard-percentage 10\n" + routed + " qos queue 3 wred x\n qos queue 3 ecn\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Queues[3].ECN.Unit == "cells" }},
		{"ecn in percent (3.3)", "#\ndrop-profile x\n ecn low-limit 50 high-limit 80 discard-percentage 30\n" + routed + " qos queue 3 wred x\n qos queue 3 ecn\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Queues[3].ECN.Unit == "percent" }},
		{"V200 band (3.7)", "#\ndrop-profile x\n color green buffer-size low-limit 247520 high-limit 18000000 discard-percentage 100\n" + switched + " qos queue 0 wred x\n qos queue 0 ecn\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Queues[0].ECN.Active && p.Queues[0].ECN.Max == 18000000
		}},
		{"weights (3.5)", routed + " qos drr 0 to 5\n qos queue 3 drr weight 40\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Queues[3].Sched == observed.Weighted && p.Queues[3].Weight == 40 && p.Queues[0].Weight == 1 && p.Queues[6].Sched == observed.Strict
		}},
		{"pq and drr in one line (2.2)", routed + " qos pq 5 to 7 drr 0 to 4\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Queues[4].Sched == observed.Weighted && p.Queues[5].Sched == observed.Strict
		}},
		{"thresholds of family P (3.2)", routed + " dcb pfc buffer 3 xon static 100 kbytes xoff static 125 kbytes\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Buffers[0].Xoff == 125 && p.Buffers[0].XoffUnit == "kbytes"
		}},
		{"headroom of family J (3.2)", routed + " dcb pfc buffer 3 hdrm 256 kbytes\n", func(_ *observed.Switch, p *observed.Port) bool { return p.Buffers[0].Headroom == 256 }},
		{"timers of family P (3.2)", "#\ndcb pfc deadlock-detect timer 200\n#\ndcb pfc deadlock-recovery timer 400\n" + routed, func(sw *observed.Switch, _ *observed.Port) bool {
			return sw.Watchdog.DetectMS == 200 && sw.Watchdog.RestoreMS == 400
		}},
		{"timers of family J (3.2)", "#\ndcb pfc\n priority 3\n priority 3 deadlock-detect time 2\n priority 3 deadlock-recovery time 4\n#\ndcb pfc deadlock-detect interval 100\n" + routed, func(sw *observed.Switch, _ *observed.Port) bool {
			return sw.Watchdog.DetectMS == 200 && sw.Watchdog.RestoreMS == 400
		}},
		{"children of a split port (1.2)", "#\nport split dimension interface 400GE1/0/2 400GE1/0/4 to 400GE1/0/6 split-type 2*200GE\n#\ninterface 400GE1/0/5:1\n", func(_ *observed.Switch, p *observed.Port) bool { return p.SpeedGbps == 200 }},
		{"bundle member", "#\ninterface Eth-Trunk1\n undo portswitch\n trust dscp\n#\ninterface 100GE1/0/1\n eth-trunk 1\n", func(sw *observed.Switch, _ *observed.Port) bool {
			p := &sw.Ports[1]
			return p.Bundle == "Eth-Trunk1" && p.Trust == observed.TrustDSCP && p.Mode == observed.Routed
		}},
	}
	for _, x := range tests {
		sw := seen(x.text + "#\nreturn\n")
		if len(sw.Ports) == 0 || !x.ok(sw, &sw.Ports[0]) {
			t.Errorf("%s: %+v", x.name, sw)
		}
	}
}
