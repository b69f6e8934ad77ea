package underlay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"railyard/generator/fabric"
)

// neighbor is one of "show bgp neighbors json".
type neighbor struct {
	RemoteAS       uint32 `json:"remoteAs"`
	RemoteRouterID string `json:"remoteRouterId"`
	BGPState       string `json:"bgpState"`
}

// table is "show bgp ipv4 unicast json".
type table struct {
	LocalAS uint32 `json:"localAS"`
	Routes  map[string][]struct{ Path string }
}

// ask asks bgpd for its sessions and all its paths.
func (b *box) ask() (sessions map[string]neighbor, paths table, err error) {
	out, err := exec.Command(vtysh, "--vty_socket", b.dir, "-d", "bgpd", "-c", "show bgp neighbors json", "-c", "show bgp ipv4 unicast json").Output()
	if err != nil {
		return nil, table{}, fmt.Errorf("%s: vtysh: %w", b.name, err)
	}
	answers := json.NewDecoder(bytes.NewReader(out))
	if err := errors.Join(answers.Decode(&sessions), answers.Decode(&paths)); err != nil {
		return nil, table{}, fmt.Errorf("%s: %w: %s", b.name, err, out)
	}
	return sessions, paths, nil
}

// living are the boxes that were not killed.
func (l *lab) living(each func(b *box) error) error {
	for i, b := range l.boxes {
		if !l.dead[i] {
			if err := each(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// seen are the lines of plan.sessions as the switches have them, and the BGP
// paths, used or not, that go up again after they went down, as the AS numbers of
// the tiers tell.
func (l *lab) seen() (sessions, bounces []string, err error) {
	tier := map[string]fabric.Role{}
	for i := range l.f.Switches {
		tier[strconv.FormatUint(uint64(l.f.Switches[i].ASN), 10)] = l.f.Switches[i].Role
	}
	err = l.living(func(b *box) error {
		all, bgp, err := b.ask()
		for id, n := range all {
			sessions = append(sessions, session(b.name, id, n.BGPState == "Established", n.RemoteAS, n.RemoteRouterID))
		}
		for prefix, paths := range bgp.Routes {
			for _, p := range paths {
				way := []fabric.Role{tier[strconv.FormatUint(uint64(bgp.LocalAS), 10)]}
				for _, as := range strings.Fields(p.Path) {
					way = append(way, tier[as])
				}
				if valley(way) {
					bounces = append(bounces, fmt.Sprintf("%s: %s over AS %s", b.name, prefix, p.Path))
				}
			}
		}
		return err
	})
	slices.Sort(sessions)
	slices.Sort(bounces)
	return sessions, bounces, err
}

// hop is where a kernel route leads.
type hop struct {
	Dev string `json:"dev"`
}

// kernelRoutes are the routes of a box that are no link's own, by prefix.
func (b *box) kernelRoutes() (map[string][]string, error) {
	out, err := b.ns.run("", ipTool, "-j", "-4", "route", "show", "table", "main")
	if err != nil {
		return nil, err
	}
	var all []struct {
		hop
		Dst, Protocol string
		Nexthops      []hop
	}
	if err := json.Unmarshal(out, &all); err != nil {
		return nil, err
	}
	routes := map[string][]string{}
	for _, r := range all {
		if r.Protocol == "kernel" {
			continue
		}
		if !strings.Contains(r.Dst, "/") {
			r.Dst += "/32"
		}
		for _, h := range append(r.Nexthops, r.hop) {
			if h.Dev != "" {
				routes[r.Dst] = append(routes[r.Dst], h.Dev)
			}
		}
	}
	return routes, nil
}

// seenRoutes are the lines of plan.routes as the kernels have them.
func (l *lab) seenRoutes() ([]string, error) {
	var lines []string
	err := l.living(func(b *box) error {
		routes, err := b.kernelRoutes()
		for prefix, ports := range routes {
			lines = append(lines, route(b.name, prefix, ports))
		}
		return err
	})
	slices.Sort(lines)
	return lines, err
}

// valley reports whether a way climbs after it fell.
func valley(way []fabric.Role) bool {
	fell := false
	for i := 1; i < len(way); i++ {
		switch {
		case rank(way[i]) < rank(way[i-1]):
			fell = true
		case fell:
			return true
		}
	}
	return false
}

// tables are the kernel routes of all boxes, empty for those that were killed.
func (l *lab) tables() ([]map[string][]string, error) {
	list := make([]map[string][]string, len(l.boxes))
	for i, b := range l.boxes {
		if l.dead[i] {
			continue
		}
		routes, err := b.kernelRoutes()
		if err != nil {
			return nil, err
		}
		list[i] = routes
	}
	return list, nil
}

// trace follows routes for a prefix from the last switch of a way to the next,
// over all next hops, and returns every way as far as it goes; one that meets
// itself ends there.
func (l *lab) trace(tables []map[string][]string, way []int, prefix string) [][]int {
	at := way[len(way)-1]
	next := l.across(at, tables[at][prefix])
	if len(next) == 0 || slices.Contains(way[:len(way)-1], at) {
		return [][]int{slices.Clone(way)}
	}
	var ways [][]int
	for _, n := range next {
		ways = append(ways, l.trace(tables, append(slices.Clone(way), n), prefix)...)
	}
	return ways
}

// across are the switches behind ports, each once.
func (l *lab) across(at int, ports []string) []int {
	var list []int
	for i := range l.f.Switches[at].Ports {
		p := &l.f.Switches[at].Ports[i]
		if p.Link >= 0 && slices.Contains(ports, linuxName(p.Name)) && !slices.Contains(list, p.Peer.Device) {
			list = append(list, p.Peer.Device)
		}
	}
	return list
}

func (l *lab) spell(way []int) string {
	var names []string
	for _, i := range way {
		names = append(names, l.f.Switches[i].Name)
	}
	return strings.Join(names, " > ")
}

// forwarding are the ways that packets from every leaf to every rail subnet of
// another take through the kernels and that bounce or turn in circles, "prefix:
// leaf-u01-r0 > spine-01 > …".
func (l *lab) forwarding() ([]string, error) {
	tables, err := l.tables()
	if err != nil {
		return nil, err
	}
	var bouncing []string
	for s := range l.f.Switches {
		for d := range l.f.Switches {
			if s == d || l.f.Switches[s].Role != fabric.Leaf || l.f.Switches[d].Role != fabric.Leaf {
				continue
			}
			for _, prefix := range l.owned(&l.f.Switches[d])[1:] {
				for _, way := range l.trace(tables, []int{s}, prefix.String()) {
					var tiers []fabric.Role
					for _, i := range way {
						tiers = append(tiers, l.f.Switches[i].Role)
					}
					if valley(tiers) {
						bouncing = append(bouncing, prefix.String()+": "+l.spell(way))
					}
				}
			}
		}
	}
	return bouncing, nil
}

// evidence is how the first switches of a complaint see it.
func (l *lab) evidence(complaint string) string {
	var out strings.Builder
	for i, b := range l.boxes {
		if l.dead[i] || !strings.Contains(complaint, " "+b.name+": ") || out.Len() > 20_000 {
			continue
		}
		for _, show := range []string{"show bgp ipv4 unicast summary", "show bgp ipv4 unicast", "show ip route", "show bgp nexthop", "show ip nht", "show interface brief"} {
			said, err := exec.Command(vtysh, "--vty_socket", b.dir, "-c", show).CombinedOutput()
			fmt.Fprintf(&out, "\n%s# %s (%v)\n%s", b.name, show, err, said)
		}
	}
	return out.String()
}

// settled waits until look finds nothing to complain about, and fails with its
// last complaint when the time is over.
func (l *lab) settled(what string, limit time.Duration, look func() (string, error)) {
	l.Helper()
	begin := time.Now()
	end := begin.Add(limit)
	if t, ok := l.Deadline(); ok && t.Add(-15*time.Second).Before(end) {
		end = t.Add(-15 * time.Second) // room to clean up
	}
	for {
		complaint, err := look()
		if err == nil && complaint == "" {
			l.Logf("%s after %v", what, time.Since(begin).Round(100*time.Millisecond))
			return
		}
		if time.Now().After(end) {
			l.Fatalf("%s: not within %v (- planned, + found; %v):\n%s%s", what, limit, err, complaint, l.evidence(complaint))
		}
		time.Sleep(300 * time.Millisecond)
	}
}
