package numbering

import (
	"fmt"
	"math/bits"
	"net/netip"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// assigner holds one run.
type assigner struct {
	c        *cluster.Cluster
	f        *fabric.Fabric
	size     *Size
	problems cluster.Problems
}

// Assign gives the fabric its VLANs, subnets, addresses, ASNs and GUIDs. The
// error is cluster.Problems: which range ran out and what would hold it.
func Assign(c *cluster.Cluster, f *fabric.Fabric, size *Size) error {
	a := &assigner{c: c, f: f, size: size}
	f.Management = a.management()
	if f.Technology == fabric.InfiniBand {
		a.guids()
	} else {
		f.Underlay = a.underlay()
		a.rails()
		a.loopbacks()
		if f.Underlay.BGP {
			a.asns()
			a.links()
		}
	}
	if len(a.problems) > 0 {
		a.problems.Sort()
		return a.problems
	}
	return nil
}

func (a *assigner) fail(path, remedy, format string, args ...any) {
	a.problems = append(a.problems, a.c.Problem(path, fmt.Sprintf(format, args...), remedy))
}

func (a *assigner) underlay() fabric.Underlay {
	c := a.c
	u := fabric.Underlay{
		BGP:       a.f.Topology == fabric.LeafSpine || a.f.Topology == fabric.ThreeTier,
		Loopbacks: c.Addressing.Loopbacks, Rails: c.Addressing.Rails,
		SpineASN: c.Addressing.ASN.SpineMode, HostMode: c.Addressing.Host, MTU: 9216, HostMTU: 9000,
	}
	if u.BGP {
		u.Unnumbered, u.Links = c.Addressing.Links.Unnumbered, c.Addressing.Links.Prefix
		u.MaxPaths = a.maxPaths()
	}
	return u
}

// maxPaths is the largest number of equal-cost next hops any switch can have:
// all its uplinks, or its links down into one group (a core) or to one leaf (a spine).
func (a *assigner) maxPaths() int {
	most := 1
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		up, down := 0, map[int]int{}
		for p := range sw.Ports {
			switch port := &sw.Ports[p]; {
			case port.Role == fabric.UplinkPort:
				up++
			case port.Role == fabric.DownlinkPort && port.Link >= 0:
				key := port.Peer.Device
				if sw.Role == fabric.Core {
					key = a.f.Switches[key].Group
				}
				down[key]++
				most = max(most, down[key])
			}
		}
		most = max(most, up)
	}
	return most
}

// offset is the address n places into a prefix.
func offset(p netip.Prefix, n int) netip.Addr {
	b := p.Addr().As4()
	v := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	v += uint32(n)
	return netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
}

func addresses(p netip.Prefix) int { return 1 << (32 - p.Bits()) }

// log2 is the number of bits that count n values.
func log2(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// railPlan is how addressing.rails is cut: a block for every (plane, rail), in
// it a subnet for every unit.
type railPlan struct {
	blockBits, subnetBits int // size of each as a number of host bits
}

// cutRails prefers sixteen blocks and /24 subnets, so that a /12 gives
// 10.(16+rail).unit.0/24, and becomes as tight as the prefix asks for.
func (a *assigner) cutRails() (railPlan, bool) {
	have := 32 - a.c.Addressing.Rails.Bits()
	blocks, units := log2(a.f.Planes*a.f.Rails), log2(a.size.Units)
	least := log2(a.size.HostsPerUnit + 3) // network, gateway, broadcast
	if a.c.Addressing.Host == "routed" {
		least = log2(a.size.HostsPerUnit * 2)
	}
	for _, try := range [][2]int{{max(blocks, 4), max(least, 8)}, {blocks, max(least, 8)}, {blocks, least}} {
		if block := have - try[0]; block >= try[1]+units {
			return railPlan{blockBits: block, subnetBits: try[1]}, true
		}
	}
	need := blocks + units + least
	a.fail("addressing.rails", fmt.Sprintf("use at least a /%d", max(32-need, 1)),
		"%s is too small for %d rails in %d planes, %d units and %d servers a unit", a.c.Addressing.Rails, a.f.Rails, a.f.Planes, a.size.Units, a.size.HostsPerUnit)
	return railPlan{}, false
}

func (p railPlan) subnet(of netip.Prefix, block, unit int) netip.Prefix {
	return netip.PrefixFrom(offset(of, block<<p.blockBits|unit<<p.subnetBits), 32-p.subnetBits)
}

// rails numbers VLANs, subnets and host ports.
func (a *assigner) rails() {
	plan, ok := a.cutRails()
	if !ok {
		return
	}
	last := a.c.Addressing.VLANBase + a.f.Rails - 1
	if last > 4094 {
		a.fail("addressing.vlan_base", fmt.Sprintf("use at most %d", 4094-a.f.Rails+1), "%d rails from VLAN %d end at %d, above 4094", a.f.Rails, a.c.Addressing.VLANBase, last)
		return
	}
	if a.c.Addressing.Host == "routed" {
		a.routedHosts(plan)
		return
	}
	gateways := a.routedVLANs()
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		if sw.Role != fabric.Leaf {
			continue
		}
		byRail := make(map[int]int, len(sw.Rails))
		for _, rail := range sw.Rails {
			subnet := plan.subnet(a.c.Addressing.Rails, sw.Plane*a.f.Rails+rail, sw.Unit)
			v := fabric.VLAN{ID: a.c.Addressing.VLANBase + rail, Name: fmt.Sprintf("rail%d", rail), Rail: rail, Unit: sw.Unit, Plane: sw.Plane, Subnet: subnet}
			if gateways {
				v.Gateway = netip.PrefixFrom(offset(subnet, addresses(subnet)-2), subnet.Bits())
			}
			byRail[rail] = len(a.f.VLANs)
			sw.VLANs = append(sw.VLANs, len(a.f.VLANs))
			a.f.VLANs = append(a.f.VLANs, v)
		}
		for p := range sw.Ports {
			if port := &sw.Ports[p]; port.Role == fabric.HostPort {
				port.VLAN = byRail[port.Rail]
				a.vlanHost(port)
			}
		}
	}
}

// routedVLANs reports whether rails leave their VLAN: always where there is a
// routed underlay, and on a single switch where a server's GPUs cannot hand
// data from rail to rail themselves.
func (a *assigner) routedVLANs() bool {
	switch a.f.Topology {
	case fabric.RailOnly:
		return false
	case fabric.SingleSwitch:
		if a.f.RoCE == "v1" {
			return false
		}
		for i := range a.f.Groups {
			if g := &a.f.Groups[i]; g.NICs > 1 && !g.ScaleUp {
				return true
			}
		}
		return false
	}
	return true
}

func (a *assigner) nic(port *fabric.Port) (*fabric.Server, *fabric.NICPort) {
	srv := &a.f.Servers[port.Peer.Device]
	return srv, &srv.Ports[port.Peer.Port]
}

// place is the number of a server among those that share its unit's subnets.
func (a *assigner) place(srv *fabric.Server) int {
	return a.size.FirstHost[max(srv.Group, 0)] + srv.Slot
}

func (a *assigner) vlanHost(port *fabric.Port) {
	v := &a.f.VLANs[port.VLAN]
	srv, nic := a.nic(port)
	nic.Address = netip.PrefixFrom(offset(v.Subnet, a.place(srv)+1), v.Subnet.Bits())
	nic.Gateway = v.Gateway.Addr()
}

// routedHosts gives every NIC a /31: the leaf has the even address, the NIC the odd one.
func (a *assigner) routedHosts(plan railPlan) {
	for i := range a.f.Switches {
		sw := &a.f.Switches[i]
		for p := range sw.Ports {
			port := &sw.Ports[p]
			if port.Role != fabric.HostPort {
				continue
			}
			srv, nic := a.nic(port)
			subnet := plan.subnet(a.c.Addressing.Rails, sw.Plane*a.f.Rails+port.Rail, sw.Unit)
			leaf := offset(subnet, 2*a.place(srv))
			nic.Gateway, port.Address = leaf, netip.PrefixFrom(leaf, 31)
			nic.Address = netip.PrefixFrom(leaf.Next(), 31)
			port.PeerAddress = leaf.Next()
		}
	}
}

// links numbers the /31s of the underlay: link n of the final fabric has the
// nth, the upper switch the even and the lower one the odd address. It also
// sets the BGP peers.
func (a *assigner) links() {
	perPlane := a.size.LeafSpineLinks + a.size.SpineCoreLinks
	prefix := a.c.Addressing.Links.Prefix
	numbered := !a.c.Addressing.Links.Unnumbered
	if need := 2 * perPlane * a.f.Planes; numbered && need > addresses(prefix) {
		a.fail("addressing.links", fmt.Sprintf("use at least a /%d, or unnumbered", 32-log2(need)), "%s holds %d links, the final fabric has %d", prefix, addresses(prefix)/2, need/2)
		return
	}
	for i := range a.f.Links {
		l := &a.f.Links[i]
		if l.Kind != fabric.FabricLink {
			continue
		}
		low, high := &a.f.Switches[l.A.Device], &a.f.Switches[l.B.Device]
		up, down := &low.Ports[l.A.Port], &high.Ports[l.B.Port]
		up.PeerASN, down.PeerASN = high.ASN, low.ASN
		if numbered {
			even := offset(prefix, 2*(l.Plane*perPlane+a.size.LinkIndex[i]))
			down.Address, up.Address = netip.PrefixFrom(even, 31), netip.PrefixFrom(even.Next(), 31)
			down.PeerAddress, up.PeerAddress = even.Next(), even
		}
	}
}
