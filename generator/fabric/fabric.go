// Package fabric is the designed network: plain data that knows neither the
// cluster file it came from nor any vendor it will be rendered for. Everything
// downstream (drivers, cable lists, diff, push) reads this and nothing else.
//
// Units: speeds are Gb/s, sizes are bytes, lengths are metres. Indices (units,
// rails, planes, slots) start at zero; the numbers people see in names start
// where the naming rules say.
package fabric

import (
	"fmt"
	"net/netip"
	"time"
)

// Technology is the link technology of a fabric.
type Technology string

// The two technologies a cluster file may ask for.
const (
	RoCE       Technology = "roce"
	InfiniBand Technology = "infiniband"
)

// Topology is a design family.
type Topology string

// The design families.
const (
	SingleSwitch Topology = "single-switch"
	RailOnly     Topology = "rail-only"
	LeafSpine    Topology = "leaf-spine"
	ThreeTier    Topology = "three-tier"
	DDC          Topology = "ddc" // packet leaves (NCP) around cell switches (NCF)
)

// Role is a switch's tier.
type Role string

// The tiers, bottom up.
const (
	Leaf  Role = "leaf"
	Spine Role = "spine"
	Core  Role = "core"
)

// Fabric is one designed cluster network.
type Fabric struct {
	Name       string
	Technology Technology
	RoCE       string // "v1" or "v2"; empty for InfiniBand
	Topology   Topology
	Attachment string // "rail" or "tor"
	Planes     int
	Rails      int // the most NICs any server has
	Counts     Counts

	// LeafOversubscription and SpineOversubscription are down:up bandwidth of a
	// fully populated switch of that tier. Zero Down means the tier has no uplinks.
	LeafOversubscription  Ratio
	SpineOversubscription Ratio

	Groups   []Group
	Models   []Model
	Switches []Switch // by plane, then leaf, spine, core, then index
	Servers  []Server // in number order; UFM hosts last
	Links    []Link   // by plane: host links by leaf and port, then fabric links by lower switch and port
	VLANs    []VLAN   // by plane, unit, rail

	Underlay   Underlay
	Lossless   *Lossless // nil for InfiniBand
	InfiniBand *Subnet   // nil for RoCE
	Management Management
	Choices    []Choice
	Findings   []Finding
}

// Counts are totals over all planes.
type Counts struct {
	Servers, GPUs, Units, Rails, Planes, Leaf, Spine, Core int
	HostLinks                                              int // one per NIC port
	LeafSpineLinks, SpineCoreLinks                         int // at the speed the ports run
	HostCables, FabricCables                               int // physical cables: a twin-port or splitter cable counts once
}

// Ratio is a reduced down:up bandwidth ratio.
type Ratio struct{ Down, Up int }

// Group is one group of like servers.
type Group struct {
	Name           string
	Count          int
	ServerModel    string // catalog id or ""
	GPU, GPUVendor string // catalog ids
	GPUsPerServer  int
	NIC, NICVendor string
	NICs           int // = rails of this group
	NICSpeed       int
	RailsPerLeaf   int
	ServersPerUnit int // of a full unit
	FirstUnit      int // index of the group's first unit
	Units          int // units that exist today
	UplinksPerLeaf int
	UplinkSpeed    int
	ScaleUp        bool // GPUs of a server share a scale-up fabric (NVLink and the like)
	Class          int  // index into Lossless.Classes of what these hosts send; -1 without one
}

// Model is a switch type as the design used it.
type Model struct {
	ID, Vendor, ASIC string
	Family           string // a driver's own sub-family, e.g. Huawei P or J
	BufferBytes      int64  // packet buffer; 0 unknown
	CellBytes        int    // buffer cell; 0 unknown
	Cages            []Cage // front panel, cage 1 first
	Confidence       string // of the port data: doc, field, inferred, unverified, declared
}

// Cage is one front-panel port.
type Cage struct {
	Number    int    // as printed on the panel, 1-based
	SpeedGbps int    // whole-cage speed
	Form      string // OSFP, QSFP-DD, …
	Fabric    bool   // a cell port of a DDC system
}

// Switch is one switch.
type Switch struct {
	Name       string
	Role       Role
	Model      int // index into Fabric.Models
	OS         string
	Release    string // OS release the user declared, or ""
	Plane      int
	Unit       int   // leaf: unit index; others -1
	Slot       int   // leaf: index within the unit
	Group      int   // leaf: server group; spine: spine group; core: core plane
	Rails      []int // leaf: the rails it serves
	Index      int   // number within the tier and plane, stable under growth
	ASN        uint32
	NoTransit  bool // must not export routes learned from one upper switch to another
	Loopback   netip.Addr
	Management netip.Prefix // address with the subnet's length; invalid when the site assigns them
	GUID       GUID         // InfiniBand node GUID
	Ports      []Port       // every panel port, by cage and lane, unused ones included
	VLANs      []int        // leaf: indices into Fabric.VLANs
}

// PortRole says what a switch port is for.
type PortRole string

// Port roles.
const (
	HostPort     PortRole = "host"
	UplinkPort   PortRole = "uplink"   // to the tier above
	DownlinkPort PortRole = "downlink" // to the tier below
	CellPort     PortRole = "cell"     // DDC fabric port: no addresses, no BGP, no PFC
	UnusedPort   PortRole = "unused"
)

// Port is one logical switch port: a cage or one child of a split cage.
type Port struct {
	Cage      int // Cage.Number
	Lane      int // 0: the whole cage; 1…Split: that child
	Split     int // children the cage is split into; 1: not split
	SpeedGbps int
	Role      PortRole
	Link      int  // index into Fabric.Links, -1 without one
	Peer      End  // meaningful when Link >= 0
	Rail      int  // host port: the rail; else -1
	VLAN      int  // host port in VLAN mode: index into Fabric.VLANs; else -1
	Reserved  bool // unused today, but laid out for growth (a server or switch still to come)

	// Address and PeerAddress are the /31 of a routed link; invalid on VLAN
	// ports, cell ports, unused ports and unnumbered links.
	Address     netip.Prefix
	PeerAddress netip.Addr
	PeerASN     uint32 // BGP peer; 0 without a session

	Profile int    // index into Lossless.Profiles; -1 where nothing lossless passes
	Name    string // as the switch's OS calls it; "" until the drivers have named the fabric
}

// Unnumbered reports whether the port carries BGP over IPv6 link-local addresses.
func (p *Port) Unnumbered() bool { return p.PeerASN != 0 && !p.Address.IsValid() }

// DeviceKind tells the two ends of a link apart.
type DeviceKind uint8

// Device kinds.
const (
	SwitchDevice DeviceKind = iota
	ServerDevice
)

// End is one end of a link: a port of a switch or of a server.
type End struct {
	Kind   DeviceKind
	Device int // index into Fabric.Switches or Fabric.Servers
	Port   int // index into that device's Ports
}

// LinkKind is host or fabric.
type LinkKind string

// Link kinds.
const (
	HostLink   LinkKind = "host"
	FabricLink LinkKind = "fabric"
)

// Link is one logical link; A is the lower end (server below leaf, leaf below spine).
type Link struct {
	A, B      End
	Kind      LinkKind
	Plane     int
	SpeedGbps int
	LengthM   float64
	CableType string // dac, aoc, … or "" when the user left it open
	Cable     int    // physical cable number; links of one twin or splitter cable share it
}

// Server is one server, or a host that occupies a server's place (UFM).
type Server struct {
	Name  string
	Group int // index into Fabric.Groups; -1 for a UFM host
	UFM   bool
	Unit  int
	Slot  int // place in the unit
	Ports []NICPort
}

// NICPort is one port of one compute NIC.
type NICPort struct {
	Name    string // nic0, or nic0p1 when NICs have a port per plane
	NIC     int    // = rail
	Rail    int
	Plane   int
	Link    int // index into Fabric.Links
	Address netip.Prefix
	Gateway netip.Addr // invalid without one
	GUID    GUID       // InfiniBand port GUID
}

// GUID is an InfiniBand EUI-64.
type GUID struct {
	Value       uint64
	Placeholder bool // made up by railyard, to be replaced by the real one
}

// VLAN is one rail subnet on one unit's leaf.
type VLAN struct {
	ID      int
	Name    string // rail0, …
	Rail    int
	Unit    int
	Plane   int
	Subnet  netip.Prefix
	Gateway netip.Prefix // the leaf's address with the subnet's length; invalid when the VLAN is not routed
}

// Underlay holds what the routing of all switches shares.
type Underlay struct {
	BGP        bool // false on a single switch, rail islands and InfiniBand
	Unnumbered bool
	Loopbacks  netip.Prefix
	Rails      netip.Prefix // summary of all rail subnets
	Links      netip.Prefix // invalid when unnumbered
	MaxPaths   int          // equal-cost paths any switch may have
	SpineASN   string       // "shared" or "unique"
	HostMode   string       // "vlan" or "routed"
	MTU        int          // layer-2 payload size of every fabric port (9216 unless said)
	HostMTU    int          // IP MTU of hosts
}

// Lossless is the plan that keeps RoCE from dropping.
type Lossless struct {
	Classes    []Class // by queue; a DSCP that no class names belongs to the default class
	Watchdog   Watchdog
	ECNProfile string // name of the marking profile
	ECNSource  string
	Profiles   []Profile
	Buffers    []Buffer
	// Deadlock says what was checked for cyclic buffer dependencies.
	Deadlock Deadlock
}

// Class is one row of the table from which every map on every device is written.
type Class struct {
	Name          string // roce, cnp, control, default, …
	DSCP          []int  // sorted; empty for the default class
	Priority      int    // 802.1p and PFC priority
	TrafficClass  int
	Queue         int
	PriorityGroup int
	Lossless      bool // PFC on this priority
	ECN           bool // WRED/ECN marking on this queue
	Strict        bool // strict priority; otherwise weighted
	WeightPercent int  // share among weighted classes; they add up to 100
	CNP           bool // carries congestion notification packets
}

// Default returns the class of unnamed traffic.
func (l *Lossless) Default() *Class {
	for i := range l.Classes {
		if len(l.Classes[i].DSCP) == 0 {
			return &l.Classes[i]
		}
	}
	return nil
}

// Watchdog is the PFC storm (deadlock) watchdog as declared.
type Watchdog struct {
	Enabled         bool
	Detect, Restore time.Duration
	Action          string // drop, forward, alert
}

// Profile is the lossless setting of ports with one model, speed and cable length.
type Profile struct {
	Model     int // index into Fabric.Models
	SpeedGbps int
	LengthM   float64
	MTU       int
	XoffBytes int // headroom: what may still arrive after pause was sent
	XonBytes  int
	SizeBytes int    // xoff + xon as the buffer profile reserves it
	AlphaLog2 int    // dynamic threshold: alpha = 2^AlphaLog2
	Headroom  string // name of the headroom model or table
	Source    string // where its numbers come from

	KminBytes, KmaxBytes int // ECN marking band of each lossless queue
	PmaxPercent          int // marking probability at Kmax
}

// Buffer is the buffer balance of one switch as configured. Switches whose
// balance is the same share one row.
type Buffer struct {
	Model         int
	Switches      []int // indices into Fabric.Switches
	HeadroomBytes int64
	TotalBytes    int64 // 0 unknown
}

// Deadlock is the outcome of the cyclic-buffer-dependency check: of PFC pauses, or
// of InfiniBand's credits.
type Deadlock struct {
	Checked bool
	Free    bool
	Scope   string   // what was checked, in words
	Cycle   []string // a counterexample: device and port names in order
}

// Subnet is the InfiniBand side of the plan.
type Subnet struct {
	Manager    string // opensm, ufm, switch
	Routing    string // routing engine, or auto
	SMGUID     uint64 // port the subnet manager binds to; 0: the user did not say
	Partitions []Partition
	UFMLinks   int
	Deadlock   Deadlock // credit loops under the routing engine
}

// Partition is one InfiniBand partition.
type Partition struct {
	Name    string
	PKey    uint16 // 15 bits
	Full    bool
	Members []int // indices into Fabric.Servers
}

// Management is the out-of-band side.
type Management struct {
	Subnet  netip.Prefix
	Gateway netip.Addr
	VRF     string
	NTP     []netip.Addr
	DNS     []netip.Addr
	Syslog  []netip.Addr
	Users   []User
}

// User is a login on every switch.
type User struct {
	Name         string
	Role         string // admin, operator
	PasswordHash Secret
	SSHKeys      []string
}

// Secret says where a secret is kept; it never holds one.
type Secret struct{ Env, File string }

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s == Secret{} }

// Secrets fetches a secret's value. Errors name the reference, never the value.
type Secrets func(Secret) (string, error)

// File is one file of one device, named as the device itself names it.
type File struct {
	Name   string // relative, slash-separated
	Body   []byte
	Secret bool // to be written with mode 0600
}

// Choice is a decision of the design worth explaining.
type Choice struct {
	Subject string // e.g. "rails_per_leaf"
	Chosen  string
	Reason  string
	Else    string // what the alternative would have cost
}

// Severity ranks findings.
type Severity string

// Severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Finding is something the user must know about the design.
type Finding struct {
	Severity Severity
	Code     string // stable, upper case: HEADROOM_EXCEEDS_BUFFER
	Message  string // what and why, with numbers
	Remedy   string
	Source   string   // document behind the rule
	Objects  []string // device, link or key names, sorted
}

// DeviceName is the name of the device at an end of a link.
func (f *Fabric) DeviceName(e End) string {
	if e.Kind == SwitchDevice {
		return f.Switches[e.Device].Name
	}
	return f.Servers[e.Device].Name
}

// PortName is the name of the port at an end of a link: as the device's own OS
// calls it once the drivers have named the fabric, else cage or cage/lane.
func (f *Fabric) PortName(e End) string {
	if e.Kind == ServerDevice {
		return f.Servers[e.Device].Ports[e.Port].Name
	}
	p := &f.Switches[e.Device].Ports[e.Port]
	switch {
	case p.Name != "":
		return p.Name
	case p.Split > 1:
		return fmt.Sprintf("%d/%d", p.Cage, p.Lane)
	default:
		return fmt.Sprintf("%d", p.Cage)
	}
}

// ModelOf is the switch's model.
func (f *Fabric) ModelOf(sw *Switch) *Model { return &f.Models[sw.Model] }
