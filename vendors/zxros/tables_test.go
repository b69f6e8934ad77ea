package zxros

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
		{1, 1, 1, 0, 1, "gei-0/1/1/1", "prefix: netx"},
		{10, 2, 1, 0, 10, "xgei-0/1/1/2", "5960X"},
		{25, 15, 1, 0, 25, "xxvgei-0/1/1/15", "prefix: netx"},
		{40, 3, 1, 0, 40, "xlgei-0/1/1/3", "prefix: names"},
		{50, 3, 1, 0, 50, "lgei-0/1/1/3", "prefix: names"},
		{100, 33, 1, 0, 100, "cgei-0/1/1/33", "prefix: netx"},
		{200, 33, 1, 0, 200, "ccgei-0/1/1/33", "prefix: names"},
		{400, 1, 1, 0, 400, "cdgei-0/1/1/1", "prefix: netx"},
		{400, 1, 1, 0, 100, "cdgei-0/1/1/1", "the kind is the cage's"},
		{800, 9, 1, 0, 800, "9", "no 800G name was found"},
		{400, 9, 2, 2, 200, "9/2", "no name of a part was found"},
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
		{"lossless", func(*fabric.Fabric) {}, "error ZXROS_LOSSLESS_UNCONFIRMED"},
		{"no lossless plan", func(f *fabric.Fabric) { f.Lossless = nil }, "-error ZXROS_LOSSLESS_UNCONFIRMED"},
		{"BGP", func(*fabric.Fabric) {}, "error ZXROS_BGP_UNCONFIRMED"},
		{"no BGP", func(f *fabric.Fabric) { f.Underlay.BGP = false }, "-error ZXROS_BGP_UNCONFIRMED"},
		{"port names", func(*fabric.Fabric) {}, "-error ZXROS_PORT_NAME"},
		{"800G", func(f *fabric.Fabric) { f.Models[0].Cages[0].SpeedGbps = 800 }, "error ZXROS_PORT_NAME"},
		{"split", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Split = 2 }, "error ZXROS_PORT_NAME"},
		{"path", func(*fabric.Fabric) {}, "warning ZXROS_PORT_PATH"},
		{"slow", func(f *fabric.Fabric) { f.Switches[0].Ports[0].SpeedGbps = 100 }, "warning ZXROS_SPEED"},
		{"cell ports", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Role = fabric.CellPort }, "error ZXROS_CELL_FABRIC"},
		{"IPv6", func(f *fabric.Fabric) { f.Switches[0].Loopback = addr("fd00::1") }, "error ZXROS_IPV6"},
		{"unnumbered", func(f *fabric.Fabric) { f.Switches[0].Ports[4].Address = netip.Prefix{} }, "error ZXROS_UNNUMBERED"},
		{"numbered", func(*fabric.Fabric) {}, "-error ZXROS_UNNUMBERED"},
		{"management", func(*fabric.Fabric) {}, "warning ZXROS_MANAGEMENT"},
		{"loading", func(*fabric.Fabric) {}, "warning ZXROS_LOADING"},
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
	if !strings.Contains(body, "interface cdgei-0/1/1/5\n  description spine-01:cdgei-0/1/1/1\n  shutdown\n$") {
		t.Error(body)
	}
}

func TestTakesHash(t *testing.T) {
	if !driver(t).TakesHash("anything") {
		t.Error("the file holds no users, so no hash can be wrong")
	}
}

// TestBlocks holds the nesting: every header is closed by a $ at its own depth,
// and every section by its marker.
func TestBlocks(t *testing.T) {
	for _, g := range goldens() {
		var open []int
		section := ""
		for i, line := range strings.Split(strings.TrimSuffix(render(t, g.f, g.sw)[config], "\n"), "\n")[1:] {
			text := strings.TrimLeft(line, " ")
			depth := (len(line) - len(text)) / 2
			switch {
			case strings.HasPrefix(text, "!</"):
				if text != "!</"+section+">" || len(open) > 0 {
					t.Errorf("%s:%d: %q closes %q with %d blocks open", g.name, i+2, text, section, len(open))
				}
				section = ""
			case strings.HasPrefix(text, "!<"):
				section = strings.Trim(text, "!<>")
			case text == "$":
				if n := len(open); n == 0 || open[n-1] != depth {
					t.Fatalf("%s:%d: $ at depth %d, open are %v", g.name, i+2, depth, open)
				}
				open = open[:len(open)-1]
			case strings.HasPrefix(text, "interface ") || strings.HasPrefix(text, "vlan ") || text == "switchvlan-configuration":
				open = append(open, depth)
			case depth != len(open) || section == "":
				t.Errorf("%s:%d: %q at depth %d of %d in %q", g.name, i+2, line, depth, len(open), section)
			}
		}
	}
}
