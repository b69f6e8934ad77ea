package lossless

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// The 64-GPU case: one S9827, all hosts on it.
func TestPlanSingleSwitch(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 1, hosts: 64, os: "comware"}.build(t, c)
	f.Switches[0].Ports = append(f.Switches[0].Ports, fabric.Port{Cage: 65, Split: 1, SpeedGbps: 400, Role: fabric.UnusedPort, Link: -1, Reserved: true})
	mustPlan(t, c, f)
	l := f.Lossless
	want := fabric.Profile{
		SpeedGbps: 400, LengthM: 5, MTU: 9216, XoffBytes: 394208, SizeBytes: 394208,
		Headroom:  "fit Broadcom Tomahawk 5",
		Source:    "railyard's fit of the Broadcom Tomahawk 5 tables in SONiC sonic-buildimage (within 0.8 % of each), applied to h3c-s9827-128dh because the chip is of that family",
		KminBytes: 400000, KmaxBytes: 1600000, PmaxPercent: 20,
	}
	if len(l.Profiles) != 1 || l.Profiles[0] != want {
		t.Errorf("profiles %+v, want %+v", l.Profiles, want)
	}
	for i, p := range f.Switches[0].Ports {
		if wantProfile := map[bool]int{true: 0, false: -1}[p.Role == fabric.HostPort]; p.Profile != wantProfile {
			t.Errorf("port %d (%s): profile %d, want %d", i, p.Role, p.Profile, wantProfile)
		}
	}
	if f.Groups[0].Class < 0 || l.Classes[f.Groups[0].Class].Name != "roce" {
		t.Errorf("group class %d of %+v", f.Groups[0].Class, l.Classes)
	}
	wantBuffer := []fabric.Buffer{{Switches: []int{0}, HeadroomBytes: 64 * 394208, TotalBytes: 165300000}}
	if !reflect.DeepEqual(l.Buffers, wantBuffer) {
		t.Errorf("buffers %+v, want %+v", l.Buffers, wantBuffer)
	}
	if !l.Deadlock.Checked || !l.Deadlock.Free || !strings.Contains(l.Deadlock.Scope, "no link joins two packet switches") {
		t.Errorf("deadlock %+v", l.Deadlock)
	}
	if l.ECNProfile != "auto" || !strings.Contains(l.ECNSource, "railyard's suggestion") {
		t.Errorf("ECN %s: %s", l.ECNProfile, l.ECNSource)
	}
	for _, finding := range f.Findings {
		if finding.Severity != fabric.Info {
			t.Errorf("a sound design drew %s: %s", finding.Code, finding.Message)
		}
	}
}

// Two runs give the same bytes, and a second Plan over the same fabric adds
// nothing but its findings again.
func TestPlanIsDeterministic(t *testing.T) {
	plan := func() *fabric.Fabric {
		c := declared(t)
		f := clos{leaves: 6, spines: 3, hosts: 12, unique: true, model: "nvidia-sn5600"}.build(t, c)
		mustPlan(t, c, f)
		return f
	}
	a, b := plan(), plan()
	if !reflect.DeepEqual(a, b) {
		t.Error("two plans of one cluster differ")
	}
}

func TestProfilesAreSortedAndShared(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 4, spines: 2, hosts: 8, model: "nvidia-sn5600", spineModel: "h3c-s9827-128dh", hostSpeed: 400, speed: 800, length: 40}.build(t, c)
	mustPlan(t, c, f)
	type key struct {
		model, speed int
		length       float64
	}
	var keys []key
	for _, p := range f.Lossless.Profiles {
		keys = append(keys, key{p.Model, p.SpeedGbps, p.LengthM})
	}
	want := []key{{0, 400, 5}, {0, 800, 40}, {1, 800, 40}}
	if !slices.Equal(keys, want) {
		t.Errorf("profiles %v, want %v", keys, want)
	}
	leaf, spine := f.Switches[0].Ports, f.Switches[4].Ports
	if leaf[0].Profile != 0 || leaf[8].Profile != 1 || spine[0].Profile != 2 {
		t.Errorf("ports point at %d, %d, %d", leaf[0].Profile, leaf[8].Profile, spine[0].Profile)
	}
	// 8 hosts at 231424+19456 and 2 uplinks at 410624 (SN5600, one class).
	if got := f.Lossless.Buffers[0].HeadroomBytes; got != 8*250880+2*410624 {
		t.Errorf("leaf headroom %d", got)
	}
}

func TestInfiniBandKeepsOnlyWhatHolds(t *testing.T) {
	c := declared(t, cluster.ServerGroup{Name: "gpu", Count: 2, GPU: "a100-80-sxm4", GPUs: 8, NIC: "cx7-400-vpi", NICs: 8, NICSpeed: 400, PCIe: cluster.PCIe{Gen: 4, Lanes: 16}})
	f := clos{leaves: 4, spines: 2, hosts: 4, model: "nvidia-qm9700", hostLength: 3000}.build(t, c)
	f.Technology, f.RoCE, f.Underlay.BGP = fabric.InfiniBand, "", false
	f.InfiniBand = &fabric.Subnet{Manager: "opensm", Routing: "auto"}
	mustPlan(t, c, f)
	if f.Lossless != nil {
		t.Error("InfiniBand has a lossless plan")
	}
	if finding(f, "PCIE_BELOW_NIC") == nil || finding(f, "REACH_EXCEEDED") == nil {
		t.Errorf("findings %+v", f.Findings)
	}
	for _, x := range f.Findings {
		if x.Code == "FEW_SPINES" || x.Code == "HOL_RISK" {
			t.Errorf("%s on InfiniBand", x.Code)
		}
	}
	if f.Switches[0].Ports[0].Profile != -1 {
		t.Error("a port of an InfiniBand switch has a profile")
	}
}

func TestDDCLeavesCellPortsOut(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 2, spines: 2, hosts: 8, model: "h3c-s12500ai-36dh20ep-ncpn", spineModel: "h3c-s12500ai-128ep-ncfn", speed: 800}.build(t, c)
	f.Topology, f.Underlay.BGP = fabric.DDC, false
	for i := range f.Switches {
		for j := range f.Switches[i].Ports {
			if p := &f.Switches[i].Ports[j]; p.Role != fabric.HostPort {
				p.Role = fabric.CellPort
			}
		}
	}
	mustPlan(t, c, f)
	for i := range f.Switches {
		for _, p := range f.Switches[i].Ports {
			if p.Role == fabric.CellPort && p.Profile != -1 {
				t.Fatalf("%s: a cell port has profile %d", f.Switches[i].Name, p.Profile)
			}
		}
	}
	if d := f.Lossless.Deadlock; !d.Checked || !d.Free || !strings.Contains(d.Scope, "4 links of the cell fabric") {
		t.Errorf("deadlock %+v", d)
	}
}

func TestImpossibleWishes(t *testing.T) {
	for _, tc := range []struct {
		name  string
		wish  func(*cluster.Lossless)
		build clos
		path  string
		says  []string
	}{
		{"CNP on the lossless priority", func(l *cluster.Lossless) { l.CNP.Priority = 3 }, clos{}, "lossless.cnp.priority", []string{"priority 3", "paused"}},
		{"CNP with the lossless DSCP", func(l *cluster.Lossless) { l.CNP.DSCP = 26 }, clos{}, "lossless.cnp.dscp", []string{"DSCP 26"}},
		{"lossless default", func(l *cluster.Lossless) { l.Priority = cluster.AutoPriority{Set: true} }, clos{}, "lossless.priority", []string{"priority 0"}},
		{"lossless unmarked", func(l *cluster.Lossless) { l.DSCP = cluster.AutoDSCP{Set: true} }, clos{}, "lossless.dscp", []string{"DSCP 0"}},
		{"CNP unmarked", func(l *cluster.Lossless) { l.CNP = cluster.CNP{} }, clos{}, "lossless.cnp", []string{"0"}},
		{"no such profile", func(l *cluster.Lossless) { l.ECN.Profile = "cisco" }, clos{}, "lossless.ecn.profile", []string{"cisco"}},
		{"profile without that speed", func(l *cluster.Lossless) { l.ECN.Profile = "h3c-400g" }, clos{hostSpeed: 400, speed: 800, spines: 2, leaves: 2}, "lossless.ecn.profile", []string{"h3c-400g", "400G only", "800G"}},
		{"custom without a band", func(l *cluster.Lossless) { l.ECN = cluster.ECN{Profile: "custom", Kmin: 5000, Kmax: 5000, Pmax: 10} }, clos{}, "lossless.ecn", []string{"5000"}},
		{"custom without probability", func(l *cluster.Lossless) { l.ECN = cluster.ECN{Kmin: 5000, Kmax: 9000} }, clos{}, "lossless.ecn.pmax", nil},
		{"watchdog out of range", func(l *cluster.Lossless) { l.Watchdog.Detect = 6 * time.Second }, clos{}, "lossless.watchdog.detect", []string{"6s", "sonic"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := declared(t)
			tc.wish(&c.Lossless)
			tc.build.leaves, tc.build.hosts = max(tc.build.leaves, 1), 8
			f := tc.build.build(t, c)
			err := Plan(c, f)
			var problems cluster.Problems
			if !errors.As(err, &problems) {
				t.Fatalf("Plan returned %v, want problems", err)
			}
			if len(problems) != 1 || problems[0].Path != tc.path || problems[0].Remedy == "" {
				t.Fatalf("problems %+v, want one at %s with a remedy", problems, tc.path)
			}
			for _, s := range tc.says {
				if !strings.Contains(problems[0].Message, s) {
					t.Errorf("message %q lacks %q", problems[0].Message, s)
				}
			}
		})
	}
}

func TestDeclaredHeadroom(t *testing.T) {
	c := declared(t)
	c.Lossless.Headroom = 300_000
	f := clos{leaves: 1, hosts: 8, model: "nvidia-sn5600"}.build(t, c)
	mustPlan(t, c, f)
	p := f.Lossless.Profiles[0]
	if p.XoffBytes != 300_000 || p.SizeBytes != 300_000+19456 || p.Headroom != "declared" || !strings.Contains(p.Source, "231424") {
		t.Errorf("%+v", p)
	}
	if x := finding(f, "HEADROOM_SHORT"); x != nil {
		t.Errorf("300000 B is enough for 231424: %+v", x)
	}
	c.Lossless.Headroom = 200_000
	f = clos{leaves: 1, hosts: 8, model: "nvidia-sn5600"}.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HEADROOM_SHORT"); x == nil || !strings.Contains(x.Remedy, "231424") {
		t.Errorf("200000 B is short: %+v", x)
	}
}

func TestWatchdog(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 1, hosts: 8, os: "sonic"}.build(t, c)
	mustPlan(t, c, f)
	want := fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"}
	if f.Lossless.Watchdog != want || finding(f, "WATCHDOG_BELOW_POLL") != nil {
		t.Errorf("%+v %+v", f.Lossless.Watchdog, f.Findings)
	}
	for _, tc := range []struct {
		detect time.Duration
		os     string
		code   string
	}{
		{100 * time.Millisecond, "sonic", "WATCHDOG_BELOW_POLL"}, {100 * time.Millisecond, "eos", ""},
		{5 * time.Millisecond, "comware", "WATCHDOG_SHORT"}, {0, "comware", "WATCHDOG_OFF"},
	} {
		c := declared(t)
		c.Lossless.Watchdog.Detect = tc.detect
		f := clos{leaves: 1, hosts: 8, os: tc.os}.build(t, c)
		mustPlan(t, c, f)
		for _, code := range []string{"WATCHDOG_BELOW_POLL", "WATCHDOG_SHORT", "WATCHDOG_OFF"} {
			if (finding(f, code) != nil) != (code == tc.code) {
				t.Errorf("%s on %s: %s reported: %v", tc.detect, tc.os, code, finding(f, code) != nil)
			}
		}
		if f.Lossless.Watchdog.Enabled != (tc.detect > 0) {
			t.Errorf("%s: enabled %v", tc.detect, f.Lossless.Watchdog.Enabled)
		}
	}
}

func TestFindingsAreComplete(t *testing.T) {
	c := declared(t, nvidia("a"), nvidia("b"), ascend("npu"))
	c.Fabric.Oversubscription = quantity.Ratio{Down: 1, Up: 1}
	f := clos{leaves: 12, spines: 2, hosts: 30, model: "nvidia-sn4700", length: 4000, unique: true}.build(t, c)
	f.LeafOversubscription = fabric.Ratio{Down: 15, Up: 1}
	f.RoCE = "v1"
	mustPlan(t, c, f)
	if len(f.Findings) < 6 {
		t.Errorf("only %d findings", len(f.Findings))
	}
	for _, x := range f.Findings {
		if x.Code == "" || x.Message == "" || x.Remedy == "" || x.Source == "" || len(x.Objects) > maxObjects+1 {
			t.Errorf("incomplete: %+v", x)
		}
	}
}

func TestBoundedObjects(t *testing.T) {
	got := bounded([]string{"j", "i", "h", "g", "f", "e", "d", "c", "b", "a", "a"})
	if want := []string{"a", "b", "c", "d", "e", "f", "g", "h", "and 2 more"}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
