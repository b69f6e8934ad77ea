package cabling

import (
	"fmt"
	"strconv"
	"strings"

	"railyard/generator/fabric"
)

var switchColumns = []column{
	{"name", "Name", 20}, {"role", "Role", 8}, {"model", "Model", 22}, {"os", "OS", 12}, {"release", "Release", 12},
	{"plane", "Plane", 7}, {"unit", "Unit", 7}, {"rails", "Rails", 10}, {"asn", "ASN", 12}, {"loopback", "Loopback", 17},
	{"management", "Management", 20}, {"guid", "GUID", 22}, {"ports", "Ports", 8}, {"used", "Used", 8}, {"reserved", "Reserved", 10},
}

// switches is the list of switches.
func switches(f *fabric.Fabric) table {
	return table{name: "Switches", columns: switchColumns, count: len(f.Switches), rows: func(r *row, emit func() error) error {
		for i := range f.Switches {
			r.device(f, &f.Switches[i])
			if err := emit(); err != nil {
				return err
			}
		}
		return nil
	}}
}

func (r *row) device(f *fabric.Fabric, sw *fabric.Switch) {
	r.string(sw.Name)
	r.string(string(sw.Role))
	r.string(f.ModelOf(sw).ID)
	r.string(sw.OS)
	r.string(sw.Release)
	r.int(int64(sw.Plane))
	if sw.Unit >= 0 {
		r.int(int64(sw.Unit) + 1) // as in the name
	} else {
		r.empty()
	}
	r.string(Rails(sw.Rails))
	if sw.ASN > 0 {
		r.int(int64(sw.ASN))
	} else {
		r.empty()
	}
	r.address(sw.Loopback)
	if sw.Management.IsValid() {
		r.text = sw.Management.AppendTo(r.text)
	}
	r.end()
	switch {
	case sw.GUID.Value == 0:
		r.empty()
	case sw.GUID.Placeholder:
		r.string(fmt.Sprintf("0x%016x (placeholder)", sw.GUID.Value))
	default:
		r.string(fmt.Sprintf("0x%016x", sw.GUID.Value))
	}
	used, reserved := 0, 0
	for i := range sw.Ports {
		switch p := &sw.Ports[i]; {
		case p.Role != fabric.UnusedPort:
			used++
		case p.Reserved:
			reserved++
		}
	}
	r.int(int64(len(sw.Ports)))
	r.int(int64(used))
	r.int(int64(reserved))
}

// Rails writes rail numbers, which are in order, as 0-3,7.
func Rails(rails []int) string {
	var b strings.Builder
	for i := 0; i < len(rails); {
		j := i
		for j+1 < len(rails) && rails[j+1] == rails[j]+1 {
			j++
		}
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(rails[i]))
		if j > i {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(rails[j]))
		}
		i = j + 1
	}
	return b.String()
}

var materialColumns = []column{
	{"what", "What", 14}, {"count", "Count", 10}, {"tier", "Tier", 14}, {"model", "Model", 24}, {"os", "OS", 12},
	{"speed_gbps", "Gb/s", 8}, {"links", "Links per cable", 16}, {"length_m", "Length m", 10}, {"type", "Type", 10},
}

// materials is the bill of materials.
func materials(f *fabric.Fabric) table {
	bill := Materials(f)
	n := len(bill.Switches) + len(bill.Cables)
	for _, p := range bill.Ports {
		n += len(p.free())
	}
	return table{name: "Bill of materials", columns: materialColumns, count: n, rows: func(r *row, emit func() error) error {
		return bill.rows(r, emit)
	}}
}

type freePorts struct {
	what  string
	count int
}

// free names the kinds of unused ports that there are.
func (p PortItem) free() []freePorts {
	var kinds []freePorts
	if p.Reserved > 0 {
		kinds = append(kinds, freePorts{"reserved port", p.Reserved})
	}
	if p.Spare > 0 {
		kinds = append(kinds, freePorts{"spare port", p.Spare})
	}
	return kinds
}

func (b Bill) rows(r *row, emit func() error) error {
	for _, s := range b.Switches {
		r.string("switch")
		r.int(int64(s.Count))
		r.string(string(s.Tier))
		r.string(s.Model)
		r.string(s.OS)
		r.empties(4)
		if err := emit(); err != nil {
			return err
		}
	}
	for _, c := range b.Cables {
		r.string(string(c.Kind) + " cable")
		r.int(int64(c.Count))
		r.string(c.Tier)
		r.empties(2)
		r.int(int64(c.SpeedGbps))
		r.int(int64(c.Links))
		r.float(c.LengthM)
		r.string(c.Type)
		if err := emit(); err != nil {
			return err
		}
	}
	for _, p := range b.Ports {
		for _, kind := range p.free() {
			r.string(kind.what)
			r.int(int64(kind.count))
			r.string(string(p.Tier))
			r.string(p.Model)
			r.empty()
			r.int(int64(p.SpeedGbps))
			r.empties(3)
			if err := emit(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *row) empties(n int) {
	for range n {
		r.empty()
	}
}
