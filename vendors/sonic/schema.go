package sonic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// schema is what railyard knows of the SONiC YANG models: enough to refuse a
// document that a switch would refuse, and to write it in the models' own form.
// It covers the tables this driver writes and those a site commonly adds for
// BGP policy. A table it does not list is refused, because the switch aborts
// `config reload FILE` on a table without a model.
type schema map[string]*tableModel

// tableModel is one CONFIG_DB table.
type tableModel struct {
	module string
	// lists are tried in order: a row belongs to the first whose number of keys
	// and whose leaves fit it.
	lists []listModel
	// containers are rows with a fixed key, such as DEVICE_METADATA|localhost.
	containers map[string][]leaf
	maxRows    int // 0: no limit
}

// listModel is one YANG list.
type listModel struct {
	name   string
	keys   []leaf
	leaves []leaf
	// inner is set for the map tables, whose fields are the entries of a nested
	// list: inner[0] is what the field name is, inner[1] its value.
	inner []leaf
}

// kind says how a value is written in JSON by RFC 7951.
type kind uint8

const (
	stringValue  kind = iota
	numberValue       // int8 to uint32: a JSON number
	number64          // int64, uint64: a JSON string
	booleanValue      // true or false
)

// leaf is one value with what it may be.
type leaf struct {
	name     string
	kind     kind
	min, max int64               // numbers, and the length of a text
	values   []string            // an enumeration, or words allowed besides refs
	refs     []string            // tables one of whose rows the value must name
	ok       func(v string) bool // any other form
	form     string              // what ok accepts, in words
	sep      string              // a list kept in one string, split at sep
	list     bool                // a list of strings
	required bool
}

func text(name string, minLen, maxLen int64) leaf { return leaf{name: name, min: minLen, max: maxLen} }

func enum(name string, values ...string) leaf { return leaf{name: name, values: values} }

func number(name string, minVal, maxVal int64) leaf {
	return leaf{name: name, kind: numberValue, min: minVal, max: maxVal}
}

func bytes64(name string) leaf { return leaf{name: name, kind: number64, max: 1<<63 - 1} }

func boolean(name string) leaf {
	return leaf{name: name, kind: booleanValue, values: []string{"true", "false"}}
}

func ref(name string, tables ...string) leaf { return leaf{name: name, refs: tables} }

func like(name string, ok func(string) bool, form string) leaf {
	return leaf{name: name, ok: ok, form: form}
}

func (l leaf) mandatory() leaf { l.required = true; return l }

func (l leaf) many() leaf { l.list = true; return l }

func (l leaf) joined(sep string) leaf { l.sep = sep; return l }

// as changes how the value is written in JSON.
func (l leaf) as(k kind) leaf { l.kind = k; return l }

func (l leaf) or(words ...string) leaf { l.values = words; return l }

// names looks up whether a table has a row, for references. The keys of a table
// are gathered when they are first asked for: most tables never are.
type names struct {
	doc  document
	keys map[string]map[string]bool
}

func (d document) names() *names { return &names{d, map[string]map[string]bool{}} }

func (n *names) has(table, key string) bool {
	keys, ready := n.keys[table]
	if !ready {
		rows := n.doc.table(table).rows
		keys = make(map[string]bool, len(rows))
		for i := range rows {
			keys[rows[i].key] = true
		}
		n.keys[table] = keys
	}
	return keys[key]
}

// check says what is wrong with one value, "" when nothing is.
func (l *leaf) check(v string, known *names) string {
	if l.sep == "" {
		return l.checkOne(v, known)
	}
	for _, one := range strings.Split(v, l.sep) {
		if problem := l.checkOne(one, known); problem != "" {
			return problem
		}
	}
	return ""
}

func (l *leaf) checkOne(v string, known *names) string {
	if slices.Contains(l.values, v) {
		return ""
	}
	switch {
	case len(l.refs) > 0:
		for _, t := range l.refs {
			if known.has(t, v) {
				return ""
			}
		}
		return fmt.Sprintf("%q names no row of %s", v, strings.Join(l.refs, " or "))
	case len(l.values) > 0:
		return fmt.Sprintf("%q is not one of %s", v, strings.Join(l.values, ", "))
	case l.ok != nil:
		if !l.ok(v) {
			return fmt.Sprintf("%q is not %s", v, l.form)
		}
	case l.kind == numberValue || l.kind == number64:
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || strconv.FormatInt(n, 10) != v {
			return fmt.Sprintf("%q is not a whole number", v)
		}
		if n < l.min || n > l.max {
			return fmt.Sprintf("%s is outside %d..%d", v, l.min, l.max)
		}
	default:
		if n := int64(len(v)); n < l.min || n > l.max {
			return fmt.Sprintf("%d characters, allowed are %d to %d", n, l.min, l.max)
		}
	}
	return ""
}

// match returns the list a row belongs to, nil when none fits.
func (t *tableModel) match(parts []string, fields []field) *listModel {
	for i := range t.lists {
		l := &t.lists[i]
		if len(l.keys) != len(parts) {
			continue
		}
		if len(l.inner) > 0 || !slices.ContainsFunc(fields, func(f field) bool { return findLeaf(l.leaves, f.name) == nil }) {
			return l
		}
	}
	return nil
}

func findLeaf(leaves []leaf, name string) *leaf {
	for i := range leaves {
		if leaves[i].name == name {
			return &leaves[i]
		}
	}
	return nil
}
