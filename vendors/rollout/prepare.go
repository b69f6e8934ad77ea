package rollout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/proto"

	"railyard/generator/fabric"
	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/rollout/journal"
	"railyard/vendors/rollout/targets"
)

// job is one switch of a run.
type job struct {
	sw     *fabric.Switch
	at     gnmi.Endpoint
	intent dialect.Intent
	caps   *gnmi.Capabilities

	dialect dialect.Dialect // nil: nothing goes over gNMI
	manual  []dialect.Manual
	plan    *dialect.Plan
	undo    *undo
	back    *dialect.Plan // of a rollback

	commit     string    // id of the commit that may be pending
	deadline   time.Time // when it has reverted by itself at the latest
	sent       bool
	sentAt     time.Time
	requests   int  // in how many transactions it was sent
	unanswered bool // nobody knows yet what became of the last send
	touched    bool // read back at some time as something else than before
	kept       bool // verified, and confirmed where that is needed
	reverted   bool // went back by itself
	restoring  bool // the records of an earlier run are about the way back
	started    bool
	state      journal.State
	err        error
	note       string

	mu   sync.Mutex // held while more time is asked for; guards deadline and held until release
	held bool       // the keeper of the wave may ask for more time
}

// run is a push on its way.
type run struct {
	*Options
	jobs     []*job
	journal  *journal.Journal
	mu       sync.Mutex
	failures int
	resumed  bool
	back     bool // a rollback
}

func (r *run) event(level, phase, sw, format string, args ...any) {
	if r.Events == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Events(Event{time.Now(), level, phase, sw, fmt.Sprintf(format, args...)})
}

// open makes the jobs: who is concerned, how to reach them, what they should have.
func (o *Options) open(ctx context.Context, switches []*fabric.Switch, render bool) (*run, error) {
	r := &run{Options: o}
	resolved, err := o.Targets.Resolve(switches)
	if err != nil {
		return nil, err
	}
	warnings, err := targets.Permit(resolved, o.Insecure)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		r.event("warning", "security", "", "%s", w)
	}
	ends, err := o.Targets.Endpoints(resolved, o.Open)
	if err != nil {
		return nil, err
	}
	byName := map[string]*job{}
	for i, sw := range switches {
		j := &job{sw: sw, at: ends[i], intent: dialect.Intent{Switch: sw.Name, OS: sw.OS, Ignore: o.Ignore}, state: journal.Before}
		j.at.Connect = o.Connect
		r.jobs = append(r.jobs, j)
		byName[sw.Name] = j
	}
	if !render {
		return r, nil
	}
	err = o.Render(ctx, func(sw *fabric.Switch, files []fabric.File) error {
		j := byName[sw.Name]
		if j == nil {
			return nil
		}
		j.intent.Files = files
		if o.OpenConfig != nil {
			j.intent.Document = func() ([]byte, []dialect.Manual, error) { return o.OpenConfig(o.Fabric, sw) }
		}
		return nil
	})
	return r, err
}

// parallel does the jobs, so many at once, until one says stop; those that run
// then are finished.
func (r *run) parallel(list []*job, do func(*job) (goOn bool)) {
	var g errgroup.Group
	g.SetLimit(r.MaxParallel)
	var stop atomic.Bool
	for _, j := range list {
		g.Go(func() error {
			if !stop.Load() && !do(j) {
				stop.Store(true)
			}
			return nil
		})
	}
	_ = g.Wait() // the jobs keep their own errors
}

// prepare reads every switch and plans its change.
func (r *run) prepare(ctx context.Context) {
	r.parallel(r.jobs, func(j *job) bool {
		if ctx.Err() != nil {
			return false
		}
		err := j.read(ctx, r.Differ)
		if err == nil {
			err = r.impostor(j)
		}
		if err != nil {
			j.err = err
			r.event("error", "prepare", j.sw.Name, "%v", err)
			return true
		}
		switch {
		case j.dialect == nil:
			r.event("warning", "prepare", j.sw.Name, "nothing goes over gNMI: load the file")
		case len(j.plan.Requests) == 0:
			r.event("info", "prepare", j.sw.Name, "as declared")
		default:
			r.event("info", "prepare", j.sw.Name, "differs in %s (%s)", count(len(j.plan.Changes), "place", "places"), j.dialect.Name())
		}
		return true
	})
}

// impostor refuses a device that gives itself the name of another switch of the
// plan: an address in the targets file is wrong, or cables of management are.
func (r *run) impostor(j *job) error {
	if j.plan == nil || j.plan.Host == "" || j.plan.Host == j.sw.Name {
		return nil
	}
	for i := range r.Fabric.Switches {
		if r.Fabric.Switches[i].Name == j.plan.Host {
			return fmt.Errorf("%s: the device at %s calls itself %s: check the targets file", j.sw.Name, j.at.Address, j.plan.Host)
		}
	}
	return nil
}

// read asks what the device can do and what it runs.
func (j *job) read(ctx context.Context, differ dialect.Differ) error {
	if len(j.intent.Files) == 0 {
		return fmt.Errorf("%s: no configuration can be generated for %s", j.sw.Name, j.sw.OS)
	}
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return err
	}
	defer d.Close()
	if j.caps, err = d.Capabilities(ctx); err != nil {
		return err
	}
	var manual []dialect.Manual
	if j.dialect, manual, err = dialect.Choose(j.caps, j.intent, differ); err != nil {
		return err
	}
	j.manual = manual
	if j.dialect == nil {
		return nil
	}
	running, err := j.dialect.Read(ctx, d)
	if err != nil {
		return fmt.Errorf("%s: read: %w", j.sw.Name, err)
	}
	if j.plan, err = j.dialect.Plan(running); err != nil {
		return fmt.Errorf("%s: compare: %w", j.sw.Name, err)
	}
	j.manual = append(j.manual, j.plan.Manual...)
	if j.undo != nil && j.sent { // of an interrupted run
		if j.state, err = j.judge(running); err != nil {
			return fmt.Errorf("%s: compare: %w", j.sw.Name, err)
		}
		j.answered()
		j.touched = j.touched || j.state != journal.Before
	}
	return nil
}

// pending reports whether there is something to do: to change, to confirm, or to
// verify what an interrupted run changed.
func (j *job) pending() bool {
	return j.err == nil && j.dialect != nil && (len(j.plan.Requests) > 0 || j.commit != "" || j.sent && !j.kept)
}

// digest identifies what would be sent.
func digest(list []*gpb.SetRequest) string {
	h := sha256.New()
	for _, req := range list {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(req)
		if err != nil {
			b = []byte(err.Error())
		}
		fmt.Fprintf(h, "%d\n", len(b))
		h.Write(b)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// intentDigest identifies what all switches should have.
func (r *run) intentDigest() string {
	h := sha256.New()
	for _, j := range r.jobs {
		fmt.Fprintf(h, "%s\n", j.sw.Name)
		for _, f := range j.intent.Files {
			fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Body))
			h.Write(f.Body)
		}
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

func (r *run) names() []string {
	var list []string
	for _, j := range r.jobs {
		list = append(list, j.sw.Name)
	}
	return list
}

// failed are the errors of jobs, joined.
func (r *run) failed() error {
	var errs []error
	for _, j := range r.jobs {
		if j.err != nil {
			errs = append(errs, j.err)
		}
	}
	return errors.Join(errs...)
}

// excused reports whether the plan itself takes a neighbour away.
func (j *job) excused(name string) bool {
	has := func(lines []string) bool {
		return slices.ContainsFunc(lines, func(l string) bool {
			return slices.Contains(strings.FieldsFunc(l, func(r rune) bool { return strings.ContainsRune(" =,[]|\"", r) }), name)
		})
	}
	gone := false
	if j.plan == nil {
		return false
	}
	for _, c := range j.plan.Changes {
		if has(c.Add) {
			return false
		}
		gone = gone || has(c.Remove) || len(c.Add) == 0 && has(c.Path)
	}
	return gone
}
