package vrp

import (
	"strings"

	"railyard/generator/fabric"
)

// report collects the findings of one switch.
type report struct {
	sw   *fabric.Switch
	list []fabric.Finding
}

func (r *report) add(s fabric.Severity, code, message, remedy, source string) {
	r.list = append(r.list, fabric.Finding{Severity: s, Code: "VRP_" + code, Message: message, Remedy: remedy,
		Source: source, Objects: []string{r.sw.Name}})
}

// Check says what of the plan this switch cannot express, or can only with lines
// that no document confirms.
func (d *Driver) Check(f *fabric.Fabric, sw *fabric.Switch) []fabric.Finding {
	r := &report{sw: sw}
	m := f.ModelOf(sw)
	fam := familyOf(m, sw.Release)
	r.cages(m, sw)
	r.underlay(f, sw)
	r.frames(f, fam)
	if f.Lossless != nil {
		r.lossless(f, sw, fam)
	}
	r.management(f, sw)
	return r.list
}

func (r *report) cages(m *fabric.Model, sw *fabric.Switch) {
	l := arrange(m, sw.Ports)
	if len(l.modes)+len(l.splits) > 0 {
		r.add(fabric.Info, "PORTS_REMADE", "ports are split or change their rate, which asks a question and removes the old ports with their configuration",
			"run the first step of "+StepsFile+" and commit it before loading "+ConfigFile, "CR port split, port mode")
	}
	if len(l.candidates) > 0 {
		r.add(fabric.Warning, "SPLIT_UNCONFIRMED", "a split that no document lists is used: "+l.candidates[0].Type,
			"confirm it on the device; the command is in "+StepsFile, "CR port split")
	}
	if l.clashes {
		r.add(fabric.Error, "PORT_RATE_GROUP", "ports of one rate group are to run at different rates, or a port that cannot change its rate is to",
			"give all ports of a group the same speed", "CR port mode (System view)")
	}
	if l.removed {
		r.add(fabric.Error, "SPLIT_REMOVES_PORT", "splitting odd ports of a group of four removes its even ones, which the plan uses",
			"split whole groups of four, or none of their ports", "CG Interface Split")
	}
	id := bare(m.ID)
	if strings.HasPrefix(id, "ce9860") || strings.HasPrefix(id, "ce168") || strings.HasPrefix(id, "ce128") {
		r.add(fabric.Warning, "PORT_NAMES_MODULAR", "interface names of a box with cards depend on where the cards are",
			"compare the names with display interface brief", "field: a CE9860 names 400GE1/1/1")
	}
	for i := range sw.Ports {
		if sw.Ports[i].Role == fabric.CellPort {
			r.add(fabric.Error, "NO_CELL_FABRIC", "this system has no cell ports", "use another system in a DDC fabric", "")
			break
		}
	}
}

func (r *report) underlay(f *fabric.Fabric, sw *fabric.Switch) {
	six, unnumbered, uplinks := false, false, false
	for i := range sw.Ports {
		p := &sw.Ports[i]
		six = six || p.Address.IsValid() && !p.Address.Addr().Is4()
		unnumbered = unnumbered || p.Unnumbered()
		uplinks = uplinks || p.Role == fabric.UplinkPort && p.PeerASN != 0
	}
	for _, i := range sw.VLANs {
		g := f.VLANs[i].Gateway
		six = six || g.IsValid() && !g.Addr().Is4()
	}
	if six || sw.Loopback.IsValid() && !sw.Loopback.Is4() {
		r.add(fabric.Error, "IPV6_UNDERLAY", "only IPv4 addresses can be written", "use IPv4 prefixes in addressing", "")
	}
	if unnumbered {
		r.add(fabric.Error, "BGP_UNNUMBERED", "BGP without addresses is documented only in part, so no session is configured on such links",
			"set addressing.links to a prefix, or confirm the commands in "+StepsFile, "CR group unnumbered, peer unnumbered-interface")
	}
	if sw.NoTransit && sw.Role != fabric.Leaf && uplinks {
		r.add(fabric.Error, "NO_TRANSIT", "a spine's no-transit policy cannot be written",
			"let the spines of a tier share one AS number", "CR ip as-path-filter: the form of AS numbers depends on as-notation")
	}
	if f.Underlay.BGP && f.Underlay.MaxPaths > maxPaths {
		r.add(fabric.Warning, "MAX_PATHS", "more equal-cost paths than the 128 a switch can use", "", "CR maximum load-balancing")
	}
}

func (r *report) frames(f *fabric.Fabric, fam family) {
	u := &f.Underlay
	if u.MTU != 0 && u.MTU != defaultFrame {
		switch {
		case !fam.lossless():
			r.add(fabric.Warning, "FRAME_SIZE", "the frame size is not written: the command is documented for other models",
				"compare display interface with the plan", "CR jumboframe enable")
		case u.MTU < minFrame || u.MTU > maxFrame:
			r.add(fabric.Error, "FRAME_SIZE", "the frame size lies outside 1518 to 9500 bytes", "", "CR jumboframe enable")
		}
	}
	if u.HostMTU != 0 && (u.HostMTU < minMTU || u.HostMTU > maxMTU) {
		r.add(fabric.Error, "MTU", "the IP MTU lies outside 46 to 9600 bytes", "", "CR mtu (interface view)")
	}
}

func (r *report) management(f *fabric.Fabric, sw *fabric.Switch) {
	m := &f.Management
	six := sw.Management.IsValid() && !sw.Management.Addr().Is4() || m.Gateway.Is6()
	six = six || len(only4(m.NTP)) < len(m.NTP) || len(only4(m.DNS)) < len(m.DNS) || len(only4(m.Syslog)) < len(m.Syslog)
	if six {
		r.add(fabric.Warning, "IPV6_MANAGEMENT", "IPv6 addresses of the management side are left out", "give IPv4 addresses", "")
	}
	if !sw.Management.IsValid() {
		r.add(fabric.Info, "MANAGEMENT_ADDRESS", "the management address is left to the site, so MEth0/0/0 has none and the gNMI service stays off",
			"set management.subnet, or add the address by hand", "")
	} else {
		r.add(fabric.Info, "GNMI_CERTIFICATE", "the gNMI service is on but serves nobody before it has a certificate",
			"load one as "+StepsFile+" says", "CG gRPC; CR permit no-tls")
	}
	if len(m.Users) == 0 {
		r.add(fabric.Warning, "NO_USERS", "no user is declared, and loading "+ConfigFile+" removes those that the switch has: nobody could log in over SSH",
			"declare management.users", "CG Replacing the Configuration File")
	}
	if len(m.DNS) > maxDNS {
		r.add(fabric.Warning, "DNS_SERVERS", "only six DNS servers can be set, the rest is left out", "", "CR dns server")
	}
	for i := range m.Users {
		if !m.Users[i].PasswordHash.IsZero() {
			r.add(fabric.Info, "PASSWORD_HASH", "a password hash is written only in the form this system prints ($1d$…), as any other would be taken for a clear password",
				"give a hash copied from a switch of this kind; "+StepsFile+" names users without one", "CG Configuring an SSH User")
			break
		}
	}
	if !rsaOnly(m.Users) {
		r.add(fabric.Warning, "SSH_KEYS", "of each user's SSH keys only the first RSA key is written",
			"give one RSA key per user", "CG Configuring an SSH User: other key types have no documented OpenSSH form")
	}
}
