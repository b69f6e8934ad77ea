package catalog

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"gopkg.in/yaml.v3"

	"railyard/generator/strict"
)

// FormatVersion is the version of the machine output of this package.
const FormatVersion = "1.0"

// row is one entry as the list shows it.
type row struct {
	Kind       string `json:"kind"`
	ID         string `json:"id"`
	What       string `json:"what"`
	Confidence string `json:"confidence"`
}

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

// JSON writes the same list for programs.
func (c *Catalog) JSON(w io.Writer) error {
	return encode(w, map[string]any{"format_version": FormatVersion, "entries": c.rows()})
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// Show writes everything known of one entry as YAML, in the form in which a
// cluster file's catalog section takes it. The error names a similar id.
func (c *Catalog) Show(w io.Writer, id string) error {
	body, err := c.body(id)
	if err != nil {
		return err
	}
	if _, err := w.Write(body); err != nil {
		return err
	}
	return c.sources(w, string(body))
}

// ShowJSON writes the same entry as JSON, with the keys that the YAML has.
func (c *Catalog) ShowJSON(w io.Writer, id string) error {
	body, err := c.body(id)
	if err != nil {
		return err
	}
	var entry map[string]any
	if err := yaml.Unmarshal(body, &entry); err != nil {
		return err
	}
	return encode(w, map[string]any{"format_version": FormatVersion, "entry": entry})
}

func (c *Catalog) body(id string) ([]byte, error) {
	if e := c.entry(id); e != nil {
		return yaml.Marshal(e)
	}
	hint := "railyard catalog lists all ids"
	if near := strict.Nearest(id, c.IDs()); near != "" {
		hint = fmt.Sprintf("did you mean %s? %s", near, hint)
	}
	return nil, fmt.Errorf("nothing in the catalog is called %q; %s", id, hint)
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
