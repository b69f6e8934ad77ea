package mlnxos

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// maxNodes is how many nodes, adapters and switches, an embedded subnet manager is
// made for (MLNX-OS user manual, "Subnet Manager").
const maxNodes = 2048

const manual = "MLNX-OS user manual 3.11, Subnet Manager"

// asked are engines of OpenSM that a switch may have, though no source shows it.
var asked = []string{"updn", "dnup", "lash", "dor"}

// check collects what is to be said about a fabric and its subnets.
func check(f *fabric.Fabric, subnets []ibsubnet.Subnet) *ibsubnet.Report {
	r := &ibsubnet.Report{Fabric: f, Subnets: subnets, Manager: "the switch"}
	r.Names()
	engine(r)
	places(r)
	size(r)
	r.Limits()
	r.GUIDs()
	r.Ports("cluster.topo")
	r.Partitions()
	partitioned(r)
	others(r)
	return r
}

// engine judges the routing engine.
func engine(r *ibsubnet.Report) {
	e := r.Fabric.InfiniBand.Routing
	switch {
	case e == "" || e == "auto" || e == "minhop":
	case strings.HasPrefix(e, "ar_"):
		r.Add(fabric.Error, "IB_ROUTING_ENGINE", fmt.Sprintf("routing engine %q routes adaptively, which a subnet manager on a switch cannot", e),
			"set infiniband.routing to auto, or infiniband.subnet_manager to ufm", manual)
	case e == "ftree":
		for i := range r.Subnets {
			if s := &r.Subnets[i]; len(s.Switches) == 1 {
				r.Add(fabric.Error, "IB_ROUTING_ENGINE", fmt.Sprintf("routing engine \"ftree\" needs two tiers, and %s is a single switch", s.Where()),
					"set infiniband.routing to auto", "opensm(8)")
				return
			}
		}
	case slices.Contains(asked, e):
		r.Add(fabric.Warning, "IB_ROUTING_UNCONFIRMED", fmt.Sprintf("that the switch takes the routing engine %q is not confirmed; its command is in steps-to-check.txt only", e),
			"set infiniband.routing to auto, or check the command with ?", manual)
	default:
		r.Add(fabric.Error, "IB_ROUTING_ENGINE", fmt.Sprintf("no routing engine %q is known on switches", e), "set infiniband.routing to auto, ftree or minhop", manual)
	}
}

// places looks for switches that can run a subnet manager.
func places(r *ibsubnet.Report) {
	if ibsubnet.Generation(r.Fabric) >= ibsubnet.QuantumX800Cage {
		r.Add(fabric.Error, "IB_SWITCH_XDR", "XDR switches have no subnet manager of their own", "set infiniband.subnet_manager to ufm", "NVOS 25.02 test suite: no sm commands on Quantum-X800")
		return
	}
	var single []string
	for i := range r.Subnets {
		s := &r.Subnets[i]
		switch found := managersOf(r.Fabric, s); {
		case len(found) == 0:
			r.Add(fabric.Error, "IB_SWITCH_UNMANAGED", s.Where()+" has no switch that can run a subnet manager: none has the OS mlnx-os or nvos",
				"use a managed model (nvidia-qm8700, nvidia-qm9700) for one switch at least, or set infiniband.subnet_manager to opensm or ufm", manual)
		case len(found) == 1:
			single = append(single, r.Fabric.Switches[found[0]].Name)
		}
	}
	if len(single) > 0 {
		r.Add(fabric.Warning, "IB_SWITCH_STANDBY", fmt.Sprintf("%d subnets have one switch that can run a subnet manager and so no standby", len(single)),
			"run a standby OpenSM with a priority below 14 on a host, or accept that paths cannot change while that switch is down", manual, single...)
	}
}

// size refuses what an embedded subnet manager is not made for and says what it lacks.
func size(r *ibsubnet.Report) {
	tiers := false
	for i := range r.Subnets {
		s := &r.Subnets[i]
		tiers = tiers || len(s.Roots) > 0
		if n := len(s.Hosts) + len(s.Switches); n > maxNodes {
			r.Add(fabric.Error, "IB_SWITCH_NODES", fmt.Sprintf("%s has %d nodes, and a subnet manager on a switch is made for %d", s.Where(), n, maxNodes),
				"set infiniband.subnet_manager to ufm or opensm", manual)
		}
	}
	if tiers {
		r.Add(fabric.Warning, "IB_SWITCH_FEATURES", "a subnet manager on a switch has no adaptive routing, SHIELD, congestion control or SHARP",
			"set infiniband.subnet_manager to ufm where training jobs share uplinks", manual)
	}
}

// partitioned says what the switch's partitions leave open.
func partitioned(r *ibsubnet.Report) {
	if len(r.Fabric.InfiniBand.Partitions) == 0 {
		return
	}
	for i := range r.Subnets {
		for _, at := range managersOf(r.Fabric, &r.Subnets[i]) {
			if sw := &r.Fabric.Switches[at]; sw.OS == osNVOS {
				r.Add(fabric.Error, "IB_SWITCH_PARTITIONS", "NVOS has no commands for partitions: its subnet manager leaves every port in the default one",
					"set infiniband.subnet_manager to ufm or opensm, or remove infiniband.partitions", "NVOS 25.02 manuals and test suite", sw.Name)
				return
			}
		}
	}
	r.Add(fabric.Warning, "IB_DEFAULT_PARTITION_OPEN",
		"every port stays a full member of the default partition, so partitions isolate nobody yet: that the switch's own subnet manager keeps answering once all are limited there is not confirmed",
		"close it by hand as steps-to-check.txt says, or set infiniband.subnet_manager to opensm or ufm", "WinOF-2 documentation, InfiniBand Network; OpenSM 3.3.23 drops its own port to limited when ALL comes last")
	r.Add(fabric.Info, "IB_SWITCH_MEMBERS",
		"partition members are given as eight pairs of digits with colons, which stacki uses; MLNX-OS 3.6.8012 was seen to refuse GUIDs in other forms",
		"look at show ib partition after the first member", "Teradata stacki; field notes on SX6036")
}

// others warns of a second place where partitions or a subnet manager may be.
func others(r *ibsubnet.Report) {
	two := slices.ContainsFunc(r.Subnets, func(s ibsubnet.Subnet) bool { return len(managersOf(r.Fabric, &s)) > 1 })
	if two {
		r.Add(fabric.Info, "IB_SWITCH_HA",
			"each of the two switches is configured by itself and with the same partitions; once they are joined in a subnet-manager HA group, what is not entered at the group's virtual address is overwritten",
			"enter later changes on both, or at the virtual address only", "MLNX-OS user manual, Subnet Manager High Availability")
	}
	if r.Fabric.InfiniBand.UFMLinks > 0 {
		r.Add(fabric.Warning, "IB_TWO_MANAGERS", "ports are kept for UFM, which runs a subnet manager of its own, while the switches do",
			"set infiniband.subnet_manager to ufm, or ufm_links to 0", "dell/omnia pull 423")
	}
	if r.Fabric.InfiniBand.SMGUID != 0 {
		r.Add(fabric.Info, "IB_SM_GUID", "infiniband.sm_guid is ignored: a switch's subnet manager binds to the switch", "remove it", manual)
	}
}
