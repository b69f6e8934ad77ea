package lossless

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// maxObjects bounds the names a finding lists; the rest is counted.
const maxObjects = 8

func (p *planner) find(s fabric.Severity, code, message, remedy, source string, objects []string) {
	p.f.Findings = append(p.f.Findings, fabric.Finding{
		Severity: s, Code: code, Message: message, Remedy: remedy, Source: source, Objects: bounded(objects),
	})
}

// bounded sorts names, drops duplicates and replaces a long tail by its length.
func bounded(names []string) []string {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	if more := len(sorted) - maxObjects; more > 0 {
		sorted = append(sorted[:maxObjects:maxObjects], fmt.Sprintf("and %d more", more))
	}
	return sorted
}

// megabytes writes a byte count for a sentence.
func megabytes(n int64) string {
	switch {
	case n >= 1e6:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	case n >= 1e3:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 0, 64) + " KB"
	default:
		return strconv.FormatInt(n, 10) + " B"
	}
}

func metres(l float64) string { return strconv.FormatFloat(l, 'f', -1, 64) + " m" }

// either joins alternatives for a remedy.
func either(options []string) string { return strings.Join(options, "; or ") }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
