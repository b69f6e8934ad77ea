package plan

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lineWidth is the width that text keeps to: a terminal beside another, a mail, a
// ticket. A single word that is longer stands out.
const lineWidth = 100

// page is text in the making.
type page struct{ text strings.Builder }

func (p *page) line(format string, args ...any) {
	fmt.Fprintf(&p.text, format, args...)
	p.text.WriteByte('\n')
}

// heading begins a section.
func (p *page) heading(title string) { p.line("\n%s", strings.ToUpper(title)) }

// para writes a wrapped paragraph, indented.
func (p *page) para(text string) {
	for _, l := range wrap(text, lineWidth-2) {
		p.line("  %s", l)
	}
}

// hang writes a head and a text that is wrapped under itself. Without a head the
// text goes on under the one before.
func (p *page) hang(head, text string) {
	const indent = 4
	if head != "" {
		lines := wrap(head+": "+text, lineWidth-2)
		p.line("  %s", lines[0])
		if len(lines) == 1 {
			return
		}
		text = strings.Join(lines[1:], " ")
	}
	for _, l := range wrap(text, lineWidth-indent) {
		p.line("%*s%s", indent, "", l)
	}
}

// wrap cuts a text into lines of at most width runes, at spaces.
func wrap(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case line == "":
			line, used = word, n
		case used+1+n <= width:
			line, used = line+" "+word, used+1+n
		default:
			lines = append(lines, line)
			line, used = word, n
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// table writes rows in columns. A head that begins with > is of a column of
// numbers, which are set to the right. Columns without any content are left out,
// and the last one is wrapped where the line would be too long.
func (p *page) table(heads []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	if heads, rows = dropEmpty(heads, rows); len(heads) == 0 {
		return
	}
	right := make([]bool, len(heads))
	titles := make([]string, len(heads))
	widths := make([]int, len(heads))
	for i, h := range heads {
		titles[i], right[i] = strings.CutPrefix(h, ">")
		widths[i] = utf8.RuneCountInString(titles[i])
		for _, r := range rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(r[i]))
		}
	}
	const gap = 2
	last, used := len(heads)-1, gap
	for _, w := range widths[:last] {
		used += w + gap
	}
	widths[last] = min(widths[last], max(lineWidth-used, 20))
	for _, r := range append([][]string{titles}, rows...) {
		for n, piece := range wrap(r[last], widths[last]) {
			var b strings.Builder
			for i := range heads {
				cell := piece
				if i < last {
					if cell = r[i]; n > 0 {
						cell = ""
					}
				}
				pad := strings.Repeat(" ", max(0, widths[i]-utf8.RuneCountInString(cell)))
				b.WriteString("  ")
				if right[i] {
					b.WriteString(pad + cell)
				} else {
					b.WriteString(cell + pad)
				}
			}
			p.line("%s", strings.TrimRight(b.String(), " "))
		}
	}
}

func dropEmpty(heads []string, rows [][]string) ([]string, [][]string) {
	var keep []int
	for i := range heads {
		for _, r := range rows {
			if r[i] != "" {
				keep = append(keep, i)
				break
			}
		}
	}
	pick := func(r []string) []string {
		out := make([]string, len(keep))
		for n, i := range keep {
			out[n] = r[i]
		}
		return out
	}
	out := make([][]string, len(rows))
	for i, r := range rows {
		out[i] = pick(r)
	}
	return pick(heads), out
}
