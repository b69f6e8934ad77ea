package sonic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// document is one config_db.json: tables of rows of fields, each level in
// natural order (Ethernet8 before Ethernet16), as the switch saves it itself.
type document []table

type table struct {
	name string
	rows []row
}

// row is one Redis hash. Rows of many ports often share one fields slice, which
// is therefore never changed once built.
type row struct {
	key    string
	fields []field
}

// field is one value: a string, or a list when list is not nil.
type field struct {
	name  string
	value string
	list  []string
}

// record is a typed row, the one way rows are built here: its fields method
// names every field once, sorted, and leaves out those without a value.
type record interface{ fields() []field }

// some drops the fields that have no value. CONFIG_DB has no null, and an empty
// list comes back from Redis as an empty string.
func some(all ...field) []field {
	return slices.DeleteFunc(all, func(f field) bool { return f.value == "" && len(f.list) == 0 })
}

func str(name, value string) field { return field{name: name, value: value} }

func num(name string, n int64) field {
	return field{name: name, value: strconv.FormatInt(n, 10)}
}

// builder collects rows by table, in the order they come.
type builder struct {
	tables map[string]*table
	ports  int // about how many rows a table of ports has
}

func newBuilder(ports int) *builder { return &builder{map[string]*table{}, ports} }

func (b *builder) add(name, key string, r record) { b.addFields(name, key, r.fields()) }

func (b *builder) addFields(name, key string, fields []field) {
	t := b.tables[name]
	if t == nil {
		t = &table{name: name}
		b.tables[name] = t
	} else if len(t.rows) == 1 { // more than a single setting
		t.rows = append(make([]row, 0, b.ports), t.rows...)
	}
	t.rows = append(t.rows, row{key, fields})
}

// document returns the tables in order. It never holds a table without rows:
// the switch's own patch tool refuses those.
func (b *builder) document() document {
	doc := make(document, 0, len(b.tables))
	for _, t := range b.tables {
		doc = append(doc, *t)
	}
	doc.sort()
	return doc
}

func (d document) sort() {
	slices.SortFunc(d, func(a, b table) int { return strings.Compare(a.name, b.name) })
	for _, t := range d {
		less := func(a, b row) int { return naturalCompare(a.key, b.key) }
		if !slices.IsSortedFunc(t.rows, less) {
			slices.SortFunc(t.rows, less)
		}
	}
}

// naturalCompare orders runs of digits by their number, all else by byte.
func naturalCompare(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if !digit(a[i]) || !digit(b[j]) {
			if a[i] != b[j] {
				return int(a[i]) - int(b[j])
			}
			i, j = i+1, j+1
			continue
		}
		na, ea := numberAt(a, i)
		nb, eb := numberAt(b, j)
		if c := compareNumbers(na, nb); c != 0 {
			return c
		}
		i, j = ea, eb
	}
	if c := (len(a) - i) - (len(b) - j); c != 0 {
		return c
	}
	return strings.Compare(a, b) // 007 and 7
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func numberAt(s string, i int) (number string, end int) {
	for end = i; end < len(s) && digit(s[end]); end++ {
	}
	return strings.TrimLeft(s[i:end], "0"), end
}

func compareNumbers(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// indent is what the switch's own writer uses.
const indent = "    "

// encode writes the document: four spaces of indent, every value a string or a
// list of strings, one newline at the end.
func (d document) encode() []byte {
	b := make([]byte, 0, d.size())
	b = append(b, '{')
	for i, t := range d {
		b = open(b, i, 1, t.name)
		b = append(b, '{')
		for j, r := range t.rows {
			b = open(b, j, 2, r.key)
			if len(r.fields) == 0 {
				b = append(b, "{}"...)
				continue
			}
			b = append(b, '{')
			for k, f := range r.fields {
				b = open(b, k, 3, f.name)
				b = appendValue(b, f)
			}
			b = closing(b, 2)
		}
		b = closing(b, 1)
	}
	b = append(b, "\n}\n"...)
	return b
}

func open(b []byte, i, depth int, name string) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	b = append(b, '\n')
	for range depth {
		b = append(b, indent...)
	}
	b = appendString(b, name)
	return append(b, ": "...)
}

func closing(b []byte, depth int) []byte {
	b = append(b, '\n')
	for range depth {
		b = append(b, indent...)
	}
	return append(b, '}')
}

func appendValue(b []byte, f field) []byte {
	if f.list == nil {
		return appendString(b, f.value)
	}
	b = append(b, '[')
	for i, v := range f.list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, "\n                "...)
		b = appendString(b, v)
	}
	return append(b, "\n            ]"...)
}

// appendString quotes s. The plain case is by far the commonest, so only
// strings that need escaping go through the library.
func appendString(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			quoted, _ := json.Marshal(s) // a string always marshals
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// size is about the length of the encoded document.
func (d document) size() int {
	n := 16
	for _, t := range d {
		n += len(t.name) + 16
		for _, r := range t.rows {
			n += len(r.key) + 24
			for _, f := range r.fields {
				n += len(f.name) + len(f.value) + 24
				for _, v := range f.list {
					n += len(v) + 24
				}
			}
		}
	}
	return n
}

// maxDocument bounds what parse reads; a full 512-port configuration is about
// 2 MB.
const maxDocument = 64 << 20

// parse reads a config_db.json. Every value has to be a string or a list of
// strings (numbers half-load on the switch, sonic-buildimage issue 27178), and
// no name may come twice.
func parse(body []byte) (document, error) {
	if len(body) > maxDocument {
		return nil, fmt.Errorf("config_db of %d bytes is larger than %d", len(body), maxDocument)
	}
	p := parser{json.NewDecoder(bytes.NewReader(body))}
	var doc document
	err := p.object("", func(name string) error {
		t := table{name: name}
		err := p.object(name, func(key string) error {
			fields, err := p.fields(name + "|" + key)
			t.rows = append(t.rows, row{key, fields})
			return err
		})
		doc = append(doc, t)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("config_db at byte %d: %w", p.dec.InputOffset(), err)
	}
	if _, err := p.dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("config_db has text after its end")
	}
	doc.sort()
	return doc, nil
}

type parser struct{ dec *json.Decoder }

// object reads {…}, calling member for each name, and refuses a name that
// comes twice.
func (p parser) object(where string, member func(name string) error) error {
	if err := p.expect('{', where); err != nil {
		return err
	}
	seen := map[string]bool{}
	for p.dec.More() {
		t, err := p.dec.Token()
		if err != nil {
			return err
		}
		name, ok := t.(string)
		if !ok {
			return fmt.Errorf("%s: %v is not a name", where, t)
		}
		if seen[name] {
			return fmt.Errorf("%s: %q comes twice", where, name)
		}
		seen[name] = true
		if err := member(name); err != nil {
			return err
		}
	}
	return p.expect('}', where)
}

func (p parser) expect(want json.Delim, where string) error {
	t, err := p.dec.Token()
	if err != nil {
		return err
	}
	if t != want {
		return fmt.Errorf("%s: found %v, want %s", where, t, want)
	}
	return nil
}

func (p parser) fields(where string) ([]field, error) {
	var fields []field
	err := p.object(where, func(name string) error {
		t, err := p.dec.Token()
		if err != nil {
			return err
		}
		switch v := t.(type) {
		case string:
			fields = append(fields, field{name: name, value: v})
			return nil
		case json.Delim:
			if v != '[' {
				break
			}
			list, err := p.list(where + "|" + name)
			fields = append(fields, field{name: name, list: list})
			return err
		}
		return fmt.Errorf("%s: %s is %v; CONFIG_DB values are strings or lists of strings", where, name, t)
	})
	slices.SortFunc(fields, func(a, b field) int { return naturalCompare(a.name, b.name) })
	return fields, err
}

func (p parser) list(where string) ([]string, error) {
	list := []string{}
	for p.dec.More() {
		t, err := p.dec.Token()
		if err != nil {
			return nil, err
		}
		v, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("%s: list holds %v; CONFIG_DB lists hold strings", where, t)
		}
		list = append(list, v)
	}
	_, err := p.dec.Token()
	return list, err
}

// get returns the value of a field and whether the row has it.
func (r row) get(name string) (string, bool) {
	for i := range r.fields {
		if r.fields[i].name == name {
			return r.fields[i].value, true
		}
	}
	return "", false
}

// table returns the table of that name; one without rows when there is none.
func (d document) table(name string) table {
	if i, ok := slices.BinarySearchFunc(d, name, func(t table, n string) int { return strings.Compare(t.name, n) }); ok {
		return d[i]
	}
	return table{name: name}
}
