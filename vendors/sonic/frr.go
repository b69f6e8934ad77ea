package sonic

import (
	"net/netip"

	"railyard/generator/fabric"
)

// frrData is what templates/sonic/frr.conf.tmpl gets, one switch at a time. A
// site's own template may use every field.
type frrData struct {
	Hostname string
	ASN      uint32
	RouterID string // the loopback's address; "" without one
	MaxPaths int    // equal-cost paths

	// Networks are the prefixes this switch announces itself: its loopback, its
	// rail subnets and its routed host links.
	Networks []string
	// NoTransit says that routes learned from an upper switch must not be
	// announced to another one.
	NoTransit bool
	Neighbors []frrNeighbor
}

// frrNeighbor is one BGP session.
type frrNeighbor struct {
	ID          string // the peer's address, or the port of an unnumbered session
	Interface   bool   // ID is a port
	ASN         uint32
	Description string // the peer's name
	Upper       bool   // towards the tier above
}

// needsFRR says that the switch gets a frr.conf: its plan is beyond the BGP
// templates that SONiC renders from CONFIG_DB.
func needsFRR(f *fabric.Fabric, sw *fabric.Switch) bool {
	if !f.Underlay.BGP {
		return false
	}
	if sw.NoTransit {
		return true
	}
	for i := range sw.Ports { // the templates announce VLAN subnets, not routed host links
		if p := &sw.Ports[i]; p.Link >= 0 && (p.Unnumbered() || p.Role == fabric.HostPort && p.Address.IsValid()) {
			return true
		}
	}
	return false
}

func (s *switchPlan) frr() frrData {
	data := frrData{Hostname: s.sw.Name, ASN: s.sw.ASN, MaxPaths: max(s.f.Underlay.MaxPaths, 1), NoTransit: s.sw.NoTransit}
	if lo := s.sw.Loopback; lo.IsValid() {
		data.RouterID = lo.String()
		data.Networks = append(data.Networks, netip.PrefixFrom(lo, lo.BitLen()).String())
	}
	for _, v := range s.sw.VLANs {
		if gw := s.f.VLANs[v].Gateway; gw.IsValid() {
			data.Networks = append(data.Networks, gw.Masked().String())
		}
	}
	for i := range s.sw.Ports {
		p := &s.sw.Ports[i]
		if p.Link < 0 {
			continue
		}
		if p.Role == fabric.HostPort && p.Address.IsValid() {
			data.Networks = append(data.Networks, p.Address.Masked().String())
		}
		if p.PeerASN == 0 {
			continue
		}
		n := frrNeighbor{ID: p.PeerAddress.String(), ASN: p.PeerASN, Description: s.f.DeviceName(p.Peer), Upper: p.Role == fabric.UplinkPort}
		if p.Unnumbered() {
			n.ID, n.Interface = s.rows[i].name, true
		}
		data.Neighbors = append(data.Neighbors, n)
	}
	return data
}
