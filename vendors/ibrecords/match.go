package ibrecords

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// report collects what a comparison finds.
type report struct {
	plan     *plan
	seen     *graph
	changes  []change
	problems []clitree.Problem
}

func (r *report) problem(code, format string, args ...any) {
	r.problems = append(r.problems, place{}.problem(code, format, args...))
}

// switchName takes the name out of a switch's description: MLNX-OS and NVOS write
// MF0;NAME:MODEL/U1.
func switchName(desc string) string {
	if _, rest, ok := strings.Cut(desc, ";"); ok && strings.HasPrefix(desc, "MF0") {
		if i := strings.LastIndexByte(rest, ':'); i > 0 {
			return rest[:i]
		}
	}
	return desc
}

// anonymous tells descriptions that a maker gives: they name no node.
func anonymous(desc string) bool {
	return desc == "" || strings.Contains(desc, "Mellanox Technologies") || strings.Contains(desc, "NVIDIA Technologies")
}

// aggregation tells the node inside a switch that reduces for SHARP. It hangs on a
// port that no cable goes to.
func aggregation(desc string) bool { return strings.Contains(desc, "Aggregation Node") }

// short is a name without its domain.
func short(name string) string {
	host, _, _ := strings.Cut(name, ".")
	return host
}

func sameName(a, b string) bool {
	return strings.EqualFold(a, b) || strings.EqualFold(short(a), b)
}

var planStyle = regexp.MustCompile(`^nic\d+(p\d+)?$`)

// named tells whether a description is one that a planned node may have: its own
// name, or for an adapter the server's with the device's own name behind it (mlx5_0,
// HCA-1), which says nothing of the port's place in the plan.
func (n *planned) named(desc string) bool {
	if n.sw {
		return sameName(switchName(desc), n.name)
	}
	if strings.EqualFold(desc, n.name) {
		return true
	}
	host, device, _ := strings.Cut(desc, " ")
	if !sameName(host, n.server) {
		return false
	}
	_, own, _ := strings.Cut(n.name, " ")
	return strings.EqualFold(device, own) || !planStyle.MatchString(device)
}

// match finds the node on the wire for each planned one: by GUID, by name, by the
// cables that lead to known nodes.
func (r *report) match() {
	byGUID, byName := map[uint64]int{}, 0
	for i := range r.plan.nodes {
		byGUID[r.plan.nodes[i].guid.Value] = i
	}
	r.matchExact()
	for _, n := range r.seen.order {
		if i, ok := byGUID[n.guid]; ok && n.kind == 'S' && r.plan.nodes[i].sw {
			r.take(i, n, 0, "guid")
		}
		for _, port := range portsOf(n) {
			if i, ok := byGUID[n.ports[port].guid]; ok && !r.plan.nodes[i].sw {
				r.take(i, n, port, "guid")
			}
		}
		// Adapters of lists without port GUIDs: one GUID for node and port.
		if i, ok := byGUID[n.guid]; ok && n.kind == 'H' && len(n.ports) == 0 && !r.plan.nodes[i].sw {
			r.take(i, n, 1, "guid")
		}
	}
	r.matchNames()
	for range 4 { // servers from leaves, leaves from servers, spines from leaves, cores from spines
		if !r.matchCables() {
			break
		}
	}
	r.matchRest()
	for i := range r.plan.nodes {
		if n := &r.plan.nodes[i]; n.seen != nil && n.how != "guid" && n.guid.Placeholder {
			byName++
		}
	}
	if byName > 0 {
		r.problem(CodeByName, "the plan has no real GUIDs for %d nodes (infiniband.guids): they were matched by name and cable, and their GUIDs are not compared", byName)
	}
}

// matchExact handles lists that give no port GUIDs, of nodes that have their planned
// name and a node GUID that fits: the port's, or on older adapters and in ibsim the
// one before it.
func (r *report) matchExact() {
	for _, n := range r.seen.order {
		if n.kind != 'H' || len(n.ports) > 0 {
			continue
		}
		if i, ok := r.plan.byName[strings.ToLower(n.desc)]; ok && i >= 0 {
			if g := r.plan.nodes[i].guid.Value; n.guid == g || n.guid+1 == g {
				r.take(i, n, 1, "guid")
			}
		}
	}
}

// take pairs a planned node with one on the wire, unless either is taken.
func (r *report) take(i int, n *node, port int, how string) bool {
	p := &r.plan.nodes[i]
	if p.seen != nil || p.sw != (n.kind == 'S') {
		return false
	}
	if p.sw {
		if n.plan >= 0 {
			return false
		}
		n.plan = i
	} else {
		if n.ports[port] == nil {
			n.ports[port] = &nodePort{lid: -1, plan: -1, at: n.at}
		}
		if n.ports[port].plan >= 0 {
			return false
		}
		n.ports[port].plan = i
	}
	p.seen, p.port, p.how = n, port, how
	return true
}

func portsOf(n *node) []int {
	out := make([]int, 0, len(n.ports))
	for p := range n.ports {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// free are the ports of an adapter that nobody planned so far; 1 where none is known.
func free(n *node) []int {
	if len(n.ports) == 0 {
		return []int{1}
	}
	return slices.DeleteFunc(portsOf(n), func(p int) bool { return n.ports[p].plan >= 0 })
}

func (r *report) matchNames() {
	carriers := map[string][]*node{}
	for _, n := range r.seen.order {
		name := strings.ToLower(n.desc)
		if n.kind == 'S' {
			name = strings.ToLower(switchName(n.desc))
		}
		if n.kind == 'S' && n.plan >= 0 || anonymous(n.desc) {
			continue
		}
		if n.kind != 'S' {
			if host, device, ok := strings.Cut(name, " "); ok {
				name = short(host) + " " + device
			}
		} else if _, ok := r.plan.byName[name]; !ok {
			name = short(name)
		}
		carriers[name] = append(carriers[name], n)
	}
	for i := range r.plan.nodes {
		p := &r.plan.nodes[i]
		list := carriers[strings.ToLower(p.name)]
		if p.seen != nil || len(list) == 0 || r.plan.byName[strings.ToLower(p.name)] < 0 {
			continue
		}
		if len(list) > 1 {
			r.problem(CodeByName, "%d nodes call themselves %s: the name tells none apart", len(list), p.name)
			continue
		}
		if p.sw {
			r.take(i, list[0], 0, "name")
		} else if ports := free(list[0]); len(ports) == 1 {
			r.take(i, list[0], ports[0], "name")
		}
	}
}

// matchCables pairs nodes by what hangs on them, and reports whether it found any.
func (r *report) matchCables() bool {
	found := false
	for _, n := range r.seen.order {
		switch {
		case n.kind == 'H' && !aggregation(n.desc):
			for _, port := range free(n) {
				l, ok := r.seen.links[end{n.guid, port}]
				if !ok {
					continue
				}
				c, ok := r.plan.at[r.spot(l.b)]
				if !ok {
					continue
				}
				if i := r.plan.cables[c].a.node; !r.plan.nodes[i].sw && r.plan.nodes[i].seen == nil && (r.plan.nodes[i].named(n.desc) || anonymous(n.desc)) {
					found = r.take(i, n, port, "cable") || found
				}
			}
		case n.kind == 'S' && n.plan < 0:
			if i := r.vote(n); i >= 0 {
				found = r.take(i, n, 0, "cable") || found
			}
		}
	}
	return found
}

// vote finds the planned switch that most of a switch's known neighbours should be
// cabled to.
func (r *report) vote(n *node) int {
	votes, all := map[int]int{}, 0
	for port := 1; port <= maxPort; port++ {
		l, ok := r.seen.links[end{n.guid, port}]
		if !ok {
			continue
		}
		c, ok := r.plan.at[r.spot(l.b)]
		if !ok {
			continue
		}
		other := r.plan.cables[c].a.node
		if other == r.spot(l.b).node {
			other = r.plan.cables[c].b.node
		}
		votes[other]++
		all++
	}
	for i, v := range votes {
		if 2*v > all && r.plan.nodes[i].sw && r.plan.nodes[i].seen == nil {
			return i
		}
	}
	return -1
}

// matchRest pairs what is left of a server whose GUIDs nobody knows.
func (r *report) matchRest() {
	left := map[string][]end{}
	for _, n := range r.seen.order {
		host, device, _ := strings.Cut(n.desc, " ")
		host = strings.ToLower(short(host))
		if n.kind == 'H' && len(r.plan.hosts[host]) > 0 && !planStyle.MatchString(device) {
			for _, port := range free(n) {
				left[host] = append(left[host], end{n.guid, port})
			}
		}
	}
	for host, ends := range left {
		slices.SortFunc(ends, func(a, b end) int {
			x, y := r.seen.nodes[a.node].desc, r.seen.nodes[b.node].desc
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), cmp.Compare(a.node, b.node), a.port-b.port)
		})
		for _, i := range r.plan.hosts[host] {
			if p := &r.plan.nodes[i]; p.seen == nil && p.guid.Placeholder && len(ends) > 0 {
				r.take(i, r.seen.nodes[ends[0].node], ends[0].port, "server")
				ends = ends[1:]
			}
		}
	}
}

// maxPort is the highest port number (IBTA: 8 bits, 255 is reserved).
const maxPort = 254

// spot is an end on the wire as the plan counts.
func (r *report) spot(e end) spot {
	n := r.seen.nodes[e.node]
	if n == nil {
		return spot{-1, e.node, e.port}
	}
	if n.kind == 'S' && n.plan >= 0 {
		return spot{node: n.plan, port: e.port}
	}
	if p := n.ports[e.port]; p != nil && p.plan >= 0 {
		return spot{node: p.plan, port: 1}
	}
	return spot{-1, e.node, e.port}
}

// wire is the end on the wire of a planned one.
func (r *report) wire(s spot) (end, bool) {
	n := &r.plan.nodes[s.node]
	if n.seen == nil {
		return end{}, false
	}
	if n.sw {
		return end{n.seen.guid, s.port}, true
	}
	return end{n.seen.guid, n.port}, true
}
