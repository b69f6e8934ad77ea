package inspect

import (
	"bytes"
	"encoding/binary"
	"iter"
	"slices"
	"strings"

	"railyard/generator/observed"
	"railyard/vendors/clitree"
)

// headSize is how much of a file is looked at to tell its system, and handed to
// extractors as the head: comments in front and the first sections.
const headSize = 64 << 10

// rows cuts a text into rows. Texts as a device writes them are cut on the fly;
// anything else (captures with prompts and pagers, foreign encodings, texts over
// several lines) goes through the parser that knows these.
func rows(plain, raw []byte, s *clitree.Syntax) (text observed.Text, problems []clitree.Problem) {
	body := view(plain)
	text.Head = body[:min(len(body), headSize)]
	if interfaces, ok := clean(body, plain, s); ok {
		text.Rows, text.Interfaces = cut(body, s), min(interfaces, mostPorts)
		return text, nil
	}
	tree, problems := clitree.Parse(raw, s)
	if clitree.Worst(problems, clitree.Fatal) == nil {
		text.Rows = flatten(tree)
	}
	return text, problems
}

// mostPorts bounds the ports that memory is set aside for.
const mostPorts = 4096

// flatten walks a tree without the recursion's closures for every line.
func flatten(root *clitree.Node) iter.Seq[observed.Row] {
	return func(yield func(observed.Row) bool) { walk(root, 0, yield) }
}

func walk(n *clitree.Node, depth int, yield func(observed.Row) bool) bool {
	for _, c := range n.Children {
		if !yield(observed.Row{Number: observed.Line(c.Line), Depth: depth, Text: c.Text}) || !walk(c, depth+1, yield) {
			return false
		}
	}
	return true
}

// clean tells texts that need no parser: printable ASCII from the first
// separator to the closing line, nothing that runs over several lines. It counts
// the sections of interfaces on the way.
func clean(body string, raw []byte, s *clitree.Syntax) (interfaces int, ok bool) {
	if body == "" || body[0] != s.Separator && body[0] != '!' || len(body) > clitree.MaxSize {
		return 0, false
	}
	end := strings.TrimRight(body, "\n")
	if !strings.HasSuffix(end, "\n"+s.End) && !(s.OpenEnd && strings.HasSuffix(body, "\n"+string(s.Separator)+"\n")) {
		return 0, false
	}
	if s.OpenEnd && !strings.HasSuffix(end, "\n"+s.End) && strings.Contains(body[:min(len(body), headSize)], "!Software Version") {
		return 0, false // a device's own output must have its closing line
	}
	nested := false
	for rest := raw; len(rest) > 0; {
		line := rest
		if at := bytes.IndexByte(rest, '\n'); at >= 0 {
			line, rest = rest[:at], rest[at+1:]
		} else {
			rest = nil
		}
		if !printable8(line) || unusual(line, len(rest) > 0, s.End) {
			return 0, false
		}
		if len(line) > 10 && line[0] == 'i' && string(line[:10]) == "interface " {
			interfaces++
		}
		nested = nested || len(line) > 0 && line[0] == ' '
	}
	return interfaces, nested // else its indentation is lost
}

// printable8 reports whether a line is printable ASCII, eight bytes at a time.
func printable8(line []byte) bool {
	const high, low = 0x8080808080808080, 0x2020202020202020
	for len(line) >= 8 {
		x := binary.LittleEndian.Uint64(line)
		// A byte below 0x20 borrows from its top bit.
		if x&high != 0 || (x-low)&^x&high != 0 {
			return false
		}
		line = line[8:]
	}
	for _, c := range line {
		if c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// unusual tells lines that only the parser understands: pagers, prompts,
// messages, texts over several lines, and a closing line that is not the last.
func unusual(line []byte, more bool, end string) bool {
	text := bytes.TrimLeft(line, " ")
	if len(text) == 0 {
		return false
	}
	switch text[0] {
	case '-':
		return true // a pager; no line of these systems begins so
	case '%', '<', '[':
		return len(text) == len(line)
	case 'b':
		return bytes.HasPrefix(text, []byte("banner "))
	case 'h':
		return bytes.HasPrefix(text, []byte("header "))
	case 'c':
		return string(text) == "comment"
	}
	return more && len(text) == len(line) && string(text) == end
}

// cut yields the lines of a clean text with their depth.
func cut(body string, s *clitree.Syntax) iter.Seq[observed.Row] {
	separator, end := s.Separator, s.End
	return func(yield func(observed.Row) bool) {
		var indents [32]int
		depth, number := 0, observed.Line(0)
		for body != "" {
			line := body
			if at := strings.IndexByte(body, '\n'); at >= 0 {
				line, body = body[:at], body[at+1:]
			} else {
				body = ""
			}
			number++
			indent := 0
			for indent < len(line) && line[indent] == ' ' {
				indent++
			}
			text := line[indent:]
			if text == "" {
				continue
			}
			if text[0] == separator || text[0] == '!' {
				if indent == 0 && len(text) == 1 {
					depth = 0
				}
				continue
			}
			if text[len(text)-1] == ' ' {
				text = strings.TrimRight(text, " ")
			}
			if slices.Contains(s.Empty, text) {
				continue
			}
			for depth > 0 && indents[depth-1] >= indent {
				depth--
			}
			if indent == 0 && text == end {
				return
			}
			if !yield(observed.Row{Number: number, Depth: depth, Text: text}) {
				return
			}
			if depth < len(indents) {
				indents[depth] = indent
				depth++
			}
		}
	}
}
