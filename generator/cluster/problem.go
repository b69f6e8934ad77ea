package cluster

import (
	"fmt"
	"sort"
	"strings"
)

// Position is a place in the cluster file; lines and columns start at 1.
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

// Sort orders problems by position, then path.
func (p Problems) Sort() {
	sort.SliceStable(p, func(i, j int) bool {
		a, b := p[i].Position, p[j].Position
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		if a.Column != b.Column {
			return a.Column < b.Column
		}
		return p[i].Path < p[j].Path
	})
}

// Problem makes a problem about a key. The position is that of the key, or of
// the nearest key above it that stands in the file.
func (c *Cluster) Problem(path, message, remedy string) Problem {
	return Problem{Position: c.Where(path), Path: path, Message: message, Remedy: remedy}
}

// Where returns the position of a key path or of the nearest key above it.
func (c *Cluster) Where(path string) Position {
	for p := path; ; {
		if at, ok := c.positions[p]; ok {
			return at
		}
		i := strings.LastIndexAny(p, ".[")
		if i < 0 {
			break
		}
		p = p[:i]
	}
	return Position{File: c.file}
}
