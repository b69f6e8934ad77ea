package ibsubnet

import (
	"strings"

	"railyard/generator/fabric"
)

const hexDigits = "0123456789abcdef"

// AppendGUID appends a GUID as 0x and sixteen digits.
func AppendGUID(b []byte, v uint64) []byte { return AppendDigits(append(b, '0', 'x'), v) }

// AppendDigits appends a GUID as sixteen hexadecimal digits.
func AppendDigits(b []byte, v uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[v>>shift&15])
	}
	return b
}

// GUID is a GUID as 0x and sixteen digits.
func GUID(v uint64) string { return string(AppendGUID(nil, v)) }

// ColonGUID is a GUID as eight pairs of digits between colons.
func ColonGUID(v uint64) string {
	var b strings.Builder
	for shift := 56; shift >= 0; shift -= 8 {
		b.WriteByte(hexDigits[v>>(shift+4)&15])
		b.WriteByte(hexDigits[v>>shift&15])
		if shift > 0 {
			b.WriteByte(':')
		}
	}
	return b.String()
}

// RootList is the node GUIDs of the top tier's switches, one a line.
func RootList(f *fabric.Fabric, s *Subnet) []byte {
	b := make([]byte, 0, 19*len(s.Roots))
	for _, i := range s.Roots {
		b = append(AppendGUID(b, f.Switches[i].GUID.Value), '\n')
	}
	return b
}

// OrderList is the port GUIDs of compute servers rail by rail, and in server order
// within one, so that the ports whose traffic meets on the same leaves are spread
// one after the other over the uplinks.
func OrderList(s *Subnet) []byte {
	rails := 0
	s.Compute(func(h *Host) { rails = max(rails, h.Rail+1) })
	lists := make([][]byte, rails)
	s.Compute(func(h *Host) { lists[h.Rail] = append(AppendGUID(lists[h.Rail], h.GUID.Value), '\n') })
	b := make([]byte, 0, 19*len(s.Hosts))
	for _, l := range lists {
		b = append(b, l...)
	}
	return b
}

// NameMap gives node GUIDs names, one a line; node is the adapter's of a port.
func NameMap(f *fabric.Fabric, s *Subnet, node func(h *Host) uint64) []byte {
	b := make([]byte, 0, 48*(len(s.Hosts)+len(s.Switches)))
	line := func(guid uint64, name string) {
		b = append(AppendGUID(b, guid), ` "`...)
		b = append(append(b, name...), "\"\n"...)
	}
	for i := range s.Hosts {
		line(node(&s.Hosts[i]), s.Hosts[i].Name(f))
	}
	for _, i := range s.Switches {
		line(f.Switches[i].GUID.Value, f.Switches[i].Name)
	}
	return b
}

// OneGUID is the node GUID of adapters that have one for node and port: ConnectX-4
// and later.
func OneGUID(h *Host) uint64 { return h.GUID.Value }
