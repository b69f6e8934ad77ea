package lossless

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// headroom is what one lossless priority group of one port reserves, in bytes.
type headroom struct {
	xoff, xon, size int
	alpha           int    // log2 of the dynamic threshold
	name            string // table or model the numbers come from
	source          string
}

// headroomOf decides the headroom of a port: the published table of that very
// hardware (a cable between two rows takes the longer row, unless the platform
// computes exact lengths), else the exact NVIDIA formula, else the fit of
// Broadcom's tables, else the 802.1Qbb bound.
//
// Sources are mixed only where a table ends, and there the numbers are held
// between those of its rows, so that a longer cable or a faster port never
// gets less than a shorter or slower one on the same switch.
func headroomOf(tables []table, m *fabric.Model, speed int, length float64, mtu int) headroom {
	t := tableOf(tables, m)
	if t == nil {
		return modelled(m, speed, length, mtu)
	}
	h, published := t.published(speed, length)
	if !published {
		h = modelled(m, speed, length, mtu)
		if !t.modelled {
			t.hold(&h, speed, length)
		}
	}
	h.alpha = t.alpha
	return h
}

// published is the table's own answer, false where the table does not reach or
// its platform would compute that length exactly.
func (t *table) published(speed int, length float64) (headroom, bool) {
	of := t.rate(speed)
	if of == nil {
		return headroom{}, false
	}
	r, ok := of.upTo(length)
	if !ok || t.modelled && r.length != length {
		return headroom{}, false
	}
	source := fmt.Sprintf("SONiC sonic-buildimage, pg_profile_lookup.ini of %s, row %dG %s", t.name, speed, metres(r.length))
	if r.length != length {
		source += fmt.Sprintf(" (next step above %s)", metres(length))
	}
	return headroom{xoff: r.xoff, xon: of.xon, size: r.sizeIn(*of), name: "table " + t.name, source: source}, true
}

// hold keeps a modelled value between the rows around it: not below a shorter
// cable of that speed or a slower port, not above a faster port.
func (t *table) hold(h *headroom, speed int, length float64) {
	low, high := 0, math.MaxInt
	for i := range t.rates {
		of := &t.rates[i]
		r, ok := of.upTo(length)
		switch {
		case of.speed > speed && ok:
			high = min(high, r.xoff)
		case of.speed <= speed && ok:
			low = max(low, r.xoff)
		case of.speed <= speed:
			low = max(low, of.rows[len(of.rows)-1].xoff)
		}
	}
	if held := min(max(h.xoff, low), high); held != h.xoff {
		h.size += held - h.xoff
		h.xoff = held
		h.name = "table " + t.name
		h.source = fmt.Sprintf("SONiC sonic-buildimage, pg_profile_lookup.ini of %s has no row for %dG at %s: held at its nearest row", t.name, speed, metres(length))
	}
}

// modelled computes the headroom of a switch without a table.
func modelled(m *fabric.Model, speed int, length float64, mtu int) headroom {
	if s, ok := spectrums[m.ASIC]; ok {
		xoff, xon, size := s.headroom(speed, length, mtu, roceLosslessMTU, worstCase, lanes(m, speed), metric)
		return headroom{xoff: xoff, xon: xon, size: size,
			name:   "exact model NVIDIA " + s.name,
			source: "SONiC sonic-swss buffer_headroom_mellanox.lua with the " + s.name + " row of asic_table.j2, worst case of 64-byte packets"}
	}
	if b, ok := broadcoms[m.ASIC]; ok {
		xoff := b.xoff(speed, length)
		return headroom{xoff: xoff, size: xoff,
			name:   "fit " + b.name,
			source: fmt.Sprintf("railyard's fit of the %s tables in SONiC sonic-buildimage (within %.1f %% of each), applied to %s because the chip is of that family", b.name, b.within, m.ID)}
	}
	xoff := bound(speed, length, mtu, m.CellBytes)
	return headroom{xoff: xoff, size: xoff,
		name:   "bound 802.1Qbb",
		source: "IEEE 802.1Qbb delay bound (two cable runs, a frame at each end, pause response) with every buffer cell holding one 64-byte packet; no table or model for this switch is published"}
}

// spectrum is a chip's row of SONiC's platform/mellanox/asic_table.j2.
type spectrum struct {
	name     string
	cell     int
	pipeline int  // latency, KiB
	tile     bool // adds the tile buffer
	wide     int  // pipeline of an eight-lane port, KiB
	after    int  // KiB added to xoff
}

var spectrums = map[string]spectrum{
	"spc1": {name: "Spectrum", cell: 96, pipeline: 19, wide: 37},
	"spc2": {name: "Spectrum-2", cell: 144, pipeline: 19, wide: 37},
	"spc3": {name: "Spectrum-3", cell: 144, pipeline: 19, wide: 37},
	"spc4": {name: "Spectrum-4", cell: 192, pipeline: 19, wide: 38, tile: true},
	"spc5": {name: "Spectrum-5", cell: 192, pipeline: 19, wide: 38, tile: true},
	"spc6": {name: "Spectrum-6", cell: 256, pipeline: 42, wide: 84, after: 18},
}

const (
	kib             = 1024
	macPHY          = 0.8 * kib // mac_phy_delay of asic_table.j2, bytes
	metresPerSecond = 1.98e8    // light in fibre, as SONiC takes it
	smallPacket     = 64
	roceLosslessMTU = 1024 // SONiC's default LOSSLESS_TRAFFIC_PATTERN mtu
	worstCase       = 100  // percentage of small packets
	// metric and binary are the two divisors in use for a kilobit on the cable.
	metric = 8 * 1000
	binary = 8 * 1024
)

// headroom is SONiC's formula (buffer_headroom_mellanox.lua) without a shared
// headroom pool. Speed is in Gb/s, length in metres, the MTUs in bytes, small
// the percentage of 64-byte packets; the divisor is metric except where a table
// was made by the older file.
func (s spectrum) headroom(speed int, length float64, mtu, losslessMTU, small, lanes, divisor int) (xoff, xon, size int) {
	xoff = s.xoff(speed, length, mtu, losslessMTU, small, divisor)
	if small != worstCase {
		if most := s.xoff(speed, length, mtu, losslessMTU, worstCase, divisor); xoff+2*kib < most {
			xoff += 2 * kib
		}
	}
	xon, overhead := s.pipeline*kib, 0
	if lanes == 8 {
		xon, overhead = s.wide*kib, mtu
	}
	return xoff, xon, upTo(kib, float64(xoff+xon+overhead))
}

func (s spectrum) xoff(speed int, length float64, mtu, losslessMTU, small, divisor int) int {
	factor := math.Ceil(2 * float64(s.cell) / float64(1+s.cell))
	if s.cell > 2*smallPacket {
		factor = math.Ceil(float64(s.cell) / smallPacket)
	}
	mean := float64(small*smallPacket+(100-small)*losslessMTU) / 100
	share := 100 * smallPacket / mean // of the bytes in small packets, percent
	occupancy := (100 - share + share*factor) / 100

	mbps := float64(speed) * 1000
	cable := 2 * length * mbps * 1e9 / metresPerSecond / float64(divisor)
	wire := float64(mtu) + cable + macPHY + peerResponse(speed)
	if s.tile {
		wire += mbps / 1000 * 120 / 8
	}
	return upTo(kib, float64(losslessMTU)+wire*occupancy) + s.after*kib
}

// peerResponse is how many bytes the far end may still send while it reacts to
// a pause: the quanta of 512 bit times that SONiC uses (IEEE 802.3 31B.3.7). A
// speed between two entries takes the faster one; above the last entry nothing
// is published and the last is kept, because SONiC's own fallback would lie
// below that of slower ports.
func peerResponse(speed int) float64 {
	quanta := [...]struct{ speed, quanta int }{
		{1, 2}, {10, 67}, {25, 80}, {40, 118}, {50, 147}, {100, 394}, {200, 453}, {400, 905}, {800, 905},
	}
	i := slices.IndexFunc(quanta[:], func(q struct{ speed, quanta int }) bool { return q.speed >= speed })
	if i < 0 {
		i = len(quanta) - 1
	}
	return float64(quanta[i].quanta) * 512 / 8
}

// broadcom is a straight line through the headroom that SONiC platforms with
// one Broadcom chip ship, in bytes on the wire.
type broadcom struct {
	name   string
	base   float64
	perGb  float64
	within float64 // largest deviation from a published row, percent
}

var broadcoms = map[string]broadcom{
	"th4":      {"Broadcom Tomahawk 4", 15000, 265, 2.2},
	"th4-half": {"Broadcom Tomahawk 4", 15000, 265, 2.2},
	"th5":      {"Broadcom Tomahawk 5", 21400, 266, 0.8},
	"th5-half": {"Broadcom Tomahawk 5", 21400, 266, 0.8},
}

// xoff turns the line into buffer cells of 254 bytes, each of which may hold a
// single minimum packet (84 bytes with preamble and gap).
func (b broadcom) xoff(speed int, length float64) int {
	const cell, packet = 254, 84
	const bothWays = 2 * 5.05 / 8 // bytes per Gb/s and metre at 5.05 ns/m
	wire := b.base + b.perGb*float64(speed) + bothWays*float64(speed)*length
	return upTo(cell, wire*cell/packet)
}

// unknownCell stands for a buffer cell that nobody published: the largest of
// the common ones up to 51.2 Tb/s, in bytes.
const unknownCell = 256

// bound is the delay bound of IEEE 802.1Qbb for a switch of which only the cell
// size, or not even that, is known.
func bound(speed int, length float64, mtu, cell int) int {
	const pauseFrame = 64
	if cell <= 0 {
		cell = unknownCell
	}
	cable := 2 * length / metresPerSecond * float64(speed) * 1e9 / 8
	wire := cable + 2*float64(mtu) + macPHY + peerResponse(speed) + pauseFrame
	return upTo(cell, wire*math.Ceil(float64(cell)/smallPacket))
}

// NICHeadroom is what a ConnectX or BlueField port keeps free after it sent a
// pause, in bytes, for a speed in Gb/s (below 40 counts as 40), a cable in
// metres and an MTU in bytes. Source: Linux mlx5 driver, en/port_buffer.c.
func NICHeadroom(speedGbps int, lengthM float64, mtu int) int {
	speed := float64(max(speedGbps, 40))
	return int(math.Ceil((301+2.16*lengthM)*speed + 2.72*float64(mtu) - 1e-6))
}

// lanes is how many serial lanes a port of that speed uses on this switch, 0
// where the panel does not tell.
func lanes(m *fabric.Model, speed int) int {
	most := 0
	for _, c := range m.Cages {
		if c.SpeedGbps < speed {
			continue
		}
		n := int(math.Ceil(float64(formLanes(c.Form)*speed) / float64(c.SpeedGbps)))
		most = max(most, n)
	}
	return most
}

func formLanes(form string) int {
	switch f := strings.ToUpper(form); {
	case strings.HasPrefix(f, "OSFP"), strings.HasPrefix(f, "QSFP-DD"):
		return 8
	case strings.HasPrefix(f, "QSFP"):
		return 4
	case f == "DSFP", f == "SFP-DD":
		return 2
	case strings.HasPrefix(f, "SFP"):
		return 1
	default:
		return 0
	}
}

// upTo rounds v up to a whole multiple of unit. Sums that are whole but for
// rounding of the floating point are not pushed to the next unit.
func upTo(unit int, v float64) int {
	return int(math.Ceil(v/float64(unit)-1e-9)) * unit
}
