package sonic

import (
	"errors"
	"strings"
	"testing"

	"railyard/generator/observed"
)

// TestObserveForms: forms of CONFIG_DB, by the section of the SONiC reference.
func TestObserveForms(t *testing.T) {
	const maps = `"DSCP_TO_TC_MAP": {"A": {"26": "3", "48": "6"}}, "TC_TO_PRIORITY_GROUP_MAP": {"A": {"3": "3", "6": "0"}}, "TC_TO_QUEUE_MAP": {"A": {"3": "3", "6": "6"}}, `
	const bind = `"dscp_to_tc_map": "A", "tc_to_pg_map": "A", "tc_to_queue_map": "A", "pfc_enable": "3"`
	port := func(more string) string {
		return `{"PORT": {"Ethernet0": {"speed": "400000", "admin_status": "up"}}, ` + maps + more + `}`
	}
	tests := []struct {
		name, text string
		ok         func(sw *observed.Switch, p *observed.Port) bool
	}{
		{"defaults (1.2)", `{"PORT": {"Ethernet0": {"speed": "100000"}}}`, func(_ *observed.Switch, p *observed.Port) bool {
			return p.Down && p.MTU.Bytes == 9100 && p.MTU.At == 0 && p.SpeedGbps == 100
		}},
		{"bound (1.5)", port(`"PORT_QOS_MAP": {"Ethernet0": {` + bind + `}}`), func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDSCP && p.Maps.DSCP[26].To == 3 && p.Maps.DSCP[0].To == -1 && p.Maps.Group[6].To == 0 && p.PFC.Lossless() == 0b1000
		}},
		{"brackets and joined names (0.4)", `{"PORT": {"Ethernet0": {"admin_status": "up"}, "Ethernet8": {"admin_status": "up"}}, ` + maps + `"PORT_QOS_MAP": {"Ethernet0,Ethernet8": {"dscp_to_tc_map": "[DSCP_TO_TC_MAP|A]", "pfc_enable": "3,4"}}}`, func(sw *observed.Switch, p *observed.Port) bool {
			return p.Maps.DSCP[26].To == 3 && sw.Ports[1].PFC.Lossless() == 0b11000
		}},
		{"the switch's map (1.5)", port(`"PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "A"}, "Ethernet0": {"pfc_enable": "3"}}`), func(_ *observed.Switch, p *observed.Port) bool {
			return p.Trust == observed.TrustDSCP && p.Maps.DSCP[26].To == 3
		}},
		{"watchdog follows pfc_enable (corrections)", port(`"PORT_QOS_MAP": {"Ethernet0": {` + bind + `}}, "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}, "Ethernet0": {"action": "drop", "detection_time": "400", "restoration_time": "500"}}`), func(sw *observed.Switch, p *observed.Port) bool {
			w := sw.Watchdog
			return p.Watch.Priorities == 0b1000 && w.DetectMS == 400 && w.RestoreMS == 500 && w.PollMS == 200 && w.Action == "drop" && w.Enabled
		}},
		{"watchdog without rows (1.9)", port(`"PORT_QOS_MAP": {"Ethernet0": {` + bind + `}}`), func(sw *observed.Switch, p *observed.Port) bool {
			return p.Watch.Priorities == 0 && !sw.Watchdog.Enabled
		}},
		{"watchdog started by default (1.9)", `{"DEVICE_METADATA": {"localhost": {"default_pfcwd_status": "enable"}}, ` + port(`"PORT_QOS_MAP": {"Ethernet0": {` + bind + `}}`)[1:], func(_ *observed.Switch, p *observed.Port) bool { return p.Watch.Priorities == 0b1000 }},
		{"counters off (1.9)", port(`"PORT_QOS_MAP": {"Ethernet0": {` + bind + `}}, "PFC_WD": {"Ethernet0": {}}, "FLEX_COUNTER_TABLE": {"PFCWD": {"FLEX_COUNTER_STATUS": "disable"}}`), func(_ *observed.Switch, p *observed.Port) bool { return p.Watch.Priorities == 0 }},
		{"marking, blanks in numbers (1.8)", port(`"QUEUE": {"Ethernet0|3-4": {"wred_profile": "W", "scheduler": "s"}}, "SCHEDULER": {"s": {"type": "DWRR", "weight": "15"}}, "WRED_PROFILE": {"W": {"wred_green_enable": "true", "ecn": "ecn_all", "green_min_threshold": " 166912", "green_max_threshold": "282624", "green_drop_probability": "5"}}`), func(_ *observed.Switch, p *observed.Port) bool {
			e := p.Queues[4].ECN
			return e.Active && e.Min == 166912 && e.Max == 282624 && e.Percent == 5 && p.Queues[3].Weight == 15
		}},
		{"wred not enabled (1.5)", port(`"QUEUE": {"Ethernet0|3": {"wred_profile": "W"}}, "WRED_PROFILE": {"W": {"ecn": "ecn_all", "green_min_threshold": "1"}}`), func(_ *observed.Switch, p *observed.Port) bool { return !p.Queues[3].ECN.Active }},
		{"group map of NVIDIA (1.5)", port(`"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": {"A": {"3": "3"}}, "PORT_QOS_MAP": {"Ethernet0": {` + bind + `, "pfc_to_pg_map": "A"}}`), func(_ *observed.Switch, p *observed.Port) bool {
			return p.Maps.Priority[3].To == 3 && p.Maps.Priority[0].To == -1
		}},
		{"buffers (1.6)", port(`"PORT_QOS_MAP": {"Ethernet0": {` + bind + `}}, "BUFFER_POOL": {"i": {"size": "90000000"}}, "BUFFER_PROFILE": {"pg_lossless_400000_40m_profile": {"pool": "i", "xoff": "446024", "dynamic_th": "0"}}, "BUFFER_PG": {"Ethernet0|3": {"profile": "pg_lossless_400000_40m_profile"}}`), func(_ *observed.Switch, p *observed.Port) bool {
			b := p.Buffers[0]
			return b.Headroom == 446024 && b.LengthM == 40 && b.Share == 10000000 && !b.Lossy
		}},
		{"cables (1.6)", port(`"CABLE_LENGTH": {"AZURE": {"Ethernet0": "0m"}}`), func(_ *observed.Switch, p *observed.Port) bool { return p.NoCable && p.CableM == 0 }},
		{"interfaces (1.3)", port(`"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.1.0.0/31": {}, "Ethernet0|fc00::1/64": {}}, "VLAN": {"Vlan9": {"vlanid": "9"}}, "VLAN_INTERFACE": {"Vlan9|192.0.2.1/24": {}}`), func(sw *observed.Switch, p *observed.Port) bool {
			return p.Mode == observed.Routed && len(p.Addresses) == 2 && sw.Ports[1].Kind == observed.Gateway && sw.Ports[1].VLAN == 9
		}},
		{"numbers that are no strings (0.1)", `{"PORT": {"Ethernet0": {"speed": 400000, "mtu": 9216, "admin_status": "up", "x": null, "y": ["1", "2"]}}}`, func(_ *observed.Switch, p *observed.Port) bool {
			return p.SpeedGbps == 400 && p.MTU.Bytes == 9216
		}},
	}
	for _, x := range tests {
		sw, err := Observe(x.text)
		if err != nil || len(sw.Ports) == 0 || !x.ok(sw, &sw.Ports[0]) {
			t.Errorf("%s: %+v, %v", x.name, sw, err)
		}
	}
}

// TestObserveLines: every fact carries the line it stands on.
func TestObserveLines(t *testing.T) {
	text := "{\n \"PORT\": {\n  \"Ethernet0\": {\n   \"mtu\": \"9216\",\n   \"admin_status\": \"up\"\n  }\n },\n \"DSCP_TO_TC_MAP\": {\n  \"A\": {\n   \"26\": \"3\"\n  }\n },\n \"PORT_QOS_MAP\": {\n  \"Ethernet0\": {\n   \"dscp_to_tc_map\": \"A\",\n   \"pfc_enable\": \"3\"\n  }\n }\n}\n"
	sw, err := Observe(text)
	if err != nil {
		t.Fatal(err)
	}
	p := &sw.Ports[0]
	if p.At != 3 || p.MTU.At != 4 || p.Maps.DSCP[26].At != 10 || p.Maps.DSCPAt != 9 || p.TrustAt != 15 || p.PFC.At != 16 {
		t.Errorf("%+v, map at %d", p, p.Maps.DSCP[26].At)
	}
}

func TestObserveFaults(t *testing.T) {
	for text, want := range map[string]struct {
		line   observed.Line
		reason string
	}{
		"{\n\"PORT\": {\n\"Ethernet0\": {\"mtu\": \"9":           {3, "inside a string"},
		"{\n\"PORT\": {\n\"Ethernet0\": {\"mtu\": \"9\n100\"}}}": {3, "over the end of the line"},
		"{\"PORT\": {\"E\": {}}}\n\nx":                           {3, "behind the end"},
		"{\"PORT\" {":                                            {1, "':'"},
		"{\"PORT\": {\"a\": {\"b\": @}}}":                        {1, "where a value belongs"},
		"[]":                                                     {1, "'{'"},
		"{\"X\": " + strings.Repeat("[", 100):                    {1, "nested too deep"},
		"{}":                                                     {0, "neither PORT"},
	} {
		_, err := Observe(text)
		var fault *observed.Fault
		if !errors.As(err, &fault) || fault.Line != want.line || !strings.Contains(fault.Reason, want.reason) {
			t.Errorf("%q: %v, want line %d: %s", text, err, want.line, want.reason)
		}
	}
}
