package vrp

import (
	"net/netip"
	"slices"

	"railyard/generator/fabric"
)

// view is what the templates see of a switch. Addresses and masks are in the
// device's own spelling; an empty field means that the line is not written.
type view struct {
	Name           string
	PortModes      []change
	Splits         []change
	Syslog         []string
	DNS            []string
	NTP            []string
	VRF            string // of the management interface
	InVRF          string // " vpn-instance VRF", or ""
	VLANBatches    []batch
	VLANs          []vlan
	Gateways       []gateway
	Users          []user
	HostMTU        int    // bytes, IP; 0 default
	Management     string // address and mask
	DefaultRoute   string // next hop of the management VRF
	GRPC           string // address the gNMI service listens on
	Ports          []port
	Loopback       string
	BGP            *bgp
	LosslessSystem string // the system-wide lossless lines, each led by a newline

	fabric  *fabric.Fabric
	sw      *fabric.Switch
	family  family
	plan    *plan
	layout  layout
	noLogin []string // users whose password or key could not be written
}

type batch struct {
	IDs   string
	First bool
}

type vlan struct {
	ID          int
	Description string
}

type gateway struct {
	ID          int
	Description string
	Address     string // with its mask
}

// port is one interface.
type port struct {
	Name, Description string
	Shutdown, Routed  bool
	MTU               int    // IP, routed ports; 0 default
	Frame             int    // largest frame; 0 default
	Address           string // with its mask; routed ports
	VLAN              int    // access VLAN; 0 none
	Lossless          string // lossless lines, each led by a newline

	profile int // of the lossless plan, -1 none
}

func newView(f *fabric.Fabric, sw *fabric.Switch, secrets fabric.Secrets) (*view, error) {
	m := f.ModelOf(sw)
	v := &view{Name: sw.Name, fabric: f, sw: sw, family: familyOf(m, sw.Release), layout: arrange(m, sw.Ports)}
	v.PortModes, v.Splits = v.layout.modes, v.layout.splits
	if f.Lossless != nil {
		v.plan = planFor(f, sw, v.family)
	}
	if f.Underlay.HostMTU != 1500 {
		v.HostMTU = f.Underlay.HostMTU
	}
	v.manage()
	v.addVLANs()
	v.addPorts()
	if sw.Loopback.Is4() {
		v.Loopback = sw.Loopback.String()
	}
	v.BGP = underlay(f, sw)
	if err := v.addUsers(secrets); err != nil {
		return nil, err
	}
	return v, nil
}

// manage fills the out-of-band side. Only IPv4 is documented for all of its parts.
func (v *view) manage() {
	m := &v.fabric.Management
	if v.VRF = m.VRF; v.VRF != "" {
		v.InVRF = " vpn-instance " + v.VRF
	}
	v.Syslog, v.DNS, v.NTP = only4(m.Syslog), only4(m.DNS), only4(m.NTP)
	v.DNS = v.DNS[:min(len(v.DNS), maxDNS)]
	if own := v.sw.Management; own.IsValid() && own.Addr().Is4() {
		v.Management = withMask(own)
		v.GRPC = own.Addr().String()
	}
	if m.Gateway.Is4() {
		v.DefaultRoute = m.Gateway.String()
	}
}

const maxDNS = 6 // CR dns server

func only4(addrs []netip.Addr) []string {
	var out []string
	for _, a := range addrs {
		if a.Is4() {
			out = append(out, a.String())
		}
	}
	return out
}

func (v *view) addVLANs() {
	var ids []int
	for _, i := range v.sw.VLANs {
		vl := &v.fabric.VLANs[i]
		ids = append(ids, vl.ID)
		v.VLANs = append(v.VLANs, vlan{vl.ID, vl.Name})
		if vl.Gateway.IsValid() && vl.Gateway.Addr().Is4() {
			v.Gateways = append(v.Gateways, gateway{vl.ID, vl.Name, withMask(vl.Gateway)})
		}
	}
	slices.Sort(ids)
	slices.SortFunc(v.VLANs, func(a, b vlan) int { return a.ID - b.ID })
	slices.SortFunc(v.Gateways, func(a, b gateway) int { return a.ID - b.ID })
	// Ten items a line, a pair printed as a range (CR vlan batch; field V300R022).
	for i, line := range ranges(slices.Compact(ids), 2, 10, number) {
		v.VLANBatches = append(v.VLANBatches, batch{line, i == 0})
	}
}

func (v *view) addPorts() {
	v.Ports = make([]port, 0, len(v.sw.Ports))
	for i := range v.sw.Ports {
		if name := v.layout.names[i]; name != "" {
			v.Ports = append(v.Ports, v.port(&v.sw.Ports[i], name))
		}
	}
}

func (v *view) port(p *fabric.Port, name string) port {
	out := port{Name: name, Description: "unused", profile: -1}
	if p.Link < 0 {
		out.Shutdown = p.Role != fabric.CellPort
		if p.Reserved {
			out.Description = "reserved"
		}
		return out
	}
	out.Description = v.fabric.DeviceName(p.Peer) + " " + v.fabric.PortName(p.Peer)
	if p.Role == fabric.CellPort {
		return out
	}
	out.Routed = p.VLAN < 0
	if out.Routed {
		out.MTU = v.HostMTU
		if a := p.Address; a.IsValid() && a.Addr().Is4() {
			out.Address = withMask(a)
		}
	} else {
		out.VLAN = v.fabric.VLANs[p.VLAN].ID
	}
	if n := v.fabric.Underlay.MTU; v.family.lossless() && n != defaultFrame {
		out.Frame = n
	}
	if v.plan != nil && p.Profile >= 0 {
		out.profile = p.Profile
	}
	return out
}

const (
	defaultFrame       = 9216 // CR jumboframe enable, families P and J
	minFrame, maxFrame = 1518, 9500
	minMTU, maxMTU     = 46, 9600 // CR mtu (interface view)
)
