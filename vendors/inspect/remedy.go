package inspect

import (
	"strconv"
	"strings"
)

// words are what puts findings right in a system's own words: only commands that
// the drivers write too, so each is confirmed by a vendor's text or a running
// configuration. {prio}, {dscp}, {phb} and {port} are filled in.
func words() map[string]map[string]string {
	comwarePFC := "\"priority-flow-control enable\" and \"priority-flow-control no-drop dot1p {prio}\" on the interface"
	vrpPFC := "\"dcb pfc enable mode manual\" on the interface, with \"priority {prio}\" in \"dcb pfc\""
	eosPFC := "\"priority-flow-control on\" and \"priority-flow-control priority {prio} no-drop\" on the interface or in its qos profile"
	sonicPFC := "pfc_enable \"{prio}\" in PORT_QOS_MAP|{port}"
	cumulusPFC := "\"nv set interface {port} qos pfc profile PROFILE\", with \"nv set qos pfc PROFILE switch-priority {prio}\""
	return map[string]map[string]string{
		"comware": {
			"PFC_ONE_END": comwarePFC, "PFC_MISSING": comwarePFC, "PFC_INCOMPLETE": comwarePFC,
			"PFC_PRIORITY_DIFFERS": "\"priority-flow-control no-drop dot1p {prio}\" on the interface",
			"TRUST_MISSING":        "\"qos trust dscp\" on the interface",
			"CLASS_MISMATCH":       "\"import {dscp} export {prio}\" in \"qos map-table dscp-dot1p\"",
			"WATCHDOG_MISSING":     "\"priority-flow-control deadlock enable\" on the interface, with \"priority-flow-control deadlock cos {prio} interval N\" for the switch",
			"MTU_MISMATCH":         "\"jumboframe enable N\" on the interface",
		},
		"vrp": {
			"PFC_ONE_END": vrpPFC, "PFC_MISSING": vrpPFC, "PFC_INCOMPLETE": vrpPFC,
			"PFC_PRIORITY_DIFFERS": "\"priority {prio}\" in the profile under \"dcb pfc\"",
			"TRUST_MISSING":        "\"trust dscp\" on the interface",
			"CLASS_MISMATCH":       "\"ip-dscp-inbound {dscp} phb {phb} green\" in the diffserv domain",
			"MTU_MISMATCH":         "\"mtu N\" on the interface",
		},
		"eos": {
			"PFC_ONE_END": eosPFC, "PFC_MISSING": eosPFC, "PFC_INCOMPLETE": eosPFC,
			"PFC_PRIORITY_DIFFERS": "\"priority-flow-control priority {prio} no-drop\"",
			"TRUST_MISSING":        "\"qos trust dscp\" on the interface or in its qos profile",
			"CLASS_MISMATCH":       "\"qos map dscp {dscp} to traffic-class {prio}\"",
			"MTU_MISMATCH":         "\"mtu N\" on the interface",
		},
		"sonic": {
			"PFC_ONE_END": sonicPFC, "PFC_MISSING": sonicPFC, "PFC_PRIORITY_DIFFERS": sonicPFC,
			"TRUST_MISSING":    "dscp_to_tc_map in PORT_QOS_MAP|{port}",
			"CLASS_MISMATCH":   "\"{dscp}\": \"{prio}\" in the DSCP_TO_TC_MAP that the port is bound to",
			"WATCHDOG_MISSING": "a row PFC_WD|{port} with action, detection_time and restoration_time",
			"MTU_MISMATCH":     "mtu in PORT|{port}",
		},
		"cumulus": {
			"PFC_ONE_END": cumulusPFC, "PFC_MISSING": cumulusPFC, "PFC_INCOMPLETE": cumulusPFC,
			"TRUST_MISSING":    "\"nv set qos mapping default-global trust l3\"",
			"CLASS_MISMATCH":   "\"nv set qos mapping default-global dscp {dscp} switch-priority {prio}\"",
			"WATCHDOG_MISSING": "\"nv set interface {port} qos pfc-watchdog state enable\"",
			"MTU_MISMATCH":     "\"nv set interface {port} link mtu N\"",
		},
	}
}

// worder looks words up and fills them in.
func worder() func(os, code, port string, priority, dscp int) string {
	table := words()
	return func(os, code, port string, priority, dscp int) string {
		text := table[os][code]
		if strings.Contains(text, "{prio}") && priority < 0 || strings.Contains(text, "{dscp}") && dscp == 0 {
			return ""
		}
		if port == "" {
			port = "PORT"
		}
		behaviours := [...]string{"be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7"} // VRP's names of queues 0 to 7
		return strings.NewReplacer("{prio}", strconv.Itoa(priority), "{phb}", behaviours[max(0, min(priority, 7))], "{dscp}", strconv.Itoa(dscp), "{port}", port).Replace(text)
	}
}
