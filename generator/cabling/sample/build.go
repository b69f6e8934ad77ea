package sample

import (
	"fmt"
	"net/netip"

	"railyard/generator/fabric"
)

const speed = 400

// builder adds devices and links to a fabric plane by plane.
type builder struct {
	Shape
	f       *fabric.Fabric
	plane   int
	leaves  []int // indices of this plane's switches
	spines  []int
	cores   []int
	pending []fabric.Link // fabric links of this plane; host links come first
	linkNo  uint32        // /31s handed out
}

// Build makes a fabric of a shape.
func Build(s Shape) *fabric.Fabric {
	if s.Planes == 0 {
		s.Planes = 1
	}
	if s.Lanes == 0 {
		s.Lanes = 1
	}
	if s.BlockUnits == 0 {
		s.BlockUnits = s.Units
	}
	b := &builder{Shape: s, f: &fabric.Fabric{
		Name: s.Name, Technology: s.Technology, Topology: s.Topology, Attachment: "rail", Planes: s.Planes, Rails: s.Rails,
		LeafOversubscription: fabric.Ratio{Down: s.PerUnit, Up: s.Uplinks}, SpineOversubscription: fabric.Ratio{Down: 1, Up: 1},
		Models:     []fabric.Model{{ID: "h3c-s9827-128dh", Vendor: "h3c", ASIC: "th5", BufferBytes: 165_000_000, CellBytes: 254, Confidence: "doc"}},
		Management: fabric.Management{Subnet: netip.MustParsePrefix("192.168.0.0/16"), Gateway: netip.MustParseAddr("192.168.0.1"), VRF: "mgmt"},
	}}
	if s.Cores == 0 {
		b.f.SpineOversubscription = fabric.Ratio{}
	}
	b.servers()
	for b.plane = range s.Planes {
		b.switches()
		b.hostLinks()
		b.fabricLinks()
		b.fill()
	}
	b.totals()
	return b.f
}

func (b *builder) servers() {
	n := b.Units * b.PerUnit
	b.f.Groups = []fabric.Group{{
		Name: "gpu", Count: n, ServerModel: "dgx-h100", GPU: "h100-80-sxm5", GPUVendor: "nvidia", GPUsPerServer: 8, NIC: "cx7-400-vpi", NICVendor: "nvidia",
		NICs: b.Rails, NICSpeed: speed, RailsPerLeaf: 1, ServersPerUnit: b.PerUnit, Units: b.Units,
		UplinksPerLeaf: b.Uplinks, UplinkSpeed: speed, ScaleUp: true, Class: 1,
	}}
	for i := range n {
		srv := fabric.Server{Name: fmt.Sprintf("gpu-%0*d", max(3, len(fmt.Sprint(n))), i+1), Unit: i / b.PerUnit, Slot: i % b.PerUnit}
		for r := range b.Rails {
			for p := range b.Planes {
				name := fmt.Sprintf("nic%d", r)
				if b.Planes > 1 {
					name += fmt.Sprintf("p%d", p)
				}
				srv.Ports = append(srv.Ports, fabric.NICPort{Name: name, NIC: r, Rail: r, Plane: p})
			}
		}
		b.f.Servers = append(b.f.Servers, srv)
	}
}

func (b *builder) add(role fabric.Role, index, unit int, name string, asn uint32) int {
	n := len(b.f.Switches)
	if b.Planes > 1 {
		name = fmt.Sprintf("p%d-%s", b.plane, name)
	}
	sw := fabric.Switch{Name: name, Role: role, OS: "comware", Plane: b.plane, Unit: unit, Index: index,
		Management: netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 168, byte((n + 2) >> 8), byte(n + 2)}), 16)}
	if b.Technology == fabric.RoCE {
		sw.ASN = asn
		sw.Loopback = netip.AddrFrom4([4]byte{10, 255, byte(n >> 8), byte(n)})
	} else {
		sw.OS, sw.GUID = "mlnx-os", fabric.GUID{Value: 0x0200_0000_0000_0000 + uint64(n)<<8, Placeholder: true}
	}
	b.f.Switches = append(b.f.Switches, sw)
	return n
}

func (b *builder) switches() {
	b.leaves, b.spines, b.cores = nil, nil, nil
	for u := range b.Units {
		for r := range b.Rails {
			n := b.add(fabric.Leaf, u*b.Rails+r, u, fmt.Sprintf("leaf-u%0*d-r%d", max(2, len(fmt.Sprint(b.Units))), u+1, r), 4200010000+uint32(u*b.Rails+r))
			b.f.Switches[n].Slot, b.f.Switches[n].Rails = r, []int{r}
			b.leaves = append(b.leaves, n)
		}
	}
	blocks := b.Units / b.BlockUnits
	for i := range b.Spines * blocks {
		b.spines = append(b.spines, b.add(fabric.Spine, i, -1, fmt.Sprintf("spine-%0*d", max(2, len(fmt.Sprint(b.Spines*blocks))), i+1), 4200001000))
	}
	for i := range b.Cores {
		b.cores = append(b.cores, b.add(fabric.Core, i, -1, fmt.Sprintf("core-%0*d", max(2, len(fmt.Sprint(b.Cores))), i+1), 4200000000))
	}
}

// port adds the next port of a switch.
func (b *builder) port(sw int, role fabric.PortRole) int {
	s := &b.f.Switches[sw]
	n := len(s.Ports)
	lanes := 1
	if s.Role == fabric.Leaf {
		lanes = b.Lanes
	}
	p := fabric.Port{Cage: n/lanes + 1, Split: lanes, SpeedGbps: speed, Role: role, Link: -1, Rail: -1, VLAN: -1, Profile: -1}
	if lanes > 1 {
		p.Lane = n%lanes + 1
	}
	if b.Technology == fabric.RoCE {
		p.Name = fmt.Sprintf("FourHundredGigE1/0/%d", p.Cage)
		if lanes > 1 {
			p.Name += fmt.Sprintf(":%d", p.Lane)
		}
	}
	s.Ports = append(s.Ports, p)
	return n
}

func (b *builder) hostLinks() {
	for _, leaf := range b.leaves {
		sw := &b.f.Switches[leaf]
		rail, vlan := sw.Rails[0], -1
		if b.Technology == fabric.RoCE && !b.Routed {
			vlan = len(b.f.VLANs)
			at := uint32(10<<24|16<<16) + uint32(((b.plane*b.Rails+rail)*b.Units+sw.Unit)<<8)
			b.f.VLANs = append(b.f.VLANs, fabric.VLAN{ID: 100 + rail, Name: fmt.Sprintf("rail%d", rail), Rail: rail, Unit: sw.Unit, Plane: b.plane,
				Subnet: netip.PrefixFrom(addr(at), 24), Gateway: netip.PrefixFrom(addr(at+254), 24)})
			sw.VLANs = []int{vlan}
		}
		for slot := range b.PerUnit {
			server, nic := sw.Unit*b.PerUnit+slot, rail*b.Planes+b.plane
			n := b.port(leaf, fabric.HostPort)
			p, np, no := &sw.Ports[n], &b.f.Servers[server].Ports[nic], len(b.f.Links)
			p.Rail, p.VLAN, p.Link, np.Link = rail, vlan, no, no
			p.Peer = fabric.End{Kind: fabric.ServerDevice, Device: server, Port: nic}
			b.f.Links = append(b.f.Links, fabric.Link{A: p.Peer, B: fabric.End{Device: leaf, Port: n}, Kind: fabric.HostLink,
				Plane: b.plane, SpeedGbps: speed, LengthM: 5, CableType: "dac", Cable: no})
			b.hostAddress(p, np, slot)
		}
	}
}

func (b *builder) hostAddress(p *fabric.Port, np *fabric.NICPort, slot int) {
	switch {
	case b.Technology == fabric.InfiniBand:
		np.GUID = fabric.GUID{Value: 0x0400_0000_0000_0000 + uint64(np.Link), Placeholder: true}
		return
	case b.Routed:
		at := uint32(10<<24|16<<16) + uint32(2*np.Link)
		p.Address, p.PeerAddress = netip.PrefixFrom(addr(at), 31), addr(at+1)
		np.Address, np.Gateway = netip.PrefixFrom(addr(at+1), 31), addr(at)
	default:
		v := &b.f.VLANs[p.VLAN]
		a := v.Subnet.Addr().As4()
		a[3] = byte(slot + 1)
		np.Address, np.Gateway = netip.PrefixFrom(netip.AddrFrom4(a), 24), v.Gateway.Addr()
	}
	p.Profile = 0
}

func (b *builder) fabricLinks() {
	b.pending = nil
	perBlock := b.BlockUnits * b.Rails
	for i, leaf := range b.leaves {
		for j := range b.Uplinks {
			b.link(leaf, b.spines[i/perBlock*b.Spines+j*b.Spines/b.Uplinks])
		}
	}
	if b.Cores > 0 {
		perPlane := b.Cores / b.Spines
		for i, spine := range b.spines {
			for k := range perBlock * b.Uplinks / b.Spines {
				b.link(spine, b.cores[i%b.Spines*perPlane+k%perPlane])
			}
		}
	}
	b.f.Links = append(b.f.Links, b.pending...)
}

func (b *builder) link(low, high int) {
	no := len(b.f.Links) + len(b.pending)
	ends := [2]fabric.End{{Device: low, Port: b.port(low, fabric.UplinkPort)}, {Device: high, Port: b.port(high, fabric.DownlinkPort)}}
	for i, e := range ends {
		sw, peer := &b.f.Switches[e.Device], &b.f.Switches[ends[1-i].Device]
		p := &sw.Ports[e.Port]
		p.Link, p.Peer = no, ends[1-i]
		if b.Technology != fabric.RoCE {
			continue
		}
		p.PeerASN, p.Profile = peer.ASN, 1
		if !b.Unnumbered {
			at := uint32(10<<24|240<<16) + 2*b.linkNo
			p.Address, p.PeerAddress = netip.PrefixFrom(addr(at+uint32(1-i)), 31), addr(at+uint32(i))
		}
	}
	b.linkNo++
	b.pending = append(b.pending, fabric.Link{A: ends[0], B: ends[1], Kind: fabric.FabricLink, Plane: b.plane, SpeedGbps: speed, LengthM: 30, CableType: "aoc", Cable: no})
}

// fill adds the unused cages of the leaves; half of them are kept for growth.
func (b *builder) fill() {
	for _, leaf := range b.leaves {
		for i := range b.Spare * b.Lanes {
			n := b.port(leaf, fabric.UnusedPort)
			b.f.Switches[leaf].Ports[n].Reserved = i < b.Spare*b.Lanes/2
		}
	}
}

func (b *builder) totals() {
	f := b.f
	blocks := b.Units / b.BlockUnits
	f.Counts = fabric.Counts{Servers: len(f.Servers), GPUs: 8 * len(f.Servers), Units: b.Units, Rails: b.Rails, Planes: b.Planes,
		Leaf: b.Planes * b.Units * b.Rails, Spine: b.Planes * b.Spines * blocks, Core: b.Planes * b.Cores}
	for i := range f.Links {
		switch l := &f.Links[i]; {
		case l.Kind == fabric.HostLink:
			f.Counts.HostLinks++
		case f.Switches[l.A.Device].Role == fabric.Leaf:
			f.Counts.LeafSpineLinks++
		default:
			f.Counts.SpineCoreLinks++
		}
	}
	f.Counts.HostCables, f.Counts.FabricCables = f.Counts.HostLinks, f.Counts.LeafSpineLinks+f.Counts.SpineCoreLinks
	if b.Technology == fabric.InfiniBand {
		f.Groups[0].Class = -1
		return
	}
	f.RoCE = "v2"
	f.Underlay = fabric.Underlay{BGP: true, Unnumbered: b.Unnumbered, Loopbacks: netip.MustParsePrefix("10.255.0.0/16"), Rails: netip.MustParsePrefix("10.16.0.0/12"),
		MaxPaths: max(b.Uplinks, 1), SpineASN: "shared", HostMode: "vlan", MTU: 9216, HostMTU: 9000}
	if b.Routed {
		f.Underlay.HostMode = "routed"
	}
	if !b.Unnumbered {
		f.Underlay.Links = netip.MustParsePrefix("10.240.0.0/13")
	}
	f.Lossless = losslessPlan()
	balance := map[int64]int{}
	for i := range f.Switches {
		var sum int64
		for _, p := range f.Switches[i].Ports {
			if p.Profile >= 0 {
				sum += int64(f.Lossless.Profiles[p.Profile].XoffBytes)
			}
		}
		at, ok := balance[sum]
		if !ok {
			at = len(f.Lossless.Buffers)
			balance[sum] = at
			f.Lossless.Buffers = append(f.Lossless.Buffers, fabric.Buffer{HeadroomBytes: sum, TotalBytes: 165_000_000})
		}
		f.Lossless.Buffers[at].Switches = append(f.Lossless.Buffers[at].Switches, i)
	}
}

func addr(a uint32) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)})
}
