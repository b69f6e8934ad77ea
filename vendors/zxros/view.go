package zxros

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"railyard/generator/fabric"
	"railyard/vendors/byhand"
)

// path stands before a cage's number: shelf, slot and card of a fixed box
// (xgei-0/1/1/2 on a 5960X).
const path = "0/1/1/"

// kindOf is the prefix of a speed in Gb/s, a Roman number; "" where no text
// shows one.
func kindOf(speed int) string {
	switch speed {
	case 1:
		return "gei-"
	case 10:
		return "xgei-"
	case 25:
		return "xxvgei-"
	case 40:
		return "xlgei-"
	case 50:
		return "lgei-"
	case 100:
		return "cgei-"
	case 200:
		return "ccgei-"
	case 400:
		return "cdgei-"
	}
	return ""
}

// portName keeps its kind whatever the cage runs at. Parts of a cage have no
// known name.
func portName(m *fabric.Model, p *fabric.Port) string {
	kind := kindOf(cageSpeed(m, p))
	if kind == "" || p.Split > 1 {
		return ""
	}
	return fmt.Sprintf("%s%s%d", kind, path, p.Cage)
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
	Management  *address
	MTU         int
}

// Bridged reports whether any section about VLANs is needed.
func (v *view) Bridged() bool { return len(v.VLANs) > 0 }

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
	v := &view{Name: sw.Name, Model: m.ID, MTU: f.Underlay.MTU, Management: split(sw.Management)}
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
