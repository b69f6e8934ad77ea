// Package eos writes Arista EOS configurations.
//
// It emits only commands that a vendor document, a vendor's own template or a
// real configuration shows; [Support] lists them with their sources. What is
// not confirmed for a switch goes, with the plan's numbers filled in, to
// steps-to-check.txt and is reported as a finding.
//
// Two rules decide whether a line equal to an EOS default is written. What the
// lossless plan asks for (classification, scheduling, PFC, ECN, watchdog) is
// always spelled out, so that a reader need not know the defaults of a chip.
// Everything else that EOS hides in "show running-config" (no shutdown,
// switchport mode access, LLDP, FEC of the optic) is left out.
//
// Sources, by the short names used in this package:
//
//	AVD      Arista's published configuration templates and schema, aristanetworks/avd,
//	         eos_cli_config_gen, trees of 2024-10 and 2026
//	AVD6402  aristanetworks/avd issue 6402: running-config of EOS 4.35.1F
//	Habana   docs.habana.ai, Arista switch L2 and L3 configuration examples (7060X4, 7060X5)
//	AMD      AMD ROCm cluster networking guide, Arista 7388 sample
//	AIGuide  Arista AI Network Fabric Deployment Guide
//	RoCE436  field article on RoCEv2 for EOS 4.36, 2026-07, quoting the EOS manual
//	OpenMgmt aristanetworks/openmgmt documentation
//	Batfish  real configurations among batfish's Arista test inputs; pull request 9929
//	SONiC    interface aliases in sonic-buildimage, device/arista
package eos

import "slices"

// Level says how well railyard can express an intent in EOS.
type Level string

// The levels of support.
const (
	Confirmed Level = "confirmed" // a vendor document or a real configuration shows the command
	Partial   Level = "partial"   // the command is shown, but not for every platform railyard renders
	Not       Level = "not"       // no confirmed command; never emitted
)

// Intent is one row of the support table.
type Intent struct {
	Name     string
	Level    Level
	Commands []string // the command family, arguments in angle brackets; empty where nothing is written
	Steps    bool     // written to steps-to-check.txt only
	Source   string
	Note     string
}

// Support is the support table, in the order of a configuration.
func Support() []Intent {
	return slices.Concat(
		systemSupport(), managementSupport(), portSupport(), linkSupport(),
		routingSupport(), policySupport(), losslessSupport(), flowControlSupport(),
	)
}
