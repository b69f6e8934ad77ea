package dialect

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Reopen makes a dialect that can only read and go back, from its name and the
// Undo of an earlier plan. The intent of that time is not needed. What ignore names
// is left alone on the way back too.
func Reopen(name, os string, undo []byte, ignore []string, differ Differ) (Dialect, error) {
	switch name {
	case originCLI:
		return &eos{ignore: ignore, differ: differ}, nil
	case originSONiC:
		var old database
		if err := json.Unmarshal(undo, &old); err != nil {
			return nil, fmt.Errorf("undo file: %w", err)
		}
		return &sonic{intended: database{}, body: []byte("{}"), tables: slices.Sorted(maps.Keys(old)), ignore: ignore, differ: differ}, nil
	case "openconfig":
		var list []savedUnit
		if err := json.Unmarshal(undo, &list); err != nil {
			return nil, fmt.Errorf("undo file: %w", err)
		}
		d := &openConfig{flavor: flavors[os], doc: map[string]any{}}
		if d.most == 0 {
			d.most = mostOpenConfig
		}
		for _, s := range list {
			if len(s.At) > 0 && !slices.Contains(d.tops, s.At[0].Name) {
				d.tops = append(d.tops, s.At[0].Name)
			}
		}
		slices.Sort(d.tops)
		return d, nil
	}
	return nil, fmt.Errorf("the undo file is of the dialect %q, which nobody knows", name)
}
