package lossless

import (
	"fmt"
	"math"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// saturated is the share of the PCIe path at which a slower NIC is called good
// enough: 200G on Gen4 x16 takes 88 % of it.
const saturated = 0.85

// pciePath is what limits a NIC on its way to memory.
type pciePath struct {
	gbps float64
	by   string
}

// checkPCIe warns of NICs that are faster than what they are plugged into.
func (p *planner) checkPCIe() {
	const source = "PCI Express: transfers/s x lanes x coding, less 24 bytes of header per 256-byte write and 1 % of link traffic"
	for i := range p.c.Servers {
		s := &p.c.Servers[i]
		path, ok := p.pciePath(s)
		demand := int(s.NICSpeed) * max(p.c.Fabric.Planes, 1)
		if !ok || s.Count == 0 || float64(demand) <= path.gbps {
			continue
		}
		message := fmt.Sprintf("group %s: a NIC with %d Gb/s of ports sits behind %s, which moves about %.0f Gb/s, %.0f %% of that",
			s.Name, demand, path.by, math.Floor(path.gbps), math.Floor(100*path.gbps/float64(demand)))
		remedy := "a faster PCIe slot"
		switch lower := lowerSpeed(int(s.NICSpeed)); {
		case p.c.Fabric.Planes > 1 && float64(s.NICSpeed) <= path.gbps:
			message += "; the second port adds redundancy, not bandwidth"
			remedy = "accept it as redundancy, or use " + remedy
		case lower > 0 && float64(lower*max(p.c.Fabric.Planes, 1)) >= saturated*path.gbps:
			message += fmt.Sprintf("; a %dG NIC gives %d Gb/s at lower cost", lower, min(lower, int(path.gbps)))
			remedy = fmt.Sprintf("a %dG NIC, or %s", lower, remedy)
		}
		p.find(fabric.Warning, "PCIE_BELOW_NIC", message, remedy, source, []string{s.Name})
	}
}

// pciePath is the narrowest part between a group's NIC and the memory it
// serves: the slot, the NIC's own interface and, with GPUDirect, the GPUs that
// share the NIC. False where there is no PCIe or nothing is known of it.
func (p *planner) pciePath(s *cluster.ServerGroup) (pciePath, bool) {
	nic, gpu := p.c.Catalog.NIC(s.NIC), p.c.Catalog.GPU(s.GPU)
	if gpu != nil && gpu.IntegratedNIC && (nic == nil || nic.PCIe == 0) || nic != nil && nic.PCIe == 0 {
		return pciePath{}, false
	}
	path := pciePath{gbps: math.Inf(1)}
	narrow := func(what string, gen, lanes, shared int) {
		if gen == 0 || lanes == 0 {
			return
		}
		if gbps := usablePCIe(p.c.Catalog, gen, lanes) * float64(shared); gbps > 0 && gbps < path.gbps {
			path = pciePath{gbps, fmt.Sprintf("%s PCIe %d.0 x%d", what, gen, lanes)}
		}
	}
	narrow("a slot of", s.PCIe.Gen, s.PCIe.Lanes, 1)
	if nic != nil {
		narrow("its own", nic.PCIe, nic.Lanes, 1)
	}
	if gpu != nil && gpu.GPUDirect == "yes" {
		narrow("a GPU's", gpu.PCIe, gpu.Lanes, gpusPerNIC(s))
	}
	return path, !math.IsInf(path.gbps, 1)
}

// gpusPerNIC is how many GPUs feed one NIC, at least one.
func gpusPerNIC(s *cluster.ServerGroup) int {
	if s.NICs <= 0 {
		return 1
	}
	return max(1, s.GPUs/s.NICs)
}

// usablePCIe is the payload rate of a slot per direction in Gb/s; 0 unknown.
func usablePCIe(c *catalog.Catalog, gen, lanes int) float64 {
	if known := c.UsablePCIe(gen, lanes); known > 0 {
		return float64(known)
	}
	rates := map[int]float64{3: 8 * 128.0 / 130, 4: 16 * 128.0 / 130, 5: 32 * 128.0 / 130, 6: 64 * 236.0 / 256}
	return rates[gen] * float64(lanes) * 256 / (256 + 24) * 0.99
}

// lowerSpeed is the next slower usual NIC speed; 0 below the slowest.
func lowerSpeed(speed int) int {
	lower := 0
	for _, s := range []int{10, 25, 50, 100, 200, 400, 800} {
		if s < speed {
			lower = s
		}
	}
	return lower
}
