package sonic

import (
	"encoding/json"
	"fmt"
	"slices"

	"railyard/vendors/clitree"
)

// Rows judges a running CONFIG_DB against the intended one as Compare does, and
// returns what differs and an RFC 6902 document that leads there, nil when nothing
// does. Unlike Patch's document this one gives every row that differs as a whole,
// since that is what a gNMI client sends, and it leaves nothing out: what the
// switch takes only with a reload is for the caller to hold back. A document that
// cannot be read wholly is an error.
func Rows(running, intended []byte, o clitree.Options) ([]clitree.Change, []byte, error) {
	run, err := wholly(running, "running")
	if err != nil {
		return nil, nil, err
	}
	want, err := wholly(intended, "intended")
	if err != nil {
		return nil, nil, err
	}
	pairs := run.pairs(want, o)
	if len(pairs) == 0 {
		return nil, nil, nil
	}
	var ops []diffOp
	for _, p := range slices.Backward(pairs) { // users go before what they use
		if p.want == nil {
			ops = append(ops, diffOp{Op: "remove", Path: diffPointer(p.table, p.key)})
		}
	}
	made := map[string]bool{}
	spelling := patchBuilder{run: run}
	for _, p := range pairs {
		if p.want == nil {
			continue
		}
		if !run.Has(p.table) && !made[p.table] {
			made[p.table] = true
			ops = append(ops, diffOp{Op: "add", Path: diffPointer(p.table), Value: map[string]any{}})
		}
		ops = append(ops, diffOp{Op: "add", Path: diffPointer(p.table, spelling.spelled(p)), Value: p.whole(o.Scope).json()})
	}
	patch, err := json.Marshal(ops)
	return run.Compare(want, o), patch, err
}

// whole is the row as it should stand: the switch's, with every field that counts
// and differs put right.
func (p diffPair) whole(scope clitree.Scope) diffRow {
	if p.run == nil {
		return p.want
	}
	row := diffRow{}
	for f, v := range p.run {
		row[f] = v
	}
	for _, f := range diffFields(p, scope) {
		if v, ok := p.want[f]; ok {
			row[f] = v
		} else {
			delete(row, f)
		}
	}
	return row
}

func wholly(text []byte, which string) (*DiffConfig, error) {
	c, problems := DiffRead(text)
	for _, s := range []clitree.Severity{clitree.Fatal, clitree.Doubt} {
		if p := clitree.Worst(problems, s); p != nil {
			return nil, fmt.Errorf("%s config_db: %s", which, p)
		}
	}
	return c, nil
}

// OwnTables are the tables whose rows are all railyard's, so that one which the
// intent lacks is a leftover, whether or not the intent has the table.
func OwnTables() []string {
	var list []string
	for _, t := range diffTables {
		if t.own == clitree.Always {
			list = append(list, t.name)
		}
	}
	return list
}
