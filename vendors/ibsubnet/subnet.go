package ibsubnet

import (
	"fmt"

	"railyard/generator/fabric"
)

// defaultPrefix is the subnet prefix of a fabric with one subnet (opensm.conf(5)
// template). Several subnets count up from it, by plane or by the leaf's own index so
// that growth changes none: with one prefix for all, communication libraries take
// ports of different subnets for reachable (openucx/ucx issue 605).
const defaultPrefix = 0xfe80000000000000

// Subnet is one connected InfiniBand subnet.
type Subnet struct {
	// Name is a folder: p0 for a plane, a leaf's name for a rail without spines,
	// or "" when the fabric has one subnet only.
	Name     string
	Prefix   uint64 // of its GIDs, unlike any other subnet's
	Switches []int  // indices into Fabric.Switches, in order
	Roots    []int  // those of the top tier; none on a single switch
	Hosts    []Host // in server order, but a management host's first port in front

	numbering map[int]Numbering // by index into Fabric.Switches
}

// Host is a server's port in a subnet.
type Host struct {
	Server, Port int // indices into Fabric.Servers and its Ports
	Rail         int
	Manager      bool // of a host kept for management (UFM)
	GUID         fabric.GUID
}

// Name is what people call the port: its server and NIC.
func (h *Host) Name(f *fabric.Fabric) string {
	sv := &f.Servers[h.Server]
	return sv.Name + " " + sv.Ports[h.Port].Name
}

// Speed is the port's speed in Gb/s.
func (h *Host) Speed(f *fabric.Fabric) int {
	return f.Links[f.Servers[h.Server].Ports[h.Port].Link].SpeedGbps
}

// Split cuts an InfiniBand fabric into its subnets: switches that fabric links
// connect.
func Split(f *fabric.Fabric) []Subnet {
	top := islands(f)
	index := make(map[int]int) // island → index into out
	var out []Subnet
	for i := range f.Switches {
		at, ok := index[top[i]]
		if !ok {
			at = len(out)
			index[top[i]] = at
			out = append(out, Subnet{Prefix: defaultPrefix, numbering: make(map[int]Numbering)})
		}
		s := &out[at]
		s.Switches = append(s.Switches, i)
		s.numbering[i] = NumberingOf(f, &f.Switches[i])
	}
	for i := range f.Servers {
		for j := range f.Servers[i].Ports {
			p := &f.Servers[i].Ports[j]
			if p.Link < 0 {
				continue
			}
			s := &out[index[top[f.Links[p.Link].B.Device]]]
			s.Hosts = append(s.Hosts, Host{i, j, p.Rail, f.Servers[i].UFM, p.GUID})
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
func planesConnected(f *fabric.Fabric, subnets []Subnet) bool {
	seen := make(map[int]bool)
	for i := range subnets {
		p := f.Switches[subnets[i].Switches[0]].Plane
		if seen[p] {
			return false
		}
		seen[p] = true
	}
	return true
}

// finish names and numbers the subnet, finds its roots and puts a management port first.
func (s *Subnet) finish(f *fabric.Fabric, several, planes bool) {
	first := &f.Switches[s.Switches[0]]
	switch {
	case several && planes:
		s.Name = fmt.Sprintf("p%d", first.Plane)
		s.Prefix += uint64(first.Plane)
	case several:
		s.Name = first.Name
		s.Prefix += uint64(first.Plane)<<32 + uint64(first.Index)
	}
	if len(s.Switches) > 1 {
		top := f.Switches[s.Switches[len(s.Switches)-1]].Role
		for _, i := range s.Switches {
			if f.Switches[i].Role == top {
				s.Roots = append(s.Roots, i)
			}
		}
	}
	for i := range s.Hosts {
		if s.Hosts[i].Manager {
			manager := s.Hosts[i]
			copy(s.Hosts[1:i+1], s.Hosts[:i])
			s.Hosts[0] = manager
			break
		}
	}
}

// Compute calls fn for each port of a server that computes.
func (s *Subnet) Compute(fn func(h *Host)) {
	for i := range s.Hosts {
		if !s.Hosts[i].Manager {
			fn(&s.Hosts[i])
		}
	}
}

// Numbering is that of a switch of the subnet, by its index into Fabric.Switches.
func (s *Subnet) Numbering(sw int) Numbering { return s.numbering[sw] }

// Where names the subnet in a sentence.
func (s *Subnet) Where() string {
	if s.Name == "" {
		return "the fabric"
	}
	return "subnet " + s.Name
}

// Placeholders counts the subnet's GUIDs and those of them that railyard made up.
func (s *Subnet) Placeholders(f *fabric.Fabric) (made, all int) {
	for _, i := range s.Switches {
		if f.Switches[i].GUID.Placeholder {
			made++
		}
	}
	for i := range s.Hosts {
		if s.Hosts[i].GUID.Placeholder {
			made++
		}
	}
	return made, len(s.Switches) + len(s.Hosts)
}
