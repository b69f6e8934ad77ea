package diff

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"railyard/vendors/clitree"
)

// closed refuses members that the schema does not tell of.
func closed(x any) {
	switch x := x.(type) {
	case map[string]any:
		if x["type"] == "object" {
			x["additionalProperties"] = false
		}
		for _, v := range x {
			closed(v)
		}
	case []any:
		for _, v := range x {
			closed(v)
		}
	}
}

// TestSchema holds reports of every outcome to the schema, which has every member.
func TestSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	closed(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("diff.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("diff.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := tree(t, map[string]string{"same": eosA, "other": eosB, "cut": eosA[:30], "pager": "! device: x\n--More--\n" + eosA, "stranger.cfg": "! device: stranger (DCS-7060X6-64PE, EOS-4.34.2F)\n" + eosA})
	all, err := Run(context.Background(), dir, "", intentOf([]string{"same", "other", "cut", "gone", "pager"}, eosA), Options{})
	if err != nil {
		t.Fatal(err)
	}
	all.Switches = append(all.Switches, Result{Name: "dark", OS: "eos", Status: Unreachable, Reason: "no answer", File: "gnmi://192.0.2.1:6030"},
		Result{Name: "moved", OS: "eos", Status: Differs, Changes: []clitree.Change{{Path: []string{"a"}, Remove: []string{"1"}, Add: []string{"2"}, Reordered: true, Note: "x"}}})
	for _, r := range []*Report{all, {}} {
		var b bytes.Buffer
		if err := r.JSON(&b); err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal(b.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(got); err != nil {
			t.Errorf("%v\n%s", err, b.String())
		}
	}
	seen := map[Status]bool{}
	for _, x := range all.Switches {
		seen[x.Status] = true
	}
	if len(seen) != 6 {
		t.Errorf("outcomes %v", seen)
	}
}
