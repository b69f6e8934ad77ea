// Package zxros writes the part of a ZTE ZXROS configuration that is confirmed:
// hostname, port descriptions and addresses, VLANs and who is in them.
//
// No public text shows ZXROS's lossless commands, nor an eBGP underlay in a
// file. Both are refused with an error instead of guessed; whoever accepts the
// error gets the rest, and the plan's numbers in steps-to-check.txt.
//
// A configuration is a row of sections between !<name> and !</name>. A block
// ends with a line of its own, $, at the depth of its header. Addresses and
// VLANs of one port stand in different sections.
//
// Sources, by the short names used in this package:
//
//	5960X  samples of a 5960X in the parser tests of a public network console
//	netx   samples of ZXROS routers in the parsers of hansjone/netx
//	ZXAN   configurations of C600 and C620, which run the same line of software
//	names  public script that turns board names into ZXROS port names
package zxros

import "slices"

// Level says how well railyard can express an intent in ZXROS.
type Level string

// The levels of support.
const (
	Confirmed Level = "confirmed" // samples show the line
	Partial   Level = "partial"   // samples of other boxes of the same software show it
	Not       Level = "not"       // no confirmed line; never emitted
)

// Intent is one row of the support table.
type Intent struct {
	Name     string
	Level    Level
	Commands []string // arguments in angle brackets; empty where nothing is written
	Steps    bool     // written to steps-to-check.txt only
	Source   string
	Note     string
}

// Support is the support table, in the order of a configuration.
func Support() []Intent {
	return slices.Concat(lineSupport(), refused())
}

func lineSupport() []Intent {
	return []Intent{
		{Name: "sections", Level: Confirmed, Source: "5960X, netx", Commands: []string{"!<section>", "!</section>", "$", "  $"}},
		{Name: "hostname", Level: Confirmed, Source: "ZXAN, netx", Commands: []string{"hostname <name>"}},
		{Name: "ports", Level: Partial, Source: "5960X, netx, names",
			Note:     "1 to 400G; the path of a data-centre box was seen at 10G only, so a warning asks for a look; parts of a cage and 800G were not found",
			Commands: []string{"interface <port>", "  description <text>", "  no shutdown", "  shutdown"}},
		{Name: "MTU, addresses", Level: Partial, Source: "netx, ZXAN", Note: "seen on routers and access boxes",
			Commands: []string{"  mtu <number>", "  ip address <address> <mask>"}},
		{Name: "management port", Level: Partial, Source: "ZXAN", Commands: []string{"interface mgmt_eth"}},
		{Name: "gateway", Level: Partial, Source: "5960X, ZXAN", Commands: []string{"interface vlan<number>"}},
		{Name: "loopback", Level: Partial, Source: "ZXAN", Note: "the name was seen in references to it", Commands: []string{"interface loopback1"}},
		{Name: "VLANs", Level: Confirmed, Source: "5960X",
			Commands: []string{"switchvlan-configuration", "  vlan <number>", "    name <name>", "  interface <port>", "    switchport mode access", "    switchport access vlan <number>"}},
	}
}

func refused() []Intent {
	return []Intent{
		{Name: "lossless (PFC, ECN, scheduling, watchdog, buffers)", Level: Not, Steps: true, Note: "no public text; an error"},
		{Name: "BGP", Level: Not, Steps: true, Note: "VPN address families only, in tests of parsers; an error"},
		{Name: "unnumbered links", Level: Not, Steps: true, Note: "no public text; an error"},
		{Name: "breakout, speed", Level: Not, Steps: true, Note: "no public text; an error where a cage is split"},
		{Name: "users, gateway of the management port, NTP, DNS, syslog, gNMI", Level: Not, Steps: true, Note: "no confirmed text"},
	}
}
