package opensm

import (
	"path"

	"railyard/generator/fabric"
)

// page is what the templates see; it holds no slices longer than the partitions,
// since member lists come as finished text.
type page struct {
	Fabric, Subnet        string
	What                  string // list.head.tmpl: what the list holds
	Dir, Log              string
	Placeholders, GUIDs   int
	SMName, SMGUID        string
	Prefix                string
	Nodes, SMPs           int
	Engines               string
	Roots                 bool
	RateCode, RateGbps    int  // of the slowest port
	Isolated              bool // partitions are declared, so the default one must not join everybody
	Partitions            []partition
	Managers              []named // hosts kept for management, full members of the default partition
	SimNodes              int     // limits ibsim is started with: its defaults or what the file needs
	SimSwitches, SimPorts int
	SimLIDs               int // 0: the default is enough
}

type named struct{ Name, GUID string }

// ibsim's own limits (ibsim 0.10, sim.h).
const (
	simNodes    = 2048
	simSwitches = 256
	simPorts    = 13312
	simLIDs     = 30 * 1024
)

func newPage(f *fabric.Fabric, s *subnet) (*page, error) {
	engines, err := routing(f.InfiniBand.Routing, s)
	if err != nil {
		return nil, err
	}
	all := rateOf(slowest(f, s.hosts))
	p := &page{
		Fabric: f.Name, Subnet: s.name, Dir: s.dir(), Log: "/var/log/opensm.log",
		SMGUID: hex(0), Prefix: hex(s.prefix), Engines: engines,
		Nodes: len(s.hosts) + len(s.switches), SMPs: smps(len(s.hosts) + len(s.switches)),
		Roots: len(s.roots) > 0, RateCode: all.code, RateGbps: all.gbps,
		Isolated: len(f.InfiniBand.Partitions) > 0, Partitions: partitions(f, s),
	}
	if s.name != "" {
		p.Log = path.Join("/var/log", "opensm-"+s.name+".log")
	}
	switch {
	case f.InfiniBand.SMGUID != 0 && s.name == "": // with several subnets it could belong to one only
		p.SMName, p.SMGUID = "infiniband.sm_guid", hex(f.InfiniBand.SMGUID)
	case len(s.hosts) > 0:
		p.SMName, p.SMGUID = s.hosts[0].name(f), hex(s.hosts[0].guid.Value)
	}
	p.GUIDs = p.Nodes
	ports := len(s.hosts)
	for i, sw := range s.switches {
		ports += s.numbers[i].count + 1
		if f.Switches[sw].GUID.Placeholder {
			p.Placeholders++
		}
	}
	for i := range s.hosts {
		h := &s.hosts[i]
		if h.guid.Placeholder {
			p.Placeholders++
		}
		if h.ufm {
			p.Managers = append(p.Managers, named{h.name(f), hex(h.guid.Value)})
		}
	}
	p.SimNodes, p.SimSwitches, p.SimPorts = max(p.Nodes, simNodes), max(len(s.switches), simSwitches), max(ports, simPorts)
	if p.Nodes >= simLIDs {
		p.SimLIDs = maxLIDs + 1
	}
	return p, nil
}

// name is what people call the port: its server and NIC.
func (h *hostPort) name(f *fabric.Fabric) string {
	sv := &f.Servers[h.server]
	return sv.Name + " " + sv.Ports[h.port].Name
}
