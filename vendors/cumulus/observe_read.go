package cumulus

import (
	"strconv"
	"strings"

	"railyard/generator/observed"
)

// seenNode is one setting: a word of its path, the value behind it, and what
// stands below. Files and lists of "nv set" commands give the same tree.
type seenNode struct {
	key, value string
	at         observed.Line
	children   []*seenNode
	index      map[string]*seenNode // of children, once they are many
	last       *seenNode            // of children, the one named last
}

// get is the child of that name, nil without one; it may be asked of nil.
func (n *seenNode) get(path ...string) *seenNode {
	for _, key := range path {
		if n == nil {
			return nil
		}
		n = n.find(key)
	}
	return n
}

// seenMany is from how many children on they are indexed.
const seenMany = 16

func (n *seenNode) find(key string) *seenNode {
	if n.index != nil {
		return n.index[key]
	}
	for _, c := range n.children {
		if c.key == key {
			return c
		}
	}
	return nil
}

// below is the children; none of nil.
func (n *seenNode) below() []*seenNode {
	if n == nil {
		return nil
	}
	return n.children
}

// word is a leaf's value. A command list cannot tell values from keys, so the
// last word may be a child.
func (n *seenNode) word() (string, observed.Line) {
	switch {
	case n == nil:
		return "", 0
	case n.value != "":
		return n.value, n.at
	case n.last != nil:
		return n.last.key, n.last.at // a later command overrides
	}
	return "", n.at
}

// number is a leaf's value between 0 and most, else -1.
func (n *seenNode) number(most int) (int, observed.Line) {
	s, at := n.word()
	return observed.Within(s, most), at
}

func (n *seenNode) child(key string, at observed.Line) *seenNode {
	c := n.find(key)
	if c == nil {
		c = &seenNode{key: key, at: at}
		n.children = append(n.children, c)
		if n.index != nil {
			n.index[key] = c
		} else if len(n.children) > seenMany {
			n.index = make(map[string]*seenNode, 2*seenMany)
			for _, x := range n.children {
				n.index[x.key] = x
			}
		}
	}
	n.last = c
	return c
}

// The limits of what is read.
const (
	seenMostDepth = 48
	seenMostNodes = 1 << 20
)

type seenParser struct {
	set, header seenNode
	nodes       int
	started     bool
	commands    bool
	stack       [seenMostDepth]struct {
		indent int
		node   *seenNode
	}
	depth int
	skip  int // lines deeper than this belong to a text over several lines; -1 without one
}

// seenRead reads what "nv config show" prints, in either form, startup.yaml, or
// a capture of one of them with prompts around it.
func seenRead(body string) (*seenParser, error) {
	p := &seenParser{skip: -1}
	number := observed.Line(0)
	whole := strings.HasSuffix(body, "\n")
	for body != "" {
		var line string
		line, body, _ = strings.Cut(body, "\n")
		number++
		if i := strings.Index(line, "$ nv "); i >= 0 && strings.Contains(line[:i], "@") {
			line = line[i+2:] // typed at a prompt
		}
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		if text = strings.TrimRight(text, " \t\r"); text == "" || text[0] == '#' || text == "---" {
			continue
		}
		if p.skip >= 0 {
			if indent > p.skip {
				continue
			}
			p.skip = -1
		}
		if body == "" && !whole && !p.commands && p.started {
			return nil, &observed.Fault{Line: number, Reason: "the file stops in mid line; it is cut off"}
		}
		done, fault := p.line(text, indent, number)
		if fault != nil {
			return nil, fault
		}
		if done {
			break
		}
	}
	if len(p.set.children) == 0 {
		return nil, &observed.Fault{Line: number, Reason: "no settings in it: neither a set map nor nv set commands"}
	}
	return p, nil
}

// line reads one line; done is behind the end of the document.
func (p *seenParser) line(text string, indent int, at observed.Line) (done bool, fault *observed.Fault) {
	if rest, ok := strings.CutPrefix(text, "nv set "); ok {
		p.commands, p.started = true, true
		return false, p.command(rest, at)
	}
	if indent == 0 {
		switch {
		case text == "- set:":
			p.started, p.depth = true, 0
			p.push(0, &p.set)
			return false, nil
		case text == "- header:":
			p.started, p.depth = true, 0
			p.push(0, &p.header)
			return false, nil
		case strings.HasPrefix(text, "- "):
			p.depth = 0
			return false, nil
		case !p.started || p.commands:
			return false, nil // a banner, a prompt, another command
		case strings.ContainsAny(text, "$>") && strings.Contains(text, "@"):
			return true, nil // the prompt behind it
		}
	}
	if p.depth == 0 {
		return false, nil // below an unset map
	}
	return false, p.mapping(text, indent, at)
}

func (p *seenParser) push(indent int, n *seenNode) bool {
	if p.depth == len(p.stack) {
		return false
	}
	p.stack[p.depth].indent, p.stack[p.depth].node = indent, n
	p.depth++
	return true
}

// mapping reads "key: value", "key: {}" or "key:" by its indentation.
func (p *seenParser) mapping(text string, indent int, at observed.Line) *observed.Fault {
	if text[0] == '\t' {
		return &observed.Fault{Line: at, Reason: "indented with a tab, which YAML does not allow"}
	}
	member := false
	if rest, ok := strings.CutPrefix(text, "- "); ok {
		text, member = strings.TrimLeft(rest, " "), true
	}
	for p.depth > 1 && p.stack[p.depth-1].indent >= indent {
		p.depth--
	}
	key, value, ok := seenPair(text)
	if !ok && !member {
		return &observed.Fault{Line: at, Reason: "no key: value: the file is damaged or no NVUE configuration"}
	}
	if p.nodes++; p.nodes > seenMostNodes {
		return &observed.Fault{Line: at, Reason: "more settings than a switch can have"}
	}
	n := p.stack[p.depth-1].node.child(key, at)
	switch value {
	case "", "{}":
		if !p.push(indent, n) {
			return &observed.Fault{Line: at, Reason: "nested too deep"}
		}
	case "|", "|-", ">", ">-", "|+", ">+":
		p.skip = indent
	default:
		n.value, n.at = value, at
	}
	return nil
}

// seenPair cuts a line at its colon and takes quotes off; false without a colon.
func seenPair(text string) (key, value string, ok bool) {
	rest := ""
	if q := text[0]; q == '\'' || q == '"' {
		end := strings.IndexByte(text[1:], q)
		if end < 0 {
			return text, "", false
		}
		key, rest = text[1:1+end], text[2+end:]
		if rest == "" {
			return key, "", false
		}
		if rest[0] != ':' {
			return key, "", false
		}
		rest = rest[1:]
	} else if at := strings.Index(text, ": "); at >= 0 {
		key, rest = text[:at], text[at+2:]
	} else if text[len(text)-1] == ':' {
		key = text[:len(text)-1]
	} else {
		return text, "", false
	}
	value = strings.TrimSpace(rest)
	if len(value) > 1 && (value[0] == '\'' || value[0] == '"') && value[len(value)-1] == value[0] {
		value = value[1 : len(value)-1]
	}
	return key, value, true
}

// command reads the words behind "nv set".
func (p *seenParser) command(rest string, at observed.Line) *observed.Fault {
	n := &p.set
	for depth := 0; rest != ""; depth++ {
		if depth == seenMostDepth {
			return &observed.Fault{Line: at, Reason: "a command of too many words"}
		}
		var word string
		rest = strings.TrimLeft(rest, " ")
		if rest == "" {
			break
		}
		if q := rest[0]; q == '\'' || q == '"' {
			end := strings.IndexByte(rest[1:], q)
			if end < 0 {
				end = len(rest) - 1
			}
			word, rest = rest[1:1+end], rest[min(2+end, len(rest)):]
		} else {
			word, rest, _ = strings.Cut(rest, " ")
		}
		if p.nodes++; p.nodes > seenMostNodes {
			return &observed.Fault{Line: at, Reason: "more settings than a switch can have"}
		}
		n = n.child(word, at)
	}
	n.at = at
	return nil
}

// mostExpanded bounds what a range may stand for.
const mostExpanded = 4096

// seenNames writes out "swp1-32", "swp6s0-1" and lists of them, until visit is
// false.
func seenNames(key string, visit func(name string) bool) {
	for part := range strings.SplitSeq(key, ",") {
		dash := strings.LastIndexByte(part, '-')
		digits := dash
		for digits > 0 && part[digits-1] >= '0' && part[digits-1] <= '9' {
			digits--
		}
		if dash < 0 || digits == dash || digits == 0 && dash == 0 {
			if !visit(part) {
				return
			}
			continue
		}
		from, ok := observed.Number(part[digits:dash])
		to, also := observed.Number(part[dash+1:])
		if !ok || !also || to < from || to-from > mostExpanded {
			if !visit(part) {
				return
			}
			continue
		}
		for n := from; n <= to; n++ {
			if !visit(part[:digits] + strconv.Itoa(n)) {
				return
			}
		}
	}
}
