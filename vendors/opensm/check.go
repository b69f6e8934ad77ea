package opensm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

const (
	maxLIDs      = 0xbfff // unicast LIDs are 0x0001 to 0xbfff (ib_types.h, IB_LID_UCAST_END_HO)
	maxPorts     = 254    // a port number is eight bits; 0 is the switch itself, 255 means any
	maxPKeys     = 128    // P_Keys a port holds, the default one included (Mellanox/ib-kubernetes pull 49)
	ndrGbps      = 400
	maxListed    = 16 // objects a finding names; its message has the whole number
	manOpenSM    = "opensm(8) 3.3.23"
	partitionDoc = "OpenSM doc/partition-config.txt"
)

// check collects what is to be said about a fabric and its subnets.
func check(f *fabric.Fabric, subnets []subnet) []fabric.Finding {
	c := checker{f: f}
	for i := range subnets {
		c.subnet(&subnets[i])
	}
	c.names()
	c.guids(subnets)
	c.generation()
	c.partitions()
	return c.out
}

// refuse is the part of check without which the files would be wrong: an unknown
// routing engine, and names that would end a quoted string or a rule.
func refuse(f *fabric.Fabric, subnets []subnet) error {
	c := checker{f: f}
	c.names()
	var errs []error
	for i := range c.out {
		errs = append(errs, errors.New(c.out[i].Message))
	}
	for i := range subnets {
		if _, err := routing(f.InfiniBand.Routing, &subnets[i]); err != nil {
			errs = append(errs, err)
			break
		}
	}
	return errors.Join(errs...)
}

type checker struct {
	f   *fabric.Fabric
	out []fabric.Finding
}

func (c *checker) add(s fabric.Severity, code, message, remedy, source string, objects ...string) {
	slices.Sort(objects)
	objects = slices.Compact(objects)
	c.out = append(c.out, fabric.Finding{Severity: s, Code: code, Message: message, Remedy: remedy, Source: source, Objects: objects[:min(len(objects), maxListed)]})
}

func (c *checker) subnet(s *subnet) {
	if _, err := routing(c.f.InfiniBand.Routing, s); err != nil && !c.has("IB_ROUTING_ENGINE") {
		c.add(fabric.Error, "IB_ROUTING_ENGINE", err.Error(), "set infiniband.routing to auto or to an engine of the list", manOpenSM)
	}
	if lids := len(s.hosts) + len(s.switches); lids > maxLIDs {
		c.add(fabric.Error, "IB_LID_LIMIT",
			fmt.Sprintf("%s needs %d LIDs, and one InfiniBand subnet has %d", where(s), lids, maxLIDs),
			"spread the servers over several planes or fabrics", "InfiniBand unicast LID range, OpenSM ib_types.h")
	}
	for i, sw := range s.switches {
		if n := s.numbers[i].count; n > maxPorts && !c.has("IB_PORT_LIMIT") {
			c.add(fabric.Error, "IB_PORT_LIMIT",
				fmt.Sprintf("the model %s would have %d InfiniBand ports, and a switch has at most %d", c.f.ModelOf(&c.f.Switches[sw]).ID, n, maxPorts),
				"declare fewer ports or a coarser breakout", "InfiniBand port numbers")
		}
	}
	if len(s.hosts) == 0 {
		c.add(fabric.Warning, "IB_NO_MANAGER_PORT", where(s)+" has no server port yet that OpenSM could bind to",
			"connect a server or a management host", manOpenSM)
	}
}

func (c *checker) has(code string) bool {
	return slices.ContainsFunc(c.out, func(x fabric.Finding) bool { return x.Code == code })
}

// names refuses characters that have a meaning in the files: quotes and # in the
// name map, = in ibsim's port lines, and everything but plain words as a
// partition's name, where one error makes OpenSM forget the isolation.
func (c *checker) names() {
	var bad []string
	note := func(name, also string) {
		if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"#=\`+also, r) }) || name == "" {
			bad = append(bad, fmt.Sprintf("%q", name))
		}
	}
	for i := range c.f.Switches {
		note(c.f.Switches[i].Name, "")
	}
	for i := range c.f.Servers {
		note(c.f.Servers[i].Name, "")
	}
	for i := range c.f.InfiniBand.Partitions {
		note(c.f.InfiniBand.Partitions[i].Name, " :;,'")
	}
	note(c.f.Name, "")
	if len(bad) > 0 {
		c.add(fabric.Error, "IB_NAME", fmt.Sprintf("%d names cannot stand in OpenSM's files, such as %s", len(bad), bad[0]),
			"use letters, digits, dots, dashes and underscores", "complib cl_nodenamemap.c, osm_prtn_config.c", bad...)
	}
}

// guids looks for missing, made-up and repeated GUIDs.
func (c *checker) guids(subnets []subnet) {
	var missing, placeholder, twice []string
	seen := make(map[uint64]string)
	total := 0
	note := func(g fabric.GUID, name string) {
		total++
		switch other, dup := seen[g.Value]; {
		case g.Value == 0:
			missing = append(missing, name)
		case dup:
			twice = append(twice, other, name)
		}
		seen[g.Value] = name
		if g.Placeholder {
			placeholder = append(placeholder, name)
		}
	}
	for i := range c.f.Switches {
		note(c.f.Switches[i].GUID, c.f.Switches[i].Name)
	}
	for i := range subnets {
		for j := range subnets[i].hosts {
			h := &subnets[i].hosts[j]
			sv := &c.f.Servers[h.server]
			note(h.guid, sv.Name+"/"+sv.Ports[h.port].Name)
		}
	}
	if len(missing) > 0 {
		c.add(fabric.Error, "IB_GUID_MISSING", fmt.Sprintf("%d of %d ports and switches have no GUID", len(missing), total),
			"name a CSV of names and GUIDs in infiniband.guids", manOpenSM, missing...)
	}
	if len(twice) > 0 {
		c.add(fabric.Error, "IB_GUID_DUPLICATE", "the same GUID belongs to several ports or switches; OpenSM stops on duplicated GUIDs",
			"correct infiniband.guids", manOpenSM, twice...)
	}
	if len(placeholder) > 0 {
		c.add(fabric.Warning, "IB_GUID_PLACEHOLDER",
			fmt.Sprintf("%d of %d GUIDs are made up; roots, partitions and routing order would not find the real ports", len(placeholder), total),
			"put the GUIDs that ibstat -p and ibswitches show into infiniband.guids and generate again", manOpenSM, placeholder...)
	}
}

// generation warns where upstream OpenSM is known to disappoint.
func (c *checker) generation() {
	fastest, twin := 0, false
	for i := range c.f.Links {
		fastest = max(fastest, c.f.Links[i].SpeedGbps)
	}
	for i := range c.f.Switches {
		for _, cage := range c.f.ModelOf(&c.f.Switches[i]).Cages {
			twin = twin || cage.SpeedGbps >= quantum2Cage
		}
	}
	if fastest >= ndrGbps || twin {
		c.add(fabric.Warning, "IB_OPENSM_NDR",
			"NDR and XDR switches were reported not to carry traffic under upstream OpenSM where NVIDIA's subnet manager did; upstream also has no adaptive routing, SHARP or congestion control",
			"use NVIDIA's subnet manager (infiniband.subnet_manager: ufm), or test bandwidth between all leaves before handing over",
			"github.com/linux-rdma/opensm issue 38")
	}
	if twin {
		c.add(fabric.Info, "IB_PORT_NUMBERS",
			"InfiniBand port numbers of twin-port cages are counted as (cage-1)*2+port, and with cages split four ways as (cage-1)*4+port, which NVIDIA does not document",
			"compare topology.net with ibnetdiscover on the first switch", "inferred from 64 ports in 32 cages, QM9700 manual")
	}
}
