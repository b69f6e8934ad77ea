package comware

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// site builds small fabrics by hand.
type site struct {
	t *testing.T
	*fabric.Fabric
}

// newSite has the management side and lossless classes that all cases share.
func newSite(t *testing.T) *site {
	t.Helper()
	addr := func(s string) []netip.Addr { return []netip.Addr{netip.MustParseAddr(s)} }
	return &site{t, &fabric.Fabric{
		Name: "test", Technology: fabric.RoCE, RoCE: "v2",
		Underlay: fabric.Underlay{BGP: true, MaxPaths: 8, SpineASN: "shared", HostMode: "vlan", MTU: 9216, HostMTU: 9000},
		Lossless: &fabric.Lossless{
			Classes: []fabric.Class{
				{Name: "default", Priority: 0, Queue: 0, WeightPercent: 50},
				{Name: "roce", DSCP: []int{26}, Priority: 3, TrafficClass: 3, Queue: 3, PriorityGroup: 3, Lossless: true, ECN: true, WeightPercent: 50},
				{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
				{Name: "control", DSCP: []int{56}, Priority: 7, TrafficClass: 7, Queue: 7, Strict: true},
			},
			Watchdog: fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
		},
		Management: fabric.Management{
			Subnet: netip.MustParsePrefix("192.168.100.0/22"), Gateway: netip.MustParseAddr("192.168.100.1"), VRF: "mgmt",
			NTP: addr("192.168.100.2"), DNS: addr("192.168.100.2"), Syslog: addr("192.168.100.3"),
			Users: []fabric.User{
				{Name: "admin", Role: "admin", PasswordHash: fabric.Secret{Env: "ADMIN"}, SSHKeys: []string{"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC0 admin@site"}},
				{Name: "watch", Role: "operator", PasswordHash: fabric.Secret{Env: "WATCH"}},
			},
		},
	}}
}

// ownHash has the form of the hash in a captured running configuration.
const ownHash = "$h$6$UbzeUQ8NH26dzBEC$ax7hk0pgBaLuPCKCCIgHJR6AxMKc7jvk1dJBC+QIee3NEYYEi6ENe=="

func secrets(s fabric.Secret) (string, error) {
	switch s.Env {
	case "ADMIN":
		return ownHash + "\n", nil
	case "WATCH":
		return "$6$rounds=5000$saltsalt$abcdefghij", nil // crypt(3), as Linux stores it
	}
	return "", fmt.Errorf("%s is not set", s.Env)
}

func (s *site) model(id string, cages, speed, cell int) int {
	m := fabric.Model{ID: id, Vendor: "h3c", CellBytes: cell}
	for i := range cages {
		m.Cages = append(m.Cages, fabric.Cage{Number: i + 1, SpeedGbps: speed})
	}
	s.Models = append(s.Models, m)
	return len(s.Models) - 1
}

// profile has the headroom of reference tables for 40 m and the HPCC-like band
// of 1 KB and 4 KB per Gb/s.
func (s *site) profile(model, speed, xoff int) int {
	s.Lossless.Profiles = append(s.Lossless.Profiles, fabric.Profile{
		Model: model, SpeedGbps: speed, LengthM: 40, MTU: 9216, XoffBytes: xoff, AlphaLog2: -3,
		KminBytes: 1000 * speed, KmaxBytes: 4000 * speed, PmaxPercent: 20,
	})
	return len(s.Lossless.Profiles) - 1
}

// add makes a switch whose cages are whole and unused; split cages come as
// cage → children.
func (s *site) add(name string, role fabric.Role, model, index int, asn uint32, split map[int]int) int {
	sw := fabric.Switch{
		Name: name, Role: role, Model: model, OS: "comware", Unit: -1, Index: index, ASN: asn,
		Loopback:   netip.AddrFrom4([4]byte{10, 255, byte(len(s.Switches)), 1}),
		Management: netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 168, 100, byte(11 + len(s.Switches))}), 22),
	}
	for _, c := range s.Models[model].Cages {
		n := max(1, split[c.Number])
		for lane := 1; lane <= n; lane++ {
			p := fabric.Port{Cage: c.Number, Split: n, SpeedGbps: c.SpeedGbps / n, Role: fabric.UnusedPort, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
			if n > 1 {
				p.Lane = lane
			}
			sw.Ports = append(sw.Ports, p)
		}
	}
	s.Switches = append(s.Switches, sw)
	return len(s.Switches) - 1
}

func (s *site) port(sw, i int) *fabric.Port { return &s.Switches[sw].Ports[i] }

// wire links a lower switch's port to an upper one's; /31 addresses where
// prefix is given.
func (s *site) wire(low, lowPort, up, upPort int, prefix string, profile int) {
	a, b := s.port(low, lowPort), s.port(up, upPort)
	link := len(s.Links)
	s.Links = append(s.Links, fabric.Link{Kind: fabric.FabricLink, SpeedGbps: a.SpeedGbps})
	a.Role, b.Role = fabric.UplinkPort, fabric.DownlinkPort
	a.Link, b.Link, a.Profile, b.Profile = link, link, profile, profile
	a.Peer = fabric.End{Kind: fabric.SwitchDevice, Device: up, Port: upPort}
	b.Peer = fabric.End{Kind: fabric.SwitchDevice, Device: low, Port: lowPort}
	a.PeerASN, b.PeerASN = s.Switches[up].ASN, s.Switches[low].ASN
	if prefix != "" {
		p := netip.MustParsePrefix(prefix)
		next := p.Addr().Next()
		a.Address, a.PeerAddress = p, next
		b.Address, b.PeerAddress = netip.PrefixFrom(next, p.Bits()), p.Addr()
	}
}

// host links a new server's NIC to a leaf port.
func (s *site) host(sw, port, vlan, profile int) *fabric.Port {
	s.Servers = append(s.Servers, fabric.Server{Name: fmt.Sprintf("gpu-%03d", len(s.Servers)+1), Ports: []fabric.NICPort{{Name: "nic0"}}})
	p := s.port(sw, port)
	p.Role, p.Link, p.VLAN, p.Profile = fabric.HostPort, len(s.Links), vlan, profile
	p.Peer = fabric.End{Kind: fabric.ServerDevice, Device: len(s.Servers) - 1}
	s.Links = append(s.Links, fabric.Link{Kind: fabric.HostLink, SpeedGbps: p.SpeedGbps})
	return p
}

func (s *site) vlan(id int, name, subnet, gateway string) int {
	v := fabric.VLAN{ID: id, Name: name, Subnet: netip.MustParsePrefix(subnet)}
	if gateway != "" {
		v.Gateway = netip.MustParsePrefix(gateway)
	}
	s.VLANs = append(s.VLANs, v)
	return len(s.VLANs) - 1
}

// done names all ports, as the drivers do before anything is rendered.
func (s *site) done(d *Driver) *fabric.Fabric {
	for i := range s.Switches {
		sw := &s.Switches[i]
		for j := range sw.Ports {
			sw.Ports[j].Name = d.PortName(s.ModelOf(sw), &sw.Ports[j])
		}
	}
	return s.Fabric
}

func driver(t testing.TB) *Driver {
	t.Helper()
	d, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// leafSpine is a rail leaf with split 400G cages and two spines, on S9825-64D
// cut to eight cages. Headroom: SONiC's Tomahawk 4 table, 40 m (1671 and 948
// cells of 254 B).
func leafSpine(t *testing.T) *site {
	s := newSite(t)
	m := s.model("h3c-s9825-64d", 8, 400, 254)
	fast, slow := s.profile(m, 400, 1671*254-100), s.profile(m, 200, 948*254)
	leaf := s.add("leaf-u01-r0", fabric.Leaf, m, 0, 4200010000, map[int]int{1: 2, 2: 2, 4: 2})
	one := s.add("spine-01", fabric.Spine, m, 0, 4200001000, nil)
	two := s.add("spine-02", fabric.Spine, m, 1, 4200001000, nil)
	rail := s.vlan(100, "rail0", "10.16.0.0/26", "10.16.0.1/26")
	s.Switches[leaf].VLANs = []int{rail}
	for _, port := range []int{0, 1, 2} {
		s.host(leaf, port, rail, slow)
	}
	for _, port := range []int{3, 5, 6} { // the rest of the split cages
		s.port(leaf, port).Reserved = true
	}
	s.wire(leaf, 7, one, 0, "10.240.0.0/31", fast)
	s.wire(leaf, 8, one, 1, "10.240.0.2/31", fast)
	s.wire(leaf, 9, two, 0, "10.240.0.4/31", fast)
	s.wire(leaf, 10, two, 1, "10.240.0.6/31", fast)
	s.port(one, 2).Reserved = true
	return s
}

// singleSwitch is one S9827 (cut to six cages) with two rails, no routing, no
// management VRF. Headroom: the fitted Tomahawk 5 value, 1548 cells at 5 m.
func singleSwitch(t *testing.T) *site {
	s := newSite(t)
	s.Underlay = fabric.Underlay{HostMode: "vlan", MTU: 9216, HostMTU: 4200}
	s.Management.VRF = ""
	s.Management.Users = s.Management.Users[:1]
	s.Management.Users[0].SSHKeys = nil
	m := s.model("h3c-s9827-128dh", 6, 400, 254)
	profile := s.profile(m, 400, 1548*254)
	sw := s.add("leaf-u01-r0-1", fabric.Leaf, m, 0, 0, nil)
	s.Switches[sw].Loopback = netip.Addr{}
	for rail := range 2 {
		v := s.vlan(100+rail, fmt.Sprintf("rail%d", rail), fmt.Sprintf("10.16.%d.0/24", rail), "")
		s.Switches[sw].VLANs = append(s.Switches[sw].VLANs, v)
		s.host(sw, 2*rail, v, profile)
		s.host(sw, 2*rail+1, v, profile)
	}
	return s
}

// noTransit is a middle switch between a leaf and two cores with numbers of
// their own, and a leaf with routed hosts, two lossless classes, no watchdog.
func noTransit(t *testing.T) *site {
	s := newSite(t)
	s.Underlay.SpineASN, s.Underlay.HostMode, s.Underlay.MaxPaths = "unique", "routed", 16
	s.Lossless.Classes = append(s.Lossless.Classes, fabric.Class{Name: "hccl", DSCP: []int{33}, Priority: 4, TrafficClass: 4, Queue: 4, PriorityGroup: 4, Lossless: true, ECN: true, WeightPercent: 30})
	s.Lossless.Classes[1].WeightPercent = 20
	s.Lossless.Watchdog = fabric.Watchdog{}
	m := s.model("h3c-s9827-128dh", 4, 400, 254)
	near, far := s.profile(m, 400, 1548*254), s.profile(m, 400, 3304*254)
	s.Lossless.Profiles[far].KmaxBytes *= 2
	leaf := s.add("leaf-u01-r0", fabric.Leaf, m, 0, 4200010000, nil)
	mid := s.add("spine-01", fabric.Spine, m, 0, 4200001000, nil)
	one := s.add("core-01", fabric.Core, m, 0, 4200000000, nil)
	two := s.add("core-02", fabric.Core, m, 1, 4200000001, nil)
	s.Switches[leaf].NoTransit, s.Switches[mid].NoTransit = true, true
	for port := range 2 {
		p := s.host(leaf, port, -1, near)
		p.Address = netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 16, 0, byte(2 * port)}), 31)
	}
	s.wire(leaf, 2, mid, 0, "10.240.0.0/31", near)
	s.wire(mid, 2, one, 0, "10.240.1.0/31", far)
	s.wire(mid, 3, two, 0, "10.240.1.2/31", far)
	return s
}

// wide has 800G cages: whole ones towards the spine, split ones towards hosts.
func wide(t *testing.T) *site {
	s := newSite(t)
	m := s.model("h3c-s9827-64e", 4, 800, 254)
	fast, slow := s.profile(m, 800, 2872*254), s.profile(m, 400, 1548*254)
	leaf := s.add("leaf-u01-r0", fabric.Leaf, m, 0, 4200010000, map[int]int{1: 2})
	spine := s.add("spine-01", fabric.Spine, m, 0, 4200001000, nil)
	rail := s.vlan(100, "rail0", "10.16.0.0/26", "10.16.0.1/26")
	s.Switches[leaf].VLANs = []int{rail}
	s.host(leaf, 0, rail, slow)
	s.host(leaf, 1, rail, slow)
	s.wire(leaf, 3, spine, 0, "10.240.0.0/31", fast)
	return s
}

// cellFabric is a DDC packet switch and a cell switch.
func cellFabric(t *testing.T) *site {
	s := newSite(t)
	packet := s.model("h3c-s12500ai-36dh20ep-ncpn", 4, 400, 0)
	cell := s.model("h3c-s12500ai-128ep-ncfn", 2, 800, 0)
	profile := s.profile(packet, 400, 500000)
	leaf := s.add("leaf-u01-r0", fabric.Leaf, packet, 0, 0, nil)
	up := s.add("spine-01", fabric.Spine, cell, 0, 0, nil)
	rail := s.vlan(100, "rail0", "10.16.0.0/26", "10.16.0.1/26")
	s.Switches[leaf].VLANs = []int{rail}
	s.host(leaf, 0, rail, profile)
	for i := range 2 {
		s.wire(leaf, 2+i, up, i, "", -1)
		for _, p := range []*fabric.Port{s.port(leaf, 2+i), s.port(up, i)} {
			p.Role, p.PeerASN, p.SpeedGbps = fabric.CellPort, 0, 800
		}
	}
	return s
}
