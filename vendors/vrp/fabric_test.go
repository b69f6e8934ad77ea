package vrp

import (
	"errors"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// Panels of the models under test (HW; CG Interface Split; field switch list).
func ce8851() fabric.Model {
	return fabric.Model{ID: "huawei-ce8851-32cq8dq-p", Vendor: "huawei", Cages: cages(32, 200, 8, 400)}
}

func ce8855() fabric.Model {
	return fabric.Model{ID: "huawei-ce8855-32cq4bq", Vendor: "huawei", Cages: cages(32, 100, 4, 200)}
}

func ce9866() fabric.Model {
	return fabric.Model{ID: "huawei-ce9866-128dq", Vendor: "huawei", Family: "custom", Cages: cages(128, 400)}
}

// cages are runs of count, speed.
func cages(runs ...int) []fabric.Cage {
	var out []fabric.Cage
	for i := 0; i+1 < len(runs); i += 2 {
		for range runs[i] {
			out = append(out, fabric.Cage{Number: len(out) + 1, SpeedGbps: runs[i+1]})
		}
	}
	return out
}

// use is a cage and how it is run.
type use struct{ cage, split, speed int }

// nvidia and ascend are the class tables of the two host families.
func nvidia() []fabric.Class { return classes(3, 26) }
func ascend() []fabric.Class { return classes(4, 33) }

func classes(priority, dscp int) []fabric.Class {
	return []fabric.Class{
		{Name: "default", Queue: 0, WeightPercent: 50},
		{Name: "roce", DSCP: []int{dscp}, Priority: priority, TrafficClass: priority, Queue: priority, PriorityGroup: priority, Lossless: true, ECN: true, WeightPercent: 50},
		{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
	}
}

// sketch is a small network: two leaves with hosts, and two spines unless ups is empty.
type sketch struct {
	leaf, spine       fabric.Model
	hosts, ups, downs []use
	classes           []fabric.Class
	routed            bool // hosts on /31s
	unrouted          bool // VLANs without gateways
}

// Where everything of a sketch gets its addresses.
var (
	loopbacks = netip.MustParseAddr("10.255.0.0")
	linkBase  = netip.MustParseAddr("10.240.0.0")
)

func step32(a netip.Addr, n int) netip.Addr {
	for range n {
		a = a.Next()
	}
	return a
}

func (s sketch) build(t testing.TB) *fabric.Fabric {
	t.Helper()
	f := &fabric.Fabric{Name: "test", Technology: fabric.RoCE, RoCE: "v2", Topology: fabric.LeafSpine,
		Models:   []fabric.Model{s.leaf, s.spine},
		Underlay: fabric.Underlay{BGP: len(s.ups) > 0, MaxPaths: len(s.ups), SpineASN: "shared", HostMode: "vlan", MTU: 9216, HostMTU: 9000},
		Lossless: &fabric.Lossless{Classes: s.classes, ECNProfile: "test",
			Watchdog: fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"}},
		Management: fabric.Management{
			Subnet: netip.MustParsePrefix("192.168.100.0/22"), Gateway: netip.MustParseAddr("192.168.100.1"), VRF: "mgmt",
			NTP: []netip.Addr{netip.MustParseAddr("192.168.100.2")}, DNS: []netip.Addr{netip.MustParseAddr("192.168.100.2")},
			Syslog: []netip.Addr{netip.MustParseAddr("192.168.100.3")},
			Users: []fabric.User{
				{Name: "admin", Role: "admin", PasswordHash: fabric.Secret{Env: "OWN"}, SSHKeys: []string{testKey + " someone@somewhere"}},
				{Name: "viewer", Role: "operator", PasswordHash: fabric.Secret{Env: "FOREIGN"}},
			}}}
	f.Switches = make([]fabric.Switch, 2)
	for i := range 2 {
		f.Switches[i] = fabric.Switch{Name: fmt.Sprintf("leaf-u01-r%d", i), Role: fabric.Leaf, OS: "vrp", Model: 0, ASN: 4200010000 + uint32(i),
			Slot: i, Rails: []int{i}, Loopback: step32(loopbacks, i+1), Management: netip.MustParsePrefix(fmt.Sprintf("192.168.100.%d/22", 11+i))}
	}
	if len(s.ups) > 0 {
		for i := range 2 {
			f.Switches = append(f.Switches, fabric.Switch{Name: fmt.Sprintf("spine-%02d", i+1), Role: fabric.Spine, OS: "vrp", Model: 1, ASN: 4200001000,
				Unit: -1, Loopback: step32(loopbacks, 101+i), Management: netip.MustParsePrefix(fmt.Sprintf("192.168.100.%d/22", 21+i))})
		}
	} else {
		f.Topology, f.Switches = fabric.SingleSwitch, f.Switches[:1]
		f.Switches[0].Rails = []int{0, 1}
		f.Switches[0].Loopback = netip.Addr{}
	}
	for i := range f.Switches {
		sw := &f.Switches[i]
		sw.Ports = panelPorts(f.ModelOf(sw), s.plannedOn(sw))
	}
	s.cableHosts(f)
	s.cableUplinks(f)
	d := driver(t)
	for i := range f.Switches {
		sw := &f.Switches[i]
		for j := range sw.Ports {
			sw.Ports[j].Name = d.PortName(f.ModelOf(sw), &sw.Ports[j])
		}
	}
	return f
}

func (s sketch) plannedOn(sw *fabric.Switch) []use {
	if sw.Role == fabric.Spine {
		return s.downs
	}
	return append(append([]use{}, s.hosts...), s.ups...)
}

// panelPorts are all ports of a panel, unused ones whole.
func panelPorts(m *fabric.Model, planned []use) []fabric.Port {
	var out []fabric.Port
	for _, c := range m.Cages {
		u := use{c.Number, 1, c.SpeedGbps}
		for _, p := range planned {
			if p.cage == c.Number {
				u = p
			}
		}
		for lane := range u.split {
			p := fabric.Port{Cage: c.Number, Split: u.split, SpeedGbps: u.speed, Role: fabric.UnusedPort, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
			if u.split > 1 {
				p.Lane = lane + 1
			}
			out = append(out, p)
		}
	}
	return out
}

// portAt finds the k-th port of the planned cages.
func portAt(sw *fabric.Switch, planned []use, k int) (int, *fabric.Port) {
	for _, u := range planned {
		if k >= u.split {
			k -= u.split
			continue
		}
		for i := range sw.Ports {
			if sw.Ports[i].Cage == u.cage && (u.split == 1 || sw.Ports[i].Lane == k+1) {
				return i, &sw.Ports[i]
			}
		}
	}
	panic("no such port")
}

func count(planned []use) int {
	n := 0
	for _, u := range planned {
		n += u.split
	}
	return n
}

// cableHosts puts hosts on all host ports but the last, which is reserved.
func (s sketch) cableHosts(f *fabric.Fabric) {
	n := count(s.hosts)
	for i := range f.Switches {
		sw := &f.Switches[i]
		if sw.Role != fabric.Leaf {
			continue
		}
		for _, rail := range sw.Rails {
			subnet := netip.PrefixFrom(step32(netip.MustParseAddr("10.16.0.0"), 256*rail), 24)
			v := fabric.VLAN{ID: 100 + rail, Name: fmt.Sprintf("rail%d", rail), Rail: rail, Subnet: subnet}
			if !s.unrouted {
				v.Gateway = netip.PrefixFrom(subnet.Addr().Next(), 24)
			}
			if !s.routed {
				sw.VLANs = append(sw.VLANs, len(f.VLANs))
				f.VLANs = append(f.VLANs, v)
			}
		}
		for k := range n {
			at, p := portAt(sw, s.hosts, k)
			if k == n-1 {
				p.Reserved = true
				continue
			}
			rail := sw.Rails[k%len(sw.Rails)]
			p.Role, p.Rail, p.Link = fabric.HostPort, rail, len(f.Links)
			p.Profile = s.profile(f, 0, p.SpeedGbps, 5)
			if s.routed {
				a := step32(netip.MustParseAddr("10.16.0.0"), 256*rail+2*k)
				p.Address, p.PeerAddress = netip.PrefixFrom(a, 31), a.Next()
			} else {
				p.VLAN = sw.VLANs[k%len(sw.Rails)]
			}
			p.Peer = fabric.End{Kind: fabric.ServerDevice, Device: len(f.Servers)}
			f.Links = append(f.Links, fabric.Link{A: p.Peer, B: fabric.End{Device: i, Port: at}, Kind: fabric.HostLink, SpeedGbps: p.SpeedGbps, LengthM: 5})
			f.Servers = append(f.Servers, fabric.Server{Name: fmt.Sprintf("gpu-%03d", k+1), Ports: []fabric.NICPort{{Name: fmt.Sprintf("nic%d", rail), NIC: rail, Rail: rail}}})
		}
	}
}

// cableUplinks joins uplink j of every leaf to spine j.
func (s sketch) cableUplinks(f *fabric.Fabric) {
	for i := range f.Switches {
		leaf := &f.Switches[i]
		if leaf.Role != fabric.Leaf {
			continue
		}
		for k := range count(s.ups) {
			spineIndex := 2 + k%2
			up, a := portAt(leaf, s.ups, k)
			down, b := portAt(&f.Switches[spineIndex], s.downs, i*count(s.ups)/2+k/2)
			low := step32(linkBase, 2*len(f.Links))
			ea, eb := fabric.End{Device: i, Port: up}, fabric.End{Device: spineIndex, Port: down}
			a.Role, a.Link, a.Peer, a.PeerASN = fabric.UplinkPort, len(f.Links), eb, f.Switches[spineIndex].ASN
			b.Role, b.Link, b.Peer, b.PeerASN = fabric.DownlinkPort, len(f.Links), ea, leaf.ASN
			a.Address, a.PeerAddress = netip.PrefixFrom(low, 31), low.Next()
			b.Address, b.PeerAddress = netip.PrefixFrom(low.Next(), 31), low
			a.Profile, b.Profile = s.profile(f, 0, a.SpeedGbps, 30), s.profile(f, 1, b.SpeedGbps, 30)
			f.Links = append(f.Links, fabric.Link{A: ea, B: eb, Kind: fabric.FabricLink, SpeedGbps: a.SpeedGbps, LengthM: 30})
		}
	}
}

// profile finds or makes the lossless profile of a kind of port: the default
// marking band of 1 KB per Gb/s and headroom of the size published for the speed.
func (s sketch) profile(f *fabric.Fabric, model, speed int, length float64) int {
	l := f.Lossless
	for i := range l.Profiles {
		if p := &l.Profiles[i]; p.Model == model && p.SpeedGbps == speed && p.LengthM == length {
			return i
		}
	}
	xoff := map[int]int{100: 68580, 200: 114000, 400: 178562}[speed] + int(length)*speed
	l.Profiles = append(l.Profiles, fabric.Profile{Model: model, SpeedGbps: speed, LengthM: length, MTU: 9216, XoffBytes: xoff,
		KminBytes: speed * 1000, KmaxBytes: speed * 4000, PmaxPercent: 20})
	return len(l.Profiles) - 1
}

// testKey is the key of the guide's own example (CG STelnet for IPv4 users).
const testKey = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCg5Ag490i6ilB7QuCVb35B8RJEh1DIYB88h2p1qjdh7qdMQv8rpJaVAgQWxwzKZO0XdFuz4ReGQzTCSf7Det7Ajicddw3qi+6P8hRqZj6MPdLg/o3RN4aPCfr/LFWCwqJ3gWGHlOC7qqjRk+6pySVoiWcSk5/elBkU7WVk/cSWrt4qFXJV373OCesKcEVeDvAa1Tvx6L3LQroBqUO0EXzDgOthPCmOqiqvS5h3JipzqVsesdSKjeInooCQzSOv5eePpBcFcIvU6wFiLIZ5vnf6YtypgTVzHuje/sh4xM7Iuuon7AYXKHT8NpO9jd9zA/lKaRPXyDtei1O1Bt/5lxnn"

// Secrets of the test users: one hash as the guide prints them, one of another system.
const ownSecret = "$1d$g8wLJ`LjL!$CyE(V{3qg5DdU:PM[6=6O$UF-.fQ,Q}>^)OBzgoU$"
const foreignSecret = "$6$rounds=5000$saltsalt$" + "foreignhash"

func testSecrets(s fabric.Secret) (string, error) {
	switch s.Env {
	case "OWN":
		return ownSecret, nil
	case "FOREIGN":
		return foreignSecret, nil
	default:
		return "", errors.New("secret " + s.Env + " is not set")
	}
}

func driver(t testing.TB) *Driver {
	t.Helper()
	d, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func run(from, to, split, speed int) []use {
	var out []use
	for c := from; c <= to; c++ {
		out = append(out, use{c, split, speed})
	}
	return out
}

// The networks of the golden files.
func sketches() map[string]sketch {
	single := sketch{leaf: ce8855(), spine: ce8855(), hosts: run(1, 5, 1, 100), classes: nvidia(), unrouted: true}
	return map[string]sketch{
		// 100G hosts, whole 400G uplinks, defaults that need no priority change
		"p-nvidia": {leaf: ce8851(), spine: ce8851(), hosts: run(1, 4, 1, 100), ups: run(33, 34, 1, 400), downs: run(33, 34, 1, 400), classes: nvidia()},
		// Ascend hosts on queue 4, uplinks on ports switched to 200G
		"j-ascend": {leaf: ce8855(), spine: ce8855(), hosts: run(1, 4, 1, 100), ups: run(33, 34, 1, 200), downs: run(33, 34, 1, 200), classes: ascend()},
		// 200G hosts on halved 400G ports of a box nobody has documented
		"unknown-split": {leaf: ce9866(), spine: ce9866(), hosts: run(1, 3, 2, 200), ups: run(65, 66, 1, 400), downs: run(1, 2, 1, 400), classes: ascend()},
		// one switch, a VLAN per rail, no routing
		"single-switch": single,
		// hosts on /31s, 400G ports in four
		"p-routed-split": {leaf: ce8851(), spine: ce8851(), hosts: run(33, 33, 4, 100), ups: run(35, 36, 1, 400), downs: run(33, 34, 1, 400), classes: nvidia(), routed: true},
	}
}
