package sonic

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"railyard/generator/fabric"
)

//go:embed platforms.yaml
var platformData []byte

// platform is the lane map of one switch model and what belongs to its HwSKUs.
type platform struct {
	Models     []string          `yaml:"models"`
	Lanes      int               `yaml:"lanes"` // of a cage
	First      firstLanes        `yaml:"first"`
	Name       naming            `yaml:"name"`
	Alias      aliasing          `yaml:"alias"`
	Index      int               `yaml:"index"`
	Modes      map[string]string `yaml:"modes"`
	SKUs       []sku             `yaml:"skus"`
	Buffer     *bufferData       `yaml:"buffer"`
	WholeOnly  bool              `yaml:"whole_only"` // the names of children are not known
	NamesVary  bool              `yaml:"names_vary"` // images of the same box name ports differently
	Source     string            `yaml:"source"`
	Confidence string            `yaml:"confidence"`

	rows map[int][]portRow // a port_config.ini's own rows, by cage; nil for embedded platforms
}

// naming makes EthernetN: base + step * (cage-1), plus a child's lane offset.
type naming struct{ Base, Step int }

// aliasing holds the patterns of an alias; empty where none is known.
type aliasing struct{ Whole, Part string }

// sku is a HwSKU; Mode, such as 2x400, says how all its cages are run.
type sku struct {
	Name   string      `yaml:"name"`
	Mode   string      `yaml:"mode"`
	Buffer *bufferData `yaml:"buffer"`
}

// firstLanes is the first lane of every cage, as a list or as start, step and count.
type firstLanes []int

// UnmarshalYAML reads either form.
func (f *firstLanes) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]int)(f))
	}
	var run struct{ Start, Step, Count int }
	if err := n.Decode(&run); err != nil {
		return err
	}
	for i := range run.Count {
		*f = append(*f, run.Start+i*run.Step)
	}
	return nil
}

// loadPlatforms reads the embedded platforms by model id.
func loadPlatforms() (map[string]*platform, error) {
	var data struct {
		Platforms []*platform `yaml:"platforms"`
	}
	dec := yaml.NewDecoder(strings.NewReader(string(platformData)))
	dec.KnownFields(true)
	if err := dec.Decode(&data); err != nil {
		return nil, fmt.Errorf("sonic platforms: %w", err)
	}
	byModel := map[string]*platform{}
	for _, p := range data.Platforms {
		for _, m := range p.Models {
			if byModel[m] != nil {
				return nil, fmt.Errorf("sonic platforms: %s comes twice", m)
			}
			byModel[m] = p
		}
	}
	return byModel, nil
}

// portRow is what CONFIG_DB's PORT table says of where a port sits.
type portRow struct {
	name    string
	lanes   []int
	alias   string // "" when not known
	index   int
	subport int
}

// port places a port on the platform; false when the lane map does not say
// how: an unknown cage, a split that does not divide the lanes, or children
// whose names are not known.
func (p *platform) port(port *fabric.Port) (portRow, bool) {
	split := max(port.Split, 1)
	child := max(port.Lane, 1) - 1
	if port.Cage < 1 || port.Cage > len(p.First) || child >= split {
		return portRow{}, false
	}
	if rows := p.rows[port.Cage]; len(rows) == split {
		return rows[child], true
	}
	if p.Lanes%split != 0 || split > 1 && p.WholeOnly {
		return portRow{}, false
	}
	each := p.Lanes / split
	r := portRow{
		name:  "Ethernet" + strconv.Itoa(p.baseName(port.Cage)+child*each),
		index: p.Index + port.Cage - 1,
		lanes: make([]int, each),
	}
	for i := range r.lanes {
		r.lanes[i] = p.First[port.Cage-1] + child*each + i
	}
	if p.rows != nil { // the rows of the file are a different split: its names and lanes lead, its aliases do not fit
		all := p.cageLanes(port.Cage)
		copy(r.lanes, all[child*each:])
		r.index = p.rows[port.Cage][0].index
	}
	if split > 1 {
		r.subport = child + 1
		r.alias = p.Alias.expand(p.Alias.Part, port.Cage, child, each)
	} else if p.rows == nil {
		r.alias = p.Alias.expand(p.Alias.Whole, port.Cage, child, each)
	}
	return r, true
}

// baseName is the N of a cage's EthernetN.
func (p *platform) baseName(cage int) int {
	if rows := p.rows[cage]; len(rows) > 0 {
		n, _ := strconv.Atoi(strings.TrimPrefix(rows[0].name, "Ethernet"))
		return n
	}
	return p.Name.Base + p.Name.Step*(cage-1)
}

func (p *platform) cageLanes(cage int) []int {
	var all []int
	for _, r := range p.rows[cage] {
		all = append(all, r.lanes...)
	}
	return all
}

// expand fills in a pattern. It runs for every port, so it is plain text work.
func (a aliasing) expand(pattern string, cage, child, lanes int) string {
	var b []byte
	for pattern != "" {
		text, rest, found := strings.Cut(pattern, "{")
		b = append(b, text...)
		if !found {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		switch name {
		case "cage":
			b = strconv.AppendInt(b, int64(cage), 10)
		case "letter":
			b = append(b, byte('a'+child))
		case "child":
			b = strconv.AppendInt(b, int64(child+1), 10)
		case "lane":
			b = strconv.AppendInt(b, int64(child*lanes+1), 10)
		}
		pattern = after
	}
	return string(b)
}

// mode names how a port's cage is run, such as 2x400.
func mode(port *fabric.Port) string {
	return strconv.Itoa(max(port.Split, 1)) + "x" + strconv.Itoa(port.SpeedGbps)
}

// sku picks the HwSKU for how a switch's cages are run, now or within its
// reserve; other ports run as their cages do. exact is false when no HwSKU is
// known for the mix.
func (p *platform) sku(sw *fabric.Switch, model *fabric.Model) (chosen *sku, exact bool) {
	var modes []string
	whole, known := true, true
	for i := range sw.Ports {
		port := &sw.Ports[i]
		if port.Link < 0 && !port.Reserved {
			continue
		}
		m := mode(port)
		if slices.Contains(modes, m) {
			continue
		}
		modes = append(modes, m)
		whole = whole && port.Split <= 1 && port.SpeedGbps == cageSpeed(model, port.Cage)
		known = known && p.Modes[m] != ""
	}
	for i := range p.SKUs {
		if s := &p.SKUs[i]; len(modes) == 1 && s.Mode == modes[0] {
			return s, true
		}
	}
	// A platform that splits ports freely, or has one HwSKU whose platform.json
	// lists the splits, needs none of its own for a mix.
	free := p.Buffer != nil && p.Buffer.Style == nvidia || known && len(p.SKUs) == 1
	return &p.SKUs[0], p.SKUs[0].Mode == "" && (whole || free || p.rows != nil)
}

func cageSpeed(m *fabric.Model, cage int) int {
	for i := range m.Cages {
		if m.Cages[i].Number == cage {
			return m.Cages[i].SpeedGbps
		}
	}
	return 0
}
