package lossless

import (
	"fmt"

	"railyard/generator/fabric"
)

// checkFewSpines warns of a RoCE leaf-spine fabric with fewer than four
// fixed-form spines. A chassis spine has redundancy of its own.
func (p *planner) checkFewSpines() {
	if p.f.Topology != fabric.LeafSpine {
		return
	}
	planes := max(p.f.Planes, 1)
	var spines []string
	for i := range p.f.Switches {
		sw := &p.f.Switches[i]
		if sw.Role != fabric.Spine {
			continue
		}
		if hw := p.c.Catalog.Switch(p.f.ModelOf(sw).ID); hw != nil && hw.Kind == "eth-chassis" {
			return
		}
		spines = append(spines, sw.Name)
	}
	const enough = 4
	if perPlane := len(spines) / planes; len(spines) > 0 && perPlane < enough {
		each := ""
		if planes > 1 {
			each = " in each plane"
		}
		p.find(fabric.Warning, "FEW_SPINES",
			fmt.Sprintf("%s%s: losing one takes %d %% of the bandwidth between leaves, and PFC storms under double failures were seen with two", plural(perPlane, "spine", "spines"), each, 100/max(perPlane, 1)),
			"four or more spines (fabric.spines), of a smaller model if need be",
			"Juniper AI data centre validated design: at least four spines a fabric", spines)
	}
}

// checkOversubscription warns of every tier that has more bandwidth below it
// than above.
func (p *planner) checkOversubscription() {
	for _, tier := range []struct {
		role     fabric.Role
		have     fabric.Ratio
		declared fabric.Ratio
		key      string
	}{
		{fabric.Leaf, p.f.LeafOversubscription, fabric.Ratio(p.c.Fabric.Oversubscription), "fabric.oversubscription"},
		{fabric.Spine, p.f.SpineOversubscription, fabric.Ratio(p.c.Fabric.CoreOversubscription), "fabric.core_oversubscription"},
	} {
		if tier.have.Down <= tier.have.Up || tier.have.Up <= 0 {
			continue
		}
		wish := "as declared"
		if d := tier.declared; d.Up <= 0 || tier.have.Down*d.Up > d.Down*tier.have.Up {
			wish = fmt.Sprintf("above the declared %d:%d", max(d.Down, 1), max(d.Up, 1))
		}
		p.find(fabric.Warning, "OVERSUBSCRIBED",
			fmt.Sprintf("the %s tier is %d:%d oversubscribed (%s): when all servers send across it each gets %d %% of its rate, and on RoCE the rest shows as pauses", tier.role, tier.have.Down, tier.have.Up, wish, 100*tier.have.Up/tier.have.Down),
			"set "+tier.key+` to "1:1", or keep jobs within one unit`,
			"design rule: down:up bandwidth of a full switch of the tier", []string{string(tier.role)})
	}
}

// checkHeadOfLine warns where a paused priority is likely to stop traffic that
// has nothing to do with the congestion.
func (p *planner) checkHeadOfLine() {
	const source = "PFC acts on a whole priority of a link: IEEE 802.1Qbb; observations of Meta (SIGCOMM 2024) and Juniper on thin upper tiers"
	if p.f.Topology != fabric.RailOnly {
		for class := range p.f.Lossless.Classes {
			p.sharedClass(class, source)
		}
	}
	if over := p.f.LeafOversubscription; over.Down > over.Up && over.Up > 0 {
		p.find(fabric.Warning, "HOL_RISK",
			fmt.Sprintf("leaf uplinks are %d:%d oversubscribed: congestion on them pauses the lossless priority of every server below, also towards idle destinations", over.Down, over.Up),
			"a non-blocking leaf tier, early marking (lossless.ecn), and jobs that keep to their rail",
			source, []string{string(fabric.Leaf)})
	}
}

func (p *planner) sharedClass(class int, source string) {
	var names []string
	storage := ""
	for i := range p.f.Groups {
		g := &p.f.Groups[i]
		if g.Class != class || g.Count == 0 {
			continue
		}
		names = append(names, g.Name)
		if g.GPU == "" && g.GPUsPerServer == 0 {
			storage = fmt.Sprintf("; %s has no accelerators and looks like storage", g.Name)
		}
	}
	if len(names) < 2 {
		return
	}
	p.find(fabric.Warning, "HOL_RISK",
		fmt.Sprintf("%d server groups share the lossless class %s%s: one slow receiver can pause the traffic of all of them on shared links", len(names), p.f.Lossless.Classes[class].Name, storage),
		"keep storage and other tenants on a fabric or a lossy class of their own, or accept the coupling",
		source, names)
}

// checkRoCEv1 refuses RoCE v1, which has no IP header, where a router stands
// between the servers.
func (p *planner) checkRoCEv1() {
	if p.f.RoCE != "v1" {
		return
	}
	why := ""
	switch {
	case p.f.Underlay.HostMode == "routed":
		why = "hosts are attached by routed links"
	case p.f.Topology == fabric.LeafSpine, p.f.Topology == fabric.ThreeTier, p.f.Topology == fabric.DDC, p.f.Underlay.BGP:
		why = fmt.Sprintf("leaves of a %s fabric reach each other through routers", p.f.Topology)
	default:
		return
	}
	p.find(fabric.Error, "ROCE_V1_ROUTED",
		"RoCE v1 frames (Ethertype 0x8915) stay in one broadcast domain, and "+why,
		"set fabric.roce to v2", "InfiniBand Architecture Annex A16 (RoCE) and A17 (RoCEv2)", nil)
}

// checkCrossRail warns where servers whose GPUs have no scale-up fabric sit on
// rails that nothing connects: their traffic can change rails neither inside the
// server nor in the network.
func (p *planner) checkCrossRail() {
	for i := range p.f.Groups {
		g := &p.f.Groups[i]
		if g.ScaleUp || g.NICs < 2 || g.Count == 0 || g.GPUsPerServer == 0 || p.railsRouted(g) {
			continue
		}
		p.find(fabric.Warning, "CROSS_RAIL",
			fmt.Sprintf("group %s: GPUs share no scale-up fabric, and its %d rails are not routed to each other: a GPU reaches only peers on its own rail", g.Name, g.NICs),
			"use leaf-spine (or one switch with gateways), or rails_per_leaf equal to the number of rails with routed VLANs",
			"NCCL PXN moves data between rails over NVLink only; without it the network must", []string{g.Name})
	}
}

// railsRouted says whether a group's rails reach each other through the network.
func (p *planner) railsRouted(g *fabric.Group) bool {
	switch {
	case p.f.Topology == fabric.RailOnly && g.RailsPerLeaf < g.NICs && p.f.Attachment != "tor":
		return false
	case p.f.Underlay.BGP, p.f.Underlay.HostMode == "routed":
		return true
	}
	found := false
	for i := range p.f.VLANs {
		v := &p.f.VLANs[i]
		elsewhere := p.f.Topology != fabric.SingleSwitch && (v.Unit < g.FirstUnit || v.Unit >= g.FirstUnit+g.Units)
		if elsewhere || v.Rail >= g.NICs {
			continue
		}
		found = true
		if !v.Gateway.IsValid() {
			return false
		}
	}
	return found
}

// checkHashing notes that equal chips hash alike, so that in three tiers the
// second choice of path repeats the first.
func (p *planner) checkHashing() {
	if p.f.Topology != fabric.ThreeTier {
		return
	}
	chips := map[fabric.Role]string{}
	for i := range p.f.Switches {
		sw := &p.f.Switches[i]
		if sw.Role == fabric.Leaf || sw.Role == fabric.Spine {
			chips[sw.Role] = p.f.ModelOf(sw).ASIC
		}
	}
	leaf, spine := chips[fabric.Leaf], chips[fabric.Spine]
	if leaf == "" || leaf != spine {
		return
	}
	p.find(fabric.Info, "HASH_POLARISATION",
		fmt.Sprintf("leaves and spines both use %s and hash the same fields: with equal seeds the flows that met on one uplink of the leaf meet again on one uplink of the spine", leaf),
		"give each tier its own ECMP hash seed, or use adaptive routing",
		"hash polarisation of cascaded ECMP with identical hash functions", []string{string(fabric.Leaf), string(fabric.Spine)})
}

// noteNICHeadroom gives the buffer at the other end of the host cables, where
// the driver's formula is published.
func (p *planner) noteNICHeadroom() {
	for i := range p.f.Groups {
		g := &p.f.Groups[i]
		if g.NICVendor != "nvidia" || g.Count == 0 {
			continue
		}
		length := 0.0
		for j := range p.f.Servers {
			s := &p.f.Servers[j]
			if s.Group != i {
				continue
			}
			for k := range s.Ports {
				if l := s.Ports[k].Link; l >= 0 {
					length = max(length, p.f.Links[l].LengthM)
				}
			}
		}
		if length == 0 {
			continue
		}
		mtu := p.f.Underlay.HostMTU
		if mtu <= 0 {
			mtu = p.mtu()
		}
		p.find(fabric.Info, "NIC_HEADROOM",
			fmt.Sprintf("NICs of group %s need %d B of headroom of their own at %dG, %s and MTU %d; the driver reserves it once it knows the cable length", g.Name, NICHeadroom(g.NICSpeed, length, mtu), g.NICSpeed, metres(length), mtu),
			fmt.Sprintf("set the NIC's cable length to %s (mlnx_qos --cable_len)", metres(length)),
			"Linux mlx5 driver, en/port_buffer.c", []string{g.Name})
	}
}
