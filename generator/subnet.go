package generator

import (
	"fmt"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/hostlist"
)

// subnet fills the InfiniBand side of the plan.
func subnet(c *cluster.Cluster, f *fabric.Fabric) error {
	if f.Technology != fabric.InfiniBand {
		return nil
	}
	f.InfiniBand = &fabric.Subnet{Manager: c.InfiniBand.SubnetManager, Routing: c.InfiniBand.Routing, SMGUID: uint64(c.InfiniBand.SMGUID), UFMLinks: c.InfiniBand.UFMLinks}
	for n, p := range c.InfiniBand.Partitions {
		part := fabric.Partition{Name: p.Name, PKey: uint16(p.PKey), Full: p.Membership != "limited"}
		member := make([]bool, len(f.Servers))
		for i, m := range p.Members {
			list, err := hostlist.Parse(m)
			if err != nil {
				return cluster.Problems{c.Problem(fmt.Sprintf("infiniband.partitions[%d].members[%d]", n, i), err.Error(), "write a host list like gpu-[001-004] or a glob like gpu-*")}
			}
			for s := range f.Servers {
				member[s] = member[s] || list.Match(f.Servers[s].Name)
			}
		}
		for s, is := range member {
			if is {
				part.Members = append(part.Members, s)
			}
		}
		f.InfiniBand.Partitions = append(f.InfiniBand.Partitions, part)
	}
	return nil
}
