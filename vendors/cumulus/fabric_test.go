package cumulus

import (
	"errors"
	"net/netip"
	"strings"
	"time"

	"railyard/generator/fabric"
)

// hash is a SHA-512 crypt string of the right form; no password has it.
var hash = "$6$saltsalt$" + strings.Repeat("A./z", 21) + "Az"

func testSecrets(s fabric.Secret) (string, error) {
	switch s.Env {
	case "ADMIN_HASH":
		return hash + "\n", nil
	case "YESCRYPT":
		return "$y$j9T$abc$def", nil
	case "CISCO":
		return "0123456789abcdef", nil
	}
	return "", errors.New("environment variable " + s.Env + " is not set")
}

func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }
func addr(s string) netip.Addr     { return netip.MustParseAddr(s) }

// panel is a model with n equal cages.
func panel(id, asic string, n, speed int, form string) fabric.Model {
	m := fabric.Model{ID: id, ASIC: asic, Vendor: "nvidia", CellBytes: 254}
	for i := range n {
		m.Cages = append(m.Cages, fabric.Cage{Number: i + 1, SpeedGbps: speed, Form: form})
	}
	return m
}

// nvidiaClasses is the plan for hosts that send on priority 3.
func nvidiaClasses() []fabric.Class {
	return []fabric.Class{
		{Name: "default", Priority: 0, TrafficClass: 0, Queue: 0, WeightPercent: 20},
		{Name: "roce", DSCP: []int{26}, Priority: 3, TrafficClass: 3, Queue: 3, PriorityGroup: 3, Lossless: true, ECN: true, WeightPercent: 80},
		{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
		{Name: "control", DSCP: []int{56}, Priority: 7, TrafficClass: 7, Queue: 7, Strict: true},
	}
}

// base is a fabric without switches.
func base(models ...fabric.Model) *fabric.Fabric {
	return &fabric.Fabric{
		Name: "lab", Technology: fabric.RoCE, RoCE: "v2", Planes: 1, Models: models,
		Underlay: fabric.Underlay{
			BGP: true, MTU: 9216, HostMTU: 9000, MaxPaths: 2, HostMode: "vlan",
			Loopbacks: prefix("10.255.0.0/16"), Rails: prefix("10.16.0.0/12"), Links: prefix("10.240.0.0/13"),
		},
		Lossless: &fabric.Lossless{
			Classes:  nvidiaClasses(),
			Watchdog: fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
			Profiles: []fabric.Profile{
				{SpeedGbps: 400, LengthM: 5, MTU: 9216, XoffBytes: 393192, XonBytes: 2032, AlphaLog2: -3, KminBytes: 400_000, KmaxBytes: 1_600_000, PmaxPercent: 20},
				{SpeedGbps: 800, LengthM: 30, MTU: 9216, XoffBytes: 805434, XonBytes: 2032, AlphaLog2: -3, KminBytes: 800_000, KmaxBytes: 3_200_000, PmaxPercent: 20},
				{SpeedGbps: 200, LengthM: 2.5, MTU: 9216, XoffBytes: 229362, XonBytes: 2032, AlphaLog2: 0, KminBytes: 200_001, KmaxBytes: 800_003, PmaxPercent: 5},
				{SpeedGbps: 100, LengthM: 2.5, MTU: 9216, XoffBytes: 147066, XonBytes: 2032, AlphaLog2: 0, KminBytes: 100_000, KmaxBytes: 400_000, PmaxPercent: 5},
			},
		},
		Management: fabric.Management{
			Subnet: prefix("192.168.100.0/22"), Gateway: addr("192.168.100.1"), VRF: "mgmt",
			NTP: []netip.Addr{addr("192.168.100.3"), addr("192.168.100.2")}, DNS: []netip.Addr{addr("192.168.100.2")},
			Syslog: []netip.Addr{addr("192.168.100.4")},
			Users: []fabric.User{{Name: "admin", Role: "admin", PasswordHash: fabric.Secret{Env: "ADMIN_HASH"},
				SSHKeys: []string{"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPrimary noc", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAISecond noc"}}},
		},
	}
}

// cage adds the ports of one cage, all of a role.
func cage(sw *fabric.Switch, number, split, speed int, role fabric.PortRole) {
	for lane := 1; lane <= split; lane++ {
		p := fabric.Port{Cage: number, Split: split, SpeedGbps: speed, Role: role, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
		if split > 1 {
			p.Lane = lane
		}
		sw.Ports = append(sw.Ports, p)
	}
}

func addSwitch(f *fabric.Fabric, sw fabric.Switch) int {
	f.Switches = append(f.Switches, sw)
	return len(f.Switches) - 1
}

// host hangs a server on a port of a leaf.
func host(f *fabric.Fabric, leaf, port int, name string, nic, vlan, profile int) {
	s := len(f.Servers)
	f.Servers = append(f.Servers, fabric.Server{Name: name, Ports: []fabric.NICPort{{Name: "nic" + string(rune('0'+nic)), Link: len(f.Links)}}})
	p := &f.Switches[leaf].Ports[port]
	p.Role, p.Link, p.Rail, p.VLAN, p.Profile = fabric.HostPort, len(f.Links), nic, vlan, profile
	p.Peer = fabric.End{Kind: fabric.ServerDevice, Device: s}
	f.Links = append(f.Links, fabric.Link{A: p.Peer, B: fabric.End{Device: leaf, Port: port}, Kind: fabric.HostLink})
}

// wire joins a lower switch's port and a higher one's over a /31, or over
// link-local addresses when subnet is empty.
func wire(f *fabric.Fabric, low, lowPort, high, highPort, profile int, subnet string) {
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
		p := prefix(subnet)
		pa.Address, pa.PeerAddress = netip.PrefixFrom(p.Addr(), 31), p.Addr().Next()
		pb.Address, pb.PeerAddress = netip.PrefixFrom(p.Addr().Next(), 31), p.Addr()
	}
}

// named does what the pipeline does before it renders.
func named(f *fabric.Fabric) *fabric.Fabric {
	for i := range f.Switches {
		sw := &f.Switches[i]
		for j := range sw.Ports {
			sw.Ports[j].Name = portName(&sw.Ports[j])
		}
	}
	return f
}

// leafSpine is one leaf with two rails and two spines, 800G cages, hosts at
// 2x400G, a reserved member and an unused cage.
func leafSpine(subnets bool) *fabric.Fabric {
	f := base(panel("nvidia-sn5600", "spc4", 5, 800, "OSFP"))
	f.VLANs = []fabric.VLAN{
		{ID: 100, Name: "rail0", Rail: 0, Subnet: prefix("10.16.0.0/24"), Gateway: prefix("10.16.0.1/24")},
		{ID: 101, Name: "rail1", Rail: 1, Subnet: prefix("10.16.1.0/24"), Gateway: prefix("10.16.1.1/24")},
	}
	leaf := fabric.Switch{Name: "leaf-u01-r0-1", Role: fabric.Leaf, OS: "cumulus", Release: "5.16.0", ASN: 4200010000, Rails: []int{0, 1},
		Loopback: addr("10.255.0.11"), Management: prefix("192.168.100.11/22"), VLANs: []int{0, 1}}
	cage(&leaf, 1, 2, 400, fabric.UnusedPort)
	cage(&leaf, 2, 2, 400, fabric.UnusedPort)
	cage(&leaf, 3, 1, 800, fabric.UnusedPort)
	cage(&leaf, 4, 1, 800, fabric.UnusedPort)
	cage(&leaf, 5, 1, 800, fabric.UnusedPort)
	l := addSwitch(f, leaf)
	f.Switches[l].Ports[3].Reserved = true
	host(f, l, 0, "gpu-001", 0, 0, 0)
	host(f, l, 1, "gpu-001", 1, 1, 0)
	host(f, l, 2, "gpu-002", 0, 0, 0)
	for i, subnet := range []string{"10.240.0.2/31", "10.240.0.0/31"} { // out of order on purpose
		if !subnets {
			subnet = ""
		}
		spine := fabric.Switch{Name: "spine-0" + string(rune('1'+i)), Role: fabric.Spine, OS: "cumulus", ASN: 4200001000, Unit: -1,
			Loopback: addr("10.255.1.1").Next(), Management: prefix("192.168.100.21/22")}
		cage(&spine, 1, 1, 800, fabric.UnusedPort)
		cage(&spine, 2, 1, 800, fabric.UnusedPort)
		s := addSwitch(f, spine)
		wire(f, l, 5+i, s, 0, 1, subnet)
	}
	return named(f)
}

// unnumbered is leafSpine over IPv6 link-local addresses with a spine tier of
// unique ASNs, so that the leaf must not become transit.
func unnumbered() *fabric.Fabric {
	f := leafSpine(false)
	f.Underlay.Unnumbered, f.Underlay.Links = true, netip.Prefix{}
	f.Switches[0].NoTransit = true
	f.Switches[2].ASN = 4200001001
	f.Switches[0].Ports[6].PeerASN = 4200001001
	return f
}

// single is everything on one switch: one VLAN per rail, nothing routed.
func single() *fabric.Fabric {
	f := base(panel("nvidia-sn4700", "spc3", 3, 400, "QSFP-DD"))
	f.Topology = fabric.SingleSwitch
	f.Underlay.BGP, f.Underlay.MaxPaths = false, 1
	f.VLANs = []fabric.VLAN{
		{ID: 100, Name: "rail0", Subnet: prefix("10.16.0.0/24")},
		{ID: 101, Name: "rail1", Rail: 1, Subnet: prefix("10.16.1.0/24")},
	}
	sw := fabric.Switch{Name: "leaf-u01-r0-1", Role: fabric.Leaf, OS: "cumulus", Management: prefix("192.168.100.11/22"), VLANs: []int{0, 1}}
	cage(&sw, 1, 1, 400, fabric.UnusedPort)
	cage(&sw, 2, 1, 400, fabric.UnusedPort)
	cage(&sw, 3, 1, 400, fabric.UnusedPort)
	l := addSwitch(f, sw)
	host(f, l, 0, "gpu-001", 0, 0, 0)
	host(f, l, 1, "gpu-001", 1, 1, 0)
	return named(f)
}

// breakout is a leaf with routed host ports out of cages split in every way,
// another class plan (Ascend), and a watchdog off the round numbers.
func breakout() *fabric.Fabric {
	f := base(panel("nvidia-sn5600", "spc4", 5, 800, "OSFP"))
	f.Underlay.HostMode, f.Underlay.MTU = "routed", 4300
	f.Management.VRF = ""
	f.Lossless.Classes = []fabric.Class{
		{Name: "roce", DSCP: []int{33, 34}, Priority: 4, TrafficClass: 4, Queue: 4, Lossless: true, ECN: true, WeightPercent: 60},
		{Name: "storage", DSCP: []int{18}, Priority: 2, TrafficClass: 2, Queue: 2, Lossless: true, WeightPercent: 25},
		{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
		{Name: "default", Priority: 1, TrafficClass: 1, Queue: 1, WeightPercent: 15},
	}
	f.Lossless.Watchdog.Detect = 205 * time.Millisecond
	sw := fabric.Switch{Name: "leaf-u01-r0", Role: fabric.Leaf, OS: "cumulus", ASN: 4200010000, Loopback: addr("10.255.0.11"), Management: prefix("192.168.100.11/22")}
	cage(&sw, 1, 8, 100, fabric.UnusedPort)
	cage(&sw, 2, 1, 800, fabric.UnusedPort)
	cage(&sw, 3, 4, 200, fabric.UnusedPort)
	cage(&sw, 4, 1, 400, fabric.UnusedPort)
	cage(&sw, 5, 1, 800, fabric.UnusedPort)
	l := addSwitch(f, sw)
	spine := fabric.Switch{Name: "spine-01", Role: fabric.Spine, OS: "cumulus", ASN: 4200001000, Loopback: addr("10.255.1.1")}
	cage(&spine, 1, 1, 800, fabric.UnusedPort)
	s := addSwitch(f, spine)
	for i, port := range []int{0, 1, 9, 12, 13} {
		host(f, l, port, "gpu-00"+string(rune('1'+i)), 0, -1, []int{3, 3, 2, 2, 0}[i])
		f.Switches[l].Ports[port].Address = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 16, 0, byte(2 * i)}), 31)
	}
	wire(f, l, 14, s, 0, 1, "10.240.0.0/31")
	return named(f)
}

// released is leafSpine on another release.
func released(release string) *fabric.Fabric {
	f := leafSpine(true)
	f.Switches[0].Release = release
	return f
}

// ethernet is single for RoCE v1, where the priority in the tag decides.
func ethernet() *fabric.Fabric {
	f := single()
	f.RoCE = "v1"
	return f
}
