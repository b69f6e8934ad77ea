package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// mostCables bounds the cables that text lists one by one, of each kind.
const mostCables = 40

// JSON writes all changes as one JSON object.
func (c *Changes) JSON(w io.Writer) error {
	body, err := marshal(c)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = w.Write(b.Bytes())
	return err
}

// Text writes the changes for people: what is new in short, what moves in full up
// to a limit.
func (c *Changes) Text(w io.Writer) error {
	p := &page{}
	if c.OldName != c.Name {
		p.line("the old plan is of cluster %s, this is %s", c.OldName, c.Name)
	}
	switch {
	case c.Identical:
		p.line("nothing changes")
	case c.NothingMoves:
		p.line("nothing existing moves")
	default:
		p.line("existing %s go, move or change", strings.Join(c.affected(), ", "))
	}
	p.difference("switches", "switch", &c.Switches)
	p.difference("servers", "server", &c.Servers)
	p.difference("VLANs", "VLAN", &c.VLANs)
	p.recabling(&c.Cables)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// affected names the kinds of objects that do not just grow.
func (c *Changes) affected() []string {
	var kinds []string
	for _, k := range []struct {
		name string
		n    int
	}{
		{"switches", len(c.Switches.Removed) + len(c.Switches.Changed)}, {"servers", len(c.Servers.Removed) + len(c.Servers.Changed)},
		{"VLANs", len(c.VLANs.Removed) + len(c.VLANs.Changed)}, {"cables", len(c.Cables.Removed) + len(c.Cables.Moved) + len(c.Cables.Changed)},
	} {
		if k.n > 0 {
			kinds = append(kinds, k.name)
		}
	}
	return kinds
}

func (p *page) difference(many, one string, d *Difference) {
	if len(d.Added)+len(d.Removed)+len(d.Changed) == 0 {
		return
	}
	p.heading(many)
	for _, part := range []struct {
		verb  string
		names []string
	}{{"new", d.Added}, {"gone", d.Removed}} {
		if n := len(part.names); n > 0 {
			p.hang(number(n, one, many)+" "+part.verb, fold(part.names))
		}
	}
	p.changed(d.Changed, one, many)
}

func number(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// changed shows each field that changes once, with the first object as an example.
func (p *page) changed(list []Change, one, many string) {
	type use struct {
		field   string
		names   []string
		example Field
	}
	at := map[string]int{}
	var uses []use
	for _, c := range list {
		for _, f := range c.Fields {
			n, ok := at[f.Field]
			if !ok {
				n = len(uses)
				at[f.Field] = n
				uses = append(uses, use{field: f.Field, example: f})
			}
			uses[n].names = append(uses[n].names, c.Name)
		}
	}
	for _, u := range uses {
		p.hang(fmt.Sprintf("%s of %s changes", u.field, number(len(u.names), one, many)), fold(u.names))
		p.hang("", fmt.Sprintf("%s: %s becomes %s", u.names[0], orNone(u.example.Old), orNone(u.example.New)))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (p *page) recabling(r *Recabling) {
	if len(r.Added)+len(r.Removed)+len(r.Moved)+len(r.Changed) == 0 {
		return
	}
	p.heading("cables")
	if n := len(r.Added); n > 0 {
		p.para(number(n, "link", "links") + " new")
	}
	if n := len(r.Removed); n > 0 {
		p.para(number(n, "link", "links") + " to unplug:")
		for _, c := range r.Removed[:min(n, mostCables)] {
			p.line("    %s", c)
		}
		p.more(n)
	}
	if n := len(r.Moved); n > 0 {
		p.para(number(n, "link", "links") + " to move:")
		var rows [][]string
		for _, m := range r.Moved[:min(n, mostCables)] {
			stays, from, to := m.From.A, m.From.B, m.To.B
			if m.From.A != m.To.A {
				stays, from, to = m.From.B, m.From.A, m.To.A
			}
			rows = append(rows, []string{stays, from, to})
		}
		p.table([]string{"  STAYS", "FROM", "TO"}, rows)
		p.more(n)
	}
	p.changed(r.Changed, "link", "links")
}

func (p *page) more(n int) {
	if n > mostCables {
		p.line("    and %s more; --format json lists all", thousands(n-mostCables))
	}
}
