package eos

import (
	"net/netip"
	"slices"

	"railyard/generator/fabric"
)

// mtuMost is the largest interface MTU of EOS (RoCE436, Batfish, AMD).
const mtuMost = 9214

// mtuDefault is what EOS assumes and hides.
const mtuDefault = 1500

// view is what the templates see of one switch.
type view struct {
	Name, Model, Release string
	Users                []user
	VRF                  string // "" for the default VRF
	Management           string // port name
	Address              string // of the management port; "" when the site assigns it
	Gateway              string // of the management network; "" for none
	NTP, DNS, Syslog     []string
	Ports                []port
	Loopback             string // with length; "" for none
	VLANs                []vlan
	Forwarding           string // the "ip routing" line; "" on a pure bridge
	QoS                  qos
	BGP                  *bgp
}

// port is one Ethernet interface. A field that is empty or zero has no line.
type port struct {
	Name, Description string
	Shutdown          bool
	MTU               int
	Speed             string
	Routed            bool   // otherwise an access port with a host on it
	Address           string // of a routed port; "" for BGP over IPv6 link-local addresses
	VLAN              int    // of an access port
	Profile           string
}

// vlan is one rail subnet; Gateway is empty when it is not routed here.
type vlan struct {
	ID      int
	Name    string
	Gateway string
	MTU     int
}

func newView(f *fabric.Fabric, sw *fabric.Switch, p platform) *view {
	m := f.ModelOf(sw)
	v := &view{
		Name: sw.Name, Model: m.ID, Release: sw.Release,
		Management: p.management,
		NTP:        addresses(f.Management.NTP), DNS: addresses(f.Management.DNS), Syslog: addresses(f.Management.Syslog),
		QoS: newQoS(f, sw, p), BGP: newBGP(f, sw),
	}
	if vrf := f.Management.VRF; vrf != "default" {
		v.VRF = vrf
	}
	if sw.Management.IsValid() {
		v.Address = sw.Management.String()
	}
	if f.Management.Gateway.IsValid() {
		v.Gateway = f.Management.Gateway.String()
	}
	if sw.Loopback.IsValid() {
		v.Loopback = netip.PrefixFrom(sw.Loopback, sw.Loopback.BitLen()).String()
	}
	routed := v.addVLANs(f, sw)
	routed = v.addPorts(f, sw, m) || routed
	switch {
	case v.BGP != nil && v.BGP.Unnumbered:
		v.Forwarding = "ip routing ipv6 interfaces"
	case v.BGP != nil || routed:
		v.Forwarding = "ip routing"
	}
	return v
}

// addVLANs reports whether any of them has its gateway here.
func (v *view) addVLANs(f *fabric.Fabric, sw *fabric.Switch) bool {
	routed := false
	for _, i := range sw.VLANs {
		fv := &f.VLANs[i]
		out := vlan{ID: fv.ID, Name: fv.Name, MTU: mtu(f)}
		if fv.Gateway.IsValid() {
			out.Gateway = fv.Gateway.String()
			routed = true
		}
		v.VLANs = append(v.VLANs, out)
	}
	slices.SortFunc(v.VLANs, func(a, b vlan) int { return a.ID - b.ID })
	return routed
}

// addPorts reports whether a host port is routed. Cell ports of a distributed
// system are not interfaces a configuration knows.
func (v *view) addPorts(f *fabric.Fabric, sw *fabric.Switch, m *fabric.Model) bool {
	routed := false
	v.Ports = make([]port, 0, len(sw.Ports))
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.CellPort {
			continue
		}
		out := newPort(f, m, p)
		routed = routed || out.Address != "" && p.Role == fabric.HostPort
		v.Ports = append(v.Ports, out)
	}
	return routed
}

func newPort(f *fabric.Fabric, m *fabric.Model, p *fabric.Port) port {
	out := port{Name: p.Name}
	if out.Name == "" {
		out.Name = portName(m, p)
	}
	if p.Link < 0 || p.Role == fabric.UnusedPort {
		out.Shutdown, out.Description = true, "unused"
		if p.Reserved {
			out.Description = "reserved"
		}
		if p.Split > 1 || p.Reserved { // a member without its own speed would undo the split
			out.Speed = speedWord(cageOf(m, p), p.Split, p.SpeedGbps)
		}
		return out
	}
	out.Description = f.DeviceName(p.Peer) + ":" + f.PortName(p.Peer)
	out.Speed = speedWord(cageOf(m, p), p.Split, p.SpeedGbps)
	if f.Lossless != nil && p.Profile >= 0 {
		out.Profile = profileName(&f.Lossless.Profiles[p.Profile])
	}
	switch {
	case p.VLAN >= 0:
		out.VLAN = f.VLANs[p.VLAN].ID
	case p.Address.IsValid():
		out.Routed, out.MTU, out.Address = true, mtu(f), p.Address.String()
	case p.Unnumbered():
		out.Routed, out.MTU = true, mtu(f)
	}
	return out
}

// mtu is the interface MTU, 0 where EOS would hide it.
func mtu(f *fabric.Fabric) int {
	if f.Underlay.MTU == mtuDefault {
		return 0
	}
	return min(f.Underlay.MTU, mtuMost)
}

// addresses sorts as EOS prints them, by number, and drops doubles.
func addresses(list []netip.Addr) []string {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, netip.Addr.Compare)
	var out []string
	for _, a := range slices.Compact(sorted) {
		out = append(out, a.String())
	}
	return out
}

// bgp is the eBGP underlay of one switch.
type bgp struct {
	ASN        uint32
	RouterID   string
	MaxPaths   int // 0: the default of one
	Groups     []peerGroup
	Neighbors  []neighbor
	Unnumbered bool
	NoTransit  bool
	Loopbacks  string   // prefix of all loopbacks
	Rails      []string // what the prefix list of rail subnets permits
}

// peerGroup is one side of a switch. Tagged groups feed the no-transit policy.
type peerGroup struct {
	Name       string
	Tagged     bool
	Unnumbered bool
}

// neighbor is one session: Address, or Interface where it is unnumbered.
type neighbor struct {
	Address, Interface string
	Group              string
	ASN                uint32
	Description        string
}

// The peer groups, as they sort.
const (
	downlinks = "DOWNLINKS"
	uplinks   = "UPLINKS"
)

func newBGP(f *fabric.Fabric, sw *fabric.Switch) *bgp {
	if !f.Underlay.BGP || sw.ASN == 0 {
		return nil
	}
	b := &bgp{ASN: sw.ASN, Loopbacks: f.Underlay.Loopbacks.String()}
	if sw.Loopback.IsValid() {
		b.RouterID = sw.Loopback.String()
	}
	if f.Underlay.MaxPaths > 1 {
		b.MaxPaths = f.Underlay.MaxPaths
	}
	b.addPeers(f, sw)
	b.addRails(f, sw)
	return b
}

func (b *bgp) addPeers(f *fabric.Fabric, sw *fabric.Switch) {
	m := f.ModelOf(sw)
	type numbered struct {
		addr netip.Addr
		neighbor
	}
	var byAddress []numbered
	groups := map[string]*peerGroup{downlinks: nil, uplinks: nil}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.PeerASN == 0 || p.Link < 0 {
			continue
		}
		n := neighbor{Group: downlinks, ASN: p.PeerASN, Description: f.DeviceName(p.Peer) + ":" + f.PortName(p.Peer)}
		if p.Role == fabric.UplinkPort {
			n.Group = uplinks
		}
		if groups[n.Group] == nil {
			groups[n.Group] = &peerGroup{Name: n.Group, Tagged: sw.NoTransit && n.Group == uplinks}
		}
		if p.Unnumbered() {
			n.Interface = p.Name
			if n.Interface == "" {
				n.Interface = portName(m, p)
			}
			groups[n.Group].Unnumbered, b.Unnumbered = true, true
			b.Neighbors = append(b.Neighbors, n)
			continue
		}
		n.Address = p.PeerAddress.String()
		byAddress = append(byAddress, numbered{p.PeerAddress, n})
	}
	slices.SortFunc(byAddress, func(x, y numbered) int { return x.addr.Compare(y.addr) })
	for _, n := range byAddress {
		b.Neighbors = append(b.Neighbors, n.neighbor)
	}
	for _, name := range []string{downlinks, uplinks} {
		if g := groups[name]; g != nil {
			b.Groups = append(b.Groups, *g)
			b.NoTransit = b.NoTransit || g.Tagged
		}
	}
}

// addRails lets a leaf advertise the rail subnets it routes: its own VLANs'
// exactly, or any /31 out of the rail prefix, so that a server that is added
// changes its port and nothing else.
func (b *bgp) addRails(f *fabric.Fabric, sw *fabric.Switch) {
	for _, i := range sw.VLANs {
		if f.VLANs[i].Gateway.IsValid() {
			b.Rails = append(b.Rails, f.VLANs[i].Subnet.String())
		}
	}
	if sw.Role == fabric.Leaf && f.Underlay.HostMode == "routed" && f.Underlay.Rails.IsValid() {
		b.Rails = append(b.Rails, f.Underlay.Rails.String()+" eq 31")
	}
}
