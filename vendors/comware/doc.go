// Package comware writes configurations for H3C switches that run Comware 7 or
// 9 (S98xx, S68xx and their relatives).
//
// A switch gets two files. startup.cfg holds only command families that a
// vendor manual documents or a real configuration shows, in the order and
// indentation of "display current-configuration". steps-to-check.txt holds what
// must be typed by hand because the switch asks back (splitting cages, host
// keys), and what follows the vendor's pattern but was not seen in print for
// these models; Check reports each of those as a finding.
//
// Everything about the lossless service is computed from the fabric's classes
// and profiles; the only numbers of this package are those of the command
// language itself (value bands, units, limits), each with its source below.
//
// Sources, by the tags used in Support and in comments:
//
//	H3C-PFC    H3C S9825 & S9855 command references R913x, Layer 2, PFC commands
//	H3C-IF     H3C S9825 & S9855 command references R932x, Ethernet interface commands
//	H3C-QOS    H3C S9825 & S9855 command references R932x, ACL and QoS commands
//	H3C-IF66   H3C S6805/S6825/S6850/S9850 command references Release 66xx, Ethernet interface
//	H3C-S6850  H3C S6850 configuration guide, PFC deadlock detection
//	H3C-RDMA   H3C RDMA technical reference for S6805…S9820, as quoted in public notes
//	H3C-CMD    H3C Comware V7 command manual (Chinese edition)
//	H3C-GRPC   H3C telemetry configuration guides (S12500R R36xx, S6850 R66xx): gRPC dial-in
//	HPE-5710   HPE FlexNetwork 5710 Layer 3 IP routing command reference (Comware 7)
//	HPE-5950   HPE FlexFabric 5950 ACL and QoS, Security configuration guides (Comware 7)
//	HPE-5130HI HPE FlexNetwork 5130 HI ACL and QoS command reference (Comware 7), WRED queue
//	HP-5900    HP 5900 and 11900 command references (Comware 7)
//	SAMPLE     templates derived from an H3C RoCE sample of a S9825-64D
//	PUSH400    public script that pushes a 400G RoCE profile to S9827-class switches
//	RUNNING    a captured running configuration, version 7.1.070
//	FIELD      several independent operators' configurations
package comware

// Level says how well an intent is covered.
type Level string

// The levels: everything written and documented; written or documented in part;
// not written.
const (
	Confirmed Level = "confirmed"
	Partial   Level = "partial"
	Not       Level = "not"
)

// SupportRow is one intent of the fabric and how this driver carries it.
type SupportRow struct {
	Intent string
	Level  Level
	Source string // documents, and what is missing
}

// Support is the table of intents, in the order of the configuration.
func Support() []SupportRow {
	return []SupportRow{
		{"hostname", Confirmed, "H3C-CMD sysname"},
		{"management interface, VRF and default route", Confirmed, "H3C-CMD, FIELD: binding before address, dotted mask, prefix length in the route"},
		{"NTP", Confirmed, "FIELD: ntp-service unicast-server A vpn-instance V"},
		{"DNS", Partial, "HP-5900 for the public network; the form with a VPN instance is a step"},
		{"syslog", Confirmed, "FIELD: info-center loghost vpn-instance V A"},
		{"users with password", Partial, "RUNNING: only the platform's own $h$ hash is stored; other hashes are a step"},
		{"users with SSH keys", Not, "HPE-5950: key files are imported by hand, RSA, DSA and ECDSA only; a step"},
		{"SSH server", Confirmed, "RUNNING; host keys are made interactively and are a step"},
		{"LLDP", Confirmed, "H3C-CMD lldp global enable"},
		{"gNMI service", Partial, "H3C-GRPC grpc enable; port, user service type and Set coverage were not seen and are a step"},
		{"port names up to 400G", Confirmed, "FIELD: LLDP captures and traces of S9825, S9827, S9850"},
		{"port names of 800G", Not, "no document shows the type name; those interface blocks are a step"},
		{"breakout", Partial, "H3C-IF using …; it asks back and cannot stand in the file; keywords for 200G and 400G children are inferred"},
		{"port speed and FEC", Partial, "left to the module (H3C-IF: automatic); a cage run whole below its speed is a step"},
		{"jumbo frames", Confirmed, "H3C-CMD jumboframe enable SIZE, counted as whole frame"},
		{"IP MTU of routed ports", Not, "H3C-CMD mtu exists, but whether it bounds hardware forwarding and its range are not documented for these models"},
		{"VLAN per rail, access ports, gateways", Confirmed, "H3C-CMD, SAMPLE"},
		{"spanning tree towards servers", Confirmed, "SAMPLE stp edged-port"},
		{"routed /31 links", Confirmed, "FIELD: dotted mask"},
		{"BGP over IPv6 link-local addresses", Not, "not found for these models"},
		{"eBGP underlay", Confirmed, "H3C-CMD, HP-5900"},
		{"equal-cost paths", Confirmed, "H3C-CMD balance; HPE-5710 balance as-path-relax where paths differ only by spine"},
		{"no transit between upper switches", Confirmed, "HPE-5710 ip as-path, peer … as-path-acl … export"},
		{"trust of DSCP", Confirmed, "H3C-QOS, SAMPLE qos trust dscp"},
		{"DSCP to priority, priority to queue", Confirmed, "H3C-QOS, HPE-5950 default tables, SAMPLE"},
		{"PFC per priority", Confirmed, "H3C-PFC, PUSH400"},
		{"headroom", Partial, "H3C-IF66, PUSH400 in cells; the shared pool that backs it is a step"},
		{"dynamic threshold (alpha)", Partial, "H3C-RDMA band table of one S9820 model"},
		{"xon", Not, "the switch takes an offset below xoff, which the plan does not give; factory value stays"},
		{"ECN marking band", Confirmed, "HP-5900, H3C-RDMA qos wred queue table, limits in cells"},
		{"egress shared buffer of lossless and CNP queues", Confirmed, "H3C-CMD buffer egress, SAMPLE ratio 100"},
		{"PFC watchdog", Partial, "H3C-S6850 keywords; the units of interval and delay were not seen in a manual"},
		{"watchdog that only alerts", Not, "no such action; not enabled"},
		{"scheduling", Confirmed, "H3C-QOS, PUSH400 qos wfq … group sp, group 1 byte-count"},
		{"unused and reserved ports", Confirmed, "H3C-CMD shutdown"},
		{"DDC cell ports and bring-up", Not, "no command reference of the S12500AI was seen"},
	}
}
