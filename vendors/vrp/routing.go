package vrp

import (
	"net/netip"

	"railyard/generator/fabric"
)

// bgp is the eBGP underlay of a switch.
type bgp struct {
	ASN      uint32
	RouterID string
	Peers    []peer
	Networks []string // address and mask: what the switch itself announces
	MaxPaths int      // 1 is the default
	Relax    bool     // equal-length AS paths share traffic
	Filter   string   // AS path filter that keeps the switch from being a transit
}

type peer struct {
	Address  string
	ASN      uint32
	Filtered bool
}

const (
	maxPaths   = 128 // CR maximum load-balancing
	filterName = "NO_TRANSIT"
)

func underlay(f *fabric.Fabric, sw *fabric.Switch) *bgp {
	if !f.Underlay.BGP || sw.ASN == 0 {
		return nil
	}
	b := &bgp{ASN: sw.ASN, MaxPaths: min(f.Underlay.MaxPaths, maxPaths), Relax: f.Underlay.SpineASN == "unique"}
	if sw.Loopback.Is4() {
		b.RouterID = sw.Loopback.String()
		b.Networks = append(b.Networks, withMask(netip.PrefixFrom(sw.Loopback, 32)))
	}
	for _, i := range sw.VLANs {
		v := &f.VLANs[i]
		if v.Gateway.IsValid() && v.Subnet.Addr().Is4() {
			b.Networks = append(b.Networks, withMask(v.Subnet.Masked()))
		}
	}
	upper := uint32(0)
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.HostPort && p.Link >= 0 && p.Address.IsValid() && p.Address.Addr().Is4() {
			b.Networks = append(b.Networks, withMask(p.Address.Masked()))
		}
		if p.PeerASN == 0 || !p.PeerAddress.Is4() {
			continue
		}
		up := p.Role == fabric.UplinkPort
		filtered := up && sw.NoTransit && sw.Role == fabric.Leaf
		if filtered {
			b.Filter = filterName
		}
		if up {
			b.Relax = b.Relax || upper != 0 && upper != p.PeerASN
			upper = p.PeerASN
		}
		b.Peers = append(b.Peers, peer{p.PeerAddress.String(), p.PeerASN, filtered})
	}
	return b
}
