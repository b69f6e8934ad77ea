package opensm

import (
	"fmt"

	"railyard/generator/fabric"
)

// defaultPrefix is the subnet prefix of a fabric with one subnet (opensm.conf(5)
// template). Several subnets count up from it, by plane or by the leaf's own index so
// that growth changes none: with one prefix for all, communication libraries take
// ports of different subnets for reachable (openucx/ucx issue 605).
const defaultPrefix = 0xfe80000000000000

// subnet is one connected InfiniBand subnet.
type subnet struct {
	name     string // folder: p0, a leaf's name, or "" when it is the only one
	prefix   uint64
	switches []int       // indices into Fabric.Switches, in order
	roots    []int       // those of the top tier; none on a single switch
	numbers  []ports     // parallel to switches
	hosts    []hostPort  // in server order, but the subnet manager's first
	links    map[int]int // index of a switch in Fabric.Switches → index in switches
}

// hostPort is a server's port in a subnet.
type hostPort struct {
	server, port int
	rail         int
	ufm          bool
	guid         fabric.GUID
}

// split cuts the fabric into its subnets: switches that fabric links connect.
func split(f *fabric.Fabric) []subnet {
	top := islands(f)
	index := make(map[int]int) // island → index into out
	var out []subnet
	for i := range f.Switches {
		at, ok := index[top[i]]
		if !ok {
			at = len(out)
			index[top[i]] = at
			out = append(out, subnet{prefix: defaultPrefix, links: make(map[int]int)})
		}
		s := &out[at]
		s.links[i] = len(s.switches)
		s.switches = append(s.switches, i)
		s.numbers = append(s.numbers, portsOf(f, &f.Switches[i]))
	}
	for i := range f.Servers {
		for j := range f.Servers[i].Ports {
			p := &f.Servers[i].Ports[j]
			if p.Link < 0 {
				continue
			}
			s := &out[index[top[f.Links[p.Link].B.Device]]]
			s.hosts = append(s.hosts, hostPort{i, j, p.Rail, f.Servers[i].UFM, p.GUID})
		}
	}
	planes := planesConnected(f, out)
	for i := range out {
		out[i].finish(f, len(out) > 1, planes)
	}
	return out
}

// islands gives every switch the lowest switch it is connected to.
func islands(f *fabric.Fabric) []int {
	parent := make([]int, len(f.Switches))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range f.Links {
		if l := &f.Links[i]; l.Kind == fabric.FabricLink {
			a, b := find(l.A.Device), find(l.B.Device)
			parent[max(a, b)] = min(a, b)
		}
	}
	for i := range parent {
		parent[i] = find(i)
	}
	return parent
}

// planesConnected reports whether every plane is one subnet, so that planes name them.
func planesConnected(f *fabric.Fabric, subnets []subnet) bool {
	seen := make(map[int]bool)
	for i := range subnets {
		p := f.Switches[subnets[i].switches[0]].Plane
		if seen[p] {
			return false
		}
		seen[p] = true
	}
	return true
}

// finish names and numbers the subnet, finds its roots and puts the manager's port first.
func (s *subnet) finish(f *fabric.Fabric, several, planes bool) {
	first := &f.Switches[s.switches[0]]
	switch {
	case several && planes:
		s.name = fmt.Sprintf("p%d", first.Plane)
		s.prefix += uint64(first.Plane)
	case several:
		s.name = first.Name
		s.prefix += uint64(first.Plane)<<32 + uint64(first.Index)
	}
	if len(s.switches) > 1 {
		top := f.Switches[s.switches[len(s.switches)-1]].Role
		for _, i := range s.switches {
			if f.Switches[i].Role == top {
				s.roots = append(s.roots, i)
			}
		}
	}
	for i := range s.hosts {
		if s.hosts[i].ufm {
			manager := s.hosts[i]
			copy(s.hosts[1:i+1], s.hosts[:i])
			s.hosts[0] = manager
			break
		}
	}
}

// compute calls fn for each port of a compute server.
func (s *subnet) compute(fn func(h *hostPort)) {
	for i := range s.hosts {
		if !s.hosts[i].ufm {
			fn(&s.hosts[i])
		}
	}
}

// dir is where the subnet's files are installed.
func (s *subnet) dir() string {
	if s.name == "" {
		return configDir
	}
	return configDir + "/" + s.name
}
