package sonic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// YANG turns a config_db.json into instance data of the SONiC YANG models, as
// JSON by RFC 7951, the form in which yanglint and other YANG tools check it.
// The document must pass Validate first: a row that fits no list is an error
// here too, since there is no place to put it.
//
// Rules, from sonic-yang-mgmt sonic_yang_ext.py: a table sits in the top
// container of its module; a row goes to the first list that its keys and
// fields fit; the fields of a map row become an inner list; lists kept in one
// string are split; 64-bit numbers are strings, shorter ones are not.
func YANG(configDB []byte) ([]byte, error) {
	doc, err := parse(configDB)
	if err != nil {
		return nil, err
	}
	return newSchema().instance(doc)
}

func (s schema) instance(doc document) ([]byte, error) {
	modules := map[string]map[string]any{}
	for _, t := range doc {
		model := s[t.name]
		if model == nil {
			return nil, fmt.Errorf("%s: no YANG model is known for the table", t.name)
		}
		content, err := model.instance(t)
		if err != nil {
			return nil, err
		}
		if modules[model.module] == nil {
			modules[model.module] = map[string]any{}
		}
		modules[model.module][t.name] = content
	}
	top := map[string]any{}
	for module, tables := range modules {
		top[module+":"+module] = tables
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(top) // maps are written in key order
	return b.Bytes(), err
}

func (t *tableModel) instance(tab table) (map[string]any, error) {
	content := map[string]any{}
	for _, r := range tab.rows {
		where := tab.name + "|" + r.key
		if t.containers != nil {
			entry := map[string]any{}
			if err := putFields(entry, t.containers[r.key], r.fields); err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			content[r.key] = entry
			continue
		}
		parts := strings.Split(r.key, "|")
		list := t.match(parts, r.fields)
		if list == nil {
			return nil, fmt.Errorf("%s: the key or a field fits no list of %s", where, t.module)
		}
		entry := map[string]any{}
		for i := range list.keys {
			entry[list.keys[i].name] = list.keys[i].json(parts[i])
		}
		if len(list.inner) > 0 {
			entry[tab.name] = innerList(list.inner, r.fields)
		} else if err := putFields(entry, list.leaves, r.fields); err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		rows, _ := content[list.name].([]any)
		content[list.name] = append(rows, entry)
	}
	return content, nil
}

func innerList(inner []leaf, fields []field) []any {
	out := make([]any, len(fields))
	for i, f := range fields {
		out[i] = map[string]any{inner[0].name: inner[0].json(f.name), inner[1].name: inner[1].json(f.value)}
	}
	return out
}

func putFields(entry map[string]any, leaves []leaf, fields []field) error {
	for _, f := range fields {
		l := findLeaf(leaves, f.name)
		if l == nil {
			return fmt.Errorf("the model has no field %s", f.name)
		}
		values := f.list
		if l.sep != "" {
			values = strings.Split(f.value, l.sep)
		}
		if values == nil {
			entry[f.name] = l.json(f.value)
			continue
		}
		out := make([]any, len(values))
		for i, v := range slices.All(values) {
			out[i] = l.json(v)
		}
		entry[f.name] = out
	}
	return nil
}

// json is the value as RFC 7951 writes it.
func (l *leaf) json(v string) any {
	switch l.kind {
	case numberValue:
		return json.Number(v)
	case booleanValue:
		return v == "true"
	default:
		return v
	}
}
