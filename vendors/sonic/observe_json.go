package sonic

import (
	"strconv"
	"strings"

	"railyard/generator/observed"
)

// A CONFIG_DB document is three levels of objects: table, row, field. This
// reader is made for it: it keeps line numbers, which encoding/json does not
// give, and skips the tables nobody asks for.

// seenField is one field of a row; lists are joined with commas.
type seenField struct {
	name, value string
	at          observed.Line
}

// seenRow is one row.
type seenRow struct {
	key    string
	at     observed.Line
	fields []seenField
}

// get is the value of a field, trimmed: templates leave blanks inside.
func (r *seenRow) get(name string) (string, observed.Line, bool) {
	if r == nil {
		return "", 0, false
	}
	for i := range r.fields {
		if r.fields[i].name == name {
			return strings.TrimSpace(r.fields[i].value), r.fields[i].at, true
		}
	}
	return "", 0, false
}

// copy is get for values that outlive the document.
func (r *seenRow) copy(name string) (string, observed.Line) {
	v, at, _ := r.get(name)
	return strings.Clone(v), at
}

// seenMaxNesting bounds what a skipped value may nest.
const seenMaxNesting = 64

type seenScanner struct {
	text  string
	pos   int
	line  observed.Line // of pos as far as counted
	count int           // position up to which lines are counted
	fault *observed.Fault
	// Rows and fields of all tables lie behind each other in two slabs, which the
	// next document uses again.
	slab []seenField
	rows []seenRow
}

// tables returns the wanted tables of a document, rows in file order. They are
// good until the scanner reads another document.
func (s *seenScanner) tables(body string, wanted map[string]bool) (map[string][]seenRow, error) {
	*s = seenScanner{text: strings.TrimPrefix(body, "\ufeff"), line: 1, slab: s.slab[:0], rows: s.rows[:0]}
	tables := make(map[string][]seenRow, len(wanted))
	s.object(func(table string, _ observed.Line) {
		if !wanted[table] || s.peek() != '{' {
			s.skip(0)
			return
		}
		start := len(s.rows)
		s.rows = append(s.rows, tables[table]...) // a table may come twice
		s.object(func(key string, at observed.Line) {
			row := seenRow{key: key, at: at}
			if s.peek() != '{' {
				s.skip(0)
			} else {
				row.fields = s.fields()
			}
			s.rows = append(s.rows, row)
		})
		tables[table] = s.rows[start:len(s.rows):len(s.rows)]
	})
	if s.fault == nil {
		if s.space(); s.pos < len(s.text) {
			s.fail("text behind the end of the document")
		}
	}
	if s.fault != nil {
		return nil, s.fault
	}
	return tables, nil
}

// fields reads a row.
func (s *seenScanner) fields() []seenField {
	start := len(s.slab)
	s.object(func(field string, at observed.Line) {
		value := s.value()
		s.slab = append(s.slab, seenField{field, value, at})
	})
	return s.slab[start:len(s.slab):len(s.slab)]
}

func (s *seenScanner) here() observed.Line {
	s.line += observed.Line(strings.Count(s.text[s.count:s.pos], "\n"))
	s.count = s.pos
	return s.line
}

func (s *seenScanner) fail(reason string) {
	if s.fault == nil {
		s.pos = min(s.pos, len(s.text))
		s.fault = &observed.Fault{Line: s.here(), Reason: reason}
	}
	s.pos = len(s.text)
}

func (s *seenScanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\n', '\t', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek is the next byte that is no blank, 0 at the end.
func (s *seenScanner) peek() byte {
	s.space()
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// take expects one byte.
func (s *seenScanner) take(c byte) bool {
	if s.peek() == c {
		s.pos++
		return true
	}
	if s.fault == nil {
		if s.pos >= len(s.text) {
			s.fail("the text stops here: " + strconv.QuoteRune(rune(c)) + " is missing")
		} else {
			s.fail("found " + strconv.QuoteRune(rune(s.text[s.pos])) + " where " + strconv.QuoteRune(rune(c)) + " belongs")
		}
	}
	return false
}

// object reads {"key": …} and calls member in front of each value.
func (s *seenScanner) object(member func(key string, at observed.Line)) {
	if !s.take('{') {
		return
	}
	if s.peek() == '}' {
		s.pos++
		return
	}
	for s.fault == nil {
		s.space()
		at := s.here()
		key := s.str()
		if s.fault != nil || !s.take(':') {
			return
		}
		member(key, at)
		if s.fault != nil {
			return
		}
		if s.peek() == ',' {
			s.pos++
			continue
		}
		s.take('}')
		return
	}
}

// str reads a string.
func (s *seenScanner) str() string {
	if !s.take('"') {
		return ""
	}
	start := s.pos
	end := strings.IndexByte(s.text[start:], '"')
	if end < 0 {
		s.pos = len(s.text)
		s.fail("the text stops inside a string")
		return ""
	}
	for i := start; i < start+end; i++ {
		if c := s.text[i]; c == '\\' || c == '\n' {
			return s.escaped(start)
		}
	}
	s.pos = start + end + 1
	return s.text[start : start+end]
}

// escaped reads the rest of a string that is not plain.
func (s *seenScanner) escaped(start int) string {
	for {
		i := strings.IndexAny(s.text[s.pos:], "\"\\\n")
		if i < 0 {
			s.pos = len(s.text)
			s.fail("the text stops inside a string")
			return ""
		}
		s.pos += i
		switch s.text[s.pos] {
		case '"':
			raw := s.text[start:s.pos]
			s.pos++
			out, err := strconv.Unquote(`"` + strings.ReplaceAll(raw, `\/`, "/") + `"`)
			if err != nil {
				return strings.ToValidUTF8(raw, "\ufffd") // surrogate pairs: nothing here needs them
			}
			return out
		case '\n':
			s.fail("a string runs over the end of the line")
			return ""
		default:
			s.pos += 2
			if s.pos > len(s.text) {
				s.fail("the text stops inside a string")
				return ""
			}
		}
	}
}

// value reads a field's value: a string, a list of them, or a bare word.
func (s *seenScanner) value() string {
	switch c := s.peek(); {
	case c == '"':
		return s.str()
	case c == '[':
		var parts []string
		s.pos++
		if s.peek() == ']' {
			s.pos++
			return ""
		}
		for s.fault == nil {
			parts = append(parts, s.value())
			if s.peek() == ',' {
				s.pos++
				continue
			}
			s.take(']')
			break
		}
		return strings.Join(parts, ",")
	case c == '{':
		s.skip(0)
		return ""
	default:
		return s.word()
	}
}

// word reads a number, true, false or null.
func (s *seenScanner) word() string {
	start := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] >= 'a' && s.text[s.pos] <= 'z' || s.text[s.pos] >= '0' && s.text[s.pos] <= '9' || strings.IndexByte("+-.E", s.text[s.pos]) >= 0) {
		s.pos++
	}
	if s.pos == start {
		if s.pos >= len(s.text) {
			s.fail("the text stops where a value belongs")
		} else {
			s.fail("found " + strconv.QuoteRune(rune(s.text[s.pos])) + " where a value belongs")
		}
		return ""
	}
	return s.text[start:s.pos]
}

// skip passes over a value.
func (s *seenScanner) skip(depth int) {
	if depth > seenMaxNesting {
		s.fail("nested too deep")
		return
	}
	switch c := s.peek(); c {
	case '{':
		s.object(func(string, observed.Line) { s.skip(depth + 1) })
	case '[':
		s.pos++
		if s.peek() == ']' {
			s.pos++
			return
		}
		for s.fault == nil {
			s.skip(depth + 1)
			if s.peek() == ',' {
				s.pos++
				continue
			}
			s.take(']')
			return
		}
	case '"':
		s.str()
	default:
		s.word()
	}
}
