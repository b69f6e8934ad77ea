package sonic

import (
	"net/netip"
	"strings"
)

// newSchema returns the models, as of sonic-buildimage 086b03bd (2026-08-23),
// src/sonic-yang-models/yang-models.
func newSchema() schema {
	s := schema{}
	s.system()
	s.ports()
	s.qos()
	s.buffers()
	s.routing()
	return s
}

func keyed(module, table string, keys, leaves []leaf) *tableModel {
	return &tableModel{module: module, lists: []listModel{{name: table + "_LIST", keys: keys, leaves: leaves}}}
}

func fixed(module string, containers map[string][]leaf) *tableModel {
	return &tableModel{module: module, containers: containers}
}

// system: sonic-versions, -device_metadata, -mgmt_*, -ntp, -dns, -syslog, -gnmi, -flex_counter.
func (s schema) system() {
	s["VERSIONS"] = fixed("sonic-versions", map[string][]leaf{"DATABASE": {text("VERSION", 1, 255)}})
	s["DEVICE_METADATA"] = fixed("sonic-device_metadata", map[string][]leaf{"localhost": {
		text("hostname", 1, 63), text("hwsku", 1, 255), text("platform", 1, 255),
		like("mac", isMAC, "a MAC address like 02:00:00:00:00:01"),
		enum("type", "ToRRouter", "LeafRouter", "SpineRouter", "LowerSpineRouter", "UpperSpineRouter", "FabricSpineRouter",
			"BackEndToRRouter", "BackEndLeafRouter", "BackEndSpineRouter", "SonicHost", "not-provisioned"),
		number("bgp_asn", 0, 4294967295), like("bgp_router_id", isIPv4, "an IPv4 address"),
		enum("default_bgp_status", "up", "down"), enum("default_pfcwd_status", "enable", "disable"),
		enum("docker_routing_config_mode", "separated", "unified", "split", "split-unified"),
		boolean("frr_mgmt_framework_config"), enum("buffer_model", "dynamic", "traditional"),
		enum("synchronous_mode", "enable", "disable"), enum("yang_config_validation", "enable", "disable"),
		enum("suppress-fib-pending", "enabled", "disabled"), text("timezone", 1, 255),
		text("cloudtype", 0, 255), text("region", 0, 255), text("deployment_id", 1, 10),
		boolean("create_only_config_db_buffers"),
	}})
	s["MGMT_PORT"] = keyed("sonic-mgmt_port", "MGMT_PORT", []leaf{like("name", isEth, "eth0, eth1, …")}, []leaf{
		text("alias", 0, 128), text("description", 0, 255), adminStatus(), enum("speed", "10", "100", "1000").as(numberValue),
		enum("autoneg", "on", "off"), number("mtu", 1500, 9216)})
	s["MGMT_INTERFACE"] = keyed("sonic-mgmt_interface", "MGMT_INTERFACE", []leaf{ref("name", "MGMT_PORT"), prefixLeaf("ip_prefix")},
		[]leaf{addressLeaf("gwaddr").mandatory(), prefixLeaf("forced_mgmt_routes").many()})
	s["MGMT_VRF_CONFIG"] = fixed("sonic-mgmt_vrf", map[string][]leaf{"vrf_global": {boolean("mgmtVrfEnabled")}})
	s["NTP"] = fixed("sonic-ntp", map[string][]leaf{"global": {
		ref("src_intf", "PORT", "LOOPBACK_INTERFACE", "MGMT_PORT").or("eth0").joined(";"), enum("vrf", "mgmt", "default"),
		enabled("authentication"), enabled("dhcp"), enabled("server_role"), enabled("admin_state")}})
	s["NTP_SERVER"] = keyed("sonic-ntp", "NTP_SERVER", []leaf{text("server_address", 1, 253)}, []leaf{
		enum("association_type", "server", "pool"), enum("iburst", "on", "off"), enum("trusted", "yes", "no"),
		number("version", 3, 4), enabled("admin_state")})
	s["NTP_SERVER"].maxRows = maxNTP
	s["DNS_NAMESERVER"] = keyed("sonic-dns", "DNS_NAMESERVER", []leaf{addressLeaf("ip")}, nil)
	s["DNS_NAMESERVER"].maxRows = maxDNS
	s["SYSLOG_SERVER"] = keyed("sonic-syslog", "SYSLOG_SERVER", []leaf{text("server_address", 1, 253)}, []leaf{
		addressLeaf("source"), number("port", 0, 65535), enum("vrf", "default", "mgmt"), enum("protocol", "tcp", "udp"),
		enum("severity", "none", "debug", "info", "notice", "warn", "error", "crit")})
	s["GNMI"] = fixed("sonic-gnmi", map[string][]leaf{
		"gnmi": {number("port", 0, 65535), boolean("client_auth"), number("log_level", 0, 100),
			enum("user_auth", "password", "jwt", "cert", "none")},
		"certs": {text("ca_crt", 1, 255), text("server_crt", 1, 255), text("server_key", 1, 255)}})
	s["GNMI_CLIENT_CERT"] = keyed("sonic-gnmi", "GNMI_CLIENT_CERT", []leaf{text("cert_cname", 1, 255)},
		[]leaf{text("role", 1, 64).many().mandatory()})
	counter := []leaf{enum("FLEX_COUNTER_STATUS", "enable", "disable"), number("POLL_INTERVAL", 100, 4294967295)}
	s["FLEX_COUNTER_TABLE"] = fixed("sonic-flex_counter", map[string][]leaf{
		"PFCWD": counter[:1], "QUEUE": counter, "PG_WATERMARK": counter, "QUEUE_WATERMARK": counter, "PORT": counter, "PG_DROP": counter})
	hash := []string{"IN_PORT", "DST_MAC", "SRC_MAC", "ETHERTYPE", "VLAN_ID", "IP_PROTOCOL", "DST_IP", "SRC_IP", "L4_DST_PORT", "L4_SRC_PORT", "IPV6_FLOW_LABEL"}
	algorithm := []string{"CRC", "XOR", "RANDOM", "CRC_32LO", "CRC_32HI", "CRC_CCITT", "CRC_XOR"}
	s["SWITCH_HASH"] = fixed("sonic-hash", map[string][]leaf{"GLOBAL": {
		enum("ecmp_hash", hash...).many(), enum("lag_hash", hash...).many(),
		enum("ecmp_hash_algorithm", algorithm...), enum("lag_hash_algorithm", algorithm...)}})
}

// ports: sonic-port, -breakout_cfg, -vlan, -interface, -loopback-interface.
func (s schema) ports() {
	s["PORT"] = keyed("sonic-port", "PORT", []leaf{text("name", 1, 128)}, []leaf{
		like("lanes", isLanes, "a comma-separated list of lane numbers").mandatory(), number("speed", 1, 1600000).mandatory(),
		text("alias", 1, 128), number("index", 0, 65535), number("subport", 0, 8), enum("fec", "rs", "fc", "none", "auto"),
		enum("autoneg", "on", "off"), enum("link_training", "on", "off"), number("mtu", 68, 9216), adminStatus(),
		text("description", 0, 255), enum("pfc_asym", "on", "off"), enum("tpid", "0x8100", "0x9100", "0x9200", "0x88a8", "0x88A8"),
		enum("mode", "routed", "access", "trunk"), enum("role", "Ext", "Int", "Inb", "Rec", "Dpc")})
	s["BREAKOUT_CFG"] = keyed("sonic-breakout_cfg", "BREAKOUT_CFG", []leaf{text("port", 1, 255)}, []leaf{text("brkout_mode", 1, 64)})
	linkLocal := enum("ipv6_use_link_local_only", "enable", "disable")
	mac := like("mac_addr", isMAC, "a MAC address like 02:00:00:00:00:01")
	loopAction := enum("loopback_action", "drop", "forward")
	s["INTERFACE"] = &tableModel{module: "sonic-interface", lists: []listModel{
		{name: "INTERFACE_LIST", keys: []leaf{ref("name", "PORT")}, leaves: []leaf{linkLocal, mac, loopAction}},
		{name: "INTERFACE_IPPREFIX_LIST", keys: []leaf{ref("name", "PORT"), prefixLeaf("ip-prefix")}}}}
	s["LOOPBACK_INTERFACE"] = &tableModel{module: "sonic-loopback-interface", lists: []listModel{
		{name: "LOOPBACK_INTERFACE_LIST", keys: []leaf{text("name", 1, 15)}, leaves: []leaf{adminStatus()}},
		{name: "LOOPBACK_INTERFACE_IPPREFIX_LIST", keys: []leaf{ref("name", "LOOPBACK_INTERFACE"), prefixLeaf("ip-prefix")}}}}
	s["VLAN"] = keyed("sonic-vlan", "VLAN", []leaf{like("name", isVLAN, "Vlan2 to Vlan4095")}, []leaf{
		number("vlanid", 2, 4094).mandatory(), text("alias", 0, 255), text("description", 1, 255),
		number("mtu", 1, 9216), adminStatus(), like("mac", isMAC, "a MAC address"), addressLeaf("dhcp_servers").many()})
	s["VLAN_MEMBER"] = keyed("sonic-vlan", "VLAN_MEMBER", []leaf{ref("name", "VLAN"), ref("port", "PORT")},
		[]leaf{enum("tagging_mode", "tagged", "untagged", "priority_tagged").mandatory()})
	s["VLAN_INTERFACE"] = &tableModel{module: "sonic-vlan", lists: []listModel{
		{name: "VLAN_INTERFACE_LIST", keys: []leaf{ref("name", "VLAN")}, leaves: []leaf{
			linkLocal, mac, loopAction, enum("proxy_arp", "enabled", "disabled"), enum("grat_arp", "enabled", "disabled")}},
		{name: "VLAN_INTERFACE_IPPREFIX_LIST", keys: []leaf{ref("name", "VLAN"), prefixLeaf("ip-prefix")}}}}
}

// qos: the map tables, sonic-port-qos-map, -scheduler, -wred-profile, -queue, -pfcwd.
func (s schema) qos() {
	mapOf := func(module, table string, from, to leaf) {
		s[table] = &tableModel{module: module, lists: []listModel{{
			name: table + "_LIST", keys: []leaf{mapName("name")}, inner: []leaf{from, to}}}}
	}
	word := func(name string, maxVal int64) leaf { // numbers the models keep as strings
		return number(name, 0, maxVal).as(number64)
	}
	mapOf("sonic-dscp-tc-map", "DSCP_TO_TC_MAP", word("dscp", 63), number("tc", 0, 15))
	mapOf("sonic-tc-priority-group-map", "TC_TO_PRIORITY_GROUP_MAP", number("tc", 0, 15), word("pg", 7))
	mapOf("sonic-tc-queue-map", "TC_TO_QUEUE_MAP", number("tc", 0, 15), word("qindex", 9))
	mapOf("sonic-pfc-priority-queue-map", "MAP_PFC_PRIORITY_TO_QUEUE", word("pfc_priority", 7), word("qindex", 7))
	mapOf("sonic-pfc-priority-priority-group-map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", word("pfc_priority", 7), word("pg", 7))
	mapOf("sonic-cable-length", "CABLE_LENGTH", ref("port", "PORT"), like("length", isMetres, "whole metres like 40m"))
	priorities := func(name string) leaf { return like(name, isPriorities, "a list of priorities 0 to 7 like 3,4") }
	s["PORT_QOS_MAP"] = keyed("sonic-port-qos-map", "PORT_QOS_MAP", []leaf{ref("ifname", "PORT").or("global")}, []leaf{
		ref("dscp_to_tc_map", "DSCP_TO_TC_MAP"), ref("tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP"),
		ref("tc_to_queue_map", "TC_TO_QUEUE_MAP"), ref("pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE"),
		ref("pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"), ref("scheduler", "SCHEDULER"),
		priorities("pfc_enable"), priorities("pfcwd_sw_enable")})
	s["SCHEDULER"] = keyed("sonic-scheduler", "SCHEDULER", []leaf{text("name", 1, 255)}, []leaf{
		enum("type", "DWRR", "WRR", "STRICT"), number("weight", 1, 100), number("priority", 0, 9),
		enum("meter_type", "packets", "bytes"), bytes64("cir"), bytes64("pir"), number("cbs", 0, 4294967295), number("pbs", 0, 4294967295)})
	wred := []leaf{enum("ecn", "ecn_none", "ecn_green", "ecn_yellow", "ecn_red", "ecn_green_yellow", "ecn_green_red", "ecn_yellow_red", "ecn_all")}
	for _, colour := range colours {
		wred = append(wred, boolean("wred_"+colour+"_enable"), bytes64(colour+"_min_threshold"), bytes64(colour+"_max_threshold"),
			number(colour+"_drop_probability", 0, 100).as(number64))
	}
	s["WRED_PROFILE"] = keyed("sonic-wred-profile", "WRED_PROFILE", []leaf{mapName("name")}, wred)
	s["QUEUE"] = keyed("sonic-queue", "QUEUE", []leaf{ref("ifname", "PORT").or("CPU"), like("qindex", isRange(47), "a queue or a range like 3-4")},
		[]leaf{ref("scheduler", "SCHEDULER"), ref("wred_profile", "WRED_PROFILE")})
	s["PFC_WD"] = keyed("sonic-pfcwd", "PFC_WD", []leaf{ref("ifname", "PORT").or("GLOBAL")}, []leaf{
		number("POLL_INTERVAL", 100, 1000), enum("action", "drop", "forward", "alert"),
		number("detection_time", minDetect, maxDetect), number("restoration_time", minDetect, maxRestore), enum("pfc_stat_history", "enable", "disable")})
}

// buffers: sonic-buffer-*, -default-lossless-buffer-parameter, -lossless-traffic-pattern.
func (s schema) buffers() {
	s["BUFFER_POOL"] = keyed("sonic-buffer-pool", "BUFFER_POOL", []leaf{text("name", 1, 255)}, []leaf{
		enum("type", "ingress", "egress", "both").mandatory(), enum("mode", "static", "dynamic").mandatory(),
		bytes64("size"), bytes64("xoff"), number("percentage", 0, 100)})
	s["BUFFER_PROFILE"] = keyed("sonic-buffer-profile", "BUFFER_PROFILE", []leaf{text("name", 1, 255)}, []leaf{
		ref("pool", "BUFFER_POOL").mandatory(), bytes64("size").mandatory(), number("dynamic_th", -8, 7), bytes64("static_th"),
		bytes64("xon"), bytes64("xon_offset"), bytes64("xoff"), enum("headroom_type", "static", "dynamic"),
		enum("packet_discard_action", "drop", "trim")})
	s["BUFFER_PG"] = keyed("sonic-buffer-pg", "BUFFER_PG", []leaf{ref("port", "PORT"), like("pg_num", isRange(7), "a group 0 to 7 or a range like 3-4")},
		[]leaf{ref("profile", "BUFFER_PROFILE").or("NULL")})
	s["BUFFER_QUEUE"] = keyed("sonic-buffer-queue", "BUFFER_QUEUE", []leaf{ref("port", "PORT"), like("qindex", isRange(15), "a queue 0 to 15 or a range like 3-4")},
		[]leaf{ref("profile", "BUFFER_PROFILE")})
	for _, dir := range []string{"INGRESS", "EGRESS"} {
		name := "BUFFER_PORT_" + dir + "_PROFILE_LIST"
		s[name] = keyed("sonic-buffer-port-"+strings.ToLower(dir)+"-profile-list", name, []leaf{ref("port", "PORT")},
			[]leaf{ref("profile_list", "BUFFER_PROFILE").joined(",")})
	}
	s["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = keyed("sonic-default-lossless-buffer-parameter", "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
		[]leaf{mapName("name")}, []leaf{number("default_dynamic_th", -8, 7).mandatory(), number("over_subscribe_ratio", 0, 65535)})
	s["LOSSLESS_TRAFFIC_PATTERN"] = keyed("sonic-lossless-traffic-pattern", "LOSSLESS_TRAFFIC_PATTERN",
		[]leaf{mapName("name")}, []leaf{number("mtu", 1, 9216).mandatory(), number("small_packet_percentage", 0, 100).mandatory()})
}

// routing: sonic-bgp-*, -route-map, -routing-policy-sets, -route-common.
func (s schema) routing() {
	vrf, afi := ref("vrf_name", "BGP_GLOBALS"), enum("afi_safi", "ipv4_unicast", "ipv6_unicast", "l2vpn_evpn")
	timers := []leaf{number("holdtime", 0, 65535), number("keepalive", 0, 65535)}
	session := append([]leaf{number("asn", 1, 4294967295), text("name", 0, 255), addressLeaf("local_addr"), adminStatus()}, timers...)
	general := append([]leaf{enum("peer_type", "internal", "external"), text("peer_group_name", 1, 255), boolean("bfd"),
		boolean("capability_ext_nexthop"), boolean("ebgp_multihop")}, session...)
	s["BGP_NEIGHBOR"] = &tableModel{module: "sonic-bgp-neighbor", lists: []listModel{
		{name: "BGP_NEIGHBOR_TEMPLATE_LIST", keys: []leaf{addressLeaf("neighbor")},
			leaves: append([]leaf{number("nhopself", 0, 1), number("rrclient", 0, 1)}, session...)},
		{name: "BGP_NEIGHBOR_LIST", keys: []leaf{vrf, text("neighbor", 1, 255)}, leaves: general}}}
	s["BGP_NEIGHBOR_AF"] = keyed("sonic-bgp-neighbor", "BGP_NEIGHBOR_AF", []leaf{vrf, text("neighbor", 1, 255), afi},
		[]leaf{adminStatus(), ref("route_map_in", "ROUTE_MAP_SET").many(), ref("route_map_out", "ROUTE_MAP_SET").many()})
	s["BGP_PEER_GROUP"] = keyed("sonic-bgp-peergroup", "BGP_PEER_GROUP", []leaf{vrf, text("peer_group_name", 1, 255)}, general)
	s["BGP_PEER_GROUP_AF"] = keyed("sonic-bgp-peergroup", "BGP_PEER_GROUP_AF", []leaf{vrf, text("peer_group_name", 1, 255), afi},
		[]leaf{adminStatus(), ref("route_map_in", "ROUTE_MAP_SET").many(), ref("route_map_out", "ROUTE_MAP_SET").many()})
	s["BGP_GLOBALS"] = keyed("sonic-bgp-global", "BGP_GLOBALS", []leaf{text("vrf_name", 1, 255)}, append([]leaf{
		number("local_asn", 1, 4294967295), like("router_id", isIPv4, "an IPv4 address"), boolean("load_balance_mp_relax"),
		boolean("log_nbr_state_changes"), boolean("default_ipv4_unicast"), boolean("graceful_restart_enable")}, timers...))
	s["BGP_GLOBALS_AF"] = keyed("sonic-bgp-global", "BGP_GLOBALS_AF", []leaf{vrf, afi},
		[]leaf{number("max_ebgp_paths", 1, 256), number("max_ibgp_paths", 1, 256)})
	s["ROUTE_MAP_SET"] = keyed("sonic-route-map", "ROUTE_MAP_SET", []leaf{text("name", 1, 255)}, nil)
	s["ROUTE_MAP"] = keyed("sonic-route-map", "ROUTE_MAP", []leaf{ref("name", "ROUTE_MAP_SET"), number("stmt_name", 1, 65535)},
		[]leaf{enum("route_operation", "permit", "deny"), ref("match_prefix_set", "PREFIX_SET")})
	s["PREFIX_SET"] = keyed("sonic-routing-policy-sets", "PREFIX_SET", []leaf{text("name", 1, 255)}, []leaf{enum("mode", "IPv4", "IPv6")})
	s["PREFIX"] = &tableModel{module: "sonic-routing-policy-sets", lists: []listModel{
		{name: "PREFIX_NOSEQ_LIST", keys: []leaf{ref("name", "PREFIX_SET"), prefixLeaf("ip_prefix"), text("masklength_range", 1, 16)},
			leaves: []leaf{enum("action", "permit", "deny")}}}}
	s["ROUTE_REDISTRIBUTE"] = keyed("sonic-route-common", "ROUTE_REDISTRIBUTE", []leaf{vrf, enum("src_protocol", "connected", "static", "ospf"),
		enum("dst_protocol", "bgp"), enum("addr_family", "ipv4", "ipv6")}, []leaf{ref("route_map", "ROUTE_MAP_SET").many()})
}

func adminStatus() leaf { return enum("admin_status", "up", "down") }

func enabled(name string) leaf { return enum(name, "enabled", "disabled") }

func addressLeaf(name string) leaf { return like(name, isAddress, "an IP address") }

func prefixLeaf(name string) leaf { return like(name, isPrefix, "an IP prefix") }

func mapName(name string) leaf {
	return like(name, isMapName, "a name of 1 to 32 letters, digits, - and _, starting with a letter or digit")
}

func isAddress(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == ""
}

func isIPv4(s string) bool {
	a, err := netip.ParseAddr(s)
	return err == nil && a.Is4()
}

func isPrefix(s string) bool {
	_, err := netip.ParsePrefix(s)
	return err == nil
}

func isMAC(s string) bool {
	if len(s) != 17 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i%3 == 2 && c != ':', i%3 != 2 && !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f'):
			return false
		}
	}
	return true
}

func isEth(s string) bool {
	n, ok := strings.CutPrefix(s, "eth")
	return ok && decimal(n, 3999)
}

func isVLAN(s string) bool {
	n, ok := strings.CutPrefix(s, "Vlan")
	return ok && decimal(n, 4095) && n != "0" && n != "1"
}

func isMetres(s string) bool {
	n, ok := strings.CutSuffix(s, "m")
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

func isLanes(s string) bool {
	if len(s) == 0 || len(s) > 128 {
		return false
	}
	for n := range strings.SplitSeq(s, ",") {
		if !decimal(n, 65535) {
			return false
		}
	}
	return true
}

func isPriorities(s string) bool {
	if s == "" {
		return true
	}
	for n := range strings.SplitSeq(s, ",") {
		if len(n) != 1 || n[0] < '0' || n[0] > '7' {
			return false
		}
	}
	return true
}

func isMapName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !digit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c != '-' && c != '_') {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 32
}

// isRange accepts a number up to limit or two of them as low-high.
func isRange(limit int) func(string) bool {
	return func(s string) bool {
		low, high, two := strings.Cut(s, "-")
		if !two {
			return decimal(s, limit)
		}
		return decimal(low, limit) && decimal(high, limit)
	}
}

// decimal reports whether s is a number 0 to limit without leading zeros.
func decimal(s string, limit int) bool {
	if s == "" || len(s) > 6 || len(s) > 1 && s[0] == '0' {
		return false
	}
	n := 0
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n <= limit
}
