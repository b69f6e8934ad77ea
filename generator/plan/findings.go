package plan

import (
	"fmt"
	"io"
	"strings"

	"railyard/generator/fabric"
)

// Findings writes findings for people, in the order given, one paragraph each.
func Findings(w io.Writer, list []fabric.Finding) error {
	p := &page{}
	p.findings(list)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// FindingsJSON writes an object with format_version and findings, in the order
// given, in the form they have in the plan.
func FindingsJSON(w io.Writer, found []fabric.Finding) error {
	e := newEncoder(w)
	e.field("format_version", FormatVersion)
	list(e, "findings", len(found), func(i int) findingDoc { return findingOf(&found[i]) })
	return e.close()
}

func (p *page) findings(list []fabric.Finding) {
	for i := range list {
		x := &list[i]
		p.hang(strings.ToUpper(string(x.Severity))+" "+x.Code, x.Message)
		if x.Remedy != "" {
			p.hang("", "remedy: "+x.Remedy)
		}
		if x.Source != "" {
			p.hang("", "source: "+x.Source)
		}
		if len(x.Objects) > 0 {
			p.hang("", "concerns: "+fold(x.Objects))
		}
	}
}

// Brief writes errors and warnings without remedy and source, and how many
// findings of severity info there are besides.
func Brief(w io.Writer, list []fabric.Finding) error {
	p := &page{}
	infos := 0
	for i := range list {
		x := &list[i]
		if x.Severity == fabric.Info {
			infos++
			continue
		}
		p.hang(strings.ToUpper(string(x.Severity))+" "+x.Code, x.Message)
	}
	if len(list) > 0 {
		p.hang("", fmt.Sprintf("%d findings, %d of them for information only; railyard plan shows all with remedies", len(list), infos))
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}
