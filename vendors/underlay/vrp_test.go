package underlay

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// vrp reads a configuration of VRP. Its defaults: forwarding on, one path, AS
// paths of equal-cost routes must be the same, ports switched.
type vrp struct {
	complaints
	d     *device
	bgp   *bgp
	vlans []string
	named []string // as-path filters
}

func readVRP(text []byte) (*device, error) {
	root, problems := clitree.Parse(text, clitree.VRP())
	r := &vrp{d: &device{forwards: true, links: map[string]link{}}}
	for _, p := range problems {
		if p.Severity != clitree.Note {
			r.add("line %d: %s", p.Line, p.Text)
		}
	}
	var lists []string
	for _, n := range root.Children {
		w := strings.Fields(n.Text)
		switch {
		case strings.HasPrefix(n.Text, "vlan batch "):
			r.batch(w[2:])
		case w[0] == "interface":
			r.iface(w[1], n)
		case strings.HasPrefix(n.Text, "ip as-path-filter ") && len(w) == 7 && w[3] == "index":
			r.named = append(r.named, w[2])
			lists = append(lists, fmt.Sprintf("bgp as-path access-list %s seq %s %s %s", w[2], w[4], w[5], w[6]))
		case w[0] == "bgp":
			r.bgp = &bgp{asn: w[1]}
			for _, c := range n.Children {
				r.router(c)
			}
		case w[0] == "route-policy", strings.HasPrefix(n.Text, "ip ip-prefix"), strings.HasPrefix(n.Text, "ip community-filter"):
			r.add("line %d: not understood: %s", n.Line, n.Text)
		}
	}
	if r.bgp != nil {
		r.bgp.lists = lists
		r.d.routing = r.bgp.frr()
	}
	return r.d, r.err()
}

func (r *vrp) batch(w []string) {
	for i := 0; i < len(w); i++ {
		first, last := w[i], w[i]
		if i+2 < len(w) && w[i+1] == "to" {
			last = w[i+2]
			i += 2
		}
		if number(first) == 0 || number(last) == 0 {
			r.add("not understood: vlan batch %s", strings.Join(w, " "))
		}
		for id := number(first); id <= number(last); id++ {
			r.vlans = append(r.vlans, strconv.Itoa(id))
		}
	}
}

// masked is a prefix of an address and a dotted mask.
func masked(address, mask string) (netip.Prefix, error) {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return netip.Prefix{}, err
	}
	m, err := netip.ParseAddr(mask)
	if err != nil || !m.Is4() {
		return netip.Prefix{}, fmt.Errorf("%s is no mask", mask)
	}
	for bits := 0; bits <= 32; bits++ {
		if all, _ := netip.AddrFrom4([4]byte{255, 255, 255, 255}).Prefix(bits); all.Addr() == m {
			return netip.PrefixFrom(a, bits), nil
		}
	}
	return netip.Prefix{}, fmt.Errorf("%s is no mask", mask)
}

func (r *vrp) iface(name string, n *clitree.Node) {
	if n.Find("shutdown") != nil {
		return
	}
	var address netip.Prefix
	bound := false
	for _, c := range n.Children {
		w := strings.Fields(c.Text)
		bound = bound || strings.HasPrefix(c.Text, "ip binding vpn-instance ")
		if strings.HasPrefix(c.Text, "ip address ") && len(w) == 4 {
			p, err := masked(w[2], w[3])
			if err != nil {
				r.add("line %d: %v", c.Line, err)
			}
			address = p
		}
	}
	vlan, svi := strings.CutPrefix(name, "Vlanif")
	switch {
	case bound, strings.HasPrefix(name, "MEth"):
	case name == "LoopBack0":
		r.d.loopback = address
	case svi && !slices.Contains(r.vlans, vlan):
		r.add("line %d: %s has no vlan", n.Line, name)
	case svi:
		r.d.stubs = append(r.d.stubs, address)
	case n.Find("undo portswitch") != nil:
		r.d.links[name] = link{address: address}
	case address.IsValid():
		r.add("line %d: an address on the switched port %s", n.Line, name)
	}
}

func (r *vrp) router(n *clitree.Node) {
	w := strings.Fields(n.Text)
	switch {
	case w[0] == "router-id" && len(w) == 2:
		r.bgp.routerID = w[1]
	case w[0] == "peer" && len(w) == 4 && w[2] == "as-number":
		p := r.bgp.peer(w[1])
		p.asn, p.noCommunities = w[3], true // VRP sends none unless told
	case w[0] == "peer" && w[2] == "description":
	case n.Text == "ipv4-family unicast":
		for _, c := range n.Children {
			r.family(c)
		}
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}

func (r *vrp) family(n *clitree.Node) {
	w := strings.Fields(n.Text)
	switch {
	case w[0] == "network" && len(w) == 3:
		p, err := masked(w[1], w[2])
		if err != nil || p != p.Masked() {
			r.add("line %d: %s: no network (%v)", n.Line, n.Text, err)
		}
		r.bgp.networks = append(r.bgp.networks, p.String())
	case strings.HasPrefix(n.Text, "maximum load-balancing ebgp ") && len(w) == 4 && number(w[3]) > 0:
		r.bgp.paths = number(w[3])
	case n.Text == "load-balancing as-path-relax":
		r.bgp.relax = true
	case w[0] == "peer" && len(w) == 3 && w[2] == "enable":
		r.bgp.peer(w[1]).enabled = true
	case w[0] == "peer" && len(w) == 5 && w[2] == "as-path-filter" && w[4] == "export" && slices.Contains(r.named, w[3]):
		r.bgp.peer(w[1]).outPaths = w[3]
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}
