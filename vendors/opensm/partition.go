package opensm

import (
	"fmt"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// partition is one rule of partitions.conf.
type partition struct {
	Name         string
	Key, FullKey string // 15 bits, and with the membership bit
	Membership   string // full or limited
	RateCode     int
	Ports        int
	Servers      int
	Members      string // the port list without its last delimiter
}

// partitions are the rules of a subnet, limited ones first: where one key has both
// and a port stands in both, the last rule wins and that should be full. A partition
// without ports in this subnet has no rule.
func partitions(f *fabric.Fabric, s *ibsubnet.Subnet) []partition {
	byServer := make(map[int][]ibsubnet.Host)
	if len(f.InfiniBand.Partitions) > 0 {
		for _, h := range s.Hosts {
			byServer[h.Server] = append(byServer[h.Server], h)
		}
	}
	var out []partition
	for _, full := range []bool{false, true} {
		for i := range f.InfiniBand.Partitions {
			p := &f.InfiniBand.Partitions[i]
			if p.Full != full {
				continue
			}
			if rule := newPartition(f, p, byServer); rule.Ports > 0 {
				out = append(out, rule)
			}
		}
	}
	return out
}

func newPartition(f *fabric.Fabric, p *fabric.Partition, byServer map[int][]ibsubnet.Host) partition {
	out := partition{
		Name: p.Name, Membership: "limited", Servers: len(p.Members),
		Key: fmt.Sprintf("0x%04x", p.PKey&0x7fff), FullKey: fmt.Sprintf("0x%04x", p.PKey|0x8000),
	}
	if p.Full {
		out.Membership = "full"
	}
	var members []ibsubnet.Host
	for _, m := range p.Members {
		members = append(members, byServer[m]...)
	}
	// One member a line: OpenSM reads lines into 4096 characters.
	var b []byte
	for i := range members {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = append(b, "    "...)
		b = ibsubnet.AppendGUID(b, members[i].GUID.Value)
		b = append(b, '=')
		b = append(b, out.Membership...)
	}
	out.Members, out.Ports = string(b), len(members)
	out.RateCode = ibsubnet.RateOf(f, members).Code
	return out
}
