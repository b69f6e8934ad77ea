package cluster

import (
	"net/netip"
	"time"

	"railyard/generator/quantity"
)

// Cable lengths where the file gives none: copper in the rack, then what rows
// and halls usually need. Headroom follows from them, so true lengths matter.
const (
	hostLength  quantity.Length = 5
	spineLength quantity.Length = 30
	coreLength  quantity.Length = 100
)

// defaults is a cluster as it is when the file gives nothing but name, servers
// and leaf.
func defaults() Cluster {
	even := quantity.Ratio{Down: 1, Up: 1}
	return Cluster{
		Version: 1,
		Fabric: Fabric{
			Technology: "roce", RoCE: "v2", Topology: auto, Attachment: "rail",
			Planes: 1, Oversubscription: even, CoreOversubscription: even,
		},
		Lossless: Lossless{
			CNP:      CNP{DSCP: 48, Priority: 6},
			ECN:      ECN{Profile: auto},
			Watchdog: Watchdog{Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"},
		},
		Addressing: Addressing{
			Rails:     netip.MustParsePrefix("10.16.0.0/12"),
			Loopbacks: netip.MustParsePrefix("10.255.0.0/16"),
			Links:     LinkPrefix{Prefix: netip.MustParsePrefix("10.240.0.0/13")},
			VLANBase:  100,
			ASN:       ASN{Leaf: 4200010000, Spine: 4200001000, Core: 4200000000, SpineMode: "shared"},
			Host:      "vlan",
		},
		Management: Management{
			Subnet:  netip.MustParsePrefix("192.168.100.0/22"),
			Gateway: netip.MustParseAddr("192.168.100.1"),
			VRF:     "mgmt",
		},
		InfiniBand: InfiniBand{SubnetManager: "opensm", Routing: auto},
		Outputs:    keys()["Cluster.outputs"].enum,
	}
}

// fill gives what depends on other keys its default: entries of lists, and keys
// whose default follows from what the user did write.
func (l *loader) fill() {
	c := l.c
	for i := range c.Management.Users {
		if u := &c.Management.Users[i]; u.Role == "" {
			u.Role = l.rules.byKey["User.role"].def
		}
	}
	for i := range c.InfiniBand.Partitions {
		if p := &c.InfiniBand.Partitions[i]; p.Membership == "" {
			p.Membership = l.rules.byKey["Partition.membership"].def
		}
	}
	if c.written("management.subnet") && !c.written("management.gateway") {
		c.Management.Gateway = c.Management.Subnet.Addr().Next()
	}
	if c.written("lossless.ecn.kmin") && !c.written("lossless.ecn.profile") {
		c.Lossless.ECN.Profile = "custom"
	}
	orLength(&c.Switches.Leaf.Cable.Length, hostLength)
	orLength(&c.Switches.Spine.Cable.Length, spineLength)
	orLength(&c.Switches.Core.Cable.Length, coreLength)
	for i := range c.Servers {
		cable := &c.Servers[i].Cable
		orLength(&cable.Length, c.Switches.Leaf.Cable.Length)
		if cable.Type == "" {
			cable.Type = c.Switches.Leaf.Cable.Type
		}
	}
}

func orLength(l *quantity.Length, def quantity.Length) {
	if *l == 0 {
		*l = def
	}
}
