package cumulus

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// portName is the panel number behind "swp"; the parts of a split cage follow as
// s0, s1, … (PORT516).
func portName(p *fabric.Port) string {
	if p.Split > 1 {
		return fmt.Sprintf("swp%ds%d", p.Cage, p.Lane-1)
	}
	return fmt.Sprintf("swp%d", p.Cage)
}

// splits are the breakout modes that split a cage.
func splits(n int) bool { return n == 2 || n == 4 || n == 8 }

// crowds reports whether a cage split this far takes the lanes of the next one,
// which must then be disabled: two cages share the lanes of an odd number and
// its successor (PORT516).
func crowds(m *fabric.Model, split int) bool {
	switch strings.TrimPrefix(m.ID, "nvidia-") {
	case "sn4600", "sn4600c":
		return split == 4
	case "sn4700", "sn5400", "sn5600", "sn5610":
		return split == 8
	}
	return false
}

// cagesOf lists the cages of a switch in order with what they are split into.
func cagesOf(sw *fabric.Switch) []fabric.Port {
	var cages []fabric.Port
	for i := range sw.Ports {
		p := sw.Ports[i]
		if n := len(cages); n == 0 || cages[n-1].Cage != p.Cage {
			cages = append(cages, p)
		}
	}
	return cages
}

// disabled are the cages whose lanes a neighbour has taken.
func disabled(m *fabric.Model, sw *fabric.Switch) []int {
	var out []int
	for _, c := range cagesOf(sw) {
		if crowds(m, c.Split) && c.Cage%2 == 1 {
			out = append(out, c.Cage+1)
		}
	}
	return out
}

func linked(p *fabric.Port) bool { return p.Link >= 0 && p.Role != fabric.UnusedPort }

func portGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	m := f.ModelOf(sw)
	var gaps []gap
	var bad []string
	even := false
	for _, c := range cagesOf(sw) {
		if word := fmt.Sprintf("%dx", c.Split); c.Split > 1 && !splits(c.Split) && !slices.Contains(bad, word) {
			bad = append(bad, word)
		}
		even = even || crowds(m, c.Split) && c.Cage%2 == 0
	}
	if len(bad) > 0 {
		gaps = one(fabric.Error, "CUMULUS_BREAKOUT",
			"no breakout mode "+strings.Join(bad, ", ")+" exists; cages split so have no line", "split a cage into 2, 4 or 8", "PORT516, NVUE")
	}
	lost := disabled(m, sw)
	taken := slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool {
		return slices.Contains(lost, p.Cage) && (linked(&p) || p.Split > 1 || p.Reserved)
	})
	if even || taken {
		gaps = append(gaps, one(fabric.Error, "CUMULUS_ADJACENT_PORT",
			m.ID+" can split a cage this far only at odd numbers, and only when the next cage is left unused: the plan uses both",
			"use a smaller breakout", "PORT516")...)
	}
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Role == fabric.CellPort }) {
		gaps = append(gaps, one(fabric.Error, "CUMULUS_CELL_FABRIC",
			"Cumulus Linux runs no cell fabric; the cell ports are left out", "use another system for a distributed chassis", "")...)
	}
	return gaps
}

func modelGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	m := f.ModelOf(sw)
	if m.Vendor != "nvidia" {
		return one(fabric.Error, "CUMULUS_MODEL",
			"Cumulus Linux with NVUE runs on NVIDIA Spectrum switches only, and "+m.ID+" is none", "choose another os for this model", "PORT516")
	}
	if m.ID == "nvidia-sn5640" {
		return one(fabric.Warning, "CUMULUS_MODEL_UNLISTED",
			m.ID+" is not in the tables of port modes of the guide up to 5.16", "ask the vendor for the release that runs on it", "PORT516", "nv show platform")
	}
	return nil
}

// splitFirst reports whether cages have to be split before the rest is applied:
// NVUE refuses QoS profiles on ports that do not exist yet (QOS516).
func splitFirst(f *fabric.Fabric, sw *fabric.Switch) bool {
	return lossless(f, sw) && slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return splits(p.Split) })
}

func breakoutGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !splitFirst(f, sw) {
		return nil
	}
	return one(fabric.Warning, "CUMULUS_BREAKOUT_FIRST",
		"breakouts and QoS settings of the new ports cannot be applied in one go: "+breakouts+" has to be applied before "+startup+" the first time",
		"apply both in this order; later changes need "+startup+" only, unless they split another cage", "QOS516",
		"nv config patch "+breakouts, "nv config apply", "nv config replace "+startup, "nv config diff", "nv config apply --confirm")
}

// portDownGaps: the form below was printed by 5.5 and is used up to 5.14; a
// newer device's own file with a port down was not found.
func portDownGaps(_ *fabric.Fabric, sw *fabric.Switch) []gap {
	if dialectOf(sw.Release).Minor < 15 || !slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return !linked(&p) }) {
		return nil
	}
	return one(fabric.Warning, "CUMULUS_PORT_DOWN",
		"unused ports are shut as releases up to 5.14 print it; no file of a newer release with a port down was found",
		"if the switch refuses the key, shut them with the command", "WS55, netlab", "nv set interface <port> link state down")
}
