package underlay

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"sync"
	"time"

	"railyard/generator/fabric"
)

// flows is how many UDP flows a probe sends. Each has a source port of its own
// and the kernels hash on ports, so the flows spread over all equal-cost paths,
// there and back.
const flows = 16

// listen opens a socket inside the box.
func (b *box) listen(a netip.AddrPort) (c *net.UDPConn, err error) {
	b.ns.do(func() { c, err = net.ListenUDP("udp4", net.UDPAddrFromAddrPort(a)) })
	return c, err
}

// addresses are a switch's loopback and the gateways it has by its own text.
func (b *box) addresses() []netip.Addr {
	list := []netip.Addr{b.dev.loopback.Addr()}
	for _, p := range b.dev.stubs {
		list = append(list, p.Addr())
	}
	return list
}

const echoPort = 7

// echo answers on all addresses of every switch that lives, until the returned
// function is called.
func (l *lab) echo() (stop func(), err error) {
	var open []*net.UDPConn
	stop = func() {
		for _, c := range open {
			c.Close()
		}
	}
	err = l.living(func(b *box) error {
		for _, a := range b.addresses() {
			c, err := b.listen(netip.AddrPortFrom(a, echoPort))
			if err != nil {
				return err
			}
			open = append(open, c)
			go func() {
				buf := make([]byte, 64)
				for {
					n, from, err := c.ReadFromUDPAddrPort(buf)
					if err != nil {
						return
					}
					_, _ = c.WriteToUDPAddrPort(buf[:n], from)
				}
			}()
		}
		return nil
	})
	return stop, err
}

// unreachable sends flows from every address of every leaf to every address of
// every switch that the plan has a way to, and lists those without an answer.
func (l *lab) unreachable() (string, error) {
	stop, err := l.echo()
	defer stop()
	if err != nil {
		return "", err
	}
	var probes []*probe
	for s, b := range l.boxes {
		if l.dead[s] || l.f.Switches[s].Role != fabric.Leaf {
			continue
		}
		var targets []netip.AddrPort
		for d, other := range l.boxes {
			if d == s || l.dead[d] || len(l.ports(s, d)) == 0 {
				continue
			}
			for _, a := range other.addresses() {
				targets = append(targets, netip.AddrPortFrom(a, echoPort))
			}
		}
		for _, from := range b.addresses() {
			probes = append(probes, &probe{box: b, from: from, targets: targets})
		}
	}
	var all sync.WaitGroup
	for _, p := range probes {
		all.Go(p.run)
	}
	all.Wait()
	lost := ""
	for _, p := range probes {
		lost += p.lost
		err = errors.Join(err, p.err)
	}
	return lost, err
}

// probe is flows from one address to many targets.
type probe struct {
	box     *box
	from    netip.Addr
	targets []netip.AddrPort
	lost    string // targets that did not answer every flow, a line each
	err     error
}

func (p *probe) run() {
	var sockets [flows]*net.UDPConn
	for i := range sockets {
		c, err := p.box.listen(netip.AddrPortFrom(p.from, 0))
		if err != nil {
			p.err = err
			return
		}
		defer c.Close()
		sockets[i] = c
	}
	var silent [flows][]netip.AddrPort
	var all sync.WaitGroup
	for i, c := range sockets {
		all.Go(func() { silent[i] = exchange(c, p.targets) })
	}
	all.Wait()
	for _, t := range p.targets {
		n := 0
		for _, s := range silent {
			if slices.Contains(s, t) {
				n++
			}
		}
		if n > 0 {
			p.lost += fmt.Sprintf("%s: no answer from %s to %s on %d of %d flows\n", p.box.name, t.Addr(), p.from, n, flows)
		}
	}
}

// exchange sends to all targets from one port and returns those that stay silent.
func exchange(c *net.UDPConn, targets []netip.AddrPort) []netip.AddrPort {
	waiting := slices.Clone(targets)
	buf := make([]byte, 64)
	for range 3 {
		for _, t := range waiting {
			_, _ = c.WriteToUDPAddrPort([]byte("railyard"), t) // no route is as good as no answer
		}
		_ = c.SetReadDeadline(time.Now().Add(500 * time.Millisecond))
		for len(waiting) > 0 {
			_, who, err := c.ReadFromUDPAddrPort(buf)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				break
			}
			if err == nil {
				waiting = slices.DeleteFunc(waiting, func(t netip.AddrPort) bool { return t == who })
			}
		}
	}
	return waiting
}
