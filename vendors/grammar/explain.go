package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// Explain finds out why no rule confirms a line that Scan found. Doubts about
// order and column have their reason already.
func (g *Grammar) Explain(d *Doubt, family string) {
	if d.Kind != Unknown && d.Kind != Never {
		return
	}
	m := &matcher{g: g, family: family, words: cut(nil, d.raw)}
	own := &g.views[g.at[d.View]]
	d.Kind, d.Reason, d.Nearest = m.reason(own)
	switch d.Below {
	case 0:
	case 1:
		d.Reason += "; the line below it was not looked at"
	default:
		d.Reason += fmt.Sprintf("; the %d lines below it were not looked at", d.Below)
	}
}

// reason finds what is wrong and the rule that comes closest.
func (m *matcher) reason(own *view) (kind Kind, why, nearest string) {
	for _, root := range []*node{own.root, m.g.nowhere} {
		if r := m.find(root); r >= 0 && m.g.Rules[r].never != "" {
			return Never, m.g.Rules[r].never, ""
		}
	}
	if m.find(own.root); m.dead != nil {
		return Family, fmt.Sprintf("confirmed for %s only, not for %s", m.families(), familyName(m.family)), readable(m.g.Rules[m.dead.ends[0]].Form)
	}
	if w := m.misfit(own.root, 0, nil); w != nil {
		return Range, fmt.Sprintf("%q is not %s", masked(w.word), readable(w.token.show)), readable(m.g.Rules[m.rule].Form)
	}
	var others []string
	for i := range m.g.views {
		v := &m.g.views[i]
		if r := m.find(v.root); v != own && r >= 0 && m.g.Rules[r].never == "" {
			others = append(others, v.name)
		}
	}
	if len(others) > 0 {
		return View, "known only in view " + strings.Join(others, ", "), ""
	}
	return Unknown, "unknown in this view", m.nearest(own)
}

// families are those for which the line would be confirmed.
func (m *matcher) families() string {
	var all []string
	for _, r := range m.dead.ends {
		for _, f := range m.g.Rules[r].Families {
			if m.g.Rules[r].never == "" && !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return strings.Join(all, ", ")
}

func familyName(family string) string {
	if family == "" {
		return "hardware of unknown family"
	}
	return family
}

// misfit is a value that a form does not take.
type misfit struct {
	token *token
	word  string
}

// misfit looks for a form that the words would match but for one value.
func (m *matcher) misfit(n *node, i int, bad *misfit) *misfit {
	if i == len(m.words) {
		if bad != nil && m.end(n) && m.g.Rules[m.rule].never == "" {
			return bad
		}
		return nil
	}
	w := m.words[i]
	if next := n.literal(w); next != nil {
		if found := m.misfit(next, i+1, bad); found != nil {
			return found
		}
	}
	if i == 0 {
		return nil // nothing but values would match
	}
	for k := range n.typed {
		t := &n.typed[k]
		after, wrong := m.through(t, i)
		switch {
		case wrong == "":
			if found := m.misfit(t.next, after, bad); found != nil {
				return found
			}
		case bad == nil:
			if found := m.misfit(t.next, after, &misfit{&t.token, wrong}); found != nil {
				return found
			}
		}
	}
	return nil
}

// through is where a token ends, and the first word that it does not take.
func (m *matcher) through(t *branch, i int) (after int, wrong string) {
	switch t.kind {
	case text, remark, rest:
		if !m.fitsRest(t, i) {
			wrong = strings.Join(m.words[i:], " ")
		}
		return len(m.words), wrong
	case list, spans, many:
		j := i
		for ; j < len(m.words) && (j == i || t.next.literal(m.words[j]) == nil); j++ {
			if w := m.words[j]; wrong == "" && !t.accepts(w) && (w != "to" || t.kind == list) {
				wrong = w
			}
		}
		return j, wrong
	}
	if t.accepts(m.words[i]) {
		return i + 1, ""
	}
	return i + 1, m.words[i]
}

// longest is how many words of a line the search for the nearest rule looks at.
const longest = 24

// nearest is the form that takes the fewest changes to become the line, "" where
// every form would be another line.
func (m *matcher) nearest(own *view) string {
	words := m.words[:min(len(m.words), longest)]
	best, form := 0.5*float64(len(words)), ""
	for _, i := range own.rules {
		r := &m.g.Rules[i]
		units, _ := split(r.Form, ' ') // it was parsed before
		if d := distance(words, units); d < best {
			best, form = d, readable(r.Form)
		}
	}
	return form
}

// distance counts the words to add, drop or change; a word that is nearly right
// counts for less.
func distance(line, form []string) float64 {
	row := make([]float64, len(form)+1)
	for k := range form {
		row[k+1] = row[k] + weight(form[k])
	}
	for _, w := range line {
		corner := row[0]
		row[0]++
		for k, f := range form {
			next := min(row[k+1]+1, row[k]+weight(f), corner+unlike(w, f))
			corner, row[k+1] = row[k+1], next
		}
	}
	return row[len(form)]
}

// weight is what a missing word of a form costs.
func weight(f string) float64 {
	if strings.HasPrefix(f, "[") || strings.HasSuffix(f, "]") {
		return 0.1 // may be missing
	}
	return 1
}

// unlike is how different two words are, from 0 to 1; a value of the form is no
// sign of likeness.
func unlike(w, f string) float64 {
	if w == f {
		return 0
	}
	if strings.ContainsAny(f, "<{[") {
		return 0.3
	}
	n, d := max(len(w), len(f)), len(w)-len(f)
	if n > longestWord || 2*max(d, -d) > n {
		return 1
	}
	if e := edits(w, f); 2*e <= n {
		return float64(e) / float64(n)
	}
	return 1
}

// longestWord is longer than every word of a form.
const longestWord = 32

// edits is the number of letters to add, drop or change.
func edits(a, b string) int {
	var row [longestWord + 1]int
	for k := range len(b) + 1 {
		row[k] = k
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for k := range len(b) {
			cost := corner
			if a[i] != b[k] {
				cost++
			}
			corner = row[k+1]
			row[k+1] = min(row[k]+1, row[k+1]+1, cost)
		}
	}
	return row[len(b)]
}

// readable is a form without what it says about names.
func readable(form string) string {
	var b strings.Builder
	for i := 0; i < len(form); i++ {
		switch c := form[i]; {
		case c == '\\' && i+1 < len(form):
			i++
			b.WriteByte(form[i])
		case (c == '=' || c == '@' || c == '~') && strings.IndexByte(form[i:], '>') > 0 && strings.LastIndexByte(form[:i], '<') > strings.LastIndexByte(form[:i], '>'):
			i += strings.IndexByte(form[i:], '>') - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// secretWords stand before a value that must not be shown.
var secretWords = []string{"password", "secret", "hash", "cipher", "irreversible-cipher", "simple", "sha512", "community", "key", "key-string", "authentication-key"}

// masked hides what follows a word that announces a secret, and anything in the
// form of a hash.
func masked(line string) string {
	at := 0
	for i, w := range strings.Fields(line) {
		start := at + strings.Index(line[at:], w)
		at = start + len(w)
		if len(w) > 2 && w[0] == '$' && strings.Count(w, "$") > 1 {
			return line[:start] + "***"
		}
		for _, s := range secretWords {
			if w == s && i > 0 && at < len(line) {
				return line[:at] + " ***"
			}
		}
	}
	return line
}

// Shape is the same for doubts that differ only in numbers, so that those of
// many lines and switches can be told as one.
func (d *Doubt) Shape() string {
	kind := d.Kind
	if kind == Never {
		kind = Unknown // Scan tells only some of them
	}
	b := make([]byte, 0, len(d.View)+len(d.Text)+len(d.Reason)+16)
	b = append(b, string(kind)+"\x00"+d.View+"\x00"...)
	for _, s := range []string{d.Text, "\x00", d.Reason} {
		digit := false
		for i := range len(s) {
			if c := s[i]; c >= '0' && c <= '9' {
				if !digit {
					b = append(b, '#')
				}
				digit = true
			} else {
				b, digit = append(b, c), false
			}
		}
	}
	return string(b)
}
