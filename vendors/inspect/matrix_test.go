package inspect_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// edit changes one file of a fabric.
type edit func(t *testing.T, body string) string

// line replaces the first line that matches, "" takes it out.
func line(pattern, with string) edit { return lines(1, pattern, with) }

// lines replaces the first n lines that match.
func lines(n int, pattern, with string) edit {
	re := regexp.MustCompile(`(?m)^` + pattern + `$\n`)
	return func(t *testing.T, body string) string {
		t.Helper()
		done := 0
		out := re.ReplaceAllStringFunc(body, func(m string) string {
			if done == n {
				return m
			}
			done++
			if with == "" {
				return ""
			}
			return re.ReplaceAllString(m, with+"\n")
		})
		if done == 0 {
			t.Fatalf("no line matches %s", pattern)
		}
		return out
	}
}

// within applies an edit to the section that begins with a line.
func within(header string, e edit) edit {
	return func(t *testing.T, body string) string {
		t.Helper()
		at := strings.Index(body, "\n"+header+"\n")
		if at < 0 {
			t.Fatalf("no section %q", header)
		}
		at++
		end := strings.IndexAny(body[at:], "#!")
		for end >= 0 && body[at+end-1] != '\n' {
			next := strings.IndexAny(body[at+end+1:], "#!")
			if next < 0 {
				end = -1
				break
			}
			end += 1 + next
		}
		if end < 0 {
			end = len(body) - at
		}
		return body[:at] + e(t, body[at:at+end]) + body[at+end:]
	}
}

// row applies an edit to one row of a table of a CONFIG_DB document.
func row(table, key string, e edit) edit {
	return func(t *testing.T, body string) string {
		t.Helper()
		at := strings.Index(body, "\n    \""+table+"\": {\n")
		if at < 0 {
			t.Fatalf("no table %s", table)
		}
		k := strings.Index(body[at:], "\n        \""+key+"\": {")
		if k < 0 {
			t.Fatalf("no row %s|%s", table, key)
		}
		at += k + 1
		end := strings.Index(body[at:], "\n        }")
		return body[:at] + e(t, body[at:at+end+1]) + body[at+end+1:]
	}
}

func both(edits ...edit) edit {
	return func(t *testing.T, body string) string {
		t.Helper()
		for _, e := range edits {
			body = e(t, body)
		}
		return body
	}
}

// fault is one thing wrong in a fabric and the one finding it must give.
type fault struct {
	name   string
	file   string
	edit   edit
	cables string
	code   string
	sw     string
	port   string // "" for the switch
	text   string // in the quoted line
}

func comwareFaults() []fault {
	const leaf, spine = "leaf-u01-r0/startup.cfg", "spine-01/startup.cfg"
	up, host, down := "FourHundredGigE1/0/33", "FourHundredGigE1/0/1", "FourHundredGigE1/0/1"
	in := func(port string, e edit) edit { return within("interface "+port, e) }
	return []fault{
		{"comware: pfc not enabled", leaf, in(up, line(" priority-flow-control enable", "")), "", "PFC_INCOMPLETE", "leaf-u01-r0", up, "no-drop dot1p 3"},
		{"comware: no-drop list missing", leaf, in(host, line(" priority-flow-control no-drop dot1p 3", "")), "", "PFC_INCOMPLETE", "leaf-u01-r0", host, "priority-flow-control enable"},
		{"comware: pfc missing at one end", spine, in(down, both(line(" priority-flow-control enable", ""), line(" priority-flow-control no-drop dot1p 3", ""))), "", "PFC_ONE_END", "spine-01", down, "interface FourHundredGigE1/0/1"},
		{"comware: pfc missing on a host port", leaf, in(host, both(line(" priority-flow-control enable", ""), line(" priority-flow-control no-drop dot1p 3", ""))), "", "PFC_MISSING", "leaf-u01-r0", host, "interface FourHundredGigE1/0/1"},
		{"comware: other priority on a link", leaf, in(up, line(" priority-flow-control no-drop dot1p 3", " priority-flow-control no-drop dot1p 4")), "", "PFC_PRIORITY_DIFFERS", "leaf-u01-r0", up, "no-drop dot1p 4"},
		{"comware: other priority on a host port", leaf, in(host, line(" priority-flow-control no-drop dot1p 3", " priority-flow-control no-drop dot1p 4")), "", "PFC_PRIORITY_DIFFERS", "leaf-u01-r0", host, "no-drop dot1p 4"},
		{"comware: negotiated on a routed port", leaf, in(up, line(" priority-flow-control enable", " priority-flow-control auto")), "", "PFC_NEGOTIATED", "leaf-u01-r0", up, "auto"},
		{"comware: dscp map loses the class", leaf, line(" import 26 export 3", " import 26 export 0"), "", "CLASS_MISMATCH", "leaf-u01-r0", "", "import 26 export 0"},
		{"comware: dscp map of a spine", spine, line(" import 26 export 3", " import 26 export 4"), "", "CLASS_MISMATCH", "spine-01", "", "import 26 export 4"},
		{"comware: another dscp is lossless", leaf, line(" import 34 export 0", " import 34 export 3"), "", "CLASS_WIDER", "leaf-u01-r0", "", "import 34 export 3"},
		{"comware: class in another queue", leaf, line(" import 3 export 3", " import 3 export 0"), "", "QUEUE_MISMATCH", "leaf-u01-r0", "", "import 3 export 0"},
		{"comware: trust missing on a host port", leaf, in(host, line(" qos trust dscp", "")), "", "TRUST_MISSING", "leaf-u01-r0", host, "interface FourHundredGigE1/0/1"},
		{"comware: wrong trust on an uplink", leaf, in(up, line(" qos trust dscp", " qos trust dot1p")), "", "TRUST_MISSING", "leaf-u01-r0", up, "qos trust dot1p"},
		{"comware: ecn on the wrong queue", spine, lines(9, ` queue 3 (.*)`, " queue 4 $1"), "", "ECN_WRONG_QUEUE", "spine-01", "", "queue 4 ecn"},
		{"comware: limits without ecn", spine, line(" queue 3 ecn", ""), "", "ECN_INACTIVE", "spine-01", "", "queue 3 drop-level 0"},
		{"comware: no wred on a port", leaf, in(up, line(" qos wred apply .*", "")), "", "ECN_MISSING", "leaf-u01-r0", up, "interface"},
		{"comware: ecn above xoff", leaf, in(up, line(" priority-flow-control dot1p 3 ingress-buffer dynamic .*", " priority-flow-control dot1p 3 ingress-buffer static 1000")), "", "ECN_ABOVE_XOFF", "leaf-u01-r0", up, "static 1000"},
		{"comware: ecn ten times too late", spine, lines(3, `( queue 3 drop-level . low-limit) (\d+) high-limit (\d+) (.*)`, "$1 ${2}0 high-limit ${3}0 $4"), "", "ECN_DIFFERS", "spine-01", "", "drop-level 0"},
		{"comware: deadlock detection off on a port", leaf, in(host, line(" priority-flow-control deadlock enable", "")), "", "WATCHDOG_MISSING", "leaf-u01-r0", host, "interface"},
		{"comware: deadlock detection without cos", leaf, line(" priority-flow-control deadlock cos 3 interval .*", ""), "", "WATCHDOG_MISSING", "leaf-u01-r0", "", ""},
		{"comware: deadlock detection of a lossy queue", leaf, line(" priority-flow-control deadlock cos 3 interval (.*)", " priority-flow-control deadlock cos 4 interval $1"), "", "WATCHDOG_LOSSY_QUEUE", "leaf-u01-r0", "", "cos 4"},
		{"comware: mtu", leaf, in(up, line(" jumboframe enable 9216", " jumboframe enable 1600")), "", "MTU_MISMATCH", "leaf-u01-r0", up, "jumboframe enable 1600"},
		{"comware: cnp queue not strict", leaf, in(up, line(" qos wfq cs6 group sp", " qos wfq cs6 group 1 byte-count 10")), "", "SCHEDULER_DIFFERS", "leaf-u01-r0", up, "cs6"},
		{"comware: cnp queue left out", leaf, in(up, line(" qos wfq cs6 group sp", "")), "", "SCHEDULER_DIFFERS", "leaf-u01-r0", up, "interface"},
		{"comware: lossless weight", leaf, in(up, line(" qos wfq af3 group 1 byte-count .*", " qos wfq af3 group 1 byte-count 5")), "", "SCHEDULER_SHARE", "leaf-u01-r0", up, "byte-count 5"},
		{"comware: cnp in the lossless class", leaf, line(" import 48 export 6", " import 48 export 3"), "", "CNP_LOSSLESS", "leaf-u01-r0", "", "import 48 export 3"},
		{"comware: headroom for a longer cable", leaf, in(up, line(" x*description .*", " description none")), "leaf-u01-r0:FourHundredGigE1/0/33,spine-01:FourHundredGigE1/0/1,300", "HEADROOM_SHORT", "", "*", "headroom"},
		{"comware: cnp paused", leaf, in(up, line(" priority-flow-control no-drop dot1p 3", " priority-flow-control no-drop dot1p 3,6")), "", "CNP_LOSSLESS", "leaf-u01-r0", up, "3,6"},
	}
}

func mixedFaults() []fault {
	const leaf, spine = "leaf-u01-r0/startup-config", "spine-01/config_db.json"
	up, host, down := "Ethernet33/1", "Ethernet1/1", "Ethernet0"
	in := func(port string, e edit) edit { return within("interface "+port, e) }
	qos := func(port string, e edit) edit { return row("PORT_QOS_MAP", port, e) }
	return []fault{
		{"eos: no-drop missing in a profile", leaf, lines(1, "   priority-flow-control priority 3 no-drop", ""), "", "PFC_INCOMPLETE", "leaf-u01-r0", "", "priority-flow-control on"},
		{"eos: pfc off on an uplink", leaf, in(up, line("   service-profile .*", "")), "", "PFC_ONE_END", "leaf-u01-r0", up, "interface Ethernet33/1"},
		{"eos: pfc off on a host port", leaf, in(host, line("   service-profile .*", "")), "", "PFC_MISSING", "leaf-u01-r0", host, "interface Ethernet1/1"},
		{"eos: profile of another name", leaf, in(host, line("   service-profile .*", "   service-profile GONE")), "", "MAP_UNKNOWN", "leaf-u01-r0", host, "GONE"},
		{"eos: dscp map", leaf, line("qos map dscp 26 to traffic-class 3", "qos map dscp 26 to traffic-class 2"), "", "CLASS_MISMATCH", "leaf-u01-r0", "", "traffic-class 2"},
		{"eos: trust missing in the profile of the hosts", leaf, lines(1, "   qos trust dscp", ""), "", "TRUST_MISSING", "leaf-u01-r0", "", "qos profile"},
		{"eos: cos trusted on an uplink", leaf, in(up, line("   mtu 9214", "   mtu 9214\n   qos trust cos")), "", "TRUST_MISSING", "leaf-u01-r0", up, "qos trust cos"},
		{"eos: ecn on the wrong queue", leaf, both(lines(1, `      random-detect ecn .*`, ""), lines(1, "   uc-tx-queue 0", "   uc-tx-queue 0\n      random-detect ecn minimum-threshold 400000 bytes maximum-threshold 1600000 bytes max-mark-probability 20 weight 0")), "", "ECN_WRONG_QUEUE", "leaf-u01-r0", "", "random-detect ecn"},
		{"eos: ecn missing in a profile", leaf, lines(1, `      random-detect ecn .*`, ""), "", "ECN_MISSING", "leaf-u01-r0", "", ""},
		{"eos: mtu left out", leaf, in(up, line("   mtu 9214", "")), "", "MTU_MISMATCH", "leaf-u01-r0", up, "interface Ethernet33/1"},
		{"eos: mtu of a gateway", leaf, within("interface Vlan100", line("   mtu 9214", "")), "", "MTU_MISMATCH", "leaf-u01-r0", "Vlan100", "interface Vlan100"},
		{"eos: watchdog off on a port", leaf, in(host, line("   speed (.*)", "   speed $1\n   no priority-flow-control pause watchdog")), "", "WATCHDOG_MISSING", "leaf-u01-r0", host, "no priority-flow-control pause watchdog"},
		{"eos: watchdog polls too rarely", leaf, line("priority-flow-control pause watchdog default polling-interval .*", "priority-flow-control pause watchdog default polling-interval 0.300"), "", "WATCHDOG_BELOW_POLL", "leaf-u01-r0", "", "watchdog"},
		{"eos: cnp queue weighted", leaf, both(line("   uc-tx-queue 6", "   uc-tx-queue 66"), line("      priority strict", "      no priority"), line("   uc-tx-queue 66", "   uc-tx-queue 6")), "", "SCHEDULER_DIFFERS", "leaf-u01-r0", "", "no priority"},
		{"eos: lossless queue strict", leaf, within("qos profile ROCE-400G-10M", lines(2, "      no priority", "      priority strict")), "", "SCHEDULER_DIFFERS", "leaf-u01-r0", "", "priority strict"},
		{"eos: pfc off everywhere", leaf, line("priority-flow-control pause watchdog action drop", "priority-flow-control pause watchdog action drop\npriority-flow-control all off"), "", "PFC_INCOMPLETE", "leaf-u01-r0", "", "all off"},

		{"sonic: dscp map", spine, row("DSCP_TO_TC_MAP", "ROCE", line(`            "26": "3",`, `            "26": "1",`)), "", "CLASS_MISMATCH", "spine-01", "", `"26": "1"`},
		{"sonic: dscp row missing", spine, row("DSCP_TO_TC_MAP", "ROCE", line(`            "26": "3",`, "")), "", "CLASS_MISMATCH", "spine-01", "", `ROCE`},
		{"sonic: class to priority group 0", spine, row("TC_TO_PRIORITY_GROUP_MAP", "ROCE", line(`            "3": "3",`, `            "3": "0",`)), "", "GROUP_LOSSY", "spine-01", "", `"3": "0"`},
		{"sonic: class to queue 0", spine, row("TC_TO_QUEUE_MAP", "ROCE", line(`            "3": "3",`, `            "3": "0",`)), "", "QUEUE_MISMATCH", "spine-01", "", `"3": "0"`},
		{"sonic: pause stops another queue", spine, row("MAP_PFC_PRIORITY_TO_QUEUE", "ROCE", line(`            "3": "3",`, `            "3": "2",`)), "", "QUEUE_MISMATCH", "spine-01", "", `"3": "2"`},
		{"sonic: other priority on a port", spine, qos(down, line(`            "pfc_enable": "3",`, `            "pfc_enable": "4",`)), "", "PFC_PRIORITY_DIFFERS", "spine-01", down, `"pfc_enable": "4"`},
		{"sonic: pfc missing on a port", spine, qos(down, line(`            "pfc_enable": "3",`, "")), "", "PFC_ONE_END", "spine-01", down, ""},
		{"sonic: one priority more", spine, qos(down, line(`            "pfc_enable": "3",`, `            "pfc_enable": "3,6",`)), "", "PFC_PRIORITY_DIFFERS", "spine-01", down, `"3,6"`},
		{"sonic: no dscp map on a port", spine, both(qos(down, line(`            "dscp_to_tc_map": "ROCE",`, "")), qos("global", line(`            "dscp_to_tc_map": "ROCE"`, `            "x": ""`))), "", "TRUST_MISSING", "spine-01", down, down},
		{"sonic: map that does not exist", spine, qos(down, line(`            "dscp_to_tc_map": "ROCE",`, `            "dscp_to_tc_map": "AZURE",`)), "", "MAP_UNKNOWN", "spine-01", down, "AZURE"},
		{"sonic: no group map on a port", spine, qos(down, line(`            "tc_to_pg_map": "ROCE",`, "")), "", "MAP_UNBOUND", "spine-01", down, down},
		{"sonic: watchdog of a lossy queue", spine, qos(down, line(`            "pfcwd_sw_enable": "3",`, `            "pfcwd_sw_enable": "4",`)), "", "WATCHDOG_LOSSY_QUEUE", "spine-01", down, `"pfcwd_sw_enable": "4"`},
		{"sonic: watchdog switched off on a port", spine, qos(down, line(`            "pfcwd_sw_enable": "3",`, `            "pfcwd_sw_enable": "",`)), "", "WATCHDOG_MISSING", "spine-01", down, "pfcwd_sw_enable"},
		{"sonic: no watchdog row", spine, row("PFC_WD", down, line(`        "Ethernet0": \{`, `        "Ethernet9999": {`)), "", "WATCHDOG_MISSING", "spine-01", down, down},
		{"sonic: watchdog below its poll", spine, row("PFC_WD", "GLOBAL", line(`            "POLL_INTERVAL": .*`, `            "POLL_INTERVAL": "900"`)), "", "WATCHDOG_BELOW_POLL", "spine-01", "", "detection_time"},
		{"sonic: no ecn on a queue", spine, row("QUEUE", "Ethernet0|3", both(line(`            "wred_profile": .*`, ""), line(`            "scheduler": "(.*)",`, `            "scheduler": "$1"`))), "", "ECN_MISSING", "spine-01", down, ""},
		{"sonic: ecn on the wrong queue", spine, both(row("QUEUE", "Ethernet0|3", both(line(`            "wred_profile": .*`, ""), line(`            "scheduler": "(.*)",`, `            "scheduler": "$1"`))), row("QUEUE", "Ethernet0|0", line(`            "scheduler": "(.*)"`, "            \"scheduler\": \"$1\",\n            \"wred_profile\": \"ECN_800G\""))), "", "ECN_WRONG_QUEUE", "spine-01", down, "wred_profile"},
		{"sonic: wred that drops", spine, row("WRED_PROFILE", "ECN_800G", line(`            "ecn": "ecn_all",`, `            "ecn": "ecn_none",`)), "", "ECN_INACTIVE", "spine-01", "", "ecn_none"},
		{"sonic: wred not enabled", spine, row("WRED_PROFILE", "ECN_800G", line(`            "wred_green_enable": "true",`, `            "wred_green_enable": "false",`)), "", "ECN_INACTIVE", "spine-01", "", "wred_green_enable"},
		{"sonic: ecn above xoff", spine, row("WRED_PROFILE", "ECN_800G", both(line(`            "green_max_threshold": .*`, `            "green_max_threshold": "99000000",`), line(`            "green_min_threshold": .*`, `            "green_min_threshold": "90000000",`))), "", "ECN_ABOVE_XOFF", "spine-01", "", "green_min_threshold"},
		{"sonic: mtu", spine, row("PORT", down, line(`            "mtu": "9216",`, `            "mtu": "1500",`)), "", "MTU_MISMATCH", "spine-01", down, `"mtu": "1500"`},
		{"sonic: cnp queue weighted", spine, row("QUEUE", "Ethernet0|6", line(`            "scheduler": .*`, `            "scheduler": "sched.default"`)), "", "SCHEDULER_DIFFERS", "spine-01", down, "sched.default"},
		{"sonic: a lossy profile on the group", spine, row("BUFFER_PG", "Ethernet0|3", line(`            "profile": .*`, `            "profile": "ingress_lossy_profile"`)), "", "BUFFER_LOSSY", "spine-01", down, "ingress_lossy_profile"},
		{"sonic: a shorter profile than the cable", spine, row("BUFFER_PROFILE", "pg_lossless_800000_40m_profile", line(`            "xoff": .*`, `            "xoff": "20000",`)), "", "HEADROOM_SHORT", "spine-01", "*", "pg_lossless"},
		{"sonic: cable longer than declared", spine, func(_ *testing.T, s string) string { return s }, "a_device,a_port,b_device,b_port,length_m\nspine-01,Ethernet0,leaf-u01-r0,Ethernet33/1,120", "HEADROOM_SHORT", "spine-01", down, "Ethernet0"},
	}
}

func vrpFaults(priority, other string, p bool) []fault {
	const leaf, spine = "leaf-u01-r0/vrpcfg.cfg", "spine-01/vrpcfg.cfg"
	return []fault{
		{"vrp: trust missing on a host port", leaf, inVRP("HOST", line(" trust dscp", "")), "", "TRUST_MISSING", "leaf", "HOST", "interface"},
		{"vrp: pfc missing on an uplink", leaf, inVRP("UP", line(" dcb pfc enable mode manual", "")), "", "PFC_ONE_END", "leaf", "UP", "interface"},
		{"vrp: pfc missing on a host port", leaf, inVRP("HOST", line(" dcb pfc enable mode manual", "")), "", "PFC_MISSING", "leaf", "HOST", "interface"},
		{"vrp: other priority in the profile", spine, line(" priority "+priority, " priority "+other), "", "PFC_PRIORITY_DIFFERS", "spine-01", "", "priority " + other},
		{"vrp: ecn line missing on a queue", leaf, inVRP("UP", line(" qos queue "+priority+" ecn", "")), "", "ECN_INACTIVE", "leaf", "UP", "wred"},
		{"vrp: ecn on the wrong queue", leaf, inVRP("UP", lines(2, " qos queue "+priority+" (wred .*|ecn)", " qos queue 1 $1")), "", "ECN_WRONG_QUEUE", "leaf", "UP", "qos queue 1"},
		{"vrp: everything strict on a port", leaf, inVRP("HOST", line(" qos drr 0 to 5", "")), "", "SCHEDULER_DIFFERS", "leaf", "HOST", ""},
		{"vrp: mtu", leaf, inVRP("UP", line(" mtu 9000", "")), "", "MTU_MISMATCH", "leaf", "UP", "interface"},
		{"vrp: ecn above xoff", leaf, inVRP("UP", line(" dcb pfc enable mode manual", " dcb pfc enable mode manual\n dcb pfc buffer "+priority+" xoff static 30 kbytes")), "", "ECN_ABOVE_XOFF", "leaf", "UP", "xoff static 30"},
		{"vrp: dscp map", spine, line("diffserv domain roce", "diffserv domain roce\n ip-dscp-inbound "+map[bool]string{true: "26", false: "33"}[p]+" phb be green"), "", "CLASS_MISMATCH", "spine-01", "", "phb be"},
		{"vrp: domain that does not exist", leaf, inVRP("HOST", line(" trust upstream roce", " trust upstream rocee")), "", "MAP_UNKNOWN", "leaf", "HOST", "rocee"},
	}
}

// inVRP edits the section of the first uplink or the first host port.
func inVRP(which string, e edit) edit {
	return func(t *testing.T, body string) string {
		return within("interface "+vrpPort(t, body, which), e)(t, body)
	}
}

func vrpPort(t *testing.T, body, which string) string {
	t.Helper()
	pattern := `(?m)^interface (\S*GE\S+)\n(?: .*\n)*? port default vlan`
	if which == "UP" {
		pattern = `(?m)^interface (\S*GE\S+)\n(?: .*\n)*? undo portswitch`
	}
	m := regexp.MustCompile(pattern).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("no such port")
	}
	return m[1]
}

const fabricP = `version: 1
name: p-fabric
fabric: {technology: roce, topology: leaf-spine, rails_per_leaf: 1}
servers:
  - {name: gpu, count: 24, model: dgx-h100, nic_speed: 200G, cable: {length: 5m}}
switches:
  leaf: {model: huawei-ce8851-32cq8dq-p, os: vrp}
  spine: {model: huawei-ce8851-32cq8dq-p, os: vrp, cable: {length: 30m}}
`

const fabricJ = `version: 1
name: j-fabric
fabric: {technology: roce, topology: leaf-spine, rails_per_leaf: 1}
servers:
  - {name: gpu, count: 24, model: dgx-h100, nic_speed: 100G, cable: {length: 5m}}
switches:
  leaf: {model: huawei-ce8855-32cq4bq, os: vrp}
  spine: {model: huawei-ce8855-32cq4bq, os: vrp, cable: {length: 30m}}
lossless: {priority: 4, dscp: 33}
`

// TestFaultMatrix puts each fault into a whole fabric, one at a time: exactly the
// one finding must come of it, on the right switch, port and line.
func TestFaultMatrix(t *testing.T) {
	onlyP := []fault{
		{"vrp P: marking not switched on", "leaf-u01-r0/vrpcfg.cfg", line("qos ecn enable", ""), "", "ECN_INACTIVE", "leaf", "", "deadlock"},
	}
	onlyJ := []fault{
		{"vrp J: pfc looks at 802.1p", "leaf-u01-r0/vrpcfg.cfg", line("dcb pfc dscp-mapping enable slot 1", ""), "", "PFC_KEYED_ON_DOT1P", "leaf", "", "dcb pfc enable"},
		{"vrp J: never restored", "leaf-u01-r0/vrpcfg.cfg", line(" priority 4 deadlock-recovery time .*", " priority 4 deadlock-recovery time 0"), "", "WATCHDOG_MISSING", "leaf", "", ""},
		{"vrp J: watchdog of another priority", "leaf-u01-r0/vrpcfg.cfg", line(" priority 4 deadlock-detect time (.*)", " priority 2 deadlock-detect time $1"), "", "WATCHDOG_LOSSY_QUEUE", "leaf", "", "priority 2"},
		{"vrp J: headroom of a longer cable", "leaf-u01-r0/vrpcfg.cfg", func(_ *testing.T, s string) string { return s }, "leaf-u01-r0:UP,x:y,2000", "HEADROOM_SHORT", "leaf", "UP", "hdrm"},
	}
	fabrics := []struct {
		name   string
		files  map[string]string
		faults []fault
	}{
		{"h3c-256", ofFile(t, "h3c-256.yaml"), comwareFaults()},
		{"mixed", ofFile(t, "mixed-arista-sonic-512.yaml"), mixedFaults()},
		{"vrp-p", ofText(t, fabricP), slices.Concat(vrpFaults("3", "2", true), onlyP)},
		{"vrp-j", ofText(t, fabricJ), slices.Concat(vrpFaults("4", "2", false), onlyJ)},
	}
	kinds := map[string]bool{}
	for _, f := range fabrics {
		for _, x := range f.faults {
			t.Run(f.name+"/"+x.name, func(t *testing.T) { x.inject(t, f.files) })
			kinds[x.code] = true
		}
	}
	if len(kinds) < 20 {
		t.Errorf("only %d kinds of findings are provoked", len(kinds))
	}
}

func (x fault) inject(t *testing.T, good map[string]string) {
	files := maps.Clone(good)
	body, ok := files[x.file]
	if !ok {
		t.Fatalf("no file %s in %v", x.file, slices.Sorted(maps.Keys(files))[:3])
	}
	for _, which := range []string{"UP", "HOST"} {
		if strings.Contains(x.port+x.cables, which) {
			name := vrpPort(t, body, which)
			x.port, x.cables = strings.ReplaceAll(x.port, which, name), strings.ReplaceAll(x.cables, which, name)
		}
	}
	files[x.file] = x.edit(t, body)
	_, r := judged(t, write(t, files), x.cables)
	got := serious(r)
	many := x.port == "*"
	if len(got) != 1 && !many || len(got) == 0 {
		for _, f := range got {
			t.Logf("%s %s %s %s:%d %q %s", f.Code, f.Switch, f.Port, f.File, f.Line, f.Text, f.Message)
		}
		t.Fatalf("%d findings, want one %s", len(got), x.code)
	}
	f := got[0]
	if f.Code != x.code || !strings.HasPrefix(f.Switch, x.sw) || f.Port != x.port && !many || !strings.Contains(f.Text, x.text) || f.Line == 0 || f.Remedy == "" || f.File != x.file && x.cables == "" {
		t.Errorf("got %s %s %q %s:%d %q (%s)\nwant %s %s %q %s %q", f.Code, f.Switch, f.Port, f.File, f.Line, f.Text, f.Message, x.code, x.sw, x.port, x.file, x.text)
	}
}
