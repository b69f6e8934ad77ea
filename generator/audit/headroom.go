package audit

import (
	"fmt"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/fabric"
	"railyard/generator/lossless"
	"railyard/generator/observed"
)

// largestFrame is the frame taken for headroom where the configuration does not
// say one, in bytes.
const largestFrame = 9216

// tolerance is how far below a model's value a reservation may lie: published
// tables of one chip differ by this much among themselves.
const tolerance = 0.9

// cellBytes is the buffer cell of the chips whose headroom is written in cells
// (Tomahawk 4 and 5).
const cellBytes = 254

// shortest is the cable taken where no length is known, in metres.
const shortest = 1

// exactFrom is the speed in Gb/s from which a chip's formula is used where only
// the family of chips is known; slower switches of the same make have other chips.
const exactFrom = 200

// headroom checks that what is reserved covers the cable: the one of the list,
// else the one the configuration declares.
func (f *whole) headroom() {
	for _, m := range f.members {
		sw := f.net.Switches[m]
		models := f.models(sw)
		declares := false
		for i := range sw.Ports {
			declares = declares || sw.Ports[i].CableM > 0
		}
		for _, i := range f.lossless[m] {
			if !f.bad[m][i] {
				f.reserved(spot{m, int(i)}, &sw.Ports[i], models, declares)
			}
		}
	}
}

func (f *whole) reserved(s spot, p *observed.Port, models []model, declares bool) {
	listed, known := f.cables.length(f.net.Switches[s.sw].Name, p.Name, p.Alias)
	short := note{severity: observed.Error, code: "HEADROOM_SHORT", aspect: "headroom", remedy: "reserve for the real cable"}
	if known && p.CableM > 0 && listed > p.CableM {
		short.at = p.CableAt
		short.what = fmt.Sprintf("the configuration declares a cable of %g m, the list has %g m: the headroom is made for the shorter one", p.CableM, listed)
		f.add(s, short)
		return
	}
	own := false
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Lossy || !p.PFC.Lossless().Has(b.Priority) {
			continue
		}
		own = true
		length := p.CableM
		if known {
			length = listed
		}
		if b.LengthM > 0 && length > b.LengthM {
			short.at = b.At
			short.what = fmt.Sprintf("the headroom profile of priority %d is made for %g m, the cable has %g m", b.Priority, b.LengthM, length)
			f.add(s, short)
			return
		}
		if length == 0 {
			length = b.LengthM
		}
		unknown := length == 0
		if unknown {
			length = shortest
		}
		if need, unit, by := f.need(p, b, length, models); need > 0 && b.Headroom < need {
			short.at = b.At
			short.what = fmt.Sprintf("priority %d reserves %d %s of headroom; %dG over %g m needs %d (%s)", b.Priority, b.Headroom, unit, p.SpeedGbps, length, need, by)
			if unknown {
				short.severity = observed.Warning
				short.what = fmt.Sprintf("priority %d reserves %d %s of headroom; %dG needs %d even with a cable of %d m (%s)", b.Priority, b.Headroom, unit, p.SpeedGbps, need, shortest, by)
			} else if made := max(b.LengthM, p.CableM); made >= length && b.Headroom >= f.least(p, b, length) {
				// Made for this very cable: the site's own number, not a mistake.
				short.severity, short.code = observed.Info, "HEADROOM_BELOW_MODEL"
			}
			f.add(s, short)
			return
		}
	}
	switch {
	case own:
	case p.NoCable:
		f.add(s, note{severity: observed.Error, code: "HEADROOM_NONE", aspect: "headroom", at: p.CableAt,
			what: "a cable of 0 m is declared, for which no lossless priority group is made", remedy: "declare the real length"})
	case declares && p.CableM == 0:
		f.add(s, note{severity: observed.Error, code: "HEADROOM_NONE", aspect: "headroom", at: p.At,
			what: "no cable length is declared for this port, so no lossless priority group is made", remedy: "declare the length"})
	}
}

// least is what no switch can do without, in the buffer's unit.
func (f *whole) least(p *observed.Port, b *observed.Buffer, length float64) int64 {
	need, _, _ := f.need(p, b, length, nil)
	return need
}

// need is the least headroom for a cable in the unit of the buffer, 0 when
// nothing can be said; by names the reason.
func (f *whole) need(p *observed.Port, b *observed.Buffer, length float64, models []model) (need int64, unit, by string) {
	if b.Headroom == 0 || length == 0 || p.SpeedGbps == 0 {
		return 0, "", ""
	}
	wire := lossless.Wire(p.SpeedGbps, length, largestFrame)
	best, name := 0, ""
	for _, m := range models {
		if !m.sure && p.SpeedGbps < exactFrom {
			continue
		}
		if v := f.required(m, p.SpeedGbps, length); v > 0 && (best == 0 || v < best) {
			best, name = v, m.name
		}
	}
	switch b.Unit {
	case "bytes", "kbytes":
		scale := 1
		if b.Unit == "kbytes" {
			scale = 1024 // the larger reading: what is written is at most that
		}
		if best > 0 {
			return int64(float64(best) * tolerance / float64(scale)), b.Unit, name
		}
		return int64(float64(wire) * tolerance / float64(scale)), b.Unit, "a frame at each end, the cable both ways and the response time"
	case "cells":
		if best > 0 {
			return int64(float64(best) * tolerance / cellBytes), b.Unit, name
		}
	}
	return 0, "", ""
}

// requirement is what a model's headroom depends on.
type requirement struct {
	id     string
	speed  int
	length float64
}

// required is the model's headroom in bytes, 0 when it is not known.
func (j *judge) required(m model, speed int, length float64) int {
	k := requirement{m.ID, speed, length}
	v, ok := j.needs[k]
	if !ok {
		v, _ = lossless.Required(m.Model, speed, length, largestFrame)
		j.needs[k] = v
	}
	return v
}

// model is hardware a switch may be.
type model struct {
	*fabric.Model
	name string
	sure bool // the configuration names it; otherwise one of a family
}

// models resolves what the configuration says about its hardware.
func (j *judge) models(sw *observed.Switch) []model {
	if j.catalog == nil {
		all, err := catalog.Load()
		if err != nil {
			all = &catalog.Catalog{}
		}
		j.catalog = all
	}
	if m, ok := named(j.catalog, sw.Hardware); ok {
		return []model{m}
	}
	var out []model
	for _, chip := range sw.Chips {
		if a := j.catalog.ASIC(chip); a != nil {
			out = append(out, model{&fabric.Model{ID: chip, ASIC: chip, CellBytes: a.Cell}, "least of the chips in switches of this make, " + a.Name, false})
		}
	}
	return out
}

// named finds the catalog's switch in a platform or model name; the longest id
// that fits wins.
func named(c *catalog.Catalog, hardware string) (model, bool) {
	text := strings.ReplaceAll(strings.ToLower(hardware), "_", "-")
	best := -1
	longest := 0
	for i := range c.Switches {
		sw := &c.Switches[i]
		bare := strings.TrimPrefix(sw.ID, sw.Vendor+"-")
		if _, rest, ok := strings.Cut(sw.ID, "-"); ok && bare == sw.ID {
			bare = rest
		}
		if len(bare) > max(longest, 4) && strings.Contains(text, bare) {
			best, longest = i, len(bare)
		}
	}
	if best < 0 || text == "" {
		return model{}, false
	}
	sw := &c.Switches[best]
	m := &fabric.Model{ID: sw.ID, Vendor: sw.Vendor, ASIC: sw.ASIC, CellBytes: sw.Cell}
	return model{m, "the headroom model of " + sw.ID, true}, true
}
