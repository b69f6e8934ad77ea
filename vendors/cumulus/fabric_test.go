package cumulus

import (
	"errors"
	"net/netip"
	"strings"
	"time"

	"railyard/generator/fabric"
	"railyard/vendors/lab"
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

var (
	prefix, addr = lab.Prefix, lab.Addr
	base         = lab.Base
	cage         = lab.Cage
	addSwitch    = lab.AddSwitch
	host, wire   = lab.Host, lab.Wire
)

func panel(id, asic string, n, speed int, form string) fabric.Model {
	return lab.Panel("nvidia", id, asic, n, speed, form)
}

func named(f *fabric.Fabric) *fabric.Fabric {
	return lab.Named(f, func(_ *fabric.Model, p *fabric.Port) string { return portName(p) })
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
