package rgos

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"railyard/generator/fabric"
	"railyard/vendors/byhand"
)

// typeOf is the interface type of a speed in Gb/s; "" where no text shows one.
func typeOf(speed int) string {
	switch speed {
	case 1:
		return "GigabitEthernet"
	case 10:
		return "TenGigabitEthernet"
	case 25:
		return "TFGigabitEthernet"
	case 40:
		return "FortyGigabitEthernet"
	case 100:
		return "HundredGigabitEthernet"
	case 400:
		return "FHGigabitEthernet"
	}
	return ""
}

// portName is the type, a blank and the place: HundredGigabitEthernet 0/55. An
// undivided cage keeps its type whatever it runs at. Parts of a cage were seen
// at 400G only (FHGigabitEthernet 0/9:1), so no other part has a name.
func portName(m *fabric.Model, p *fabric.Port) string {
	if p.Split > 1 {
		if p.SpeedGbps != 400 {
			return ""
		}
		return fmt.Sprintf("%s 0/%d:%d", typeOf(p.SpeedGbps), p.Cage, p.Lane)
	}
	kind := typeOf(cageSpeed(m, p))
	if kind == "" {
		return ""
	}
	return fmt.Sprintf("%s 0/%d", kind, p.Cage)
}

func neutral(p *fabric.Port) string {
	if p.Split > 1 {
		return fmt.Sprintf("%d/%d", p.Cage, p.Lane)
	}
	return fmt.Sprintf("%d", p.Cage)
}

func cageSpeed(m *fabric.Model, p *fabric.Port) int {
	for i := range m.Cages {
		if m.Cages[i].Number == p.Cage {
			return m.Cages[i].SpeedGbps
		}
	}
	return 0
}

// view is what the templates see of one switch.
type view struct {
	Name, Model string
	VLANs       []vlan
	Ports       []port
	Loopback    *address
}

// address is in the form every line wants.
type address struct{ IP, Mask string }

type vlan struct {
	ID      int
	Name    string
	Gateway *address // nil when it is not routed here
}

type port struct {
	Name, Description string
	Shutdown          bool
	VLAN              int // of an access port
	Address           *address
}

func newView(f *fabric.Fabric, sw *fabric.Switch) *view {
	m := f.ModelOf(sw)
	v := &view{Name: sw.Name, Model: m.ID}
	if sw.Loopback.Is4() {
		v.Loopback = split(netip.PrefixFrom(sw.Loopback, sw.Loopback.BitLen()))
	}
	for _, i := range sw.VLANs {
		v.VLANs = append(v.VLANs, vlan{f.VLANs[i].ID, f.VLANs[i].Name, split(f.VLANs[i].Gateway)})
	}
	slices.SortFunc(v.VLANs, func(a, b vlan) int { return a.ID - b.ID })
	for i := range sw.Ports {
		p := &sw.Ports[i]
		name := portName(m, p)
		if name == "" || p.Role == fabric.CellPort {
			continue
		}
		v.Ports = append(v.Ports, newPort(f, name, p))
	}
	return v
}

func newPort(f *fabric.Fabric, name string, p *fabric.Port) port {
	out := port{Name: name}
	switch {
	case !byhand.Linked(p) && p.Reserved:
		out.Shutdown, out.Description = true, "reserved"
		return out
	case !byhand.Linked(p):
		out.Shutdown, out.Description = true, "unused"
		return out
	}
	out.Description = f.DeviceName(p.Peer) + ":" + f.PortName(p.Peer)
	if p.VLAN >= 0 {
		out.VLAN = f.VLANs[p.VLAN].ID
		return out
	}
	// Without an address the port would be a bridge port in the first VLAN, and
	// two of them a loop.
	out.Address = split(p.Address)
	out.Shutdown = out.Address == nil
	return out
}

// split turns a prefix into address and dotted mask; nil without an IPv4 one.
func split(p netip.Prefix) *address {
	if !p.IsValid() || !p.Addr().Is4() {
		return nil
	}
	return &address{p.Addr().String(), net.IP(net.CIDRMask(p.Bits(), 32)).String()}
}
