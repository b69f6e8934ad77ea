package sonic

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"railyard/generator/fabric"
)

// builder for small hand-made fabrics.

type testFabric struct{ *fabric.Fabric }

func newFabric() *testFabric {
	return &testFabric{&fabric.Fabric{
		Name: "test", Technology: fabric.RoCE, RoCE: "v2", Topology: fabric.LeafSpine, Planes: 1,
		Underlay: fabric.Underlay{BGP: true, MaxPaths: 8, MTU: 9216, HostMTU: 9000, SpineASN: "shared", HostMode: "vlan"},
		Lossless: &fabric.Lossless{
			Classes: []fabric.Class{
				{Name: "default", WeightPercent: 40},
				{Name: "roce", DSCP: []int{24, 26}, Priority: 3, TrafficClass: 3, Queue: 3, PriorityGroup: 3, Lossless: true, ECN: true, WeightPercent: 60},
				{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
				{Name: "control", DSCP: []int{56}, Priority: 7, TrafficClass: 7, Queue: 7, Strict: true},
			},
			Watchdog:   fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
			ECNProfile: "hpcc",
		},
		Management: fabric.Management{
			Subnet: netip.MustParsePrefix("192.168.100.0/22"), Gateway: netip.MustParseAddr("192.168.100.1"), VRF: "mgmt",
			NTP: addrs("192.168.100.2"), DNS: addrs("192.168.100.2"), Syslog: addrs("192.168.100.3"),
		},
	}}
}

func addrs(list ...string) (out []netip.Addr) {
	for _, a := range list {
		out = append(out, netip.MustParseAddr(a))
	}
	return out
}

func (f *testFabric) model(id, vendor string, cages, speed int, buffer int64, cell int) int {
	m := fabric.Model{ID: id, Vendor: vendor, BufferBytes: buffer, CellBytes: cell}
	for c := range cages {
		m.Cages = append(m.Cages, fabric.Cage{Number: c + 1, SpeedGbps: speed})
	}
	f.Models = append(f.Models, m)
	return len(f.Models) - 1
}

// profile adds a lossless profile of the named kind of switch.
func (f *testFabric) profile(model, speed int, metres float64, xoff, xon, alpha int) int {
	f.Lossless.Profiles = append(f.Lossless.Profiles, fabric.Profile{
		Model: model, SpeedGbps: speed, LengthM: metres, MTU: 9216, XoffBytes: xoff, XonBytes: xon, SizeBytes: xoff + xon, AlphaLog2: alpha,
		KminBytes: 1000 * speed, KmaxBytes: 4000 * speed, PmaxPercent: 20,
	})
	return len(f.Lossless.Profiles) - 1
}

// addSwitch adds a switch whose cages are split as given, all ports unused.
func (f *testFabric) addSwitch(name string, role fabric.Role, model int, asn uint32, split, speed, cages int) int {
	n := len(f.Switches)
	sw := fabric.Switch{Name: name, Role: role, Model: model, OS: "sonic", ASN: asn, Unit: 0,
		Loopback:   netip.AddrFrom4([4]byte{10, 255, 0, byte(n + 1)}),
		Management: netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 168, 100, byte(10 + n)}), 22)}
	f.Switches = append(f.Switches, sw)
	for c := range cages {
		f.cage(n, c+1, split, speed)
	}
	return n
}

// cage sets or replaces the ports of a cage.
func (f *testFabric) cage(sw, cage, split, speed int) {
	ports := &f.Switches[sw].Ports
	*ports = slices.DeleteFunc(*ports, func(p fabric.Port) bool { return p.Cage == cage })
	for lane := range split {
		p := fabric.Port{Cage: cage, Split: split, SpeedGbps: speed, Role: fabric.UnusedPort, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
		if split > 1 {
			p.Lane = lane + 1
		}
		*ports = append(*ports, p)
	}
	slices.SortFunc(*ports, func(a, b fabric.Port) int { return a.Cage*16 + a.Lane - b.Cage*16 - b.Lane })
}

func (f *testFabric) vlan(sw, id, rail int, gateway string) int {
	v := fabric.VLAN{ID: id, Name: fmt.Sprintf("rail%d", rail), Rail: rail}
	if gateway != "" {
		v.Gateway = netip.MustParsePrefix(gateway)
		v.Subnet = v.Gateway.Masked()
	}
	f.VLANs = append(f.VLANs, v)
	f.Switches[sw].VLANs = append(f.Switches[sw].VLANs, len(f.VLANs)-1)
	return len(f.VLANs) - 1
}

// server cables a new server's NICs to ports of a switch; a VLAN of -1 is a
// routed port with the given /31.
func (f *testFabric) server(sw, port, vlan, profile int, address string) {
	s := len(f.Servers)
	f.Servers = append(f.Servers, fabric.Server{Name: fmt.Sprintf("gpu-%03d", s+1), Ports: []fabric.NICPort{{Name: "nic0"}}})
	p := &f.Switches[sw].Ports[port]
	p.Role, p.VLAN, p.Profile, p.Rail = fabric.HostPort, vlan, profile, 0
	if address != "" {
		p.Address = netip.MustParsePrefix(address)
	}
	f.link(fabric.End{Kind: fabric.ServerDevice, Device: s}, fabric.End{Device: sw, Port: port}, fabric.HostLink)
}

func (f *testFabric) link(a, b fabric.End, kind fabric.LinkKind) {
	f.Links = append(f.Links, fabric.Link{A: a, B: b, Kind: kind})
	n := len(f.Links) - 1
	for _, e := range []struct{ me, peer fabric.End }{{a, b}, {b, a}} {
		if e.me.Kind == fabric.SwitchDevice {
			p := &f.Switches[e.me.Device].Ports[e.me.Port]
			p.Link, p.Peer = n, e.peer
		}
	}
}

// uplink cables a lower to an upper switch; prefix "" is unnumbered.
func (f *testFabric) uplink(lower, lport, upper, uport, lprofile, uprofile int, prefix string) {
	f.link(fabric.End{Device: lower, Port: lport}, fabric.End{Device: upper, Port: uport}, fabric.FabricLink)
	lo, up := &f.Switches[lower].Ports[lport], &f.Switches[upper].Ports[uport]
	lo.Role, lo.Profile, lo.PeerASN = fabric.UplinkPort, lprofile, f.Switches[upper].ASN
	up.Role, up.Profile, up.PeerASN = fabric.DownlinkPort, uprofile, f.Switches[lower].ASN
	if prefix == "" {
		f.Underlay.Unnumbered = true
		return
	}
	p := netip.MustParsePrefix(prefix)
	lo.Address, up.Address = p, netip.PrefixFrom(p.Addr().Next(), p.Bits())
	lo.PeerAddress, up.PeerAddress = up.Address.Addr(), lo.Address.Addr()
}

// named gives every port its OS name, as the driver table does before Render.
func (f *testFabric) named(d *Driver) *fabric.Fabric {
	for i := range f.Switches {
		sw := &f.Switches[i]
		for j := range sw.Ports {
			sw.Ports[j].Name = d.PortName(&f.Models[sw.Model], &sw.Ports[j])
		}
	}
	return f.Fabric
}

// The fabrics of the golden files.

// leafSpineFabric: an Arista leaf (O128S2) with two rails, two numbered uplinks
// to Dell spines with another buffer, one reserved and one unused port.
func leafSpineFabric() *testFabric {
	f := newFabric()
	arista := f.model("arista-7060x6-64pe", "arista", 64, 800, 165_200_000, 254)
	dell := f.model("dell-z9864f", "dell", 64, 800, 165_200_000, 254)
	host := f.profile(arista, 400, 5, 612140, 0, 0)
	up := f.profile(arista, 400, 30, 612140, 0, 0)
	down := f.profile(dell, 400, 30, 446024, 0, 0)
	leaf := f.addSwitch("leaf-u01-r0-1", fabric.Leaf, arista, 4200010000, 2, 400, 4)
	spine1 := f.addSwitch("spine-01", fabric.Spine, dell, 4200001000, 2, 400, 2)
	spine2 := f.addSwitch("spine-02", fabric.Spine, dell, 4200001000, 2, 400, 2)
	r0, r1 := f.vlan(leaf, 100, 0, "10.16.0.1/24"), f.vlan(leaf, 101, 1, "10.16.1.1/24")
	for i, v := range []int{r0, r1, r0, r1} {
		f.server(leaf, i, v, host, "")
	}
	f.uplink(leaf, 4, spine1, 0, up, down, "10.240.0.0/31")
	f.uplink(leaf, 5, spine2, 0, up, down, "10.240.0.2/31")
	f.Switches[leaf].Ports[6].Reserved = true
	f.Lossless.Buffers = []fabric.Buffer{{Model: arista, Switches: []int{leaf}, HeadroomBytes: 6 * 612140}}
	return f
}

// singleFabric: one NVIDIA switch, layer 2 only.
func singleFabric() *testFabric {
	f := newFabric()
	f.Topology, f.Underlay.BGP = fabric.SingleSwitch, false
	m := f.model("nvidia-sn5600", "nvidia", 64, 800, 160_000_000, 192)
	host := f.profile(m, 400, 5, 231424, 19456, 0)
	sw := f.addSwitch("leaf-u01-r0-3", fabric.Leaf, m, 4200010000, 2, 400, 3)
	for r := range 4 {
		f.server(sw, r, f.vlan(sw, 100+r, r, ""), host, "")
	}
	return f
}

// breakoutFabric: a Micas box with 2x400G host cages, an 800G uplink, no
// published buffer pools, cables in a length that no table has.
func breakoutFabric() *testFabric {
	f := newFabric()
	m := f.model("ruijie-s6990-64oc", "ruijie", 64, 800, 165_200_000, 254)
	host := f.profile(m, 400, 2.5, 445770, 0, -1)
	up := f.profile(m, 800, 100, 900000, 0, -1)
	leaf := f.addSwitch("leaf-u01-r0", fabric.Leaf, m, 4200010000, 2, 400, 2)
	spine := f.addSwitch("spine-01", fabric.Spine, m, 4200001000, 1, 800, 2)
	f.cage(leaf, 3, 1, 800)
	v := f.vlan(leaf, 100, 0, "10.16.0.1/24")
	f.server(leaf, 0, v, host, "")
	f.server(leaf, 1, v, host, "")
	f.uplink(leaf, 4, spine, 1, up, up, "10.240.0.0/31")
	return f
}

// unnumberedFabric: NVIDIA leaf with no-transit policy and routed hosts.
func unnumberedFabric() *testFabric {
	f := newFabric()
	f.Underlay.HostMode = "routed"
	m := f.model("nvidia-sn4700", "nvidia", 32, 400, 67_000_000, 144)
	host, up := f.profile(m, 200, 5, 35840, 19456, 0), f.profile(m, 400, 30, 77824, 37888, 0)
	leaf := f.addSwitch("leaf-u01-r0", fabric.Leaf, m, 4200010000, 1, 400, 3)
	s1 := f.addSwitch("spine-01", fabric.Spine, m, 4200001000, 1, 400, 1)
	s2 := f.addSwitch("spine-02", fabric.Spine, m, 4200001001, 1, 400, 1)
	f.Switches[leaf].NoTransit = true
	f.cage(leaf, 1, 2, 200)
	f.server(leaf, 0, -1, host, "10.16.0.0/31")
	f.server(leaf, 1, -1, host, "10.16.0.2/31")
	f.uplink(leaf, 2, s1, 0, up, up, "")
	f.uplink(leaf, 3, s2, 0, up, up, "")
	return f
}
