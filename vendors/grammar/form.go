package grammar

import (
	"fmt"
	"strconv"
	"strings"
)

type kind uint8

const (
	literal kind = iota
	number
	decimal
	address
	prefix
	mask
	name
	composite
	csv
	// The following take more than one word.
	list
	spans
	many
	text
	remark
	rest
)

// token is one word of a form, or several where its kind says so.
type token struct {
	kind      kind
	word      string   // literal
	low, high int64    // of numbers, thousandths of decimals, lengths of words
	readings  [][]part // of a composite word: what its options make of it
	scope     int      // of the name it holds, -1 none
	use       use
	show      string // as the form has it
}

// use is what a line does with a name.
type use uint8

const (
	defines use = iota
	needsBefore
	needsAnywhere
)

// part is a piece of a composite word.
type part struct {
	choice    []string // one of these, when it is not a number
	low, high int64
	optional  []part // may be missing as a whole
	any       bool   // whatever is left, one sign at least
	named     bool   // the number is the token's name
}

// maxReadings bounds what the options of one form multiply to.
const maxReadings = 512

// form returns every reading of a form: what its options and choices make of it.
func (b *builder) form(s string) ([][]token, error) {
	out := [][]token{nil}
	words, err := split(s, ' ')
	if err != nil {
		return nil, err
	}
	for _, w := range words {
		if w == "" {
			return nil, fmt.Errorf("two blanks in a row")
		}
		next, err := b.group(w)
		if err != nil {
			return nil, err
		}
		if len(out)*len(next) > maxReadings {
			return nil, fmt.Errorf("more than %d readings", maxReadings)
		}
		var product [][]token
		for _, head := range out {
			for _, tail := range next {
				product = append(product, append(head[:len(head):len(head)], tail...))
			}
		}
		out = product
	}
	return out, nil
}

// group is the readings of one unit of a form: an option, a choice or a word.
func (b *builder) group(w string) ([][]token, error) {
	switch {
	case whole(w, '[', ']'):
		inner, err := b.form(w[1 : len(w)-1])
		return append([][]token{nil}, inner...), err
	case whole(w, '{', '}'):
		var all [][]token
		choices, err := split(w[1:len(w)-1], '|')
		if err != nil {
			return nil, err
		}
		for _, c := range choices {
			inner, err := b.form(c)
			if err != nil {
				return nil, err
			}
			all = append(all, inner...)
		}
		return all, nil
	}
	t, err := b.token(w)
	return [][]token{{t}}, err
}

// token reads a word of a form.
func (b *builder) token(w string) (token, error) {
	if plain, ok := unescape(w); ok {
		return token{word: plain, scope: -1, show: plain}, nil
	}
	if whole(w, '<', '>') {
		return b.placeholder(w)
	}
	t := token{kind: composite, scope: -1, show: w}
	parts, err := b.parts(w, &t)
	t.readings = readings(parts)
	return t, err
}

var kinds = map[string]kind{
	"ip": address, "prefix": prefix, "mask": mask, "name": name, "text": text, "remark": remark, "rest": rest,
	"csv": csv, "list": list, "spans": spans, "many": many,
}

// placeholder reads a word in angle brackets.
func (b *builder) placeholder(w string) (token, error) {
	inner := w[1 : len(w)-1]
	t := token{scope: -1, show: w}
	inner = b.named(inner, &t)
	head, arg, _ := strings.Cut(inner, " ")
	if head == "" {
		return t, fmt.Errorf("%s is no kind of word", w)
	}
	if c := head[0]; c >= '0' && c <= '9' {
		t.kind = number
		if strings.Contains(head, ".") {
			t.kind = decimal
		}
		return t, t.bounds(head)
	}
	k, ok := kinds[head]
	switch {
	case !ok:
		word, known := b.words[head]
		if !known {
			return t, fmt.Errorf("%s is no kind of word", w)
		}
		if strings.Contains(word, "<"+head) {
			return t, fmt.Errorf("%s is made of itself", w)
		}
		named, err := b.token(word)
		named.show = w
		if t.scope >= 0 {
			named.scope, named.use = t.scope, t.use
		}
		return named, err
	case k == many:
		word, known := b.words[arg]
		if !known {
			return t, fmt.Errorf("%s: %q is no kind of word", w, arg)
		}
		if strings.Contains(word, "<"+arg) {
			return t, fmt.Errorf("%s is made of itself", w)
		}
		named, err := b.token(word)
		t.kind, t.readings = many, named.readings
		return t, err
	}
	t.kind = k
	if arg == "" {
		t.low, t.high = 1, 1<<20
		if k == csv || k == list || k == spans {
			return t, fmt.Errorf("%s needs a range", w)
		}
		return t, nil
	}
	return t, t.bounds(arg)
}

// named cuts off what a placeholder says about the name it holds.
func (b *builder) named(inner string, t *token) string {
	i := strings.IndexAny(inner, "=@~")
	if i < 0 {
		return inner
	}
	t.scope = b.scope(inner[i+1:])
	t.use = map[byte]use{'=': defines, '@': needsBefore, '~': needsAnywhere}[inner[i]]
	return inner[:i]
}

func (t *token) bounds(s string) error {
	low, high, ok := strings.Cut(s, "-")
	parse := func(s string) (int64, error) {
		if t.kind == decimal {
			f, err := strconv.ParseFloat(s, 64)
			return int64(f*1000 + 0.5), err
		}
		return strconv.ParseInt(s, 10, 64)
	}
	var err, err2 error
	t.low, err = parse(low)
	t.high, err2 = parse(high)
	if !ok || err != nil || err2 != nil || t.low > t.high {
		return fmt.Errorf("%q is no range", s)
	}
	return nil
}

// parts reads a word made of pieces.
func (b *builder) parts(w string, t *token) ([]part, error) {
	var out []part
	for i := 0; i < len(w); {
		end, err := unit(w, i)
		if err != nil {
			return nil, err
		}
		piece := w[i:end]
		i = end
		switch {
		case whole(piece, '{', '}'):
			choices, err := split(piece[1:len(piece)-1], '|')
			if err != nil {
				return nil, err
			}
			out = append(out, part{choice: choices})
		case whole(piece, '[', ']'):
			inner, err := b.parts(piece[1:len(piece)-1], t)
			if err != nil {
				return nil, err
			}
			out = append(out, part{optional: inner})
		case piece == "<name>":
			out = append(out, part{any: true})
		case whole(piece, '<', '>'):
			inner, limits := piece[1:len(piece)-1], token{}
			plain := b.named(inner, t)
			if err := limits.bounds(plain); err != nil {
				return nil, err
			}
			out = append(out, part{low: limits.low, high: limits.high, named: plain != inner})
		default:
			plain, _ := unescape(piece)
			out = append(out, part{choice: []string{plain}})
		}
	}
	return out, nil
}

// readings takes the options out of a word: with each of them and without.
func readings(parts []part) [][]part {
	out := [][]part{nil}
	for _, p := range parts {
		next := [][]part{{p}}
		if p.optional != nil {
			next = append([][]part{nil}, readings(p.optional)...)
		}
		var product [][]part
		for _, head := range out {
			for _, tail := range next {
				product = append(product, append(head[:len(head):len(head)], tail...))
			}
		}
		out = product
	}
	return out
}

// unit finds the end of the piece of a word that begins at i.
func unit(w string, i int) (int, error) {
	if strings.IndexByte("[{<", w[i]) >= 0 {
		return closing(w, i)
	}
	for i < len(w) && strings.IndexByte("[{<", w[i]) < 0 {
		if w[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(w)), nil
}

// closing finds what comes after the bracket that closes the one at i.
func closing(w string, i int) (int, error) {
	depth := 0
	for k := i; k < len(w); k++ {
		switch w[k] {
		case '\\':
			k++
		case '[', '{', '<':
			depth++
		case ']', '}', '>':
			if depth--; depth == 0 {
				return k + 1, nil
			}
		}
	}
	return 0, fmt.Errorf("%q: a bracket is not closed", w)
}

// whole reports whether a word is one bracket from end to end.
func whole(w string, open, shut byte) bool {
	if len(w) < 2 || w[0] != open || w[len(w)-1] != shut {
		return false
	}
	end, err := closing(w, 0)
	return err == nil && end == len(w)
}

// split cuts at a sign outside brackets.
func split(s string, sign byte) ([]string, error) {
	var out []string
	from := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[', c == '{', c == '<':
			end, err := closing(s, i)
			if err != nil {
				return nil, err
			}
			i = end - 1
		case c == sign:
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:]), nil
}

// unescape returns a word without brackets as it stands in a file.
func unescape(w string) (string, bool) {
	if !strings.ContainsAny(w, `\[]{}<>`) {
		return w, true
	}
	var b strings.Builder
	for i := 0; i < len(w); i++ {
		switch c := w[i]; {
		case c == '\\' && i+1 < len(w):
			i++
			b.WriteByte(w[i])
		case strings.IndexByte("[]{}<>", c) >= 0:
			return w, false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}
