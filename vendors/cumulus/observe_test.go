package cumulus

import (
	"errors"
	"strings"
	"testing"

	"railyard/generator/observed"
)

// TestObserveForms: the chain as the QoS and RoCE pages describe it, in both forms.
func TestObserveForms(t *testing.T) {
	set := func(lines string) string {
		return "- set:\n    interface:\n      swp1:\n        type: swp\n    qos:\n" + lines
	}
	tests := []struct {
		name, text string
		ok         func(sw *observed.Switch, p *observed.Port) bool
	}{
		{"without RoCE 802.1p is trusted and class 0 marks", "- set:\n    interface:\n      swp1: {}\n", func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDot1p && p.PFC.Lossless() == 0 && p.Queues[0].ECN.Active && p.Queues[3].ECN == nil && p.MTU.Bytes == 9216
		}},
		{"RoCE mode", set("      roce:\n        mode: lossless\n"), func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDSCP && p.PFC.Lossless().Has(3) && p.CableM == 100 && p.Maps.Queue[5].To == 0 && p.Maps.Queue[6].To == 6 &&
				p.Queues[6].Sched == observed.Strict && p.Queues[3].ECN.Max == 1_500_000 && p.Watch.Priorities == 0
		}},
		{"RoCE switched off", set("      roce:\n        enable: 'off'\n        mode: lossless\n"), func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == 0 && p.Trust == observed.TrustDot1p
		}},
		{"lossy mode marks and does not pause", set("      roce:\n        enable: on\n        mode: lossy\n"), func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == 0 && p.Queues[3].ECN.Active && p.Trust == observed.TrustDSCP
		}},
		{"overrides of RoCE mode", set("      roce:\n        mode: lossless\n      pfc:\n        default-global:\n          cable-length: 50\n          switch-priority:\n            2: {}\n      mapping:\n        default-global:\n          dscp:\n            '26':\n              switch-priority: 2\n      egress-queue-mapping:\n        default-global:\n          switch-priority:\n            2:\n              traffic-class: 3\n"), func(_ *observed.Switch, p *observed.Port) bool {
			return p.PFC.Lossless() == observed.Set(0).With(2) && p.CableM == 50 && p.Maps.DSCP[26].To == 2 && p.Maps.Queue[2].To == 3 && p.Maps.DSCP[26].At == 17
		}},
		{"commands, the last one counts", "nv set interface swp1-2 qos pfc profile far\nnv set interface swp1 link mtu 1500\nnv set interface swp1 link mtu 9000\nnv set qos pfc far switch-priority 3\nnv set qos pfc far cable-length 300\nnv set qos mapping default-global trust l3\n", func(sw *observed.Switch, p *observed.Port) bool {
			return len(sw.Ports) == 2 && p.PFC.Lossless().Has(3) && p.CableM == 300 && p.MTU.Bytes == 9000 && p.MTU.At == 3 && p.Trust == observed.TrustDSCP
		}},
		{"half of PFC is none", set("      pfc:\n        default-global:\n          rx: disable\n          switch-priority:\n            3: {}\n"), func(_ *observed.Switch, p *observed.Port) bool { return p.PFC.Lossless() == 0 && p.PFC.OnAt == 8 }},
		{"a profile that is not there", "nv set interface swp1 qos pfc profile far\n", func(sw *observed.Switch, _ *observed.Port) bool {
			return len(sw.Remarks) == 1 && sw.Remarks[0].Code == "MAP_UNKNOWN" && sw.Remarks[0].Line == 1
		}},
		{"split cages are not ports", "nv set interface swp1 link breakout 2x\nnv set interface swp1s0 description up\n", func(sw *observed.Switch, p *observed.Port) bool { return p.Down && !sw.Ports[1].Down }},
	}
	for _, x := range tests {
		sw, err := Observe(x.text)
		if err != nil || len(sw.Ports) == 0 || !x.ok(sw, &sw.Ports[0]) {
			t.Errorf("%s: %+v, %v", x.name, sw, err)
		}
	}
	for text, want := range map[string]string{
		"": "no settings", "- set:\n\tinterface:\n": "tab", "- set:\n    interface:\n      swp1:\n        link:\n          mt": "stops in mid line",
		"- set:\n    interface\n    x:\n": "no key", "- set:\n    interface:\n      eth0:\n        type: eth\n": "no swp",
	} {
		_, err := Observe(text)
		var fault *observed.Fault
		if !errors.As(err, &fault) || !strings.Contains(fault.Reason, want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
