package rgos

import (
	"errors"
	"net/netip"

	"railyard/generator/fabric"
	"railyard/vendors/lab"
)

// noSecrets fails: the files hold none, so none may be fetched.
func noSecrets(fabric.Secret) (string, error) {
	return "", errors.New("a secret was fetched")
}

var (
	prefix, addr = lab.Prefix, lab.Addr
	base         = lab.Base
	cage         = lab.Cage
	addSwitch    = lab.AddSwitch
	host, wire   = lab.Host, lab.Wire
)

func panel(id, asic string, n, speed int, form string) fabric.Model {
	return lab.Panel("ruijie", id, asic, n, speed, form)
}

func named(f *fabric.Fabric) *fabric.Fabric { return lab.Named(f, (*Driver)(nil).PortName) }

// leafSpine is one leaf with two rails and two spines: routed rails over numbered
// links, or over link-local addresses without subnets.
func leafSpine(subnets bool) *fabric.Fabric {
	f := base(panel("ruijie-s6980-64qc", "th4", 6, 400, "QSFP-DD"))
	f.VLANs = []fabric.VLAN{
		{ID: 101, Name: "rail1", Rail: 1, Subnet: prefix("10.16.1.0/24"), Gateway: prefix("10.16.1.1/24")},
		{ID: 100, Name: "rail0", Rail: 0, Subnet: prefix("10.16.0.0/24"), Gateway: prefix("10.16.0.1/24")},
	}
	leaf := fabric.Switch{Name: "leaf-u01-r0-1", Role: fabric.Leaf, OS: "rgos", ASN: 4200010000, Rails: []int{0, 1}, NoTransit: !subnets,
		Loopback: addr("10.255.0.11"), Management: prefix("192.168.100.11/22"), VLANs: []int{0, 1}}
	for i := range 6 {
		cage(&leaf, i+1, 1, 400, fabric.UnusedPort)
	}
	l := addSwitch(f, leaf)
	f.Switches[l].Ports[2].Reserved = true
	host(f, l, 0, "gpu-001", 0, 1, 0)
	host(f, l, 1, "gpu-001", 1, 0, 0)
	for i, subnet := range []string{"10.240.0.2/31", "10.240.0.0/31"} {
		if !subnets {
			subnet = ""
		}
		spine := fabric.Switch{Name: "spine-0" + string(rune('1'+i)), Role: fabric.Spine, OS: "rgos", ASN: 4200001000, Unit: -1,
			Loopback: addr("10.255.1.1"), Management: prefix("192.168.100.21/22")}
		cage(&spine, 1, 1, 400, fabric.UnusedPort)
		s := addSwitch(f, spine)
		wire(f, l, 4+i, s, 0, 0, subnet)
	}
	return named(f)
}

// single is everything on one switch: one VLAN per rail, nothing routed.
func single() *fabric.Fabric {
	f := base(panel("ruijie-s6980-64qc", "th4", 3, 400, "QSFP-DD"))
	f.Topology = fabric.SingleSwitch
	f.Underlay.BGP, f.Underlay.MaxPaths = false, 1
	f.VLANs = []fabric.VLAN{
		{ID: 100, Name: "rail0", Subnet: prefix("10.16.0.0/24")},
		{ID: 101, Name: "rail1", Rail: 1, Subnet: prefix("10.16.1.0/24")},
	}
	sw := fabric.Switch{Name: "leaf-u01-r0-1", Role: fabric.Leaf, OS: "rgos", Management: prefix("192.168.100.11/22"), VLANs: []int{0, 1}}
	for i := range 3 {
		cage(&sw, i+1, 1, 400, fabric.UnusedPort)
	}
	l := addSwitch(f, sw)
	host(f, l, 0, "gpu-001", 0, 0, 0)
	host(f, l, 1, "gpu-001", 1, 1, 0)
	return named(f)
}

// split800 is a leaf with routed hosts out of split 800G cages.
func split800() *fabric.Fabric {
	f := base(panel("ruijie-s6990-64oc", "th5", 3, 800, "OSFP"))
	f.Underlay.HostMode = "routed"
	sw := fabric.Switch{Name: "leaf-u01-r0", Role: fabric.Leaf, OS: "rgos", ASN: 4200010000, Loopback: addr("10.255.0.11")}
	cage(&sw, 1, 2, 400, fabric.UnusedPort)
	cage(&sw, 2, 4, 200, fabric.UnusedPort)
	cage(&sw, 3, 1, 800, fabric.UnusedPort)
	l := addSwitch(f, sw)
	for i, port := range []int{0, 2} {
		host(f, l, port, "gpu-00"+string(rune('1'+i)), 0, -1, 2*i)
		f.Switches[l].Ports[port].Address = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 16, 0, byte(2 * i)}), 31)
	}
	return named(f)
}
