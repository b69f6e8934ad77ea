package inspect

import "strings"

// mark betrays an operating system: the first word of a line and what follows
// it, or with a star what is somewhere behind it.
type mark struct{ word, rest, os string }

// marks are chosen so that each belongs to one system, or is worth little. The
// interface types alone prove nothing: several vendors use the same names.
func marks() []mark {
	return []mark{
		{"port", "link-mode ", "comware"}, {"version", "7.1.", "comware"}, {"version", "9.1.", "comware"}, {"interface", "Vlan-interface", "comware"},
		{"interface", "M-GigabitEthernet", "comware"}, {"qos", "wred queue", "comware"}, {"qos", "wred apply", "comware"}, {"qos", "wfq ", "comware"},
		{"qos", "map-table", "comware"}, {"priority-flow-control", "no-drop dot1p", "comware"}, {"priority-flow-control", "deadlock", "comware"},
		{"line", "vty ", "comware"}, {"line", "class ", "comware"}, {"mdc", "Admin", "comware"}, {"lldp", "global enable", "comware"},
		{"buffer", "egress cell", "comware"}, {"port", "trunk permit", "comware"}, {"local-user", "*class manage", "comware"}, {"port", "access vlan", "comware"},
		{"port", "default vlan", "vrp"}, {"undo", "portswitch", "vrp"}, {"vlan", "batch", "vrp"}, {"interface", "Vlanif", "vrp"}, {"interface", "MEth", "vrp"},
		{"interface", "Eth-Trunk", "vrp"}, {"dcb", "pfc", "vrp"}, {"qos", "drr ", "vrp"}, {"qos", "queue ", "vrp"}, {"drop-profile", "", "vrp"}, {"ipv4-family", "", "vrp"},
		{"diffserv", "domain", "vrp"}, {"stelnet", "", "vrp"}, {"!Software", "Version", "vrp"}, {"user-interface", "", "vrp"}, {"trust", "", "vrp"}, {"port", "split dimension", "vrp"},
		{"interface", "25GE", "vrp"}, {"interface", "100GE", "vrp"}, {"interface", "200GE", "vrp"}, {"interface", "400GE", "vrp"}, {"interface", "800GE", "vrp"},
		{"!", "*, EOS-", "eos"}, {"!", "Command: show running-config", "eos"}, {"service", "routing protocols model", "eos"}, {"management", "api", "eos"},
		{"priority-flow-control", "on", "eos"}, {"priority-flow-control", "pause watchdog", "eos"}, {"uc-tx-queue", "", "eos"}, {"tx-queue", "", "eos"},
		{"service-profile", "", "eos"}, {"transceiver", "qsfp", "eos"}, {"interface", "Management1", "eos"}, {"vrf", "instance", "eos"}, {"qos", "profile ", "eos"},
		{"qos", "map ", "eos"}, {"switchport", "", "eos ios nx-os rgos"}, {"hostname", "", "eos ios nx-os rgos frr"}, {"interface", "Ethernet", "eos nx-os"}, {"router", "bgp", "eos ios nx-os frr rgos"},
		{"speed", "forced ", "eos"}, {"ip", "routing", "eos ios"},
		{"frr", "version", "frr"}, {"frr", "defaults", "frr"}, {"exit-address-family", "", "frr ios"},
		{"!Command:", "", "nx-os"}, {"!Running", "configuration last done", "nx-os"}, {"feature", "", "nx-os"}, {"vdc", "", "nx-os"}, {"vpc", "", "nx-os"}, {"interface", "mgmt0", "nx-os"},
		{"boot-start-marker", "", "ios"}, {"service", "timestamps", "ios"}, {"line", "con 0", "ios"}, {"ip", "classless", "ios"}, {"!", "Last configuration change", "ios"},
		{"set", "system ", "junos"}, {"set", "interfaces ", "junos"}, {"set", "class-of-service ", "junos"}, {"system", "{", "junos"}, {"interfaces", "{", "junos"}, {"##", "Last", "junos"},
		{"-", "set:", "cumulus"}, {"-", "header:", "cumulus"}, {"nv", "set ", "cumulus"},
		{"switchvlan-configuration", "", "zxros"}, {"interface", "*gei-", "zxros"}, {"$", "", "zxros"}, {"interface", "*GigabitEthernet 0/", "rgos"}, {"interface", "Loopback 0", "rgos ios"}, {"interface", "VLAN ", "rgos"}, {"interface", "Vlan ", "rgos"}, {"interface", "AggregatePort", "rgos"},
	}
}

func (m mark) fits(rest string) bool {
	if inside, ok := strings.CutPrefix(m.rest, "*"); ok {
		return strings.Contains(rest, inside)
	}
	return strings.HasPrefix(rest, m.rest)
}

// detector knows the marks by their word.
type detector struct{ byWord map[string][]mark }

func newDetector() *detector {
	d := &detector{byWord: map[string][]mark{}}
	for _, m := range marks() {
		d.byWord[m.word] = append(d.byWord[m.word], m)
	}
	return d
}

// sure is the score at which a system that leads three to one is taken.
const sure = 15

func leads(score map[string]int) bool {
	first, second := 0, 0
	for _, n := range score {
		if n > first {
			first, second = n, first
		} else if n > second {
			second = n
		}
	}
	return first >= sure && first >= 3*second
}

// system tells the operating system by the head of a text; "" when nothing
// betrays one. Each mark counts once, marks of one system three times as much.
func (d *detector) system(head string) string {
	score := map[string]int{}
	seen := map[mark]bool{}
	for head != "" {
		var line string
		line, head, _ = strings.Cut(head, "\n")
		line = strings.TrimLeft(line, " \t")
		word, rest, _ := strings.Cut(strings.TrimRight(line, "\r "), " ")
		if strings.HasPrefix(word, "!<") {
			score["zxros"] += 3 // its section marks
		}
		for _, m := range d.byWord[word] {
			if seen[m] || !m.fits(rest) {
				continue
			}
			seen[m] = true
			systems := strings.Fields(m.os)
			for _, os := range systems {
				score[os] += 1 + 2/len(systems)
			}
			if leads(score) {
				head = ""
			}
		}
	}
	best := ""
	for _, os := range []string{"comware", "vrp", "eos", "nx-os", "ios", "rgos", "zxros", "junos", "cumulus", "frr"} {
		if score[os] > score[best] {
			best = os
		}
	}
	return best
}
