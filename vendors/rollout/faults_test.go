package rollout_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout"
)

var update = flag.Bool("update", false, "write testdata/faults.txt")

// phase is a call of one switch's part in a push, and what must happen before
// for the call to be made.
type phase struct {
	name    string
	call    string
	nth     int
	prelude []target.Fault
}

var phases = []phase{
	{"capabilities", "capabilities", 1, nil},
	{"first read", "get", 1, nil},
	{"second read", "get", 2, nil},
	{"sessions before", "state", 1, nil},
	{"probe", "probe", 1, nil},
	{"set", "set", 1, nil},
	{"read back", "get", 3, nil},
	{"sessions after", "state", 2, nil},
	{"confirm", "confirm", 1, nil},
	{"last read", "get", 4, nil},
	{"cancel", "cancel", 1, []target.Fault{{Call: "set", Nth: 1, Do: target.SessionDown}}},
	{"set back", "set", 2, []target.Fault{{Call: "set", Nth: 1, Do: target.SessionDown}}},
}

var kinds = []struct {
	name   string
	do     target.Kind
	writes bool // makes sense for a call that changes something
	reads  bool
}{
	{"refused", target.Refuse, true, true},
	{"dropped before", target.DropBefore, true, true},
	{"dropped after", target.DropAfter, true, true},
	{"error after doing it", target.ErrorAfter, true, false},
	{"half done, error", target.Half, true, false},
	{"half done, OK", target.HalfSilent, true, false},
	{"lie", target.Lie, true, false},
	{"slower than the timeout", target.Slow, true, true},
	{"restart", target.Restart, true, true},
	{"restart, changes lost", target.RestartLose, true, true},
	{"cut off for good", target.CutOff, true, true},
	{"huge answer", target.Huge, false, true},
	{"garbage", target.Garbage, false, true},
}

// TestFaultMatrix breaks one switch of a wave in every way in every phase. The
// table in testdata says what the network ended in and what was reported; beside
// it the rule that matters is checked for all: what the report calls good or
// untouched is.
func TestFaultMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	type row struct {
		key, line string
		again     func() string
	}
	var mu sync.Mutex
	var rows []row
	var wg sync.WaitGroup
	slots := make(chan bool, 8) // more would time out on two busy cores
	commits := map[target.Commit]string{target.Ignores: "no commit", target.Honours: "commit", target.Forgets: "commit that forgets"}
	order := 0
	for _, p := range phases {
		for _, k := range kinds {
			write := p.call == "set" || p.call == "confirm" || p.call == "cancel" || p.call == "probe"
			if write && !k.writes || !write && !k.reads || (k.do == target.Half || k.do == target.HalfSilent) && p.call != "set" {
				continue
			}
			for _, c := range []target.Commit{target.Ignores, target.Honours, target.Forgets} {
				if (p.call == "confirm" || p.call == "cancel") && c == target.Ignores || p.name == "set back" && c == target.Honours {
					continue // never called
				}
				order++
				key := fmt.Sprintf("%04d", order)
				wg.Add(1)
				slots <- true
				run := func() string {
					return fmt.Sprintf("%-16s %-24s %-20s %s", p.name, k.name, commits[c], breakOne(t, p, k.do, c))
				}
				go func() {
					defer func() { <-slots; wg.Done() }()
					got := run()
					mu.Lock()
					rows = append(rows, row{key, got, run})
					mu.Unlock()
				}()
			}
		}
	}
	wg.Wait()
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.key, b.key) })
	const file = "testdata/faults.txt"
	const head = "# phase, fault and commit extension of leaf-02 | where leaf-02 ends, what the report says of it | leaf-01 (canary) | leaf-03 | how the push ends\n"
	if *update {
		b := []byte(head)
		for _, r := range rows {
			b = append(b, r.line+"\n"...)
		}
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(body), head), "\n"), "\n")
	if len(want) != len(rows) {
		t.Fatalf("%d rows, %s has %d", len(rows), file, len(want))
	}
	for i, r := range rows {
		if r.line == want[i] {
			continue
		}
		// A busy machine can make a switch look slow: what counts is how it ends alone.
		if got := r.again(); got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
}

func breakOne(t *testing.T, p phase, do target.Kind, commit target.Commit) string {
	f := target.Fault{Call: p.call, Nth: p.nth, Do: do, Code: codes.Internal}
	switch do {
	case target.Huge:
		f.Size = 2_000_000
	case target.Slow:
		f.Wait = 4500 * time.Millisecond // every timeout is 4 s
	case target.Restart, target.RestartLose:
		f.Wait = 100 * time.Millisecond
	}
	l := newLab(t, 3, 0, func(name string, c *target.Config) {
		c.Sessions, c.Commit = []string{"10.0.0.1"}, target.Honours
		if name == "leaf-02" {
			c.Commit = commit
			c.Faults = append(slices.Clone(p.prelude), f)
		}
	})
	y := strings.Replace(l.yaml.String(), "timeout: 1s\nget-timeout: 5s\nset-timeout: 5s", "timeout: 4s\nget-timeout: 4s\nset-timeout: 4s\nmax-msg-size: 1000000", 1)
	l.yaml.Reset()
	l.yaml.WriteString(y)
	o := l.options()
	o.VerifyTimeout, o.CommitTimeout = 2*time.Second, 6*time.Second
	rep, err := rollout.Push(context.Background(), o)
	out := ""
	for _, name := range []string{"leaf-02", "leaf-01", "leaf-03"} {
		says := status(rep, name)
		stands := l.stand(name)
		if stands == "pending" || says == "pending" || says == "unknown" {
			time.Sleep(o.CommitTimeout)
			stands = l.stand(name)
		}
		out += fmt.Sprintf("| %s, %s ", stands, says)
		ok := true
		switch says {
		case "done", "same":
			ok = stands == "after"
		case "unchanged", "restored", "waiting", "unreachable":
			ok = stands == "before"
		}
		if !ok {
			// No row of the table has this word: it fails the test, at the latest
			// when the row is run again alone.
			out += "WRONGLY "
			t.Logf("%s, fault %d, commit %d: %s stands %s but is reported %s: %v %+v", p.name, do, commit, name, stands, says, err, rep)
		}
	}
	var stopped *rollout.StoppedError
	switch {
	case err == nil:
		out += "| 0"
	case errors.As(err, &stopped):
		out += "| 3"
	default:
		out += "| 2"
	}
	return out
}
