package openconfig_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors"
	"railyard/vendors/openconfig"
)

const clusters = "../../fixtures/clusters"

// designed returns the fabric of a cluster file with its ports named.
func designed(t testing.TB, name string) *fabric.Fabric {
	t.Helper()
	r, err := os.Open(filepath.Join(clusters, name))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := cluster.Load(name, r, os.DirFS(clusters))
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	set.NamePorts(f)
	return f
}

// roceFabrics returns the RoCE fabrics of all cluster files.
func roceFabrics(t testing.TB) map[string]*fabric.Fabric {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(clusters, "*.yaml"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d cluster files (%v)", len(files), err)
	}
	out := map[string]*fabric.Fabric{}
	for _, file := range files {
		if f := designed(t, filepath.Base(file)); f.Technology == fabric.RoCE {
			out[strings.TrimSuffix(filepath.Base(file), ".yaml")] = f
		}
	}
	if len(out) < 7 {
		t.Fatalf("only %d RoCE fabrics", len(out))
	}
	return out
}

// kinds picks one switch of each kind: documents of the rest differ in names and
// numbers only.
func kinds(f *fabric.Fabric) []*fabric.Switch {
	var out []*fabric.Switch
	seen := map[string]bool{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		k := fmt.Sprint(sw.Role, sw.Model, sw.OS, sw.NoTransit, len(sw.Rails), sw.Group)
		if !seen[k] {
			seen[k] = true
			out = append(out, sw)
		}
	}
	return out
}

func build(t testing.TB, f *fabric.Fabric, sw *fabric.Switch, d openconfig.Dialect) (openconfig.Document, []openconfig.Gap) {
	t.Helper()
	doc, gaps, err := openconfig.Build(f, sw, d)
	if err != nil {
		t.Fatal(err)
	}
	return doc, gaps
}

// small is a leaf between two servers and two spines, built by hand so that a
// test can bend it.
func small() (*fabric.Fabric, *fabric.Switch) {
	f := &fabric.Fabric{
		Name: "lab", Technology: fabric.RoCE, RoCE: "v2", Models: []fabric.Model{{ID: "m"}},
		Underlay: fabric.Underlay{BGP: true, MTU: 9216, MaxPaths: 4, HostMode: "vlan",
			Loopbacks: netip.MustParsePrefix("10.255.0.0/16"), Rails: netip.MustParsePrefix("10.16.0.0/12")},
		Servers: []fabric.Server{{Name: "gpu-001", Ports: []fabric.NICPort{{Name: "nic0"}}}, {Name: "gpu-002", Ports: []fabric.NICPort{{Name: "nic0"}}}},
		VLANs:   []fabric.VLAN{{ID: 100, Name: "rail0", Subnet: netip.MustParsePrefix("10.16.0.0/26"), Gateway: netip.MustParsePrefix("10.16.0.1/26")}},
		Lossless: &fabric.Lossless{
			Watchdog: fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
			Classes: []fabric.Class{
				{Name: "default", WeightPercent: 40},
				{Name: "roce", DSCP: []int{26}, Priority: 3, TrafficClass: 3, Queue: 3, Lossless: true, ECN: true, WeightPercent: 60},
				{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
			},
			Profiles: []fabric.Profile{
				{SpeedGbps: 400, LengthM: 5, KminBytes: 400_000, KmaxBytes: 1_600_000, PmaxPercent: 20},
				{SpeedGbps: 800, LengthM: 30, KminBytes: 800_000, KmaxBytes: 3_200_000, PmaxPercent: 20},
			},
		},
	}
	leaf := fabric.Switch{Name: "leaf", Role: fabric.Leaf, ASN: 4200010000, Loopback: netip.MustParseAddr("10.255.0.1"), VLANs: []int{0}}
	for i := range 2 {
		leaf.Ports = append(leaf.Ports, fabric.Port{Name: fmt.Sprintf("Ethernet%d", i+1), SpeedGbps: 400, Role: fabric.HostPort, Split: 1, VLAN: 0,
			Peer: fabric.End{Kind: fabric.ServerDevice, Device: i}})
	}
	for i := range 2 {
		leaf.Ports = append(leaf.Ports, fabric.Port{Name: fmt.Sprintf("Ethernet%d", i+3), SpeedGbps: 800, Role: fabric.UplinkPort, Split: 1, VLAN: -1, Profile: 1,
			Address: netip.MustParsePrefix(fmt.Sprintf("10.240.0.%d/31", 2*i+1)), PeerAddress: netip.MustParseAddr(fmt.Sprintf("10.240.0.%d", 2*i)), PeerASN: 4200001000,
			Peer: fabric.End{Kind: fabric.SwitchDevice, Device: 1 + i}})
	}
	leaf.Ports = append(leaf.Ports, fabric.Port{Name: "Ethernet5", Link: -1, Role: fabric.UnusedPort, Split: 1, VLAN: -1, Profile: -1, Reserved: true})
	f.Switches = []fabric.Switch{leaf, {Name: "spine-01", Ports: []fabric.Port{{Name: "Ethernet1"}}}, {Name: "spine-02", Ports: []fabric.Port{{Name: "Ethernet1"}}}}
	return f, &f.Switches[0]
}
