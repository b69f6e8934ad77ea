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

	"railyard/generator/fabric"
	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout"
)

func mixed(name string, c *target.Config) {
	if strings.HasPrefix(name, "spine") {
		c.OS = "sonic"
	} else {
		c.Commit = target.Honours
	}
}

func TestPushAndAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 4, 2, mixed)
		o := l.options()
		var mu sync.Mutex
		var events []rollout.Event
		o.Events = func(e rollout.Event) { mu.Lock(); events = append(events, e); mu.Unlock() }
		rep, err := rollout.Push(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		l.expect("after")
		if rep.Count("done") != 6 {
			t.Errorf("report: %+v", rep)
		}
		for name, box := range l.boxes {
			if n := len(box.Calls("set")); n != 1 {
				t.Errorf("%s got %d sets", name, n)
			}
		}
		o = l.options()
		rep, err = rollout.Push(t.Context(), o)
		if err != nil || rep.Count("same") != 6 {
			t.Fatalf("%v %+v", err, rep)
		}
		for name, box := range l.boxes {
			if n := len(box.Calls("set")); n != 1 {
				t.Errorf("the second push sent something to %s", name)
			}
		}
		if rep, err = rollout.Rollback(t.Context(), l.options()); err != nil {
			t.Fatalf("%v %+v", err, rep)
		}
		l.expect("before")
	})
}

func TestDryRunChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 2, mixed)
		o := l.options()
		o.DryRun = true
		rep, err := rollout.Push(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		l.expect("before")
		for name, box := range l.boxes {
			if len(box.Calls("set"))+len(box.Calls("probe")) > 0 {
				t.Errorf("%s was written to", name)
			}
		}
		if _, err := os.Stat(o.Journal); err == nil {
			t.Error("a dry run left a journal")
		}
		var text, js, shown bytes.Buffer
		if err := errors.Join(rep.Preview.RequestsText(&text), rep.Preview.JSON(&js), rep.Preview.Text(&shown)); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"mtu 9214", "origin: \"cli\"", "origin: \"sonic-db\"", "10.1.0.0~131"} {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%q is missing from\n%s", want, text.String())
			}
		}
		if !strings.Contains(shown.String(), "leaf-[01-02] (2 switches, cli)") {
			t.Errorf("the same difference is not shown once:\n%s", shown.String())
		}
		if strings.Contains(js.String(), "null") {
			t.Errorf("null in JSON:\n%s", js.String())
		}
	})
}

func TestDeclined(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 1, nil)
		o := l.options()
		o.Confirm = func(p *rollout.Preview) (bool, error) {
			if p.Changing() != 3 {
				t.Errorf("%d would change", p.Changing())
			}
			return false, nil
		}
		if _, err := rollout.Push(t.Context(), o); !errors.Is(err, rollout.ErrDeclined) {
			t.Fatal(err)
		}
		l.expect("before")
	})
}

func TestInsecureMustBeSaid(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 1, 0, nil)
		o := l.options()
		o.Insecure = false
		if _, err := rollout.Push(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--insecure") {
			t.Fatal(err)
		}
		if n := len(l.boxes["leaf-01"].Calls("capabilities")); n > 0 {
			t.Error("it was contacted")
		}
	})
}

func TestInfiniBandIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 1, 0, nil)
		l.fabric.Technology = fabric.InfiniBand
		if _, err := rollout.Push(t.Context(), l.options()); !errors.Is(err, rollout.ErrInfiniBand) {
			t.Fatal(err)
		}
	})
}

func TestSelect(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 3, 1, nil)
		o := l.options()
		o.Select = []string{"leaf-*", "!leaf-02"}
		if _, err := rollout.Push(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		l.expect("after", "leaf-01", "leaf-03")
		l.expect("before", "leaf-02", "spine-01")
		o.Select = []string{"laef-*"}
		if _, err := rollout.Push(t.Context(), o); err == nil {
			t.Fatal("a glob that names nothing was accepted")
		}
	})
}

func TestUnreachableStopsBeforeAnythingIsSent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 3, 1, nil)
		l.boxes["leaf-03"].Stop()
		rep, err := rollout.Push(t.Context(), l.options())
		var stopped *rollout.StoppedError
		if err == nil || errors.As(err, &stopped) || status(rep, "leaf-03") != "unreachable" {
			t.Fatalf("%v %+v", err, rep)
		}
		l.expect("before")
	})
}

// TestWrongSwitch: two addresses mixed up in the targets file must not put one
// switch's configuration on the other.
func TestWrongSwitch(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 0, nil)
		a, b := l.boxes["leaf-01"].Addr(), l.boxes["leaf-02"].Addr()
		y := strings.NewReplacer(a, b, b, a).Replace(l.yaml.String())
		l.yaml.Reset()
		l.yaml.WriteString(y)
		if rep, err := rollout.Push(t.Context(), l.options()); err == nil || !strings.Contains(message(rep, "leaf-01"), "calls itself leaf-02") {
			t.Fatal(err, rep)
		}
		l.expect("before")
	})
}

func TestStopAfter(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 4, 0, func(name string, c *target.Config) {
			if name == "leaf-03" {
				c.Faults = []target.Fault{{Call: "set", Do: target.Refuse, Code: codes.InvalidArgument}}
			}
		})
		o := l.options()
		o.StopAfter = 2
		rep, err := rollout.Push(t.Context(), o)
		var stopped *rollout.StoppedError
		if !errors.As(err, &stopped) {
			t.Fatal(err)
		}
		l.expect("after", "leaf-01", "leaf-02", "leaf-04")
		l.expect("before", "leaf-03")
		if status(rep, "leaf-03") != "unchanged" || rep.Count("done") != 3 {
			t.Errorf("%+v", rep)
		}
	})
}

func TestWaveGoesBackAndEarlierWavesStay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 4, 1, func(name string, c *target.Config) {
			if name == "leaf-04" {
				c.Faults = []target.Fault{{Call: "set", Do: target.Lie}}
			}
		})
		o := l.options()
		o.WaveSize = 2 // canaries spine-01, leaf-01; then leaf-02+leaf-03, leaf-04
		rep, err := rollout.Push(t.Context(), o)
		var stopped *rollout.StoppedError
		if !errors.As(err, &stopped) {
			t.Fatal(err)
		}
		l.expect("after", "spine-01", "leaf-01", "leaf-02", "leaf-03")
		l.expect("before", "leaf-04")
		if status(rep, "leaf-04") != "unchanged" || rep.Count("done") != 4 {
			t.Errorf("%+v", rep)
		}
		o = l.options()
		if rep, err := rollout.Rollback(t.Context(), o); err != nil {
			t.Fatalf("%v %+v", err, rep)
		}
		l.expect("before")
	})
}

func TestStalePlanIsNotSent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 1, 0, nil)
		o := l.options()
		o.Confirm = func(*rollout.Preview) (bool, error) {
			return true, l.boxes["leaf-01"].Edit([]byte("hostname someone-else\n"))
		}
		_, err := rollout.Push(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "somebody changed it") || len(l.boxes["leaf-01"].Calls("set")) > 0 {
			t.Fatal(err)
		}
	})
}

func TestInterruptBringsTheWaveBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 3, 0, func(name string, c *target.Config) { c.Latency = 30 * time.Millisecond })
		o := l.options()
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		o.Events = func(e rollout.Event) {
			if e.Phase == "apply" && e.Level == "info" {
				if n++; n == 2 { // the canary is done, the wave is on
					cancel()
				}
			}
		}
		rep, err := rollout.Push(ctx, o)
		var stopped *rollout.StoppedError
		if !errors.As(err, &stopped) || rep.Reason != "interrupted" {
			t.Fatalf("%v %+v", err, rep)
		}
		l.expect("after", "leaf-01")
		l.expect("before", "leaf-02", "leaf-03")
		t.Logf("%+v", rep)
	})
}

func TestManualWorkIsListed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 0, func(name string, c *target.Config) {
			if name == "leaf-02" {
				c.Plain = true // no ASCII: nothing goes
			}
		})
		o := l.options()
		o.DryRun = true
		rep, err := rollout.Push(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := rep.Preview.Text(&b); err != nil {
			t.Fatal(err)
		}
		if status(rep, "leaf-02") != "by-hand" || !strings.Contains(b.String(), "by hand on leaf-02") || !strings.Contains(b.String(), "switches/leaf-02/startup-config") {
			t.Errorf("%+v\n%s", rep, b.String())
		}
	})
}

func TestJournalHoldsNoSecret(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const secret = "$6$s3cr3t"
		l := newLab(t, 1, 0, nil)
		l.want["leaf-01"] = append(l.want["leaf-01"], []byte("username admin secret sha512 "+secret+"\n")...)
		if err := l.boxes["leaf-01"].Edit(append(l.was["leaf-01"][:len(l.was["leaf-01"])-4:len(l.was["leaf-01"])-4], []byte("snmp-server community "+secret+" ro\n")...)); err != nil {
			t.Fatal(err)
		}
		o := l.options()
		o.DryRun = true
		rep, err := rollout.Push(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := errors.Join(rep.Preview.JSON(&out), rep.Preview.Text(&out), rep.Preview.RequestsText(&out)); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "lines that hold a secret") {
			t.Errorf("the line that stays behind is not named:\n%s", out.String())
		}
		o.DryRun = false
		if _, err := rollout.Push(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(l.boxes["leaf-01"].Running()), "community "+secret) {
			t.Error("the push took away a line that it may not show")
		}
		err = filepath.WalkDir(o.Journal, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			out.Write(b)
			info, _ := e.Info()
			if info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), secret) {
			t.Errorf("the secret is in\n%s", out.String())
		}
	})
}

func TestSessionsAndNeighboursAreWatched(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l := newLab(t, 2, 0, func(name string, c *target.Config) {
			c.Sessions, c.Neighbors = []string{"10.0.0.1", "10.0.0.3"}, map[string]string{"Ethernet1/1": "spine-01"}
			c.Commit = target.Honours
			if name == "leaf-02" {
				c.Faults = []target.Fault{{Call: "set", Do: target.SessionDown}}
			}
		})
		rep, err := rollout.Push(t.Context(), l.options())
		var stopped *rollout.StoppedError
		if !errors.As(err, &stopped) || status(rep, "leaf-02") != "restored" {
			t.Fatalf("%v %+v", err, rep)
		}
		i := slices.IndexFunc(rep.Switches, func(s rollout.Result) bool { return s.Switch == "leaf-02" })
		if !strings.Contains(rep.Switches[i].Message, "BGP session with 10.0.0.1") {
			t.Errorf("%+v", rep.Switches[i])
		}
		l.expect("after", "leaf-01")
		l.expect("before", "leaf-02")
	})
}
