package target

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// confdb is CONFIG_DB behind SONiC's native gNMI write: a request becomes a
// JSON patch, applied as a whole or not at all.
type confdb struct{ doc map[string]any }

func parseConfigDB(body []byte) (store, error) {
	c := &confdb{}
	if err := json.Unmarshal(body, &c.doc); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *confdb) dump() []byte {
	b, err := json.MarshalIndent(c.doc, "", "  ")
	if err != nil {
		return []byte(err.Error())
	}
	return append(b, '\n')
}

// place checks a path and returns what follows the namespace.
func place(p *gpb.Path) ([]string, error) {
	if p.GetOrigin() != "sonic-db" {
		return nil, status.Error(codes.Unimplemented, "Translib write is disabled")
	}
	e := p.GetElem()
	if len(e) < 2 || e[0].GetName() != "CONFIG_DB" || e[1].GetName() != "localhost" {
		return nil, status.Error(codes.InvalidArgument, "Failed to parse the path: no database or namespace")
	}
	var out []string
	for _, x := range e[2:] {
		if len(x.GetKey()) > 0 {
			return nil, status.Error(codes.InvalidArgument, "keys in a path element")
		}
		if strings.Contains(x.GetName(), "/") {
			return nil, status.Errorf(codes.InvalidArgument, "%q would be taken for several steps", x.GetName())
		}
		out = append(out, strings.NewReplacer("~1", "/", "~0", "~").Replace(x.GetName()))
	}
	return out, nil
}

func (c *confdb) get(p *gpb.Path, req *gpb.GetRequest) ([]*gpb.Update, error) {
	at, err := place(p)
	if err != nil {
		return nil, err
	}
	if req.GetType() != gpb.GetRequest_ALL {
		return nil, status.Errorf(codes.Unimplemented, "unsupported request type: %s", req.GetType())
	}
	if len(at) == 0 {
		return nil, status.Error(codes.Unimplemented, "a get of the whole database")
	}
	var v any = c.doc
	for _, s := range at {
		m, ok := v.(map[string]any)
		if v = m[s]; !ok || v == nil {
			return nil, status.Errorf(codes.NotFound, "no valid entry found on %v with key %s", at, s)
		}
	}
	if m, ok := v.(map[string]any); ok && len(at) == 1 {
		v = stored(m)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return []*gpb.Update{{Path: p, Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: b}}}}, nil
}

// stored shows rows without fields as the database does.
func stored(rows map[string]any) map[string]any {
	out := maps.Clone(rows)
	for k, v := range out {
		if m, ok := v.(map[string]any); ok && len(m) == 0 {
			out[k] = map[string]any{"NULL": "NULL"}
		}
	}
	return out
}

func (c *confdb) set(req *gpb.SetRequest) (store, error) {
	out := &confdb{}
	b := c.dump()
	if err := json.Unmarshal(b, &out.doc); err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	for _, p := range req.GetDelete() {
		at, err := place(p)
		if err != nil {
			return nil, err
		}
		out.remove(at)
	}
	for i, u := range slices.Concat(req.GetReplace(), req.GetUpdate()) {
		at, err := place(u.GetPath())
		if err != nil {
			return nil, err
		}
		body := u.GetVal().GetJsonIetfVal()
		if body == nil {
			return nil, status.Error(codes.InvalidArgument, "unsupported value type: JSON_IETF is required")
		}
		var v any
		if err := json.Unmarshal(body, &v); err != nil {
			return nil, status.Error(codes.InvalidArgument, err.Error())
		}
		if err := out.put(at, v, i < len(req.GetReplace())); err != nil {
			return nil, status.Error(codes.Internal, "Failed to apply patch: "+err.Error())
		}
	}
	if err := out.check(c); err != nil {
		return nil, status.Error(codes.Internal, "Failed to apply patch: "+err.Error())
	}
	return out, nil
}

// remove skips what does not exist, as the server does.
func (c *confdb) remove(at []string) {
	m := c.doc
	for i, s := range at {
		if i == len(at)-1 {
			delete(m, s)
			return
		}
		m, _ = m[s].(map[string]any)
	}
}

// put adds or replaces; neither merges, and neither makes what is above.
func (c *confdb) put(at []string, v any, replace bool) error {
	if len(at) == 0 {
		return fmt.Errorf("a change of the whole database")
	}
	m := c.doc
	for _, s := range at[:len(at)-1] {
		next, ok := m[s].(map[string]any)
		if !ok {
			return fmt.Errorf("member '%s' not found", s)
		}
		m = next
	}
	last := at[len(at)-1]
	if _, ok := m[last]; replace && !ok {
		return fmt.Errorf("can't replace a non-existent object '%s'", last)
	}
	m[last] = v
	return nil
}

// references are leafrefs that the models have: table, field, table it names.
var references = []struct{ table, field, to string }{
	{"PORT_QOS_MAP", "dscp_to_tc_map", "DSCP_TO_TC_MAP"}, {"PORT_QOS_MAP", "tc_to_queue_map", "TC_TO_QUEUE_MAP"},
	{"BUFFER_PG", "profile", "BUFFER_PROFILE"}, {"BUFFER_QUEUE", "profile", "BUFFER_PROFILE"}, {"BUFFER_PROFILE", "pool", "BUFFER_POOL"},
	{"QUEUE", "scheduler", "SCHEDULER"}, {"QUEUE", "wred_profile", "WRED_PROFILE"},
}

// check is what the server tests before it applies: rows of strings, no empty
// tables, references, and tables it does not change while running.
func (c *confdb) check(before *confdb) error {
	for table, v := range c.doc {
		rows, ok := v.(map[string]any)
		if !ok || len(rows) == 0 {
			return fmt.Errorf("table %s is empty", table)
		}
		for key, v := range rows {
			row, ok := v.(map[string]any)
			if !ok {
				return fmt.Errorf("%s|%s is not a row", table, key)
			}
			for field, v := range row {
				if !stringy(v) {
					return fmt.Errorf("%s|%s %s: only strings", table, key, field)
				}
			}
			port, _, _ := strings.Cut(key, "|")
			if table != "PORT" && strings.HasPrefix(port, "Ethernet") && !strings.Contains(port, ",") && !c.has("PORT", port) {
				return fmt.Errorf("%s|%s: no such port", table, key)
			}
		}
	}
	for _, r := range references {
		rows, _ := c.doc[r.table].(map[string]any)
		for key, v := range rows {
			row, _ := v.(map[string]any)
			if name, ok := row[r.field].(string); ok && name != "NULL" && !c.has(r.to, name) {
				return fmt.Errorf("%s|%s: %s names no row of %s", r.table, key, name, r.to)
			}
		}
	}
	a, _ := json.Marshal(before.doc["BUFFER_POOL"])
	b, _ := json.Marshal(c.doc["BUFFER_POOL"])
	if string(a) != string(b) {
		return fmt.Errorf("modification of BUFFER_POOL table is illegal- validating function returned False")
	}
	return nil
}

func (c *confdb) has(table, key string) bool {
	rows, _ := c.doc[table].(map[string]any)
	_, ok := rows[key]
	return ok
}

func stringy(v any) bool {
	switch v := v.(type) {
	case string:
		return true
	case []any:
		return !slices.ContainsFunc(v, func(x any) bool { return !stringy(x) })
	}
	return false
}
