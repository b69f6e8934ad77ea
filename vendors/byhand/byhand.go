// Package byhand puts the plan of a switch into words and numbers, for systems whose
// commands no public text confirms: what a person configures there by the vendor's
// own reference.
package byhand

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// Lossless is the lossless plan, nil on a switch without lossless ports.
func Lossless(f *fabric.Fabric, sw *fabric.Switch) []string {
	if f.Lossless == nil {
		return nil
	}
	var seen []int
	for i := range sw.Ports {
		if p := &sw.Ports[i]; Linked(p) && p.Profile >= 0 && !slices.Contains(seen, p.Profile) {
			seen = append(seen, p.Profile)
		}
	}
	if seen == nil {
		return nil
	}
	var plan []string
	for i := range f.Lossless.Classes {
		plan = append(plan, class(&f.Lossless.Classes[i]))
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

func class(c *fabric.Class) string {
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

// Routing is the eBGP plan, nil on a switch without; name is what the system calls a
// port.
func Routing(f *fabric.Fabric, sw *fabric.Switch, name func(*fabric.Model, *fabric.Port) string) []string {
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
		if p.PeerASN == 0 || !Linked(p) {
			continue
		}
		at := "over link-local addresses"
		if !p.Unnumbered() {
			at = p.PeerAddress.String()
		}
		plan = append(plan, fmt.Sprintf("%s: neighbour %s, AS %d", name(f.ModelOf(sw), p), at, p.PeerASN))
	}
	return plan
}

// Management is what is around the switch but for its own address: gateway, servers,
// users.
func Management(f *fabric.Fabric) []string {
	var plan []string
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
	return plan
}

// Linked reports whether a port has a cable.
func Linked(p *fabric.Port) bool { return p.Link >= 0 && p.Role != fabric.UnusedPort }
