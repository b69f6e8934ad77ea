package plan

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

// Text writes the plan for people, at most 100 columns wide and without colour.
// Large fabrics are condensed: names are folded into Slurm host lists, VLANs into
// a line per rail.
func Text(w io.Writer, f *fabric.Fabric) error {
	p := &page{}
	p.title(f)
	p.counts(f)
	p.servers(f)
	p.switches(f)
	p.rails(f)
	p.partitions(f)
	p.numbers(f)
	p.lossless(f)
	p.materials(f)
	p.choices(f)
	p.heading("findings")
	if len(f.Findings) == 0 {
		p.para("none")
	}
	p.findings(f.Findings)
	_, err := io.WriteString(w, p.text.String())
	return err
}

func (p *page) title(f *fabric.Fabric) {
	tech := "InfiniBand"
	if f.Technology == fabric.RoCE {
		tech = strings.TrimSpace("RoCE " + f.RoCE)
	}
	parts := []string{tech, string(f.Topology)}
	if f.Attachment != "" {
		parts = append(parts, f.Attachment+" attachment")
	}
	if f.Planes > 1 {
		parts = append(parts, strconv.Itoa(f.Planes)+" planes")
	}
	p.line("%s: %s", f.Name, strings.Join(parts, ", "))
	var found []string
	for _, severity := range []fabric.Severity{fabric.Error, fabric.Warning} {
		n := 0
		for i := range f.Findings {
			if f.Findings[i].Severity == severity {
				n++
			}
		}
		if n > 0 {
			found = append(found, number(n, string(severity), string(severity)+"s"))
		}
	}
	if len(found) > 0 {
		p.line("%s (see findings below)", strings.Join(found, " and "))
	}
}

func (p *page) counts(f *fabric.Fabric) {
	c := &f.Counts
	row := func(values ...int) [][]string {
		var cells []string
		for _, v := range values {
			cells = append(cells, thousands(v))
		}
		return [][]string{cells}
	}
	p.heading("counts")
	p.table([]string{">servers", ">GPUs", ">units", ">rails", ">planes", ">leaf", ">spine", ">core"},
		row(c.Servers, c.GPUs, c.Units, c.Rails, c.Planes, c.Leaf, c.Spine, c.Core))
	p.line("")
	p.table([]string{">host links", ">host cables", ">leaf-spine links", ">spine-core links", ">fabric cables"},
		row(c.HostLinks, c.HostCables, c.LeafSpineLinks, c.SpineCoreLinks, c.FabricCables))
	var over []string
	for _, t := range []struct {
		name string
		r    fabric.Ratio
	}{{"leaf", f.LeafOversubscription}, {"spine", f.SpineOversubscription}} {
		if r := ratio(t.r); r != nil {
			over = append(over, t.name+" "+*r)
		}
	}
	if len(over) > 0 {
		p.line("\n  oversubscription (down:up): %s", strings.Join(over, ", "))
	}
}

func (p *page) servers(f *fabric.Fabric) {
	names := make([][]string, len(f.Groups))
	var ufm []string
	for i := range f.Servers {
		if s := &f.Servers[i]; s.Group >= 0 {
			names[s.Group] = append(names[s.Group], s.Name)
		} else {
			ufm = append(ufm, s.Name)
		}
	}
	var rows [][]string
	for i := range f.Groups {
		g := &f.Groups[i]
		rows = append(rows, []string{g.Name, thousands(g.Count), g.ServerModel, times(g.GPUsPerServer, g.GPU), times(g.NICs, g.NIC),
			speed(g.NICSpeed), unitSpan(g), strconv.Itoa(g.ServersPerUnit), fold(names[i])})
	}
	if len(ufm) > 0 {
		rows = append(rows, []string{"ufm", strconv.Itoa(len(ufm)), "UFM host", "", "", "", "", "", fold(ufm)})
	}
	if len(rows) == 0 {
		return
	}
	p.heading("servers")
	p.table([]string{"GROUP", ">COUNT", "MODEL", "GPUS", "NICS", ">SPEED", "UNITS", ">PER UNIT", "NAMES"}, rows)
}

func times(n int, what string) string {
	if what == "" {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d x %s", n, what)
}

func speed(gbps int) string { return strconv.Itoa(gbps) + "G" }

func length(m float64) string { return strconv.FormatFloat(m, 'f', -1, 64) + "m" }

func unitSpan(g *fabric.Group) string {
	if g.Units == 0 {
		return ""
	}
	if g.Units == 1 {
		return strconv.Itoa(g.FirstUnit + 1)
	}
	return fmt.Sprintf("%d-%d", g.FirstUnit+1, g.FirstUnit+g.Units)
}

// switchKind is what switches have in common that share a line.
type switchKind struct {
	plane int
	role  fabric.Role
	model int
	os    string
}

type switchLine struct {
	switchKind
	names       []string
	least, most int // ports used
	ports       int // the most of any
}

func (p *page) switches(f *fabric.Fabric) {
	at := map[switchKind]int{}
	var lines []switchLine
	for i := range f.Switches {
		sw := &f.Switches[i]
		k := switchKind{sw.Plane, sw.Role, sw.Model, sw.OS}
		n, ok := at[k]
		if !ok {
			n = len(lines)
			at[k] = n
			lines = append(lines, switchLine{switchKind: k, least: len(sw.Ports)})
		}
		used := 0
		for j := range sw.Ports {
			if sw.Ports[j].Link >= 0 {
				used++
			}
		}
		l := &lines[n]
		l.names = append(l.names, sw.Name)
		l.least, l.most, l.ports = min(l.least, used), max(l.most, used), max(l.ports, len(sw.Ports))
	}
	var rows [][]string
	for _, l := range lines {
		used := fmt.Sprintf("%d of %d", l.most, l.ports)
		if l.least < l.most {
			used = fmt.Sprintf("%d-%s", l.least, used)
		}
		rows = append(rows, []string{planeOf(f, l.plane), string(l.role), thousands(len(l.names)), f.Models[l.model].ID, l.os, used, fold(l.names)})
	}
	if len(rows) == 0 {
		return
	}
	p.heading("switches")
	p.table([]string{"PLANE", "TIER", ">COUNT", "MODEL", "OS", "PORTS USED", "NAMES"}, rows)
}

func planeOf(f *fabric.Fabric, plane int) string {
	if f.Planes < 2 {
		return ""
	}
	return strconv.Itoa(plane)
}

// mostVLANs is how many VLANs are shown one by one.
const mostVLANs = 16

func (p *page) rails(f *fabric.Fabric) {
	if len(f.VLANs) == 0 {
		return
	}
	type key struct{ plane, rail, one int }
	at := map[key]int{}
	type group struct {
		key
		ids, units  []int
		first, last *fabric.VLAN
	}
	var groups []group
	for i := range f.VLANs {
		v := &f.VLANs[i]
		k := key{v.Plane, v.Rail, 0}
		if len(f.VLANs) <= mostVLANs {
			k.one = i
		}
		n, ok := at[k]
		if !ok {
			n = len(groups)
			at[k] = n
			groups = append(groups, group{key: k, first: v})
		}
		g := &groups[n]
		g.ids, g.units, g.last = append(g.ids, v.ID), append(g.units, v.Unit+1), v
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.plane, b.plane), cmp.Compare(a.rail, b.rail), cmp.Compare(a.one, b.one))
	})
	var rows [][]string
	for _, g := range groups {
		subnets, gateways := g.first.Subnet.String(), ""
		if g.first.Gateway.IsValid() {
			gateways = g.first.Gateway.Addr().String()
		}
		if g.first != g.last {
			subnets += " to " + g.last.Subnet.String()
			if gateways != "" {
				gateways += " to " + g.last.Gateway.Addr().String()
			}
		}
		rows = append(rows, []string{planeOf(f, g.plane), strconv.Itoa(g.rail), numberSpans(g.ids), numberSpans(g.units), subnets, gateways})
	}
	p.heading("rails")
	p.table([]string{"PLANE", ">RAIL", ">VLAN", "UNIT", "SUBNET", "GATEWAY"}, rows)
}

func (p *page) partitions(f *fabric.Fabric) {
	s := f.InfiniBand
	if s == nil {
		return
	}
	p.heading("subnet")
	line := fmt.Sprintf("manager %s, routing %s", s.Manager, s.Routing)
	if s.UFMLinks > 0 {
		line += fmt.Sprintf(", %d links for UFM", s.UFMLinks)
	}
	p.para(line)
	var rows [][]string
	for _, part := range s.Partitions {
		var names []string
		for _, i := range part.Members {
			names = append(names, f.Servers[i].Name)
		}
		rows = append(rows, []string{part.Name, fmt.Sprintf("0x%04x", part.PKey), membership(part), thousands(len(names)), fold(names)})
	}
	if len(rows) > 0 {
		p.line("")
	}
	p.table([]string{"PARTITION", "PKEY", "MEMBERSHIP", ">SERVERS", "MEMBERS"}, rows)
	p.line("")
	p.deadlock("credit loops", &s.Deadlock)
}

func (p *page) choices(f *fabric.Fabric) {
	if len(f.Choices) == 0 {
		return
	}
	p.heading("choices")
	for _, c := range f.Choices {
		p.hang(c.Subject+" = "+c.Chosen, c.Reason)
		if c.Else != "" {
			p.hang("", "instead: "+c.Else)
		}
	}
}
