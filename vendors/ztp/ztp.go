// Package ztp writes what lets switches fetch their configuration by themselves at
// first boot: the boot files that an OS wants beside its configuration, and static
// entries for a DHCP server that tell each switch where its own is.
//
// Only ways that the vendor documents are written; a switch of any other OS gets its
// address and no boot file. The files hold no secrets: configurations, which may, are
// fetched from where railyard wrote them.
//
// Sources: SONiC doc/ztp/ztp.md and sonic-ztp's plugin configdb-json (DHCP option 67,
// url, destination); Cumulus Linux 5.13, Zero Touch Provisioning (option 239, the marker
// CUMULUS-AUTOPROVISIONING, exit code 0) and its NVUE chapter (config replace, apply,
// save); EOS user manual, Initial Switch Access, and Arista's ztpserver and ztp-reimage
// (option 67 names a startup-config or a script); HPE FlexFabric 11900 Fundamentals
// guide R211x, Automatic configuration, for Comware 7 (management port first, option 67
// may be an HTTP URL), HP A3100 Fundamentals guide (the file is executed, not saved).
package ztp

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"net/netip"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/templates"
)

// Placeholder is where switches look for their files unless the site says otherwise.
// No host can have a name in .invalid (RFC 6761), so that a forgotten one finds nobody.
const Placeholder = "http://ztp.invalid"

// DHCPName is the file with the DHCP entries.
const DHCPName = "dhcpd.conf"

const folder = "ztp"

// option is the DHCP option that names a boot file.
const (
	bootfile  = "bootfile-name"         // 67
	provision = "cumulus-provision-url" // 239, declared in the file itself
)

// way is how an OS boots without touch.
type way struct {
	fetch  string // the file of the switch's folder that DHCP names
	option string
	tmpl   string // that writes it; "" when it is the configuration itself
	loads  []load // what tmpl has the switch fetch, in order
}

// load is a file of the driver's that a boot file fetches.
type load struct {
	File string
	Verb string // of nv config, on Cumulus
}

// ways are the OSes with a documented way.
var ways = map[string]way{
	"eos":     {fetch: "startup-config", option: bootfile},
	"comware": {fetch: "startup.cfg", option: bootfile},
	"sonic":   {fetch: "ztp.json", option: bootfile, tmpl: "ztp.json.tmpl", loads: []load{{File: "config_db.json"}}},
	"cumulus": {fetch: "cumulus-ztp.sh", option: provision, tmpl: "cumulus-ztp.sh.tmpl", loads: []load{{"breakout.yaml", "patch"}, {"startup.yaml", "replace"}}},
}

// Writer writes boot files and DHCP entries. It may be used from many goroutines.
type Writer struct {
	set    *templates.Set
	server string
}

// New parses the templates; overlay, which may be nil, is a site's own. server is the
// URL under which the output directory is served, without a slash at its end; "" means
// Placeholder. A server that would break a quoted string is an error.
func New(overlay fs.FS, server string) (*Writer, error) {
	set, err := templates.Load(folder, overlay, nil)
	if err != nil {
		return nil, fmt.Errorf("ztp: %w", err)
	}
	if server = strings.TrimRight(server, "/"); server == "" {
		server = Placeholder
	}
	if strings.ContainsFunc(server, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("\"'\\$`", r) }) {
		return nil, fmt.Errorf("ztp: %q is no URL of a server", server)
	}
	return &Writer{set, server}, nil
}

// url is where a switch finds a file of its own folder.
func (w *Writer) url(sw *fabric.Switch, file string) string {
	return w.server + "/switches/" + sw.Name + "/" + file
}

// Files are the boot files of a switch, to be kept beside written, what the driver of its
// OS wrote for it. An OS that loads its configuration directly, or that railyard knows no
// way for, has none, nor has a switch without a configuration.
func (w *Writer) Files(sw *fabric.Switch, written []fabric.File) ([]fabric.File, error) {
	how := ways[sw.OS]
	p := script{Name: sw.Name}
	for _, l := range how.loads {
		if slices.ContainsFunc(written, func(f fabric.File) bool { return f.Name == l.File }) {
			p.Loads = append(p.Loads, step{w.url(sw, l.File), l.Verb})
		}
	}
	if len(p.Loads) == 0 {
		return nil, nil
	}
	body, err := w.set.Execute(how.tmpl, sw.Name, &p)
	if err != nil {
		return nil, err
	}
	return []fabric.File{{Name: how.fetch, Body: body}}, nil
}

// script is what the templates of boot files see.
type script struct {
	Name  string
	Loads []step
}

type step struct{ URL, Verb string }

// page is what the DHCP template sees.
type page struct {
	Fabric, Server        string
	Placeholder           bool // the server is one
	SONiC, Cumulus        bool // there are switches of such an OS
	Comware, Plain        bool // likewise, and some without a boot file
	Subnet, Mask, Gateway string
	DNS                   string
	Hosts                 []host
}

type host struct {
	Name, OS, MAC, Address string
	Option, URL            string
}

// DHCP is a snippet for ISC dhcpd with an entry per switch, in the order of the fabric:
// the form in which SONiC, Cumulus and EOS document their options.
func (w *Writer) DHCP(f *fabric.Fabric) (fabric.File, error) {
	p := page{Fabric: f.Name, Server: w.server, Placeholder: w.server == Placeholder}
	if s := f.Management.Subnet; s.IsValid() && s.Addr().Is4() {
		p.Subnet, p.Mask = s.Masked().Addr().String(), mask(s)
		if f.Management.Gateway.IsValid() {
			p.Gateway = f.Management.Gateway.String()
		}
		var dns []string
		for _, a := range f.Management.DNS {
			if a.Is4() {
				dns = append(dns, a.String())
			}
		}
		p.DNS = strings.Join(dns, ", ")
	}
	for i := range f.Switches {
		sw := &f.Switches[i]
		h := host{Name: sw.Name, OS: sw.OS, MAC: placeholderMAC(sw, i)}
		if a := sw.Management.Addr(); a.Is4() {
			h.Address = a.String()
		}
		if how, ok := ways[sw.OS]; ok {
			h.Option, h.URL = how.option, w.url(sw, how.fetch)
		}
		p.SONiC, p.Comware = p.SONiC || sw.OS == "sonic", p.Comware || sw.OS == "comware"
		p.Cumulus, p.Plain = p.Cumulus || h.Option == provision, p.Plain || h.Option == ""
		p.Hosts = append(p.Hosts, h)
	}
	body, err := w.set.Execute("dhcpd.conf.tmpl", "inventory", &p)
	return fabric.File{Name: DHCPName, Body: body}, err
}

func mask(p netip.Prefix) string {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], ^uint32(0)<<(32-p.Bits()))
	return netip.AddrFrom4(b).String()
}

// placeholderMAC stands in for the hardware address, which is known once the switch is
// unpacked. It is locally administered, so that no switch has it by chance, and made of
// the management address, so that it is unique and growth changes none.
func placeholderMAC(sw *fabric.Switch, index int) string {
	var b [4]byte
	prefix := 0x00
	if a := sw.Management.Addr(); a.Is4() {
		b = a.As4()
	} else {
		prefix = 0x01
		binary.BigEndian.PutUint32(b[:], uint32(index+1))
	}
	return fmt.Sprintf("02:%02x:%02x:%02x:%02x:%02x", prefix, b[0], b[1], b[2], b[3])
}
