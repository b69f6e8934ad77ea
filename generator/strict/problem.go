package strict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Position is a place in an input file; lines and columns start at 1 and
// columns count characters. Line 0 means the file as a whole.
type Position struct {
	File         string
	Line, Column int
}

// String writes file:line:column.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Problem is one thing wrong with the input.
type Problem struct {
	Position Position
	Path     string // key path: servers[0].count
	Message  string // what is wrong, with what was found
	Remedy   string // what would be right
}

// Error writes position, path, message and remedy in one line.
func (p Problem) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", p.Position)
	if p.Path != "" {
		fmt.Fprintf(&b, "%s: ", p.Path)
	}
	b.WriteString(p.Message)
	if p.Remedy != "" {
		fmt.Fprintf(&b, " (%s)", p.Remedy)
	}
	return b.String()
}

// Problems are all things wrong, sorted by position. As an error it prints one a line.
type Problems []Problem

// Error writes one problem a line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Sort orders problems by file, position and path; what concerns a file as a
// whole comes after what has a line.
func (p Problems) Sort() {
	slices.SortStableFunc(p, func(a, b Problem) int {
		return cmp.Or(
			cmp.Compare(a.Position.File, b.Position.File),
			cmp.Compare(uint(a.Position.Line-1), uint(b.Position.Line-1)),
			cmp.Compare(a.Position.Column, b.Position.Column),
			cmp.Compare(a.Path, b.Path),
		)
	})
}

// MostProblems is how many problems a Report keeps; it counts the rest. Nobody
// reads more before mending the first, and a file of garbage must not cost memory.
const MostProblems = 100

// Report collects problems.
type Report struct {
	kept Problems
	more int
}

// Add keeps a problem, or counts it when there are enough.
func (r *Report) Add(p Problem) {
	if r.Full() {
		r.more++
		return
	}
	r.kept = append(r.kept, p)
}

// Full reports whether further problems will only be counted, so that their
// wording need not be worked out.
func (r *Report) Full() bool { return len(r.kept) >= MostProblems }

// Len is the number of problems added.
func (r *Report) Len() int { return len(r.kept) + r.more }

// Problems returns what was kept, sorted, and as its last line how many
// problems are not shown. It is nil when nothing was added.
func (r *Report) Problems() Problems {
	list := slices.Clone(r.kept)
	list.Sort()
	if r.more > 0 {
		noun := "problems"
		if r.more == 1 {
			noun = "problem"
		}
		list = append(list, Problem{
			Position: Position{File: list[0].Position.File},
			Message:  fmt.Sprintf("and %d more %s", r.more, noun),
			Remedy:   "mend these first",
		})
	}
	return list
}

// Merge takes over the problems of another report.
func (r *Report) Merge(other *Report) {
	for _, p := range other.kept {
		r.Add(p)
	}
	r.more += other.more
}
