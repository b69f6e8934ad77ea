package clitree

import (
	"errors"
	"fmt"
	"strings"
)

// Comparer compares under one set of rules. It may be used by many goroutines.
type Comparer struct {
	rules      *Rules
	contexts   map[string]*context
	anywhere   *context
	vocabulary map[string]bool
}

// context is what is known about the lines of one kind of section.
type context struct {
	name     string
	rules    map[string][]*rule // by first word; "" for patterns that begin with a sign
	defaults map[string][]absent
	rewrites map[string][]rewrite
}

type rule struct {
	*Rule
	pattern pattern
	listAt  int // index of the list among the signs, -1 for none
	list    bool
	section bool
}

type absent struct {
	line, when   pattern
	not, unknown bool
}

type rewrite struct {
	from pattern
	to   []string
}

// anyContext is In of rules that hold in every section.
const anyContext = "**"

// Compile checks rules and makes them ready for use.
func Compile(r *Rules) (*Comparer, error) {
	c := &Comparer{rules: r, contexts: map[string]*context{}, vocabulary: map[string]bool{}}
	c.anywhere = c.context(anyContext)
	c.context("") // looked up by every comparison, so it must be there before the first
	if r.Syntax == nil || r.Negation == "" {
		return nil, errors.New("rules without syntax or negation")
	}
	var errs []error
	for i := range r.Lines {
		errs = append(errs, c.add(&r.Lines[i]))
	}
	for _, d := range r.Defaults {
		if d.Source == "" {
			errs = append(errs, fmt.Errorf("default %q: no source", d.Line))
		}
		a := absent{line: compile(d.Line), not: strings.HasPrefix(d.When, "!"), unknown: d.Unknown}
		a.when = compile(strings.TrimPrefix(d.When, "!"))
		ctx := c.context(d.In)
		w := a.line.word()
		ctx.defaults[w] = append(ctx.defaults[w], a)
		c.learn(a.line)
	}
	for _, w := range r.Rewrites {
		if w.Source == "" {
			errs = append(errs, fmt.Errorf("rewrite %q: no source", w.From))
		}
		x := rewrite{compile(w.From), w.To}
		ctx := c.context(w.In)
		ctx.rewrites[x.from.word()] = append(ctx.rewrites[x.from.word()], x)
		c.learn(x.from)
	}
	return c, errors.Join(errs...)
}

func (c *Comparer) add(r *Rule) error {
	x := &rule{Rule: r, pattern: compile(r.Match), listAt: -1, section: r.As != "" || r.Fixed || r.Atomic}
	if len(x.pattern) == 0 || r.Source == "" {
		return fmt.Errorf("rule %q: no pattern or no source", r.Match)
	}
	n := 0
	for _, t := range x.pattern {
		if t.sign == list {
			x.listAt, x.list = n, true
		}
		if t.sign != literal {
			n++
		}
	}
	if x.list != (r.List != "") {
		return fmt.Errorf("rule %q: # and List go together", r.Match)
	}
	ctx := c.context(r.In)
	for _, w := range x.pattern.firstWords() {
		ctx.rules[w] = append(ctx.rules[w], x)
	}
	c.learn(x.pattern)
	return nil
}

// learn keeps the words of patterns, which no abbreviation may be.
func (c *Comparer) learn(p pattern) {
	for _, t := range p {
		if t.sign == literal || t.sign == keyOneOf {
			for _, w := range t.words {
				c.vocabulary[w] = true
			}
		}
	}
}

func (c *Comparer) context(name string) *context {
	ctx := c.contexts[name]
	if ctx == nil {
		ctx = &context{name: name, rules: map[string][]*rule{}, defaults: map[string][]absent{}, rewrites: map[string][]rewrite{}}
		c.contexts[name] = ctx
	}
	return ctx
}

// below is the context of the lines under a line of a rule.
func (c *Comparer) below(r *rule) *context {
	if r == nil {
		return c.anywhere
	}
	name := r.As
	if name == "" {
		name = r.Match
	}
	if ctx := c.contexts[name]; ctx != nil {
		return ctx
	}
	return c.anywhere
}

func (p pattern) word() string {
	if len(p) > 0 && p[0].sign == literal {
		return p[0].words[0]
	}
	return ""
}

func (p pattern) firstWords() []string {
	if p[0].sign == literal || p[0].sign == keyOneOf {
		return p[0].words
	}
	return []string{""}
}

// find returns the rule of a line and what its signs stood for.
func (c *Comparer) find(ctx *context, words []string) (*rule, []span) {
	for _, list := range [][]*rule{ctx.rules[words[0]], ctx.rules[""], c.anywhere.rules[words[0]]} {
		for _, r := range list {
			if args, ok := r.pattern.match(words); ok {
				return r, args
			}
		}
	}
	return nil, nil
}

// stem finds the rule of a line that stops before its values.
func (c *Comparer) stem(ctx *context, words []string) *rule {
	for _, r := range ctx.rules[words[0]] {
		if r.pattern.stem(words) {
			return r
		}
	}
	return nil
}

// unabridged writes the words of a line out where they are beginnings of the words
// of exactly one rule, as a person types and a device takes. Words that are
// themselves words of the language stay.
func (c *Comparer) unabridged(ctx *context, words []string) []string {
	var found []string
	for _, list := range ctx.rules {
		for _, r := range list {
			out, ok := c.prefixed(r.pattern, words)
			if !ok {
				continue
			}
			if found != nil && strings.Join(found, " ") != strings.Join(out, " ") {
				return nil
			}
			found = out
		}
	}
	return found
}

// minAbbreviation is the shortest beginning taken for a word.
const minAbbreviation = 2

func (c *Comparer) prefixed(p pattern, words []string) ([]string, bool) {
	out := append([]string(nil), words...)
	for i, t := range p {
		if i >= len(words) || t.sign == restValue || t.sign == restKey || t.sign == list {
			break
		}
		if t.sign != literal || oneOf(t.words, words[i]) {
			continue
		}
		if c.vocabulary[words[i]] || len(words[i]) < minAbbreviation || !strings.HasPrefix(t.words[0], words[i]) {
			return nil, false
		}
		out[i] = t.words[0]
	}
	_, ok := p.match(out)
	return out, ok
}
