package vrp

import (
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// panel names a model's cages: an interface name is the cage's native speed and
// its number among cages of that speed (CG; CR port split, port mode).
type panel struct {
	m          *fabric.Model
	id         string
	switchable bool   // 100GE and 25GE ports can become 200GE and 50GE
	perCard    int    // ports of one card of a CE9860; 0 for fixed boxes
	spots      []spot // by cage number, when prepared
}

type spot struct{ native, number int }

func panelOf(m *fabric.Model) panel {
	// CR port mode lists all models of both families and no other.
	p := panel{m: m, id: bare(m.ID), switchable: named(m.ID).lossless()}
	if strings.HasPrefix(p.id, "ce9860-4c") {
		p.perCard = len(m.Cages) / 4
	}
	return p
}

// prepare looks up every cage once; for work on a whole switch.
func (p *panel) prepare() {
	last := 0
	for i := range p.m.Cages {
		last = max(last, p.m.Cages[i].Number)
	}
	spots := make([]spot, last+1)
	for i := range p.m.Cages {
		n := p.m.Cages[i].Number
		spots[n] = p.at(n)
	}
	p.spots = spots
}

// native is the speed in a cage's interface name before anyone changes its rate.
func (p *panel) native(speed int) int {
	if p.switchable {
		switch speed {
		case 200:
			return 100
		case 50:
			return 25
		}
	}
	return speed
}

func (p *panel) at(cage int) spot {
	if cage < len(p.spots) {
		return p.spots[cage]
	}
	cages := p.m.Cages
	i := cage - 1
	if i < 0 || i >= len(cages) || cages[i].Number != cage {
		for i = range cages {
			if cages[i].Number == cage {
				break
			}
		}
	}
	if i < 0 || i >= len(cages) {
		return spot{number: cage}
	}
	s := spot{native: p.native(cages[i].SpeedGbps)}
	for j := 0; j <= i; j++ {
		if p.native(cages[j].SpeedGbps) == s.native {
			s.number++
		}
	}
	return s
}

// rate is the speed in a port's interface name.
func (p *panel) rate(port *fabric.Port, s spot) int {
	if !p.switchable || idle(port) {
		return s.native
	}
	whole := port.SpeedGbps * max(1, port.Split)
	if s.native == 100 && whole == 200 || s.native == 25 && whole == 50 {
		return whole
	}
	return s.native
}

// idle reports whether nothing says how the cage will be run.
func idle(p *fabric.Port) bool { return p.Role == fabric.UnusedPort && !p.Reserved && p.Split <= 1 }

// cage is the name of a whole cage at a rate.
func (p *panel) cage(rate, n int) string {
	slot := "GE1/0/"
	if p.perCard > 0 { // four equal cards, numbered from 1 (field: 400GE1/1/1)
		slot = "GE1/" + strconv.Itoa((n-1)/p.perCard+1) + "/"
		n = (n-1)%p.perCard + 1
	}
	return strconv.Itoa(rate) + slot + strconv.Itoa(n)
}

// name is the interface name of a port; children keep their parent's type.
func (p *panel) name(port *fabric.Port, rate, n int) string {
	name := p.cage(rate, n)
	if port.Split > 1 {
		name += ":" + strconv.Itoa(port.Lane)
	}
	return name
}

// fours reports whether ports 1 to 32 split in groups of four, of which the even
// ones vanish (CG Interface Split).
func (p *panel) fours() bool {
	return strings.HasPrefix(p.id, "ce8855") || strings.HasPrefix(p.id, "ce8851-32cq4bq")
}

// group is the set of ports that share one rate (CR port mode); -1 where a port
// cannot be switched.
func (p *panel) group(s spot) int {
	switch {
	case !p.switchable:
		return -1
	case s.native == 25:
		return (s.number - 1) / 8
	case s.native != 100:
		return -1
	case strings.HasPrefix(p.id, "ce6866"), strings.HasPrefix(p.id, "ce6860"):
		return 100 + (s.number-1)/4
	case p.fours():
		if s.number < 33 {
			return -1
		}
		return 100 + (s.number-33)/2
	default:
		return 100 + (s.number-1)/2
	}
}

// PortName is the interface name: 400GE1/0/1, or 400GE1/0/1:2 for a child.
func (d *Driver) PortName(m *fabric.Model, p *fabric.Port) string {
	pl := panelOf(m)
	s := pl.at(p.Cage)
	return pl.name(p, pl.rate(p, s), s.number)
}
