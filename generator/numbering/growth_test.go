package numbering_test

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/numbering"
	"railyard/generator/quantity"
	"railyard/generator/topology"
)

// facts flattens everything about a fabric that growth must not change: a line
// per device, port, link, VLAN and address, by name.
func facts(f *fabric.Fabric) map[string]string {
	out := map[string]string{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		out["switch "+sw.Name] = fmt.Sprint(sw.Role, sw.ASN, sw.Loopback, sw.Management, sw.GUID, sw.Unit, sw.Slot, sw.Rails, sw.Index, sw.Group, sw.NoTransit, f.ModelOf(sw).ID)
		for p := range sw.Ports {
			if port := &sw.Ports[p]; port.Link >= 0 {
				l := &f.Links[port.Link]
				out[fmt.Sprintf("port %s %d/%d", sw.Name, port.Cage, port.Lane)] = fmt.Sprint(port.Role, port.SpeedGbps, port.Address, port.PeerAddress, port.PeerASN,
					f.DeviceName(port.Peer), f.PortName(port.Peer), l.Cable, l.LengthM)
			}
		}
	}
	for i := range f.Servers {
		srv := &f.Servers[i]
		for _, nic := range srv.Ports {
			out["nic "+srv.Name+" "+nic.Name] = fmt.Sprint(nic.Address, nic.Gateway, nic.GUID, f.DeviceName(f.Links[nic.Link].B), f.PortName(f.Links[nic.Link].B), f.Links[nic.Link].Cable)
		}
	}
	for i := range f.VLANs {
		v := &f.VLANs[i]
		out[fmt.Sprint("vlan ", v.Plane, v.Unit, v.Rail)] = fmt.Sprint(v.ID, v.Subnet, v.Gateway)
	}
	out["paths"] = fmt.Sprint(f.Underlay.MaxPaths, f.Management.Subnet, f.Topology)
	return out
}

var leaves = []string{"h3c-s9825-64d", "h3c-s9827-128dh", "nvidia-sn5600", "arista-7060x6-64pe", "nvidia-qm9700", "h3c-s9855-48cd8d"}

// wish draws a cluster that a person might declare; many can't be built.
func wish(t *rapid.T, cat *catalog.Catalog) *cluster.Cluster {
	leaf := rapid.SampledFrom(leaves).Draw(t, "leaf")
	spine := rapid.SampledFrom(leaves[:5]).Draw(t, "spine")
	technology := "roce"
	if cat.Switch(leaf).Kind == "ib" {
		technology, spine = "infiniband", "nvidia-qm9700"
	} else if spine == "nvidia-qm9700" {
		spine = leaf
	}
	ratio := func(name string) quantity.Ratio {
		return quantity.Ratio{Down: rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(t, name), Up: 1}
	}
	tier := func(id string) cluster.Tier { return cluster.Tier{Model: id, Spec: *cat.Switch(id)} }
	base := declared(cat)
	base.Fabric = cluster.Fabric{Technology: technology, RoCE: "v2",
		Topology:   rapid.SampledFrom([]string{"auto", "auto", "leaf-spine", "three-tier", "single-switch"}).Draw(t, "topology"),
		Attachment: rapid.SampledFrom([]string{"rail", "rail", "tor"}).Draw(t, "attachment"), Planes: rapid.IntRange(1, 2).Draw(t, "planes"),
		Oversubscription: ratio("leaf ratio"), CoreOversubscription: ratio("spine ratio")}
	if rapid.Bool().Draw(t, "small units") {
		base.Fabric.ServersPerUnit = cluster.AutoInt(rapid.IntRange(1, 16).Draw(t, "per unit"))
	}
	if rapid.IntRange(0, 4).Draw(t, "force spines") == 0 {
		base.Fabric.Spines = cluster.AutoInt(rapid.IntRange(1, 12).Draw(t, "spines"))
	}
	base.Switches = cluster.Switches{Leaf: tier(leaf), Spine: tier(spine), Core: tier(spine)}
	base.Addressing.Host = rapid.SampledFrom([]string{"vlan", "routed"}).Draw(t, "host")
	base.Addressing.ASN.SpineMode = rapid.SampledFrom([]string{"shared", "unique"}).Draw(t, "spine mode")
	base.Servers = nil
	for g := range rapid.IntRange(1, 2).Draw(t, "groups") {
		n := rapid.IntRange(1, 40).Draw(t, "final")
		speed := rapid.SampledFrom([]int{400, 400, 200, 100}).Draw(t, "speed")
		base.Servers = append(base.Servers, cluster.ServerGroup{Name: fmt.Sprintf("g%d", g), Count: n, Reserve: n, GPUs: 8,
			NICs: rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "nics"), NICSpeed: quantity.Speed(speed), GPU: rapid.SampledFrom([]string{"h100-80-sxm5", "l40s"}).Draw(t, "gpu")})
		base.Fabric.Reserve.Servers += n
	}
	return base
}

func build(c *cluster.Cluster) (*fabric.Fabric, error) {
	f, size, err := topology.Build(c)
	if err != nil {
		return nil, err
	}
	return f, numbering.Assign(c, f, size)
}

// Growing within the reserve adds and never changes; what is refused is refused
// with a reason and a remedy; nothing panics.
func TestGrowthMovesNothing(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	rapid.Check(t, func(t *rapid.T) {
		c := wish(t, cat)
		full, err := build(c)
		if err != nil {
			var problems cluster.Problems
			if !errors.As(err, &problems) || len(problems) == 0 || problems[0].Remedy == "" {
				t.Fatalf("refused without reason or remedy: %v", err)
			}
			return
		}
		built++
		unique(t, full)
		final := facts(full)
		for i := range c.Servers {
			c.Servers[i].Count = rapid.IntRange(1, c.Servers[i].Reserve).Draw(t, "today")
		}
		today, err := build(c)
		if err != nil {
			t.Fatalf("the final size can be built, today's can't: %v", err)
		}
		for k, v := range facts(today) {
			if final[k] != v {
				t.Fatalf("%s\ntoday %s\nlater %s", k, v, final[k])
			}
		}
	})
	t.Logf("%d built", built)
	if built == 0 {
		t.Error("no drawn cluster could be built")
	}
}
