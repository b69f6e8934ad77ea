package lossless

import (
	"net/netip"
	"strings"
	"testing"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// Payload rates: Gen3 x16 114, Gen4 x8 114, Gen4 x16 228, Gen5 x16 456, Gen6
// x16 855 Gb/s (PCI Express rates with 256-byte writes).
func TestPCIeBelowNIC(t *testing.T) {
	group := func(gpu, nic string, gpus, nics, speed, gen, lanes int) cluster.ServerGroup {
		return cluster.ServerGroup{Name: "gpu", Count: 4, GPU: gpu, GPUs: gpus, NIC: nic, NICs: nics, NICSpeed: quantity.Speed(speed), PCIe: cluster.PCIe{Gen: gen, Lanes: lanes}}
	}
	for _, tc := range []struct {
		name   string
		group  cluster.ServerGroup
		planes int
		says   string // of message and remedy; "" no finding
	}{
		{"400 in Gen5", group("h100-80-sxm5", "cx7-400-vpi", 8, 8, 400, 5, 16), 1, ""},
		{"400 in Gen4 is waste", group("h100-80-sxm5", "cx7-400-vpi", 8, 8, 400, 4, 16), 1, "a slot of PCIe 4.0 x16, which moves about 228 Gb/s, 57 % of that; a 200G NIC gives 200 Gb/s at lower cost"},
		{"A100 pulls a 400G NIC down", group("a100-80-sxm4", "cx7-400-vpi", 8, 8, 400, 5, 16), 1, "a GPU's PCIe 4.0 x16, which moves about 228"},
		{"200 in Gen4", group("a100-80-sxm4", "cx6-200-vpi", 8, 8, 200, 4, 16), 1, ""},
		{"100 in Gen3", group("v100-sxm2", "cx5-100", 8, 4, 100, 3, 16), 1, ""},
		{"dual 100 in Gen3", group("v100-sxm2", "cx5-100", 8, 4, 100, 3, 16), 2, "moves about 114"},
		{"200 in Gen4 x8", group("a100-80-sxm4", "cx6-200-vpi", 8, 8, 200, 4, 8), 1, "moves about 114 Gb/s, 57 %"},
		{"800 in Gen5", group("b200-180-sxm", "cx8-800", 8, 8, 800, 5, 16), 1, "moves about 456 Gb/s, 57 % of that; a 400G NIC"},
		{"800 in Gen6", group("b300-288-sxm", "cx8-800", 8, 8, 800, 6, 16), 1, ""},
		{"dual-plane 400 in Gen6", group("b300-288-sxm", "cx8-800", 8, 8, 400, 6, 16), 2, ""},
		{"dual 200 in Gen4", group("a100-80-sxm4", "cx6-200-vpi", 8, 8, 200, 4, 16), 2, "adds redundancy, not bandwidth"},
		{"two L40S share a 400G NIC", group("l40s", "cx7-400-vpi", 8, 4, 400, 5, 16), 1, ""},
		{"an L40S each", group("l40s", "cx7-400-vpi", 8, 8, 400, 5, 16), 1, "a GPU's PCIe 4.0"},
		{"4090 without GPUDirect", group("rtx-4090", "cx6-100-vpi", 8, 1, 100, 4, 16), 1, ""},
		{"Ascend brings its port", group("ascend-910b", "ascend-integrated-200", 8, 8, 200, 0, 0), 1, ""},
		{"Ascend without a NIC named", group("ascend-910c", "", 8, 8, 400, 4, 16), 1, ""},
		{"nothing known", group("", "", 0, 8, 400, 0, 0), 1, ""},
		{"a slot the catalog lacks", group("", "", 0, 8, 100, 5, 4), 1, ""},
		{"a narrow slot", group("", "", 0, 8, 200, 5, 4), 1, "PCIe 5.0 x4, which moves about 114"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := declared(t, tc.group)
			c.Fabric.Planes = tc.planes
			p := &planner{c: c, f: &fabric.Fabric{}}
			p.checkPCIe()
			x := finding(p.f, "PCIE_BELOW_NIC")
			if tc.says == "" {
				if x != nil {
					t.Errorf("unwanted: %s", x.Message)
				}
				return
			}
			if x == nil || !strings.Contains(x.Message, tc.says) || x.Severity != fabric.Warning || x.Objects[0] != "gpu" {
				t.Errorf("got %+v, want %q", x, tc.says)
			}
		})
	}
}

func TestFewSpines(t *testing.T) {
	for _, tc := range []struct {
		spines int
		model  string
		want   bool
	}{{2, "h3c-s9827-128dh", true}, {3, "h3c-s9827-128dh", true}, {4, "h3c-s9827-128dh", false}, {2, "arista-7388x5", false}} {
		c := declared(t)
		f := clos{leaves: 4, spines: tc.spines, hosts: 4, spineModel: tc.model}.build(t, c)
		mustPlan(t, c, f)
		x := finding(f, "FEW_SPINES")
		if (x != nil) != tc.want {
			t.Errorf("%d spines of %s: %+v", tc.spines, tc.model, x)
		}
		if tc.spines == 2 && x != nil && !strings.Contains(x.Message, "takes 50 %") {
			t.Errorf("%s", x.Message)
		}
	}
	// Two spines in each of two planes are still two.
	c := declared(t)
	f := clos{leaves: 2, spines: 4, hosts: 4}.build(t, c)
	f.Planes = 2
	p := &planner{c: c, f: f}
	p.checkFewSpines()
	if x := finding(f, "FEW_SPINES"); x == nil || !strings.Contains(x.Message, "2 spines in each plane") {
		t.Errorf("%+v", x)
	}
}

func TestOversubscribed(t *testing.T) {
	c := declared(t)
	c.Fabric.Oversubscription = quantity.Ratio{Down: 2, Up: 1}
	f := clos{leaves: 4, spines: 4, hosts: 4}.build(t, c)
	f.LeafOversubscription = fabric.Ratio{Down: 2, Up: 1}
	f.SpineOversubscription = fabric.Ratio{Down: 7, Up: 1}
	mustPlan(t, c, f)
	var got []string
	for _, x := range f.Findings {
		if x.Code == "OVERSUBSCRIBED" {
			got = append(got, x.Message)
		}
	}
	if len(got) != 2 || !strings.Contains(got[0], "2:1 oversubscribed (as declared)") || !strings.Contains(got[1], "7:1 oversubscribed (above the declared 1:1)") {
		t.Errorf("%q", got)
	}
	if x := finding(f, "HOL_RISK"); x == nil || !strings.Contains(x.Message, "2:1") {
		t.Errorf("%+v", x)
	}
}

func TestHeadOfLineNeedsAReason(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 4, spines: 4, hosts: 4}.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HOL_RISK"); x != nil {
		t.Errorf("no reason: %+v", x)
	}
	storage := cluster.ServerGroup{Name: "store", Count: 4, NIC: "cx7-200-vpi", NICs: 2, NICSpeed: 200}
	c = declared(t, nvidia("gpu"), storage)
	f = clos{leaves: 4, spines: 4, hosts: 4}.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HOL_RISK"); x == nil || !strings.Contains(x.Message, "store has no accelerators") || len(x.Objects) != 2 {
		t.Errorf("%+v", x)
	}
	c = declared(t, nvidia("gpu"), ascend("npu"))
	f = clos{leaves: 4, spines: 4, hosts: 4}.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HOL_RISK"); x != nil {
		t.Errorf("the two families have classes of their own: %+v", x)
	}
}

func TestReach(t *testing.T) {
	for _, tc := range []struct {
		speed  int
		length float64
		kind   string
		says   string
	}{
		{400, 3, "dac", ""}, {400, 5, "dac", "5 m: dac reaches 3 m"}, {400, 5, "acc", ""}, {400, 5, "aec", ""},
		{100, 5, "dac", ""}, {100, 6, "dac", "reaches 5 m"}, {200, 3, "dac", ""}, {200, 4, "dac", "reaches 3 m"},
		{400, 30, "aoc", ""}, {400, 31, "aoc", "reaches 30 m"}, {400, 100, "multimode", ""}, {400, 150, "multimode", "reaches 100 m"},
		{400, 400, "dr4", ""}, {400, 600, "dr4", "reaches 500 m"}, {400, 2000, "singlemode", ""}, {400, 50, "mm-400-nic", ""}, {400, 51, "MMA4Z00-NS400", "reaches 50 m"},
		{400, 2000, "", ""}, {400, 2500, "", "any known cable reaches 2000 m"},
		{100, 300, "", ""}, {25, 300, "dac", ""}, {800, 2000, "", ""}, {800, 10, "dac", "reaches 3 m"},
	} {
		c := declared(t)
		f := clos{leaves: 2, spines: 1, hosts: 1, hostLength: 1}.build(t, c)
		for i := range f.Links {
			if f.Links[i].Kind == fabric.FabricLink {
				f.Links[i].SpeedGbps, f.Links[i].LengthM, f.Links[i].CableType = tc.speed, tc.length, tc.kind
			}
		}
		p := &planner{c: c, f: f}
		p.checkReach()
		x := finding(f, "REACH_EXCEEDED")
		switch {
		case (x != nil) != (tc.says != ""):
			t.Errorf("%dG %g m %q: %+v, want %q", tc.speed, tc.length, tc.kind, x, tc.says)
		case x != nil && !strings.Contains(x.Message, tc.says):
			t.Errorf("%dG %g m %q: %s, want %q", tc.speed, tc.length, tc.kind, x.Message, tc.says)
		case x != nil && x.Objects[0] != "leaf-0000 to spine-0000":
			t.Errorf("objects %v", x.Objects)
		}
	}
}

func TestRoCEv1(t *testing.T) {
	for _, tc := range []struct {
		topology fabric.Topology
		host     string
		want     bool
	}{{fabric.SingleSwitch, "vlan", false}, {fabric.SingleSwitch, "routed", true}, {fabric.RailOnly, "vlan", false}, {fabric.LeafSpine, "vlan", true}, {fabric.ThreeTier, "vlan", true}, {fabric.DDC, "vlan", true}} {
		f := &fabric.Fabric{RoCE: "v1", Topology: tc.topology, Underlay: fabric.Underlay{HostMode: tc.host}}
		p := &planner{c: declared(t), f: f}
		p.checkRoCEv1()
		if x := finding(f, "ROCE_V1_ROUTED"); (x != nil) != tc.want || x != nil && x.Severity != fabric.Error {
			t.Errorf("%s %s: %+v", tc.topology, tc.host, x)
		}
		f.RoCE, f.Findings = "v2", nil
		if p.checkRoCEv1(); f.Findings != nil {
			t.Errorf("%s %s: RoCE v2 is refused", tc.topology, tc.host)
		}
	}
}

func TestCrossRail(t *testing.T) {
	l40s := cluster.ServerGroup{Name: "l40s", Count: 4, GPU: "l40s", GPUs: 8, NIC: "cx7-200-vpi", NICs: 4, NICSpeed: 200, PCIe: cluster.PCIe{Gen: 5, Lanes: 16}}
	vlans := func(gateway bool) []fabric.VLAN {
		var list []fabric.VLAN
		for r := range 4 {
			v := fabric.VLAN{ID: 100 + r, Rail: r}
			if gateway {
				v.Gateway = netip.MustParsePrefix("10.16.0.254/24")
			}
			list = append(list, v)
		}
		return list
	}
	for _, tc := range []struct {
		name     string
		group    cluster.ServerGroup
		topology fabric.Topology
		gateway  bool
		want     bool
	}{
		{"one switch without gateways", l40s, fabric.SingleSwitch, false, true},
		{"one switch with gateways", l40s, fabric.SingleSwitch, true, false},
		{"rail islands", l40s, fabric.RailOnly, true, true},
		{"NVLink needs no router", nvidia("gpu"), fabric.SingleSwitch, false, false},
	} {
		c := declared(t, tc.group)
		f := clos{leaves: 1, hosts: 4}.build(t, c)
		f.Topology, f.VLANs = tc.topology, vlans(tc.gateway)
		mustPlan(t, c, f)
		if x := finding(f, "CROSS_RAIL"); (x != nil) != tc.want {
			t.Errorf("%s: %+v", tc.name, x)
		}
	}
	c := declared(t, l40s)
	f := clos{leaves: 4, spines: 4, hosts: 4}.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "CROSS_RAIL"); x != nil {
		t.Errorf("leaf-spine routes between rails: %+v", x)
	}
}

func TestHashPolarisation(t *testing.T) {
	c := declared(t)
	three := clos{groups: 2, leaves: 2, spines: 2, cores: 2, hosts: 2}
	f := three.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HASH_POLARISATION"); x == nil || x.Severity != fabric.Info || !strings.Contains(x.Message, "th5") {
		t.Errorf("%+v", x)
	}
	three.spineModel = "nvidia-sn5600"
	f = three.build(t, c)
	mustPlan(t, c, f)
	if x := finding(f, "HASH_POLARISATION"); x != nil {
		t.Errorf("unlike chips hash unlike: %+v", x)
	}
}

func TestNICHeadroomIsNoted(t *testing.T) {
	c := declared(t)
	f := clos{leaves: 1, hosts: 8}.build(t, c)
	f.Underlay.HostMTU = 9216
	mustPlan(t, c, f)
	if x := finding(f, "NIC_HEADROOM"); x == nil || !strings.Contains(x.Message, "149788 B") || !strings.Contains(x.Remedy, "5 m (mlnx_qos --cable_len)") {
		t.Errorf("%+v", x)
	}
}
