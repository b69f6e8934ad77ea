package openconfig

import (
	"fmt"
	"slices"

	"railyard/generator/fabric"
)

// Gap is a part of a switch's intent that its document does not carry.
type Gap struct {
	Code    string // stable: OC_PFC
	Intent  string // what the plan wants
	Reason  string // why the document lacks it
	Instead string // what to use
	Source  string // document behind the reason
}

// gapsOf lists what the models lack, then what the OS does not take of them.
// Only what this switch's plan really wants is a gap.
func gapsOf(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	var gaps []Gap
	for _, rule := range []func(*fabric.Fabric, *fabric.Switch, *Dialect) []Gap{
		unsupported, writeRefused, flowControl, classification, portGaps, routingGaps, management,
	} {
		gaps = append(gaps, rule(f, sw, d)...)
	}
	return gaps
}

const modelSource = "openconfig/public v5.9.0"

// unsupported lists the sections that the OS does not take.
func unsupported(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	wants := map[Section]struct {
		wanted bool
		code   string
		intent string
	}{
		Interfaces: {len(sw.Ports) > 0, "OC_INTERFACES", "ports, addresses and gateways"},
		LLDP:       {linked(sw), "OC_LLDP", "LLDP on every linked port"},
		VLANs:      {len(sw.VLANs) > 0, "OC_VLANS", "rail VLANs"},
		QoS:        {lossless(f, sw), "OC_QOS", "classification, queues, scheduling and ECN marking"},
		Routing:    {f.Underlay.BGP && sw.ASN != 0, "OC_ROUTING", "the BGP underlay"},
	}
	var gaps []Gap
	for _, s := range d.Support {
		if w := wants[s.Section]; w.wanted && !s.Carried {
			gaps = append(gaps, Gap{w.code, w.intent, s.Reason, d.Instead, s.Source})
		}
	}
	return gaps
}

// writeRefused warns of images that announce OpenConfig and take no Set of it.
func writeRefused(_ *fabric.Fabric, _ *fabric.Switch, d *Dialect) []Gap {
	if d.OS != "sonic" {
		return nil
	}
	return []Gap{{"OC_WRITE", "the whole document",
		"images built without ENABLE_TRANSLIB_WRITE, as the community's are, answer every OpenConfig Set with Unimplemented",
		d.Instead, "sonic-net/sonic-buildimage rules/config"}}
}

// flowControl is what no OpenConfig model has.
func flowControl(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	if !lossless(f, sw) {
		return nil
	}
	var gaps []Gap
	if slices.ContainsFunc(f.Lossless.Classes, func(c fabric.Class) bool { return c.Lossless }) {
		gaps = append(gaps,
			Gap{"OC_PFC", "priority flow control",
				"the models know pause frames for a whole link only, which would stop every priority; that leaf is left unset", d.Instead, modelSource},
			Gap{"OC_HEADROOM", "PFC headroom and dynamic thresholds",
				"the models have neither priority groups nor headroom; their buffer profiles belong to queues", d.Instead, modelSource})
	}
	if f.Lossless.Watchdog.Enabled {
		gaps = append(gaps, Gap{"OC_WATCHDOG", "the PFC watchdog", "the models have none", d.Instead, modelSource})
	}
	return gaps
}

// classification by 802.1p has no path: the models classify IP packets.
func classification(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	if !lossless(f, sw) || !d.Carries(QoS) || f.RoCE != "v1" {
		return nil
	}
	return []Gap{{"OC_COS", "classification by 802.1p priority, which RoCE v1 needs",
		"the models' classifiers have no condition for it", d.Instead, modelSource}}
}

func portGaps(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	if !d.Carries(Interfaces) {
		return nil
	}
	var gaps []Gap
	has := func(wanted func(*fabric.Port) bool) bool {
		for i := range sw.Ports {
			if wanted(&sw.Ports[i]) {
				return true
			}
		}
		return false
	}
	if has(func(p *fabric.Port) bool { return p.Split > 1 && p.Role != fabric.CellPort }) {
		gaps = append(gaps, Gap{"OC_BREAKOUT", "split cages",
			"the models split a port by the name of its hardware component, which only the device knows; split the cages before the document is sent", d.Instead, "openconfig-platform-port"})
	}
	if has(func(p *fabric.Port) bool { return p.Role == fabric.CellPort }) {
		gaps = append(gaps, Gap{"OC_CELL_PORTS", "cell ports of a distributed system", "the models have no cell fabric", d.Instead, modelSource})
	}
	if has(func(p *fabric.Port) bool { return live(p) && speed(p.SpeedGbps) == 0 }) {
		gaps = append(gaps, Gap{"OC_SPEED", "the speed of some ports", "the models have no identity for it", d.Instead, "openconfig-if-ethernet"})
	}
	if d.Loopback == "" && sw.Loopback.IsValid() {
		gaps = append(gaps, Gap{"OC_LOOPBACK", "the loopback", "that the OS takes one over OpenConfig is not confirmed", d.Instead, d.Sources})
	}
	if d.VLANInterface == "" && slices.ContainsFunc(sw.VLANs, func(i int) bool { return f.VLANs[i].Gateway.IsValid() }) {
		gaps = append(gaps, Gap{"OC_GATEWAY", "the gateways of the rail VLANs", "that the OS takes routed VLAN interfaces over OpenConfig is not confirmed", d.Instead, d.Sources})
	}
	if !d.PortMTU && f.Underlay.MTU > 0 && has(func(p *fabric.Port) bool { return live(p) && p.VLAN >= 0 }) {
		gaps = append(gaps, Gap{"OC_PORT_MTU", fmt.Sprintf("an MTU of %d bytes on switched ports", f.Underlay.MTU),
			"the OS does not take the MTU leaf of a port; check what its switched ports pass by themselves", d.Instead, d.Sources})
	}
	if d.IPMTU && d.ipMTU(f.Underlay.MTU) < f.Underlay.MTU {
		gaps = append(gaps, Gap{"OC_IP_MTU", fmt.Sprintf("an IP MTU of %d bytes", f.Underlay.MTU),
			fmt.Sprintf("the OS takes %d at most, which is what the document says", d.IPMTUMost), "set the same on the other ends", d.Sources})
	}
	return gaps
}

func routingGaps(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	if !d.Carries(Routing) || !f.Underlay.BGP || sw.ASN == 0 {
		return nil
	}
	var gaps []Gap
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return live(&p) && p.Unnumbered() }) {
		gaps = append(gaps, Gap{"OC_UNNUMBERED", "BGP sessions over IPv6 link-local addresses",
			"the models key a neighbour by its address", d.Instead, "openconfig-bgp"})
	}
	if d.Connected == "" {
		gaps = append(gaps, Gap{"OC_ADVERTISE", "advertising the loopback and the rail subnets",
			"how the OS names its connected routes in OpenConfig is not confirmed; without this the switch advertises nothing of its own", d.Instead, d.Sources})
	}
	return gaps
}

// management stays in the file a switch first boots with: a mistake here would
// cut off the very connection that carries the document.
func management(f *fabric.Fabric, sw *fabric.Switch, d *Dialect) []Gap {
	m := &f.Management
	if !sw.Management.IsValid() && len(m.Users)+len(m.NTP)+len(m.DNS)+len(m.Syslog) == 0 {
		return nil
	}
	return []Gap{{"OC_MANAGEMENT", "management address, users, NTP, DNS and syslog",
		"left out on purpose: they carry the connection itself", "the switch's first configuration", ""}}
}

// live reports whether a port is in use as an interface.
func live(p *fabric.Port) bool {
	return p.Link >= 0 && p.Role != fabric.UnusedPort && p.Role != fabric.CellPort
}

func linked(sw *fabric.Switch) bool {
	return slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return live(&p) })
}

// lossless reports whether the lossless plan touches the switch.
func lossless(f *fabric.Fabric, sw *fabric.Switch) bool {
	return f.Lossless != nil && slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return live(&p) && p.Profile >= 0 })
}
