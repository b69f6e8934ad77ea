package mlnxos

import (
	"fmt"
	"slices"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// Priorities of the two subnet managers; the higher one is master. 15 is left for a
// master that must not be displaced (opensm(8)).
var priorities = []int{14, 13}

// Operating systems of switches that can run a subnet manager.
const (
	osMLNX = "mlnx-os"
	osNVOS = "nvos"
)

// page is what the templates of a subnet see.
type page struct {
	Fabric, Subnet      string
	Placeholders, GUIDs int
	Switches            []manager
	NVOS                bool // they run NVOS
	Roots               []string
	Wish                string // a routing engine that is not confirmed on switches
	Isolated            bool   // partitions are declared
	Steps               bool   // something is left to check
}

// manager is one switch that runs a subnet manager.
type manager struct {
	Name       string
	File       string
	Priority   int
	Engine     string // "" for the default
	Partitions []partition

	nvos bool
}

type partition struct {
	Name, Key string
	Members   []member
}

type member struct{ GUID, Membership string }

func (m *manager) template() string {
	if m.nvos {
		return "nvos.nvue.tmpl"
	}
	return "mlnx-os.cli.tmpl"
}

func newPage(f *fabric.Fabric, s *ibsubnet.Subnet) *page {
	p := &page{Fabric: f.Name, Subnet: s.Name, Isolated: len(f.InfiniBand.Partitions) > 0}
	p.Placeholders, p.GUIDs = s.Placeholders(f)
	parts, made := partitionsOf(f, s)
	on := engineOf(f, s)
	for i, at := range managersOf(f, s) {
		sw := &f.Switches[at]
		m := manager{Name: sw.Name, File: sw.Name, Priority: priorities[i], nvos: sw.OS == osNVOS}
		if m.nvos {
			p.NVOS, m.File = true, m.File+".nvue"
		} else {
			m.Engine, m.Partitions = on.emit, parts
			if made { // the command line has no comments to say it in
				m.File += ".PLACEHOLDER"
			}
			m.File += ".cli"
		}
		p.Switches = append(p.Switches, m)
	}
	p.Wish = on.ask
	if on.emit == "ftree" || on.ask == "updn" {
		for _, i := range s.Roots {
			p.Roots = append(p.Roots, ibsubnet.GUID(f.Switches[i].GUID.Value))
		}
	}
	p.Steps = !p.NVOS && (p.Isolated || p.Wish != "" || len(p.Roots) > 0)
	return p
}

// managersOf are up to two switches that run a subnet manager: those of the top tier
// first, which see the whole fabric over the shortest ways. All are of one OS.
func managersOf(f *fabric.Fabric, s *ibsubnet.Subnet) []int {
	var out []int
	add := func(list []int) {
		for _, i := range list {
			os := f.Switches[i].OS
			if (os == osMLNX || os == osNVOS) && len(out) < len(priorities) && !slices.Contains(out, i) &&
				(len(out) == 0 || f.Switches[out[0]].OS == os) {
				out = append(out, i)
			}
		}
	}
	add(s.Roots)
	add(s.Switches)
	return out
}

// choice is a routing engine that is written or one that is only asked for.
type choice struct{ emit, ask string }

// engineOf: ftree is what automation in the field sets (APL); minhop is what the
// switch does by itself (SX), so it has no line.
func engineOf(f *fabric.Fabric, s *ibsubnet.Subnet) choice {
	switch e := f.InfiniBand.Routing; {
	case e == "ftree", (e == "" || e == "auto") && len(s.Switches) > 1:
		return choice{emit: "ftree"}
	case e == "" || e == "auto" || e == "minhop":
		return choice{}
	default:
		return choice{ask: e}
	}
}

func partitionsOf(f *fabric.Fabric, s *ibsubnet.Subnet) (out []partition, made bool) {
	list := ibsubnet.Partitions(f, s)
	for i := range list {
		p := partition{Name: list[i].Name, Key: fmt.Sprintf("0x%x", list[i].Key)}
		for _, m := range list[i].Members {
			membership := "limited"
			if m.Full {
				membership = "full"
			}
			p.Members = append(p.Members, member{ibsubnet.ColonGUID(m.Host.GUID.Value), membership})
			made = made || m.Host.GUID.Placeholder
		}
		out = append(out, p)
	}
	return out, made
}
