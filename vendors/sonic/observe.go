package sonic

import (
	"net/netip"
	"strings"

	"railyard/generator/observed"
)

// Observe reads what one CONFIG_DB document says about losslessness. An error is
// an *observed.Fault with the line where the document cannot be read.
func Observe(body string) (*observed.Switch, error) { return NewObserver().Observe(body) }

// Observer reads documents one after the other and uses its memory again.
type Observer struct {
	scanner seenScanner
	wanted  map[string]bool
}

// NewObserver is an observer for one goroutine.
func NewObserver() *Observer { return &Observer{wanted: seenObservedTables()} }

// Observe is the function of that name.
func (x *Observer) Observe(body string) (*observed.Switch, error) {
	tables, err := x.scanner.tables(body, x.wanted)
	if err != nil {
		return nil, err
	}
	if len(tables["PORT"]) == 0 && len(tables["DEVICE_METADATA"]) == 0 {
		return nil, &observed.Fault{Reason: "JSON, but no CONFIG_DB: it has neither PORT nor DEVICE_METADATA"}
	}
	o := &seenObserver{tables: tables, sw: &observed.Switch{OS: "sonic"}, index: map[string]int{}, rows: map[string]map[string]*seenRow{},
		maps: map[string]*observed.Maps{}, bands: map[string]*observed.ECN{}}
	o.ports()
	o.lastName, o.profiles = "", map[string]*observed.Buffer{}
	o.layer3()
	o.classes()
	o.queues()
	o.buffers()
	o.cables()
	o.watchdog()
	o.settings()
	return o.sw, nil
}

func seenObservedTables() map[string]bool {
	set := map[string]bool{}
	for _, t := range strings.Fields("DEVICE_METADATA PORT INTERFACE VLAN VLAN_MEMBER VLAN_INTERFACE PORTCHANNEL_MEMBER PORTCHANNEL_INTERFACE DEVICE_NEIGHBOR " +
		"DSCP_TO_TC_MAP DOT1P_TO_TC_MAP TC_TO_QUEUE_MAP TC_TO_PRIORITY_GROUP_MAP MAP_PFC_PRIORITY_TO_QUEUE PFC_PRIORITY_TO_PRIORITY_GROUP_MAP PORT_QOS_MAP " +
		"QUEUE SCHEDULER WRED_PROFILE BUFFER_PG BUFFER_QUEUE BUFFER_PROFILE BUFFER_POOL CABLE_LENGTH PFC_WD FLEX_COUNTER_TABLE") {
		set[t] = true
	}
	return set
}

type seenObserver struct {
	tables map[string][]seenRow
	rows   map[string]map[string]*seenRow // by table and key, made when asked for
	sw     *observed.Switch
	index  map[string]int
	maps   map[string]*observed.Maps
	bands  map[string]*observed.ECN
	wd     []observed.Set // what pfcwd_sw_enable says, by port
	wdAt   []observed.Line
	// The watchdog of the port read last, and how it is worded.
	timesOf   [3]string
	timesText string
	lastName  string // asked for last, and where it is
	lastPort  int
	profiles  map[string]*observed.Buffer // by reference
	restoreAt observed.Line               // of the shortest time to restore
}

// find is the row a reference names: "x", or "[TABLE|x]" of older releases.
func (o *seenObserver) find(table, ref string) *seenRow {
	ref = strings.Trim(ref, "[]")
	if _, name, ok := strings.Cut(ref, "|"); ok {
		ref = name
	}
	if o.rows[table] == nil {
		o.rows[table] = map[string]*seenRow{}
		for i := range o.tables[table] {
			r := &o.tables[table][i]
			o.rows[table][r.key] = r
		}
	}
	return o.rows[table][ref]
}

func (o *seenObserver) ports() {
	if r := o.find("DEVICE_METADATA", "localhost"); r != nil {
		o.sw.Name, _ = r.copy("hostname")
		platform, _, _ := r.get("platform")
		sku, _, _ := r.get("hwsku")
		o.sw.Hardware = strings.Clone(strings.TrimSpace(platform + " " + sku))
	}
	o.sw.Ports = make([]observed.Port, 0, min(len(o.tables["PORT"])+len(o.tables["VLAN"]), observed.MostPorts))
	for i := range o.tables["PORT"] {
		r := &o.tables["PORT"][i]
		if o.index[r.key] > 0 || len(o.sw.Ports) == observed.MostPorts {
			continue
		}
		p := observed.Port{Name: strings.Clone(r.key), At: r.at, Mode: observed.Access, MTU: observed.MTU{Bytes: 9100, IP: true}}
		if s, _, ok := r.get("speed"); ok {
			n, _ := observed.Number(s)
			p.SpeedGbps = n / 1000
		}
		if s, at, ok := r.get("mtu"); ok {
			n, _ := observed.Number(s)
			p.MTU = observed.MTU{Bytes: n, At: at, IP: true}
		}
		status, _, _ := r.get("admin_status")
		p.Down = status != "up"
		p.Alias, _ = r.copy("alias")
		p.Description, p.DescribedAt = r.copy("description")
		o.sw.Ports = append(o.sw.Ports, p)
		o.index[r.key] = len(o.sw.Ports)
	}
	for i := range o.tables["DEVICE_NEIGHBOR"] {
		r := &o.tables["DEVICE_NEIGHBOR"][i]
		if p := o.port(r.key); p != nil {
			p.Neighbor, _ = r.copy("name")
			p.NeighborPort, _ = r.copy("port")
		}
	}
}

func (o *seenObserver) port(name string) *observed.Port {
	// The rows of a port follow each other.
	if name != o.lastName {
		o.lastName, o.lastPort = name, o.index[name]
	}
	if o.lastPort > 0 {
		return &o.sw.Ports[o.lastPort-1]
	}
	return nil
}

// each calls visit for every port of a key; older releases join names with
// commas. A line card of a chassis puts its host and chip in front, and has rows
// for the ports of its neighbours too.
func (o *seenObserver) each(key string, visit func(p *observed.Port, rest string)) {
	names, rest, _ := strings.Cut(key, "|")
	if strings.Count(rest, "|") == 2 {
		if !strings.EqualFold(names, o.sw.Name) {
			return
		}
		_, rest, _ = strings.Cut(rest, "|")
		names, rest, _ = strings.Cut(rest, "|")
	}
	for names != "" {
		var name string
		name, names, _ = strings.Cut(names, ",")
		if p := o.port(name); p != nil {
			visit(p, rest)
		}
	}
}

func (o *seenObserver) layer3() {
	for _, table := range []string{"INTERFACE", "PORTCHANNEL_INTERFACE"} {
		for i := range o.tables[table] {
			r := &o.tables[table][i]
			name, prefix, _ := strings.Cut(r.key, "|")
			p := o.port(name)
			if p == nil {
				continue
			}
			p.Mode, p.VLAN = observed.Routed, 0
			if a, ok := observed.Slashed(prefix); ok {
				p.Addresses = append(p.Addresses, a)
			}
		}
	}
	for i := range o.tables["PORTCHANNEL_MEMBER"] {
		bundle, name, _ := strings.Cut(o.tables["PORTCHANNEL_MEMBER"][i].key, "|")
		if p := o.port(name); p != nil {
			p.Bundle, p.Mode, p.VLAN = strings.Clone(bundle), observed.Routed, 0
		}
	}
	for i := range o.tables["VLAN_MEMBER"] {
		r := &o.tables["VLAN_MEMBER"][i]
		vlan, name, _ := strings.Cut(r.key, "|")
		p := o.port(name)
		if p == nil {
			continue
		}
		if mode, _, _ := r.get("tagging_mode"); mode == "untagged" {
			p.Mode, p.VLAN = observed.Access, max(0, observed.Within(strings.TrimPrefix(vlan, "Vlan"), 4094))
		} else if p.VLAN == 0 {
			p.Mode = observed.Trunk
		}
	}
	gateways := map[string][]netip.Prefix{}
	for i := range o.tables["VLAN_INTERFACE"] {
		name, prefix, _ := strings.Cut(o.tables["VLAN_INTERFACE"][i].key, "|")
		if a, ok := observed.Slashed(prefix); ok {
			gateways[name] = append(gateways[name], a)
		}
	}
	for i := range o.tables["VLAN"] {
		r := &o.tables["VLAN"][i]
		p := observed.Port{Name: strings.Clone(r.key), At: r.at, Kind: observed.Gateway, VLAN: max(0, observed.Within(strings.TrimPrefix(r.key, "Vlan"), 4094)), MTU: observed.MTU{Bytes: 9100, IP: true}}
		if s, at, ok := r.get("mtu"); ok {
			n, _ := observed.Number(s)
			p.MTU = observed.MTU{Bytes: n, At: at, IP: true}
		}
		p.Addresses = gateways[r.key]
		if len(p.Addresses) > 0 && len(o.sw.Ports) < observed.MostPorts {
			o.sw.Ports = append(o.sw.Ports, p)
		}
	}
}

// classes reads the maps each port is bound to and what it pauses.
func (o *seenObserver) classes() {
	o.wd, o.wdAt = make([]observed.Set, len(o.sw.Ports)), make([]observed.Line, len(o.sw.Ports))
	global, _, _ := o.find("PORT_QOS_MAP", "global").get("dscp_to_tc_map")
	for i := range o.tables["PORT_QOS_MAP"] {
		r := &o.tables["PORT_QOS_MAP"][i]
		o.each(r.key, func(p *observed.Port, _ string) {
			at := o.index[p.Name] - 1
			o.bind(p, r, global)
			if s, line, ok := r.get("pfc_enable"); ok && s != "" {
				p.PFC = observed.PFC{On: true, OnAt: line, Priorities: observed.Priorities(s), At: line}
			} else {
				p.PFC = observed.PFC{OnAt: max(line, r.at), At: r.at}
			}
			o.wd[at], o.wdAt[at] = p.PFC.Priorities, 0
			if s, line, ok := r.get("pfcwd_sw_enable"); ok {
				o.wd[at], o.wdAt[at] = observed.Priorities(s), line
			}
		})
	}
}

var seenMapBindings = [...]string{"dscp_to_tc_map", "dot1p_to_tc_map", "tc_to_queue_map", "tc_to_pg_map", "pfc_to_queue_map", "pfc_to_pg_map"}

func (o *seenObserver) bind(p *observed.Port, r *seenRow, global string) {
	var names [len(seenMapBindings)]string
	for i, b := range seenMapBindings {
		names[i], _, _ = r.get(b)
	}
	if _, at, ok := r.get("dscp_to_tc_map"); ok {
		p.Trust, p.TrustAt = observed.TrustDSCP, at
	} else if global != "" {
		p.Trust, names[0] = observed.TrustDSCP, global
	} else if _, at, ok := r.get("dot1p_to_tc_map"); ok {
		p.Trust, p.TrustAt = observed.TrustDot1p, at
	} else {
		p.Trust, p.TrustAt = observed.TrustNone, r.at
	}
	key := strings.Join(names[:], "|")
	m := o.maps[key]
	if m == nil {
		m = o.newMaps(names)
		o.maps[key] = m
	}
	p.Maps = m
	pauses, _, _ := r.get("pfc_enable")
	for i, b := range seenMapBindings[:4] {
		table := [...]string{"DSCP_TO_TC_MAP", "DOT1P_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP"}[i]
		_, at, ok := r.get(b)
		switch {
		case ok && o.find(table, names[i]) == nil:
			o.remark(observed.Remark{Severity: observed.Error, Code: "MAP_UNKNOWN", Aspect: "dscp-map", Port: p.Name, Line: at,
				Text: b + " names " + strings.Trim(names[i], "[]") + ", which is no row of " + table, Remedy: "bind a map that exists"})
		case !ok && i >= 2 && pauses != "":
			o.remark(observed.Remark{Severity: observed.Error, Code: "MAP_UNBOUND", Aspect: "dscp-map", Port: p.Name, Line: r.at,
				Text: "the port pauses priorities " + pauses + " but has no " + b + ", so nothing says where its traffic classes go", Remedy: "bind " + b + " as on the other ports"})
		}
	}
}

func (o *seenObserver) remark(r observed.Remark) { o.sw.Remarks = append(o.sw.Remarks, r) }

// newMaps resolves the named maps. A map that is not bound is taken for
// identity; the missing binding is a remark of its own.
func (o *seenObserver) newMaps(names [len(seenMapBindings)]string) *observed.Maps {
	m := &observed.Maps{Shared: true}
	for i := range m.DSCP {
		m.DSCP[i].To = -1
	}
	for _, s := range []*[8]observed.Step{&m.Dot1p, &m.Queue, &m.Group, &m.Priority, &m.Pause} {
		observed.Identity(s)
	}
	if r := o.find("DSCP_TO_TC_MAP", names[0]); r != nil {
		m.DSCPAt = r.at
		seenFill(m.DSCP[:], r)
	}
	seenFill(m.Dot1p[:], o.find("DOT1P_TO_TC_MAP", names[1]))
	seenFill(m.Queue[:], o.find("TC_TO_QUEUE_MAP", names[2]))
	seenFill(m.Group[:], o.find("TC_TO_PRIORITY_GROUP_MAP", names[3]))
	seenFill(m.Pause[:], o.find("MAP_PFC_PRIORITY_TO_QUEUE", names[4]))
	if r := o.find("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", names[5]); r != nil {
		for i := range m.Priority {
			m.Priority[i] = observed.Step{To: -1, At: r.at}
		}
		for _, f := range r.fields {
			priority, group := observed.Within(f.name, 7), observed.Within(strings.TrimSpace(f.value), 7)
			if priority >= 0 && group >= 0 {
				m.Priority[group] = observed.Step{To: int8(priority), At: f.at}
			}
		}
	}
	return m
}

func seenFill(steps []observed.Step, r *seenRow) {
	if r == nil {
		return
	}
	for i := range steps {
		steps[i] = observed.Step{To: -1, At: r.at}
	}
	for _, f := range r.fields {
		from, to := observed.Within(f.name, len(steps)-1), observed.Within(strings.TrimSpace(f.value), 7)
		if from >= 0 && to >= 0 {
			steps[from] = observed.Step{To: int8(to), At: f.at}
		}
	}
}
