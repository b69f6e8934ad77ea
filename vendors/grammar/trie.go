package grammar

import (
	"slices"
	"strings"
)

// node is a place in the trie of a view's forms.
type node struct {
	words []edge           // literal words, up to a few
	index map[string]*node // the same where they are many
	typed []branch
	ends  []int // rules whose form ends here
}

type edge struct {
	word string
	next *node
}

type branch struct {
	token
	next *node
}

// few is how many words are faster looked through than looked up.
const few = 6

// child finds or makes where a token leads.
func (n *node) child(t token) *node {
	if t.kind == literal {
		if next := n.literal(t.word); next != nil {
			return next
		}
		next := &node{}
		n.words = append(n.words, edge{t.word, next})
		if len(n.words) > few {
			if n.index == nil {
				n.index = map[string]*node{}
			}
			for _, e := range n.words {
				n.index[e.word] = e.next
			}
		}
		return next
	}
	for i := range n.typed {
		if n.typed[i].show == t.show {
			return n.typed[i].next
		}
	}
	n.typed = append(n.typed, branch{t, &node{}})
	next := n.typed[len(n.typed)-1].next
	// What takes the rest of a line is tried last.
	slices.SortStableFunc(n.typed, func(a, b branch) int { return int(a.kind) - int(b.kind) })
	return next
}

func (n *node) literal(w string) *node {
	if n.index != nil {
		return n.index[w]
	}
	for i := range n.words {
		if n.words[i].word == w {
			return n.words[i].next
		}
	}
	return nil
}

// capture is a name that a line defines or needs.
type capture struct {
	scope int
	use   use
	word  string
}

// matcher walks tries; one per goroutine.
type matcher struct {
	g      *Grammar
	family string
	words  []string
	names  []capture
	rule   int
	dead   *node // the node of the last match that was valid for another family only
}

// find looks for the words of m in a trie and returns the rule, -1 without one.
func (m *matcher) find(n *node) int {
	m.rule, m.dead, m.names = -1, nil, m.names[:0]
	if m.walk(n, 0) {
		return m.rule
	}
	return -1
}

func (m *matcher) walk(n *node, i int) bool {
	if i == len(m.words) {
		if m.end(n) {
			return true
		}
		for k := range n.typed {
			if n.typed[k].kind == rest && m.end(n.typed[k].next) {
				return true
			}
		}
		return false
	}
	w := m.words[i]
	if next := n.literal(w); next != nil && m.walk(next, i+1) {
		return true
	}
	for k := range n.typed {
		t := &n.typed[k]
		had := len(m.names)
		if m.take(t, i) {
			return true
		}
		m.names = m.names[:had]
	}
	return false
}

// take tries a token at word i and what follows it.
func (m *matcher) take(t *branch, i int) bool {
	switch t.kind {
	case text, remark, rest:
		return m.fitsRest(t, i) && m.end(t.next)
	case list, spans, many:
		return m.series(t, i)
	}
	if !t.accepts(m.words[i]) {
		return false
	}
	if t.scope >= 0 {
		held := m.words[i]
		if t.kind == composite {
			t.composed(held, &held)
		}
		m.names = append(m.names, capture{t.scope, t.use, held})
	}
	return m.walk(t.next, i+1)
}

func (m *matcher) fitsRest(t *branch, i int) bool {
	n := int64(len(m.words) - i - 1)
	for _, w := range m.words[i:] {
		n += int64(len(w))
		if t.kind == remark && strings.ContainsAny(w, "[]<>#?") {
			return false
		}
	}
	return t.kind == rest || n >= t.low && n <= t.high
}

// series takes as many words as are of a kind.
func (m *matcher) series(t *branch, i int) bool {
	last, j := int64(-1), i
	for j < len(m.words) {
		w := m.words[j]
		if w == "to" && t.kind != list && j > i && m.words[j-1] != "to" && j+1 < len(m.words) {
			j++
			continue
		}
		if !t.accepts(w) {
			break
		}
		if t.kind != many { // lists are printed in rising order
			n, _ := whole64(w)
			if n <= last {
				return false
			}
			if t.scope >= 0 {
				m.span(t, last, n, j > i && m.words[j-1] == "to")
			}
			last = n
		}
		j++
	}
	return j > i && m.words[j-1] != "to" && m.walk(t.next, j)
}

// span notes the names of a list's elements.
func (m *matcher) span(t *branch, last, n int64, through bool) {
	from := n
	if through {
		from = last + 1
	}
	for ; from <= n; from++ {
		m.names = append(m.names, capture{t.scope, t.use, itoa(from)})
	}
}

// end picks the rule of a node that is valid for the family.
func (m *matcher) end(n *node) bool {
	for i := len(n.ends) - 1; i >= 0; i-- { // what must never be written stands last
		r := n.ends[i]
		if f := m.g.Rules[r].Families; len(f) == 0 || slices.Contains(f, m.family) {
			m.rule = r
			return true
		}
	}
	if len(n.ends) > 0 {
		m.dead = n
	}
	return false
}

// cut splits a line into words without allocating.
func cut(words []string, line string) []string {
	words = words[:0]
	from := 0
	for i := 0; i < len(line); i++ {
		if line[i] == ' ' {
			if i > from {
				words = append(words, line[from:i])
			}
			from = i + 1
		}
	}
	if from < len(line) {
		words = append(words, line[from:])
	}
	return words
}
