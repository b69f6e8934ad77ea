package vrp

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// find returns the findings of a switch by code, without the prefix.
func find(t *testing.T, f *fabric.Fabric, sw int) map[string]fabric.Finding {
	t.Helper()
	out := map[string]fabric.Finding{}
	for _, got := range driver(t).Check(f, &f.Switches[sw]) {
		if !strings.HasPrefix(got.Code, "VRP_") || got.Message == "" || !slices.Equal(got.Objects, []string{f.Switches[sw].Name}) {
			t.Errorf("odd finding %+v", got)
		}
		if strings.Contains(got.Message, f.Switches[sw].Name) {
			t.Errorf("a message names the switch: %s", got.Message)
		}
		out[strings.TrimPrefix(got.Code, "VRP_")] = got
	}
	return out
}

// Sound plans raise no error, and nothing but what they must.
func TestCheckSoundPlans(t *testing.T) {
	always := []string{"GNMI_CERTIFICATE", "PASSWORD_HASH"}
	for name, want := range map[string][]string{
		"p-nvidia":       {"ECN_ABOVE_XOFF", "ECN_GLOBAL", "HEADROOM", "PFC_THRESHOLD"},
		"j-ascend":       {"PFC_DEFAULT_PRIORITY", "PFC_THRESHOLD", "PORTS_REMADE"},
		"unknown-split":  {"LOSSLESS_FAMILY_UNKNOWN", "PORTS_REMADE"},
		"single-switch":  {"PFC_THRESHOLD"},
		"p-routed-split": {"ECN_ABOVE_XOFF", "ECN_GLOBAL", "HEADROOM", "PFC_THRESHOLD", "PORTS_REMADE"},
	} {
		f := sketches()[name].build(t)
		got := find(t, f, 0)
		for code, finding := range got {
			if finding.Severity == fabric.Error {
				t.Errorf("%s: error %s: %s", name, code, finding.Message)
			}
			if !slices.Contains(append(want, always...), code) {
				t.Errorf("%s: unexpected %s: %s", name, code, finding.Message)
			}
		}
		for _, code := range append(want, always...) {
			if _, ok := got[code]; !ok {
				t.Errorf("%s: no %s", name, code)
			}
		}
	}
}

func TestCheckLimits(t *testing.T) {
	tests := []struct {
		name, sketch string
		change       func(*fabric.Fabric)
		code         string
		severity     fabric.Severity
	}{
		{"model without PFC", "p-nvidia", func(f *fabric.Fabric) { f.Models[0].ID = "huawei-ce6881h-48s6cq" }, "NO_PFC", fabric.Error},
		{"V200 release", "p-nvidia", func(f *fabric.Fabric) { f.Switches[0].Release = "V200R020C10" }, "LOSSLESS_FAMILY_UNKNOWN", fabric.Warning},
		{"queue is not the priority", "p-nvidia", func(f *fabric.Fabric) { f.Lossless.Classes[1].Queue = 4 }, "QUEUE_PRIORITY", fabric.Error},
		{"PFC on 6 of family P", "p-nvidia", func(f *fabric.Fabric) { f.Lossless.Classes[1].Queue, f.Lossless.Classes[1].Priority = 6, 6 }, "PFC_PRIORITY", fabric.Error},
		{"five priorities", "j-ascend", func(f *fabric.Fabric) {
			for q := range 4 {
				f.Lossless.Classes = append(f.Lossless.Classes, fabric.Class{DSCP: []int{q}, Queue: q, Priority: q, Lossless: true})
			}
		}, "PFC_PRIORITIES", fabric.Error},
		{"headroom beyond a queue", "j-ascend", func(f *fabric.Fabric) { f.Lossless.Profiles[0].XoffBytes = 40 << 20 }, "HEADROOM", fabric.Error},
		{"headroom beyond the pool", "j-ascend", func(f *fabric.Fabric) { f.Lossless.Profiles[0].XoffBytes = 20 << 20 }, "HEADROOM_POOL", fabric.Warning},
		{"ECN beyond the command", "p-nvidia", func(f *fabric.Fabric) { f.Lossless.Profiles[0].KmaxBytes = 20_000_000 }, "ECN_RANGE", fabric.Error},
		{"watchdog between steps", "j-ascend", func(f *fabric.Fabric) { f.Lossless.Watchdog.Detect = 250 * time.Millisecond }, "WATCHDOG", fabric.Warning},
		{"watchdog off", "j-ascend", func(f *fabric.Fabric) { f.Lossless.Watchdog.Enabled = false }, "WATCHDOG", fabric.Info},
		{"watchdog that forwards beside family P", "p-nvidia", func(f *fabric.Fabric) { f.Lossless.Watchdog.Action = "forward" }, "WATCHDOG", fabric.Warning},
		{"strict queue in the middle", "p-nvidia", func(f *fabric.Fabric) { f.Lossless.Classes[2].Queue, f.Lossless.Classes[2].Priority = 2, 2 }, "SCHEDULING", fabric.Warning},
		{"unnumbered", "p-nvidia", func(f *fabric.Fabric) {
			for i := range f.Switches[0].Ports {
				f.Switches[0].Ports[i].Address, f.Switches[0].Ports[i].PeerAddress = netip.Prefix{}, netip.Addr{}
			}
		}, "BGP_UNNUMBERED", fabric.Error},
		{"no-transit spine", "p-nvidia", func(f *fabric.Fabric) {
			f.Switches[0].NoTransit, f.Switches[0].Role = true, fabric.Spine
		}, "NO_TRANSIT", fabric.Error},
		{"too many paths", "p-nvidia", func(f *fabric.Fabric) { f.Underlay.MaxPaths = 256 }, "MAX_PATHS", fabric.Warning},
		{"frame size", "p-nvidia", func(f *fabric.Fabric) { f.Underlay.MTU = 9600 }, "FRAME_SIZE", fabric.Error},
		{"frame size of an unknown box", "unknown-split", func(f *fabric.Fabric) { f.Underlay.MTU = 9000 }, "FRAME_SIZE", fabric.Warning},
		{"IP MTU", "p-nvidia", func(f *fabric.Fabric) { f.Underlay.HostMTU = 9700 }, "MTU", fabric.Error},
		{"IPv6 management", "p-nvidia", func(f *fabric.Fabric) { f.Management.NTP = []netip.Addr{netip.MustParseAddr("2001:db8::1")} }, "IPV6_MANAGEMENT", fabric.Warning},
		{"IPv6 underlay", "p-nvidia", func(f *fabric.Fabric) { f.Switches[0].Loopback = netip.MustParseAddr("2001:db8::1") }, "IPV6_UNDERLAY", fabric.Error},
		{"seven DNS servers", "p-nvidia", func(f *fabric.Fabric) {
			f.Management.DNS = slices.Repeat(f.Management.DNS, 7)
		}, "DNS_SERVERS", fabric.Warning},
		{"nobody may log in", "p-nvidia", func(f *fabric.Fabric) { f.Management.Users = nil }, "NO_USERS", fabric.Warning},
		{"elliptic key", "p-nvidia", func(f *fabric.Fabric) { f.Management.Users[0].SSHKeys[0] = "ssh-ed25519 AAAA" }, "SSH_KEYS", fabric.Warning},
		{"site-assigned address", "p-nvidia", func(f *fabric.Fabric) { f.Switches[0].Management = netip.Prefix{} }, "MANAGEMENT_ADDRESS", fabric.Info},
		{"cell port", "p-nvidia", func(f *fabric.Fabric) { f.Switches[0].Ports[0].Role = fabric.CellPort }, "NO_CELL_FABRIC", fabric.Error},
		{"rates at odds", "p-nvidia", func(f *fabric.Fabric) { f.Switches[0].Ports[0].SpeedGbps = 200 }, "PORT_RATE_GROUP", fabric.Error},
		{"undocumented split", "unknown-split", func(f *fabric.Fabric) {
			for i := range f.Switches[0].Ports {
				if p := &f.Switches[0].Ports[i]; p.Split == 2 {
					p.SpeedGbps = 100
				}
			}
		}, "SPLIT_UNCONFIRMED", fabric.Warning},
		{"modular box", "unknown-split", func(f *fabric.Fabric) { f.Models[0].ID = "huawei-ce9860-4c-ei" }, "PORT_NAMES_MODULAR", fabric.Warning},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := sketches()[tt.sketch].build(t)
			if got, ok := find(t, f, 0)[tt.code]; ok && got.Severity == tt.severity && tt.code != "WATCHDOG" {
				t.Fatalf("%s is raised before the change", tt.code)
			}
			tt.change(f)
			got, ok := find(t, f, 0)[tt.code]
			if !ok || got.Severity != tt.severity {
				t.Errorf("%s of severity %s is missing: %+v", tt.code, tt.severity, got)
			}
			if _, err := driver(t).Render(f, &f.Switches[0], testSecrets); err != nil {
				t.Errorf("render: %v", err)
			}
		})
	}
}

// Families by model id and by what the catalog or the user says.
func TestFamily(t *testing.T) {
	for _, tt := range []struct {
		id, family, release string
		want                family
	}{
		{"huawei-ce8851-32cq8dq-p", "", "", familyP},
		{"ce6866-48s8cq-k", "", "", familyP},
		{"huawei-ce8855-32cq4bq", "", "", familyJ},
		{"huawei-ce8851-32cq4bq", "", "V300R023C00", familyJ},
		{"huawei-ce6885-48ys8cq-t", "", "", familyJ},
		{"huawei-ce6863e-48s8cq", "", "", familyJ},
		{"huawei-ce6863h-48s6cq", "", "", familyNone},
		{"huawei-ce6863h-48s6cq", "P", "", familyNone}, // nobody can declare PFC into it
		{"huawei-ce9866-128dq", "custom", "", familyUnknown},
		{"huawei-ce9866-128dq", "", "", familyUnknown},
		{"huawei-ce9866-128dq", "J", "", familyJ},
		{"huawei-xh9230-128dq", "p", "", familyP},
		{"huawei-ce8850-64cq-ei", "", "", familyUnknown}, // V200 generation
		{"huawei-ce8851-32cq8dq-p", "", "V200R005C10", familyUnknown},
		{"huawei-ce8851-32cq8dq-p", "custom", "", familyUnknown},
	} {
		if got := familyOf(&fabric.Model{ID: tt.id, Family: tt.family}, tt.release); got != tt.want {
			t.Errorf("%s family %q release %q: %s, want %s", tt.id, tt.family, tt.release, got, tt.want)
		}
	}
}

func TestRoutingPolicies(t *testing.T) {
	f := sketches()["p-nvidia"].build(t)
	f.Switches[0].NoTransit = true
	f.Underlay.SpineASN = "unique"
	config, _ := render(t, f, 0)
	for _, want := range []string{"\nip as-path-filter NO_TRANSIT index 10 permit ^$\n", "\n  load-balancing as-path-relax\n",
		"\n  peer 10.240.0.13 enable\n  peer 10.240.0.13 as-path-filter NO_TRANSIT export\n"} {
		if !strings.Contains(config, want) {
			t.Errorf("%q is missing", want)
		}
	}
	spine, _ := render(t, f, 2)
	if strings.Contains(spine, "NO_TRANSIT") {
		t.Error("a spine that may be transit has the filter")
	}
	f = sketches()["p-nvidia"].build(t)
	f.Lossless.Watchdog.Action = "forward"
	f.Models[0].Family, f.Models[1].ID, f.Models[1].Family = "J", "x", "J"
	f.Models[0].ID = "x"
	if config, _ := render(t, f, 0); strings.Contains(config, "recovery-behavior") {
		t.Error("family J forwards by default")
	}
	f.Models[1].Family = "P" // a fabric with one switch of family P discards everywhere
	if config, _ := render(t, f, 0); !strings.Contains(config, "\ndcb pfc deadlock recovery-behavior discard slot 1\n") {
		t.Error("family J forwards beside family P")
	}
}

func TestSupport(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range Support() {
		if row.Intent == "" || seen[row.Intent] {
			t.Errorf("intent %q", row.Intent)
		}
		seen[row.Intent] = true
		if row.Status == Missing && row.Commands != "" || row.Status != Missing && (row.Commands == "" || row.Source == "") {
			t.Errorf("%s: %s without commands or source, or not written with them", row.Intent, row.Status)
		}
		if row.Status == Partial && row.Note == "" {
			t.Errorf("%s: partial without saying how", row.Intent)
		}
	}
}

// The driver is what the table of drivers asks for.
func TestNames(t *testing.T) {
	if got := driver(t).Name(); got != "vrp" {
		t.Errorf("name %q", got)
	}
}
