package sonic

import (
	"net/netip"
	"strconv"

	"railyard/generator/fabric"
)

// switchPlan is one switch on its way to CONFIG_DB.
type switchPlan struct {
	f        *fabric.Fabric
	sw       *fabric.Switch
	model    *fabric.Model
	platform *platform
	sku      *sku
	exactSKU bool
	rows     []portRow // by index of sw.Ports
	ownFRR   bool      // the switch gets a frr.conf
}

// document builds the tables. Each is written in the order of ports, which is
// nearly the order of the file.
func (s *switchPlan) document() (document, error) {
	out := newBuilder(len(s.sw.Ports))
	out.addFields("VERSIONS", "DATABASE", []field{str("VERSION", schemaVersion)})
	s.writeMetadata(out)
	s.writeManagement(out)
	s.writePorts(out)
	s.writeInterfaces(out)
	s.writeVLANs(out)
	s.writeBGP(out)
	if s.f.Lossless != nil {
		if err := s.writeLossless(out); err != nil {
			return nil, err
		}
	}
	return out.document(), nil
}

// schemaVersion is where the switch's migration of the file starts. Without it
// every load would replay all steps since 2018, of which some set buffer_model to
// traditional, bind the watchdog to every PFC queue and limit DHCP on every port.
// The steps from here on leave what railyard writes alone, and every image from
// 202305 on has them (sonic-utilities, scripts/db_migrator.py).
const schemaVersion = "version_202305_01"

type metadata struct {
	hostname, hwsku, typ, asn, bufferModel, routing string
}

func (m metadata) fields() []field {
	// mac and platform stay out: where either is missing the switch fills both
	// in when it loads the file. switch_type stays out of fixed-form switches.
	return some(
		str("bgp_asn", m.asn), str("buffer_model", m.bufferModel), str("default_bgp_status", "up"),
		str("default_pfcwd_status", "disable"), // the rows of PFC_WD below say it port by port
		str("docker_routing_config_mode", m.routing), str("frr_mgmt_framework_config", "false"),
		str("hostname", m.hostname), str("hwsku", m.hwsku), str("type", m.typ))
}

func (s *switchPlan) writeMetadata(out *builder) {
	m := metadata{hostname: s.sw.Name, hwsku: s.sku.Name, bufferModel: "traditional", typ: "SpineRouter"}
	// The built-in BGP templates let a ToRRouter accept its own AS number in a
	// path, which would open a way back up; a LeafRouter does not.
	if s.sw.Role == fabric.Leaf {
		m.typ = "LeafRouter"
	}
	if s.f.Underlay.BGP {
		m.asn = strconv.FormatUint(uint64(s.sw.ASN), 10)
	}
	if s.bufferStyle() == nvidia {
		m.bufferModel = "dynamic"
	}
	// Else the mode is the image's own choice: older ones render a file for each
	// daemon, and their unified mode lacks the line that connects zebra to the
	// forwarding plane (docker_init.sh, frr.conf.j2; sonic-buildimage pull request
	// 19924).
	if s.ownFRR {
		m.routing = "split-unified"
	}
	out.add("DEVICE_METADATA", "localhost", m)
}

func (s *switchPlan) bufferStyle() style {
	switch {
	case s.sku.Buffer != nil:
		return s.sku.Buffer.Style
	case s.platform.Buffer != nil:
		return s.platform.Buffer.Style
	case s.model.Vendor == "nvidia":
		return nvidia
	}
	return broadcom
}

type mgmtInterface struct{ gateway string }

func (m mgmtInterface) fields() []field { return some(str("gwaddr", m.gateway)) }

func (s *switchPlan) writeManagement(out *builder) {
	m := &s.f.Management
	out.addFields("MGMT_PORT", "eth0", []field{str("admin_status", "up"), str("alias", "eth0")})
	if s.sw.Management.IsValid() && m.Gateway.IsValid() {
		out.add("MGMT_INTERFACE", "eth0|"+s.sw.Management.String(), mgmtInterface{m.Gateway.String()})
	}
	vrf := "default"
	if m.VRF != "" {
		vrf = "mgmt" // the one name it has on SONiC
		out.addFields("MGMT_VRF_CONFIG", "vrf_global", []field{str("mgmtVrfEnabled", "true")})
	}
	if len(m.NTP) > 0 {
		out.addFields("NTP", "global", []field{str("src_intf", "eth0"), str("vrf", vrf)})
	}
	for _, a := range m.NTP[:min(len(m.NTP), maxNTP)] {
		out.addFields("NTP_SERVER", a.String(), []field{str("association_type", "server"), str("iburst", "on")})
	}
	for _, a := range m.DNS[:min(len(m.DNS), maxDNS)] {
		out.addFields("DNS_NAMESERVER", a.String(), nil)
	}
	for _, a := range m.Syslog {
		out.addFields("SYSLOG_SERVER", a.String(), []field{str("vrf", vrf)})
	}
	// Without certificates the server answers on the switch itself only.
	out.addFields("GNMI", "gnmi", []field{str("client_auth", "true"), num("log_level", 2), num("port", gnmiPort)})
}

const gnmiPort = 8080 // gnmi-native.sh default

type portRecord struct {
	lanes, alias, description, fec, status string
	index, subport, speed, mtu             int64
}

func (p portRecord) fields() []field {
	return some(str("admin_status", p.status), str("alias", p.alias), str("description", p.description), str("fec", p.fec),
		num("index", p.index), str("lanes", p.lanes), num("mtu", p.mtu), num("speed", p.speed), num("subport", p.subport))
}

func (s *switchPlan) writePorts(out *builder) {
	mtu := s.mtu()
	for i := range s.sw.Ports {
		p, row := &s.sw.Ports[i], &s.rows[i]
		r := portRecord{
			lanes: joinInts(row.lanes), alias: row.alias, index: int64(row.index), subport: int64(row.subport),
			speed: int64(p.SpeedGbps) * 1000, mtu: mtu, status: "down", description: "unused",
		}
		switch {
		case p.Link >= 0:
			r.status, r.description = "up", s.peer(p)
		case p.Reserved:
			r.description = "reserved"
		}
		if p.SpeedGbps >= fecPerLane*len(row.lanes) || p.SpeedGbps == fecSpeed {
			r.fec = "rs"
		}
		out.add("PORT", row.name, r)
		if literal, ok := s.platform.Modes[mode(p)]; ok && p.Lane <= 1 {
			out.addFields("BREAKOUT_CFG", row.name, []field{str("brkout_mode", literal)})
		}
	}
}

// mtu is that of every port; bytes.
func (s *switchPlan) mtu() int64 {
	if s.f.Underlay.MTU == 0 {
		return maxMTU
	}
	return int64(s.f.Underlay.MTU)
}

// What SONiC's own generators turn Reed-Solomon FEC on for: lane rates in Gb/s from
// the first on (sonic-config-engine portconfig.py), and 100 Gb/s over any lanes
// (minigraph.py).
const (
	fecPerLane = 50
	fecSpeed   = 100
)

func (s *switchPlan) peer(p *fabric.Port) string {
	return s.f.DeviceName(p.Peer) + " " + s.f.PortName(p.Peer)
}

func (s *switchPlan) writeInterfaces(out *builder) {
	if lo := s.sw.Loopback; lo.IsValid() {
		out.addFields("LOOPBACK_INTERFACE", "Loopback0", nil)
		out.addFields("LOOPBACK_INTERFACE", "Loopback0|"+netip.PrefixFrom(lo, lo.BitLen()).String(), nil)
	}
	linkLocal := []field{str("ipv6_use_link_local_only", "enable")}
	for i := range s.sw.Ports {
		p, name := &s.sw.Ports[i], s.rows[i].name
		switch {
		case p.Link < 0:
		case p.Address.IsValid():
			out.addFields("INTERFACE", name, nil)
			out.addFields("INTERFACE", name+"|"+p.Address.String(), nil)
		case p.Unnumbered():
			out.addFields("INTERFACE", name, linkLocal)
		}
	}
}

type vlanRecord struct {
	description string
	id, mtu     int64
}

func (v vlanRecord) fields() []field {
	return some(str("admin_status", "up"), str("description", v.description), num("mtu", v.mtu), num("vlanid", v.id))
}

func (s *switchPlan) writeVLANs(out *builder) {
	untagged := []field{str("tagging_mode", "untagged")}
	for _, v := range s.sw.VLANs {
		vlan := &s.f.VLANs[v]
		name := vlanName(vlan)
		out.add("VLAN", name, vlanRecord{vlan.Name, int64(vlan.ID), s.mtu()})
		if vlan.Gateway.IsValid() {
			out.addFields("VLAN_INTERFACE", name, nil)
			out.addFields("VLAN_INTERFACE", name+"|"+vlan.Gateway.String(), nil)
		}
	}
	for i := range s.sw.Ports {
		if p := &s.sw.Ports[i]; p.Link >= 0 && p.VLAN >= 0 {
			out.addFields("VLAN_MEMBER", vlanName(&s.f.VLANs[p.VLAN])+"|"+s.rows[i].name, untagged)
		}
	}
}

func vlanName(v *fabric.VLAN) string { return "Vlan" + strconv.Itoa(v.ID) }

type neighbor struct{ asn, local, name string }

func (n neighbor) fields() []field {
	return some(str("admin_status", "up"), str("asn", n.asn), str("local_addr", n.local), str("name", n.name))
}

// writeBGP writes the sessions for bgpcfgd. Where frr.conf is ours it stays
// empty, or two writers would own the sessions.
func (s *switchPlan) writeBGP(out *builder) {
	if !s.f.Underlay.BGP || s.ownFRR {
		return
	}
	for i := range s.sw.Ports {
		p := &s.sw.Ports[i]
		if p.PeerASN == 0 || !p.Address.IsValid() {
			continue
		}
		out.add("BGP_NEIGHBOR", p.PeerAddress.String(), neighbor{
			asn: strconv.FormatUint(uint64(p.PeerASN), 10), local: p.Address.Addr().String(), name: s.f.DeviceName(p.Peer)})
	}
}
