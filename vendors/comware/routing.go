package comware

import (
	"net/netip"
	"strconv"

	"railyard/generator/fabric"
)

// bgp is the routing section.
type bgp struct {
	ASN      uint32
	RouterID string
	Paths    int  // equal-cost paths; 0: leave at one
	Relax    bool // paths of equal length through different systems are equal
	Networks []network
	Peers    []peer
	Export   []string // AS paths that upper peers may learn; empty: no restriction
}

// peer is one session.
type peer struct {
	Address     string
	ASN         uint32
	Description string
	Filtered    bool // Export applies
}

// routing plans the eBGP underlay; nil on a switch without one.
func routing(f *fabric.Fabric, sw *fabric.Switch) *bgp {
	if !f.Underlay.BGP || sw.ASN == 0 || !sw.Loopback.Is4() {
		return nil
	}
	b := &bgp{ASN: sw.ASN, RouterID: sw.Loopback.String(), Relax: unequalPaths(f, sw)}
	if f.Underlay.MaxPaths > 1 {
		b.Paths = f.Underlay.MaxPaths
	}
	b.Networks = append(b.Networks, asNetwork(netip.PrefixFrom(sw.Loopback, 32)))
	for _, v := range sw.VLANs {
		if f.VLANs[v].Gateway.IsValid() {
			b.Networks = append(b.Networks, asNetwork(f.VLANs[v].Subnet))
		}
	}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		switch {
		case p.PeerASN != 0 && p.PeerAddress.Is4():
			b.Peers = append(b.Peers, peer{
				Address: p.PeerAddress.String(), ASN: p.PeerASN,
				Description: describe(f, p.Peer),
				Filtered:    sw.NoTransit && p.Role == fabric.UplinkPort,
			})
		case p.Role == fabric.HostPort && p.Address.IsValid():
			b.Networks = append(b.Networks, asNetwork(p.Address))
		}
	}
	if sw.NoTransit {
		b.Export = ownPaths(sw)
	}
	return b
}

// unequalPaths reports whether routes to the same place can arrive over systems
// with different numbers: then BGP shares load only if told to look at the
// length of the path alone (HPE-5710 balance as-path-relax).
func unequalPaths(f *fabric.Fabric, sw *fabric.Switch) bool {
	if f.Underlay.SpineASN == "unique" {
		return true
	}
	var up uint32
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.UplinkPort && p.PeerASN != 0 {
			if up != 0 && up != p.PeerASN {
				return true
			}
			up = p.PeerASN
		}
	}
	return false
}

// ownPaths are the AS paths a switch without transit may announce upwards: its
// own networks, and those of the switches right below it. A list of what is
// allowed needs only the signs ^ and $, whose meaning does not vary between
// releases, and shuts out everything learned from above.
func ownPaths(sw *fabric.Switch) []string {
	paths := []string{"^$"}
	seen := map[uint32]bool{}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.DownlinkPort && p.PeerASN != 0 && !seen[p.PeerASN] {
			seen[p.PeerASN] = true
			paths = append(paths, "^"+strconv.FormatUint(uint64(p.PeerASN), 10)+"$")
		}
	}
	return paths
}
