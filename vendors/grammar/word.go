package grammar

import "strings"

// accepts reports whether one word is of a token's kind. Kinds of several words
// take it as one of theirs.
func (t *token) accepts(w string) bool {
	switch t.kind {
	case literal:
		return w == t.word
	case number, list, spans:
		n, ok := whole64(w)
		return ok && n >= t.low && n <= t.high
	case decimal:
		n, ok := thousandths(w)
		return ok && n >= t.low && n <= t.high
	case address:
		return isAddress(w)
	case prefix:
		ip, length, ok := strings.Cut(w, "/")
		n, isNumber := whole64(length)
		return ok && isNumber && n <= 32 && isAddress(ip)
	case mask:
		return isMask(w)
	case name:
		return t.fits(w)
	case composite, many:
		return t.composed(w, nil)
	case csv:
		return t.numbers(w)
	}
	return true
}

// fits holds the length of a word to its limits, in bytes, as devices count.
func (t *token) fits(w string) bool { return int64(len(w)) >= t.low && int64(len(w)) <= t.high }

func (t *token) numbers(w string) bool {
	for {
		head, tail, more := strings.Cut(w, ",")
		n, ok := whole64(head)
		if !ok || n < t.low || n > t.high {
			return false
		}
		if !more {
			return true
		}
		w = tail
	}
}

// whole64 reads a number as devices print it: no sign, no leading zero.
func whole64(w string) (int64, bool) {
	if len(w) == 0 || len(w) > 18 || len(w) > 1 && w[0] == '0' {
		return 0, false
	}
	n := int64(0)
	for i := range len(w) {
		c := w[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int64(c)
	}
	return n, true
}

func thousandths(w string) (int64, bool) {
	head, tail, _ := strings.Cut(w, ".")
	n, ok := whole64(head)
	if !ok || len(tail) > 3 || len(head) > 12 {
		return 0, false
	}
	scale := int64(1000)
	n *= scale
	for i := range len(tail) {
		c := tail[i] - '0'
		if c > 9 {
			return 0, false
		}
		scale /= 10
		n += int64(c) * scale
	}
	return n, true
}

// isAddress is four numbers, in place: it runs for every address of every port.
func isAddress(w string) bool {
	_, ok := octets(w)
	return ok
}

func octets(w string) (all uint32, ok bool) {
	n, digits, dots := uint32(0), 0, 0
	for i := range len(w) {
		c := w[i]
		switch {
		case c == '.':
			if digits == 0 {
				return 0, false
			}
			all = all<<8 | n
			n, digits, dots = 0, 0, dots+1
		case c < '0' || c > '9' || digits > 0 && n == 0:
			return 0, false
		default:
			if n = n*10 + uint32(c-'0'); n > 255 {
				return 0, false
			}
			digits++
		}
	}
	return all<<8 | n, dots == 3 && digits > 0
}

// isMask is ones followed by zeros.
func isMask(w string) bool {
	m, ok := octets(w)
	return ok && ^m&(^m+1) == 0
}

// composed matches a word made of parts.
func (t *token) composed(w string, held *string) bool {
	for _, parts := range t.readings {
		if matchParts(parts, w, held) {
			return true
		}
	}
	return false
}

// matchParts matches a whole word; held, unless nil, gets the named number in it.
func matchParts(parts []part, w string, held *string) bool {
	if len(parts) == 0 {
		return w == ""
	}
	p := &parts[0]
	switch {
	case p.any:
		return w != "" && len(parts) == 1
	case p.choice != nil:
		for _, c := range p.choice {
			if strings.HasPrefix(w, c) && matchParts(parts[1:], w[len(c):], held) {
				return true
			}
		}
		return false
	}
	i := 0
	for i < len(w) && w[i] >= '0' && w[i] <= '9' {
		i++
	}
	n, ok := whole64(w[:i])
	if p.named && held != nil {
		*held = w[:i]
	}
	return ok && n >= p.low && n <= p.high && matchParts(parts[1:], w[i:], held)
}
