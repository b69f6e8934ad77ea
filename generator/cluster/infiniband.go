package cluster

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/hostlist"
)

// mostPartitions is far above the 128 keys that a node's table holds.
const mostPartitions = 1024

// infiniBand checks the section "infiniband".
func (l *loader) infiniBand() {
	b := &l.c.InfiniBand
	if l.usable("infiniband.routing", "infiniband.subnet_manager") {
		nvidia := strings.HasPrefix(b.Routing, "ar_")
		l.require(!nvidia || b.SubnetManager == "ufm", "infiniband.routing", "use updn or ftree, or write subnet_manager: ufm", "%s is an engine of NVIDIA's subnet manager, which UFM runs; %s has none", b.Routing, b.SubnetManager)
	}
	if b.UFMLinks > 0 && l.usable("servers", "infiniband.ufm_links") && len(l.c.Servers) > 0 {
		last := l.c.Servers[len(l.c.Servers)-1].NICs
		l.require(b.UFMLinks <= last, "infiniband.ufm_links", fmt.Sprintf("use at most %d", last), "%d links for UFM do not fit the one server place they take, which has %d", b.UFMLinks, last)
	}
	if len(b.Partitions) > mostPartitions {
		l.fail("infiniband.partitions", fmt.Sprintf("use at most %d", mostPartitions), "%d partitions", len(b.Partitions))
		return
	}
	for i := range b.Partitions {
		l.partition(i, fmt.Sprintf("infiniband.partitions[%d]", i))
	}
	l.members()
	if b.GUIDFile != "" && l.usable("infiniband.guids") {
		l.guids(b.GUIDFile)
	}
}

// partition keeps names and keys apart.
func (l *loader) partition(i int, path string) {
	all := l.c.InfiniBand.Partitions
	p := &all[i]
	if !l.usable(path) {
		return
	}
	if j := slices.IndexFunc(all[:i], func(o Partition) bool { return o.Name == p.Name }); j >= 0 {
		l.fail(path+".name", "choose another name", "the name %s is taken by partitions[%d]", p.Name, j)
	}
	// One key may have a full and a limited part: clients that reach servers, not
	// one another.
	if j := slices.IndexFunc(all[:i], func(o Partition) bool { return o.PKey&0x7fff == p.PKey&0x7fff && o.Membership == p.Membership }); j >= 0 {
		l.fail(path+".pkey", "choose another key, or another membership", "the key 0x%04x is that of partitions[%d], with the same membership; the highest bit does not count", uint16(p.PKey), j)
	}
	l.require(len(p.Members) > 0, path+".members", "write members: ['gpu-[001-004]'], or remove the partition", "a partition without members")
}

// mostTries bounds how many names are held against patterns. Only patterns with
// wildcards or without a server are held against names one by one.
const mostTries = 2_000_000

// members checks that every pattern matches a server.
func (l *loader) members() {
	if !l.usable("servers") {
		return
	}
	tries := mostTries
	for i := range l.c.InfiniBand.Partitions {
		p := &l.c.InfiniBand.Partitions[i]
		for j, m := range p.Members {
			path := fmt.Sprintf("infiniband.partitions[%d].members[%d]", i, j)
			if !l.usable(path) {
				continue
			}
			list, err := hostlist.Parse(m)
			if err != nil {
				l.fail(path, "write a host list like gpu-[001-004,007] or a glob like gpu-*", "%v", err)
				continue
			}
			p.lists = append(p.lists, list)
			if !l.anyServer(list, &tries) && tries > 0 {
				l.fail(path, "the servers are "+l.serverRanges(), "%s matches no server", quote(m))
			}
			if tries <= 0 {
				l.fail(path, "use ranges such as gpu-[001-100]", "too many patterns for so many servers")
				return
			}
		}
	}
}

// anyServer reports whether a list holds some server's name.
func (l *loader) anyServer(list hostlist.List, tries *int) bool {
	for _, name := range list.Lowest() {
		if g, index := l.server(name); g != nil && index < g.Count {
			return true
		}
	}
	for i := range l.c.Servers {
		g := &l.c.Servers[i]
		if !begins(list, g.Name+"-") {
			continue
		}
		for n := 0; n < g.Count && *tries > 0; n++ {
			*tries--
			if list.Match(g.ServerName(n)) {
				return true
			}
		}
	}
	return false
}

// server finds the group and index of a server by name, today's or one of the
// reserve; nil when there is none.
func (l *loader) server(name string) (*ServerGroup, int) {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return nil, 0
	}
	index, err := strconv.Atoi(name[i+1:])
	if err != nil || index < 1 {
		return nil, 0
	}
	for j := range l.c.Servers {
		g := &l.c.Servers[j]
		if g.Name == name[:i] && index <= max(g.Count, g.Reserve) && g.ServerName(index-1) == name {
			return g, index - 1
		}
	}
	return nil, 0
}

// begins reports whether a name that starts like this can be in the list.
func begins(list hostlist.List, start string) bool {
	return slices.ContainsFunc(list.Prefixes(), func(p string) bool {
		return strings.HasPrefix(start, p) || strings.HasPrefix(p, start)
	})
}

// serverRanges says what servers there are: gpu-001 to gpu-064.
func (l *loader) serverRanges() string {
	var list []string
	for i := range l.c.Servers {
		g := &l.c.Servers[i]
		if len(list) == 5 {
			list = append(list, "…")
			break
		}
		list = append(list, g.ServerName(0)+" to "+g.ServerName(g.Count-1))
	}
	return strings.Join(list, ", ")
}

// switchStart is how names of switches begin; a pattern that stops earlier can
// still match one.
var switchStart = regexp.MustCompile(`^(p[0-7]-)?(leaf-(u[0-9]*(-r?[0-9-]*)?)?|spine-[0-9]*|core-[0-9]*)$`)

// switchPattern parses a pattern that is to match switches; nil when it is malformed.
func (l *loader) switchPattern(path, pattern string) *hostlist.List {
	list, err := hostlist.Parse(pattern)
	if err != nil {
		l.fail(path, "write a name, a host list or a glob: leaf-u01-r0, leaf-u[01-04]-r0, leaf-*-r0", "%v", err)
		return nil
	}
	plausible := slices.ContainsFunc(list.Prefixes(), func(p string) bool {
		if switchStart.MatchString(p) {
			return true
		}
		for _, start := range []string{"leaf-u", "spine-", "core-", "p0-leaf-u", "p0-spine-", "p0-core-"} {
			if strings.HasPrefix(start, p) {
				return true
			}
		}
		return false
	})
	if !plausible {
		l.fail(path, "switches are called leaf-u01-r0, spine-01, core-01, with p0- before it where there are planes", "%s matches no switch", quote(pattern))
	}
	return &list
}
