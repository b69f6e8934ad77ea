package comware

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// findings collects what is worth telling about one switch.
type findings struct {
	object string
	list   []fabric.Finding
}

func (c *findings) add(s fabric.Severity, code, message, remedy, source string) {
	c.list = append(c.list, fabric.Finding{
		Severity: s, Code: code, Message: message, Remedy: remedy, Source: source,
		Objects: []string{c.object},
	})
}

// Check says what of the fabric's intent Comware cannot express on a switch and
// what startup.cfg leaves to steps-to-check.txt. Messages never name the switch.
func (d *Driver) Check(f *fabric.Fabric, sw *fabric.Switch) []fabric.Finding {
	c := &findings{object: sw.Name}
	s := look(f, sw)
	c.model(f, sw, &s)
	c.ports(f, sw, &s)
	c.routing(f, sw, &s)
	c.management(f, sw)
	if f.Lossless != nil && len(s.profiles) > 0 {
		c.classes(f.Lossless)
		c.watchdog(f.Lossless)
		c.buffers(f, sw, &s)
	}
	return c.list
}

func (c *findings) model(f *fabric.Fabric, sw *fabric.Switch, s *survey) {
	m := f.ModelOf(sw)
	if s.cells || cellSystem(m) {
		c.add(fabric.Warning, "DDC_BRINGUP_NOT_EMITTED",
			m.ID+": cell ports and the bring-up of the cell fabric are not written, and the names of its packet ports are those of the fixed-form models",
			"follow the vendor's installation guide for the DDC system", "no command reference of the S12500AI seen")
	}
	if ownTrain(m) {
		c.add(fabric.Warning, "RELEASE_TRAIN_UNCONFIRMED",
			m.ID+": -G models have releases and command references of their own; the commands here are those of the other models",
			"try the file on one switch before the rest", "H3C command references R8336Pxx")
	}
}

func (c *findings) ports(f *fabric.Fabric, sw *fabric.Switch, s *survey) {
	c.splits(s)
	for _, speed := range s.unnamed {
		t, _ := typeOf(speed)
		c.add(fabric.Warning, "PORT_NAME_UNCONFIRMED",
			fmt.Sprintf("no document shows what Comware calls a %dG port; %s is the pattern's guess, and the blocks of these ports stand in %s only", speed, t.name, stepsFile),
			"read the names with \"display interface brief\" and enter the blocks by hand", "H3C-IF")
	}
	for _, speed := range s.slow {
		c.add(fabric.Warning, "PORT_SPEED_UNCONFIRMED",
			fmt.Sprintf("how a whole cage is set to %dG, below its own speed, was not seen in a manual", speed),
			"see "+stepsFile, "FIELD, one trace")
	}
	if need := f.Underlay.HostMTU + frameOverhead; f.Underlay.MTU > longestFrame || need > frameSize(f) {
		c.add(fabric.Warning, "FRAME_SIZE",
			fmt.Sprintf("ports let frames of %d bytes pass, headers included; the fabric asks for payloads of %d and hosts send up to %d",
				frameSize(f), f.Underlay.MTU, f.Underlay.HostMTU),
			fmt.Sprintf("keep the hosts' MTU at or below %d", frameSize(f)-frameOverhead), "H3C-CMD jumboframe enable")
	}
}

// frameOverhead is what an Ethernet frame adds to an IP packet: header, one
// VLAN tag and checksum.
const frameOverhead = 14 + 4 + 4

func (c *findings) splits(s *survey) {
	if len(s.splits) == 0 {
		return
	}
	const remedy = "split the cages as " + stepsFile + " says before loading " + configFile
	c.add(fabric.Info, "BREAKOUT_BY_HAND",
		"cages are split by a command that asks back and cannot stand in "+configFile, remedy, "H3C-IF using")
	var guessed []string
	for _, p := range s.splits {
		if !p.Proven && !slices.Contains(guessed, p.Using) {
			guessed = append(guessed, p.Using)
		}
	}
	if len(guessed) > 0 {
		c.add(fabric.Warning, "BREAKOUT_UNCONFIRMED",
			"the word that splits a cage follows the vendor's pattern but was not seen: using "+strings.Join(guessed, ", using "),
			"type it with ? first", "H3C-IF")
	}
}

func (c *findings) routing(f *fabric.Fabric, sw *fabric.Switch, s *survey) {
	if s.unnumbered {
		c.add(fabric.Error, "BGP_UNNUMBERED_UNCONFIRMED",
			"BGP over IPv6 link-local addresses is not documented for Comware; these sessions are not written",
			"give addressing.links a prefix", "not found for these models")
	}
	if sw.Loopback.IsValid() && !sw.Loopback.Is4() {
		c.add(fabric.Error, "IPV6_NOT_EMITTED", "an IPv6 loopback is not written, and without it no BGP",
			"use an IPv4 prefix for addressing.loopbacks", "driver")
	}
	if f.Underlay.BGP && f.Underlay.MaxPaths > widestSeen {
		c.add(fabric.Info, "ECMP_WIDTH_UNCONFIRMED",
			fmt.Sprintf("%d equal-cost paths need the system limit max-ecmp-num to be at least that; a change takes a restart", f.Underlay.MaxPaths),
			"check the limit as "+stepsFile+" says", "H3C-CMD max-ecmp-num")
	}
	if routes(f, sw) && f.Underlay.HostMTU > ordinaryMTU {
		c.add(fabric.Info, "IP_MTU_NOT_EMITTED",
			fmt.Sprintf("routed interfaces keep their IP MTU of %d; whether that bounds the hosts' packets of %d bytes is not documented for these models", ordinaryMTU, f.Underlay.HostMTU),
			"ping with full-size packets as "+stepsFile+" says", "H3C-CMD mtu")
	}
}

func (c *findings) management(f *fabric.Fabric, sw *fabric.Switch) {
	m := &f.Management
	if m.VRF != "" && len(m.DNS) > 0 {
		c.add(fabric.Info, "DNS_IN_VRF_UNCONFIRMED",
			"the form of \"dns server\" inside a VPN instance was not seen; it stands in "+stepsFile,
			"type it with ? first", "HP-5900 dns server")
	}
	var hashes, keys, bare bool
	for _, u := range m.Users {
		hashes = hashes || !u.PasswordHash.IsZero()
		bare = bare || u.PasswordHash.IsZero()
		keys = keys || len(u.SSHKeys) > 0
	}
	if hashes {
		c.add(fabric.Info, "PASSWORD_HASH_FORM",
			"Comware takes only password hashes it has made itself ($h$…); a user whose hash is of another form is left out of "+configFile+" and named in "+stepsFile,
			"declare the hash that \"display current-configuration\" shows for that password", "RUNNING")
	}
	if bare {
		c.add(fabric.Warning, "USER_WITHOUT_PASSWORD",
			"users without a password hash are left out of "+configFile+": Comware lets a user without a password in with none",
			"declare a hash or create the user as "+stepsFile+" says", "H3C-CMD local-user")
	}
	if keys {
		c.add(fabric.Warning, "SSH_KEYS_NOT_EMITTED",
			"SSH keys are imported from files on the switch, and only RSA, DSA and ECDSA keys; they stand in "+stepsFile,
			"import them by hand", "HPE-5950 client host public key")
	}
	c.add(fabric.Info, "GNMI_UNCONFIRMED",
		"the gNMI service is turned on, but its port, the service type its users need and what Set covers were not seen",
		"see "+stepsFile, "H3C-GRPC")
	if six(m.DNS) || six(m.NTP) || six(m.Syslog) || six([]netip.Addr{m.Gateway}) || six([]netip.Addr{sw.Management.Addr()}) {
		c.add(fabric.Warning, "IPV6_MANAGEMENT_NOT_EMITTED", "IPv6 management addresses are not written",
			"use IPv4 addresses in management", "driver")
	}
}

func six(list []netip.Addr) bool {
	for _, a := range list {
		if a.IsValid() && !a.Is4() {
			return true
		}
	}
	return false
}

// routes reports whether a switch forwards between subnets.
func routes(f *fabric.Fabric, sw *fabric.Switch) bool {
	if f.Underlay.BGP && sw.ASN != 0 {
		return true
	}
	for _, v := range sw.VLANs {
		if f.VLANs[v].Gateway.IsValid() {
			return true
		}
	}
	return false
}
