package sonic

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// base is a golden document as nested maps, to break it in one place.
func base(t *testing.T, golden string) map[string]map[string]map[string]any {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", golden, "config_db.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]map[string]map[string]any
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

type tables = map[string]map[string]map[string]any

// One fault each. yang says that the models refuse it too, as was seen with
// yanglint; the others are what the models miss.
var faults = []struct {
	name   string
	golden string
	edit   func(tables)
	want   string
	yang   bool
}{
	{"unknown table", leafGolden, func(d tables) { d["ROCE"] = map[string]map[string]any{"x": {"a": "b"}} }, "no such table", false},
	{"unknown field", leafGolden, func(d tables) { d["PORT"]["Ethernet0"]["colour"] = "red" }, "fits no list", false},
	{"empty table", leafGolden, func(d tables) { d["BREAKOUT_CFG"] = map[string]map[string]any{} }, "the table is empty", false},
	{"empty list", leafGolden, func(d tables) { d["VLAN"]["Vlan100"]["dhcp_servers"] = []string{} }, "empty list", false},
	{"bracket reference", leafGolden, func(d tables) {
		d["BUFFER_PG"]["Ethernet0|3"]["profile"] = "[BUFFER_PROFILE|pg_lossless_400000_5m_profile]"
	}, "names no row of BUFFER_PROFILE", true},
	{"weight 0", leafGolden, func(d tables) { d["SCHEDULER"]["sched.roce"]["weight"] = "0" }, "0 is outside 1..100", true},
	{"no tagging mode", leafGolden, func(d tables) { delete(d["VLAN_MEMBER"]["Vlan100|Ethernet0"], "tagging_mode") }, "tagging_mode is missing", true},
	{"cable of 2.5m", leafGolden, func(d tables) { d["CABLE_LENGTH"]["AZURE"]["Ethernet0"] = "2.5m" }, "whole metres", true},
	{"VLAN 1", leafGolden, func(d tables) { d["VLAN"]["Vlan1"] = map[string]any{"vlanid": "1"} }, "is not Vlan2 to Vlan4095", true},
	{"unknown marking profile", leafGolden, func(d tables) { d["QUEUE"]["Ethernet0|3"]["wred_profile"] = "none" }, "names no row of WRED_PROFILE", true},
	{"port as plain neighbour", leafGolden, func(d tables) { d["BGP_NEIGHBOR"]["Ethernet16"] = map[string]any{"asn": "65000"} }, "is not an IP address", true},
	{"MTU of 9300", leafGolden, func(d tables) { d["PORT"]["Ethernet0"]["mtu"] = "9300" }, "outside 68..9216", true},
	{"DSCP 64", leafGolden, func(d tables) { d["DSCP_TO_TC_MAP"]["ROCE"]["64"] = "0" }, "64 is outside 0..63", true},
	{"group 8", leafGolden, func(d tables) { d["TC_TO_PRIORITY_GROUP_MAP"]["ROCE"]["3"] = "8" }, "8 is outside 0..7", true},
	{"detection 50 ms", leafGolden, func(d tables) { d["PFC_WD"]["Ethernet0"]["detection_time"] = "50" }, "outside 100..5000", true},
	{"no speed", leafGolden, func(d tables) { delete(d["PORT"]["Ethernet28"], "speed") }, "speed is missing", true},
	{"probability 101", leafGolden, func(d tables) { d["WRED_PROFILE"]["ECN_400G"]["green_drop_probability"] = "101" }, "outside 0..100", true},
	{"two untagged VLANs", leafGolden, func(d tables) {
		d["VLAN_MEMBER"]["Vlan101|Ethernet0"] = map[string]any{"tagging_mode": "untagged"}
	}, "is untagged in Vlan100 already", true},
	{"mgmt without its VRF", leafGolden, func(d tables) { delete(d, "MGMT_VRF_CONFIG") }, "needs MGMT_VRF_CONFIG", true},
	{"gateway of another family", leafGolden, func(d tables) { d["MGMT_INTERFACE"]["eth0|192.168.100.10/22"]["gwaddr"] = "fe80::1" }, "another address family", true},
	{"no gateway", leafGolden, func(d tables) { delete(d["MGMT_INTERFACE"]["eth0|192.168.100.10/22"], "gwaddr") }, "gwaddr is missing", true},
	{"eleven NTP servers", leafGolden, func(d tables) {
		for _, n := range "abcdefghij" {
			d["NTP_SERVER"][string(n)+".example"] = map[string]any{"iburst": "on"}
		}
	}, "11 rows, at most 10", true},
	{"pool without type", leafGolden, func(d tables) { delete(d["BUFFER_POOL"]["ingress_lossless_pool"], "type") }, "type is missing", true},
	{"profile without pool", leafGolden, func(d tables) { delete(d["BUFFER_PROFILE"]["ingress_lossy_profile"], "pool") }, "pool is missing", true},
	{"member of no VLAN", leafGolden, func(d tables) { delete(d, "VLAN"); delete(d, "VLAN_INTERFACE") }, "names no row of VLAN", true},
	{"poll interval at a port", leafGolden, func(d tables) { d["PFC_WD"]["Ethernet0"]["POLL_INTERVAL"] = "100" }, "POLL_INTERVAL belongs to GLOBAL", true},

	{"lane of another port", leafGolden, func(d tables) { d["PORT"]["Ethernet4"]["lanes"] = "20,21,22,23" }, "lane 20 belongs to Ethernet0 already", false},
	{"alias of another port", leafGolden, func(d tables) { d["PORT"]["Ethernet4"]["alias"] = "etp1a" }, "alias etp1a belongs to", false},
	{"overlapping groups", leafGolden, func(d tables) {
		d["BUFFER_PG"]["Ethernet0|3-4"] = map[string]any{"profile": "ingress_lossy_profile"}
	}, "overlaps 3-3", false},
	{"overlapping queues", leafGolden, func(d tables) {
		d["BUFFER_QUEUE"]["Ethernet0|2-3"] = map[string]any{"profile": "egress_lossy_profile"}
	}, "overlaps", false},
	{"backwards range", leafGolden, func(d tables) {
		d["BUFFER_PG"]["Ethernet0|6-5"] = map[string]any{"profile": "ingress_lossy_profile"}
	}, "runs backwards", false},
	{"watchdog on another priority", leafGolden, func(d tables) { d["PORT_QOS_MAP"]["Ethernet0"]["pfcwd_sw_enable"] = "4" }, "differs from pfc_enable", false},
	{"PFC without a group", leafGolden, func(d tables) { delete(d["BUFFER_PG"], "Ethernet0|3") }, "no BUFFER_PG row holds it", false},
	{"watchdog row without watchdog", leafGolden, func(d tables) { d["PORT_QOS_MAP"]["Ethernet0"]["pfcwd_sw_enable"] = "" }, "pfcwd_sw_enable is empty", false},
	{"marking without enable", leafGolden, func(d tables) {
		for _, c := range colours {
			delete(d["WRED_PROFILE"]["ECN_400G"], "wred_"+c+"_enable")
		}
	}, "marks nothing", false},
	{"two thresholds", leafGolden, func(d tables) { d["BUFFER_PROFILE"]["egress_lossy_profile"]["static_th"] = "1" }, "needs one of dynamic_th and static_th", false},
	{"lossless without memory", leafGolden, func(d tables) { d["BUFFER_PROFILE"]["pg_lossless_400000_5m_profile"]["size"] = "0" }, "size and xoff above zero", false},
	{"pool without size", leafGolden, func(d tables) { delete(d["BUFFER_POOL"]["ingress_lossless_pool"], "size") }, "needs a size", false},
	{"computed profile in the traditional model", leafGolden, func(d tables) { d["BUFFER_PG"]["Ethernet0|3"]["profile"] = "NULL" }, "profile NULL is for", false},
	{"one address twice", leafGolden, func(d tables) { d["INTERFACE"]["Ethernet20|10.240.0.0/31"] = map[string]any{} }, "address 10.240.0.0 is on Ethernet16 already", false},
	{"no poll interval", leafGolden, func(d tables) { delete(d["PFC_WD"], "GLOBAL") }, "GLOBAL with POLL_INTERVAL is missing", false},
}

const leafGolden = "leaf-spine/leaf-u01-r0-1"

func TestFaults(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			doc := base(t, c.golden)
			c.edit(doc)
			body, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			if err := Validate(body); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// What the models refuse, yanglint refuses in our mapping: the mapping hides no
// fault.
func TestFaultsInYANG(t *testing.T) {
	models := yangDir(t)
	for _, c := range faults {
		if !c.yang {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			doc := base(t, c.golden)
			c.edit(doc)
			body, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			instance, err := YANG(body)
			if err != nil {
				t.Fatal(err)
			}
			if ok, _ := yanglint(t, models, instance); ok {
				t.Error("yanglint takes it")
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	for body, want := range map[string]string{
		``:   "EOF",
		`[]`: "found [, want {",
		`{"PORT": {"Ethernet0": {"speed": 400000}}}`:   "speed is 400000",
		`{"PORT": {"Ethernet0": {"up": true}}}`:        "up is true",
		`{"PORT": {"Ethernet0": {"x": null}}}`:         "x is <nil>",
		`{"PORT": {"Ethernet0": {"x": {}}}}`:           "x is {",
		`{"PORT": {"Ethernet0": {"x": [1]}}}`:          "list holds 1",
		`{"PORT": {"Ethernet0": "x"}}`:                 "found x, want {",
		`{"PORT": {"Ethernet0": {}, "Ethernet0": {}}}`: `"Ethernet0" comes twice`,
		`{"PORT": {}} {}`:                              "text after its end",
	} {
		if _, err := parse([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}

func TestNaturalOrder(t *testing.T) {
	sorted := []string{"", "Ethernet0", "Ethernet0|0-2", "Ethernet0|3", "Ethernet0|10", "Ethernet8", "Ethernet12", "Ethernet100", "GLOBAL", "Vlan07", "Vlan7", "global"}
	for i := range sorted {
		for j := range sorted {
			got := naturalCompare(sorted[i], sorted[j])
			if (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%q and %q: %d", sorted[i], sorted[j], got)
			}
		}
	}
}

// Whatever parse takes, encode writes so that parse reads the same again, and
// neither Validate nor YANG panics.
func FuzzDocument(f *testing.F) {
	body, err := os.ReadFile(filepath.Join("testdata", "breakout", "spine-01", "config_db.json"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add([]byte(`{"BUFFER_PG": {"Ethernet0|9-": {"profile": "\u2028\"\\"}}, "NTP": {"global": {"src_intf": "eth0;x"}}}`))
	f.Add([]byte(`{"VLAN": {"Vlan2": {"dhcp_servers": ["10.0.0.1", "x"]}}, "QUEUE": {"|": {}}, "PFC_WD": {"": {}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		doc, err := parse(body)
		if err != nil {
			return
		}
		encoded := doc.encode()
		again, err := parse(encoded)
		if err != nil || !bytes.Equal(again.encode(), encoded) {
			t.Errorf("reading what was written: %v", err)
		}
		_ = newSchema().validate(doc)
		_, _ = newSchema().instance(doc)
	})
}
