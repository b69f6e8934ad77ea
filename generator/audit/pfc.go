package audit

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"railyard/generator/observed"
)

func live(p *observed.Port) bool { return p.Kind == observed.Physical && !p.Down }

// pfc judges which priorities ports pause: each port by itself, then the two
// ends of each link, then host ports against their like.
func (f *whole) pfc() {
	done := map[spot]bool{}
	f.ports(live, func(s spot, p *observed.Port) {
		if f.incomplete(s, p) {
			done[s] = true
		}
		if p.PFC.On && p.PFC.Auto {
			f.negotiated(s, p)
		}
		if p.PFC.On && p.PauseAll > 0 {
			f.add(s, note{severity: observed.Warning, code: "FLOW_CONTROL", aspect: "pfc", at: p.PauseAll,
				what: "802.3x pause is on beside PFC: it stops every class of the link, not only the lossless one", remedy: "switch flow control of the whole link off"})
		}
	})
	f.without(done)
	f.ports(live, func(s spot, p *observed.Port) {
		far, ok := f.far(s)
		if !ok || done[s] || done[far] || f.bad[far.sw][far.port] || far.sw < s.sw {
			return
		}
		q := &f.net.Switches[far.sw].Ports[far.port]
		if q.Down || p.PFC.Lossless() == q.PFC.Lossless() {
			return
		}
		if pausesNotifications(p, q) {
			return // said once, where the wrong priority stands
		}
		f.ends(s, p, far, q)
		done[s], done[far] = true, true
	})
	f.hosts(done)
	f.bareHosts(done)
	f.many()
	for s := range done {
		if far, linked := f.far(s); !linked || f.net.Switches[s.sw].Ports[s.port].PFC.Lossless() == 0 || f.net.Switches[far.sw].Ports[far.port].PFC.Lossless() != 0 {
			f.bad[s.sw][s.port] = true
		}
	}
}

// without reports, once, a switch that pauses nothing while its neighbours do.
func (f *whole) without(done map[spot]bool) {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		var bare []spot
		lossless := false
		for i := range ports {
			s := spot{m, i}
			far, linked := f.far(s)
			lossless = lossless || live(&ports[i]) && (ports[i].PFC.Lossless() != 0 || done[s])
			if linked && live(&ports[i]) && usable(&f.net.Switches[far.sw].Ports[far.port]) {
				bare = append(bare, s)
			}
		}
		if lossless || len(bare) < 2 {
			continue
		}
		f.add(spot{m, -1}, note{severity: observed.Error, code: "PFC_ONE_END", aspect: "pfc", at: ports[bare[0].port].At,
			what:   "PFC is on nowhere on this switch, but its neighbours have it on the links to it",
			detail: plural(len(bare), "link", "links"), remedy: "switch PFC on here for priority " + numbers(f.common) + ", with the classes and marking that belong to it"})
		for _, s := range bare {
			far, _ := f.far(s)
			done[s], done[far] = true, true
		}
	}
}

// incomplete finds ports where half of what PFC needs is missing.
func (f *whole) incomplete(s spot, p *observed.Port) bool {
	n := note{severity: observed.Error, code: "PFC_INCOMPLETE", aspect: "pfc"}
	switch {
	case p.PFC.On && p.PFC.Priorities == 0:
		n.at, n.what, n.remedy = p.PFC.OnAt, "PFC is on, but no priority is lossless, so nothing is ever paused", "name the lossless priority"+f.which()
	case !p.PFC.On && p.PFC.Priorities != 0:
		n.at, n.what, n.remedy = p.PFC.At, "priorities are named lossless, but PFC itself is not on", "switch PFC on"
		if p.PFC.OnAt > 0 {
			n.at = p.PFC.OnAt
		}
	default:
		return false
	}
	f.add(s, n)
	return true
}

func (f *whole) which() string {
	if f.common == 0 {
		return ""
	}
	return ", " + numbers(f.common)
}

func (f *whole) negotiated(s spot, p *observed.Port) {
	n := note{severity: observed.Info, code: "PFC_NEGOTIATED", aspect: "pfc", at: p.PFC.OnAt,
		what: "PFC is left to DCBX: whether it is on depends on the other end", remedy: "set it on both ends instead"}
	if p.Mode == observed.Routed {
		n.severity, n.what = observed.Warning, "PFC is left to DCBX on a routed port, where DCBX is usually not sent: it may stay off"
	}
	f.add(s, n)
}

// ends reports a link whose ends pause different priorities, at the end that
// differs from the rest of the fabric.
func (f *whole) ends(s spot, p *observed.Port, far spot, q *observed.Port) {
	a, b := p.PFC.Lossless(), q.PFC.Lossless()
	wrong, at, mine, theirs, other, otherPort := s, p, a, b, far, q
	if distance(b, f.common) > distance(a, f.common) || distance(a, f.common) == distance(b, f.common) && b < a {
		wrong, at, mine, theirs, other, otherPort = far, q, b, a, s, p
	}
	peer := f.net.Switches[other.sw].Name + " " + otherPort.Name
	if mine == 0 {
		line := at.PFC.OnAt
		if line == 0 {
			line = at.At
		}
		f.add(wrong, note{severity: observed.Error, code: "PFC_ONE_END", aspect: "pfc", at: line,
			what:   "PFC of priority " + numbers(theirs) + " is missing at this end of the link; the other end sends pauses that stop nothing, or is never asked to wait",
			detail: peer + " has it", remedy: "switch PFC on here for priority " + numbers(theirs)})
		return
	}
	if theirs == 0 {
		f.add(wrong, note{severity: observed.Error, code: "PFC_ONE_END", aspect: "pfc", at: at.PFC.At,
			what: "PFC of priority " + numbers(mine) + " is on at this end of the link only", detail: peer + " has none", remedy: "make both ends the same"})
		return
	}
	f.differs(wrong, at, fmt.Sprintf("%s pauses %s", peer, numbers(theirs)))
}

// differs reports a port that pauses other priorities than the fabric.
func (f *whole) differs(s spot, p *observed.Port, detail string) {
	mine := p.PFC.Lossless()
	f.add(s, note{severity: observed.Error, code: "PFC_PRIORITY_DIFFERS", aspect: "pfc", at: p.PFC.At,
		what: fmt.Sprintf("the port pauses priority %s, the fabric %s", numbers(mine), numbers(f.common)), detail: detail,
		remedy: "make priority " + numbers(f.common) + " lossless here"})
}

// distance is how many priorities two sets disagree on.
func distance(a, b observed.Set) int { return bits.OnesCount8(uint8(a ^ b)) }

// pausesNotifications reports whether the ends of a link differ only by one that
// pauses congestion notifications too.
func pausesNotifications(p, q *observed.Port) bool {
	a, b := p.PFC.Lossless(), q.PFC.Lossless()
	return b&^a == 0 && b != 0 && notifies(p, a&^b) || a&^b == 0 && a != 0 && notifies(q, b&^a)
}

// notifies reports whether one of the priorities carries congestion notifications
// on the port.
func notifies(p *observed.Port, set observed.Set) bool {
	if p.Maps == nil || p.Trust != observed.TrustDSCP {
		return false
	}
	t := p.Maps.DSCP[cnp].To
	return t >= 0 && set.Has(int(groupPriority(p.Maps, t)))
}

// like groups host ports of a switch that should be alike.
type like struct {
	mode  observed.Mode
	vlan  int
	speed int
}

// hosts compares ports without a known neighbour. The far end is a server or a
// switch whose file is not here; a port that differs from nearly all of its like
// is what an engineer would look at.
func (f *whole) hosts(done map[spot]bool) {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		with, without := map[like]int{}, map[like]int{}
		kind := func(i int) (like, bool) {
			p := &ports[i]
			_, linked := f.far(spot{m, i})
			k := like{p.Mode, p.VLAN, p.SpeedGbps}
			if p.Mode == observed.Routed {
				k.vlan = 0
			}
			return k, live(p) && !linked && !done[spot{m, i}] && !f.bad[m][i] && inUse(p)
		}
		for i := range ports {
			if k, ok := kind(i); ok {
				if ports[i].PFC.Lossless() != 0 {
					with[k]++
				} else {
					without[k]++
				}
			}
		}
		for i := range ports {
			k, ok := kind(i)
			p := &ports[i]
			switch mine := p.PFC.Lossless(); {
			case !ok:
			case mine == 0 && f.alone(k, m, with, without):
				f.missing(spot{m, i}, p)
				done[spot{m, i}] = true
			case mine != 0 && mine != f.common && !notifies(p, mine&^f.common) && !f.second(m, mine):
				f.differs(spot{m, i}, p, "")
				done[spot{m, i}] = true
			}
		}
	}
}

// inUse tells ports that lead to hosts from spare ones.
func inUse(p *observed.Port) bool {
	return p.Mode == observed.Access && p.VLAN > 1 || p.Mode == observed.Routed && len(p.Addresses) > 0
}

// bareHosts reports switches whose uplinks are lossless and none of whose host
// ports is, where most switches with hosts have it on these.
func (f *whole) bareHosts(done map[spot]bool) {
	first := map[int]int{} // of the bare switches
	with := 0
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		some, bare := 0, -1
		for i := range ports {
			if _, linked := f.far(spot{m, i}); linked || !live(&ports[i]) || !inUse(&ports[i]) {
				continue
			}
			if ports[i].PFC.Lossless() != 0 || done[spot{m, i}] || f.bad[m][i] {
				some++
			} else if bare < 0 {
				bare = i
			}
		}
		switch {
		case some > 0:
			with++
		case bare >= 0 && len(f.lossless[m]) > 0:
			first[m] = bare
		}
	}
	for _, m := range f.members {
		if i, ok := first[m]; ok && with > len(first) {
			p := &f.net.Switches[m].Ports[i]
			f.add(spot{m, -1}, note{severity: observed.Error, code: "PFC_MISSING", aspect: "pfc", at: line(p.PFC.OnAt, p.At),
				what: "PFC is off on all host ports of this switch, other switches have it on theirs", remedy: "switch PFC on for priority " + numbers(f.common)})
		}
	}
}

// alone reports whether ports without PFC are few among their like: here, or in
// VLANs of other switches when the whole VLAN has none here.
func (f *whole) alone(k like, _ int, with, without map[like]int) bool {
	if with[k] > 0 {
		return without[k]*2 <= with[k]
	}
	// A VLAN with a single port: judge it by the access ports of the same speed.
	if k.mode != observed.Access {
		return false
	}
	others, bare := 0, 0
	for o, n := range with {
		if o.mode == k.mode && o.speed == k.speed {
			others += n
		}
	}
	for o, n := range without {
		if o.mode == k.mode && o.speed == k.speed {
			bare += n
		}
	}
	return others > 0 && bare*4 <= others
}

func (f *whole) missing(s spot, p *observed.Port) {
	at := p.PFC.OnAt
	if at == 0 {
		at = p.At
	}
	severity := observed.Error
	if p.Mode == observed.Routed {
		severity = observed.Warning // may lead out of the lossless network
	}
	f.add(s, note{severity: severity, code: "PFC_MISSING", aspect: "pfc", at: at,
		what: "PFC is off on a port whose like on this switch have it", remedy: "switch PFC on for priority " + numbers(f.common)})
}

// second reports whether enough ports pause just that set to take it for a
// second kind of hosts rather than for a mistake. One line that many ports share
// is still one mistake, so it takes several switches.
func (f *whole) second(_ int, set observed.Set) bool {
	n := 0
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		for i := range ports {
			if _, linked := f.far(spot{m, i}); !linked && usable(&ports[i]) && ports[i].PFC.Lossless() == set {
				n++
				break
			}
		}
	}
	return n > 1 && n*4 >= len(f.members)
}

// many notes more lossless classes than buffers usually carry.
func (f *whole) many() {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		for _, i := range f.lossless[m] {
			if p := &ports[i]; bits.OnesCount8(uint8(p.PFC.Lossless())) > 2 {
				f.add(spot{m, -1}, note{severity: observed.Info, code: "MANY_LOSSLESS", aspect: "buffer", at: p.PFC.At,
					what:   "more than two priorities are lossless: each takes headroom of its own on every port",
					remedy: "keep the classes that need it"})
				break
			}
		}
	}
}

func numbers(s observed.Set) string {
	var out []string
	for _, n := range s.List() {
		out = append(out, strconv.Itoa(n))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ",")
}
