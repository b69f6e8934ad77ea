package dialect

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/gnmi"
)

type rowName struct{ table, key string }

// clone copies tables and rows; rows themselves are never changed in place.
func (db database) clone() database {
	out := database{}
	for t, rows := range db {
		out[t] = maps.Clone(rows)
	}
	return out
}

// tidy drops tables without rows, which the database cannot hold.
func (db database) tidy() {
	maps.DeleteFunc(db, func(_ string, rows map[string]map[string]any) bool { return len(rows) == 0 })
}

// differing lists the rows that are not the same, sorted.
func (db database) differing(other database) []rowName {
	var list []rowName
	for t, rows := range db {
		for k, row := range rows {
			if twin, ok := other[t][k]; !ok || !reflect.DeepEqual(norm(row), norm(twin)) {
				list = append(list, rowName{t, k})
			}
		}
	}
	for t, rows := range other {
		for k := range rows {
			if _, ok := db[t][k]; !ok {
				list = append(list, rowName{t, k})
			}
		}
	}
	slices.SortFunc(list, func(a, b rowName) int {
		return cmp.Or(cmp.Compare(a.table, b.table), cmp.Compare(a.key, b.key))
	})
	return list
}

func norm(row map[string]any) map[string]any {
	if len(row) == 0 {
		return nil
	}
	return row
}

// patch applies an RFC 6902 document with the operations that SONiC knows.
func (db database) patch(doc []byte) error {
	if len(strings.TrimSpace(string(doc))) == 0 {
		return nil
	}
	var ops []struct {
		Op, Path string
		Value    json.RawMessage
	}
	if err := json.Unmarshal(doc, &ops); err != nil {
		return err
	}
	for _, op := range ops {
		if err := db.apply(op.Op, op.Path, op.Value); err != nil {
			return fmt.Errorf("%s %s: %w", op.Op, op.Path, err)
		}
	}
	db.tidy()
	return nil
}

var pointer = strings.NewReplacer("~1", "/", "~0", "~")

func (db database) apply(op, path string, value json.RawMessage) error {
	parts := strings.Split(path, "/")
	if parts[0] != "" || len(parts) < 2 || len(parts) > 4 {
		return errors.New("not a path of table, row and field")
	}
	for i := range parts {
		parts[i] = pointer.Replace(parts[i])
	}
	table := parts[1]
	switch op {
	case "test":
		return nil
	case "add", "replace", "remove":
	default:
		return errors.New("an operation that SONiC does not know")
	}
	if op == "remove" {
		return db.remove(parts[1:])
	}
	if len(parts) == 2 {
		var rows map[string]map[string]any
		err := json.Unmarshal(value, &rows)
		db[table] = rows
		return err
	}
	if db[table] == nil {
		db[table] = map[string]map[string]any{}
	}
	if len(parts) == 3 {
		row := map[string]any{}
		err := json.Unmarshal(value, &row)
		db[table][parts[2]] = row
		return err
	}
	row := maps.Clone(db[table][parts[2]])
	if row == nil {
		return errors.New("the row does not exist")
	}
	var v any
	err := json.Unmarshal(value, &v)
	row[parts[3]] = v
	db[table][parts[2]] = row
	return err
}

func (db database) remove(parts []string) error {
	rows, ok := db[parts[0]]
	if !ok {
		return errors.New("the table does not exist")
	}
	if len(parts) == 1 {
		delete(db, parts[0])
		return nil
	}
	row, ok := rows[parts[1]]
	switch {
	case !ok:
		return errors.New("the row does not exist")
	case len(parts) == 2:
		delete(rows, parts[1])
	default:
		row = maps.Clone(row)
		delete(row, parts[2])
		rows[parts[1]] = row
	}
	return nil
}

const (
	// rowsAtOnce is the size up to which a change is one transaction.
	rowsAtOnce = 400
	// portsAtOnce bounds the ports of one request beyond that: the server's sorter
	// gets very slow with many (sonic-buildimage issue 23945).
	portsAtOnce = 16
	// mostSonic is the server's default limit for a request, 4 MiB, less a margin.
	mostSonic = 4<<20 - 64<<10
)

// requests turns rows into transactions. More than rowsAtOnce rows are cut so
// that each step leaves a valid database: first what ports refer to, then the
// ports in groups, last what nothing refers to any more.
func requests(now, want database, rows []rowName) ([]*gpb.SetRequest, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	groups := [][]rowName{rows}
	if len(rows) > rowsAtOnce {
		groups = cut(want, rows)
	}
	state := now.clone()
	var list []*gpb.SetRequest
	for _, g := range groups {
		req, err := state.request(want, g)
		if err != nil {
			return nil, err
		}
		if n := gnmi.Size(req); n > mostSonic {
			return nil, fmt.Errorf("a request of %d bytes: SONiC takes at most 4 MiB; load the file instead", n)
		}
		list = append(list, req)
	}
	return list, nil
}

func cut(want database, rows []rowName) [][]rowName {
	var first, last []rowName
	perPort := map[string][]rowName{}
	for _, r := range rows {
		port, _, _ := strings.Cut(r.key, "|")
		_, stays := want[r.table][r.key]
		switch {
		case strings.HasPrefix(port, "Ethernet"):
			perPort[port] = append(perPort[port], r)
		case stays:
			first = append(first, r)
		default:
			last = append(last, r)
		}
	}
	groups := [][]rowName{}
	if len(first) > 0 {
		groups = append(groups, first)
	}
	for ports := range slices.Chunk(slices.Sorted(maps.Keys(perPort)), portsAtOnce) {
		var g []rowName
		for _, p := range ports {
			g = append(g, perPort[p]...)
		}
		groups = append(groups, g)
	}
	if len(last) > 0 {
		groups = append(groups, last)
	}
	return groups
}

// request makes one transaction and moves the state on. An update replaces what
// it names and does not merge, so it names a row, or a table that does not exist.
func (db database) request(want database, rows []rowName) (*gpb.SetRequest, error) {
	req := &gpb.SetRequest{}
	old := db.clone()
	for _, r := range rows {
		if row, ok := want[r.table][r.key]; ok {
			if db[r.table] == nil {
				db[r.table] = map[string]map[string]any{}
			}
			db[r.table][r.key] = row
		} else {
			delete(db[r.table], r.key)
		}
	}
	db.tidy()
	whole := map[string]bool{}
	for _, r := range rows {
		if whole[r.table] {
			continue
		}
		path := gnmi.Path(originSONiC, "CONFIG_DB", "localhost", element(r.table))
		switch {
		case old[r.table] == nil:
			whole[r.table] = true
			u, err := jsonUpdate(path, db[r.table])
			if err != nil {
				return nil, err
			}
			req.Update = append(req.Update, u)
			continue
		case db[r.table] == nil:
			whole[r.table] = true
			req.Delete = append(req.Delete, path)
			continue
		}
		path.Elem = append(path.Elem, &gpb.PathElem{Name: element(r.key)})
		row, stays := db[r.table][r.key]
		if !stays {
			req.Delete = append(req.Delete, path)
			continue
		}
		if row == nil {
			row = map[string]any{}
		}
		u, err := jsonUpdate(path, row)
		if err != nil {
			return nil, err
		}
		if _, existed := old[r.table][r.key]; existed {
			req.Replace = append(req.Replace, u)
		} else {
			req.Update = append(req.Update, u)
		}
	}
	return req, nil
}

// element writes a name as the server reads it: a slash would be taken for a
// step of the JSON pointer that the server makes of the path.
func element(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

func jsonUpdate(path *gpb.Path, v any) (*gpb.Update, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return &gpb.Update{Path: path, Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: b}}}, nil
}
