package clitree

import (
	"regexp"
	"strings"
)

// maxDepth bounds nesting; five is the deepest these systems print.
const maxDepth = 64

// Parse reads a configuration. It takes what people have: output captured with
// prompts, echo, banner and pager, files with CR LF, in GBK. The tree is only to
// be trusted when no problem is Fatal; a Doubt names what may be missing from it.
func Parse(text []byte, s *Syntax) (*Node, []Problem) {
	c := &cleaner{}
	lines := c.lines(text)
	root := &Node{}
	if Worst(c.problems, Fatal) != nil {
		return root, c.problems
	}
	p := &parser{cleaner: c, syntax: s}
	if p.foreign(lines) {
		return root, p.problems
	}
	p.tree(root, p.body(lines))
	if len(root.Children) == 0 && Worst(p.problems, Fatal) == nil {
		p.problem(0, Fatal, CodeEmpty, "no configuration in it")
	}
	return root, p.problems
}

type parser struct {
	*cleaner
	syntax *Syntax
	ended  bool // the closing line was there
	device bool // a device printed this: it must have its closing line
	opened bool // the last line was the separator
	slab   []Node
	prompt string // of the session in which the text was printed; "" without one
}

// body cuts the configuration out of a capture.
func (p *parser) body(lines []line) []line {
	first, echoed := 0, false
	for i, l := range lines {
		command, ok := p.command(l)
		if !ok {
			continue
		}
		show := p.syntax.show.FindString(command)
		if show == "" {
			continue
		}
		first, echoed = i+1, true
		p.prompt = l.text[:len(l.text)-len(command)]
		if rest := command[len(show):]; !p.syntax.part.MatchString(rest) {
			p.problem(l.number, Doubt, CodePartial, "only a part of the configuration was asked for: %s", quote(command))
		}
	}
	if !echoed {
		first = p.start(lines)
	}
	p.device = echoed
	skipped := 0
	for _, l := range lines[:first] {
		if _, typed := p.command(l); !typed && !p.header(l) && !timestamp.MatchString(l.text) && !failed.MatchString(l.text) {
			skipped++
		}
	}
	if skipped > 0 {
		p.problem(lines[0].number, Note, CodePreamble, "%d lines in front of the configuration left out", skipped)
	}
	return lines[first:]
}

// header tells comment lines and notes when one is a device's own.
func (p *parser) header(l line) bool {
	for _, d := range p.syntax.Device {
		p.device = p.device || strings.HasPrefix(l.text, d)
	}
	return l.text[0] == p.syntax.Separator || l.text[0] == '!'
}

// command returns what was typed behind a prompt.
func (p *parser) command(l line) (string, bool) {
	if l.indent > 0 || p.syntax.prompt == nil {
		return "", false
	}
	head := l.text[:min(len(l.text), 2*maxPrompt)]
	if !strings.ContainsAny(head, "#>]") { // every prompt has one of them
		return "", false
	}
	at := p.syntax.prompt.FindStringIndex(head)
	if at == nil {
		return "", false
	}
	return strings.TrimSpace(l.text[at[1]:]), true
}

// start finds the first line of a configuration behind a banner without a prompt.
func (p *parser) start(lines []line) int {
	if len(p.syntax.Words) == 0 {
		return 0
	}
	for i, l := range lines {
		word, _, _ := strings.Cut(l.text, " ")
		if l.text[0] == p.syntax.Separator {
			return i
		}
		for _, w := range p.syntax.Words {
			if w == strings.ToLower(word) {
				return i
			}
		}
	}
	return 0
}

// level is a section being read.
type level struct {
	indent int
	node   *Node
}

func (p *parser) tree(root *Node, lines []line) {
	stack := []level{{-1, root}}
	flat := true
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		if p.skip(l, &stack) {
			continue
		}
		if p.ended {
			p.behind(lines[i:])
			break
		}
		if strings.EqualFold(l.text, p.syntax.End) && p.syntax.End != "" && l.indent == 0 {
			p.ended = true
			continue
		}
		for len(stack) > 1 && stack[len(stack)-1].indent >= l.indent {
			stack = stack[:len(stack)-1]
		}
		parent := stack[len(stack)-1].node
		n := p.node(l)
		if used := p.multiline(n, l, lines[i+1:]); used > 0 {
			i += used
		}
		parent.Children = append(parent.Children, n)
		if len(stack) < maxDepth {
			stack = append(stack, level{l.indent, n})
		}
		flat = flat && parent == root
		p.opened = false
	}
	p.judge(root, lines, flat)
}

// node takes nodes from slabs: a configuration has thousands.
func (p *parser) node(l line) *Node {
	if len(p.slab) == 0 {
		p.slab = make([]Node, 256)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.Line, n.Text = l.number, l.text
	return n
}

// skip handles lines that are no configuration.
func (p *parser) skip(l line, stack *[]level) bool {
	s := p.syntax
	switch {
	case p.header(l):
		if l.indent == 0 && len(l.text) == 1 {
			*stack = (*stack)[:1]
			p.opened = l.text[0] == s.Separator
		}
		return true
	case s.Closer != "" && l.text == s.Closer:
		for len(*stack) > 1 && (*stack)[len(*stack)-1].indent >= l.indent {
			*stack = (*stack)[:len(*stack)-1]
		}
		return true
	case s.Name == "generic" && l.text == "#":
		if l.indent == 0 {
			*stack = (*stack)[:1]
		}
		return true
	}
	for _, e := range s.Empty {
		if l.text == e {
			return true
		}
	}
	return l.text == "^" || l.indent == 0 && p.noise(l) || l.text[0] == '%' && p.noise(l)
}

var (
	timestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`)
	syslog    = regexp.MustCompile(`^%[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d|^\*?[A-Z][a-z]{2} +\d{1,2} (?:\d{4} )?\d\d:\d\d:\d\d.* %{1,2}\w`)
	counted   = regexp.MustCompile(`^(?:Building configuration|Current configuration ?: ?\d)`)
	failed    = regexp.MustCompile(`^(?:% ?(?:Invalid|Incomplete|Unrecognized|Wrong|Too many|Ambiguous|Permission|Authorization|Error)|Error(?:\[\d+\])?:|Permission denied)`)
)

// noise tells what a session prints between lines of a configuration.
func (p *parser) noise(l line) bool {
	if p.prompt != "" && strings.HasPrefix(l.text, strings.TrimSpace(p.prompt)) {
		return true // the next command of the session
	}
	switch c := l.text[0]; {
	case c == '*':
		return syslog.MatchString(l.text)
	case c == '<' || c == '[':
		_, ok := p.command(l)
		return ok
	case c == '%' || c == 'E' || c == 'P':
		if failed.MatchString(l.text) {
			p.problem(l.number, Doubt, CodeRefused, "the device answered with an error: %s", quote(strings.TrimLeft(l.text, "% ")))
			return true
		}
		return c == '%'
	case c == 'B' || c == 'C':
		return counted.MatchString(l.text)
	case c >= '0' && c <= '9':
		return timestamp.MatchString(l.text)
	case c >= 'A' && c <= 'Z':
		return strings.HasPrefix(l.text, "Info:") || syslog.MatchString(l.text)
	}
	if strings.HasSuffix(l.text, "#") || strings.HasSuffix(l.text, ">") {
		rest, ok := p.command(l)
		return ok && rest == ""
	}
	return false
}

// multiline joins the lines of a text and returns how many it took.
func (p *parser) multiline(n *Node, l line, rest []line) int {
	for _, t := range p.syntax.Texts {
		if !strings.HasPrefix(l.text, t.Start) {
			continue
		}
		if t.End != "" {
			if l.text != t.Start {
				return 0
			}
			return p.until(n, rest, func(s string) bool { return s == t.End })
		}
		mark := strings.TrimSpace(l.text[len(t.Start):])
		if mark == "" {
			return 0
		}
		delimiter := mark[:1]
		if c := mark[0] | 0x20; c >= 'a' && c <= 'z' || mark[0] >= '0' && mark[0] <= '9' || strings.Count(mark, delimiter) > 1 {
			return 0 // the text itself, on one line
		}
		return p.until(n, rest, func(s string) bool { return strings.HasSuffix(s, delimiter) })
	}
	return 0
}

func (p *parser) until(n *Node, rest []line, last func(string) bool) int {
	var b strings.Builder
	b.WriteString(n.Text)
	for i, l := range rest {
		b.WriteByte('\n')
		b.WriteString(l.text)
		if last(l.text) {
			n.Text = b.String()
			return i + 1
		}
	}
	p.problem(n.Line, Doubt, CodeUnclosed, "the text that begins here never ends")
	return 0
}

// behind looks at what follows the closing line: prompts are fine, a second
// configuration is not.
func (p *parser) behind(lines []line) {
	left, sections := 0, 0
	for _, l := range lines {
		if _, ok := p.command(l); ok || l.text[0] == p.syntax.Separator || strings.EqualFold(l.text, p.syntax.End) {
			continue
		}
		if l.indent == 0 && strings.HasPrefix(l.text, "interface ") {
			sections++
		}
		left++
	}
	if sections > 0 { // a closing line in a banner or script, or a second configuration
		p.problem(lines[0].number, Doubt, CodePartial, "%d interfaces stand behind the closing %q: which of it is the configuration?", sections, p.syntax.End)
		return
	}
	if left > 0 {
		p.problem(lines[0].number, Doubt, CodePreamble, "%d lines behind the closing %q left out", left, p.syntax.End)
	}
}

// judge says whether the text is whole.
func (p *parser) judge(root *Node, lines []line, flat bool) {
	if len(lines) == 0 {
		return
	}
	last := lines[len(lines)-1]
	sections := 0
	for _, n := range root.Children {
		if len(n.Text) > 10 && strings.EqualFold(n.Text[:10], "interface ") {
			sections++
		}
	}
	if flat && sections > 1 && len(root.Children) > 2*sections {
		p.problem(root.Children[0].Line, Fatal, CodeFlat, "no line is indented, so nothing tells which interface a line belongs to")
	}
	whole := p.ended || p.syntax.End == "" || p.syntax.OpenEnd && !p.device && p.opened && p.hasEnd
	if whole {
		return
	}
	severity := Doubt
	if p.device {
		severity = Fatal
	}
	if !p.hasEnd {
		p.problem(last.number, severity, CodeTruncated, "the text stops in mid line, without the closing %q", p.syntax.End)
		return
	}
	p.problem(last.number, severity, CodeTruncated, "the closing %q is missing: the text may be cut off here", p.syntax.End)
}
