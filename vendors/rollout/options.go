package rollout

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"railyard/generator/fabric"
	"railyard/generator/hostlist"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/rollout/targets"
)

// Builder makes the OpenConfig document of a switch and says what it leaves out.
type Builder func(f *fabric.Fabric, sw *fabric.Switch) (document []byte, gaps []dialect.Manual, err error)

// Options are one run. Fabric, Render, Targets, Open, Differ and Journal must be set.
type Options struct {
	Fabric *fabric.Fabric
	// Render hands every switch's files to emit, which is safe for concurrent use.
	Render     func(ctx context.Context, emit func(*fabric.Switch, []fabric.File) error) error
	Differ     dialect.Differ
	OpenConfig Builder // nil without one
	Targets    *targets.File
	Open       targets.Files // opens what the targets file refers to
	// Insecure permits what the targets file asks for: no TLS, or no verification.
	Insecure bool
	// Connect opens the connections below TLS; nil: TCP.
	Connect func(ctx context.Context, address string) (net.Conn, error)
	// Select are host lists or globs of switch names, ! in front leaves out, the
	// later wins; empty: all.
	Select []string
	// Ignore are patterns of what the site manages by itself, as diff takes them:
	// push neither shows nor changes it.
	Ignore []string
	DryRun bool // read and show, change nothing

	MaxParallel int           // devices talked to at once; 0: 32
	WaveSize    int           // switches of a wave; 0: 32; less than 0: what redundancy allows
	StopAfter   int           // failures that stop the push; 0: 1
	Pause       time.Duration // between waves
	// CommitTimeout is after how long an unconfirmed switch reverts by itself,
	// where it can; 0: 5 minutes.
	CommitTimeout time.Duration
	// VerifyTimeout is how long a switch may take to come back and to have its
	// sessions again; 0: 2 minutes.
	VerifyTimeout time.Duration

	Allow   []string // codes of error findings that an expert overrules
	Journal string   // folder
	Run     string   // name of the run, which must sort after those before; "": made of the time
	// Confirm is shown what would happen and decides; nil: yes.
	Confirm func(*Preview) (bool, error)
	Events  func(Event) // called one at a time; may be nil
}

// Defaults of the two times.
const (
	DefaultCommitTimeout = 5 * time.Minute
	DefaultVerifyTimeout = 2 * time.Minute
)

// Event is something that happened.
type Event struct {
	Time    time.Time `json:"time"`
	Level   string    `json:"level"` // info, warning, error
	Phase   string    `json:"phase"` // security, prepare, wave, apply, verify, commit, restore
	Switch  string    `json:"switch,omitempty"`
	Message string    `json:"message"`
}

// ready fills in defaults and refuses what makes no sense together.
func (o *Options) ready() error {
	o.defaults()
	switch {
	case o.MaxParallel < 0 || o.StopAfter < 0 || o.Pause < 0 || o.CommitTimeout < 0 || o.VerifyTimeout < 0:
		return errors.New("counts and times of a push cannot be negative (wave size -1: no bound)")
	case o.CommitTimeout <= o.VerifyTimeout:
		return fmt.Errorf("a switch would revert (commit-confirm %s) before it had its time to be verified (verify-timeout %s): make the first longer", o.CommitTimeout, o.VerifyTimeout)
	}
	return nil
}

func (o *Options) defaults() {
	set := func(v *int, to int) {
		if *v == 0 {
			*v = to
		}
	}
	set(&o.MaxParallel, 32)
	set(&o.WaveSize, 32)
	set(&o.StopAfter, 1)
	o.WaveSize = max(o.WaveSize, 0)
	if o.CommitTimeout == 0 {
		o.CommitTimeout = DefaultCommitTimeout
	}
	if o.Run == "" {
		o.Run = time.Now().UTC().Format("20060102-150405.000000")
	}
	if o.VerifyTimeout == 0 {
		o.VerifyTimeout = DefaultVerifyTimeout
	}
}

// ErrInfiniBand refuses fabrics that are not configured over gNMI.
var ErrInfiniBand = errors.New("an InfiniBand fabric is configured by its subnet manager, not over gNMI: load the files that generate writes to subnet-manager/")

// selected are the switches the globs name, in the plan's order.
func (o *Options) selected() ([]*fabric.Switch, error) {
	if o.Fabric.Technology == fabric.InfiniBand {
		return nil, ErrInfiniBand
	}
	var against []string
	for _, x := range o.Fabric.Findings {
		if x.Severity == fabric.Error && !slices.Contains(o.Allow, x.Code) {
			against = append(against, x.Code+": "+x.Message)
		}
	}
	if len(against) > 0 {
		return nil, fmt.Errorf("the design has errors; nothing was sent\n%s", strings.Join(against, "\n"))
	}
	patterns := make([]hostlist.List, len(o.Select))
	all := true
	for k, g := range o.Select {
		names, out := strings.CutPrefix(g, "!")
		all = all && out
		var err error
		if patterns[k], err = hostlist.Parse(names); err != nil {
			return nil, fmt.Errorf("--select %s: %w", g, err)
		}
	}
	used := make([]bool, len(o.Select))
	var list []*fabric.Switch
	for i := range o.Fabric.Switches {
		sw := &o.Fabric.Switches[i]
		in := all
		for k, p := range patterns {
			if p.Match(sw.Name) {
				in, used[k] = !strings.HasPrefix(o.Select[k], "!"), true
			}
		}
		if in {
			list = append(list, sw)
		}
	}
	if k := slices.Index(used, false); k >= 0 {
		return nil, fmt.Errorf("--select %s: no switch of the cluster has such a name", o.Select[k])
	}
	if len(list) == 0 {
		return nil, errors.New("--select leaves no switch")
	}
	return list, nil
}
