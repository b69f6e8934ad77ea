package audit

import (
	"cmp"
	"math/bits"

	"railyard/generator/observed"
)

// protected is the set of code points that are lossless, a bit each, by PFC
// priority.
type protected [8]uint64

// priority is the PFC priority a code point is lossless on, -1 without one.
func (p protected) priority(dscp int) int {
	for prio, set := range p {
		if set&(1<<dscp) != 0 {
			return prio
		}
	}
	return -1
}

func (p protected) all() uint64 {
	var set uint64
	for _, s := range p {
		set |= s
	}
	return set
}

// wellKnown are the code points RoCE is usually sent with: NVIDIA's 26, 24, HCCL's
// 33, and 3 and 4 of Azure's SONiC.
const wellKnown = 1<<26 | 1<<24 | 1<<33 | 1<<3 | 1<<4

// compare prefers, between sets with equal votes, one that protects something,
// then usual code points, then the wider one; the rest is for determinism.
func (p protected) compare(q protected) int {
	a, b := p.all(), q.all()
	c := cmp.Or(cmp.Compare(b2i(a != 0), b2i(b != 0)), cmp.Compare(b2i(a&(1<<26) != 0), b2i(b&(1<<26) != 0)),
		cmp.Compare(bits.OnesCount64(a&wellKnown), bits.OnesCount64(b&wellKnown)), cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)))
	for i := 0; c == 0 && i < len(p); i++ {
		c = cmp.Compare(p[i], q[i])
	}
	return c
}

// reachKey is all that decides where code points end up on a port.
type reachKey struct {
	maps  *observed.Maps
	trust observed.Trust
	trunk bool
	pfc   observed.Set
	lossy observed.Set // priorities whose group has a buffer that drops
}

// reach is where the code points of a port end up.
type reach struct {
	by    protected
	class [64]int8 // traffic class, -1 none
	prio  [64]int8 // PFC priority of the class's group, lossless or not; -1 none
	queue [64]int8 // egress queue, -1 none
	dot1p observed.Set
	// paused are the queues of the lossless priorities: where their classes go, or
	// where a pause stops when nothing tells the classes.
	paused observed.Set
}

// reach follows every code point through trust, map, class and group.
func (j *judge) reach(s spot) *reach {
	if r := j.paths[s.sw][s.port]; r != nil {
		return r
	}
	r := j.follow(&j.net.Switches[s.sw].Ports[s.port])
	j.paths[s.sw][s.port] = r
	return r
}

// follow is reach for ports that nobody asked for before; most share their maps.
func (j *judge) follow(p *observed.Port) *reach {
	key := reachKey{p.Maps, p.Trust, p.Mode == observed.Trunk, p.PFC.Lossless(), lossyGroups(p)}
	if key == j.last.key && j.last.reach != nil {
		return j.last.reach
	}
	r := j.reaches[key]
	if r == nil {
		r = newReach(key)
		j.reaches[key] = r
	}
	j.last.key, j.last.reach = key, r
	return r
}

func newReach(key reachKey) *reach {
	r := &reach{}
	for d := range r.class {
		r.class[d], r.prio[d], r.queue[d] = -1, -1, -1
	}
	if key.maps == nil {
		return r
	}
	for d := range r.class {
		t := key.maps.DSCP[d].To
		if key.trust != observed.TrustDSCP {
			t = key.maps.Untagged
			if key.trunk && key.trust == observed.TrustDot1p {
				t = -1 // decided by the tag
			}
		}
		r.class[d] = t
		if t < 0 {
			continue
		}
		r.queue[d] = key.maps.Queue[t].To
		r.prio[d] = groupPriority(key.maps, t)
		if prio := int(r.prio[d]); key.pfc.Has(prio) && !key.lossy.Has(prio) {
			r.by[prio] |= 1 << d
		}
	}
	if key.trust == observed.TrustDot1p && key.trunk {
		for n := range 8 {
			if t := key.maps.Dot1p[n].To; t >= 0 {
				if prio := int(groupPriority(key.maps, t)); key.pfc.Has(prio) && !key.lossy.Has(prio) {
					r.dot1p = r.dot1p.With(n)
				}
			}
		}
	}
	for prio, points := range r.by {
		if points != 0 {
			r.paused = r.paused.With(int(r.queue[bits.TrailingZeros64(points)]))
		} else if key.pfc.Has(prio) {
			r.paused = r.paused.With(int(key.maps.Pause[prio].To))
		}
	}
	return r
}

// groupPriority is the priority that the group of a traffic class pauses, -1 none.
func groupPriority(m *observed.Maps, class int8) int8 {
	if g := m.Group[class].To; g >= 0 {
		return m.Priority[g].To
	}
	return -1
}

func lossyGroups(p *observed.Port) observed.Set {
	var set observed.Set
	for i := range p.Buffers {
		if p.Buffers[i].Lossy {
			set = set.With(p.Buffers[i].Priority)
		}
	}
	return set
}
