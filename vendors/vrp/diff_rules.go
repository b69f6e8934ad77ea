package vrp

import (
	"net/netip"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// Sources of the rules beyond those in doc.go: ANNET, production rules of a large
// CloudEngine user; INFERRED, a deduction of the reference that no device has
// confirmed, taken where it can only make the comparison milder on defaults.

// diffPortPlace is the context of lines under every interface.
const diffPortPlace = "interface *"

// DiffRules are what VRP's lines mean.
func DiffRules() *clitree.Rules {
	r := &clitree.Rules{
		Syntax: clitree.VRP(), Negation: "undo", Leave: "quit",
		Begin: []string{"system-view"}, End: []string{"commit", "return"},
		Interfaces: interfaceForms(), Cage: cageOf,
	}
	r.Lines = append(r.Lines, diffSystem()...)
	r.Lines = append(r.Lines, diffQoS()...)
	r.Lines = append(r.Lines, diffSections()...)
	r.Lines = append(r.Lines, diffPort()...)
	r.Lines = append(r.Lines, diffPortQoS()...)
	r.Lines = append(r.Lines, diffBGP()...)
	r.Lines = append(r.Lines, diffLogin()...)
	r.Defaults, r.Rewrites = diffDefaults(), diffRewrites()
	return r
}

// interfaceForms: entry takes any case and a blank before the number (CG).
func interfaceForms() map[string]string {
	forms := map[string]string{}
	for _, full := range []string{"10GE", "25GE", "40GE", "50GE", "100GE", "200GE", "400GE", "800GE", "GE", "MEth", "Vlanif", "LoopBack", "Eth-Trunk", "Tunnel", "NULL"} {
		forms[strings.ToLower(full)] = full
	}
	return forms
}

func diffSystem() []clitree.Rule {
	return []clitree.Rule{
		{Match: "sysname ?", Undo: "undo sysname", Rank: 2, Source: "CR"},
		{Match: "port split dimension interface # split-type ?", List: "ports", Undo: "undo port split dimension interface $1 split-type $2", Rank: 0,
			After: []string{"commit"}, Refuse: true, Resets: []string{"interface $1", "interface $1:*"}, Prompt: "This operation will delete current port(s) and create new port(s). Continue? [Y/N]",
			Note: "the port's old interface goes with its settings, and rollback cannot bring it back; some platforms need port split refresh", Source: "CR, ANNET: compared port by port"},
		{Match: "port mode * interface #", List: "ports", Resets: []string{"interface $2"}, ResetsOf: otherPort, Rank: 0, After: []string{"commit"}, Assumed: true, Prompt: "a question that ends in [Y/N]",
			Note: "the settings of both ports of the pair are cleared", Source: "CR"},
		{Match: "info-center loghost * ~", Own: clitree.Spoken, Undo: "undo info-center loghost $1 $2", Rank: 3, Source: "ANNET"},
		{Match: "info-center loghost *", Own: clitree.Spoken, Rank: 3, Source: "ANNET"},
		{Match: "ntp unicast-server * ~", Own: clitree.Spoken, Undo: "undo ntp unicast-server $1", Rank: 6, Source: "CR, ANNET"},
		{Match: "ntp unicast-server *", Own: clitree.Spoken, Rank: 6, Source: "CR, ANNET"},
		{Match: "dns resolve", Own: clitree.Intended, Rank: 6, Source: "CR"},
		{Match: "dns server **", Own: clitree.Intended, Rank: 6, Source: "CR"},
		{Match: "lldp enable", Rank: 80, Source: "CG: off by default"},
		{Match: "ip route-static vpn-instance * 0.0.0.0 0.0.0.0 *", Own: clitree.Spoken, Normal: nil, Rank: 80, Late: true, Source: "CR"},
		{Match: "ip route-static 0.0.0.0 0.0.0.0 *", Own: clitree.Spoken, Rank: 80, Late: true, Source: "CR"},
		{Match: "header ~", Own: clitree.Intended, Text: true, Source: "CR"},
		{Match: "load-balance ecmp", As: "load-balance", Fixed: true, Rank: 8, Source: "CR: the view is always there"},
		{Match: "snmp-agent community **", Own: clitree.Intended, Secret: true, Source: "CR"},
	}
}

func diffQoS() []clitree.Rule {
	return []clitree.Rule{
		{Match: "dcb pfc deadlock-detect interval ?", Undo: "undo dcb pfc deadlock-detect interval", Default: diffStanding("dcb pfc deadlock-detect interval 10"), Rank: 10, Source: "CR: default 10"},
		{Match: "dcb pfc deadlock-detect timer ?", Undo: "undo dcb pfc deadlock-detect timer", Default: diffStanding("dcb pfc deadlock-detect timer 100"), Rank: 10, Source: "CR: default 100"},
		{Match: "dcb pfc deadlock-recovery timer ?", Undo: "undo dcb pfc deadlock-recovery timer", Default: diffStanding("dcb pfc deadlock-recovery timer 100"), Rank: 10, Source: "CR: default 100"},
		{Match: "dcb pfc deadlock recovery-behavior ? slot *", Undo: "undo dcb pfc deadlock recovery-behavior slot $2", Assumed: true, Rank: 10, Source: "CR"},
		{Match: "dcb pfc dscp-mapping enable slot *", Rank: 10, Source: "CR"},
		{Match: "dcb pfc global disable", Rank: 10, Source: "CR"},
		{Match: "dcb pfc uplink group *", As: "uplink", Rank: 60, Late: true, Source: "CR"},
		{Match: "dcb pfc", As: "dcb pfc", Fixed: true, Rank: 10, Source: "CR: the profile default always exists"},
		{Match: "dcb pfc *", As: "dcb pfc", Rank: 10, Late: true, Source: "CR"},
		{In: "dcb pfc", Match: "priority * deadlock-detect time ?", Undo: "undo priority $1 deadlock-detect time", Default: priorityLine("deadlock-detect time 10"), Rank: 2, Assumed: true, Source: "CR: default 10"},
		{In: "dcb pfc", Match: "priority * deadlock-recovery time ?", Undo: "undo priority $1 deadlock-recovery time", Default: priorityLine("deadlock-recovery time 10"), Rank: 2, Assumed: true, Source: "CR: default 10"},
		{In: "dcb pfc", Match: "priority * turn-off|error-down threshold ?", Undo: "undo priority $1 $2 threshold", Default: thresholdLine, Rank: 2, Source: "CR: default 30"},
		{In: "dcb pfc", Match: "priority #", List: "space", Undo: "undo priority $1", Rank: 1, Source: "CR: lines add up; 3 is the default"},
		{Match: "qos buffer headroom-pool size ? ? slot *", Undo: "undo qos buffer headroom-pool slot $3", Normal: kilobytes, Rank: 11, Source: "CR: 16 to 30720 KB, so a megabyte is 1024"},
		{Match: "qos ecn enable", Rank: 11, Source: "CG: family P"},
		{Match: "drop-profile *", As: "drop-profile", Rank: 12, Late: true, Source: "CR"},
		{In: "drop-profile", Match: "ecn weight ?", Undo: "undo ecn weight", Source: "ANNET pull 417: its own key"},
		{In: "drop-profile", Match: "ecn ~", Undo: "undo ecn", Source: "CR"},
		{In: "drop-profile", Match: "color * ~", Undo: "undo color $1", Source: "CR"},
		{Match: "diffserv domain *", As: "diffserv", Rank: 12, Late: true, Source: "CR"},
		{In: "diffserv", Match: "ip-dscp-inbound * phb ? ?", Undo: "undo ip-dscp-inbound $1", Default: dscpDefault, Source: "CG default settings: DSCP to PHB and colour"},
		{In: "diffserv", Match: "8021p-inbound * phb ? ?", Undo: "undo 8021p-inbound $1", Default: dot1pDefault, Source: "CG default settings"},
		{In: "diffserv", Match: "ip-dscp-outbound * * map ?", Undo: "undo ip-dscp-outbound $1 $2", Source: "CR, ANNET"},
	}
}

func diffSections() []clitree.Rule {
	return []clitree.Rule{
		{Match: "vlan batch #", List: "to", Undo: "undo vlan batch $1", Resets: []string{"vlan $1"}, OnUndo: true, Rank: 20, Late: true,
			Prompt: "a question that ends in [Y/N]", AsksOnUndo: true, Source: "CR: ranges, several lines; ANNET: compared as sets"},
		{Match: "vlan *", As: "vlan", Fixed: true, Implies: "vlan batch $1", Rank: 21, Source: "CR: a VLAN with a name is printed twice"},
		{In: "vlan", Match: "name ~", Undo: "undo name", Text: true, Source: "CR"},
		{In: "vlan", Match: "description ~", Undo: "undo description", Text: true, Source: "CR"},
		{Match: "ip vpn-instance *", As: "vpn", Own: clitree.Intended, Rank: 5, Late: true, Source: "CR"},
		{In: "vpn", Match: "ipv4-family", As: "vpn-family", Own: clitree.Intended, Source: "CR"},
		{Match: "interface NULL*", As: diffPortPlace, Fixed: true, Own: clitree.Intended, Source: "CR"},
		{Match: "interface MEth*", As: diffPortPlace, Fixed: true, Own: clitree.Intended, Closed: true, Rank: 40, Source: "CR"},
		{Match: "interface LoopBack*", As: diffPortPlace, Rank: 40, Late: true, Source: "CR"},
		{Match: "interface Vlanif*", As: diffPortPlace, Rank: 41, Late: true, Source: "CR"},
		{Match: "interface Eth-Trunk*", As: diffPortPlace, Rank: 39, Late: true, Source: "CR"},
		{Match: "interface Tunnel*", As: diffPortPlace, Rank: 43, Own: clitree.Intended, Late: true, Source: "CR"},
		{Match: "interface *", As: diffPortPlace, Fixed: true, Rank: 42, Source: "ANNET: physical interfaces cannot be removed"},
		{Match: "grpc", As: "grpc", Fixed: true, Own: clitree.Spoken, Rank: 81, Source: "CG"},
		{In: "grpc", Match: "grpc server", As: "grpc server", Fixed: true, Own: clitree.Spoken, Source: "CG"},
		{In: "grpc server", Match: "source-ip ~", Undo: "undo source-ip", Rank: 1, Source: "CG"},
		{In: "grpc server", Match: "server enable", Rank: 2, Source: "CG"},
	}
}

// diffPort are lines under interfaces. Layer-2 lines go before portswitch turns,
// addresses come after (CG).
func diffPort() []clitree.Rule {
	return diffUnderPort([]clitree.Rule{
		{Match: "undo portswitch", Undo: "portswitch", Rank: 0, Note: "the port changes between switched and routed", Source: "CG"},
		{Match: "ip binding vpn-instance ?", Undo: "undo ip binding vpn-instance", Resets: []string{"ip address ~", "ipv6 ~"}, Rank: 1,
			Note: "changing the VPN instance removes the interface's addresses", Source: "ANNET"},
		{Match: "description ~", Undo: "undo description", Text: true, Rank: 2, Source: "CR"},
		{Match: "mtu ?", Undo: "undo mtu", Refuse: true, Default: diffStanding("mtu 1500"), Rank: 3, Source: "CR: default 1500; ANNET: undo, then set"},
		{Match: "jumboframe enable ?", Undo: "undo jumboframe enable", Default: diffStanding("jumboframe enable 9216"), Rank: 3, Source: "CR: default 9216"},
		{Match: "device transceiver ~", Own: clitree.Never, Source: "FIELD: the switch notes what is plugged in"},
		{Match: "fec mode ?", Undo: "undo fec mode", Own: clitree.Intended, Rank: 3, Source: "CR"},
		{Match: "port link-type ?", Undo: "undo port link-type", Default: diffStanding("port link-type access"), Rank: 4,
			Prompt: "will delete VLANs on this port. Continue? [Y/N]", Resets: []string{"port default ~", "port trunk ~"}, Source: "CR"},
		{Match: "port default vlan ?", Undo: "undo port default vlan", Default: diffStanding("port default vlan 1"), Rank: 5, Source: "CR"},
		{Match: "port trunk allow-pass vlan #", List: "to", Undo: "undo port trunk allow-pass vlan $1", Rank: 5, Source: "CR, ANNET"},
		{Match: "port trunk pvid vlan ?", Undo: "undo port trunk pvid vlan", Default: diffStanding("port trunk pvid vlan 1"), Rank: 6, Source: "ANNET"},
		{Match: "ip address * * sub", Normal: dottedMask, Unique: true, Rank: 9, Source: "CR"},
		{Match: "ip address ? ?", Normal: dottedMask, Unique: true, Rank: 8, Source: "CG: the mask is printed dotted"},
		{Match: "stp edged-port enable", Undo: "undo stp edged-port", Rank: 9, Source: "ANNET"},
		{Match: "flow-control", Rank: 9, Source: "CG: excludes PFC"},
		{Match: "lldp tlv-enable **", Own: clitree.Intended, Source: "CR"},
		{Match: "shutdown", Last: true, Rank: 50, Source: "CR"},
	})
}

func diffPortQoS() []clitree.Rule {
	return diffUnderPort([]clitree.Rule{
		{Match: "trust upstream ?", Undo: "undo trust upstream", Default: diffStanding("trust upstream default"), Rank: 20, Source: "CR"},
		{Match: "trust ~", Undo: "undo trust", Rank: 20, Source: "CR"},
		{Match: "qos drr #", List: "to", Undo: "undo qos drr $1", Rank: 21, Source: "CR: the rest is PQ and hidden"},
		{Match: "qos queue * drr weight ?", Undo: "undo qos queue $1 drr weight", Default: weightOne, Rank: 22, Source: "CR: default 1"},
		{Match: "qos queue * wred ?", Undo: "undo qos queue $1 wred", Rank: 23, Source: "CR"},
		{Match: "qos queue * ecn", Rank: 24, Source: "CR"},
		{Match: "qos queue * shaping ~", Undo: "undo qos queue $1 shaping", Rank: 24, Source: "ANNET"},
		{Match: "qos buffer queue * ~", Undo: "undo qos buffer queue $1", Assumed: true, Rank: 24, Source: "CR"},
		{Match: "dcb pfc enable ~", Undo: "undo dcb pfc enable", Rank: 25, Source: "CR"},
		{Match: "dcb pfc buffer * hdrm|guaranteed|xoff|xon ~", Undo: "undo dcb pfc buffer $1", Resets: []string{"dcb pfc buffer $1 ~"}, OnUndo: true, Rank: 26,
			Source: "CR: undo takes all thresholds of the queue"},
		{Match: "port pfc-deadlock trigger ?", Undo: "undo port pfc-deadlock trigger", Default: diffStanding("port pfc-deadlock trigger turn-off"), Rank: 27, Source: "CR"},
	})
}

func diffUnderPort(rules []clitree.Rule) []clitree.Rule {
	for i := range rules {
		rules[i].In = diffPortPlace
	}
	return rules
}

func diffBGP() []clitree.Rule {
	rules := []clitree.Rule{
		{Match: "bgp *", As: "bgp", Rank: 70, Late: true, Prompt: "a question that ends in [Y/N]", AsksOnUndo: true, Source: "CR"},
		{In: "bgp", Match: "router-id ?", Undo: "undo router-id", Rank: 1, Source: "CR"},
		{In: "bgp", Match: "group * ~", Undo: "undo group $1", Rank: 2, Source: "CR"},
		{In: "bgp", Match: "peer * as-number ?", Undo: "undo peer $1", Refuse: true, Resets: []string{"peer $1 ~"}, OnUndo: true, Rank: 3,
			Prompt: "a question that ends in [Y/N]", AsksOnUndo: true, Note: "the AS of a peer cannot be changed: the peer is removed with all its lines and made again", Source: "ANNET issue 566"},
		{In: "bgp", Match: "ipv4-family|ipv6-family unicast", As: "family", Rank: 9, Source: "CR"},
		{In: "family", Match: "maximum load-balancing ebgp|ibgp ?", Undo: "undo maximum load-balancing $1", Rank: 1, Source: "CR: the kinds exclude each other"},
		{In: "family", Match: "maximum load-balancing ?", Undo: "undo maximum load-balancing", Default: diffStanding("maximum load-balancing 1"), Rank: 1, Source: "CR: default 1"},
		{In: "family", Match: "network * *", Normal: dottedMask, Rank: 2, Source: "CR"},
		{In: "family", Match: "import-route ~", Rank: 2, Source: "CR"},
		{In: "family", Match: "peer * enable", Rank: 4, Prompt: "a question that ends in [Y/N]", Source: "CR"},
	}
	for _, in := range []string{"bgp", "family"} {
		rules = append(rules,
			clitree.Rule{In: in, Match: "peer * description ~", Text: true, Undo: "undo peer $1 description", Rank: 5, Source: "ANNET"},
			clitree.Rule{In: in, Match: "peer * password ~", Secret: true, Undo: "undo peer $1 password", Rank: 5, Source: "CR"},
			clitree.Rule{In: in, Match: "peer **", Rank: 6, Source: "ANNET"},
		)
	}
	return rules
}

func diffLogin() []clitree.Rule {
	return []clitree.Rule{
		{Match: "aaa", As: "aaa", Fixed: true, Own: clitree.Intended, Rank: 85, Source: "CR"},
		{In: "aaa", Match: "local-user * password irreversible-cipher|cipher|simple ~", Own: clitree.Intended, Secret: true, Source: "CG: salts differ per device"},
		{In: "aaa", Match: "local-user * service-type #", List: "words", Own: clitree.Intended, Undo: "undo local-user $1 service-type $2", Source: "ANNET: order differs by release"},
		{In: "aaa", Match: "local-user * privilege level ?", Own: clitree.Intended, Undo: "undo local-user $1 privilege level", Source: "CR"},
		{In: "aaa", Match: "local-user **", Own: clitree.Intended, Source: "CR"},
		{Match: "rsa|dsa|ecc peer-public-key **", As: "public-key", Atomic: true, Own: clitree.Intended, Undo: "undo $1 peer-public-key $2", Assumed: true,
			Leave: "peer-public-key end", Rank: 84, Source: "ANNET: written as a whole"},
		{In: "public-key", Match: "public-key-code begin", As: "public-key-code", Leave: "public-key-code end", Source: "ANNET"},
		{Match: "stelnet server enable", Rank: 86, Source: "CR"},
		{Match: "ssh user * authentication-type ?", Own: clitree.Intended, Rank: 87, Source: "CR"},
		{Match: "ssh user * assign ? ?", Own: clitree.Intended, Rank: 87, Source: "CR"},
		{Match: "ssh user * service-type #", List: "words", Own: clitree.Intended, Rank: 87, Source: "CR"},
		{Match: "ssh user *", Own: clitree.Intended, Rank: 86, Source: "CR"},
		{Match: "ssh server-source **", Own: clitree.Intended, Rank: 87, Source: "CR"},
		{Match: "user-interface **", As: "user-interface", Fixed: true, Own: clitree.Intended, Rank: 88, Source: "CR"},
		{In: "user-interface", Match: "authentication-mode ?", Undo: "undo authentication-mode", Source: "ANNET"},
		{In: "user-interface", Match: "protocol inbound ?", Undo: "undo protocol inbound", Source: "ANNET"},
	}
}

func diffDefaults() []clitree.Default {
	const ports = "CR: default"
	return []clitree.Default{
		{In: diffPortPlace, Line: "undo shutdown", Source: ports},
		{In: diffPortPlace, Line: "portswitch", Source: "CG: not printed"},
		{In: diffPortPlace, Line: "trust 8021p outer", Source: "CG: default on switched ports"},
		{In: diffPortPlace, Line: "trust dscp", When: "undo portswitch", Source: "CG: default on routed ports"},
		{In: diffPortPlace, Line: "qos pq ~", Source: "CG: PQ is the default and hidden"},
		{In: diffPortPlace, Line: "dcb pfc buffer * hdrm 256 kbytes", Source: ports},
		{In: diffPortPlace, Line: "dcb pfc buffer * guaranteed 1600 bytes", Source: ports},
		{In: diffPortPlace, Line: "dcb pfc buffer * xoff dynamic 3", Source: ports + " of family J"},
		{In: diffPortPlace, Line: "dcb pfc buffer * xon static 100 kbytes xoff static 125 kbytes", Source: ports + " of family P"},
		{In: diffPortPlace, Line: "port trunk allow-pass vlan 1", When: "port link-type trunk", Source: ports},
		{In: diffPortPlace, Line: "stp enable", Source: ports},
		{In: "dcb pfc", Line: "priority 3", Source: "CG: priority 3 is the default, printed or not"},
		{In: "drop-profile", Line: "color * low-limit 100 high-limit 100 discard-percentage 100", Source: ports},
		{Line: "vlan batch 1", Source: "VLAN 1 always exists"},
		{Line: "stp enable", Source: ports},
	}
}

func diffRewrites() []clitree.Rewrite {
	return []clitree.Rewrite{
		{In: diffPortPlace, From: "dcb pfc enable", To: []string{"dcb pfc enable mode manual"}, Source: "CG: manual is the default mode and printed"},
		{In: diffPortPlace, From: "qos pq # drr #", To: []string{"qos drr $2"}, Source: "CG: PQ is hidden"},
		{In: diffPortPlace, From: "stp edged-port", To: []string{"stp edged-port enable"}, Source: "ANNET"},
		{In: "dcb pfc", From: "priority * deadlock-detect time ? deadlock-recovery time ?",
			To: []string{"priority $1 deadlock-detect time $2", "priority $1 deadlock-recovery time $3"}, Source: "FIELD CE6865: one line in the V200 generation"},
		{In: "diffserv", From: "ip-dscp-inbound * phb ?", To: []string{"ip-dscp-inbound $1 phb $2 green"}, Source: "INFERRED: the colour is printed"},
		{From: "ip route-static vpn-instance * 0.0.0.0 0 ~", To: []string{"ip route-static vpn-instance $1 0.0.0.0 0.0.0.0 $2"}, Source: "CR: mask or length"},
		{From: "ip route-static 0.0.0.0 0 ~", To: []string{"ip route-static 0.0.0.0 0.0.0.0 $1"}, Source: "CR: mask or length"},
		{In: "bgp", From: "ipv4-family", To: []string{"ipv4-family unicast"}, Source: "CG"},
	}
}

func diffStanding(line string) func([]string) string { return func([]string) string { return line } }

func priorityLine(rest string) func([]string) string {
	return func(args []string) string { return "priority " + args[0] + " " + rest }
}

func thresholdLine(args []string) string {
	return "priority " + args[0] + " " + args[1] + " threshold 30"
}

func weightOne(args []string) string { return "qos queue " + args[0] + " drr weight 1" }

// diffBehaviours are the names of the queues, 0 to 7.
var diffBehaviours = []string{"be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"}

func dscpDefault(args []string) string {
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 0 || n > 63 {
		return ""
	}
	colour := "green"
	switch n {
	case 12, 20, 28, 36:
		colour = "yellow"
	case 14, 22, 30, 38:
		colour = "red"
	}
	return "ip-dscp-inbound " + args[0] + " phb " + diffBehaviours[n/8] + " " + colour
}

func dot1pDefault(args []string) string {
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 0 || n > 7 {
		return ""
	}
	return "8021p-inbound " + args[0] + " phb " + diffBehaviours[n] + " green"
}

// otherPort is the interface that a port mode makes: 200GE1/0/33 of 100GE1/0/33.
func otherPort(args []string) []string {
	_, number, _ := strings.Cut(args[1], "GE")
	return []string{"interface " + args[0] + number}
}

// kilobytes writes the size of a headroom pool in one unit.
func kilobytes(words []string) []string {
	if n, err := strconv.Atoi(words[4]); err == nil && words[5] == "mbytes" && n < 1<<20 {
		words[4], words[5] = strconv.Itoa(n*1024), "kbytes"
	}
	return words
}

// dottedMask writes a mask given as length the way it is printed: the fourth word
// of "ip address", the third of "network".
func dottedMask(words []string) []string {
	at := 3
	if words[0] == "network" {
		at = 2
	}
	if at >= len(words) {
		return words
	}
	n, err := strconv.Atoi(words[at])
	if err != nil || n < 0 || n > 32 {
		return words
	}
	var mask uint32
	if n > 0 {
		mask = ^uint32(0) << (32 - n)
	}
	words[at] = netip.AddrFrom4([4]byte{byte(mask >> 24), byte(mask >> 16), byte(mask >> 8), byte(mask)}).String()
	return words
}

// cageOf reads slot, card and cage off a port's header; a part has :n behind it.
func cageOf(header string) (string, bool, bool) {
	name, ok := strings.CutPrefix(header, "interface ")
	if !ok || strings.HasPrefix(name, "MEth") {
		return "", false, false
	}
	if !strings.Contains(name, "GE") {
		return "", false, false
	}
	// Ports of two speeds may have one number, so the type belongs to the cage.
	path, _, part := strings.Cut(name, ":")
	return path, part, strings.Contains(path, "/") && !strings.Contains(path, ".")
}
