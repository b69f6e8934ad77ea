package strict

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

var syntaxForm = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// explained says in plain words what yaml.v3 means.
var explained = []struct{ has, message, remedy string }{
	{"mapping values are not allowed", "a key stands where none can be", "indent it like its neighbours, or put a text that contains \": \" in quotes"},
	{"did not find expected key", "the indentation fits nothing above", "indent keys of one section alike"},
	{"did not find expected '-' indicator", "the indentation fits nothing above", "start every entry of a list with - in one column"},
	{"could not find expected ':'", "a line without a key", "write key: value, with a space after the colon"},
	{"did not find expected ',' or ']'", "a list that opens with [ is not closed", "close it with ]"},
	{"did not find expected ',' or '}'", "a section that opens with { is not closed", "close it with }"},
	{"did not find expected node content", "a value is missing", "give it, or close the [ or { above"},
	{"found unexpected end of stream", "a quote that is not closed", "close it"},
	{"cannot start any token", "a text starts with a character that YAML reserves", "put it in quotes"},
	{"exceeded max depth", "nested too deeply", ""},
	{"incompatible YAML document", "a %YAML line for another version", "remove that line"},
}

// syntax turns what yaml.v3 says of malformed input into a problem with a
// position. yaml.v3 names the line where the surrounding block began; the line
// that breaks it is the first up to which the text gives the same error.
func syntax(name string, body []byte, err error) Problem {
	m := syntaxForm.FindStringSubmatch(err.Error())
	if m == nil {
		return Problem{Position: Position{File: name}, Message: "not valid YAML: " + show(err.Error())}
	}
	what := m[2]
	line, _ := strconv.Atoi(m[1])
	line = max(line, 1)
	lines := bytes.SplitAfter(body, []byte("\n"))
	if len(body) <= 64<<10 {
		line = breaking(lines, what, line)
	}
	if anchor, ok := strings.CutPrefix(what, "unknown anchor '"); ok {
		anchor, _, _ = strings.Cut(anchor, "'")
		where := max(0, bytes.Index(body, []byte("*"+anchor)))
		return Problem{Position: at(name, body, where), Message: "an alias (*) without its anchor (&)", Remedy: "put a text that starts with * in quotes"}
	}
	if p := tab(name, lines, line); p != nil {
		return *p
	}
	p := Problem{Position: Position{File: name, Line: line, Column: 1}, Message: "not valid YAML: " + what}
	if line <= len(lines) {
		p.Position.Column += indent(lines[line-1])
	}
	for _, e := range explained {
		if strings.Contains(what, e.has) {
			p.Message, p.Remedy = "not valid YAML: "+e.message, e.remedy
			break
		}
	}
	return p
}

// breaking returns the number of the first line up to which the text already
// gives that error.
func breaking(lines [][]byte, what string, fallback int) int {
	low, high := 1, len(lines)
	for low < high {
		mid := (low + high) / 2
		_, err := next(yaml.NewDecoder(bytes.NewReader(bytes.Join(lines[:mid], nil))))
		if err != nil && strings.HasSuffix(err.Error(), what) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	if low > len(lines) {
		return fallback
	}
	return low
}

// tab finds an indentation with a tab no later than one line after the error.
func tab(name string, lines [][]byte, line int) *Problem {
	for i, l := range lines[:min(len(lines), line+1)] {
		if j := bytes.IndexByte(l[:indent(l)], '\t'); j >= 0 {
			return &Problem{
				Position: Position{File: name, Line: i + 1, Column: j + 1},
				Message:  "not valid YAML: a tab in the indentation",
				Remedy:   "indent with spaces",
			}
		}
	}
	return nil
}

func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
