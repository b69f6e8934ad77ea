// Package cumulus writes NVIDIA Cumulus Linux configurations as NVUE documents.
//
// An NVUE document is the tree behind the nv set commands: every path from its
// root to a leaf is one command. It emits only keys that a vendor document, a
// file printed by a device or a published configuration shows; [Support] lists
// them as commands with their sources, and the tests hold every rendered file
// against that table. What is not confirmed goes, with the plan's numbers filled
// in, to steps-to-check.txt and is reported as a finding.
//
// Lossless transport is written as explicit profiles (mapping, scheduler, PFC,
// ECN, pools) and never as the RoCE shorthand: the shorthand fixes code points,
// shares, thresholds and cable length, so a plan could only agree with it by
// chance. What it would have set otherwise is reported.
//
// Keys follow the release: 5.13 and 5.15 moved or respelled several.
//
// Sources, by the short names used in this package:
//
//	QOS516  CumulusNetworks/docs, content/cumulus-linux-516, Quality-of-Service
//	ROCE515 the same tree, cumulus-linux-515, RDMA-over-Converged-Ethernet-RoCE
//	PORT516 the same tree, cumulus-linux-516, Switch-Port-Attributes
//	BGP516  the same tree, cumulus-linux-516, BGP Configuration-Example and Optional-BGP-Configuration
//	SSH516  the same tree, cumulus-linux-516, user accounts and SSH
//	NEW513  the same tree, cumulus-linux-513, Whats-New
//	NEW515  the same tree, cumulus-linux-515, New-and-Changed-NVUE-Commands
//	NVUE    the same repository, content/nvue-reference, Set-and-Unset-Commands
//	GEN     NVIDIA-copyright generated command files for SN5600 leaves (MIT), for releases up to 5.14 and from 5.15
//	AIR     export of a 5.15.0 configuration out of an NVIDIA Air lab
//	WS55    configuration dumped from 5.5.1 in an NVIDIA automation workshop
//	netlab  ipspace/netlab, templates for Cumulus NVUE
package cumulus

import "slices"

// Level says how well railyard can express an intent in NVUE.
type Level string

// The levels of support.
const (
	Confirmed Level = "confirmed" // a vendor document or a real configuration shows the key
	Partial   Level = "partial"   // the command is shown, but not its form in a file or not for every release
	Not       Level = "not"       // no confirmed key; never emitted
)

// Intent is one row of the support table.
type Intent struct {
	Name     string
	Level    Level
	Commands []string // paths as typed after nv set, arguments in angle brackets; empty where nothing is written
	Since    int      // first minor release of 5 with this spelling; 0: the oldest supported
	Until    int      // last one; 0: the newest
	Steps    bool     // written to steps-to-check.txt only
	Source   string
	Note     string
}

// Support is the support table, in the order of a configuration.
func Support() []Intent {
	return slices.Concat(
		bridgeSupport(), addressSupport(), portSupport(), mappingSupport(), bufferSupport(),
		routingSupport(), policySupport(), loginSupport(), serviceSupport(),
	)
}
