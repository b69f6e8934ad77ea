package drill

import (
	"fmt"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// Device plays a switch's command line. Its assumptions:
//
//   - every line takes effect at once, in the view it is typed in;
//   - a line replaces the line of its slot; a line without a slot stands beside
//     others and a repeated one changes nothing;
//   - undo removes the line of the slot, or the very line; undoing what is not
//     there is an error, because a patch that does it does not know the device;
//   - undo of a view's header removes the view;
//   - what an operating system does beyond that is in its Model.
type Device struct {
	Model
	Root *clitree.Node
	view []*clitree.Node
}

// Model is what an operating system's command line does.
type Model struct {
	Negation, Leave string
	Ignore          []string // lines without an effect here: system-view, commit, …
	// View tells lines that enter a view.
	View func(path []string, line string) bool
	// Slots are beginnings of lines of which a view holds one, * for any word; the
	// longest fits.
	Slots []string
	// Remark is what a person does who reads a remark; nil for nothing.
	Remark func(d *Device, text string)
	// Set and Undo handle what is special; handled lines go no further.
	Set  func(d *Device, line string) (handled bool, err error)
	Undo func(d *Device, rest string) (handled bool, err error)
}

// NewDevice starts with a configuration.
func NewDevice(m Model, running *clitree.Node) *Device {
	d := &Device{Model: m, Root: rebuilt(running, nil, nil)}
	d.view = []*clitree.Node{d.Root}
	return d
}

// Here is the view the session stands in.
func (d *Device) Here() *clitree.Node { return d.view[len(d.view)-1] }

// Path is the headers above.
func (d *Device) Path() []string {
	var out []string
	for _, v := range d.view[1:] {
		out = append(out, v.Text)
	}
	return out
}

// Type takes one line.
func (d *Device) Type(line string) error {
	switch {
	case slices.Contains(d.Ignore, line):
		return nil
	case line == d.Leave || line == "public-key-code end" || line == "peer-public-key end":
		if len(d.view) == 1 {
			return fmt.Errorf("%q at top level", line)
		}
		d.view = d.view[:len(d.view)-1]
		return nil
	}
	if rest, ok := strings.CutPrefix(line, d.Negation+" "); ok {
		if handled, err := d.Undo(d, rest); handled || err != nil {
			return err
		}
		return d.remove(rest)
	}
	if handled, err := d.Set(d, line); handled || err != nil {
		return err
	}
	if d.View(d.Path(), line) {
		d.enter(line)
		return nil
	}
	d.Put(line)
	return nil
}

func (d *Device) enter(line string) {
	n := d.Here().Find(line)
	if n == nil {
		n = &clitree.Node{Text: line}
		d.Here().Children = append(d.Here().Children, n)
	}
	d.view = append(d.view, n)
}

// Slot returns the beginning that decides what a line replaces, "" for none.
func (d *Device) Slot(line string) string {
	best, words := "", strings.Fields(line)
	longest := 0
	for _, s := range d.Slots {
		slot := strings.Fields(s)
		if len(slot) > len(words) || len(slot) <= longest {
			continue
		}
		fits := true
		for i, w := range slot {
			fits = fits && (w == "*" || w == words[i])
		}
		if fits {
			best, longest = strings.Join(words[:len(slot)], " "), len(slot)
		}
	}
	return best
}

// Put sets a line in its slot.
func (d *Device) Put(line string) {
	here := d.Here()
	slot := d.Slot(line)
	for _, c := range here.Children {
		if c.Text == line || slot != "" && d.Slot(c.Text) == slot {
			c.Text = line
			return
		}
	}
	here.Children = append(here.Children, &clitree.Node{Text: line})
}

// Has tells whether any line under a node, at any depth, fits.
func Has(n *clitree.Node, fits func(string) bool) bool {
	for _, c := range n.Children {
		if fits(c.Text) || Has(c, fits) {
			return true
		}
	}
	return false
}

// Drop removes the lines that match and says how many there were.
func (d *Device) Drop(at *clitree.Node, match func(string) bool) int {
	before := len(at.Children)
	at.Children = slices.DeleteFunc(at.Children, func(c *clitree.Node) bool { return match(c.Text) })
	return before - len(at.Children)
}

func (d *Device) remove(rest string) error {
	slot := d.Slot(rest)
	n := d.Drop(d.Here(), func(s string) bool { return s == rest || slot == rest && d.Slot(s) == slot })
	if n == 0 {
		return fmt.Errorf("%s %s in %q: there is no such line", d.Negation, rest, d.Path())
	}
	return nil
}

// Apply types a patch.
func (d *Device) Apply(steps []clitree.Step) error {
	for i, s := range steps {
		if s.Remark {
			if d.Model.Remark != nil {
				d.Model.Remark(d, s.Text)
			}
			continue
		}
		if err := d.Type(s.Text); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if len(d.view) > 1 {
		return fmt.Errorf("the patch ends in view %q", d.Path())
	}
	return nil
}
