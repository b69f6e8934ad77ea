package cumulus

import (
	"net/netip"
	"slices"

	"railyard/generator/fabric"
)

// community marks routes that came from above. It never leaves the switch: what
// carries it is not sent up, and downwards it means nothing.
const community = "65000:1"

// bgp is the eBGP underlay of one switch.
type bgp struct {
	ASN       uint32
	RouterID  string
	Paths     int
	Community string
	Networks  []string // what the switch announces itself
	Neighbors []neighbor
	NoTransit bool
}

// neighbor is one session, named by address or by port.
type neighbor struct {
	Name   string
	Type   string
	ASN    uint32
	Policy bool
}

func newBGP(f *fabric.Fabric, sw *fabric.Switch) *bgp {
	if !f.Underlay.BGP || sw.ASN == 0 {
		return nil
	}
	b := &bgp{ASN: sw.ASN, Paths: min(max(f.Underlay.MaxPaths, 1), pathsMost), Community: community}
	b.addPeers(f, sw)
	b.addNetworks(f, sw)
	return b
}

func (b *bgp) addPeers(_ *fabric.Fabric, sw *fabric.Switch) {
	type numbered struct {
		addr netip.Addr
		neighbor
	}
	var byAddress []numbered
	var byPort []neighbor
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.PeerASN == 0 || !linked(p) {
			continue
		}
		n := neighbor{ASN: p.PeerASN, Policy: sw.NoTransit && p.Role == fabric.UplinkPort}
		b.NoTransit = b.NoTransit || n.Policy
		if p.Unnumbered() {
			n.Name, n.Type = portName(p), "unnumbered"
			byPort = append(byPort, n)
			continue
		}
		n.Name, n.Type = p.PeerAddress.String(), "numbered"
		byAddress = append(byAddress, numbered{p.PeerAddress, n})
	}
	slices.SortFunc(byAddress, func(x, y numbered) int { return x.addr.Compare(y.addr) })
	for _, n := range byAddress {
		b.Neighbors = append(b.Neighbors, n.neighbor)
	}
	b.Neighbors = append(b.Neighbors, byPort...)
}

// addNetworks announces the loopback and the rail subnets routed here, each by
// name. Link addresses stay out of the routing table of others.
func (b *bgp) addNetworks(f *fabric.Fabric, sw *fabric.Switch) {
	var nets []netip.Prefix
	if sw.Loopback.IsValid() {
		b.RouterID = sw.Loopback.String()
		nets = append(nets, netip.PrefixFrom(sw.Loopback, sw.Loopback.BitLen()))
	}
	for _, i := range sw.VLANs {
		if f.VLANs[i].Gateway.IsValid() {
			nets = append(nets, f.VLANs[i].Subnet.Masked())
		}
	}
	for i := range sw.Ports {
		if p := &sw.Ports[i]; p.Role == fabric.HostPort && linked(p) && p.Address.IsValid() {
			nets = append(nets, p.Address.Masked())
		}
	}
	slices.SortFunc(nets, netip.Prefix.Compare)
	for _, n := range slices.Compact(nets) {
		b.Networks = append(b.Networks, n.String())
	}
}
