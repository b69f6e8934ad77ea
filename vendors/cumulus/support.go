package cumulus

func bridgeSupport() []Intent {
	return []Intent{
		{Name: "VLANs", Level: Confirmed, Source: "BGP516, netlab", Note: "VLANs have numbers only; 3725 to 3999 are the switch's own",
			Commands: []string{"bridge domain br_default type vlan-aware", "bridge domain br_default vlan <vlan>"}},
		{Name: "access port", Level: Confirmed, Source: "GEN, netlab",
			Commands: []string{"interface <port> bridge domain br_default access <vlan>"}},
		{Name: "edge port", Level: Confirmed, Until: 14, Source: "NVUE, NEW515",
			Commands: []string{"interface <port> bridge domain br_default stp admin-edge on"}},
		{Name: "edge port", Level: Confirmed, Since: 15, Source: "NEW515",
			Commands: []string{"interface <port> bridge domain br_default stp admin-edge enabled"}},
		{Name: "spanning-tree priority, untagged VLAN", Level: Not, Note: "the device's own"},
	}
}

func addressSupport() []Intent {
	return []Intent{
		{Name: "addresses", Level: Confirmed, Until: 14, Source: "BGP516, WS55",
			Note: "the page for 5.16 still prints this spelling; an export of 5.15.0 prints the other",
			Commands: []string{
				"interface eth0 ip address <prefix>", "interface eth0 ip gateway <address>", "interface eth0 ip vrf mgmt",
				"interface lo ip address <prefix>", "interface <port> ip address <prefix>", "interface <svi> ip address <prefix>",
			}},
		{Name: "addresses", Level: Confirmed, Since: 15, Source: "NEW515, AIR, GEN",
			Commands: []string{
				"interface eth0 ipv4 address <prefix>", "interface eth0 ipv4 gateway <address>", "interface eth0 vrf mgmt",
				"interface lo ipv4 address <prefix>", "interface <port> ipv4 address <prefix>", "interface <svi> ipv4 address <prefix>",
			}},
		{Name: "interface types", Level: Confirmed, Source: "BGP516, AIR, WS55",
			Commands: []string{"interface eth0 type eth", "interface lo type loopback", "interface <port> type swp",
				"interface <svi> type svi", "interface <svi> vlan <vlan>"}},
		{Name: "redundant gateway", Level: Not, Note: "each rail has one leaf; nothing is shared between two"},
	}
}

func portSupport() []Intent {
	return []Intent{
		{Name: "breakout", Level: Confirmed, Source: "PORT516, GEN", Note: "lanes per part are the device's own since 5.9; applied before QoS",
			Commands: []string{"interface <port> link breakout <split>", "interface <port> link breakout disabled"}},
		{Name: "description", Level: Confirmed, Source: "NVUE", Commands: []string{"interface <port> description <text>", "interface <svi> description <text>"}},
		{Name: "MTU", Level: Confirmed, Source: "NVUE, PORT516", Commands: []string{"interface <port> link mtu <number>"}},
		{Name: "speed", Level: Confirmed, Source: "PORT516", Note: "only below what the cage runs by itself; FEC is left to the device, which knows the optic",
			Commands: []string{"interface <port> link speed <speed>"}},
		{Name: "port down", Level: Partial, Source: "WS55, netlab", Note: "the form in files from 5.15 on was not found: a finding says so",
			Commands: []string{"interface <port> link state down"}},
		{Name: "LLDP", Level: Confirmed, Source: "NVUE", Note: "on by default, nothing written"},
		{Name: "FEC, autonegotiation", Level: Not, Source: "PORT516", Note: "set by optic and speed; a fixed value can break links"},
	}
}

func mappingSupport() []Intent {
	return []Intent{
		{Name: "classification", Level: Confirmed, Source: "QOS516, NVUE", Note: "all 64 code points (or all 8 priorities) are written",
			Commands: []string{
				"qos mapping default-global trust l3", "qos mapping default-global dscp <number> switch-priority <digit>",
				"qos mapping default-global trust l2", "qos mapping default-global pcp <digit> switch-priority <digit>",
			}},
		{Name: "queues", Level: Confirmed, Source: "QOS516, NVUE", Note: "for the whole switch only",
			Commands: []string{"qos egress-queue-mapping default-global switch-priority <digit> traffic-class <digit>"}},
		{Name: "scheduling", Level: Confirmed, Source: "QOS516, NVUE",
			Commands: []string{
				"qos egress-scheduler <profile> traffic-class <digit> mode dwrr", "qos egress-scheduler <profile> traffic-class <digit> mode strict",
				"qos egress-scheduler <profile> traffic-class <digit> bw-percent <number>", "interface <port> qos egress-scheduler profile <profile>",
			}},
		{Name: "remarking", Level: Not, Note: "hosts mark; the switch keeps what they say"},
		{Name: "RoCE shorthand", Level: Not, Source: "ROCE515", Note: "fixes what the plan decides; see CUMULUS_ROCE_MODE"},
	}
}

func bufferSupport() []Intent {
	return []Intent{
		{Name: "ECN", Level: Confirmed, Source: "QOS516, NVUE",
			Note: "marking is on in a profile of one's own, dropping is off; Spectrum-4 programs the next higher cell",
			Commands: []string{
				"qos congestion-control <profile> traffic-class <digit> min-threshold <number>",
				"qos congestion-control <profile> traffic-class <digit> max-threshold <number>",
				"qos congestion-control <profile> traffic-class <digit> probability <number>",
				"interface <port> qos congestion-control profile <profile>",
			}},
		{Name: "no ECN on class 0", Level: Confirmed, Source: "QOS516", Note: "on by default; later releases than 5.16 also spell it disabled",
			Commands: []string{"qos congestion-control default-global traffic-class 0 ecn disable"}},
		{Name: "PFC", Level: Confirmed, Source: "QOS516, NVUE", Note: "receive and send are on in a profile",
			Commands: []string{"qos pfc <profile> cable-length <number>", "qos pfc <profile> switch-priority <digit>", "interface <port> qos pfc profile <profile>"}},
		{Name: "pools", Level: Confirmed, Source: "QOS516, NVUE",
			Commands: []string{"qos traffic-pool default-lossless memory-percent <number>", "qos traffic-pool default-lossy memory-percent <number>"}},
		{Name: "dynamic threshold", Level: Confirmed, Source: "NVUE", Note: "one for all ports, written where it is not the default of 1",
			Commands: []string{"qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha <alpha>"}},
		{Name: "PFC watchdog", Level: Confirmed, Source: "NVUE, GEN", Note: "drops; the time to restore is not configurable",
			Commands: []string{"qos pfc-watchdog polling-interval <number>", "qos pfc-watchdog robustness <number>", "interface <port> qos pfc-watchdog state enable"}},
		{Name: "headroom in bytes", Level: Not, Source: "QOS516", Note: "computed by the device from speed and cable length"},
		{Name: "adaptive routing", Level: Not, Source: "NVUE", Note: "builds on the RoCE shorthand"},
	}
}

func routingSupport() []Intent {
	shared := []string{
		"router bgp autonomous-system <number>", "router bgp router-id <address>",
		"vrf default router bgp address-family ipv4-unicast network <prefix>",
		"vrf default router bgp address-family ipv4-unicast multipaths ebgp <number>",
		"vrf default router bgp neighbor <neighbor> remote-as <number>",
		"vrf default router bgp neighbor <neighbor> type numbered", "vrf default router bgp neighbor <neighbor> type unnumbered",
	}
	return []Intent{
		{Name: "BGP", Level: Confirmed, Source: "BGP516, GEN, netlab", Commands: shared,
			Note: "own networks are announced by name; link addresses are not"},
		{Name: "BGP switches", Level: Confirmed, Until: 14, Source: "BGP516, netlab",
			Commands: []string{"router bgp enable on", "vrf default router bgp enable on", "vrf default router bgp address-family ipv4-unicast enable on",
				"vrf default router bgp path-selection multipath aspath-ignore on"}},
		{Name: "BGP switches", Level: Confirmed, Since: 15, Source: "NEW515, AIR, GEN",
			Commands: []string{"router bgp state enabled", "vrf default router bgp state enabled", "vrf default router bgp address-family ipv4-unicast state enabled",
				"vrf default router bgp path-selection multipath aspath-ignore enabled"}},
	}
}

func policySupport() []Intent {
	return []Intent{
		{Name: "no transit", Level: Partial, Source: "NVUE, BGP516", Note: "documented as commands; the form in a file is derived: a finding says so",
			Commands: []string{
				"router policy community-list from-uplinks rule <number> action permit",
				"router policy community-list from-uplinks rule <number> community <community>",
				"router policy route-map <profile> rule <number> action permit", "router policy route-map <profile> rule <number> action deny",
				"router policy route-map <profile> rule <number> set community <community>",
				"router policy route-map <profile> rule <number> match community-list from-uplinks",
				"vrf default router bgp neighbor <neighbor> address-family ipv4-unicast policy inbound route-map <profile>",
				"vrf default router bgp neighbor <neighbor> address-family ipv4-unicast policy outbound route-map <profile>",
			}},
	}
}

func loginSupport() []Intent {
	return []Intent{
		{Name: "users", Level: Confirmed, Source: "SSH516, BGP516, GEN", Note: "any crypt form of Linux; a user by key alone gets a hash nothing matches",
			Commands: []string{
				"system aaa user <name> hashed-password <hash>", "system aaa user <name> role <role>",
				"system aaa user <name> ssh authorized-key <name> key <key>", "system aaa user <name> ssh authorized-key <name> type <keytype>",
			}},
		{Name: "roles", Level: Confirmed, Source: "BGP516, WS55", Note: "as on a new switch",
			Commands: []string{
				"system aaa class <name> action allow", "system aaa class <name> command-path / permission <permission>",
				"system aaa role <role> class <name>",
			}},
	}
}

func serviceSupport() []Intent {
	return []Intent{
		{Name: "hostname", Level: Confirmed, Source: "BGP516", Commands: []string{"system hostname <name>"}},
		{Name: "DNS, NTP", Level: Confirmed, Until: 14, Source: "NVUE, WS55",
			Commands: []string{"service dns mgmt server <address>", "service ntp mgmt server <address>"}},
		{Name: "DNS, NTP", Level: Partial, Since: 15, Source: "NEW515", Note: "in which VRF they are reached is not documented",
			Commands: []string{"system dns server <address>", "system ntp server <address>"}},
		{Name: "syslog", Level: Confirmed, Until: 12, Source: "NVUE", Commands: []string{"service syslog mgmt server <address>"}},
		{Name: "syslog", Level: Confirmed, Since: 13, Source: "NEW513, NVUE", Commands: []string{"system syslog server <address> vrf mgmt"}},
		{Name: "API, SSH", Level: Confirmed, Since: 13, Source: "BGP516, GEN", Note: "before 5.13 the factory's",
			Commands: []string{"system api state enabled", "system ssh-server state enabled",
				"system control-plane acl acl-default-dos inbound", "system control-plane acl acl-default-whitelist inbound"}},
		{Name: "gNMI", Level: Confirmed, Since: 13, Source: "NVUE", Note: "telemetry only: it has no Set, so changes go through NVUE",
			Commands: []string{"system gnmi-server state enabled", "system gnmi-server listening-address <address>"}},
		{Name: "gNMI certificate", Level: Not, Note: "cannot be part of a file made beforehand"},
	}
}
