package rgos

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

func TestPortName(t *testing.T) {
	for _, c := range []struct {
		cageSpeed, cage, split, lane, speed int
		want, source                        string
	}{
		{1, 1, 1, 0, 1, "GigabitEthernet 0/1", "course"},
		{10, 2, 1, 0, 10, "TenGigabitEthernet 0/2", "course, QTech"},
		{25, 15, 1, 0, 25, "TFGigabitEthernet 0/15", "console"},
		{25, 15, 1, 0, 10, "TFGigabitEthernet 0/15", "console: a 25G cage with a 10G module"},
		{40, 3, 1, 0, 40, "FortyGigabitEthernet 0/3", "console"},
		{100, 55, 1, 0, 100, "HundredGigabitEthernet 0/55", "console, QTech"},
		{400, 9, 1, 0, 400, "FHGigabitEthernet 0/9", "topo, AILB"},
		{800, 9, 2, 1, 400, "FHGigabitEthernet 0/9:1", "topo"},
		{800, 9, 2, 2, 400, "FHGigabitEthernet 0/9:2", "topo"},
		{800, 9, 1, 0, 800, "9", "no 800G name was found"},
		{200, 9, 1, 0, 200, "9", "no 200G name was found"},
		{400, 9, 2, 2, 200, "9/2", "no 200G name was found"},
		{400, 9, 4, 3, 100, "9/3", "parts at 100G were not seen"},
	} {
		m := panel("m", "th5", 60, c.cageSpeed, "")
		p := fabric.Port{Cage: c.cage, Split: c.split, Lane: c.lane, SpeedGbps: c.speed}
		if got := driver(t).PortName(&m, &p); got != c.want {
			t.Errorf("%dG cage %d, part %d of %d: %q, want %q (%s)", c.cageSpeed, c.cage, c.lane, c.split, got, c.want, c.source)
		}
	}
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*fabric.Fabric)
		want   string // a finding that must appear; with a leading "-" one that must not
	}{
		{"lossless", func(*fabric.Fabric) {}, "error RGOS_LOSSLESS_UNCONFIRMED"},
		{"no lossless plan", func(f *fabric.Fabric) { f.Lossless = nil }, "-error RGOS_LOSSLESS_UNCONFIRMED"},
		{"BGP", func(*fabric.Fabric) {}, "error RGOS_BGP_UNCONFIRMED"},
		{"no BGP", func(f *fabric.Fabric) { f.Underlay.BGP = false }, "-error RGOS_BGP_UNCONFIRMED"},
		{"port names", func(*fabric.Fabric) {}, "-error RGOS_PORT_NAME"},
		{"800G", func(f *fabric.Fabric) { f.Models[0].Cages[0].SpeedGbps = 800 }, "error RGOS_PORT_NAME"},
		{"split", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Split = 2 }, "warning RGOS_BREAKOUT"},
		{"slow", func(f *fabric.Fabric) { f.Switches[0].Ports[0].SpeedGbps = 100 }, "warning RGOS_SPEED"},
		{"cell ports", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Role = fabric.CellPort }, "error RGOS_CELL_FABRIC"},
		{"IPv6", func(f *fabric.Fabric) { f.Switches[0].Loopback = addr("fd00::1") }, "error RGOS_IPV6"},
		{"unnumbered", func(f *fabric.Fabric) { f.Switches[0].Ports[4].Address = netip.Prefix{} }, "error RGOS_UNNUMBERED"},
		{"numbered", func(*fabric.Fabric) {}, "-error RGOS_UNNUMBERED"},
		{"management", func(*fabric.Fabric) {}, "warning RGOS_MANAGEMENT"},
		{"MTU", func(*fabric.Fabric) {}, "warning RGOS_MTU"},
		{"no commit", func(*fabric.Fabric) {}, "info RGOS_NO_COMMIT"},
	} {
		f := leafSpine(true)
		c.change(f)
		got := codes(t, f, 0)
		want, absent := strings.CutPrefix(c.want, "-")
		if slices.Contains(got, want) == absent {
			t.Errorf("%s: findings %q, want %q", c.name, got, c.want)
		}
		if _, err := driver(t).Render(f, &f.Switches[0], noSecrets); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestUnnumberedIsShut: a port without an address would be a bridge port.
func TestUnnumberedIsShut(t *testing.T) {
	body := render(t, leafSpine(false), 0)[config]
	if !strings.Contains(body, "interface FHGigabitEthernet 0/5\n description spine-01:FHGigabitEthernet 0/1\n shutdown\n!") {
		t.Error(body)
	}
}

func TestTakesHash(t *testing.T) {
	if !driver(t).TakesHash("anything") {
		t.Error("the file holds no users, so no hash can be wrong")
	}
}
