package comware

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

func TestPortName(t *testing.T) {
	for _, c := range []struct {
		speed, cage, lane, split int
		want, source             string
	}{
		{400, 127, 0, 1, "FourHundredGigE1/0/127", "LLDP capture of a S9827-128DH"},
		{400, 58, 0, 0, "FourHundredGigE1/0/58", "S9825 fabric trace"},
		{200, 1, 2, 2, "TwoHundredGigE1/0/1:2", "S9825 fabric trace"},
		{200, 31, 0, 1, "TwoHundredGigE1/0/31", "S9825 fabric trace, unsplit cage at 200G"},
		{100, 12, 0, 1, "HundredGigE1/0/12", "LLDP capture of a S9850-32H"},
		{100, 3, 4, 4, "HundredGigE1/0/3:4", "pattern of the two above"},
		{25, 1, 4, 4, "Twenty-FiveGigE1/0/1:4", "H3C command manual"},
		{50, 1, 1, 2, "FiftyGigE1/0/1:1", "S9825 & S9855 command reference, using fiftygige"},
		{40, 51, 0, 1, "FortyGigE1/0/51", "running configuration 7.1.070 (member 1 here)"},
		{10, 3, 0, 1, "Ten-GigabitEthernet1/0/3", "running configuration 7.1.070 (member 1 here)"},
		{800, 5, 0, 1, "EightHundredGigE1/0/5", "guess, reported by Check"},
		{400, 5, 1, 2, "FourHundredGigE1/0/5:1", "pattern"},
	} {
		p := &fabric.Port{Cage: c.cage, Lane: c.lane, Split: c.split, SpeedGbps: c.speed}
		if got := driver(t).PortName(nil, p); got != c.want {
			t.Errorf("%dG cage %d: %s, want %s (%s)", c.speed, c.cage, got, c.want, c.source)
		}
	}
}

// Cells: the SONiC tables of boxes with the same chip, as cells and bytes.
func TestCells(t *testing.T) {
	for _, c := range []struct {
		bytes, cell, want int
		source            string
	}{
		{424434, 254, 1671, "Tomahawk 4, 400G, 40 m"},
		{393192, 254, 1548, "Tomahawk 5, 400G, 5 m"},
		{536148, 318, 1686, "Trident 4, 400G, 40 m"},
		{508000, 254, 2000, "400G profile of S9827-class switches"},
		{1, 254, 1, "one byte takes a cell"},
		{254, 254, 1, "a full cell"},
		{255, 254, 2, "one byte more"},
		{0, 254, 0, "nothing"},
		{1000, 0, 0, "unknown cell"},
	} {
		if got := cellsUp(c.bytes, c.cell); got != c.want {
			t.Errorf("%d bytes in cells of %d: %d, want %d (%s)", c.bytes, c.cell, got, c.want, c.source)
		}
	}
	p := &fabric.Profile{KminBytes: 1 << 20, KmaxBytes: 2 << 20, PmaxPercent: 5}
	if got := bandOf(p, 3, 254); got != (band{3, 4128, 8257, 5}) { // 4128.2, 8256.5
		t.Errorf("SONiC AZURE_LOSSLESS band: %+v", got)
	}
	p = &fabric.Profile{KminBytes: 508, KmaxBytes: 508}
	if got := bandOf(p, 3, 254); got.Low != 2 || got.High != 3 {
		t.Errorf("a step must become one cell wide: %+v", got)
	}
}

// The bands of the H3C RDMA technical reference.
func TestDynamicShare(t *testing.T) {
	for _, b := range alphaBands {
		if got := dynamicShare(b[0]); got < b[1] || got > b[2] {
			t.Errorf("alpha 2^%d: %d, want %d to %d", b[0], got, b[1], b[2])
		}
	}
	if dynamicShare(-8) != -1 || dynamicShare(4) != -1 {
		t.Error("alpha outside the table must not get a value")
	}
}

func TestWatchdogTimers(t *testing.T) {
	for _, c := range []struct {
		detect, restore time.Duration
		precision       string
		interval, delay int
	}{
		{10 * time.Millisecond, time.Second, "high", 10, 10}, // the H3C sample
		{15 * time.Millisecond, 100 * time.Millisecond, "high", 15, 1},
		{16 * time.Millisecond, 101 * time.Millisecond, "", 2, 2},
		{150 * time.Millisecond, 400 * time.Millisecond, "", 15, 4},
		{200 * time.Millisecond, 400 * time.Millisecond, "low", 2, 4}, // railyard's default
		{800 * time.Millisecond, 1500 * time.Millisecond, "low", 8, 15},
		{5 * time.Second, time.Minute, "low", 15, 15},
	} {
		l := &fabric.Lossless{
			Classes:  []fabric.Class{{Lossless: true, Queue: 3}},
			Watchdog: fabric.Watchdog{Enabled: true, Detect: c.detect, Restore: c.restore, Action: "forward"},
		}
		w := watchdogOf(l)
		if w.Precision != c.precision || w.Interval != c.interval || w.Delay != c.delay || w.Discard {
			t.Errorf("%v, %v: %+v", c.detect, c.restore, w)
		}
	}
}

// One manual ends at 16000 cells, one text at 38000; what no text confirms is refused.
func TestECNLimitRange(t *testing.T) {
	d := driver(t)
	for cells, want := range map[int]fabric.Severity{16000: "", 16001: fabric.Warning, 38000: fabric.Warning, 38001: fabric.Error} {
		s := leafSpine(t)
		for i := range s.Lossless.Profiles {
			s.Lossless.Profiles[i].KmaxBytes = cells * 254
		}
		f := s.done(d)
		got := fabric.Severity("")
		for _, x := range d.Check(f, &f.Switches[1]) {
			if x.Code == "ECN_LIMIT_RANGE" {
				got = x.Severity
			}
		}
		if got != want {
			t.Errorf("%d cells: %q, want %q", cells, got, want)
		}
	}
}

func TestFindings(t *testing.T) {
	d := driver(t)
	always := []string{"GNMI_UNCONFIRMED"}
	managed := append([]string{"DNS_IN_VRF_UNCONFIRMED", "PASSWORD_HASH_FORM", "SSH_KEYS_NOT_EMITTED"}, always...)
	lossless := []string{"WATCHDOG_UNITS_UNCONFIRMED", "XON_NOT_EMITTED", "HEADROOM_POOL_UNCONFIRMED"}
	for _, c := range []struct {
		name   string
		build  func(*testing.T) *site
		change func(*site)
		sw     int
		want   []string
	}{
		{"leaf", leafSpine, nil, 0, slices.Concat(managed, lossless, []string{"BREAKOUT_BY_HAND", "BREAKOUT_UNCONFIRMED", "IP_MTU_NOT_EMITTED"})},
		{"spine", leafSpine, nil, 1, slices.Concat(managed, lossless, []string{"IP_MTU_NOT_EMITTED"})},
		{"single", singleSwitch, nil, 0, slices.Concat(always, lossless, []string{"PASSWORD_HASH_FORM"})},
		{"800G", wide, nil, 0, slices.Concat(managed, lossless, []string{"BREAKOUT_BY_HAND", "BREAKOUT_UNCONFIRMED", "PORT_NAME_UNCONFIRMED", "IP_MTU_NOT_EMITTED"})},
		{"no watchdog", noTransit, nil, 1, slices.Concat(managed, lossless[1:], []string{"ECMP_WIDTH_UNCONFIRMED", "IP_MTU_NOT_EMITTED"})},
		{"cells", cellFabric, nil, 1, slices.Concat(managed, []string{"DDC_BRINGUP_NOT_EMITTED"})},
		{"unknown cell size", cellFabric, nil, 0, slices.Concat(managed, lossless[:1], []string{"DDC_BRINGUP_NOT_EMITTED", "CELL_SIZE_UNKNOWN", "IP_MTU_NOT_EMITTED"})},
		{"alert", singleSwitch, func(s *site) { s.Lossless.Watchdog.Action = "alert" }, 0, slices.Concat(always, lossless[1:], []string{"PASSWORD_HASH_FORM", "WATCHDOG_ALERT_UNSUPPORTED"})},
		{"everything odd", leafSpine, func(s *site) {
			for i := range s.Switches[1].Ports {
				s.Switches[1].Ports[i].Address = netip.Prefix{}
			}
			s.Models[0].ID = "h3c-s9825-g"
			s.Management.Users[1].PasswordHash = fabric.Secret{}
			s.Management.NTP = []netip.Addr{netip.MustParseAddr("2001:db8::1")}
			s.Lossless.Classes[1].Priority = 6
			s.Lossless.Profiles[0].AlphaLog2, s.Lossless.Profiles[0].KmaxBytes = 4, 16001*254
			s.Lossless.Watchdog.Detect = 2 * time.Second
			s.Underlay.HostMTU = 9200
			s.port(1, 0).SpeedGbps = 200
		}, 1, slices.Concat(managed, lossless, []string{
			"BGP_UNNUMBERED_UNCONFIRMED", "RELEASE_TRAIN_UNCONFIRMED", "USER_WITHOUT_PASSWORD", "IPV6_MANAGEMENT_NOT_EMITTED",
			"PFC_PRIORITY_RESERVED", "ALPHA_UNSUPPORTED", "ECN_LIMIT_RANGE", "WATCHDOG_RANGE", "FRAME_SIZE",
			"PORT_SPEED_UNCONFIRMED", "IP_MTU_NOT_EMITTED",
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.build(t)
			if c.change != nil {
				c.change(s)
			}
			f := s.done(d)
			var got []string
			for _, finding := range d.Check(f, &f.Switches[c.sw]) {
				got = append(got, finding.Code)
				if strings.Contains(finding.Message, f.Switches[c.sw].Name) {
					t.Errorf("%s: the message names the switch, so equal findings cannot be merged", finding.Code)
				}
				if finding.Message == "" || finding.Remedy == "" || finding.Source == "" || len(finding.Objects) != 1 {
					t.Errorf("%s is incomplete: %+v", finding.Code, finding)
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("got  %v\nwant %v", got, c.want)
			}
		})
	}
}

func TestSupport(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Support() {
		if r.Intent == "" || r.Source == "" || seen[r.Intent] {
			t.Errorf("row %+v", r)
		}
		if r.Level != Confirmed && r.Level != Partial && r.Level != Not {
			t.Errorf("%s: level %q", r.Intent, r.Level)
		}
		seen[r.Intent] = true
	}
}

// big is a leaf or spine with 128 linked ports of 400G.
func big(b *testing.B, spine bool) (*Driver, *fabric.Fabric) {
	t := &testing.T{}
	s := newSite(t)
	m := s.model("h3c-s9827-128dh", 128, 400, 254)
	profile := s.profile(m, 400, 1756*254)
	leaf := s.add("leaf-u01-r0", fabric.Leaf, m, 0, 4200010000, nil)
	up := s.add("spine-01", fabric.Spine, m, 0, 4200001000, nil)
	rail := s.vlan(100, "rail0", "10.16.0.0/25", "10.16.0.1/25")
	s.Switches[leaf].VLANs = []int{rail}
	link := func(i int) {
		a := netip.AddrFrom4([4]byte{10, 240, 0, byte(2 * i)})
		s.wire(leaf, i, up, i, netip.PrefixFrom(a, 31).String(), profile)
	}
	for i := range 128 {
		if spine || i >= 64 {
			link(i)
		} else {
			s.host(leaf, i, rail, profile)
		}
	}
	d := driver(b)
	return d, s.done(d)
}

func BenchmarkRenderLeaf(b *testing.B)  { benchmark(b, false, 0) }
func BenchmarkRenderSpine(b *testing.B) { benchmark(b, true, 1) }

func benchmark(b *testing.B, spine bool, sw int) {
	d, f := big(b, spine)
	b.ReportAllocs()
	for b.Loop() {
		files, err := d.Render(f, &f.Switches[sw], secrets)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(files[0].Body) + len(files[1].Body)))
	}
}

func BenchmarkCheck(b *testing.B) {
	d, f := big(b, false)
	b.ReportAllocs()
	for b.Loop() {
		d.Check(f, &f.Switches[0])
	}
}
