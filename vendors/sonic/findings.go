package sonic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"railyard/generator/fabric"
)

const laneMapRemedy = "copy /usr/share/sonic/device/PLATFORM/HWSKU/port_config.ini from a switch to sonic/ports/MODEL/HWSKU/port_config.ini in the folder given with --templates, or use a model with a lane map"

// Check reports what of the plan SONiC cannot express on this switch, and what
// railyard could not confirm. Messages name no switch.
func (d *Driver) Check(f *fabric.Fabric, sw *fabric.Switch) []fabric.Finding {
	c := &checker{f: f, sw: sw}
	c.management()
	c.routing()
	if f.Underlay.MTU > maxMTU {
		c.add(fabric.Error, "SONIC_MTU", fmt.Sprintf("SONiC ports take an MTU of at most %d bytes, the plan has %d", maxMTU, f.Underlay.MTU),
			"lower the fabric's MTU", "sonic-port.yang")
	}
	model := f.ModelOf(sw)
	p := d.platforms[model.ID]
	if p == nil {
		c.add(fabric.Error, "SONIC_NO_PORT_MAP", "no SONiC lane map is known for "+model.ID+", and lanes cannot be worked out", laneMapRemedy,
			"sonic-buildimage device/")
		return c.found
	}
	c.release()
	c.ports(p, model)
	if f.Lossless != nil {
		c.lossless(p, model)
	}
	return c.found
}

type checker struct {
	f     *fabric.Fabric
	sw    *fabric.Switch
	found []fabric.Finding
}

func (c *checker) add(severity fabric.Severity, code, message, remedy, source string) {
	c.found = append(c.found, fabric.Finding{
		Severity: severity, Code: code, Message: message, Remedy: remedy, Source: source, Objects: []string{c.sw.Name}})
}

// release warns of images that do not know the form of the schema version.
func (c *checker) release() {
	digits := c.sw.Release
	if i := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		digits = digits[:i]
	}
	if branch, err := strconv.Atoi(digits); err == nil && len(digits) == 6 && branch < 202305 {
		c.add(fabric.Warning, "SONIC_RELEASE_OLD", fmt.Sprintf("SONiC %s cannot migrate a configuration of schema %s, and its models refuse the row", c.sw.Release, schemaVersion),
			"use an image from 202305 on, or delete VERSIONS from config_db.json and compare `show runningconfiguration all` after loading it", "sonic-utilities db_migrator.py, sonic-versions.yang")
	}
}

func (c *checker) management() {
	m := &c.f.Management
	if len(m.Users) > 0 {
		c.add(fabric.Warning, "SONIC_USERS_NOT_IN_CONFIG", "SONiC keeps logins in the host's own files, not in config_db.json: the declared users are not configured",
			"create them with useradd and authorized_keys on the switch, or point it at TACACS+ or RADIUS", "sonic-yang-models: no user table")
	}
	if m.VRF != "" && m.VRF != "mgmt" {
		c.add(fabric.Info, "SONIC_MGMT_VRF_NAME", fmt.Sprintf("the management VRF is always called mgmt on SONiC, not %q", m.VRF), "", "sonic-mgmt_vrf.yang")
	}
	if c.sw.Management.IsValid() && !m.Gateway.IsValid() {
		c.add(fabric.Warning, "SONIC_MGMT_NO_GATEWAY", "SONiC's model takes a management address only together with its gateway; the switch will ask DHCP",
			"declare management.gateway", "sonic-mgmt_interface.yang")
	}
	if len(m.NTP) > maxNTP || len(m.DNS) > maxDNS {
		c.add(fabric.Warning, "SONIC_SERVER_LIMIT", fmt.Sprintf("SONiC takes %d NTP and %d DNS servers; the rest is left out", maxNTP, maxDNS), "declare fewer servers", "sonic-ntp.yang, sonic-dns.yang")
	}
	c.add(fabric.Info, "SONIC_GNMI_CERTIFICATES", "gNMI answers on the switch itself only, until server certificates are installed",
		"install them and add GNMI|certs with their paths", "sonic-gnmi gnmi-native.sh")
}

func (c *checker) routing() {
	u := &c.f.Underlay
	if !u.BGP {
		return
	}
	if needsFRR(c.f, c.sw) {
		c.add(fabric.Warning, "SONIC_FRR_CONF", "unnumbered sessions, no-transit policies and routed host links are beyond SONiC's own BGP templates: the routing is in frr.conf, mode split-unified, which config reload deletes on current images",
			"move /etc/sonic/minigraph.xml and golden_config_db.json away, which would set the mode back; load config_db.json; see that `sonic-db-cli CONFIG_DB hget 'DEVICE_METADATA|localhost' docker_routing_config_mode` says split-unified; only then copy frr.conf to /etc/sonic/frr/ and restart the bgp service. Or number the links and share the spine AS number", "sonic-buildimage issue 27014, docker_init.sh; sonic-utilities db_migrator.py migrate_routing_config_mode")
	} else if u.MaxPaths > templatePaths {
		c.add(fabric.Warning, "SONIC_ECMP_PATHS", fmt.Sprintf("SONiC's BGP templates use up to %d equal-cost paths on older images, the plan has %d", templatePaths, u.MaxPaths),
			"check constants.bgp.maximum_paths in /etc/sonic/constants.yml", "constants.yml")
	}
}

// templatePaths is maximum_paths in constants.yml before it became 514.
const templatePaths = 64

func (c *checker) ports(p *platform, model *fabric.Model) {
	unplaced, cells := 0, false
	for i := range c.sw.Ports {
		port := &c.sw.Ports[i]
		cells = cells || port.Role == fabric.CellPort
		if _, ok := p.port(port); !ok {
			unplaced++
		}
	}
	if cells {
		c.add(fabric.Error, "SONIC_NO_DDC", "this driver does not configure distributed (cell-based) systems", "choose another operating system for them", "sonic-buildimage DEVICE_METADATA switch_type")
	}
	if unplaced > 0 {
		c.add(fabric.Error, "SONIC_PORT_NOT_PLACED", fmt.Sprintf("the lane map of %s does not say where %d of the planned ports sit", model.ID, unplaced), laneMapRemedy, p.Source)
	}
	chosen, exact := p.sku(c.sw, model)
	if !exact {
		c.add(fabric.Warning, "SONIC_HWSKU_UNCONFIRMED", fmt.Sprintf("no HwSKU of %s is known for the way its ports are split; %s is used", model.ID, chosen.Name),
			"see which HwSKU the switch has for it under /usr/share/sonic/device, and give its port_config.ini as a lane map", p.Source)
	}
	if p.NamesVary {
		c.add(fabric.Warning, "SONIC_PORT_NAMES_VARY", "images for "+model.ID+" name and number its ports differently, with the same lanes",
			"compare with `show interfaces status`; where they differ give the switch's port_config.ini as a lane map", p.Source)
	}
	if p.Confidence == "field" || p.Confidence == "inferred" {
		c.add(fabric.Warning, "SONIC_PORT_MAP_UNCONFIRMED", "the lane map of "+model.ID+" does not come from the community's main branch", "compare it with the switch's port_config.ini", p.Source)
	}
}

func (c *checker) lossless(p *platform, model *fabric.Model) {
	l := c.f.Lossless
	if _, err := planClasses(l); err != nil {
		c.add(fabric.Error, "SONIC_CLASSES", err.Error(), "change the numbers of the classes", "sonic-buildimage qos_config.j2, sonic-swss pfcwdorch")
	}
	profiles := c.profiles()
	c.watchdog(len(c.sw.Ports))
	chosen, _ := p.sku(c.sw, model)
	s := &switchPlan{f: c.f, sw: c.sw}
	b, err := planBuffers(p, chosen, model, s.fullHeadroom)
	if err != nil {
		c.add(fabric.Error, "SONIC_NO_BUFFER_POOL", "neither buffer pools nor the buffer size of "+model.ID+" are known, so nothing can be made lossless", "declare the model's buffer", "sonic-buildimage buffers_defaults_*.j2")
		return
	}
	if b.derived {
		c.add(fabric.Warning, "SONIC_BUFFER_DERIVED", "no complete set of buffer pools is published for "+chosen.Name+": the pools come from the model's buffer and the planned headroom",
			"compare with the pools that `config qos reload --dry-run` renders on the switch", "sonic-buildimage buffers_defaults_*.j2")
	}
	if need := s.headroom(); b.Style == broadcom && need > b.Ingress.Xoff {
		c.add(fabric.Warning, "SONIC_HEADROOM_OVERSUBSCRIBED", fmt.Sprintf("the shared headroom of %s is %d bytes, all lossless groups together could ask for %d: lossless as long as no more than %d %% of them are paused at once", chosen.Name, b.Ingress.Xoff, need, 100*b.Ingress.Xoff/need),
			"", "sonic-buildimage pg_profile_lookup.ini, SONiC shared headroom pool design")
	}
	c.cables(b, profiles)
}

// profiles lists the plan profiles that the switch's ports use.
func (c *checker) profiles() (used []int) {
	for i := range c.sw.Ports {
		if p := &c.sw.Ports[i]; p.Link >= 0 && p.Profile >= 0 && !slices.Contains(used, p.Profile) {
			used = append(used, p.Profile)
		}
	}
	return used
}

func (c *checker) watchdog(ports int) {
	w := &c.f.Lossless.Watchdog
	if !w.Enabled {
		return
	}
	if err := checkWatchdogRange(w); err != nil {
		c.add(fabric.Error, "SONIC_WATCHDOG", err.Error(), "change lossless.watchdog", "sonic-pfcwd.yang")
		return
	}
	if want := defaultDetect(ports); w.Detect < want {
		c.add(fabric.Info, "SONIC_WATCHDOG_SCALE", fmt.Sprintf("SONiC's own default for %d ports is to detect after %v, the plan has %v", ports, want, w.Detect.Round(time.Millisecond)),
			"raise lossless.watchdog.detect if the switch's CPU is short of time", "sonic-utilities pfcwd/main.py")
	}
}

func (c *checker) cables(b *buffers, profiles []int) {
	if b.Style != broadcom {
		return
	}
	missing, rounded, resume := false, false, false
	for _, i := range profiles {
		p := &c.f.Lossless.Profiles[i]
		metres, up := b.metres(p)
		rounded = rounded || up
		missing = missing || !slices.Contains(b.Lengths[p.SpeedGbps], metres)
		resume = resume || b.Group != nil && p.XonBytes != 0 && int64(p.XonBytes) != b.Group.Xon
	}
	if missing {
		c.add(fabric.Warning, "SONIC_CABLE_NOT_IN_TABLE", "the HwSKU's pg_profile_lookup.ini has no row for some speed and cable length: the switch logs `No PG profile configured`, and the headroom is what config_db.json says",
			"", "sonic-swss buffermgr.cpp, sonic-buildimage issue 5837")
	}
	if resume {
		c.add(fabric.Info, "SONIC_RESUME_FROM_TABLE", fmt.Sprintf("senders resume at the HwSKU's own thresholds (xon %d, xon_offset %d bytes), not at the plan's xon", b.Group.Xon, b.Group.XonOffset), "", "sonic-buildimage pg_profile_lookup.ini")
	}
	if rounded {
		c.add(fabric.Info, "SONIC_CABLE_ROUNDED", "cable lengths are given to SONiC as the next length that the HwSKU's headroom table has", "", "sonic-swss buffermgr.cpp")
	}
}
