package clitree

import "strings"

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
	// remark is for the person, not for the device.
	remark bool
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
	run, want := p.reader.section(ctx, running.Children), p.reader.section(ctx, intended.Children)
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
			p.force(d.run, command{text: r.First, sure: true})
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
