package ibsubnet

import (
	"fmt"

	"railyard/generator/fabric"
)

// Speeds of a whole cage that tell the switch generations apart, in Gb/s:
// Quantum has single QSFP56 cages, Quantum-2 and Quantum-X800 twin-port OSFP.
const (
	Quantum2Cage    = 800
	QuantumX800Cage = 1600
)

// PanelName is the port as the switch's own system names it: cage and child
// behind the chassis number on MLNX-OS (MLNX-OS User Manual, "InfiniBand
// Interface": 1/5 and 1/5/1 on Quantum, 1/3/1 on Quantum-2, one level more when
// a port of a twin cage is split), swNpM on NVOS (NVOS 25.02 manuals).
func PanelName(m *fabric.Model, p *fabric.Port) string {
	speed := 0
	if p.Cage >= 1 && p.Cage <= len(m.Cages) {
		speed = m.Cages[p.Cage-1].SpeedGbps
	}
	switch {
	case p.Split <= 1:
		return fmt.Sprintf("1/%d", p.Cage)
	case speed >= QuantumX800Cage:
		return fmt.Sprintf("sw%dp%d", p.Cage, p.Lane)
	case speed >= Quantum2Cage && p.Split > 2:
		per := p.Split / 2
		return fmt.Sprintf("1/%d/%d/%d", p.Cage, (p.Lane-1)/per+1, (p.Lane-1)%per+1)
	default:
		return fmt.Sprintf("1/%d/%d", p.Cage, p.Lane)
	}
}

// Numbering gives a switch's ports their InfiniBand numbers.
type Numbering struct {
	perCage int // numbers that each cage takes
	Count   int // ports of the switch, those that no cable uses included
}

// NumberingOf counts the numbers each cage takes: as many as its finest split in
// use. On Quantum-2 that gives (cage-1)*2+port, and twice as many numbers where any
// cage is split four ways. NVIDIA documents neither; Report.Ports says so.
func NumberingOf(f *fabric.Fabric, sw *fabric.Switch) Numbering {
	m := f.ModelOf(sw)
	n := 1
	for i := range m.Cages {
		if m.Cages[i].SpeedGbps >= Quantum2Cage {
			n = 2
		}
	}
	for i := range sw.Ports {
		if s := sw.Ports[i].Split; s > n {
			n = s
		}
	}
	return Numbering{n, n * len(m.Cages)}
}

// Number is the InfiniBand port number, from 1, as ibnetdiscover shows it.
func (n Numbering) Number(p *fabric.Port) int {
	first := (p.Cage-1)*n.perCage + 1
	if p.Split <= 1 {
		return first
	}
	return first + (p.Lane-1)*(n.perCage/p.Split)
}

// Generation is the newest of a fabric's InfiniBand generations as the speed in
// Gb/s of its largest cage.
func Generation(f *fabric.Fabric) int {
	most := 0
	for i := range f.Switches {
		for _, c := range f.ModelOf(&f.Switches[i]).Cages {
			most = max(most, c.SpeedGbps)
		}
	}
	return most
}
