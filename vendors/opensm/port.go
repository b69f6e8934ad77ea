package opensm

import (
	"fmt"

	"railyard/generator/fabric"
)

// Speeds of a whole cage that tell the switch generations apart, in Gb/s:
// Quantum has single QSFP56 cages, Quantum-2 and Quantum-X800 twin-port OSFP.
const (
	quantum2Cage    = 800
	quantumX800Cage = 1600
)

// panelName is the port as the switch's own system names it: cage and child
// behind the chassis number on MLNX-OS (MLNX-OS User Manual, "InfiniBand
// Interface": 1/5 and 1/5/1 on Quantum, 1/3/1 on Quantum-2, one level more when
// a port of a twin cage is split), swNpM on NVOS (NVOS 25.02 manuals).
func panelName(m *fabric.Model, p *fabric.Port) string {
	speed := 0
	if p.Cage >= 1 && p.Cage <= len(m.Cages) {
		speed = m.Cages[p.Cage-1].SpeedGbps
	}
	switch {
	case p.Split <= 1:
		return fmt.Sprintf("1/%d", p.Cage)
	case speed >= quantumX800Cage:
		return fmt.Sprintf("sw%dp%d", p.Cage, p.Lane)
	case speed >= quantum2Cage && p.Split > 2:
		per := p.Split / 2
		return fmt.Sprintf("1/%d/%d/%d", p.Cage, (p.Lane-1)/per+1, (p.Lane-1)%per+1)
	default:
		return fmt.Sprintf("1/%d/%d", p.Cage, p.Lane)
	}
}

// ports numbers a switch's InfiniBand ports.
type ports struct {
	perCage int // numbers that each cage takes
	count   int
}

// portsOf counts the numbers each cage takes: as many as its finest split in use.
// On Quantum-2 that gives (cage-1)*2+port, and twice as many numbers where any cage
// is split four ways. NVIDIA documents neither; Check asks for confirmation.
func portsOf(f *fabric.Fabric, sw *fabric.Switch) ports {
	m := f.ModelOf(sw)
	n := 1
	for i := range m.Cages {
		if m.Cages[i].SpeedGbps >= quantum2Cage {
			n = 2
		}
	}
	for i := range sw.Ports {
		if s := sw.Ports[i].Split; s > n {
			n = s
		}
	}
	return ports{n, n * len(m.Cages)}
}

// number is the InfiniBand port number, from 1.
func (n ports) number(p *fabric.Port) int {
	first := (p.Cage-1)*n.perCage + 1
	if p.Split <= 1 {
		return first
	}
	return first + (p.Lane-1)*(n.perCage/p.Split)
}

// PortNumber is the InfiniBand port number, from 1, of a switch's port (an index
// into its Ports), as ibnetdiscover and iblinkinfo show it.
func PortNumber(f *fabric.Fabric, sw *fabric.Switch, port int) int {
	return portsOf(f, sw).number(&sw.Ports[port])
}
