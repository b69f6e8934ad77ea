package clitree

import (
	"cmp"
	"slices"
	"strings"
)

// Step is one line of a patch.
type Step struct {
	Text   string
	Depth  int  // views entered
	Remark bool // for the person who types, not for the device
}

// Patch returns what to type to get from running to intended, in an order the
// device takes: what is referred to before what refers to it, and away the other
// way round. It is empty when nothing differs. Lines with secrets are remarks.
func (c *Comparer) Patch(running, intended *Node, o Options) []Step {
	w := c.walker(o)
	w.forced = map[*section][]command{}
	p := &patcher{walker: w}
	d := p.settle(running, intended)
	if d == nil && len(p.split) == 0 {
		return nil
	}
	p.steps = append(p.steps, p.split...)
	if d != nil {
		p.early(d)
		p.main(d, 0)
		p.late(d)
	}
	if len(p.steps) == 0 {
		return nil
	}
	var out []Step
	for _, b := range c.rules.Begin {
		out = append(out, Step{Text: b})
	}
	out = append(out, p.steps...)
	for _, e := range c.rules.End {
		out = append(out, Step{Text: e})
	}
	return out
}

// command is a line to send and what is known about it.
type command struct {
	text string
	rule *rule // nil: nothing is known about the line
	sure bool  // the command itself is in a manual, however its line is undone
}

// patcher turns a delta into steps.
type patcher struct {
	*walker
	steps []Step
	split []Step
	gone  map[*entry]bool // removed in the early pass
}

// maxRounds bounds how often lines that vanish make others vanish.
const maxRounds = 8

// settle compares until what the commands themselves take away is accounted for:
// it marks the lines that vanish, so that comparing again finds them missing.
func (p *patcher) settle(running, intended *Node) *delta {
	ctx := p.context("")
	p.wiped = map[*entry]bool{}
	run, want := p.Comparer.section(ctx, running.Children), p.Comparer.section(ctx, intended.Children)
	p.cages(run, want)
	for range maxRounds {
		d := &delta{run: run, want: want}
		p.lines(d, nil)
		before := len(p.wiped)
		p.resets(d)
		if len(p.wiped) == before {
			if d.empty() {
				return nil
			}
			return d
		}
	}
	d := &delta{run: run, want: want}
	p.lines(d, nil)
	return d
}

// resets marks what the changes of a section take away.
func (p *patcher) resets(d *delta) {
	for _, o := range d.ops {
		e := o.run
		if e == nil {
			e = o.want
		}
		r := e.rule
		if r == nil || len(r.Resets) == 0 {
			continue
		}
		byUndo := o.want == nil || o.run != nil && r.Refuse
		if r.OnUndo && !byUndo {
			continue
		}
		hit := p.wipe(d.run, e, o.run, r)
		if r.First != "" && hit {
			p.force(d.run, command{r.First, nil, true})
		}
		if o.run != nil && byUndo && !r.Late {
			p.wiped[o.run] = true
			p.force(d.run, command{text: p.undo(o.run), rule: r})
		}
	}
	for _, s := range d.subs {
		if s.run != nil {
			p.resets(s)
		}
	}
}

func (p *patcher) force(s *section, c command) {
	for _, have := range p.forced[s] {
		if have.text == c.text {
			return
		}
	}
	p.forced[s] = append(p.forced[s], c)
}

// wipe marks the lines of s and below that a rule resets, but for the line itself.
func (p *patcher) wipe(s *section, e, self *entry, r *rule) (hit bool) {
	var resets, keeps []pattern
	for _, x := range r.Resets {
		resets = append(resets, compile(expand(x, e.args)))
	}
	if r.ResetsOf != nil {
		for _, x := range r.ResetsOf(e.args) {
			resets = append(resets, compile(x))
		}
	}
	for _, x := range r.Keeps {
		keeps = append(keeps, compile(expand(x, e.args)))
	}
	return p.wipeIn(s, self, resets, keeps)
}

func (p *patcher) wipeIn(s *section, self *entry, resets, keeps []pattern) (hit bool) {
	for _, e := range s.entries {
		if e == self || p.wiped[e] {
			continue
		}
		words := strings.Fields(e.val)
		switch {
		case matchesAny(keeps, words):
		case matchesAny(resets, words):
			p.wiped[e], hit = true, true
		case isSection(e):
			hit = p.wipeIn(p.inner(e), self, resets, keeps) || hit
		}
	}
	return hit
}

func matchesAny(list []pattern, words []string) bool {
	for _, p := range list {
		if _, ok := p.match(words); ok {
			return true
		}
	}
	return false
}

// undo is the command that removes a line.
func (p *patcher) undo(e *entry) string {
	r := e.rule
	switch {
	case e.negated:
		return strings.TrimPrefix(e.send, p.rules.Negation+" ")
	case r == nil || r.Undo == "":
		if rest, ok := strings.CutPrefix(e.send, p.rules.Negation+" "); ok {
			return rest
		}
		return p.rules.Negation + " " + e.send
	case r.Undo == "=":
		if r.Default != nil {
			return r.Default(e.args)
		}
	}
	return expand(r.Undo, e.args)
}

// cages finds ports that are split or joined. Their old sections go by themselves.
func (p *patcher) cages(run, want *section) {
	if p.rules.Cage == nil {
		return
	}
	type state struct{ whole, parts []*entry }
	index := func(s *section) (map[string]*state, []string) {
		m := map[string]*state{}
		var order []string
		for _, e := range s.entries {
			cage, part, ok := p.rules.Cage(e.show)
			if !ok {
				continue
			}
			if m[cage] == nil {
				m[cage] = &state{}
				order = append(order, cage)
			}
			if part {
				m[cage].parts = append(m[cage].parts, e)
			} else {
				m[cage].whole = append(m[cage].whole, e)
			}
		}
		return m, order
	}
	old, _ := index(run)
	wanted, order := index(want)
	for _, cage := range order {
		w, o := wanted[cage], old[cage]
		var goes []*entry
		var first *entry
		switch {
		case o == nil && len(w.parts) == 0:
			continue
		case len(w.parts) > 0 && (o == nil || len(o.parts) == 0):
			first = w.parts[0]
			if o != nil {
				goes = o.whole
			}
		case len(w.whole) > 0 && len(o.parts) > 0:
			first, goes = w.whole[0], o.parts
		case o != nil && len(w.whole) > 0 && len(o.whole) > 0 && kind(w.whole[0].show) != kind(o.whole[0].show):
			first, goes = w.whole[0], o.whole // the cage runs at another speed
		case len(w.parts) > 0 && len(o.parts) > 0 && kind(w.parts[0].show) != kind(o.parts[0].show):
			first, goes = w.parts[0], o.parts
		default:
			continue
		}
		for _, e := range goes {
			p.wiped[e] = true
		}
		p.splitting(first.show, len(w.parts) == 0)
	}
}

// kind is a header up to its number: the interface type.
func kind(header string) string {
	_, name, _ := strings.Cut(header, " ")
	if cut := numberAt(name); cut > 0 {
		return name[:cut]
	}
	return name
}

func (p *patcher) splitting(header string, whole bool) {
	if p.rules.Split == nil {
		return
	}
	commands, remark := p.rules.Split(header, whole)
	if remark != "" {
		p.split = append(p.split, Step{Text: remark, Remark: true})
	}
	depth := 0
	for _, c := range commands {
		if c == p.rules.Leave {
			depth--
			p.split = append(p.split, Step{Text: c, Depth: depth + 1})
			continue
		}
		p.split = append(p.split, Step{Text: c, Depth: depth})
		if strings.HasPrefix(c, "interface ") {
			depth++
		}
	}
}

// early removes values that only one section can have where another gets them.
func (p *patcher) early(d *delta) {
	p.gone = map[*entry]bool{}
	added := map[string]bool{}
	each(d, func(o op) {
		if o.want != nil && o.want.rule != nil && o.want.rule.Unique {
			added[o.want.val] = true
		}
	})
	if len(added) == 0 {
		return
	}
	leaving := map[*entry]bool{}
	each(d, func(o op) {
		if o.run != nil {
			leaving[o.run] = true
		}
	})
	for _, header := range d.run.entries {
		if p.wiped[header] || !isSection(header) {
			continue
		}
		var lines []command
		for _, e := range p.inner(header).entries {
			if e.rule != nil && e.rule.Unique && added[e.val] && (leaving[e] || p.wiped[e]) {
				lines = append(lines, command{text: p.undo(e), rule: e.rule})
				p.gone[e] = true
			}
		}
		if len(lines) > 0 {
			p.enter(header.send, 0)
			p.sendAll(lines, 1)
			p.leave(header, 0)
		}
	}
}

func each(d *delta, visit func(op)) {
	for _, o := range d.ops {
		visit(o)
	}
	for _, s := range d.subs {
		each(s, visit)
	}
}

// item is something to send in a section, with its rank.
type item struct {
	rank int
	do   func()
}

// main sends a section: what must go first, removals, then settings and the
// sections below, by rank.
func (p *patcher) main(d *delta, depth int) {
	p.sendAll(p.forced[d.run], depth)
	var away, in []item
	for _, group := range p.grouped(d) {
		rank := group.rank()
		if group.want == nil {
			if depth == 0 && group.late() {
				continue
			}
			away = append(away, item{-rank, func() { p.sendAll(p.removal(group), depth) }})
			continue
		}
		if group.opensSection(d) {
			continue // its section enters it
		}
		in = append(in, item{rank, func() { p.setting(group, depth) }})
	}
	for _, m := range d.moved {
		in = append(in, item{m.want[0].rule.Rank, func() { p.reorder(m, depth) }})
	}
	for _, s := range d.subs {
		if s.isGone && !s.isNew {
			if depth > 0 {
				away = append(away, item{-s.rank(), func() { p.sendAll([]command{{text: p.undo(s.header), rule: s.header.rule}}, depth) }})
			}
			continue
		}
		in = append(in, item{s.rank(), func() { p.visit(s, depth) }})
	}
	for _, list := range [][]item{away, in} {
		slices.SortStableFunc(list, func(a, b item) int { return cmp.Compare(a.rank, b.rank) })
		for _, i := range list {
			i.do()
		}
	}
}

func (d *delta) rank() int {
	if d.header.rule == nil {
		return 0
	}
	return d.header.rule.Rank
}

// visit enters a section that stays or comes.
func (p *patcher) visit(s *delta, depth int) {
	if s.isGone && s.isNew { // atomic: away and made again
		p.sendAll([]command{{text: p.undo(s.header), rule: s.header.rule}}, depth)
		whole := &delta{path: s.path, header: s.header, run: &section{byKey: map[string]*entry{}}, want: s.want, isNew: true}
		for _, e := range s.want.entries {
			whole.ops = append(whole.ops, op{want: e})
		}
		s = whole
	}
	if p.secretive(s) {
		p.remark("left out because it holds a secret; take it from the intended file: "+s.header.show, depth)
		return
	}
	if !p.anything(s) {
		return
	}
	p.enter(s.header.send, depth)
	p.main(s, depth+1)
	p.leave(s.header, depth)
}

// secretive tells new sections with a secret: half of one is worse than none.
func (p *patcher) secretive(s *delta) bool {
	if !s.isNew {
		return false
	}
	for _, o := range s.ops {
		if o.want != nil && o.want.hidden {
			return true
		}
	}
	return false
}

// anything tells sections that have something to send.
func (p *patcher) anything(s *delta) bool {
	if s.isNew || len(s.moved) > 0 || len(p.forced[s.run]) > 0 {
		return true
	}
	for _, o := range s.ops {
		if o.want != nil || !p.gone[o.run] {
			return true
		}
	}
	for _, x := range s.subs {
		if p.anything(x) {
			return true
		}
	}
	return false
}

// late removes sections and definitions, users first.
func (p *patcher) late(d *delta) {
	var items []item
	for _, s := range d.subs {
		if s.isGone && !s.isNew {
			items = append(items, item{-s.rank(), func() { p.sendAll([]command{{text: p.undo(s.header), rule: s.header.rule}}, 0) }})
		}
	}
	for _, group := range p.grouped(d) {
		if group.want == nil && group.late() && !group.opensSection(d) {
			items = append(items, item{-group.rank(), func() { p.sendAll(p.removal(group), 0) }})
		}
	}
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.rank, b.rank) })
	for _, i := range items {
		i.do()
	}
}

// batch is ops that one command serves: one line, or elements of a list.
type batch struct {
	op
	list []op
	full []*entry // of a list sent whole: everything the intent has of it
}

func (b *batch) entry() *entry {
	if b.want != nil {
		return b.want
	}
	return b.run
}

func (b *batch) rank() int {
	if r := b.entry().rule; r != nil {
		return r.Rank
	}
	return 0
}

func (b *batch) late() bool { return b.entry().rule != nil && b.entry().rule.Late }

// opensSection tells headers, which are sent when their section is entered.
func (b *batch) opensSection(d *delta) bool {
	for _, s := range d.subs {
		if s.header == b.entry() {
			return true
		}
	}
	return false
}

// grouped puts elements of one list together, removals and settings apart.
func (p *patcher) grouped(d *delta) []*batch {
	type id struct {
		rule   *rule
		frame  [2]string
		remove bool
		not    bool
	}
	var out []*batch
	at := map[id]*batch{}
	for _, o := range d.ops {
		if o.want == nil && p.gone[o.run] {
			continue
		}
		b := &batch{op: o, list: []op{o}}
		e := b.entry()
		if rebuilt(d, e) {
			continue
		}
		if o.want == nil && e.rule != nil && e.rule.Ordered && e.rule.undoesAll() {
			k := id{rule: e.rule, frame: [2]string{e.argAt(0)}, remove: true}
			if at[k] != nil {
				continue
			}
			at[k] = b
		}
		if e.element == "" || isSection(e) {
			out = append(out, b)
			continue
		}
		k := id{e.rule, e.frame, o.want == nil, e.negated}
		if e.rule.Whole {
			k.remove = false
		}
		if have := at[k]; have != nil {
			have.list = append(have.list, o)
			continue
		}
		if e.rule.Whole {
			for _, x := range d.want.entries {
				if x.rule == e.rule && x.frame == e.frame {
					b.full = append(b.full, x)
					b.want = x
				}
			}
		}
		at[k] = b
		out = append(out, b)
	}
	return out
}

// undoesAll tells rules of ordered lines whose undo takes the whole list.
func (r *rule) undoesAll() bool { return r.Undo != "" && !strings.Contains(r.Undo, "$2") }

// rebuilt tells lines of a group that is written anew.
func rebuilt(d *delta, e *entry) bool {
	for _, m := range d.moved {
		if w := m.want[0]; w.rule == e.rule && w.argAt(0) == e.argAt(0) {
			return true
		}
	}
	return false
}

// removal is the commands that take a batch away.
func (p *patcher) removal(b *batch) []command {
	e := b.run
	if e.element == "" || e.negated || e.rule.Whole {
		return []command{{text: p.undo(e), rule: e.rule}}
	}
	if !strings.Contains(e.rule.Undo, "$") && e.rule.Undo != "" && e.rule.Undo != "=" {
		return []command{{text: e.rule.Undo, rule: e.rule}}
	}
	if e.rule.Undo == "=" {
		var out []command
		for _, o := range b.list {
			out = append(out, command{text: p.undo(o.run), rule: e.rule})
		}
		return out
	}
	var list []string
	for _, o := range b.list {
		list = append(list, o.run.element)
	}
	var out []command
	for _, part := range chunks(e.rule.List, list) {
		x := *e
		x.args = append([]string(nil), e.args...)
		x.args[e.rule.listAt] = part
		x.send = framed(e.frame, part)
		out = append(out, command{text: p.undo(&x), rule: e.rule})
	}
	return out
}

// setting sends a batch of wanted lines.
func (p *patcher) setting(b *batch, depth int) {
	e := b.want
	if e.hidden {
		p.remark("left out because it holds a secret; take it from the intended file: "+e.show, depth)
		return
	}
	if e.rule != nil && (e.rule.Refuse && b.run != nil && !p.gone[b.run] || e.rule.Whole && !e.rule.Over && p.removes(b)) {
		run := b.run
		if run == nil {
			run = e
		}
		p.sendAll([]command{{text: p.undo(run), rule: e.rule}}, depth)
	}
	if e.element == "" {
		p.sendAll([]command{{text: e.send, rule: e.rule}}, depth)
		p.after(e.rule, depth)
		return
	}
	var list []string
	for _, o := range b.list {
		if o.want != nil {
			list = append(list, o.want.element)
		}
	}
	if e.rule.Whole {
		list = nil
		for _, x := range b.full {
			list = append(list, x.element)
		}
	}
	for _, part := range chunks(e.rule.List, list) {
		line := framed(e.frame, part)
		if e.negated {
			line = p.rules.Negation + " " + line
		}
		p.sendAll([]command{{text: line, rule: e.rule}}, depth)
		p.after(e.rule, depth)
	}
}

func (p *patcher) removes(b *batch) bool {
	for _, o := range b.list {
		if o.want == nil {
			return true
		}
	}
	return false
}

func (p *patcher) after(r *rule, depth int) {
	if r == nil {
		return
	}
	for _, a := range r.After {
		p.steps = append(p.steps, Step{Text: a, Depth: depth})
	}
}

// reorder takes a group away and writes it again.
func (p *patcher) reorder(m moved, depth int) {
	for _, e := range m.run {
		p.sendAll([]command{{text: p.undo(e), rule: e.rule}}, depth)
		if e.rule.undoesAll() {
			break
		}
	}
	for _, e := range m.want {
		p.sendAll([]command{{text: e.send, rule: e.rule}}, depth)
	}
}

func (p *patcher) enter(header string, depth int) {
	p.steps = append(p.steps, Step{Text: header, Depth: depth})
}

func (p *patcher) leave(header *entry, depth int) {
	leave := p.rules.Leave
	if r := header.rule; r != nil && r.Leave != "" {
		leave = r.Leave
	}
	p.steps = append(p.steps, Step{Text: leave, Depth: depth + 1})
}

func (p *patcher) sendAll(list []command, depth int) {
	for _, c := range list {
		if c.text == "" {
			continue
		}
		if c.rule != nil && c.rule.Prompt != "" {
			p.remark("the next command asks: "+c.rule.Prompt, depth)
		}
		if !c.sure && (c.rule == nil || c.rule.Assumed) && strings.HasPrefix(c.text, p.rules.Negation+" ") {
			p.remark("how to undo this line is assumed, not known:", depth)
		}
		p.steps = append(p.steps, Step{Text: c.text, Depth: depth})
	}
}

func (p *patcher) remark(text string, depth int) {
	p.steps = append(p.steps, Step{Text: text, Depth: depth, Remark: true})
}
