package underlay

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// plan is what a fabric promises while some of its links are cut.
type plan struct {
	f    *fabric.Fabric
	dead map[int]bool // switches
	cut  map[int]bool // links
}

func newPlan(f *fabric.Fabric) *plan { return &plan{f, map[int]bool{}, map[int]bool{}} }

// between are the links of two switches.
func (p *plan) between(a, b string) []int {
	var links []int
	for i := range p.f.Links {
		l := &p.f.Links[i]
		x, y := p.f.DeviceName(l.A), p.f.DeviceName(l.B)
		if l.Kind == fabric.FabricLink && (x == a && y == b || x == b && y == a) {
			links = append(links, i)
		}
	}
	return links
}

func (p *plan) up(link int) bool {
	l := &p.f.Links[link]
	return !p.cut[link] && !p.dead[l.A.Device] && !p.dead[l.B.Device]
}

// rank is a switch's tier.
func rank(r fabric.Role) int {
	return slices.Index([]fabric.Role{fabric.Leaf, fabric.Spine, fabric.Core}, r)
}

// sessions are the lines "switch neighbor state" of all switches that live.
func (p *plan) sessions() []string {
	var lines []string
	for i := range p.f.Switches {
		sw := &p.f.Switches[i]
		if p.dead[i] {
			continue
		}
		for k := range sw.Ports {
			port := &sw.Ports[k]
			if port.Link < 0 || p.f.Links[port.Link].Kind != fabric.FabricLink {
				continue
			}
			peer := &p.f.Switches[port.Peer.Device]
			id := linuxName(port.Name)
			if !port.Unnumbered() {
				id = port.PeerAddress.String()
			}
			lines = append(lines, session(sw.Name, id, p.up(port.Link), peer.ASN, peer.Loopback.String()))
		}
	}
	slices.Sort(lines)
	return lines
}

func session(from, id string, up bool, asn uint32, router string) string {
	if !up {
		return fmt.Sprintf("%s: session %s is down", from, id)
	}
	return fmt.Sprintf("%s: session %s is up with AS %d, router %s", from, id, asn, router)
}

// owned are the prefixes a switch announces: its loopback, its rail subnets and
// its routed host links.
func (p *plan) owned(sw *fabric.Switch) []netip.Prefix {
	list := []netip.Prefix{netip.PrefixFrom(sw.Loopback, 32)}
	for _, v := range sw.VLANs {
		list = append(list, p.f.VLANs[v].Subnet)
	}
	for i := range sw.Ports {
		if port := &sw.Ports[i]; port.Role == fabric.HostPort && port.Link >= 0 && port.Address.IsValid() {
			list = append(list, port.Address.Masked())
		}
	}
	return list
}

// routes are the lines "switch prefix via ports" of all switches that live.
func (p *plan) routes() []string {
	var lines []string
	for s := range p.f.Switches {
		for d := range p.f.Switches {
			if s == d || p.dead[s] || p.dead[d] {
				continue
			}
			ports := p.ports(s, d)
			if len(ports) == 0 {
				continue
			}
			for _, prefix := range p.owned(&p.f.Switches[d]) {
				lines = append(lines, route(p.f.Switches[s].Name, prefix.String(), ports))
			}
		}
	}
	slices.Sort(lines)
	return lines
}

func route(from, prefix string, ports []string) string {
	slices.Sort(ports)
	return fmt.Sprintf("%s: %s via %s", from, prefix, strings.Join(ports, " "))
}

// walk is a way through the fabric that is still being walked.
type walk struct {
	at    int
	first int // switch of the first hop
	down  bool
	asns  []uint32
}

// ports are the ports of all shortest ways from one switch to another that go
// up and then down, and through no AS twice (RFC 7938, section 5.2).
func (p *plan) ports(from, to int) []string {
	ways := []walk{{at: from, first: -1, asns: []uint32{p.f.Switches[from].ASN}}}
	var firsts []int
	for len(ways) > 0 && len(firsts) == 0 {
		var next []walk
		for _, w := range ways {
			for _, n := range p.neighbours(w.at) {
				sw := &p.f.Switches[n]
				falls := rank(sw.Role) < rank(p.f.Switches[w.at].Role)
				if w.down && !falls || slices.Contains(w.asns, sw.ASN) {
					continue
				}
				step := walk{n, w.first, falls, append(slices.Clone(w.asns), sw.ASN)}
				if step.first < 0 {
					step.first = n
				}
				if n == to && !slices.Contains(firsts, step.first) {
					firsts = append(firsts, step.first)
				}
				next = append(next, step)
			}
		}
		ways = next
	}
	var ports []string
	sw := &p.f.Switches[from]
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.Link >= 0 && p.f.Links[port.Link].Kind == fabric.FabricLink && p.up(port.Link) && slices.Contains(firsts, port.Peer.Device) {
			ports = append(ports, linuxName(port.Name))
		}
	}
	return ports
}

// neighbours are the switches that live links lead to, each once.
func (p *plan) neighbours(s int) []int {
	var list []int
	for i := range p.f.Switches[s].Ports {
		port := &p.f.Switches[s].Ports[i]
		if port.Link < 0 || p.f.Links[port.Link].Kind != fabric.FabricLink || !p.up(port.Link) {
			continue
		}
		if !slices.Contains(list, port.Peer.Device) {
			list = append(list, port.Peer.Device)
		}
	}
	return list
}

// difference lists what is in one sorted list only, "-" planned, "+" found.
func difference(want, got []string) string {
	var out strings.Builder
	for len(want)+len(got) > 0 {
		switch {
		case len(want) > 0 && len(got) > 0 && want[0] == got[0]:
			want, got = want[1:], got[1:]
		case len(got) == 0 || len(want) > 0 && want[0] < got[0]:
			fmt.Fprintln(&out, "- "+want[0])
			want = want[1:]
		default:
			fmt.Fprintln(&out, "+ "+got[0])
			got = got[1:]
		}
	}
	return out.String()
}
