package main

import (
	"fmt"
	"strings"
)

// modules are the input modules, below the folder of the models. What they
// import is found by name.
func modules() []string {
	return []string{
		"interfaces/openconfig-interfaces.yang",
		"interfaces/openconfig-if-ethernet.yang",
		"interfaces/openconfig-if-ip.yang",
		"vlan/openconfig-vlan.yang",
		"lldp/openconfig-lldp.yang",
		"qos/openconfig-qos.yang",
		"network-instance/openconfig-network-instance.yang",
		"policy/openconfig-routing-policy.yang",
		"bgp/openconfig-bgp-policy.yang",
	}
}

// imports are the prefixes of the pruning paths.
func imports() [][2]string {
	return [][2]string{
		{"if", "openconfig-interfaces"},
		{"eth", "openconfig-if-ethernet"},
		{"ip", "openconfig-if-ip"},
		{"lag", "openconfig-if-aggregate"},
		{"vlan", "openconfig-vlan"},
		{"lldp", "openconfig-lldp"},
		{"qos", "openconfig-qos"},
		{"ni", "openconfig-network-instance"},
		{"rp", "openconfig-routing-policy"},
		{"bp", "openconfig-bgp-policy"},
		{"acl", "openconfig-acl"},
		{"platform", "openconfig-platform"},
		{"bfd", "openconfig-bfd"},
		{"keychain", "openconfig-keychain"},
	}
}

// tree is a set of sibling subtrees to leave out. A step without a prefix has
// that of the step before it.
type tree struct {
	at   string // where the siblings hang, "" at the root
	drop string // names, separated by spaces
}

const (
	intf     = "/if:interfaces/interface"
	sub      = intf + "/subinterfaces/subinterface"
	routed   = intf + "/vlan:routed-vlan"
	instance = "/ni:network-instances/network-instance"
	protocol = instance + "/protocols/protocol"
	bgp      = protocol + "/bgp"
	rules    = "/rp:routing-policy/policy-definitions/policy-definition/statements/statement"
)

// unused is what the models offer and a lossless fabric does not need. Without
// it the generated package would be more than twice as large, since
// openconfig-if-ip alone brings in every routing protocol there is.
func unused() []tree {
	list := []tree{
		{"", "acl:acl platform:components bfd:bfd keychain:keychains"},
		{intf, "hold-time penalty-based-aied lag:aggregation"},
		{sub, "vlan:vlan"},
		{sub + "/ip:ipv4", "proxy-arp neighbors unnumbered urpf"},
		{sub + "/ip:ipv4/addresses/address", "vrrp"},
		{sub + "/ip:ipv6", "neighbors unnumbered urpf"},
		{sub + "/ip:ipv6/addresses/address", "vrrp"},
		{sub + "/ip:ipv6/router-advertisement", "dns-servers prefixes"},
		{routed, "ip:ipv6"},
		{routed + "/ip:ipv4", "proxy-arp neighbors unnumbered urpf"},
		{routed + "/ip:ipv4/addresses/address", "vrrp"},
		{"/lldp:lldp", "custom-tlvs"},
		{"/lldp:lldp/interfaces/interface/config", "custom-tlv-names"},
		{"/qos:qos", "packet-trim"},
		{"/qos:qos/interfaces/interface/input", "virtual-output-queues queues scheduler-policy"},
		{"/qos:qos/interfaces/interface/output", "classifiers"},
		{"/qos:qos/scheduler-policies/scheduler-policy/schedulers/scheduler", "one-rate-two-color two-rate-three-color"},
		{"/qos:qos/classifiers/classifier/terms/term/conditions", "mpls l2 transport fabric"},
		{instance, "mpls segment-routing static policy-forwarding afts evpn fdb connection-points encapsulation inter-instance-policies"},
		{protocol, "static-routes local-aggregates isis ospfv2 ospfv3 pim igmp pcep"},
		{bgp, "rib"},
		{bgp + "/global", "confederation dynamic-neighbor-prefixes graceful-restart"},
		{"/rp:routing-policy/defined-sets", "neighbor-sets tag-sets"},
		{"/rp:routing-policy/defined-sets/bp:bgp-defined-sets", "ext-community-sets as-path-sets"},
		{rules + "/conditions", "match-neighbor-set match-tag-set"},
		{rules + "/actions", "set-tag"},
		{rules + "/conditions/bp:bgp-conditions", "match-ext-community-set match-as-path-set"},
		{rules + "/conditions/bp:bgp-conditions/config", "ext-community-set"},
		{rules + "/actions/bp:bgp-actions", "set-ext-community"},
	}
	for _, speaker := range []string{"/global", "/neighbors/neighbor", "/peer-groups/peer-group"} {
		list = append(list, tree{bgp + speaker + "/afi-safis/afi-safi",
			"ipv4-labeled-unicast ipv6-labeled-unicast l3vpn-ipv4-unicast l3vpn-ipv6-unicast l3vpn-ipv4-multicast l3vpn-ipv6-multicast l2vpn-vpls l2vpn-evpn srte-policy-ipv4 srte-policy-ipv6"})
	}
	return list
}

// pruning is a module that takes the unused subtrees out of the models.
func pruning() string {
	var b strings.Builder
	b.WriteString("module railyard-prune {\n  namespace \"urn:railyard:prune\";\n  prefix prune;\n")
	for _, i := range imports() {
		fmt.Fprintf(&b, "  import %s { prefix %s; }\n", i[1], i[0])
	}
	for _, t := range unused() {
		for _, name := range strings.Fields(t.drop) {
			fmt.Fprintf(&b, "  deviation %q { deviate not-supported; }\n", qualified(t.at+"/"+name))
		}
	}
	return b.String() + "}\n"
}

// qualified gives each step of a path its prefix.
func qualified(path string) string {
	steps := strings.Split(strings.TrimPrefix(path, "/"), "/")
	prefix := ""
	for i, s := range steps {
		if p, _, ok := strings.Cut(s, ":"); ok {
			prefix = p
			continue
		}
		steps[i] = prefix + ":" + s
	}
	return "/" + strings.Join(steps, "/")
}
