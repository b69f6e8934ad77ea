package openconfig_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"railyard/generator/fabric"
	"railyard/vendors/openconfig"
	"railyard/vendors/openconfig/oc"
)

func TestSameBytes(t *testing.T) {
	f, sw := small()
	first, _ := build(t, f, sw, openconfig.Models())
	for range 5 {
		again, _ := build(t, f, sw, openconfig.Models())
		if !bytes.Equal(first.JSON, again.JSON) {
			t.Fatal("the same switch gave other bytes")
		}
	}
}

// RFC 7951: names get their module's prefix where it changes, 64-bit numbers
// are strings, shorter ones are not, identities carry their module.
func TestEncoding(t *testing.T) {
	f, sw := small()
	doc, _ := build(t, f, sw, openconfig.Models())
	for _, want := range []string{
		`"openconfig-interfaces:interfaces"`, `"openconfig-if-ethernet:ethernet"`, `"openconfig-vlan:switched-vlan"`, `"openconfig-if-ip:ipv4"`,
		`"port-speed": "openconfig-if-ethernet:SPEED_400GB"`, `"type": "iana-if-type:ethernetCsmacd"`,
		`"min-threshold": "400000"`, `"max-drop-probability-percent": 20`, `"identifier": "openconfig-policy-types:BGP"`,
	} {
		if !bytes.Contains(doc.JSON, []byte(want)) {
			t.Errorf("no %s", want)
		}
	}
	for _, never := range []string{"enable-flow-control", `"state"`} {
		if bytes.Contains(doc.JSON, []byte(never)) {
			t.Errorf("the document holds %s", never)
		}
	}
}

func codes(gaps []openconfig.Gap) []string {
	var out []string
	for _, g := range gaps {
		out = append(out, g.Code)
	}
	return out
}

func TestGaps(t *testing.T) {
	always := []string{"OC_PFC", "OC_HEADROOM", "OC_WATCHDOG"}
	for _, c := range []struct {
		name string
		d    openconfig.Dialect
		bend func(*fabric.Fabric, *fabric.Switch)
		want []string
	}{
		{"models", openconfig.Models(), nil, always},
		{"no watchdog", openconfig.Models(), func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless.Watchdog.Enabled = false }, always[:2]},
		{"no lossless plan", openconfig.Models(), func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless = nil }, nil},
		{"RoCE v1", openconfig.Models(), func(f *fabric.Fabric, _ *fabric.Switch) { f.RoCE = "v1" }, append(slices.Clone(always), "OC_COS")},
		{"split cage", openconfig.Models(), func(_ *fabric.Fabric, sw *fabric.Switch) { sw.Ports[0].Split = 2 }, append(slices.Clone(always), "OC_BREAKOUT")},
		{"odd speed", openconfig.Models(), func(_ *fabric.Fabric, sw *fabric.Switch) { sw.Ports[0].SpeedGbps = 300 }, append(slices.Clone(always), "OC_SPEED")},
		{"cell port", openconfig.Models(), func(_ *fabric.Fabric, sw *fabric.Switch) { sw.Ports[4].Role = fabric.CellPort }, append(slices.Clone(always), "OC_CELL_PORTS")},
		{"unnumbered", openconfig.Models(), func(_ *fabric.Fabric, sw *fabric.Switch) {
			sw.Ports[2].Address, sw.Ports[2].PeerAddress = netip.Prefix{}, netip.Addr{}
		}, append(slices.Clone(always), "OC_UNNUMBERED")},
		{"management", openconfig.Models(), func(f *fabric.Fabric, _ *fabric.Switch) {
			f.Management.NTP = []netip.Addr{netip.MustParseAddr("192.0.2.1")}
		}, append(slices.Clone(always), "OC_MANAGEMENT")},
		{"EOS", openconfig.ForOS("eos"), nil, append(append([]string{"OC_QOS"}, always...), "OC_GATEWAY", "OC_PORT_MTU", "OC_IP_MTU", "OC_ADVERTISE")},
		{"EOS, smaller MTU", openconfig.ForOS("eos"), func(f *fabric.Fabric, _ *fabric.Switch) { f.Underlay.MTU = 9214 },
			append(append([]string{"OC_QOS"}, always...), "OC_GATEWAY", "OC_PORT_MTU", "OC_ADVERTISE")},
		{"SONiC", openconfig.ForOS("sonic"), nil, append(append([]string{"OC_LLDP", "OC_VLANS", "OC_QOS", "OC_ROUTING", "OC_WRITE"}, always...), "OC_LOOPBACK")},
		{"VRP", openconfig.ForOS("vrp"), nil, append([]string{"OC_INTERFACES", "OC_LLDP", "OC_VLANS", "OC_QOS", "OC_ROUTING"}, always...)},
		{"Comware, nothing wanted", openconfig.ForOS("comware"), func(f *fabric.Fabric, sw *fabric.Switch) {
			f.Lossless, f.Underlay.BGP, sw.Ports, sw.VLANs = nil, false, nil, nil
		}, nil},
		{"unknown OS", openconfig.ForOS("other"), nil, append([]string{"OC_INTERFACES", "OC_LLDP", "OC_VLANS", "OC_QOS", "OC_ROUTING"}, always...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, sw := small()
			if c.bend != nil {
				c.bend(f, sw)
			}
			_, gaps := build(t, f, sw, c.d)
			if got := codes(gaps); !slices.Equal(got, c.want) {
				t.Errorf("gaps %v, want %v", got, c.want)
			}
			for _, g := range gaps {
				if g.Intent == "" || g.Reason == "" || g.Instead == "" {
					t.Errorf("%s does not say enough: %+v", g.Code, g)
				}
			}
		})
	}
}

// A dialect that carries a section must name what it needs for it, and a
// section it does not carry must have a reason.
func TestDialects(t *testing.T) {
	for _, d := range []openconfig.Dialect{openconfig.Models(), openconfig.ForOS("eos"), openconfig.ForOS("sonic"), openconfig.ForOS("vrp"), openconfig.ForOS("comware"), openconfig.ForOS("other")} {
		var listed []openconfig.Section
		for _, s := range d.Support {
			listed = append(listed, s.Section)
			if s.Carried == (s.Reason != "") {
				t.Errorf("%q, %s: carried %v, reason %q", d.OS, s.Section, s.Carried, s.Reason)
			}
			if s.Carried && (s.Source == "" || d.Sources == "") {
				t.Errorf("%q, %s: no source", d.OS, s.Section)
			}
		}
		if !slices.Equal(listed, openconfig.Sections()) {
			t.Errorf("%q lists %v", d.OS, listed)
		}
		if (d.Carries(openconfig.VLANs) || d.Carries(openconfig.Routing)) && (d.Instance == "" || d.Protocol == "") {
			t.Errorf("%q names no network instance or no BGP", d.OS)
		}
	}
}

// What EOS's dialect changes, by featureprofiles' exceptions for Arista.
func TestEOS(t *testing.T) {
	f, sw := small()
	doc, _ := build(t, f, sw, openconfig.ForOS("eos"))
	dev := doc.Device
	up := dev.GetInterfaces().GetInterface("Ethernet3")
	if up.Config.Mtu != nil || *up.GetSubinterfaces().GetSubinterface(0).Ipv4.Config.Mtu != 9214 || !*up.GetSubinterfaces().GetSubinterface(0).Ipv4.Config.Enabled {
		t.Errorf("uplink %+v", up.Config)
	}
	bgp := dev.GetNetworkInstances().GetNetworkInstance("default").GetProtocols().GetProtocol(oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_BGP, "BGP").GetBgp()
	family := bgp.GetGlobal().GetAfiSafis().GetAfiSafi(oc.OpenconfigBgpTypes_AFI_SAFI_TYPE_IPV4_UNICAST)
	if bgp.Global.UseMultiplePaths != nil || *family.UseMultiplePaths.Ebgp.Config.MaximumPaths != 4 || family.UseMultiplePaths.Ebgp.Config.AllowMultipleAs != nil {
		t.Errorf("multipath %+v", family.UseMultiplePaths)
	}
	if dev.Qos != nil || dev.GetNetworkInstances().GetNetworkInstance("default").TableConnections != nil {
		t.Error("QoS or redistribution in the document")
	}
}

func TestSONiC(t *testing.T) {
	f, sw := small()
	doc, _ := build(t, f, sw, openconfig.ForOS("sonic"))
	if bytes.Contains(doc.JSON, []byte("iana-if-type")) || doc.Device.NetworkInstances != nil || doc.Device.Lldp != nil {
		t.Error("the document holds what SONiC's deviations exclude")
	}
	if i := doc.Device.GetInterfaces().GetInterface("Ethernet3"); *i.Config.Mtu != 9216 {
		t.Errorf("MTU %d", *i.Config.Mtu)
	}
}

func TestNothingCarried(t *testing.T) {
	f, sw := small()
	doc, _ := build(t, f, sw, openconfig.ForOS("vrp"))
	if !doc.Empty() || doc.JSON != nil {
		t.Error("a document for a switch that takes none")
	}
}

// TestNoTransit follows a route through the policies.
func TestNoTransit(t *testing.T) {
	f, sw := small()
	sw.NoTransit = true
	sw.Ports[1].VLAN, sw.Ports[1].Role, sw.Ports[1].PeerASN = -1, fabric.DownlinkPort, 4200010001
	sw.Ports[1].Address, sw.Ports[1].PeerAddress = netip.MustParsePrefix("10.240.0.9/31"), netip.MustParseAddr("10.240.0.8")
	doc, _ := build(t, f, sw, openconfig.Models())
	bgp := doc.Device.GetNetworkInstances().GetNetworkInstance("DEFAULT").GetProtocols().GetProtocol(oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_BGP, "DEFAULT").GetBgp()
	apply := func(group string, in bool) string {
		c := bgp.GetPeerGroups().GetPeerGroup(group).GetAfiSafis().GetAfiSafi(oc.OpenconfigBgpTypes_AFI_SAFI_TYPE_IPV4_UNICAST).GetApplyPolicy().GetConfig()
		if in {
			return strings.Join(c.ImportPolicy, " ")
		}
		return strings.Join(c.ExportPolicy, " ")
	}
	for _, c := range []struct {
		from, to string
		passes   bool
	}{{"UPLINKS", "UPLINKS", false}, {"UPLINKS", "DOWNLINKS", true}, {"DOWNLINKS", "UPLINKS", true}, {"DOWNLINKS", "DOWNLINKS", true}} {
		tagged := map[string]bool{}
		if run(t, doc.Device, apply(c.from, true), tagged) && run(t, doc.Device, apply(c.to, false), tagged) != c.passes {
			t.Errorf("a route from %s to %s passes: %v", c.from, c.to, !c.passes)
		}
	}
}

// run applies a policy to a route that carries communities, as the models
// describe it: the first matching statement with a result decides.
func run(t *testing.T, dev *oc.Device, policy string, communities map[string]bool) bool {
	t.Helper()
	d := dev.GetRoutingPolicy().GetPolicyDefinitions().GetPolicyDefinition(policy)
	if d == nil {
		t.Fatalf("no policy %q", policy)
	}
	for _, s := range d.GetStatements().Statement.Values() {
		if m := s.GetConditions().GetBgpConditions().GetMatchCommunitySet().GetConfig(); m != nil {
			set := dev.GetRoutingPolicy().GetDefinedSets().GetBgpDefinedSets().GetCommunitySets().GetCommunitySet(*m.CommunitySet)
			hit := false
			for _, c := range set.Config.CommunityMember {
				hit = hit || communities[fmt.Sprint(c)]
			}
			if !hit {
				continue
			}
		}
		if c := s.GetActions().GetBgpActions().GetSetCommunity(); c != nil {
			for _, v := range c.Inline.Config.Communities {
				communities[fmt.Sprint(v)] = true
			}
		}
		switch s.Actions.Config.PolicyResult {
		case oc.OpenconfigRoutingPolicy_PolicyResultType_ACCEPT_ROUTE:
			return true
		case oc.OpenconfigRoutingPolicy_PolicyResultType_REJECT_ROUTE:
			return false
		}
	}
	return false
}

// Fabrics that must not become a document, and what must be said.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		bend func(*fabric.Fabric, *fabric.Switch)
		says []string
	}{
		{"InfiniBand", func(f *fabric.Fabric, _ *fabric.Switch) { f.Technology = fabric.InfiniBand }, []string{"InfiniBand"}},
		{"unnamed port", func(_ *fabric.Fabric, sw *fabric.Switch) { sw.Ports[0].Name = "" }, []string{"has no name"}},
		{"two ports of one name", func(_ *fabric.Fabric, sw *fabric.Switch) { sw.Ports[1].Name = "Ethernet1" }, []string{"interface Ethernet1 appears twice"}},
		{"two sessions to one peer", func(_ *fabric.Fabric, sw *fabric.Switch) { sw.Ports[3].PeerAddress = sw.Ports[2].PeerAddress }, []string{"neighbor 10.240.0.0 appears twice"}},
		{"marking band upside down", func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless.Profiles[0].KminBytes = 2_000_000 }, []string{"min-threshold 2000000 is above max-threshold 1600000"}},
		{"marking over 100 percent", func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless.Profiles[0].PmaxPercent = 101 }, []string{"101 %"}},
		{"VLAN out of range", func(f *fabric.Fabric, _ *fabric.Switch) { f.VLANs[0].ID = 4095 }, []string{"4095"}},
		{"MTU that fits no leaf", func(f *fabric.Fabric, _ *fabric.Switch) { f.Underlay.MTU = 70000 }, []string{"70014", "70000"}},
		{"two profiles of one name", func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless.Profiles[1] = f.Lossless.Profiles[0] }, []string{"two profiles are called ROCE-400G-5M"}},
		{"two classes of one name", func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless.Classes[2].Name = "roce" }, []string{"class roce appears twice"}},
		{"strict and weighted in one queue", func(f *fabric.Fabric, _ *fabric.Switch) { f.Lossless.Classes[2].Queue = 3 }, []string{"queue 3 holds a strict and a weighted class"}},
		{"several at once", func(f *fabric.Fabric, sw *fabric.Switch) {
			sw.Ports[0].Name, f.Lossless.Classes[2].Name = "", "roce"
		}, []string{"has no name", "class roce appears twice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, sw := small()
			c.bend(f, sw)
			doc, _, err := openconfig.Build(f, sw, openconfig.Models())
			if err == nil || !doc.Empty() {
				t.Fatal("accepted")
			}
			for _, want := range c.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("said %q, want %q", err, want)
				}
			}
			if !strings.HasPrefix(err.Error(), "leaf: ") || len(err.Error()) > 4000 {
				t.Errorf("the error does not name the switch or holds a schema: %d bytes", len(err.Error()))
			}
		})
	}
}

// The models refuse a tree that points nowhere or leaves a range.
func TestModelsRefuse(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name string
		bend func(*oc.Device)
	}{
		{"queue that does not exist", func(d *oc.Device) {
			d.Qos.ForwardingGroups.ForwardingGroup["roce"].Config.OutputQueue = text("queue-5")
		}},
		{"policy that does not exist", func(d *oc.Device) {
			bgp := d.NetworkInstances.NetworkInstance["DEFAULT"].GetProtocols().GetProtocol(oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_BGP, "DEFAULT").Bgp
			bgp.PeerGroups.PeerGroup["UPLINKS"].AfiSafis.AfiSafi[oc.OpenconfigBgpTypes_AFI_SAFI_TYPE_IPV4_UNICAST].ApplyPolicy.Config.ImportPolicy = []string{"NONE"}
		}},
		{"code point out of range", func(d *oc.Device) {
			d.Qos.Classifiers.Classifier["RAILYARD-IPV4"].Terms.Term["20"].Conditions.Ipv4.Config.DscpSet = []uint8{64}
		}},
		{"prefix too long", func(d *oc.Device) {
			long := uint8(33)
			d.Interfaces.Interface["Ethernet3"].Subinterfaces.Subinterface[0].Ipv4.Addresses.Address["10.240.0.1"].Config.PrefixLength = &long
		}},
		{"key that is not the name", func(d *oc.Device) { d.Interfaces.Interface["Ethernet1"].Config.Name = text("Ethernet9") }},
		{"router id that is none", func(d *oc.Device) {
			d.NetworkInstances.NetworkInstance["DEFAULT"].GetProtocols().GetProtocol(oc.OpenconfigPolicyTypes_INSTALL_PROTOCOL_TYPE_BGP, "DEFAULT").Bgp.Global.Config.RouterId = text("leaf")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, sw := small()
			doc, _ := build(t, f, sw, openconfig.Models())
			c.bend(doc.Device)
			if doc.Device.Validate() == nil {
				t.Error("accepted")
			}
		})
	}
}

// BenchmarkBuild is a leaf of 128 ports: 64 servers and 64 uplinks.
func BenchmarkBuild(b *testing.B) {
	f, sw := small()
	host, up := sw.Ports[0], sw.Ports[2]
	sw.Ports = nil
	for i := range 64 {
		h := host
		h.Name, h.Peer = fmt.Sprintf("Ethernet%d", i+1), fabric.End{Kind: fabric.ServerDevice}
		sw.Ports = append(sw.Ports, h)
	}
	for i := range 64 {
		u := up
		u.Name = fmt.Sprintf("Ethernet%d", i+65)
		u.Address = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 240, 1, byte(2*i + 1)}), 31)
		u.PeerAddress = netip.AddrFrom4([4]byte{10, 240, 1, byte(2 * i)})
		sw.Ports = append(sw.Ports, u)
	}
	for _, d := range []openconfig.Dialect{openconfig.Models(), openconfig.ForOS("eos"), openconfig.ForOS("sonic")} {
		b.Run(d.OS+".", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				build(b, f, sw, d)
			}
		})
	}
}
