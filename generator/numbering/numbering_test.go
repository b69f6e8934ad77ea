package numbering_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/numbering"
	"railyard/generator/quantity"
	"railyard/generator/topology"
)

func declare(t testing.TB, servers, reserve, perUnit int) *cluster.Cluster {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := declared(cat)
	c.Fabric.ServersPerUnit, c.Fabric.Reserve.Servers = cluster.AutoInt(perUnit), reserve
	c.Servers[0].Count, c.Servers[0].Reserve = servers, max(servers, reserve)
	return c
}

// declared is one server on an H3C fabric, as cluster.Load would leave it.
func declared(cat *catalog.Catalog) *cluster.Cluster {
	tier := cluster.Tier{Model: "h3c-s9825-64d", Spec: *cat.Switch("h3c-s9825-64d")}
	one := quantity.Ratio{Down: 1, Up: 1}
	return &cluster.Cluster{
		Name: "test", Catalog: cat,
		Fabric: cluster.Fabric{Technology: "roce", RoCE: "v2", Topology: "auto", Attachment: "rail", Planes: 1,
			Oversubscription: one, CoreOversubscription: one},
		Servers:  []cluster.ServerGroup{{Name: "gpu", Count: 1, Reserve: 1, NICs: 8, GPUs: 8, NICSpeed: 400, GPU: "h100-80-sxm5"}},
		Switches: cluster.Switches{Leaf: tier, Spine: tier, Core: tier},
		Addressing: cluster.Addressing{Rails: netip.MustParsePrefix("10.16.0.0/12"), Loopbacks: netip.MustParsePrefix("10.255.0.0/16"),
			Links: cluster.LinkPrefix{Prefix: netip.MustParsePrefix("10.240.0.0/13")}, VLANBase: 100, Host: "vlan",
			ASN: cluster.ASN{Leaf: 4200010000, Spine: 4200001000, Core: 4200000000, SpineMode: "shared"}},
		Management: cluster.Management{Subnet: netip.MustParsePrefix("192.168.100.0/22"), Gateway: netip.MustParseAddr("192.168.100.1"),
			NTP: []netip.Addr{netip.MustParseAddr("192.168.100.2")}},
	}
}

func design(t testing.TB, c *cluster.Cluster) *fabric.Fabric {
	t.Helper()
	f, size, err := topology.Build(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := numbering.Assign(c, f, size); err != nil {
		t.Fatal(err)
	}
	return f
}

// The recommended plan of an eight-rail fabric: 10.(16+rail).unit.0/24 with the
// gateway at .254, loopbacks 10.255.tier.n, /31s with the spine even.
func TestRecommendedPlan(t *testing.T) {
	f := design(t, declare(t, 64, 64, 32))
	leaf := f.Switches[8+3] // unit 2, rail 3
	if leaf.Name != "leaf-u02-r3" || leaf.ASN != 4200010011 || leaf.Loopback.String() != "10.255.1.12" {
		t.Errorf("leaf %s %d %s", leaf.Name, leaf.ASN, leaf.Loopback)
	}
	v := f.VLANs[leaf.VLANs[0]]
	if v.ID != 103 || v.Subnet.String() != "10.19.1.0/24" || v.Gateway.String() != "10.19.1.254/24" {
		t.Errorf("VLAN %+v", v)
	}
	spine := f.Switches[16]
	if spine.Name != "spine-01" || spine.ASN != 4200001000 || spine.Loopback.String() != "10.255.2.1" {
		t.Errorf("spine %s %d %s", spine.Name, spine.ASN, spine.Loopback)
	}
	nic := f.Servers[32+4].Ports[3]
	if f.Servers[36].Name != "gpu-037" || nic.Address.String() != "10.19.1.5/24" || nic.Gateway.String() != "10.19.1.254" {
		t.Errorf("%s %+v", f.Servers[36].Name, nic)
	}
	first := f.Switches[0].Ports[32]
	if first.Address.String() != "10.240.0.1/31" || first.PeerAddress.String() != "10.240.0.0" || first.PeerASN != 4200001000 {
		t.Errorf("first uplink %+v", first)
	}
	if f.Underlay.MaxPaths != 32 {
		t.Errorf("max paths %d, want all 32 uplinks", f.Underlay.MaxPaths)
	}
	if got := f.Switches[0].Management.String(); got != "192.168.100.11/22" {
		t.Errorf("management %s", got)
	}
}

func TestRanges(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*cluster.Cluster)
		want   string // part of the problem; empty: must work
	}{
		{"tight rails fit", func(c *cluster.Cluster) { c.Addressing.Rails = netip.MustParsePrefix("10.16.0.0/22") }, ""},
		{"rails too small", func(c *cluster.Cluster) { c.Addressing.Rails = netip.MustParsePrefix("10.16.0.0/24") }, "addressing.rails"},
		{"links too small", func(c *cluster.Cluster) { c.Addressing.Links.Prefix = netip.MustParsePrefix("10.240.0.0/23") }, "use at least a /22"},
		{"links just fit", func(c *cluster.Cluster) { c.Addressing.Links.Prefix = netip.MustParsePrefix("10.240.0.0/22") }, ""},
		{"unnumbered needs none", func(c *cluster.Cluster) { c.Addressing.Links = cluster.LinkPrefix{Unnumbered: true} }, ""},
		{"loopbacks packed", func(c *cluster.Cluster) { c.Addressing.Loopbacks = netip.MustParsePrefix("10.255.0.0/27") }, ""},
		{"loopbacks too small", func(c *cluster.Cluster) { c.Addressing.Loopbacks = netip.MustParsePrefix("10.255.0.0/28") }, "use at least a /27"},
		{"VLANs run out", func(c *cluster.Cluster) { c.Addressing.VLANBase = 4090 }, "above 4094"},
		{"2-byte ASNs run out", func(c *cluster.Cluster) {
			c.Addressing.ASN = cluster.ASN{Leaf: 65530, Spine: 64512, Core: 64600}
		}, "2-byte range"},
		{"2-byte ASNs fit", func(c *cluster.Cluster) { c.Addressing.ASN = cluster.ASN{Leaf: 65000, Spine: 64512, Core: 64600} }, ""},
		{"ASNs overlap", func(c *cluster.Cluster) { c.Addressing.ASN.Spine = 4200010005 }, "overlap"},
		{"management too small", func(c *cluster.Cluster) {
			c.Management.Subnet = netip.MustParsePrefix("192.168.100.0/28")
		}, ""}, // the default is widened; a declared one is tested with Load
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := declare(t, 64, 64, 32)
			tc.change(c)
			f, size, err := topology.Build(c)
			if err != nil {
				t.Fatal(err)
			}
			err = numbering.Assign(c, f, size)
			if tc.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				unique(t, f)
				return
			}
			var problems cluster.Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want a problem with %q", err, tc.want)
			}
		})
	}
}

// unique holds that no address, ASN of a leaf or subnet is given twice.
func unique(t interface{ Errorf(string, ...any) }, f *fabric.Fabric) {
	addr := map[netip.Addr]string{}
	take := func(a netip.Addr, who string) {
		if !a.IsValid() {
			return
		}
		if other, ok := addr[a]; ok {
			t.Errorf("%s and %s have %s", other, who, a)
		}
		addr[a] = who
	}
	asn := map[uint32]string{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		take(sw.Loopback, sw.Name)
		take(sw.Management.Addr(), sw.Name)
		if sw.Role == fabric.Leaf && sw.ASN != 0 {
			if other, ok := asn[sw.ASN]; ok {
				t.Errorf("%s and %s have AS %d", other, sw.Name, sw.ASN)
			}
			asn[sw.ASN] = sw.Name
		}
		for p := range sw.Ports {
			port := &sw.Ports[p]
			take(port.Address.Addr(), sw.Name)
			if port.Address.IsValid() && (!port.Address.Contains(port.PeerAddress) || port.PeerAddress == port.Address.Addr()) {
				t.Errorf("%s: %s and %s do not share a /31", sw.Name, port.Address, port.PeerAddress)
			}
		}
	}
	for i := range f.Servers {
		for _, nic := range f.Servers[i].Ports {
			take(nic.Address.Addr(), f.Servers[i].Name)
			if nic.Gateway.IsValid() && !nic.Address.Contains(nic.Gateway) {
				t.Errorf("%s: gateway %s outside %s", f.Servers[i].Name, nic.Gateway, nic.Address)
			}
		}
	}
	for i := range f.VLANs {
		take(f.VLANs[i].Gateway.Addr(), "gateway")
		for j := range i {
			if f.VLANs[i].Subnet.Overlaps(f.VLANs[j].Subnet) && f.VLANs[i].Subnet != f.VLANs[j].Subnet {
				t.Errorf("%s overlaps %s", f.VLANs[i].Subnet, f.VLANs[j].Subnet)
			}
		}
	}
}
