package opensm

import (
	"path"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
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

func newPage(f *fabric.Fabric, s *ibsubnet.Subnet) (*page, error) {
	engines, err := routing(f.InfiniBand.Routing, s)
	if err != nil {
		return nil, err
	}
	all := ibsubnet.RateOf(f, s.Hosts)
	p := &page{
		Fabric: f.Name, Subnet: s.Name, Dir: dirOf(s), Log: "/var/log/opensm.log",
		SMGUID: ibsubnet.GUID(0), Prefix: ibsubnet.GUID(s.Prefix), Engines: engines,
		Nodes: len(s.Hosts) + len(s.Switches), SMPs: smps(len(s.Hosts) + len(s.Switches)),
		Roots: len(s.Roots) > 0, RateCode: all.Code, RateGbps: all.Gbps,
		Isolated: len(f.InfiniBand.Partitions) > 0, Partitions: partitions(f, s),
	}
	if s.Name != "" {
		p.Log = path.Join("/var/log", "opensm-"+s.Name+".log")
	}
	switch {
	case f.InfiniBand.SMGUID != 0 && s.Name == "": // with several subnets it could belong to one only
		p.SMName, p.SMGUID = "infiniband.sm_guid", ibsubnet.GUID(f.InfiniBand.SMGUID)
	case len(s.Hosts) > 0:
		p.SMName, p.SMGUID = s.Hosts[0].Name(f), ibsubnet.GUID(s.Hosts[0].GUID.Value)
	}
	p.Placeholders, p.GUIDs = s.Placeholders(f)
	ports := len(s.Hosts)
	for _, sw := range s.Switches {
		ports += s.Numbering(sw).Count + 1
	}
	for i := range s.Hosts {
		if h := &s.Hosts[i]; h.Manager {
			p.Managers = append(p.Managers, named{h.Name(f), ibsubnet.GUID(h.GUID.Value)})
		}
	}
	p.SimNodes, p.SimSwitches, p.SimPorts = max(p.Nodes, simNodes), max(len(s.Switches), simSwitches), max(ports, simPorts)
	if p.Nodes >= simLIDs {
		p.SimLIDs = ibsubnet.MaxLIDs + 1
	}
	return p, nil
}

// dirOf is where a subnet's files are installed.
func dirOf(s *ibsubnet.Subnet) string {
	if s.Name == "" {
		return configDir
	}
	return configDir + "/" + s.Name
}
