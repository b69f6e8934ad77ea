package advise

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"railyard/generator/fabric"
)

// width is the most columns a line of text takes.
const width = 100

// JSON writes the advice with its format_version.
func (a *Advice) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(a)
}

// Text writes the advice for people, at most 100 columns wide.
func (a *Advice) Text(w io.Writer) error {
	p := &page{}
	a.verdictText(p)
	a.missingText(p)
	a.warningText(p)
	a.conflictText(p)
	a.pcieText(p)
	a.designText(p)
	a.costText(p)
	a.rulesText(p)
	_, err := io.WriteString(w, p.String())
	return err
}

// page collects wrapped lines.
type page struct{ strings.Builder }

func (p *page) head(s string) {
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.WriteString(s + "\n")
}

// entry writes a label and text beside it; further lines stand under the text.
func (p *page) entry(label, text string) { p.at(2, 13, label, text) }

// at writes a label at an indent and text in a column behind it.
func (p *page) at(indent, room int, label, text string) {
	start := strings.Repeat(" ", indent) + label
	if n := indent + room - utf8.RuneCountInString(start); n > 0 {
		start += strings.Repeat(" ", n)
	} else {
		start += " "
	}
	pad := strings.Repeat(" ", indent+room)
	for i, line := range wrap(text, width-max(indent+room, utf8.RuneCountInString(start))) {
		if i == 0 {
			p.WriteString(strings.TrimRight(start+line, " ") + "\n")
			continue
		}
		p.WriteString(pad + line + "\n")
	}
}

// wrap breaks text into lines of at most n runes, at spaces where it can.
func wrap(text string, n int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		for utf8.RuneCountInString(word) > n { // longer than a line: cut it
			if line != "" {
				lines, line = append(lines, line), ""
			}
			r := []rune(word)
			lines, word = append(lines, string(r[:n])), string(r[n:])
		}
		switch {
		case word == "":
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > n:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

func (a *Advice) verdictText(p *page) {
	v := &a.Verdict
	head := "not decided"
	if v.Rule != "" {
		head = fmt.Sprintf("%s, by rule %s", title(fabric.Technology(v.Technology)), v.Rule)
		if !v.Firm {
			head += "; provisional, since facts are missing that could turn it"
		}
	}
	p.head("Advice for " + a.Name)
	p.entry("Technology", head)
	if v.Advice != "" {
		p.entry("Advice", v.Advice)
	}
	p.entry("Why", v.Reason)
	for i := range a.Rules {
		if r := &a.Rules[i]; r.State == Decides {
			p.entry("Inputs", inputs(r))
			p.entry("Source", r.Source)
		}
	}
	if v.Topology != "" {
		p.entry("Topology", v.Topology)
	}
	if v.Designed != "" {
		which := a.Declared.Technology
		if v.Rule != "" {
			which = v.Technology
		}
		p.entry("Designed", fmt.Sprintf("railyard designs this cluster on %s as %s", title(fabric.Technology(which)), v.Designed))
	}
	if v.Note != "" {
		p.entry("", v.Note)
	}
	file := title(fabric.Technology(a.Declared.Technology)) + ", " + a.Declared.Topology
	switch {
	case v.Rule == "":
	case v.Agrees:
		file += ": as advised"
	default:
		file += ": not what the rules advise"
	}
	p.entry("The file has", file)
	var known []string
	for _, f := range a.Facts {
		known = append(known, f.Name+": "+f.Value)
	}
	p.entry("Known", strings.Join(known, "; "))
}

func inputs(r *Rule) string {
	var list []string
	for _, in := range r.Inputs {
		list = append(list, fmt.Sprintf("%s: %s (%s)", in.Condition, in.Holds, in.Value))
	}
	return strings.Join(list, "; ")
}

func (a *Advice) missingText(p *page) {
	if len(a.Missing) > 0 {
		head := "Missing facts"
		if a.Verdict.Firm {
			head += " (none of them could change the technology)"
		}
		p.head(head)
		for _, m := range a.Missing {
			p.entry("-", m.How+", asked by "+strings.Join(m.Rules, ", "))
		}
	}
	if len(a.Verdict.WouldChange) > 0 {
		head := "What would change the technology"
		if a.Verdict.Rule == "" {
			head = "What would decide"
		}
		p.head(head)
		for _, c := range a.Verdict.WouldChange {
			p.entry("-", fmt.Sprintf("%s: %s (%s)", strings.Join(c.Answers, " "), title(fabric.Technology(c.Technology)), c.Rule))
		}
	}
}

func (a *Advice) warningText(p *page) {
	first := true
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.State != Fired || r.Level == "" || r.ID == "C1" {
			continue
		}
		if first {
			p.head("Warnings")
			first = false
		}
		p.entry(r.ID+" "+r.Level, r.Advice+". "+sentence(r.Reason)+" ["+r.Source+"]")
	}
}

func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

func (a *Advice) conflictText(p *page) {
	if len(a.Conflicts) == 0 {
		return
	}
	p.head("Conflicts")
	for _, c := range a.Conflicts {
		p.entry(c.ID, c.Title)
		for _, s := range c.Sides {
			p.at(15, 2, "-", s)
		}
		p.at(15, 2, "", c.Resolution)
	}
}

func (a *Advice) pcieText(p *page) {
	p.head("PCIe")
	for _, x := range a.PCIe.Findings {
		p.entry(x.Severity, x.Message+"; remedy: "+x.Remedy+" ["+x.Code+"]")
	}
	if len(a.PCIe.NotChecked) > 0 {
		p.entry("not checked", "group "+strings.Join(a.PCIe.NotChecked, ", ")+": write nic: and pcie: in the cluster file")
	}
	if len(a.PCIe.Findings)+len(a.PCIe.NotChecked) == 0 {
		p.entry("ok", "no NIC is faster than what it is plugged into, as far as the catalog knows")
	}
}

// rulesText shows the whole table in one line a rule: nothing is hidden.
func (a *Advice) rulesText(p *page) {
	p.head("All rules, in order; the first that holds and names a technology decides")
	for i := range a.Rules {
		r := &a.Rules[i]
		what := ""
		if r.Technology != "" {
			what = title(fabric.Technology(r.Technology)) + ": "
		}
		p.at(2, 19, fmt.Sprintf("%-9s%s", r.ID, r.State), what+short(r))
	}
	t := a.Thresholds
	p.entry("Words", fmt.Sprintf("a few dozen is up to %d GPUs, hundreds from %d, thousands from %d, a few thousand up to %d; railyard's reading, set by --few-dozen and so on",
		t.FewDozen, t.Hundreds, t.Thousands, t.FewThousand))
}

// short names what keeps a rule from holding, or what made it hold.
func short(r *Rule) string {
	var list []string
	for _, in := range r.Inputs {
		switch {
		case r.State == NotMet && in.Holds == "no":
			what, _, _ := strings.Cut(in.Condition, " (")
			list = append(list, "not "+what+" ("+in.Value+")")
		case r.State == Open && in.Holds == Unknown:
			list = append(list, in.Condition+"?")
		case r.State == Decides || r.State == Fired:
			list = append(list, in.Value)
		}
	}
	return strings.Join(list, "; ")
}
