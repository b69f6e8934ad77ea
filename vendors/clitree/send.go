package clitree

import (
	"cmp"
	"slices"
	"strings"
)

// early removes values that only one section can have where another gets them.
func (p *patcher) early(d *delta) {
	p.gone = map[*entry]bool{}
	added := map[string]string{} // the value and the section that gets it
	for _, s := range d.subs {
		each(s, func(o op) {
			if o.want != nil && o.want.rule != nil && o.want.rule.Unique {
				added[o.want.val] = s.header.key
			}
		})
	}
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
			if to := added[e.val]; e.rule != nil && e.rule.Unique && to != "" && to != header.key && (leaving[e] || p.wiped[e]) {
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

// lastRank is behind every rule's own.
const lastRank = 1 << 20

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
			send := item{-rank, func() { p.sendAll(p.removal(group), depth) }}
			if r := group.run.rule; r != nil && r.Last {
				send.rank = lastRank
				in = append(in, send)
				continue
			}
			away = append(away, send)
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
		switch {
		case c.text == "":
			continue
		case c.remark:
			p.remark(c.text, depth)
			continue
		}
		undo := strings.HasPrefix(c.text, p.rules.Negation+" ")
		if c.rule != nil && c.rule.Prompt != "" && (undo || !c.rule.AsksOnUndo) {
			p.remark("the next command asks: "+c.rule.Prompt, depth)
		}
		if !c.sure && (c.rule == nil || c.rule.Assumed) && undo {
			p.remark("how to undo this line is assumed, not known:", depth)
		}
		p.steps = append(p.steps, Step{Text: c.text, Depth: depth})
		if c.rule == nil {
			continue
		}
		for _, a := range c.rule.After {
			p.steps = append(p.steps, Step{Text: a, Depth: depth})
		}
	}
}

func (p *patcher) remark(text string, depth int) {
	p.steps = append(p.steps, Step{Text: text, Depth: depth, Remark: true})
}
