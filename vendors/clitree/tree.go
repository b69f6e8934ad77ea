// Package clitree compares configurations that are indented command lines.
//
// Parse reads the text a switch prints, or what a person captured of it, into a
// tree by indentation. Compare finds what two trees mean differently under the
// Rules of an operating system, which are data in that system's own package, and
// Patch writes the commands that turn one into the other.
package clitree

import (
	"strconv"
	"strings"
)

// Node is one line and the lines under it. The root has no text.
type Node struct {
	Line     int    // of the text that was parsed, from 1; 0 for the root
	Text     string // without indentation, blanks and line ends; runs of blanks as printed
	Children []*Node
}

// Find returns the first child whose text is the words, nil when there is none.
func (n *Node) Find(text string) *Node {
	for _, c := range n.Children {
		if c.Text == text {
			return c
		}
	}
	return nil
}

// Walk visits every node under n, parents first, with the lines above it.
func (n *Node) Walk(visit func(path []*Node, n *Node)) { walk(nil, n, visit) }

func walk(path []*Node, n *Node, visit func([]*Node, *Node)) {
	for _, c := range n.Children {
		visit(path, c)
		if len(c.Children) > 0 {
			walk(append(path, c), c, visit)
		}
	}
}

// Severity says what a Problem means for the tree.
type Severity string

// The severities.
const (
	Note  Severity = "note"  // cleaned up; nothing is lost
	Doubt Severity = "doubt" // the text may be incomplete or partly misread: the caller decides
	Fatal Severity = "fatal" // the tree is not the configuration
)

// Codes of problems, stable.
const (
	CodeTooLarge    = "too-large"    // more than MaxSize bytes
	CodeBinary      = "binary"       // not text
	CodeEmpty       = "empty"        // no configuration in it
	CodeWrongSystem = "wrong-system" // the text of another operating system or format
	CodeTruncated   = "truncated"    // no closing line, or cut in mid line
	CodePartial     = "partial"      // the capture of a part, by its command
	CodeFlat        = "flat"         // indentation lost: sections cannot be told apart
	CodeRefused     = "refused"      // the device answered with an error
	CodeEncoding    = "encoding"     // not UTF-8
	CodePreamble    = "preamble"     // text in front of or behind the configuration, left out
	CodePager       = "pager"        // pager prompts removed
	CodeUnclosed    = "unclosed"     // a multi-line text without its end
)

// Problem is something about a text that whoever trusts the tree should know.
type Problem struct {
	Line     int // 0: the text as a whole
	Severity Severity
	Code     string
	Text     string // lower case; never quotes a secret
}

// Worst returns the first problem of the given severity, nil when there is none.
func Worst(list []Problem, s Severity) *Problem {
	for i := range list {
		if list[i].Severity == s {
			return &list[i]
		}
	}
	return nil
}

// quote shortens a line for a message and keeps what could be a secret out of it.
func quote(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if len(w) > 24 || strings.ContainsAny(w, "$%\\") {
			words[i] = "…"
		}
	}
	if len(words) > 6 {
		words = append(words[:6], "…")
	}
	return "\"" + strings.Join(words, " ") + "\""
}

// String is the problem as one line.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return "line " + strconv.Itoa(p.Line) + ": " + p.Text
}
