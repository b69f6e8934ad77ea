package cluster

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/catalog"
)

// switches completes the tiers: what a spine or core leaves out it takes from
// the tier below, and the catalog entry is laid under what is declared.
func (l *loader) switches() {
	s := &l.c.Switches
	ddc := l.c.Fabric.Topology == "ddc"
	if s.Leaf.Model == "" {
		l.require(false, "switches.leaf.model", "write model: h3c-s9827-128dh; railyard catalog lists what is known", "the leaf's model is missing")
		return
	}
	good := l.tier(&s.Leaf, "switches.leaf", "switches.leaf")
	at := "switches.leaf"
	for _, t := range []struct {
		tier, below *Tier
		path        string
	}{{&s.Spine, &s.Leaf, "switches.spine"}, {&s.Core, &s.Spine, "switches.core"}} {
		if t.path == "switches.core" && ddc {
			break
		}
		own := t.tier.Model != ""
		at = l.inherit(t.tier, t.below, t.path, at)
		if good || own { // what is wrong below need not be said again
			good = l.tier(t.tier, t.path, at)
		}
	}
	l.distributed(ddc)
}

// inherit fills a tier without a model from the tier below, and returns the
// path under which the model stands.
func (l *loader) inherit(t, below *Tier, path, belowAt string) string {
	if t.Model != "" {
		return path
	}
	t.Model = below.Model
	if t.OS == "" {
		t.OS = below.OS
	}
	if t.Release == "" && t.OS == below.OS {
		t.Release = below.Release
	}
	if t.Ports == nil {
		t.Ports = below.Ports
	}
	if t.Buffer == 0 {
		t.Buffer = below.Buffer
	}
	if t.Cell == 0 {
		t.Cell = below.Cell
	}
	return belowAt
}

// tier resolves one tier. Path is the tier's, at the one that holds its model.
func (l *loader) tier(t *Tier, path, at string) bool {
	if !l.usable(path) {
		return false
	}
	before := l.report.Len()
	known := l.c.Catalog.Switch(t.Model)
	if known == nil && len(t.Ports) == 0 {
		l.fail(at+".model", unknownRemedy("switches", t.Model, switchIDs(l.c.Catalog))+", or write os: and ports: [{count: 64, speed: 400G}] beside it", "the catalog has no switch %s", t.Model)
		return false
	}
	if known == nil {
		known = &catalog.Switch{ID: t.Model, Kind: kindOf(l.c.Fabric.Technology), Confidence: catalog.Declared}
		if t.OS != "" {
			known.OS = []string{osName(t.OS)}
		}
	}
	t.Spec = *known
	l.panel(t, path, at)
	l.os(t, path, at)
	l.kind(t, at)
	return l.report.Len() == before
}

func kindOf(technology string) string {
	if technology == "infiniband" {
		return "ib"
	}
	return "eth"
}

// panel lays the declared ports, buffer and cell over the catalog's.
func (l *loader) panel(t *Tier, path, at string) {
	if len(t.Ports) > 0 {
		t.Spec.Ports, t.Spec.Confidence = t.Ports, catalog.Declared
		if l.c.written(path + ".ports") {
			e := &entryCheck{l: l, problem: l.c.Problem}
			e.ports(path, &t.Spec)
		}
	}
	if t.Buffer > 0 {
		t.Spec.Buffer = t.Buffer
	}
	if t.Cell > 0 {
		t.Spec.Cell = t.Cell
	}
	if asic := l.c.Catalog.ASIC(t.Spec.ASIC); asic != nil {
		if t.Spec.Buffer == 0 {
			t.Spec.Buffer = asic.Buffer
		}
		if t.Spec.Cell == 0 {
			t.Spec.Cell = asic.Cell
		}
	}
	if len(t.Spec.Ports) > 0 || !l.usable(at+".model") {
		return
	}
	reason := ""
	if t.Spec.Note != "" {
		reason = " (" + t.Spec.Note + ")"
	}
	l.fail(at+".model", fmt.Sprintf("write them under %s as the data sheet has them, for example ports: [{count: 32, speed: 400G, breakout: [2x200G]}] and buffer: 64MB", at),
		"the ports of %s are not known%s", t.Model, reason)
}

// os settles the network OS.
func (l *loader) os(t *Tier, path, at string) {
	t.OS = osName(t.OS)
	for i := range t.Spec.OS {
		if name := osName(t.Spec.OS[i]); name != t.Spec.OS[i] {
			t.Spec.OS = slices.Clone(t.Spec.OS)
			t.Spec.OS[i] = name
		}
	}
	if t.OS == "" {
		if len(t.Spec.OS) > 0 {
			t.OS = t.Spec.OS[0]
		} else if t.Spec.Kind != "ib" {
			l.require(false, path+".os", "write os: "+strings.Join(operatingSystems(l.c.Catalog), ", os: "), "which network OS %s runs is not known", t.Model)
		}
		return
	}
	key := path + ".os"
	if !l.c.written(key) {
		key = at + ".os"
	}
	l.osOf(key, t.OS, &t.Spec)
}

// osOf checks that a switch runs an OS. What an InfiniBand switch runs is not
// railyard's business, since the subnet manager configures it.
func (l *loader) osOf(path, name string, s *catalog.Switch) {
	known := operatingSystems(l.c.Catalog)
	switch {
	case !slices.Contains(known, name):
		l.require(false, path, choice(name, known), "railyard knows no network OS %s", quote(name))
	case s != nil && s.Kind != "ib" && len(s.OS) > 0 && !slices.Contains(s.OS, name):
		l.require(false, path, fmt.Sprintf("write os: %s, or declare the model under catalog: {switches: [...]} with os: [%s]", strings.Join(s.OS, " or os: "), name),
			"%s does not run %s as far as the catalog knows", s.ID, name)
	}
}

// kind holds the switch against the link technology.
func (l *loader) kind(t *Tier, at string) {
	if !l.usable(at+".model", "fabric.technology") {
		return
	}
	switch ib := t.Spec.Kind == "ib"; {
	case l.c.Fabric.Technology == "infiniband" && !ib:
		l.fail(at+".model", "write technology: roce, or choose an InfiniBand switch such as nvidia-qm9700", "%s is an Ethernet switch, and the fabric is InfiniBand", t.Model)
	case l.c.Fabric.Technology == "roce" && ib:
		l.fail(at+".model", "write technology: infiniband, or choose an Ethernet switch such as nvidia-sn5600", "%s is an InfiniBand switch, and RoCE needs Ethernet", t.Model)
	}
}

// distributed holds the parts of a distributed (DDC) system in their places.
func (l *loader) distributed(ddc bool) {
	s := &l.c.Switches
	if !l.usable("fabric.topology", "switches.leaf", "switches.spine") {
		return
	}
	switch {
	case ddc && s.Leaf.Spec.DDC != "ncp":
		l.fail("switches.leaf.model", "choose a packet switch such as h3c-s12500ai-36dh20ep-ncpn, or declare the model under catalog with ddc: ncp", "topology ddc needs packet switches (ncp) as leaves, and %s is none", s.Leaf.Model)
	case ddc && s.Spine.Spec.DDC != "ncf":
		l.fail("switches.spine.model", "choose a cell switch such as h3c-s12500ai-128ep-ncfn, or declare the model under catalog with ddc: ncf", "topology ddc needs cell switches (ncf) as spines, and %s is none", s.Spine.Model)
	case ddc && l.c.written("switches.core.model"):
		l.fail("switches.core.model", "remove it", "topology ddc has no cores")
	case !ddc && s.Leaf.Spec.DDC == "ncf":
		l.fail("switches.leaf.model", "use it as spine, with topology: ddc", "%s is a cell switch, which servers cannot be cabled to", s.Leaf.Model)
	case !ddc && s.Spine.Spec.DDC == "ncf":
		l.fail("fabric.topology", "write topology: ddc, or choose another spine", "%s is a cell switch of a distributed system", s.Spine.Model)
	}
}
