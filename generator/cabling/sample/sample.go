// Package sample builds small fabrics by hand, for the tests of what reads a
// fabric. They are plausible, not designed: no rule of the designer is in here,
// so that a test against them cannot repeat the designer's mistakes.
package sample

import (
	"fmt"
	"net/netip"
	"time"

	"railyard/generator/fabric"
)

// Shape is the outline of a fabric to build.
type Shape struct {
	Name       string
	Technology fabric.Technology
	Topology   fabric.Topology
	Planes     int
	Units      int
	PerUnit    int // servers of a unit
	Rails      int // one rail a leaf
	Uplinks    int // of a leaf
	Spines     int // of a plane and block
	BlockUnits int // units whose leaves share spines; 0: all
	Cores      int // of a plane; 0: two tiers
	Lanes      int // ports of a leaf cage
	Spare      int // unused cages of a leaf
	Unnumbered bool
	Routed     bool // hosts on /31s instead of VLANs
}

// Single is 8 servers of 8 NICs on one switch, a VLAN a rail.
func Single() *fabric.Fabric {
	f := Build(Shape{Name: "h100-64", Technology: fabric.RoCE, Topology: fabric.SingleSwitch, Units: 1, PerUnit: 64, Rails: 1, Spare: 64})
	// One switch for all rails: the generic shape has a leaf a rail.
	f.Servers = f.Servers[:0]
	f.VLANs = f.VLANs[:0]
	leaf := &f.Switches[0]
	leaf.Name, leaf.ASN, leaf.VLANs = "leaf-u01-r0-7", 0, nil
	leaf.Loopback = netip.Addr{}
	f.Underlay = fabric.Underlay{Rails: f.Underlay.Rails, MaxPaths: 1, HostMode: "vlan", MTU: 9216, HostMTU: 9000}
	f.Rails = 8
	for r := range 8 {
		subnet := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(16 + r), 0, 0}), 24)
		leaf.Rails = append(leaf.Rails[:r:r], r)
		leaf.VLANs = append(leaf.VLANs, r)
		f.VLANs = append(f.VLANs, fabric.VLAN{ID: 100 + r, Name: fmt.Sprintf("rail%d", r), Rail: r, Subnet: subnet})
	}
	for s := range 8 {
		f.Servers = append(f.Servers, fabric.Server{Name: fmt.Sprintf("gpu-%03d", s+1), Slot: s})
		for r := range 8 {
			n := s*8 + r
			p := &leaf.Ports[n]
			p.Rail, p.VLAN, p.Peer = r, r, fabric.End{Kind: fabric.ServerDevice, Device: s, Port: r}
			f.Links[n].A = p.Peer
			f.Servers[s].Ports = append(f.Servers[s].Ports, fabric.NICPort{
				Name: fmt.Sprintf("nic%d", r), NIC: r, Rail: r, Link: n,
				Address: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(16 + r), 0, byte(s + 1)}), 24),
			})
		}
	}
	f.LeafOversubscription, f.SpineOversubscription = fabric.Ratio{}, fabric.Ratio{}
	f.Groups[0].Count, f.Groups[0].NICs, f.Groups[0].RailsPerLeaf, f.Groups[0].ServersPerUnit = 8, 8, 8, 16
	f.Groups[0].UplinksPerLeaf, f.Groups[0].UplinkSpeed = 0, 0
	f.Counts = fabric.Counts{Servers: 8, GPUs: 64, Units: 1, Rails: 8, Planes: 1, Leaf: 1, HostLinks: 64, HostCables: 64}
	f.Choices = []fabric.Choice{{Subject: "topology", Chosen: "single-switch", Reason: "64 NIC ports fit the 128 ports of one h3c-s9827-128dh", Else: "leaf-spine would take 4 switches"}}
	return f
}

// LeafSpine is two units of 4 servers and 4 rails with two spines, numbered links.
func LeafSpine() *fabric.Fabric {
	f := Build(Shape{Name: "two-tier", Technology: fabric.RoCE, Topology: fabric.LeafSpine, Units: 2, PerUnit: 4, Rails: 4, Uplinks: 4, Spines: 2, Lanes: 2, Spare: 2})
	f.Choices = []fabric.Choice{
		{Subject: "rails_per_leaf", Chosen: "1", Reason: "the most servers share a unit", Else: "2 would save 4 leaves and halve the unit"},
		{Subject: "uplink_speed", Chosen: "400G", Reason: "two spines take whole ports"},
	}
	f.Findings = []fabric.Finding{
		{Severity: fabric.Info, Code: "PORT_DATA_INFERRED", Message: "the cage plan of h3c-s9827-128dh is inferred from its port count", Remedy: "check the panel before printing labels", Objects: []string{"h3c-s9827-128dh"}},
		{Severity: fabric.Warning, Code: "FEW_SPINES", Message: "2 spines: the loss of one halves the bandwidth between units, and PFC storms were seen with two spines under double failure", Remedy: "set fabric.spines to 4", Source: "Juniper validated design", Objects: []string{"spine-01", "spine-02"}},
		{Severity: fabric.Error, Code: "CLASS_MISMATCH", Message: "hosts of group gpu send on priority 4, the plan protects 3", Remedy: "set lossless.priority to auto", Objects: []string{"gpu"}},
	}
	return f
}

// Planes is two planes with unnumbered links.
func Planes() *fabric.Fabric {
	return Build(Shape{Name: "dual-plane", Technology: fabric.RoCE, Topology: fabric.LeafSpine, Planes: 2, Units: 2, PerUnit: 2, Rails: 2, Uplinks: 2, Spines: 2, Unnumbered: true})
}

// Routed is a small fabric whose hosts sit on /31s.
func Routed() *fabric.Fabric {
	return Build(Shape{Name: "routed", Technology: fabric.RoCE, Topology: fabric.LeafSpine, Units: 1, PerUnit: 2, Rails: 2, Uplinks: 2, Spines: 2, Routed: true})
}

// InfiniBand is two units behind twin-port cages, with a UFM host in the last slot.
func InfiniBand() *fabric.Fabric {
	f := Build(Shape{Name: "superpod", Technology: fabric.InfiniBand, Topology: fabric.LeafSpine, Units: 2, PerUnit: 2, Rails: 2, Uplinks: 2, Spines: 2, Lanes: 2})
	last := &f.Servers[len(f.Servers)-1]
	last.Name, last.UFM, last.Group = "ufm-1", true, -1
	f.Counts.Servers--
	f.Groups[0].Count--
	// The two lanes of a leaf cage leave in one twin-port cable.
	for i := range f.Links {
		f.Links[i].Cable = i / 2
	}
	f.Counts.HostCables, f.Counts.FabricCables = f.Counts.HostLinks/2, f.Counts.LeafSpineLinks/2
	f.InfiniBand = &fabric.Subnet{Manager: "opensm", Routing: "ftree", UFMLinks: 2, Partitions: []fabric.Partition{
		{Name: "train-a", PKey: 1, Full: true, Members: []int{0, 1}}, {Name: "storage", PKey: 0x7ff0, Members: []int{2}}},
		Deadlock: fabric.Deadlock{Checked: true, Free: true, Scope: "routes go up and then down"}}
	return f
}

// DDC is packet switches around cell switches.
func DDC() *fabric.Fabric {
	f := Build(Shape{Name: "ddc", Technology: fabric.RoCE, Topology: fabric.DDC, Units: 1, PerUnit: 4, Rails: 2, Uplinks: 4, Spines: 2})
	for i := range f.Switches {
		sw := &f.Switches[i]
		sw.ASN, sw.Loopback = 0, netip.Addr{}
		for j := range sw.Ports {
			p := &sw.Ports[j]
			if p.Role == fabric.UplinkPort || p.Role == fabric.DownlinkPort {
				p.Role, p.Address, p.PeerAddress, p.PeerASN, p.Profile = fabric.CellPort, netip.Prefix{}, netip.Addr{}, 0, -1
			}
		}
	}
	f.Underlay.BGP, f.Underlay.Links, f.Underlay.Loopbacks = false, netip.Prefix{}, netip.Prefix{}
	return f
}

// Empty has a name and nothing else.
func Empty() *fabric.Fabric {
	return &fabric.Fabric{Name: "empty", Technology: fabric.RoCE, RoCE: "v2", Topology: fabric.SingleSwitch, Attachment: "rail", Planes: 1}
}

// Large is 16,384 servers of 8 NICs on 5,120 switches of 128 ports in three
// tiers: 393,216 links.
func Large() *fabric.Fabric {
	return Build(Shape{Name: "large", Technology: fabric.RoCE, Topology: fabric.ThreeTier, Units: 256, PerUnit: 64, Rails: 8, Uplinks: 64, Spines: 64, BlockUnits: 8, Cores: 1024})
}

// All are the small samples by name.
func All() map[string]*fabric.Fabric {
	return map[string]*fabric.Fabric{
		"single": Single(), "leafspine": LeafSpine(), "planes": Planes(), "routed": Routed(),
		"infiniband": InfiniBand(), "ddc": DDC(), "empty": Empty(),
	}
}

func losslessPlan() *fabric.Lossless {
	return &fabric.Lossless{
		Classes: []fabric.Class{
			{Name: "default", WeightPercent: 30},
			{Name: "roce", DSCP: []int{26}, Priority: 3, TrafficClass: 3, Queue: 3, PriorityGroup: 3, Lossless: true, ECN: true, WeightPercent: 70},
			{Name: "cnp", DSCP: []int{48}, Priority: 6, TrafficClass: 6, Queue: 6, Strict: true, CNP: true},
		},
		Watchdog:   fabric.Watchdog{Enabled: true, Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
		ECNProfile: "h3c-400g", ECNSource: "H3C AD-DC guide, table 3",
		Profiles: []fabric.Profile{
			{SpeedGbps: 400, LengthM: 5, MTU: 9216, XoffBytes: 152_000, XonBytes: 18_432, SizeBytes: 170_432, AlphaLog2: -3, Headroom: "sonic-formula", Source: "SONiC buffer model, 400G, 5 m", KminBytes: 400_000, KmaxBytes: 1_600_000, PmaxPercent: 20},
			{SpeedGbps: 400, LengthM: 30, MTU: 9216, XoffBytes: 164_000, XonBytes: 18_432, SizeBytes: 182_432, AlphaLog2: -3, Headroom: "sonic-formula", Source: "SONiC buffer model, 400G, 30 m", KminBytes: 400_000, KmaxBytes: 1_600_000, PmaxPercent: 20},
		},
		Deadlock: fabric.Deadlock{Checked: true, Free: true, Scope: "up-down paths of every pair of leaves"},
	}
}
