package opensm

import (
	"strconv"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// computeList is cn_guid_file: the port GUIDs of GPU servers, whose load ftree
// balances. Hosts kept for management are left out.
func computeList(s *ibsubnet.Subnet) []byte {
	b := make([]byte, 0, 19*len(s.Hosts))
	s.Compute(func(h *ibsubnet.Host) { b = append(ibsubnet.AppendGUID(b, h.GUID.Value), '\n') })
	return b
}

// nodeOf is the node GUID that the name map gives an adapter: its own, since
// ConnectX-4 and later have one for adapter and port, or for a placeholder that of
// the simulated adapter in topology.net, the only place where it exists.
func nodeOf(h *ibsubnet.Host) uint64 {
	if h.GUID.Placeholder {
		return simNode(h)
	}
	return ibsubnet.OneGUID(h)
}

// simNode is the node GUID of a simulated adapter: ibsim counts port GUIDs up from
// it and starts with port 1.
func simNode(h *ibsubnet.Host) uint64 { return h.GUID.Value - 1 }

// netfile is the subnet as ibsim reads it, in ibnetdiscover's format.
func netfile(f *fabric.Fabric, s *ibsubnet.Subnet) []byte {
	w := netWriter{f: f, s: s, b: make([]byte, 0, 512*(len(s.Hosts)+len(s.Switches)))}
	w.bySlot = make(map[fabric.End]*ibsubnet.Host, len(s.Hosts))
	for i := range s.Hosts {
		w.adapter(&s.Hosts[i])
	}
	for _, i := range s.Switches {
		w.sw(i)
	}
	return w.b
}

type netWriter struct {
	f      *fabric.Fabric
	s      *ibsubnet.Subnet
	b      []byte
	bySlot map[fabric.End]*ibsubnet.Host // server end → host port
}

func (w *netWriter) str(parts ...string) {
	for _, p := range parts {
		w.b = append(w.b, p...)
	}
}

func (w *netWriter) num(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

func (w *netWriter) adapter(h *ibsubnet.Host) {
	w.bySlot[fabric.End{Kind: fabric.ServerDevice, Device: h.Server, Port: h.Port}] = h
	link := &w.f.Links[w.f.Servers[h.Server].Ports[h.Port].Link]
	w.str("\ncaguid=")
	w.b = ibsubnet.AppendGUID(w.b, simNode(h))
	w.str("\nCa\t1 \"H-")
	w.b = ibsubnet.AppendDigits(w.b, simNode(h))
	w.str("\"\t\t# \"", h.Name(w.f), "\"\n[1]\t")
	w.switchEnd(link.B)
	w.str(simSpeed(link.SpeedGbps), "\n")
}

func (w *netWriter) sw(at int) {
	sw := &w.f.Switches[at]
	w.str("\nswitchguid=")
	w.b = ibsubnet.AppendGUID(w.b, sw.GUID.Value)
	w.str("\nSwitch\t")
	w.num(w.s.Numbering(at).Count)
	w.str(" \"S-")
	w.b = ibsubnet.AppendDigits(w.b, sw.GUID.Value)
	w.str("\"\t\t# \"", sw.Name, "\" enhanced port 0 lid 0 lmc 0\n")
	for i := range sw.Ports {
		p := &sw.Ports[i]
		if p.Link < 0 {
			continue
		}
		w.str("[")
		w.num(w.s.Numbering(at).Number(p))
		w.str("]\t")
		if p.Peer.Kind == fabric.SwitchDevice {
			w.switchEnd(p.Peer)
		} else {
			h := w.bySlot[p.Peer]
			w.str("\"H-")
			w.b = ibsubnet.AppendDigits(w.b, simNode(h))
			w.str("\"[1]\t\t# \"", h.Name(w.f), "\" lid 0 ")
		}
		w.str(simSpeed(w.f.Links[p.Link].SpeedGbps), "\n")
	}
}

func (w *netWriter) switchEnd(e fabric.End) {
	sw := &w.f.Switches[e.Device]
	w.str("\"S-")
	w.b = ibsubnet.AppendDigits(w.b, sw.GUID.Value)
	w.str("\"[")
	w.num(w.s.Numbering(e.Device).Number(&sw.Ports[e.Port]))
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
