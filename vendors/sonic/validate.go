package sonic

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of the models that the driver has to know when it writes.
const (
	maxNTP     = 10 // sonic-ntp NTP_SERVER_LIST max-elements
	maxDNS     = 3  // sonic-dns DNS_NAMESERVER_LIST max-elements
	minDetect  = 100
	maxDetect  = 5000  // ms, sonic-pfcwd detection_time
	maxRestore = 60000 // ms, sonic-pfcwd restoration_time
	maxMTU     = 9216  // sonic-port mtu
)

var colours = []string{"green", "yellow", "red"}

// Validate checks a config_db.json without needing a YANG tool: the form of
// every value, unknown tables and fields, references, the models' own
// conditions, and what the models miss (lanes used twice, overlapping groups,
// empty tables and lists, PFC without watchdog). It knows the tables this
// driver writes and the BGP policy tables; a table it does not know is an
// error. All problems found are reported together.
func Validate(configDB []byte) error {
	doc, err := parse(configDB)
	if err != nil {
		return err
	}
	return newSchema().validate(doc)
}

// problems collects what is wrong, up to a limit: after that many the document
// is of another kind altogether.
type problems struct{ list []error }

const maxProblems = 50

func (p *problems) add(where, format string, args ...any) {
	if len(p.list) < maxProblems {
		p.list = append(p.list, fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
	}
}

func (s schema) validate(doc document) error {
	var p problems
	known := doc.names()
	for _, t := range doc {
		model := s[t.name]
		switch {
		case model == nil:
			p.add(t.name, "no such table in the YANG models known here; the switch refuses the whole file")
			continue
		case len(t.rows) == 0:
			p.add(t.name, "the table is empty; leave it out")
		case model.maxRows > 0 && len(t.rows) > model.maxRows:
			p.add(t.name, "%d rows, at most %d are allowed", len(t.rows), model.maxRows)
		}
		v := tableCheck{model: model, table: t.name, known: known, p: &p, good: map[*field]*listModel{}}
		for i := range t.rows {
			v.row(&t.rows[i])
		}
	}
	checkRules(doc, known, &p)
	return errors.Join(p.list...)
}

// tableCheck checks the rows of one table. Rows of many ports share their
// fields, so a fields slice found good once is not looked at again.
type tableCheck struct {
	model *tableModel
	table string
	known *names
	p     *problems
	good  map[*field]*listModel
}

func (v *tableCheck) row(r *row) {
	if v.model.containers != nil {
		leaves, ok := v.model.containers[r.key]
		if !ok {
			v.p.add(v.where(r), "the model has no such row")
			return
		}
		v.fields(r, leaves)
		return
	}
	list, checked := v.cached(r)
	if !checked {
		list = v.model.match(strings.Split(r.key, "|"), r.fields)
	}
	if list == nil {
		v.p.add(v.where(r), "the key or a field fits no list of the model")
		return
	}
	v.keys(r, list)
	if checked {
		return
	}
	before := len(v.p.list)
	if len(list.inner) > 0 {
		v.entries(r, list)
	} else {
		v.fields(r, list.leaves)
	}
	if len(r.fields) > 0 && len(v.p.list) == before {
		v.good[&r.fields[0]] = list
	}
}

// cached returns the list that a row with these very fields belonged to.
func (v *tableCheck) cached(r *row) (*listModel, bool) {
	if len(r.fields) == 0 {
		return nil, false
	}
	list := v.good[&r.fields[0]]
	return list, list != nil && strings.Count(r.key, "|") == len(list.keys)-1
}

func (v *tableCheck) where(r *row) string { return v.table + "|" + r.key }

func (v *tableCheck) keys(r *row, list *listModel) {
	rest := r.key
	for i := range list.keys {
		part := rest
		if i < len(list.keys)-1 {
			part, rest, _ = strings.Cut(rest, "|")
		}
		if problem := list.keys[i].check(part, v.known); problem != "" {
			v.p.add(v.where(r), "%s: %s", list.keys[i].name, problem)
		}
	}
}

func (v *tableCheck) fields(r *row, leaves []leaf) {
	for _, f := range r.fields {
		l := findLeaf(leaves, f.name)
		if l == nil {
			v.p.add(v.where(r), "the model has no field %s", f.name)
			continue
		}
		v.value(r, l, f)
	}
	for i := range leaves {
		if leaves[i].required && !slices.ContainsFunc(r.fields, func(f field) bool { return f.name == leaves[i].name }) {
			v.p.add(v.where(r), "%s is missing", leaves[i].name)
		}
	}
}

func (v *tableCheck) value(r *row, l *leaf, f field) {
	if l.list != (f.list != nil) {
		v.p.add(v.where(r), "%s: want %s", f.name, map[bool]string{true: "a list of strings", false: "one string"}[l.list])
		return
	}
	values := f.list
	if !l.list {
		values = []string{f.value}
	} else if len(values) == 0 {
		v.p.add(v.where(r), "%s is an empty list; leave it out", f.name)
	}
	for _, one := range values {
		if problem := l.check(one, v.known); problem != "" {
			v.p.add(v.where(r), "%s: %s", f.name, problem)
		}
	}
}

// entries checks a map row: every field is an entry of the inner list.
func (v *tableCheck) entries(r *row, list *listModel) {
	if len(r.fields) == 0 {
		v.p.add(v.where(r), "the map is empty")
	}
	for _, f := range r.fields {
		if f.list != nil {
			v.p.add(v.where(r), "%s: want one string", f.name)
			continue
		}
		if problem := list.inner[0].check(f.name, v.known); problem != "" {
			v.p.add(v.where(r), "%s", problem)
		}
		if problem := list.inner[1].check(f.value, v.known); problem != "" {
			v.p.add(v.where(r), "%s: %s", f.name, problem)
		}
	}
}

// span is a range of groups or queues, both ends included.
type span struct{ low, high int }

func parseSpan(s string) span {
	low, high, two := strings.Cut(s, "-")
	a, _ := strconv.Atoi(low) // the form was checked before
	if !two {
		return span{a, a}
	}
	b, _ := strconv.Atoi(high)
	return span{a, b}
}
