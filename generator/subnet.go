package generator

import (
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// subnet fills the InfiniBand side of the plan.
func subnet(c *cluster.Cluster, f *fabric.Fabric) {
	if f.Technology != fabric.InfiniBand {
		return
	}
	f.InfiniBand = &fabric.Subnet{Manager: c.InfiniBand.SubnetManager, Routing: c.InfiniBand.Routing, SMGUID: uint64(c.InfiniBand.SMGUID), UFMLinks: c.InfiniBand.UFMLinks}
	for n := range c.InfiniBand.Partitions {
		p := &c.InfiniBand.Partitions[n]
		part := fabric.Partition{Name: p.Name, PKey: uint16(p.PKey), Full: p.Membership != "limited"}
		for s := range f.Servers {
			if p.Holds(f.Servers[s].Name) {
				part.Members = append(part.Members, s)
			}
		}
		f.InfiniBand.Partitions = append(f.InfiniBand.Partitions, part)
	}
}
