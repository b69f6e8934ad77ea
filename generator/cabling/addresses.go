package cabling

import (
	"net/netip"
	"strconv"

	"railyard/generator/fabric"
)

var addressColumns = []column{
	{"device", "Device", 20}, {"interface", "Interface", 24}, {"address", "Address", 17}, {"prefix_length", "Length", 8},
	{"peer_device", "Peer device", 20}, {"peer_interface", "Peer interface", 24}, {"vlan", "VLAN", 7},
	{"subnet", "Subnet", 20}, {"gateway", "Gateway", 17}, {"asn", "ASN", 12}, {"purpose", "Purpose", 13},
}

// addressRow is one line of the address list.
type addressRow struct {
	device, port string
	address      netip.Prefix
	peer         *fabric.End
	vlan         int
	gateway      netip.Addr
	asn          uint32
	purpose      string
}

// addresses is the address list.
func addresses(f *fabric.Fabric) table {
	return table{name: "Addresses", columns: addressColumns, count: countAddresses(f), rows: func(r *row, emit func() error) error {
		for i := range f.Switches {
			if err := switchAddresses(f, i, r, emit); err != nil {
				return err
			}
		}
		for i := range f.Servers {
			if err := serverAddresses(f, &f.Servers[i], r, emit); err != nil {
				return err
			}
		}
		return nil
	}}
}

// countAddresses is the number of rows that addresses will make; the workbook
// must know it before the first.
func countAddresses(f *fabric.Fabric) int {
	n := 0
	add := func(ok bool) {
		if ok {
			n++
		}
	}
	for i := range f.Switches {
		sw := &f.Switches[i]
		add(sw.Loopback.IsValid())
		add(sw.Management.IsValid())
		for _, v := range sw.VLANs {
			add(f.VLANs[v].Gateway.IsValid())
		}
		for j := range sw.Ports {
			add(sw.Ports[j].Address.IsValid())
		}
	}
	for i := range f.Servers {
		for j := range f.Servers[i].Ports {
			add(f.Servers[i].Ports[j].Address.IsValid())
		}
	}
	return n
}

func switchAddresses(f *fabric.Fabric, n int, r *row, emit func() error) error {
	sw := &f.Switches[n]
	a := addressRow{device: sw.Name, asn: sw.ASN}
	if sw.Loopback.IsValid() {
		a.port, a.purpose = "loopback", "loopback"
		a.address = netip.PrefixFrom(sw.Loopback, sw.Loopback.BitLen())
		if err := a.put(f, r, emit); err != nil {
			return err
		}
	}
	if sw.Management.IsValid() {
		a.port, a.purpose, a.address, a.gateway = "management", "management", sw.Management, f.Management.Gateway
		if err := a.put(f, r, emit); err != nil {
			return err
		}
	}
	for _, v := range sw.VLANs {
		vlan := &f.VLANs[v]
		if !vlan.Gateway.IsValid() {
			continue
		}
		g := addressRow{device: sw.Name, asn: sw.ASN, port: "vlan" + strconv.Itoa(vlan.ID), purpose: "gateway", address: vlan.Gateway, vlan: vlan.ID}
		if err := g.put(f, r, emit); err != nil {
			return err
		}
	}
	for j := range sw.Ports {
		p := &sw.Ports[j]
		if !p.Address.IsValid() {
			continue
		}
		l := addressRow{device: sw.Name, asn: sw.ASN, purpose: "link", address: p.Address}
		l.port = f.PortName(fabric.End{Kind: fabric.SwitchDevice, Device: n, Port: j})
		if p.Role == fabric.HostPort {
			l.purpose = "gateway"
		}
		if p.Link >= 0 {
			l.peer = &p.Peer
		}
		if err := l.put(f, r, emit); err != nil {
			return err
		}
	}
	return nil
}

func serverAddresses(f *fabric.Fabric, srv *fabric.Server, r *row, emit func() error) error {
	for j := range srv.Ports {
		p := &srv.Ports[j]
		if !p.Address.IsValid() {
			continue
		}
		leaf := f.Links[p.Link].B
		h := addressRow{device: srv.Name, port: p.Name, purpose: "host", address: p.Address, gateway: p.Gateway, peer: &leaf}
		if v := f.Switches[leaf.Device].Ports[leaf.Port].VLAN; v >= 0 {
			h.vlan = f.VLANs[v].ID
		}
		if err := h.put(f, r, emit); err != nil {
			return err
		}
	}
	return nil
}

func (a *addressRow) put(f *fabric.Fabric, r *row, emit func() error) error {
	r.string(a.device)
	r.string(a.port)
	r.address(a.address.Addr())
	r.int(int64(a.address.Bits()))
	if a.peer != nil {
		r.string(f.DeviceName(*a.peer))
		r.string(f.PortName(*a.peer))
	} else {
		r.empty()
		r.empty()
	}
	if a.vlan > 0 {
		r.int(int64(a.vlan))
	} else {
		r.empty()
	}
	r.subnet(a.address)
	r.address(a.gateway)
	if a.asn > 0 {
		r.int(int64(a.asn))
	} else {
		r.empty()
	}
	r.string(a.purpose)
	return emit()
}
