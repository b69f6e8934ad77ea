package rollout_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"

	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout"
	"railyard/vendors/rollout/journal"
)

// heard collects what a run tells.
type heard struct {
	mu   sync.Mutex
	list []rollout.Event
}

func (h *heard) event(e rollout.Event) {
	h.mu.Lock()
	h.list = append(h.list, e)
	h.mu.Unlock()
}

func (h *heard) says(sw, words string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.ContainsFunc(h.list, func(e rollout.Event) bool { return e.Switch == sw && strings.Contains(e.Message, words) })
}

func message(rep *rollout.Report, name string) string {
	for _, s := range rep.Switches {
		if s.Switch == name {
			return s.Message
		}
	}
	return ""
}

// TestLongWave: leaf-03 takes longer than leaf-02 waits to be confirmed. leaf-02's
// own timer decides what becomes of it.
func TestLongWave(t *testing.T) {
	for _, row := range []struct {
		name    string
		fault   target.Fault // of leaf-02
		ends    string       // where leaf-02 stands
		status  string
		words   string // of its message
		event   string
		extends int
	}{
		{"given more time", target.Fault{}, "after", "done", "", "", 6},
		{"an answer is lost", target.Fault{Call: "extend", Nth: 2, Do: target.DropAfter}, "after", "done", "", "", 6},
		{"a question is lost", target.Fault{Call: "extend", Nth: 2, Do: target.DropBefore}, "after", "done", "", "", 6},
		{"it gives none", target.Fault{Call: "extend", Do: target.Refuse, Code: codes.Unimplemented}, "before", "reverted",
			"reverted by itself before it was confirmed (commit-confirm 3m0s)", "does not give the wave more time, and reverts at 00:03:00", 1},
		{"it restarts and forgets", target.Fault{Call: "extend", Do: target.RestartLose, Wait: time.Second}, "before", "reverted",
			"reverted by itself before it was confirmed", "holds no unconfirmed commit any more", 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLab(t, 3, 0, func(name string, c *target.Config) {
					switch name {
					case "leaf-02":
						c.Commit, c.Faults = target.Honours, []target.Fault{row.fault}
					case "leaf-03":
						c.Faults = []target.Fault{{Call: "set", Do: target.Slow, Wait: 4*time.Minute + 50*time.Second}}
					}
				})
				o := l.options()
				var h heard
				o.CommitTimeout, o.Events = 3*time.Minute, h.event
				rep, err := rollout.Push(t.Context(), o)
				if got := status(rep, "leaf-02"); got != row.status || !strings.Contains(message(rep, "leaf-02"), row.words) {
					t.Errorf("leaf-02 is reported %s: %s; %v", got, message(rep, "leaf-02"), err)
				}
				if n := len(l.boxes["leaf-02"].Calls("extend")); n != row.extends {
					t.Errorf("%d times more time was asked for, want %d", n, row.extends)
				}
				if row.event != "" && !h.says("leaf-02", row.event) {
					t.Errorf("nobody said %q: %v", row.event, h.list)
				}
				var stopped *rollout.StoppedError
				if (row.ends == "after") != (err == nil) || err != nil && !errors.As(err, &stopped) {
					t.Error(err)
				}
				time.Sleep(time.Hour)
				l.expect(row.ends, "leaf-02", "leaf-03")
				l.expect("after", "leaf-01")
			})
		})
	}
}

// TestDoneAfterAll: a switch that never answered carries the change out while the
// rest of its wave is on the way back; the last look of the run finds it.
func TestDoneAfterAll(t *testing.T) {
	for name, commit := range map[string]target.Commit{"no commit": target.Ignores, "commit": target.Honours, "commit that forgets": target.Forgets} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				l := newLab(t, 3, 0, func(name string, c *target.Config) {
					switch name {
					case "leaf-02":
						c.Commit, c.Faults = commit, []target.Fault{{Call: "set", Nth: 1, Do: target.Late, Wait: 7*time.Minute + 30*time.Second}}
					case "leaf-03":
						c.Faults = []target.Fault{{Call: "set", Nth: 2, Do: target.Slow, Wait: 2 * time.Minute}}
					}
				})
				o := l.options()
				var h heard
				o.Events = h.event
				rep, err := rollout.Push(t.Context(), o)
				var stopped *rollout.StoppedError
				if !errors.As(err, &stopped) || status(rep, "leaf-02") != "restored" || !h.says("leaf-02", "carried the change out after all") {
					t.Errorf("%v %+v %v", err, rep, h.list)
				}
				l.expect("before", "leaf-02", "leaf-03")
				time.Sleep(time.Hour)
				l.expect("before", "leaf-02", "leaf-03")
			})
		})
	}
}

// TestUncertainStaysOpen: the journal remembers a switch that never answered.
func TestUncertainStaysOpen(t *testing.T) {
	start := func(t *testing.T, wait time.Duration) (*lab, *rollout.Report) {
		l := newLab(t, 2, 0, func(name string, c *target.Config) {
			if name == "leaf-02" {
				c.Faults = []target.Fault{{Call: "set", Nth: 1, Do: target.Late, Wait: wait}}
			}
		})
		// The user does not wait to see whether it comes.
		ctx, cancel := context.WithCancel(t.Context())
		o := l.options()
		o.Events = func(e rollout.Event) {
			if strings.Contains(e.Message, "may still be at work") {
				cancel()
			}
		}
		rep, err := rollout.Push(ctx, o)
		var stopped *rollout.StoppedError
		if !errors.As(err, &stopped) || status(rep, "leaf-02") != "uncertain" {
			t.Fatalf("%v %+v", err, rep)
		}
		var unfinished *journal.UnfinishedError
		if _, err := rollout.Push(t.Context(), l.options()); !errors.As(err, &unfinished) {
			t.Fatal(err)
		}
		return l, rep
	}
	t.Run("rollback waits for it", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			l, _ := start(t, 6*time.Minute)
			rep, err := rollout.Rollback(t.Context(), l.options())
			if err != nil || status(rep, "leaf-02") != "restored" {
				t.Errorf("%v %+v", err, rep)
			}
			time.Sleep(time.Hour)
			l.expect("before")
		})
	})
	t.Run("rollback that may not wait leaves it open", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			l, _ := start(t, 6*time.Minute)
			ctx, cancel := context.WithCancel(t.Context())
			o := l.options()
			o.Confirm = func(*rollout.Preview) (bool, error) { return true, nil }
			o.Events = func(e rollout.Event) {
				if strings.Contains(e.Message, "may still be at work") {
					cancel()
				}
			}
			if rep, err := rollout.Rollback(ctx, o); err == nil {
				t.Errorf("%+v", rep)
			}
			time.Sleep(time.Hour)
			l.expect("after", "leaf-02")
			if rep, err := rollout.Rollback(t.Context(), l.options()); err != nil {
				t.Errorf("%v %+v", err, rep)
			}
			l.expect("before")
		})
	})
	t.Run("resume does it again", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			l, _ := start(t, 6*time.Minute)
			rep, err := rollout.Resume(t.Context(), l.options())
			if err != nil || status(rep, "leaf-02") != "done" {
				t.Errorf("%v %+v", err, rep)
			}
			time.Sleep(time.Hour)
			l.expect("after")
		})
	})
}

// TestResumeVerifies: what was changed before a crash, and not verified, is
// verified when it goes on.
func TestResumeVerifies(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 0, func(name string, c *target.Config) {
			c.Sessions = []string{"10.0.0.1"}
			if name == "leaf-02" {
				c.Faults = []target.Fault{{Call: "set", Nth: 1, Do: target.SessionDown}}
			}
		})
		o := l.options()
		var held []byte
		path := filepath.Join(o.Journal, o.Run, "journal.jsonl")
		o.Events = func(e rollout.Event) {
			if e.Switch == "leaf-02" && strings.Contains(e.Message, "reads back as declared") {
				held, _ = os.ReadFile(path) // as a crash at this moment would leave it
			}
		}
		if _, err := rollout.Push(t.Context(), o); err == nil || len(held) == 0 {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, held, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := l.boxes["leaf-02"].Edit(l.want["leaf-02"]); err != nil {
			t.Fatal(err)
		}
		rep, err := rollout.Resume(t.Context(), l.options())
		var stopped *rollout.StoppedError
		if !errors.As(err, &stopped) || status(rep, "leaf-02") != "restored" {
			t.Errorf("%v %+v", err, rep)
		}
		l.expect("before", "leaf-02")
	})
}

// TestInterruptedBetweenWaves: what is done stays, nothing stands open, and the
// user hears that it was interrupted.
func TestInterruptedBetweenWaves(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 3, 0, nil)
		ctx, cancel := context.WithCancel(t.Context())
		o := l.options()
		o.Pause = time.Hour
		go func() {
			time.Sleep(time.Minute)
			cancel()
		}()
		rep, err := rollout.Push(ctx, o)
		if !errors.Is(err, context.Canceled) || status(rep, "leaf-01") != "done" || rep.Count("waiting") != 2 {
			t.Errorf("%v %+v", err, rep)
		}
		var b bytes.Buffer
		if err := rep.Text(&b); err != nil || b.String() != "waiting: leaf-02, leaf-03\n1 done, 2 waiting\n" {
			t.Errorf("%s %v", &b, err)
		}
		o = l.options()
		if rep, err = rollout.Push(t.Context(), o); err != nil || rep.Count("done") != 2 {
			t.Errorf("the next push: %v %+v", err, rep)
		}
	})
}

// TestInterruptedWhileReading: a switch that nothing was sent to did not fail.
func TestInterruptedWhileReading(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 0, func(name string, c *target.Config) {
			if name == "leaf-02" {
				c.Faults = []target.Fault{{Call: "get", Nth: 2, Do: target.Slow, Wait: 20 * time.Second}}
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			time.Sleep(10 * time.Second)
			cancel()
		}()
		rep, err := rollout.Push(ctx, l.options())
		if !errors.Is(err, context.Canceled) || status(rep, "leaf-01") != "done" || status(rep, "leaf-02") != "waiting" || rep.Unfinished {
			t.Errorf("%v %+v", err, rep)
		}
		l.expect("before", "leaf-02")
	})
}
