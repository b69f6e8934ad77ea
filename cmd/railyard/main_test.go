package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"railyard/vendors/gnmi/target"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"railyard": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// The stories of testdata run the real command, one file a story. Beside what
// testscript knows they have
//
//	exits CODE railyard …       the command must end with that exit code
//	switches CLUSTER            starts the cluster's switches, not quite as declared
//	fault SWITCH CALL KIND      breaks the next such call of a switch; no call: heals it
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits, "switches": switches, "fault": fault,
	}})
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got := strconv.Itoa(code); got != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s\n%s", got, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// running are the switches of each story, by its folder.
var running sync.Map

func switches(ts *testscript.TestScript, _ bool, args []string) {
	boxes, err := network(context.Background(), ts.MkAbs(args[0]), ts.MkAbs("."), ts.Getenv)
	ts.Defer(func() {
		for _, b := range boxes {
			b.Stop()
		}
	})
	ts.Check(err)
	running.Store(ts.MkAbs("."), boxes)
}

func fault(ts *testscript.TestScript, _ bool, args []string) {
	all, _ := running.Load(ts.MkAbs("."))
	box := all.(map[string]*target.Target)[args[0]]
	if len(args) == 1 {
		box.Heal()
		return
	}
	kinds := map[string]target.Kind{"refuse": target.Refuse, "lie": target.Lie, "late": target.Late, "session-down": target.SessionDown, "restart": target.Restart}
	box.SetFaults(target.Fault{Call: args[1], Nth: 1, Do: kinds[args[2]], Wait: 100 * time.Millisecond})
}
