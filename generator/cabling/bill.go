package cabling

import (
	"cmp"
	"slices"

	"railyard/generator/fabric"
)

// Bill is what a fabric is made of, and what it leaves free.
type Bill struct {
	Switches []SwitchItem // by tier, model, OS
	Cables   []CableItem  // by tier, speed, length, type
	Ports    []PortItem   // by tier, model, speed
}

// SwitchItem is a number of equal switches.
type SwitchItem struct {
	Count  int         `json:"count"`
	Tier   fabric.Role `json:"tier"`
	Model  string      `json:"model"`
	Vendor string      `json:"vendor"`
	OS     string      `json:"os"`
}

// CableItem is a number of equal physical cables.
type CableItem struct {
	Count     int             `json:"count"`
	Tier      string          `json:"tier"` // server-leaf, leaf-spine, spine-core
	Kind      fabric.LinkKind `json:"kind"`
	SpeedGbps int             `json:"speed_gbps"` // of one link
	Links     int             `json:"links"`      // that one cable carries: 2 or more for twin and splitter cables
	LengthM   float64         `json:"length_m"`
	Type      string          `json:"type"` // "" open
}

// PortItem counts the ports of all switches of a tier, model and port speed.
type PortItem struct {
	Tier      fabric.Role `json:"tier"`
	Model     string      `json:"model"`
	SpeedGbps int         `json:"speed_gbps"`
	Used      int         `json:"used"`
	Reserved  int         `json:"reserved"` // free today, laid out for growth
	Spare     int         `json:"spare"`
}

var tiers = []fabric.Role{fabric.Leaf, fabric.Spine, fabric.Core}

// Materials counts switches, cables and spare ports. Transceivers are not in it:
// which cables need some depends on the product.
func Materials(f *fabric.Fabric) Bill {
	return Bill{Switches: billSwitches(f), Cables: billCables(f), Ports: billPorts(f)}
}

func byTier(a, b fabric.Role) int { return slices.Index(tiers, a) - slices.Index(tiers, b) }

func billSwitches(f *fabric.Fabric) []SwitchItem {
	count := map[SwitchItem]int{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		m := f.ModelOf(sw)
		count[SwitchItem{Tier: sw.Role, Model: m.ID, Vendor: m.Vendor, OS: sw.OS}]++
	}
	items := make([]SwitchItem, 0, len(count))
	for item, n := range count {
		item.Count = n
		items = append(items, item)
	}
	slices.SortFunc(items, func(a, b SwitchItem) int {
		return cmp.Or(byTier(a.Tier, b.Tier), cmp.Compare(a.Model, b.Model), cmp.Compare(a.OS, b.OS))
	})
	return items
}

func billCables(f *fabric.Fabric) []CableItem {
	first, links := cableLinks(f)
	count := map[CableItem]int{}
	var item CableItem
	run := 0 // of equal cables, which mostly follow each other
	for i := range f.Links {
		if first[i] < 0 {
			continue
		}
		l := &f.Links[i]
		tier := "server-leaf"
		if l.A.Kind == fabric.SwitchDevice {
			tier = tierPair(f.Switches[l.A.Device].Role, f.Switches[l.B.Device].Role)
		}
		now := CableItem{Tier: tier, Kind: l.Kind, SpeedGbps: l.SpeedGbps, Links: int(links[first[i]]), LengthM: l.LengthM, Type: l.CableType}
		if now != item && run > 0 {
			count[item] += run
			run = 0
		}
		item = now
		run++
	}
	if run > 0 {
		count[item] += run
	}
	items := make([]CableItem, 0, len(count))
	for item, n := range count {
		item.Count = n
		items = append(items, item)
	}
	rank := []string{"server-leaf", "leaf-spine", "spine-core"}
	slices.SortFunc(items, func(a, b CableItem) int {
		return cmp.Or(slices.Index(rank, a.Tier)-slices.Index(rank, b.Tier), cmp.Compare(a.SpeedGbps, b.SpeedGbps),
			cmp.Compare(a.Links, b.Links), cmp.Compare(a.LengthM, b.LengthM), cmp.Compare(a.Type, b.Type))
	})
	return items
}

func tierPair(low, high fabric.Role) string {
	switch {
	case low == fabric.Leaf && high == fabric.Spine:
		return "leaf-spine"
	case low == fabric.Spine && high == fabric.Core:
		return "spine-core"
	}
	return string(low) + "-" + string(high)
}

// cableLinks counts the links of each cable. It returns, for each link, the
// cable's place in the counts, or -1 for all links of a cable but the first.
func cableLinks(f *fabric.Fabric) (first []int, counts []int32) {
	most := 0
	for i := range f.Links {
		most = max(most, f.Links[i].Cable)
	}
	first = make([]int, len(f.Links))
	place := func(i int) int { return f.Links[i].Cable }
	if most > 16*len(f.Links) {
		// Numbers with wide gaps: give them places without any.
		places := make(map[int]int, len(f.Links))
		place = func(i int) int {
			n, ok := places[f.Links[i].Cable]
			if !ok {
				n = len(places)
				places[f.Links[i].Cable] = n
			}
			return n
		}
		most = len(f.Links)
	}
	counts = make([]int32, most+1)
	for i := range f.Links {
		n := place(i)
		first[i] = n
		if counts[n]++; counts[n] > 1 {
			first[i] = -1
		}
	}
	return first, counts
}

func billPorts(f *fabric.Fabric) []PortItem {
	type key struct {
		tier  fabric.Role
		model string
		speed int
	}
	at := map[key]int{}
	items := []PortItem{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		k, item := key{}, (*PortItem)(nil)
		for j := range sw.Ports {
			p := &sw.Ports[j]
			if now := (key{sw.Role, f.ModelOf(sw).ID, p.SpeedGbps}); item == nil || now != k {
				k = now
				n, ok := at[k]
				if !ok {
					n = len(items)
					at[k] = n
					items = append(items, PortItem{Tier: k.tier, Model: k.model, SpeedGbps: k.speed})
				}
				item = &items[n]
			}
			switch {
			case p.Role != fabric.UnusedPort && p.Link >= 0:
				item.Used++
			case p.Reserved:
				item.Reserved++
			default:
				item.Spare++
			}
		}
	}
	slices.SortFunc(items, func(a, b PortItem) int {
		return cmp.Or(byTier(a.Tier, b.Tier), cmp.Compare(a.Model, b.Model), cmp.Compare(a.SpeedGbps, b.SpeedGbps))
	})
	return items
}
