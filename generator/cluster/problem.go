package cluster

import (
	"strings"

	"railyard/generator/strict"
)

// Position is a place in the cluster file; lines and columns start at 1.
type Position = strict.Position

// Problem is one thing wrong with the input.
type Problem = strict.Problem

// Problems are all things wrong, sorted by position. As an error it prints one a line.
type Problems = strict.Problems

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
