package diff

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// TextOptions are choices of the printed report.
type TextOptions struct {
	Colour  bool
	Summary bool // every change once, with how many switches have it
}

// Text writes the report for people. Switches with the same difference are shown
// once; so are sections of a switch with the same change.
func (r *Report) Text(w io.Writer, o TextOptions) error {
	b := bufio.NewWriter(w)
	p := &printer{Writer: b, colour: o.Colour}
	if o.Summary {
		p.summary(r)
	} else {
		for _, c := range classes(r) {
			p.class(c)
		}
	}
	p.rest(r)
	p.total(r)
	return b.Flush()
}

type printer struct {
	*bufio.Writer
	colour bool
}

const (
	red, green, yellow, bold, plainText = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
)

func (p *printer) line(style, format string, args ...any) {
	s := printable(fmt.Sprintf(format, args...))
	if p.colour && style != "" {
		s = style + s + plainText
	}
	// A bufio.Writer keeps its first error for Flush.
	_, _ = p.WriteString(s + "\n")
}

// atom is one change, folded over the sections that have it alike.
type atom struct {
	key      string
	paths    [][]string
	change   clitree.Change
	sections int
}

// class is the switches with one and the same difference.
type class struct {
	names []string
	os    string
	atoms []atom
}

// fold puts changes together that differ only in the section's number.
func fold(changes []clitree.Change) []atom {
	var out []atom
	at := map[string]int{}
	for _, c := range changes {
		key := atomKey(c)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, atom{key: key, change: c})
		}
		out[i].paths = append(out[i].paths, c.Path)
		out[i].sections++
	}
	return out
}

func atomKey(c clitree.Change) string {
	var path []string
	for _, p := range c.Path {
		path = append(path, numberless(p))
	}
	return strings.Join([]string{strings.Join(path, "\x01"), strings.Join(c.Remove, "\x01"), strings.Join(c.Add, "\x01"), strconv.FormatBool(c.Reordered), c.Note}, "\x00")
}

// numberless is a header without its numbers, for interfaces and rows of ports;
// other headers keep theirs, which name different things.
func numberless(header string) string {
	low := strings.ToLower(header)
	if !strings.HasPrefix(low, "interface ") && !strings.HasPrefix(header, "Ethernet") && !strings.HasPrefix(header, "swp") {
		return header
	}
	name, rest, _ := strings.Cut(header, "|")
	if rest != "" {
		rest = "|" + rest
	}
	cut := strings.IndexFunc(name, func(c rune) bool { return c >= '0' && c <= '9' })
	if at := strings.Index(name, "GE"); at > 0 && cut < at { // 100GE1/0/1
		return name[:at+2] + rest
	}
	if cut < 0 {
		return header
	}
	return name[:cut] + rest
}

func classes(r *Report) []class {
	var out []class
	at := map[string]int{}
	for i := range r.Switches {
		s := &r.Switches[i]
		if s.Status != Differs {
			continue
		}
		atoms := fold(s.Changes)
		key := s.OS
		for _, a := range atoms {
			key += "\x02" + a.key + "\x02" + strconv.Itoa(a.sections)
		}
		n, ok := at[key]
		if !ok {
			n = len(out)
			at[key] = n
			out = append(out, class{os: s.OS, atoms: atoms})
		}
		out[n].names = append(out[n].names, s.Name)
	}
	return out
}

func (p *printer) class(c class) {
	switch n := len(c.names); n {
	case 1:
		p.line(bold, "%s (%s)", c.names[0], c.os)
	default:
		p.line(bold, "%s (%d switches, %s)", compress(c.names), n, c.os)
	}
	for _, a := range c.atoms {
		p.atom(a, "  ")
	}
	p.line("", "")
}

func (p *printer) atom(a atom, indent string) {
	mark, style := "~", yellow
	header := strings.Join(a.paths[0], " / ")
	if header == "" {
		header = "(top level)"
	}
	if a.sections > 1 {
		header += fmt.Sprintf(" and %d more, to %s", a.sections-1, a.paths[len(a.paths)-1][0])
		if len(a.paths[0]) > 1 {
			header = strings.TrimSuffix(header, a.paths[len(a.paths)-1][0]) + strings.Join(a.paths[len(a.paths)-1], " / ")
		}
	}
	p.line(style, "%s%s %s", indent, mark, header)
	if a.change.Reordered {
		p.line("", "%s    the same lines in another order; wanted:", indent)
		for _, l := range a.change.Add {
			p.line(yellow, "%s    ~ %s", indent, l)
		}
	} else {
		p.lines(red, indent+"    - ", a.change.Remove)
		p.lines(green, indent+"    + ", a.change.Add)
	}
	if a.change.Note != "" {
		p.line("", "%s    (%s)", indent, a.change.Note)
	}
}

func (p *printer) lines(style, mark string, list []string) {
	for _, l := range list {
		p.line(style, "%s%s", mark, l)
	}
}

// summary shows every change once, the most frequent first.
func (p *printer) summary(r *Report) {
	type total struct {
		atom
		os       string
		switches []string
	}
	var out []*total
	at := map[string]*total{}
	for i := range r.Switches {
		s := &r.Switches[i]
		for _, a := range fold(s.Changes) {
			k := s.OS + "\x00" + a.key
			if at[k] == nil {
				at[k] = &total{atom: a, os: s.OS}
				at[k].sections = 0
				out = append(out, at[k])
			}
			at[k].sections += a.sections
			at[k].switches = append(at[k].switches, s.Name)
		}
	}
	slices.SortStableFunc(out, func(a, b *total) int { return cmp.Compare(len(b.switches), len(a.switches)) })
	for i, t := range out {
		if i == summaryLines {
			p.line("", "… and %d more kinds of change on fewer switches; leave --summary out to see all", len(out)-i)
			break
		}
		header := strings.Join(t.paths[0], " / ")
		if header == "" {
			header = "(top level)"
		}
		what := short(t.change.Remove, "-")
		if add := short(t.change.Add, "+"); add != "" {
			what = strings.TrimSpace(what + "  " + add)
		}
		if t.change.Reordered {
			what = "other order"
		}
		p.line("", "%4d %-9s %5d %-8s  %s: %s  [%s]", len(t.switches), word(len(t.switches), "switch,", "switches,"),
			t.sections, word(t.sections, "section", "sections"), header, what, compress(t.switches))
	}
}

func word(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// summaryLines is what a screen takes beside the totals.
const summaryLines = 30

func short(list []string, mark string) string {
	if len(list) == 0 {
		return ""
	}
	s := mark + " " + list[0]
	if len(list) > 1 {
		s += fmt.Sprintf(" and %d more lines", len(list)-1)
	}
	return s
}

// rest shows the switches that were not compared, and what is odd about the others.
func (p *printer) rest(r *Report) {
	for _, k := range []struct {
		status Status
		style  string
		text   string
	}{
		{Missing, yellow, "missing, no running configuration was found"}, {Extra, yellow, "extra, no switch of the cluster has the name"},
		{Unreachable, red, "unreachable"}, {Unreadable, red, "unreadable"},
	} {
		var names []string
		reasons := map[string][]string{}
		var order []string
		for i := range r.Switches {
			s := &r.Switches[i]
			if s.Status != k.status {
				continue
			}
			names = append(names, s.Name)
			if reasons[s.Reason] == nil {
				order = append(order, s.Reason)
			}
			reasons[s.Reason] = append(reasons[s.Reason], s.Name)
		}
		if len(names) == 0 {
			continue
		}
		if k.status == Missing || k.status == Extra {
			p.line(k.style, "%s: %s", k.text, compress(names))
			continue
		}
		for _, reason := range order {
			p.line(k.style, "%s: %s: %s", k.text, compress(reasons[reason]), reason)
		}
	}
	p.doubts(r)
	if len(r.Strange) > 0 {
		p.line("", "no configurations: %s", compress(r.Strange))
	}
}

// doubts shows what is odd about switches that were compared, the same once.
func (p *printer) doubts(r *Report) {
	var order []string
	names := map[string][]string{}
	add := func(name, kind, text string) {
		key := kind + "\x00" + text
		if names[key] == nil {
			order = append(order, key)
		}
		names[key] = append(names[key], name)
	}
	for i := range r.Switches {
		s := &r.Switches[i]
		for _, x := range s.Problems {
			if x.Severity == clitree.Doubt && s.Status != Unreadable {
				add(s.Name, "doubt", x.String())
			}
		}
		if s.Reason != "" && (s.Status == Same || s.Status == Differs) {
			add(s.Name, "note", s.Reason)
		}
	}
	for _, key := range order {
		kind, text, _ := strings.Cut(key, "\x00")
		p.line(yellow, "%s: %s: %s", kind, compress(names[key]), text)
	}
}

// differing counts switches that differ, and in how many ways they do.
func differing(switches, ways int) string {
	switch {
	case switches == 1:
		return "1 differs"
	case ways == 1:
		return fmt.Sprintf("%d differ, all in the same way", switches)
	}
	return fmt.Sprintf("%d differ in %d ways", switches, ways)
}

func (p *printer) total(r *Report) {
	var same []string
	for i := range r.Switches {
		if r.Switches[i].Status == Same {
			same = append(same, r.Switches[i].Name)
		}
	}
	if r.pair {
		if len(same) > 0 {
			p.line("", "no difference")
		}
		return
	}
	if len(same) > 0 {
		p.line("", "same: %s", compress(same))
	}
	parts := []string{fmt.Sprintf("%d %s", len(r.Switches), word(len(r.Switches), "switch", "switches")), fmt.Sprintf("%d same", len(same))}
	if n := r.count(Differs); n > 0 {
		parts = append(parts, differing(n, len(classes(r))))
	}
	for _, s := range []Status{Missing, Extra, Unreachable, Unreadable} {
		if n := r.count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	p.line(bold, "%s", strings.Join(parts, ", "))
}
