package target

import (
	"context"
	"fmt"
	"net"
	"sync"
)

// Network joins targets and their manager inside one process, without the
// kernel: tests that run in a testing/synctest bubble need that, because time
// stands still while a real socket is read. Nil is the loopback interface.
type Network struct {
	mu   sync.Mutex
	at   map[string]*pipes
	last int
}

// NewNetwork makes an empty one.
func NewNetwork() *Network { return &Network{at: map[string]*pipes{}} }

// Connect opens a connection to a target's address.
func (n *Network) Connect(ctx context.Context, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.at[address]
	n.mu.Unlock()
	if l == nil {
		return nil, fmt.Errorf("nobody listens at %s", address)
	}
	here, there := net.Pipe()
	select {
	case l.calls <- there:
		return here, nil
	case <-l.closed:
		return nil, fmt.Errorf("nobody listens at %s", address)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// listen opens an address, a new one where none is given.
func (n *Network) listen(address string) (net.Listener, string, error) {
	if n == nil {
		if address == "" {
			address = "127.0.0.1:0"
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			return nil, "", err
		}
		return l, l.Addr().String(), nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if address == "" {
		n.last++
		address = fmt.Sprintf("192.0.2.1:%d", 10000+n.last) // RFC 5737: no real address
	}
	l := &pipes{calls: make(chan net.Conn), closed: make(chan struct{})}
	n.at[address] = l
	return l, address, nil
}

// pipes is a listener of Network.
type pipes struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.calls:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
