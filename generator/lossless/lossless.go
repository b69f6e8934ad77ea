// Package lossless plans what keeps RoCE from dropping: headroom of every port,
// whether it fits the buffer, where marking starts, which class travels where,
// the PFC watchdog, and whether pauses could ever wait on each other in a circle.
//
// It judges as well: everything a user should know about the design as a
// network that carries remote memory access ends up in the fabric's findings,
// each with the rule's source and a remedy.
package lossless

import (
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// defaultMTU is the layer-2 payload size of fabric ports where the design left
// it open, in bytes.
const defaultMTU = 9216

// planner carries one run of Plan.
type planner struct {
	c        *cluster.Cluster
	f        *fabric.Fabric
	problems cluster.Problems
}

// Plan completes a fabric whose switches, ports, links, servers and numbers
// stand: it sets Lossless, the Profile of every port that carries lossless
// traffic (-1 elsewhere) and the Class of every server group, and adds to
// Findings. For InfiniBand, whose links are lossless by credits, it leaves
// Lossless nil and judges only what holds for any technology.
//
// The error is cluster.Problems, for wishes that no network could fulfil:
// classes that collide, a marking profile without a value for a speed in use,
// watchdog times that a chosen operating system does not accept.
func Plan(c *cluster.Cluster, f *fabric.Fabric) error {
	p := &planner{c: c, f: f}
	p.clearProfiles()
	if f.Technology == fabric.InfiniBand {
		f.Lossless = nil
		p.checkPCIe()
		p.checkOversubscription()
		p.checkReach()
		p.creditLoops()
		return nil
	}
	f.Lossless = &fabric.Lossless{}
	p.classes()
	p.watchdog()
	p.profiles()
	if len(p.problems) > 0 {
		p.problems.Sort()
		return p.problems
	}
	p.buffers()
	p.deadlock()
	p.checkRoCEv1()
	p.checkPCIe()
	p.checkFewSpines()
	p.checkOversubscription()
	p.checkHeadOfLine()
	p.checkReach()
	p.checkCrossRail()
	p.checkHashing()
	p.noteNICHeadroom()
	return nil
}

func (p *planner) clearProfiles() {
	for i := range p.f.Switches {
		ports := p.f.Switches[i].Ports
		for j := range ports {
			ports[j].Profile = -1
		}
	}
}

func (p *planner) mtu() int {
	if p.f.Underlay.MTU > 0 {
		return p.f.Underlay.MTU
	}
	return defaultMTU
}

func (p *planner) problem(path, message, remedy string) {
	p.problems = append(p.problems, p.c.Problem(path, message, remedy))
}

// carriesLossless says whether PFC runs on a port. Cell ports are excluded:
// a DDC's cell fabric is scheduled by credits, not by pause frames.
func carriesLossless(port *fabric.Port) bool {
	switch port.Role {
	case fabric.HostPort, fabric.UplinkPort, fabric.DownlinkPort:
		return port.Link >= 0
	default:
		return false
	}
}
