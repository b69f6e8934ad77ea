package ibrecords

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// ports compares the dumps about single ports.
func (r *report) ports(read []*record) {
	o := r.owners()
	tables := map[int]*table{}
	for _, rec := range read {
		count := map[string]int{}
		var unowned []clitree.Problem
		for i := range rec.facts {
			count[rec.facts[i].kind]++
		}
		for i := range rec.facts {
			f := &rec.facts[i]
			at, ok := o.owner(rec, f, count[f.kind] == 1)
			if !ok {
				unowned = append(unowned, f.at.problem(CodeNoOwner,
					"%s does not say which port it is about: put a comment with node and port in front of it (# gpu-001 nic0 1) or into the file's name, and save ibnetdiscover beside it", f.kind))
				continue
			}
			s := r.spot(at)
			if n := r.seen.nodes[at.node]; s.node < 0 && n != nil && r.plannedNode(n) < 0 {
				continue // of a node that is told as not planned
			}
			switch f.kind {
			case "nodedesc":
				r.described(f, at)
			case "portinfo":
				r.portInfo(f, at, s)
			case "pkeys":
				r.addKeys(tables, f, s)
			}
		}
		r.problems = append(r.problems, few(rec.file, unowned)...)
	}
	for _, i := range sortedKeys(tables) {
		r.keys(i, tables[i])
	}
}

// described compares smpquery nodedesc.
func (r *report) described(f *fact, at end) {
	i := r.plannedNode(r.seen.nodes[at.node])
	if i < 0 {
		return
	}
	if n, desc := &r.plan.nodes[i], f.fields["desc"]; !anonymous(desc) && !n.named(desc) {
		r.at(spot{node: i}, fmt.Sprintf("name %q", desc), fmt.Sprintf("name %q", n.name), "")
	}
}

var (
	widthForm = regexp.MustCompile(`^(\d+)X$`)
	speedForm = regexp.MustCompile(`^(\d+(?:\.\d+)?) Gbps`)
)

// signalling rates of a lane in Gb/s, as smpquery prints them, and their names.
var signalling = map[string]string{"2.5": "SDR", "5.0": "DDR", "10.0": "QDR", "14.0625": "FDR", "25.78125": "EDR", "53.125": "HDR", "106.25": "NDR", "212.5": "XDR"}

// portInfo compares state, LID, width and speed of a port.
func (r *report) portInfo(f *fact, at end, s spot) {
	if s.node < 0 {
		return
	}
	n := &r.plan.nodes[s.node]
	if n.sw && at.port == 0 {
		if f.fields["Lid"] == "0" {
			r.at(spot{node: s.node}, "lid 0", "", "the subnet manager gave it no LID")
		}
		return
	}
	i, ok := r.plan.at[s]
	if !ok {
		return // a port that nothing is planned for
	}
	if state := f.fields["LinkState"]; state != "" && state != "Active" {
		r.at(s, "state "+state, "state Active", "")
	}
	if state := f.fields["PhysLinkState"]; state != "" && state != "LinkUp" {
		r.at(s, "physical state "+state, "physical state LinkUp", "")
	}
	if !n.sw && f.fields["Lid"] == "0" {
		r.at(s, "lid 0", "", "the subnet manager gave it no LID")
	}
	r.portRate(f, s, &r.plan.cables[i])
}

// portRate compares width and speed. Without the extended speed, 10 Gb/s a lane may
// be the low half of something faster: then nothing is said.
func (r *report) portRate(f *fact, s spot, c *cable) {
	width := widthForm.FindStringSubmatch(f.fields["LinkWidthActive"])
	speed := speedForm.FindStringSubmatch(f.fields["LinkSpeedActive"])
	ext, hasExt := f.fields["LinkSpeedExtActive"]
	if state := f.fields["LinkState"]; width == nil || speed == nil || state == "Down" || f.cut && !hasExt {
		return
	}
	name := signalling[speed[1]]
	if m := speedForm.FindStringSubmatch(ext); m != nil {
		if name = signalling[m[1]]; name == "" {
			r.problems = append(r.problems, f.at.problem(clitree.CodePartial, "a lane of %s Gb/s is unknown: the speed is not compared", m[1]))
			return
		}
	} else if !hasExt && name == "QDR" {
		return
	} else if hasExt && name == "QDR" && !strings.HasPrefix(ext, "No Extended Speed") && ext != "0" && ext != "" {
		r.problems = append(r.problems, f.at.problem(clitree.CodePartial, "LinkSpeedExtActive %.40q is unknown: the speed is not compared", ext))
		return
	}
	lanesUp, _ := strconv.Atoi(width[1])
	gbps := float64(lanesUp) * lanes[name]
	want := c.gbps
	if r.plan.nodes[s.node].seen.simulated() {
		want = min(want, simulatedGbps)
	}
	if gbps < float64(want) {
		r.at(s, fmt.Sprintf("speed %sx%s (%g Gb/s)", width[1], name, gbps), fmt.Sprintf("speed %d Gb/s", want), "")
	}
}

// table is a port's key table, put together from its blocks.
type table struct {
	keys  map[uint16]bool
	whole bool
	at    place
}

// addKeys takes in a table or a block of one. Tables of switches hold what their
// manager filters by and are not compared.
func (r *report) addKeys(tables map[int]*table, f *fact, s spot) {
	if s.node < 0 || r.plan.nodes[s.node].sw {
		return
	}
	t := tables[s.node]
	if t == nil {
		t = &table{keys: map[uint16]bool{}, at: f.at}
		tables[s.node] = t
	}
	for _, k := range f.keys {
		if k&^fullBit != 0 {
			t.keys[k] = true
		}
	}
	// Keys fill a table from its beginning: a first block with room left is all.
	if !f.cut && (f.fields["capacity"] != "" || f.block == 0 && slices.Contains(f.keys, 0)) {
		t.whole = true
	}
}

// keys compares a port's keys with its memberships.
func (r *report) keys(i int, t *table) {
	n := &r.plan.nodes[i]
	here := spot{node: i}
	both := func(m map[uint16]bool, key uint16) (full, limited bool) { return m[key|fullBit], m[key] }
	known := map[uint16]bool{}
	for k := range n.keys {
		known[k&^fullBit] = true
	}
	for k := range t.keys {
		known[k&^fullBit] = true
	}
	for _, key := range sortedKeys(known) {
		wantFull, wantLimited := both(n.keys, key)
		full, limited := both(t.keys, key)
		if key == n.anyKey || wantFull == full && wantLimited == limited {
			continue
		}
		remove, add, note := "", "", ""
		switch {
		case wantFull && limited && !full:
			note = "limited instead of full"
		case wantLimited && full && !limited:
			note = "full instead of limited"
		}
		if full && !wantFull {
			remove = keyText(key | fullBit)
		} else if limited && !wantLimited {
			remove = keyText(key)
		}
		if wantFull && !full {
			add = keyText(key | fullBit)
		} else if wantLimited && !limited {
			add = keyText(key)
		}
		if remove == "" && add != "" && !t.whole {
			continue // the table's other blocks may hold it
		}
		if note != "" {
			note = fmt.Sprintf("pkey 0x%04x: %s", key, note)
		}
		r.at(here, remove, add, note)
	}
	if !t.whole {
		r.problems = append(r.problems, t.at.problem(clitree.CodePartial, "not all of the key table of %s: missing keys are not looked for", n.name))
	}
}

func keyText(key uint16) string {
	if key&fullBit != 0 {
		return fmt.Sprintf("pkey 0x%04x (full)", key)
	}
	return fmt.Sprintf("pkey 0x%04x (limited)", key)
}
