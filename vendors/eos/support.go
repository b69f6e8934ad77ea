package eos

func systemSupport() []Intent {
	return []Intent{
		{
			Name: "users", Level: Confirmed, Source: "AVD",
			Note: "SHA-512 crypt hashes only; two keys; nopassword only for a user declared without a hash, with a finding",
			Commands: []string{
				"username <name> privilege 15 role network-admin secret sha512 <hash>",
				"username <name> ssh-key <key>",
				"username <name> ssh-key secondary <key>",
				"username <name> privilege 15 role network-admin nopassword",
			},
		},
		{
			Name: "operator role", Level: Partial, Source: "Arista ML2 driver guide (role network-operator)",
			Note: "no AVD example of the role",
			Commands: []string{
				"username <name> privilege 1 role network-operator secret sha512 <hash>",
				"username <name> privilege 1 role network-operator nopassword",
			},
		},
		{
			Name: "command authorization", Level: Confirmed, Source: "AVD",
			Note: "lets privilege 15 take effect at login",
			Commands: []string{
				"aaa authorization exec default local",
			},
		},
		{
			Name: "hostname", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"hostname <name>",
			},
		},
		{
			Name: "DNS", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"ip name-server vrf <vrf> <address>",
			},
		},
		{
			Name: "NTP", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"ntp server vrf <vrf> <address>",
				"ntp server <address>",
			},
		},
		{
			Name: "syslog", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"logging vrf <vrf> host <address>",
				"logging host <address>",
			},
		},
		{
			Name: "LLDP", Level: Confirmed, Source: "Batfish",
			Note: "on by default and hidden",
		},
	}
}

func managementSupport() []Intent {
	return []Intent{
		{
			Name: "management", Level: Confirmed, Source: "AVD",
			Note: "chassis: Management0 on the 7800R only",
			Commands: []string{
				"vrf instance <vrf>",
				"interface Management<n>",
				"vrf <vrf>",
				"ip address <prefix>",
				"no ip routing vrf <vrf>",
				"ip route vrf <vrf> 0.0.0.0/0 <address>",
				"ip route 0.0.0.0/0 <address>",
			},
		},
		{
			Name: "gNMI", Level: Confirmed, Source: "OpenMgmt, AVD",
			Note: "clear text until a certificate is installed",
			Commands: []string{
				"management api gnmi",
				"transport grpc default",
				"vrf <vrf>",
			},
		},
		{
			Name: "gNMI over TLS", Level: Partial, Steps: true, Source: "OpenMgmt",
			Note: "needs the switch's certificate",
			Commands: []string{
				"management security",
				"ssl profile <name>",
				"certificate <file> key <file>",
			},
		},
	}
}

func portSupport() []Intent {
	return []Intent{
		{
			Name: "port names", Level: Confirmed, Source: "SONiC aliases, Batfish",
			Note: "fixed boxes; a chassis is refused",
			Commands: []string{
				"interface Ethernet<cage>/<lane>",
				"interface Ethernet<cage>",
			},
		},
		{
			Name: "speed and breakout", Level: Confirmed, Source: "AVD (valid speeds), Batfish pull request 9929, AMD",
			Note: "each member its own line",
			Commands: []string{
				"speed <rate>g-<lanes>",
				"speed 1.6t-8",
				"speed <rate>g",
			},
		},
		{
			Name: "FEC", Level: Confirmed, Source: "AVD",
			Note: "RS-544 is implied above 100G lanes: nothing to write",
		},
		{
			Name: "description", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"description <peer>:<port>",
			},
		},
		{
			Name: "unused and reserved ports", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"description unused",
				"description reserved",
				"shutdown",
			},
		},
	}
}

func linkSupport() []Intent {
	return []Intent{
		{
			Name: "MTU", Level: Confirmed, Source: "AMD, Batfish, RoCE436",
			Note: "routed ports and VLAN interfaces; 9214 is the most",
			Commands: []string{
				"mtu <bytes>",
			},
		},
		{
			Name: "rail VLANs", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"vlan <id>",
				"name <name>",
				"switchport access vlan <id>",
				"interface Vlan<id>",
			},
		},
		{
			Name: "spanning tree", Level: Confirmed, Source: "AVD",
			Note: "host VLAN ports are edge ports",
			Commands: []string{
				"spanning-tree mode mstp",
				"spanning-tree portfast",
			},
		},
		{
			Name: "routed ports", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"no switchport",
				"ip address <prefix>",
			},
		},
		{
			Name: "cell ports of a distributed system", Level: Not, Source: "not found",
			Note: "left out, finding EOS_CELL_FABRIC",
		},
	}
}

func routingSupport() []Intent {
	return []Intent{
		{
			Name: "forwarding", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"ip routing",
				"service routing protocols model multi-agent",
			},
		},
		{
			Name: "loopback", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"interface Loopback0",
				"ip address <prefix>",
			},
		},
		{
			Name: "eBGP underlay", Level: Confirmed, Source: "AVD",
			Note: "maximum-routes 0 lifts the limit of 12000 prefixes",
			Commands: []string{
				"router bgp <asn>",
				"router-id <address>",
				"no bgp default ipv4-unicast",
				"neighbor <group> peer group",
				"neighbor <group> maximum-routes 0",
				"neighbor <address> peer group <group>",
				"neighbor <address> remote-as <asn>",
				"neighbor <address> description <text>",
				"address-family ipv4",
				"neighbor <group> activate",
			},
		},
		{
			Name: "ECMP", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"maximum-paths <n> ecmp <n>",
			},
		},
		{
			Name: "advertised prefixes", Level: Confirmed, Source: "AVD",
			Commands: []string{
				"ip prefix-list <name>",
				"seq <n> permit <prefix>",
				"seq <n> permit <prefix> eq <length>",
				"route-map <name> permit <n>",
				"match ip address prefix-list <name>",
				"redistribute connected route-map <name>",
			},
		},
	}
}

func policySupport() []Intent {
	return []Intent{
		{
			Name: "no transit", Level: Confirmed, Source: "AVD",
			Note: "tagged on the way in, refused on the way up; the tag never leaves the switch",
			Commands: []string{
				"ip community-list <name> permit <community>",
				"route-map <name> deny <n>",
				"set community <community> additive",
				"match community <name>",
				"neighbor <group> route-map <name> in",
				"neighbor <group> route-map <name> out",
			},
		},
		{
			Name: "unnumbered", Level: Confirmed, Source: "AVD, Batfish",
			Commands: []string{
				"ipv6 enable",
				"ip routing ipv6 interfaces",
				"ipv6 unicast-routing",
				"neighbor interface <port> peer-group <group> remote-as <asn>",
				"neighbor <group> next-hop address-family ipv6 originate",
			},
		},
		{
			Name: "dynamic load balancing", Level: Partial, Steps: true, Source: "AVD issue 4920",
			Note: "not found for every box",
			Commands: []string{
				"ip hardware fib load-balance distribution dynamic",
			},
		},
	}
}

func losslessSupport() []Intent {
	return []Intent{
		{
			Name: "trust", Level: Confirmed, Source: "AVD, AMD, Habana",
			Note: "in the profile; switched ports would trust CoS",
			Commands: []string{
				"qos trust dscp",
			},
		},
		{
			Name: "classification", Level: Confirmed, Source: "AVD, AVD6402",
			Note: "all 64 code points",
			Commands: []string{
				"qos map dscp <list> to traffic-class <n>",
			},
		},
		{
			Name: "classification of RoCE v1", Level: Confirmed, Source: "AVD, AVD6402",
			Commands: []string{
				"qos trust cos",
				"qos map cos <list> to traffic-class <n>",
			},
		},
		{
			Name: "traffic class to queue", Level: Confirmed, Source: "AVD6402, AVD",
			Note: "written only where the numbers differ",
			Commands: []string{
				"qos map traffic-class <n> to uc-tx-queue <n>",
				"qos map traffic-class <n> to tx-queue <n>",
			},
		},
		{
			Name: "profiles", Level: Confirmed, Source: "AVD, AMD",
			Note: "one per speed and cable length",
			Commands: []string{
				"qos profile <name>",
				"service-profile <name>",
			},
		},
		{
			Name: "queues", Level: Partial, Source: "Habana (7060X4, 7060X5), AMD (7388), RoCE436 (Jericho)",
			Note: "inferred for the 7060X6, 7060XE7 and 7050X4",
			Commands: []string{
				"uc-tx-queue <n>",
				"tx-queue <n>",
			},
		},
		{
			Name: "scheduling", Level: Confirmed, Source: "AVD pull request 4579, RoCE436",
			Commands: []string{
				"no priority",
				"bandwidth percent <n>",
				"priority strict",
			},
		},
		{
			Name: "ECN", Level: Confirmed, Source: "AVD (units), AMD, RoCE436",
			Note: "bytes on Trident and Tomahawk, kbytes on Jericho, where no weight is written",
			Commands: []string{
				"random-detect ecn minimum-threshold <n> <unit> maximum-threshold <n> <unit> max-mark-probability <percent>",
				"random-detect ecn minimum-threshold <n> <unit> maximum-threshold <n> <unit> max-mark-probability <percent> weight 0",
			},
		},
	}
}

func flowControlSupport() []Intent {
	return []Intent{
		{
			Name: "PFC", Level: Confirmed, Source: "AVD, AMD, Habana",
			Note: "priority = traffic class",
			Commands: []string{
				"priority-flow-control on",
				"priority-flow-control priority <n> no-drop",
			},
		},
		{
			Name: "watchdog", Level: Confirmed, Source: "AVD, AIGuide",
			Note: "action drop only",
			Commands: []string{
				"priority-flow-control pause watchdog default timeout <seconds>",
				"priority-flow-control pause watchdog default recovery-time <seconds>",
				"priority-flow-control pause watchdog default polling-interval <seconds>",
				"priority-flow-control pause watchdog action drop",
			},
		},
		{
			Name: "headroom and dynamic threshold", Level: Partial, Steps: true, Source: "AVD, Habana",
			Note: "whole switch, limits unpublished; EOS's automatic values stay",
			Commands: []string{
				"platform trident mmu queue profile <name>",
				"ingress threshold <fraction>",
				"ingress headroom <bytes>",
				"platform trident mmu queue profile <name> apply",
			},
		},
		{
			Name: "headroom on Jericho", Level: Not, Source: "not found",
		},
		{
			Name: "PFC priority other than the traffic class", Level: Not, Source: "not found",
			Note: "refused",
		},
		{
			Name: "watchdog action forward or alert", Level: Not, Source: "not found",
			Note: "refused",
		},
	}
}
