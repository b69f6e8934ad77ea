// Package rgos writes the part of a Ruijie RGOS configuration that is confirmed:
// hostname, VLANs, port descriptions and VLANs, and addresses.
//
// No public text shows RGOS's lossless commands, nor its BGP in a file. Both are
// refused with an error instead of guessed; whoever accepts the error gets the
// rest, and the plan's numbers in steps-to-check.txt. The recommended way is to
// run SONiC on the same hardware.
//
// Sources, by the short names used in this package:
//
//	FS      running configuration of an FS N8560 (RGOS lineage, v11.0)
//	course  Ruijie course notes and manuals in public repositories
//	console interface-name table of a public RGOS web console
//	QTech   templates of a public inventory project for QTech switches, which print the same names
//	AILB    public path analyser that reads running configurations of RoCE leaves
//	topo    public tools that print links of RoCE clusters on Ruijie spines and leaves
package rgos

import "slices"

// Level says how well railyard can express an intent in RGOS.
type Level string

// The levels of support.
const (
	Confirmed Level = "confirmed" // real configurations show the line, or several programs that read them
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
		{Name: "hostname", Level: Confirmed, Source: "FS, course", Commands: []string{"hostname <name>"}},
		{Name: "VLANs", Level: Confirmed, Source: "FS, course", Commands: []string{"vlan <number>", " name <name>"}},
		{Name: "port names", Level: Confirmed, Source: "console, QTech, topo, AILB",
			Note:     "1, 10, 25, 40, 100 and 400G, and 400G parts of a split cage; those of 400G from programs that read such switches; 200G and 800G names were not found",
			Commands: []string{"interface <port>"}},
		{Name: "description", Level: Confirmed, Source: "FS, course", Commands: []string{" description <text>"}},
		{Name: "access port", Level: Confirmed, Source: "FS, course, QTech", Commands: []string{" switchport mode access", " switchport access vlan <number>"}},
		{Name: "routed port", Level: Confirmed, Source: "FS, AILB", Commands: []string{" no switchport", " ip address <address> <mask>"}},
		{Name: "port down", Level: Confirmed, Source: "FS, course", Commands: []string{" shutdown"}},
		{Name: "loopback", Level: Confirmed, Source: "course", Commands: []string{"interface Loopback 0"}},
		{Name: "gateway", Level: Confirmed, Source: "FS, course", Commands: []string{"interface Vlan <number>"}},
		{Name: "end", Level: Confirmed, Source: "FS", Commands: []string{"end"}},
	}
}

func refused() []Intent {
	return []Intent{
		{Name: "lossless (PFC, ECN, scheduling, watchdog, buffers)", Level: Not, Steps: true, Note: "no public text; an error"},
		{Name: "BGP", Level: Not, Steps: true, Note: "seen by parsers only; an error"},
		{Name: "unnumbered links", Level: Not, Steps: true, Note: "no public text; an error"},
		{Name: "management port, users, NTP, DNS, syslog, gNMI", Level: Not, Steps: true, Note: "no confirmed text"},
		{Name: "MTU, breakout, speed", Level: Not, Steps: true, Note: "shown for FS only"},
	}
}
