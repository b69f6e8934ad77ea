package cumulus

import (
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

func TestPortName(t *testing.T) {
	for _, c := range []struct {
		cage, lane, split int
		want              string
		source            string
	}{
		{1, 0, 1, "swp1", "PORT516"},
		{64, 0, 1, "swp64", "PORT516"},
		{1, 1, 2, "swp1s0", "PORT516, GEN"},
		{1, 2, 2, "swp1s1", "PORT516, GEN"},
		{33, 4, 4, "swp33s3", "PORT516"},
		{63, 8, 8, "swp63s7", "GEN"},
	} {
		if got := driver(t).PortName(nil, &fabric.Port{Cage: c.cage, Lane: c.lane, Split: c.split}); got != c.want {
			t.Errorf("cage %d, part %d of %d: %s, want %s (%s)", c.cage, c.lane, c.split, got, c.want, c.source)
		}
	}
}

// TestNeighbour lists which split takes the lanes of the next cage (PORT516).
func TestNeighbour(t *testing.T) {
	for _, c := range []struct {
		model string
		split int
		want  bool
	}{
		{"nvidia-sn5600", 8, true}, {"nvidia-sn5600", 4, false}, {"nvidia-sn5610", 8, true}, {"nvidia-sn5400", 8, true},
		{"nvidia-sn4700", 8, true}, {"nvidia-sn4600c", 4, true}, {"nvidia-sn4600", 4, true}, {"nvidia-sn4600c", 2, false},
		{"nvidia-sn3700", 4, false}, {"nvidia-sn5640", 8, false},
	} {
		if got := crowds(&fabric.Model{ID: c.model}, c.split); got != c.want {
			t.Errorf("%s split into %d: %v", c.model, c.split, got)
		}
	}
}

func TestDialect(t *testing.T) {
	for _, c := range []struct {
		release  string
		minor    int
		ip       string
		services bool
		syslog   bool
	}{
		{"", 16, "ipv4", true, true},
		{"5.16.0", 16, "ipv4", true, true},
		{"5.15", 15, "ipv4", true, true},
		{"5.14.0.0026", 14, "ip", false, true},
		{"5.13", 13, "ip", false, true},
		{"5.12.1", 12, "ip", false, false},
		{"5.9.0", 9, "ip", false, false},
		{"5.3.1", 9, "ip", false, false},  // error finding; nearest known
		{"5.20", 16, "ipv4", true, true},  // warning
		{"4.4.5", 16, "ipv4", true, true}, // error finding
		{"latest", 16, "ipv4", true, true},
	} {
		d := dialectOf(c.release)
		if d.Minor != c.minor || d.IP != c.ip || d.Services != c.services || d.Syslog != c.syslog || (d.Enabled == "state: enabled") != (c.minor >= 15) {
			t.Errorf("%q: %+v", c.release, d)
		}
	}
}

func TestAlpha(t *testing.T) {
	for log2, want := range map[int]string{-8: "", -7: "alpha_1_128", -3: "alpha_1_8", -1: "alpha_1_2", 0: "alpha_1", 1: "alpha_2", 6: "alpha_64", 7: ""} {
		if got := alphaWord(log2); got != want {
			t.Errorf("2^%d: %q, want %q", log2, got, want)
		}
	}
}

func TestWatchdog(t *testing.T) {
	for _, c := range []struct {
		detect          time.Duration
		interval, polls int
	}{
		{200 * time.Millisecond, 100, 2},
		{300 * time.Millisecond, 100, 3}, // NVUE's default
		{250 * time.Millisecond, 125, 2},
		{205 * time.Millisecond, 103, 2}, // 206 ms, reported
		{50 * time.Millisecond, 100, 1},  // reported
		{100 * time.Second, 100, 1000},
		{5000 * time.Second, 5000, 1000},
		{5001 * time.Second, 0, 0},
		{0, 0, 0},
	} {
		w := newWatchdog(&fabric.Lossless{Watchdog: fabric.Watchdog{Enabled: true, Detect: c.detect, Action: "drop"}})
		if w == nil {
			w = &watchdog{}
		}
		if w.Interval != c.interval || w.Polls != c.polls {
			t.Errorf("%v: %+v", c.detect, *w)
		}
	}
}

func TestHashes(t *testing.T) {
	for h, want := range map[string]bool{
		hash: true, "$6$rounds=5000$abc$defghi./": true, "$5$abc$def": true, "$y$j9T$abc$def": true, "$1$abc$def": true,
		"abJnggxhB/yWI": false, "": false, "plain": false, "$9$x'y": false, "$6$a b$c": false, "0 secret": false,
	} {
		if got := driver(t).TakesHash(h); got != want {
			t.Errorf("%q: %v", h, got)
		}
	}
}

func TestScalars(t *testing.T) {
	for in, want := range map[string]string{
		"leaf-1": "leaf-1", "on": "'on'", "No": "'No'", "1e3": "'1e3'", "0x1": "'0x1'", "a b": "'a b'", "x:y": "'x:y'", "null": "'null'",
		"": "''", "it's": "'it''s'", "a\nb: c": "'a b: c'", "-a": "'-a'", "12:30": "'12:30'",
	} {
		if got := scalar(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
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

// findingCase is a change to leafSpine and a finding that must then appear; with
// a leading "-" one that must not.
type findingCase struct {
	name   string
	change func(*fabric.Fabric)
	want   string
}

func portCases() []findingCase {
	return []findingCase{
		{"no release", func(f *fabric.Fabric) { f.Switches[0].Release = "" }, "warning CUMULUS_RELEASE_ASSUMED"},
		{"a release", func(*fabric.Fabric) {}, "-warning CUMULUS_RELEASE_ASSUMED"},
		{"old release", func(f *fabric.Fabric) { f.Switches[0].Release = "5.8.0" }, "error CUMULUS_RELEASE_UNKNOWN"},
		{"unknown release", func(f *fabric.Fabric) { f.Switches[0].Release = "4.4" }, "error CUMULUS_RELEASE_UNKNOWN"},
		{"newer release", func(f *fabric.Fabric) { f.Switches[0].Release = "5.17" }, "warning CUMULUS_RELEASE_NEWER"},
		{"another vendor", func(f *fabric.Fabric) { f.Models[0].Vendor = "arista" }, "error CUMULUS_MODEL"},
		{"a model the guide lacks", func(f *fabric.Fabric) { f.Models[0].ID = "nvidia-sn5640" }, "warning CUMULUS_MODEL_UNLISTED"},
		{"three parts", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Split = 3 }, "error CUMULUS_BREAKOUT"},
		{"eight parts in an even cage", func(f *fabric.Fabric) { f.Switches[0].Ports[2].Split = 8 }, "error CUMULUS_ADJACENT_PORT"},
		{"eight parts beside a used cage", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Split = 8 }, "error CUMULUS_ADJACENT_PORT"},
		{"cell ports", func(f *fabric.Fabric) { f.Switches[0].Ports[4].Role = fabric.CellPort }, "error CUMULUS_CELL_FABRIC"},
		{"breakout", func(*fabric.Fabric) {}, "warning CUMULUS_BREAKOUT_FIRST"},
		{"breakout without QoS", func(f *fabric.Fabric) { f.Lossless = nil }, "-warning CUMULUS_BREAKOUT_FIRST"},
		{"IPv6", func(f *fabric.Fabric) { f.Switches[0].Loopback = addr("fd00::1") }, "error CUMULUS_IPV6"},
		{"another VRF", func(f *fabric.Fabric) { f.Management.VRF = "oob" }, "warning CUMULUS_MANAGEMENT_VRF"},
		{"no management address", func(f *fabric.Fabric) { f.Switches[0].Management = fabric.Switch{}.Management }, "warning CUMULUS_NO_MANAGEMENT_ADDRESS"},
		{"reserved VLAN", func(f *fabric.Fabric) { f.VLANs[0].ID = 3725 }, "error CUMULUS_VLAN_RESERVED"},
		{"MTU", func(f *fabric.Fabric) { f.Underlay.MTU = 9217 }, "error CUMULUS_MTU"},
		{"paths", func(f *fabric.Fabric) { f.Underlay.MaxPaths = 129 }, "warning CUMULUS_PATHS"},
		{"no users", func(f *fabric.Fabric) { f.Management.Users = nil }, "warning CUMULUS_NO_USERS"},
		{"no login", func(f *fabric.Fabric) { f.Management.Users = []fabric.User{{Name: "x"}} }, "warning CUMULUS_USER_WITHOUT_LOGIN"},
		{"odd key", func(f *fabric.Fabric) { f.Management.Users[0].SSHKeys = []string{"ssh-x y"} }, "warning CUMULUS_SSH_KEYS"},
		{"factory user", func(*fabric.Fabric) {}, "info CUMULUS_FACTORY_USER"},
		{"service VRF", func(*fabric.Fabric) {}, "warning CUMULUS_SERVICE_VRF"},
		{"service VRF before 5.15", func(f *fabric.Fabric) { f.Switches[0].Release = "5.14" }, "-warning CUMULUS_SERVICE_VRF"},
		{"gNMI", func(f *fabric.Fabric) { f.Switches[0].Release = "5.12" }, "info CUMULUS_GNMI"},
		{"port down", func(*fabric.Fabric) {}, "warning CUMULUS_PORT_DOWN"},
		{"port down before 5.15", func(f *fabric.Fabric) { f.Switches[0].Release = "5.14" }, "-warning CUMULUS_PORT_DOWN"},
		{"no transit", func(f *fabric.Fabric) { f.Switches[0].NoTransit = true }, "warning CUMULUS_ROUTE_MAP_FORM"},
		{"transit", func(*fabric.Fabric) {}, "-warning CUMULUS_ROUTE_MAP_FORM"},
	}
}

func losslessCases() []findingCase {
	class := func(f *fabric.Fabric) *fabric.Class { return &f.Lossless.Classes[1] }
	return []findingCase{
		{"queue", func(f *fabric.Fabric) { class(f).Queue = 5 }, "error CUMULUS_QUEUE_NUMBER"},
		{"class out of range", func(f *fabric.Fabric) { class(f).Priority = 8 }, "error CUMULUS_CLASS_RANGE"},
		{"shares", func(f *fabric.Fabric) { class(f).WeightPercent = 90 }, "error CUMULUS_SHARES"},
		{"one priority twice", func(f *fabric.Fabric) { class(f).Priority = 0 }, "error CUMULUS_PRIORITY_SHARED"},
		{"two lossless", func(f *fabric.Fabric) { f.Lossless.Classes[0].Lossless = true }, "warning CUMULUS_LOSSLESS_CLASSES"},
		{"priority of the CPU", func(*fabric.Fabric) {}, "info CUMULUS_CPU_PRIORITY"},
		{"another priority", func(f *fabric.Fabric) { class(f).Priority = 4 }, "-info CUMULUS_CPU_PRIORITY"},
		{"shorthand", func(*fabric.Fabric) {}, "info CUMULUS_ROCE_MODE"},
		{"headroom", func(*fabric.Fabric) {}, "info CUMULUS_HEADROOM"},
		{"pools", func(*fabric.Fabric) {}, "info CUMULUS_POOL_SPLIT"},
		{"no lossless plan", func(f *fabric.Fabric) { f.Lossless = nil }, "-info CUMULUS_HEADROOM"},
		{"thresholds differ", func(f *fabric.Fabric) { f.Lossless.Profiles[1].AlphaLog2 = 0 }, "warning CUMULUS_ALPHA_MIXED"},
		{"no such threshold", func(f *fabric.Fabric) { f.Lossless.Profiles[0].AlphaLog2, f.Lossless.Profiles[1].AlphaLog2 = -9, -9 }, "error CUMULUS_ALPHA"},
		{"watchdog alert", func(f *fabric.Fabric) { f.Lossless.Watchdog.Action = "alert" }, "error CUMULUS_WATCHDOG_ACTION"},
		{"watchdog too slow", func(f *fabric.Fabric) { f.Lossless.Watchdog.Detect = 2 * time.Hour }, "error CUMULUS_WATCHDOG_RANGE"},
		{"watchdog rounded", func(f *fabric.Fabric) { f.Lossless.Watchdog.Detect = 50 * time.Millisecond }, "info CUMULUS_WATCHDOG_ROUNDED"},
		{"watchdog exact", func(*fabric.Fabric) {}, "-info CUMULUS_WATCHDOG_ROUNDED"},
		{"restore", func(*fabric.Fabric) {}, "info CUMULUS_WATCHDOG_RESTORE"},
		{"watchdog off", func(f *fabric.Fabric) { f.Lossless.Watchdog.Enabled = false }, "-info CUMULUS_WATCHDOG_RESTORE"},
	}
}

func TestFindings(t *testing.T) {
	for _, c := range slices.Concat(portCases(), losslessCases()) {
		f := leafSpine(true)
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
}

// TestRefusedIsLeftOut shows that what a finding refuses has no key.
func TestRefusedIsLeftOut(t *testing.T) {
	f := leafSpine(true)
	f.Lossless.Watchdog.Action = "forward"
	f.Lossless.Profiles[1].AlphaLog2 = 2
	f.Switches[0].Ports[4].Role = fabric.CellPort
	body := render(t, f, 0)[startup]
	for _, word := range []string{"watchdog", "shared-alpha", "      swp3:"} {
		if strings.Contains(body, word) {
			t.Errorf("%q is written although it is refused", word)
		}
	}
	if !strings.Contains(body, "cable-length: 5\n") {
		t.Error("what is confirmed must stay")
	}
}

// TestNeighbourDisabled writes the cage whose lanes are taken, and nothing else of it.
func TestNeighbourDisabled(t *testing.T) {
	files := render(t, breakout(), 0)
	want := "      swp2:\n        link:\n          breakout:\n            disabled: {}\n        type: swp\n      swp3:\n"
	for _, name := range []string{startup, breakouts} {
		if strings.Count(files[name], want) != 1 {
			t.Errorf("%s: %s", name, files[name])
		}
	}
}

// TestNoLossless: a switch whose ports carry nothing lossless has no QoS at all.
func TestNoLossless(t *testing.T) {
	f := leafSpine(true)
	f.Lossless = nil
	for i := range f.Switches[0].Ports {
		f.Switches[0].Ports[i].Profile = -1
	}
	files := render(t, f, 0)
	if strings.Contains(files[startup], "qos") || files[breakouts] != "" {
		t.Error("QoS without a plan")
	}
}
