package ibrecords

import (
	"cmp"
	"slices"
)

// node is a node as the records show it.
type node struct {
	guid   uint64
	kind   byte
	desc   string
	own    bool // the description is the node's own line's, not a neighbour's
	lid    int  // of a switch; -1: not said
	lidAt  place
	vendor int64
	ports  map[int]*nodePort // of an adapter
	whole  bool              // all its links are known
	at     place
	plan   int // switches: index into plan.nodes; -1 unplanned
}

type nodePort struct {
	guid uint64
	lid  int
	at   place
	plan int
}

// graph is what all records show together.
type graph struct {
	nodes  map[uint64]*node
	byPort map[uint64]end
	links  map[end]linkFact            // both directions
	lids   map[string]map[int]end      // by folder; the port of a switch is 0
	start  map[string]end              // by folder: where direct routes begin
	order  []*node                     // by GUID, once connected
	lists  []*record                   // records that list all hosts or all switches
	double map[string]map[int][]uint64 // by folder: LIDs that several nodes have
}

func newGraph() *graph {
	return &graph{nodes: map[uint64]*node{}, byPort: map[uint64]end{}, links: map[end]linkFact{}, lids: map[string]map[int]end{},
		start: map[string]end{}, double: map[string]map[int][]uint64{}}
}

// add takes in the nodes of a record.
func (g *graph) add(r *record) {
	for i := range r.nodes {
		g.addNode(r, &r.nodes[i])
	}
	if r.topology && r.origin.node != 0 {
		g.start[r.dir] = r.origin
	}
	if r.hosts || r.switches {
		g.lists = append(g.lists, r)
	}
}

func (g *graph) addNode(r *record, f *nodeFact) {
	n := g.nodes[f.guid]
	if n == nil {
		n = &node{guid: f.guid, kind: f.kind, lid: -1, vendor: -1, ports: map[int]*nodePort{}, at: f.at, plan: -1}
		g.nodes[f.guid] = n
	}
	// A neighbour's line may carry a name from a map where the node's own does not.
	if own := f.block || f.portGUID == 0 && f.port == 0 || f.kind == 'H' && f.vendor >= 0; f.desc != "" && (n.desc == "" || own && !n.own) {
		n.desc, n.own = f.desc, own
		n.at = f.at
	}
	if f.vendor >= 0 {
		n.vendor = f.vendor
	}
	if f.block {
		n.whole = !f.torn
		n.at = f.at
	}
	if f.kind == 'S' {
		if f.lid >= 0 {
			n.lid, n.lidAt = f.lid, f.at
			g.setLID(r.dir, f.lid, end{n.guid, 0})
		}
		return
	}
	if f.portGUID == 0 || f.port <= 0 {
		return
	}
	p := n.ports[f.port]
	if p == nil {
		p = &nodePort{lid: -1, plan: -1}
		n.ports[f.port] = p
	}
	p.guid, p.at = f.portGUID, f.at
	if f.lid >= 0 {
		p.lid = f.lid
		g.setLID(r.dir, f.lid, end{n.guid, f.port})
	}
	g.byPort[f.portGUID] = end{n.guid, f.port}
}

func (g *graph) setLID(dir string, lid int, e end) {
	if lid == 0 {
		return
	}
	if g.lids[dir] == nil {
		g.lids[dir] = map[int]end{}
	}
	if old, ok := g.lids[dir][lid]; ok && old != e {
		if g.double[dir] == nil {
			g.double[dir] = map[int][]uint64{}
		}
		for _, guid := range []uint64{old.node, e.node} {
			if !slices.Contains(g.double[dir][lid], guid) {
				g.double[dir][lid] = append(g.double[dir][lid], guid)
			}
		}
	}
	g.lids[dir][lid] = e
}

// connect takes in the links, once all nodes are known.
func (g *graph) connect(read []*record) {
	for _, r := range read {
		for _, l := range r.links {
			if l.a.node == 0 {
				from, ok1 := g.lids[r.dir][l.lid[0]]
				to, ok2 := g.lids[r.dir][l.lid[1]]
				if !ok1 || !ok2 {
					continue
				}
				l.a.node, l.b.node = from.node, to.node
			}
			back := l
			back.a, back.b = l.b, l.a
			for _, one := range []linkFact{l, back} {
				if old, ok := g.links[one.a]; !ok || old.speed == "" {
					g.links[one.a] = one
				}
			}
		}
	}
	for _, n := range g.nodes {
		g.order = append(g.order, n)
	}
	slices.SortFunc(g.order, func(a, b *node) int { return cmp.Compare(a.guid, b.guid) })
}

// lid finds the port that has a LID in a folder's subnet.
func (g *graph) lid(dir string, lid int) (end, bool) {
	if len(g.double[dir][lid]) > 0 {
		return end{}, false
	}
	e, ok := g.lids[dir][lid]
	if ok || g.lids[dir] != nil || len(g.lids) != 1 {
		return e, ok
	}
	for only := range g.lids { // records of one subnet in several folders
		e, ok = g.lids[only][lid]
	}
	return e, ok
}

// walk follows a direct route: a leading 0 for the node that asked, then the port
// left by at each hop. It returns the port the route arrives at; 0 of the asking node.
func (g *graph) walk(dir string, route []int) (end, bool) {
	at, ok := g.start[dir]
	if !ok || len(route) == 0 || route[0] != 0 {
		return end{}, false
	}
	at.port = 0
	for _, out := range route[1:] {
		l, ok := g.links[end{at.node, out}]
		if !ok {
			return end{}, false
		}
		at = l.b
	}
	return at, true
}

// simulated tells nodes of ibsim, which alone have no vendor.
func (n *node) simulated() bool { return n != nil && n.vendor == 0 }

// name is what people call a node that the plan does not know.
func (n *node) name() string {
	if n.desc == "" {
		return guid(n.guid)
	}
	return switchName(n.desc)
}
