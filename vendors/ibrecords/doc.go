// Package ibrecords compares saved records of a live InfiniBand subnet with the
// plan: what infiniband-diags 44 prints as ibnetdiscover, ibnodes, ibhosts and
// ibswitches, as saquery's NodeRecord, PortInfoRecord, PKeyTableRecord and
// LinkRecord dumps, and as smpquery's nodeinfo, nodedesc, portinfo and pkeys. The
// forms were taken from the tools themselves, run on ibsim 0.10 under OpenSM 3.3.23.
//
// A record proves only what it shows: nodes are missing when a whole list of nodes
// lacks them, cables when the port list of one of their ends does, keys when a whole
// table does.
package ibrecords

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/clitree"
)

// File is one saved record. Several outputs may stand in it one after the other.
// LIDs count within the files of one folder, so records of several subnets lie in
// folders of their own.
type File struct {
	Name string // slash-separated
	Body []byte
}

// Result is what a comparison says.
type Result struct {
	// Changes are in the order of the plan, with what is planned by nobody last. The
	// path is a node, and a port where the node is a switch: lines to remove are as
	// the record shows them, lines to add as planned.
	Changes []clitree.Change
	// Problems are what was not read or not compared and why; a text begins with
	// file:line: where it is about one.
	Problems []clitree.Problem
}

// Codes of problems that clitree has no name for.
const (
	CodeNoOwner    = "no-owner"    // a record does not say whose it is
	CodeByName     = "by-name"     // nodes were matched by name, since the plan's GUIDs are placeholders
	CodeNotCovered = "not-covered" // no record is about this part of the plan
	CodeToolSays   = "tool-says"   // the tool itself reported an error
)

// Recognise returns which output of infiniband-diags a text begins with, for
// example "ibnetdiscover" or "smpquery pkeys"; "" for any other text, among them the
// files that ibsim reads and configurations of switches.
func Recognise(body []byte) string {
	if len(body) > clitree.MaxSize || bytes.IndexByte(body[:min(len(body), headBytes)], 0) >= 0 {
		return ""
	}
	for n := 0; len(body) > 0 && n < headLines; n++ {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		if len(line) > maxLine {
			return ""
		}
		if kind := signature(strings.TrimRight(strings.TrimPrefix(string(line), "\ufeff"), " \t\r")); kind != "" {
			return kind
		}
	}
	return ""
}

// Bounds of what is looked at: a banner and some comments in front of a record, and
// lines longer than any of the tools prints.
const (
	headBytes = 1 << 16
	headLines = 400
	maxLine   = 4096
)

// Compare compares records with the plan. It never fails: what cannot be read is a
// problem, and the rest is compared. f is an InfiniBand fabric.
func Compare(f *fabric.Fabric, files []File) Result {
	if f == nil || f.InfiniBand == nil {
		return Result{Problems: []clitree.Problem{{Severity: clitree.Fatal, Code: clitree.CodeWrongSystem,
			Text: "the plan is no InfiniBand fabric: records of one are not compared"}}}
	}
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	r := &report{plan: newPlan(f), seen: newGraph()}
	var read []*record
	for _, file := range files {
		rec := parse(file)
		read = append(read, rec)
		r.problems = append(r.problems, few(file.Name, rec.problems)...)
		r.seen.add(rec)
	}
	r.seen.connect(read)
	r.match()
	r.nodes()
	r.cables()
	r.ports(read)
	r.coverage()
	return Result{Changes: r.sorted(), Problems: r.problems}
}

// few keeps the first problems of each code that a file has and counts the rest.
func few(file string, list []clitree.Problem) []clitree.Problem {
	count := map[string]int{}
	var out []clitree.Problem
	for _, p := range list {
		if count[p.Code]++; count[p.Code] <= shown {
			out = append(out, p)
		}
	}
	for _, code := range sortedKeys(count) {
		if more := count[code] - shown; more > 0 {
			out = append(out, place{file: file}.problem(code, "%d more problems like these", more))
		}
	}
	return out
}

// shown is how many problems of a kind are told for each file.
const shown = 5

// place is a line of a file.
type place struct {
	file string
	line int
}

func (p place) problem(code, format string, args ...any) clitree.Problem {
	text := fmt.Sprintf(format, args...)
	if p.line > 0 {
		text = fmt.Sprintf("%s:%d: %s", p.file, p.line, text)
	} else if p.file != "" {
		text = p.file + ": " + text
	}
	return clitree.Problem{Line: p.line, Severity: clitree.Doubt, Code: code, Text: text}
}

func dirOf(name string) string { return path.Dir(name) }
