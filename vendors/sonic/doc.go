// Package sonic writes the configuration of switches that run SONiC: one
// config_db.json, and a frr.conf where the plan's routing is beyond the BGP
// templates that SONiC renders itself.
//
// Sources, all public: sonic-net/sonic-buildimage at 086b03bd (YANG models,
// device folders, docker-fpm-frr, bgpcfgd templates, init_cfg.json.j2),
// sonic-net/sonic-utilities at 691b1bbc (config/main.py, generic_config_updater,
// pfcwd), sonic-net/sonic-swss at e6b0c5b5 (buffermgr, buffermgrdyn, pfcwdorch),
// sonic-net/sonic-gnmi at 5ec1c20b, and the designs in sonic-net/SONiC
// (doc/qos/dynamically-headroom-calculation.md, doc/ARS). Issues are named where
// a rule comes from one. Support lists what of a plan is written, and how well
// each part is known.
//
// Documents are checked in Go against a hand-written model of the tables
// (schema_tables.go) instead of structs generated from YANG: the models' musts
// and leafrefs are not part of generated structs, the checks that the models
// miss are needed anyhow, and one model serves the check, the mapping to YANG
// instance data and the comparison. Tests hold it against the models themselves
// through yanglint.
//
// To load: `config reload -y config_db.json` (disruptive; it also fills in mac
// and platform). Never run `config qos reload` afterwards: it replaces the QoS
// and buffer tables by the HwSKU's own.
package sonic

// Level says how far an intent is supported.
type Level string

// Levels: confirmed by SONiC's own source or models; written in part or with a
// value that could not be confirmed; not written.
const (
	Confirmed Level = "confirmed"
	Partial   Level = "partial"
	Not       Level = "not"
)

// SupportRow is one intent of the plan and what becomes of it on SONiC.
type SupportRow struct {
	Intent string
	Level  Level
	Where  string // tables or files
	Note   string
	Source string
}

// Support returns the support table of this driver.
func Support() []SupportRow {
	return []SupportRow{
		{"schema version", Confirmed, "VERSIONS", "of 202305: what the switch migrates from; without it every load replays all older steps", "sonic-utilities scripts/db_migrator.py, sonic-versions.yang"},
		{"hostname, AS number", Confirmed, "DEVICE_METADATA", "mac and platform are left to the switch", "sonic-device_metadata.yang, config/main.py load_sysinfo_if_missing"},
		{"management address, VRF", Confirmed, "MGMT_PORT, MGMT_INTERFACE, MGMT_VRF_CONFIG", "the VRF is always called mgmt; an address needs a gateway", "sonic-mgmt_*.yang"},
		{"NTP, DNS, syslog", Confirmed, "NTP, NTP_SERVER, DNS_NAMESERVER, SYSLOG_SERVER", "at most 10 NTP and 3 DNS servers", "sonic-ntp.yang, sonic-dns.yang, sonic-syslog.yang"},
		{"users", Not, "", "logins are not part of CONFIG_DB", "sonic-yang-models"},
		{"ports: lanes, speed, FEC, MTU, description", Confirmed, "PORT", "from the HwSKU's lane map; a site can add one", "device/*/port_config.ini and platform.json"},
		{"aliases", Partial, "PORT", "left out where the image decides; not used by the data path", "device/*/port_config.ini"},
		{"breakout", Confirmed, "PORT, BREAKOUT_CFG", "children are static rows; BREAKOUT_CFG where the mode is known word for word", "sonic-config-engine portconfig.py, platform.json"},
		{"HwSKU for a mix of breakouts", Partial, "DEVICE_METADATA", "a finding where none is published for the mix", "device/*"},
		{"rail VLANs and gateways", Confirmed, "VLAN, VLAN_MEMBER, VLAN_INTERFACE", "VLAN 1 is refused", "sonic-vlan.yang"},
		{"routed links, loopback", Confirmed, "INTERFACE, LOOPBACK_INTERFACE", "", "sonic-interface.yang, sonic-loopback-interface.yang"},
		{"eBGP on numbered links, ECMP", Confirmed, "BGP_NEIGHBOR", "bgpcfgd; leaves are LeafRouter, since a ToRRouter accepts its own AS number", "bgpd templates general/*.j2, bgpd.main.conf.j2, constants.yml"},
		{"BGP unnumbered, no-transit policy, routed hosts", Partial, "frr.conf, INTERFACE", "split-unified; current images delete the file on reload", "docker_init.sh, issues 26960, 27014, 26959"},
		{"DSCP trust and classes", Confirmed, "DSCP_TO_TC_MAP, TC_TO_QUEUE_MAP, TC_TO_PRIORITY_GROUP_MAP, MAP_PFC_PRIORITY_TO_QUEUE, PFC_PRIORITY_TO_PRIORITY_GROUP_MAP, PORT_QOS_MAP", "all 64 DSCPs are written", "qos_config.j2, sonic-port-qos-map.yang"},
		{"PFC", Confirmed, "PORT_QOS_MAP", "priority, queue and group of a lossless class are one number", "buffermgr.cpp, pfcwdorch.cpp"},
		{"PFC watchdog", Confirmed, "PFC_WD, FLEX_COUNTER_TABLE", "100 to 5000 ms and 100 to 60000 ms; never loaded on a device", "sonic-pfcwd.yang, pfcwd/main.py"},
		{"ECN", Confirmed, "WRED_PROFILE, QUEUE", "all colours alike; the same band drops what cannot be marked", "sonic-wred-profile.yang, issue 4545"},
		{"scheduling", Confirmed, "SCHEDULER, QUEUE", "DWRR weight is the percentage", "sonic-scheduler.yang"},
		{"headroom, Broadcom", Partial, "BUFFER_PROFILE, BUFFER_PG, CABLE_LENGTH", "xoff is the plan's; minimum and resume are the HwSKU's, or one frame where unknown", "pg_profile_lookup.ini, buffermgr.cpp"},
		{"headroom, NVIDIA", Confirmed, "BUFFER_PROFILE, BUFFER_PG, DEFAULT_LOSSLESS_BUFFER_PARAMETER", "pinned as headroom override in the dynamic model", "dynamically-headroom-calculation.md, buffers_defaults_objects.j2"},
		{"buffer pools and shares", Partial, "BUFFER_POOL, BUFFER_QUEUE, BUFFER_PORT_INGRESS_PROFILE_LIST, BUFFER_PORT_EGRESS_PROFILE_LIST", "published values where there are complete ones, else from the model's buffer", "buffers_defaults_*.j2"},
		{"LLDP", Confirmed, "", "the lldp service is on by default and needs no row", "init_cfg.json.j2"},
		{"gNMI", Partial, "GNMI", "local only until certificates are installed", "gnmi-native.sh, sonic-gnmi.yang"},
		{"ECMP hash, adaptive routing", Not, "", "hashing on the RDMA queue pair and ARS are set outside CONFIG_DB or have no model", "doc/ARS, sonic-hash.yang"},
		{"distributed (cell) systems", Not, "", "VOQ keys differ", "sonic-queue.yang VOQ_QUEUE_LIST"},
	}
}
