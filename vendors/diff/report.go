package diff

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"railyard/vendors/clitree"
)

// Report is the outcome of a comparison.
type Report struct {
	Switches []Result
	// Strange are files of the directory that are no configuration railyard knows.
	Strange []string
	pair    bool
}

// Trouble tells whether some switches could not be compared.
func (r *Report) Trouble() int {
	return r.count(Unreadable) + r.count(Unreachable)
}

// Differs tells whether anything is not as intended: differences, missing and
// extra switches.
func (r *Report) Differs() bool {
	return r.count(Differs)+r.count(Missing)+r.count(Extra) > 0
}

func (r *Report) count(s Status) int {
	n := 0
	for i := range r.Switches {
		if r.Switches[i].Status == s {
			n++
		}
	}
	return n
}

//go:embed schema.json
var schema []byte

// Schema returns the JSON Schema of what JSON writes.
func Schema() []byte { return bytes.Clone(schema) }

// jsonReport is the document of --format json; schema.json says what its members mean.
type jsonReport struct {
	FormatVersion string       `json:"format_version"`
	Switches      []jsonSwitch `json:"switches"`
}

// jsonSwitch is one switch.
type jsonSwitch struct {
	Name     string        `json:"name"`
	OS       string        `json:"os"`
	File     string        `json:"file,omitempty"`
	Status   Status        `json:"status"`
	Reason   string        `json:"reason,omitempty"`
	Changes  []jsonChange  `json:"changes"`
	Problems []jsonProblem `json:"problems,omitempty"`
}

// jsonChange is what differs in one section.
type jsonChange struct {
	Path      []string `json:"path"`
	Remove    []string `json:"remove"`
	Add       []string `json:"add"`
	Reordered bool     `json:"reordered"`
	Note      string   `json:"note"`
}

// jsonProblem is something about the running text.
type jsonProblem struct {
	Line     int              `json:"line,omitempty"`
	Severity clitree.Severity `json:"severity"`
	Code     string           `json:"code"`
	Text     string           `json:"text"`
}

// formatVersion is of JSON's output.
const formatVersion = "1.0"

// JSON writes the report for machines.
func (r *Report) JSON(w io.Writer) error {
	doc := jsonReport{FormatVersion: formatVersion, Switches: []jsonSwitch{}}
	for i := range r.Switches {
		s := &r.Switches[i]
		js := jsonSwitch{Name: s.Name, OS: s.OS, File: s.File, Status: s.Status, Reason: s.Reason, Changes: []jsonChange{}}
		for _, c := range s.Changes {
			js.Changes = append(js.Changes, jsonChange{list(c.Path), list(c.Remove), list(c.Add), c.Reordered, c.Note})
		}
		for _, p := range s.Problems {
			js.Problems = append(js.Problems, jsonProblem{p.Line, p.Severity, p.Code, p.Text})
		}
		doc.Switches = append(doc.Switches, js)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// list is never null in JSON.
func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// Patches hands every patch to write, under NAME/patch.txt or NAME/patch.json,
// with notes beside a JSON document in NAME/notes.txt. It says how many there were.
func (r *Report) Patches(write func(name string, body []byte) error) (int, error) {
	n := 0
	for i := range r.Switches {
		s := &r.Switches[i]
		if s.Status != Differs {
			continue
		}
		n++
		name := path.Base(path.Clean("/" + s.Name))
		if len(s.Patch.Body) > 0 {
			if err := write(name+"/"+s.Patch.File, s.Patch.Body); err != nil {
				return n, err
			}
		}
		if len(s.Patch.Notes) > 0 && s.Patch.File != "patch.txt" {
			if err := write(name+"/notes.txt", []byte(strings.Join(s.Patch.Notes, "\n")+"\n")); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// Patch writes the patches one after the other, each under the name of its switch
// where there are several. Notes that no patch can hold go to notes.
func (r *Report) Patch(w, notes io.Writer) error {
	for i := range r.Switches {
		s := &r.Switches[i]
		if s.Status == Unreadable || s.Status == Unreachable {
			if _, err := fmt.Fprintf(notes, "%s: %s: %s\n", s.Name, s.Status, s.Reason); err != nil {
				return err
			}
		}
		if s.Status != Differs {
			continue
		}
		if !r.pair {
			if _, err := fmt.Fprintf(w, "=== %s (%s)\n", s.Name, s.OS); err != nil {
				return err
			}
		}
		if _, err := w.Write(s.Patch.Body); err != nil {
			return err
		}
		if s.Patch.File == "patch.txt" {
			continue // they stand in it
		}
		for _, n := range s.Patch.Notes {
			if _, err := fmt.Fprintf(notes, "%s: %s\n", s.Name, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// printable keeps control characters of a device's text off a terminal.
func printable(s string) string {
	clean := true
	for _, c := range s {
		if c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0 || c == utf8.RuneError {
			clean = false
		}
	}
	if clean {
		return s
	}
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n':
			return '⏎'
		case c < 0x20 || c == 0x7f || c >= 0x80 && c < 0xa0:
			return '·'
		}
		return c
	}, s)
}
