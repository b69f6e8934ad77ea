package sonic

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// Each finding with a change to the leaf-spine fabric that brings it up, and
// what Render says when the finding is an error.
var findingCases = []struct {
	code     string
	severity fabric.Severity
	change   func(f *testFabric)
	render   string // "" when Render succeeds
}{
	{"SONIC_NO_PORT_MAP", fabric.Error, func(f *testFabric) { f.Models[0].ID = "h3c-s9827-128dh" }, "no lane map is known for h3c-s9827-128dh"},
	{"SONIC_PORT_NOT_PLACED", fabric.Error, func(f *testFabric) { f.Switches[0].Ports[0].Cage = 65 }, "cage 65 split into 2"},
	{"SONIC_NO_DDC", fabric.Error, func(f *testFabric) { f.Switches[0].Ports[4].Role = fabric.CellPort }, "cell port"},
	{"SONIC_MTU", fabric.Error, func(f *testFabric) { f.Underlay.MTU = 9300 }, "9300 is outside 68..9216"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) { f.Lossless.Classes[1].Queue = 4 }, "have to be one number on SONiC"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) { f.Lossless.Classes[2].DSCP = []int{26} }, "DSCP 26 belongs to classes roce and cnp"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) { f.Lossless.Classes[0].WeightPercent = 0 }, "weight 0 % is outside 1..100"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) { f.Lossless.Classes[0].PriorityGroup = 3 }, "lossless and lossy traffic"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) { f.Lossless.Classes[0].DSCP = []int{1} }, "no class takes the DSCPs"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) {
		f.Lossless.Classes[3].Queue = 6
		f.Lossless.Classes[3].Strict = false
		f.Lossless.Classes[3].WeightPercent = 5
	}, "share queue 6"},
	{"SONIC_CLASSES", fabric.Error, func(f *testFabric) { f.Lossless.Classes[3].TrafficClass = 6 }, "share traffic class 6"},
	{"SONIC_WATCHDOG", fabric.Error, func(f *testFabric) { f.Lossless.Watchdog.Detect = 10 * time.Millisecond }, "whole milliseconds from 100 to 5000"},
	{"SONIC_WATCHDOG", fabric.Error, func(f *testFabric) { f.Lossless.Watchdog.Action = "reboot" }, "drop, forward and alert"},
	{"SONIC_NO_BUFFER_POOL", fabric.Error, func(f *testFabric) { f.Models[0].ID, f.Models[0].BufferBytes = "arista-7060x6-64de", 0 }, "no buffer pools are known"},
	{"SONIC_BUFFER_DERIVED", fabric.Warning, func(f *testFabric) { f.Models[0].ID = "arista-7060x6-64de" }, ""},
	{"SONIC_PORT_MAP_UNCONFIRMED", fabric.Warning, func(f *testFabric) { f.Models[0].ID = "arista-7060x6-64de" }, ""},
	{"SONIC_CABLE_NOT_IN_TABLE", fabric.Warning, func(f *testFabric) { f.Lossless.Profiles[0].LengthM = 500 }, ""},
	{"SONIC_CABLE_ROUNDED", fabric.Info, func(f *testFabric) {}, ""},
	{"SONIC_RESUME_FROM_TABLE", fabric.Info, func(f *testFabric) { f.Lossless.Profiles[0].XonBytes = 19456 }, ""},
	{"SONIC_HEADROOM_OVERSUBSCRIBED", fabric.Warning, func(f *testFabric) { f.Lossless.Profiles[0].XoffBytes = 8_000_000 }, ""},
	{"SONIC_HWSKU_UNCONFIRMED", fabric.Warning, func(f *testFabric) {
		f.cage(0, 4, 1, 800)
		f.Switches[0].Ports[6].Reserved = true
	}, ""},
	{"SONIC_PORT_NAMES_VARY", fabric.Warning, func(f *testFabric) { f.Models[0].ID = "edgecore-as9817-64o" }, ""},
	{"SONIC_WATCHDOG_SCALE", fabric.Info, func(f *testFabric) { f.Lossless.Watchdog.Detect = 100 * time.Millisecond }, ""},
	{"SONIC_USERS_NOT_IN_CONFIG", fabric.Warning, func(f *testFabric) { f.Management.Users = []fabric.User{{Name: "admin"}} }, ""},
	{"SONIC_MGMT_VRF_NAME", fabric.Info, func(f *testFabric) { f.Management.VRF = "oob" }, ""},
	{"SONIC_MGMT_NO_GATEWAY", fabric.Warning, func(f *testFabric) { f.Management.Gateway = netip.Addr{} }, ""},
	{"SONIC_SERVER_LIMIT", fabric.Warning, func(f *testFabric) { f.Management.DNS = addrs("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4") }, ""},
	{"SONIC_GNMI_CERTIFICATES", fabric.Info, func(f *testFabric) {}, ""},
	{"SONIC_FRR_CONF", fabric.Warning, func(f *testFabric) { f.Switches[0].NoTransit = true }, ""},
	{"SONIC_ECMP_PATHS", fabric.Warning, func(f *testFabric) { f.Underlay.MaxPaths = 128 }, ""},
}

func TestFindings(t *testing.T) {
	d := newDriver(t)
	for _, c := range findingCases {
		t.Run(c.code, func(t *testing.T) {
			f := leafSpineFabric()
			c.change(f)
			found := d.Check(f.named(d), &f.Switches[0])
			i := slices.IndexFunc(found, func(g fabric.Finding) bool { return g.Code == c.code })
			if i < 0 || found[i].Severity != c.severity {
				t.Fatalf("not found, or of another severity: %+v", found)
			}
			for _, g := range found {
				if g.Source == "" || strings.Contains(g.Message+g.Remedy, f.Switches[0].Name) || !slices.Equal(g.Objects, []string{f.Switches[0].Name}) {
					t.Errorf("%+v: no source, or the message names the switch", g)
				}
				if g.Severity == fabric.Error && c.severity != fabric.Error {
					t.Errorf("also an error: %s", g.Message)
				}
			}
			_, err := d.Render(f.Fabric, &f.Switches[0], nil)
			switch {
			case c.render == "" && err != nil:
				t.Errorf("Render fails: %v", err)
			case c.render != "" && (err == nil || !strings.Contains(err.Error(), c.render) || !strings.Contains(err.Error(), f.Switches[0].Name)):
				t.Errorf("Render: %v, want an error with the switch's name and %q", err, c.render)
			}
		})
	}
}

// The goldens bring up nothing but what they are made for.
func TestFindingsOfTheGoldens(t *testing.T) {
	d := newDriver(t)
	for name, want := range map[string][]string{
		"leaf-spine": {"SONIC_GNMI_CERTIFICATES", "SONIC_CABLE_ROUNDED"},
		"single":     {"SONIC_GNMI_CERTIFICATES"},
		"breakout":   {"SONIC_GNMI_CERTIFICATES", "SONIC_BUFFER_DERIVED", "SONIC_CABLE_NOT_IN_TABLE"},
		"unnumbered": {"SONIC_GNMI_CERTIFICATES", "SONIC_FRR_CONF"},
	} {
		f := goldens[name]().named(d)
		var got []string
		for _, g := range d.Check(f, &f.Switches[0]) {
			got = append(got, g.Code)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// VLAN 1 does not exist on SONiC; nothing that would not load is written.
func TestRenderRefuses(t *testing.T) {
	d := newDriver(t)
	for want, change := range map[string]func(f *testFabric){
		"is not Vlan2 to Vlan4095":        func(f *testFabric) { f.VLANs[0].ID = 1 },
		"outside 2..4094":                 func(f *testFabric) { f.VLANs[0].ID = 4095 },
		"is a routed interface":           func(f *testFabric) { f.Switches[0].Ports[0].Address = f.Switches[0].Ports[4].Address.Masked() },
		"is outside -8..7":                func(f *testFabric) { f.Lossless.Profiles[0].AlphaLog2 = 8 },
		"is below green_min_threshold":    func(f *testFabric) { f.Lossless.Profiles[0].KmaxBytes = 1 },
		"size and xoff above zero":        func(f *testFabric) { f.Lossless.Profiles[0].XoffBytes, f.Models[0].ID = 0, "dell-z9864f" },
		"characters, allowed are 1 to 63": func(f *testFabric) { f.Switches[0].Name = strings.Repeat("x", 64) },
	} {
		f := leafSpineFabric()
		change(f)
		files, err := d.Render(f.named(d), &f.Switches[0], nil)
		if err == nil || !strings.Contains(err.Error(), want) || files != nil {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestSupport(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Support() {
		if r.Intent == "" || seen[r.Intent] || r.Source == "" || !slices.Contains([]Level{Confirmed, Partial, Not}, r.Level) {
			t.Errorf("%+v", r)
		}
		seen[r.Intent] = true
		if r.Level == Not && r.Where != "" || r.Level == Partial && r.Note == "" {
			t.Errorf("%s: %s without a reason, or written though not supported", r.Intent, r.Level)
		}
	}
	// Every table that is written has a row.
	all := ""
	for _, r := range Support() {
		all += r.Where + ", "
	}
	d := newDriver(t)
	for _, build := range goldens {
		f := build().named(d)
		for _, tab := range parsed(t, render(t, d, f, 0)["config_db.json"]).doc {
			if !strings.Contains(all, tab.name) {
				t.Errorf("%s is not in the support table", tab.name)
			}
		}
	}
}
