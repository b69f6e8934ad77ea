package audit

import (
	"net/netip"
	"slices"
	"strings"

	"railyard/generator/observed"
)

// spot is a port by position.
type spot struct{ sw, port int }

// nowhere is no port.
var nowhere = spot{-1, -1}

// linker finds out which ports are wired to each other.
type linker struct {
	net    *observed.Network
	byName map[string]int
	index  []map[string]int // per switch: port key → port; made when asked for
	peer   [][]spot         // by switch and port; nowhere where the other end is not known
	links  []Link
}

func newLinker(net *observed.Network) *linker {
	l := &linker{net: net, byName: map[string]int{}, index: make([]map[string]int, len(net.Switches)), peer: make([][]spot, len(net.Switches))}
	for i, sw := range net.Switches {
		l.peer[i] = slices.Repeat([]spot{nowhere}, len(sw.Ports))
		l.byName[strings.ToLower(sw.Name)] = i
	}
	l.subnets()
	l.lldp()
	l.descriptions()
	return l
}

func (l *linker) port(s spot) *observed.Port { return &l.net.Switches[s.sw].Ports[s.port] }

// join records a link unless one of the ends has a better one.
func (l *linker) join(a, b spot, evidence string) {
	if a.sw == b.sw {
		return
	}
	if l.peer[a.sw][a.port] != nowhere || l.peer[b.sw][b.port] != nowhere {
		return
	}
	l.peer[a.sw][a.port], l.peer[b.sw][b.port] = b, a
	x := End{l.net.Switches[a.sw].Name, l.port(a).Name}
	y := End{l.net.Switches[b.sw].Name, l.port(b).Name}
	if x.Switch > y.Switch {
		x, y = y, x
	}
	l.links = append(l.links, Link{x, y, evidence})
}

// subnets joins routed ports that are alone in a subnet.
func (l *linker) subnets() {
	members := map[netip.Prefix][]spot{}
	var order []netip.Prefix
	for s, sw := range l.net.Switches {
		for p := range sw.Ports {
			port := &sw.Ports[p]
			if port.Kind != observed.Physical || port.Bundle != "" {
				continue
			}
			for _, a := range port.Addresses {
				if !a.Addr().Is4() || a.Bits() < 16 || a.Bits() > 31 {
					continue
				}
				subnet := a.Masked()
				if members[subnet] == nil {
					order = append(order, subnet)
				}
				members[subnet] = append(members[subnet], spot{s, p})
			}
		}
	}
	for _, subnet := range order {
		if m := members[subnet]; len(m) == 2 && l.port(m[0]).Addresses[0] != l.port(m[1]).Addresses[0] {
			l.join(m[0], m[1], "subnet")
		}
	}
}

func (l *linker) lldp() {
	for _, n := range l.net.Neighbors {
		a, ok := l.find(n.Switch, n.Port)
		b, found := l.find(n.Remote, n.RemotePort)
		if ok && found {
			l.join(a, b, "lldp")
		}
	}
}

// find is the port of a switch by any of its names.
func (l *linker) find(sw, port string) (spot, bool) {
	s, ok := l.byName[strings.ToLower(sw)]
	if !ok {
		return spot{}, false
	}
	if l.index[s] == nil {
		l.index[s] = map[string]int{}
		ports := l.net.Switches[s].Ports
		for i := range ports {
			if ports[i].Alias != "" {
				l.index[s][observed.PortKey(ports[i].Alias)] = i
			}
		}
		for i := range ports {
			l.index[s][observed.PortKey(ports[i].Name)] = i
		}
	}
	p, ok := l.index[s][observed.PortKey(port)]
	return spot{s, p}, ok && l.net.Switches[s].Ports[p].Kind == observed.Physical
}

// descriptions joins ports whose description, or the neighbour the
// configuration records, names a switch of the directory and one of its ports.
func (l *linker) descriptions() {
	for s, sw := range l.net.Switches {
		for p := range sw.Ports {
			port := &sw.Ports[p]
			if port.Kind != observed.Physical {
				continue
			}
			if b, ok := l.find(port.Neighbor, port.NeighborPort); ok {
				l.join(spot{s, p}, b, "description")
				continue
			}
			if b, ok := l.described(port.Description); ok {
				l.join(spot{s, p}, b, "description")
			}
		}
	}
}

// maxWords bounds how much of a description is read.
const maxWords = 16

func (l *linker) described(text string) (spot, bool) {
	if text == "" || len(text) > 256 {
		return spot{}, false
	}
	words := strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == ',' || r == ';' || r == '(' || r == ')' || r == '<' || r == '>' || r == '|' || r == '[' || r == ']' || r == '"'
	})
	words = words[:min(len(words), maxWords)]
	for i, w := range words {
		if _, ok := l.byName[strings.ToLower(w)]; ok && i+1 < len(words) {
			// "spine-01 Ethernet1/1", "spine-01 port Ethernet1/1", "spine-01 100GE 1/0/1"
			for k := i + 1; k < len(words) && k <= i+3; k++ {
				if b, ok := l.find(w, words[k]); ok {
					return b, true
				}
				if k+1 < len(words) {
					if b, ok := l.find(w, words[k]+words[k+1]); ok {
						return b, true
					}
				}
			}
		}
		for _, cut := range []byte{':', '_', '/'} {
			for at := strings.IndexByte(w, cut); at > 0 && at+1 < len(w); {
				if b, ok := l.find(w[:at], w[at+1:]); ok {
					return b, true
				}
				next := strings.IndexByte(w[at+1:], cut)
				if next < 0 {
					break
				}
				at += 1 + next
			}
		}
	}
	return spot{}, false
}
