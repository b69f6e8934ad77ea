package openconfig

import (
	"fmt"
	"math"
	"net/netip"

	"github.com/openconfig/ygot/ygot"

	"railyard/generator/fabric"
	"railyard/vendors/openconfig/oc"
)

// frameHeader is what the models' interface MTU counts above an IP packet: the
// Ethernet header without FCS, as in the example of openconfig-interfaces (1514)
// and in featureprofiles' attributes.
const frameHeader = 14

// speed is the identity of a port speed in Gb/s, zero when there is none.
func speed(gbps int) oc.E_OpenconfigIfEthernet_ETHERNET_SPEED {
	switch gbps {
	case 1:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_1GB
	case 10:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_10GB
	case 25:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_25GB
	case 40:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_40GB
	case 50:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_50GB
	case 100:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_100GB
	case 200:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_200GB
	case 400:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_400GB
	case 800:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_800GB
	case 1600:
		return oc.OpenconfigIfEthernet_ETHERNET_SPEED_SPEED_1600GB
	}
	return oc.OpenconfigIfEthernet_ETHERNET_SPEED_UNSET
}

func (b *builder) interfaces() {
	for i := range b.sw.Ports {
		if p := &b.sw.Ports[i]; p.Role != fabric.CellPort {
			b.port(p)
		}
	}
	if b.sw.Loopback.IsValid() && b.d.Loopback != "" {
		i := b.newInterface(b.d.Loopback, oc.IETFInterfaces_InterfaceType_softwareLoopback, true, "")
		b.address(i, netip.PrefixFrom(b.sw.Loopback, b.sw.Loopback.BitLen()), 0)
	}
	if b.d.VLANInterface == "" {
		return
	}
	for _, v := range b.sw.VLANs {
		if vlan := &b.f.VLANs[v]; vlan.Gateway.IsValid() {
			b.gateway(vlan)
		}
	}
}

// port writes one front-panel port. Ports without a link are shut down.
func (b *builder) port(p *fabric.Port) {
	if p.Name == "" {
		b.must(fmt.Errorf("cage %d, lane %d has no name: the fabric's ports must be named first", p.Cage, p.Lane))
		return
	}
	if !live(p) {
		text := "unused"
		if p.Reserved {
			text = "reserved"
		}
		b.newInterface(p.Name, oc.IETFInterfaces_InterfaceType_ethernetCsmacd, false, text)
		return
	}
	i := b.newInterface(p.Name, oc.IETFInterfaces_InterfaceType_ethernetCsmacd, true, b.peer(p))
	if b.d.PortMTU && b.f.Underlay.MTU > 0 {
		i.Config.Mtu = b.mtu(b.f.Underlay.MTU + b.d.PortMTUExtra)
	}
	if s := speed(p.SpeedGbps); s != oc.OpenconfigIfEthernet_ETHERNET_SPEED_UNSET {
		i.GetOrCreateEthernet().GetOrCreateConfig().PortSpeed = s
	}
	switch {
	case p.VLAN >= 0:
		c := i.GetOrCreateEthernet().GetOrCreateSwitchedVlan().GetOrCreateConfig()
		c.InterfaceMode = oc.OpenconfigVlanTypes_VlanModeType_ACCESS
		c.AccessVlan = ygot.Uint16(uint16(b.f.VLANs[p.VLAN].ID))
	case p.Address.IsValid():
		b.address(i, p.Address, b.f.Underlay.MTU)
	case p.Unnumbered():
		b.subinterface(i).GetOrCreateIpv6().GetOrCreateConfig().Enabled = ygot.Bool(true)
	}
}

// peer describes the other end of a port's link.
func (b *builder) peer(p *fabric.Port) string {
	return b.f.DeviceName(p.Peer) + ":" + b.f.PortName(p.Peer)
}

// newInterface adds an interface. An interface that appears twice is a problem:
// one of them would be lost.
func (b *builder) newInterface(name string, kind oc.E_IETFInterfaces_InterfaceType, enabled bool, description string) *oc.OpenconfigInterfaces_Interfaces_Interface {
	all := b.dev.GetOrCreateInterfaces()
	i, err := all.NewInterface(name)
	if err != nil {
		b.must(fmt.Errorf("interface %s appears twice", name))
		i = &oc.OpenconfigInterfaces_Interfaces_Interface{}
	}
	c := i.GetOrCreateConfig()
	c.Name = ygot.String(name)
	c.Enabled = ygot.Bool(enabled)
	if b.d.InterfaceType {
		c.Type = kind
	}
	if description != "" {
		c.Description = ygot.String(description)
	}
	return i
}

func (b *builder) subinterface(i *oc.OpenconfigInterfaces_Interfaces_Interface) *oc.OpenconfigInterfaces_Interfaces_Interface_Subinterfaces_Subinterface {
	s := i.GetOrCreateSubinterfaces().GetOrCreateSubinterface(0)
	s.GetOrCreateConfig().Index = ygot.Uint32(0)
	return s
}

// address gives an interface its IPv4 address; mtu is that of IP, zero for none.
func (b *builder) address(i *oc.OpenconfigInterfaces_Interfaces_Interface, p netip.Prefix, mtu int) {
	ip := b.subinterface(i).GetOrCreateIpv4()
	if b.d.IPEnabled {
		ip.GetOrCreateConfig().Enabled = ygot.Bool(true)
	}
	if b.d.IPMTU && mtu > 0 {
		ip.GetOrCreateConfig().Mtu = b.mtu(b.d.ipMTU(mtu))
	}
	a := ip.GetOrCreateAddresses().GetOrCreateAddress(p.Addr().String())
	c := a.GetOrCreateConfig()
	c.Ip, c.PrefixLength = ygot.String(p.Addr().String()), ygot.Uint8(uint8(p.Bits()))
}

// gateway writes the routed side of a VLAN.
func (b *builder) gateway(vlan *fabric.VLAN) {
	i := b.newInterface(fmt.Sprintf(b.d.VLANInterface, vlan.ID), oc.IETFInterfaces_InterfaceType_l3ipvlan, true, vlan.Name)
	r := i.GetOrCreateRoutedVlan()
	r.GetOrCreateConfig().Vlan = oc.UnionUint16(vlan.ID)
	ip := r.GetOrCreateIpv4()
	if b.d.IPEnabled {
		ip.GetOrCreateConfig().Enabled = ygot.Bool(true)
	}
	if b.d.IPMTU && b.f.Underlay.MTU > 0 {
		ip.GetOrCreateConfig().Mtu = b.mtu(b.d.ipMTU(b.f.Underlay.MTU))
	}
	gw := vlan.Gateway
	c := ip.GetOrCreateAddresses().GetOrCreateAddress(gw.Addr().String()).GetOrCreateConfig()
	c.Ip, c.PrefixLength = ygot.String(gw.Addr().String()), ygot.Uint8(uint8(gw.Bits()))
}

func (b *builder) mtu(bytes int) *uint16 {
	if bytes < 0 || bytes > math.MaxUint16 {
		b.must(fmt.Errorf("an MTU of %d bytes does not fit the models (65535)", bytes))
		return nil
	}
	return ygot.Uint16(uint16(bytes))
}

// vlans declares the switch's VLANs.
func (b *builder) vlans() {
	for _, v := range b.sw.VLANs {
		vlan := &b.f.VLANs[v]
		if vlan.ID < 0 || vlan.ID > math.MaxUint16 {
			b.must(fmt.Errorf("VLAN %d does not exist", vlan.ID))
			continue
		}
		entry, err := b.instance().GetOrCreateVlans().NewVlan(uint16(vlan.ID))
		if err != nil {
			b.must(fmt.Errorf("VLAN %d appears twice", vlan.ID))
			continue
		}
		c := entry.GetOrCreateConfig()
		c.VlanId, c.Name = ygot.Uint16(uint16(vlan.ID)), ygot.String(vlan.Name)
	}
}

// lldp runs on every port that has a neighbour.
func (b *builder) lldp() {
	l := b.dev.GetOrCreateLldp()
	c := l.GetOrCreateConfig()
	c.Enabled, c.SystemName = ygot.Bool(true), ygot.String(b.sw.Name)
	for i := range b.sw.Ports {
		p := &b.sw.Ports[i]
		if !live(p) || p.Name == "" {
			continue
		}
		entry := l.GetOrCreateInterfaces().GetOrCreateInterface(p.Name).GetOrCreateConfig()
		entry.Name, entry.Enabled = ygot.String(p.Name), ygot.Bool(true)
	}
}
