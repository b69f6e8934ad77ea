package diff

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"railyard/vendors/clitree"
)

// plain is the engine of a subnet manager's files: settings and lists, one a line
// or up to a semicolon. Order counts in partitions (the last assignment of a port
// wins) and in rules of service levels (the first that fits counts).
type plain struct{}

// byHand are endings of files that say what to change in files the manager ships.
var byHand = []string{".changes", ".user_ext", ".json"}

func (plain) main() string { return "opensm.conf" }

// plainFiles are the files whose lines are settings by name, or whose order counts.
// Other .conf and .cfg files are sets of lines; what else lies beside is for people
// and simulators.
var plainFiles = map[string]struct{ ordered, keyed bool }{
	"opensm.conf": {keyed: true}, "partitions.conf": {ordered: true}, "qos-policy.conf": {ordered: true},
	"root_guids.conf": {}, "cn_guids.conf": {}, "guid_routing_order.conf": {ordered: true},
}

func (plain) knows([]byte) bool { return false }

func (p plain) compare(running, intended []File, o Options, _ bool) (outcome, error) {
	var out outcome
	compared := 0
	for _, want := range intended {
		name := want.Name
		kind, ok := plainFiles[path.Base(name)]
		if ext := path.Ext(name); !ok && ext != ".conf" && ext != ".cfg" {
			if slices.Contains(byHand, ext) {
				out.problems = append(out.problems, clitree.Problem{Severity: clitree.Doubt, Code: clitree.CodePartial, Text: name + " tells of changes to make by hand and is not compared"})
			}
			continue
		}
		compared++
		run, ok := at(running, name)
		if !ok {
			out.changes = append(out.changes, clitree.Change{Path: []string{name}, Add: statements(want.Body), Note: "the file is missing"})
			continue
		}
		if !utf8.Valid(run.Body) || slices.Contains(run.Body, 0) {
			return out, fmt.Errorf("%s is not text", name)
		}
		ch := clitree.Change{Path: []string{name}}
		a, b := statements(run.Body), statements(want.Body)
		ch.Remove, ch.Add = without(a, b), without(b, a)
		if o.Scope == clitree.Owned && kind.keyed {
			ch.Remove = slices.DeleteFunc(ch.Remove, func(s string) bool { return !slices.ContainsFunc(b, sameKey(s)) })
		}
		if len(ch.Remove)+len(ch.Add) == 0 && kind.ordered && !slices.Equal(a, b) {
			ch.Reordered, ch.Remove, ch.Add = true, a, b
		}
		if len(ch.Remove)+len(ch.Add) > 0 {
			out.changes = append(out.changes, ch)
		}
		if o.Patch && len(ch.Remove)+len(ch.Add) > 0 {
			out.patch.Notes = append(out.patch.Notes, "replace "+name+" and let the subnet manager read it again")
		}
	}
	if compared == 0 {
		return out, errors.New("the intent has no file that can be compared")
	}
	return out, nil
}

// at returns the file at the end of whose path the name stands: p0/opensm.conf is
// not p1/opensm.conf.
func at(files []File, name string) (File, bool) {
	for _, f := range files {
		if f.Name == name || strings.HasSuffix(f.Name, "/"+name) {
			return f, true
		}
	}
	return File{}, false
}

func sameKey(s string) func(string) bool {
	key, _, _ := strings.Cut(s, " ")
	return func(x string) bool { k, _, _ := strings.Cut(x, " "); return k == key }
}

// statements are the lines without comments and spare blanks; a statement that
// ends in a semicolon lines later becomes one line per member, headed by what it
// is about.
func statements(body []byte) []string {
	var out []string
	head := ""
	for _, l := range strings.Split(string(body), "\n") {
		if i := strings.IndexByte(l, '#'); i >= 0 {
			l = l[:i]
		}
		l = strings.Join(strings.Fields(l), " ")
		switch {
		case l == "":
			continue
		case strings.HasSuffix(l, ":"):
			head = strings.TrimSpace(strings.TrimSuffix(l, ":"))
			out = append(out, head)
			continue
		}
		end := strings.HasSuffix(l, ";")
		l = strings.TrimRight(l, " ;,")
		if head != "" && l != "" {
			l = head + ": " + l
		}
		if l != "" {
			out = append(out, l)
		}
		if end {
			head = ""
		}
	}
	return out
}

// without returns what of a is not in b, counting repeats.
func without(a, b []string) []string {
	count := map[string]int{}
	for _, x := range b {
		count[x]++
	}
	var out []string
	for _, x := range a {
		if count[x]--; count[x] < 0 {
			out = append(out, x)
		}
	}
	return out
}
