package grammar

import (
	"bytes"
	"errors"
	"fmt"
	mathbits "math/bits"
	"slices"
	"sync"

	"gopkg.in/yaml.v3"
)

// Rule is one allowed form of a line.
type Rule struct {
	ID       string   `yaml:"id"`
	View     string   `yaml:"-"`
	Form     string   `yaml:"form"`
	Enters   string   `yaml:"enters"`
	Families []string `yaml:"families"`
	First    bool     `yaml:"first"`
	Last     bool     `yaml:"last"`
	Needs    []string `yaml:"needs"`
	After    []string `yaml:"after"`
	Excludes []string `yaml:"excludes"`
	Column0  bool     `yaml:"column0"`
	Flat     bool     `yaml:"flat"`
	Leaves   bool     `yaml:"leaves"`
	Indent   int      `yaml:"indent"` // of the view it enters; 0: that of the syntax
	Until    string   `yaml:"until"`  // the lines that follow are text, up to this one
	Source   string   `yaml:"source"`
	Mark     string   `yaml:"mark"`
	// Example is a line of this form, for rules that the built-in templates do not use.
	Example string `yaml:"example"`

	needs            [][]int // of each one is needed
	before, excludes bits
	ordered          bool   // any of these is set
	never            string // reason, when the form is one that must not be written
}

// Forbidden is a form that looks right and must not be written.
type Forbidden struct {
	View   string `yaml:"view"` // "*": all
	Form   string `yaml:"form"`
	Line   string `yaml:"line"` // an example
	Reason string `yaml:"reason"`
	Source string `yaml:"source"`
	// Families are those it must not be written for; none: all.
	Families []string `yaml:"families"`
}

// Grammar is what one OS's configuration may hold. It does not change and may be
// used by many goroutines.
type Grammar struct {
	OS    string // as cluster files call it
	File  string // the file of a switch that it is for
	Rules []Rule // in the order of the file
	Never []Forbidden

	syntax  syntax
	defined map[string][]string
	views   []view
	at      map[string]int // view by name
	scopes  []scope
	nowhere *node     // forms that are never written in any view
	idle    sync.Pool // of *scanner
}

type syntax struct {
	Indent    int    `yaml:"indent"`
	System    int    `yaml:"system"`
	Separator string `yaml:"separator"`
	Comment   string `yaml:"comment"`
	Closer    string `yaml:"closer"`
}

// view is one section of the command language.
type view struct {
	name  string
	root  *node
	rules []int
}

// scope is a kind of name that lines define and need.
type scope struct{ name string }

type document struct {
	OS      string              `yaml:"os"`
	File    string              `yaml:"file"`
	Syntax  syntax              `yaml:"syntax"`
	Defined map[string][]string `yaml:"defined"`
	Words   map[string]string   `yaml:"words"`
	Views   []struct {
		View  string `yaml:"view"`
		Rules []Rule `yaml:"rules"`
	} `yaml:"views"`
	Never []Forbidden `yaml:"never"`
}

// Parse reads a grammar file. The error lists all problems.
func Parse(data []byte) (*Grammar, error) {
	var doc document
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	b := &builder{g: &Grammar{OS: doc.OS, File: doc.File, Never: doc.Never, syntax: doc.Syntax, defined: doc.Defined, at: map[string]int{}, nowhere: &node{}}}
	b.words = doc.Words
	if len(doc.Views) == 0 || doc.OS == "" || doc.File == "" || doc.Syntax.Indent < 1 {
		b.fail("os, file, syntax.indent and views are needed")
	}
	for _, v := range doc.Views {
		if _, ok := b.g.at[v.View]; ok || v.View == "" || v.View == "*" {
			b.fail("view %q: a name of its own is needed", v.View)
		}
		b.g.at[v.View] = len(b.g.views)
		own := view{name: v.View, root: &node{}}
		for _, r := range v.Rules {
			r.View = v.View
			own.rules = append(own.rules, len(b.g.Rules))
			b.g.Rules = append(b.g.Rules, r)
		}
		b.g.views = append(b.g.views, own)
	}
	b.rules()
	b.never()
	if err := errors.Join(b.problems...); err != nil {
		return nil, fmt.Errorf("grammar of %s: %w", doc.OS, err)
	}
	return b.g, nil
}

// builder compiles a document.
type builder struct {
	g        *Grammar
	words    map[string]string
	problems []error
}

func (b *builder) fail(format string, args ...any) {
	b.problems = append(b.problems, fmt.Errorf(format, args...))
}

// maxRules bounds the sets of rules that a level of a file keeps.
const maxRules = 64 * len(bits{})

func (b *builder) rules() {
	g := b.g
	if len(g.Rules) > maxRules {
		b.fail("%d rules are more than %d", len(g.Rules), maxRules)
		return
	}
	ids := map[string][]int{}
	for i := range g.Rules {
		if id := g.Rules[i].ID; id != "" {
			ids[id] = append(ids[id], i)
		}
	}
	for i := range g.Rules {
		r := &g.Rules[i]
		b.check(r)
		sets := func(what string, names []string) (each [][]int, all bits) {
			for _, n := range names {
				if ids[n] == nil {
					b.fail("%q: %s %q is no rule's id", r.Form, what, n)
				}
				each = append(each, ids[n])
				for _, k := range ids[n] {
					all.add(k)
				}
			}
			return each, all
		}
		var after bits
		r.needs, _ = sets("needs", r.Needs)
		_, r.excludes = sets("excludes", r.Excludes)
		_, after = sets("after", r.After)
		for k := range g.Rules {
			if after.has(k) {
				g.Rules[k].before.add(i)
			}
		}
	}
	b.pair()
	for i := range g.Rules {
		r := &g.Rules[i]
		r.ordered = len(r.needs) > 0 || r.before != bits{} || r.excludes != bits{}
		b.insert(g.views[g.at[r.View]].root, r.Form, i)
	}
}

// pair makes exclusion mutual.
func (b *builder) pair() {
	rules := b.g.Rules
	for i := range rules {
		for k := range rules {
			if rules[i].excludes.has(k) {
				rules[k].excludes.add(i)
			}
		}
	}
}

func (b *builder) check(r *Rule) {
	if _, ok := b.g.at[r.Enters]; !ok && r.Enters != "" {
		b.fail("%q: enters %q, which is no view", r.Form, r.Enters)
	}
	if r.Source == "" {
		b.fail("%q in view %s has no source", r.Form, r.View)
	}
	if !slices.Contains([]string{"doc", "field", "inferred"}, r.Mark) {
		b.fail("%q in view %s: mark %q is none of doc, field, inferred", r.Form, r.View, r.Mark)
	}
}

// never adds the forms that must not be written as rules of their own, behind
// the others, so that a line can be told what is wrong with it.
func (b *builder) never() {
	g := b.g
	for _, n := range g.Never {
		if n.Reason == "" || n.Source == "" || n.Line == "" {
			b.fail("never %q: line, reason and source are needed", n.Form)
		}
		if n.View == "*" {
			b.insert(g.nowhere, n.Form, len(g.Rules))
		} else if at, ok := g.at[n.View]; ok {
			b.insert(g.views[at].root, n.Form, len(g.Rules))
		} else {
			b.fail("never %q: view %q is none", n.Form, n.View)
		}
		g.Rules = append(g.Rules, Rule{View: n.View, Form: n.Form, Families: n.Families, Source: n.Source, never: n.Reason})
	}
	if len(g.Rules) > maxRules {
		b.fail("%d rules and forms never written are more than %d", len(g.Rules), maxRules)
	}
}

// Allowed are the rules without the forms that are never written.
func (g *Grammar) Allowed() []Rule { return g.Rules[:len(g.Rules)-len(g.Never)] }

// insert adds every reading of a form to a trie.
func (b *builder) insert(root *node, form string, rule int) {
	readings, err := b.form(form)
	if err != nil {
		b.fail("%q: %w", form, err)
		return
	}
	for _, r := range readings {
		n := root
		for _, t := range r {
			n = n.child(t)
		}
		if !slices.Contains(n.ends, rule) {
			n.ends = append(n.ends, rule)
		}
	}
}

// scope numbers a kind of name.
func (b *builder) scope(name string) int {
	for i := range b.g.scopes {
		if b.g.scopes[i].name == name {
			return i
		}
	}
	b.g.scopes = append(b.g.scopes, scope{name: name})
	return len(b.g.scopes) - 1
}

// bits is a set of rules.
type bits [8]uint64

func (b *bits) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b *bits) has(i int) bool { return b[i>>6]&(1<<(i&63)) != 0 }

// meets returns a rule that is in both sets, -1 without one.
func (b *bits) meets(o *bits) int {
	for i := range b {
		if both := b[i] & o[i]; both != 0 {
			return i<<6 + mathbits.TrailingZeros64(both)
		}
	}
	return -1
}
