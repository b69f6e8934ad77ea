package zxros

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/byhand"
)

// gap is something of the plan that the configuration does not hold: a finding,
// and the plan's numbers for whoever types it.
type gap struct {
	fabric.Finding
	Commands []string
}

// steps is what steps-to-check.txt is made of.
type steps struct {
	Name string
	Gaps []gap
}

// gapsOf asks every rule. Messages name no switch, so that equal findings merge.
func gapsOf(f *fabric.Fabric, sw *fabric.Switch) []gap {
	var gaps []gap
	for _, rule := range []func(*fabric.Fabric, *fabric.Switch) []gap{
		losslessGaps, routingGaps, portGaps, addressGaps, managementGaps, loading,
	} {
		gaps = append(gaps, rule(f, sw)...)
	}
	return gaps
}

func one(severity fabric.Severity, code, message, remedy, source string, commands ...string) []gap {
	return []gap{{fabric.Finding{Severity: severity, Code: code, Message: message, Remedy: remedy, Source: source}, commands}}
}

// another is the only way out: nothing else is known to run on this hardware.
const another = "choose a switch with an OS whose lossless commands are confirmed (comware, cumulus, eos, sonic, vrp)"

func losslessGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	plan := byhand.Lossless(f, sw)
	if plan == nil {
		return nil
	}
	return one(fabric.Error, "ZXROS_LOSSLESS_UNCONFIRMED",
		"no public text shows how ZXROS is told about PFC, ECN, scheduling, the watchdog and buffers, so RoCE would run without any of them",
		another+"; if you accept this finding, configure the plan in steps-to-check.txt by the vendor's command reference before RoCE traffic",
		"", plan...)
}

func routingGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	plan := byhand.Routing(f, sw, (*Driver)(nil).PortName)
	if plan == nil {
		return nil
	}
	return one(fabric.Error, "ZXROS_BGP_UNCONFIRMED",
		"no configuration of ZXROS with an IPv4 underlay was found, so no routing protocol is configured",
		another+"; if you accept this finding, configure the sessions in steps-to-check.txt by hand", "", plan...)
}

// portGaps looks at each kind of port once.
func portGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	m := f.ModelOf(sw)
	var bad, slow []string
	add := func(list *[]string, s string) {
		if !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		whole := cageSpeed(m, p)
		switch {
		case p.Split > 1:
			add(&bad, fmt.Sprintf("%dx%dG", p.Split, p.SpeedGbps))
		case portName(m, p) == "":
			add(&bad, fmt.Sprintf("%dG", whole))
		case byhand.Linked(p) && p.SpeedGbps < whole:
			add(&slow, fmt.Sprintf("%dG in a %dG cage", p.SpeedGbps, whole))
		}
	}
	var gaps []gap
	if len(bad) > 0 {
		gaps = one(fabric.Error, "ZXROS_PORT_NAME",
			"ZXROS's name of ports at "+strings.Join(bad, ", ")+" is not known: they are left out and keep the settings they have",
			"use whole cages up to 400G", "names")
	}
	gaps = append(gaps, one(fabric.Warning, "ZXROS_PORT_PATH",
		"ports are numbered "+path+"<cage> as on the one data-centre box that was seen, at 10G; other boxes of this software use other paths",
		"compare with the switch before loading", "5960X, netx", "show interface brief")...)
	if len(slow) > 0 {
		gaps = append(gaps, one(fabric.Warning, "ZXROS_SPEED",
			"no confirmed speed command for "+strings.Join(slow, ", "), "check the speed of these links", "", "show interface brief")...)
	}
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Role == fabric.CellPort }) {
		gaps = append(gaps, one(fabric.Error, "ZXROS_CELL_FABRIC", "no configuration of a cell fabric is known; the cell ports are left out", "choose another topology", "")...)
	}
	return gaps
}

func addressGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	var gaps []gap
	if sw.Loopback.Is6() || f.Underlay.Rails.Addr().Is6() || f.Underlay.Links.Addr().Is6() {
		gaps = one(fabric.Error, "ZXROS_IPV6", "this driver writes IPv4 addresses only", "use IPv4 prefixes", "")
	}
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return byhand.Linked(&p) && p.Unnumbered() }) {
		gaps = append(gaps, one(fabric.Error, "ZXROS_UNNUMBERED",
			"whether ZXROS runs BGP over link-local addresses is not known; the ports of these links are shut", "use numbered links", "")...)
	}
	return gaps
}

func managementGaps(f *fabric.Fabric, _ *fabric.Switch) []gap {
	plan := byhand.Management(f)
	return one(fabric.Warning, "ZXROS_MANAGEMENT",
		"the lines for the gateway of the management port, users, time, names, logging and telemetry are not confirmed and are left out",
		"configure them by the vendor's command reference", "", plan...)
}

// loading: a run that stops half-way leaves what came before.
func loading(*fabric.Fabric, *fabric.Switch) []gap {
	return one(fabric.Warning, "ZXROS_LOADING",
		"addresses, MTU and the management port are written as routers and access boxes of this software print them, and the file was never loaded",
		"try it on one switch; each line is live at once and there is no rollback", "netx, ZXAN",
		"show running-config if-intf", "show running-config switchvlan", "write")
}
