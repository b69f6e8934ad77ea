package target

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Line is one difference that PlainDiff found.
type Line struct {
	Path   []string
	Remove []string
	Add    []string
}

// PlainDiff compares two configurations to the letter and makes the patch: lines
// for EOS, RFC 6902 for SONiC. It knows no defaults and owns everything, so it
// is for tests that must not depend on the real comparison.
func PlainDiff(os string, running, intended []byte) ([]Line, []byte, error) {
	if os == "sonic" {
		return plainRows(running, intended)
	}
	a, err := parseCLI(running)
	if err != nil {
		return nil, nil, fmt.Errorf("running: %w", err)
	}
	b, err := parseCLI(intended)
	if err != nil {
		return nil, nil, fmt.Errorf("intended: %w", err)
	}
	var lines []Line
	var patch strings.Builder
	plainSection(nil, a.(*cli).root, b.(*cli).root, &lines, &patch)
	return lines, []byte(patch.String()), nil
}

func (s *section) sub(key string) *section {
	i := slices.IndexFunc(s.subs, func(x *section) bool { return x.key == key })
	if i < 0 {
		return nil
	}
	return s.subs[i]
}

func plainSection(path []string, run, want *section, lines *[]Line, patch *strings.Builder) {
	pad := strings.Repeat("   ", len(path))
	for _, x := range run.subs {
		if want.sub(x.key) != nil {
			continue
		}
		*lines = append(*lines, Line{Path: path, Remove: []string{x.line}})
		if positive, ok := strings.CutPrefix(x.line, "no "); ok {
			fmt.Fprintf(patch, "%s%s\n", pad, positive)
		} else {
			fmt.Fprintf(patch, "%sno %s\n", pad, x.key)
		}
	}
	for _, w := range want.subs {
		old := run.sub(w.key)
		l := Line{Path: path, Add: []string{w.line}}
		if old == nil {
			old = &section{}
		} else {
			l.Remove = []string{old.line}
		}
		var inner strings.Builder
		at := append(slices.Clone(path), w.line)
		before := len(*lines)
		plainSection(at, old, w, lines, &inner)
		if old.line != w.line {
			*lines = slices.Insert(*lines, before, l)
		}
		if old.line != w.line || inner.Len() > 0 {
			fmt.Fprintf(patch, "%s%s\n%s", pad, w.line, inner.String())
			if w.word.mode != "" {
				fmt.Fprintf(patch, "%sexit\n", pad+"   ")
			}
		}
	}
}

func plainRows(running, intended []byte) ([]Line, []byte, error) {
	var a, b map[string]map[string]map[string]any
	if err := json.Unmarshal(running, &a); err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(intended, &b); err != nil {
		return nil, nil, err
	}
	type op struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}
	var ops []op
	var lines []Line
	esc := strings.NewReplacer("~", "~0", "/", "~1")
	for _, table := range slices.Sorted(maps.Keys(b)) {
		if a[table] == nil {
			ops = append(ops, op{"add", "/" + esc.Replace(table), map[string]any{}})
		}
		for _, key := range slices.Sorted(maps.Keys(b[table])) {
			old, ok := a[table][key]
			if ok && (reflect.DeepEqual(old, b[table][key]) || len(old)+len(b[table][key]) == 0) {
				continue
			}
			ops = append(ops, op{"add", "/" + esc.Replace(table) + "/" + esc.Replace(key), b[table][key]})
			lines = append(lines, Line{Path: []string{table, key}, Add: []string{fmt.Sprint(b[table][key])}})
		}
		for _, key := range slices.Sorted(maps.Keys(a[table])) {
			if _, ok := b[table][key]; !ok {
				ops = append(ops, op{Op: "remove", Path: "/" + esc.Replace(table) + "/" + esc.Replace(key)})
				lines = append(lines, Line{Path: []string{table, key}, Remove: []string{fmt.Sprint(a[table][key])}})
			}
		}
	}
	if len(ops) == 0 {
		return nil, nil, nil
	}
	patch, err := json.Marshal(ops)
	return lines, patch, err
}
