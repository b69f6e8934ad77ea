package dialect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/gnmi"
)

// OpenConfig's style rules make its trees readable without a schema: an entry of
// a keyed list has no leaves of its own but its keys, everything else stands in
// containers below. So the scalars of an entry are what identifies it.

func bare(name string) string {
	if _, rest, ok := strings.Cut(name, ":"); ok {
		return rest
	}
	return name
}

// lookup finds a member whichever way its name is written.
func lookup(m map[string]any, name string) any {
	if v, ok := m[name]; ok {
		return v
	}
	for k, v := range m {
		if bare(k) == bare(name) {
			return v
		}
	}
	return nil
}

// keys are the identity of a list entry.
func keys(entry map[string]any) map[string]string {
	k := map[string]string{}
	for name, v := range entry {
		if s, ok := scalar(v); ok {
			k[bare(name)] = s
		}
	}
	return k
}

func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return fmt.Sprint(v), true
	}
	return "", false
}

// sameValue compares scalars as devices write them: numbers with or without
// quotes, identities with or without their module.
func sameValue(a, b string) bool { return a == b || identity(a) == identity(b) }

func identity(s string) string {
	module, name, ok := strings.Cut(s, ":")
	if ok && (strings.HasPrefix(module, "openconfig-") || strings.HasPrefix(module, "ietf-") || strings.HasPrefix(module, "iana-") || strings.HasPrefix(module, "oc-")) {
		return name
	}
	return s
}

func sameKeys(a, b map[string]string) bool {
	return maps.EqualFunc(a, b, sameValue)
}

// entryOf finds the entry of a list.
func entryOf(list []any, key map[string]string) map[string]any {
	for _, e := range list {
		if m, ok := e.(map[string]any); ok && sameKeys(keys(m), key) {
			return m
		}
	}
	return nil
}

// place puts a value where a path says, making what is missing.
func place(root map[string]any, at []*gpb.PathElem, v any) error {
	for i, e := range at {
		last := i == len(at)-1
		if len(e.GetKey()) > 0 {
			list, _ := lookup(root, e.GetName()).([]any)
			entry := entryOf(list, e.GetKey())
			if entry == nil {
				entry = map[string]any{}
				for k, s := range e.GetKey() {
					entry[k] = s
				}
				set(root, e.GetName(), append(list, entry))
			}
			if last {
				return merge(entry, v)
			}
			root = entry
			continue
		}
		next, _ := lookup(root, e.GetName()).(map[string]any)
		if m, ok := v.(map[string]any); last && ok && next != nil {
			return merge(next, m)
		}
		if last {
			set(root, e.GetName(), v)
			return nil
		}
		if next == nil {
			next = map[string]any{}
			set(root, e.GetName(), next)
		}
		root = next
	}
	return nil
}

func set(m map[string]any, name string, v any) {
	for k := range m {
		if bare(k) == bare(name) {
			m[k] = v
			return
		}
	}
	m[name] = v
}

func merge(into map[string]any, v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("a list entry that is not an object")
	}
	for k, x := range m {
		set(into, k, x)
	}
	return nil
}

// unit is what is sent as one: a list entry, or a container of leaves.
type unit struct {
	at   []*gpb.PathElem
	body any
}

func (u unit) label() []string {
	return []string{gnmi.PathString(&gpb.Path{Elem: bareElems(u.at)})}
}

func bareElems(at []*gpb.PathElem) []*gpb.PathElem {
	out := make([]*gpb.PathElem, len(at))
	for i, e := range at {
		out[i] = &gpb.PathElem{Name: bare(e.GetName()), Key: e.GetKey()}
	}
	return out
}

// units cuts a container at its outermost lists.
func units(at []*gpb.PathElem, v any) []unit {
	m, ok := v.(map[string]any)
	if !ok {
		return []unit{{at, v}}
	}
	for _, x := range m {
		if _, ok := scalar(x); ok {
			return []unit{{at, v}}
		}
	}
	var out []unit
	for _, name := range slices.Sorted(maps.Keys(m)) {
		list, ok := m[name].([]any)
		if !ok {
			out = append(out, units(slices.Concat(at, []*gpb.PathElem{{Name: name}}), m[name])...)
			continue
		}
		for _, e := range list {
			entry, ok := e.(map[string]any)
			if !ok { // a leaf-list: the container is one
				return []unit{{at, v}}
			}
			out = append(out, unit{slices.Concat(at, []*gpb.PathElem{{Name: name, Key: keys(entry)}}), entry})
		}
	}
	return out
}

// find returns what stands at a place, nil where nothing does.
func find(root map[string]any, at []*gpb.PathElem) any {
	var v any = root
	for _, e := range at {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = lookup(m, e.GetName())
		if len(e.GetKey()) > 0 {
			list, _ := v.([]any)
			entry := entryOf(list, e.GetKey())
			if entry == nil {
				return nil
			}
			v = entry
		}
	}
	return v
}

// compare lists what of want have lacks or has otherwise.
func compare(path []string, have, want any) []Change {
	switch want := want.(type) {
	case nil:
		return nil
	case map[string]any:
		m, _ := have.(map[string]any)
		var out []Change
		for _, k := range slices.Sorted(maps.Keys(want)) {
			out = append(out, compare(slices.Concat(path, []string{bare(k)}), lookup(m, k), want[k])...)
		}
		return out
	case []any:
		list, _ := have.([]any)
		if leafList(want) {
			if sameList(list, want) {
				return nil
			}
			return []Change{{Path: path, Remove: words(list), Add: words(want)}}
		}
		var out []Change
		for _, e := range want {
			entry, _ := e.(map[string]any)
			k := keys(entry)
			at := slices.Clone(path)
			at[len(at)-1] = strings.TrimPrefix(gnmi.PathString(&gpb.Path{Elem: []*gpb.PathElem{{Name: at[len(at)-1], Key: k}}}), "/")
			var twin any
			if t := entryOf(list, k); t != nil {
				twin = t
			}
			out = append(out, compare(at, twin, entry)...)
		}
		return out
	}
	w, _ := scalar(want)
	h, ok := scalar(have)
	if ok && sameValue(h, w) {
		return nil
	}
	c := Change{Path: path[:len(path)-1], Remove: []string{}, Add: []string{}}
	name := path[len(path)-1]
	if gnmi.SecretField(name) {
		w, h = "(not shown)", "(not shown)"
	}
	c.Add = append(c.Add, name+"="+w)
	if ok {
		c.Remove = append(c.Remove, name+"="+h)
	}
	return []Change{c}
}

func leafList(list []any) bool {
	for _, e := range list {
		if _, ok := scalar(e); !ok {
			return false
		}
	}
	return true
}

func words(list []any) []string {
	out := []string{}
	for _, e := range list {
		s, _ := scalar(e)
		out = append(out, s)
	}
	return out
}

// sameList compares leaf-lists, whose order means nothing in OpenConfig.
func sameList(a, b []any) bool {
	x, y := words(a), words(b)
	for i := range x {
		x[i] = identity(x[i])
	}
	for i := range y {
		y[i] = identity(y[i])
	}
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// public copies a tree without its secrets.
func public(v any) (out any, hid bool) {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			if _, ok := scalar(x); ok && gnmi.SecretField(k) {
				hid = true
				continue
			}
			var h bool
			m[k], h = public(x)
			hid = hid || h
		}
		return m, hid
	case []any:
		list := make([]any, len(v))
		for i, x := range v {
			var h bool
			list[i], h = public(x)
			hid = hid || h
		}
		return list, hid
	}
	return v, false
}
