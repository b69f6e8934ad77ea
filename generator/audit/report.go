package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"

	"railyard/generator/observed"
)

// FormatVersion is the version of the JSON report.
const FormatVersion = "1.0"

// Report is the judgement of a network.
type Report struct {
	net      *observed.Network
	Links    []Link
	Findings []Finding
	// Judged and Unread count switches; Lossless those that pause anything.
	Judged, Unread, Lossless int
}

// End is one end of a link.
type End struct {
	Switch string `json:"switch"`
	Port   string `json:"port"`
}

// Link joins two ports. Evidence says how sure that is: subnet (both ends have
// an address in one subnet of their own), lldp, cables (the list that was given),
// description.
type Link struct {
	A        End    `json:"a"`
	B        End    `json:"b"`
	Evidence string `json:"evidence"`
}

// Finding is something wrong or worth knowing.
type Finding struct {
	Severity observed.Severity `json:"severity"`
	Code     string            `json:"code"`
	Aspect   string            `json:"aspect"`
	Switch   string            `json:"switch"`
	Port     string            `json:"port"` // "" when it is the whole switch
	File     string            `json:"file"`
	Line     observed.Line     `json:"line"`
	Text     string            `json:"text"` // the line as it stands
	Message  string            `json:"message"`
	Remedy   string            `json:"remedy"`
	Ports    int               `json:"ports"` // how many ports it concerns

	what string // the message without what is particular to one place
	os   string
	dscp int // the code point it is about, 0 for none
}

// Trouble reports whether something could not be judged.
func (r *Report) Trouble() bool { return r.Unread > 0 }

// AtLeast reports whether there is a finding of that severity or a worse one.
func (r *Report) AtLeast(s observed.Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return severity(f.Severity) <= severity(s) })
}

func severity(s observed.Severity) int {
	return slices.Index([]observed.Severity{observed.Error, observed.Warning, observed.Info}, s)
}

func (r *Report) sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Switch, b.Switch), cmp.Compare(a.File, b.File), cmp.Compare(severity(a.Severity), severity(b.Severity)),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Message, b.Message))
	})
	slices.SortFunc(r.Links, func(a, b Link) int {
		return cmp.Or(cmp.Compare(a.A.Switch, b.A.Switch), natural(a.A.Port, b.A.Port), cmp.Compare(a.B.Switch, b.B.Switch), natural(a.B.Port, b.B.Port))
	})
}

// natural compares names with their numbers as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, restA, isA := leading(a)
		y, restB, isB := leading(b)
		if isA && isB {
			if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
				return c
			}
			a, b = restA, restB
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func leading(s string) (digits, rest string, ok bool) {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	start := 0
	for start < n-1 && s[start] == '0' {
		start++
	}
	return s[start:n], s[n:], n > 0
}

type jsonReport struct {
	FormatVersion string       `json:"format_version"`
	Switches      []jsonSwitch `json:"switches"`
	Links         []Link       `json:"links"`
	Findings      []Finding    `json:"findings"`
}

type jsonSwitch struct {
	Name   string        `json:"name"`
	File   string        `json:"file"`
	OS     string        `json:"os"`
	Status string        `json:"status"`
	Line   observed.Line `json:"line,omitempty"`
	Reason string        `json:"reason,omitempty"`
	Model  *jsonModel    `json:"model,omitempty"`
}

type jsonModel struct {
	Priorities []int             `json:"lossless_priorities"`
	Trust      map[string]string `json:"trust"`
	DSCP       map[string]int    `json:"dscp_to_priority"`
	Groups     map[string]int    `json:"priority_to_group"`
	ECN        []jsonECN         `json:"ecn"`
	Watchdog   jsonWatchdog      `json:"watchdog"`
	PFC        []string          `json:"pfc_ports"`
	Scheduler  map[string]string `json:"scheduler"`
	MTU        map[string]int    `json:"mtu"`
}

type jsonECN struct {
	Queue   int    `json:"queue"`
	Min     int64  `json:"min"`
	Max     int64  `json:"max"`
	Unit    string `json:"unit"`
	Percent int    `json:"pmax_percent"`
	Active  bool   `json:"active"`
}

type jsonWatchdog struct {
	Enabled bool   `json:"enabled"`
	Detect  int    `json:"detect_ms,omitempty"`
	Restore int    `json:"restore_ms,omitempty"`
	Poll    int    `json:"poll_ms,omitempty"`
	Action  string `json:"action,omitempty"`
	// Written are the times as they stand where their unit is not documented.
	Written string   `json:"as_written,omitempty"`
	Off     []string `json:"ports_off"`
}

// JSON writes the report for machines, sorted.
func (r *Report) JSON(w io.Writer) error {
	doc := jsonReport{FormatVersion: FormatVersion, Switches: []jsonSwitch{}, Links: r.Links, Findings: r.Findings}
	for _, sw := range r.net.Switches {
		doc.Switches = append(doc.Switches, jsonSwitch{Name: sw.Name, File: sw.File, OS: sw.OS, Status: "ok", Model: modelOf(sw)})
	}
	for _, u := range r.net.Unreadable {
		doc.Switches = append(doc.Switches, jsonSwitch{Name: u.Name, File: u.File, OS: u.OS, Status: "unreadable", Line: u.Line, Reason: u.Reason})
	}
	slices.SortStableFunc(doc.Switches, func(a, b jsonSwitch) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File)) })
	if doc.Links == nil {
		doc.Links = []Link{}
	}
	if doc.Findings == nil {
		doc.Findings = []Finding{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}

// modelOf is the switch's lossless model: what its ports that pause agree on,
// taken from the first of them.
func modelOf(sw *observed.Switch) *jsonModel {
	m := &jsonModel{Priorities: []int{}, Trust: map[string]string{}, DSCP: map[string]int{}, Groups: map[string]int{}, ECN: []jsonECN{},
		PFC: []string{}, Scheduler: map[string]string{}, MTU: map[string]int{}}
	w := sw.Watchdog
	m.Watchdog = jsonWatchdog{Enabled: w.Enabled, Detect: w.DetectMS, Restore: w.RestoreMS, Poll: w.PollMS, Action: w.Action, Written: w.Written, Off: []string{}}
	var all observed.Set
	var first *observed.Port
	seen := map[jsonECN]bool{}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.MTU.Bytes > 0 {
			m.MTU[p.Name] = p.MTU.Bytes
		}
		if p.Kind != observed.Physical || p.Down {
			continue
		}
		if p.Trust != observed.TrustUnknown {
			m.Trust[p.Name] = p.Trust.String()
		}
		if p.PFC.Lossless() == 0 {
			continue
		}
		if first == nil {
			first = p
		}
		all |= p.PFC.Lossless()
		m.PFC = append(m.PFC, p.Name)
		if p.Watch.Known && p.PFC.Lossless()&^p.Watch.Priorities != 0 {
			m.Watchdog.Off = append(m.Watchdog.Off, p.Name)
		}
		for q := range p.Queues {
			if e := p.Queues[q].ECN; e != nil {
				row := jsonECN{q, e.Min, e.Max, e.Unit, e.Percent, e.Active}
				if !seen[row] {
					seen[row] = true
					m.ECN = append(m.ECN, row)
				}
			}
		}
	}
	m.Priorities = append(m.Priorities, all.List()...)
	slices.SortFunc(m.ECN, func(a, b jsonECN) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Min, b.Min), cmp.Compare(a.Max, b.Max), cmp.Compare(a.Percent, b.Percent), cmp.Compare(a.Unit, b.Unit))
	})
	slices.SortFunc(m.PFC, natural)
	slices.SortFunc(m.Watchdog.Off, natural)
	if first != nil {
		tables(m, first)
	}
	return m
}

func tables(m *jsonModel, p *observed.Port) {
	for q := range p.Queues {
		switch p.Queues[q].Sched {
		case observed.Strict:
			m.Scheduler[strconv.Itoa(q)] = "strict"
		case observed.Weighted:
			m.Scheduler[strconv.Itoa(q)] = "dwrr " + strconv.Itoa(int(p.Queues[q].Weight))
		}
	}
	if p.Maps == nil {
		return
	}
	for d, s := range p.Maps.DSCP {
		if s.To >= 0 {
			m.DSCP[strconv.Itoa(d)] = int(s.To)
		}
	}
	for t, s := range p.Maps.Group {
		if s.To >= 0 {
			m.Groups[strconv.Itoa(t)] = int(s.To)
		}
	}
}

// Select keeps the findings and links of switches whose name matches a pattern
// of path.Match.
func (r *Report) Select(pattern string) error {
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("--select %q: %w", pattern, err)
	}
	fits := func(name string) bool { ok, _ := path.Match(pattern, name); return ok }
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return !fits(f.Switch) })
	r.Links = slices.DeleteFunc(r.Links, func(l Link) bool { return !fits(l.A.Switch) && !fits(l.B.Switch) })
	return nil
}
