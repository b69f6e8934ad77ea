// Package lab builds small fabrics by hand for the tests of drivers: as the
// pipeline would leave them, but with every number chosen by the test.
package lab

import (
	"net/netip"
	"time"

	"railyard/generator/fabric"
)

// Prefix is a prefix that is known to be well formed.
func Prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }

// Addr is an address that is known to be well formed.
func Addr(s string) netip.Addr { return netip.MustParseAddr(s) }

// Panel is a model with n equal cages; speed in Gb/s.
func Panel(vendor, id, asic string, n, speed int, form string) fabric.Model {
	m := fabric.Model{ID: id, ASIC: asic, Vendor: vendor, CellBytes: 254}
	for i := range n {
		m.Cages = append(m.Cages, fabric.Cage{Number: i + 1, SpeedGbps: speed, Form: form})
	}
	return m
}

// Classes is the plan for hosts that send on priority 3.
func Classes() []fabric.Class {
	return []fabric.Class{
		{Name: "default", Priority: 0, TrafficClass: 0, Queue: 0, WeightPercent: 20},
		{Name: "roce", DSCP: []int{26}, Priority: 3, TrafficClass: 3, Queue: 3, PriorityGroup: 3, Lossless: true, ECN: true, WeightPercent: 80},
		{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
		{Name: "control", DSCP: []int{56}, Priority: 7, TrafficClass: 7, Queue: 7, Strict: true},
	}
}

// Base is a fabric without switches.
func Base(models ...fabric.Model) *fabric.Fabric {
	return &fabric.Fabric{
		Name: "lab", Technology: fabric.RoCE, RoCE: "v2", Planes: 1, Models: models,
		Underlay: fabric.Underlay{
			BGP: true, MTU: 9216, HostMTU: 9000, MaxPaths: 2, HostMode: "vlan",
			Loopbacks: Prefix("10.255.0.0/16"), Rails: Prefix("10.16.0.0/12"), Links: Prefix("10.240.0.0/13"),
		},
		Lossless: &fabric.Lossless{
			Classes:  Classes(),
			Watchdog: fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
			Profiles: []fabric.Profile{
				{SpeedGbps: 400, LengthM: 5, MTU: 9216, XoffBytes: 393192, XonBytes: 2032, AlphaLog2: -3, KminBytes: 400_000, KmaxBytes: 1_600_000, PmaxPercent: 20},
				{SpeedGbps: 800, LengthM: 30, MTU: 9216, XoffBytes: 805434, XonBytes: 2032, AlphaLog2: -3, KminBytes: 800_000, KmaxBytes: 3_200_000, PmaxPercent: 20},
				{SpeedGbps: 200, LengthM: 2.5, MTU: 9216, XoffBytes: 229362, XonBytes: 2032, AlphaLog2: 0, KminBytes: 200_001, KmaxBytes: 800_003, PmaxPercent: 5},
				{SpeedGbps: 100, LengthM: 2.5, MTU: 9216, XoffBytes: 147066, XonBytes: 2032, AlphaLog2: 0, KminBytes: 100_000, KmaxBytes: 400_000, PmaxPercent: 5},
			},
		},
		Management: fabric.Management{
			Subnet: Prefix("192.168.100.0/22"), Gateway: Addr("192.168.100.1"), VRF: "mgmt",
			NTP: []netip.Addr{Addr("192.168.100.3"), Addr("192.168.100.2")}, DNS: []netip.Addr{Addr("192.168.100.2")},
			Syslog: []netip.Addr{Addr("192.168.100.4")},
			Users: []fabric.User{{Name: "admin", Role: "admin", PasswordHash: fabric.Secret{Env: "ADMIN_HASH"},
				SSHKeys: []string{"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPrimary noc", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAISecond noc"}}},
		},
	}
}

// Cage adds the ports of one cage, all of a role; speed in Gb/s.
func Cage(sw *fabric.Switch, number, split, speed int, role fabric.PortRole) {
	for lane := 1; lane <= split; lane++ {
		p := fabric.Port{Cage: number, Split: split, SpeedGbps: speed, Role: role, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
		if split > 1 {
			p.Lane = lane
		}
		sw.Ports = append(sw.Ports, p)
	}
}

// AddSwitch appends a switch and returns its index.
func AddSwitch(f *fabric.Fabric, sw fabric.Switch) int {
	f.Switches = append(f.Switches, sw)
	return len(f.Switches) - 1
}

// Host hangs a server on a port of a leaf.
func Host(f *fabric.Fabric, leaf, port int, name string, nic, vlan, profile int) {
	s := len(f.Servers)
	f.Servers = append(f.Servers, fabric.Server{Name: name, Ports: []fabric.NICPort{{Name: "nic" + string(rune('0'+nic)), Link: len(f.Links)}}})
	p := &f.Switches[leaf].Ports[port]
	p.Role, p.Link, p.Rail, p.VLAN, p.Profile = fabric.HostPort, len(f.Links), nic, vlan, profile
	p.Peer = fabric.End{Kind: fabric.ServerDevice, Device: s}
	f.Links = append(f.Links, fabric.Link{A: p.Peer, B: fabric.End{Device: leaf, Port: port}, Kind: fabric.HostLink})
}

// Wire joins a lower switch's port and a higher one's over a /31, or over
// link-local addresses when subnet is empty.
func Wire(f *fabric.Fabric, low, lowPort, high, highPort, profile int, subnet string) {
	a, b := fabric.End{Device: low, Port: lowPort}, fabric.End{Device: high, Port: highPort}
	link := len(f.Links)
	f.Links = append(f.Links, fabric.Link{A: a, B: b, Kind: fabric.FabricLink})
	pa, pb := &f.Switches[low].Ports[lowPort], &f.Switches[high].Ports[highPort]
	pa.Role, pb.Role = fabric.UplinkPort, fabric.DownlinkPort
	pa.Peer, pb.Peer = b, a
	pa.PeerASN, pb.PeerASN = f.Switches[high].ASN, f.Switches[low].ASN
	for _, p := range []*fabric.Port{pa, pb} {
		p.Link, p.Profile = link, profile
	}
	if subnet != "" {
		p := Prefix(subnet)
		pa.Address, pa.PeerAddress = netip.PrefixFrom(p.Addr(), 31), p.Addr().Next()
		pb.Address, pb.PeerAddress = netip.PrefixFrom(p.Addr().Next(), 31), p.Addr()
	}
}

// Named does what the pipeline does before it renders.
func Named(f *fabric.Fabric, name func(*fabric.Model, *fabric.Port) string) *fabric.Fabric {
	for i := range f.Switches {
		sw := &f.Switches[i]
		for j := range sw.Ports {
			sw.Ports[j].Name = name(f.ModelOf(sw), &sw.Ports[j])
		}
	}
	return f
}
