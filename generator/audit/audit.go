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
	"strconv"

	"railyard/generator/catalog"
	"railyard/generator/observed"
)

// Judge audits a network. cables may be nil.
func Judge(net *observed.Network, cables *Cables) *Report {
	l := newLinker(net)
	j := &judge{net: net, cables: cables, peer: l.peer, seen: map[place]int{}, reaches: map[reachKey]*reach{}, needs: map[requirement]int{}, misqueued: map[int]bool{}, bad: make([][]bool, len(net.Switches)), paths: make([][]*reach, len(net.Switches))}
	for i, sw := range net.Switches {
		j.bad[i], j.paths[i] = make([]bool, len(sw.Ports)), make([]*reach, len(sw.Ports))
	}
	j.components()
	j.remarks()
	for _, members := range j.fabrics {
		f := j.newWhole(members)
		f.pfc()
		f.classes()
		f.marking()
		f.watchdogs()
		f.scheduling()
		f.sizes()
		f.headroom()
	}
	j.texts()
	r := &Report{net: net, Links: l.links, Findings: j.findings, Judged: len(net.Switches), Unread: len(net.Unreadable)}
	for _, sw := range net.Switches {
		if slices.ContainsFunc(sw.Ports, func(p observed.Port) bool { return usable(&p) }) {
			r.Lossless++
		}
	}
	j.finish(r)
	return r
}

type judge struct {
	net       *observed.Network
	cables    *Cables
	peer      [][]spot
	paths     [][]*reach // of each port, once asked for
	fabrics   [][]int    // switches that are wired to each other
	findings  []Finding
	seen      map[place]int
	reaches   map[reachKey]*reach
	catalog   *catalog.Catalog
	needs     map[requirement]int
	bad       [][]bool     // by switch and port: ports whose PFC is wrong: the rest only follows from it
	misqueued map[int]bool // switches whose lossless class waits in another queue than the rest of the chain expects
}

// place is what makes a finding the same one seen from another port.
type place struct {
	sw     int
	code   string
	line   observed.Line
	detail string
}

// usable reports whether a port carries lossless traffic.
func usable(p *observed.Port) bool {
	return p.Kind == observed.Physical && !p.Down && p.PFC.Lossless() != 0
}

// note is a finding in the making.
type note struct {
	severity     observed.Severity
	code, aspect string
	at           observed.Line
	what         string // the message; names no switch and no port of this place
	detail       string // what is particular to this place
	remedy       string
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
		Line: line, Message: message, Remedy: n.remedy, Ports: ports, what: n.what})
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

func (j *judge) remarks() {
	for s, sw := range j.net.Switches {
		byName := map[string]int{}
		if len(sw.Remarks) > 0 {
			for i := range sw.Ports {
				byName[sw.Ports[i].Name] = i
			}
		}
		for _, r := range sw.Remarks {
			port, ok := byName[r.Port]
			if !ok || r.Port == "" {
				port = -1
			} else if sw.Ports[port].Down {
				continue
			} else if r.Severity == observed.Error {
				j.bad[s][port] = true
			}
			j.add(spot{s, port}, note{severity: r.Severity, code: r.Code, aspect: r.Aspect, at: r.Line, what: r.Text, remedy: r.Remedy})
		}
	}
}

// texts reports what was doubtful about files that were judged.
func (j *judge) texts() {
	for _, d := range j.net.Doubts {
		for s, sw := range j.net.Switches {
			if sw.Name != d.Switch {
				continue
			}
			n := note{severity: observed.Warning, code: "CONFIG_DOUBT", aspect: "file", at: max(1, d.Line), what: d.Reason, remedy: "save the configuration again and compare"}
			if d.Broken {
				n.severity, n.code = observed.Error, "CONFIG_TRUNCATED"
				n.what = "the configuration is not whole: " + d.Reason
			}
			j.add(spot{s, -1}, n)
		}
	}
}

// finish drops what only follows from something else, quotes the lines and sorts.
func (j *judge) finish(r *Report) {
	broken, lossy := map[string]bool{}, map[string]bool{}
	for s := range j.misqueued {
		broken[j.net.Switches[s].Name] = true
	}
	for _, f := range r.Findings {
		lossy[f.Switch] = lossy[f.Switch] || f.Code == "WATCHDOG_LOSSY_QUEUE"
		broken[f.Switch] = broken[f.Switch] || f.Code == "PFC_PRIORITY_DIFFERS"
	}
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		if f.Code == "WATCHDOG_MISSING" && f.Ports == 0 && lossy[f.Switch] {
			return true // it watches, but another queue
		}
		// With the class in the wrong queue, or another class paused, the watchdog
		// of the switch as a whole is off too.
		return broken[f.Switch] && f.Ports == 0 && (f.Code == "WATCHDOG_LOSSY_QUEUE" || f.Code == "WATCHDOG_MISSING")
	})
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Ports > 1 {
			f.Message = f.what + " (" + strconv.Itoa(f.Ports) + " ports)"
		}
	}
	r.sort()
	if j.net.Quote != nil {
		for i := range r.Findings {
			f := &r.Findings[i]
			f.Text = j.net.Quote(f.File, f.Line)
		}
	}
}

// whole is one group of switches with what most of them do.
type whole struct {
	*judge
	members []int
	common  observed.Set // priorities paused
	set     protected    // code points that are lossless, by priority
	queue   [64]int8     // egress queue of each of them, -1 none
}

// far is the other end of a port's link.
func (j *judge) far(s spot) (spot, bool) {
	far := j.peer[s.sw][s.port]
	return far, far != nowhere
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
	for _, m := range members {
		ports := j.net.Switches[m].Ports
		for i := range ports {
			if usable(&ports[i]) {
				sets.port(ports[i].PFC.Lossless())
				reached.port(j.reach(spot{m, i}).by)
			}
		}
		sets.next(func(a, b observed.Set) int { return cmp.Compare(a, b) })
		reached.next(protected.compare)
	}
	f.common, _ = sets.winner(func(a, b observed.Set) int {
		return cmp.Or(cmp.Compare(b2i(a.Has(3)), b2i(b.Has(3))), cmp.Compare(len(a.List()), len(b.List())), cmp.Compare(b, a))
	})
	f.set, _ = reached.winner(protected.compare)
	f.queues()
	return f
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
			ports := f.net.Switches[m].Ports
			for i := range ports {
				if usable(&ports[i]) {
					if r := f.reach(spot{m, i}); r.queue[d] >= 0 {
						v.port(r.queue[d])
					}
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
