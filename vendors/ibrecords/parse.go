package ibrecords

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"railyard/vendors/clitree"
)

// record is what one file says.
type record struct {
	file, dir string
	nodes     []nodeFact
	links     []linkFact
	facts     []fact
	origin    end  // where ibnetdiscover started: direct routes begin there
	topology  bool // the file holds ibnetdiscover's output
	hosts     bool // the file lists all hosts
	switches  bool // the file lists all switches
	last      uint64
	problems  []clitree.Problem
}

// nodeFact is what one block or line says of a node.
type nodeFact struct {
	at       place
	guid     uint64
	kind     byte // S, H or R as ibnetdiscover has it, 0 unknown
	desc     string
	portGUID uint64 // of an adapter's port number port
	port     int
	lid      int // -1: not said
	vendor   int64
	block    bool // with the list of its ports
	torn     bool
}

// end is a port of a node as numbered on the wire.
type end struct {
	node uint64
	port int
}

type linkFact struct {
	at    place
	a, b  end
	lid   [2]int // LIDs instead of nodes where node is 0 (LinkRecord)
	width int
	speed string // SDR … XDR, "" not said
}

// fact is a dump about one node or port.
type fact struct {
	at     place
	kind   string   // portinfo, pkeys, nodedesc
	refs   []string // comments and commands in front of it, nearest last
	lid    int      // 0: not said
	port   int      // -1: not said
	route  []int    // direct route, nil: none
	fields map[string]string
	keys   []uint16
	block  int // of a PKeyTableRecord
	cut    bool
}

var (
	speeds     = `SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR`
	nodeLine   = regexp.MustCompile(`^(Switch|Ca|Rt)\s+\d+ "([SHR])-([0-9a-f]{16})"\s+# "(.*)"(?: (?:enhanced|base) port 0 lid (\d+) lmc \d+)?$`)
	portLine   = regexp.MustCompile(`^\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-f]{1,16})\))?\s+"([SHR])-([0-9a-f]{16})"\[(\d+)\](?:\[ext \d+\])?(?:\(([0-9a-f]{1,16})\))?\s+# (?:lid (\d+) lmc \d+ )?"(.*)" lid (\d+) (\d+)x(` + speeds + `)(?: [swv]=\d+)*(?: slot \d+)?$`)
	listLine   = regexp.MustCompile(`^(Switch|Ca|Rt)\s+: 0x([0-9a-f]{16}) ports \d+(?: devid 0x[0-9a-f]+ vendid 0x([0-9a-f]+))? "(.*)"(?: (?:enhanced|base) port 0 lid (\d+) lmc \d+)?$`)
	originLine = regexp.MustCompile(`^# Initiated from node ([0-9a-f]{16}) port ([0-9a-f]{16})$`)
	idLine     = regexp.MustCompile(`^(vendid|devid|sysimgguid|switchguid|caguid|rtguid)=0x([0-9a-f]+)(?:\([0-9a-f]+\))?(?:\s+#.*)?$`)
	infoLine   = regexp.MustCompile(`^# (Node|Port) info: (?:Lid (\d+)|DR path slid \d+; dlid \d+; ([\d,]+))(?: port (\d+))?$`)
	otherInfo  = regexp.MustCompile(`^# [A-Z][\w ]* info: |^# .* table: `)
	dumpLine   = regexp.MustCompile(`^(\w+Record) dump:$`)
	descLine   = regexp.MustCompile(`^Node Description:\.+(.*)$`)
	keyLine    = regexp.MustCompile(`^\s*(\d+):((?: 0x[0-9a-f]{4}){1,8})$`)
	keyRow     = regexp.MustCompile(`^\s+0x[0-9a-f]{4}(?: 0x[0-9a-f]{4})*$`)
	capacity   = regexp.MustCompile(`^(\d+) pkeys capacity for this port$`)
	fieldLine  = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9_ ]*?)(?::\.*|\.{2,})(.*)$`)
	command    = regexp.MustCompile(`\b(?:smpquery|saquery|ibnetdiscover|ibhosts|ibswitches|ibnodes)\b`)
	remark     = regexp.MustCompile(`^(?:#+|=+|-{2,}|\*+)\s*(.*?)\s*[#=*-]*$`)
	toolSays   = regexp.MustCompile(`^(?:ib(?:warn|error|panic|debug)?|smpquery|saquery|ibnetdiscover|ibswitches|ibhosts)\b.*(?:iberror|ibwarn|ibpanic|failed|error)|^(?:ibwarn|ibpanic|iberror): `)
	furniture  = regexp.MustCompile(`^(?:#|# Topology file: generated .*|Non-Chassis Nodes|Chassis(?: Nodes)?\b.*|rc=\d+|# Spine .*|# Line .*)$`)
)

// signature names the tool whose output a line can only be.
func signature(line string) string {
	switch {
	case originLine.MatchString(line), strings.HasPrefix(line, "# Topology file: generated on "), strings.HasPrefix(line, "vendid=0x") && idLine.MatchString(line):
		return "ibnetdiscover"
	case listLine.MatchString(line):
		return "ibnodes"
	case descLine.MatchString(line):
		return "smpquery nodedesc"
	case keyLine.MatchString(line):
		return "smpquery pkeys"
	}
	if m := infoLine.FindStringSubmatch(line); m != nil {
		return "smpquery " + strings.ToLower(m[1]) + "info"
	}
	if m := dumpLine.FindStringSubmatch(line); m != nil {
		return "saquery " + m[1]
	}
	return ""
}

// parser reads one file line by line.
type parser struct {
	*record
	at     place
	vendor int64 // of the block that is about to begin
	node   int   // index of the block that lines belong to, -1 none
	cur    *fact // the dump that lines belong to
	refs   []string
	dumps  int  // NodeRecords that follow one another
	unread int  // lines not understood
	broken bool // something stood between them
	asked  bool // ibnetdiscover's own lines were seen, which files for ibsim lack
}

// parse reads a file; what is wrong with it is among its problems.
func parse(f File) *record {
	p := &parser{record: &record{file: f.Name, dir: dirOf(f.Name)}, at: place{file: f.Name}, node: -1, vendor: -1}
	body := bytes.TrimPrefix(f.Body, []byte("\ufeff"))
	switch {
	case len(body) > clitree.MaxSize:
		p.problem(clitree.CodeTooLarge, "%d bytes: no record is that long", len(body))
		return p.record
	case bytes.IndexByte(body, 0) >= 0 || !utf8.Valid(body):
		p.problem(clitree.CodeBinary, "not text in UTF-8")
		return p.record
	case len(bytes.TrimSpace(body)) == 0:
		p.problem(clitree.CodeEmpty, "nothing in it")
		return p.record
	}
	for len(body) > 0 {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		if p.at.line++; p.unread > mostUnread {
			p.problem(clitree.CodeTruncated, "more than %d lines were not understood: the file is not read on from here", mostUnread)
			break
		}
		if len(line) > maxLine {
			p.strange("(a line of " + strconv.Itoa(len(line)) + " bytes)")
			continue
		}
		p.line(strings.TrimRight(string(line), " \t\r"))
	}
	p.finish()
	p.hosts = p.hosts || p.dumps > 1 && !p.broken
	p.switches = p.switches || p.dumps > 1 && !p.broken
	p.at.line = 0
	if p.topology && !p.asked {
		p.nodes, p.links = nil, nil
		p.problem(clitree.CodeWrongSystem, "a description for ibsim, not what ibnetdiscover saw: no vendors in it")
		return p.record
	}
	p.tear()
	if len(p.nodes)+len(p.links)+len(p.facts) == 0 {
		p.problem(clitree.CodeEmpty, "no record that could be compared")
	}
	return p.record
}

// mostUnread lines that nobody understands end the reading of a file: it is no record.
const mostUnread = 10_000

func (p *parser) problem(code, format string, args ...any) {
	p.problems = append(p.problems, p.at.problem(code, format, args...))
}

func (p *parser) strange(line string) {
	if p.node >= 0 {
		p.nodes[p.node].torn = true
	}
	if p.cur != nil {
		p.cur.cut = true
	}
	p.unread++
	p.problem(clitree.CodeWrongSystem, "not understood: %.60q", line)
}

func (p *parser) line(line string) {
	switch {
	case line == "":
		if p.cur == nil || p.cur.kind != "PKeyTableRecord" {
			p.finish()
		}
	case p.topologyLine(line), p.listed(line), p.dump(line), p.field(line):
	case furniture.MatchString(line):
	case toolSays.MatchString(line):
		if !strings.Contains(line, "sim_connect: attached") {
			p.finish()
			p.problem(CodeToolSays, "the tool reported: %.120s", line)
		}
	case command.MatchString(line):
		p.finish()
		p.broken = true
		p.refs = append(p.refs, line[command.FindStringIndex(line)[0]:])
	case remark.MatchString(line):
		p.finish()
		p.broken = true
		p.refs = append(p.refs, remark.FindStringSubmatch(line)[1])
	default:
		p.strange(line)
	}
}

// topologyLine reads ibnetdiscover's lines.
func (p *parser) topologyLine(line string) bool {
	if m := originLine.FindStringSubmatch(line); m != nil {
		p.finish()
		p.topology, p.asked, p.origin = true, true, end{hex(m[1]), -1}
		return true
	}
	if m := idLine.FindStringSubmatch(line); m != nil {
		p.finish()
		if m[1] == "vendid" {
			p.vendor, p.asked = int64(hex(m[2])), true
		}
		p.node = -1
		return true
	}
	if m := nodeLine.FindStringSubmatch(line); m != nil {
		p.finish()
		p.topology, p.last, p.node = true, hex(m[3]), len(p.nodes)
		p.nodes = append(p.nodes, nodeFact{at: p.at, guid: hex(m[3]), kind: m[2][0], desc: m[4], lid: number(m[5]), vendor: p.vendor, block: true})
		p.vendor = -1
		return true
	}
	m := portLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	if p.node < 0 {
		p.strange(line)
		return true
	}
	n := &p.nodes[p.node]
	a, b := end{n.guid, number(m[1])}, end{hex(m[4]), number(m[5])}
	if m[2] != "" {
		p.nodes = append(p.nodes, nodeFact{at: p.at, guid: a.node, kind: n.kind, portGUID: hex(m[2]), port: a.port, lid: number(m[7]), vendor: -1})
	}
	peer := nodeFact{at: p.at, guid: b.node, kind: m[3][0], desc: m[8], port: b.port, lid: number(m[9]), vendor: -1}
	if m[6] != "" {
		peer.portGUID = hex(m[6])
	}
	p.nodes = append(p.nodes, peer)
	p.links = append(p.links, linkFact{at: p.at, a: a, b: b, width: number(m[10]), speed: m[11]})
	return true
}

// listed reads the lines of ibnodes, ibhosts, ibswitches and ibnetdiscover -l.
func (p *parser) listed(line string) bool {
	m := listLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	p.finish()
	n := nodeFact{at: p.at, guid: hex(m[2]), kind: map[string]byte{"Switch": 'S', "Ca": 'H', "Rt": 'R'}[m[1]], desc: m[4], lid: number(m[5]), vendor: -1}
	if m[3] != "" {
		n.vendor = int64(hex(m[3]))
	}
	p.nodes = append(p.nodes, n)
	p.hosts = p.hosts || n.kind == 'H'
	p.switches = p.switches || n.kind == 'S'
	return true
}

// tear finds out whether ibnetdiscover's output is all there: every node that is
// named as a neighbour must have a block, and both ends must show a link.
func (p *parser) tear() {
	if !p.topology {
		return
	}
	blocks := map[uint64]int{}
	torn := false
	for i := range p.nodes {
		if n := &p.nodes[i]; n.block {
			blocks[n.guid] = i
			torn = torn || n.torn
		}
	}
	shown := make(map[[2]end]bool, len(p.links))
	for _, l := range p.links {
		shown[[2]end{l.a, l.b}] = true
	}
	without := map[uint64]bool{}
	for _, l := range p.links {
		if _, ok := blocks[l.b.node]; l.a.node != 0 && !ok {
			without[l.b.node] = true
		} else if ok && !shown[[2]end{l.b, l.a}] {
			p.nodes[blocks[l.b.node]].torn, torn = true, true
		}
	}
	if torn || len(without) > 0 {
		if i, ok := blocks[p.last]; ok {
			p.nodes[i].torn = true
		}
		p.problem(clitree.CodeTruncated, "not all of ibnetdiscover's output: %d nodes are named as neighbours only; no node is taken for missing because of it", len(without))
		p.hosts, p.switches = false, false
		return
	}
	p.hosts, p.switches = true, true
}

func hex(s string) uint64 {
	v, _ := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(s), "0x"), 16, 64) // the patterns let nothing else through
	return v
}

// number reads a decimal; -1 without one.
func number(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 0 || n > 1<<20 {
		return -1
	}
	return n
}
