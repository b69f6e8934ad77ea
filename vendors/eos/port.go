package eos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// lanes is the number of electrical lanes of a cage, 0 when its form does not
// tell. EOS numbers the lanes of a cage from 1 and names a port after its first.
func lanes(c fabric.Cage) int {
	form := strings.ToUpper(c.Form)
	switch {
	case form == "OSFP-XD", form == "SFP-DD", form == "DSFP":
		return 0 // no EOS port name of these was found
	case strings.HasPrefix(form, "OSFP"), strings.HasPrefix(form, "QSFP-DD"), strings.HasPrefix(form, "QSFPDD"):
		return 8
	case strings.HasPrefix(form, "QSFP"):
		return 4
	case strings.HasPrefix(form, "SFP"):
		return 1
	}
	return 0
}

func cageOf(m *fabric.Model, p *fabric.Port) fabric.Cage {
	if i := p.Cage - 1; i >= 0 && i < len(m.Cages) && m.Cages[i].Number == p.Cage {
		return m.Cages[i]
	}
	for _, c := range m.Cages {
		if c.Number == p.Cage {
			return c
		}
	}
	return fabric.Cage{Number: p.Cage}
}

// portName is Ethernet<cage> for single-lane cages and Ethernet<cage>/<lane>
// for others; member i of w lanes sits on lane 1+i*w (SONiC aliases; the lane
// rule agrees with every published breakout). Chassis would need a slot: see
// the finding EOS_CHASSIS_PORTS.
func portName(m *fabric.Model, p *fabric.Port) string {
	c := cageOf(m, p)
	n := lanes(c)
	name := "Ethernet" + strconv.Itoa(p.Cage)
	if n == 1 || n == 0 && c.SpeedGbps > 0 && c.SpeedGbps <= 25 {
		return name
	}
	if n == 0 {
		n = 8
	}
	lane := 1
	if p.Lane > 1 {
		lane += (p.Lane - 1) * max(n/max(p.Split, 1), 1)
	}
	return name + "/" + strconv.Itoa(lane)
}

// speeds are the words EOS takes after "speed", as far as this driver uses
// them: the lane forms and plain forms of AVD's list of valid port speeds.
func speeds() []string {
	return []string{
		"10g", "25g", "50g", "100g",
		"40g-4", "50g-1", "50g-2",
		"100g-1", "100g-2", "100g-4", "200g-1", "200g-2", "200g-4",
		"400g-2", "400g-4", "400g-8", "800g-4", "800g-8", "1.6t-8",
	}
}

// speedWord is what to write after "speed" on a port of a cage, "" when no
// confirmed word fits. A member of a split cage must use all of its lanes at
// the cage's lane rate; an unsplit cage may run slower on its first lanes.
func speedWord(c fabric.Cage, split, speed int) string {
	n := lanes(c)
	if n == 0 || split < 1 || n%split != 0 || c.SpeedGbps%n != 0 {
		return ""
	}
	rate := c.SpeedGbps / n
	width := n / split
	switch {
	case split == 1 && rate > 0 && speed <= c.SpeedGbps && speed%rate == 0:
		width = speed / rate
	case split*speed != c.SpeedGbps:
		return ""
	}
	word := fmt.Sprintf("%dg-%d", speed, width)
	switch {
	case speed == 1600:
		word = fmt.Sprintf("1.6t-%d", width)
	case n == 1 || width == 1 && speed <= 25:
		word = fmt.Sprintf("%dg", speed)
	}
	if !slices.Contains(speeds(), word) {
		return ""
	}
	return word
}
