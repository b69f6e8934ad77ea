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

func newLinker(net *observed.Network, cables *Cables) *linker {
	l := &linker{net: net, byName: map[string]int{}, index: make([]map[string]int, len(net.Switches)), peer: make([][]spot, len(net.Switches))}
	for i, sw := range net.Switches {
		l.peer[i] = slices.Repeat([]spot{nowhere}, len(sw.Ports))
		l.byName[strings.ToLower(sw.Name)] = i
	}
	l.subnets()
	l.lldp()
	l.listed(cables)
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
	type subnet struct {
		a, b   spot
		prefix netip.Prefix // of a
		n      int
	}
	index := map[netip.Prefix]int32{}
	var all []subnet
	for s, sw := range l.net.Switches {
		for p := range sw.Ports {
			port := &sw.Ports[p]
			if port.Kind != observed.Physical || port.Bundle != "" {
				continue
			}
			for _, a := range port.Addresses {
				if !pointToPoint(a) {
					continue
				}
				at, ok := index[a.Masked()]
				if !ok {
					index[a.Masked()] = int32(len(all))
					all = append(all, subnet{a: spot{s, p}, prefix: a, n: 1})
					continue
				}
				n := &all[at]
				if n.n++; n.n == 2 && a != n.prefix {
					n.b = spot{s, p}
				} else {
					n.n = 3 // the same address twice, or more than two
				}
			}
		}
	}
	for i := range all {
		if n := &all[i]; n.n == 2 {
			l.join(n.a, n.b, "subnet")
		}
	}
}

// pointToPoint reports whether two ports with such addresses alone in the subnet
// may be the ends of one cable. Link-local addresses are on every link.
func pointToPoint(a netip.Prefix) bool {
	if a.Addr().Is4() {
		return a.Bits() >= 16 && a.Bits() <= 31
	}
	return a.Bits() >= 64 && a.Bits() <= 127 && !a.Addr().IsLinkLocalUnicast()
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

// listed joins the ends of cables that both are ports here.
func (l *linker) listed(cables *Cables) {
	if cables == nil {
		return
	}
	for _, c := range cables.pairs {
		a, ok := l.find(c[0].sw, c[0].port)
		b, found := l.find(c[1].sw, c[1].port)
		if ok && found {
			l.join(a, b, "cables")
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
	var list [maxWords]string
	words := list[:0]
	for text != "" && len(words) < maxWords {
		at := strings.IndexAny(text, " ,;()<>|[]\"")
		if at < 0 {
			at = len(text)
		}
		if at > 0 {
			words = append(words, text[:at])
		}
		text = text[min(at+1, len(text)):]
	}
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
