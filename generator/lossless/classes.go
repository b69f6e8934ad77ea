package lossless

import (
	"cmp"
	"fmt"
	"slices"

	"railyard/generator/fabric"
)

// family is what a kind of host sends when nobody changes it.
type family struct {
	name     string
	priority int
	dscp     int
	source   string
	bound    bool // hosts keep their values: railyard writes no files for them
	assumed  bool // the hosts are not known, the usual values are taken
}

// familyOf tells a group's family by who made the network port. NVIDIA hosts
// put DSCP 26 on priority 3 (DSCP/8), and the other makers' guides follow;
// Ascend's HCCL sends HCCL_RDMA_TC 132, which is DSCP 33, with HCCL_RDMA_SL 4.
func (p *planner) familyOf(g *fabric.Group) family {
	standard := family{name: "roce", priority: 3, dscp: 26, source: "NVIDIA Cumulus Linux RoCE defaults: DSCP 26, switch priority 3"}
	ascend := family{name: "roce-ascend", priority: 4, dscp: 33, bound: true,
		source: "Huawei CANN: HCCL_RDMA_TC 132 (DSCP 33), HCCL_RDMA_SL 4"}
	switch g.NICVendor {
	case "huawei":
		return ascend
	case "nvidia", "amd", "intel", "broadcom":
		return standard
	}
	if gpu := p.c.Catalog.GPU(g.GPU); gpu != nil && g.NIC == "" && (gpu.Library == "HCCL" || gpu.Vendor == "huawei") {
		return ascend
	}
	standard.assumed = true
	return standard
}

// stream is what one lossless class will carry.
type stream struct {
	name     string
	priority int
	dscps    []int
	groups   []int
}

// classes writes the one table that every map on every device comes from.
// Priority, traffic class and queue have the same number; only lossless classes
// have a priority group of their own.
func (p *planner) classes() {
	streams := p.streams()
	if !p.fitsBeside(streams) {
		return
	}
	var all []fabric.Class
	weight := 100 / (len(streams) + 1)
	for _, s := range streams {
		all = append(all, fabric.Class{
			Name: s.name, DSCP: s.dscps, Priority: s.priority, TrafficClass: s.priority, Queue: s.priority,
			PriorityGroup: s.priority, Lossless: true, ECN: true, WeightPercent: weight,
		})
	}
	cnp := p.c.Lossless.CNP
	all = append(all,
		fabric.Class{Name: "default", WeightPercent: 100 - weight*len(streams)},
		strict("cnp", cnp.Priority, []int{cnp.DSCP}, true))
	if dscps := p.controlDSCPs(streams); len(dscps) > 0 {
		priority, ok := freePriority(all)
		if !ok {
			p.problem("lossless", "no priority is left for routing and management traffic", "use fewer lossless classes")
			return
		}
		all = append(all, strict("control", priority, dscps, false))
	}
	slices.SortFunc(all, func(a, b fabric.Class) int { return cmp.Compare(a.Queue, b.Queue) })
	p.f.Lossless.Classes = all
	for _, s := range streams {
		at := slices.IndexFunc(all, func(c fabric.Class) bool { return c.Name == s.name })
		for _, g := range s.groups {
			p.f.Groups[g].Class = at
		}
	}
}

func strict(name string, priority int, dscps []int, cnp bool) fabric.Class {
	return fabric.Class{Name: name, DSCP: dscps, Priority: priority, TrafficClass: priority, Queue: priority, Strict: true, CNP: cnp}
}

// controlDSCPs are CS6 and CS7, which BGP, LLDP's neighbours and the like use,
// unless another class has taken them: CNP usually travels as CS6 too, and BGP
// then shares its strict queue.
func (p *planner) controlDSCPs(streams []stream) []int {
	var left []int
	for _, d := range []int{48, 56} {
		taken := d == p.c.Lossless.CNP.DSCP
		for _, s := range streams {
			taken = taken || slices.Contains(s.dscps, d)
		}
		if !taken {
			left = append(left, d)
		}
	}
	return left
}

// freePriority is the highest priority that no class uses.
func freePriority(all []fabric.Class) (int, bool) {
	for n := 7; n > 0; n-- {
		if !slices.ContainsFunc(all, func(c fabric.Class) bool { return c.Priority == n }) {
			return n, true
		}
	}
	return 0, false
}

// streams decides the lossless classes: what the hosts send, or what the
// cluster file fixes. Families that end up on one priority share a class.
func (p *planner) streams() []stream {
	wish := p.c.Lossless
	if len(p.f.Groups) == 0 {
		return []stream{{name: "roce", priority: orElse(wish.Priority.Set, wish.Priority.Value, 3), dscps: []int{orElse(wish.DSCP.Set, wish.DSCP.Value, 26)}}}
	}
	families := make([]family, len(p.f.Groups))
	for i := range p.f.Groups {
		families[i] = p.familyOf(&p.f.Groups[i])
	}
	// One DSCP cannot lie on two priorities: the hosts that cannot be told win.
	decided := families[0]
	for _, f := range families {
		if f.bound {
			decided = f
			break
		}
	}
	var streams []stream
	for i, f := range families {
		priority := orElse(wish.DSCP.Set, decided.priority, f.priority)
		priority = orElse(wish.Priority.Set, wish.Priority.Value, priority)
		dscp := orElse(wish.DSCP.Set, wish.DSCP.Value, f.dscp)
		at := slices.IndexFunc(streams, func(s stream) bool { return s.priority == priority })
		if at < 0 {
			at = len(streams)
			streams = append(streams, stream{name: f.name, priority: priority})
		}
		s := &streams[at]
		if !slices.Contains(s.dscps, dscp) {
			s.dscps = append(s.dscps, dscp)
			slices.Sort(s.dscps)
		}
		s.groups = append(s.groups, i)
	}
	if len(streams) == 1 {
		streams[0].name = "roce"
	}
	p.checkFamilies(families, streams)
	return streams
}

func orElse(set bool, v, otherwise int) int {
	if set {
		return v
	}
	return otherwise
}

// checkFamilies reports hosts that will send on another class than the fabric
// protects, and hosts whose habits had to be guessed.
func (p *planner) checkFamilies(families []family, streams []stream) {
	for _, s := range streams {
		for _, g := range s.groups {
			f, name := families[g], p.f.Groups[g].Name
			if f.assumed {
				p.find(fabric.Info, "HOST_CLASS_ASSUMED",
					fmt.Sprintf("the NIC maker of group %s is not known; its hosts are taken to send RoCE with DSCP %d on priority %d", name, f.dscp, f.priority),
					"declare the group's nic, or fix lossless.priority and lossless.dscp", f.source, []string{name})
			}
			dscp := orElse(p.c.Lossless.DSCP.Set, p.c.Lossless.DSCP.Value, f.dscp)
			if f.bound && (s.priority != f.priority || dscp != f.dscp) {
				p.find(fabric.Error, "CLASS_MISMATCH",
					fmt.Sprintf("the fabric protects DSCP %d on priority %d, but the hosts of group %s send DSCP %d on priority %d: PFC would never stop them", dscp, s.priority, name, f.dscp, f.priority),
					fmt.Sprintf("leave lossless.priority and lossless.dscp on auto, or set HCCL_RDMA_TC=%d and HCCL_RDMA_SL=%d in every job and overrule this finding", dscp*4, s.priority),
					f.source, []string{name})
			}
		}
	}
}

// fitsBeside checks the lossless classes against the classes that must exist
// beside them.
func (p *planner) fitsBeside(streams []stream) bool {
	before := len(p.problems)
	wish := p.c.Lossless
	for _, s := range streams {
		if s.priority == 0 {
			p.problem("lossless.priority", "priority 0 carries all unmarked traffic and cannot be lossless", "use 1 to 7; 3 is usual")
		}
		if slices.Contains(s.dscps, 0) {
			p.problem("lossless.dscp", "DSCP 0 is unmarked traffic and cannot be lossless", "use 1 to 63; 26 is usual")
		}
		if slices.Contains(s.dscps, wish.CNP.DSCP) {
			p.problem("lossless.cnp.dscp", fmt.Sprintf("DSCP %d is that of the lossless class %s; congestion notifications would be paused together with the data they should slow", wish.CNP.DSCP, s.name), "use another code point; 48 is usual")
		}
		if s.priority == wish.CNP.Priority {
			p.problem("lossless.cnp.priority", fmt.Sprintf("priority %d is that of the lossless class %s; congestion notifications would be paused together with the data they should slow", wish.CNP.Priority, s.name), "use another priority; 6 is usual")
		}
	}
	if wish.CNP.Priority == 0 || wish.CNP.DSCP == 0 {
		p.problem("lossless.cnp", "congestion notifications cannot share code point or priority 0 with unmarked traffic", "use DSCP 48 and priority 6")
	}
	return len(p.problems) == before
}
