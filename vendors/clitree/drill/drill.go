// Package drill tests diff rules against a whole configuration: what a device
// does to it must not show, what a person does to it must. It is for tests only.
package drill

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"railyard/vendors/clitree"
)

// OS is what a drill knows of an operating system, apart from its rules.
type OS struct {
	Rules *clitree.Rules
	// Indent is the blanks per level, Top those in front of top-level lines that
	// open no section.
	Indent, Top int
	// Ordered lines keep their order.
	Ordered func(path []string, line string) bool
	// Spell writes a line another way that means the same.
	Spell func(r *rand.Rand, path []string, line string) string
	// Extra are lines a device may print in a section that say nothing new.
	Extra func(path, lines []string) []string
	// Head and Tail are what the device prints around the configuration.
	Head, Tail string
	// Silent lines may be deleted or changed without a meaning: they are at their
	// default or told by another line.
	Silent func(path []string, line string) bool
}

// Comparer compiles the rules.
func (o *OS) Comparer(t testing.TB) *clitree.Comparer {
	t.Helper()
	c, err := clitree.Compile(o.Rules)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Parse reads a text and fails on what makes a tree useless.
func (o *OS) Parse(t testing.TB, text string) *clitree.Node {
	t.Helper()
	n, problems := clitree.Parse([]byte(text), o.Rules.Syntax)
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		t.Fatalf("%+v", *p)
	}
	return n
}

// Print writes a tree as the device would.
func (o *OS) Print(n *clitree.Node) string {
	var b strings.Builder
	b.WriteString(o.Head)
	sep := string(o.Rules.Syntax.Separator)
	for _, c := range n.Children {
		b.WriteString(sep + "\n")
		if len(c.Children) == 0 {
			b.WriteString(strings.Repeat(" ", o.Top))
		}
		b.WriteString(c.Text + "\n")
		o.print(&b, c, 1)
	}
	b.WriteString(sep + "\n" + o.Tail)
	return b.String()
}

func (o *OS) print(b *strings.Builder, n *clitree.Node, depth int) {
	for _, c := range n.Children {
		b.WriteString(strings.Repeat(" ", depth*o.Indent) + c.Text + "\n")
		o.print(b, c, depth+1)
	}
}

// Disguise returns the configuration as a device might print it or a person type
// it: other order, other spelling, defaults shown.
func (o *OS) Disguise(r *rand.Rand, root *clitree.Node) string {
	text := o.Print(o.disguised(r, root, nil))
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "  \n")
	}
	return text
}

func (o *OS) disguised(r *rand.Rand, n *clitree.Node, path []string) *clitree.Node {
	out := &clitree.Node{Text: n.Text, Line: n.Line}
	var lines []string
	for _, c := range n.Children {
		lines = append(lines, c.Text)
		d := o.disguised(r, c, append(path[:len(path):len(path)], c.Text))
		if o.Spell != nil && r.IntN(2) == 0 {
			d.Text = o.Spell(r, path, c.Text)
		}
		out.Children = append(out.Children, d)
	}
	if o.Extra != nil && len(n.Children) > 0 {
		for _, x := range o.Extra(path, lines) {
			if r.IntN(2) == 0 {
				out.Children = append(out.Children, &clitree.Node{Text: x})
			}
		}
	}
	o.shuffle(r, out, n, path)
	return out
}

// shuffle permutes all lines but the ordered ones, which keep their order among
// themselves.
func (o *OS) shuffle(r *rand.Rand, out, original *clitree.Node, path []string) {
	var fixed []*clitree.Node
	isFixed := map[*clitree.Node]bool{}
	for i, c := range out.Children {
		if i < len(original.Children) && o.Ordered != nil && o.Ordered(path, original.Children[i].Text) {
			fixed, isFixed[c] = append(fixed, c), true
		}
	}
	r.Shuffle(len(out.Children), func(i, j int) { out.Children[i], out.Children[j] = out.Children[j], out.Children[i] })
	next := 0
	for i, c := range out.Children {
		if isFixed[c] {
			out.Children[i] = fixed[next]
			next++
		}
	}
}

// Identity checks that no disguise shows.
func (o *OS) Identity(t *testing.T, name, text string, rounds int) {
	t.Helper()
	c := o.Comparer(t)
	want := o.Parse(t, text)
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		disguised := o.Disguise(r, want)
		for _, scope := range []clitree.Scope{clitree.Owned, clitree.Full} {
			if got := c.Compare(o.Parse(t, disguised), want, clitree.Options{Scope: scope}); len(got) > 0 {
				t.Errorf("%s, seed %d, scope %d: %s", name, seed, scope, Text(got))
				return
			}
			if got := c.Patch(o.Parse(t, disguised), want, clitree.Options{Scope: scope}); len(got) > 0 {
				t.Errorf("%s, seed %d: patch of equal configurations: %v", name, seed, got)
				return
			}
		}
	}
}

// Text prints changes for a failure message.
func Text(list []clitree.Change) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "\n%q remove %q add %q reordered %v", c.Path, c.Remove, c.Add, c.Reordered)
	}
	return b.String()
}

// Score counts mutations.
type Score struct{ Total, Named, Silent int }

// String is the score as a line of the report.
func (s Score) String() string {
	return fmt.Sprintf("%d of %d mutations named exactly (%.2f %%), %d more without a meaning", s.Named, s.Total, 100*float64(s.Named)/float64(max(s.Total, 1)), s.Silent)
}

// Mutate deletes, changes and adds every line of a configuration in turn and
// checks that the comparison names that line and no other.
func (o *OS) Mutate(t *testing.T, name, text string, score *Score) {
	t.Helper()
	c := o.Comparer(t)
	want := o.Parse(t, text)
	var visit func(n *clitree.Node, path []string)
	check := func(path []string, kind string, running *clitree.Node, gone, wrong string, silent bool) {
		got := c.Compare(running, want, clitree.Options{})
		switch {
		case silent && len(got) == 0:
			score.Silent++
			return
		case exact(got, path, gone, wrong):
			score.Named++
		default:
			t.Errorf("%s: %s at %q: %q for %q: %s", name, kind, path, wrong, gone, Text(got))
		}
		score.Total++
	}
	visit = func(n *clitree.Node, path []string) {
		for i, child := range n.Children {
			silent := o.Silent != nil && o.Silent(path, child.Text)
			if len(child.Children) == 0 {
				check(path, "delete", without(want, n, i), child.Text, "", silent)
				if changed := altered(child.Text); changed != child.Text {
					check(path, "change", replaced(want, n, i, changed), child.Text, changed, silent)
				}
			}
			visit(child, append(path[:len(path):len(path)], child.Text))
		}
		if n != want && len(n.Children) > 0 {
			check(path, "add", added(want, n, "spare-setting 7"), "", "spare-setting 7", o.Silent != nil && o.Silent(path, "spare-setting 7"))
		}
	}
	visit(want, nil)
}

// exact tells whether the changes name one place and what was done there.
func exact(got []clitree.Change, path []string, gone, wrong string) bool {
	if len(got) != 1 {
		return false
	}
	g := got[0]
	if strings.Join(g.Path, "\n") != strings.Join(path, "\n") || len(g.Add) > 1 || len(g.Remove) > 1 {
		return false
	}
	return within(g.Add, gone, wrong) && within(g.Remove, wrong, gone)
}

// within checks one side: the line itself, or its part when it is a list.
func within(side []string, line, other string) bool {
	if len(side) == 0 {
		return line == "" || other != ""
	}
	if side[0] == line {
		return true
	}
	a, b := strings.Fields(side[0]), strings.Fields(line)
	return len(a) > 1 && len(b) > 1 && a[0] == b[0] && len(a) <= len(b) || strings.Contains(side[0], "<secret>") || line == ""
}

// altered changes the last number of a line, else its last word.
func altered(line string) string {
	if strings.Contains(line, "\n") {
		return line
	}
	for i := len(line) - 1; i >= 0; i-- {
		if line[i] >= '0' && line[i] <= '9' {
			digit := "1"
			if line[i] == '1' {
				digit = "2"
			}
			return line[:i] + digit + line[i+1:]
		}
	}
	words := strings.Fields(line)
	if len(words) < 2 {
		return line
	}
	words[len(words)-1] += "x"
	return strings.Join(words, " ")
}

func rebuilt(n, at *clitree.Node, edit func([]*clitree.Node) []*clitree.Node) *clitree.Node {
	out := &clitree.Node{Line: n.Line, Text: n.Text}
	for _, c := range n.Children {
		out.Children = append(out.Children, rebuilt(c, at, edit))
	}
	if n == at {
		out.Children = edit(out.Children)
	}
	return out
}

func without(root, at *clitree.Node, i int) *clitree.Node {
	return rebuilt(root, at, func(list []*clitree.Node) []*clitree.Node {
		return append(list[:i:i], list[i+1:]...)
	})
}

func replaced(root, at *clitree.Node, i int, text string) *clitree.Node {
	return rebuilt(root, at, func(list []*clitree.Node) []*clitree.Node {
		list[i] = &clitree.Node{Text: text, Line: list[i].Line}
		return list
	})
}

func added(root, at *clitree.Node, text string) *clitree.Node {
	return rebuilt(root, at, func(list []*clitree.Node) []*clitree.Node {
		return append(list, &clitree.Node{Text: text})
	})
}
