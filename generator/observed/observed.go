// Package observed is what running configurations say about losslessness, in
// words that no vendor owns: per switch and port the chain from a packet's
// marking to the queue that may be paused, each fact with the line it stands on.
//
// Extractors of the network operating systems fill it, package audit judges it.
// A fact without a line is a documented default of the system.
package observed

import (
	"fmt"
	"iter"
	"net/netip"
)

// MostPorts is more interfaces than a switch has, MostSettings more settings:
// extractors stop there, so that no text can fill the memory.
const (
	MostPorts    = 8192
	MostSettings = 16384
)

// Line is a line number of the switch's file, from 1; 0 when no line says it.
type Line = int32

// Row is one line of a configuration that is indented command lines.
type Row struct {
	Number Line
	Depth  int    // 0: at top level
	Text   string // without indentation and line end
}

// Text is a configuration of command lines, cleaned and cut into rows.
type Text struct {
	Head       string // the beginning of the file as it is, with its comments
	Rows       iter.Seq[Row]
	Interfaces int // about how many sections of interfaces it has
}

// Fault says why a text could not be read.
type Fault struct {
	Line   Line
	Reason string // lower case
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Reason
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
}

// Severity ranks remarks and findings.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // traffic that should be lossless is not, or a switch is not what its neighbours expect
	Warning Severity = "warning" // it works, at a price or until something else fails
	Info    Severity = "info"    // worth knowing
)

// Switch is what one switch's configuration says.
type Switch struct {
	Name     string
	File     string
	OS       string
	Hardware string   // model or platform as the configuration names it; "" when it does not
	Chips    []string // ASICs of the catalog that such a switch may have, where Hardware does not tell
	Ports    []Port
	Watchdog Watchdog
	Settings []Setting
	Remarks  []Remark
}

// Setting is something that holds for the whole switch and that switches of one
// kind should have alike: a pool's size, the times of the watchdog.
type Setting struct {
	Name, Value string // in the vendor's words
	Of          string // the profile or row it belongs to, which not every switch needs; "" for the switch
	Aspect      string
	At          Line
}

// Remark is something that only the rules of that vendor can tell.
type Remark struct {
	Severity     Severity
	Code, Aspect string
	Port         string // "" for the switch
	Line         Line
	Text, Remedy string
}

// Kind tells interfaces apart.
type Kind uint8

// The kinds that matter here; loopbacks and management ports are left out.
const (
	Physical  Kind = iota
	Aggregate      // a bundle of physical ports
	Gateway        // the router's interface in a VLAN
)

// Mode is how a physical port forwards.
type Mode uint8

// The modes.
const (
	Routed Mode = iota
	Access      // untagged in one VLAN
	Trunk       // tagged
)

// Trust is what of a packet the port believes.
type Trust uint8

// The trusts.
const (
	TrustUnknown Trust = iota
	TrustDSCP
	TrustDot1p
	TrustNone // every packet gets the port's own class
)

func (t Trust) String() string {
	return [...]string{"unknown", "dscp", "dot1p", "none"}[t]
}

// Port is one interface.
type Port struct {
	// What nearly every question looks at comes first: a fabric has hundreds of
	// thousands of ports, and they are gone through many times.
	Kind      Kind
	Mode      Mode
	Trust     Trust
	Down      bool // shut by the configuration
	NoCable   bool // declared as 0 m, which the system takes for "no lossless group"
	PFC       PFC
	Maps      *Maps // nil where the port has no classification
	VLAN      int   // Access: the VLAN; Gateway: its VLAN; 0 unknown
	SpeedGbps int   // 0 unknown
	At        Line  // where its section begins
	PauseAll  Line  // 802.3x pause is on there
	Policy    Line  // a traffic policy that was not followed may class packets there
	Watch     Watch
	MTU       MTU

	Name, Alias  string // Alias: a second name that neighbours may use
	Bundle       string
	Addresses    []netip.Prefix
	Description  string
	DescribedAt  Line
	Neighbor     string // device and port that the configuration records as the far end
	NeighborPort string
	TrustAt      Line
	Queues       [8]Queue
	Buffers      []Buffer
	CableM       float64 // declared cable, metres; 0 not declared
	CableAt      Line
}

// MTU is a size limit as written.
type MTU struct {
	Bytes int  // 0 unknown
	At    Line // 0: the default
	IP    bool // of the IP packet; otherwise of the frame's payload
}

// Set is a set of priorities, queues or groups 0 to 7.
type Set uint8

// Has reports whether n is in the set.
func (s Set) Has(n int) bool { return n >= 0 && n < 8 && s&(1<<n) != 0 }

// With is the set and n; numbers outside 0 to 7 change nothing.
func (s Set) With(n int) Set {
	if n < 0 || n > 7 {
		return s
	}
	return s | 1<<n
}

// List is the set's members, rising.
func (s Set) List() []int {
	out := []int{}
	for n := range 8 {
		if s.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

// PFC is priority flow control of a port.
type PFC struct {
	On         bool // switched on; the priorities alone do nothing
	OnAt       Line
	Auto       bool // left to negotiation
	Priorities Set
	At         Line // where the priorities stand
}

// Lossless is the priorities the port really pauses.
func (p PFC) Lossless() Set {
	if !p.On {
		return 0
	}
	return p.Priorities
}

// Step is one row of a map. To is -1 where nothing maps.
type Step struct {
	To int8
	At Line
}

// Maps is the chain that traffic on a port goes through. Ports share it.
type Maps struct {
	DSCP     [64]Step // to traffic class
	Dot1p    [8]Step  // to traffic class
	Queue    [8]Step  // traffic class to egress queue
	Group    [8]Step  // traffic class to ingress priority group
	Priority [8]Step  // priority group to the PFC priority it pauses
	Pause    [8]Step  // PFC priority received to the queue it stops
	Untagged int8     // class of packets whose marking is not trusted
	DSCPAt   Line     // where the map is bound or begins
	// Shared: the map belongs to the switch or to a name, not to one port.
	Shared bool
}

// Identity fills steps 0..7 with themselves.
func Identity(s *[8]Step) {
	for i := range s {
		s[i] = Step{To: int8(i)}
	}
}

// Eights fills the DSCP map with DSCP/8, the default of most systems.
func Eights(s *[64]Step) {
	for i := range s {
		s[i] = Step{To: int8(i / 8)}
	}
}

// Sched is a kind of scheduling.
type Sched uint8

// The kinds.
const (
	SchedUnknown Sched = iota
	Strict
	Weighted
)

// Queue is one egress queue of a port.
type Queue struct {
	ECN     *ECN // nil: nothing is configured
	ECNAt   Line // where it is bound to the port
	Sched   Sched
	Weight  int32 // as written
	SchedAt Line
	Lossy   Line // the line that gives it a buffer that drops; 0 when none does
	Kept    bool // a line gives it a buffer that does not drop
}

// ECN is a marking band, in the unit it is written in.
type ECN struct {
	Min, Max int64
	Unit     string // bytes, kbytes, mbytes, cells, percent, segments, milliseconds, …
	Percent  int    // marking probability at Max
	Active   bool
	Why      string // when not active: what is missing
	At       Line
	BandAt   Line // where the limits stand, if that is another line
	Own      bool // At is the line of one queue; otherwise of a profile that queues share
}

// Buffer is what is reserved for one priority on a port.
type Buffer struct {
	Priority int
	Headroom int64 // what may arrive after the pause; 0 not said
	Unit     string
	Xoff     int64 // fixed threshold at which it pauses; 0 when it floats
	XoffUnit string
	Share    int64 // where it floats: bytes one of eight congested groups may hold, 0 unknown
	Dynamic  int32 // where it floats: the setting as written
	Lossy    bool  // the priority group has a profile that drops
	Of       string
	LengthM  float64 // cable the profile is made for, 0 not said
	At       Line
	XoffAt   Line
}

// Watch is the watchdog on a port.
type Watch struct {
	Priorities Set // watched
	At         Line
	Known      bool   // the configuration or a documented default says it
	Times      string // of this port, in the vendor's words; "" where they hold for the switch
	TimesAt    Line
}

// Watchdog is what a switch's watchdog is set to; zero milliseconds are unknown.
type Watchdog struct {
	Enabled                     bool
	DetectMS, RestoreMS, PollMS int
	Action                      string
	Written                     string // where the unit of the times is not documented: the lines as they stand
	At                          Line
	DetectAt                    Line
}
