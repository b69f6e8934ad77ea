package clitree

import (
	"net/netip"
	"strconv"
	"strings"
)

// entry is one line as it is compared.
type entry struct {
	rule    *rule    // nil: nothing is known about the line
	key     string   // what it is about; one line of a section has it
	val     string   // the line in its one form: equal is the same meaning
	show    string   // the device's spelling, secrets out
	send    string   // what to type
	args    []string // what the pattern's signs stood for
	element string   // of a list
	frame   [2]string
	negated bool
	hidden  bool // the value is a secret
	line    int
	order   int
	nodes   []*Node // lines under it
	sub     *section
}

// section is the lines of one section.
type section struct {
	ctx     *context
	entries []*entry
	byKey   map[string]*entry
	silent  map[string]*entry // lines that stand there and say what no line says
}

// reader reads lines for one comparison. Ports repeat the same lines hundreds of
// times, so what a line means is worked out once.
type reader struct {
	*Comparer
	known map[lineIn][]*entry
}

type lineIn struct {
	ctx  *context
	text string
}

// maxKnown bounds what a reader keeps.
const maxKnown = 1 << 16

// meaning returns entries of a line that the caller may change.
func (c *reader) meaning(ctx *context, text string) []*entry {
	at := lineIn{ctx, text}
	list, ok := c.known[at]
	if !ok {
		list = c.read(ctx, text)
		if len(c.known) < maxKnown {
			c.known[at] = list
		}
	}
	out := make([]*entry, len(list))
	copies := make([]entry, len(list))
	for i, e := range list {
		copies[i] = *e
		out[i] = &copies[i]
	}
	return out
}

// section reads the lines of a section. Sections printed twice are merged; of
// two lines about the same thing the later counts, as when they are typed.
func (c *reader) section(ctx *context, nodes []*Node) *section {
	s := &section{ctx: ctx, byKey: make(map[string]*entry, len(nodes))}
	for _, n := range nodes {
		for _, e := range c.meaning(ctx, n.Text) {
			e.line, e.nodes = n.Line, n.Children
			s.put(e)
		}
	}
	for _, e := range s.entries {
		if e.rule != nil && e.rule.Implies != "" && !e.negated {
			for _, i := range c.meaning(ctx, expand(e.rule.Implies, e.args)) {
				if s.byKey[i.key] == nil {
					i.line = e.line
					s.put(i)
				}
			}
		}
	}
	s.drop(c.Comparer)
	for i, e := range s.entries {
		e.order = i
	}
	return s
}

func (s *section) put(e *entry) {
	old := s.byKey[e.key]
	if old == nil {
		s.byKey[e.key] = e
		s.entries = append(s.entries, e)
		return
	}
	e.nodes = append(append([]*Node(nil), old.nodes...), e.nodes...)
	*old = *e
}

// drop takes out lines that mean the same as no line.
func (s *section) drop(c *Comparer) {
	kept := s.entries[:0:0]
	for _, e := range s.entries {
		if len(e.nodes) == 0 && s.isDefault(c, e) {
			continue
		}
		kept = append(kept, e)
	}
	if len(kept) == len(s.entries) {
		return
	}
	s.silent = make(map[string]*entry, len(s.entries)-len(kept))
	for _, e := range s.entries {
		s.silent[e.key] = e
	}
	s.entries = kept
	for _, e := range kept {
		delete(s.silent, e.key)
	}
	for key := range s.silent {
		delete(s.byKey, key)
	}
}

func (s *section) isDefault(c *Comparer, e *entry) bool {
	if e.rule != nil && (e.rule.Default != nil && e.rule.Default(e.args) == e.val || !e.rule.list && e.negated != e.rule.Written && (e.negated || e.bare())) {
		return true
	}
	first, _, _ := strings.Cut(e.val, " ")
	var words []string
	for _, ctx := range []*context{s.ctx, c.anywhere} {
		for _, d := range ctx.defaults[first] {
			if words == nil {
				words = strings.Fields(e.val)
			}
			if _, ok := d.line.match(words); ok && !(d.unknown && e.rule != nil) && (len(d.when) == 0 || s.has(d.when) != d.not) {
				return true
			}
		}
	}
	return false
}

// bare tells lines without values, which only say that something is on.
func (e *entry) bare() bool {
	for _, t := range e.rule.pattern {
		if t.sign == value || t.sign == restValue || t.sign == list {
			return false
		}
	}
	return e.rule.Written
}

func (s *section) has(p pattern) bool {
	for _, e := range s.entries {
		if _, ok := p.match(strings.Fields(e.val)); ok {
			return true
		}
	}
	return false
}

// read turns a line into entries: none when it says that something stands at its
// default, several when it is a list.
func (c *Comparer) read(ctx *context, text string) []*entry {
	if strings.Contains(text, "\n") {
		return []*entry{manyLines(text)}
	}
	words := c.names(strings.Fields(text))
	for _, list := range [][]rewrite{ctx.rewrites[words[0]], c.anywhere.rewrites[words[0]]} {
		for _, r := range list {
			args, ok := r.from.match(words)
			if !ok {
				continue
			}
			var out []*entry
			for _, to := range r.to {
				if to = expand(to, texts(words, args)); to != "" {
					out = append(out, c.entries(ctx, strings.Fields(to))...)
				}
			}
			return out
		}
	}
	return c.entries(ctx, words)
}

func (c *Comparer) entries(ctx *context, words []string) []*entry {
	if r, args := c.find(ctx, words); r != nil {
		return c.matched(r, words, args, false)
	}
	if words[0] == c.rules.Negation && len(words) > 1 {
		rest := words[1:]
		if r, args := c.find(ctx, rest); r != nil {
			return c.matched(r, rest, args, true)
		}
		if c.stem(ctx, rest) != nil {
			return nil
		}
		e := unknown(words)
		e.key, e.negated = strings.Join(rest, " "), true
		return []*entry{e}
	}
	if full := c.unabridged(ctx, words); full != nil {
		r, args := c.find(ctx, full)
		return c.matched(r, full, args, false)
	}
	return []*entry{unknown(words)}
}

// unknown is a line that no rule knows. What follows words that announce secrets
// is not shown.
func unknown(words []string) *entry {
	line := strings.Join(words, " ")
	e := &entry{key: line, val: line, show: line, send: line}
	for i, w := range words[:len(words)-1] {
		if announced[strings.ToLower(w)] {
			e.show, e.hidden = strings.Join(words[:i+1], " ")+" <secret>", true
			break
		}
	}
	return e
}

// announced are words that a secret follows, on any of the systems.
var announced = map[string]bool{"password": true, "secret": true, "cipher": true, "simple": true, "hash": true, "irreversible-cipher": true, "key": true,
	"community": true, "authentication-key": true, "pre-shared-key": true, "shared-key": true, "md5": true, "auth": true, "priv": true, "privacy-mode": true}

// manyLines is a text over several lines: one setting, by its first words.
func manyLines(text string) *entry {
	lines := strings.Split(text, "\n")
	first := strings.Fields(lines[0])
	e := &entry{key: strings.Join(first[:min(2, len(first))], " "), val: text, send: text}
	e.show = e.key + " (" + strconv.Itoa(len(lines)) + " lines)"
	return e
}

// matched makes the entries of a line whose rule is known.
func (c *Comparer) matched(r *rule, words []string, args []span, negated bool) []*entry {
	e := entry{rule: r, negated: negated, args: texts(words, args), hidden: r.Secret}
	normal := c.normal(r, words, args)
	e.send, e.val = join(words), join(normal)
	if e.show = e.send; r.Secret {
		e.show = e.val
		if last := args[len(args)-1]; r.pattern[len(r.pattern)-1].sign == restKey {
			e.show = join(words[:last.from]) + " <secret>"
		}
	}
	if r.list {
		if out := c.listed(r, e, words, normal, args); out != nil {
			return out
		}
	}
	e.key = r.pattern.key(texts(normal, args), e.argAt(r.listAt))
	e.negate(c.rules.Negation)
	return []*entry{&e}
}

func (e *entry) argAt(i int) string {
	if i < 0 || i >= len(e.args) {
		return ""
	}
	return e.args[i]
}

func (e *entry) negate(word string) {
	if e.negated {
		e.val, e.show, e.send = word+" "+e.val, word+" "+e.show, word+" "+e.send
	}
}

// listed makes one entry per element.
func (c *Comparer) listed(r *rule, e entry, words, normal []string, args []span) []*entry {
	at := args[r.listAt]
	list, ok := elements(r.List, strings.Join(words[at.from:at.to], " "))
	if !ok {
		return nil
	}
	before, behind := join(words[:at.from]), join(words[at.to:])
	plainFrame := [2]string{join(normal[:at.from]), join(normal[at.to:])}
	plain := texts(normal, args)
	out := make([]*entry, 0, len(list))
	for _, element := range list {
		x := e
		x.element, x.frame = element, [2]string{before, behind}
		x.args = append([]string(nil), plain...)
		x.args[r.listAt] = element
		x.key = r.pattern.key(x.args, element)
		x.val = framed(plainFrame, element)
		x.show = framed(x.frame, element)
		x.send = x.show
		x.negate(c.rules.Negation)
		out = append(out, &x)
	}
	return out
}

// framed puts a list between the words around it.
func framed(frame [2]string, list string) string {
	return strings.TrimSuffix(frame[0]+" "+list+" "+frame[1], " ")
}

// normal brings the value words of a line to one form.
func (c *Comparer) normal(r *rule, words []string, args []span) []string {
	out := append([]string(nil), words...)
	n := 0
	for _, t := range r.pattern {
		if t.sign == literal {
			continue
		}
		a := args[n]
		n++
		switch {
		case t.sign == list:
		case r.Secret && (t.sign == value || t.sign == restValue):
			for i := a.from; i < a.to; i++ {
				out[i] = ""
			}
			out[a.from] = "<secret>"
		case r.Text && (t.sign == value || t.sign == restValue):
			unquote(out[a.from:a.to])
		default:
			for i := a.from; i < a.to; i++ {
				out[i] = plainWord(out[i])
			}
		}
	}
	if r.Normal != nil {
		out = r.Normal(out)
	}
	return out
}

// join joins words and leaves out those that a normal form has emptied; places
// stay, so that signs are found in either form.
func join(words []string) string {
	for _, w := range words {
		if w == "" {
			return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		}
	}
	return strings.Join(words, " ")
}

// unquote takes the quotes off a text that needs none.
func unquote(words []string) {
	last := len(words) - 1
	first := words[0]
	if len(first) > 1 && first[0] == '"' && strings.HasSuffix(words[last], "\"") && (last > 0 || len(first) > 2) {
		words[last] = strings.TrimSuffix(words[last], "\"")
		words[0] = words[0][1:]
	}
}

// plainWord writes decimals without closing zeros and IPv6 addresses the short way.
func plainWord(w string) string {
	if dot := strings.IndexByte(w, '.'); dot >= 0 && strings.IndexByte(w[dot+1:], '.') < 0 && digits(w[:dot]) && digits(w[dot+1:]) {
		w = strings.TrimRight(strings.TrimRight(w, "0"), ".")
		if w == "" {
			return "0"
		}
		return w
	}
	if strings.Count(w, ":") >= 2 {
		if a, err := netip.ParseAddr(w); err == nil {
			return a.String()
		}
		if p, err := netip.ParsePrefix(w); err == nil {
			return p.String()
		}
	}
	return w
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func texts(words []string, args []span) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = join(words[a.from:a.to])
	}
	return out
}

// beforeNames are words that an interface name follows, so that its type and
// number may stand apart.
var beforeNames = []string{"interface", "int", "source-interface", "connect-interface"}

// names writes interface names as the device prints them: the type in full, no
// blank before the number.
func (c *Comparer) names(words []string) []string {
	for i := 0; i < len(words); i++ {
		w := words[i]
		cut := numberAt(w)
		if cut == len(w) && i > 0 && i+1 < len(words) && oneOf(beforeNames, strings.ToLower(words[i-1])) && pathLike(words[i+1]) {
			if _, ok := c.rules.Interfaces[strings.ToLower(w)]; ok {
				w += words[i+1]
				words = append(words[:i+1], words[i+2:]...)
			}
		}
		if cut <= 0 || cut == len(w) {
			continue
		}
		if full, ok := c.rules.Interfaces[strings.ToLower(w[:cut])]; ok && pathLike(w[cut:]) {
			words[i] = full + w[cut:]
		}
	}
	return words
}

// numberAt is where the number of an interface name begins: behind the type, which
// may begin with a speed, as in 400GE1/0/1.
func numberAt(w string) int {
	i := 0
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		i++
	}
	for i < len(w) && (w[i] < '0' || w[i] > '9') {
		if c := w[i] | 0x20; (c < 'a' || c > 'z') && w[i] != '-' {
			return -1
		}
		i++
	}
	return i
}

func pathLike(s string) bool {
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && !strings.ContainsRune("/:.-,", rune(s[i])) {
			return false
		}
	}
	return true
}
