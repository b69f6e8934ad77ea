package rollout_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout"
	"railyard/vendors/rollout/journal"
)

// TestKill kills a push at random moments and then goes back, or on: the
// network must end as it was, or as declared, every time.
func TestKill(t *testing.T) {
	if dir := os.Getenv("ROLLOUT_TEST_CHILD"); dir != "" {
		l := realLab(t, 4, 2, mixed)
		body, err := os.ReadFile(filepath.Join(dir, "targets.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		l.yaml.Reset()
		l.yaml.Write(body)
		l.dir = dir
		_, err = rollout.Push(context.Background(), l.options())
		t.Log(err)
		return
	}
	rounds := 16
	if testing.Short() {
		rounds = 4
	}
	phases := map[string]int{}
	for round := range rounds {
		l := realLab(t, 4, 2, func(name string, c *target.Config) {
			mixed(name, c)
			c.Latency = 8 * time.Millisecond
			c.Sessions = []string{"10.0.0.1"}
		})
		if err := os.WriteFile(filepath.Join(l.dir, "targets.yaml"), []byte(l.yaml.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(os.Args[0], "-test.run=^TestKill$", "-test.timeout=60s")
		// What the child leaves behind when it is killed goes with this test's folder.
		cmd.Env = append(os.Environ(), "ROLLOUT_TEST_CHILD="+l.dir, "TMPDIR="+t.TempDir())
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		moment := time.After(60*time.Millisecond + rand.N(700*time.Millisecond))
		if round%4 >= 2 {
			moment = l.pending(10 * time.Second)
		}
		select {
		case <-moment:
			cmd.Process.Kill()
			<-done
		case <-done:
		}
		for name := range l.boxes {
			phases[l.stand(name)]++
		}
		want, how := "after", rollout.Resume
		if round%2 == 0 {
			want, how = "before", rollout.Rollback
		}
		o := l.options()
		_, again := rollout.Push(t.Context(), func() rollout.Options { o := o; o.DryRun = true; return o }())
		if again != nil {
			t.Fatal(again)
		}
		rep, err := how(t.Context(), o)
		if errors.Is(err, journal.ErrNone) || err != nil && strings.Contains(err.Error(), journal.ErrNone.Error()) {
			l.expect("before") // it was killed before it wrote a line
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v %+v", round, err, rep)
		}
		time.Sleep(10 * time.Millisecond)
		l.expect(want)
		if t.Failed() {
			t.Fatalf("round %d: %+v", round, rep)
		}
	}
	t.Logf("switches stood, when the push was killed: %v", phases)
}

// pending fires when some switch holds an unconfirmed commit.
func (l *lab) pending(most time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	go func() {
		for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(time.Millisecond) {
			for _, b := range l.boxes {
				if b.Pending() {
					c <- time.Now()
					return
				}
			}
		}
		c <- time.Now()
	}()
	return c
}

// TestNewPushIsRefusedAfterACrash: what is half done comes first.
func TestNewPushIsRefusedAfterACrash(t *testing.T) {
	l := realLab(t, 2, 0, nil)
	o := l.options()
	j, err := journal.Create(o.Journal, "1")
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(journal.Record{Kind: journal.Begin, Switches: []string{"leaf-01", "leaf-02"}}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	var unfinished *journal.UnfinishedError
	if _, err := rollout.Push(t.Context(), o); !errors.As(err, &unfinished) {
		t.Fatal(err)
	}
	l.expect("before")
	if _, err := rollout.Resume(t.Context(), o); err == nil || !strings.Contains(err.Error(), "changed since") {
		t.Fatal(err)
	}
	if _, err := rollout.Rollback(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := rollout.Push(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	l.expect("after")
}
