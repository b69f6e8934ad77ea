package underlay

import (
	"net/netip"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// eos reads a startup-config of EOS. Defaults that EOS hides: multipath-relax
// on, one path, no communities sent, forwarding off, ports switched.
type eos struct {
	complaints
	d       *device
	bgp     *bgp
	groups  map[string]*peer  // peer groups
	member  map[string]string // neighbor → group
	vlans   []string
	named   []string // lists and maps that exist
	wanted  []string // lists and maps that are used
	mapping string   // the route-map sequence being read
}

func readEOS(text []byte) (*device, error) {
	root, problems := clitree.Parse(text, clitree.EOS())
	r := &eos{d: &device{links: map[string]link{}}, groups: map[string]*peer{}, member: map[string]string{}}
	for _, p := range problems {
		if p.Severity != clitree.Note {
			r.add("line %d: %s", p.Line, p.Text)
		}
	}
	for _, n := range root.Children {
		r.top(n)
	}
	if r.bgp != nil {
		r.flatten()
		r.d.routing = r.bgp.frr()
	}
	for _, w := range r.wanted {
		if !slices.Contains(r.named, w) {
			r.add("%s is used but not defined", w)
		}
	}
	return r.d, r.err()
}

func (r *eos) top(n *clitree.Node) {
	w := strings.Fields(n.Text)
	switch {
	case n.Text == "ip routing", n.Text == "ip routing ipv6 interfaces":
		r.d.forwards = true
	case w[0] == "vlan" && len(w) == 2:
		r.vlans = append(r.vlans, w[1])
	case w[0] == "interface":
		r.iface(w[1], n)
	case w[0] == "route-map", strings.HasPrefix(n.Text, "ip prefix-list"), strings.HasPrefix(n.Text, "ip community-list"):
		r.policy(w, n)
	case strings.HasPrefix(n.Text, "router bgp"):
		r.bgp = &bgp{asn: w[2], relax: true}
		for _, c := range n.Children {
			r.router(c)
		}
	case w[0] == "router", strings.HasPrefix(n.Text, "ip as-path"), w[0] == "peer-filter":
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}

func (r *eos) iface(name string, n *clitree.Node) {
	if strings.HasPrefix(name, "Management") || n.Find("shutdown") != nil {
		return
	}
	var address netip.Prefix
	for _, c := range n.Children {
		if rest, ok := strings.CutPrefix(c.Text, "ip address "); ok {
			p, err := netip.ParsePrefix(rest)
			if err != nil {
				r.add("line %d: %v", c.Line, err)
			}
			address = p
		}
	}
	vlan, svi := strings.CutPrefix(name, "Vlan")
	switch {
	case strings.HasPrefix(name, "Loopback"):
		r.d.loopback = address
	case svi && slices.Contains(r.vlans, vlan):
		if address.IsValid() {
			r.d.stubs = append(r.d.stubs, address)
		}
	case svi:
		r.add("line %d: %s has no vlan", n.Line, name)
	case n.Find("no switchport") != nil:
		r.d.links[name] = link{address, n.Find("ipv6 enable") != nil}
	case address.IsValid():
		r.add("line %d: an address on the switched port %s", n.Line, name)
	}
}

func (r *eos) policy(w []string, n *clitree.Node) {
	var lines []string
	switch w[1] {
	case "prefix-list":
		r.named = append(r.named, w[2])
		for _, c := range n.Children { // seq N permit P [eq L]
			f := strings.Fields(c.Text)
			if len(f) != 4 && (len(f) != 6 || f[4] != "eq") || f[0] != "seq" {
				r.add("line %d: not understood: %s", c.Line, c.Text)
				continue
			}
			exact := ""
			if len(f) == 6 && !strings.HasSuffix(f[3], "/"+f[5]) {
				exact = " ge " + f[5] + " le " + f[5]
			}
			lines = append(lines, "ip prefix-list "+w[2]+" "+strings.Join(f[:4], " ")+exact)
		}
	case "community-list":
		r.named = append(r.named, w[2])
		lines = append(lines, "bgp community-list standard "+strings.Join(w[2:], " "))
	default:
		r.named = append(r.named, w[1])
		lines = append(lines, n.Text)
		for _, c := range n.Children {
			lines = append(lines, " "+c.Text)
			f := strings.Fields(c.Text)
			switch {
			case strings.HasPrefix(c.Text, "match ip address prefix-list ") && len(f) == 5:
				r.wanted = append(r.wanted, f[4])
			case strings.HasPrefix(c.Text, "match community ") && len(f) == 3:
				r.wanted = append(r.wanted, f[2])
			case strings.HasPrefix(c.Text, "set community ") && f[len(f)-1] == "additive":
			default:
				r.add("line %d: not understood: %s", c.Line, c.Text)
			}
		}
		lines = append(lines, "exit")
	}
	if r.bgp == nil { // on EOS all of these stand before router bgp
		r.mapping += strings.Join(lines, "\n") + "\n"
		return
	}
	r.add("line %d: policy behind router bgp: %s", n.Line, n.Text)
}

func (r *eos) router(n *clitree.Node) {
	w := strings.Fields(n.Text)
	b := r.bgp
	switch {
	case w[0] == "router-id" && len(w) == 2:
		b.routerID = w[1]
	case w[0] == "maximum-paths" && len(w) == 4 && w[2] == "ecmp" && number(w[1]) > 0 && number(w[3]) > 0:
		b.paths = min(number(w[1]), number(w[3]))
	case n.Text == "no bgp default ipv4-unicast":
	case strings.HasPrefix(n.Text, "redistribute connected route-map ") && len(w) == 4:
		b.redistribute = w[3]
		r.wanted = append(r.wanted, w[3])
	case n.Text == "address-family ipv4":
		for _, c := range n.Children {
			r.family(c)
		}
	case w[0] == "neighbor":
		r.neighbor(n, w)
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}

func (r *eos) neighbor(n *clitree.Node, w []string) {
	rest := strings.Join(w[2:], " ")
	group := r.groups[w[1]]
	switch {
	case rest == "peer group":
		r.groups[w[1]] = &peer{}
	case w[1] == "interface" && len(w) == 7 && w[3] == "peer-group" && w[5] == "remote-as" && r.groups[w[4]] != nil:
		p := r.bgp.peer(linuxName(w[2]))
		p.iface, p.asn = true, w[6]
		r.member[p.id] = w[4]
	case strings.HasPrefix(rest, "peer group ") && r.groups[w[4]] != nil:
		r.bgp.peer(w[1])
		r.member[w[1]] = w[4]
	case w[2] == "remote-as" && group == nil:
		r.bgp.peer(w[1]).asn = w[3]
	case w[2] == "description":
	case rest == "maximum-routes 0" && group != nil: // no limit
	case w[2] == "route-map" && group != nil && w[4] == "in":
		group.in = w[3]
		r.wanted = append(r.wanted, w[3])
	case w[2] == "route-map" && group != nil && w[4] == "out":
		group.out = w[3]
		r.wanted = append(r.wanted, w[3])
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}

func (r *eos) family(n *clitree.Node) {
	w := strings.Fields(n.Text)
	group := (*peer)(nil)
	if len(w) > 2 && w[0] == "neighbor" {
		group = r.groups[w[1]]
	}
	switch {
	case group == nil:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	case w[2] == "activate":
		group.enabled = true
	case strings.Join(w[2:], " ") == "next-hop address-family ipv6 originate":
		group.nextHop6 = true
	default:
		r.add("line %d: not understood: %s", n.Line, n.Text)
	}
}

// flatten gives every neighbor what its group says.
func (r *eos) flatten() {
	r.bgp.lists = strings.Split(strings.TrimSpace(r.mapping), "\n")
	for _, p := range r.bgp.peers {
		g := r.groups[r.member[p.id]]
		if g == nil {
			r.add("neighbor %s is in no group", p.id)
			continue
		}
		p.in, p.out, p.enabled, p.nextHop6, p.noCommunities = g.in, g.out, g.enabled, g.nextHop6, true
	}
}
