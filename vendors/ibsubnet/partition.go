package ibsubnet

import (
	"cmp"
	"slices"

	"railyard/generator/fabric"
)

// Partition is one partition key as a subnet sees it.
type Partition struct {
	Name    string
	Key     uint16 // 15 bits
	Members []Member
}

// Member is a port of a partition.
type Member struct {
	Host *Host
	Full bool
}

// Partitions are the keys of a subnet, in the order declared. Partitions with the
// same key are one, under the first one's name; a port that is both full and limited
// in it is full. A key without ports in this subnet is left out: an empty member
// list deletes a partition (UFM) or means nothing.
func Partitions(f *fabric.Fabric, s *Subnet) []Partition {
	byServer := make(map[int][]int)
	if len(f.InfiniBand.Partitions) > 0 {
		for i := range s.Hosts {
			byServer[s.Hosts[i].Server] = append(byServer[s.Hosts[i].Server], i)
		}
	}
	at := make(map[uint16]int)
	var out []Partition
	for i := range f.InfiniBand.Partitions {
		p := &f.InfiniBand.Partitions[i]
		key := p.PKey & 0x7fff
		k, known := at[key]
		if !known {
			k = len(out)
			at[key] = k
			out = append(out, Partition{Name: p.Name, Key: key})
		}
		for _, server := range p.Members {
			for _, h := range byServer[server] {
				out[k].Members = append(out[k].Members, Member{&s.Hosts[h], p.Full})
			}
		}
	}
	for i := range out {
		out[i].settle()
	}
	return slices.DeleteFunc(out, func(p Partition) bool { return len(p.Members) == 0 })
}

// settle sorts the members by server and port and keeps each once.
func (p *Partition) settle() {
	slices.SortStableFunc(p.Members, func(a, b Member) int {
		if c := cmp.Or(cmp.Compare(a.Host.Server, b.Host.Server), cmp.Compare(a.Host.Port, b.Host.Port)); c != 0 || a.Full == b.Full {
			return c
		}
		if a.Full {
			return -1
		}
		return 1
	})
	p.Members = slices.CompactFunc(p.Members, func(a, b Member) bool { return a.Host == b.Host })
}

// AnyLimited reports whether a member is limited.
func (p *Partition) AnyLimited() bool {
	return slices.ContainsFunc(p.Members, func(m Member) bool { return !m.Full })
}

// Rate is a code of partition rules for the multicast groups of IP over InfiniBand
// and what it stands for in Gb/s.
type Rate struct{ Code, Gbps int }

// rates are the codes of ib_types.h in OpenSM 3.3.23, slowest first. 800 and 1200
// Gb/s came later, so faster ports are given 400: the code bounds IPoIB groups only.
var rates = []Rate{{3, 10}, {6, 20}, {7, 40}, {16, 100}, {17, 200}, {21, 400}}

// Rate is the fastest code no faster than the partition's slowest port.
func (p *Partition) Rate(f *fabric.Fabric) Rate {
	hosts := make([]Host, len(p.Members))
	for i := range p.Members {
		hosts[i] = *p.Members[i].Host
	}
	return RateOf(f, hosts)
}

// RateOf is the fastest code no faster than the slowest of some ports; the slowest
// code without any.
func RateOf(f *fabric.Fabric, hosts []Host) Rate {
	best := rates[0]
	for _, r := range rates {
		if len(hosts) > 0 && !slices.ContainsFunc(hosts, func(h Host) bool { return h.Speed(f) < r.Gbps }) {
			best = r
		}
	}
	return best
}
