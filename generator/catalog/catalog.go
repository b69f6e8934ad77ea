// Package catalog is what railyard knows of hardware: accelerators, servers,
// NICs, switches, ASICs, PCIe and optics. Every entry carries how well it is
// known; what a user declares always overrides it.
package catalog

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"railyard/generator/quantity"
)

//go:embed *.yaml
var files embed.FS

// Confidence says how an entry is known: doc (vendor documentation or source),
// field (press, blog, real configuration), inferred (derived), unverified
// (commonly quoted, not re-read) or declared (by the user).
type Confidence string

// The confidence of user declarations.
const Declared Confidence = "declared"

// Catalog is a set of entries, each list sorted by id.
type Catalog struct {
	GPUs     []GPU             `yaml:"gpus"`
	Servers  []Server          `yaml:"servers"`
	NICs     []NIC             `yaml:"nics"`
	PCIe     []PCIe            `yaml:"pcie"`
	ASICs    []ASIC            `yaml:"asics"`
	Switches []Switch          `yaml:"switches"`
	Optics   []Optic           `yaml:"optics"`
	Sources  map[string]string `yaml:"sources"`
}

// GPU is an accelerator.
type GPU struct {
	ID            string           `yaml:"id"`
	Vendor        string           `yaml:"vendor,omitempty"`
	Class         string           `yaml:"class,omitempty"` // datacenter, consumer, domestic, rack
	PCIe          int              `yaml:"pcie"`            // generation of the host interface
	Lanes         int              `yaml:"lanes,omitempty"`
	ScaleUp       string           `yaml:"scaleup,omitempty"` // nvlink4, …; none
	NICSpeeds     []quantity.Speed `yaml:"nic_speeds,omitempty"`
	GPUDirect     string           `yaml:"gpudirect,omitempty"` // yes, no, unknown
	IntegratedNIC bool             `yaml:"integrated_nic,omitempty"`
	RoCEOnly      bool             `yaml:"roce_only,omitempty"`
	Library       string           `yaml:"collective_library,omitempty"`
	Source        string           `yaml:"source,omitempty"`
	Confidence    Confidence       `yaml:"confidence,omitempty"`
}

// Server is a server model.
type Server struct {
	ID         string     `yaml:"id"`
	GPU        string     `yaml:"gpu,omitempty"`
	GPUs       int        `yaml:"gpus"`
	NIC        string     `yaml:"nic,omitempty"`
	NICs       int        `yaml:"nics"`               // compute NICs; 0 unknown, to be declared
	PCIe       int        `yaml:"pcie"`               // generation of the NIC slots; 0 as the NIC's
	PerRack    int        `yaml:"per_rack,omitempty"` // servers (trays) a rack, 0 unknown
	Source     string     `yaml:"source,omitempty"`
	Confidence Confidence `yaml:"confidence,omitempty"`
}

// NIC is a network card (or a port that the accelerator brings itself).
type NIC struct {
	ID         string           `yaml:"id"`
	Vendor     string           `yaml:"vendor,omitempty"`
	Ports      []quantity.Split `yaml:"ports,omitempty"` // possible port sets: 1x400G, 2x200G
	PCIe       int              `yaml:"pcie"`            // 0: not behind PCIe
	Lanes      int              `yaml:"lanes,omitempty"`
	IB         []string         `yaml:"ib,omitempty"`        // InfiniBand rates it speaks; empty: none
	TwinCage   bool             `yaml:"twin_cage,omitempty"` // two ports leave through one twin-port cage and one cable
	Source     string           `yaml:"source,omitempty"`
	Confidence Confidence       `yaml:"confidence,omitempty"`
}

// PCIe is the rate of one slot, per direction, in Gb/s. Usable assumes 256-byte
// memory writes: raw * 256/(256+24) * 0.99.
type PCIe struct {
	Gen        int     `yaml:"gen,omitempty"`
	Lanes      int     `yaml:"lanes,omitempty"`
	RawGbps    float64 `yaml:"raw_gbps,omitempty"`
	UsableGbps int     `yaml:"usable_gbps,omitempty"`
}

// ASIC is a switch chip.
type ASIC struct {
	ID         string        `yaml:"id"`
	Name       string        `yaml:"name,omitempty"`
	Buffer     quantity.Size `yaml:"buffer,omitempty"` // 0 unknown
	Cell       int           `yaml:"cell,omitempty"`   // bytes, 0 unknown
	Deep       bool          `yaml:"deep,omitempty"`   // off-chip buffer
	VOQ        bool          `yaml:"voq,omitempty"`
	IB         string        `yaml:"ib,omitempty"`
	Source     string        `yaml:"source,omitempty"`
	Confidence Confidence    `yaml:"confidence,omitempty"`
}

// Switch is a switch model.
type Switch struct {
	ID              string        `yaml:"id"`
	Vendor          string        `yaml:"vendor,omitempty"`
	OS              []string      `yaml:"os,omitempty"`   // the first is the usual one; empty: externally managed
	Kind            string        `yaml:"kind,omitempty"` // eth, ib, eth-chassis, eth-ddc
	DDC             string        `yaml:"ddc,omitempty"`  // ncp (packet) or ncf (cell)
	Family          string        `yaml:"family,omitempty"`
	ASIC            string        `yaml:"asic,omitempty"`
	Ports           []Ports       `yaml:"ports,omitempty"`             // front panel in order; empty: to be declared
	Buffer          quantity.Size `yaml:"buffer,omitempty"`            // overrides the ASIC's
	Cell            int           `yaml:"cell,omitempty"`              // overrides the ASIC's
	MaxLogicalPorts int           `yaml:"max_logical_ports,omitempty"` // 0: no limit beyond the cages
	PortGroups      *PortGroups   `yaml:"port_groups,omitempty"`
	Note            string        `yaml:"note,omitempty"`
	Source          string        `yaml:"source,omitempty"`
	Confidence      Confidence    `yaml:"confidence,omitempty"`
}

// Ports is a run of equal cages.
type Ports struct {
	Count    int              `yaml:"count,omitempty"`
	Speed    quantity.Speed   `yaml:"speed,omitempty"` // of the whole cage
	Form     string           `yaml:"form,omitempty"`
	Breakout []quantity.Split `yaml:"breakout,omitempty"` // ways to run it besides whole
	Twin     bool             `yaml:"twin,omitempty"`     // always two logical ports (InfiniBand OSFP)
	Fabric   bool             `yaml:"fabric,omitempty"`   // DDC cell port
}

// PortGroups bounds the logical ports that neighbouring cages may have together
// (a pipeline of the ASIC).
type PortGroups struct {
	Cages [][]int `yaml:"cages,omitempty"` // cage numbers of each group
	Size  int     `yaml:"size,omitempty"`  // or: every Size cages in order form a group
	Max   int     `yaml:"max,omitempty"`
}

// Optic is a cable or transceiver class.
type Optic struct {
	ID         string         `yaml:"id"`
	Part       string         `yaml:"part,omitempty"`
	Speed      quantity.Speed `yaml:"speed,omitempty"`
	Split      string         `yaml:"split,omitempty"`
	Form       string         `yaml:"form,omitempty"`
	Reach      float64        `yaml:"reach,omitempty"` // metres
	Kind       string         `yaml:"kind,omitempty"`  // copper, active-copper, aoc, multimode, singlemode
	Source     string         `yaml:"source,omitempty"`
	Confidence Confidence     `yaml:"confidence,omitempty"`
}

// Load returns the embedded catalog.
func Load() (*Catalog, error) {
	var all Catalog
	names, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		body, err := files.ReadFile(n.Name())
		if err != nil {
			return nil, err
		}
		dec := yaml.NewDecoder(strings.NewReader(string(body)))
		dec.KnownFields(true)
		var part Catalog
		if err := dec.Decode(&part); err != nil {
			return nil, fmt.Errorf("catalog %s: %w", n.Name(), err)
		}
		if part.Sources != nil {
			all.Sources = part.Sources
		}
		all.Overlay(part)
	}
	return &all, nil
}

// Overlay adds the entries of over; an entry with a known id replaces the old one.
func (c *Catalog) Overlay(over Catalog) {
	c.GPUs = merge(c.GPUs, over.GPUs, func(e GPU) string { return e.ID })
	c.Servers = merge(c.Servers, over.Servers, func(e Server) string { return e.ID })
	c.NICs = merge(c.NICs, over.NICs, func(e NIC) string { return e.ID })
	c.PCIe = merge(c.PCIe, over.PCIe, func(e PCIe) string { return fmt.Sprintf("%dx%02d", e.Gen, e.Lanes) })
	c.ASICs = merge(c.ASICs, over.ASICs, func(e ASIC) string { return e.ID })
	c.Switches = merge(c.Switches, over.Switches, func(e Switch) string { return e.ID })
	c.Optics = merge(c.Optics, over.Optics, func(e Optic) string { return e.ID })
}

func merge[E any](base, over []E, id func(E) string) []E {
	for _, e := range over {
		if i := slices.IndexFunc(base, func(b E) bool { return id(b) == id(e) }); i >= 0 {
			base[i] = e
		} else {
			base = append(base, e)
		}
	}
	slices.SortFunc(base, func(a, b E) int { return strings.Compare(id(a), id(b)) })
	return base
}

func find[E any](list []E, id string, of func(E) string) *E {
	for i := range list {
		if of(list[i]) == id {
			return &list[i]
		}
	}
	return nil
}

// GPU returns the accelerator with that id, nil when unknown.
func (c *Catalog) GPU(id string) *GPU { return find(c.GPUs, id, func(e GPU) string { return e.ID }) }

// Server returns the server with that id, nil when unknown.
func (c *Catalog) Server(id string) *Server {
	return find(c.Servers, id, func(e Server) string { return e.ID })
}

// NIC returns the card with that id, nil when unknown.
func (c *Catalog) NIC(id string) *NIC { return find(c.NICs, id, func(e NIC) string { return e.ID }) }

// ASIC returns the chip with that id, nil when unknown.
func (c *Catalog) ASIC(id string) *ASIC {
	return find(c.ASICs, id, func(e ASIC) string { return e.ID })
}

// Switch returns the switch with that id, nil when unknown.
func (c *Catalog) Switch(id string) *Switch {
	return find(c.Switches, id, func(e Switch) string { return e.ID })
}

// UsablePCIe returns the payload rate of a slot in Gb/s, 0 when it is not known.
func (c *Catalog) UsablePCIe(gen, lanes int) int {
	for _, p := range c.PCIe {
		if p.Gen == gen && p.Lanes == lanes {
			return p.UsableGbps
		}
	}
	return 0
}

// Modes lists the ways a cage can be run, whole first, then by falling speed
// and rising number of children.
func (p Ports) Modes() []quantity.Split {
	var modes []quantity.Split
	if !p.Twin {
		modes = append(modes, quantity.Split{Children: 1, Speed: p.Speed})
	}
	for _, b := range p.Breakout {
		if !slices.Contains(modes, b) {
			modes = append(modes, b)
		}
	}
	return modes
}

// Children returns into how many ports of that speed a cage can be split at
// the most; 0 when it cannot run that speed.
func (p Ports) Children(speed int) int {
	most := 0
	for _, m := range p.Modes() {
		if int(m.Speed) == speed && m.Children > most {
			most = m.Children
		}
	}
	return most
}

// Radix is the number of logical ports of that speed when every cage that can
// run it does. DDC cell ports do not count.
func (s *Switch) Radix(speed int) int {
	n := 0
	for _, p := range s.Ports {
		if !p.Fabric {
			n += p.Count * p.Children(speed)
		}
	}
	if s.MaxLogicalPorts > 0 && n > s.MaxLogicalPorts {
		n = s.MaxLogicalPorts
	}
	return n
}
