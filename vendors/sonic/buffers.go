package sonic

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"railyard/generator/fabric"
)

// style is how a switch's SONiC manages its packet buffer.
type style string

const (
	// broadcom: buffer_model traditional. size of a lossless group is a small
	// guaranteed minimum, and xoff comes from the pool's shared headroom.
	broadcom style = "broadcom"
	// nvidia: buffer_model dynamic. size of a lossless group includes its
	// headroom, and the switch works out the pools.
	nvidia style = "nvidia"
)

// bufferData is what a HwSKU's buffer files say; bytes. Zero is not known.
type bufferData struct {
	Style   style `yaml:"style"`
	Ingress struct {
		Size, Xoff int64
	} `yaml:"ingress"`
	Egress struct {
		Size int64
		Mode string
	} `yaml:"egress"`
	IngressLossy   threshold     `yaml:"ingress_lossy"`
	EgressLossless threshold     `yaml:"egress_lossless"`
	EgressLossy    threshold     `yaml:"egress_lossy"`
	Group          *groupShape   `yaml:"group"`
	Lengths        map[int][]int `yaml:"lengths"` // by Gb/s: the cable lengths (m) of pg_profile_lookup.ini
}

// groupShape is what all lossless groups of a HwSKU share: the guaranteed
// minimum and when to resume.
type groupShape struct {
	Size      int64 `yaml:"size"`
	Xon       int64 `yaml:"xon"`
	XonOffset int64 `yaml:"xon_offset"`
}

// threshold bounds what a profile may take from its pool: StaticTh bytes, or
// 2^DynamicTh times what is free.
type threshold struct {
	Size      int64 `yaml:"size"`
	StaticTh  int64 `yaml:"static_th"`
	DynamicTh int   `yaml:"dynamic_th"`
}

// buffers is the buffer plan of one switch.
type buffers struct {
	bufferData
	cell    int
	derived bool // pools worked out here, not published
}

// planBuffers takes the HwSKU's pools, or works them out from the model's
// buffer and the headroom of a full panel, which is asked for only then and
// gets at most half of the buffer.
func planBuffers(p *platform, s *sku, m *fabric.Model, headroom func() int64) (*buffers, error) {
	b := &buffers{bufferData: bufferData{Style: broadcom}, cell: m.CellBytes}
	switch {
	case s.Buffer != nil:
		b.bufferData = *s.Buffer
	case p.Buffer != nil:
		b.bufferData = *p.Buffer
	case m.Vendor == "nvidia":
		b.Style = nvidia
	}
	if b.Egress.Size > 0 {
		return b, nil
	}
	if m.BufferBytes == 0 {
		return b, errNoBuffer
	}
	b.derived = true
	b.Egress.Size, b.Egress.Mode = m.BufferBytes, "static"
	if b.Style == nvidia {
		return b, nil
	}
	// Counted apart, so that shared pool and headroom never exceed the buffer
	// whichever way the SAI reads the two numbers.
	b.Ingress.Xoff = min(headroom(), m.BufferBytes/2)
	b.Ingress.Size = m.BufferBytes - b.Ingress.Xoff
	// The thresholds of the generic Tomahawk profiles (device/common/profiles).
	b.IngressLossy = threshold{DynamicTh: 3}
	b.EgressLossless = threshold{StaticTh: m.BufferBytes}
	b.EgressLossy = threshold{Size: roundUp(minFrame, b.cell), DynamicTh: 0}
	return b, nil
}

var errNoBuffer = errors.New("no buffer pools are known for the model, nor its buffer size")

// minFrame is the untagged standard frame that a lossy queue is always granted.
const minFrame = 1518

func roundUp(n int64, cell int) int64 {
	if cell <= 0 {
		return n
	}
	c := int64(cell)
	return (n + c - 1) / c * c
}

// group is the lossless profile of ports with one speed and cable length.
type group struct {
	name   string
	metres int
	fields []field
}

// group names and shapes the lossless profile for a plan profile. Traditional
// switches look profiles up by speed and cable length and take over one that is
// there already, so the name is the one they would make themselves.
func (b *buffers) group(p *fabric.Profile) group {
	metres, _ := b.metres(p)
	g := group{metres: metres}
	id := strconv.Itoa(p.SpeedGbps*1000) + "_" + strconv.Itoa(metres) + "m"
	if b.Style == nvidia {
		// Not the name that the dynamic manager makes: it would replace its own.
		g.name = "pg_roce_" + id + "_profile"
		g.fields = bufferProfile{pool: ingressLossless, group: true, size: int64(p.SizeBytes), xon: int64(p.XonBytes), xoff: int64(p.XoffBytes), dynamic: true, alpha: p.AlphaLog2}.fields()
		return g
	}
	g.name = "pg_lossless_" + id + "_profile"
	shape := b.shape(p)
	g.fields = bufferProfile{pool: ingressLossless, group: true, size: shape.Size, xon: shape.Xon, xonOffset: shape.XonOffset,
		xoff: int64(p.XoffBytes), dynamic: true, alpha: p.AlphaLog2}.fields()
	return g
}

// shape is the HwSKU's, or one frame of guaranteed minimum as on the DellEMC
// Z9664F where none is known.
func (b *buffers) shape(p *fabric.Profile) groupShape {
	if b.Group != nil {
		return *b.Group
	}
	frame := roundUp(int64(max(p.MTU, minFrame)), b.cell)
	return groupShape{Size: frame, Xon: int64(p.XonBytes), XonOffset: frame}
}

// metres is the cable length as the switch is told: the next one that its
// lookup table has, else whole metres. rounded says that a table's was taken.
func (b *buffers) metres(p *fabric.Profile) (metres int, rounded bool) {
	metres = int(math.Ceil(p.LengthM))
	if b.Style == nvidia {
		return max(metres, 1), false
	}
	for _, have := range b.Lengths[p.SpeedGbps] {
		if have >= metres {
			return have, have != metres
		}
	}
	return max(metres, 1), false
}

const (
	ingressLossless = "ingress_lossless_pool"
	ingressLossy    = "ingress_lossy_pool"
	egressLossless  = "egress_lossless_pool"
	egressLossy     = "egress_lossy_pool"
)

type bufferPool struct {
	typ, mode  string
	size, xoff int64
}

func (p bufferPool) fields() []field {
	return some(str("mode", p.mode), positive("size", p.size), str("type", p.typ), positive("xoff", p.xoff))
}

func positive(name string, n int64) field {
	if n <= 0 {
		return str(name, "")
	}
	return num(name, n)
}

type bufferProfile struct {
	pool                       string
	size, xon, xoff, xonOffset int64
	group                      bool // of a lossless group: xon and xoff even when zero
	dynamic                    bool
	alpha                      int
	static                     int64
}

func (p bufferProfile) fields() []field {
	out := []field{str("pool", p.pool), num("size", p.size)}
	if p.dynamic {
		out = append([]field{num("dynamic_th", int64(p.alpha))}, out...)
	} else {
		out = append(out, num("static_th", p.static))
	}
	if p.group {
		out = append(out, num("xoff", p.xoff), num("xon", p.xon))
		if p.xonOffset > 0 {
			out = append(out, num("xon_offset", p.xonOffset))
		}
	}
	return out
}

func (t threshold) profile(pool string) bufferProfile {
	return bufferProfile{pool: pool, size: t.Size, dynamic: t.StaticTh == 0, alpha: t.DynamicTh, static: t.StaticTh}
}

// writePools writes the pools and the profiles that do not depend on ports.
func (b *buffers) writePools(out *builder, alpha int) {
	if b.Style == broadcom {
		out.add("BUFFER_POOL", ingressLossless, bufferPool{"ingress", "dynamic", b.Ingress.Size, b.Ingress.Xoff})
		out.add("BUFFER_POOL", egressLossless, bufferPool{"egress", b.Egress.Mode, b.Egress.Size, 0})
		out.add("BUFFER_PROFILE", "ingress_lossy_profile", b.IngressLossy.profile(ingressLossless))
		out.add("BUFFER_PROFILE", "egress_lossless_profile", b.EgressLossless.profile(egressLossless))
		out.add("BUFFER_PROFILE", "egress_lossy_profile", b.EgressLossy.profile(egressLossless))
		return
	}
	// Shared by all shipped Spectrum HwSKUs (buffers_defaults_objects.j2); the
	// switch sizes the other pools by itself.
	out.add("BUFFER_POOL", ingressLossless, bufferPool{"ingress", "dynamic", 0, 0})
	out.add("BUFFER_POOL", ingressLossy, bufferPool{"ingress", "dynamic", 0, 0})
	out.add("BUFFER_POOL", egressLossless, bufferPool{"egress", "dynamic", b.Egress.Size, 0})
	out.add("BUFFER_POOL", egressLossy, bufferPool{"egress", "dynamic", 0, 0})
	out.add("BUFFER_PROFILE", "ingress_lossless_profile", threshold{DynamicTh: 7}.profile(ingressLossless))
	out.add("BUFFER_PROFILE", "ingress_lossy_profile", threshold{DynamicTh: 3}.profile(ingressLossy))
	out.add("BUFFER_PROFILE", "egress_lossless_profile", threshold{DynamicTh: 7}.profile(egressLossless))
	out.add("BUFFER_PROFILE", "egress_lossy_profile", threshold{Size: 9216, DynamicTh: 7}.profile(egressLossy))
	out.add("BUFFER_PROFILE", "q_lossy_profile", threshold{DynamicTh: 3}.profile(egressLossy))
	out.addFields("DEFAULT_LOSSLESS_BUFFER_PARAMETER", listName, []field{num("default_dynamic_th", int64(alpha))})
}

// listName is the one row that the buffer managers read of CABLE_LENGTH and
// DEFAULT_LOSSLESS_BUFFER_PARAMETER.
const listName = "AZURE"

// queueProfiles covers queues 0 to last with lossless and lossy profiles.
func (b *buffers) queueProfiles(lossless []int, last int) []queueProfile {
	lossy := "egress_lossy_profile"
	if b.Style == nvidia {
		lossy = "q_lossy_profile"
	}
	var out []queueProfile
	for q := 0; q <= last; q++ {
		name := lossy
		if slices.Contains(lossless, q) {
			name = "egress_lossless_profile"
		}
		if n := len(out); n > 0 && out[n-1].profile == name {
			out[n-1].high = q
		} else {
			out = append(out, queueProfile{span: span{q, q}, profile: name})
		}
	}
	for i := range out {
		out[i].key = "|" + out[i].String()
	}
	return out
}

type queueProfile struct {
	span
	key     string // "|0-2"
	profile string
}

// runs turns sorted numbers into ranges of neighbours, as the buffer manager
// groups the priorities of pfc_enable.
func runs(numbers []int) []span {
	var out []span
	for _, n := range numbers {
		if k := len(out); k > 0 && out[k-1].high == n-1 {
			out[k-1].high = n
		} else {
			out = append(out, span{n, n})
		}
	}
	return out
}

func (s span) String() string {
	if s.low == s.high {
		return strconv.Itoa(s.low)
	}
	return strconv.Itoa(s.low) + "-" + strconv.Itoa(s.high)
}
