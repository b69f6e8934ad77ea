package underlay

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// configDB is CONFIG_DB as far as routing reads it: table, key, field.
type configDB map[string]map[string]map[string]any

func (c configDB) get(table, key, field string) string {
	s, _ := c[table][key][field].(string)
	return s
}

// keys are a table's keys, sorted.
func (c configDB) keys(table string) []string {
	var keys []string
	for k := range c[table] {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// addresses are the interface and prefix of each key NAME|PREFIX whose bare row exists.
func (c configDB) addresses(table string, each func(name string, p netip.Prefix)) error {
	for _, k := range c.keys(table) {
		name, text, ok := strings.Cut(k, "|")
		if !ok {
			continue
		}
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return fmt.Errorf("%s|%s: %w", table, k, err)
		}
		if _, ok := c[table][name]; !ok {
			return fmt.Errorf("%s|%s: %s has no row of its own", table, k, name)
		}
		each(name, p)
	}
	return nil
}

// readSONiC reads config_db.json and, where there is one, frr.conf. Which of the
// two is in force says docker_routing_config_mode, as in docker_init.sh.
func readSONiC(config, frr []byte) (*device, error) {
	var db configDB
	if err := json.Unmarshal(config, &db); err != nil {
		return nil, err
	}
	d := &device{forwards: true, links: map[string]link{}}
	var r complaints
	note := func(err error) {
		if err != nil {
			r.add("%w", err)
		}
	}
	up := func(port string) bool { return db.get("PORT", port, "admin_status") == "up" }
	for _, k := range db.keys("INTERFACE") {
		if !strings.Contains(k, "|") && up(k) {
			d.links[k] = link{linkLocal: db.get("INTERFACE", k, "ipv6_use_link_local_only") == "enable"}
		}
	}
	note(db.addresses("INTERFACE", func(name string, p netip.Prefix) {
		if up(name) {
			d.links[name] = link{address: p}
		}
	}))
	note(db.addresses("LOOPBACK_INTERFACE", func(_ string, p netip.Prefix) { d.loopback = p }))
	note(db.addresses("VLAN_INTERFACE", func(name string, p netip.Prefix) {
		if db.get("VLAN", name, "admin_status") != "up" {
			r.add("%s is not up", name)
		}
		d.stubs = append(d.stubs, p)
	}))
	switch mode := db.get("DEVICE_METADATA", "localhost", "docker_routing_config_mode"); {
	case mode == "" && frr == nil: // separated or unified, as the image has it: both render CONFIG_DB
		d.routing = bgpcfgd(db, d)
	case mode == "split-unified" && frr != nil && len(db["BGP_NEIGHBOR"]) == 0:
		d.routing = string(frr)
	default:
		r.add("routing mode %q, %d bytes of frr.conf and %d sessions in CONFIG_DB contradict each other", mode, len(frr), len(db["BGP_NEIGHBOR"]))
	}
	return d, r.err()
}

// policies is what policies.conf.j2 gives with an allow list that is on and empty.
const policies = `ip prefix-list DEFAULT_IPV4 permit 0.0.0.0/0
route-map ALLOW_LIST_DEPLOYMENT_ID_0_V4 permit 65535
 set community 5060:12345 additive
exit
bgp community-list standard allow_list_default_community permit no-export
bgp community-list standard allow_list_default_community permit 5060:12345
route-map FROM_BGP_PEER_V4 permit 10
 call ALLOW_LIST_DEPLOYMENT_ID_0_V4
 on-match next
exit
route-map FROM_BGP_PEER_V4 permit 11
 match community allow_list_default_community
exit
route-map FROM_BGP_PEER_V4 permit 100
exit
route-map TO_BGP_PEER_V4 permit 100
 call CHECK_IDF_ISOLATION
exit
route-map CHECK_IDF_ISOLATION permit 10
exit`

// bgpcfgd is what SONiC makes of CONFIG_DB: bgpd.main.conf.j2, then policies,
// peer group and instance of templates/general for each neighbor, with the
// values of constants.yml; and the source address that bgpcfgd gives to routes
// from BGP. IPv6 parts are left out, and so is bgp suppress-fib-pending: in FRR
// before 9.1, Debian's too, it loses withdrawals now and then when two paths go
// one right after the other (FRRouting/frr issue 15626).
func bgpcfgd(db configDB, d *device) string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	meta := func(field string) string { return db.get("DEVICE_METADATA", "localhost", field) }
	lo := d.loopback.Addr()
	say("ip prefix-list PL_LoopbackV4 permit %s/32", lo)
	say("route-map RM_SET_SRC permit 10\n set src %s\nexit\nip protocol bgp route-map RM_SET_SRC", lo)
	for i, p := range d.stubs {
		say("ip prefix-list LOCAL_VLAN_IPV4_PREFIX seq %d permit %s", (i+1)*5, p.Masked())
	}
	say("router bgp %s", meta("bgp_asn"))
	say(" bgp log-neighbor-changes\n no bgp default ipv4-unicast\n no bgp ebgp-requires-policy")
	say(" bgp bestpath as-path multipath-relax")
	if meta("type") == "ToRRouter" {
		say(" bgp graceful-restart restart-time 240\n bgp graceful-restart\n bgp graceful-restart preserve-fw-state\n bgp graceful-restart select-defer-time 45")
	}
	say(" bgp router-id %s", lo)
	say(" network %s/32", lo)
	for _, p := range d.stubs {
		say(" network %s", p)
	}
	say(" address-family ipv4\n  maximum-paths 256\n exit-address-family\nexit") // constants.yml has 514, Debian's FRR takes 256
	if len(db["BGP_NEIGHBOR"]) == 0 {
		return out.String()
	}
	say("%s", policies)
	say("router bgp %s\n neighbor PEER_V4 peer-group\n address-family ipv4", meta("bgp_asn"))
	if meta("type") == "ToRRouter" {
		say("  neighbor PEER_V4 allowas-in 1")
	}
	say("  neighbor PEER_V4 soft-reconfiguration inbound\n  neighbor PEER_V4 route-map FROM_BGP_PEER_V4 in\n  neighbor PEER_V4 route-map TO_BGP_PEER_V4 out\n exit-address-family")
	for _, nbr := range db.keys("BGP_NEIGHBOR") {
		field := func(name string) string { return db.get("BGP_NEIGHBOR", nbr, name) }
		if !d.local(field("local_addr")) {
			continue // bgpcfgd waits until an interface has it
		}
		say(" neighbor %s remote-as %s\n neighbor %s description %s\n neighbor %s timers connect 10", nbr, field("asn"), nbr, field("name"), nbr)
		if s := field("admin_status"); s == "down" || s == "" && meta("default_bgp_status") == "down" {
			say(" neighbor %s shutdown", nbr)
		}
		say(" address-family ipv4\n  neighbor %s peer-group PEER_V4\n  neighbor %s activate\n exit-address-family", nbr, nbr)
	}
	say("exit")
	return out.String()
}

// local reports whether a routed port has the address.
func (d *device) local(address string) bool {
	for _, l := range d.links {
		if l.address.IsValid() && l.address.Addr().String() == address {
			return true
		}
	}
	return false
}
