package clitree

import (
	"slices"
	"strings"
)

// delta is what differs in one section.
type delta struct {
	path   []string // headers, as printed
	header *entry   // of the intent, else of the device; nil at top level
	run    *section
	want   *section
	ops    []op
	moved  []moved
	subs   []*delta
	isNew  bool // the device has no such section
	isGone bool // the intent has none
}

// op is one line that differs: run nil adds, want nil removes.
type op struct{ run, want *entry }

// moved is a group of lines whose order differs; same when the lines are the same.
type moved struct {
	run, want []*entry
	same      bool
}

func (d *delta) empty() bool {
	return len(d.ops) == 0 && len(d.moved) == 0 && len(d.subs) == 0 && !d.isNew && !d.isGone
}

// walker compares two trees.
type walker struct {
	*reader
	scope  Scope
	ignore Ignore
	wiped  map[*entry]bool        // lines of the device that other commands take away
	forced map[*section][]command // what a patch must send first in a section of the device
}

func (c *Comparer) walker(o Options) *walker {
	return &walker{reader: &reader{Comparer: c, known: map[lineIn][]*entry{}}, scope: o.Scope, ignore: Ignoring(o.Ignore)}
}

// Compare returns what differs, in the order of the intent, then of the device.
func (c *Comparer) Compare(running, intended *Node, o Options) []Change {
	if sameNodes(running.Children, intended.Children) {
		return nil
	}
	w := c.walker(o)
	d := w.top(running, intended)
	if d == nil {
		return nil
	}
	return d.changes(nil)
}

func (w *walker) top(running, intended *Node) *delta {
	ctx := w.context("")
	d := &delta{run: w.reader.section(ctx, running.Children), want: w.reader.section(ctx, intended.Children)}
	w.lines(d, nil)
	if d.empty() {
		return nil
	}
	return d
}

// sameNodes tells trees that are the same line by line.
func sameNodes(a, b []*Node) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Text != b[i].Text || !sameNodes(a[i].Children, b[i].Children) {
			return false
		}
	}
	return true
}

// inner reads the lines under an entry, once.
func (w *walker) inner(e *entry) *section {
	if e == nil {
		return nil
	}
	if e.sub == nil {
		e.sub = w.reader.section(w.below(e.rule), e.nodes)
	}
	return e.sub
}

// lines compares the lines of d's sections.
func (w *walker) lines(d *delta, owner *rule) {
	for _, e := range d.want.entries {
		r := w.device(d.run, e.key)
		if w.ignored(d.path, e) {
			continue
		}
		w.pair(d, r, e)
	}
	for _, e := range d.run.entries {
		if w.wiped[e] || d.want.byKey[e.key] != nil || w.ignored(d.path, e) || !w.owns(d, owner, e) {
			continue
		}
		w.pair(d, e, nil)
	}
	w.order(d)
}

// device returns the device's line of a key, if nothing has taken it away.
func (w *walker) device(s *section, key string) *entry {
	if e := s.byKey[key]; e != nil && !w.wiped[e] {
		return e
	}
	return nil
}

func (w *walker) pair(d *delta, run, want *entry) {
	e := want
	if e == nil {
		e = run
	}
	// Of a line at its default nothing need be said, unless the other side differs.
	if want == nil {
		want = d.want.silent[e.key]
	} else if run == nil {
		run = d.run.silent[e.key]
	}
	fixed := e.rule != nil && e.rule.Fixed
	if !fixed && (run == nil || want == nil || run.val != want.val) {
		d.ops = append(d.ops, op{run, want})
	}
	if isSection(run) || isSection(want) {
		if s := w.under(d, e, run, want); !s.empty() || len(w.forced[s.run]) > 0 {
			d.subs = append(d.subs, s)
		}
	}
}

func isSection(e *entry) bool {
	return e != nil && (len(e.nodes) > 0 || e.rule != nil && e.rule.section)
}

// under compares what stands under a line.
func (w *walker) under(d *delta, header, run, want *entry) *delta {
	s := &delta{path: append(append([]string(nil), d.path...), header.show), header: header}
	fixed := header.rule != nil && header.rule.Fixed
	s.isNew, s.isGone = run == nil && !fixed, want == nil && !fixed
	if run != nil && want != nil && len(w.wiped) == 0 && sameNodes(run.nodes, want.nodes) {
		return s
	}
	s.run, s.want = w.orEmpty(run, header), w.orEmpty(want, header)
	w.lines(s, header.rule)
	if header.rule != nil && header.rule.Atomic && run != nil && want != nil && !s.empty() {
		s.isGone, s.isNew = true, true // replaced as a whole
	}
	return s
}

func (w *walker) orEmpty(e, header *entry) *section {
	if e != nil {
		return w.inner(e)
	}
	return &section{ctx: w.below(header.rule), byKey: map[string]*entry{}}
}

// owns says whether a line that only the device has counts.
func (w *walker) owns(d *delta, owner *rule, e *entry) bool {
	if e.rule != nil && e.rule.Own == Never {
		return false
	}
	if w.scope == Full {
		return true
	}
	if e.rule == nil {
		// In a section of the intent that nothing is known about, and in those
		// that are railyard's own, strangers are not welcome.
		return d.header != nil && (owner == nil || owner.Own == Always || owner.Closed) && !(d.isGone && owner == nil)
	}
	switch e.rule.Own {
	case Always:
		return true
	case Spoken:
		for _, x := range d.want.entries {
			if x.rule == e.rule {
				return true
			}
		}
	}
	return false
}

func (w *walker) ignored(path []string, e *entry) bool { return w.ignore.below(path, e.show) }

// order finds groups of lines that would not stand in the intent's order if only
// what is missing were added.
func (w *walker) order(d *delta) {
	for i, e := range d.want.entries {
		if e.rule == nil || !e.rule.Ordered || w.firstOf(d.want, e) != i {
			continue
		}
		want, run := w.group(d.want, e), w.group(d.run, e)
		m := moved{run: run, want: want, same: len(want) == len(run)}
		var then []*entry
		for _, x := range run {
			if y := d.want.byKey[x.key]; y != nil && y.val == x.val {
				then = append(then, y)
			}
		}
		for _, x := range want {
			if y := w.device(d.run, x.key); y == nil || y.val != x.val {
				then, m.same = append(then, x), false
			}
		}
		if !slices.Equal(then, want) || e.rule.undoesAll() && len(then) > 0 && w.loses(run, d.want) {
			d.moved = append(d.moved, m)
		}
	}
}

// loses tells whether any of the lines is not wanted.
func (w *walker) loses(run []*entry, want *section) bool {
	for _, x := range run {
		if want.byKey[x.key] == nil {
			return true
		}
	}
	return false
}

// group returns the lines of an ordered rule that belong together.
func (w *walker) group(s *section, e *entry) (out []*entry) {
	for _, x := range s.entries {
		if x.rule == e.rule && x.argAt(0) == e.argAt(0) && !w.wiped[x] {
			out = append(out, x)
		}
	}
	return out
}

func (w *walker) firstOf(s *section, e *entry) int {
	for i, x := range s.entries {
		if x.rule == e.rule && x.argAt(0) == e.argAt(0) {
			return i
		}
	}
	return -1
}

// changes flattens a delta.
func (d *delta) changes(out []Change) []Change {
	if len(d.ops) > 0 {
		ch := Change{Path: d.path}
		var remove, add []*entry
		for _, o := range d.ops {
			if o.run != nil {
				remove = append(remove, o.run)
			}
			if o.want != nil {
				add = append(add, o.want)
			}
			ch.note(o)
		}
		ch.Remove, ch.Add = shown(remove), shown(add)
		out = append(out, ch)
	}
	for _, m := range d.moved {
		if !m.same {
			continue // shown as lines already
		}
		out = append(out, Change{Path: d.path, Remove: shown(m.run), Add: shown(m.want), Reordered: true})
	}
	for _, s := range d.subs {
		out = s.changes(out)
	}
	return out
}

// note collects what a person should know about the lines of a change.
func (ch *Change) note(o op) {
	for _, e := range []*entry{o.run, o.want} {
		if e == nil || e.rule == nil || e.rule.Note == "" || strings.Contains(ch.Note, e.rule.Note) {
			continue
		}
		if ch.Note != "" {
			ch.Note += "; "
		}
		ch.Note += e.rule.Note
	}
}

// shown prints lines, elements of one list together.
func shown(list []*entry) []string {
	var out []string
	done := map[*entry]bool{}
	for i, e := range list {
		if done[e] {
			continue
		}
		if e.element == "" {
			out = append(out, e.show)
			continue
		}
		var all []string
		for _, x := range list[i:] {
			if x.rule == e.rule && x.frame == e.frame && x.negated == e.negated && x.element != "" {
				done[x] = true
				all = append(all, x.element)
			}
		}
		for _, part := range chunks(e.rule.List, all) {
			line := framed(e.frame, part)
			if e.negated {
				line = strings.Fields(e.show)[0] + " " + line
			}
			out = append(out, line)
		}
	}
	return out
}

// maxItems is how many numbers or ranges one command takes: ten on Comware and
// VRP (reference h3c 2.1, huawei 2.2).
const maxItems = 10

// chunks prints elements in commands of at most maxItems items.
func chunks(kind string, list []string) []string {
	sortNumbers(list)
	text := joined(kind, list)
	if kind != "to" {
		return []string{text}
	}
	words := strings.Fields(text)
	var out []string
	var part []string
	items := 0
	for i := 0; i < len(words); i++ {
		part = append(part, words[i])
		if i+1 < len(words) && words[i+1] == "to" {
			part = append(part, words[i+1], words[i+2])
			i += 2
		}
		if items++; items == maxItems {
			out, part, items = append(out, strings.Join(part, " ")), nil, 0
		}
	}
	if len(part) > 0 {
		out = append(out, strings.Join(part, " "))
	}
	return out
}
