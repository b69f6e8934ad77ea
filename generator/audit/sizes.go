package audit

import (
	"fmt"

	"railyard/generator/observed"
)

// mtuSlack is how far the MTUs of two systems may lie apart and mean the same:
// one counts headers and the other does not (9216, 9214, 9100 and 9000 are all
// "jumbo").
const mtuSlack = 256

// roceMTU is the least IP MTU for RoCE's path MTU of 4096: payload and headers.
const roceMTU = 4200

// sizes compares the MTUs of link ends, gateways and host ports.
func (f *whole) sizes() {
	usual := f.usualMTUs()
	said := map[place]bool{} // lines that are wrong already
	mismatch := func(s spot, p *observed.Port, n note) {
		n.severity, n.code, n.aspect, n.at = observed.Error, "MTU_MISMATCH", "mtu", line(p.MTU.At, p.At)
		said[place{sw: s.sw, line: n.at}] = true
		f.add(s, n)
	}
	f.ports(live, func(s spot, p *observed.Port) {
		far, ok := f.far(s)
		if !ok || far.sw < s.sw {
			return
		}
		q := &f.net.Switches[far.sw].Ports[far.port]
		if q.Down || p.MTU.Bytes == 0 || q.MTU.Bytes == 0 || p.MTU.Bytes == q.MTU.Bytes {
			return
		}
		gap := p.MTU.Bytes - q.MTU.Bytes
		a, b := f.mtuKey(s, p), f.mtuKey(far, q)
		if (a.os != b.os || p.MTU.IP != q.MTU.IP) && -mtuSlack <= gap && gap <= mtuSlack {
			return
		}
		// The end that is unusual among its like is wrong, else the smaller one.
		wrong, at, other := s, p, q
		oddP, oddQ := usual[a] > 0 && p.MTU.Bytes != usual[a], usual[b] > 0 && q.MTU.Bytes != usual[b]
		if oddQ && !oddP || oddQ == oddP && gap > 0 {
			wrong, at, other = far, q, p
		}
		owner := far
		if wrong == far {
			owner = s
		}
		mismatch(wrong, at, note{
			what:   fmt.Sprintf("the MTU is %s here and %d at the other end of the link", mtuWords(at), other.MTU.Bytes),
			detail: f.net.Switches[owner.sw].Name + " " + other.Name, remedy: fmt.Sprintf("set it to %d", other.MTU.Bytes)})
	})
	f.ports(func(p *observed.Port) bool {
		return !p.Down && p.MTU.Bytes > 0 && (p.Kind == observed.Gateway || usable(p))
	}, func(s spot, p *observed.Port) {
		if _, linked := f.far(s); linked {
			return
		}
		if most := usual[f.mtuKey(s, p)]; most > 0 && p.MTU.Bytes < most {
			mismatch(s, p, note{
				what: fmt.Sprintf("the MTU is %s here and %d on nearly all interfaces like it", mtuWords(p), most), remedy: fmt.Sprintf("set it to %d", most)})
		}
	})
	f.small(said)
}

func mtuWords(p *observed.Port) string {
	if p.MTU.At == 0 {
		return fmt.Sprintf("%d (the default)", p.MTU.Bytes)
	}
	return fmt.Sprint(p.MTU.Bytes)
}

type mtuKey struct {
	os     string
	kind   observed.Kind
	routed bool
	linked bool
}

func (f *whole) mtuKey(s spot, p *observed.Port) mtuKey {
	_, linked := f.far(s)
	return mtuKey{f.net.Switches[s.sw].OS, p.Kind, p.Mode == observed.Routed, linked}
}

// usualMTUs are the sizes that at least two in three interfaces of a kind have.
func (f *whole) usualMTUs() map[mtuKey]int {
	counts := map[mtuKey]map[int]int{}
	var last mtuKey
	var here map[int]int
	f.ports(func(p *observed.Port) bool {
		return !p.Down && p.MTU.Bytes > 0 && (p.Kind == observed.Gateway || usable(p))
	}, func(s spot, p *observed.Port) {
		k := f.mtuKey(s, p)
		if here == nil || k != last {
			if counts[k] == nil {
				counts[k] = map[int]int{}
			}
			last, here = k, counts[k]
		}
		here[p.MTU.Bytes]++
	})
	usual := map[mtuKey]int{}
	for k, by := range counts {
		total, most := 0, 0
		for size, n := range by {
			total += n
			if n > by[most] || n == by[most] && size > most {
				most = size
			}
		}
		if by[most] >= 2 && by[most]*3 >= total*2 {
			usual[k] = most
		}
	}
	return usual
}

// small notes routed ports too small for RoCE's largest packets.
func (f *whole) small(said map[place]bool) {
	for _, m := range f.members {
		ports := f.net.Switches[m].Ports
		for _, i := range f.lossless[m] {
			p := &ports[i]
			if !said[place{sw: m, line: line(p.MTU.At, p.At)}] && p.MTU.Bytes > 0 && p.MTU.Bytes < roceMTU {
				f.add(spot{m, -1}, note{severity: observed.Info, code: "MTU_SMALL", aspect: "mtu", at: line(p.MTU.At, p.At),
					what: fmt.Sprintf("an MTU of %d is below %d, which RoCE needs for its path MTU of 4096: hosts fall back to smaller packets", p.MTU.Bytes, roceMTU), remedy: "use jumbo frames on lossless ports"})
				break
			}
		}
	}
}
