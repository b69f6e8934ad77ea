package cumulus

import (
	"net/netip"
	"slices"
	"strconv"

	"railyard/generator/fabric"
)

// view is what the templates see of one switch.
type view struct {
	Name, Model, Release string
	Dialect              dialect
	Address, Gateway     string // of the management port; "" for none
	ManagementIP         string // Address without length
	VRF                  string
	Loopback             string // with length; "" for none
	Ports                []port
	VLANs                []vlan
	QoS                  *qos
	BGP                  *bgp
	Users                []user
	NTP, DNS, Syslog     []string
}

// port is one swp. A field that is empty or zero has no key.
type port struct {
	Name, Description string
	Breakout          string // mode of a cage; such a port has nothing else
	Down              bool
	MTU               int
	Speed             string // below what the cage or its part runs by itself
	Access            int    // VLAN of a bridged port
	Address           string // of a numbered routed port
	ECN, PFC          string // profile names
	Scheduler         string
	Watchdog          bool
}

// Link reports whether the port has a key below link.
func (p port) Link() bool { return p.Breakout != "" || p.Down || p.MTU > 0 || p.Speed != "" }

// vlan is one rail subnet; Gateway is empty when it is not routed here.
type vlan struct {
	ID      int
	Name    string
	Gateway string
}

func newView(f *fabric.Fabric, sw *fabric.Switch) *view {
	v := &view{
		Name: sw.Name, Model: f.ModelOf(sw).ID, Dialect: dialectOf(sw.Release), VRF: managementVRF,
		NTP: addresses(f.Management.NTP), DNS: addresses(f.Management.DNS), Syslog: addresses(f.Management.Syslog),
		QoS: newQoS(f, sw), BGP: newBGP(f, sw),
	}
	v.Release = "5." + strconv.Itoa(v.Dialect.Minor)
	if sw.Management.IsValid() {
		v.Address, v.ManagementIP = sw.Management.String(), sw.Management.Addr().String()
	}
	if f.Management.Gateway.IsValid() {
		v.Gateway = f.Management.Gateway.String()
	}
	if sw.Loopback.IsValid() {
		v.Loopback = netip.PrefixFrom(sw.Loopback, sw.Loopback.BitLen()).String()
	}
	for _, i := range sw.VLANs {
		out := vlan{ID: f.VLANs[i].ID, Name: f.VLANs[i].Name}
		if g := f.VLANs[i].Gateway; g.IsValid() {
			out.Gateway = g.String()
		}
		v.VLANs = append(v.VLANs, out)
	}
	slices.SortFunc(v.VLANs, func(a, b vlan) int { return a.ID - b.ID })
	v.addPorts(f, sw)
	return v
}

// addPorts writes a cage with a breakout before its parts. Cell ports and cages
// split in a way that does not exist are left out.
func (v *view) addPorts(f *fabric.Fabric, sw *fabric.Switch) {
	m := f.ModelOf(sw)
	lost := disabled(m, sw)
	v.Ports = make([]port, 0, len(sw.Ports)+len(m.Cages))
	last := 0
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.CellPort || p.Split > 1 && !splits(p.Split) {
			continue
		}
		first := p.Cage != last
		last = p.Cage
		if slices.Contains(lost, p.Cage) {
			if first {
				v.Ports = append(v.Ports, port{Name: "swp" + strconv.Itoa(p.Cage), Breakout: "disabled"})
			}
			continue
		}
		if first && p.Split > 1 {
			v.Ports = append(v.Ports, port{Name: "swp" + strconv.Itoa(p.Cage), Breakout: strconv.Itoa(p.Split) + "x"})
		}
		v.Ports = append(v.Ports, v.newPort(f, m, p))
	}
}

func (v *view) newPort(f *fabric.Fabric, m *fabric.Model, p *fabric.Port) port {
	out := port{Name: portName(p)}
	if !linked(p) {
		out.Down, out.Description = true, "unused"
		if p.Reserved {
			out.Description = "reserved"
		}
		return out
	}
	out.Description = f.DeviceName(p.Peer) + ":" + f.PortName(p.Peer)
	out.MTU = clampMTU(f.Underlay.MTU)
	if n := natural(m, p); n > 0 && p.SpeedGbps > 0 && p.SpeedGbps < n {
		out.Speed = strconv.Itoa(p.SpeedGbps) + "G"
	}
	switch {
	case p.VLAN >= 0:
		out.Access = f.VLANs[p.VLAN].ID
	case p.Address.IsValid():
		out.Address = p.Address.String()
	}
	if v.QoS != nil && p.Profile >= 0 {
		prof := &f.Lossless.Profiles[p.Profile]
		out.Scheduler = scheduler
		if len(v.QoS.ECN) > 0 {
			out.ECN = ecnName(prof)
		}
		if len(v.QoS.PFC) > 0 {
			out.PFC, out.Watchdog = pfcName(prof), v.QoS.Watchdog != nil
		}
	}
	return out
}

// natural is the speed a port runs at when nothing says otherwise.
func natural(m *fabric.Model, p *fabric.Port) int {
	for i := range m.Cages {
		if m.Cages[i].Number == p.Cage {
			return m.Cages[i].SpeedGbps / max(p.Split, 1)
		}
	}
	return 0
}

// addresses sorts by number and drops doubles.
func addresses(list []netip.Addr) []string {
	sorted := slices.Clone(list)
	slices.SortFunc(sorted, netip.Addr.Compare)
	var out []string
	for _, a := range slices.Compact(sorted) {
		out = append(out, a.String())
	}
	return out
}
