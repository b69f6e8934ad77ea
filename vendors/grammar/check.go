package grammar

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unsafe"
)

// Kind is what is wrong with a line.
type Kind string

// The kinds of doubt. The first five mean that no rule of the line's view confirms
// the line; Scan does not tell them apart.
const (
	Unknown Kind = "unknown" // in no view
	View    Kind = "view"    // in another view only
	Family  Kind = "family"  // for other hardware only
	Range   Kind = "range"   // with other values only
	Never   Kind = "never"   // known to be wrong, or without effect
	Order   Kind = "order"   // at another place only
	Column  Kind = "column"  // indented otherwise than the device prints it
)

// Doubt is a line that the grammar does not confirm.
type Doubt struct {
	Line    int    // of the file, from 1
	Text    string // of the line, without indentation and with secrets masked
	View    string
	Kind    Kind
	Reason  string
	Nearest string // form of the rule that comes closest, "" without one
	Below   int    // lines of the view that an unknown line opens; they go unchecked

	raw string
}

// Check holds a configuration to the grammar, for one hardware family ("" where
// it is not known). An empty result means that every line is confirmed.
func (g *Grammar) Check(config []byte, family string) []Doubt {
	list := g.Scan(config, family)
	for i := range list {
		g.Explain(&list[i], family)
	}
	return list
}

// Scan is Check without finding out why a line is not confirmed, for many files:
// Explain does that for those lines that are shown.
func (g *Grammar) Scan(config []byte, family string) []Doubt {
	s := g.scan(family)
	defer s.release()
	s.file(config)
	slices.SortStableFunc(s.doubts, func(a, b Doubt) int { return a.Line - b.Line })
	return s.doubts
}

// Trace returns the rule of each line as an index into Rules; -1 where there is
// none, for separators and comments -2.
func (g *Grammar) Trace(config []byte, family string) []int {
	s := g.scan(family)
	defer s.release()
	s.traced = []int{}
	s.file(config)
	return s.traced
}

// level is a view that is open.
type level struct {
	view   int
	column int // of the line that opened it
	body   int // column of its lines
	flat   bool
	lines  int
	seen   bits
	opener int // rule
	doubt  int // of an unknown view's header, -1 otherwise: its lines are counted there
}

// wanted is a name that a line needs and that no line before it defines.
type wanted struct {
	capture
	doubt Doubt
}

type scanner struct {
	matcher
	open   []level
	known  []map[string]bool // by scope
	after  []follower        // by rule + 1
	before int               // rule + 1 of the line before
	wanted []wanted
	doubts []Doubt
	traced []int
	number int
	ended  bool
	until  string // the line that ends the text being read
}

// scan takes a scanner that is at the beginning of a file.
func (g *Grammar) scan(family string) *scanner {
	s, _ := g.idle.Get().(*scanner)
	if s == nil {
		s = &scanner{matcher: matcher{g: g}, after: make([]follower, len(g.Rules)+1), known: make([]map[string]bool, len(g.scopes))}
		for i := range s.known {
			s.known[i] = map[string]bool{}
		}
	}
	s.family = family
	s.open = append(s.open[:0], level{doubt: -1, opener: noRule})
	for i, sc := range g.scopes {
		for _, n := range g.defined[sc.name] {
			s.known[i][n] = true
		}
	}
	return s
}

// release gives a scanner back. It must not hold on to the text: see file.
func (s *scanner) release() {
	for i := range s.after {
		f := &s.after[i]
		clear(f.names)
		f.line, f.names = "", f.names[:0]
	}
	for _, m := range s.known {
		clear(m)
	}
	clear(s.words[:cap(s.words)])
	clear(s.names[:cap(s.names)])
	clear(s.wanted)
	s.words, s.names, s.wanted = s.words[:0], s.names[:0], s.wanted[:0]
	s.doubts, s.traced, s.number, s.before, s.ended, s.until = nil, nil, 0, 0, false, ""
	s.g.idle.Put(s)
}

// file reads a whole file. Thousands of files of a hundred kilobytes each make
// copying them into strings the greatest part of the work, so the strings of a
// scanner share the caller's bytes. Nothing of them stays when Scan returns: release
// lets go of them, and doubts have copies.
func (s *scanner) file(config []byte) {
	text := unsafe.String(unsafe.SliceData(config), len(config))
	for len(text) > 0 {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		s.number++
		if n := len(line); n > 0 && (line[n-1] == ' ' || line[n-1] == '\r') {
			line = strings.TrimRight(line, " \r")
		}
		trace := s.line(line)
		if s.traced != nil {
			s.traced = append(s.traced, trace)
		}
	}
	s.finish()
}

const (
	noRule = -1
	noLine = -2
)

// line checks one line and returns its rule.
func (s *scanner) line(line string) int {
	column := 0
	for column < len(line) && line[column] == ' ' {
		column++
	}
	words := line[column:]
	syn := &s.g.syntax
	switch {
	case s.until != "":
		if line == s.until {
			s.until = ""
		}
		return noLine
	case words == "":
		return noLine
	case words == syn.Separator:
		if column == 0 {
			s.closeAll()
		}
		return noLine
	case syn.Comment != "" && strings.HasPrefix(words, syn.Comment):
		return noLine
	case syn.Closer != "" && words == syn.Closer:
		s.close(column, words)
		return noLine
	}
	top := s.enter(column, words)
	if top.doubt >= 0 {
		s.doubts[top.doubt].Below++
		return noRule
	}
	view := top.view // top may move
	rule, names := s.rule(view, words)
	if rule < 0 || s.g.Rules[rule].never != "" {
		s.unknown(top, column, words, rule)
		return noRule
	}
	s.confirmed(top, rule, column, words)
	for _, n := range names {
		s.use(n, words, view)
	}
	return rule
}

// follower is the line that came last behind a line of some rule.
type follower struct {
	line  string
	view  int
	rule  int
	names []capture
}

// rule finds the rule of a line. Most blocks of a file are alike, so the line that
// came last behind the same rule is tried before the trie is.
func (s *scanner) rule(view int, words string) (rule int, names []capture) {
	f := &s.after[s.before]
	if f.line != words || f.view != view {
		s.words = cut(s.words, words)
		f.rule = s.find(s.g.views[view].root)
		f.line, f.view = words, view
		f.names = append(f.names[:0], s.names...)
	}
	s.before = f.rule + 1
	return f.rule, f.names
}

// enter closes the views that a line of this column ends and returns its own.
func (s *scanner) enter(column int, words string) *level {
	for len(s.open) > 1 {
		top := &s.open[len(s.open)-1]
		if column >= top.body {
			break
		}
		s.leave(words)
	}
	return &s.open[len(s.open)-1]
}

// leave closes the innermost view without its closer.
func (s *scanner) leave(words string) {
	top := s.open[len(s.open)-1]
	s.open = s.open[:len(s.open)-1]
	if s.g.syntax.Closer != "" && !top.flat && top.doubt < 0 {
		s.doubt(words, top.view, Order, fmt.Sprintf("the view opened by %q before it is not closed by %s", readable(s.g.Rules[top.opener].Form), s.g.syntax.Closer))
	}
}

func (s *scanner) closeAll() {
	for len(s.open) > 1 && !s.open[len(s.open)-1].flat {
		s.leave(s.g.syntax.Separator)
	}
}

// close handles the line that closes the view opened at its column.
func (s *scanner) close(column int, words string) {
	for len(s.open) > 1 {
		top := &s.open[len(s.open)-1]
		if top.doubt >= 0 && top.column < column {
			return // inside a view that is not looked at
		}
		if top.flat || top.column < column {
			break
		}
		if top.column == column {
			s.open = s.open[:len(s.open)-1]
			return
		}
		s.leave(words)
	}
	s.doubt(words, s.open[len(s.open)-1].view, Order, "it closes nothing")
}

// confirmed looks at place and order of a line that a rule allows.
func (s *scanner) confirmed(top *level, rule, column int, words string) {
	r := &s.g.Rules[rule]
	want := top.body
	if len(s.open) == 1 && r.Enters == "" && !r.Column0 {
		want += s.g.syntax.System
	}
	switch {
	case column != want:
		s.doubt(words, top.view, Column, fmt.Sprintf("the device prints it with %s in front, not %d", blanks(want), column))
	case s.ended:
		s.doubt(words, top.view, Order, "it stands behind the end of the file")
	case r.First && top.lines > 0:
		s.doubt(words, top.view, Order, "it must be the first line of its view")
	case r.ordered:
		s.order(top, r, words)
	}
	s.ended = s.ended || r.Last
	top.lines++
	top.seen.add(rule)
	if r.Leaves && len(s.open) > 1 {
		s.open = s.open[:len(s.open)-1]
	}
	if r.Enters != "" {
		l := level{view: s.g.at[r.Enters], column: column, body: want + s.g.syntax.Indent, flat: r.Flat, opener: rule, doubt: -1}
		switch {
		case r.Flat:
			l.body = want
		case r.Indent > 0:
			l.body = want + r.Indent
		}
		s.open = append(s.open, l)
	}
	if r.Until != "" {
		s.until = r.Until
	}
}

func (s *scanner) order(top *level, r *Rule, words string) {
	for _, any := range r.needs {
		if !s.stands(any) {
			s.doubt(words, top.view, Order, fmt.Sprintf("it needs %q before it", readable(s.g.Rules[any[0]].Form)))
		}
	}
	if at := top.seen.meets(&r.before); at >= 0 {
		s.doubt(words, top.view, Order, fmt.Sprintf("it must stand before %q", readable(s.g.Rules[at].Form)))
	}
	if at := top.seen.meets(&r.excludes); at >= 0 {
		s.doubt(words, top.view, Order, fmt.Sprintf("it cannot stand beside %q", readable(s.g.Rules[at].Form)))
	}
}

// stands reports whether a line of one of the rules stands before, in the view or
// around it.
func (s *scanner) stands(any []int) bool {
	for k := len(s.open) - 1; k >= 0; k-- {
		for _, r := range any {
			if s.open[k].seen.has(r) {
				return true
			}
		}
	}
	return false
}

func (s *scanner) use(c capture, words string, view int) {
	known := s.known[c.scope]
	switch {
	case c.use == defines:
		known[c.word] = true
	case !known[c.word]:
		s.wanted = append(s.wanted, wanted{c, s.newDoubt(words, view, Order, "")})
	}
}

// finish says which names are missing and what is still open.
func (s *scanner) finish() {
	for _, w := range s.wanted {
		scope := s.g.scopes[w.scope].name
		switch known := s.known[w.scope][w.word]; {
		case known && w.use == needsAnywhere:
			continue
		case known:
			w.doubt.Reason = fmt.Sprintf("it needs %s %s before it", scope, w.word)
		default:
			w.doubt.Reason = fmt.Sprintf("it needs %s %s, which the file does not define", scope, w.word)
		}
		s.doubts = append(s.doubts, w.doubt)
	}
	if s.until != "" {
		s.doubt("", s.open[len(s.open)-1].view, Order, fmt.Sprintf("the file ends, but the text before is not closed by %s", s.until))
	}
	if top := s.open[len(s.open)-1]; len(s.open) > 1 && (top.flat || s.g.syntax.Closer != "" && top.doubt < 0) {
		s.doubt("", top.view, Order, fmt.Sprintf("the file ends, but what %q opened is not closed", readable(s.g.Rules[top.opener].Form)))
	}
}

// unknown notes a line without a rule. Its lines, if it opens a view, go
// unchecked: nothing tells what view it would be.
func (s *scanner) unknown(top *level, column int, words string, never int) {
	kind := Unknown
	if never >= 0 {
		kind = Never
	}
	s.doubt(words, top.view, kind, "")
	s.open = append(s.open, level{view: top.view, column: column, body: column + s.g.syntax.Indent, doubt: len(s.doubts) - 1, opener: noRule})
}

func (s *scanner) doubt(words string, view int, kind Kind, reason string) {
	s.doubts = append(s.doubts, s.newDoubt(words, view, kind, reason))
}

func (s *scanner) newDoubt(words string, view int, kind Kind, reason string) Doubt {
	words = strings.Clone(words)
	return Doubt{Line: s.number, Text: masked(words), View: s.g.views[view].name, Kind: kind, Reason: reason, raw: words}
}

func blanks(n int) string {
	switch n {
	case 0:
		return "no blank"
	case 1:
		return "one blank"
	}
	return strconv.Itoa(n) + " blanks"
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
