package eos

import (
	"strconv"

	"railyard/vendors/clitree"
)

// diffPortPlace is the context of lines under every interface.
const diffPortPlace = "interface *"

// Source tags of the rules: AVD, BF (show running-config all of three switches in
// batfish's tests), ANNET (production rules), BLOG36, AMD and HABANA as in doc.go;
// INFERRED marks what no document confirms and errs towards showing a difference.

// DiffRules are what EOS's lines mean.
func DiffRules() *clitree.Rules {
	r := &clitree.Rules{
		Syntax: clitree.EOS(), Negation: "no", Leave: "exit",
		Begin: []string{"configure terminal"}, End: []string{"end"},
		Interfaces: map[string]string{"et": "Ethernet", "eth": "Ethernet", "ethernet": "Ethernet", "ma": "Management", "management": "Management",
			"lo": "Loopback", "loopback": "Loopback", "vl": "Vlan", "vlan": "Vlan", "po": "Port-Channel", "port-channel": "Port-Channel"},
	}
	r.Lines = append(r.Lines, diffSystem()...)
	r.Lines = append(r.Lines, diffQoS()...)
	r.Lines = append(r.Lines, diffSections()...)
	r.Lines = append(r.Lines, diffPort()...)
	r.Lines = append(r.Lines, diffFlowControl(diffPortPlace)...)
	r.Lines = append(r.Lines, diffFlowControl("qos profile")...)
	r.Lines = append(r.Lines, diffBGP()...)
	r.Defaults, r.Rewrites = append(diffDefaults(), diffAll()...), diffRewrites()
	return r
}

func diffSystem() []clitree.Rule {
	return []clitree.Rule{
		{Match: "hostname ?", Undo: "no hostname", Rank: 1, Source: "AVD"},
		{Match: "service routing protocols model ?", Undo: "no service routing protocols model", Rank: 1, Note: "takes effect after a reload", Source: "AVD"},
		{Match: "logging vrf * host *", Own: clitree.Spoken, Rank: 5, Source: "AVD"},
		{Match: "logging host *", Own: clitree.Spoken, Rank: 5, Source: "AVD"},
		{Match: "ip name-server vrf * *", Own: clitree.Spoken, Rank: 5, Source: "AVD"},
		{Match: "ntp server vrf * * ~", Own: clitree.Spoken, Undo: "no ntp server vrf $1 $2", Rank: 5, Source: "AVD"},
		{Match: "ntp server vrf * *", Own: clitree.Spoken, Rank: 5, Source: "AVD"},
		{Match: "ntp server *", Own: clitree.Spoken, Rank: 5, Source: "AVD"},
		{Match: "spanning-tree mode ?", Undo: "no spanning-tree mode", Rank: 5, Source: "AVD"},
		{Match: "aaa authorization exec default ?", Undo: "no aaa authorization exec default", Own: clitree.Intended, Rank: 5, Source: "AVD"},
		{Match: "username * privilege * role * secret * ~", Secret: true, Undo: "no username $1", Resets: []string{"username $1 ~"}, OnUndo: true,
			Own: clitree.Intended, Rank: 6, Source: "AVD: secrets are compared by form"},
		{Match: "username * role * secret * ~", Secret: true, Undo: "no username $1", Resets: []string{"username $1 ~"}, OnUndo: true,
			Own: clitree.Intended, Rank: 6, Source: "AVD"},
		{Match: "username * ssh-key secondary ~", Text: true, Undo: "no username $1 ssh-key secondary", Own: clitree.Intended, Rank: 7, Assumed: true, Source: "ANNET"},
		{Match: "username * ssh-key ~", Text: true, Undo: "no username $1 ssh-key", Own: clitree.Intended, Rank: 7, Source: "ANNET"},
		{Match: "enable password **", Secret: true, Own: clitree.Intended, Source: "AVD"},
		{Match: "snmp-server community **", Secret: true, Own: clitree.Intended, Source: "AVD"},
		{Match: "ip routing ipv6 interfaces", Rank: 45, Source: "AVD"},
		{Match: "ip routing vrf *", Written: true, Own: clitree.Spoken, Rank: 46, Source: "AVD: printed with no where it is off"},
		{Match: "ip routing", Rank: 45, Source: "AVD: off by default"},
		{Match: "ipv6 unicast-routing", Rank: 45, Source: "AVD"},
		{Match: "ip route vrf * 0.0.0.0/0 *", Own: clitree.Spoken, Rank: 80, Source: "AVD"},
		{Match: "ip route 0.0.0.0/0 *", Own: clitree.Spoken, Rank: 80, Source: "AVD"},
		{Match: "ip community-list * permit|deny **", Ordered: true, Late: true, Own: clitree.Intended, Rank: 50, Source: "AVD"},
		{Match: "banner ~", Text: true, Own: clitree.Intended, Source: "AVD"},
	}
}

func diffQoS() []clitree.Rule {
	return []clitree.Rule{
		{Match: "qos rewrite *", Rank: 10, Source: "AVD"},
		{Match: "qos random-detect ecn allow non-ect ~", Undo: "no qos random-detect ecn allow non-ect", Rank: 10, Source: "AVD"},
		{Match: "qos map dscp # to traffic-class ?", List: "space", Undo: "=", Default: diffDSCP, Rank: 11, Source: "BLOG36: DSCP 0-7 to class 1, 8-15 to 0, else DSCP / 8"},
		{Match: "qos map cos # to traffic-class ?", List: "space", Undo: "=", Default: diffCoS, Rank: 11, Source: "BLOG36: 0 to 1, 1 to 0"},
		{Match: "qos map traffic-class # to dscp|cos ?", List: "space", Undo: "no qos map traffic-class $1 to $2", Assumed: true, Rank: 11, Source: "AVD"},
		{Match: "qos map traffic-class # to ? ?", List: "space", Undo: "=", Default: diffQueue, Normal: diffOneQueue, Rank: 11,
			Source: "AVD issue 6402: tx-queue and uc-tx-queue are the same map; INFERRED: class n to queue n is hidden"},
		{Match: "priority-flow-control all off", Rank: 12, Source: "AVD"},
		{Match: "priority-flow-control pause watchdog default timeout|recovery-time|polling-interval ?", Undo: "no priority-flow-control pause watchdog default $1", Rank: 12, Source: "AVD"},
		{Match: "priority-flow-control pause watchdog action ?", Undo: "no priority-flow-control pause watchdog action",
			Default: diffStanding("priority-flow-control pause watchdog action errdisable"), Rank: 12, Source: "AVD: errdisable is not printed"},
		{Match: "priority-flow-control pause watchdog override action ?", Undo: "no priority-flow-control pause watchdog override action", Rank: 12, Source: "AVD"},
		{Match: "platform trident mmu headroom-pool limit ~", Undo: "no platform trident mmu headroom-pool limit", Rank: 12, Own: clitree.Intended, Source: "AVD"},
		{Match: "qos profile ROCE*", As: "qos profile", Rank: 15, Late: true, Source: "AVD"},
		{Match: "qos profile *", As: "qos profile", Rank: 15, Late: true, Own: clitree.Intended, Source: "AVD"},
		{In: "qos profile", Match: "no qos trust", Undo: "default qos trust", Source: "AVD"},
		{In: "qos profile", Match: "qos trust ?", Undo: "default qos trust", Source: "AVD"},
		{In: "qos profile", Match: "uc-tx-queue|tx-queue|mc-tx-queue *", As: "queue", Fixed: true, Rank: 5, Source: "AVD"},
		{In: "queue", Match: "no priority", Undo: "priority strict", Rank: 1, Source: "AVD"},
		{In: "queue", Match: "priority ?", Undo: "no priority", Default: diffStanding("priority strict"), Rank: 1, Source: "BF: strict is the default"},
		{In: "queue", Match: "bandwidth percent ?", Undo: "no bandwidth percent", Rank: 2, Source: "AVD"},
		{In: "queue", Match: "bandwidth guaranteed ~", Undo: "no bandwidth guaranteed", Rank: 2, Source: "AVD"},
		{In: "queue", Match: "shape rate ~", Undo: "no shape rate", Rank: 3, Source: "AVD"},
		{In: "queue", Match: "random-detect ecn count", Rank: 4, Source: "AVD"},
		{In: "queue", Match: "random-detect ecn minimum-threshold ~", Undo: "no random-detect ecn minimum-threshold", Normal: diffNoWeight, Rank: 4,
			Source: "BF: the undo stops before the numbers; BLOG36: weight 0 may be left out"},
		{In: "queue", Match: "random-detect drop ~", Undo: "no random-detect drop", Rank: 5, Source: "AVD"},
	}
}

func diffSections() []clitree.Rule {
	return []clitree.Rule{
		{Match: "vlan #", List: "comma", As: "vlan", Rank: 20, Late: true, Source: "AVD"},
		{In: "vlan", Match: "name ~", Undo: "no name", Text: true, Source: "AVD"},
		{Match: "vrf instance *", As: "vrf", Own: clitree.Intended, Rank: 3, Late: true, Source: "AVD"},
		{Match: "management api gnmi", As: "gnmi", Own: clitree.Intended, Rank: 82, Source: "AVD"},
		{In: "gnmi", Match: "transport grpc *", As: "grpc", Own: clitree.Intended, Source: "AVD"},
		{In: "grpc", Match: "vrf ?", Undo: "no vrf", Source: "AVD"},
		{In: "grpc", Match: "port ?", Undo: "no port", Default: diffStanding("port 6030"), Own: clitree.Intended, Source: "AVD: default 6030"},
		{Match: "management **", As: "management", Own: clitree.Intended, Rank: 82, Source: "AVD"},
		{Match: "interface Management*", As: diffPortPlace, Fixed: true, Own: clitree.Intended, Closed: true, Rank: 40, Source: "ANNET"},
		{Match: "interface Loopback*", As: diffPortPlace, Rank: 40, Late: true, Source: "ANNET"},
		{Match: "interface Vlan*", As: diffPortPlace, Rank: 41, Late: true, Source: "ANNET"},
		{Match: "interface Port-Channel*", As: diffPortPlace, Rank: 39, Late: true, Source: "ANNET"},
		{Match: "interface Ethernet*", As: diffPortPlace, Fixed: true, Rank: 42, Source: "ANNET: physical interfaces have a stanza even when empty"},
		{Match: "interface *", As: diffPortPlace, Own: clitree.Intended, Rank: 42, Source: "ANNET"},
		{Match: "ip prefix-list *", As: "prefix-list", Own: clitree.Intended, Rank: 50, Late: true, Source: "ANNET"},
		{In: "prefix-list", Match: "seq * ~", Undo: "no seq $1", Refuse: true, Source: "ANNET: undo, then set"},
		{Match: "route-map * ? *", As: "route-map", Own: clitree.Intended, Undo: "no route-map $1 $2 $3", Rank: 55, Late: true, Source: "ANNET"},
		{In: "route-map", Match: "match ip address prefix-list ?", Undo: "no match ip address prefix-list", Assumed: true, Source: "AVD"},
		{In: "route-map", Match: "match community ?", Undo: "no match community", Assumed: true, Source: "AVD"},
		{In: "route-map", Match: "set community ~", Undo: "no set community", Assumed: true, Source: "AVD"},
	}
}

func diffPort() []clitree.Rule {
	rules := []clitree.Rule{
		{Match: "description ~", Undo: "no description", Text: true, Rank: 1, Source: "AVD"},
		{Match: "shutdown", Last: true, Rank: 50, Source: "BF"},
		{Match: "load-interval ?", Undo: "no load-interval", Own: clitree.Intended, Rank: 1, Source: "AVD"},
		{Match: "mtu ?", Undo: "no mtu", Default: diffStanding("mtu 1500"), Rank: 1, Source: "BF: default 1500"},
		{Match: "speed ~", Undo: "no speed", Rank: 1, Note: "changing the speed takes the link down and may change the lanes beside it", Source: "AVD: no speed is the default"},
		{Match: "error-correction encoding ~", Undo: "default error-correction encoding", Rank: 1, Source: "BF"},
		{Match: "dcbx mode ?", Undo: "no dcbx mode", Rank: 1, Source: "BF"},
		{Match: "flowcontrol send|receive ?", Undo: "no flowcontrol $1", Rank: 1, Source: "BF"},
		{Match: "switchport", Written: true, Rank: 2, Source: "BF: on by default, its negation is printed"},
		{Match: "switchport mode ?", Undo: "no switchport mode", Default: diffStanding("switchport mode access"), Rank: 3, Source: "BF"},
		{Match: "switchport access vlan ?", Undo: "no switchport access vlan", Default: diffStanding("switchport access vlan 1"), Rank: 3, Source: "BF"},
		{Match: "switchport trunk allowed vlan #", List: "comma", Whole: true, Over: true, Undo: "no switchport trunk allowed vlan", Rank: 3, Source: "BF"},
		{Match: "switchport trunk native vlan ?", Undo: "no switchport trunk native vlan", Default: diffStanding("switchport trunk native vlan 1"), Rank: 3, Source: "AVD"},
		{Match: "vrf ?", Undo: "no vrf", Resets: []string{"ip address ~", "ipv6 address ~"}, Rank: 4,
			Note: "changing the VRF removes the interface's addresses", Source: "INFERRED: addresses are typed again, which harms nothing"},
		{Match: "ip address * secondary", Unique: true, Rank: 6, Source: "AVD"},
		{Match: "ip address ?", Undo: "no ip address", Unique: true, Rank: 5, Source: "AVD"},
		{Match: "ipv6 enable", Rank: 5, Source: "AVD"},
		{Match: "service-profile ?", Undo: "no service-profile", Rank: 20, Source: "AVD, ANNET"},
		{Match: "no qos trust", Undo: "default qos trust", Rank: 20, Source: "AVD"},
		{Match: "qos trust ?", Undo: "default qos trust", Rank: 20, Source: "BF"},
		{Match: "uc-tx-queue|tx-queue|mc-tx-queue *", As: "queue", Fixed: true, Rank: 30, Source: "AVD"},
		{Match: "spanning-tree portfast", Rank: 31, Source: "AVD"},
		{Match: "evpn ethernet-segment", As: "evpn", Fixed: true, Own: clitree.Intended, Source: "BF"},
		{Match: "lldp transmit|receive", Written: true, Own: clitree.Intended, Source: "BF: on by default"},
		{Match: "logging event ~", Own: clitree.Intended, Source: "BF"},
		{Match: "snmp trap ~", Own: clitree.Intended, Source: "BF"},
	}
	for i := range rules {
		rules[i].In = diffPortPlace
	}
	return rules
}

// diffFlowControl are PFC lines, on a port or in a profile.
func diffFlowControl(in string) []clitree.Rule {
	return []clitree.Rule{
		{In: in, Match: "priority-flow-control priority * ?", Undo: "no priority-flow-control priority $1", Default: diffDrop, Rank: 26, Source: "BF"},
		{In: in, Match: "priority-flow-control pause watchdog port action ?", Undo: "no priority-flow-control pause watchdog port action", Rank: 27, Source: "BF"},
		{In: in, Match: "priority-flow-control pause watchdog port timer ~", Undo: "no priority-flow-control pause watchdog port timer", Rank: 27, Source: "BF"},
		{In: in, Match: "priority-flow-control pause watchdog", Written: true, Rank: 27, Source: "BF: on by default"},
		{In: in, Match: "priority-flow-control ?", Undo: "no priority-flow-control", Rank: 25, Source: "BF"},
	}
}

func diffBGP() []clitree.Rule {
	rules := []clitree.Rule{
		{Match: "router bgp *", As: "bgp", Rank: 70, Late: true, Source: "AVD"},
		{In: "bgp", Match: "router-id ?", Undo: "no router-id", Rank: 1, Source: "AVD"},
		{In: "bgp", Match: "maximum-paths ~", Undo: "no maximum-paths", Rank: 1, Source: "AVD"},
		{In: "bgp", Match: "bgp default *", Written: true, Rank: 1, Source: "AVD: on by default"},
		{In: "bgp", Match: "redistribute * ~", Undo: "no redistribute $1", Rank: 6, Source: "AVD"},
		{In: "bgp", Match: "address-family ipv4|ipv6", As: "family", Rank: 9, Source: "AVD"},
		{In: "bgp", Match: "neighbor interface # peer-group ~", List: "names", Undo: "no neighbor interface $1", Rank: 4, Assumed: true, Source: "AVD, BF: EOS merges them into ranges"},
		{In: "bgp", Match: "neighbor * peer group", Rank: 2, Source: "AVD"},
		{In: "bgp", Match: "neighbor * peer group ?", Undo: "no neighbor $1 peer group", Assumed: true, Rank: 3, Source: "AVD"},
		{In: "bgp", Match: "neighbor * remote-as ?", Undo: "no neighbor $1", Resets: []string{"neighbor $1 ~"}, OnUndo: true, Rank: 4, Assumed: true, Source: "AVD"},
	}
	for _, in := range []string{"bgp", "family"} {
		rules = append(rules,
			clitree.Rule{In: in, Match: "neighbor * description ~", Text: true, Undo: "no neighbor $1 description", Rank: 5, Source: "AVD"},
			clitree.Rule{In: in, Match: "neighbor * password ~", Secret: true, Undo: "no neighbor $1 password", Rank: 5, Source: "AVD"},
			clitree.Rule{In: in, Match: "neighbor * maximum-routes ~", Undo: "no neighbor $1 maximum-routes", Rank: 5, Source: "ANNET"},
			clitree.Rule{In: in, Match: "neighbor * route-map ? in|out", Undo: "no neighbor $1 route-map $2 $3", Rank: 5, Source: "AVD"},
			clitree.Rule{In: in, Match: "neighbor **", Rank: 6, Source: "AVD"},
		)
	}
	return rules
}

func diffDefaults() []clitree.Default {
	all := "BF: show running-config all"
	return []clitree.Default{
		{In: diffPortPlace, Line: "no **", Unknown: true, Source: all + ": what is printed with no is off by default"},
		{In: diffPortPlace, Line: "load-interval default", Source: all},
		{In: diffPortPlace, Line: "logging event link-status use-global", Source: all},
		{In: diffPortPlace, Line: "service-policy type pdp input default-pdp-policy", Source: all},
		{In: diffPortPlace, Line: "qos trust dscp", When: "no switchport", Source: all + ", BLOG36: routed ports trust DSCP"},
		{In: diffPortPlace, Line: "qos trust cos", When: "!no switchport", Source: all + ", BLOG36: switched ports trust CoS"},
		{In: diffPortPlace, Line: "qos cos 0", Source: all},
		{In: diffPortPlace, Line: "qos dscp 0", Source: all},
		{In: diffPortPlace, Line: "speed auto", Source: "INFERRED: the same as no speed"},
		{In: "queue", Line: "no **", Unknown: true, Source: all},
		{In: "**", Line: "default **", Source: all + ": the line says that something stands at its default"},
		{In: "qos profile", Line: "no **", Unknown: true, Source: all},
		{Line: "vlan 1", Source: "VLAN 1 always exists"},
	}
}

func diffRewrites() []clitree.Rewrite {
	return []clitree.Rewrite{
		{In: diffPortPlace, From: "spanning-tree portfast edge", To: []string{"spanning-tree portfast"}, Source: "AVD and a real 7050: two spellings"},
		{In: diffPortPlace, From: "switchport trunk allowed vlan 1-4094", Source: "BF: default"},
		{In: diffPortPlace, From: "switchport trunk allowed vlan all", Source: "BF: default"},
		{In: "bgp", From: "neighbor * peer-group", To: []string{"neighbor $1 peer group"}, Source: "AVD: two spellings"},
		{In: "bgp", From: "neighbor * peer-group ?", To: []string{"neighbor $1 peer group $2"}, Source: "AVD: two spellings"},
	}
}

func diffStanding(line string) func([]string) string { return func([]string) string { return line } }

func diffDrop(args []string) string { return "priority-flow-control priority " + args[0] + " drop" }

// diffClass is the class of a DSCP or CoS step: 0 and 1 are swapped.
func diffClass(step int) int {
	if step < 2 {
		return 1 - step
	}
	return step
}

func diffDSCP(args []string) string {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return ""
	}
	return "qos map dscp " + args[0] + " to traffic-class " + strconv.Itoa(diffClass(n/8))
}

func diffCoS(args []string) string {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return ""
	}
	return "qos map cos " + args[0] + " to traffic-class " + strconv.Itoa(diffClass(n))
}

func diffQueue(args []string) string {
	return "qos map traffic-class " + args[0] + " to tx-queue " + args[0]
}

// diffOneQueue calls the queues of either kind of platform the same.
func diffOneQueue(words []string) []string {
	for i, w := range words {
		if w == "uc-tx-queue" {
			words[i] = "tx-queue"
		}
	}
	return words
}

// diffNoWeight drops a closing weight 0, which is what no weight means.
func diffNoWeight(words []string) []string {
	if n := len(words); n > 2 && words[n-2] == "weight" && words[n-1] == "0" {
		words[n-2], words[n-1] = "", ""
	}
	return words
}
