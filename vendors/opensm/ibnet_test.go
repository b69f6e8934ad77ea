package opensm

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// port is a port of a node on the wire.
type port struct {
	guid uint64
	n    int
}

// network is what ibnetdiscover saw.
type network struct {
	names map[uint64]string // node GUID → name
	sw    map[uint64]bool
	links map[port]port // both directions
	guids map[uint64]uint64
}

var (
	nodeLine = regexp.MustCompile(`^(Switch|Ca)\s+\d+ "[SH]-([0-9a-f]{16})"\s+# "([^"]*)"`)
	portLine = regexp.MustCompile(`^\[(\d+)\](?:\(([0-9a-f]+)\))?\s+"[SH]-([0-9a-f]{16})"\[(\d+)\]`)
)

// parseNet reads ibnetdiscover's output.
func parseNet(r io.Reader) (*network, error) {
	n := &network{names: map[uint64]string{}, sw: map[uint64]bool{}, links: map[port]port{}, guids: map[uint64]uint64{}}
	var node uint64
	s := bufio.NewScanner(r)
	for s.Scan() {
		if m := nodeLine.FindStringSubmatch(s.Text()); m != nil {
			node = parseHex(m[2])
			n.names[node], n.sw[node] = m[3], m[1] == "Switch"
		} else if m := portLine.FindStringSubmatch(s.Text()); m != nil {
			here, _ := strconv.Atoi(m[1])
			there, _ := strconv.Atoi(m[4])
			n.links[port{node, here}] = port{parseHex(m[3]), there}
			if m[2] != "" {
				n.guids[node] = parseHex(m[2])
			}
		} else if strings.HasPrefix(s.Text(), "[") {
			return nil, fmt.Errorf("line not understood: %s", s.Text())
		}
	}
	return n, s.Err()
}

func parseHex(s string) uint64 {
	v, err := strconv.ParseUint(strings.TrimPrefix(s, "0x"), 16, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// planned is the part of the plan around some switches in the same form. Port numbers
// are computed here from cage and lane, not by the package.
func planned(f *fabric.Fabric, keep func(*fabric.Switch) bool) *network {
	n := &network{names: map[uint64]string{}, sw: map[uint64]bool{}, links: map[port]port{}, guids: map[uint64]uint64{}}
	at := func(e fabric.End) port {
		if e.Kind == fabric.ServerDevice {
			g := f.Servers[e.Device].Ports[e.Port].GUID.Value
			node := g - 1
			n.names[node] = f.Servers[e.Device].Name + " " + f.Servers[e.Device].Ports[e.Port].Name
			n.guids[node] = g
			return port{node, 1}
		}
		sw := &f.Switches[e.Device]
		p := &sw.Ports[e.Port]
		finest := 1
		for i := range sw.Ports {
			finest = max(finest, sw.Ports[i].Split)
		}
		switch {
		case finest == 1:
			return port{sw.GUID.Value, p.Cage}
		case finest == p.Split:
			return port{sw.GUID.Value, (p.Cage-1)*finest + p.Lane}
		default: // a port of a twin cage beside cages that are split four ways
			return port{sw.GUID.Value, (p.Cage-1)*4 + p.Lane*2 - 1}
		}
	}
	for i := range f.Switches {
		if s := &f.Switches[i]; keep(s) {
			n.names[s.GUID.Value], n.sw[s.GUID.Value] = s.Name, true
		}
	}
	for i := range f.Links {
		if l := &f.Links[i]; keep(&f.Switches[l.B.Device]) {
			a, b := at(l.A), at(l.B)
			n.links[a], n.links[b] = b, a
		}
	}
	return n
}

func inPlane(n int) func(*fabric.Switch) bool {
	return func(sw *fabric.Switch) bool { return sw.Plane == n }
}

// differences compares two networks; names are compared unless nil.
func (n *network) differences(seen *network) []string {
	var out []string
	for p, q := range n.links {
		if got, ok := seen.links[p]; !ok {
			out = append(out, fmt.Sprintf("missing: %s port %d to %s port %d", n.names[p.guid], p.n, n.names[q.guid], q.n))
		} else if got != q {
			out = append(out, fmt.Sprintf("wrong cable: %s port %d goes to %016x port %d, planned %s port %d", n.names[p.guid], p.n, got.guid, got.n, n.names[q.guid], q.n))
		}
	}
	for p := range seen.links {
		if _, ok := n.links[p]; !ok {
			out = append(out, fmt.Sprintf("unplanned: %016x port %d", p.guid, p.n))
		}
	}
	for g, name := range n.names {
		if seen.names[g] != name {
			out = append(out, fmt.Sprintf("name of %016x: %q, planned %q", g, seen.names[g], name))
		}
	}
	for node, g := range n.guids {
		if seen.guids[node] != g {
			out = append(out, fmt.Sprintf("port GUID of %016x: %016x, planned %016x", node, seen.guids[node], g))
		}
	}
	if len(n.names) != len(seen.names) {
		out = append(out, fmt.Sprintf("%d nodes seen, %d planned", len(seen.names), len(n.names)))
	}
	slices.Sort(out)
	return out
}
