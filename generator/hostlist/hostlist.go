// Package hostlist matches device names against Slurm host lists and globs:
//
//	gpu-001                one name
//	gpu-[001-004,007]      five names; the digits are as wide as the first bound
//	gpu-[1-2],login-[1-2]  several lists with a comma between
//	leaf-*-r0, spine-0?    * stands for any characters, ? for one
//
// Brackets always hold numbers, never a character class. A list is matched
// against names, never expanded, so its size costs nothing.
package hostlist

import (
	"fmt"
	"strconv"
	"strings"
)

const (
	maxLength = 4096 // of a pattern, in bytes
	maxDigits = 9    // of a number in brackets
)

// List is a parsed pattern.
type List struct {
	text     string
	patterns []pattern
}

// pattern is one alternative: what stands between two commas.
type pattern []token

// token is a piece of a pattern: a literal, a wildcard or a set of numbers.
type token struct {
	literal string
	wild    byte // '*' or '?'
	ranges  []span
}

// span is the numbers low to high, written at least width digits wide.
type span struct{ low, high, width int }

// Parse reads a pattern. It fails on one that is empty, longer than 4096 bytes,
// or malformed, and says where.
func Parse(text string) (List, error) {
	if len(text) > maxLength {
		return List{}, fmt.Errorf("the host list is longer than %d bytes; use ranges like [001-100]", maxLength)
	}
	l := List{text: text}
	for rest := text; ; {
		p, after, err := alternative(rest)
		if err != nil {
			return List{}, fmt.Errorf("host list %q: %w", text, err)
		}
		l.patterns = append(l.patterns, p)
		if after == "" {
			return l, nil
		}
		rest = after[1:]
	}
}

// alternative reads up to a comma outside brackets; the rest starts with it.
func alternative(s string) (p pattern, rest string, err error) {
	for s != "" && s[0] != ',' {
		var t token
		switch c := s[0]; {
		case c == '*' || c == '?':
			t.wild, s = c, s[1:]
		case c == '[':
			end := strings.IndexByte(s, ']')
			if end < 0 {
				return nil, "", fmt.Errorf("a bracket is not closed")
			}
			if t.ranges, err = spans(s[1:end]); err != nil {
				return nil, "", err
			}
			s = s[end+1:]
		case c == ']':
			return nil, "", fmt.Errorf("a bracket closes that never opened")
		default:
			n := strings.IndexAny(s, "*?[],")
			if n < 0 {
				n = len(s)
			}
			t.literal, s = s[:n], s[n:]
			if i := strings.IndexFunc(t.literal, foreign); i >= 0 {
				return nil, "", fmt.Errorf("%q cannot stand in a name", string([]rune(t.literal[i:])[:1]))
			}
		}
		p = append(p, t)
	}
	if len(p) == 0 {
		return nil, "", fmt.Errorf("a name is empty")
	}
	return p, s, nil
}

// foreign reports what no device name holds.
func foreign(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
}

// spans reads the inside of brackets: 001-004,007.
func spans(s string) ([]span, error) {
	var list []span
	for part := range strings.SplitSeq(s, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		a, errA := number(low)
		b, errB := number(high)
		switch {
		case errA != nil || errB != nil:
			return nil, fmt.Errorf("[%s] is not a list of numbers like [001-004,007]", s)
		case b < a:
			return nil, fmt.Errorf("the range %s runs backwards", part)
		}
		list = append(list, span{a, b, len(low)})
	}
	return list, nil
}

func number(s string) (int, error) {
	if s == "" || len(s) > maxDigits || strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) >= 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.Atoi(s)
}

// String returns the pattern as it was written.
func (l List) String() string { return l.text }

// Match reports whether the list holds a name.
func (l List) Match(name string) bool {
	for _, p := range l.patterns {
		if p.match(name) {
			return true
		}
	}
	return false
}

// Select returns the names that the list holds, in their order.
func (l List) Select(names []string) []string {
	var held []string
	for _, n := range names {
		if l.Match(n) {
			held = append(held, n)
		}
	}
	return held
}

// Lowest returns a name that each alternative without wildcards holds: the one
// with the first number of every bracket.
func (l List) Lowest() []string {
	var names []string
next:
	for _, p := range l.patterns {
		name := ""
		for _, t := range p {
			if t.wild != 0 {
				continue next
			}
			if name += t.literal; t.ranges != nil {
				name += fmt.Sprintf("%0*d", t.ranges[0].width, t.ranges[0].low)
			}
		}
		names = append(names, name)
	}
	return names
}

// Prefixes returns for each alternative the characters that every name it holds
// begins with; "" where it begins with a wildcard or a number.
func (l List) Prefixes() []string {
	list := make([]string, len(l.patterns))
	for i, p := range l.patterns {
		list[i] = p[0].literal
	}
	return list
}

// match follows all ways through the pattern at once: a set of the places in
// the name that the tokens so far can have reached. Time is bounded by tokens
// times length, whatever the wildcards.
func (p pattern) match(name string) bool {
	if !strings.HasPrefix(name, p[0].literal) {
		return false
	}
	if len(p) == 1 && p[0].literal != "" {
		return name == p[0].literal
	}
	reached, next := make([]bool, len(name)+1), make([]bool, len(name)+1)
	reached[0] = true
	for _, t := range p {
		clear(next)
		if !t.step(name, reached, next) {
			return false
		}
		reached, next = next, reached
	}
	return reached[len(name)]
}

// step marks in next what the token leads to, and reports whether that is anything.
func (t token) step(name string, reached, next []bool) (moved bool) {
	for i, here := range reached {
		if !here {
			continue
		}
		switch {
		case t.wild == '*':
			for j := i; j < len(next); j++ {
				next[j] = true
			}
			return true
		case t.wild == '?':
			if i < len(name) {
				next[i+1], moved = true, true
			}
		case t.ranges == nil:
			if strings.HasPrefix(name[i:], t.literal) {
				next[i+len(t.literal)], moved = true, true
			}
		default:
			for j := i + 1; j <= len(name) && j-i <= maxDigits && name[j-1] >= '0' && name[j-1] <= '9'; j++ {
				if holds(t.ranges, name[i:j]) {
					next[j], moved = true, true
				}
			}
		}
	}
	return moved
}

// holds reports whether digits is how one of the spans writes a number.
func holds(spans []span, digits string) bool {
	n, _ := strconv.Atoi(digits)
	for _, s := range spans {
		if n < s.low || n > s.high {
			continue
		}
		if len(digits) == s.width || len(digits) > s.width && digits[0] != '0' {
			return true
		}
	}
	return false
}
