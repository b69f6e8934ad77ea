package cumulus

import (
	"fmt"
	"slices"

	"railyard/generator/fabric"
)

// gap is something of the plan that startup.yaml does not hold as planned or
// not with certainty: a finding, and what to look at or type on the switch.
type gap struct {
	fabric.Finding
	Commands []string
}

// steps is what steps-to-check.txt is made of.
type steps struct {
	Name string
	Gaps []gap
}

// gapsOf asks every rule. Messages name no switch and no number of one switch,
// so that equal findings merge; the numbers stand in the commands.
func gapsOf(f *fabric.Fabric, sw *fabric.Switch) []gap {
	var gaps []gap
	for _, rule := range []func(*fabric.Fabric, *fabric.Switch) []gap{
		releaseGaps, modelGaps, portGaps, breakoutGaps, addressing, vlanGaps, limits, loginGaps, serviceGaps, portDownGaps,
		policyGaps, classNumbers, losslessClasses, shorthand, headroom, poolSplit, thresholds, watchdogGaps,
	} {
		gaps = append(gaps, rule(f, sw)...)
	}
	return gaps
}

func one(severity fabric.Severity, code, message, remedy, source string, commands ...string) []gap {
	return []gap{{fabric.Finding{Severity: severity, Code: code, Message: message, Remedy: remedy, Source: source}, commands}}
}

// managementVRF is the only VRF the management port can be in (PORT516).
const managementVRF = "mgmt"

func addressing(f *fabric.Fabric, sw *fabric.Switch) []gap {
	var gaps []gap
	if sw.Loopback.Is6() || sw.Management.Addr().Is6() || f.Management.Gateway.Is6() || f.Underlay.Rails.Addr().Is6() {
		gaps = one(fabric.Error, "CUMULUS_IPV6", "this driver writes IPv4 addresses only", "use IPv4 prefixes", "")
	}
	if vrf := f.Management.VRF; vrf != managementVRF {
		gaps = append(gaps, one(fabric.Warning, "CUMULUS_MANAGEMENT_VRF",
			fmt.Sprintf("the management VRF of Cumulus Linux is called %s; the declared name %q is not used", managementVRF, vrf),
			"set management.vrf to "+managementVRF, "NVUE")...)
	}
	if !sw.Management.IsValid() {
		gaps = append(gaps, one(fabric.Warning, "CUMULUS_NO_MANAGEMENT_ADDRESS",
			"the management port gets no address from the plan: with this file alone the switch cannot be reached",
			"declare management.subnet, or add the address before applying", "",
			"nv set interface eth0 "+dialectOf(sw.Release).IP+" address <address>/<length>")...)
	}
	return gaps
}

// vlanGaps: the device takes these numbers for itself (QOS516 and the VLAN
// pages); which ones, is configurable, but not by this driver.
func vlanGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	const first, last = 3725, 3999
	if !slices.ContainsFunc(sw.VLANs, func(i int) bool { return f.VLANs[i].ID >= first && f.VLANs[i].ID <= last }) {
		return nil
	}
	return one(fabric.Error, "CUMULUS_VLAN_RESERVED",
		fmt.Sprintf("VLANs %d to %d are reserved by the switch for itself", first, last), "choose another vlan base", "NVUE")
}

const (
	mtuLeast, mtuMost = 552, 9216 // NVUE
	pathsMost         = 128       // NVUE
)

func limits(f *fabric.Fabric, _ *fabric.Switch) []gap {
	var gaps []gap
	if m := f.Underlay.MTU; m < mtuLeast || m > mtuMost {
		gaps = one(fabric.Error, "CUMULUS_MTU",
			fmt.Sprintf("MTU %d is outside %d to %d; the file says %d", m, mtuLeast, mtuMost, clampMTU(m)), "choose an MTU in that range", "NVUE")
	}
	if n := f.Underlay.MaxPaths; n > pathsMost {
		gaps = append(gaps, one(fabric.Warning, "CUMULUS_PATHS",
			fmt.Sprintf("%d equal-cost paths are planned and NVUE takes %d", n, pathsMost), "none is lost: the others stay unused", "NVUE")...)
	}
	return gaps
}

func clampMTU(m int) int { return min(max(m, mtuLeast), mtuMost) }

func serviceGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	d := dialectOf(sw.Release)
	var gaps []gap
	if d.Services && len(f.Management.NTP)+len(f.Management.DNS) > 0 {
		gaps = one(fabric.Warning, "CUMULUS_SERVICE_VRF",
			"from 5.15 time and name servers stand under system and their VRF is not documented; none is written",
			"check that the switch reaches them", "NEW515", "nv show system ntp", "nv show system dns")
	}
	if !d.Syslog {
		gaps = append(gaps, one(fabric.Info, "CUMULUS_GNMI",
			"gNMI cannot be configured through NVUE before 5.13; telemetry is left out", "upgrade, or use the REST API", "NVUE")...)
	}
	return gaps
}

// policyGaps: the commands are documented, their form in a file was not seen.
func policyGaps(f *fabric.Fabric, sw *fabric.Switch) []gap {
	b := newBGP(f, sw)
	if b == nil || !b.NoTransit {
		return nil
	}
	return one(fabric.Warning, "CUMULUS_ROUTE_MAP_FORM",
		"the no-transit policy is documented as commands only; its form in a file is derived from them",
		"if the switch refuses the route maps, leave them out of the file and type the commands", "NVUE, BGP516",
		"nv set router policy community-list from-uplinks rule 10 action permit",
		"nv set router policy community-list from-uplinks rule 10 community "+community,
		"nv set router policy route-map from-uplinks rule 10 action permit",
		"nv set router policy route-map from-uplinks rule 10 set community "+community,
		"nv set router policy route-map to-uplinks rule 10 action deny",
		"nv set router policy route-map to-uplinks rule 10 match community-list from-uplinks",
		"nv set router policy route-map to-uplinks rule 20 action permit",
		"nv set vrf default router bgp neighbor <neighbor> address-family ipv4-unicast policy inbound route-map from-uplinks",
		"nv set vrf default router bgp neighbor <neighbor> address-family ipv4-unicast policy outbound route-map to-uplinks")
}
