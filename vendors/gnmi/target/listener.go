package target

import (
	"net"
	"sync"
)

// listener can cut every connection and refuse new ones.
type listener struct {
	net.Listener
	mu    sync.Mutex
	conns map[net.Conn]bool
	cut   bool
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		l.mu.Lock()
		cut := l.cut
		if !cut {
			l.conns[c] = true
		}
		l.mu.Unlock()
		if cut {
			c.Close()
			continue
		}
		return &conn{Conn: c, l: l}, nil
	}
}

type conn struct {
	net.Conn
	l    *listener
	once sync.Once
}

func (c *conn) Close() error {
	c.once.Do(func() {
		c.l.mu.Lock()
		delete(c.l.conns, c.Conn)
		c.l.mu.Unlock()
	})
	return c.Conn.Close()
}

// drop closes what is open.
func (l *listener) drop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for c := range l.conns {
		c.Close()
	}
}

func (l *listener) setCut(cut bool) {
	l.mu.Lock()
	l.cut = cut
	l.mu.Unlock()
}
