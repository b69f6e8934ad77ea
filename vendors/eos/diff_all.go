package eos

import (
	"strings"

	"railyard/vendors/clitree"
)

// What show running-config all prints beside what was configured, as far as it does
// not begin with no or default (BF: switches of EOS 4.16 to 4.23). A line with another
// value is a difference.
const (
	allPort = `
load-interval 300
logging event link-status
logging event spanning-tree use-global
logging event storm-control discards use-global
phy media 25gbase-cr negotiation standard consortium ieee
switchport dot1q ethertype 0x8100
switchport mac address learning
switchport port-security mac-address maximum 1
switchport tap native vlan 1
switchport tap allowed vlan 1-4094
switchport tool allowed vlan 1-4094
spanning-tree portfast auto
spanning-tree port-priority 128
snmp trap link-change
ip attached-routes
ip dhcp relay information option circuit-id *
ip igmp version 3
ip igmp last-member-query-count 2
ip igmp last-member-query-interval 10
igmp query-max-response-time 100
ip igmp query-max-response-time 100
ip igmp query-interval 125
ip igmp startup-query-count 2
ip igmp startup-query-interval 310
ip igmp router-alert optional connected
ip pim query-interval 30
ip pim query-count 3.5
ip pim dr-priority 1
ip pim join-prune-interval 60
ip pim join-prune-count 3.5
pim ipv6 hello interval 30
pim ipv6 hello count 3.5
pim ipv6 dr-priority 1
pim ipv6 join-prune interval 60
pim ipv6 join-prune count 3.5
ipv6 attached-routes
ipv6 nd ra interval msec 200000
ipv6 nd ra lifetime 1800
ipv6 nd reachable-time 0
ipv6 nd router-preference medium
ipv6 nd ra dns-servers lifetime 300
ipv6 nd ra dns-suffixes lifetime 300
ipv6 nd ra hop-limit 64
lacp timer normal
lacp port-priority 32768
mfib ipv4 fastdrop
mld query-interval 125
mld query-response-interval 10
mld startup-query-count 2
mld robustness 2
mld last-listener-query-interval 1
mld last-listener-query-count 2
mpls ip
`
	allBGP = `
bgp trace neighbor all
bgp trace route-key all
bgp asn notation asplain
bgp labeled-unicast rib tunnel
bgp convergence time 300
bgp convergence slow-peer time 90
bgp log-neighbor-changes
bgp client-to-client reflection
bgp peer-mac-resolution-timeout 0
bgp enforce-first-as
bgp transport qos dscp 48
bgp additional-paths receive
bgp listen limit 1000
bgp bestpath as-path multipath-relax
bgp bestpath ecmp-fast
bgp redistribute-internal
timers bgp 60 180
distance bgp 200 200 200
graceful-restart restart-time 300
graceful-restart stalepath-time 300
graceful-restart-helper
dynamic peer max 1000
ucmp mode 1 128 5.0
ucmp mode 1 128 5
ucmp link-bandwidth update-delay 0
ucmp fec threshold trigger 50 clear 40 warning-only
monitoring received routes pre-policy
monitoring received routes post-policy
monitoring timestamp send-time
next-hop resolution ribs tunnel-rib system-tunnel-rib system-unicast-rib
next-hop 6pe resolution ribs tunnel-rib system-tunnel-rib
neighbor * soft-reconfiguration inbound
neighbor * graceful-restart-helper
neighbor * additional-paths receive
neighbor * route-to-peer
neighbor * enforce-first-as
neighbor * rib-in pre-policy retain
neighbor * maximum-routes 12000
maximum-paths 1 ecmp 128
no **
`
	allVLAN = `
name VLAN*
state active
mac address learning
no **
`
)

// diffAll are these lines as rules of the comparison. Of a neighbour's, allowas-in and
// send-community are left out, which mean something even at their usual value.
func diffAll() []clitree.Default {
	var out []clitree.Default
	for _, x := range []struct{ in, text string }{{diffPortPlace, allPort}, {"bgp", allBGP}, {"family", allBGP}, {"vlan", allVLAN}, {"evpn", "no **"}} {
		for _, l := range strings.Split(strings.TrimSpace(x.text), "\n") {
			out = append(out, clitree.Default{In: x.in, Line: l, Unknown: strings.HasPrefix(l, "no "), Source: "BF: show running-config all"})
		}
	}
	return out
}
