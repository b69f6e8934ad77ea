package clitree

import (
	"slices"
	"strconv"
	"strings"
)

type sign byte

const (
	literal   sign = iota
	keyWord        // *
	keyHead        // ab*
	keyOneOf       // a|b
	value          // ?
	list           // #
	restValue      // ~
	restKey        // **
)

type token struct {
	sign  sign
	words []string // literal: the word; keyOneOf: the words; keyHead: the beginning
}

// pattern is a compiled pattern.
type pattern []token

func compile(s string) pattern {
	var p pattern
	for _, w := range strings.Fields(s) {
		switch {
		case w == "*":
			p = append(p, token{sign: keyWord})
		case w == "**":
			p = append(p, token{sign: restKey})
		case w == "?":
			p = append(p, token{sign: value})
		case w == "#":
			p = append(p, token{sign: list})
		case w == "~":
			p = append(p, token{sign: restValue})
		case len(w) > 1 && strings.HasSuffix(w, "*"):
			p = append(p, token{sign: keyHead, words: []string{w[:len(w)-1]}})
		case strings.Contains(w, "|"):
			p = append(p, token{sign: keyOneOf, words: strings.Split(w, "|")})
		default:
			p = append(p, token{sign: literal, words: []string{w}})
		}
	}
	return p
}

// span is the words a sign stood for: words[from:to].
type span struct{ from, to int }

// match returns what the signs stood for.
func (p pattern) match(words []string) (args []span, ok bool) {
	if len(words) < len(p) {
		return nil, false
	}
	i := 0
	for t := range p {
		tok := &p[t]
		if i >= len(words) {
			return nil, false
		}
		switch tok.sign {
		case literal:
			if tok.words[0] != words[i] {
				return nil, false
			}
			i++
		case keyOneOf:
			if !oneOf(tok.words, words[i]) {
				return nil, false
			}
			args = append(args, span{i, i + 1})
			i++
		case keyHead:
			if len(words[i]) < len(tok.words[0]) || !strings.EqualFold(words[i][:len(tok.words[0])], tok.words[0]) {
				return nil, false
			}
			args = append(args, span{i, i + 1})
			i++
		case keyWord, value:
			args = append(args, span{i, i + 1})
			i++
		case list:
			j := i + 1
			for j < len(words) && (t+1 == len(p) || !oneOf(p[t+1].words, words[j])) {
				j++
			}
			args = append(args, span{i, j})
			i = j
		default:
			args = append(args, span{i, len(words)})
			i = len(words)
		}
	}
	return args, i == len(words)
}

// stem matches a line that stops before its values: the words that "no mtu" and
// "default mtu" leave of "mtu ?".
func (p pattern) stem(words []string) bool {
	cut := len(p)
	for cut > 0 && (p[cut-1].sign == value || p[cut-1].sign == restValue || p[cut-1].sign == list) {
		cut--
	}
	if cut == len(p) || cut == 0 {
		return false
	}
	_, ok := p[:cut].match(words)
	return ok
}

// key is the line's identity: the pattern with its identifying words filled in.
func (p pattern) key(args []string, element string) string {
	var b strings.Builder
	a := 0
	for i, t := range p {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch t.sign {
		case literal:
			b.WriteString(t.words[0])
			continue
		case keyWord, keyHead, keyOneOf, restKey:
			b.WriteString(args[a])
		case list:
			b.WriteString(element)
		default:
			b.WriteByte('?')
		}
		a++
	}
	return b.String()
}

func oneOf(list []string, w string) bool {
	for _, x := range list {
		if x == w {
			return true
		}
	}
	return false
}

// expand fills a template.
func expand(template string, args []string) string {
	if !strings.Contains(template, "$") {
		return template
	}
	var b strings.Builder
	for i := 0; i < len(template); i++ {
		if template[i] == '$' && i+1 < len(template) && template[i+1] >= '1' && template[i+1] <= '9' {
			if n := int(template[i+1] - '1'); n < len(args) {
				b.WriteString(args[n])
			}
			i++
			continue
		}
		b.WriteByte(template[i])
	}
	return strings.TrimSpace(b.String())
}

// maxElements bounds an expanded list: all VLANs.
const maxElements = 4096

// elements cuts a list into its elements, in order; ok is false when it is none
// of that kind.
func elements(kind, s string) (out []string, ok bool) {
	switch kind {
	case "words":
		return strings.Fields(s), true
	case "ports":
		return portElements(strings.Fields(s))
	case "names":
		return nameElements(s)
	case "to":
		words := strings.Fields(strings.ReplaceAll(s, ",", " "))
		for i := 0; i < len(words); i++ {
			if i+2 < len(words) && words[i+1] == "to" {
				if out, ok = numbers(out, words[i], words[i+2]); !ok {
					return nil, false
				}
				i += 2
				continue
			}
			if out, ok = ranged(out, words[i]); !ok {
				return nil, false
			}
		}
	default:
		for _, w := range strings.Fields(strings.ReplaceAll(s, ",", " ")) {
			if out, ok = ranged(out, w); !ok {
				return nil, false
			}
		}
	}
	return out, len(out) > 0
}

// ranged adds 3 or 3-5.
func ranged(out []string, s string) ([]string, bool) {
	low, high, isRange := strings.Cut(s, "-")
	if !isRange {
		high = low
	}
	return numbers(out, low, high)
}

func numbers(out []string, low, high string) ([]string, bool) {
	a, err := strconv.Atoi(low)
	b, err2 := strconv.Atoi(high)
	if err != nil || err2 != nil || a < 0 || b < a || b-a >= maxElements || len(out) > maxElements {
		return nil, false
	}
	for ; a <= b; a++ {
		out = append(out, strconv.Itoa(a))
	}
	return out, true
}

// portElements reads 100GE1/0/1 100GE1/0/7 to 100GE1/0/10.
func portElements(words []string) (out []string, ok bool) {
	for i := 0; i < len(words); i++ {
		if i+2 >= len(words) || words[i+1] != "to" {
			out = append(out, words[i])
			continue
		}
		low, high := words[i], words[i+2]
		cut := strings.LastIndexByte(low, '/') + 1
		// The second end may come without its type: 1/0/1 to 1/0/8.
		end := high[strings.LastIndexByte(high, '/')+1:]
		all, ok := numbers(nil, low[cut:], end)
		if !ok {
			return nil, false
		}
		for _, n := range all {
			out = append(out, low[:cut]+n)
		}
		i += 2
	}
	return out, len(out) > 0
}

// nameElements reads Ethernet2-3,5 and Ethernet3/1/1,4/1/1.
func nameElements(s string) (out []string, ok bool) {
	digit := strings.IndexAny(s, "0123456789")
	if digit <= 0 || strings.Contains(s, " ") {
		return nil, false
	}
	kind := s[:digit]
	for _, part := range strings.Split(s[digit:], ",") {
		part = strings.TrimPrefix(part, kind)
		cut := strings.LastIndexByte(part, '/') + 1
		all, ok := ranged(nil, part[cut:])
		if !ok {
			return nil, false
		}
		for _, n := range all {
			out = append(out, kind+part[:cut]+n)
		}
	}
	return out, len(out) > 0
}

// joined prints elements as the device prints a list of the kind.
func joined(kind string, list []string) string {
	switch kind {
	case "to":
		return runs(list, 2, " to ", " ")
	case "comma":
		return runs(list, 2, "-", ",")
	case "names":
		return strings.Join(list, ",")
	case "ports":
		return portRuns(list)
	}
	return strings.Join(list, " ")
}

// runs joins numbers and writes runs of at least n of them as first, through, last.
func runs(list []string, n int, through, between string) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && follows(list[j], list[j+1]) {
			j++
		}
		if j-i+1 >= n {
			parts = append(parts, list[i]+through+list[j])
		} else {
			parts = append(parts, list[i:j+1]...)
		}
		i = j + 1
	}
	return strings.Join(parts, between)
}

func follows(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err == nil && err2 == nil && y == x+1
}

// sortNumbers sorts elements that are numbers, by value; others stay.
func sortNumbers(list []string) {
	for _, s := range list {
		if !digits(s) {
			return
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
}

// portRuns writes three and more neighbouring ports as A to B (reference huawei 1.2).
func portRuns(list []string) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && neighbours(list[j], list[j+1]) {
			j++
		}
		if j-i >= 2 {
			parts = append(parts, list[i]+" to "+list[j])
		} else {
			parts = append(parts, list[i:j+1]...)
		}
		i = j + 1
	}
	return strings.Join(parts, " ")
}

func neighbours(a, b string) bool {
	x, y := strings.LastIndexByte(a, '/')+1, strings.LastIndexByte(b, '/')+1
	return a[:x] == b[:y] && follows(a[x:], b[y:])
}
