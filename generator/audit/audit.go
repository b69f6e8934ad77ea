// Package audit judges running configurations as one fabric: whether a RoCE
// packet that is lossless on one switch is lossless on the next, all the way from
// the marking the port trusts over class, queue and priority group to PFC, ECN
// and watchdog. It needs no plan: what most switches do is what the fabric means,
// and who differs is named with the line that makes the difference.
//
// It is pure and knows no vendor; package observed has the facts.
package audit

import (
	"cmp"
	"slices"

	"railyard/generator/catalog"
	"railyard/generator/observed"
)

// Judge audits a network. cables may be nil.
func Judge(net *observed.Network, cables *Cables) *Report {
	l := newLinker(net, cables)
	j := &judge{net: net, cables: cables, peer: l.peer, seen: map[place]int{}, reaches: map[reachKey]*reach{}, needs: map[requirement]int{}, misqueued: map[int]bool{}, prio: map[string]int{}, bad: make([][]bool, len(net.Switches)), paths: make([][]*reach, len(net.Switches)), lossless: make([][]int32, len(net.Switches))}
	for i, sw := range net.Switches {
		j.bad[i], j.paths[i] = make([]bool, len(sw.Ports)), make([]*reach, len(sw.Ports))
		for k := range sw.Ports {
			if usable(&sw.Ports[k]) {
				j.lossless[i] = append(j.lossless[i], int32(k))
			}
		}
	}
	j.components()
	j.remarks()
	for _, members := range j.fabrics {
		f := j.newWhole(members)
		f.pfc()
		f.classes()
		// What is found so far the rest needs; the rest needs nothing of each other.
		f.together((*whole).marking, (*whole).watchdogs, (*whole).scheduling, (*whole).sizes, (*whole).headroom)
		f.oddPorts()
		f.oddSwitches()
	}
	j.texts()
	r := &Report{net: net, Links: l.links, Findings: j.findings, Judged: len(net.Switches), Unread: len(net.Unreadable)}
	for _, ports := range j.lossless {
		if len(ports) > 0 {
			r.Lossless++
		}
	}
	j.finish(r)
	return r
}

type judge struct {
	net      *observed.Network
	cables   *Cables
	peer     [][]spot
	paths    [][]*reach // of each port, once asked for
	lossless [][]int32  // by switch: the ports that are usable
	fabrics  [][]int    // switches that are wired to each other
	findings []Finding
	seen     map[place]int
	reaches  map[reachKey]*reach
	last     struct { // the key asked for last: neighbouring ports are alike
		key   reachKey
		reach *reach
	}
	catalog   *catalog.Catalog
	needs     map[requirement]int
	bad       [][]bool       // by switch and port: ports whose PFC is wrong: the rest only follows from it
	prio      map[string]int // by switch: the one priority its fabric pauses, -1 with several
	misqueued map[int]bool   // switches whose lossless class waits in another queue than the rest of the chain expects
}

// usable reports whether a port carries lossless traffic.
func usable(p *observed.Port) bool {
	return p.Kind == observed.Physical && !p.Down && p.PFC.Lossless() != 0
}

// add records a finding of a port, or of the switch with port -1. The same line
// of a switch seen from several ports is one finding about the switch.
func (j *judge) add(s spot, n note) {
	sw := j.net.Switches[s.sw]
	key := place{s.sw, n.code, n.at, ""}
	if n.at == 0 {
		key.detail = n.what
	}
	name := ""
	if s.port >= 0 {
		name = sw.Ports[s.port].Name
	}
	if at, ok := j.seen[key]; ok {
		f := &j.findings[at]
		if f.Port != name || s.port < 0 {
			f.Port = ""
			f.Ports++
			f.Message = f.what
		}
		return
	}
	message := n.what
	if n.detail != "" {
		message += ": " + n.detail
	}
	j.seen[key] = len(j.findings)
	line := n.at
	if line == 0 && s.port >= 0 {
		line = sw.Ports[s.port].At
	}
	ports := 0
	if s.port >= 0 {
		ports = 1
	}
	j.findings = append(j.findings, Finding{Severity: n.severity, Code: n.code, Aspect: n.aspect, Switch: sw.Name, Port: name, File: sw.File,
		Line: line, Message: message, Remedy: n.remedy, Ports: ports, what: n.what, os: sw.OS, dscp: n.dscp})
}

// components groups switches that are linked. Those without any link are judged
// together: something else than the files would be needed to tell them apart.
func (j *judge) components() {
	group := make([]int, len(j.net.Switches))
	for i := range group {
		group[i] = i
	}
	root := func(i int) int {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	linked := make([]bool, len(group))
	for a, ports := range j.peer {
		for _, b := range ports {
			if b != nowhere {
				linked[a] = true
				group[root(a)] = root(b.sw)
			}
		}
	}
	lone := -1
	members := map[int][]int{}
	var order []int
	for i := range group {
		at := root(i)
		if !linked[i] {
			if lone < 0 {
				lone = i
			}
			at = lone
		}
		if members[at] == nil {
			order = append(order, at)
		}
		members[at] = append(members[at], i)
	}
	// A fabric of leaves whose links nobody wrote down, beside one linked group:
	// one fabric.
	if lone >= 0 && len(order) == 2 {
		both := slices.Concat(members[order[0]], members[order[1]])
		slices.Sort(both)
		j.fabrics = append(j.fabrics, both)
		return
	}
	for _, at := range order {
		j.fabrics = append(j.fabrics, members[at])
	}
}

// whole is one group of switches with what most of them do.
type whole struct {
	*judge
	members  []int
	common   observed.Set      // priorities paused
	set      protected         // code points that are lossless, by priority
	queue    [64]int8          // egress queue of each of them, -1 none
	edge     map[int]bool      // switches some of whose lossless ports lead to no other switch
	wired    bool              // some links are known
	usualSet map[string]uint64 // by OS: the code points that are lossless on most switches
	answers  *[]answer         // nil where findings are added at once
}

// add records a finding, later where others are asking too.
func (f *whole) add(s spot, n note) {
	if f.answers != nil {
		*f.answers = append(*f.answers, answer{s, n})
		return
	}
	f.judge.add(s, n)
}

// far is the other end of a port's link.
func (j *judge) far(s spot) (spot, bool) {
	far := j.peer[s.sw][s.port]
	return far, far != nowhere
}

// usable visits the ports that carry lossless traffic and are not wrong anyway.
func (f *whole) usable(visit func(s spot, p *observed.Port)) {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		for _, i := range f.lossless[m] {
			if !f.bad[m][i] {
				visit(spot{m, int(i)}, &ports[i])
			}
		}
	}
}

// ports visits the ports of the fabric's switches that keep.
func (f *whole) ports(keep func(*observed.Port) bool, visit func(s spot, p *observed.Port)) {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		for i := range ports {
			if !f.bad[m][i] && keep(&ports[i]) {
				visit(spot{m, i}, &ports[i])
			}
		}
	}
}

// votes counts what switches say; each has one vote for what most of its ports say.
type votes[K comparable] struct {
	switches, ports map[K]int
	here            map[K]int
}

func newVotes[K comparable]() *votes[K] {
	return &votes[K]{map[K]int{}, map[K]int{}, map[K]int{}}
}

func (v *votes[K]) port(k K) { v.here[k]++ }

// next closes a switch.
func (v *votes[K]) next(better func(a, b K) int) {
	var best K
	most := 0
	for k, n := range v.here {
		v.ports[k] += n
		if n > most || n == most && better(k, best) > 0 {
			best, most = k, n
		}
	}
	if most > 0 {
		v.switches[best]++
	}
	clear(v.here)
}

// total is how many switches voted.
func (v *votes[K]) total() int {
	n := 0
	for _, x := range v.switches {
		n += x
	}
	return n
}

// winner is what most switches say; better decides between equals.
func (v *votes[K]) winner(better func(a, b K) int) (K, bool) {
	var best K
	found := false
	for k := range v.switches {
		if !found || cmp.Or(cmp.Compare(v.switches[k], v.switches[best]), better(k, best), cmp.Compare(v.ports[k], v.ports[best])) > 0 {
			best, found = k, true
		}
	}
	return best, found
}

func (j *judge) newWhole(members []int) *whole {
	f := &whole{judge: j, members: members}
	sets := newVotes[observed.Set]()
	reached := newVotes[protected]()
	byOS := map[string]*votes[protected]{}
	for _, m := range members {
		ports := j.net.Switches[m].Ports
		for _, i := range j.lossless[m] {
			sets.port(ports[i].PFC.Lossless())
			by := j.reach(spot{m, int(i)}).by
			reached.port(by)
			os := j.net.Switches[m].OS
			if byOS[os] == nil {
				byOS[os] = newVotes[protected]()
			}
			byOS[os].port(by)
		}
		sets.next(func(a, b observed.Set) int { return cmp.Compare(a, b) })
		reached.next(protected.compare)
		if own := byOS[j.net.Switches[m].OS]; own != nil {
			own.next(protected.compare)
		}
	}
	f.usualSet = map[string]uint64{}
	for os, own := range byOS {
		set, _ := own.winner(protected.compare)
		if f.usualSet[os] = set.all(); own.total() < leastLike {
			f.usualSet[os] = ^uint64(0) // too few to tell
		}
	}
	f.common, _ = sets.winner(func(a, b observed.Set) int {
		return cmp.Or(cmp.Compare(b2i(a.Has(3)), b2i(b.Has(3))), cmp.Compare(len(a.List()), len(b.List())), cmp.Compare(b, a))
	})
	f.set, _ = reached.winner(protected.compare)
	one := -1
	if list := f.common.List(); len(list) == 1 {
		one = list[0]
	}
	for _, m := range members {
		j.prio[j.net.Switches[m].Name] = one
	}
	f.queues()
	f.edges()
	return f
}

// edges tells leaves from the switches above them, as far as links are known.
func (f *whole) edges() {
	f.edge = map[int]bool{}
	for _, m := range f.members {
		for _, i := range f.lossless[m] {
			if _, linked := f.far(spot{m, int(i)}); linked {
				f.wired = true
			} else {
				f.edge[m] = true
			}
		}
	}
}

// queues finds the egress queue of each lossless code point on most switches.
func (f *whole) queues() {
	for d := range f.queue {
		f.queue[d] = -1
		if f.set.priority(d) < 0 {
			continue
		}
		v := newVotes[int8]()
		for _, m := range f.members {
			for _, i := range f.lossless[m] {
				if r := f.reach(spot{m, int(i)}); r.queue[d] >= 0 {
					v.port(r.queue[d])
				}
			}
			v.next(func(a, b int8) int { return cmp.Compare(a, b) })
		}
		if q, ok := v.winner(func(a, b int8) int {
			return cmp.Compare(b2i(int(a) == f.set.priority(d)), b2i(int(b) == f.set.priority(d)))
		}); ok {
			f.queue[d] = q
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
