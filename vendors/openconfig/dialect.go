package openconfig

// Section is a part of a document that a device takes or refuses as a whole.
type Section string

// The sections, in the order they are written.
const (
	Interfaces Section = "interfaces" // ports, addresses, gateways, loopback
	LLDP       Section = "lldp"
	VLANs      Section = "vlans"   // the VLAN table; access ports are interfaces
	QoS        Section = "qos"     // classification, queues, scheduling, ECN
	Routing    Section = "routing" // BGP and its policies
)

// Sections lists all sections.
func Sections() []Section { return []Section{Interfaces, LLDP, VLANs, QoS, Routing} }

// Support is what is known of one section on one network OS.
type Support struct {
	Section Section
	Carried bool
	Reason  string // why not; "" where it is carried
	Source  string
}

// Dialect is what one network OS takes of OpenConfig and how it names things.
// It is plain data: who knows a device better may change a copy.
type Dialect struct {
	OS      string // as in cluster files; "" for the models alone
	Support []Support
	Instead string // how to deliver what OpenConfig cannot carry

	Instance      string // name of the default network instance
	Protocol      string // name of its BGP protocol entry
	Connected     string // name of its protocol entry of connected routes; "" unknown
	Loopback      string // name of the first loopback; "" when none is taken
	VLANInterface string // format of a VLAN interface's name; "" when none is taken

	InterfaceType bool // the interface's type leaf is taken
	PortMTU       bool // the port's own MTU leaf is taken, …
	PortMTUExtra  int  // … counting this many bytes above IP
	IPMTU         bool // the MTU leaf of IPv4 is taken, …
	IPMTUMost     int  // … up to this; 0 for no limit of its own
	IPEnabled     bool // the enabled leaf of IPv4 is taken
	InterfaceRef  bool // QoS interfaces point to their interface

	MultipathInFamily bool // equal-cost paths are set per address family, not globally
	MultipleAS        bool // the leaf for paths of different neighbour ASes is taken
	SetOptions        bool // the match option of a prefix set is taken

	Sources string // of the names and leaves above
}

// Carries reports whether the OS takes a section.
func (d *Dialect) Carries(s Section) bool {
	for i := range d.Support {
		if d.Support[i].Section == s {
			return d.Support[i].Carried
		}
	}
	return false
}

func (d *Dialect) carriesAny() bool {
	for _, s := range Sections() {
		if d.Carries(s) {
			return true
		}
	}
	return false
}

// ipMTU caps an IP MTU to what the OS takes.
func (d *Dialect) ipMTU(bytes int) int {
	if d.IPMTUMost > 0 {
		return min(bytes, d.IPMTUMost)
	}
	return bytes
}

// Models is the dialect of a device that takes all of the models and nothing
// else, with the names openconfig-network-instance asks for.
func Models() Dialect {
	d := Dialect{
		Instead:  "the device's own configuration file",
		Instance: "DEFAULT", Protocol: "DEFAULT", Connected: "DEFAULT",
		Loopback: "Loopback0", VLANInterface: "Vlan%d",
		InterfaceType: true, PortMTU: true, PortMTUExtra: frameHeader, IPMTU: true, IPEnabled: true,
		InterfaceRef: true, MultipleAS: true, SetOptions: true,
		Sources: "openconfig/public v5.9.0; openconfig/featureprofiles internal/deviations and internal/attrs",
	}
	for _, s := range Sections() {
		d.Support = append(d.Support, Support{Section: s, Carried: true, Source: "openconfig/public v5.9.0"})
	}
	return d
}

// ForOS is what is known of an OS by its name in cluster files. An OS of which
// nothing is confirmed carries nothing.
func ForOS(os string) Dialect {
	switch os {
	case "eos":
		return eos()
	case "sonic":
		return sonic()
	case "vrp":
		return refused(os, "what its switches announce of OpenConfig dates from 2016 and 2018; what they take is in their own models, which have no public form for PFC and ECN",
			"vrpcfg.cfg on the command line; commit trial reverts by itself", "CloudEngine configuration guide, gRPC")
	case "comware":
		return refused(os, "whether its gNMI server takes any OpenConfig path is not published",
			"startup.cfg over SSH, or its lines in a NETCONF CLI element", "H3C gRPC configuration guides")
	}
	return refused(os, "nothing is confirmed of its OpenConfig", "the device's own configuration file", "")
}

func refused(os, reason, instead, source string) Dialect {
	d := Dialect{OS: os, Instead: instead, Sources: source}
	for _, s := range Sections() {
		d.Support = append(d.Support, Support{Section: s, Reason: reason, Source: source})
	}
	return d
}

// eos follows the path report of EOS 4.36.1F and what featureprofiles says of
// Arista. QoS stays on the command line: the classification and the profile
// that ties queues and PFC to a port have no OpenConfig path there, and an item
// must not be configured by two origins.
func eos() Dialect {
	const tests = "openconfig/featureprofiles, platform exceptions of ARISTA: "
	return Dialect{
		OS:      "eos",
		Instead: "the lines of startup-config, over gNMI with origin cli or in a configuration session",
		Support: []Support{
			{Section: Interfaces, Carried: true, Source: "EOS 4.36.1F path report; " + tests + "RT-1.1"},
			{Section: LLDP, Carried: true, Source: tests + "RT-6.1"},
			{Section: VLANs, Carried: true, Source: "networking drivers and labs that set vlans/vlan and switched-vlan on EOS over gNMI"},
			{Section: QoS, Reason: "EOS has no OpenConfig path for the DSCP map and for the profile that ties queues, ECN and PFC to a port, and the same item must not come from two origins",
				Source: "EOS 4.36.1F path report; openconfig/reference gnmi-specification 2.7.4"},
			{Section: Routing, Carried: true, Source: tests + "RT-1.1, RT-1.33, RT-1.51"},
		},
		Instance: "default", Protocol: "BGP", // connected routes: only static ones are proven (RT-1.27)
		Loopback:      "Loopback0",
		InterfaceType: true, IPMTU: true, IPMTUMost: 9214, IPEnabled: true,
		MultipathInFamily: true,
		Sources:           tests + "RT-1.1 (default, omit_l2_mtu), RT-1.51 (multipath), RT-1.33 (set options), DP-1.3 (interface-ref); name BGP as in published answers of EOS; 9214 as in vendors/eos",
	}
}

// sonic follows sonic-mgmt-common: its transformer knows interfaces (without
// type), Ethernet, VLAN members and VLAN interfaces, and nothing of LLDP, QoS or
// routing. Community images refuse every OpenConfig Set; see the gap OC_WRITE.
func sonic() Dialect {
	const source = "sonic-net/sonic-mgmt-common models/yang: openconfig-interfaces-annot, openconfig-interfaces-deviation"
	none := func(s Section, what string) Support {
		return Support{Section: s, Reason: "the community's OpenConfig has no " + what, Source: source}
	}
	return Dialect{
		OS:      "sonic",
		Instead: "the rows of config_db.json, over gNMI with origin sonic-db",
		Support: []Support{
			{Section: Interfaces, Carried: true, Source: source},
			none(LLDP, "LLDP settings"),
			none(VLANs, "VLAN table: a VLAN comes with its VLAN interface"),
			none(QoS, "QoS"),
			none(Routing, "routing; BGP runs from frr.conf"),
		},
		VLANInterface: "Vlan%d",
		PortMTU:       true, // the number of the PORT table, which counts no Ethernet header
		Sources:       source,
	}
}
