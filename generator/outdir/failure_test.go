//go:build unix

package outdir

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var errInjected = errors.New("injected")

// second differs from first in every way a directory can.
var second = tree{
	"plan.json":                        `{"name":"c"}` + "\n",
	"switches/leaf-u01-r0/startup.cfg": first["switches/leaf-u01-r0/startup.cfg"],
	"cabling.csv":                      strings.Repeat("a,b,c\n", 100_000),
}

// Whatever step fails, the old directory is as it was, nothing is left beside it
// and the next run works.
func TestEveryFailurePoint(t *testing.T) {
	for _, two := range []bool{false, true} { // exchange in one step, or in two renames
		steps := 0
		for n := 0; ; n++ {
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			mustWrite(t, dir, first)
			count, failed, after := 0, "", false
			d, err := open(dir, opts, func(step string) error {
				if step == "exchange" && two {
					return errors.ErrUnsupported
				}
				count++
				if count-1 == n {
					failed, after = step, step == "clear"
					return errInjected
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			_, err = fillStreaming(d, second)
			if aerr := d.Abort(); aerr != nil {
				t.Error(aerr)
			}
			if failed == "" {
				if err != nil {
					t.Fatal(err)
				}
				steps = n
				break
			}
			if !errors.Is(err, errInjected) {
				t.Errorf("failure at %q gave %v", failed, err)
			}
			want := first
			if after {
				want = second
			}
			wantTree(t, dir, want)
			wantAlone(t, parent, "out")
			mustWrite(t, dir, second)
			wantTree(t, dir, second)
		}
		if steps < 10 {
			t.Errorf("only %d failure points were tried", steps)
		}
	}
}

// fillStreaming writes the long file as a stream.
func fillStreaming(d *Dir, files tree) (Summary, error) {
	for name, body := range files {
		if len(body) < 1000 {
			if err := d.Write(name, Public, []byte(body)); err != nil {
				return Summary{}, err
			}
			continue
		}
		w, err := d.Create(name, Public)
		if err != nil {
			return Summary{}, err
		}
		_, err = w.Write([]byte(body))
		if err = errors.Join(err, w.Close()); err != nil {
			return Summary{}, err
		}
	}
	return d.Commit()
}

// A writer that failed once spoils the run, even if the caller overlooked it.
func TestFailedWriteSpoilsCommit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, first)
	d, err := open(dir, opts, func(step string) error {
		if step == "write b" {
			return errInjected
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = d.Write("a", Public, []byte("a"))
	_ = d.Write("b", Public, []byte("b"))
	if _, err := d.Commit(); !errors.Is(err, errInjected) || !strings.Contains(err.Error(), "output file b") {
		t.Errorf("commit after a lost write: %v", err)
	}
	wantTree(t, dir, first)
}

// Killed between the two renames of a file system without exchange, a run leaves
// no target; the next run puts the old directory back before anything else.
func TestRecoveryBetweenTwoRenames(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	mustWrite(t, dir, first)
	d, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, d.work.oldPath()); err != nil {
		t.Fatal(err)
	}
	d.work.close() // as the kernel does for a killed process
	d, err = Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	wantTree(t, dir, first)
	if err := d.Abort(); err != nil {
		t.Error(err)
	}
	wantAlone(t, parent, "out")
}

const helperEnv = "RAILYARD_OUTDIR_HELPER"

// TestMain lets the test binary play a run of railyard in its own process.
func TestMain(m *testing.M) {
	switch mode, dir, _ := strings.Cut(os.Getenv(helperEnv), ":"); mode {
	case "":
		os.Exit(m.Run())
	case "loop":
		for i := 0; ; i++ {
			if err := generation(dir, i, 40); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
	case "full":
		// A file size limit acts like a disk that is full in mid-file.
		signal.Ignore(syscall.SIGXFSZ)
		limit := syscall.Rlimit{Cur: 100_000, Max: 100_000}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			panic(err)
		}
		if err := generation(dir, 1, 20_000); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
}

// generation writes a directory whose files all carry the same number.
func generation(dir string, number, files int) error {
	d, err := Open(dir, opts)
	if err != nil {
		return err
	}
	defer d.Abort()
	body := []byte(strings.Repeat(fmt.Sprintf("generation %d\n", number%2), files))
	for i := range 40 {
		if err := d.Write(fmt.Sprintf("switches/leaf-%02d/startup.cfg", i), Secret, body); err != nil {
			return err
		}
	}
	_, err = d.Commit()
	return err
}

// Killed at any moment, a run leaves the old or the new directory whole, and the
// next run clears what it left beside it.
func TestKilledRun(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if err := generation(dir, 0, 40); err != nil {
		t.Fatal(err)
	}
	leftovers := 0
	for i := range 40 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), helperEnv+"=loop:"+dir)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10*time.Millisecond + time.Duration(i)*1700*time.Microsecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		if stderr.Len() > 0 {
			t.Fatal(stderr.String())
		}
		got := read(t, dir)
		for name, body := range got {
			if body == "" || body != got["switches/leaf-00/startup.cfg"] {
				t.Fatalf("kill %d: %s is of another generation", i, name)
			}
		}
		if len(got) != 40 {
			t.Fatalf("kill %d: %d files", i, len(got))
		}
		if _, err := os.Stat(filepath.Join(parent, ".out.railyard")); err == nil {
			leftovers++
		}
		if err := generation(dir, i, 40); err != nil {
			t.Fatalf("the run after kill %d: %v", i, err)
		}
		wantAlone(t, parent, "out")
	}
	if leftovers == 0 {
		t.Error("no kill came in the middle of a run; this test proved nothing")
	}
}

func TestFullDisk(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	mustWrite(t, dir, first)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), helperEnv+"=full:"+dir)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "file too large") {
		t.Fatalf("%v: %s", err, out)
	}
	wantTree(t, dir, first)
	wantAlone(t, parent, "out")
	mustWrite(t, dir, second)
}
