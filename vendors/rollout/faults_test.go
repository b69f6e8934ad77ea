package rollout_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
	wait   time.Duration
	writes bool // makes sense for a call that changes something
	reads  bool
}{
	{"refused", target.Refuse, 0, true, true},
	{"dropped before", target.DropBefore, 0, true, true},
	{"dropped after", target.DropAfter, 0, true, true},
	{"error after doing it", target.ErrorAfter, 0, true, false},
	{"half done, error", target.Half, 0, true, false},
	{"half done, OK", target.HalfSilent, 0, true, false},
	{"lie", target.Lie, 0, true, false},
	{"slower than the timeout", target.Slow, 6 * time.Minute, true, true}, // the longest is 5 minutes
	{"dropped, done later", target.Late, 6 * time.Minute, true, false},    // within the time a Set may take and a switch to show itself
	{"dropped, done much later", target.Late, 20 * time.Minute, true, false},
	{"restart", target.Restart, 100 * time.Millisecond, true, true},
	{"restart, changes lost", target.RestartLose, 100 * time.Millisecond, true, true},
	{"cut off for good", target.CutOff, 0, true, true},
	{"huge answer", target.Huge, 0, false, true},
	{"garbage", target.Garbage, 0, false, true},
}

// TestFaultMatrix breaks one switch of a wave in every way in every phase. The
// table in testdata says what the network ended in and what was reported; beside
// it the rules that matter are checked for all: what the report calls good or
// untouched is, for as long as anybody looks; and where a push that stopped left
// something open, a rollback brings every switch back.
func TestFaultMatrix(t *testing.T) {
	const file = "testdata/faults.txt"
	const head = "# phase, fault and commit extension of leaf-02 | where leaf-02 ends, what the report says of it | leaf-01 (canary) | leaf-03 | how the push ends\n"
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(strings.TrimPrefix(string(body), head), "\n"), "\n")
	var got []string
	commits := map[target.Commit]string{target.Ignores: "no commit", target.Honours: "commit", target.Forgets: "commit that forgets"}
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
				name := fmt.Sprintf("%-16s %-24s %-20s", p.name, k.name, commits[c])
				t.Run(strings.Join(strings.Fields(name), " "), func(t *testing.T) {
					f := target.Fault{Call: p.call, Nth: p.nth, Do: k.do, Wait: k.wait, Size: 2_000_000, Code: codes.Internal}
					bubble(t, func(t *testing.T) { got = append(got, name+" "+breakOne(t, f, p.prelude, c)) })
				})
			}
		}
	}
	if t.Failed() {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(head+strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func breakOne(t *testing.T, f target.Fault, prelude []target.Fault, commit target.Commit) string {
	l := newLab(t, 3, 0, func(name string, c *target.Config) {
		c.Sessions, c.Commit = []string{"10.0.0.1"}, target.Honours
		if name == "leaf-02" {
			c.Commit = commit
			c.Faults = append(slices.Clone(prelude), f)
		}
	})
	y := l.yaml.String()
	l.yaml.Reset()
	l.yaml.WriteString("max-msg-size: 1000000\n" + y)
	rep, err := rollout.Push(t.Context(), l.options())
	out := ""
	moment := map[string]string{}
	names := []string{"leaf-02", "leaf-01", "leaf-03"}
	for _, name := range names {
		moment[name] = l.stand(name)
	}
	time.Sleep(time.Hour) // until nothing moves any more
	for _, name := range names {
		says, then, now := status(rep, name), moment[name], l.stand(name)
		out += fmt.Sprintf("| %s, %s ", now, says)
		var ok bool
		switch says {
		case "done", "same":
			ok = then == "after" && now == "after"
		case "unchanged", "restored", "reverted", "waiting", "unreachable":
			ok = then == "before" && now == "before"
		case "uncertain":
			ok = then == "before"
		case "pending", "changed", "unknown":
			ok = true
		}
		if !ok {
			t.Errorf("%s stood %s and stands %s, but is reported %s: %v %+v", name, then, now, says, err, rep)
		}
	}
	return out + "| " + l.aftermath(err)
}

// aftermath is the exit code of a push. When it stopped and everything works
// again, a rollback must end well and with all as it was.
func (l *lab) aftermath(err error) string {
	var stopped *rollout.StoppedError
	switch {
	case err == nil:
		return "0"
	case !errors.As(err, &stopped):
		return "2"
	}
	for _, box := range l.boxes {
		box.Heal()
	}
	if rep, err := rollout.Rollback(l.t.Context(), l.options()); err != nil {
		l.t.Errorf("rollback: %v %+v", err, rep)
	}
	l.expect("before")
	return "3"
}
