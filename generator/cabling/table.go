package cabling

import (
	"io"
	"net/netip"
	"strconv"
)

// column is a column of a table. The key heads it in CSV, the title in the
// workbook, where it is width characters wide.
type column struct {
	key, title string
	width      float64
}

// table is a list whose rows are made one at a time, as there may be a million.
type table struct {
	name    string
	columns []column
	count   int // rows
	rows    func(r *row, emit func() error) error
}

// row is one row in the making. It is used again for the next one.
type row struct {
	text    []byte // of all cells
	ends    []int  // of each cell in text
	numbers uint32 // bit i: cell i is a number
}

func (r *row) reset() { r.text, r.ends, r.numbers = r.text[:0], r.ends[:0], 0 }

func (r *row) end() { r.ends = append(r.ends, len(r.text)) }

// cell returns the i-th cell's text and whether it is a number.
func (r *row) cell(i int) ([]byte, bool) {
	start := 0
	if i > 0 {
		start = r.ends[i-1]
	}
	return r.text[start:r.ends[i]], r.numbers&(1<<i) != 0
}

// string adds a text cell, harmless in a spreadsheet.
func (r *row) string(s string) {
	if s != "" {
		switch s[0] {
		case '=', '+', '-', '@', '\t', '\r':
			r.text = append(r.text, '\'')
		}
	}
	r.text = append(r.text, s...)
	r.end()
}

func (r *row) number() {
	r.numbers |= 1 << len(r.ends)
	r.end()
}

func (r *row) int(n int64) {
	r.text = strconv.AppendInt(r.text, n, 10)
	r.number()
}

func (r *row) float(v float64) {
	r.text = strconv.AppendFloat(r.text, v, 'f', -1, 64)
	r.number()
}

func (r *row) address(a netip.Addr) {
	if a.IsValid() {
		r.text = a.AppendTo(r.text)
	}
	r.end()
}

func (r *row) subnet(p netip.Prefix) {
	if p.IsValid() {
		r.text = p.Masked().AppendTo(r.text)
	}
	r.end()
}

func (r *row) empty() { r.end() }

const flushAt = 64 << 10

// writeCSV writes a table as RFC 4180 has it, but with LF. It is written by hand:
// encoding/csv wants a string for every one of millions of fields.
func writeCSV(w io.Writer, t table) error {
	out := make([]byte, 0, flushAt+4096)
	for i, c := range t.columns {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, c.key...)
	}
	out = append(out, '\n')
	var r row
	err := t.rows(&r, func() error {
		for i := range r.ends {
			if i > 0 {
				out = append(out, ',')
			}
			text, _ := r.cell(i)
			out = appendField(out, text)
		}
		out = append(out, '\n')
		r.reset()
		if len(out) < flushAt {
			return nil
		}
		_, err := w.Write(out)
		out = out[:0]
		return err
	})
	if err == nil {
		_, err = w.Write(out)
	}
	return err
}

// appendField quotes a field that has a comma, a quote or a line break in it, or
// a space at an end, which some readers trim.
func appendField(out, field []byte) []byte {
	quote := len(field) > 0 && (field[0] == ' ' || field[len(field)-1] == ' ')
	for _, c := range field {
		if c == ',' || c == '"' || c == '\n' || c == '\r' {
			quote = true
			break
		}
	}
	if !quote {
		return append(out, field...)
	}
	out = append(out, '"')
	for _, c := range field {
		if c == '"' {
			out = append(out, '"')
		}
		out = append(out, c)
	}
	return append(out, '"')
}
