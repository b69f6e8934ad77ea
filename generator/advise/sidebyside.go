package advise

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"railyard/generator/fabric"
)

// Columns of the comparison: 24 + 2 x 36 are 96 with the indent and gaps.
const (
	labelColumn = 22
	valueColumn = 37
)

// row writes one line of the comparison; cells wrap on their own.
func (p *page) row(label string, cells ...string) {
	columns := make([][]string, len(cells))
	height := 1
	for i, c := range cells {
		columns[i] = wrap(c, valueColumn-1)
		height = max(height, len(columns[i]))
	}
	for y := range height {
		line := "  " + pad("", labelColumn)
		if y == 0 {
			line = "  " + pad(label, labelColumn)
		}
		for _, c := range columns {
			cell := ""
			if y < len(c) {
				cell = c[y]
			}
			line += pad(cell, valueColumn)
		}
		p.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(1, n-utf8.RuneCountInString(s)))
}

func (a *Advice) designText(p *page) {
	p.head("Side by side")
	both := func(label string, cell func(d *Design) string) {
		var cells []string
		for i := range a.Designs {
			text := ""
			if d := &a.Designs[i]; d.Possible {
				text = cell(d)
			}
			cells = append(cells, text)
		}
		p.row(label, cells...)
	}
	var heads []string
	for i := range a.Designs {
		d := &a.Designs[i]
		switch {
		case d.Declared:
			heads = append(heads, title(fabric.Technology(d.Technology))+" (as declared)")
		case d.Possible:
			heads = append(heads, title(fabric.Technology(d.Technology))+" (alternative)")
		default:
			heads = append(heads, title(fabric.Technology(d.Technology))+": not possible, see below")
		}
	}
	p.row("", heads...)
	both("topology", topologyCell)
	both("switches", func(d *Design) string { return fmt.Sprint(d.Tiers.Total) })
	both("leaf", func(d *Design) string { return tierCell(d, fabric.Leaf) })
	both("spine", func(d *Design) string { return tierCell(d, fabric.Spine) })
	both("core", func(d *Design) string { return tierCell(d, fabric.Core) })
	both("switch ports", func(d *Design) string {
		return fmt.Sprintf("%d: %d used, %d reserved, %d spare", d.Ports.Total, d.Ports.Used, d.Ports.Reserved, d.Ports.Spare)
	})
	both("links", func(d *Design) string {
		return fmt.Sprintf("%d: %d host, %d leaf-spine, %d spine-core", d.Links.Total, d.Links.Host, d.Links.LeafSpine, d.Links.SpineCore)
	})
	both("cables", cablesCell)
	both("transceivers", transceiverCell)
	both("NICs", func(d *Design) string {
		var list []string
		for _, n := range d.NICs {
			list = append(list, fmt.Sprintf("%d x %s", n.Count, or(n.Model, "not declared")))
		}
		return strings.Join(list, ", ")
	})
	both("power", func(d *Design) string { return d.Power })
	both("errors", func(d *Design) string {
		var list []string
		for _, x := range d.Errors {
			list = append(list, x.Code)
		}
		return or(strings.Join(list, ", "), "none")
	})
	a.remarks(p)
}

func topologyCell(d *Design) string {
	text := d.Topology
	if d.LeafOversubscription != "" {
		text += ", leaf " + d.LeafOversubscription
	}
	if d.Planes > 1 {
		text += fmt.Sprintf(", %d planes", d.Planes)
	}
	return text
}

func tierCell(d *Design, role fabric.Role) string {
	var list []string
	for _, s := range d.Switches {
		if s.Tier == role {
			list = append(list, fmt.Sprintf("%d x %s", s.Count, s.Model))
		}
	}
	return or(strings.Join(list, ", "), "-")
}

func cablesCell(d *Design) string {
	var list []string
	for i := range d.Cables {
		k := &d.Cables[i]
		text := fmt.Sprintf("%d x %dG", k.Count, k.SpeedGbps)
		if k.Links > 1 {
			text = fmt.Sprintf("%d x %dx%dG", k.Count, k.Links, k.SpeedGbps)
		}
		list = append(list, text+" "+or(k.Type, "open")+" "+strconv.FormatFloat(k.LengthM, 'f', -1, 64)+"m")
	}
	return fmt.Sprintf("%d: %s", d.CableCount, strings.Join(list, ", "))
}

func transceiverCell(d *Design) string {
	t := &d.Transceivers
	text := "none"
	if t.LinkEnds > 0 {
		text = fmt.Sprintf("%d (two a link)", t.LinkEnds)
		if t.Modules != t.LinkEnds {
			text += fmt.Sprintf(", as %d modules with shared cages", t.Modules)
		}
	}
	if t.OpenLinks > 0 {
		text += fmt.Sprintf("; %d links have no cable type: up to %d more", t.OpenLinks, 2*t.OpenLinks)
	}
	return text
}

// remarks are what the alternative was made of, and why there is none.
func (a *Advice) remarks(p *page) {
	for i := range a.Designs {
		d := &a.Designs[i]
		name := title(fabric.Technology(d.Technology))
		if !d.Possible {
			p.entry("-", name+" is not possible here: "+strings.Join(d.Why, "; "))
		}
		for _, k := range d.Picks {
			text := fmt.Sprintf("%s is %s's pick in place of %s for all tiers: %s", k.Model, k.By, k.Instead, k.Reason)
			if k.By != "railyard" {
				text = fmt.Sprintf("%s stands in place of %s for all tiers, by %s", k.Model, k.Instead, k.By)
			}
			p.entry("-", text)
		}
		if len(d.Changed) > 0 {
			p.entry("-", name+" was designed with "+strings.Join(d.Changed, ", "))
		}
		for _, n := range d.Notes {
			p.entry("-", name+": "+n)
		}
		for _, x := range d.Errors {
			p.entry("-", name+": "+x.Message+"; "+x.Remedy+" ["+x.Code+"]")
		}
	}
}

func (a *Advice) costText(p *page) {
	p.head("Cost")
	if a.PriceList == nil {
		p.entry("-", "not computed: railyard has no prices. --prices FILE takes lines of item,price[,currency]: ids of switches, NICs and optics, or classes like cable-dac-400G and optic-400G")
	} else {
		a.pricesText(p)
	}
	for _, x := range a.Published {
		p.entry("published", x.Statement)
	}
	p.entry("", a.Published[0].Source+"; not computed from this cluster")
}

func (a *Advice) pricesText(p *page) {
	list := a.PriceList
	money := list.Currency
	if money != "" {
		money = " " + money
	}
	for i := range a.Designs {
		d := &a.Designs[i]
		if d.Cost == nil {
			continue
		}
		p.entry(title(fabric.Technology(d.Technology)), totalText(d.Cost, money))
		for _, l := range d.Cost.Lines {
			p.at(15, 2, "", fmt.Sprintf("%d x %s at %s = %s", l.Count, l.Item, grouped(l.Price), grouped(l.Sum)))
		}
		for _, m := range d.Cost.Missing {
			p.at(15, 2, "", fmt.Sprintf("%d x %s: no price", m.Count, m.Item))
		}
	}
	if list.Saving != "" {
		p.entry("difference", list.Saving)
	}
	for _, u := range list.Unknown {
		text := fmt.Sprintf("%s, line %d: in neither the catalog nor a class", u.Item, u.Line)
		if u.Near != "" {
			text += "; did you mean " + u.Near + "?"
		}
		p.entry("unknown", text)
	}
	if len(list.Unused) > 0 {
		p.entry("not used", strings.Join(list.Unused, ", "))
	}
	p.entry("not priced", strings.Join(NeverPriced(), ", "))
}

func totalText(c *Cost, money string) string {
	if c.Total != "" {
		return "total " + grouped(c.Total) + money
	}
	missing := 0
	for _, m := range c.Missing {
		missing += m.Count
	}
	return fmt.Sprintf("no total: %d pieces have no price; the others add up to %s%s", missing, grouped(c.Priced), money)
}

// grouped sets commas between thousands.
func grouped(amount string) string {
	whole, part, _ := strings.Cut(amount, ".")
	if _, ok := new(big.Int).SetString(whole, 10); !ok {
		return amount
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}
