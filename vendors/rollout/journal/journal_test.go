package journal_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"railyard/vendors/rollout/journal"
)

func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "push")
	j, err := journal.Create(dir, "20260101-a")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Create(dir, "20260101-b"); err == nil || !strings.Contains(err.Error(), "another push") {
		t.Fatalf("two at once: %v", err)
	}
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			if err := j.Append(journal.Record{Kind: journal.Send, Switch: fmt.Sprint("sw-", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, body := range []string{"first", "second"} {
		if err := j.SaveUndo("leaf/../x", []byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := j.Undo("leaf/../x"); err != nil || string(b) != "second" {
		t.Fatalf("%q %v", b, err)
	}
	j.Close()
	var unfinished *journal.UnfinishedError
	if _, err := journal.Create(dir, "20260101-c"); !errors.As(err, &unfinished) {
		t.Fatalf("got %v", err)
	}
	// A line that a crash cut off is not a record, and is gone when more is added.
	path := filepath.Join(dir, "20260101-a", "journal.jsonl")
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString(`{"seq":201,"kind":"en`)
	f.Close()
	j, err = journal.Last(dir)
	if err != nil || len(j.Records()) != 200 {
		t.Fatal(err)
	}
	if err := j.Append(journal.Record{Kind: journal.End}); err != nil {
		t.Fatal(err)
	}
	j.Close()
	j, err = journal.Create(dir, "20260102")
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	err = filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", p, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestDamageIsNoticed(t *testing.T) {
	dir := t.TempDir()
	j, err := journal.Create(dir, "a")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := j.Append(journal.Record{Kind: journal.Note}); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	path := filepath.Join(dir, "a", "journal.jsonl")
	b, _ := os.ReadFile(path)
	lines := strings.SplitAfter(string(b), "\n")
	os.WriteFile(path, []byte(lines[0]+lines[2]), 0o600)
	if _, err := journal.Last(dir); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Fatalf("got %v", err)
	}
}

// TestKill kills a process that writes records at random moments: whatever it
// was told is on the disk must be there.
func TestKill(t *testing.T) {
	if dir := os.Getenv("JOURNAL_TEST_DIR"); dir != "" {
		j, err := journal.Create(dir, "run")
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; ; i++ {
			sw := fmt.Sprint("sw-", i)
			if err := errors.Join(j.SaveUndo(sw, []byte("undo of "+sw)), j.Append(journal.Record{Kind: journal.Send, Switch: sw})); err != nil {
				t.Fatal(err)
			}
			fmt.Printf("SENT %s\n", sw)
		}
	}
	for range 6 {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestKill$", "-test.timeout=20s")
		cmd.Env = append(os.Environ(), "JOURNAL_TEST_DIR="+dir)
		var out strings.Builder
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50*time.Millisecond + rand.N(150*time.Millisecond))
		cmd.Process.Kill()
		cmd.Wait()
		j, err := journal.Last(dir)
		if errors.Is(err, journal.ErrNone) && !strings.Contains(out.String(), "SENT") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		list := j.Records()
		for line := range strings.Lines(out.String()) {
			sw, ok := strings.CutPrefix(strings.TrimSpace(line), "SENT ")
			if !ok || !strings.HasSuffix(line, "\n") {
				continue
			}
			if !slices.ContainsFunc(list, func(r journal.Record) bool { return r.Switch == sw }) {
				t.Fatalf("%s was sent, but no record of it survived", sw)
			}
		}
		for _, r := range list {
			if b, err := j.Undo(r.Switch); err != nil || string(b) != "undo of "+r.Switch {
				t.Fatalf("%s: %q %v", r.Switch, b, err)
			}
		}
		j.Close()
	}
}
