package eos

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// gap is something of the plan that startup-config does not hold as planned or
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
	p := platformOf(f.ModelOf(sw))
	var gaps []gap
	for _, rule := range []func(*fabric.Fabric, *fabric.Switch, platform) []gap{
		chassisPorts, cellFabric, portSpeeds, addressing, loginGaps,
		queueMode, classNumbers, watchdogGaps, headroom, largestMTU, plainGNMI, loadBalancing,
	} {
		gaps = append(gaps, rule(f, sw, p)...)
	}
	return gaps
}

func one(severity fabric.Severity, code, message, remedy, source string, commands ...string) []gap {
	return []gap{{fabric.Finding{Severity: severity, Code: code, Message: message, Remedy: remedy, Source: source}, commands}}
}

func chassisPorts(f *fabric.Fabric, sw *fabric.Switch, p platform) []gap {
	if !p.chassis {
		return nil
	}
	return one(fabric.Error, "EOS_CHASSIS_PORTS",
		f.ModelOf(sw).ID+" is a chassis: its ports are called Ethernet<slot>/<port>/<lane>, and which panel port sits in which slot is not known",
		"use a fixed box, or rename the interfaces by the cards that are fitted", "AMD (Ethernet2/5/1)")
}

func cellFabric(f *fabric.Fabric, sw *fabric.Switch, p platform) []gap {
	cells := slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Role == fabric.CellPort })
	if !p.des && !cells {
		return nil
	}
	return one(fabric.Error, "EOS_CELL_FABRIC",
		"no EOS configuration of a cell fabric is published; the cell ports are left out of the configuration",
		"take the fabric side from Arista's own design for this system", "")
}

// portSpeeds looks at each kind of port once.
func portSpeeds(f *fabric.Fabric, sw *fabric.Switch, _ platform) []gap {
	type kind struct {
		form               string
		cage, split, speed int
	}
	m := f.ModelOf(sw)
	var seen []kind
	var bad []string
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Role == fabric.CellPort || p.Link < 0 && p.Split == 1 {
			continue
		}
		c := cageOf(m, p)
		k := kind{c.Form, c.SpeedGbps, p.Split, p.SpeedGbps}
		if slices.Contains(seen, k) {
			continue
		}
		seen = append(seen, k)
		if speedWord(c, p.Split, p.SpeedGbps) == "" {
			if k.form == "" {
				k.form = "(form unknown)"
			}
			bad = append(bad, fmt.Sprintf("%dx%dG in a %dG %s cage", k.split, k.speed, k.cage, k.form))
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return one(fabric.Error, "EOS_PORT_SPEED",
		"no confirmed speed command for "+strings.Join(bad, ", "),
		"declare the cage's form (OSFP, QSFP-DD, QSFP112, …) and a breakout that uses all its lanes", "AVD, Batfish")
}

func addressing(f *fabric.Fabric, sw *fabric.Switch, p platform) []gap {
	var gaps []gap
	if sw.Loopback.Is6() || sw.Management.Addr().Is6() || f.Management.Gateway.Is6() || f.Underlay.Rails.Addr().Is6() {
		gaps = one(fabric.Error, "EOS_IPV6", "this driver writes IPv4 addresses only", "use IPv4 prefixes", "")
	}
	if !sw.Management.IsValid() {
		gaps = append(gaps, one(fabric.Warning, "EOS_NO_MANAGEMENT_ADDRESS",
			"the management port gets no address from the plan: with this configuration alone the switch cannot be reached",
			"declare management.subnet, or add the address before loading", "", "interface "+p.management, "   ip address <address>/<length>")...)
	}
	return gaps
}

func loginGaps(f *fabric.Fabric, _ *fabric.Switch, _ platform) []gap {
	if len(f.Management.Users) == 0 {
		return one(fabric.Warning, "EOS_NO_USERS",
			"no login is declared: the switch keeps the accounts EOS starts with", "declare management.users", "")
	}
	var gaps []gap
	for i := range f.Management.Users {
		u := &f.Management.Users[i]
		keys := usableKeys(u)
		switch {
		case u.PasswordHash.IsZero() && len(keys) == 0:
			gaps = append(gaps, one(fabric.Warning, "EOS_USER_WITHOUT_LOGIN",
				fmt.Sprintf("user %s has neither a password hash nor an SSH key and is left out", u.Name), "declare one", "")...)
		case u.PasswordHash.IsZero():
			gaps = append(gaps, one(fabric.Warning, "EOS_USER_NOPASSWORD",
				fmt.Sprintf("user %s has an SSH key only, which EOS writes as nopassword: the console lets it in without a password", u.Name),
				"declare a password_hash", "AVD")...)
		}
		if len(keys) < len(u.SSHKeys) {
			gaps = append(gaps, one(fabric.Warning, "EOS_SSH_KEYS",
				fmt.Sprintf("user %s: EOS keeps %d SSH keys of one line each; the others are left out", u.Name, keysMost),
				"put the keys that matter first, or use an SSH certificate authority", "AVD")...)
		}
	}
	return gaps
}

// foreignHashes are known only once the secrets have been read.
func foreignHashes(names []string) []gap {
	var gaps []gap
	for _, name := range names {
		gaps = append(gaps, one(fabric.Error, "EOS_HASH_FORM",
			fmt.Sprintf("the password hash of user %s is not SHA-512 crypt ($6$ without rounds); EOS has no confirmed form for it, so the user has no line", name),
			"make one with: openssl passwd -6", "AVD")...)
	}
	return gaps
}

func queueMode(f *fabric.Fabric, sw *fabric.Switch, p platform) []gap {
	if len(usedProfiles(f.Lossless, sw)) == 0 {
		return nil
	}
	if p.queue == "" {
		return one(fabric.Error, "EOS_QUEUE_MODE_UNKNOWN",
			fmt.Sprintf("the chip of %s is not known, so neither is the name of its queue sub-mode: scheduling and ECN are left out", f.ModelOf(sw).ID),
			"declare the model's asic", "RoCE436")
	}
	if p.sure {
		return nil
	}
	return one(fabric.Warning, "EOS_QUEUE_MODE_INFERRED",
		fmt.Sprintf("%s is configured with the queue sub-mode %s, which follows from its chip family; no configuration of this box was found", f.ModelOf(sw).ID, p.queue),
		"type one queue line on a switch of this model; if it is refused, use the other of uc-tx-queue and tx-queue", "AVD, Habana (7060X5)",
		"show qos profile summary", "show qos interfaces "+firstProfiledPort(f, sw)+" ecn")
}

func firstProfiledPort(f *fabric.Fabric, sw *fabric.Switch) string {
	for i := range sw.Ports {
		if p := &sw.Ports[i]; p.Profile >= 0 && p.Link >= 0 {
			return strings.Replace(portName(f.ModelOf(sw), p), "Ethernet", "ethernet ", 1)
		}
	}
	return ""
}

// classNumbers holds the classes against what EOS ties together.
func classNumbers(f *fabric.Fabric, sw *fabric.Switch, _ platform) []gap {
	var gaps []gap
	if len(usedProfiles(f.Lossless, sw)) == 0 {
		return nil
	}
	for i := range f.Lossless.Classes {
		c := &f.Lossless.Classes[i]
		if c.Lossless && c.Priority != c.TrafficClass {
			gaps = append(gaps, one(fabric.Error, "EOS_PFC_PRIORITY",
				fmt.Sprintf("class %s has PFC priority %d and traffic class %d: no EOS command that maps one to the other is confirmed", c.Name, c.Priority, c.TrafficClass),
				"use the same number for both", "RoCE436")...)
		}
		if (c.TrafficClass == 7) != (c.Queue == 7) {
			gaps = append(gaps, one(fabric.Error, "EOS_QUEUE_7",
				fmt.Sprintf("class %s puts traffic class %d into queue %d: EOS ties class 7 and queue 7 together", c.Name, c.TrafficClass, c.Queue),
				"use queue 7 for traffic class 7 only", "RoCE436")...)
		}
	}
	return gaps
}

func watchdogGaps(f *fabric.Fabric, sw *fabric.Switch, _ platform) []gap {
	if len(usedProfiles(f.Lossless, sw)) == 0 {
		return nil
	}
	w := f.Lossless.Watchdog
	if !w.Enabled {
		return one(fabric.Info, "EOS_WATCHDOG_OFF",
			"no PFC watchdog is configured; EOS's own per-port default stays as it is", "check that it is idle", "Batfish", "show priority-flow-control status")
	}
	_, detects := timer(w.Detect)
	_, restores := timer(w.Restore)
	switch {
	case !detects || !restores:
		return one(fabric.Error, "EOS_WATCHDOG_RANGE",
			fmt.Sprintf("the watchdog's %v and %v are outside 10 ms to 60 s and are left out", w.Detect, w.Restore), "choose times in that range", "AVD, RoCE436")
	case w.Action != "drop":
		return one(fabric.Error, "EOS_WATCHDOG_ACTION",
			fmt.Sprintf("the watchdog action %q has no confirmed EOS keyword; the watchdog is left out", w.Action), "use drop", "AVD")
	}
	var gaps []gap
	if w.Detect%timerLeast != 0 || w.Restore%timerLeast != 0 {
		gaps = one(fabric.Info, "EOS_WATCHDOG_ROUNDED",
			fmt.Sprintf("EOS counts watchdog times in 10 ms: %v and %v become %v and %v", w.Detect, w.Restore, ceilTimer(w.Detect), ceilTimer(w.Restore)),
			"choose multiples of 10 ms", "RoCE436")
	}
	return append(gaps, one(fabric.Info, "EOS_WATCHDOG_GUARANTEE",
		"some EOS releases watch only queues with a guaranteed bandwidth, a setting that not every platform has",
		"look whether the lossless queues are watched", "RoCE436, AVD pull request 1331",
		"show priority-flow-control status", "show priority-flow-control counters watchdog")...)
}

// headroom stays EOS's own: the commands are published, but a buffer profile
// holds for the whole switch, and neither its range nor whether the bytes count
// per port or per priority is.
func headroom(f *fabric.Fabric, sw *fabric.Switch, p platform) []gap {
	used := usedProfiles(f.Lossless, sw)
	if len(used) == 0 {
		return nil
	}
	const code = "EOS_HEADROOM"
	if !p.mmu {
		return one(fabric.Warning, code,
			"PFC headroom and dynamic thresholds are left to EOS: no command for this chip family is published",
			"compare the counters with the plan's headroom under load", "", "show priority-flow-control counters")
	}
	widest := &f.Lossless.Profiles[used[0]]
	var plan []string
	for _, i := range used {
		prof := &f.Lossless.Profiles[i]
		plan = append(plan, fmt.Sprintf("! plan: %s xoff %d bytes, alpha 2^%d", profileName(prof), prof.XoffBytes, prof.AlphaLog2))
		if prof.XoffBytes > widest.XoffBytes {
			widest = prof
		}
	}
	commands := append(plan, "platform trident mmu queue profile RAILYARD")
	if a, ok := alpha(widest.AlphaLog2); ok {
		commands = append(commands, "    ingress threshold "+a)
	}
	commands = append(commands, fmt.Sprintf("    ingress headroom %d", widest.XoffBytes), "platform trident mmu queue profile RAILYARD apply")
	return one(fabric.Warning, code,
		"PFC headroom and dynamic thresholds are left to EOS's automatic values: a buffer profile holds for the whole switch, and its limits are not published",
		"compare EOS's values with the plan; where they are smaller, try the widest profile below on one switch first", "AVD, Habana", commands...)
}

func largestMTU(f *fabric.Fabric, sw *fabric.Switch, _ platform) []gap {
	routed := slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Address.IsValid() || p.Unnumbered() }) ||
		slices.ContainsFunc(sw.VLANs, func(i int) bool { return f.VLANs[i].Gateway.IsValid() })
	if f.Underlay.MTU <= mtuMost || !routed {
		return nil
	}
	return []gap{{Finding: fabric.Finding{Severity: fabric.Info, Code: "EOS_MTU",
		Message: fmt.Sprintf("routed interfaces get mtu %d, the most EOS takes, instead of %d", mtuMost, f.Underlay.MTU),
		Remedy:  fmt.Sprintf("set the same on other vendors' ends; hosts (%d) are not concerned", f.Underlay.HostMTU), Source: "RoCE436, AMD, Batfish"}}}
}

func plainGNMI(_ *fabric.Fabric, _ *fabric.Switch, _ platform) []gap {
	return one(fabric.Warning, "EOS_GNMI_PLAINTEXT",
		"gNMI answers in clear text until the switch has a certificate, which cannot be part of a startup-config made beforehand",
		"install a certificate and add the profile", "OpenMgmt",
		"management security", "   ssl profile GNMI", "      certificate <file>.crt key <file>.key",
		"management api gnmi", "   transport grpc default", "      ssl profile GNMI")
}

func loadBalancing(f *fabric.Fabric, sw *fabric.Switch, p platform) []gap {
	up := slices.ContainsFunc(sw.Ports, func(p fabric.Port) bool { return p.Role == fabric.UplinkPort && p.Link >= 0 })
	if !up || !p.mmu || f.Underlay.MaxPaths < 2 {
		return nil
	}
	return one(fabric.Info, "EOS_LOAD_BALANCING",
		"uplinks are shared by plain hashing; dynamic load balancing exists from EOS 4.24.2F on this chip family but was not found for every box",
		"try it where flows are few and large", "AVD issue 4920", "ip hardware fib load-balance distribution dynamic")
}
