package clitree

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// MaxSize bounds what Parse reads: some hundred times the configuration of a
// switch with 512 ports.
const MaxSize = 64 << 20

// maxLine bounds one line after cleaning.
const maxLine = 1 << 20

// maxColumn bounds how far a cursor control moves to the right.
const maxColumn = 1024

// line is one line as its author meant it: no line end, no terminal controls.
type line struct {
	number int
	indent int // blanks in front; a tab reaches to the next eighth
	text   string
}

// cleaner turns bytes into lines and keeps count of what it took out.
type cleaner struct {
	problems  []Problem
	pagers    int
	firstPage int
	foreign   int // lines that were not UTF-8
	firstOdd  int
	hasEnd    bool // the last line had its line end
}

func (c *cleaner) problem(line int, s Severity, code, format string, args ...any) {
	c.problems = append(c.problems, Problem{Line: line, Severity: s, Code: code, Text: fmt.Sprintf(format, args...)})
}

// lines cuts and cleans the text; nil after a fatal problem.
func (c *cleaner) lines(text []byte) []line {
	if len(text) > MaxSize {
		c.problem(0, Fatal, CodeTooLarge, "%d bytes, more than the %d a configuration can have", len(text), MaxSize)
		return nil
	}
	text = c.decode(text)
	if at, ok := binary(text); ok {
		c.problem(1+bytes.Count(text[:at], []byte{'\n'}), Fatal, CodeBinary, "not text: byte %d is 0x%02x and many are like it", at, text[at])
		return nil
	}
	if !bytes.ContainsRune(text, '\n') {
		text = bytes.ReplaceAll(text, []byte{'\r'}, []byte{'\n'}) // some terminals end lines so
	}
	c.hasEnd = len(text) > 0 && text[len(text)-1] == '\n'
	all := string(text)
	out := make([]line, 0, strings.Count(all, "\n")+1)
	for n := 1; all != ""; n++ {
		raw, rest, _ := strings.Cut(all, "\n")
		all = rest
		if len(raw) > maxLine {
			c.problem(n, Fatal, CodeBinary, "a line of %d bytes", len(raw))
			return nil
		}
		if l, ok := c.line(n, raw); ok {
			out = append(out, l)
		}
	}
	c.report()
	return out
}

// decode takes byte order marks off and UTF-16 back to bytes.
func (c *cleaner) decode(text []byte) []byte {
	switch {
	case bytes.HasPrefix(text, []byte{0xEF, 0xBB, 0xBF}):
		return text[3:]
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}), bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		if out, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(text); err == nil {
			c.problem(0, Note, CodeEncoding, "read as UTF-16")
			return out
		}
	}
	return text
}

// binary finds bytes no terminal sends. Single NUL and BEL bytes come with some
// sessions, so it takes one in a hundred.
func binary(text []byte) (at int, is bool) {
	at, n := -1, 0
	for i, b := range text {
		if b >= 0x20 || b == '\n' || b == '\r' || b == '\t' || b == '\b' || b == 0x1b {
			continue
		}
		if at < 0 {
			at = i
		}
		n++
	}
	return at, n > 8 && n*100 > len(text)
}

func (c *cleaner) line(n int, raw string) (line, bool) {
	raw = strings.TrimRight(raw, "\r \t")
	if plain(raw) {
		return indented(n, raw)
	}
	if !utf8.ValidString(raw) {
		raw = c.gbk(n, raw)
	}
	paged := pager.MatchString(raw)
	raw = screen(raw)
	if at := pager.FindStringIndex(raw); at != nil {
		// The prompt was not wiped by the terminal's own controls.
		rest := wiped.ReplaceAllString(raw[at[1]:], "")
		if strings.TrimSpace(raw[:at[0]]) != "" {
			rest = raw[:at[0]] // the prompt came behind a line
		}
		raw, paged = rest, true
	}
	if paged {
		if c.pagers++; c.firstPage == 0 {
			c.firstPage = n
		}
	}
	l, ok := indented(n, raw)
	return l, ok
}

// plain tells lines that need no cleaning: printable ASCII without a pager's dashes.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 && s[i] != '\t' || s[i] >= 0x7f {
			return false
		}
	}
	return !strings.Contains(s, "--") || !pager.MatchString(s)
}

// indented measures the blanks in front. A line of blanks is no line.
func indented(n int, s string) (line, bool) {
	indent := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			indent++
		case '\t':
			indent += 8 - indent%8
		default:
			text := strings.TrimRight(s[i:], " \t")
			return line{n, indent, text}, strings.TrimSpace(text) != "" // other alphabets have blanks too
		}
	}
	return line{}, false
}

// pager matches the prompts of the pagers of these systems.
var pager = regexp.MustCompile(`\s{0,4}-{2,4} ?[Mm][Oo][Rr][Ee] ?(?:\(\d+%\) ?)?-{2,4}(?: \(END\))?`)

// wiped matches what is left of cursor controls when the escape byte is lost.
var wiped = regexp.MustCompile(`\[\d{1,3}[DK] *(?:\[\d{1,3}[DK])?`)

// screen plays back the controls of a terminal within one line: carriage return
// and backspace move, escape sequences move or erase, anything else is printed
// over what stood there.
func screen(s string) string {
	var cells []rune
	at := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == '\r':
			at = 0
		case r == '\b':
			at = max(0, at-1)
		case r == 0x1b:
			i, at, cells = escape(s, i, at, cells)
		case r == '\t' || r >= 0x20 && r != 0x7f:
			for len(cells) <= at {
				cells = append(cells, ' ')
			}
			cells[at] = r
			at++
		}
	}
	return string(cells)
}

// escape carries out the control sequence behind an escape byte: cursor left,
// right and to column, erase in line. Others, colours for one, change nothing.
func escape(s string, i, at int, cells []rune) (next, cursor int, out []rune) {
	if i >= len(s) || s[i] != '[' {
		return min(i+1, len(s)), at, cells
	}
	n, digits := 0, false
	for i++; i < len(s) && s[i] < 0x40; i++ {
		if s[i] >= '0' && s[i] <= '9' && n < 1000 {
			n, digits = n*10+int(s[i]-'0'), true
		}
	}
	if i >= len(s) {
		return i, at, cells
	}
	final := s[i]
	step := n
	if !digits {
		step = 1
	}
	switch final {
	case 'D':
		at = max(0, at-step)
	case 'C':
		at = min(at+step, maxColumn)
	case 'G':
		at = min(max(0, step-1), maxColumn)
	case 'K':
		if n == 2 {
			cells = cells[:0]
		} else if n == 0 && at < len(cells) {
			cells = cells[:at]
		}
	}
	return i + 1, at, cells
}

// gbk reads a line that is not UTF-8 as GB18030, which holds GBK: Chinese
// descriptions of switches and terminals set to that. Its bytes never look like
// a line end, so lines can be read one by one.
func (c *cleaner) gbk(n int, raw string) string {
	if c.foreign++; c.firstOdd == 0 {
		c.firstOdd = n
	}
	out, err := simplifiedchinese.GB18030.NewDecoder().String(raw)
	if err != nil || strings.ContainsRune(out, utf8.RuneError) {
		c.problem(n, Doubt, CodeEncoding, "bytes that are neither UTF-8 nor GBK")
		return strings.ToValidUTF8(raw, "\uFFFD")
	}
	return out
}

func (c *cleaner) report() {
	if c.pagers > 0 {
		c.problem(c.firstPage, Note, CodePager, "%d pager prompts removed; turn paging off before capturing", c.pagers)
	}
	if c.foreign > 0 {
		c.problem(c.firstOdd, Note, CodeEncoding, "%d lines are not UTF-8 and were read as GBK", c.foreign)
	}
}
