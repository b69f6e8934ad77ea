// Package target is a gNMI server for tests: a switch in one process, on a real
// port, that refuses what the real one refuses and breaks where it is told to.
//
// It shares no code with the client side beside the gNMI messages. Three kinds
// of switch exist: EOS with a command line behind origin cli, SONiC with
// CONFIG_DB behind origin sonic-db, and OpenConfig behind a ygot schema.
package target

import (
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"github.com/openconfig/ygot/ytypes"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// Commit says how a target treats the commit-confirmed extension.
type Commit int

// What devices do with the extension.
const (
	Ignores Commit = iota // answers OK and never reverts, as EOS 4.32 and SONiC do
	Honours
	Forgets // announces it, but the timer never fires and cancel does nothing
)

// Config is one switch.
type Config struct {
	Name    string
	OS      string // eos, sonic, openconfig
	Running []byte // what it runs at first, and after a restart that loses changes
	TLS     *tls.Config
	// Username and Password are wanted with every call when set.
	Username, Password string
	Commit             Commit
	// Sessions are BGP neighbours and Neighbors LLDP neighbours by port; both are
	// shown as OpenConfig state. Nil: the models are not offered.
	Sessions  []string
	Neighbors map[string]string
	Latency   time.Duration // of every call
	// Schema is wanted for OpenConfig: an uncompressed ygot package's.
	Schema func() (*ytypes.Schema, error)
	Models []string // beside those the OS implies
	Plain  bool     // EOS: JSON only, no ASCII
	Faults []Fault
	// Network is where it listens; nil: the loopback interface.
	Network *Network
}

// Call is one call as it arrived.
type Call struct {
	Name string // capabilities, get, state, set, probe, confirm, cancel, extend
	Set  *gpb.SetRequest
}

// Target is a running switch.
type Target struct {
	config   Config
	listener *listener
	addr     string

	mu      sync.Mutex
	server  *grpc.Server
	running store
	pending *pending
	down    map[string]bool // BGP sessions that fell
	calls   []Call
	counts  map[string]int
}

// store is a configuration.
type store interface {
	// get answers one path; kind and encoding are the request's.
	get(path *gpb.Path, req *gpb.GetRequest) ([]*gpb.Update, error)
	// set returns the configuration after a transaction; the receiver stays.
	set(req *gpb.SetRequest) (store, error)
	dump() []byte
}

// Start opens the switch on a free port of its network.
func Start(c Config) (*Target, error) {
	t := &Target{config: c, down: map[string]bool{}, counts: map[string]int{}}
	var err error
	if t.running, err = t.load(c.Running); err != nil {
		return nil, err
	}
	if err := t.listen(""); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Target) load(body []byte) (store, error) {
	switch t.config.OS {
	case "eos":
		return parseCLI(body)
	case "sonic":
		return parseConfigDB(body)
	case "openconfig", "vrp", "comware":
		return parseOpenConfig(t.config.Schema, body)
	}
	return nil, fmt.Errorf("no target for the OS %q", t.config.OS)
}

func (t *Target) listen(addr string) error {
	l, at, err := t.config.Network.listen(addr)
	for try := 0; err != nil && addr != "" && try < 100; try++ {
		time.Sleep(20 * time.Millisecond) // the port may still be held by the last life
		l, at, err = t.config.Network.listen(addr)
	}
	if err != nil {
		return err
	}
	options := []grpc.ServerOption{}
	if t.config.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(t.config.TLS)))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.addr = at
	t.listener = &listener{Listener: l, conns: map[net.Conn]bool{}}
	t.server = grpc.NewServer(options...)
	gpb.RegisterGNMIServer(t.server, &service{t: t})
	go t.server.Serve(t.listener)
	return nil
}

// Addr is host:port.
func (t *Target) Addr() string { return t.addr }

// Stop ends the switch.
func (t *Target) Stop() {
	t.mu.Lock()
	s := t.server
	if t.pending != nil {
		t.pending.timer.Stop()
	}
	t.mu.Unlock()
	s.Stop()
}

// restart comes back on the same port after a while, with what it ran or with
// what it started with.
func (t *Target) restart(after time.Duration, lose bool) {
	t.mu.Lock()
	s := t.server
	if lose {
		if fresh, err := t.load(t.config.Running); err == nil {
			t.running = fresh
		}
		t.pending = nil
	}
	t.mu.Unlock()
	go func() {
		s.Stop()
		time.Sleep(after)
		_ = t.listen(t.addr) // a port lost to someone else shows as unreachable
	}()
}

// Running is the configuration as it stands.
func (t *Target) Running() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.running.dump()
}

// Pending reports whether a commit waits for confirmation.
func (t *Target) Pending() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pending != nil
}

// Calls lists what arrived so far under one name.
func (t *Target) Calls(name string) []Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Call
	for _, c := range t.calls {
		if c.Name == name {
			list = append(list, c)
		}
	}
	return list
}

// Edit changes the configuration behind the manager's back.
func (t *Target) Edit(body []byte) error {
	s, err := t.load(body)
	if err == nil {
		t.mu.Lock()
		t.running = s
		t.mu.Unlock()
	}
	return err
}
