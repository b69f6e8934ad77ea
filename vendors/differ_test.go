package vendors_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"railyard/vendors"
	"railyard/vendors/clitree"
	"railyard/vendors/diff"
	"railyard/vendors/gnmi/dialect"
)

// TestPushAndDiffJudgeAlike: what push shows of two configurations is what diff
// says of them, and what it sends leads to no difference.
func TestPushAndDiffJudgeAlike(t *testing.T) {
	differ, err := vendors.NewDiffer()
	if err != nil {
		t.Fatal(err)
	}
	engines, err := diff.Load()
	if err != nil {
		t.Fatal(err)
	}
	ignore := []string{"ntp *", "logging *", "NTP*", "SYSLOG_SERVER*", "info-center *"}
	for _, system := range []string{"eos", "sonic", "comware", "vrp"} {
		names, err := filepath.Glob("../fixtures/running/" + system + "/*")
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, a := range names {
			for _, b := range names {
				pushed, report, ok := both(t, engines, differ, system, a, b, ignore)
				if !ok {
					continue
				}
				compared++
				var shown []dialect.Change
				for _, c := range report.Changes {
					shown = append(shown, dialect.Change(c))
				}
				if d := cmp.Diff(shown, pushed.Changes, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("%s to %s: diff and push (-diff +push):\n%.2000s", a, b, d)
				}
				if (len(pushed.Changes) == 0) != (report.Status == diff.Same) {
					t.Errorf("%s to %s: diff says %s, push shows %d changes", a, b, report.Status, len(pushed.Changes))
				}
			}
		}
		if compared < 3 {
			t.Errorf("%s: only %d pairs could be compared", system, compared)
		}
	}
}

func both(t *testing.T, engines *diff.Engines, differ dialect.Differ, system, a, b string, ignore []string) (dialect.Difference, diff.Result, bool) {
	t.Helper()
	run, err := os.ReadFile(a)
	if err != nil {
		return dialect.Difference{}, diff.Result{}, false // a folder
	}
	want, err := os.ReadFile(b)
	if err != nil {
		return dialect.Difference{}, diff.Result{}, false
	}
	pushed, err := differ.Compare(system, run, want, ignore)
	if err != nil {
		return pushed, diff.Result{}, false // push is the stricter: it refuses half a text
	}
	report, err := engines.Pair(system, diff.File{Name: a, Body: run}, diff.File{Name: b, Body: want}, diff.Options{Options: clitree.Options{Ignore: ignore}})
	if err != nil || len(report.Switches) != 1 {
		t.Fatalf("%s to %s: %v", a, b, err)
	}
	if r := report.Switches[0]; r.Status == diff.Unreadable {
		t.Errorf("%s to %s: push compares what diff cannot read: %s", a, b, r.Reason)
		return pushed, r, false
	}
	return pushed, report.Switches[0], true
}

// TestTablesRead: push reads every table in which diff takes a row for a leftover.
func TestTablesRead(t *testing.T) {
	differ, err := vendors.NewDiffer()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"BGP_NEIGHBOR", "INTERFACE", "PFC_WD", "PORT_QOS_MAP", "QUEUE", "BUFFER_PG"} {
		if !slices.Contains(differ.Tables, table) {
			t.Errorf("%s is not read", table)
		}
		d, err := differ.Compare("sonic", []byte(`{"PORT":{"Ethernet0":{"lanes":"1"}},"`+table+`":{"Ethernet0|3":{"a":"b"}}}`), []byte(`{"PORT":{"Ethernet0":{"lanes":"1"}}}`), nil)
		if err != nil || len(d.Changes) != 1 {
			t.Errorf("%s: %v %v", table, d.Changes, err)
		}
	}
}
