package clitree

import "strings"

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
	if e.hidden && (e.rule == nil || e.rule.Undo == "") {
		return []command{{text: "to be removed by hand because it holds a secret: " + e.show, remark: true}}
	}
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
