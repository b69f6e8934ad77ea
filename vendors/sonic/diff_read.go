package sonic

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// DiffConfig is a CONFIG_DB document as the comparison reads it: what running
// switches hold, which is laxer than what railyard writes.
type DiffConfig struct {
	tables map[string]diffRows
	order  []string // of tables, as they stand
	// routing is what "show runningconfiguration all" adds about FRR.
	routing string
}

// diffRows are the rows of a table.
type diffRows struct {
	rows  map[string]diffRow
	order []string
}

// diffRow is the fields of a row, by name.
type diffRow map[string]diffValue

// diffValue is a string or a list of strings.
type diffValue struct {
	text string
	list []string
	many bool
}

// String is the value on one line, lists joined with commas.
func (v diffValue) String() string {
	if v.many {
		return strings.Join(v.list, ",")
	}
	return v.text
}

// DiffRead reads config_db.json or the output of "show runningconfiguration all",
// with what a capture adds in front and behind. Values that are no strings are
// taken as what they say, with a doubt: the switch itself half-loads such files
// (sonic-buildimage issue 27178).
func DiffRead(text []byte) (*DiffConfig, []clitree.Problem) {
	c := &DiffConfig{tables: map[string]diffRows{}}
	r := &diffReader{text: strings.ToValidUTF8(string(bytes.TrimPrefix(text, []byte("\ufeff"))), "\ufffd")}
	if len(text) > maxDocument {
		r.fail(clitree.CodeTooLarge, "%d bytes, more than the %d a configuration can have", len(text), maxDocument)
		return c, r.problems
	}
	if r.begin() {
		r.document(c)
	}
	if !r.bad && len(c.tables) == 0 {
		r.fail(clitree.CodeEmpty, "no tables in it")
	}
	return c, r.problems
}

// diffReader reads three levels of objects.
type diffReader struct {
	text     string
	pos      int
	bad      bool
	numbers  int
	problems []clitree.Problem
}

func (r *diffReader) note(s clitree.Severity, code, format string, args ...any) {
	line := 1 + strings.Count(r.text[:min(r.pos, len(r.text))], "\n")
	r.problems = append(r.problems, clitree.Problem{Line: line, Severity: s, Code: code, Text: fmt.Sprintf(format, args...)})
}

func (r *diffReader) fail(code, format string, args ...any) {
	if !r.bad {
		r.note(clitree.Fatal, code, format, args...)
	}
	r.bad = true
}

// begin finds the opening brace behind whatever a session printed.
func (r *diffReader) begin() bool {
	skipped := 0
	for rest := r.text; ; {
		line, next, more := strings.Cut(rest, "\n")
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "{") {
			r.pos = len(r.text) - len(rest) + strings.IndexByte(line, '{')
			break
		}
		if trimmed != "" {
			skipped++
		}
		if !more {
			r.fail(clitree.CodeWrongSystem, "no JSON object in it: not a CONFIG_DB document")
			return false
		}
		rest = next
	}
	if skipped > 0 {
		r.note(clitree.Note, clitree.CodePreamble, "%d lines in front of the document left out", skipped)
	}
	return true
}

func (r *diffReader) document(c *DiffConfig) {
	r.object(func(table string) {
		if r.peek('"') {
			r.aside(c, table)
			return
		}
		if _, twice := c.tables[table]; twice {
			r.note(clitree.Doubt, clitree.CodePartial, "table %s stands there twice; the later one counts, as in the switch", table)
		} else {
			c.order = append(c.order, table)
		}
		t := diffRows{rows: map[string]diffRow{}}
		r.object(func(key string) {
			row := diffRow{}
			if _, twice := t.rows[key]; !twice {
				t.order = append(t.order, key)
			}
			r.object(func(field string) { row[field] = r.value() })
			t.rows[key] = row
		})
		c.tables[table] = t
	})
	if r.bad {
		return
	}
	if rest := strings.Fields(r.text[r.pos:]); len(rest) > 0 && !strings.ContainsAny(rest[len(rest)-1], "$#") {
		r.note(clitree.Doubt, clitree.CodePreamble, "text behind the document left out")
	}
	if r.numbers > 0 {
		r.note(clitree.Doubt, clitree.CodePartial, "%d values are numbers or booleans, which a switch only half loads", r.numbers)
	}
}

// routingKey is the member that "show runningconfiguration all" puts beside the tables:
// FRR's running configuration as one string (sonic-utilities, show/main.py).
const routingKey = "bgpraw"

// aside reads a member that is no table.
func (r *diffReader) aside(c *DiffConfig, name string) {
	text := r.str()
	switch {
	case r.bad:
	case name == routingKey:
		c.routing = text
	default:
		r.note(clitree.Doubt, clitree.CodePartial, "%.40q is a text, not a table; left out", name)
	}
}

// peek tells whether the next byte is c.
func (r *diffReader) peek(c byte) bool {
	r.space()
	return r.pos < len(r.text) && r.text[r.pos] == c
}

func (r *diffReader) space() {
	for r.pos < len(r.text) {
		switch r.text[r.pos] {
		case ' ', '\n', '\r', '\t':
			r.pos++
		default:
			return
		}
	}
}

// take moves over one byte of punctuation.
func (r *diffReader) take(c byte) bool {
	r.space()
	if r.pos < len(r.text) && r.text[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *diffReader) wrong(want string) {
	if r.pos >= len(r.text) {
		r.fail(clitree.CodeTruncated, "the document ends where %s should come: it is cut off", want)
		return
	}
	r.fail(clitree.CodeWrongSystem, "%q where %s should come", r.text[r.pos], want)
}

func (r *diffReader) object(member func(name string)) {
	if r.bad {
		return
	}
	if !r.take('{') {
		r.wrong("an object")
		return
	}
	if r.take('}') {
		return
	}
	for !r.bad {
		name := r.str()
		if !r.bad && !r.take(':') {
			r.wrong("a colon")
		}
		if r.bad {
			return
		}
		member(name)
		if r.bad || r.take('}') {
			return
		}
		if !r.take(',') {
			r.wrong("a comma or a closing brace")
		}
	}
}

func (r *diffReader) str() string {
	if !r.take('"') {
		r.wrong("a string")
		return ""
	}
	start, plain := r.pos, true
	for ; r.pos < len(r.text); r.pos++ {
		switch c := r.text[r.pos]; {
		case c == '\\':
			plain = false
			r.pos++
		case c == '"':
			r.pos++
			s := r.text[start : r.pos-1]
			if plain {
				return s
			}
			if out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `\/`, "/") + `"`); err == nil {
				return out
			}
			return s
		case c == '\n':
			r.fail(clitree.CodeTruncated, "a string that does not end on its line")
			return ""
		}
	}
	r.wrong("the end of a string")
	return ""
}

func (r *diffReader) value() diffValue {
	r.space()
	if r.pos >= len(r.text) {
		r.wrong("a value")
		return diffValue{}
	}
	switch r.text[r.pos] {
	case '"':
		return diffValue{text: strings.TrimSpace(r.str())}
	case '{':
		r.fail(clitree.CodeWrongSystem, "an object inside a row: a switch with several ASICs prints so, and each of them is compared by itself (sonic-cfggen -d --print-data -n asic0)")
		return diffValue{}
	case '[':
		r.pos++
		v := diffValue{many: true}
		for !r.bad && !r.take(']') {
			v.list = append(v.list, r.value().String())
			if !r.take(',') && !r.bad && (r.pos >= len(r.text) || r.text[r.pos] != ']') {
				r.wrong("a comma or a closing bracket")
			}
		}
		return v
	}
	start := r.pos
	for r.pos < len(r.text) && strings.IndexByte("0123456789+-.eEtruefalsnu", r.text[r.pos]) >= 0 {
		r.pos++
	}
	if start == r.pos {
		r.wrong("a value")
		return diffValue{}
	}
	r.numbers++
	return diffValue{text: r.text[start:r.pos]}
}

// sorted returns the tables in order of their rank in a patch, then by name.
func (c *DiffConfig) sorted() []string {
	out := slices.Clone(c.order)
	slices.SortFunc(out, func(a, b string) int {
		if d := diffRank(a) - diffRank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out
}

// Routing is FRR's running configuration, where the document has it beside its tables.
func (c *DiffConfig) Routing() string { return c.routing }

// Has tells whether the document has a table.
func (c *DiffConfig) Has(table string) bool {
	_, ok := c.tables[table]
	return ok
}
