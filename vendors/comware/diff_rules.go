package comware

import (
	"net/netip"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// Sources of the rules beyond those in doc.go:
//
//	CW7-CMD   the Comware V7 command manual: display current-configuration, undo forms, VLANs, ports
//	ANNET     production rules of an operator of S9850 and S12500R switches
//	FIELD     running configurations and traces of operators
//	GUIDE     H3C configuration guide chapters: PFC, data buffer, Ethernet interface
const (
	srcCommand = "CW7-CMD"
	srcAnnet   = "ANNET"
	srcField   = "FIELD"
	srcGuide   = "GUIDE"
	srcPrint   = "CW7-CMD display current-configuration: defaults are not shown"
)

// DiffRules are what Comware's lines mean.
func DiffRules() *clitree.Rules {
	r := &clitree.Rules{
		Syntax: clitree.Comware(), Negation: "undo", Leave: "quit",
		Begin: []string{"system-view"}, End: []string{"return"},
		Interfaces: interfaceForms(), Cage: cageOf, Split: splitByHand,
	}
	r.Lines = append(r.Lines, diffSystem()...)
	r.Lines = append(r.Lines, diffQoS()...)
	r.Lines = append(r.Lines, diffSections()...)
	r.Lines = append(r.Lines, diffPort()...)
	r.Lines = append(r.Lines, diffPFC()...)
	r.Lines = append(r.Lines, diffBGP()...)
	r.Defaults, r.Rewrites = diffDefaults(), diffRewrites()
	return r
}

// interfaceForms are the type names and their short forms (reference of the
// display … brief columns; entry takes any case).
func interfaceForms() map[string]string {
	forms := map[string]string{}
	for full, short := range map[string]string{
		"Ten-GigabitEthernet": "xge", "Twenty-FiveGigE": "wge", "FortyGigE": "fge", "FiftyGigE": "", "HundredGigE": "hge",
		"TwoHundredGigE": "200ge", "FourHundredGigE": "400ge", "EightHundredGigE": "800ge", "M-GigabitEthernet": "mge", "GigabitEthernet": "ge",
		"Bridge-Aggregation": "bagg", "Route-Aggregation": "ragg", "Vlan-interface": "vlan-int", "LoopBack": "loop", "NULL": "",
	} {
		forms[strings.ToLower(full)] = full
		if short != "" {
			forms[short] = full
		}
	}
	return forms
}

// diffPortPlace is the context of lines under every interface.
const diffPortPlace = "interface *"

func diffSystem() []clitree.Rule {
	return []clitree.Rule{
		{Match: "version ~", Own: clitree.Never, Source: srcField + ": header line"},
		{Match: "mdc ~", Own: clitree.Never, Source: srcField + ": header line"},
		{Match: "sysname ?", Undo: "undo sysname", Rank: 1, Source: srcCommand},
		{Match: "lldp global enable", Rank: 5, Source: srcCommand},
		{Match: "dns server *", Own: clitree.Spoken, Rank: 5, Source: srcCommand},
		{Match: "ip route-static vpn-instance * 0.0.0.0 0 *", Own: clitree.Spoken, Rank: 80, Late: true, Source: srcField},
		{Match: "ip route-static 0.0.0.0 0 *", Own: clitree.Spoken, Rank: 80, Late: true, Source: srcField},
		{Match: "info-center loghost vpn-instance * *", Own: clitree.Spoken, Rank: 80, Source: srcField},
		{Match: "info-center loghost *", Own: clitree.Spoken, Rank: 80, Source: srcField},
		{Match: "ssh server enable", Rank: 80, Source: srcField},
		{Match: "ntp-service enable", Rank: 80, Source: srcField},
		{Match: "ntp-service unicast-server * vpn-instance *", Own: clitree.Spoken, Rank: 81, Source: srcField},
		{Match: "ntp-service unicast-server *", Own: clitree.Spoken, Rank: 81, Source: srcField},
		{Match: "grpc enable", Rank: 80, Source: "H3C-GRPC"},
		{Match: "netconf ssh server enable", Own: clitree.Intended, Rank: 80, Source: srcField},
		{Match: "snmp-agent community **", Own: clitree.Intended, Secret: true, Source: srcField + ": stored in clear or as cipher"},
		{Match: "header ~", Own: clitree.Intended, Text: true, Source: srcCommand},
		{Match: "ip as-path * permit|deny **", Ordered: true, Late: true, Undo: "undo ip as-path $1", Rank: 60, Source: "HPE-5710"},
	}
}

func diffSections() []clitree.Rule {
	return []clitree.Rule{
		{Match: "ip vpn-instance *", As: "ip vpn-instance *", Own: clitree.Intended, Rank: 2, Late: true, Source: srcField},
		{Match: "vlan #", List: "to", As: "vlan *", Undo: "undo vlan $1", Rank: 20, Late: true, Source: srcField + ": empty VLANs collapse to ranges"},
		{In: "vlan *", Match: "name ~", Undo: "undo name", Text: true, Source: srcCommand},
		{In: "vlan *", Match: "description ~", Undo: "undo description", Text: true, Source: srcCommand},
		{Match: "interface NULL*", As: diffPortPlace, Fixed: true, Own: clitree.Intended, Source: srcField},
		{Match: "interface M-GigabitEthernet*", As: diffPortPlace, Fixed: true, Own: clitree.Intended, Closed: true, Rank: 40, Source: srcField},
		{Match: "interface LoopBack*", As: diffPortPlace, Rank: 40, Late: true, Source: srcCommand},
		{Match: "interface Vlan-interface*", As: diffPortPlace, Rank: 41, Late: true, Source: srcCommand},
		{Match: "interface Bridge-Aggregation*", As: diffPortPlace, Rank: 39, Late: true, Source: srcCommand},
		{Match: "interface Route-Aggregation*", As: diffPortPlace, Rank: 39, Late: true, Source: srcCommand},
		{Match: "interface *", As: diffPortPlace, Fixed: true, Rank: 42, Source: srcField},
		{Match: "local-user **", As: "local-user", Own: clitree.Intended, Rank: 85, Late: true, Source: srcField},
		{In: "local-user", Match: "password hash|cipher|simple ~", Secret: true, Undo: "undo password", Source: "FIELD: each save has a new salt"},
		{In: "local-user", Match: "service-type #", List: "words", Source: srcField},
		{In: "local-user", Match: "authorization-attribute user-role *", Own: clitree.Intended, Source: srcField},
		{Match: "line **", As: "line", Fixed: true, Own: clitree.Intended, Rank: 85, Source: srcField},
		{Match: "role **", As: "role", Own: clitree.Intended, Source: srcField + ": boilerplate"},
		{Match: "domain **", As: "domain", Own: clitree.Intended, Source: srcField + ": boilerplate"},
		{Match: "user-group **", As: "user-group", Own: clitree.Intended, Source: srcField + ": boilerplate"},
	}
}

// diffPort are lines under interfaces. The first of them resets the others:
// changing the link mode leaves description, speed, jumbo frames and shutdown
// (H3C-IF66 port link-mode).
func diffPort() []clitree.Rule {
	return diffUnderPort([]clitree.Rule{
		{Match: "port link-mode ?", Undo: "=", Default: diffStanding("port link-mode bridge"), Resets: []string{"~"},
			Keeps: []string{"description ~", "duplex ~", "jumboframe ~", "speed ~", "shutdown"}, Rank: 0,
			Note: "changing the link mode resets the port's other settings", Source: "H3C-IF66, " + srcAnnet},
		{Match: "ip binding vpn-instance ?", Undo: "undo ip binding vpn-instance", Resets: []string{"ip address ~", "ipv6 ~"}, Rank: 1,
			Note: "changing the VPN instance removes the interface's addresses", Source: srcAnnet},
		{Match: "description ~", Undo: "undo description", Text: true, Rank: 2, Source: srcCommand},
		{Match: "link-delay ~", Own: clitree.Intended, Rank: 3, Source: srcField},
		{Match: "speed ?", Undo: "undo speed", Rank: 3, Source: srcCommand},
		{Match: "duplex ?", Undo: "undo duplex", Rank: 3, Source: srcCommand},
		{Match: "port fec mode ?", Undo: "undo port fec mode", Own: clitree.Intended, Rank: 3, Source: "H3C-IF66"},
		{Match: "jumboframe enable ?", Undo: "undo jumboframe enable", Rank: 3, Source: srcCommand},
		{Match: "mtu ?", Undo: "undo mtu", Default: diffStanding("mtu 1500"), Rank: 3, Source: srcField + ": default 1500"},
		{Match: "port link-type ?", Undo: "undo port link-type", Default: diffStanding("port link-type access"), Rank: 4,
			Resets: []string{"port access ~", "port trunk ~", "port hybrid ~"}, Source: srcCommand},
		{Match: "port access vlan ?", Undo: "undo port access vlan", Default: diffStanding("port access vlan 1"), Rank: 5, Source: srcCommand},
		{Match: "port trunk permit vlan #", List: "to", Undo: "undo port trunk permit vlan $1", Rank: 5, Source: srcCommand + ": repeated lines add"},
		{Match: "port trunk pvid vlan ?", Undo: "undo port trunk pvid", Default: diffStanding("port trunk pvid vlan 1"), Rank: 6, Source: srcAnnet},
		{Match: "stp edged-port", Rank: 7, Source: "SAMPLE"},
		{Match: "ip address * * sub", Normal: dottedMask, Unique: true, Rank: 9, Source: srcField},
		{Match: "ip address unnumbered interface ?", Undo: "undo ip address unnumbered", Assumed: true, Rank: 8, Source: srcField},
		{Match: "ip address ? ?", Undo: "undo ip address", Normal: dottedMask, Unique: true, Rank: 8, Source: srcField + ": the mask is stored dotted"},
		{Match: "qos trust ?", Undo: "undo qos trust", Rank: 30, Source: "H3C-QOS"},
		{Match: "qos wfq ?", Undo: "undo qos wfq", Assumed: true, Rank: 31, Source: "PUSH400, H3C-QOS"},
		{Match: "qos wfq * group ~", Undo: "undo qos wfq $1", Assumed: true, Rank: 32, Source: "PUSH400, H3C-QOS"},
		{Match: "qos wred apply ?", Undo: "undo qos wred apply", Rank: 33, Source: "HP-5900"},
		{Match: "qos wred queue * drop-level * ~", Undo: "undo qos wred queue $1", Assumed: true, Rank: 33, Source: "PUSH400"},
		{Match: "qos wred queue * weighting-constant ?", Undo: "undo qos wred queue $1 weighting-constant", Assumed: true, Rank: 33, Source: "PUSH400"},
		{Match: "flow-interval ?", Own: clitree.Intended, Source: srcField},
		{Match: "shutdown", Last: true, Rank: 50, Source: srcCommand},
	})
}

// diffPFC are the ports' lossless lines. They are sent enable, no-drop,
// thresholds, watchdog, and taken away the other way round: the watchdog needs
// the no-drop list (GUIDE PFC).
func diffPFC() []clitree.Rule {
	return diffUnderPort([]clitree.Rule{
		{Match: "priority-flow-control no-drop dot1p #", List: "comma", Whole: true, Undo: "undo priority-flow-control no-drop dot1p", Rank: 21,
			Source: srcGuide + " PFC; the undo takes no list in the older manual"},
		{Match: "priority-flow-control deadlock enable", Rank: 24, Source: srcGuide + " PFC"},
		{Match: "priority-flow-control deadlock recover-mode ?", Undo: "undo priority-flow-control deadlock recover-mode", Assumed: true,
			Default: diffStanding("priority-flow-control deadlock recover-mode auto"), Rank: 23, Source: srcGuide + " PFC"},
		{Match: "priority-flow-control dot1p * headroom|reserved-buffer|ingress-threshold-offset ?", Rank: 22,
			Undo: "undo priority-flow-control dot1p $1 $2", Assumed: true, Source: "H3C-IF66, PUSH400"},
		{Match: "priority-flow-control dot1p * ingress-buffer ? ?", Normal: hardwareBand, Undo: "undo priority-flow-control dot1p $1 ingress-buffer $2", Assumed: true,
			Rank: 22, Source: "H3C-RDMA: values of one band are the same in hardware, and what the hardware has is shown"},
		{Match: "priority-flow-control early-warning **", Own: clitree.Intended, Source: srcGuide + " PFC: monitoring only"},
		{Match: "priority-flow-control ?", Undo: "undo priority-flow-control", Rank: 20, Source: srcGuide + " PFC: the undo has no trailing word"},
	})
}

// diffUnderPort puts rules under interfaces.
func diffUnderPort(rules []clitree.Rule) []clitree.Rule {
	for i := range rules {
		rules[i].In = diffPortPlace
	}
	return rules
}

func diffQoS() []clitree.Rule {
	return []clitree.Rule{
		{Match: "buffer egress cell queue * shared|guaranteed ratio ?", Undo: "undo buffer egress cell queue $1 $2", Assumed: true,
			First: "undo buffer apply", Resets: []string{"buffer apply"}, Rank: 10, Source: srcGuide + " data buffer: no edit while applied"},
		{Match: "buffer egress cell total-shared ratio ?", Undo: "undo buffer egress cell total-shared", Assumed: true,
			First: "undo buffer apply", Resets: []string{"buffer apply"}, Rank: 10, Source: srcGuide + " data buffer"},
		{Match: "buffer apply", Rank: 11, Source: srcGuide + " data buffer"},
		{Match: "priority-flow-control deadlock cos * interval ?", Undo: "undo priority-flow-control deadlock cos $1", Assumed: true, Rank: 13, Source: srcGuide + " PFC"},
		{Match: "priority-flow-control deadlock precision ?", Undo: "undo priority-flow-control deadlock precision",
			Default: diffStanding("priority-flow-control deadlock precision normal"), Assumed: true, Rank: 12, Source: srcGuide + " PFC: default normal"},
		{Match: "priority-flow-control deadlock auto-recover cos * delay ?", Undo: "undo priority-flow-control deadlock auto-recover cos $1", Assumed: true, Rank: 13, Source: srcGuide + " PFC"},
		{Match: "priority-flow-control deadlock auto-recover action ?", Undo: "undo priority-flow-control deadlock auto-recover action",
			Default: diffStanding("priority-flow-control deadlock auto-recover action forwarding"), Assumed: true, Rank: 13, Source: srcGuide + " PFC: default forwarding"},
		{Match: "priority-flow-control poolid|poolID * headroom ?", Undo: "undo priority-flow-control poolid $1", Assumed: true, Own: clitree.Spoken, Rank: 12, Source: "SAMPLE"},
		{Match: "priority-flow-control ~", Rank: 14, Source: srcGuide + " PFC: system view"},
		{Match: "qos map-table dot1p-lp", As: "dot1p-lp", Fixed: true, Rank: 15, Source: "HPE-5950"},
		{Match: "qos map-table dscp-dot1p", As: "dscp-dot1p", Fixed: true, Rank: 15, Source: "HPE-5950"},
		{Match: "qos map-table *", As: "map-table", Fixed: true, Own: clitree.Intended, Rank: 15, Source: "HPE-5950"},
		{In: "dot1p-lp", Match: "import # export ?", List: "to", Undo: "=", Default: localPrecedence, Source: "HPE-5950: 0 to 2, 1 to 0, 2 to 1, the rest unchanged"},
		{In: "dscp-dot1p", Match: "import # export ?", List: "to", Undo: "=", Default: dscpEighth, Source: "HPE-5950: DSCP divided by 8"},
		{In: "map-table", Match: "import # export ?", List: "to", Undo: "undo import $1", Assumed: true, Source: "HPE-5950"},
		{Match: "qos wred queue table *", As: "wred", Rank: 16, Late: true, Own: clitree.Always, Source: "HP-5900: a table in use cannot be removed"},
		{In: "wred", Match: "queue * drop-level * low-limit ? high-limit ? discard-probability ?", Undo: "undo queue $1", Resets: []string{"queue $1 ~"}, OnUndo: true,
			Rank: 1, Source: "HPE-5130HI: undo restores the whole queue"},
		{In: "wred", Match: "queue * weighting-constant ?", Undo: "undo queue $1", Resets: []string{"queue $1 ~"}, OnUndo: true,
			Default: queueNine, Rank: 2, Source: "HP-5900: default 9"},
		{In: "wred", Match: "queue * ecn", Undo: "undo queue $1", Resets: []string{"queue $1 ~"}, OnUndo: true, Rank: 3,
			Source: "HPE-5130HI: undo restores the whole queue"},
	}
}

func diffBGP() []clitree.Rule {
	rules := []clitree.Rule{
		{Match: "bgp *", As: "bgp", Rank: 70, Late: true, Prompt: "Continue? [Y/N]", AsksOnUndo: true, Source: srcAnnet},
		{Match: "bgp * instance *", As: "bgp", Rank: 70, Late: true, Source: srcCommand},
		{In: "bgp", Match: "router-id ?", Undo: "undo router-id", Rank: 1, Source: srcCommand},
		{In: "bgp", Match: "graceful-restart", Rank: 1, Source: srcCommand},
		{In: "bgp", Match: "group * ?", Undo: "undo group $1", Rank: 2, Source: srcCommand},
		{In: "bgp", Match: "peer * as-number ?", Undo: "undo peer $1", Refuse: true, Resets: []string{"peer $1 ~"}, OnUndo: true, Rank: 3,
			Note: "the AS of a peer cannot be changed: the peer is removed with all its lines and made again", Source: srcCommand + ", " + srcAnnet},
		{In: "bgp", Match: "address-family ipv4|ipv6 unicast", As: "family", Rank: 9, Source: srcCommand},
		{In: "family", Match: "balance ebgp|ibgp|eibgp ?", Undo: "undo balance $1", Rank: 1, Assumed: true, Source: srcAnnet},
		{In: "family", Match: "balance as-path*", Rank: 1, Source: "HPE-5710, " + srcCommand},
		{In: "family", Match: "balance ?", Undo: "undo balance", Default: diffStanding("balance 1"), Rank: 1, Source: srcCommand + ": default 1"},
		{In: "family", Match: "network * *", Normal: dottedMask, Rank: 2, Source: srcCommand + ": the mask is stored dotted"},
		{In: "family", Match: "import-route *", Rank: 2, Source: srcCommand},
		{In: "family", Match: "peer * enable", Rank: 4, Prompt: "This operation might reset the peer session. Continue? [Y/N]", Source: srcAnnet + " pull 622"},
		{In: "family", Match: "peer * as-path-acl * export|import", Rank: 5, Source: "HPE-5710"},
	}
	for _, in := range []string{"bgp", "family"} {
		rules = append(rules,
			clitree.Rule{In: in, Match: "peer * description ~", Text: true, Undo: "undo peer $1 description", Rank: 5, Source: srcAnnet},
			clitree.Rule{In: in, Match: "peer * password ~", Secret: true, Undo: "undo peer $1 password", Rank: 5, Source: srcAnnet},
			clitree.Rule{In: in, Match: "peer * group ?", Undo: "undo peer $1 group", Assumed: true, Resets: []string{"peer $1 ~"}, Keeps: []string{"peer $1 as-number ~"}, Rank: 4,
				Note: "joining a group resets the peer's own settings", Source: srcAnnet},
			clitree.Rule{In: in, Match: "peer * connect-interface|local-as|ebgp-max-hop|keep-all-routes ~", Undo: "undo peer $1 $2", Assumed: true, Rank: 5, Source: srcAnnet},
			clitree.Rule{In: in, Match: "peer **", Rank: 6, Source: srcAnnet},
		)
	}
	return rules
}

func diffDefaults() []clitree.Default {
	d := []clitree.Default{
		{In: diffPortPlace, Line: "undo shutdown", Source: srcPrint},
		{In: diffPortPlace, Line: "jumboframe enable", Source: srcCommand + ": without a size it is the default"},
		{In: diffPortPlace, Line: "port trunk permit vlan 1", When: "port link-type trunk", Source: srcCommand + ": a trunk permits VLAN 1"},
		{In: diffPortPlace, Line: "flow-interval 300", Source: srcField},
		{Line: "vlan 1", Source: srcField + ": always there"},
		{Line: "irf member 1 priority 1", Source: srcField + ": always shown"},
		{Line: "undo irf link-delay", Source: srcField + ": always shown"},
	}
	return d
}

func diffRewrites() []clitree.Rewrite {
	limits := "low-limit $2 high-limit $3 discard-probability $4"
	return []clitree.Rewrite{
		{From: "no shutdown", In: diffPortPlace, To: []string{"undo shutdown"}, Source: srcCommand + " alias: no"},
		{From: "ip route-static vpn-instance * 0.0.0.0 0.0.0.0 ~", To: []string{"ip route-static vpn-instance $1 0.0.0.0 0 $2"}, Source: srcCommand + ": mask or length"},
		{From: "ip route-static 0.0.0.0 0.0.0.0 ~", To: []string{"ip route-static 0.0.0.0 0 $1"}, Source: srcCommand + ": mask or length"},
		{From: "hostname ?", To: []string{"sysname $1"}, Source: srcCommand + " alias"},
		{From: "interface vlan ?", To: []string{"interface Vlan-interface$1"}, Source: srcField},
		{In: "bgp", From: "address-family ipv4", To: []string{"address-family ipv4 unicast"}, Source: srcAnnet},
		{In: "bgp", From: "address-family ipv6", To: []string{"address-family ipv6 unicast"}, Source: srcAnnet},
		{In: "wred", From: "queue * low-limit ? high-limit ? discard-probability ?", To: []string{
			"queue $1 drop-level 0 " + limits, "queue $1 drop-level 1 " + limits, "queue $1 drop-level 2 " + limits},
			Source: "HPE-5130HI: without drop-level all three colours"},
	}
}

func diffStanding(line string) func([]string) string { return func([]string) string { return line } }

func queueNine(args []string) string { return "queue " + args[0] + " weighting-constant 9" }

func localPrecedence(args []string) string {
	to := args[0]
	if i := strings.Index("012", to); i >= 0 && len(to) == 1 {
		to = []string{"2", "0", "1"}[i]
	}
	return "import " + args[0] + " export " + to
}

func dscpEighth(args []string) string {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return ""
	}
	return "import " + args[0] + " export " + strconv.Itoa(n/8)
}

// dottedMask writes a mask given as length the way it is stored: the fourth word of
// "ip address", the third of "network".
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
	mask := ^uint32(0) << (32 - n)
	if n == 0 {
		mask = 0
	}
	words[at] = netip.AddrFrom4([4]byte{byte(mask >> 24), byte(mask >> 16), byte(mask >> 8), byte(mask)}).String()
	return words
}

// bandTops are the highest percentage of each step of the dynamic threshold
// (H3C-RDMA, S9820-64H: 0 is 1/128, 81 to 100 is 8).
var bandTops = []int{0, 1, 3, 5, 11, 20, 33, 50, 66, 80, 100}

// hardwareBand replaces a dynamic threshold by the highest value that means the same.
func hardwareBand(words []string) []string {
	last := len(words) - 1
	n, err := strconv.Atoi(words[last])
	if err != nil || words[last-1] != "dynamic" {
		return words
	}
	for _, b := range bandTops {
		if n <= b {
			words[last] = strconv.Itoa(b)
			break
		}
	}
	return words
}

// cageOf reads slot, card and cage off a port's header; a part has :n behind it.
func cageOf(header string) (string, bool, bool) {
	name, ok := strings.CutPrefix(header, "interface ")
	if !ok {
		return "", false, false
	}
	digit := strings.IndexAny(name, "0123456789")
	if digit < 1 || !strings.Contains(name, "/") || strings.HasPrefix(name, "M-") {
		return "", false, false
	}
	path, _, part := strings.Cut(name[digit:], ":")
	return path, part, true
}

// usingWords are the keywords that manuals and traces show (H3C-IF, CW7-CMD).
var usingWords = map[string]string{"Ten-GigabitEthernet": "tengige", "FortyGigE": "fortygige", "HundredGigE": "hundredgige",
	"Twenty-FiveGigE": "twenty-fivegige", "FiftyGigE": "fiftygige"}

// splitByHand tells how to split or join a cage. The keywords for 200G and more were
// not seen, so a person has to look.
func splitByHand(header string, whole bool) (commands []string, remark string) {
	name := strings.TrimPrefix(header, "interface ")
	digit := strings.IndexAny(name, "0123456789")
	kind, path := name[:max(digit, 0)], name[max(digit, 0):]
	what := "split"
	if whole {
		what = "join"
	}
	word := usingWords[kind]
	path, _, _ = strings.Cut(path, ":")
	if word == "" {
		word = "?"
	}
	return nil, what + " cage " + path + " into " + kind + " first, by hand: under one of its present interfaces type using " + word +
		" and answer Y; its old interfaces go with their settings"
}
