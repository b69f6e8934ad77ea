package rgos

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
		losslessGaps, routingGaps, portGaps, addressGaps, managementGaps, linkGaps, loading,
	} {
		gaps = append(gaps, rule(f, sw)...)
	}
	return gaps
}

func one(severity fabric.Severity, code, message, remedy, source string, commands ...string) []gap {
	return []gap{{fabric.Finding{Severity: severity, Code: code, Message: message, Remedy: remedy, Source: source}, commands}}
}

// sonic is the way out for hardware that is sold with SONiC as well.
func sonic(m *fabric.Model) string {
	pairs := map[string]string{
		"ruijie-s6980-64qc": "M2-W6930-64QC", "ruijie-s6990-128qc": "M2-W6940-128QC", "ruijie-s6990-64oc": "M2-W6940-64OC",
	}
	if name, ok := pairs[m.ID]; ok {
		return "run SONiC on this hardware, which is also sold as Micas " + name + ", and set os to sonic"
	}
	return "choose a model that also runs SONiC (sold as Micas M2-W6930-64QC, M2-W6940-128QC, M2-W6940-64OC) and set os to sonic"
}

func losslessGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	plan := byhand.Lossless(f, sw)
	if plan == nil {
		return nil
	}
	return one(fabric.Error, "RGOS_LOSSLESS_UNCONFIRMED",
		"no public text shows how RGOS is told about PFC, ECN, scheduling, the watchdog and buffers, so RoCE would run without any of them",
		sonic(f.ModelOf(sw))+"; if you accept this finding, configure the plan in steps-to-check.txt by the vendor's command reference before RoCE traffic",
		"", plan...)
}

func routingGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	plan := byhand.Routing(f, sw, (*Driver)(nil).PortName)
	if plan == nil {
		return nil
	}
	return one(fabric.Error, "RGOS_BGP_UNCONFIRMED",
		"no configuration of RGOS with BGP was found, only programs that read one, so no routing protocol is configured",
		sonic(f.ModelOf(sw))+"; if you accept this finding, configure the sessions in steps-to-check.txt by hand", "AILB", plan...)
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
	splits := false
	for i := range sw.Ports {
		p := &sw.Ports[i]
		whole := cageSpeed(m, p)
		splits = splits || p.Split > 1
		switch {
		case portName(m, p) == "" && p.Split > 1:
			add(&bad, fmt.Sprintf("%dx%dG", p.Split, p.SpeedGbps))
		case portName(m, p) == "":
			add(&bad, fmt.Sprintf("%dG", whole))
		case p.Split <= 1 && byhand.Linked(p) && p.SpeedGbps < whole:
			add(&slow, fmt.Sprintf("%dG in a %dG cage", p.SpeedGbps, whole))
		}
	}
	var gaps []gap
	if len(bad) > 0 {
		gaps = one(fabric.Error, "RGOS_PORT_NAME",
			"RGOS's name of ports at "+strings.Join(bad, ", ")+" is not known: they are left out and keep the settings they have", sonic(m), "console, QTech, topo")
	}
	if splits {
		gaps = append(gaps, one(fabric.Warning, "RGOS_BREAKOUT",
			"the command that splits a cage is shown for FS switches only and is left out", "split the cages first, then load the file", "FS",
			"split interface <type> <slot>/<port>")...)
	}
	if len(slow) > 0 {
		gaps = append(gaps, one(fabric.Warning, "RGOS_SPEED",
			"no confirmed speed command for "+strings.Join(slow, ", "), "check the speed of these links", "", "show interfaces status")...)
	}
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Role == fabric.CellPort }) {
		gaps = append(gaps, one(fabric.Error, "RGOS_CELL_FABRIC", "no configuration of a cell fabric is known; the cell ports are left out", "choose another topology", "")...)
	}
	return gaps
}

func addressGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	var gaps []gap
	if sw.Loopback.Is6() || f.Underlay.Rails.Addr().Is6() || f.Underlay.Links.Addr().Is6() {
		gaps = one(fabric.Error, "RGOS_IPV6", "this driver writes IPv4 addresses only", "use IPv4 prefixes", "")
	}
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return byhand.Linked(&p) && p.Unnumbered() }) {
		gaps = append(gaps, one(fabric.Error, "RGOS_UNNUMBERED",
			"whether RGOS runs BGP over link-local addresses is not known; the ports of these links are shut", "use numbered links", "")...)
	}
	return gaps
}

func managementGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	var plan []string
	if sw.Management.IsValid() {
		plan = append(plan, "management port: "+sw.Management.String())
	}
	plan = append(plan, byhand.Management(f)...)
	return one(fabric.Warning, "RGOS_MANAGEMENT",
		"the lines for the management port, users, time, names, logging and telemetry are not confirmed and are left out",
		"configure them by the vendor's command reference", "", plan...)
}

func linkGaps(f *fabric.Fabric, _ *fabric.Switch) []gap {
	return one(fabric.Warning, "RGOS_MTU",
		fmt.Sprintf("the command for an MTU of %d is shown for FS switches only and is left out", f.Underlay.MTU),
		"set it on every used port before RoCE traffic", "FS", fmt.Sprintf("mtu forwarding %d", f.Underlay.MTU))
}

// loading: a run that stops half-way leaves what came before.
func loading(*fabric.Fabric, *fabric.Switch) []gap {
	return one(fabric.Info, "RGOS_NO_COMMIT",
		"RGOS has no candidate configuration and no rollback: each line is live at once",
		"load the file on the console, compare, then save", "course", "show running-config", "write")
}
