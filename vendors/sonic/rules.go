package sonic

import (
	"strconv"
	"strings"
)

// checkRules checks what spans rows: the models' must statements and the
// conditions that only show on the switch.
func checkRules(doc document, known *names, p *problems) {
	checkLanes(doc, p)
	checkPrefixes(doc, known, p)
	checkVLANs(doc, known, p)
	checkManagement(doc, known, p)
	checkBuffers(doc, p)
	checkSpans(doc, "BUFFER_PG", p)
	checkSpans(doc, "BUFFER_QUEUE", p)
	checkSpans(doc, "QUEUE", p)
	checkWRED(doc, p)
	checkWatchdog(doc, p)
	checkLossless(doc, p)
}

// checkLanes: a lane belongs to one port (the patch tool's validate_lanes; the
// models do not say it), and so does an alias.
func checkLanes(doc document, p *problems) {
	rows := doc.table("PORT").rows
	owner, alias := make(map[string]string, 4*len(rows)), make(map[string]string, len(rows))
	for _, r := range rows {
		lanes, _ := r.get("lanes")
		for lane := range strings.SplitSeq(lanes, ",") {
			if other, taken := owner[lane]; taken {
				p.add("PORT|"+r.key, "lane %s belongs to %s already", lane, other)
			}
			owner[lane] = r.key
		}
		if a, ok := r.get("alias"); ok {
			if other, taken := alias[a]; taken {
				p.add("PORT|"+r.key, "alias %s belongs to %s already", a, other)
			}
			alias[a] = r.key
		}
	}
}

// checkPrefixes: an address needs the row of its interface, and is used once.
func checkPrefixes(doc document, known *names, p *problems) {
	used := map[string]string{}
	for _, t := range []string{"INTERFACE", "VLAN_INTERFACE", "LOOPBACK_INTERFACE", "MGMT_INTERFACE"} {
		for _, r := range doc.table(t).rows {
			name, prefix, ok := strings.Cut(r.key, "|")
			if !ok {
				continue
			}
			where := t + "|" + r.key
			if t != "MGMT_INTERFACE" && !known.has(t, name) {
				p.add(where, "the row %s|%s is missing", t, name)
			}
			address, _, _ := strings.Cut(prefix, "/")
			if other, taken := used[address]; taken {
				p.add(where, "address %s is on %s already", address, other)
			}
			used[address] = name
		}
	}
}

// checkVLANs: the number follows the name, a member is not routed, and a port
// is untagged in one VLAN only.
func checkVLANs(doc document, known *names, p *problems) {
	for _, r := range doc.table("VLAN").rows {
		if id, _ := r.get("vlanid"); "Vlan"+id != r.key {
			p.add("VLAN|"+r.key, "vlanid %s does not follow the name", id)
		}
	}
	untagged := map[string]string{}
	for _, r := range doc.table("VLAN_MEMBER").rows {
		vlan, port, _ := strings.Cut(r.key, "|")
		if known.has("INTERFACE", port) {
			p.add("VLAN_MEMBER|"+r.key, "%s is a routed interface", port)
		}
		if mode, _ := r.get("tagging_mode"); mode != "untagged" {
			continue
		}
		if other, taken := untagged[port]; taken {
			p.add("VLAN_MEMBER|"+r.key, "%s is untagged in %s already", port, other)
		}
		untagged[port] = vlan
	}
}

// checkManagement: the management VRF is used only when it is on, and a
// gateway is of its address's family.
func checkManagement(doc document, known *names, p *problems) {
	on := "false"
	for _, r := range doc.table("MGMT_VRF_CONFIG").rows {
		on, _ = r.get("mgmtVrfEnabled")
	}
	for _, t := range []string{"NTP", "SYSLOG_SERVER"} {
		for _, r := range doc.table(t).rows {
			if vrf, _ := r.get("vrf"); vrf == "mgmt" && on != "true" {
				p.add(t+"|"+r.key, "vrf mgmt needs MGMT_VRF_CONFIG mgmtVrfEnabled true")
			}
		}
	}
	for _, r := range doc.table("MGMT_INTERFACE").rows {
		if gw, _ := r.get("gwaddr"); strings.Contains(gw, ":") != strings.Contains(r.key, ":") {
			p.add("MGMT_INTERFACE|"+r.key, "gateway %s is of another address family", gw)
		}
	}
	for _, r := range doc.table("BGP_NEIGHBOR").rows {
		vrf, peer, two := strings.Cut(r.key, "|")
		if two && !isAddress(peer) && !known.has("PORT", peer) && !isVLAN(peer) {
			p.add("BGP_NEIGHBOR|"+r.key, "%s is neither an address nor a port", peer)
		}
		if group, ok := r.get("peer_group_name"); ok && !known.has("BGP_PEER_GROUP", vrf+"|"+group) {
			p.add("BGP_NEIGHBOR|"+r.key, "there is no peer group %s", group)
		}
	}
}

// checkBuffers: a profile has one threshold, a pool needs its size in the
// traditional model, and NULL stands for a computed profile in the dynamic one.
func checkBuffers(doc document, p *problems) {
	dynamic := false
	for _, r := range doc.table("DEVICE_METADATA").rows {
		model, _ := r.get("buffer_model")
		dynamic = model == "dynamic"
	}
	for _, r := range doc.table("BUFFER_PROFILE").rows {
		_, static := r.get("static_th")
		_, dyn := r.get("dynamic_th")
		if static == dyn {
			p.add("BUFFER_PROFILE|"+r.key, "needs one of dynamic_th and static_th")
		}
		// sonic-mgmt issue 25395: SAI refuses a lossless profile without memory.
		xoff, lossless := r.get("xoff")
		if size, _ := r.get("size"); lossless && (size == "0" || xoff == "0") {
			p.add("BUFFER_PROFILE|"+r.key, "a lossless profile needs size and xoff above zero")
		}
	}
	for _, r := range doc.table("BUFFER_POOL").rows {
		_, sized := r.get("size")
		_, percent := r.get("percentage")
		if !sized && !dynamic || percent && (sized || !dynamic) {
			p.add("BUFFER_POOL|"+r.key, "needs a size; a percentage or no size is for buffer_model dynamic")
		}
	}
	for _, r := range doc.table("BUFFER_PG").rows {
		if profile, _ := r.get("profile"); profile == "NULL" && !dynamic {
			p.add("BUFFER_PG|"+r.key, "profile NULL is for buffer_model dynamic")
		}
	}
}

// checkSpans: a group or queue of a port has one owner; the models do not say it.
func checkSpans(doc document, name string, p *problems) {
	port, spans := "", []span(nil)
	for _, r := range doc.table(name).rows { // sorted: the rows of a port are neighbours
		ifname, rest, _ := strings.Cut(r.key, "|")
		if ifname != port {
			port, spans = ifname, spans[:0]
		}
		s := parseSpan(rest)
		if s.low > s.high {
			p.add(name+"|"+r.key, "the range runs backwards")
		}
		for _, other := range spans {
			if s.low <= other.high && other.low <= s.high {
				p.add(name+"|"+r.key, "overlaps %d-%d of the same port", other.low, other.high)
			}
		}
		spans = append(spans, s)
	}
}

// checkWRED: marking needs wred_*_enable, and the thresholds are in order.
func checkWRED(doc document, p *problems) {
	for _, r := range doc.table("WRED_PROFILE").rows {
		on := false
		for _, colour := range colours {
			low, okLow := number64Of(r, colour+"_min_threshold")
			high, okHigh := number64Of(r, colour+"_max_threshold")
			if okLow && okHigh && high < low {
				p.add("WRED_PROFILE|"+r.key, "%s_max_threshold %d is below %s_min_threshold %d", colour, high, colour, low)
			}
			enable, _ := r.get("wred_" + colour + "_enable")
			on = on || enable == "true"
		}
		if ecn, ok := r.get("ecn"); ok && ecn != "ecn_none" && !on {
			p.add("WRED_PROFILE|"+r.key, "ecn %s marks nothing without wred_green_enable (sonic-buildimage issue 4545)", ecn)
		}
	}
	for _, r := range doc.table("SCHEDULER").rows {
		cir, hasCIR := number64Of(r, "cir")
		if pir, ok := number64Of(r, "pir"); ok && (!hasCIR || cir == 0 || pir < cir) {
			p.add("SCHEDULER|"+r.key, "pir needs a cir and is at least as large")
		}
	}
}

func number64Of(r row, name string) (int64, bool) {
	v, ok := r.get(name)
	n, err := strconv.ParseInt(v, 10, 64)
	return n, ok && err == nil
}

// checkWatchdog: no time is below the poll interval, and rows of ports need it.
func checkWatchdog(doc document, p *problems) {
	rows := doc.table("PFC_WD").rows
	poll, have := int64(0), false
	for _, r := range rows {
		_, hasPoll := r.get("POLL_INTERVAL")
		if r.key == "GLOBAL" {
			poll, have = number64Of(r, "POLL_INTERVAL")
		}
		if hasPoll != (r.key == "GLOBAL") || r.key == "GLOBAL" && len(r.fields) != 1 {
			p.add("PFC_WD|"+r.key, "POLL_INTERVAL belongs to GLOBAL, the rest to ports")
		}
	}
	if len(rows) > 0 && !have {
		p.add("PFC_WD", "the row GLOBAL with POLL_INTERVAL is missing")
	}
	for _, r := range rows {
		for _, name := range []string{"detection_time", "restoration_time"} {
			if ms, ok := number64Of(r, name); ok && ms < poll {
				p.add("PFC_WD|"+r.key, "%s %d ms is below POLL_INTERVAL %d ms", name, ms, poll)
			}
		}
	}
}

// checkLossless: PFC, watchdog and buffer groups of a port speak of the same
// priorities, and TCs lead there; each alone would lose packets in silence.
func checkLossless(doc document, p *problems) {
	groups := make(map[string]uint, len(doc.table("PORT").rows)) // bit n: group n has a row
	for _, r := range doc.table("BUFFER_PG").rows {
		port, pg, _ := strings.Cut(r.key, "|")
		for s := parseSpan(pg); s.low <= s.high; s.low++ {
			groups[port] |= 1 << s.low
		}
	}
	watched := map[string]bool{}
	for _, r := range doc.table("PFC_WD").rows {
		watched[r.key] = true
	}
	for _, r := range doc.table("PORT_QOS_MAP").rows {
		pfc, _ := r.get("pfc_enable")
		dog, hasDog := r.get("pfcwd_sw_enable")
		where := "PORT_QOS_MAP|" + r.key
		if hasDog && dog != "" && dog != pfc {
			p.add(where, "pfcwd_sw_enable %q differs from pfc_enable %q", dog, pfc)
		}
		if watched[r.key] && dog == "" {
			p.add(where, "PFC_WD has a row for the port but pfcwd_sw_enable is empty")
		}
		if pfc == "" || len(groups) == 0 {
			continue
		}
		for one := range strings.SplitSeq(pfc, ",") {
			if groups[r.key]>>parseSpan(one).low&1 == 0 {
				p.add(where, "pfc_enable has %s but no BUFFER_PG row holds it", one)
			}
		}
	}
}
