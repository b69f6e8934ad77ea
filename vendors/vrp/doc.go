// Package vrp writes the configuration of Huawei CloudEngine switches (VRP8).
//
// Syntax, ranges and defaults come from the documents below; what they do not
// confirm is kept out of the configuration file and put into steps-to-check.txt.
//
//	CG     CloudEngine 8800 and 6800 V300R023C00, Configuration Guide
//	CR     the same release, Command Reference
//	HW     CloudEngine 9800, 8800 and 6800 Hardware Description
//	AIF    AI Fabric low-latency network guide, V200 generation
//	CANN   Huawei's troubleshooting guide of the Ascend transfer library (PFC of switch and NPU)
//	field  a configuration printed by a live switch
//
// Two families speak different lossless commands (CG lists the models on every
// page): P, Huawei's own silicon, and J, boxes with a cell-based shared buffer.
// Newer boxes appear in neither list; for them the lossless lines are only proposed.
package vrp

// Status says how far an intent of the fabric reaches the switch.
type Status string

// The three answers.
const (
	Confirmed Status = "confirmed" // written, from documentation or a printed configuration
	Partial   Status = "partial"   // written with limits that a finding names
	Missing   Status = "not"       // not written; proposed in steps-to-check.txt or left to the device
)

// Intent is one row of the support table.
type Intent struct {
	Intent   string
	Status   Status
	Commands string // the command family, empty where nothing is written
	Source   string // document and page or command
	Note     string
}

// Support is what this driver can express, intent by intent.
func Support() []Intent {
	return []Intent{
		{"host name", Confirmed, "sysname", "CG, every script", ""},
		{"management interface and VRF", Partial, "interface MEth0/0/0; ip vpn-instance; ip binding vpn-instance; ip route-static vpn-instance", "CR; field CE8850", "IPv4 only; a site-assigned address stays out"},
		{"local users", Partial, "aaa; local-user … irreversible-cipher, service-type, privilege level", "CG Configuring an SSH User; field", "hashes the device itself printed; a foreign hash would be taken for a clear password"},
		{"SSH keys", Partial, "rsa peer-public-key … encoding-type openssh; ssh user … assign rsa-key", "CG STelnet example for IPv4 users", "one RSA key per user; elliptic-curve keys are not documented in OpenSSH form"},
		{"SSH", Confirmed, "stelnet server enable; ssh user …; ssh server-source -i; user-interface vty", "CG STelnet; CR ssh server-source", "the host key is created by hand"},
		{"NTP", Confirmed, "ntp unicast-server", "CR; field CE8850", ""},
		{"DNS", Confirmed, "dns resolve; dns server; dns server vpn-instance", "CG Dynamic Domain Name Resolution; CR", "six servers"},
		{"syslog", Confirmed, "info-center loghost", "CR info-center loghost (System view)", ""},
		{"LLDP", Confirmed, "lldp enable", "CG; field CE8850", ""},
		{"breakout", Partial, "port split dimension interface … split-type", "CR port split; field", "100G to 4×25G or 2×50G, 200G to 2×100G or 4×50G, 400G to 4×100G or 2×200G; asks a question"},
		{"200G on 100GE ports, 50G on 25GE ports", Confirmed, "port mode 200GE|50GE interface", "CR port mode (System view)", "whole port groups change rate and name; asks a question"},
		{"frame size", Partial, "jumboframe enable", "CR jumboframe enable", "families P and J; 9216 is the default and is not printed"},
		{"IP MTU", Confirmed, "mtu", "CR mtu (interface view)", "46 to 9600"},
		{"FEC", Missing, "", "CG and CR fec mode", "the medium decides; the fabric asks for none"},
		{"access VLANs", Confirmed, "vlan batch; port default vlan; stp edged-port enable", "CG; CR vlan batch; field V300R022", "ten ranges a line"},
		{"gateways", Confirmed, "interface Vlanif; ip address", "CG; field", ""},
		{"routed links", Confirmed, "undo portswitch; ip address A 255.255.255.254", "CG; field", ""},
		{"eBGP underlay", Confirmed, "bgp; router-id; peer; network; maximum load-balancing ebgp; load-balancing as-path-relax", "CG BGP and Adaptive Routing examples; CR load-balancing", ""},
		{"no transit through a leaf", Confirmed, "ip as-path-filter; peer … as-path-filter … export", "CR both commands", "leaves only"},
		{"no transit through a spine", Missing, "", "", "needs AS numbers in a regular expression, whose form depends on as-notation"},
		{"BGP unnumbered", Missing, "", "CR group unnumbered, peer unnumbered-interface", "no printed configuration shows the interface side"},
		{"DSCP map", Confirmed, "diffserv domain; ip-dscp-inbound; trust dscp; trust upstream", "CG Priority Mapping defaults; CR", "families P and J; only entries that differ from the default map are printed"},
		{"PFC", Confirmed, "dcb pfc; priority; dcb pfc enable mode manual; dcb pfc dscp-mapping enable", "CG Enabling PFC; CR priority (DCB PFC view)", "families P and J"},
		{"PFC thresholds (alpha)", Missing, "", "CR dcb pfc buffer", "no document says which factor an alpha value stands for"},
		{"PFC headroom", Partial, "dcb pfc buffer Q hdrm; qos buffer headroom-pool", "CG Enabling PFC; CR dcb pfc buffer, qos buffer headroom-pool", "family J; family P reserves it by itself"},
		{"ECN", Confirmed, "drop-profile; ecn buffer-size; qos queue Q wred; qos queue Q ecn; qos ecn enable", "CG Configuring ECN; CR ecn, qos ecn enable", "families P and J; the global switch only on P"},
		{"PFC watchdog", Partial, "dcb pfc deadlock-detect timer|interval; priority P deadlock-detect|deadlock-recovery time; dcb pfc deadlock recovery-behavior", "CG Configuring PFC Deadlock Detection", "always on; steps of 10, 100, 500 or 1000 ms on J, 10 to 1500 ms on P; no alert-only action"},
		{"PFC deadlock prevention", Missing, "", "CG PFC Deadlock Prevention", "needs a second lossless class that the plan does not have"},
		{"scheduling", Confirmed, "qos drr; qos queue Q drr weight", "CG Congestion Management example; field", "strict priority is the default and is not printed"},
		{"gNMI service", Partial, "grpc; grpc server; source-ip; server enable", "CG gRPC; CR source-ip (GRPC server view)", "certificates are loaded by hand"},
		{"unused ports", Confirmed, "shutdown; description", "CG; field", ""},
		{"cell fabric (DDC)", Missing, "", "", "no CloudEngine model of the catalogue has cell ports"},
	}
}
