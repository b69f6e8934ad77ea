package opensm

import (
	"strconv"

	"railyard/generator/fabric"
)

const hexDigits = "0123456789abcdef"

// appendHex writes a GUID as 0x and sixteen digits.
func appendHex(b []byte, v uint64) []byte {
	b = append(b, '0', 'x')
	return appendDigits(b, v)
}

func appendDigits(b []byte, v uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[v>>shift&15])
	}
	return b
}

func hex(v uint64) string { return string(appendHex(nil, v)) }

// rootList is root_guid_file: a switch's node GUID a line.
func rootList(f *fabric.Fabric, s *subnet) []byte {
	var b []byte
	for _, i := range s.roots {
		b = append(appendHex(b, f.Switches[i].GUID.Value), '\n')
	}
	return b
}

// computeList is cn_guid_file: the port GUIDs of GPU servers, whose load ftree
// balances. Hosts kept for management are left out.
func computeList(_ *fabric.Fabric, s *subnet) []byte {
	b := make([]byte, 0, 19*len(s.hosts))
	s.compute(func(h *hostPort) { b = append(appendHex(b, h.guid.Value), '\n') })
	return b
}

// orderList is guid_routing_order_file: rail by rail, and in server order within
// one, so that the ports whose traffic meets on the same leaves are spread one
// after the other over the uplinks.
func orderList(_ *fabric.Fabric, s *subnet) []byte {
	rails := 0
	s.compute(func(h *hostPort) { rails = max(rails, h.rail+1) })
	lists := make([][]byte, rails)
	s.compute(func(h *hostPort) { lists[h.rail] = append(appendHex(lists[h.rail], h.guid.Value), '\n') })
	b := make([]byte, 0, 19*len(s.hosts))
	for _, l := range lists {
		b = append(b, l...)
	}
	return b
}

// nameMap is the node-name map: node GUIDs, not port GUIDs, of adapters and
// switches. ConnectX-4 and later have one GUID for adapter and port; a placeholder
// has the node GUID of the simulated adapter in topology.net, the only place where
// it exists.
func nameMap(f *fabric.Fabric, s *subnet) []byte {
	b := make([]byte, 0, 48*(len(s.hosts)+len(s.switches)))
	line := func(guid uint64, name string) {
		b = appendHex(b, guid)
		b = append(b, ` "`...)
		b = append(b, name...)
		b = append(b, "\"\n"...)
	}
	for i := range s.hosts {
		h := &s.hosts[i]
		guid := h.guid.Value
		if h.guid.Placeholder {
			guid = simNode(h)
		}
		line(guid, h.name(f))
	}
	for _, i := range s.switches {
		line(f.Switches[i].GUID.Value, f.Switches[i].Name)
	}
	return b
}

// simNode is the node GUID of a simulated adapter: ibsim counts port GUIDs up from
// it and starts with port 1.
func simNode(h *hostPort) uint64 { return h.guid.Value - 1 }

// netfile is the subnet as ibsim reads it, in ibnetdiscover's format.
func netfile(f *fabric.Fabric, s *subnet) []byte {
	w := netWriter{f: f, s: s, b: make([]byte, 0, 512*(len(s.hosts)+len(s.switches)))}
	w.bySlot = make(map[fabric.End]*hostPort, len(s.hosts))
	for i := range s.hosts {
		w.adapter(&s.hosts[i])
	}
	for i := range s.switches {
		w.sw(i)
	}
	return w.b
}

type netWriter struct {
	f      *fabric.Fabric
	s      *subnet
	b      []byte
	bySlot map[fabric.End]*hostPort // server end → host port
}

func (w *netWriter) str(parts ...string) {
	for _, p := range parts {
		w.b = append(w.b, p...)
	}
}

func (w *netWriter) num(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

func (w *netWriter) adapter(h *hostPort) {
	w.bySlot[fabric.End{Kind: fabric.ServerDevice, Device: h.server, Port: h.port}] = h
	link := &w.f.Links[w.f.Servers[h.server].Ports[h.port].Link]
	w.str("\ncaguid=")
	w.b = appendHex(w.b, simNode(h))
	w.str("\nCa\t1 \"H-")
	w.b = appendDigits(w.b, simNode(h))
	w.str("\"\t\t# \"", h.name(w.f), "\"\n[1]\t")
	w.switchEnd(link.B)
	w.str(simSpeed(link.SpeedGbps), "\n")
}

func (w *netWriter) sw(at int) {
	sw := &w.f.Switches[w.s.switches[at]]
	w.str("\nswitchguid=")
	w.b = appendHex(w.b, sw.GUID.Value)
	w.str("\nSwitch\t")
	w.num(w.s.numbers[at].count)
	w.str(" \"S-")
	w.b = appendDigits(w.b, sw.GUID.Value)
	w.str("\"\t\t# \"", sw.Name, "\" enhanced port 0 lid 0 lmc 0\n")
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Link < 0 {
			continue
		}
		w.str("[")
		w.num(w.s.numbers[at].number(p))
		w.str("]\t")
		if p.Peer.Kind == fabric.SwitchDevice {
			w.switchEnd(p.Peer)
		} else {
			h := w.bySlot[p.Peer]
			w.str("\"H-")
			w.b = appendDigits(w.b, simNode(h))
			w.str("\"[1]\t\t# \"", h.name(w.f), "\" lid 0 ")
		}
		w.str(simSpeed(w.f.Links[p.Link].SpeedGbps), "\n")
	}
}

func (w *netWriter) switchEnd(e fabric.End) {
	sw := &w.f.Switches[e.Device]
	w.str("\"S-")
	w.b = appendDigits(w.b, sw.GUID.Value)
	w.str("\"[")
	w.num(w.s.numbers[w.s.links[e.Device]].number(&sw.Ports[e.Port]))
	w.str("]\t\t# \"", sw.Name, "\" lid 0 ")
}

// simSpeed is the nearest link ibsim 0.10 knows.
func simSpeed(gbps int) string {
	switch {
	case gbps >= 200:
		return "4xHDR"
	case gbps >= 100:
		return "4xEDR"
	case gbps >= 56:
		return "4xFDR"
	default:
		return "4xQDR"
	}
}
