package sonic

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// Sources: YANG, the models of doc.go; GCU, sonic-utilities generic_config_updater;
// BUFFERMGR, sonic-swss cfgmgr/buffermgr.cpp; ISSUE n, sonic-buildimage.

// diffTable is what the comparison knows about a table.
type diffTable struct {
	name string
	// own applies to rows that only the switch has.
	own clitree.Own
	// open rows have fields of the site's; only the intent's fields count.
	open bool
	// ranged: the last part of the key may be a range of queues or groups (YANG
	// sonic-buffer-pg, sonic-buffer-queue, sonic-queue).
	ranged bool
}

// diffTables stand in the order in which a patch builds them up; it takes them
// away the other way round. Tables that are not here come last and count only as
// far as the intent has their rows.
var diffTables = []diffTable{
	{name: "DEVICE_METADATA", own: clitree.Intended, open: true},
	{name: "FLEX_COUNTER_TABLE", own: clitree.Intended, open: true},
	{name: "MGMT_PORT", own: clitree.Intended, open: true},
	{name: "MGMT_VRF_CONFIG", own: clitree.Intended, open: true},
	{name: "MGMT_INTERFACE", own: clitree.Spoken},
	{name: "PORT", own: clitree.Intended},
	{name: "BREAKOUT_CFG", own: clitree.Spoken},
	{name: "LOOPBACK_INTERFACE", own: clitree.Always},
	{name: "VLAN", own: clitree.Always},
	{name: "VLAN_MEMBER", own: clitree.Always},
	{name: "VLAN_INTERFACE", own: clitree.Always},
	{name: "INTERFACE", own: clitree.Always},
	{name: "DSCP_TO_TC_MAP", own: clitree.Spoken},
	{name: "DOT1P_TO_TC_MAP", own: clitree.Spoken},
	{name: "TC_TO_PRIORITY_GROUP_MAP", own: clitree.Spoken},
	{name: "TC_TO_QUEUE_MAP", own: clitree.Spoken},
	{name: "MAP_PFC_PRIORITY_TO_QUEUE", own: clitree.Spoken},
	{name: "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", own: clitree.Spoken},
	{name: "TC_TO_DSCP_MAP", own: clitree.Spoken},
	{name: "SCHEDULER", own: clitree.Spoken},
	{name: "WRED_PROFILE", own: clitree.Spoken},
	{name: "LOSSLESS_TRAFFIC_PATTERN", own: clitree.Always},
	{name: "DEFAULT_LOSSLESS_BUFFER_PARAMETER", own: clitree.Always},
	{name: "BUFFER_POOL", own: clitree.Spoken},
	{name: "BUFFER_PROFILE", own: clitree.Spoken},
	{name: "BUFFER_PORT_INGRESS_PROFILE_LIST", own: clitree.Spoken},
	{name: "BUFFER_PORT_EGRESS_PROFILE_LIST", own: clitree.Spoken},
	{name: "CABLE_LENGTH", own: clitree.Always},
	{name: "BUFFER_PG", own: clitree.Always, ranged: true},
	{name: "BUFFER_QUEUE", own: clitree.Always, ranged: true},
	{name: "QUEUE", own: clitree.Always, ranged: true},
	{name: "PORT_QOS_MAP", own: clitree.Always},
	{name: "PFC_WD", own: clitree.Always},
	{name: "BGP_GLOBALS", own: clitree.Spoken},
	{name: "BGP_NEIGHBOR", own: clitree.Always},
	{name: "SWITCH_HASH", own: clitree.Spoken},
	{name: "NTP", own: clitree.Intended, open: true},
	{name: "NTP_SERVER", own: clitree.Spoken, open: true},
	{name: "DNS_NAMESERVER", own: clitree.Spoken},
	{name: "SYSLOG_SERVER", own: clitree.Spoken, open: true},
	{name: "GNMI", own: clitree.Intended, open: true},
	{name: "GNMI_CLIENT_CERT", own: clitree.Intended, open: true},
}

func diffKnown(name string) (diffTable, int) {
	for i, t := range diffTables {
		if t.name == name {
			return t, i
		}
	}
	return diffTable{name: name, own: clitree.Intended, open: true}, len(diffTables)
}

func diffRank(name string) int {
	_, i := diffKnown(name)
	return i
}

// diffDefaults are values that mean the same as no field (YANG defaults; the port
// values are what portsyncd starts with).
var diffDefaults = map[string]map[string]string{
	"PORT": {"mtu": "9100", "admin_status": "down", "autoneg": "off", "link_training": "off", "tpid": "0x8100", "pfc_asym": "off",
		"role": "Ext", "mode": "routed", "subport": "0", "description": "", "dom_polling": "enabled", "interface_type": "none", "adv_speeds": "all", "adv_interface_types": "all",
		"dhcp_rate_limit": "300", "fast_linkup": "false"}, // db_migrator writes the rate into every port
	// What bgpd's templates take without the field; minigraphs write them all.
	"BGP_NEIGHBOR": {"keepalive": "60", "holdtime": "180", "rrclient": "0", "nhopself": "0", "admin_status": "up", "bfd": "false"},
	"DEVICE_METADATA": {"default_bgp_status": "up", "default_pfcwd_status": "disable", "frr_mgmt_framework_config": "false", "yang_config_validation": "disable", "buffer_model": "traditional",
		"docker_routing_config_mode": "unified"}, // the YANG default; older images start as separated
	"SCHEDULER":          {"type": "WRR", "weight": "1", "meter_type": "bytes"},
	"BUFFER_POOL":        {"xoff": "0"},
	"LOOPBACK_INTERFACE": {"nat_zone": "0", "admin_status": "up"},
	"WRED_PROFILE": {"ecn": "ecn_none", "wred_green_enable": "false", "wred_yellow_enable": "false", "wred_red_enable": "false",
		"green_drop_probability": "100", "yellow_drop_probability": "100", "red_drop_probability": "100"},
	"PFC_WD":         {"pfc_stat_history": "disable"},
	"PORT_QOS_MAP":   {"pfc_enable": "", "pfcwd_sw_enable": ""},
	"VLAN_INTERFACE": {"proxy_arp": "disabled", "grat_arp": "disabled", "ipv6_use_link_local_only": "disable", "loopback_action": "forward", "nat_zone": "0", "static_anycast_gateway": "false"},
	"INTERFACE":      {"nat_zone": "0", "ipv6_use_link_local_only": "disable", "loopback_action": "forward", "mpls": "disable"},
}

// diffSets are fields whose elements have no order: joined strings and lists.
var diffSets = map[string]bool{"pfc_enable": true, "pfcwd_sw_enable": true, "adv_speeds": true, "adv_interface_types": true,
	"dhcp_servers": true, "ecmp_hash": true, "lag_hash": true, "forced_mgmt_routes": true, "src_intf": true}

// diffNormal is a value in one form.
func diffNormal(table, field string, v diffValue) string {
	s := v.String()
	if v.many || diffSets[field] {
		parts := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' })
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		if v.many && !diffSets[field] {
			return strings.Join(parts, ",") // route maps and the like: the order counts
		}
		slices.Sort(parts)
		return strings.Join(parts, ",")
	}
	// Old images store references as [TABLE|name] or TABLE|name (ISSUE utilities 4107).
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
	}
	if i := strings.LastIndexByte(s, '|'); i > 0 && field != "description" {
		s = s[i+1:]
	}
	switch low := strings.ToLower(s); low {
	case "true", "false":
		return low
	case "separated", "":
		if field == routingMode { // both ways render CONFIG_DB
			return "unified"
		}
	}
	if strings.Count(s, ":") >= 2 {
		return diffAddress(s)
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return s
}

// diffAddress writes IPv6 addresses the short way and MAC addresses in lower case.
func diffAddress(s string) string {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.String()
	}
	if p, err := netip.ParsePrefix(s); err == nil {
		return p.String()
	}
	return strings.ToLower(s)
}

// diffKey is a row's key in one form.
func diffKey(key string) string {
	if strings.Count(key, ":") < 2 {
		return key
	}
	parts := strings.Split(key, "|")
	for i, p := range parts {
		if strings.Count(p, ":") >= 2 {
			parts[i] = diffAddress(p)
		}
	}
	return strings.Join(parts, "|")
}

// diffMade tells rows that the switch itself makes from cable length and speed
// (BUFFERMGR): they are no business of a person's.
func diffMade(table, key string, row diffRow) bool {
	switch table {
	case "BUFFER_PROFILE":
		return strings.HasPrefix(key, "pg_lossless_")
	case "BUFFER_PG":
		p := diffNormal(table, "profile", row["profile"])
		return strings.HasPrefix(p, "pg_lossless_")
	}
	return false
}

// diffReload are fields whose change takes effect only when the configuration is
// loaded anew.
var diffReload = map[string]string{
	"PORT.lanes":                                    "other lanes: the port and all that depends on it is made again",
	"DEVICE_METADATA.buffer_model":                  "another buffer model",
	"DEVICE_METADATA.docker_routing_config_mode":    "another way to configure routing",
	"DEVICE_METADATA.frr_mgmt_framework_config":     "another way to configure routing",
	"DEVICE_METADATA.hwsku":                         "another hardware SKU",
	"DEVICE_METADATA.create_only_config_db_buffers": "another buffer model",
}

// DiffFRR are the rules of frr.conf, which railyard writes as a whole: every line
// counts.
func DiffFRR() *clitree.Rules {
	r := &clitree.Rules{Syntax: clitree.FRR(), Negation: "no", Leave: "exit", Begin: []string{"configure terminal"}, End: []string{"end"}}
	src := "FRR vtysh"
	r.Lines = []clitree.Rule{
		{Match: "frr version|defaults ~", Own: clitree.Never, Source: src + ": header"},
		{Match: "hostname ?", Source: src},
		{Match: "log syslog ?", Source: src},
		{Match: "service integrated-vtysh-config", Own: clitree.Never, Source: src},
		{Match: "bgp community-list standard * permit|deny **", Ordered: true, Rank: 1, Source: src},
		{Match: "route-map * ? *", As: "route-map", Rank: 2, Late: true, Undo: "no route-map $1 $2 $3", Source: src},
		{Match: "router bgp *", As: "bgp", Rank: 3, Late: true, Source: src},
		{In: "bgp", Match: "bgp router-id ?", Undo: "no bgp router-id", Source: src},
		{In: "bgp", Match: "bgp default ipv4-unicast", Written: true, Source: src + ": on by default"},
		{In: "bgp", Match: "bgp ebgp-requires-policy", Written: true, Source: src + ": on by default"},
		{In: "bgp", Match: "neighbor * interface remote-as ?", Undo: "no neighbor $1 interface", Resets: []string{"neighbor $1 ~"}, OnUndo: true, Rank: 1, Source: src},
		{In: "bgp", Match: "neighbor * remote-as ?", Undo: "no neighbor $1", Resets: []string{"neighbor $1 ~"}, OnUndo: true, Rank: 1, Source: src},
		{In: "bgp", Match: "neighbor * description ~", Text: true, Undo: "no neighbor $1 description", Rank: 2, Source: src},
		{In: "bgp", Match: "neighbor * password ~", Secret: true, Undo: "no neighbor $1 password", Rank: 2, Source: src},
		{In: "bgp", Match: "address-family ipv4|ipv6 unicast", As: "family", Rank: 9, Leave: "exit-address-family", Source: src},
		{In: "family", Match: "maximum-paths ?", Undo: "no maximum-paths", Source: src},
		{In: "family", Match: "neighbor * route-map ? in|out", Undo: "no neighbor $1 route-map $2 $3", Rank: 3, Source: src},
	}
	r.Rewrites = []clitree.Rewrite{
		{From: "bgp community-list standard * seq * ~", To: []string{"bgp community-list standard $1 $3"}, Source: src + " 8.4: printed with numbers, in their order"},
		{In: "bgp", From: "address-family ipv4", To: []string{"address-family ipv4 unicast"}, Source: src},
	}
	r.Defaults = []clitree.Default{
		{In: "bgp", Line: "neighbor * capability extended-nexthop", When: "neighbor * interface remote-as *", Source: src + " 8.4: on and hidden for neighbours on interfaces"},
	}
	return r
}
