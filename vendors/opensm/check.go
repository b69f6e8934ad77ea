package opensm

import (
	"errors"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

const (
	ndrGbps   = 400
	manOpenSM = "opensm(8) 3.3.23"
)

// check collects what is to be said about a fabric and its subnets.
func check(f *fabric.Fabric, subnets []ibsubnet.Subnet) []fabric.Finding {
	r := report(f, subnets)
	engine(r)
	r.Limits()
	for i := range subnets {
		if s := &subnets[i]; len(s.Hosts) == 0 {
			r.Add(fabric.Warning, "IB_NO_MANAGER_PORT", s.Where()+" has no server port yet that OpenSM could bind to",
				"connect a server or a management host", manOpenSM)
		}
	}
	r.Names()
	r.GUIDs()
	generation(r)
	r.Ports("topology.net")
	r.Partitions()
	return r.Findings
}

// refuse is the part of check without which the files would be wrong: an unknown
// routing engine, and names that would end a quoted string or a rule.
func refuse(f *fabric.Fabric, subnets []ibsubnet.Subnet) error {
	r := report(f, subnets)
	r.Names()
	engine(r)
	var errs []error
	for _, e := range r.Errors() {
		errs = append(errs, errors.New(e))
	}
	return errors.Join(errs...)
}

func report(f *fabric.Fabric, subnets []ibsubnet.Subnet) *ibsubnet.Report {
	return &ibsubnet.Report{Fabric: f, Subnets: subnets, Manager: "OpenSM"}
}

// engine refuses a routing engine that OpenSM lacks or that a subnet has no use for.
func engine(r *ibsubnet.Report) {
	for i := range r.Subnets {
		if _, err := routing(r.Fabric.InfiniBand.Routing, &r.Subnets[i]); err != nil {
			r.Add(fabric.Error, "IB_ROUTING_ENGINE", err.Error(), "set infiniband.routing to auto or to an engine of the list", manOpenSM)
			return
		}
	}
}

// generation warns where upstream OpenSM is known to disappoint.
func generation(r *ibsubnet.Report) {
	fastest := 0
	for i := range r.Fabric.Links {
		fastest = max(fastest, r.Fabric.Links[i].SpeedGbps)
	}
	if fastest >= ndrGbps || ibsubnet.Generation(r.Fabric) >= ibsubnet.Quantum2Cage {
		r.Add(fabric.Warning, "IB_OPENSM_NDR",
			"NDR and XDR switches were reported not to carry traffic under upstream OpenSM where NVIDIA's subnet manager did; upstream also has no adaptive routing, SHARP or congestion control",
			"use NVIDIA's subnet manager (infiniband.subnet_manager: ufm), or test bandwidth between all leaves before handing over",
			"github.com/linux-rdma/opensm issue 38")
	}
}
