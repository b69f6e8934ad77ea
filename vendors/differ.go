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
// mean and finds the way from one to the other. Errors: an OS without rules, or a
// text that is not wholly a configuration of that OS.
func NewDiffer() (dialect.Differ, error) {
	rules := map[string]*clitree.Rules{"comware": comware.DiffRules(), "eos": eos.DiffRules(), "vrp": vrp.DiffRules()}
	comparers := map[string]*clitree.Comparer{}
	for os, r := range rules {
		c, err := clitree.Compile(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", os, err)
		}
		comparers[os] = c
	}
	return func(os string, running, intended []byte) (dialect.Difference, error) {
		if os == "sonic" {
			return rowDifference(running, intended)
		}
		c := comparers[os]
		if c == nil {
			return dialect.Difference{}, fmt.Errorf("no rules to compare configurations of %s", os)
		}
		return lineDifference(c, rules[os], running, intended)
	}, nil
}

func rowDifference(running, intended []byte) (dialect.Difference, error) {
	rows, patch, err := sonic.Rows(running, intended)
	if err != nil {
		return dialect.Difference{}, err
	}
	d := dialect.Difference{Patch: patch}
	for _, r := range rows {
		d.Changes = append(d.Changes, dialect.Change{Path: []string{r.Table, r.Key}, Remove: r.Remove, Add: r.Add})
	}
	return d, nil
}

func lineDifference(c *clitree.Comparer, r *clitree.Rules, running, intended []byte) (dialect.Difference, error) {
	have, err := tree(running, r.Syntax, "running configuration")
	if err != nil {
		return dialect.Difference{}, err
	}
	want, err := tree(intended, r.Syntax, "intended configuration")
	if err != nil {
		return dialect.Difference{}, err
	}
	var d dialect.Difference
	for _, x := range c.Compare(have, want, clitree.Options{}) {
		d.Changes = append(d.Changes, dialect.Change{Path: x.Path, Remove: x.Remove, Add: x.Add, Note: x.Note})
	}
	var patch strings.Builder
	for _, s := range c.Patch(have, want, clitree.Options{}) {
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
