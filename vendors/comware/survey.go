package comware

import (
	"strings"

	"railyard/generator/fabric"
)

// survey is what one look at all ports of a switch tells; Check and Render
// both start from it, so that they cannot disagree.
type survey struct {
	profiles   []int // indices into Lossless.Profiles, by first use
	splits     []split
	unnamed    []int // speeds in use without a documented interface type, by first use
	slow       []int // speeds of whole cages run below the cage's speed, by first use
	unnumbered bool
	cells      bool // has DDC cell ports
	pool       int  // headroom of all ports and lossless priorities, in cells; 0 unknown
}

// split is one cage that has to be split before its children exist.
type split struct {
	Cage, Children int
	Parent         string // interface that is entered for the split
	Using          string // "" where the pattern suggests no word either
	Proven         bool
	ParentProven   bool
}

func look(f *fabric.Fabric, sw *fabric.Switch) survey {
	var s survey
	model := f.ModelOf(sw)
	priorities := len(losslessPriorities(f.Lossless))
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.CellPort {
			s.cells = true
			continue
		}
		if _, known := typeOf(p.SpeedGbps); !known {
			s.unnamed = once(s.unnamed, p.SpeedGbps)
		}
		cage := cageSpeed(model, p.Cage)
		switch {
		case p.Split > 1 && (len(s.splits) == 0 || s.splits[len(s.splits)-1].Cage != p.Cage):
			s.splits = append(s.splits, splitOf(p, cage))
		case p.Split <= 1 && p.Link >= 0 && cage > p.SpeedGbps:
			s.slow = once(s.slow, p.SpeedGbps)
		}
		s.unnumbered = s.unnumbered || p.Unnumbered()
		if p.Profile >= 0 && p.Link >= 0 && f.Lossless != nil {
			s.profiles = once(s.profiles, p.Profile)
			s.pool += priorities * cellsUp(f.Lossless.Profiles[p.Profile].XoffBytes, model.CellBytes)
		}
	}
	return s
}

func splitOf(p *fabric.Port, cage int) split {
	child, _ := typeOf(p.SpeedGbps)
	parent, known := typeOf(cage)
	return split{
		Cage: p.Cage, Children: p.Split, Parent: parent.name, ParentProven: known,
		Using: child.using, Proven: child.proven && known,
	}
}

// cageSpeed is the speed of a whole cage, 0 where the model does not list it.
func cageSpeed(m *fabric.Model, number int) int {
	if number >= 1 && number <= len(m.Cages) && m.Cages[number-1].Number == number {
		return m.Cages[number-1].SpeedGbps
	}
	for i := range m.Cages {
		if m.Cages[i].Number == number {
			return m.Cages[i].SpeedGbps
		}
	}
	return 0
}

func once(list []int, v int) []int {
	for _, have := range list {
		if have == v {
			return list
		}
	}
	return append(list, v)
}

// cellSystem reports whether a model is part of a DDC system, whose packet
// (NCP) and cell (NCF) switches H3C marks in the model name.
func cellSystem(m *fabric.Model) bool {
	id := strings.ToLower(m.ID)
	return strings.HasSuffix(id, "ncpn") || strings.HasSuffix(id, "ncfn")
}

// ownTrain reports whether a model belongs to the -G line, which has its own
// releases and command references.
func ownTrain(m *fabric.Model) bool { return strings.HasSuffix(strings.ToLower(m.ID), "-g") }
