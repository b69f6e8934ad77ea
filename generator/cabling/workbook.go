package cabling

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"railyard/generator/fabric"
)

// Workbook writes an xlsx file with the sheets Switches, Cables, Addresses and
// Bill of materials. A list that is too long for one sheet, which holds 1,048,576
// rows, goes on in further sheets: Cables (2) and so on. The same fabric gives the
// same bytes.
func Workbook(w io.Writer, f *fabric.Fabric) error {
	tables := []table{switches(f), cables(f), addresses(f), materials(f)}
	if err := writeWorkbook(w, f.Name, tables, limits{rows: excelize.TotalRows, refs: 100_000}); err != nil {
		return fmt.Errorf("workbook: %w", err)
	}
	return nil
}

// limits bound the sheets of a workbook.
type limits struct {
	rows int // of a sheet, the header included
	// refs is up to how many rows the cells of a sheet name their own place. The
	// place is optional (ECMA-376, part 1, 18.3.1.4), and takes more than half of
	// the file's size and a third of the time. Excel and LibreOffice do without, but
	// many smaller programs do not; none of those is the tool for a longer sheet.
	refs int
}

// part is one sheet: a table, or a stretch of one.
type part struct {
	name  string
	table *table
	rows  int
}

// writeWorkbook lets excelize make the workbook with its headers, styles, filters
// and package parts, and adds the rows itself: excelize's own stream writer takes
// 16 microseconds and 80 allocations for a row of the cable list, which would be
// most of the time of a large generate.
func writeWorkbook(w io.Writer, title string, tables []table, lim limits) error {
	var sheets []part
	for i := range tables {
		sheets = append(sheets, split(&tables[i], lim.rows)...)
	}
	frame, err := newFrame(title, sheets)
	if err != nil {
		return err
	}
	out := zip.NewWriter(w)
	if err := frame.store(out); err != nil {
		return err
	}
	n := 0
	for i := range tables {
		end := n + len(split(&tables[i], lim.rows))
		if err := writeSheets(out, frame, sheets[n:end], n+1, lim.refs); err != nil {
			return fmt.Errorf("sheet %s: %w", tables[i].name, err)
		}
		n = end
	}
	return out.Close()
}

// split cuts a table into sheets; limit counts the header too.
func split(t *table, limit int) []part {
	rest, most := t.count, limit-1
	sheets := []part{{t.name, t, min(rest, most)}}
	for rest -= most; rest > 0; rest -= most {
		sheets = append(sheets, part{fmt.Sprintf("%s (%d)", t.name, len(sheets)+1), t, min(rest, most)})
	}
	return sheets
}

// writeSheets writes the sheets of one table, the first of which has the given
// number in the package.
func writeSheets(out *zip.Writer, fr *frame, sheets []part, number, refs int) error {
	var d *deflater
	at, rows := 0, 0
	begin := func() {
		d = newDeflater(sheets[at].rows <= refs)
		d.text = append(d.text, fr.head(number+at)...)
		rows = 0
	}
	finish := func() error {
		d.text = append(d.text, fr.tail(number+at)...)
		return d.close().store(out, sheetPath(number+at))
	}
	begin()
	var r row
	err := sheets[0].table.rows(&r, func() error {
		if rows == sheets[at].rows {
			if err := finish(); err != nil {
				return err
			}
			if at++; at == len(sheets) {
				return fmt.Errorf("more rows than the %d announced", sheets[0].table.count)
			}
			begin()
		}
		rows++
		d.row(&r, rows+1)
		r.reset()
		return nil
	})
	if err != nil {
		return err
	}
	if at != len(sheets)-1 || rows != sheets[at].rows {
		return fmt.Errorf("fewer rows than the %d announced", sheets[0].table.count)
	}
	return finish()
}

func sheetPath(number int) string { return "xl/worksheets/sheet" + strconv.Itoa(number) + ".xml" }

// frame is a workbook without rows, as excelize made it.
type frame struct{ parts map[string][]byte }

// fixedTime stands for the times that a workbook must carry and that would differ
// from run to run. It is the first that a zip archive can tell.
const fixedTime = "1980-01-01T00:00:00Z"

func newFrame(title string, sheets []part) (*frame, error) {
	book := excelize.NewFile()
	defer book.Close()
	if err := book.SetSheetName(book.GetSheetName(0), sheets[0].name); err != nil {
		return nil, err
	}
	style, err := book.NewStyle(&excelize.Style{
		Font: &excelize.Font{Bold: true},
		Fill: excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"DDE5EE"}},
	})
	if err != nil {
		return nil, err
	}
	for i, s := range sheets {
		if i > 0 {
			if _, err := book.NewSheet(s.name); err != nil {
				return nil, err
			}
		}
		if err := dress(book, s, style); err != nil {
			return nil, fmt.Errorf("sheet %s: %w", s.name, err)
		}
	}
	err = book.SetDocProps(&excelize.DocProperties{
		Title: title, Creator: "railyard", LastModifiedBy: "railyard", Created: fixedTime, Modified: fixedTime,
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		return nil, err
	}
	return unpack(b.Bytes())
}

// dress gives a sheet its header, column widths, frozen first row and filter.
func dress(book *excelize.File, s part, style int) error {
	last, err := excelize.ColumnNumberToName(len(s.table.columns))
	if err != nil {
		return err
	}
	titles := make([]any, len(s.table.columns))
	for i, c := range s.table.columns {
		titles[i] = c.title
		name, err := excelize.ColumnNumberToName(i + 1)
		if err != nil {
			return err
		}
		if err := book.SetColWidth(s.name, name, name, c.width); err != nil {
			return err
		}
	}
	if err := book.SetSheetRow(s.name, "A1", &titles); err != nil {
		return err
	}
	if err := book.SetCellStyle(s.name, "A1", last+"1", style); err != nil {
		return err
	}
	if err := book.SetPanes(s.name, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	area := "A1:" + last + strconv.Itoa(s.rows+1)
	if err := book.SetSheetDimension(s.name, area); err != nil {
		return err
	}
	return book.AutoFilter(s.name, area, nil)
}

func unpack(archive []byte) (*frame, error) {
	in, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	fr := &frame{parts: map[string][]byte{}}
	for _, e := range in.File {
		r, err := e.Open()
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		if strings.HasPrefix(e.Name, "xl/worksheets/sheet") && !bytes.Contains(body, []byte(rowsEnd)) {
			return nil, fmt.Errorf("%s has no place for rows", e.Name)
		}
		fr.parts[e.Name] = body
	}
	return fr, nil
}

// rowsEnd ends the rows of a sheet; ours go before it.
const rowsEnd = "</sheetData>"

func (fr *frame) head(number int) []byte {
	before, _, _ := bytes.Cut(fr.parts[sheetPath(number)], []byte(rowsEnd))
	return before
}

func (fr *frame) tail(number int) []byte {
	return fr.parts[sheetPath(number)][len(fr.head(number)):]
}

// store writes all parts but the sheets, in a fixed order.
func (fr *frame) store(out *zip.Writer) error {
	var names []string
	for name := range fr.parts {
		if !strings.HasPrefix(name, "xl/worksheets/") {
			names = append(names, name)
		}
	}
	slices.Sort(names) // [Content_Types].xml, which belongs first, comes first
	for _, name := range names {
		w, err := out.Create(name)
		if err != nil {
			return err
		}
		if _, err := w.Write(fr.parts[name]); err != nil {
			return err
		}
	}
	return nil
}
