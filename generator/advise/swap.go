package advise

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// Pick is a switch that was put in for the other technology.
type Pick struct {
	Model   string `json:"model"`
	Instead string `json:"instead_of"` // the leaf's declared model
	By      string `json:"by"`         // railyard, or the flag
	Reason  string `json:"reason"`
}

// candidate is a switch railyard may put in.
type candidate struct{ model, reason string }

// infiniBandPicks are tried in turn: the slowest generation whose rates all
// NICs speak costs least.
func infiniBandPicks() []candidate {
	return []candidate{
		{"nvidia-qm8700", "HDR: 40 ports of 200G, or 80 of 100G"},
		{"nvidia-qm9700", "NDR: 64 ports of 400G"},
		{"nvidia-q3400-ra", "XDR: 144 ports of 800G"},
	}
}

// ethernetPicks are tried in turn from the one that is comparable with the
// InfiniBand switch for NICs of that speed.
func ethernetPicks(speed int) []candidate {
	all := []candidate{
		{"nvidia-sn4600c", "64 ports of 100G"},
		{"nvidia-sn3700", "32 ports of 200G"},
		{"nvidia-sn5400", "64 ports of 400G"},
		{"nvidia-sn5600", "64 ports of 800G, or 128 of 400G"},
	}
	switch {
	case speed > 400:
		return all[3:]
	case speed > 200:
		return all[2:]
	case speed > 100:
		return all[1:]
	}
	return all
}

// rateOf is the InfiniBand rate at which a switch generation runs a port of
// that speed in Gb/s, as the NIC tables name it; "" where it does not.
func rateOf(generation string, speed int) string {
	switch fmt.Sprint(generation, " ", speed) {
	case "HDR 100":
		return "HDR100"
	case "HDR 200":
		return "HDR"
	case "NDR 200":
		return "NDR200"
	case "NDR 400":
		return "NDR"
	case "XDR 800":
		return "XDR"
	}
	return ""
}

// splitOnEthernet reports NICs whose fastest InfiniBand port has no Ethernet twin:
// a ConnectX-8 does XDR on one port, but Ethernet only as 2 x 400G (NVIDIA,
// ConnectX-8 firmware release notes 40.44.0208, "Link Speed").
func splitOnEthernet(nic string, speed int) bool { return nic == "cx8-800" && speed == 800 }

// The speeds of such a NIC's one InfiniBand port and of each of its two
// Ethernet ports, in Gb/s.
const (
	wholeSpeed = 800
	halfSpeed  = 400
)

// swap is a cluster on its way to the other technology.
type swap struct {
	c       cluster.Cluster
	pick    Pick
	changed []string
	notes   []string
	why     []string // it cannot be done
}

// designOther designs the cluster with the other technology.
func designOther(c *cluster.Cluster, f *fabric.Fabric, opt *Options) Design {
	to := otherThan(f.Technology)
	s := &swap{c: *c}
	s.c.Servers = slices.Clone(c.Servers)
	s.c.Fabric.Technology = string(to)
	fail := func(why ...string) Design {
		d := Design{Technology: string(to), Why: why, Changed: s.changed, Notes: s.notes}
		if s.pick.Model != "" {
			d.Picks = []Pick{s.pick}
		}
		return d
	}
	if opt.Design == nil {
		return fail("it was not asked for")
	}
	if to == fabric.InfiniBand {
		s.toInfiniBand(opt.OtherSwitch)
	} else {
		s.toRoCE(opt.OtherSwitch)
	}
	if len(s.why) > 0 {
		return fail(s.why...)
	}
	s.reset()
	g, err := opt.Design(&s.c)
	if err != nil {
		return fail(reasons(err)...)
	}
	d := describe(&s.c, g, false)
	d.Picks, d.Changed, d.Notes = []Pick{s.pick}, s.changed, append(s.notes, d.Notes...)
	return d
}

// reasons takes an error apart without the positions, which are those of the
// file as written, not of the cluster that was tried.
func reasons(err error) []string {
	var problems cluster.Problems
	if !errors.As(err, &problems) {
		return []string{err.Error()}
	}
	var list []string
	for i := range problems {
		p := &problems[i]
		text := p.Path + ": " + p.Message
		if p.Remedy != "" {
			text += "; " + p.Remedy
		}
		list = append(list, text)
	}
	return list
}

// members are the groups that have servers now or later.
func (s *swap) members(visit func(g *cluster.ServerGroup, nic *catalog.NIC)) {
	for i := range s.c.Servers {
		g := &s.c.Servers[i]
		if g.Count == 0 && g.Reserve == 0 {
			continue
		}
		nic := s.c.Catalog.NIC(g.NIC)
		if nic == nil {
			s.why = append(s.why, fmt.Sprintf("the NIC of group %s is not declared, so whether it does both is not known", g.Name))
			continue
		}
		visit(g, nic)
	}
}

func (s *swap) toInfiniBand(want string) {
	s.members(func(g *cluster.ServerGroup, nic *catalog.NIC) {
		switch gpu := s.c.Catalog.GPU(g.GPU); {
		case gpu != nil && gpu.RoCEOnly:
			s.why = append(s.why, fmt.Sprintf("group %s: %s cannot use InfiniBand", g.Name, g.GPU))
		case len(nic.IB) == 0:
			s.why = append(s.why, fmt.Sprintf("group %s: %s has no InfiniBand mode", g.Name, g.NIC))
		}
	})
	if len(s.why) > 0 {
		return
	}
	s.join(want)
	s.choose(want, infiniBandPicks(), func(hw *catalog.Switch) string {
		generation := ""
		if asic := s.c.Catalog.ASIC(hw.ASIC); asic != nil {
			generation = asic.IB
		}
		unfit := ""
		s.members(func(g *cluster.ServerGroup, nic *catalog.NIC) {
			rate := rateOf(generation, int(g.NICSpeed))
			switch {
			case unfit != "":
			case hw.Radix(int(g.NICSpeed)) == 0 || rate == "":
				unfit = fmt.Sprintf("%s has no ports of %s for group %s", hw.ID, g.NICSpeed, g.Name)
			case !slices.Contains(nic.IB, rate):
				unfit = fmt.Sprintf("%s runs %s as %s, and %s of group %s speaks %s", hw.ID, g.NICSpeed, rate, g.NIC, g.Name, strings.Join(nic.IB, ", "))
			}
		})
		return unfit
	})
}

// join makes one XDR port of the two Ethernet ports of a rail, unless a switch
// of another generation was asked for.
func (s *swap) join(want string) {
	if hw := s.c.Catalog.Switch(want); hw != nil && hw.Radix(wholeSpeed) == 0 {
		return
	}
	joined := s.c.Fabric.Planes == 2
	s.members(func(g *cluster.ServerGroup, _ *catalog.NIC) {
		joined = joined && splitOnEthernet(g.NIC, 2*int(g.NICSpeed))
	})
	if joined {
		s.rail(1, wholeSpeed)
		s.changed = append(s.changed, "planes: 1 with 800G XDR on one port, instead of 2 x 400G Ethernet")
	}
}

// rail sets how every NIC is attached.
func (s *swap) rail(planes int, speed quantity.Speed) {
	s.c.Fabric.Planes = planes
	for i := range s.c.Servers {
		s.c.Servers[i].NICSpeed = speed
	}
}

func (s *swap) toRoCE(want string) {
	fastest, vpi := 0, ""
	split := s.c.Fabric.Planes == 1
	s.members(func(g *cluster.ServerGroup, nic *catalog.NIC) {
		fastest = max(fastest, int(g.NICSpeed))
		split = split && splitOnEthernet(g.NIC, int(g.NICSpeed))
		if strings.HasSuffix(g.NIC, "-vpi") && vpi == "" {
			vpi = g.NIC
		}
	})
	if len(s.why) > 0 {
		return
	}
	if split {
		s.rail(2, halfSpeed)
		s.changed = append(s.changed, "planes: 2 with 400G each, since ConnectX-8 has no 800G Ethernet port")
	} else {
		s.members(func(g *cluster.ServerGroup, _ *catalog.NIC) {
			if splitOnEthernet(g.NIC, int(g.NICSpeed)) {
				s.why = append(s.why, fmt.Sprintf("group %s: %s has no Ethernet port of 800G, only 2 x 400G on two planes, which the other groups cannot follow", g.Name, g.NIC))
			}
		})
		if len(s.why) > 0 {
			return
		}
	}
	if vpi != "" {
		s.notes = append(s.notes, "VPI cards are delivered set to InfiniBand: for RoCE they are set to Ethernet once (LINK_TYPE_P1=2)")
	}
	s.choose(want, ethernetPicks(fastest), func(hw *catalog.Switch) string {
		unfit := ""
		s.members(func(g *cluster.ServerGroup, _ *catalog.NIC) {
			if unfit == "" && hw.Radix(int(g.NICSpeed)) == 0 {
				unfit = fmt.Sprintf("%s has no ports of %s for group %s", hw.ID, g.NICSpeed, g.Name)
			}
		})
		return unfit
	})
}

// choose takes the wanted switch or the first candidate that fits.
func (s *swap) choose(want string, picks []candidate, unfit func(*catalog.Switch) string) {
	by := "railyard"
	if want != "" {
		picks, by = []candidate{{want, "as asked for"}}, "--other-switch"
	}
	var why []string
	for _, p := range picks {
		hw := s.c.Catalog.Switch(p.model)
		if hw == nil {
			why = append(why, "the catalog has no "+p.model)
			continue
		}
		if reason := unfit(hw); reason != "" {
			why = append(why, reason)
			continue
		}
		s.pick = Pick{Model: hw.ID, Instead: s.c.Switches.Leaf.Model, By: by, Reason: p.reason}
		s.put(hw)
		return
	}
	s.why = append(s.why, why...)
}

// put makes a switch that of all tiers; the cables stay as declared.
func (s *swap) put(hw *catalog.Switch) {
	spec := *hw
	if asic := s.c.Catalog.ASIC(spec.ASIC); asic != nil {
		if spec.Buffer == 0 {
			spec.Buffer = asic.Buffer
		}
		if spec.Cell == 0 {
			spec.Cell = asic.Cell
		}
	}
	w := &s.c.Switches
	for _, t := range []*cluster.Tier{&w.Leaf, &w.Spine, &w.Core} {
		*t = cluster.Tier{Model: spec.ID, Spec: spec, Cable: t.Cable}
		if len(spec.OS) > 0 {
			t.OS = spec.OS[0]
		}
	}
}

// reset frees what was sized for the declared switches.
func (s *swap) reset() {
	f := &s.c.Fabric
	set := func(was bool, what string) {
		if was {
			s.changed = append(s.changed, what)
		}
	}
	if f.Technology == string(fabric.RoCE) && f.RoCE == "" {
		f.RoCE = "v2"
	}
	keep := f.Topology == "auto" || f.Topology == string(fabric.RailOnly)
	set(!keep, "topology: auto instead of "+f.Topology)
	if !keep {
		f.Topology = "auto"
	}
	set(f.RailsPerLeaf != 0, "rails_per_leaf: auto")
	set(f.ServersPerUnit != 0, "servers_per_unit: auto")
	set(f.UplinkSpeed != 0, "uplink_speed: auto")
	set(f.Spines != 0, "spines: auto")
	s.notes = append(s.notes, "cables keep the declared lengths and types")
	f.RailsPerLeaf, f.ServersPerUnit, f.UplinkSpeed, f.Spines = 0, 0, 0, 0
	set(len(s.c.Overrides) > 0, "overrides left out")
	s.c.Overrides = nil
	set(s.c.InfiniBand.UFMLinks > 0, "no links for UFM")
	s.c.InfiniBand.UFMLinks = 0
}
