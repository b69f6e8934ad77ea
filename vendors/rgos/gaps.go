package rgos

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"railyard/generator/fabric"
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
	plan := losslessPlan(f, sw)
	if plan == nil {
		return nil
	}
	return one(fabric.Error, "RGOS_LOSSLESS_UNCONFIRMED",
		"no public text shows how RGOS is told about PFC, ECN, scheduling, the watchdog and buffers, so RoCE would run without any of them",
		sonic(f.ModelOf(sw))+"; if you accept this finding, configure the plan in steps-to-check.txt by the vendor's command reference before RoCE traffic",
		"", plan...)
}

// losslessPlan is the plan in words, nil on a switch without lossless ports.
func losslessPlan(f *fabric.Fabric, sw *fabric.Switch) []string {
	if f.Lossless == nil {
		return nil
	}
	var seen []int
	for i := range sw.Ports {
		if p := &sw.Ports[i]; linked(p) && p.Profile >= 0 && !slices.Contains(seen, p.Profile) {
			seen = append(seen, p.Profile)
		}
	}
	if seen == nil {
		return nil
	}
	var plan []string
	for i := range f.Lossless.Classes {
		plan = append(plan, classPlan(&f.Lossless.Classes[i]))
	}
	for _, i := range seen {
		p := &f.Lossless.Profiles[i]
		plan = append(plan, fmt.Sprintf("ports at %dG with %g m: xoff %d bytes, xon %d bytes, alpha 2^%d; ECN from %d to %d bytes, %d percent at most",
			p.SpeedGbps, p.LengthM, p.XoffBytes, p.XonBytes, p.AlphaLog2, p.KminBytes, p.KmaxBytes, p.PmaxPercent))
	}
	if w := &f.Lossless.Watchdog; w.Enabled {
		plan = append(plan, fmt.Sprintf("PFC watchdog: detect after %v, restore after %v, %s", w.Detect, w.Restore, w.Action))
	}
	return plan
}

func classPlan(c *fabric.Class) string {
	from := "all other DSCP"
	if len(c.DSCP) > 0 {
		from = "DSCP " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(c.DSCP)), ", "), "[]")
	}
	share := fmt.Sprintf("%d percent", c.WeightPercent)
	if c.Strict {
		share = "strict priority"
	}
	line := fmt.Sprintf("class %s: %s, priority %d, traffic class %d, queue %d, %s", c.Name, from, c.Priority, c.TrafficClass, c.Queue, share)
	if c.Lossless {
		line += ", PFC"
	}
	if c.ECN {
		line += ", ECN"
	}
	return line
}

func routingGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	if !f.Underlay.BGP || sw.ASN == 0 {
		return nil
	}
	plan := []string{fmt.Sprintf("AS %d, %d equal-cost paths", sw.ASN, f.Underlay.MaxPaths)}
	if sw.Loopback.IsValid() {
		plan = append(plan, "router id and announced network: "+sw.Loopback.String())
	}
	for _, i := range sw.VLANs {
		if v := &f.VLANs[i]; v.Gateway.IsValid() {
			plan = append(plan, "announced network: "+v.Subnet.String())
		}
	}
	if sw.Role == fabric.Leaf && f.Underlay.HostMode == "routed" {
		plan = append(plan, "announced networks: the /31 of every host port")
	}
	if sw.NoTransit {
		plan = append(plan, "routes learned from a higher switch must not be sent to another")
	}
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.PeerASN == 0 || !linked(p) {
			continue
		}
		at := "over link-local addresses"
		if !p.Unnumbered() {
			at = p.PeerAddress.String()
		}
		plan = append(plan, fmt.Sprintf("%s: neighbour %s, AS %d", (*Driver)(nil).PortName(f.ModelOf(sw), p), at, p.PeerASN))
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
		case p.Split <= 1 && linked(p) && p.SpeedGbps < whole:
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
	if slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return linked(&p) && p.Unnumbered() }) {
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
	if f.Management.Gateway.IsValid() {
		plan = append(plan, "management gateway: "+f.Management.Gateway.String())
	}
	for _, s := range []struct {
		what string
		list []netip.Addr
	}{{"NTP", f.Management.NTP}, {"DNS", f.Management.DNS}, {"syslog", f.Management.Syslog}} {
		for _, a := range s.list {
			plan = append(plan, s.what+" server: "+a.String())
		}
	}
	for i := range f.Management.Users {
		plan = append(plan, "user "+f.Management.Users[i].Name+", "+f.Management.Users[i].Role)
	}
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
