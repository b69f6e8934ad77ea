package advise

import (
	"fmt"
	"slices"

	"railyard/generator/cabling"
	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// Design is the cluster designed with one technology, in the numbers that make
// the two comparable.
type Design struct {
	Technology string   `json:"technology"`
	Declared   bool     `json:"declared"` // as in the file; else railyard's alternative
	Possible   bool     `json:"possible"`
	Why        []string `json:"why,omitempty"` // it is not possible
	Picks      []Pick   `json:"picks,omitempty"`
	Changed    []string `json:"changed,omitempty"` // keys of the file that were set differently
	Notes      []string `json:"notes,omitempty"`

	Topology             string               `json:"topology,omitempty"`
	Planes               int                  `json:"planes,omitempty"`
	LeafOversubscription string               `json:"leaf_oversubscription,omitempty"` // "" without uplinks
	Tiers                Tiers                `json:"switch_count"`
	Switches             []cabling.SwitchItem `json:"switches,omitempty"`
	Ports                Ports                `json:"ports"`
	Links                Links                `json:"links"`
	NICs                 []NICItem            `json:"nics,omitempty"`
	CableCount           int                  `json:"cable_count"`
	Cables               []cabling.CableItem  `json:"cables,omitempty"`
	Transceivers         Transceivers         `json:"transceivers"`
	Power                string               `json:"power,omitempty"`
	Errors               []Finding            `json:"errors,omitempty"` // findings that keep the design from working

	Cost *Cost `json:"cost,omitempty"`
}

// Tiers counts switches over all planes.
type Tiers struct {
	Leaf  int `json:"leaf"`
	Spine int `json:"spine"`
	Core  int `json:"core"`
	Total int `json:"total"`
}

// Ports counts the logical ports of all switches.
type Ports struct {
	Total    int `json:"total"`
	Used     int `json:"used"`
	Reserved int `json:"reserved"` // free, laid out for growth
	Spare    int `json:"spare"`
}

// Links counts links at the speed that their ports run.
type Links struct {
	Host      int `json:"host"` // UFM's included
	LeafSpine int `json:"leaf_spine"`
	SpineCore int `json:"spine_core"`
	Total     int `json:"total"`
}

// NICItem is a number of equal NICs.
type NICItem struct {
	Model      string `json:"model"` // "" not declared
	Count      int    `json:"count"`
	Integrated bool   `json:"integrated"` // part of the accelerator, no card
}

// Transceivers counts pluggable optics. Copper and active optical cables need none.
type Transceivers struct {
	LinkEnds  int         `json:"link_ends"`  // two for each optical link
	Modules   int         `json:"modules"`    // plugged in: a twin-port module in one cage serves several link ends
	OpenLinks int         `json:"open_links"` // links whose cable type is not declared: not counted
	Classes   []OpticItem `json:"classes"`
}

// OpticItem is the link ends of one speed and type.
type OpticItem struct {
	SpeedGbps int     `json:"speed_gbps"`
	Type      string  `json:"type"`
	LinkEnds  int     `json:"link_ends"`
	LengthM   float64 `json:"length_m"`
}

func describe(c *cluster.Cluster, f *fabric.Fabric, declared bool) Design {
	n := &f.Counts
	d := Design{
		Technology: string(f.Technology), Declared: declared, Possible: true, Topology: string(f.Topology), Planes: max(f.Planes, 1),
		Tiers: Tiers{n.Leaf, n.Spine, n.Core, n.Leaf + n.Spine + n.Core},
		Links: Links{len(f.Links) - n.LeafSpineLinks - n.SpineCoreLinks, n.LeafSpineLinks, n.SpineCoreLinks, len(f.Links)},
		Power: "unknown: the catalog has no power figures",
	}
	if r := f.LeafOversubscription; r.Down > 0 {
		d.LeafOversubscription = fmt.Sprintf("%d:%d", r.Down, r.Up)
	}
	bill := cabling.Materials(f)
	d.Switches, d.Cables = bill.Switches, bill.Cables
	for _, p := range bill.Ports {
		d.Ports.Used += p.Used
		d.Ports.Reserved += p.Reserved
		d.Ports.Spare += p.Spare
	}
	d.Ports.Total = d.Ports.Used + d.Ports.Reserved + d.Ports.Spare
	for _, k := range bill.Cables {
		d.CableCount += k.Count
	}
	d.NICs = countNICs(c)
	d.Transceivers = countTransceivers(f)
	for i := range f.Findings {
		if x := &f.Findings[i]; x.Severity == fabric.Error {
			d.Errors = append(d.Errors, Finding{string(x.Severity), x.Code, x.Message, x.Remedy})
		}
	}
	for i := range c.Servers {
		if s := &c.Servers[i]; f.Technology == fabric.RoCE && s.Count > 0 && s.NIC == "cx7-400-vpi" && s.NICSpeed == 400 {
			d.Notes = append(d.Notes, "ConnectX-7 does 400G Ethernet with recent firmware only: NVIDIA lists it from WinOF-2 25.7")
			break
		}
	}
	return d
}

func countNICs(c *cluster.Cluster) []NICItem {
	var items []NICItem
	for i := range c.Servers {
		s := &c.Servers[i]
		if s.Count*s.NICs == 0 {
			continue
		}
		nic := c.Catalog.NIC(s.NIC)
		item := NICItem{Model: s.NIC, Count: s.Count * s.NICs, Integrated: nic != nil && nic.PCIe == 0}
		at := slices.IndexFunc(items, func(o NICItem) bool { return o.Model == item.Model })
		if at < 0 {
			items = append(items, item)
			continue
		}
		items[at].Count += item.Count
	}
	return items
}

// pluggable reports whether links of a cable type end in transceivers.
func pluggable(cableType string) bool { return cableType == "multimode" || cableType == "singlemode" }

// countTransceivers counts link ends by the rule of two for each optical link,
// and modules by what is plugged in: one for each switch cage, and one for each
// cage of a NIC, whose twin-port cages share one cable.
func countTransceivers(f *fabric.Fabric) Transceivers {
	t := Transceivers{Classes: []OpticItem{}}
	type plug struct {
		kind         fabric.DeviceKind
		device, cage int
	}
	seen := map[plug]bool{}
	for i := range f.Links {
		l := &f.Links[i]
		if l.CableType == "" {
			t.OpenLinks++
		}
		if !pluggable(l.CableType) {
			continue
		}
		t.LinkEnds += 2
		t.add(OpticItem{SpeedGbps: l.SpeedGbps, Type: l.CableType, LinkEnds: 2, LengthM: l.LengthM})
		for _, e := range []fabric.End{l.A, l.B} {
			p := plug{e.Kind, e.Device, l.Cable}
			if e.Kind == fabric.SwitchDevice {
				p.cage = f.Switches[e.Device].Ports[e.Port].Cage
			}
			seen[p] = true
		}
	}
	t.Modules = len(seen)
	slices.SortFunc(t.Classes, func(a, b OpticItem) int {
		switch {
		case a.SpeedGbps != b.SpeedGbps:
			return a.SpeedGbps - b.SpeedGbps
		case a.Type != b.Type && a.Type < b.Type, a.Type == b.Type && a.LengthM < b.LengthM:
			return -1
		case a.Type == b.Type && a.LengthM == b.LengthM:
			return 0
		}
		return 1
	})
	return t
}

func (t *Transceivers) add(o OpticItem) {
	for i := range t.Classes {
		if k := &t.Classes[i]; k.SpeedGbps == o.SpeedGbps && k.Type == o.Type && k.LengthM == o.LengthM {
			k.LinkEnds += o.LinkEnds
			return
		}
	}
	t.Classes = append(t.Classes, o)
}

// optics lists the catalog's entries for one end of links, or one cable, of a
// class: whole (not split), of that speed, long enough; the shortest reach first.
func optics(c *catalog.Catalog, speed int, cableType string, length float64) []string {
	kinds := map[string]string{"dac": "copper", "acc": "active-copper", "aec": "active-copper", "aoc": "aoc", "multimode": "multimode", "singlemode": "singlemode"}
	var fit []*catalog.Optic
	for i := range c.Optics {
		if o := &c.Optics[i]; int(o.Speed) == speed && o.Split == "" && o.Kind == kinds[cableType] && o.Kind != "" && o.Reach >= length {
			fit = append(fit, o)
		}
	}
	slices.SortStableFunc(fit, func(a, b *catalog.Optic) int {
		switch {
		case a.Reach < b.Reach:
			return -1
		case a.Reach > b.Reach:
			return 1
		}
		return 0
	})
	ids := make([]string, len(fit))
	for i := range fit {
		ids[i] = fit[i].ID
	}
	return ids
}
