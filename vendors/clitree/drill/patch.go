package drill

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"railyard/vendors/clitree"
)

// Patch checks that running and patch make intended. It returns the patch.
func (o *OS) Patch(t *testing.T, m Model, name, running, intended string, scope clitree.Scope) []clitree.Step {
	t.Helper()
	c := o.Comparer(t)
	run, want := o.Parse(t, running), o.Parse(t, intended)
	steps := c.Patch(run, want, clitree.Options{Scope: scope})
	d := NewDevice(m, run)
	if err := d.Apply(steps); err != nil {
		t.Errorf("%s: %v in\n%s", name, err, Listing(steps))
		return steps
	}
	after := c.Compare(d.Root, want, clitree.Options{Scope: scope})
	after = withoutSecrets(after)
	if len(after) > 0 {
		t.Errorf("%s: after the patch\n%s\nstill %s", name, Listing(steps), Text(after))
	}
	return steps
}

// withoutSecrets leaves out what a patch must not hold: sections and lines with
// secrets.
func withoutSecrets(list []clitree.Change) []clitree.Change {
	secret := map[string]bool{}
	for _, c := range list {
		for _, l := range c.Add {
			if strings.Contains(l, "<secret>") && len(c.Path) > 0 {
				secret[c.Path[0]] = true
			}
		}
	}
	var out []clitree.Change
	for _, c := range list {
		if len(c.Path) > 0 && secret[c.Path[0]] {
			continue
		}
		var add []string
		for _, l := range c.Add {
			if !strings.Contains(l, "<secret>") && !secret[l] {
				add = append(add, l)
			}
		}
		if c.Add = add; len(c.Add)+len(c.Remove) > 0 || c.Reordered {
			out = append(out, c)
		}
	}
	return out
}

// Listing prints a patch.
func Listing(steps []clitree.Step) string {
	var b strings.Builder
	for _, s := range steps {
		mark := ""
		if s.Remark {
			mark = "# "
		}
		fmt.Fprintf(&b, "%s%s%s\n", strings.Repeat(" ", s.Depth), mark, s.Text)
	}
	return b.String()
}

// Scenario is a triple of a fixture file.
type Scenario struct {
	Name          string
	Before, After string
	Patch         string
}

// Edit is a change of a text: every occurrence or one, by chance.
type Edit struct {
	Find, Put string
	Once      bool // at one place only
}

// Scramble applies some edits, up to five.
func Scramble(r *rand.Rand, text string, edits []Edit) string {
	for range 1 + r.IntN(5) {
		e := edits[r.IntN(len(edits))]
		if r.IntN(2) == 0 && !e.Once {
			text = strings.ReplaceAll(text, e.Find, e.Put)
			continue
		}
		parts := strings.SplitAfter(text, e.Find)
		i := r.IntN(len(parts))
		parts[i] = strings.Replace(parts[i], e.Find, e.Put, 1)
		text = strings.Join(parts, "")
	}
	return text
}
