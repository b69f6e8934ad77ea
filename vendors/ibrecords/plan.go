package ibrecords

import (
	"fmt"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// planned is a switch or a server's port, each a node on the wire.
type planned struct {
	name    string
	sw      bool
	server  string // of a host
	subnet  int
	guid    fabric.GUID
	ports   map[int]string // of a switch: names of planned ports by number
	count   int            // ports of a switch
	keys    map[uint16]bool
	anyKey  uint16 // a key (15 bits) whose membership the plan leaves open; 0 none
	manager bool

	seen *node
	port int    // of a host: its number on the adapter seen
	how  string // guid, name, cable, server
}

// spot is an end of a cable as the plan counts: nodes of the plan by index, others
// by GUID with node -1.
type spot struct {
	node int
	guid uint64
	port int
}

// cable is a planned link; a is the lower end.
type cable struct {
	a, b spot
	gbps int
}

type plan struct {
	f       *fabric.Fabric
	nodes   []planned
	cables  []cable
	at      map[spot]int // both ends of each cable
	subnets []ibsubnet.Subnet
	byName  map[string]int // lower case; -1 for several
	hosts   map[string][]int
	twin    bool // a switch has cages with several ports, whose numbers are inferred
}

func newPlan(f *fabric.Fabric) *plan {
	p := &plan{f: f, subnets: ibsubnet.Split(f), at: map[spot]int{}, byName: map[string]int{}, hosts: map[string][]int{}}
	switches := map[int]int{}
	ends := map[fabric.End]int{}
	for s := range p.subnets {
		for _, i := range p.subnets[s].Switches {
			switches[i] = len(p.nodes)
			p.addSwitch(s, i)
		}
	}
	for s := range p.subnets {
		keys := p.keys(s)
		for i := range p.subnets[s].Hosts {
			h := &p.subnets[s].Hosts[i]
			ends[fabric.End{Kind: fabric.ServerDevice, Device: h.Server, Port: h.Port}] = len(p.nodes)
			server := f.Servers[h.Server].Name
			p.hosts[strings.ToLower(server)] = append(p.hosts[strings.ToLower(server)], len(p.nodes))
			p.nodes = append(p.nodes, planned{name: h.Name(f), server: server, subnet: s, guid: h.GUID, keys: keys[h].keys, anyKey: keys[h].open, manager: keys[h].manager})
		}
	}
	for i := range p.nodes {
		name := strings.ToLower(p.nodes[i].name)
		if _, twice := p.byName[name]; twice {
			p.byName[name] = -1
		} else {
			p.byName[name] = i
		}
	}
	spotOf := func(e fabric.End) spot {
		if e.Kind == fabric.ServerDevice {
			return spot{node: ends[e], port: 1}
		}
		at := switches[e.Device]
		port := &f.Switches[e.Device].Ports[e.Port]
		return spot{node: at, port: p.subnets[p.nodes[at].subnet].Numbering(e.Device).Number(port)}
	}
	for i := range f.Links {
		l := &f.Links[i]
		c := cable{spotOf(l.A), spotOf(l.B), l.SpeedGbps}
		p.at[c.a], p.at[c.b] = len(p.cables), len(p.cables)
		p.cables = append(p.cables, c)
	}
	return p
}

func (p *plan) addSwitch(subnet, i int) {
	sw := &p.f.Switches[i]
	m := p.f.ModelOf(sw)
	numbers := p.subnets[subnet].Numbering(i)
	n := planned{name: sw.Name, sw: true, subnet: subnet, guid: sw.GUID, ports: make(map[int]string, len(sw.Ports)), count: numbers.Count}
	for j := range sw.Ports {
		n.ports[numbers.Number(&sw.Ports[j])] = ibsubnet.PanelName(m, &sw.Ports[j])
	}
	p.twin = p.twin || n.count > len(m.Cages)
	p.nodes = append(p.nodes, n)
}

// holds is what a port's key table should have.
type holds struct {
	keys    map[uint16]bool
	open    uint16
	manager bool
}

const (
	defaultKey = 0x7fff // every port's partition (IBTA)
	fullBit    = 0x8000
)

// keys are the tables that the written files lead to: full members of the default
// partition where nothing else is declared, else limited ones but for management
// hosts and the port the subnet manager binds to. A switch's own manager is told
// nothing about the default partition.
func (p *plan) keys(subnet int) map[*ibsubnet.Host]holds {
	s := &p.subnets[subnet]
	sub := p.f.InfiniBand
	out := make(map[*ibsubnet.Host]holds, len(s.Hosts))
	for i := range s.Hosts {
		h := &s.Hosts[i]
		manager := h.Manager || i == 0
		if sub.SMGUID != 0 && len(p.subnets) == 1 {
			manager = h.Manager || h.GUID.Value == sub.SMGUID
		}
		own := holds{keys: map[uint16]bool{}, manager: manager}
		key := uint16(defaultKey)
		if len(sub.Partitions) == 0 || manager {
			key |= fullBit
		}
		own.keys[key] = true
		if sub.Manager == "switch" || sub.Manager == "ufm" && manager {
			own.open = defaultKey
		}
		out[h] = own
	}
	for _, part := range ibsubnet.Partitions(p.f, s) {
		for _, m := range part.Members {
			key := part.Key
			if m.Full {
				key |= fullBit
			}
			out[m.Host].keys[key] = true
		}
	}
	return out
}

// portName is a port of a planned switch as numbered and as printed on it.
func (p *plan) portName(s spot) string {
	if panel := p.nodes[s.node].ports[s.port]; panel != "" {
		return fmt.Sprintf("port %d (%s)", s.port, panel)
	}
	return fmt.Sprintf("port %d", s.port)
}

func guid(v uint64) string { return ibsubnet.GUID(v) }
