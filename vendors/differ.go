package vendors

import (
	"fmt"
	"slices"
	"strings"

	"railyard/vendors/clitree"
	"railyard/vendors/comware"
	"railyard/vendors/eos"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/sonic"
	"railyard/vendors/vrp"
)

// NewDiffer returns what compares two configurations of one OS by what its lines
// mean, as diff does, and finds the way from one to the other. Errors: an OS
// without rules, or a text that is not wholly a configuration of that OS.
func NewDiffer() (dialect.Differ, error) {
	rules := map[string]*clitree.Rules{"comware": comware.DiffRules(), "eos": eos.DiffRules(), "vrp": vrp.DiffRules()}
	comparers := map[string]*clitree.Comparer{}
	for os, r := range rules {
		c, err := clitree.Compile(r)
		if err != nil {
			return dialect.Differ{}, fmt.Errorf("%s: %w", os, err)
		}
		comparers[os] = c
	}
	compare := func(os string, running, intended []byte, ignore []string) (dialect.Difference, error) {
		o := clitree.Options{Ignore: ignore}
		if os == "sonic" {
			changes, patch, err := sonic.Rows(running, intended, o)
			return dialect.Difference{Changes: shown(changes), Patch: patch}, err
		}
		c := comparers[os]
		if c == nil {
			return dialect.Difference{}, fmt.Errorf("no rules to compare configurations of %s", os)
		}
		return lineDifference(c, rules[os], running, intended, o)
	}
	return dialect.Differ{Compare: compare, Tables: sonic.OwnTables()}, nil
}

func shown(list []clitree.Change) []dialect.Change {
	var out []dialect.Change
	for _, x := range list {
		out = append(out, dialect.Change(x))
	}
	return out
}

func lineDifference(c *clitree.Comparer, r *clitree.Rules, running, intended []byte, o clitree.Options) (dialect.Difference, error) {
	have, err := tree(running, r.Syntax, "running configuration")
	if err != nil {
		return dialect.Difference{}, err
	}
	want, err := tree(intended, r.Syntax, "intended configuration")
	if err != nil {
		return dialect.Difference{}, err
	}
	d := dialect.Difference{Changes: shown(c.Compare(have, want, o))}
	var patch strings.Builder
	for _, s := range c.Patch(have, want, o) {
		if s.Remark {
			d.Remarks = append(d.Remarks, s.Text)
			continue
		}
		if s.Depth == 0 && (slices.Contains(r.Begin, s.Text) || slices.Contains(r.End, s.Text)) {
			continue // the bracket of a session by hand
		}
		fmt.Fprintf(&patch, "%s%s\n", strings.Repeat("   ", s.Depth), s.Text)
	}
	d.Patch = []byte(patch.String())
	return d, nil
}

func tree(text []byte, s *clitree.Syntax, what string) (*clitree.Node, error) {
	root, problems := clitree.Parse(text, s)
	for _, s := range []clitree.Severity{clitree.Fatal, clitree.Doubt} { // a patch must not rest on half a text
		if p := clitree.Worst(problems, s); p != nil {
			return nil, fmt.Errorf("%s: line %d: %s: %s", what, p.Line, p.Code, p.Text)
		}
	}
	return root, nil
}
