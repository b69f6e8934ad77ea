package ibrecords

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// change is a change and where it belongs in the order.
type change struct {
	clitree.Change
	node, port int // of the plan; unplanned ones behind it
}

// note adds lines to the change of a path.
func (r *report) note(node, port int, path []string, remove, add, note string) {
	c := change{node: node, port: port}
	c.Path, c.Note = path, note
	if remove != "" {
		c.Remove = []string{remove}
	}
	if add != "" {
		c.Add = []string{add}
	}
	r.changes = append(r.changes, c)
}

// at adds lines to the change of a planned node, for a switch of one of its ports;
// port 0 is the node itself.
func (r *report) at(s spot, remove, add, note string) {
	n := &r.plan.nodes[s.node]
	if !n.sw || s.port == 0 {
		r.note(s.node, 0, []string{n.name}, remove, add, note)
		return
	}
	r.note(s.node, s.port, []string{n.name, r.plan.portName(s)}, remove, add, note)
}

// sorted are the changes in order, one for each path.
func (r *report) sorted() []clitree.Change {
	slices.SortStableFunc(r.changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.port, b.port)) })
	var out []clitree.Change
	for _, c := range r.changes {
		if k := len(out) - 1; k >= 0 && slices.Equal(out[k].Path, c.Path) {
			last := &out[k]
			last.Remove, last.Add = union(last.Remove, c.Remove), union(last.Add, c.Add)
			if c.Note != "" && last.Note != "" && !strings.Contains(last.Note, c.Note) {
				last.Note += "; " + c.Note
			} else if last.Note == "" {
				last.Note = c.Note
			}
			continue
		}
		out = append(out, c.Change)
	}
	return out
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// name is an end of a cable in words.
func (r *report) name(s spot) string {
	if s.node >= 0 {
		if n := &r.plan.nodes[s.node]; n.sw {
			return n.name + " " + r.plan.portName(s)
		}
		return r.plan.nodes[s.node].name
	}
	n := r.seen.nodes[s.guid]
	text := n.name()
	if text != guid(s.guid) {
		text += " (" + guid(s.guid) + ")"
	}
	return fmt.Sprintf("%s port %d", text, s.port)
}

// nodes compares what stands at the nodes themselves.
func (r *report) nodes() {
	covers := r.covers()
	for i := range r.plan.nodes {
		p := &r.plan.nodes[i]
		if p.seen == nil {
			if c := covers[p.subnet]; p.sw && c.switches || !p.sw && c.hosts {
				add := "the node"
				if !p.guid.Placeholder {
					add = "guid " + guid(p.guid.Value)
				}
				r.at(spot{node: i}, "", add, "missing: no record shows it, nor its cables")
			}
			continue
		}
		r.identity(i, p)
	}
	r.twins()
	r.extra()
}

// identity compares name, GUID and LID of a node.
func (r *report) identity(i int, p *planned) {
	here, n := spot{node: i}, p.seen
	got := n.guid
	lid, port := n.lid, n.ports[p.port]
	if !p.sw {
		if got, lid = port.guid, port.lid; got == 0 { // only the node's own GUID is known
			if got = n.guid; got+1 == p.guid.Value {
				got = p.guid.Value
			}
		}
	}
	if !p.guid.Placeholder && got != p.guid.Value {
		r.at(here, "guid "+guid(got), "guid "+guid(p.guid.Value), "another device, or a list of GUIDs that is out of date")
	}
	if !anonymous(n.desc) && !p.named(n.desc) {
		r.at(here, fmt.Sprintf("name %q", n.desc), fmt.Sprintf("name %q", p.name), "")
	}
	if lid == 0 {
		r.at(here, "lid 0", "", "the subnet manager gave it no LID")
	}
}

// twins names LIDs that several nodes of one planned subnet have.
func (r *report) twins() {
	for _, dir := range sortedKeys(r.seen.double) {
		for _, lid := range sortedKeys(r.seen.double[dir]) {
			first := map[int]int{}
			for _, g := range r.seen.double[dir][lid] {
				i := r.plannedNode(r.seen.nodes[g])
				if i < 0 {
					continue
				}
				if j, ok := first[r.plan.nodes[i].subnet]; ok && j != i {
					r.at(spot{node: max(i, j)}, fmt.Sprintf("lid %d", lid), "", "the LID is also that of "+r.plan.nodes[min(i, j)].name)
					continue
				}
				first[r.plan.nodes[i].subnet] = i
			}
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// plannedNode is the first planned node that a node on the wire is; -1 for none.
func (r *report) plannedNode(n *node) int {
	if n == nil || n.kind == 'S' {
		if n == nil {
			return -1
		}
		return n.plan
	}
	for _, port := range portsOf(n) {
		if n.ports[port].plan >= 0 {
			return n.ports[port].plan
		}
	}
	return -1
}

// extra names nodes that are planned by nobody, with their cables.
func (r *report) extra() {
	for k, n := range r.seen.order {
		if r.plannedNode(n) >= 0 || aggregation(n.desc) {
			continue
		}
		path := []string{n.name()}
		at := len(r.plan.nodes) + k
		r.note(at, 0, path, "node guid "+guid(n.guid), "", "not planned")
		for port := 1; port <= maxPort; port++ {
			if l, ok := r.seen.links[end{n.guid, port}]; ok {
				r.note(at, 0, path, fmt.Sprintf("cable from port %d to %s", port, r.name(r.spot(l.b))), "", "")
			}
		}
	}
}

// cover says which lists of a subnet's nodes were whole.
type cover struct{ hosts, switches, any bool }

func (r *report) covers() []cover {
	out := make([]cover, len(r.plan.subnets))
	for _, n := range r.seen.order {
		if i := r.plannedNode(n); i >= 0 {
			out[r.plan.nodes[i].subnet].any = true
		}
	}
	for _, rec := range r.seen.lists {
		for i := range rec.nodes {
			if k := r.plannedNode(r.seen.nodes[rec.nodes[i].guid]); k >= 0 {
				c := &out[r.plan.nodes[k].subnet]
				c.hosts, c.switches = c.hosts || rec.hosts, c.switches || rec.switches
			}
		}
	}
	return out
}

// coverage says what of the plan no record was about.
func (r *report) coverage() {
	covers := r.covers()
	var unseen, hosts, switches []string
	for s := range r.plan.subnets {
		name := r.plan.subnets[s].Where()
		switch c := covers[s]; {
		case !c.any:
			unseen = append(unseen, name)
		default:
			if !c.hosts {
				hosts = append(hosts, name)
			}
			if !c.switches {
				switches = append(switches, name)
			}
		}
	}
	if len(unseen) > 0 {
		r.problem(CodeNotCovered, "no record shows a node of %s: nodes and cables are not compared", strings.Join(unseen, ", "))
	}
	if len(hosts) > 0 {
		r.problem(CodeNotCovered, "no whole list of hosts of %s (ibnetdiscover, ibhosts): missing ones are not looked for", strings.Join(hosts, ", "))
	}
	if len(switches) > 0 {
		r.problem(CodeNotCovered, "no whole list of switches of %s (ibnetdiscover, ibswitches): missing ones are not looked for", strings.Join(switches, ", "))
	}
}
