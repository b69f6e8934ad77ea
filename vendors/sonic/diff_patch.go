package sonic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// diffOp is one operation of an RFC 6902 patch.
type diffOp struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// Patch returns an RFC 6902 document for "config apply-patch" and what a person
// must know or do besides. The document is nil when nothing can be applied.
//
// It keeps to what the switch's updater accepts (GCU): no empty tables, values as
// strings, whole rows where single fields are refused, and nothing at all about
// buffer pools and other things that only a reload changes; those are in notes.
func (c *DiffConfig) Patch(intended *DiffConfig, o clitree.Options) (doc []byte, notes []string, err error) {
	b := &patchBuilder{run: c, want: intended, scope: o.Scope, gone: map[string]int{}, made: map[string]bool{}, flaps: map[string]bool{}}
	pairs := c.pairs(intended, o)
	for _, p := range pairs {
		if p.want == nil && b.allowed(p) {
			b.gone[p.table]++
		}
	}
	// Users go before what they use, and come after it.
	for i := len(pairs) - 1; i >= 0; i-- {
		if pairs[i].want == nil {
			b.remove(pairs[i])
		}
	}
	for _, p := range pairs {
		if p.want != nil {
			b.set(p)
		}
	}
	b.remarks()
	if len(b.ops) == 0 {
		return nil, b.notes, nil
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(b.ops)
	return buf.Bytes(), b.notes, err
}

type patchBuilder struct {
	run, want *DiffConfig
	scope     clitree.Scope
	ops       []diffOp
	notes     []string
	gone      map[string]int  // rows that go, by table
	made      map[string]bool // tables that an operation has made
	dropped   []string        // tables removed as a whole
	flaps     map[string]bool // ports that go down for a moment
	watchdog  bool
	lanes     bool
}

func (b *patchBuilder) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !slices.Contains(b.notes, s) {
		b.notes = append(b.notes, s)
	}
}

// allowed says whether the updater takes a change of the row.
func (b *patchBuilder) allowed(p diffPair) bool {
	switch {
	case p.table == "BUFFER_POOL":
		b.note("needs config reload, not in the patch: %s|%s (apply-patch refuses buffer pools)", p.table, p.key)
		return false
	case p.want == nil && p.table == "PFC_WD" && p.key == "GLOBAL", p.want == nil && p.table == "LOOPBACK_INTERFACE" && p.key == "Loopback0":
		b.note("needs config reload, not in the patch: removal of %s|%s (apply-patch refuses it)", p.table, p.key)
		return false
	}
	return true
}

// diffPointer is a JSON pointer; slashes in keys are written ~1.
func diffPointer(parts ...string) string {
	r := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(r.Replace(p))
	}
	return b.String()
}

func (b *patchBuilder) remove(p diffPair) {
	if !b.allowed(p) || slices.Contains(b.dropped, p.table) {
		return
	}
	b.mind(p)
	stays := 0
	for _, w := range b.want.tables[p.table].order {
		if _, ok := b.run.tables[p.table].rows[w]; ok {
			stays++
		}
	}
	// The last rows go with their table: an empty one is refused.
	if len(b.run.tables[p.table].rows) == b.gone[p.table] && stays == 0 {
		b.dropped = append(b.dropped, p.table)
		b.ops = append(b.ops, diffOp{Op: "remove", Path: diffPointer(p.table)})
		return
	}
	b.ops = append(b.ops, diffOp{Op: "remove", Path: diffPointer(p.table, p.key)})
}

func (b *patchBuilder) set(p diffPair) {
	if !b.allowed(p) {
		return
	}
	b.mind(p)
	_, have := b.run.tables[p.table]
	have = have && !slices.Contains(b.dropped, p.table) || b.made[p.table]
	switch {
	case p.run == nil && !have:
		b.made[p.table] = true
		b.ops = append(b.ops, diffOp{Op: "add", Path: diffPointer(p.table), Value: map[string]any{p.key: p.want.json()}})
	case p.run == nil:
		b.ops = append(b.ops, diffOp{Op: "add", Path: diffPointer(p.table, p.key), Value: p.want.json()})
	default:
		b.fields(p)
	}
}

// fields sends the fields of a row that stays.
func (b *patchBuilder) fields(p diffPair) {
	list := diffFields(p, b.scope)
	key := b.spelled(p)
	if p.table == "BUFFER_PROFILE" && slices.ContainsFunc(list, func(f string) bool {
		_, has := p.run[f]
		return f != "dynamic_th" && f != "xoff" || !has || p.want[f].String() == ""
	}) {
		b.ops = append(b.ops, diffOp{Op: "add", Path: diffPointer(p.table, key), Value: p.want.json()})
		return
	}
	for _, f := range raisedFirst(p, list) {
		w, wanted := p.want[f]
		_, has := p.run[f]
		switch {
		case !wanted:
			b.ops = append(b.ops, diffOp{Op: "remove", Path: diffPointer(p.table, key, f)})
		case has:
			b.ops = append(b.ops, diffOp{Op: "replace", Path: diffPointer(p.table, key, f), Value: w.json()})
		default:
			b.ops = append(b.ops, diffOp{Op: "add", Path: diffPointer(p.table, key, f), Value: w.json()})
		}
		if why, ok := diffReload[p.table+"."+f]; ok {
			b.note("needs config reload to take effect: %s|%s %s (%s)", p.table, key, f, why)
		}
	}
}

// spelled is the key of a row as the switch has it.
func (b *patchBuilder) spelled(p diffPair) string {
	for _, key := range b.run.tables[p.table].order {
		if diffKey(key) == diffKey(p.key) {
			return key
		}
	}
	return p.key
}

// raisedFirst orders WRED thresholds so that the maximum never stands below the
// minimum on the way (YANG; ISSUE 24933).
func raisedFirst(p diffPair, list []string) []string {
	if p.table != "WRED_PROFILE" {
		return list
	}
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b string) int {
		ca, cb := strings.Contains(a, "_max_"), strings.Contains(b, "_max_")
		if ca == cb || !strings.Contains(a, "_threshold") || !strings.Contains(b, "_threshold") {
			return 0
		}
		up := naturalCompare(diffNormal(p.table, a, p.want[a]), diffNormal(p.table, a, p.run[a])) > 0
		if ca == up {
			return -1
		}
		return 1
	})
	return out
}

func (r diffRow) json() map[string]any {
	out := make(map[string]any, len(r))
	for f, v := range r {
		out[f] = v.json()
	}
	return out
}

func (v diffValue) json() any {
	if v.many {
		return v.list
	}
	return v.text
}

// mind collects side effects of the change of a row.
func (b *patchBuilder) mind(p diffPair) {
	switch p.table {
	case "BUFFER_PG", "BUFFER_QUEUE", "QUEUE", "PORT_QOS_MAP", "BUFFER_PORT_INGRESS_PROFILE_LIST", "BUFFER_PORT_EGRESS_PROFILE_LIST":
		port, _, _ := strings.Cut(p.key, "|")
		b.flaps[port] = true
	case "PFC_WD":
		b.watchdog = true
	case "PORT":
		if p.run == nil || p.want == nil {
			b.lanes = true
		}
	}
}

// manyPorts is how many ports one patch should touch: sorting more took the
// updater hours (ISSUE 23945).
const manyPorts = 20

func (b *patchBuilder) remarks() {
	if b.lanes {
		b.note("ports come or go: config reload is the safer way than apply-patch")
	}
	if n := len(b.flaps); n > 0 {
		b.note("apply-patch takes %d ports down and up again to change their queues or buffers", n)
	}
	if len(b.flaps) > manyPorts {
		b.note("many ports at once can keep apply-patch busy for hours: apply in parts of at most %d ports, or reload", manyPorts)
	}
	if b.watchdog {
		b.note("apply-patch takes PFC_WD only on the hardware SKUs its list holds; elsewhere reload")
	}
}
