package lossless

import (
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// clos describes a fabric to build by hand: groups of leaves, each leaf with
// one bundle to every spine of its group; with cores, spine j of every group
// goes to core plane j.
type clos struct {
	groups, leaves, spines, cores int // leaves and spines a group; cores in all
	hosts                         int // host links a leaf
	links                         int // parallel links of a leaf-spine pair, 1 unless set
	model, spineModel             string
	hostSpeed, speed              int
	hostLength, length            float64
	unique, noTransit             bool
	os                            string
}

func loadCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var embedded = sync.OnceValues(catalog.Load) // nothing here changes it

// declared is a cluster with the defaults that the loader would have filled in.
func declared(t testing.TB, groups ...cluster.ServerGroup) *cluster.Cluster {
	t.Helper()
	if len(groups) == 0 {
		groups = []cluster.ServerGroup{{Name: "gpu", Count: 8, GPU: "h100-80-sxm5", GPUs: 8, NIC: "cx7-400-vpi", NICs: 8, NICSpeed: 400, PCIe: cluster.PCIe{Gen: 5, Lanes: 16}}}
	}
	return &cluster.Cluster{
		Fabric:  cluster.Fabric{Technology: "roce", RoCE: "v2", Planes: 1, Oversubscription: quantity.Ratio{Down: 1, Up: 1}, CoreOversubscription: quantity.Ratio{Down: 1, Up: 1}},
		Servers: groups,
		Lossless: cluster.Lossless{
			CNP:      cluster.CNP{DSCP: 48, Priority: 6},
			ECN:      cluster.ECN{Profile: "auto"},
			Watchdog: cluster.Watchdog{Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
		},
		Catalog: loadCatalog(t),
	}
}

func modelOf(t testing.TB, cat *catalog.Catalog, id string) fabric.Model {
	t.Helper()
	sw := cat.Switch(id)
	if sw == nil {
		t.Fatalf("no switch %s in the catalog", id)
	}
	m := fabric.Model{ID: sw.ID, Vendor: sw.Vendor, ASIC: sw.ASIC, BufferBytes: int64(sw.Buffer), CellBytes: sw.Cell}
	if a := cat.ASIC(sw.ASIC); a != nil {
		if m.BufferBytes == 0 {
			m.BufferBytes = int64(a.Buffer)
		}
		if m.CellBytes == 0 {
			m.CellBytes = a.Cell
		}
	}
	n := 0
	for _, ps := range sw.Ports {
		for range ps.Count {
			n++
			m.Cages = append(m.Cages, fabric.Cage{Number: n, SpeedGbps: int(ps.Speed), Form: ps.Form, Fabric: ps.Fabric})
		}
	}
	return m
}

// build makes the fabric as topology and numbering would leave it. Host links
// all belong to the servers of one group, one NIC after another.
func (k clos) build(t testing.TB, c *cluster.Cluster) *fabric.Fabric {
	t.Helper()
	k.defaults()
	f := &fabric.Fabric{
		Name: "test", Technology: fabric.RoCE, RoCE: "v2", Topology: fabric.LeafSpine, Attachment: "rail", Planes: 1, Rails: 8,
		LeafOversubscription: fabric.Ratio{Down: 1, Up: 1},
		Underlay:             fabric.Underlay{BGP: true, MTU: 9216, HostMTU: 9000, SpineASN: "shared", HostMode: "vlan", MaxPaths: 128},
	}
	f.Models = append(f.Models, modelOf(t, c.Catalog, k.model))
	spineModel := 0
	if k.spineModel != k.model {
		spineModel = 1
		f.Models = append(f.Models, modelOf(t, c.Catalog, k.spineModel))
	}
	if k.cores > 0 {
		f.Topology = fabric.ThreeTier
	}
	if k.spines == 0 {
		f.Topology, f.Underlay.BGP = fabric.SingleSwitch, false
	}
	for i, g := range c.Servers {
		group := fabric.Group{Name: g.Name, Count: g.Count, GPU: g.GPU, GPUsPerServer: g.GPUs, NIC: g.NIC, NICs: g.NICs, NICSpeed: int(g.NICSpeed), RailsPerLeaf: 1, Units: k.groups * k.leaves, Class: -1, FirstUnit: i * 1000, ScaleUp: true}
		if nic := c.Catalog.NIC(g.NIC); nic != nil {
			group.NICVendor = nic.Vendor
		}
		if gpu := c.Catalog.GPU(g.GPU); gpu != nil {
			group.GPUVendor, group.ScaleUp = gpu.Vendor, gpu.ScaleUp != "none"
		}
		f.Groups = append(f.Groups, group)
	}
	k.addSwitches(f, spineModel)
	k.addHosts(f)
	k.addUplinks(f)
	return f
}

func (k *clos) defaults() {
	k.groups, k.links = max(k.groups, 1), max(k.links, 1)
	if k.hostSpeed == 0 {
		k.hostSpeed = 400
	}
	if k.speed == 0 {
		k.speed = 400
	}
	if k.model == "" {
		k.model = "h3c-s9827-128dh"
	}
	if k.spineModel == "" {
		k.spineModel = k.model
	}
	if k.hostLength == 0 {
		k.hostLength = 5
	}
	if k.length == 0 {
		k.length = 30
	}
	if k.os == "" {
		k.os = "sonic"
	}
}

func (k *clos) addSwitches(f *fabric.Fabric, spineModel int) {
	add := func(name string, role fabric.Role, model, group int, asn uint32) {
		f.Switches = append(f.Switches, fabric.Switch{Name: name, Role: role, Model: model, OS: k.os, Unit: -1, Group: group, Index: len(f.Switches), ASN: asn,
			NoTransit: k.noTransit && role != fabric.Core, Loopback: netip.AddrFrom4([4]byte{10, 255, byte(len(f.Switches) >> 8), byte(len(f.Switches))})})
	}
	own := func(shared uint32, i int) uint32 {
		if k.unique {
			return shared + uint32(i)
		}
		return shared
	}
	for g := range k.groups {
		for l := range k.leaves {
			i := g*k.leaves + l
			add(fmt.Sprintf("leaf-%04d", i), fabric.Leaf, 0, 0, 4200010000+uint32(i))
		}
	}
	for g := range k.groups {
		for s := range k.spines {
			shared := 4200001000 + uint32(g)*1000
			if !k.unique {
				shared = 4200001000 + uint32(g)
			}
			add(fmt.Sprintf("spine-%04d", g*k.spines+s), fabric.Spine, spineModel, g, own(shared, s))
		}
	}
	for i := range k.cores {
		add(fmt.Sprintf("core-%04d", i), fabric.Core, spineModel, i*max(k.spines, 1)/k.cores, own(4200000000, i))
	}
}

// join adds a link; a is the lower end.
func join(f *fabric.Fabric, a, b, speed int, length float64) {
	pa, pb := len(f.Switches[a].Ports), len(f.Switches[b].Ports)
	at := len(f.Links)
	endA, endB := fabric.End{Device: a, Port: pa}, fabric.End{Device: b, Port: pb}
	f.Links = append(f.Links, fabric.Link{A: endA, B: endB, Kind: fabric.FabricLink, Plane: f.Switches[a].Plane, SpeedGbps: speed, LengthM: length, Cable: at})
	f.Switches[a].Ports = append(f.Switches[a].Ports, fabric.Port{Cage: pa + 1, Split: 1, SpeedGbps: speed, Role: fabric.UplinkPort, Link: at, Peer: endB, Rail: -1, VLAN: -1, PeerASN: f.Switches[b].ASN})
	f.Switches[b].Ports = append(f.Switches[b].Ports, fabric.Port{Cage: pb + 1, Split: 1, SpeedGbps: speed, Role: fabric.DownlinkPort, Link: at, Peer: endA, Rail: -1, VLAN: -1, PeerASN: f.Switches[a].ASN})
}

func (k *clos) addHosts(f *fabric.Fabric) {
	group := f.Groups[0]
	for s := range f.Switches {
		if f.Switches[s].Role != fabric.Leaf {
			continue
		}
		for range k.hosts {
			n := len(f.Servers)
			if n == 0 || len(f.Servers[n-1].Ports) == group.NICs {
				f.Servers = append(f.Servers, fabric.Server{Name: fmt.Sprintf("gpu-%05d", n+1)})
				n++
			}
			server := &f.Servers[n-1]
			p, at := len(f.Switches[s].Ports), len(f.Links)
			nic := len(server.Ports)
			f.Links = append(f.Links, fabric.Link{A: fabric.End{Kind: fabric.ServerDevice, Device: n - 1, Port: nic}, B: fabric.End{Device: s, Port: p}, Kind: fabric.HostLink, SpeedGbps: k.hostSpeed, LengthM: k.hostLength, Cable: at})
			server.Ports = append(server.Ports, fabric.NICPort{Name: fmt.Sprintf("nic%d", nic), NIC: nic, Rail: nic, Link: at})
			f.Switches[s].Ports = append(f.Switches[s].Ports, fabric.Port{Cage: p + 1, Split: 1, SpeedGbps: k.hostSpeed, Role: fabric.HostPort, Link: at, Rail: nic, VLAN: -1})
		}
	}
}

func (k *clos) addUplinks(f *fabric.Fabric) {
	leaves := k.groups * k.leaves
	for l := range leaves {
		for s := range k.spines {
			for range k.links {
				join(f, l, leaves+l/k.leaves*k.spines+s, k.speed, k.length)
			}
		}
	}
	if k.cores == 0 {
		return
	}
	perPlane := k.cores / k.spines
	up := k.leaves * k.links
	for s := range k.groups * k.spines {
		for u := range up {
			core := s%k.spines*perPlane + u%perPlane
			join(f, leaves+s, leaves+k.groups*k.spines+core, k.speed, k.length)
		}
	}
}

// mustPlan runs Plan and fails on problems.
func mustPlan(t testing.TB, c *cluster.Cluster, f *fabric.Fabric) {
	t.Helper()
	if err := Plan(c, f); err != nil {
		t.Fatal(err)
	}
}

// finding is the first finding with that code, nil without one.
func finding(f *fabric.Fabric, code string) *fabric.Finding {
	for i := range f.Findings {
		if f.Findings[i].Code == code {
			return &f.Findings[i]
		}
	}
	return nil
}
