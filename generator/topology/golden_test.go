package topology

import (
	"fmt"
	"testing"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// declare builds a cluster as cluster.Load would leave it.
func declare(t testing.TB, technology, leaf, spine string, servers, nics, gpus, speed, perUnit int) *cluster.Cluster {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	tier := func(id string) cluster.Tier {
		s := cat.Switch(id)
		if s == nil {
			t.Fatalf("no switch %s", id)
		}
		return cluster.Tier{Model: id, Spec: *s}
	}
	one := quantity.Ratio{Down: 1, Up: 1}
	return &cluster.Cluster{
		Name: "test", Catalog: cat,
		Fabric: cluster.Fabric{Technology: technology, RoCE: "v2", Topology: "auto", Attachment: "rail", Planes: 1,
			Oversubscription: one, CoreOversubscription: one, ServersPerUnit: cluster.AutoInt(perUnit)},
		Servers:  []cluster.ServerGroup{{Name: "gpu", Count: servers, Reserve: servers, NICs: nics, GPUs: gpus, NICSpeed: quantity.Speed(speed), GPU: "h100-80-sxm5"}},
		Switches: cluster.Switches{Leaf: tier(leaf), Spine: tier(spine), Core: tier(spine)},
	}
}

type published struct {
	name                             string
	technology, leaf                 string
	servers, nics, speed, perUnit    int
	planes, ufm                      int
	nic                              string
	gpus, units                      int
	leafs, spines, cores             int
	hostCables, leafSpine, spineCore int
	fabricCables                     int
}

// Published designs: NVIDIA DGX SuperPOD reference architectures (H100 table 4,
// B200 larger configurations, B300-XDR table 3, B300 Spectrum-X table 3),
// a reseller's 512-server H100 design (apetops), Asterfusion CX864E best
// practice. The last B300-XDR row prints 9216 GPUs where 1296 servers have 10368.
var designs = []published{
	{name: "H100 1 SU", servers: 31, ufm: 4, gpus: 248, units: 1, leafs: 8, spines: 4, hostCables: 252, leafSpine: 256},
	{name: "H100 2 SU", servers: 63, ufm: 4, gpus: 504, units: 2, leafs: 16, spines: 8, hostCables: 508, leafSpine: 512},
	{name: "H100 3 SU", servers: 95, ufm: 4, gpus: 760, units: 3, leafs: 24, spines: 16, hostCables: 764, leafSpine: 768},
	{name: "H100 4 SU", servers: 127, ufm: 4, gpus: 1016, units: 4, leafs: 32, spines: 16, hostCables: 1020, leafSpine: 1024},
	{name: "B200 2 SU", servers: 64, gpus: 512, units: 2, leafs: 16, spines: 8, hostCables: 512, leafSpine: 512},
	{name: "B200 4 SU", servers: 128, gpus: 1024, units: 4, leafs: 32, spines: 16, hostCables: 1024, leafSpine: 1024},
	{name: "B200 8 SU", servers: 256, gpus: 2048, units: 8, leafs: 64, spines: 32, hostCables: 2048, leafSpine: 2048},
	{name: "B200 16 SU", servers: 512, gpus: 4096, units: 16, leafs: 128, spines: 128, cores: 64, hostCables: 4096, leafSpine: 4096, spineCore: 4096},
	{name: "B200 32 SU", servers: 1024, gpus: 8192, units: 32, leafs: 256, spines: 256, cores: 128, hostCables: 8192, leafSpine: 8192, spineCore: 8192},
	{name: "B200 64 SU", servers: 2048, gpus: 16384, units: 64, leafs: 512, spines: 512, cores: 256, hostCables: 16384, leafSpine: 16384, spineCore: 16384},
	{name: "B300 XDR 1 SU", leaf: "nvidia-q3400-ra", speed: 800, perUnit: 72, servers: 72, gpus: 576, units: 1, leafs: 8, spines: 4, hostCables: 576, leafSpine: 576},
	{name: "B300 XDR 2 SU", leaf: "nvidia-q3400-ra", speed: 800, perUnit: 72, servers: 144, gpus: 1152, units: 2, leafs: 16, spines: 8, hostCables: 1152, leafSpine: 1152},
	{name: "B300 XDR 4 SU", leaf: "nvidia-q3400-ra", speed: 800, perUnit: 72, servers: 288, gpus: 2304, units: 4, leafs: 32, spines: 18, hostCables: 2304, leafSpine: 2304},
	{name: "B300 XDR 8 SU", leaf: "nvidia-q3400-ra", speed: 800, perUnit: 72, servers: 576, gpus: 4608, units: 8, leafs: 64, spines: 36, hostCables: 4608, leafSpine: 4608},
	{name: "B300 XDR 18 SU", leaf: "nvidia-q3400-ra", speed: 800, perUnit: 72, servers: 1296, gpus: 10368, units: 18, leafs: 144, spines: 72, hostCables: 10368, leafSpine: 10368},
	{name: "B300 Spectrum-X 1 SU", technology: "roce", leaf: "nvidia-sn5600", nic: "cx8-800", planes: 2, perUnit: 64, servers: 64, gpus: 512, units: 1, leafs: 16, spines: 8, hostCables: 512, leafSpine: 512},
	{name: "B300 Spectrum-X 2 SU", technology: "roce", leaf: "nvidia-sn5600", nic: "cx8-800", planes: 2, perUnit: 64, servers: 128, gpus: 1024, units: 2, leafs: 32, spines: 16, hostCables: 1024, leafSpine: 1024},
	{name: "B300 Spectrum-X 4 SU", technology: "roce", leaf: "nvidia-sn5600", nic: "cx8-800", planes: 2, perUnit: 64, servers: 256, gpus: 2048, units: 4, leafs: 64, spines: 32, hostCables: 2048, leafSpine: 2048},
	{name: "B300 Spectrum-X 8 SU", technology: "roce", leaf: "nvidia-sn5600", nic: "cx8-800", planes: 2, perUnit: 64, servers: 512, gpus: 4096, units: 8, leafs: 128, spines: 64, hostCables: 4096, leafSpine: 4096},
	{name: "B300 Spectrum-X 16 SU", technology: "roce", leaf: "nvidia-sn5600", nic: "cx8-800", planes: 2, perUnit: 64, servers: 1024, gpus: 8192, units: 16, leafs: 256, spines: 128, hostCables: 8192, leafSpine: 16384, fabricCables: 8192},
	{name: "apetops 512", servers: 512, gpus: 4096, units: 16, leafs: 128, spines: 128, cores: 64, hostCables: 4096, leafSpine: 4096, spineCore: 4096},
	{name: "Asterfusion 256", technology: "roce", leaf: "asterfusion-cx864e-n", nics: 4, servers: 64, gpus: 256, units: 1, leafs: 4, spines: 2, hostCables: 256, leafSpine: 128},
}

func TestPublishedDesigns(t *testing.T) {
	for _, p := range designs {
		t.Run(p.name, func(t *testing.T) {
			if p.leaf == "" {
				p.leaf, p.perUnit = "nvidia-qm9700", 32
			}
			if p.nics == 0 {
				p.nics = 8
			}
			if p.speed == 0 {
				p.speed = 400
			}
			if p.technology == "" {
				p.technology = "infiniband"
			}
			for _, perUnit := range []int{p.perUnit, 0} { // declared, and as railyard chooses it
				c := declare(t, p.technology, p.leaf, p.leaf, p.servers, p.nics, p.nics, p.speed, perUnit)
				c.InfiniBand.UFMLinks = p.ufm
				c.Fabric.Planes = max(p.planes, 1)
				c.Servers[0].NIC = p.nic
				f, _, err := Build(c)
				if err != nil {
					t.Fatal(err)
				}
				if p.fabricCables == 0 {
					p.fabricCables = p.leafSpine + p.spineCore
				}
				n := f.Counts
				got := fmt.Sprint(n.GPUs, n.Units, n.Leaf, n.Spine, n.Core, n.HostCables, n.LeafSpineLinks, n.SpineCoreLinks, n.FabricCables)
				want := fmt.Sprint(p.gpus, p.units, p.leafs, p.spines, p.cores, p.hostCables, p.leafSpine, p.spineCore, p.fabricCables)
				if got != want {
					t.Errorf("per unit %d: gpus units leaf spine core host_cables leaf_spine spine_core fabric_cables\n got %s\nwant %s\nchoices %v", perUnit, got, want, f.Choices)
				}
				wellFormed(t, f)
			}
		})
	}
}

// wellFormed holds a fabric against what every design must keep.
func wellFormed(t testing.TB, f *fabric.Fabric) {
	t.Helper()
	names := map[string]bool{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		if names[sw.Name] {
			t.Errorf("two devices are called %s", sw.Name)
		}
		names[sw.Name] = true
		split := map[int]int{}
		seen := map[[2]int]bool{}
		for p := range sw.Ports {
			port := &sw.Ports[p]
			if s, ok := split[port.Cage]; ok && s != port.Split {
				t.Errorf("%s cage %d is split in two ways", sw.Name, port.Cage)
			}
			split[port.Cage] = port.Split
			if seen[[2]int{port.Cage, port.Lane}] {
				t.Errorf("%s has port %d/%d twice", sw.Name, port.Cage, port.Lane)
			}
			seen[[2]int{port.Cage, port.Lane}] = true
			if port.Link >= 0 {
				l := &f.Links[port.Link]
				me := fabric.End{Kind: fabric.SwitchDevice, Device: i, Port: p}
				if l.A != me && l.B != me {
					t.Errorf("%s port %d points at a link that does not end there", sw.Name, p)
				}
				if port.SpeedGbps != l.SpeedGbps {
					t.Errorf("%s port %d runs %dG on a link of %dG", sw.Name, p, port.SpeedGbps, l.SpeedGbps)
				}
				if port.Reserved {
					t.Errorf("%s port %d is reserved and cabled", sw.Name, p)
				}
			}
		}
		if got, want := len(split), len(f.ModelOf(sw).Cages); got != want {
			t.Errorf("%s lists %d cages of %d", sw.Name, got, want)
		}
	}
	ends := map[fabric.End]bool{}
	for i := range f.Links {
		l := &f.Links[i]
		for _, e := range []fabric.End{l.A, l.B} {
			if ends[e] {
				t.Errorf("%s port %s is cabled twice", f.DeviceName(e), f.PortName(e))
			}
			ends[e] = true
		}
		if f.Switches[l.B.Device].Plane != l.Plane {
			t.Errorf("link %d of plane %d ends in another", i, l.Plane)
		}
		if l.Kind == fabric.HostLink {
			srv, leaf := &f.Servers[l.A.Device], &f.Switches[l.B.Device]
			rail := srv.Ports[l.A.Port].Rail
			if srv.Unit != leaf.Unit || leaf.Ports[l.B.Port].Rail != rail || !contains(leaf.Rails, rail) {
				t.Errorf("%s rail %d is cabled to %s", srv.Name, rail, leaf.Name)
			}
		}
	}
	for i := range f.Servers {
		for _, nic := range f.Servers[i].Ports {
			if nic.Link < 0 {
				t.Errorf("%s %s is not cabled", f.Servers[i].Name, nic.Name)
			}
		}
	}
}

func contains(list []int, v int) bool {
	for _, x := range list {
		if x == v {
			return true
		}
	}
	return false
}
