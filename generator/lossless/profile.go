package lossless

import (
	"cmp"
	"fmt"
	"slices"

	"railyard/generator/fabric"
)

// portKind is what decides a port's profile. The role matters only to marking
// profiles that treat tiers apart and is empty otherwise.
type portKind struct {
	model, speed int
	length       float64
	role         fabric.Role
}

// profiles gives every lossless port its profile. Kinds are sorted, so that the
// numbering does not hang on which switch comes first.
func (p *planner) profiles() {
	marking := p.marking()
	if marking == nil {
		return
	}
	kinds := p.kinds(marking.byRole)
	slices.SortFunc(kinds, func(a, b portKind) int {
		return cmp.Or(cmp.Compare(a.model, b.model), cmp.Compare(a.speed, b.speed),
			cmp.Compare(a.length, b.length), cmp.Compare(a.role, b.role))
	})
	tables := publishedTables()
	index := make(map[portKind]int, len(kinds))
	missing := map[int]bool{}
	p.f.Lossless.Profiles = make([]fabric.Profile, len(kinds))
	for i, k := range kinds {
		index[k] = i
		p.f.Lossless.Profiles[i] = p.profile(tables, k)
		mark, ok := marking.at(k.speed, k.role)
		if !ok && !missing[k.speed] {
			missing[k.speed] = true
			p.noMarking(marking, k.speed)
		}
		pr := &p.f.Lossless.Profiles[i]
		pr.KminBytes, pr.KmaxBytes, pr.PmaxPercent = mark.kmin, mark.kmax, mark.pmax
	}
	p.eachLosslessPort(marking.byRole, func(port *fabric.Port, k portKind) { port.Profile = index[k] })
	p.checkHeadroomSources()
}

func (p *planner) kinds(byRole bool) []portKind {
	seen := map[portKind]bool{}
	var kinds []portKind
	var last portKind
	p.eachLosslessPort(byRole, func(_ *fabric.Port, k portKind) {
		if k == last || seen[k] { // neighbouring ports are mostly alike
			return
		}
		seen[k], last = true, k
		kinds = append(kinds, k)
	})
	return kinds
}

func (p *planner) eachLosslessPort(byRole bool, do func(*fabric.Port, portKind)) {
	for i := range p.f.Switches {
		sw := &p.f.Switches[i]
		for j := range sw.Ports {
			port := &sw.Ports[j]
			if !carriesLossless(port) {
				continue
			}
			k := portKind{model: sw.Model, speed: port.SpeedGbps, length: p.f.Links[port.Link].LengthM}
			if byRole {
				k.role = sw.Role
			}
			do(port, k)
		}
	}
}

func (p *planner) profile(tables []table, k portKind) fabric.Profile {
	h := p.headroom(tables, k)
	return fabric.Profile{
		Model: k.model, SpeedGbps: k.speed, LengthM: k.length, MTU: p.mtu(),
		XoffBytes: h.xoff, XonBytes: h.xon, SizeBytes: h.size, AlphaLog2: h.alpha,
		Headroom: h.name, Source: h.source,
	}
}

// headroom is the computed headroom, or the user's in its place.
func (p *planner) headroom(tables []table, k portKind) headroom {
	h := headroomOf(tables, &p.f.Models[k.model], k.speed, k.length, p.mtu())
	if own := int(p.c.Lossless.Headroom); own > 0 {
		h.size += own - h.xoff
		h.source = fmt.Sprintf("cluster file, lossless.headroom (computed: %d B by %s)", h.xoff, h.name)
		h.xoff, h.name = own, "declared"
	}
	return h
}

// checkHeadroomSources reports switches for which only the generic bound is
// left, and a declared headroom that is smaller than the computed need.
func (p *planner) checkHeadroomSources() {
	tables := publishedTables()
	own := int(p.c.Lossless.Headroom)
	var generic, short []string
	most := 0
	for _, pr := range p.f.Lossless.Profiles {
		m := &p.f.Models[pr.Model]
		h := headroomOf(tables, m, pr.SpeedGbps, pr.LengthM, pr.MTU)
		if own == 0 && h.name == "bound 802.1Qbb" {
			generic = append(generic, m.ID)
		}
		if own > 0 && own < h.xoff {
			short = append(short, fmt.Sprintf("%s %dG %s", m.ID, pr.SpeedGbps, metres(pr.LengthM)))
			most = max(most, h.xoff)
		}
	}
	if len(generic) > 0 {
		p.find(fabric.Info, "HEADROOM_GENERIC",
			"no vendor table or model of PFC headroom is published for this switch; the generic bound is used, and published tables of other chips lie above it, at 800G up to twice as high",
			"ask the vendor for the headroom of these ports and declare it as lossless.headroom",
			"IEEE 802.1Qbb delay bound", generic)
	}
	if len(short) > 0 {
		p.find(fabric.Warning, "HEADROOM_SHORT",
			fmt.Sprintf("the declared headroom of %d B is below the %d B that the longest or fastest of these ports needs: packets are lost when they pause", own, most),
			fmt.Sprintf("set lossless.headroom to auto, or to at least %d", most),
			"the headroom model of each profile", short)
	}
}
