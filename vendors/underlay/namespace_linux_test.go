package underlay

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"
)

// namespace is a network namespace without a name. One thread of this process
// lives in it and does all that must happen there; the namespace ends with that
// thread and the daemons started from it, so nothing can be left behind.
type namespace struct {
	thread int // id of the thread, which iproute2 takes for a process
	work   chan func()
	ended  chan struct{}
}

func newNamespace() (*namespace, error) {
	n := &namespace{work: make(chan func()), ended: make(chan struct{})}
	ready := make(chan error)
	go func() {
		defer close(n.ended)
		runtime.LockOSThread() // never unlocked: the thread ends with this function
		if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
			ready <- fmt.Errorf("unshare: %w", err)
			return
		}
		n.thread = unix.Gettid()
		ready <- nil
		for f := range n.work {
			f()
		}
	}()
	return n, <-ready
}

// do runs f on the thread inside.
func (n *namespace) do(f func()) {
	done := make(chan struct{})
	n.work <- func() { defer close(done); f() }
	<-done
}

func (n *namespace) close() {
	close(n.work)
	<-n.ended
}

// run runs a command inside and returns what it printed.
func (n *namespace) run(stdin string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader([]byte(stdin)), &out, &complaint
	var err error
	n.do(func() { err = cmd.Start() })
	if err == nil {
		err = cmd.Wait()
	}
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w: %s%s", name, args, err, complaint.Bytes(), stdin)
	}
	return out.Bytes(), nil
}

// set writes values under /proc/sys/net, which shows the namespace of whoever opens it.
func (n *namespace) set(values map[string]int) error {
	var err error
	n.do(func() {
		for name, v := range values {
			if e := os.WriteFile("/proc/sys/net/"+name, []byte(strconv.Itoa(v)), 0); e != nil && err == nil {
				err = e
			}
		}
	})
	return err
}
