// Package underlay holds no code of its own: its tests prove the routed underlay
// by running it. Small fabrics are designed and rendered as for a user, the text
// of every switch is read back and given to FRR, each switch in a network
// namespace of its own, joined by one veth pair for each cable of the plan.
//
// What is run, and how faithful it is:
//
//   - SONiC with frr.conf (unnumbered links, no-transit policy): that file, word
//     for word. Front panel ports are network devices of the same name on a
//     SONiC switch, so not even the names change.
//   - SONiC without: what bgpcfgd makes of our CONFIG_DB, by the community's
//     templates (sonic-buildimage, dockers/docker-fpm-frr/frr/bgpd:
//     bgpd.main.conf.j2, templates/general, and constants.yml).
//   - Cumulus: what NVUE makes of our startup.yaml. EOS, VRP, Comware: the same
//     intent in FRR's words. Both are translations of the rendered text, never of
//     the plan, and a line of the routing sections that the reader does not know
//     is an error.
//
// Expected sessions, routes and next hops come from the plan alone, so a wrong
// address, AS number, network or policy in a text shows as a difference.
//
// The tests need Linux, root, and Debian's frr and iproute2. Namespaces have no
// names and live no longer than the processes in them; these end with the test
// process, however that ends.
package underlay
