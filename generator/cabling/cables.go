package cabling

import (
	"strconv"

	"railyard/generator/fabric"
)

var cableColumns = []column{
	{"label", "Label", 26}, {"cable", "Cable", 9}, {"kind", "Kind", 8},
	{"a_device", "A device", 20}, {"a_port", "A port", 24}, {"a_panel", "A panel", 9},
	{"b_device", "B device", 20}, {"b_port", "B port", 24}, {"b_panel", "B panel", 9},
	{"speed_gbps", "Gb/s", 7}, {"length_m", "Length m", 10}, {"type", "Type", 8}, {"plane", "Plane", 7}, {"rail", "Rail", 7},
}

// cables is the cable list.
func cables(f *fabric.Fabric) table {
	return table{name: "Cables", columns: cableColumns, count: len(f.Links), rows: func(r *row, emit func() error) error {
		for i := range f.Links {
			l := &f.Links[i]
			r.label(f, l)
			r.int(int64(l.Cable))
			r.string(string(l.Kind))
			r.place(f, l.A)
			r.place(f, l.B)
			r.int(int64(l.SpeedGbps))
			r.float(l.LengthM)
			r.string(l.CableType)
			r.int(int64(l.Plane))
			if l.Kind == fabric.HostLink && l.A.Kind == fabric.ServerDevice {
				r.int(int64(f.Servers[l.A.Device].Ports[l.A.Port].Rail))
			} else {
				r.empty()
			}
			if err := emit(); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Label is what to print on a link's cable: switch and panel port, at the lower
// end of a fabric link and at the switch end of a host link. Every link has its
// own, and growth changes none.
func Label(f *fabric.Fabric, l *fabric.Link) string {
	e := labelEnd(l)
	return f.DeviceName(e) + ":" + string(appendPanel(nil, f, e))
}

func labelEnd(l *fabric.Link) fabric.End {
	if l.A.Kind == fabric.ServerDevice {
		return l.B
	}
	return l.A
}

func (r *row) label(f *fabric.Fabric, l *fabric.Link) {
	e := labelEnd(l)
	r.string(f.DeviceName(e))
	r.ends = r.ends[:len(r.ends)-1] // the cell goes on
	r.text = append(r.text, ':')
	r.text = appendPanel(r.text, f, e)
	r.end()
}

// place adds device, port and panel port of an end.
func (r *row) place(f *fabric.Fabric, e fabric.End) {
	r.string(f.DeviceName(e))
	r.string(f.PortName(e))
	r.text = appendPanel(r.text, f, e)
	r.end()
}

// Panel is what is printed beside a switch's port: the cage number, with the lane
// if the cage is split. It is empty for a server, whose slots differ by model.
func Panel(f *fabric.Fabric, e fabric.End) string { return string(appendPanel(nil, f, e)) }

func appendPanel(b []byte, f *fabric.Fabric, e fabric.End) []byte {
	if e.Kind != fabric.SwitchDevice {
		return b
	}
	p := &f.Switches[e.Device].Ports[e.Port]
	b = strconv.AppendInt(b, int64(p.Cage), 10)
	if p.Split > 1 {
		b = append(b, '/')
		b = strconv.AppendInt(b, int64(p.Lane), 10)
	}
	return b
}
