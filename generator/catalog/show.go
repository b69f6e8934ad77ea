package catalog

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gopkg.in/yaml.v3"
)

// row is one entry as the list shows it.
type row struct{ Kind, ID, What, Confidence string }

func (c *Catalog) rows() []row {
	var rows []row
	for _, e := range c.GPUs {
		rows = append(rows, row{"gpu", e.ID, fmt.Sprintf("%s, %s, PCIe %d x%d, scale-up %s", e.Vendor, e.Class, e.PCIe, e.Lanes, e.ScaleUp), string(e.Confidence)})
	}
	for _, e := range c.Servers {
		nics := "NICs not known"
		if e.NICs > 0 {
			nics = fmt.Sprintf("%d x %s", e.NICs, e.NIC)
		}
		rows = append(rows, row{"server", e.ID, fmt.Sprintf("%d x %s, %s", e.GPUs, e.GPU, nics), string(e.Confidence)})
	}
	for _, e := range c.NICs {
		what := e.Vendor + ", " + join(e.Ports)
		if e.PCIe > 0 {
			what += fmt.Sprintf(", PCIe %d x%d", e.PCIe, e.Lanes)
		}
		if len(e.IB) > 0 {
			what += ", InfiniBand " + strings.Join(e.IB, "/")
		}
		rows = append(rows, row{"nic", e.ID, what, string(e.Confidence)})
	}
	for i := range c.Switches {
		e := &c.Switches[i]
		os := "externally managed"
		if len(e.OS) > 0 {
			os = strings.Join(e.OS, "/")
		}
		what := os + ", " + e.panelText()
		if e.ASIC != "" {
			what += ", " + e.ASIC
		}
		rows = append(rows, row{"switch", e.ID, what, string(e.Confidence)})
	}
	for _, e := range c.Optics {
		rows = append(rows, row{"optic", e.ID, fmt.Sprintf("%s %s, %gm", e.Speed, e.Kind, e.Reach), string(e.Confidence)})
	}
	return rows
}

func (s *Switch) panelText() string {
	if len(s.Ports) == 0 {
		return "ports not known: declare them"
	}
	var runs []string
	for _, p := range s.Ports {
		t := fmt.Sprintf("%dx%s", p.Count, p.Speed)
		if p.Form != "" {
			t += " " + p.Form
		}
		if len(p.Breakout) > 0 {
			t += " (" + join(p.Breakout) + ")"
		}
		if p.Fabric {
			t += " cell ports"
		}
		runs = append(runs, t)
	}
	return strings.Join(runs, " + ")
}

func join[T fmt.Stringer](list []T) string {
	var s []string
	for _, e := range list {
		s = append(s, e.String())
	}
	return strings.Join(s, "/")
}

// Text lists the entries, one a line, with how well each is known.
func (c *Catalog) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "KIND\tID\tWHAT\tKNOWN FROM")
	for _, r := range c.rows() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Kind, r.ID, r.What, r.Confidence)
	}
	return t.Flush()
}

// Show writes everything known of one entry as YAML, in the form in which a
// cluster file's catalog section takes it. The error lists similar ids.
func (c *Catalog) Show(w io.Writer, id string) error {
	e := c.entry(id)
	if e == nil {
		return fmt.Errorf("nothing in the catalog is called %q; railyard catalog lists all ids", id)
	}
	body, err := yaml.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	return c.sources(w, string(body))
}

func (c *Catalog) entry(id string) any {
	switch {
	case c.Switch(id) != nil:
		return c.Switch(id)
	case c.Server(id) != nil:
		return c.Server(id)
	case c.GPU(id) != nil:
		return c.GPU(id)
	case c.NIC(id) != nil:
		return c.NIC(id)
	case c.ASIC(id) != nil:
		return c.ASIC(id)
	}
	if o := find(c.Optics, id, func(e Optic) string { return e.ID }); o != nil {
		return o
	}
	return nil
}

// sources spells out the source codes an entry names, as comments.
func (c *Catalog) sources(w io.Writer, body string) error {
	var codes []string
	for code := range c.Sources {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for line := range strings.Lines(body) {
		value, ok := strings.CutPrefix(line, "source: ")
		if !ok {
			continue
		}
		words := strings.FieldsFunc(value, func(r rune) bool { return !(r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') })
		for _, code := range codes {
			if slices.Contains(words, code) {
				if _, err := fmt.Fprintf(w, "# %s: %s\n", code, c.Sources[code]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// IDs lists every id, for completion.
func (c *Catalog) IDs() []string {
	var ids []string
	for _, r := range c.rows() {
		ids = append(ids, r.ID)
	}
	return ids
}
