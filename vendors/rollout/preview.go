package rollout

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/clitree"
	"railyard/vendors/diff"
	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/rollout/waves"
)

// Preview is what a run would do.
type Preview struct {
	Groups   []Group      // switches whose difference is the same, together
	Same     []string     // nothing to do
	Manual   []ManualWork // what does not go over gNMI
	Notes    []Note
	Failed   []Failure
	Waves    []waves.Wave
	Requests []Request
}

// Group is one difference and the switches that have it.
type Group struct {
	Switches []string         `json:"switches"`
	Dialect  string           `json:"dialect"`
	Changes  []dialect.Change `json:"changes"`
}

// ManualWork is work by hand, and the switches that need it.
type ManualWork struct {
	Switches []string         `json:"switches"`
	Work     []dialect.Manual `json:"work"`
}

// Note is something to know, and for which switches.
type Note struct {
	Switches []string `json:"switches"`
	Text     string   `json:"text"`
}

// Failure is a switch that cannot be changed, and why.
type Failure struct {
	Switch string `json:"switch"`
	Error  string `json:"error"`
}

// Request is one transaction.
type Request struct {
	Switch, Dialect string
	Set             *gpb.SetRequest
}

// Changing is the number of switches that would change.
func (p *Preview) Changing() int {
	n := 0
	for _, w := range p.Waves {
		n += len(w.Switches)
	}
	return n
}

func (r *run) preview(list []waves.Wave) *Preview {
	p := &Preview{Waves: list}
	groups, manual, notes := map[string]int{}, map[string]int{}, map[string]int{}
	for _, j := range r.jobs {
		name := j.sw.Name
		if len(j.manual) > 0 {
			k := strings.ReplaceAll(key(j.manual), "switches/"+name+"/", "switches/*/")
			at := group(manual, k, len(p.Manual))
			if at == len(p.Manual) {
				p.Manual = append(p.Manual, ManualWork{Work: j.manual})
			}
			p.Manual[at].Switches = append(p.Manual[at].Switches, name)
		}
		plan := j.plan
		if j.back != nil {
			plan = j.back
		}
		switch {
		case j.err != nil:
			p.Failed = append(p.Failed, Failure{name, j.reason()})
			continue
		case plan == nil:
			continue
		case len(plan.Requests) == 0:
			p.Same = append(p.Same, name)
			continue
		}
		at := group(groups, j.dialect.Name()+key(plan.Changes), len(p.Groups))
		if at == len(p.Groups) {
			p.Groups = append(p.Groups, Group{Dialect: j.dialect.Name(), Changes: whole(plan.Changes)})
		}
		p.Groups[at].Switches = append(p.Groups[at].Switches, name)
		for _, n := range plan.Notes {
			at := group(notes, n, len(p.Notes))
			if at == len(p.Notes) {
				p.Notes = append(p.Notes, Note{Text: n})
			}
			p.Notes[at].Switches = append(p.Notes[at].Switches, name)
		}
		for _, req := range plan.Requests {
			p.Requests = append(p.Requests, Request{name, j.dialect.Name(), req})
		}
	}
	return p
}

// whole gives every change its three lists, so that JSON has no null.
func whole(list []dialect.Change) []dialect.Change {
	out := make([]dialect.Change, len(list))
	for i, c := range list {
		out[i] = dialect.Change{Path: orEmpty(c.Path), Remove: orEmpty(c.Remove), Add: orEmpty(c.Add), Reordered: c.Reordered, Note: c.Note}
	}
	return out
}

// group returns the place of a key, the next one for a new key.
func group(at map[string]int, k string, next int) int {
	if i, ok := at[k]; ok {
		return i
	}
	at[k] = next
	return next
}

func key(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// Text prints the preview for a person, differences as diff shows them.
func (p *Preview) Text(w io.Writer) error {
	report := &diff.Report{}
	for _, g := range p.Groups {
		var changes []clitree.Change
		for _, c := range g.Changes {
			changes = append(changes, clitree.Change(c))
		}
		for _, name := range g.Switches {
			report.Switches = append(report.Switches, diff.Result{Name: name, OS: g.Dialect, Status: diff.Differs, Changes: changes})
		}
	}
	for _, name := range p.Same {
		report.Switches = append(report.Switches, diff.Result{Name: name, Status: diff.Same})
	}
	if len(report.Switches) > 0 {
		if err := report.Text(w, diff.TextOptions{}); err != nil {
			return err
		}
	}
	var b strings.Builder
	for _, m := range p.Manual {
		fmt.Fprintf(&b, "not over gNMI, by hand on %s:\n", list(m.Switches))
		for _, x := range m.Work {
			fmt.Fprintf(&b, "  * %s\n", x.What)
			if file := x.File; file != "" {
				if len(m.Switches) > 1 {
					file = strings.Replace(file, "/"+m.Switches[0]+"/", "/NAME/", 1)
				}
				fmt.Fprintf(&b, "    file: %s\n", file)
			}
			for _, c := range x.Commands {
				fmt.Fprintf(&b, "      %s\n", c)
			}
		}
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note for %s: %s\n", list(n.Switches), n.Text)
	}
	for _, f := range p.Failed {
		fmt.Fprintf(&b, "cannot be changed: %s: %s\n", f.Switch, f.Error)
	}
	for n, x := range p.Waves {
		fmt.Fprintf(&b, "wave %d%s: %s\n", n+1, canaryWord(x), list(x.Switches))
	}
	_, err := io.WriteString(w, printable(b.String()))
	return err
}

// printable takes out what a terminal would act on: much of this is the words
// of devices.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// list names all, but not endlessly.
func list(names []string) string {
	if len(names) > 12 {
		return fmt.Sprintf("%s … and %d more", strings.Join(names[:10], ", "), len(names)-10)
	}
	return strings.Join(names, ", ")
}

// RequestsText prints every request in protobuf text form, each under a comment.
func (p *Preview) RequestsText(w io.Writer) error {
	for _, q := range p.Requests {
		b, err := gnmi.Text(q.Set)
		if err == nil {
			_, err = fmt.Fprintf(w, "# %s (%s)\n%s", q.Switch, q.Dialect, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// JSON prints the preview and every request.
func (p *Preview) JSON(w io.Writer) error {
	type request struct {
		Switch  string          `json:"switch"`
		Dialect string          `json:"dialect"`
		Set     json.RawMessage `json:"set_request"`
	}
	type wave struct {
		Canary   bool     `json:"canary"`
		Switches []string `json:"switches"`
	}
	out := struct {
		FormatVersion string       `json:"format_version"`
		Groups        []Group      `json:"differences"`
		Same          []string     `json:"same"`
		Manual        []ManualWork `json:"manual"`
		Notes         []Note       `json:"notes"`
		Failed        []Failure    `json:"failed"`
		Waves         []wave       `json:"waves"`
		Requests      []request    `json:"requests"`
	}{"1.0", orEmpty(p.Groups), orEmpty(p.Same), orEmpty(p.Manual), orEmpty(p.Notes), orEmpty(p.Failed), []wave{}, []request{}}
	for _, x := range p.Waves {
		out.Waves = append(out.Waves, wave{x.Canary, x.Switches})
	}
	for _, q := range p.Requests {
		b, err := gnmi.JSON(q.Set)
		if err != nil {
			return err
		}
		out.Requests = append(out.Requests, request{q.Switch, q.Dialect, b})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(out)
}

func orEmpty[T any](list []T) []T { return append([]T{}, slices.Clone(list)...) }
