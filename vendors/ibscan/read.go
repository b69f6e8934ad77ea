package ibscan

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/clitree"
)

// node is a switch or an adapter as the tools show it.
type node struct {
	guid  uint64 // of the node
	port  uint64 // of an adapter's port, 0 when no record says
	desc  string
	sw    bool
	lid   int  // -1: not said
	whole bool // it has a section of its own, not just mention by others
	plan  int  // index among the planned devices, -1: none
}

// cable is one link, from the end that a section describes.
type cable struct {
	a, b         *node
	aPort, bPort int
	speed        string // 4xHDR
}

// table is a port's partition keys.
type table struct {
	lid, port int
	keys      []uint16
	where     string
}

// idle is a port with a cable that carries nothing.
type idle struct {
	lid, port int
	state     string
}

// scan is everything read.
type scan struct {
	nodes    map[uint64]*node // by node GUID
	order    []*node
	cables   []cable
	tables   []*table
	inactive []idle
	wired    bool // ibnetdiscover was there
	switches bool // a list of switches was there
	adapters bool
	problems []clitree.Problem
}

const maxBody = 256 << 20

var (
	ownLine    = regexp.MustCompile(`^(Switch|Ca|Rt)\s+(\d+)\s+"[SHR]-([0-9a-fA-F]{16})"\s*#\s*"(.*)"(?:.*\blid (\d+))?`)
	portLine   = regexp.MustCompile(`^\[(\d+)\](?:\(([0-9a-fA-F]+)\))?\s+"([SHR])-([0-9a-fA-F]{16})"\[(\d+)\](?:\(([0-9a-fA-F]+)\))?\s*#(.*)$`)
	nameIn     = regexp.MustCompile(`"([^"]*)"`)
	lidIn      = regexp.MustCompile(`\blid (\d+)\b`)
	speedIn    = regexp.MustCompile(`\b(\d+x[A-Z]+\d*)\s*$`)
	listLine   = regexp.MustCompile(`^(Switch|Ca|Rt)\s*:\s*0x([0-9a-fA-F]{1,16}) ports (\d+) "(.*)"(?:.*\blid (\d+))?`)
	fieldLine  = regexp.MustCompile(`^\s+([A-Za-z][A-Za-z_]*):?\.{2,}(.*)$`)
	keyRow     = regexp.MustCompile(`^\s*(?:\d+:)?((?:\s+0x[0-9a-fA-F]{4})+)\s*$`)
	askedPKeys = regexp.MustCompile(`\bsmpquery\b.*\bpkeys\s+(\d+)(?:\s+(\d+))?\s*$`)
)

func read(files []fabric.File) *scan {
	s := &scan{nodes: map[uint64]*node{}}
	for _, f := range files {
		s.file(f)
	}
	return s
}

func (s *scan) doubt(code, format string, args ...any) {
	s.problems = append(s.problems, clitree.Problem{Severity: clitree.Doubt, Code: code, Text: fmt.Sprintf(format, args...)})
}

// at gets or makes the node of a GUID.
func (s *scan) at(guid uint64, sw bool, desc string) *node {
	n := s.nodes[guid]
	if n == nil {
		n = &node{guid: guid, sw: sw, lid: -1, plan: -1}
		s.nodes[guid] = n
		s.order = append(s.order, n)
	}
	if n.desc == "" {
		n.desc = desc
	}
	return n
}

// reader is the state within one file.
type reader struct {
	*scan
	name   string
	line   int
	own    *node  // of an ibnetdiscover section
	record string // of a saquery dump
	fields map[string]string
	keys   *table
}

func (s *scan) file(f fabric.File) {
	if len(f.Body) > maxBody {
		s.doubt(clitree.CodeTooLarge, "%s: %d bytes, more than records of a fabric can have", f.Name, len(f.Body))
		return
	}
	if i := bytes.IndexByte(f.Body, 0); i >= 0 {
		s.doubt(clitree.CodeBinary, "%s:%d: not text", f.Name, 1+bytes.Count(f.Body[:i], []byte("\n")))
		return
	}
	r := &reader{scan: s, name: f.Name}
	text := strings.ToValidUTF8(string(f.Body), "\ufffd")
	for line := range strings.Lines(text) {
		r.line++
		r.take(strings.TrimRight(line, "\r\n"))
	}
	r.end()
	if n := len(text); n > 0 && text[n-1] != '\n' {
		s.doubt(clitree.CodeTruncated, "%s:%d: the last line has no end: the file may be cut off here", f.Name, r.line)
	}
}

func (r *reader) take(line string) {
	switch {
	case strings.HasPrefix(line, "["):
		r.port(line)
	case strings.HasPrefix(line, "Switch") || strings.HasPrefix(line, "Ca") || strings.HasPrefix(line, "Rt"):
		r.head(line)
	case strings.HasSuffix(line, "Record dump:"):
		r.end()
		r.record, r.fields = strings.TrimSuffix(line, " dump:"), map[string]string{}
	case r.record != "" || r.keys != nil:
		r.dump(line)
	default:
		if m := askedPKeys.FindStringSubmatch(line); m != nil {
			r.ask(m[1], m[2])
		} else if keyRow.MatchString(line) {
			r.doubt(clitree.CodePartial, "%s:%d: a key table without the port it is of: save it with the command line above it (smpquery pkeys LID PORT), or use saquery PKTR", r.name, r.line)
			r.keys = &table{lid: -1}
		}
	}
}

// head begins a section of ibnetdiscover or is a line of ibswitches and the like.
func (r *reader) head(line string) {
	if m := ownLine.FindStringSubmatch(line); m != nil {
		r.end()
		n := r.at(parse(m[3]), m[1] == "Switch", m[4])
		n.whole, r.wired, r.own = true, true, n
		n.lid = max(n.lid, lid(m[5]))
		return
	}
	if m := listLine.FindStringSubmatch(line); m != nil {
		n := r.at(parse(m[2]), m[1] == "Switch", m[4])
		n.whole = true
		n.lid = max(n.lid, lid(m[5]))
		r.switches, r.adapters = r.switches || n.sw, r.adapters || !n.sw
		return
	}
	r.doubt(clitree.CodePartial, "%s:%d: not read: %s", r.name, r.line, short(line))
}

func (r *reader) port(line string) {
	m := portLine.FindStringSubmatch(line)
	if m == nil || r.own == nil {
		r.doubt(clitree.CodeTruncated, "%s:%d: not a whole line of a port: %s", r.name, r.line, short(line))
		return
	}
	name := ""
	if n := nameIn.FindStringSubmatch(m[7]); n != nil {
		name = n[1]
	}
	peer := r.at(parse(m[4]), m[3] == "S", name)
	if m[2] != "" {
		r.own.port = parse(m[2])
	}
	if m[6] != "" {
		peer.port = parse(m[6])
	}
	lids := lidIn.FindAllStringSubmatch(m[7], -1)
	if !r.own.sw && len(lids) > 0 { // an adapter's own comes first, then the switch's
		r.own.lid = max(r.own.lid, lid(lids[0][1]))
	}
	if len(lids) > 0 {
		peer.lid = max(peer.lid, lid(lids[len(lids)-1][1]))
	}
	c := cable{a: r.own, b: peer, aPort: number(m[1]), bPort: number(m[5])}
	if sp := speedIn.FindStringSubmatch(m[7]); sp != nil {
		c.speed = sp[1]
	}
	r.cables = append(r.cables, c)
}

// dump is a line of a saquery record or of a key table.
func (r *reader) dump(line string) {
	if m := keyRow.FindStringSubmatch(line); m != nil {
		if r.record == "PKeyTableRecord" && r.keys == nil {
			r.keys = r.open(number(r.fields["LID"]), number(r.fields["Port"]))
		}
		if r.keys != nil {
			for _, k := range strings.Fields(m[1]) {
				v, _ := strconv.ParseUint(k[2:], 16, 16) // the pattern has four digits
				r.keys.keys = append(r.keys.keys, uint16(v))
			}
		}
		return
	}
	if m := fieldLine.FindStringSubmatch(line); m != nil && r.record != "" {
		if _, twice := r.fields[m[1]]; !twice {
			r.fields[m[1]] = strings.TrimSpace(m[2])
		}
		return
	}
	if m := askedPKeys.FindStringSubmatch(line); m != nil {
		r.end()
		r.ask(m[1], m[2])
	}
}

func (r *reader) ask(l, port string) {
	p := 1
	if port != "" {
		p = number(port)
	}
	r.keys = r.open(number(l), p)
}

// open is the table of a port; several blocks of one port go into one.
func (r *reader) open(l, port int) *table {
	for _, t := range r.tables {
		if t.lid == l && t.port == port {
			return t
		}
	}
	t := &table{lid: l, port: port, where: fmt.Sprintf("%s:%d", r.name, r.line)}
	r.tables = append(r.tables, t)
	return t
}

// end closes a record.
func (r *reader) end() {
	switch r.record {
	case "NodeRecord":
		guid := parse(strings.TrimPrefix(r.fields["node_guid"], "0x"))
		if guid == 0 {
			break
		}
		n := r.at(guid, r.fields["node_type"] == "Switch", r.fields["NodeDescription"])
		n.whole = true
		n.lid = max(n.lid, lid(r.fields["lid"]))
		if !n.sw {
			n.port = parse(strings.TrimPrefix(r.fields["port_guid"], "0x"))
		}
	case "PortInfoRecord":
		// Down is a port without a cable, or one that ibnetdiscover misses.
		if state := r.fields["LinkState"]; state != "" && state != "Active" && state != "Down" {
			r.inactive = append(r.inactive, idle{number(r.fields["EndPortLid"]), number(r.fields["PortNum"]), state})
		}
	}
	r.record, r.fields, r.keys, r.own = "", nil, nil, nil
}

func parse(hex string) uint64 {
	v, err := strconv.ParseUint(hex, 16, 64)
	if err != nil {
		return 0
	}
	return v
}

// number is a count that cannot be absurd; -1 for none.
func number(s string) int {
	v, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || v < 0 {
		return -1
	}
	return v
}

func lid(s string) int {
	if s == "" {
		return -1
	}
	return number(s)
}

func short(s string) string {
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return strconv.Quote(s)
}
