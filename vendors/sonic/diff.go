package sonic

import (
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// diffPair is one row on both sides; nil where a side has none.
type diffPair struct {
	table, key string // the key as the side that has the row spells it
	run, want  diffRow
	ignored    func(field string) bool // nil: none is
}

// diffRowMark stands for a row without fields.
const diffRowMark = "(row)"

// Compare returns what differs between a running CONFIG_DB and the intended one,
// table by table.
func (c *DiffConfig) Compare(intended *DiffConfig, o clitree.Options) []clitree.Change {
	var out []clitree.Change
	for _, p := range c.pairs(intended, o) {
		ch := clitree.Change{Path: []string{p.table, p.key}}
		switch {
		case p.run == nil:
			ch.Add = p.want.lines()
		case p.want == nil:
			ch.Remove = p.run.lines()
		default:
			for _, f := range diffFields(p, o.Scope) {
				if v, ok := p.run[f]; ok {
					ch.Remove = append(ch.Remove, f+"="+v.String())
				}
				if v, ok := p.want[f]; ok {
					ch.Add = append(ch.Add, f+"="+v.String())
				}
			}
		}
		ch.Note = strings.Join(diffNotes(p, o.Scope), "; ")
		out = append(out, ch)
	}
	return out
}

func (r diffRow) lines() []string {
	if len(r) == 0 {
		return []string{diffRowMark}
	}
	out := make([]string, 0, len(r))
	for f, v := range r {
		out = append(out, f+"="+v.String())
	}
	slices.Sort(out)
	return out
}

// pairs returns the rows that differ and count.
func (c *DiffConfig) pairs(intended *DiffConfig, o clitree.Options) []diffPair {
	ignore := clitree.Ignoring(o.Ignore)
	var out []diffPair
	for _, name := range diffUnion(c, intended) {
		if name == "VERSIONS" {
			continue // the switch raises it when it migrates the file
		}
		for _, p := range diffTablePairs(name, c.tables[name], intended.tables[name], o.Scope) {
			if diffIgnored(ignore, p.table, p.key) {
				continue
			}
			if p.run != nil && p.want != nil {
				if p.ignored = p.left(ignore); len(diffFields(p, o.Scope)) == 0 {
					continue
				}
			}
			out = append(out, p)
		}
	}
	return out
}

func diffUnion(a, b *DiffConfig) []string {
	all := DiffConfig{order: slices.Clone(a.order)}
	for _, name := range b.order {
		if _, ok := a.tables[name]; !ok {
			all.order = append(all.order, name)
		}
	}
	return all.sorted()
}

func diffTablePairs(name string, run, want diffRows, scope clitree.Scope) []diffPair {
	known, _ := diffKnown(name)
	left := map[string]string{} // normal key to key of the device
	for _, key := range run.order {
		norm := diffKey(key)
		if _, twice := left[norm]; !twice || norm == key {
			left[norm] = key
		}
	}
	var out, alone []diffPair
	for _, key := range want.order {
		r, ok := left[diffKey(key)]
		if !ok {
			alone = append(alone, diffPair{table: name, key: key, want: want.rows[key]})
			continue
		}
		delete(left, diffKey(key))
		p := diffPair{table: name, key: key, run: run.rows[r], want: want.rows[key]}
		if len(diffFields(p, scope)) > 0 {
			out = append(out, p)
		}
	}
	for _, key := range run.order {
		if l, ok := left[diffKey(key)]; ok && l == key && diffOwns(known, key, run, want, scope) {
			alone = append(alone, diffPair{table: name, key: key, run: run.rows[key]})
		}
	}
	if known.ranged {
		alone = diffRanges(alone)
	}
	out = append(out, alone...)
	slices.SortStableFunc(out, func(a, b diffPair) int { return naturalCompare(a.key, b.key) })
	return out
}

// diffOwns tells whether a row that only the switch has counts.
func diffOwns(t diffTable, key string, run, want diffRows, scope clitree.Scope) bool {
	if diffMade(t.name, key, run.rows[key]) {
		return false
	}
	if scope == clitree.Full {
		return true
	}
	switch t.own {
	case clitree.Always:
		return !strings.HasPrefix(key, "CPU")
	case clitree.Spoken:
		return len(want.rows) > 0
	}
	return t.name == "PORT" && diffSharesLanes(run.rows[key], want)
}

// diffSharesLanes finds ports of another breakout: they sit on lanes the intent
// gives to a port of another name.
func diffSharesLanes(row diffRow, want diffRows) bool {
	lanes := map[string]bool{}
	for _, l := range strings.Split(row["lanes"].text, ",") {
		lanes[strings.TrimSpace(l)] = true
	}
	for _, w := range want.rows {
		for _, l := range strings.Split(w["lanes"].text, ",") {
			if lanes[strings.TrimSpace(l)] && l != "" {
				return true
			}
		}
	}
	return false
}

// routingMode says who writes the routing daemon's files: it counts even where the
// intent leaves the choice to the image, since split modes ignore BGP_NEIGHBOR.
const routingMode = "docker_routing_config_mode"

// diffFields returns the fields of a row that differ, sorted.
func diffFields(p diffPair, scope clitree.Scope) []string {
	known, _ := diffKnown(p.table)
	defaults := diffDefaults[p.table]
	var out []string
	for f, w := range p.want {
		r, ok := p.run[f]
		if ok && r.text == w.text && !r.many && !w.many {
			continue
		}
		switch a, b := diffNormal(p.table, f, r), diffNormal(p.table, f, w); {
		case ok && a == b:
		case !ok && hasDefault(defaults, f, b):
		default:
			out = append(out, f)
		}
	}
	for f, r := range p.run {
		if _, ok := p.want[f]; ok {
			continue
		}
		if hasDefault(defaults, f, diffNormal(p.table, f, r)) || known.open && scope == clitree.Owned && !(p.table == "DEVICE_METADATA" && f == routingMode) {
			continue
		}
		out = append(out, f)
	}
	if p.ignored != nil {
		out = slices.DeleteFunc(out, p.ignored)
	}
	slices.SortFunc(out, naturalCompare)
	return out
}

func hasDefault(defaults map[string]string, field, value string) bool {
	d, ok := defaults[field]
	return ok && d == value
}

// diffRanges cancels rows that say the same with other ranges: 0-2 against 0, 1
// and 2.
func diffRanges(alone []diffPair) []diffPair {
	type unit struct{ run, want string }
	units := map[string]*unit{}
	each := func(p diffPair, visit func(*unit, string)) {
		content := p.run
		if content == nil {
			content = p.want
		}
		text := ""
		for _, l := range content.lines() {
			f, v, _ := strings.Cut(l, "=")
			text += f + "=" + diffNormal(p.table, f, diffValue{text: v}) + "\n"
		}
		cut := strings.LastIndexByte(p.key, '|') + 1
		low, high, ok := strings.Cut(p.key[cut:], "-")
		if !ok {
			high = low
		}
		a, err := strconv.Atoi(low)
		b, err2 := strconv.Atoi(high)
		if err != nil || err2 != nil || b-a > maxRange {
			a, b = 0, -1
		}
		for ; a <= b; a++ {
			key := p.key[:cut] + strconv.Itoa(a)
			if units[key] == nil {
				units[key] = &unit{}
			}
			visit(units[key], text)
		}
	}
	for _, p := range alone {
		each(p, func(u *unit, text string) {
			if p.run != nil {
				u.run = text
			} else {
				u.want = text
			}
		})
	}
	return slices.DeleteFunc(alone, func(p diffPair) bool {
		same, n := true, 0
		each(p, func(u *unit, _ string) { same, n = same && u.run == u.want, n+1 })
		return same && n > 0
	})
}

// maxRange is the widest range of queues or groups.
const maxRange = 64

// diffIgnored tells rows that patterns leave out, by table, key or both.
func diffIgnored(ignore clitree.Ignore, table, key string) bool {
	return ignore.Match([]string{table}, key) || ignore.Match([]string{table + "|" + key}, "")
}

// left finds the fields of a row that patterns leave out, by their name or as the
// line that shows them.
func (p diffPair) left(ignore clitree.Ignore) func(field string) bool {
	if len(ignore) == 0 {
		return nil
	}
	path := []string{p.table, p.key}
	return func(field string) bool {
		lines := []string{field}
		for _, row := range []diffRow{p.run, p.want} {
			if v, ok := row[field]; ok {
				lines = append(lines, field+"="+v.String())
			}
		}
		return slices.ContainsFunc(lines, func(l string) bool { return ignore.Match(path, l) })
	}
}

// diffNotes are what a person should know about the change of a row.
func diffNotes(p diffPair, scope clitree.Scope) []string {
	var out []string
	if p.table == "BUFFER_POOL" {
		out = append(out, "apply-patch refuses buffer pools: needs config reload")
	}
	if p.run == nil || p.want == nil {
		if p.table == "PORT" {
			out = append(out, "needs config reload: ports come or go")
		}
		return out
	}
	for _, f := range diffFields(p, scope) {
		if why, ok := diffReload[p.table+"."+f]; ok {
			out = append(out, "needs config reload: "+why)
		}
	}
	return out
}
