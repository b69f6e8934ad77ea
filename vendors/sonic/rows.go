package sonic

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// RowChange is one row of CONFIG_DB that differs: fields as "name=value".
type RowChange struct {
	Table, Key  string
	Remove, Add []string
}

// ownRows are the tables whose rows are railyard's alone, so that a row which the
// intent lacks is a leftover. Elsewhere the device and the site keep rows of their own.
var ownRows = []string{
	"BGP_NEIGHBOR", "INTERFACE", "LOOPBACK_INTERFACE", "PFC_WD", "QUEUE", "VLAN", "VLAN_INTERFACE", "VLAN_MEMBER",
}

type rows map[string]map[string]map[string]any

type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Rows compares the tables of an intended config_db.json with a running one and
// returns what differs and an RFC 6902 document that leads there, nil when nothing
// does. A field or table that the intent does not name is left as it is: the
// device fills in fields of its own (mac, platform, defaults). Rows of tables that
// only railyard writes are removed when the intent lacks them. Every changed row
// is given whole, since that is what CONFIG_DB takes in one transaction.
func Rows(running, intended []byte) ([]RowChange, []byte, error) {
	var have, want rows
	if err := json.Unmarshal(running, &have); err != nil {
		return nil, nil, fmt.Errorf("running config_db: %w", err)
	}
	if err := json.Unmarshal(intended, &want); err != nil {
		return nil, nil, fmt.Errorf("intended config_db: %w", err)
	}
	var changes []RowChange
	var gone, come []operation
	for _, table := range slices.Sorted(maps.Keys(want)) {
		if slices.Contains(ownRows, table) {
			// A base row goes after the rows that need it, and comes before them.
			for _, key := range slices.Backward(slices.Sorted(maps.Keys(have[table]))) {
				if _, ok := want[table][key]; !ok {
					gone = append(gone, operation{Op: "remove", Path: pointer(table, key)})
					changes = append(changes, RowChange{table, key, fieldTexts(have[table][key]), nil})
				}
			}
		}
		if have[table] == nil {
			come = append(come, operation{"add", pointer(table), map[string]any{}})
		}
		for _, key := range slices.Sorted(maps.Keys(want[table])) {
			old, exists := have[table][key]
			row, change := merge(old, want[table][key])
			if exists && len(change.Add) == 0 {
				continue
			}
			if !exists && len(change.Add) == 0 {
				change.Add = []string{"(row)"}
			}
			change.Table, change.Key = table, key
			changes = append(changes, change)
			come = append(come, operation{"add", pointer(table, key), row})
		}
	}
	if len(changes) == 0 {
		return nil, nil, nil
	}
	patch, err := json.Marshal(append(gone, come...))
	return changes, patch, err
}

// merge lays the intended fields over the device's.
func merge(old, want map[string]any) (map[string]any, RowChange) {
	row := map[string]any{}
	maps.Copy(row, old)
	var change RowChange
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if was, ok := old[name]; ok && reflect.DeepEqual(was, want[name]) {
			continue
		} else if ok {
			change.Remove = append(change.Remove, fieldText(name, was))
		}
		row[name] = want[name]
		change.Add = append(change.Add, fieldText(name, want[name]))
	}
	return row, change
}

func fieldTexts(row map[string]any) []string {
	if len(row) == 0 {
		return []string{"(row)"}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(row)) {
		out = append(out, fieldText(name, row[name]))
	}
	return out
}

func fieldText(name string, value any) string {
	if list, ok := value.([]any); ok {
		var parts []string
		for _, v := range list {
			parts = append(parts, fmt.Sprint(v))
		}
		return name + "=" + strings.Join(parts, ",")
	}
	return name + "=" + fmt.Sprint(value)
}

// pointer is a JSON pointer (RFC 6901).
func pointer(parts ...string) string {
	esc := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("/" + esc.Replace(p))
	}
	return b.String()
}
