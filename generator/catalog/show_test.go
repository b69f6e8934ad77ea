package catalog

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// Every entry shows the same in both forms, and the list names each once.
func TestShowsEveryEntry(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var list bytes.Buffer
	if err := c.JSON(&list); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Entries []struct{ Kind, ID, What, Confidence string }
	}
	if err := json.Unmarshal(list.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	for _, e := range doc.Entries {
		if e.Kind == "" || e.What == "" || !slices.Contains([]string{"doc", "field", "inferred", "unverified"}, e.Confidence) {
			t.Errorf("entry %+v", e)
		}
		var text, js bytes.Buffer
		if err := c.Show(&text, e.ID); err != nil {
			t.Error(err)
		}
		if err := c.ShowJSON(&js, e.ID); err != nil {
			t.Error(err)
		}
		var fromText map[string]any
		var fromJSON struct{ Entry map[string]any }
		if err := yaml.Unmarshal(text.Bytes(), &fromText); err != nil {
			t.Error(err)
		}
		if err := json.Unmarshal(js.Bytes(), &fromJSON); err != nil {
			t.Error(err)
		}
		again, err := json.Marshal(fromText)
		if err != nil {
			t.Error(err)
		}
		other, err := json.Marshal(fromJSON.Entry)
		if err != nil {
			t.Error(err)
		}
		if !bytes.Equal(again, other) || fromText["id"] != e.ID {
			t.Errorf("%s shows %s as YAML and %s as JSON", e.ID, again, other)
		}
	}
	if len(doc.Entries) != len(c.IDs()) || len(doc.Entries) < 50 {
		t.Errorf("%d entries, %d ids", len(doc.Entries), len(c.IDs()))
	}
}

func TestUnknownEntryNamesANearOne(t *testing.T) {
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Show(&bytes.Buffer{}, "nvidia-sn5060"); err == nil || !strings.Contains(err.Error(), "did you mean nvidia-sn5600?") {
		t.Errorf("%v", err)
	}
}
