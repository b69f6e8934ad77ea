package ibrecords

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// owners finds whose a dump is that does not say so: smpquery prints no name. It
// takes what people write in front of it or into the file's name: the command
// itself, or a node by name, GUID or LID with a port behind it.
type owners struct {
	r     *report
	names map[string]end // words of a name, joined by spaces
	twice map[string]bool
	words int // of the longest name
}

func (r *report) owners() *owners {
	o := &owners{r: r, names: map[string]end{}, twice: map[string]bool{}}
	for i := range r.plan.nodes {
		if n := &r.plan.nodes[i]; n.seen != nil {
			o.add(n.name, end{n.seen.guid, n.port})
		} else {
			o.add(n.name, r.stand(i))
		}
	}
	for _, n := range r.seen.order {
		at := end{n.guid, 0}
		if n.kind != 'S' && len(n.ports) == 1 {
			at.port = portsOf(n)[0]
		}
		name := switchName(n.desc)
		if key := strings.Join(wordsOf(name), " "); o.names[key] != at && !anonymous(n.desc) {
			if n.plan < 0 && r.plannedNode(n) >= 0 || n.plan >= 0 {
				o.addMissing(name, at)
			}
		}
	}
	return o
}

// stand gives a planned node that no record shows a place to hang dumps on that
// name it. Nodes and cables have been compared by then.
func (r *report) stand(i int) end {
	n := &node{guid: ^uint64(i), kind: 'S', lid: -1, vendor: -1, ports: map[int]*nodePort{}, plan: i}
	at := end{n.guid, 0}
	if !r.plan.nodes[i].sw {
		n.kind, n.plan, at.port = 'H', -1, 1
		n.ports[1] = &nodePort{lid: -1, plan: i}
	}
	r.seen.nodes[n.guid] = n
	return at
}

func (o *owners) add(name string, at end) {
	w := wordsOf(name)
	key := strings.Join(w, " ")
	if old, ok := o.names[key]; ok && old != at {
		o.twice[key] = true
	}
	o.names[key] = at
	o.words = max(o.words, len(w))
}

// addMissing adds a name that the plan does not have: how a device calls itself.
func (o *owners) addMissing(name string, at end) {
	if _, ok := o.names[strings.Join(wordsOf(name), " ")]; !ok {
		o.add(name, at)
	}
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
	})
}

var (
	directRoute = regexp.MustCompile(`-D\s+(?:[a-z]\w*\s+)?(\d+(?:,\d+)*)(?:\s+(\d+))?`)
	lidWord     = regexp.MustCompile(`^lid(\d+)$`)
	portWord    = regexp.MustCompile(`^(?:port|p)(\d{1,3})$`)
	guidWord    = regexp.MustCompile(`^(?:0x)?([0-9a-f]{16})$`)
)

// aside are words that stand beside a name and say nothing of it.
func aside(w string) bool {
	switch w {
	case "smpquery", "saquery", "pkeys", "pkey", "pkeytable", "pktr", "table", "portinfo", "pi", "nodeinfo", "ni", "nodedesc", "nd", "node", "desc", "info",
		"guid", "of", "on", "at", "for", "from", "the", "output", "query", "txt", "log", "out", "dump", "ca", "hca", "switch", "sw", "ib", "g", "l", "smkey", "keys", "record":
		return true
	}
	return false
}

// find reads a text for a node and its port. A port of 0 means that the text gives
// none.
func (o *owners) find(dir, text string) (end, bool) {
	if m := directRoute.FindStringSubmatch(text); m != nil {
		var route []int
		for _, hop := range strings.Split(m[1], ",") {
			route = append(route, number(hop))
		}
		at, ok := o.r.seen.walk(dir, route)
		at.port = 0
		if n := number(m[2]); n > 0 {
			at.port = n
		}
		return at, ok
	}
	words := wordsOf(text)
	at, ok := end{}, false
	for size := min(o.words, len(words)); size > 0 && !ok; size-- {
		for i := 0; i+size <= len(words); i++ {
			key := strings.Join(words[i:i+size], " ")
			if e, known := o.names[key]; known {
				if o.twice[key] {
					return end{}, false
				}
				at, ok = e, true
				words = append(words[:i:i], words[i+size:]...)
				break
			}
		}
	}
	return o.rest(dir, words, at, ok, strings.Contains(text, "query"))
}

// rest reads the words beside a name: GUID or LID where there is no name, the port.
func (o *owners) rest(dir string, words []string, at end, ok, cmd bool) (end, bool) {
	port, lid, next := -1, 0, ""
	for _, w := range words {
		n, err := strconv.Atoi(w)
		isNumber := err == nil
		switch m := guidWord.FindStringSubmatch(w); {
		case m != nil && !ok:
			if at, ok = o.r.byGUID(hex(m[1])); !ok {
				return end{}, false
			}
		case w == "lid" || w == "port":
			next = w
			continue
		case lidWord.MatchString(w):
			lid = number(w[3:])
		case portWord.MatchString(w):
			port = number(portWord.FindStringSubmatch(w)[1])
		case isNumber && next == "lid":
			lid = n
		case isNumber && len(w) >= 6: // a date or a time
		case isNumber && (next == "port" || ok || lid > 0) && port < 0 && n <= maxPort:
			port = n
		case isNumber && cmd && !ok && lid == 0:
			lid = n
		case !aside(w):
			return end{}, false
		}
		next = ""
	}
	if !ok && lid > 0 {
		at, ok = o.r.seen.lid(dir, lid)
	}
	if ok && port > 0 {
		at.port = port
	}
	return at, ok
}

func (r *report) byGUID(g uint64) (end, bool) {
	if e, ok := r.seen.byPort[g]; ok {
		return e, true
	}
	if n := r.seen.nodes[g]; n != nil {
		e := end{g, 0}
		if n.kind != 'S' && len(n.ports) == 1 {
			e.port = portsOf(n)[0]
		}
		return e, true
	}
	return end{}, false
}

// owner finds whose a dump is: by what it says itself, by what stands in front of
// it, by the file's name if the file has no other dump of the kind.
func (o *owners) owner(rec *record, f *fact, alone bool) (end, bool) {
	var at end
	ok := false
	switch {
	case len(f.route) > 0:
		at, ok = o.r.seen.walk(rec.dir, f.route)
	case f.lid > 0:
		at, ok = o.r.seen.lid(rec.dir, f.lid)
	}
	if ok {
		if at.port = o.onlyPort(at); f.port > 0 {
			at.port = f.port
		}
		return at, true
	}
	for i := len(f.refs) - 1; i >= 0; i-- {
		if at, ok = o.find(rec.dir, f.refs[i]); ok {
			break
		}
	}
	if !ok && alone {
		at, ok = o.find(rec.dir, strings.TrimSuffix(path.Base(rec.file), path.Ext(rec.file)))
		if !ok {
			at, ok = o.find(rec.dir, path.Base(rec.file))
		}
	}
	if f.port > 0 {
		at.port = f.port
	} else if at.port == 0 {
		at.port = o.onlyPort(at)
	}
	return at, ok
}

// onlyPort is the one port an adapter has, else 0.
func (o *owners) onlyPort(at end) int {
	if n := o.r.seen.nodes[at.node]; n != nil && n.kind != 'S' && len(n.ports) == 1 {
		return portsOf(n)[0]
	}
	return 0
}
