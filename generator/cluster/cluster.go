// Package cluster is the declared cluster: what a person writes in
// cluster.yaml, decoded strictly, completed with defaults and the catalog, and
// validated. After Load every field below holds a usable value; "auto" is the
// zero value of its type and is left for the design to decide.
package cluster

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"railyard/generator/catalog"
	"railyard/generator/hostlist"
	"railyard/generator/quantity"
)

// Cluster is one cluster file.
type Cluster struct {
	Version    int           `yaml:"version"`
	Name       string        `yaml:"name"`
	Fabric     Fabric        `yaml:"fabric"`
	Servers    []ServerGroup `yaml:"servers"`
	Switches   Switches      `yaml:"switches"`
	Lossless   Lossless      `yaml:"lossless"`
	Addressing Addressing    `yaml:"addressing"`
	Management Management    `yaml:"management"`
	InfiniBand InfiniBand    `yaml:"infiniband"`
	Overrides  []Override    `yaml:"overrides"`
	Outputs    []string      `yaml:"outputs"` // switches, hosts, cabling, inventory, report
	Hardware   Hardware      `yaml:"catalog"`

	// Catalog is the embedded catalog with the user's entries laid over it.
	Catalog *catalog.Catalog `yaml:"-"`
	// GUIDs are the InfiniBand GUIDs of infiniband.guids by name: a switch
	// (leaf-u01-r0) or a NIC port (gpu-001/nic0).
	GUIDs map[string]uint64 `yaml:"-"`

	positions map[string]Position // by key path, e.g. servers[0].count
	file      string
}

// ManagementDeclared reports whether the user chose the management network; a
// default one may be widened where a fabric needs more addresses.
func (c *Cluster) ManagementDeclared() bool {
	return c.written("management.subnet") || c.written("management.gateway")
}

// written reports whether a key stands in the file.
func (c *Cluster) written(path string) bool {
	_, ok := c.positions[path]
	return ok
}

// Fabric is the section "fabric".
type Fabric struct {
	Technology           string         `yaml:"technology"` // roce | infiniband
	RoCE                 string         `yaml:"roce"`       // v1 | v2
	Topology             string         `yaml:"topology"`   // auto | a fabric.Topology
	Attachment           string         `yaml:"attachment"` // rail | tor
	RailsPerLeaf         AutoInt        `yaml:"rails_per_leaf"`
	Planes               int            `yaml:"planes"`
	Oversubscription     quantity.Ratio `yaml:"oversubscription"`
	CoreOversubscription quantity.Ratio `yaml:"core_oversubscription"`
	ServersPerUnit       AutoInt        `yaml:"servers_per_unit"`
	UplinkSpeed          AutoSpeed      `yaml:"uplink_speed"`
	Spines               AutoInt        `yaml:"spines"` // per plane
	Reserve              Reserve        `yaml:"reserve"`
}

// Reserve is the final size of the cluster.
type Reserve struct {
	Servers int `yaml:"servers"` // total; 0: the declared count
}

// ServerGroup is one group of like servers.
type ServerGroup struct {
	Name     string         `yaml:"name"`
	Count    int            `yaml:"count"`
	Model    string         `yaml:"model"`
	GPU      string         `yaml:"gpu"`
	GPUs     int            `yaml:"gpus"`
	NIC      string         `yaml:"nic"`
	NICs     int            `yaml:"nics"`      // = rails of the group; at least 1 after Load
	NICSpeed quantity.Speed `yaml:"nic_speed"` // of one NIC port towards one leaf; set after Load
	PCIe     PCIe           `yaml:"pcie"`      // of the NIC's slot; zero where no PCIe is between or nothing is known
	Reserve  int            `yaml:"reserve"`   // final count of this group; at least Count after Load
	Cable    Cable          `yaml:"cable"`     // server to leaf
}

// PCIe is a slot.
type PCIe struct {
	Gen   int `yaml:"gen"`   // 3 to 6
	Lanes int `yaml:"lanes"` // 1 to 16
}

// ServerName is the name of a server by its index, from 0: gpu-001. The digits
// are three, or as many as the group's reserve needs.
func (g *ServerGroup) ServerName(index int) string {
	digits := strconv.Itoa(index + 1)
	width := max(3, len(strconv.Itoa(max(g.Count, g.Reserve))))
	return g.Name + "-" + strings.Repeat("0", max(0, width-len(digits))) + digits
}

// Cable is how a class of links is cabled.
type Cable struct {
	Length quantity.Length `yaml:"length"`
	Type   string          `yaml:"type"` // dac, acc, aec, aoc, multimode, singlemode; "" open
}

// Switches is the section "switches". A tier that the topology does not need
// may be left out; a spine or core without a model takes the tier below's.
type Switches struct {
	Leaf  Tier `yaml:"leaf"`
	Spine Tier `yaml:"spine"`
	Core  Tier `yaml:"core"`
}

// Tier is the switch type of one tier.
type Tier struct {
	Model   string          `yaml:"model"`
	OS      string          `yaml:"os"`      // the driver's name; set after Load where the model has an OS
	Release string          `yaml:"release"` // OS release, where a driver's output depends on it
	Ports   []catalog.Ports `yaml:"ports"`   // declares or corrects the front panel
	Buffer  quantity.Size   `yaml:"buffer"`
	Cell    int             `yaml:"cell"`
	Cable   Cable           `yaml:"cable"` // of the links down from this tier (spine: leaf to spine; leaf: default of the servers')

	// Spec is the catalog entry with the declarations above laid over it;
	// buffer and cell come from the ASIC where the switch has none of its own.
	Spec catalog.Switch `yaml:"-"`
}

// Lossless is the section "lossless".
type Lossless struct {
	Priority AutoPriority `yaml:"priority"`
	DSCP     AutoDSCP     `yaml:"dscp"`
	CNP      CNP          `yaml:"cnp"`
	ECN      ECN          `yaml:"ecn"`
	Headroom AutoSize     `yaml:"headroom"`
	Watchdog Watchdog     `yaml:"watchdog"`
}

// CNP is the class of congestion notification packets.
type CNP struct {
	DSCP     int `yaml:"dscp"`     // 0 to 63
	Priority int `yaml:"priority"` // 0 to 7
}

// ECN is a marking profile: a name, or the three numbers.
type ECN struct {
	Profile string        `yaml:"profile"` // auto, a named profile, or custom (the default where kmin is given)
	Kmin    quantity.Size `yaml:"kmin"`
	Kmax    quantity.Size `yaml:"kmax"`
	Pmax    int           `yaml:"pmax"` // percent, 1 to 100
}

// Watchdog is the PFC watchdog.
type Watchdog struct {
	Detect  time.Duration `yaml:"detect"`
	Restore time.Duration `yaml:"restore"`
	Action  string        `yaml:"action"` // drop | forward | alert
}

// Addressing is the section "addressing".
type Addressing struct {
	Rails     netip.Prefix `yaml:"rails"`
	Loopbacks netip.Prefix `yaml:"loopbacks"`
	Links     LinkPrefix   `yaml:"links"`
	VLANBase  int          `yaml:"vlan_base"` // 2 to 4094
	ASN       ASN          `yaml:"asn"`
	Host      string       `yaml:"host"` // vlan | routed
}

// ASN is the numbering of BGP autonomous systems: the first of each tier.
type ASN struct {
	Leaf      uint32 `yaml:"leaf"`
	Spine     uint32 `yaml:"spine"`
	Core      uint32 `yaml:"core"`
	SpineMode string `yaml:"spine_mode"` // shared | unique
}

// Management is the section "management".
type Management struct {
	Subnet  netip.Prefix `yaml:"subnet"`
	Gateway netip.Addr   `yaml:"gateway"`
	VRF     string       `yaml:"vrf"`
	NTP     []netip.Addr `yaml:"ntp"`
	DNS     []netip.Addr `yaml:"dns"`
	Syslog  []netip.Addr `yaml:"syslog"`
	Users   []User       `yaml:"users"`
	// BootServer is the URL under which the output directory is served to
	// switches that fetch their configuration at first boot; "" none.
	BootServer string `yaml:"boot_server"`
	// SiteSections are patterns of what the site manages by itself on the switches.
	SiteSections []string `yaml:"site_sections"`
}

// User is a login on every switch.
type User struct {
	Name         string   `yaml:"name"`
	Role         string   `yaml:"role"` // admin | operator
	PasswordHash Secret   `yaml:"password_hash" strict:"secret"`
	SSHKeys      []string `yaml:"ssh_keys"`
}

// Secret says where a secret is kept: exactly one of the two is set.
type Secret struct {
	Env  string `yaml:"env"`
	File string `yaml:"file"`
}

// InfiniBand is the section "infiniband".
type InfiniBand struct {
	SubnetManager string      `yaml:"subnet_manager"` // opensm | ufm | switch
	SMGUID        GUID        `yaml:"sm_guid"`        // port the subnet manager binds to; 0 unknown
	UFMLinks      int         `yaml:"ufm_links"`
	Routing       string      `yaml:"routing"` // auto | a routing engine
	GUIDFile      string      `yaml:"guids"`   // CSV of name,guid beside the cluster file
	Partitions    []Partition `yaml:"partitions"`
}

// Partition is an InfiniBand partition.
type Partition struct {
	Name       string   `yaml:"name"`
	PKey       PKey     `yaml:"pkey"`
	Members    []string `yaml:"members"`    // host lists or globs
	Membership string   `yaml:"membership"` // full | limited

	lists []hostlist.List // Members as Load parsed them
}

// Override changes single devices.
type Override struct {
	Match     string  `yaml:"match"` // device name, host list or glob
	OS        string  `yaml:"os"`
	Model     string  `yaml:"model"`
	Release   string  `yaml:"release"`
	ASN       *uint32 `yaml:"asn"`
	NoTransit *bool   `yaml:"no_transit"`

	// Spec is the catalog entry of Model; nil when the override has none.
	Spec *catalog.Switch `yaml:"-"`

	list *hostlist.List // Match as Load parsed it
}

// Hardware lets a site add or correct catalog entries, here or in a file beside
// the cluster file; what stands here wins.
type Hardware struct {
	File     string           `yaml:"file"`
	GPUs     []catalog.GPU    `yaml:"gpus"`
	Servers  []catalog.Server `yaml:"servers"`
	NICs     []catalog.NIC    `yaml:"nics"`
	ASICs    []catalog.ASIC   `yaml:"asics"`
	Switches []catalog.Switch `yaml:"switches"`
}
