package underlay

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// comware reads a configuration of Comware. Its defaults are those of VRP, and
// an interface of a VLAN needs the VLAN.
type comware struct {
	complaints
	d     *device
	bgp   *bgp
	vlans []string
	named []string // as-path lists
}

func readComware(text []byte) (*device, error) {
	root, problems := clitree.Parse(text, clitree.Comware())
	r := &comware{d: &device{forwards: true, links: map[string]link{}}}
	for _, p := range problems {
		if p.Severity != clitree.Note {
			r.add("line %d: %s", p.Line, p.Text)
		}
	}
	var lists []string
	for _, n := range root.Children {
		w := strings.Fields(n.Text)
		switch {
		case w[0] == "vlan" && len(w) == 2:
			r.vlans = append(r.vlans, w[1])
		case w[0] == "interface":
			r.iface(w[1], n)
		case strings.HasPrefix(n.Text, "ip as-path ") && len(w) == 5:
			r.named = append(r.named, w[2])
			lists = append(lists, fmt.Sprintf("bgp as-path access-list %s %s %s", w[2], w[3], w[4]))
		case w[0] == "bgp":
			r.bgp = &bgp{asn: w[1]}
			for _, c := range n.Children {
				r.router(c)
			}
		case w[0] == "route-policy", strings.HasPrefix(n.Text, "ip prefix-list"), strings.HasPrefix(n.Text, "ip community-list"):
			r.add("line %d: not understood: %s", n.Line, n.Text)
		}
	}
	if r.bgp != nil {
		r.bgp.lists = lists
		r.d.routing = r.bgp.frr()
	}
	return r.d, r.err()
}

func (r *comware) iface(name string, n *clitree.Node) {
	if n.Find("shutdown") != nil || strings.HasPrefix(name, "M-") {
		return
	}
	var address netip.Prefix
	for _, c := range n.Children {
		w := strings.Fields(c.Text)
		if strings.HasPrefix(c.Text, "ip address ") && len(w) == 4 {
			p, err := masked(w[2], w[3])
			if err != nil {
				r.add("line %d: %v", c.Line, err)
			}
			address = p
		}
	}
	vlan, svi := strings.CutPrefix(name, "Vlan-interface")
	switch {
	case name == "LoopBack0":
		r.d.loopback = address
	case svi && !slices.Contains(r.vlans, vlan):
		r.add("line %d: %s has no vlan", n.Line, name)
	case svi:
		r.d.stubs = append(r.d.stubs, address)
	case n.Find("port link-mode route") != nil:
		r.d.links[name] = link{address: address}
	case address.IsValid():
		r.add("line %d: an address on the switched port %s", n.Line, name)
	}
}

func (r *comware) router(n *clitree.Node) {
	w := strings.Fields(n.Text)
	switch {
	case w[0] == "router-id" && len(w) == 2:
		r.bgp.routerID = w[1]
	case n.Text == "graceful-restart":
		r.bgp.restart = true
	case w[0] == "peer" && len(w) == 4 && w[2] == "as-number":
		p := r.bgp.peer(w[1])
		p.asn, p.noCommunities = w[3], true // Comware sends none unless told
	case w[0] == "peer" && w[2] == "description":
	case n.Text == "address-family ipv4 unicast":
		for _, c := range n.Children {
			r.family(c)
		}
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}

func (r *comware) family(n *clitree.Node) {
	w := strings.Fields(n.Text)
	switch {
	case w[0] == "network" && len(w) == 3:
		p, err := masked(w[1], w[2])
		if err != nil || p != p.Masked() {
			r.add("line %d: %s: no network (%v)", n.Line, n.Text, err)
		}
		r.bgp.networks = append(r.bgp.networks, p.String())
	case n.Text == "balance as-path-relax":
		r.bgp.relax = true
	case w[0] == "balance" && len(w) == 2 && number(w[1]) > 0:
		r.bgp.paths = number(w[1])
	case w[0] == "peer" && len(w) == 3 && w[2] == "enable": // off unless said
		r.bgp.peer(w[1]).enabled = true
	case w[0] == "peer" && len(w) == 5 && w[2] == "as-path-acl" && w[4] == "export" && slices.Contains(r.named, w[3]):
		r.bgp.peer(w[1]).outPaths = w[3]
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}
