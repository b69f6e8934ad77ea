package ibscan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/clitree"
	"railyard/vendors/ibsubnet"
)

// planned is a switch or an adapter of the plan.
type planned struct {
	name   string // leaf-u01-r0, gpu-001 nic0
	device string // leaf-u01-r0, gpu-001
	guid   fabric.GUID
	sw     int // index into Fabric.Switches, -1 for an adapter
	tier   int
	subnet int
	seen   *node
}

type comparison struct {
	f     *fabric.Fabric
	seen  *scan
	out   Result
	plan  []planned
	sw    []int                // plan index by switch
	host  map[fabric.End]int   // plan index by server port
	parts []ibsubnet.Subnet    // of the plan
	diff  map[string]*gathered // by device
	order []string
}

// gathered is what differs at one device.
type gathered struct{ remove, add []string }

func (c *comparison) run() {
	c.list()
	if bare := slices.IndexFunc(c.seen.order, func(n *node) bool { return !n.whole }); bare >= 0 {
		c.note("%s and maybe more devices are named by their neighbours but have no section of their own: the records are cut off or of a part", c.seen.order[bare].label())
	}
	c.match()
	c.absent()
	if c.seen.wired {
		c.links()
	}
	c.keys()
	for _, n := range c.seen.order {
		if n.plan >= 0 && n.lid == 0 {
			c.at(c.plan[n.plan].name, "lid 0: no subnet manager has numbered it", "")
		}
		if n.plan < 0 && !c.mentioned(n) {
			c.at(n.label(), kindOf(n)+fmt.Sprintf(" 0x%016x", n.guid), "")
		}
	}
	for _, p := range c.seen.inactive {
		if n := c.byLID(p.lid); n != nil {
			c.at(c.label(n), fmt.Sprintf("port %d is %s", p.port, p.state), fmt.Sprintf("port %d is Active", p.port))
		}
	}
	c.write()
}

// list is everything the plan has.
func (c *comparison) list() {
	c.parts = ibsubnet.Split(c.f)
	c.sw, c.host, c.diff = make([]int, len(c.f.Switches)), map[fabric.End]int{}, map[string]*gathered{}
	tiers := map[fabric.Role]int{fabric.Leaf: 0, fabric.Spine: 1, fabric.Core: 2}
	for n := range c.parts {
		s := &c.parts[n]
		for _, i := range s.Switches {
			sw := &c.f.Switches[i]
			c.sw[i] = len(c.plan)
			c.plan = append(c.plan, planned{name: sw.Name, device: sw.Name, guid: sw.GUID, sw: i, tier: tiers[sw.Role], subnet: n})
		}
		for i := range s.Hosts {
			h := &s.Hosts[i]
			c.host[fabric.End{Kind: fabric.ServerDevice, Device: h.Server, Port: h.Port}] = len(c.plan)
			c.plan = append(c.plan, planned{name: h.Name(c.f), device: c.f.Servers[h.Server].Name, guid: h.GUID, sw: -1, tier: -1, subnet: n})
		}
	}
}

// match finds the node of everything planned: by GUID, and by name where the GUID is
// made up or nobody has it.
func (c *comparison) match() {
	ports, names := map[uint64]*node{}, map[string]*node{}
	for _, n := range c.seen.order {
		if n.port != 0 {
			ports[n.port] = n
		}
		if _, twice := names[n.desc]; n.desc != "" && !twice {
			names[n.desc] = n
		}
	}
	take := func(i int, n *node) {
		if n != nil && n.plan < 0 && n.sw == (c.plan[i].sw >= 0) && c.plan[i].seen == nil {
			n.plan, c.plan[i].seen = i, n
		}
	}
	made := 0
	for i := range c.plan {
		p := &c.plan[i]
		if p.guid.Placeholder {
			made++
			continue
		}
		if n := ports[p.guid.Value]; n != nil {
			take(i, n)
		}
		take(i, c.seen.nodes[p.guid.Value])
	}
	for i := range c.plan {
		p := &c.plan[i]
		n := names[p.name]
		if n == nil && p.sw >= 0 {
			n = c.named(p.name)
		}
		take(i, n)
		if p.seen != nil && p.seen == n && !p.guid.Placeholder && p.guid.Value != n.guid && p.guid.Value != n.port {
			c.at(p.name, fmt.Sprintf("guid 0x%016x", cmp.Or(n.port, n.guid)), fmt.Sprintf("guid 0x%016x", p.guid.Value))
		}
	}
	if made > 0 {
		c.note("%d of %d GUIDs of the plan are made up, so these devices were found by their names", made, len(c.plan))
	}
}

// named finds a switch whose description has a name in it, as MLNX-OS writes them:
// MF0;leaf-u01-r0:MQM9700/U1.
func (c *comparison) named(name string) *node {
	for _, n := range c.seen.order {
		if n.sw && n.plan < 0 && slices.Contains(strings.FieldsFunc(n.desc, func(r rune) bool { return strings.ContainsRune(";:/ ", r) }), name) {
			return n
		}
	}
	return nil
}

// absent is what the plan has and no record. Subnets without any record are not
// judged, nor are kinds of devices that only a list of others was given of.
func (c *comparison) absent() {
	known := make([]bool, len(c.parts))
	for i := range c.plan {
		if c.plan[i].seen != nil {
			known[c.plan[i].subnet] = true
		}
	}
	for n, ok := range known {
		if !ok {
			c.note("nothing recorded of %s: not compared", c.parts[n].Where())
		}
	}
	for i := range c.plan {
		p := &c.plan[i]
		if p.seen != nil || !known[p.subnet] {
			continue
		}
		switch {
		case p.sw >= 0 && (c.seen.wired || c.seen.switches):
			c.at(p.name, "", "the switch itself: it was not seen")
		case p.sw < 0 && (c.seen.wired || c.seen.adapters):
			c.at(p.device, "", strings.TrimPrefix(p.name, p.device+" ")+": it was not seen")
		}
	}
	// A description of another device on the GUID that the plan gives this one.
	for i := range c.plan {
		p := &c.plan[i]
		if p.seen == nil || p.guid.Placeholder || p.seen.desc == "" {
			continue
		}
		if other := c.mistaken(p); other != "" {
			c.at(p.name, "is called "+other, "is called "+p.name)
		}
	}
}

// mistaken is the name of another planned device that a node carries.
func (c *comparison) mistaken(p *planned) string {
	words := strings.FieldsFunc(p.seen.desc, func(r rune) bool { return strings.ContainsRune(";:/ ", r) })
	if slices.Contains(words, p.device) || len(words) == 0 {
		return ""
	}
	for i := range c.plan {
		if q := &c.plan[i]; q.device != p.device && slices.Contains(words, q.device) {
			return p.seen.desc
		}
	}
	return ""
}

// end is a cable seen from the device it is told at: the switch, of two the lower.
type end struct {
	device string
	port   int
}

func (c *comparison) links() {
	want := map[end]string{}
	speed := map[end]int{}
	for i := range c.f.Links {
		l := &c.f.Links[i]
		e, far, ok := c.plannedEnds(l)
		if !ok {
			continue
		}
		want[e], speed[e] = far, l.SpeedGbps
	}
	got, rate := map[end]string{}, map[end]string{}
	for i := range c.seen.cables {
		e, far := c.seenEnds(&c.seen.cables[i])
		if e.device != "" {
			got[e], rate[e] = far, c.seen.cables[i].speed
		}
	}
	var all []end
	for e := range want {
		all = append(all, e)
	}
	for e := range got {
		if _, both := want[e]; !both {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b end) int { return cmp.Or(strings.Compare(a.device, b.device), cmp.Compare(a.port, b.port)) })
	for _, e := range all {
		port := fmt.Sprintf("port %d to ", e.port)
		switch {
		case got[e] == "" && want[e] != "":
			c.at(e.device, "", port+want[e])
		case want[e] == "" || got[e] != want[e]:
			c.at(e.device, port+got[e], prefixed(port, want[e]))
		default:
			if g := gbps(rate[e]); g > 0 && g < speed[e] {
				c.at(e.device, fmt.Sprintf("port %d at %s (%dG)", e.port, rate[e], g), fmt.Sprintf("port %d at %dG", e.port, speed[e]))
			}
		}
	}
}

func prefixed(a, b string) string {
	if b == "" {
		return ""
	}
	return a + b
}

// plannedEnds says where a planned link is told; ok is false where an end was not
// seen at all, which is told already.
func (c *comparison) plannedEnds(l *fabric.Link) (end, string, bool) {
	side := func(e fabric.End) (*planned, int) {
		if e.Kind == fabric.ServerDevice {
			return &c.plan[c.host[e]], 1
		}
		sw := &c.f.Switches[e.Device]
		return &c.plan[c.sw[e.Device]], ibsubnet.NumberingOf(c.f, sw).Number(&sw.Ports[e.Port])
	}
	a, an := side(l.A)
	b, bn := side(l.B)
	if a.seen == nil || b.seen == nil || !a.seen.whole && !b.seen.whole {
		return end{}, "", false // told already, or in a part that was cut off
	}
	if a.sw < 0 {
		return end{b.name, bn}, a.name, true
	}
	if a.tier > b.tier {
		a, b, an, bn = b, a, bn, an
	}
	return end{a.name, an}, fmt.Sprintf("%s port %d", b.name, bn), true
}

func (c *comparison) seenEnds(l *cable) (end, string) {
	a, b, an, bn := l.a, l.b, l.aPort, l.bPort
	switch {
	case !a.sw && !b.sw:
		return end{}, ""
	case !a.sw || b.sw && c.rank(b) < c.rank(a):
		a, b, an, bn = b, a, bn, an
	}
	if !b.sw {
		return end{c.label(a), an}, c.label(b)
	}
	return end{c.label(a), an}, fmt.Sprintf("%s port %d", c.label(b), bn)
}

// rank is a switch's tier, and above all of them where it is not planned; of equal
// ones the name decides.
func (c *comparison) rank(n *node) string {
	t := 9
	if n.plan >= 0 {
		t = c.plan[n.plan].tier
	}
	return fmt.Sprintf("%d %s", t, c.label(n))
}

func (c *comparison) label(n *node) string {
	if n.plan >= 0 {
		return c.plan[n.plan].name
	}
	return n.label()
}

func (n *node) label() string {
	if n.desc != "" {
		return n.desc
	}
	return fmt.Sprintf("0x%016x", n.guid)
}

func kindOf(n *node) string {
	if n.sw {
		return "a switch nobody planned:"
	}
	return "an adapter nobody planned:"
}

// mentioned reports whether a cable tells of an unplanned node.
func (c *comparison) mentioned(n *node) bool {
	return slices.ContainsFunc(c.seen.cables, func(l cable) bool {
		return l.a == n && l.b.plan >= 0 || l.b == n && l.a.plan >= 0
	})
}

func (c *comparison) byLID(lid int) *node {
	for _, n := range c.seen.order {
		if n.lid == lid && lid > 0 {
			return n
		}
	}
	return nil
}

// lanes are Gb/s of one lane by what the tools call the speed.
var lanes = map[string]int{"SDR": 2, "DDR": 5, "QDR": 10, "FDR10": 10, "FDR": 14, "EDR": 25, "HDR": 50, "NDR": 100, "XDR": 200}

// gbps is a width and speed such as 4xNDR in Gb/s; 0 where it is not known.
func gbps(s string) int {
	width, name, ok := strings.Cut(s, "x")
	if !ok {
		return 0
	}
	return max(0, number(width)) * lanes[name]
}

// keys compares the tables of adapters' ports. The default partition is left to the
// subnet manager's files.
func (c *comparison) keys() {
	want := map[string][]string{}
	for n := range c.parts {
		for _, p := range ibsubnet.Partitions(c.f, &c.parts[n]) {
			for _, m := range p.Members {
				want[m.Host.Name(c.f)] = append(want[m.Host.Name(c.f)], keyText(p.Key, m.Full))
			}
		}
	}
	for _, t := range c.seen.tables {
		n := c.byLID(t.lid)
		if n == nil {
			c.note("%s: the table of LID %d: which port that is, no ibnetdiscover or NodeRecord says", t.where, t.lid)
			continue
		}
		if n.plan < 0 || n.sw {
			continue
		}
		name := c.plan[n.plan].name
		var got []string
		for _, k := range t.keys {
			if low := k & 0x7fff; low != 0 && low != 0x7fff {
				got = append(got, keyText(low, k&0x8000 != 0))
			}
		}
		for _, k := range want[name] {
			if !slices.Contains(got, k) {
				c.at(name, "", k)
			}
		}
		for _, k := range got {
			if !slices.Contains(want[name], k) {
				c.at(name, k, "")
			}
		}
	}
}

func keyText(key uint16, full bool) string {
	if full {
		return fmt.Sprintf("pkey 0x%04x full", key)
	}
	return fmt.Sprintf("pkey 0x%04x limited", key)
}

func (c *comparison) note(format string, args ...any) {
	c.out.Problems = append(c.out.Problems, clitree.Problem{Severity: clitree.Doubt, Code: clitree.CodePartial, Text: fmt.Sprintf(format, args...)})
}

// at notes a difference of a device.
func (c *comparison) at(device, remove, add string) {
	g := c.diff[device]
	if g == nil {
		g = &gathered{}
		c.diff[device] = g
		c.order = append(c.order, device)
	}
	if remove != "" {
		g.remove = append(g.remove, remove)
	}
	if add != "" {
		g.add = append(g.add, add)
	}
}

func (c *comparison) write() {
	slices.Sort(c.order)
	for _, device := range c.order {
		g := c.diff[device]
		c.out.Changes = append(c.out.Changes, clitree.Change{Path: []string{device}, Remove: g.remove, Add: g.add})
	}
}
