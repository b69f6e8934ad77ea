package inspect

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"railyard/generator/observed"
)

// neighbors reads the LLDP neighbours of one switch as any of these systems
// prints them: a table, a block for each neighbour, or JSON. Neighbours that are
// no switch of the directory say nothing.
func (net *network) neighbors(root fs.FS, file string) {
	body, err := new(scratch).load(root, file)
	if err != nil {
		net.Skipped = append(net.Skipped, file+" ("+reason(err)+")")
		return
	}
	sw := net.owner(file)
	if sw == nil {
		net.Skipped = append(net.Skipped, file+" (no switch of that name)")
		return
	}
	t := &table{network: net, sw: sw, own: portIndex(sw), remote: map[string]map[string]string{}}
	text := string(unixed(decoded(body)))
	switch {
	case strings.HasPrefix(strings.TrimSpace(text), "{"):
		t.json([]byte(text))
	case blocks(text):
		t.blocks(text)
	default:
		t.rows(text)
	}
}

// table is one switch's neighbours being read.
type table struct {
	*network
	sw     *observed.Switch
	own    map[string]string
	remote map[string]map[string]string
}

// seen records a neighbour when its names are those of switches and ports here;
// the port may go by its identifier or by its description.
func (t *table) seen(local, name string, ports ...string) {
	port := t.own[observed.PortKey(local)]
	other := t.named(name)
	if port == "" || other == "" || other == t.sw.Name {
		return
	}
	if t.remote[other] == nil {
		t.remote[other] = portIndex(t.byName[other])
	}
	for _, p := range ports {
		if far := t.remote[other][observed.PortKey(p)]; far != "" {
			t.Neighbors = append(t.Neighbors, observed.Neighbor{Switch: t.sw.Name, Port: port, Remote: other, RemotePort: far})
			return
		}
	}
}

// rows reads tables: in each line a port of this switch, the name of another one
// and one of its ports, in any order.
func (t *table) rows(text string) {
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		fields := strings.Fields(line)
		local, other, at := "", "", -1
		for i, f := range fields {
			if other == "" {
				if name := t.named(f); name != "" && name != t.sw.Name {
					other = name
					continue
				}
			}
			if local == "" && t.own[observed.PortKey(f)] != "" {
				local, at = f, i
			}
		}
		if other == "" && len(fields) > 2 && n+1 < len(lines) {
			// Comware breaks names of more than 20 characters over two lines.
			if rest := strings.Fields(lines[n+1]); len(rest) == 1 {
				other = t.named(fields[0] + rest[0])
			}
		}
		if local == "" || other == "" {
			continue
		}
		t.seen(local, other, slices.Delete(slices.Clone(fields), at, at+1)...)
	}
}

// heading is the port a block of neighbours belongs to: "LLDP neighbor-information
// of port 1[P]:", "P has 1 neighbor(s):", "Interface P detected 1 LLDP
// neighbors:", "Interface:  P, via: LLDP".
func heading(line string) (port string, ok bool) {
	switch {
	case strings.HasPrefix(line, "LLDP neighbor-information of port "):
		_, rest, ok := strings.Cut(line, "[")
		port, _, closed := strings.Cut(rest, "]")
		return port, ok && closed
	case strings.HasPrefix(line, "Interface:"):
		port, _, _ = strings.Cut(strings.TrimSpace(line[len("Interface:"):]), ",")
		return port, true
	case strings.HasPrefix(line, "Interface ") && strings.Contains(line, " detected "):
		port, _, _ = strings.Cut(line[len("Interface "):], " ")
		return port, true
	}
	port, rest, ok := strings.Cut(line, " has ")
	return port, ok && strings.Contains(rest, "neighbor") && !strings.Contains(port, " ")
}

func blocks(text string) bool {
	for line := range strings.Lines(text) {
		if _, ok := heading(strings.TrimSpace(line)); ok {
			return true
		}
	}
	return false
}

// blocks reads the long forms. A block may hold several neighbours.
func (t *table) blocks(text string) {
	var local, name, port, description string
	flush := func() {
		if name != "" {
			t.seen(local, name, port, description)
		}
		name, port, description = "", "", ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if p, ok := heading(line); ok {
			flush()
			local = p
			continue
		}
		if strings.HasPrefix(line, "Neighbor index") || strings.HasPrefix(line, "LLDP neighbor index") || strings.HasPrefix(line, "Neighbor ") && strings.Contains(line, ", age ") {
			flush()
			continue
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		if !ok {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "system name", "sysname":
			name = value
		case "port id", "portid":
			if port == "" { // a second one belongs to link aggregation
				port = value[strings.LastIndexByte(value, ' ')+1:]
			}
		case "port description", "portdescr":
			description = value
		}
	}
	flush()
}

// json reads "show lldp neighbors | json" of EOS and "nv show interface lldp -o
// json" of Cumulus.
func (t *table) json(body []byte) {
	var arista struct {
		Neighbors []struct{ Port, NeighborDevice, NeighborPort string } `json:"lldpNeighbors"`
	}
	if json.Unmarshal(body, &arista) == nil {
		for _, n := range arista.Neighbors {
			t.seen(n.Port, n.NeighborDevice, n.NeighborPort)
		}
	}
	var cumulus map[string]struct {
		LLDP struct {
			Neighbor map[string]struct {
				Chassis struct {
					Name string `json:"system-name"`
				}
				Port struct{ Name, Description string }
			}
		}
	}
	if json.Unmarshal(body, &cumulus) != nil {
		return
	}
	for local, n := range cumulus {
		for _, far := range n.LLDP.Neighbor {
			t.seen(local, far.Chassis.Name, far.Port.Name, far.Port.Description)
		}
	}
}

// named is the switch that a system name means, with or without its domain.
func (net *network) named(s string) string {
	if net.byName[s] != nil {
		return s
	}
	host, _, _ := strings.Cut(s, ".")
	if net.byName[host] != nil {
		return host
	}
	return ""
}

// owner is the switch whose neighbours a file has: the one of its folder, or the
// one the file is named after, with whatever else stands in the name.
func (net *network) owner(file string) *observed.Switch {
	if sw := net.folder[path.Dir(file)]; sw != nil {
		return sw
	}
	base := strings.ToLower(stem(file))
	var best *observed.Switch
	longest := 0
	consider := func(name string, sw *observed.Switch) {
		if len(name) > longest && within(base, strings.ToLower(name)) {
			best, longest = sw, len(name)
		}
	}
	for _, sw := range net.Switches {
		consider(sw.Name, sw)
		consider(stem(sw.File), sw)
	}
	return best
}

// within reports whether a name stands in a file's name as a word of its own.
func within(base, name string) bool {
	for at := 0; name != ""; {
		i := strings.Index(base[at:], name)
		if i < 0 {
			return false
		}
		at += i
		end := at + len(name)
		if (at == 0 || !letter(base[at-1])) && (end == len(base) || !letter(base[end])) {
			return true
		}
		at++
	}
	return false
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// portIndex finds a switch's ports by any spelling.
func portIndex(sw *observed.Switch) map[string]string {
	index := make(map[string]string, 2*len(sw.Ports))
	for i := range sw.Ports {
		if p := &sw.Ports[i]; p.Kind == observed.Physical && p.Alias != "" {
			index[observed.PortKey(p.Alias)] = p.Name
		}
	}
	for i := range sw.Ports {
		if p := &sw.Ports[i]; p.Kind == observed.Physical {
			index[observed.PortKey(p.Name)] = p.Name
		}
	}
	return index
}
