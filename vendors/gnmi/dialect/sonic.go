package dialect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"railyard/vendors/gnmi"
)

// originSONiC names the database itself; any other origin goes to a translator
// that community images build without writing.
const originSONiC = "sonic-db"

// database is CONFIG_DB: table, row, fields.
type database map[string]map[string]map[string]any

// sonic writes whole rows of CONFIG_DB. The server makes a patch of the request
// and applies it as one transaction, after it has checked the result against
// the YANG models, and saves.
type sonic struct {
	intended database
	body     []byte
	tables   []string // sorted; what is read and written
	file     string
	ignore   []string
	differ   Differ
}

func newSonic(in Intent, body []byte, differ Differ) (*sonic, error) {
	d := &sonic{body: body, file: in.path("config_db.json"), ignore: in.Ignore, differ: differ}
	if err := json.Unmarshal(body, &d.intended); err != nil {
		return nil, fmt.Errorf("%s: config_db.json: %w", in.Switch, err)
	}
	d.tables = slices.Concat(differ.Tables, slices.Collect(maps.Keys(d.intended)))
	slices.Sort(d.tables)
	d.tables = slices.Compact(d.tables)
	return d, nil
}

func (*sonic) Name() string { return originSONiC }

// Read gets each table by itself: a Get of several fails as a whole when one is
// missing, and a Get of everything is unreliable (sonic-gnmi issue 147).
func (d *sonic) Read(ctx context.Context, r Reader) ([]byte, error) {
	db := database{}
	for _, table := range d.tables {
		list, err := get(ctx, r, gnmi.Path(originSONiC, "CONFIG_DB", "localhost", table), gpb.GetRequest_ALL, gpb.Encoding_JSON_IETF)
		if status.Code(err) == codes.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, u := range list {
			rows := map[string]map[string]any{}
			body := u.GetVal().GetJsonIetfVal()
			if body == nil {
				body = u.GetVal().GetJsonVal()
			}
			if err := json.Unmarshal(body, &rows); err != nil {
				return nil, fmt.Errorf("table %s is not an object of rows: %w", table, err)
			}
			for key, row := range rows {
				delete(row, "NULL") // how the database stores a row without fields
				if db[table] == nil {
					db[table] = map[string]map[string]any{}
				}
				db[table][key] = row
			}
		}
	}
	return json.Marshal(db)
}

func (d *sonic) Plan(running []byte) (*Plan, error) {
	diff, err := d.differ.Compare("sonic", running, d.body, d.ignore)
	if err != nil {
		return nil, err
	}
	var now database
	if err := json.Unmarshal(running, &now); err != nil {
		return nil, err
	}
	want := now.clone()
	if err := want.patch(diff.Patch); err != nil {
		return nil, fmt.Errorf("patch: %w", err)
	}
	p := &Plan{}
	p.Host = now.host()
	for _, r := range diff.Remarks {
		p.Manual = append(p.Manual, Manual{What: r, File: d.file})
	}
	reload := d.hold(now, want)
	if len(reload) > 0 {
		p.Manual = append(p.Manual, Manual{What: "changes that SONiC takes only with a reload, which stops traffic: " + strings.Join(reload, ", "),
			File: d.file, Commands: []string{"config reload -y config_db.json", "config save -y"}})
	}
	rows := now.differing(want)
	p.Requests, err = requests(now, want, rows)
	if err != nil {
		return nil, err
	}
	p.Changes = rowChanges(now, want, rows)
	if flap := flapping(rows); flap > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("SONiC takes ports down and up again (%d) to change their buffers or maps", flap))
	}
	p.Undo, err = undo(now, rows)
	return p, err
}

func (*sonic) Host(running []byte) string {
	var now database
	if json.Unmarshal(running, &now) != nil {
		return ""
	}
	return now.host()
}

func (db database) host() string {
	name, _ := db["DEVICE_METADATA"]["localhost"]["hostname"].(string)
	return name
}

// hold puts back what SONiC refuses to change while it runs, what refers to it,
// and what could cut the switch off; it names each.
func (d *sonic) hold(now, want database) (held []string) {
	rows := now.differing(want)
	pools := slices.ContainsFunc(rows, func(r rowName) bool { return r.table == "BUFFER_POOL" })
	ports := map[string]bool{}
	for _, r := range rows {
		before, after := now[r.table][r.key], want[r.table][r.key]
		if r.table == "PORT" && (before == nil || after == nil || !reflect.DeepEqual(before["lanes"], after["lanes"])) {
			ports[r.key] = true
		}
	}
	for _, r := range rows {
		port, _, _ := strings.Cut(r.key, "|")
		why := ""
		switch {
		case ports[port]:
			why = " (the port itself changes)"
		case pools && strings.HasPrefix(r.table, "BUFFER_"):
			why = " (buffers belong to a pool that changes)"
		default:
			why = fixed(r, now[r.table][r.key], want[r.table][r.key])
		}
		if why == "" {
			continue
		}
		held = append(held, r.table+" "+r.key+why)
		if old, ok := now[r.table][r.key]; ok {
			if want[r.table] == nil {
				want[r.table] = map[string]map[string]any{}
			}
			want[r.table][r.key] = old
		} else {
			delete(want[r.table], r.key)
		}
	}
	want.tidy()
	return held
}

// fixed says why a row cannot change by itself, "" where it can.
func fixed(r rowName, before, after map[string]any) string {
	switch r.table {
	case "DEVICE_METADATA", "BREAKOUT_CFG":
		return " (read at start only)"
	case "GNMI", "GNMI_CLIENT_CERT", "MGMT_INTERFACE", "MGMT_PORT", "MGMT_VRF_CONFIG":
		return " (how the switch is reached)"
	case "PFC_WD", "LOOPBACK_INTERFACE":
		if (r.key == "GLOBAL" || r.key == "Loopback0") && after == nil {
			return " (cannot be removed)"
		}
	}
	if holdsSecret(before) || holdsSecret(after) {
		return " (holds a secret)"
	}
	return ""
}

func holdsSecret(row map[string]any) bool {
	for k := range row {
		if gnmi.SecretField(k) {
			return true
		}
	}
	return false
}

// flapping counts the ports that a change of these rows takes down for a moment
// (generic config updater, change of BUFFER_PG, BUFFER_QUEUE, PORT_QOS_MAP, QUEUE).
func flapping(rows []rowName) int {
	ports := map[string]bool{}
	for _, r := range rows {
		port, _, _ := strings.Cut(r.key, "|")
		switch r.table {
		case "BUFFER_PG", "BUFFER_QUEUE", "PORT_QOS_MAP", "QUEUE":
			if port != "global" {
				ports[port] = true
			}
		}
	}
	return len(ports)
}

// undo is what the rows were: null for one that did not exist.
func undo(now database, rows []rowName) ([]byte, error) {
	out := map[string]map[string]map[string]any{}
	for _, r := range rows {
		if out[r.table] == nil {
			out[r.table] = map[string]map[string]any{}
		}
		out[r.table][r.key] = now[r.table][r.key]
	}
	return json.Marshal(out)
}

func (d *sonic) Back(now, undo []byte) (*Plan, error) {
	var have, old database
	if err := json.Unmarshal(now, &have); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(undo, &old); err != nil {
		return nil, err
	}
	want := have.clone()
	for table, rows := range old {
		for key, row := range rows {
			if row == nil {
				delete(want[table], key)
				continue
			}
			if want[table] == nil {
				want[table] = map[string]map[string]any{}
			}
			want[table][key] = row
		}
	}
	want.tidy()
	rows := have.differing(want)
	p := &Plan{}
	p.Changes = rowChanges(have, want, rows)
	var err error
	p.Requests, err = requests(have, want, rows)
	return p, err
}

// rowChanges shows rows as diff does: the fields that differ, (row) for a row
// without fields.
func rowChanges(from, to database, rows []rowName) []Change {
	var list []Change
	for _, r := range rows {
		before, after := fields(from[r.table][r.key]), fields(to[r.table][r.key])
		c := Change{Path: []string{r.table, r.key}, Remove: without(before, after), Add: without(after, before)}
		_, was := from[r.table][r.key]
		_, will := to[r.table][r.key]
		if len(c.Remove)+len(c.Add) == 0 && was && !will {
			c.Remove = []string{"(row)"}
		}
		if len(c.Remove)+len(c.Add) == 0 && will && !was {
			c.Add = []string{"(row)"}
		}
		list = append(list, c)
	}
	return list
}

func without(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}

func fields(row map[string]any) []string {
	list := []string{}
	for _, k := range slices.Sorted(maps.Keys(row)) {
		if gnmi.SecretField(k) {
			list = append(list, k+"=(not shown)")
			continue
		}
		b, _ := json.Marshal(row[k]) // decoded from JSON, so it encodes
		list = append(list, k+"="+string(bytes.Trim(b, `"`)))
	}
	return list
}
