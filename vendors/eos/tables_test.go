package eos

import (
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

func TestPortName(t *testing.T) {
	for _, c := range []struct {
		form        string
		speed       int // of the cage
		cage, split int
		lane        int
		want        string
		source      string
	}{
		{"QSFP-DD", 400, 1, 1, 0, "Ethernet1/1", "SONiC alias, 7060DX5-64S"},
		{"QSFP-DD", 400, 64, 1, 0, "Ethernet64/1", "SONiC alias, 7060DX5-64S"},
		{"QSFP-DD", 400, 5, 2, 1, "Ethernet5/1", "AMD 7388: 2x200G on /1 and /5"},
		{"QSFP-DD", 400, 5, 2, 2, "Ethernet5/5", "AMD 7388: 2x200G on /1 and /5"},
		{"QSFP-DD", 400, 19, 4, 3, "Ethernet19/5", "AVD issue 5260: 4x100G on 19/1, 3, 5, 7"},
		{"QSFP-DD", 400, 19, 4, 4, "Ethernet19/7", "AVD issue 5260"},
		{"OSFP", 800, 1, 2, 2, "Ethernet1/5", "Habana: 800G cage as 2 lines 400g-4"},
		{"OSFP", 800, 1, 4, 2, "Ethernet1/3", "Batfish pull request 9929"},
		{"OSFP", 800, 1, 8, 8, "Ethernet1/8", "Batfish pull request 9929"},
		{"QSFP112", 400, 3, 2, 2, "Ethernet3/3", "lane rule on four lanes"},
		{"QSFP28", 100, 7, 4, 4, "Ethernet7/4", "lane rule on four lanes"},
		{"SFP28", 25, 48, 1, 0, "Ethernet48", "single-lane cage (Batfish)"},
		{"SFP+", 10, 65, 1, 0, "Ethernet65", "SONiC alias, 7060DX5-64S"},
		{"", 800, 2, 1, 0, "Ethernet2/1", "form unknown"},
		{"", 25, 2, 1, 0, "Ethernet2", "form unknown"},
	} {
		m := panel("m", "th5", 66, c.speed, c.form)
		p := fabric.Port{Cage: c.cage, Lane: c.lane, Split: c.split}
		if got := portName(&m, &p); got != c.want {
			t.Errorf("%dG %s cage %d, member %d of %d: %s, want %s (%s)", c.speed, c.form, c.cage, c.lane, c.split, got, c.want, c.source)
		}
	}
	odd := fabric.Model{Cages: []fabric.Cage{{Number: 49, SpeedGbps: 100, Form: "QSFP28"}}}
	if got := portName(&odd, &fabric.Port{Cage: 49, Split: 1}); got != "Ethernet49/1" {
		t.Errorf("panel that does not start at 1: %s", got)
	}
}

func TestSpeedWord(t *testing.T) {
	for _, c := range []struct {
		form               string
		cage, split, speed int
		want               string
		source             string
	}{
		{"OSFP", 800, 1, 800, "800g-8", "AVD"},
		{"OSFP", 800, 2, 400, "400g-4", "Habana, Batfish 9929"},
		{"OSFP", 800, 4, 200, "200g-2", "Habana, Batfish 9929"},
		{"OSFP", 800, 8, 100, "100g-1", "Batfish 9929"},
		{"OSFP", 800, 1, 400, "400g-4", "Batfish 9929: one of two members"},
		{"QSFP-DD", 400, 1, 400, "400g-8", "AVD"},
		{"QSFP-DD", 400, 2, 200, "200g-4", "AMD 7388"},
		{"QSFP-DD", 400, 4, 100, "100g-2", "AVD issue 5260, Habana"},
		{"QSFP112", 400, 1, 400, "400g-4", "AVD"},
		{"QSFP112", 400, 2, 200, "200g-2", "AVD"},
		{"QSFP56", 200, 1, 200, "200g-4", "AVD"},
		{"QSFP28", 100, 1, 100, "100g-4", "AVD"},
		{"QSFP28", 100, 4, 25, "25g", "AVD"},
		{"QSFP+", 40, 1, 40, "40g-4", "AVD"},
		{"SFP28", 25, 1, 25, "25g", "AVD"},
		{"OSFP", 1600, 1, 1600, "1.6t-8", "AVD"},
		{"OSFP", 1600, 2, 800, "800g-4", "AVD"},
		{"OSFP", 1600, 4, 400, "400g-2", "AVD"},
		{"OSFP", 800, 2, 200, "", "half the lanes of each member: no published line"},
		{"OSFP", 800, 3, 200, "", "three members do not share eight lanes"},
		{"QSFP-DD", 400, 1, 120, "", "no such rate"},
		{"DSFP", 100, 1, 100, "", "no port name known"},
		{"", 800, 1, 800, "", "form unknown"},
	} {
		if got := speedWord(fabric.Cage{SpeedGbps: c.cage, Form: c.form}, c.split, c.speed); got != c.want {
			t.Errorf("%dx%dG in a %dG %s cage: %q, want %q (%s)", c.split, c.speed, c.cage, c.form, got, c.want, c.source)
		}
	}
}

func TestThresholds(t *testing.T) {
	for _, c := range []struct {
		unit              unit
		kmin, kmax        int
		wantLow, wantHigh int
		why               string
	}{
		{unitBytes, 400_000, 1_600_000, 400_000, 1_600_000, "exact"},
		{unitBytes, 131_072, 262_144, 131_072, 262_144, "SONiC's 7060X6-O128 profile, exact"},
		{unitKbytes, 400_000, 1_600_000, 390, 1600, "390*1024 = 399360 is at most 400000; 1600*1000 is Kmax"},
		{unitKbytes, 131_072, 262_144, 128, 263, "128*1024 is Kmin; 263*1000 is the first at or above Kmax"},
		{unitKbytes, 1_048_576, 2_097_152, 1024, 2098, "SONiC's default profile"},
		{unitKbytes, 7_000, 150_000, 6, 150, "Huawei's delay-first profile"},
		{unitKbytes, 500, 600, 1, 1, "never below one"},
		{unitBytes, 0, 0, 1, 1, "never below one"},
	} {
		low, high := c.unit.thresholds(c.kmin, c.kmax)
		if low != c.wantLow || high != c.wantHigh {
			t.Errorf("%d to %d in %s: %d to %d, want %d to %d (%s)", c.kmin, c.kmax, c.unit, low, high, c.wantLow, c.wantHigh, c.why)
		}
	}
}

func TestTimers(t *testing.T) {
	ms := time.Millisecond
	for _, c := range []struct {
		detect, restore         time.Duration
		timeout, recovery, poll string
		ok                      bool
	}{
		{200 * ms, 200 * ms, "0.20", "0.20", "0.100", true}, // AIGuide
		{200 * ms, 400 * ms, "0.20", "0.40", "0.100", true},
		{205 * ms, 400 * ms, "0.21", "0.40", "0.105", true},
		{10 * ms, 10 * ms, "0.01", "0.01", "0.005", true},
		{60 * time.Second, 60 * time.Second, "60.00", "60.00", "30.000", true},
		{1 * ms, 400 * ms, "", "0.40", "", false},
		{200 * ms, 61 * time.Second, "0.20", "", "", false},
	} {
		timeout, a := timer(c.detect)
		recovery, b := timer(c.restore)
		if timeout != c.timeout || recovery != c.recovery || (a && b) != c.ok {
			t.Errorf("%v, %v: %q %q %v", c.detect, c.restore, timeout, recovery, a && b)
		}
		if c.ok && polling(c.detect, c.restore) != c.poll {
			t.Errorf("%v, %v: polling %s, want %s", c.detect, c.restore, polling(c.detect, c.restore), c.poll)
		}
	}
}

func TestAlpha(t *testing.T) {
	for log2, want := range map[int]string{-7: "1/128", -4: "1/16", -3: "1/8", -1: "1/2", 0: "1", 1: "2", 3: "8", -8: "", 4: ""} {
		if got, _ := alpha(log2); got != want {
			t.Errorf("2^%d: %q, want %q", log2, got, want)
		}
	}
}

func TestPlatform(t *testing.T) {
	for _, c := range []struct {
		id, asic, queue string
		sure            bool
		management      string
	}{
		{"arista-7060dx5-64s", "th4", "uc-tx-queue", true, "Management1"},
		{"arista-7060x6-64pe", "th5", "uc-tx-queue", false, "Management1"},
		{"arista-7388x5", "th4", "uc-tx-queue", true, "Management1"},
		{"arista-7280r3", "j2c", "tx-queue", true, "Management1"},
		{"arista-7800r4", "", "tx-queue", true, "Management0"},
		{"arista-7700r4", "", "tx-queue", false, "Management1"},
		{"my-box", "td4", "uc-tx-queue", false, "Management1"},
		{"my-box", "j3ai", "tx-queue", false, "Management1"},
		{"my-box", "", "", false, "Management1"},
	} {
		p := platformOf(&fabric.Model{ID: c.id, ASIC: c.asic})
		if p.queue != c.queue || p.sure != c.sure || p.management != c.management {
			t.Errorf("%s with %q: %+v", c.id, c.asic, p)
		}
	}
}

// codes are the findings of a switch with their severity.
func codes(t *testing.T, f *fabric.Fabric, sw int) []string {
	t.Helper()
	var out []string
	for _, x := range driver(t).Check(f, &f.Switches[sw]) {
		if x.Message == "" || strings.Contains(x.Message, f.Switches[sw].Name) || !slices.Equal(x.Objects, []string{f.Switches[sw].Name}) {
			t.Errorf("finding %+v", x)
		}
		out = append(out, string(x.Severity)+" "+x.Code)
	}
	return out
}

func TestFindings(t *testing.T) {
	class := func(f *fabric.Fabric) *fabric.Class { return &f.Lossless.Classes[1] }
	for _, c := range []struct {
		name   string
		change func(*fabric.Fabric)
		want   string // a finding that must appear; with a leading "-" one that must not
	}{
		{"th4 is known", func(*fabric.Fabric) {}, "-warning EOS_QUEUE_MODE_INFERRED"},
		{"th5 is inferred", func(f *fabric.Fabric) { f.Models[0].ID = "arista-7060x6-64de" }, "warning EOS_QUEUE_MODE_INFERRED"},
		{"unknown chip", func(f *fabric.Fabric) { f.Models[0].ID, f.Models[0].ASIC = "x", "" }, "error EOS_QUEUE_MODE_UNKNOWN"},
		{"chassis", func(f *fabric.Fabric) { f.Models[0].ID = "arista-7388x5" }, "error EOS_CHASSIS_PORTS"},
		{"distributed system", func(f *fabric.Fabric) { f.Models[0].ID = "arista-7700r4" }, "error EOS_CELL_FABRIC"},
		{"cell ports", func(f *fabric.Fabric) { f.Switches[0].Ports[2].Role = fabric.CellPort }, "error EOS_CELL_FABRIC"},
		{"form unknown", func(f *fabric.Fabric) { f.Models[0].Cages[0].Form = "" }, "error EOS_PORT_SPEED"},
		{"unused cage of unknown form", func(f *fabric.Fabric) { f.Models[0].Cages[2].Form = "" }, "-error EOS_PORT_SPEED"},
		{"PFC priority", func(f *fabric.Fabric) { class(f).Priority = 5 }, "error EOS_PFC_PRIORITY"},
		{"queue 7", func(f *fabric.Fabric) { class(f).Queue = 7 }, "error EOS_QUEUE_7"},
		{"watchdog alert", func(f *fabric.Fabric) { f.Lossless.Watchdog.Action = "alert" }, "error EOS_WATCHDOG_ACTION"},
		{"watchdog forward", func(f *fabric.Fabric) { f.Lossless.Watchdog.Action = "forward" }, "error EOS_WATCHDOG_ACTION"},
		{"watchdog too fast", func(f *fabric.Fabric) { f.Lossless.Watchdog.Detect = time.Millisecond }, "error EOS_WATCHDOG_RANGE"},
		{"watchdog rounded", func(f *fabric.Fabric) { f.Lossless.Watchdog.Restore += time.Millisecond }, "info EOS_WATCHDOG_ROUNDED"},
		{"watchdog off", func(f *fabric.Fabric) { f.Lossless.Watchdog.Enabled = false }, "info EOS_WATCHDOG_OFF"},
		{"headroom", func(*fabric.Fabric) {}, "warning EOS_HEADROOM"},
		{"no lossless plan", func(f *fabric.Fabric) { f.Lossless = nil }, "-warning EOS_HEADROOM"},
		{"MTU of a bridge", func(*fabric.Fabric) {}, "-info EOS_MTU"},
		{"MTU of a gateway", func(f *fabric.Fabric) { f.VLANs[0].Gateway = prefix("10.16.0.1/24") }, "info EOS_MTU"},
		{"no users", func(f *fabric.Fabric) { f.Management.Users = nil }, "warning EOS_NO_USERS"},
		{"MTU that fits", func(f *fabric.Fabric) { f.VLANs[0].Gateway, f.Underlay.MTU = prefix("10.16.0.1/24"), 9214 }, "-info EOS_MTU"},
		{"no management address", func(f *fabric.Fabric) { f.Switches[0].Management = fabric.Switch{}.Management }, "warning EOS_NO_MANAGEMENT_ADDRESS"},
		{"IPv6", func(f *fabric.Fabric) { f.Switches[0].Loopback = addr("fd00::1") }, "error EOS_IPV6"},
		{"clear text", func(*fabric.Fabric) {}, "warning EOS_GNMI_PLAINTEXT"},
		{"no uplinks, no balancing", func(*fabric.Fabric) {}, "-info EOS_LOAD_BALANCING"},
	} {
		f := single()
		c.change(f)
		got := codes(t, f, 0)
		want, absent := strings.CutPrefix(c.want, "-")
		if slices.Contains(got, want) == absent {
			t.Errorf("%s: findings %q, want %q", c.name, got, c.want)
		}
		if _, err := driver(t).Render(f, &f.Switches[0], testSecrets); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if f := leafSpine(true); !slices.Contains(codes(t, f, 0), "info EOS_LOAD_BALANCING") {
		t.Error("a leaf with two uplinks hears nothing of load balancing")
	}
}

// TestRefusedIsLeftOut shows that what a finding refuses has no line.
func TestRefusedIsLeftOut(t *testing.T) {
	f := single()
	f.Lossless.Watchdog.Action = "alert"
	f.Models[0].ID, f.Models[0].ASIC = "x", ""
	f.Models[0].Cages[0].Form = ""
	cfg := render(t, f, 0)[startupConfig]
	for _, word := range []string{"watchdog", "tx-queue", "random-detect", "bandwidth"} {
		if strings.Contains(cfg, word) {
			t.Errorf("%q is written although it is refused", word)
		}
	}
	if !strings.Contains(cfg, "priority-flow-control priority 3 no-drop") || strings.Contains(cfg, "speed \n") {
		t.Error("what is confirmed must stay")
	}
}

// TestPlannedPort shuts a host port whose server is still to come.
func TestPlannedPort(t *testing.T) {
	f := single()
	p := &f.Switches[0].Ports[2]
	p.Role, p.Reserved, p.VLAN = fabric.HostPort, true, 1
	want := "interface Ethernet3/1\n   description reserved\n   shutdown\n   speed 400g-8\n!\n"
	if cfg := render(t, f, 0)[startupConfig]; !strings.Contains(cfg, want) {
		t.Errorf("no %q in\n%s", want, cfg)
	}
}
