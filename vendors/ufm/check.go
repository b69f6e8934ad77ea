package ufm

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

const manUFM = "UFM Enterprise user manual"

// nvidia are routing engines that NVIDIA documents for its subnet manager; upstream are
// those that only upstream OpenSM 3.3.23 is known to have.
var (
	nvidia   = []string{"ar_updn", "ar_ftree", "updn", "ftree", "minhop"}
	upstream = []string{"dnup", "lash", "dor", "nue", "dfsssp", "sssp"}
)

// xdr reports whether the fabric has Quantum-X800 switches.
func xdr(f *fabric.Fabric) bool { return ibsubnet.Generation(f) >= ibsubnet.QuantumX800Cage }

// engineOf is the routing engine. auto is what NVIDIA's subnet manager takes by itself
// since MLNX SM 5.10: ar_updn; a single switch has nothing to route.
func engineOf(f *fabric.Fabric, s *ibsubnet.Subnet) string {
	switch e := f.InfiniBand.Routing; {
	case e != "" && e != "auto":
		return e
	case len(s.Switches) == 1 && !xdr(f):
		return "minhop"
	}
	return "ar_updn"
}

// readsOrder reports whether the engine reads guid_routing_order_file (opensm(8)).
func readsOrder(engine string) bool { return engine == "updn" || engine == "minhop" }

// check collects what is to be said about a fabric and its subnets.
func check(f *fabric.Fabric, subnets []ibsubnet.Subnet) *ibsubnet.Report {
	r := &ibsubnet.Report{Fabric: f, Subnets: subnets, Manager: "UFM"}
	r.Names()
	engines(r)
	r.Limits()
	r.GUIDs()
	r.Ports("cluster.topo")
	r.Partitions()
	hosts(r)
	unconfirmed(r)
	return r
}

// engines judges the routing engine.
func engines(r *ibsubnet.Report) {
	e := r.Fabric.InfiniBand.Routing
	if e == "" || e == "auto" {
		return
	}
	remedy := "set infiniband.routing to auto"
	switch {
	case !slices.Contains(nvidia, e) && !slices.Contains(upstream, e):
		r.Add(fabric.Error, "IB_ROUTING_ENGINE", fmt.Sprintf("NVIDIA's subnet manager has no routing engine %q; it has %s", e, strings.Join(nvidia, ", ")), remedy, manUFM)
	case xdr(r.Fabric) && e != "ar_updn":
		r.Add(fabric.Error, "IB_ROUTING_ENGINE", fmt.Sprintf("routing engine %q is not supported on XDR, where only ar_updn is", e), remedy, manUFM+" 6.21, appendix on adaptive routing")
	case slices.Contains(upstream, e):
		r.Add(fabric.Warning, "IB_ROUTING_UNCONFIRMED", fmt.Sprintf("routing engine %q is upstream OpenSM's; that NVIDIA's subnet manager has it is not confirmed", e), remedy, "opensm(8) 3.3.23")
	}
}

// hosts looks for a place where UFM can run.
func hosts(r *ibsubnet.Report) {
	for i := range r.Subnets {
		s := &r.Subnets[i]
		if !slices.ContainsFunc(s.Hosts, func(h ibsubnet.Host) bool { return h.Manager }) {
			r.Add(fabric.Warning, "IB_UFM_PORT", s.Where()+" has no host port kept for UFM",
				"set infiniband.ufm_links, or run UFM on a server of the cluster", manUFM)
		}
	}
	if len(r.Subnets) > 1 {
		r.Add(fabric.Info, "IB_UFM_EACH", fmt.Sprintf("the fabric is %d subnets that no link connects; each needs a UFM of its own and has its own folder of files", len(r.Subnets)),
			"plan one UFM (or pair) per folder", manUFM)
	}
}

// unconfirmed says what railyard could not confirm about UFM.
func unconfirmed(r *ibsubnet.Report) {
	r.Add(fabric.Info, "IB_UFM_SETTINGS",
		"keys for SHARP, congestion control and adaptive-routing modes are left at UFM's defaults, since their names and values are not confirmed; whether an upgrade of UFM keeps edits of opensm.conf is not documented either",
		"compare opensm.conf with opensm.conf.changes after each upgrade", manUFM)
	if ordered := slices.ContainsFunc(r.Subnets, func(s ibsubnet.Subnet) bool { return readsOrder(engineOf(r.Fabric, &s)) }); !ordered {
		r.Add(fabric.Info, "IB_UFM_ORDER",
			"the routing order by rail is written but not switched on: only minhop and updn are known to read it",
			"leave it, or set infiniband.routing to updn", "opensm(8) 3.3.23")
	}
	r.Add(fabric.Info, "IB_UFM_TOPOLOGY",
		"servers stand in cluster.topo as HOST_n with the plan's NIC names; UFM calls them by adapter (HCA_mlx5_n, mlx5_0/P1), which the plan cannot know, so Topology_Compare may list host links as added and removed",
		"compare links between switches, or load the topology UFM downloads once cabling is checked with ibdmchk and ibnetdiscover", "UFM Validation Tool, Topo File")
	if len(r.Fabric.InfiniBand.Partitions) > 0 {
		r.Add(fabric.Info, "IB_UFM_PARTITIONS",
			"partitions are written twice, for REST and as partitions.conf.user_ext; the default partition isolates nobody until gv.cfg has default_membership = limited and UFM was restarted",
			"use one of the two ways only, and follow INSTALL.txt", manUFM+", appendix on partitioning; NVIDIA InfiniBand runbook")
	}
}
