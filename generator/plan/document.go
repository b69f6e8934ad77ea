package plan

import "railyard/generator/cabling"

// The types below are the elements of the JSON document. A null says that a value
// does not apply or is not known; lists are never null. Units are numbered from 1,
// as in names; rails, planes and slots from 0.

type countsDoc struct {
	Servers        int `json:"servers"`
	GPUs           int `json:"gpus"`
	Units          int `json:"units"`
	Rails          int `json:"rails"`
	Planes         int `json:"planes"`
	Leaf           int `json:"leaf"`
	Spine          int `json:"spine"`
	Core           int `json:"core"`
	HostLinks      int `json:"host_links"`
	LeafSpineLinks int `json:"leaf_spine_links"`
	SpineCoreLinks int `json:"spine_core_links"`
	HostCables     int `json:"host_cables"`
	FabricCables   int `json:"fabric_cables"`
}

type oversubscriptionDoc struct {
	Leaf  *string `json:"leaf"` // null: the tier has no uplinks
	Spine *string `json:"spine"`
}

type groupDoc struct {
	Name           string `json:"name"`
	Count          int    `json:"count"`
	Model          string `json:"model"`
	GPU            string `json:"gpu"`
	GPUsPerServer  int    `json:"gpus_per_server"`
	NIC            string `json:"nic"`
	NICs           int    `json:"nics"`
	NICSpeedGbps   int    `json:"nic_speed_gbps"`
	RailsPerLeaf   int    `json:"rails_per_leaf"`
	ServersPerUnit int    `json:"servers_per_unit"`
	FirstUnit      int    `json:"first_unit"`
	Units          int    `json:"units"`
	UplinksPerLeaf int    `json:"uplinks_per_leaf"`
	UplinkGbps     int    `json:"uplink_speed_gbps"`
	Class          string `json:"class"` // lossless class of what the hosts send, "" without one
}

type modelDoc struct {
	ID          string `json:"id"`
	Vendor      string `json:"vendor"`
	ASIC        string `json:"asic"`
	BufferBytes *int64 `json:"buffer_bytes"`
	CellBytes   *int   `json:"cell_bytes"`
	Cages       int    `json:"cages"`
	Confidence  string `json:"confidence"`
}

type switchDoc struct {
	Name            string  `json:"name"`
	Role            string  `json:"role"`
	Model           string  `json:"model"`
	OS              string  `json:"os"`
	Release         string  `json:"release,omitempty"`
	Unit            *int    `json:"unit"`
	Rails           []int   `json:"rails"`
	Plane           int     `json:"plane"`
	ASN             *uint32 `json:"asn"`
	Loopback        *string `json:"loopback"`
	Management      *string `json:"management"`
	NoTransit       bool    `json:"no_transit,omitempty"`
	GUID            *string `json:"guid,omitempty"`
	GUIDPlaceholder bool    `json:"guid_placeholder,omitempty"`
}

type serverDoc struct {
	Name  string   `json:"name"`
	Group *string  `json:"group"` // null for a UFM host
	UFM   bool     `json:"ufm,omitempty"`
	Unit  int      `json:"unit"`
	Slot  int      `json:"slot"`
	NICs  []nicDoc `json:"nics"`
}

type nicDoc struct {
	Name            string  `json:"name"`
	Rail            int     `json:"rail"`
	Plane           int     `json:"plane"`
	Address         *string `json:"address,omitempty"`
	Gateway         *string `json:"gateway,omitempty"`
	GUID            *string `json:"guid,omitempty"`
	GUIDPlaceholder bool    `json:"guid_placeholder,omitempty"`
}

type linkDoc struct {
	A         endDoc  `json:"a"`
	B         endDoc  `json:"b"`
	SpeedGbps int     `json:"speed_gbps"`
	LengthM   float64 `json:"length_m"`
	Kind      string  `json:"kind"`
	Type      string  `json:"type"`
	Cable     int     `json:"cable"`
	Plane     int     `json:"plane"`
	Rail      *int    `json:"rail,omitempty"`
}

type endDoc struct {
	Device  string  `json:"device"`
	Port    string  `json:"port"`
	Panel   string  `json:"panel,omitempty"` // of a switch: cage, or cage/lane
	Address *string `json:"address,omitempty"`
}

type vlanDoc struct {
	ID      int     `json:"id"`
	Name    string  `json:"name"`
	Rail    int     `json:"rail"`
	Unit    int     `json:"unit"`
	Plane   int     `json:"plane"`
	Subnet  *string `json:"subnet"`
	Gateway *string `json:"gateway"`
}

type underlayDoc struct {
	BGP        bool    `json:"bgp"`
	Unnumbered bool    `json:"unnumbered"`
	Loopbacks  *string `json:"loopbacks"`
	Rails      *string `json:"rails"`
	Links      *string `json:"links"`
	MaxPaths   int     `json:"max_paths"`
	SpineASN   string  `json:"spine_asn"`
	HostMode   string  `json:"host_mode"`
	MTU        int     `json:"mtu"`
	HostMTU    int     `json:"host_mtu"`
}

type managementDoc struct {
	Subnet  *string `json:"subnet"`
	Gateway *string `json:"gateway"`
	VRF     string  `json:"vrf"`
}

type losslessDoc struct {
	Priority     *int         `json:"priority"` // of the first lossless class
	DSCP         *int         `json:"dscp"`
	Classes      []classDoc   `json:"classes"`
	Links        []profileDoc `json:"links"`
	Buffers      []bufferDoc  `json:"buffers"`
	ECNProfile   string       `json:"ecn_profile"`
	ECNSource    string       `json:"ecn_source"`
	Watchdog     watchdogDoc  `json:"watchdog"`
	DeadlockFree *bool        `json:"deadlock_free"` // null: not checked
	Deadlock     deadlockDoc  `json:"deadlock"`
}

type classDoc struct {
	Name          string `json:"name"`
	DSCP          []int  `json:"dscp"` // empty: all that no other class names
	Priority      int    `json:"priority"`
	TrafficClass  int    `json:"traffic_class"`
	Queue         int    `json:"queue"`
	PriorityGroup int    `json:"priority_group"`
	Lossless      bool   `json:"lossless"`
	ECN           bool   `json:"ecn"`
	Strict        bool   `json:"strict"`
	WeightPercent int    `json:"weight_percent"`
	CNP           bool   `json:"cnp"`
}

type profileDoc struct {
	SpeedGbps   int     `json:"speed_gbps"`
	LengthM     float64 `json:"length_m"`
	Model       string  `json:"model"`
	MTU         int     `json:"mtu"`
	XoffBytes   int     `json:"xoff_bytes"`
	XonBytes    int     `json:"xon_bytes"`
	SizeBytes   int     `json:"size_bytes"`
	AlphaLog2   int     `json:"alpha_log2"`
	KminBytes   int     `json:"kmin_bytes"`
	KmaxBytes   int     `json:"kmax_bytes"`
	PmaxPercent int     `json:"pmax_percent"`
	Headroom    string  `json:"headroom"`
	Source      string  `json:"source"`
}

type bufferDoc struct {
	Model         string   `json:"model"`
	HeadroomBytes int64    `json:"headroom_bytes"`
	TotalBytes    *int64   `json:"total_bytes"` // null: unknown
	Switches      []string `json:"switches"`
}

type watchdogDoc struct {
	Enabled   bool   `json:"enabled"`
	DetectMS  int64  `json:"detect_ms"`
	RestoreMS int64  `json:"restore_ms"`
	Action    string `json:"action"`
}

type deadlockDoc struct {
	Checked bool     `json:"checked"`
	Scope   string   `json:"scope"`
	Cycle   []string `json:"cycle"`
}

type subnetDoc struct {
	Manager    string         `json:"manager"`
	Routing    string         `json:"routing"`
	UFMLinks   int            `json:"ufm_links"`
	Partitions []partitionDoc `json:"partitions"`
}

type partitionDoc struct {
	Name       string   `json:"name"`
	PKey       string   `json:"pkey"`
	Membership string   `json:"membership"`
	Members    []string `json:"members"`
}

type choiceDoc struct {
	Subject string `json:"subject"`
	Chosen  string `json:"chosen"`
	Reason  string `json:"reason"`
	Else    string `json:"else"`
}

type billDoc struct {
	Switches []cabling.SwitchItem `json:"switches"`
	Cables   []cabling.CableItem  `json:"cables"`
	Ports    []cabling.PortItem   `json:"ports"`
}

type findingDoc struct {
	Severity string   `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Remedy   string   `json:"remedy"`
	Source   string   `json:"source"`
	Objects  []string `json:"objects"`
}
