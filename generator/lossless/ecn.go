package lossless

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// band is where marking starts, where it reaches its full probability, and that
// probability: bytes, bytes, percent.
type band struct{ kmin, kmax, pmax int }

// marking is a named ECN profile.
type marking struct {
	name   string
	source string
	speeds string // the speeds it has values for, for a message; "" any
	byRole bool   // leaves and spines differ
	at     func(speed int, role fabric.Role) (band, bool)
}

const kb = 1000

// markings are the named profiles. Values are scaled by speed only where the
// source gives the rule.
func markings() []marking {
	return []marking{
		{name: "railyard",
			source: "railyard's suggestion: Kmin 1 KB per Gb/s (8 us of the link's rate), Kmax four times that, 20 %: early enough to spare PFC, late enough not to starve a single flow",
			at:     perGb(1*kb, 4*kb, 20)},
		{name: "nvidia", source: "NVIDIA Cumulus Linux RoCE mode defaults and Onyx show roce: 150 KB, 1500 KB, 100 % at any speed",
			at: fixed(band{150 * kb, 1500 * kb, 100}, 0)},
		{name: "hpcc", source: "HPCC simulator config.txt (DCQCN, 25G 100/400 KB, 50G 200/800 KB, 100G 400/1600 KB, 20 %), scaled by its rule of 4 and 16 KB per Gb/s",
			at: perGb(4*kb, 16*kb, 20)},
		{name: "huawei-delay", source: "Huawei static ECN guide EDOC1100155250, delay first: 25G and 100G as printed, other speeds by its rule Kmax = 2 x 20 us of the link's rate",
			at: huawei(2, 30, map[int]int{25: 150 * kb, 100: 500 * kb})},
		{name: "huawei-throughput", source: "Huawei static ECN guide EDOC1100155250, throughput first: 25G and 100G as printed, other speeds by its rule Kmax = 3 x 20 us of the link's rate",
			at: huawei(3, 10, map[int]int{25: 200 * kb, 100: 750 * kb})},
		{name: "sonic", source: "SONiC qos_config.j2, AZURE_LOSSLESS: 1 MiB, 2 MiB, 5 % at any speed",
			at: fixed(band{1 << 20, 2 << 20, 5}, 0)},
		{name: "h3c-400g", speeds: "400G", source: "a 400G deployment script for H3C S9827: 6000 and 12000 cells of 254 bytes, 40 %",
			at: only(400, band{6000 * 254, 12000 * 254, 40})},
		{name: "arista-leaf-spine", speeds: "up to 400G", byRole: true,
			source: "Arista reference design as quoted by users: leaf 256/512 KB, spine 512/768 KB, 100 %; no values above 400G are published",
			at:     leafSpine(band{256 * kb, 512 * kb, 100}, band{512 * kb, 768 * kb, 100}, 400)},
		{name: "dell", speeds: "400G", source: "Dell Enterprise SONiC RoCE mode on Z9664F, in AMD's cluster networking guide: 2.048 MB, 12.48 MB, 15 %",
			at: only(400, band{2048 * kb, 12480 * kb, 15})},
	}
}

func perGb(kmin, kmax, pmax int) func(int, fabric.Role) (band, bool) {
	return func(speed int, _ fabric.Role) (band, bool) { return band{kmin * speed, kmax * speed, pmax}, true }
}

// fixed is one band up to a speed; 0 any.
func fixed(b band, upTo int) func(int, fabric.Role) (band, bool) {
	return leafSpine(b, b, upTo)
}

func only(speed int, b band) func(int, fabric.Role) (band, bool) {
	return func(s int, _ fabric.Role) (band, bool) { return b, s == speed }
}

func leafSpine(leaf, above band, upTo int) func(int, fabric.Role) (band, bool) {
	return func(speed int, role fabric.Role) (band, bool) {
		ok := upTo == 0 || speed <= upTo
		if role == fabric.Leaf {
			return leaf, ok
		}
		return above, ok
	}
}

// huawei is Kmin 7 KB and a Kmax of so many bandwidth-delay products of 20 us,
// 2.5 KB per Gb/s each, except where the guide prints a value.
func huawei(products, pmax int, printed map[int]int) func(int, fabric.Role) (band, bool) {
	return func(speed int, _ fabric.Role) (band, bool) {
		kmax, ok := printed[speed]
		if !ok {
			kmax = products * 2500 * speed
		}
		return band{7 * kb, kmax, pmax}, kmax > 7*kb
	}
}

// marking chooses the profile that the cluster file names and records it in the
// plan; nil with a problem when there is none.
func (p *planner) marking() *marking {
	want := p.c.Lossless.ECN
	name := want.Profile
	if name == "" && want.Kmin > 0 {
		name = "custom"
	}
	var m *marking
	switch name {
	case "", "auto":
		name = "auto"
		m = named("railyard")
	case "custom":
		m = p.customMarking()
	default:
		if m = named(name); m == nil {
			p.problem("lossless.ecn.profile", fmt.Sprintf("%q is not a marking profile", name), "use one of "+profileNames())
		}
	}
	if m != nil {
		p.f.Lossless.ECNProfile, p.f.Lossless.ECNSource = name, m.source
	}
	return m
}

func (p *planner) customMarking() *marking {
	e := p.c.Lossless.ECN
	own := band{int(e.Kmin), int(e.Kmax), e.Pmax}
	switch {
	case own.kmin <= 0 || own.kmax <= own.kmin:
		p.problem("lossless.ecn", fmt.Sprintf("marking from kmin %d B to kmax %d B is not a band", own.kmin, own.kmax), "give kmin above zero and kmax above kmin")
		return nil
	case own.pmax < 1 || own.pmax > 100:
		p.problem("lossless.ecn.pmax", fmt.Sprintf("%d is not a marking probability", own.pmax), "give 1 to 100 percent")
		return nil
	}
	return &marking{name: "custom", source: "cluster file, lossless.ecn", at: fixed(own, 0)}
}

func named(name string) *marking {
	all := markings()
	if i := slices.IndexFunc(all, func(m marking) bool { return m.name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

func profileNames() string {
	names := []string{"auto"}
	for _, m := range markings() {
		names = append(names, m.name)
	}
	return strings.Join(append(names, "custom"), ", ")
}

// noMarking reports a speed that the chosen profile has no value for, with the
// profiles that do.
func (p *planner) noMarking(m *marking, speed int) {
	var have []string
	for _, other := range markings() {
		if _, ok := other.at(speed, fabric.Leaf); ok {
			have = append(have, other.name)
		}
	}
	where := m.speeds
	if where == "" {
		where = "other speeds"
	}
	p.problem("lossless.ecn.profile",
		fmt.Sprintf("the marking profile %q has values for %s only, and the fabric has ports of %dG", m.name, where, speed),
		fmt.Sprintf("for %dG use one of %s, or custom numbers", speed, strings.Join(have, ", ")))
}
