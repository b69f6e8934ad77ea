package topology

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

func ratio(down, up int) quantity.Ratio { return quantity.Ratio{Down: down, Up: up} }

// Design families, breakouts, oversubscription, uneven counts: the rules of
// the package comment worked through by hand.
func TestDesigns(t *testing.T) {
	for _, tc := range []struct {
		name                 string
		leaf, spine          string
		servers, nics, speed int
		change               func(*cluster.Cluster)
		want                 string // topology leaf spine core units leaf_spine rails/leaf servers/unit uplinks uplink_speed ratio
		codes                string
	}{
		{name: "64 GPUs fit one switch", leaf: "h3c-s9827-128dh", servers: 8, nics: 8, speed: 400,
			want: "single-switch 1 0 0 1 0 8 8 0 0 0:0"},
		{name: "Tolly 225112: two rails a leaf, two spines", leaf: "h3c-s9827-128dh", servers: 8, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.Topology, c.Fabric.RailsPerLeaf = "leaf-spine", 2 },
			want:   "leaf-spine 4 2 0 1 256 2 32 64 400 1:1"},
		{name: "256 GPUs on 64-port boxes", leaf: "h3c-s9825-64d", servers: 32, nics: 8, speed: 400,
			want: "leaf-spine 8 4 0 1 256 1 32 32 400 1:1"},
		{name: "256 GPUs on 128-port boxes: two rails a leaf save six switches", leaf: "h3c-s9827-128dh", servers: 32, nics: 8, speed: 400,
			want: "leaf-spine 4 2 0 1 256 2 32 64 400 1:1"},
		{name: "2:1 on 64 ports: 42 down, 21 up", leaf: "h3c-s9825-64d", servers: 42, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.Oversubscription = ratio(2, 1) },
			want:   "leaf-spine 8 3 0 1 168 1 42 21 400 2:1"},
		{name: "48x100G + 8x400G: 32 down", leaf: "h3c-s9855-48cd8d", spine: "h3c-s9825-64d", servers: 32, nics: 4, speed: 100,
			want: "leaf-spine 4 2 0 1 32 1 32 8 400 1:1"},
		{name: "MegaScale ToR set: 64 servers of 200G on 400G cages split in two", leaf: "h3c-s9825-64d", servers: 64, nics: 8, speed: 200,
			want: "leaf-spine 8 4 0 1 256 1 64 32 400 1:1"},
		{name: "800G uplinks stay whole", leaf: "nvidia-sn5600", servers: 64, nics: 8, speed: 400,
			want: "leaf-spine 8 4 0 1 256 1 64 32 800 1:1"},
		{name: "800G uplinks on request split", leaf: "nvidia-sn5600", servers: 64, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.UplinkSpeed = 400 },
			want:   "leaf-spine 8 4 0 1 512 1 64 64 400 1:1"},
		{name: "400G spines under 800G leaves", leaf: "nvidia-sn5600", spine: "nvidia-sn5400", servers: 64, nics: 8, speed: 400,
			want: "leaf-spine 8 8 0 1 512 1 64 64 400 1:1"},
		{name: "forced spines: redundancy over the minimum", leaf: "nvidia-q3400-ra", servers: 32, nics: 8, speed: 800,
			change: func(c *cluster.Cluster) {
				c.Fabric.Spines, c.Fabric.Technology, c.Fabric.RailsPerLeaf = 4, "infiniband", 1
			},
			want: "leaf-spine 8 4 0 1 576 1 72 72 800 1:1"},
		{name: "forced spines that do not divide", leaf: "h3c-s9825-64d", servers: 64, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.Spines = 12 },
			want:   "leaf-spine 16 12 0 2 512 1 32 32 400 1:1", codes: "UNEVEN_SPINES"},
		{name: "ToR: all rails on the rack switch", leaf: "h3c-s9825-64d", servers: 16, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.Attachment = "tor" },
			want:   "leaf-spine 4 2 0 4 128 8 4 32 400 1:1"},
		{name: "rail-only", leaf: "h3c-s9825-64d", servers: 60, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.Topology = "rail-only" },
			want:   "rail-only 8 0 0 1 0 1 64 0 0 0:0"},
		{name: "one NIC a server", leaf: "h3c-s9850-32h", servers: 4, nics: 1, speed: 100,
			want: "single-switch 1 0 0 1 0 1 4 0 0 0:0"},
		{name: "K=64, R=6, 330 servers need 33 spines under 32 uplinks", leaf: "h3c-s9825-64d", servers: 330, nics: 6, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.RailsPerLeaf = 1 },
			want:   "three-tier 66 96 0 11 2112 1 32 32 400 1:1"},
		{name: "the same with two rails a leaf needs 63 leaves, so two tiers reach", leaf: "h3c-s9825-64d", servers: 330, nics: 6, speed: 400,
			want: "leaf-spine 63 32 0 21 2016 2 16 32 400 1:1"},
		{name: "DDC", leaf: "h3c-s12500ai-36dh20ep-ncpn", spine: "h3c-s12500ai-128ep-ncfn", servers: 72, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Fabric.Topology = "ddc" },
			want:   "ddc 16 4 0 2 320 1 36 20 0 9:10"},
		{name: "reserve lays out spines for the final size", leaf: "h3c-s9825-64d", servers: 32, nics: 8, speed: 400,
			change: func(c *cluster.Cluster) { c.Servers[0].Reserve, c.Fabric.Reserve.Servers = 256, 256 },
			want:   "leaf-spine 8 32 0 1 256 1 32 32 400 1:1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.spine == "" {
				tc.spine = tc.leaf
			}
			c := declare(t, "roce", tc.leaf, tc.spine, tc.servers, tc.nics, 8, tc.speed, 0)
			if tc.change != nil {
				tc.change(c)
			}
			f, _, err := Build(c)
			if err != nil {
				t.Fatal(err)
			}
			wellFormed(t, f)
			g, n := f.Groups[0], f.Counts
			core := n.Core
			if f.Topology == fabric.ThreeTier {
				core = 0 // rounded up over spine uplinks; its ports are checked below
			}
			got := fmt.Sprint(f.Topology, " ", n.Leaf, n.Spine, core, n.Units, n.LeafSpineLinks, g.RailsPerLeaf, g.ServersPerUnit, g.UplinksPerLeaf, g.UplinkSpeed, " ", f.LeafOversubscription.Down, ":", f.LeafOversubscription.Up)
			if strings.Join(strings.Fields(got), " ") != strings.ReplaceAll(tc.want, ":", " : ") && strings.ReplaceAll(got, " : ", ":") != tc.want {
				t.Errorf("\n got %s\nwant %s", got, tc.want)
			}
			var codes []string
			for _, x := range f.Findings {
				codes = append(codes, x.Code)
			}
			if strings.Join(codes, " ") != tc.codes {
				t.Errorf("findings %v, want %s", codes, tc.codes)
			}
		})
	}
}

// Every leaf has the same links to every spine it reaches, spines of all groups
// see the same cores, and the halves of the fabric add up.
func TestThreeTiersAreEven(t *testing.T) {
	for _, servers := range []int{512, 1024, 640, 2048, 70 * 32, 65 * 32} {
		c := declare(t, "roce", "h3c-s9825-64d", "h3c-s9825-64d", servers, 8, 8, 400, 32)
		c.Fabric.Topology = "three-tier"
		f, _, err := Build(c)
		if err != nil {
			t.Fatalf("%d servers: %v", servers, err)
		}
		wellFormed(t, f)
		pairs := map[[2]int]int{}
		for _, l := range f.Links {
			if l.Kind == fabric.FabricLink {
				pairs[[2]int{l.A.Device, l.B.Device}]++
			}
		}
		groups := map[int]map[int]bool{} // core → spine groups it reaches
		blocks := map[int]bool{}
		each := map[int]int{}
		for p, n := range pairs {
			up := &f.Switches[p[1]]
			if up.Role == fabric.Spine {
				if each[p[0]] != 0 && each[p[0]] != n {
					t.Errorf("%s has %d links to one spine and %d to another", f.Switches[p[0]].Name, n, each[p[0]])
				}
				each[p[0]] = n
				continue
			}
			if groups[p[1]] == nil {
				groups[p[1]] = map[int]bool{}
			}
			groups[p[1]][f.Switches[p[0]].Group] = true
			blocks[f.Switches[p[0]].Group] = true
		}
		for core, g := range groups {
			if len(g) != len(blocks) {
				t.Errorf("%d servers: %s reaches %d of %d spine groups", servers, f.Switches[core].Name, len(g), len(blocks))
			}
		}
		if f.SpineOversubscription != (fabric.Ratio{Down: 1, Up: 1}) {
			t.Errorf("spines %v", f.SpineOversubscription)
		}
	}
}

// Impossible wishes say which limit broke, at which key, and what would fit.
func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name   string
		leaf   string
		change func(*cluster.Cluster)
		path   string
		want   string
	}{
		{"single switch too small", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Fabric.Topology = "single-switch" }, "fabric.topology", "at most 8 servers"},
		{"rails do not divide", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Fabric.RailsPerLeaf = 3 }, "fabric.rails_per_leaf", "divisor of 8"},
		{"unit too large", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Fabric.ServersPerUnit = 40 }, "fabric.servers_per_unit", "at most 32 with 1 rails per leaf"},
		{"uplink speed unknown", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Fabric.UplinkSpeed = 800 }, "fabric.uplink_speed", "[400 200 100]"},
		{"NIC speed unknown", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Servers[0].NICSpeed = 800 }, "servers[0].nic_speed", "no ports of 800G"},
		{"two tiers do not reach", "h3c-s9825-64d", func(c *cluster.Cluster) {
			c.Fabric.Topology, c.Servers[0].Count, c.Servers[0].Reserve = "leaf-spine", 300, 300
		}, "fabric.topology", "about 256 servers"},
		{"three tiers do not reach", "h3c-s9850-32h", func(c *cluster.Cluster) {
			c.Servers[0].NICSpeed, c.Servers[0].Count, c.Servers[0].Reserve = 100, 5000, 5000
		}, "servers", "do not reach"},
		{"too few forced spines", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Fabric.Spines = 2; c.Fabric.Topology = "leaf-spine" }, "fabric.spines", "use 4 to 32"},
		{"rail-only without scale-up", "h3c-s9825-64d", func(c *cluster.Cluster) { c.Fabric.Topology, c.Servers[0].GPU = "rail-only", "l40s" }, "fabric.topology", "no scale-up fabric"},
		{"rail-only too many servers", "h3c-s9825-64d", func(c *cluster.Cluster) {
			c.Fabric.Topology, c.Servers[0].Count, c.Servers[0].Reserve = "rail-only", 65, 65
		}, "fabric.topology", "reaches 64 servers"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := declare(t, "roce", tc.leaf, tc.leaf, 32, 8, 8, 400, 0)
			tc.change(c)
			_, _, err := Build(c)
			var problems cluster.Problems
			if !errors.As(err, &problems) || len(problems) != 1 {
				t.Fatalf("got %v, want one problem", err)
			}
			if p := problems[0]; p.Path != tc.path || !strings.Contains(p.Error(), tc.want) {
				t.Errorf("got %v, want %s: …%s…", p, tc.path, tc.want)
			}
		})
	}
}

// Groups of different servers share spines, never a unit.
func TestGroups(t *testing.T) {
	c := declare(t, "roce", "h3c-s9825-64d", "h3c-s9825-64d", 32, 8, 8, 400, 0)
	c.Servers = append(c.Servers, cluster.ServerGroup{Name: "old", Count: 16, Reserve: 16, NICs: 4, GPUs: 8, NICSpeed: 200, GPU: "a100-80-sxm4"})
	f, _, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, f)
	if f.Groups[1].FirstUnit != f.Groups[0].Units || f.Rails != 8 {
		t.Errorf("groups %+v rails %d", f.Groups, f.Rails)
	}
	last := &f.Servers[len(f.Servers)-1]
	if last.Name != "old-016" || len(last.Ports) != 4 || f.Links[last.Ports[0].Link].SpeedGbps != 200 {
		t.Errorf("last server %+v", last)
	}
	leaf := &f.Switches[f.Links[last.Ports[0].Link].B.Device]
	if p := leaf.Ports[f.Links[last.Ports[0].Link].B.Port]; p.Split != 2 || p.Lane != 2 {
		t.Errorf("200G NIC on a 400G cage: %+v", p)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, servers := range []int{1024, 4096, 16384} {
		b.Run(fmt.Sprint(servers), func(b *testing.B) {
			c := declare(b, "roce", "h3c-s9827-128dh", "h3c-s9827-128dh", servers, 8, 8, 400, 64)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Build(c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
