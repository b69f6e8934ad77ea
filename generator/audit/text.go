package audit

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"railyard/generator/observed"
)

// width is the widest line of the text report.
const width = 100

// mostPlaces is how many switches a finding lists before it counts the rest.
const mostPlaces = 8

// group is one finding with all the places it was found at.
type group struct {
	Finding
	at []Finding
}

// Text writes the report for people: findings that say the same once, with the
// places they were found at.
func (r *Report) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s judged, %s lossless ports; %s (%s)\n", plural(r.Judged, "switch", "switches"),
		withCount(r.Lossless), plural(len(r.Links), "link", "links"), r.evidence())
	if len(r.net.Unreadable) > 0 {
		fmt.Fprintf(out, "\n%s not judged:\n", plural(len(r.net.Unreadable), "file", "files"))
		for _, u := range r.net.Unreadable {
			where := u.File
			if u.Line > 0 {
				where += fmt.Sprintf(":%d", u.Line)
			}
			wrap(out, "  "+where+": ", "    ", u.Reason)
		}
	}
	groups := r.groups()
	for _, g := range groups {
		fmt.Fprintln(out)
		head := fmt.Sprintf("%s %s", g.Severity, g.Code)
		wrap(out, head+"  ", "  ", g.what)
		wrap(out, "  remedy: ", "    ", g.Remedy)
		g.places(out)
	}
	fmt.Fprintln(out)
	counts := map[observed.Severity]int{}
	for _, f := range r.Findings {
		counts[f.Severity]++
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(out, "no findings")
	} else {
		fmt.Fprintf(out, "%s, %s, %s\n", plural(counts[observed.Error], "error", "errors"), plural(counts[observed.Warning], "warning", "warnings"), plural(counts[observed.Info], "note", "notes"))
	}
	return out.Flush()
}

func withCount(n int) string {
	if n == 0 {
		return "none with"
	}
	return fmt.Sprintf("%d with", n)
}

// evidence counts how the links are known.
func (r *Report) evidence() string {
	counts := map[string]int{}
	for _, l := range r.Links {
		counts[l.Evidence]++
	}
	var parts []string
	for _, e := range []string{"subnet", "lldp", "cables", "description"} {
		if counts[e] > 0 {
			parts = append(parts, fmt.Sprintf("%d by %s", counts[e], e))
		}
	}
	if len(parts) == 0 {
		return "no two ports share a subnet, an LLDP table or a description"
	}
	return strings.Join(parts, ", ")
}

// groups folds findings that say the same, the worst first.
func (r *Report) groups() []*group {
	type key struct {
		severity     observed.Severity
		code, what   string
		remedy, text string
	}
	index := map[key]*group{}
	var out []*group
	for _, f := range r.Findings {
		k := key{f.Severity, f.Code, f.what, f.Remedy, ""}
		if index[k] == nil {
			index[k] = &group{Finding: f}
			out = append(out, index[k])
		}
		index[k].at = append(index[k].at, f)
	}
	slices.SortStableFunc(out, func(a, b *group) int {
		return cmp.Or(cmp.Compare(severity(a.Severity), severity(b.Severity)), cmp.Compare(len(b.at), len(a.at)), cmp.Compare(a.Code, b.Code))
	})
	return out
}

// places lists where a finding stands, a line for each switch.
func (g *group) places(out io.Writer) {
	shown := 0
	for rest := g.at; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Switch == rest[0].Switch && rest[n].File == rest[0].File {
			n++
		}
		if shown == mostPlaces {
			switches := map[string]bool{}
			for _, f := range rest {
				switches[f.Switch] = true
			}
			fmt.Fprintf(out, "  and %d more on %s; --format json lists all\n", len(rest), plural(len(switches), "switch", "switches"))
			return
		}
		shown++
		spotted(out, rest[:n])
		rest = rest[n:]
	}
}

// mostPorts is how many ports of a switch a finding names before it counts them.
const mostPorts = 3

// spotted writes where one switch has a finding, and the first line of it.
func spotted(out io.Writer, at []Finding) {
	f := at[0]
	where := f.Switch
	switch {
	case len(at) > mostPorts:
		where += fmt.Sprintf(" %s and %d more ports", f.Port, len(at)-1)
	case f.Port != "":
		var names []string
		for _, x := range at {
			names = append(names, x.Port)
		}
		where += " " + strings.Join(names, ", ")
	case f.Ports > 1:
		where += fmt.Sprintf(" (%d ports)", f.Ports)
	}
	where += fmt.Sprintf("  %s:%d", f.File, f.Line)
	for _, x := range at[1:min(len(at), mostPorts)] {
		where += fmt.Sprintf(",%d", x.Line)
	}
	if len(at) > mostPorts {
		where += ",…"
	}
	if detail := strings.TrimPrefix(f.Message, f.what+": "); detail != f.Message && len(at) == 1 {
		where += "  " + detail
	}
	fmt.Fprintln(out, clip("  "+where, width))
	if f.Text != "" {
		fmt.Fprintln(out, clip("    | "+f.Text, width))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}

// wrap writes a paragraph whose first line begins with head and whose others
// with indent.
func wrap(out io.Writer, head, indent, text string) {
	line, fresh := head, true
	for word := range strings.FieldsSeq(text) {
		if !fresh && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			fmt.Fprintln(out, line)
			line, fresh = indent, true
		}
		if !fresh {
			line += " "
		}
		line, fresh = line+word, false
	}
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}
