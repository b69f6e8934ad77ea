package ibrecords

import (
	"strings"

	"railyard/vendors/clitree"
)

// dump reads the first lines of smpquery's and saquery's dumps, and smpquery's
// tables, which have no first line.
func (p *parser) dump(line string) bool {
	if m := infoLine.FindStringSubmatch(line); m != nil {
		kind := strings.ToLower(m[1]) + "info"
		p.begin(kind)
		p.broken = true
		p.cur.lid, p.cur.port = max(number(m[2]), 0), number(m[4])
		for _, hop := range strings.FieldsFunc(m[3], func(r rune) bool { return r == ',' }) {
			p.cur.route = append(p.cur.route, number(hop))
		}
		return true
	}
	if m := dumpLine.FindStringSubmatch(line); m != nil {
		p.begin(m[1])
		switch m[1] {
		case "NodeRecord", "PortInfoRecord", "PKeyTableRecord", "LinkRecord":
		default:
			p.problem(clitree.CodePartial, "%s is not compared", m[1])
		}
		return true
	}
	if m := descLine.FindStringSubmatch(line); m != nil {
		p.begin("nodedesc")
		p.cur.fields["desc"] = m[1]
		p.finish()
		return true
	}
	if otherInfo.MatchString(line) {
		p.begin("other")
		p.problem(clitree.CodePartial, "%.40s is not compared", strings.TrimPrefix(line, "# "))
		return true
	}
	return p.table(line)
}

// table reads rows of keys.
func (p *parser) table(line string) bool {
	if m := keyLine.FindStringSubmatch(line); m != nil {
		row := number(m[1])
		if p.cur == nil || p.cur.kind != "pkeys" || row == 0 {
			p.begin("pkeys")
		}
		if row != len(p.cur.keys) {
			p.cur.cut = true
		}
		p.cur.add(m[2])
		return true
	}
	if m := capacity.FindStringSubmatch(line); m != nil {
		if p.cur == nil || p.cur.kind != "pkeys" {
			p.strange(line)
			return true
		}
		p.cur.fields["capacity"] = m[1]
		p.finish()
		return true
	}
	if p.cur != nil && p.cur.kind == "PKeyTableRecord" && keyRow.MatchString(line) {
		p.cur.add(line)
		return true
	}
	return false
}

func (f *fact) add(row string) {
	for _, w := range strings.Fields(row) {
		f.keys = append(f.keys, uint16(hex(w)))
	}
}

func (p *parser) begin(kind string) {
	p.finish()
	p.node = -1
	p.cur = &fact{at: p.at, kind: kind, refs: p.refs, port: -1, fields: map[string]string{}}
	p.refs = nil
}

// field reads a line of the form Name:....value.
func (p *parser) field(line string) bool {
	if p.cur == nil {
		return false
	}
	if strings.HasPrefix(line, "\t\t\t\t") || strings.HasPrefix(line, "\t\t\t") && !strings.Contains(line, "..") {
		return true // what the bits of a mask mean
	}
	if t := strings.TrimSpace(line); t == "RID" || t == "PortInfo dump:" || t == "PKey Table:" || p.cur.kind == "other" && strings.HasPrefix(line, "\t") {
		return true
	}
	m := fieldLine.FindStringSubmatch(line)
	if m == nil || strings.HasPrefix(line, "#") {
		return false
	}
	if name := strings.TrimSpace(m[1]); p.cur.fields[name] == "" {
		p.cur.fields[name] = strings.TrimSpace(m[2])
	}
	return true
}

// finish turns a dump that has ended into what it says.
func (p *parser) finish() {
	c := p.cur
	p.cur = nil
	if c == nil {
		return
	}
	switch c.kind {
	case "NodeRecord", "nodeinfo":
		p.nodeDump(c)
	case "LinkRecord":
		f := func(name string) int { return number(c.fields[name]) }
		l := linkFact{at: c.at, a: end{0, f("FromPort")}, b: end{0, f("ToPort")}, lid: [2]int{f("FromLID"), f("ToLID")}}
		if l.a.port < 0 || l.b.port < 0 || l.lid[0] < 1 || l.lid[1] < 1 {
			p.short(c)
			return
		}
		p.links = append(p.links, l)
	case "PortInfoRecord", "portinfo":
		if c.kind == "PortInfoRecord" {
			c.lid, c.port = max(number(c.fields["EndPortLid"]), 0), number(c.fields["PortNum"])
		}
		if c.fields["LinkState"] == "" || c.fields["OverrunErr"] == "" || c.kind == "PortInfoRecord" && c.lid == 0 {
			c.cut = true
			p.short(c)
		}
		c.kind = "portinfo"
		p.facts = append(p.facts, *c)
	case "PKeyTableRecord":
		c.lid, c.port, c.block = max(number(c.fields["LID"]), 0), number(c.fields["Port"]), number(c.fields["Block"])
		if c.lid == 0 || c.port < 0 || c.block < 0 || len(c.keys) != 32 {
			c.cut = true
			p.short(c)
		}
		c.kind = "pkeys"
		p.facts = append(p.facts, *c)
	case "pkeys":
		if number(c.fields["capacity"]) != len(c.keys) {
			c.cut = true
			p.short(c)
		}
		p.facts = append(p.facts, *c)
	case "nodedesc":
		p.facts = append(p.facts, *c)
	}
}

func (p *parser) short(c *fact) {
	p.unread++
	p.problems = append(p.problems, c.at.problem(clitree.CodeTruncated, "%s is cut off: only what it shows is compared", c.kind))
}

// nodeDump reads a NodeRecord or smpquery's nodeinfo.
func (p *parser) nodeDump(c *fact) {
	get := func(a, b string) string {
		if c.kind == "NodeRecord" {
			return c.fields[a]
		}
		return c.fields[b]
	}
	n := nodeFact{at: c.at, lid: c.lid, vendor: -1}
	if c.kind == "NodeRecord" {
		n.lid = number(c.fields["lid"])
		p.dumps++
	} else if n.lid == 0 {
		n.lid = -1
	}
	node, port := get("node_guid", "Guid"), get("port_guid", "PortGuid")
	n.kind = map[string]byte{"Channel Adapter": 'H', "Switch": 'S', "Router": 'R'}[get("node_type", "NodeType")]
	if !strings.HasPrefix(node, "0x") || !strings.HasPrefix(port, "0x") || n.kind == 0 || n.kind == 'H' && hex(port) == 0 {
		p.broken = true
		p.short(c)
		return
	}
	n.guid, n.desc = hex(node), c.fields["NodeDescription"]
	if n.kind != 'S' {
		n.portGUID, n.port = hex(port), number(get("port_num", "LocalPort"))
	}
	if v := get("vendor_id", "VendorId"); strings.HasPrefix(v, "0x") {
		n.vendor = int64(hex(v))
	}
	p.nodes = append(p.nodes, n)
}
