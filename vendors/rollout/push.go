package rollout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"railyard/generator/fabric"
	"railyard/vendors/rollout/journal"
	"railyard/vendors/rollout/waves"
)

// StoppedError says that switches were touched and the run did not reach its
// end: something was rolled back, or stands unconfirmed.
type StoppedError struct{ Report *Report }

// Error names the reason; the report has what stands where.
func (e *StoppedError) Error() string {
	s := "not every switch is as asked for: " + e.Report.Reason
	if e.Report.Unfinished {
		s += "; something stands open: go on with push --resume, or back with --rollback"
	}
	return s
}

// ErrDeclined says that the preview was answered with no.
var ErrDeclined = errors.New("declined: nothing was sent")

// Push brings the selected switches to the intent. The report says where each
// stands. A *StoppedError means that switches were touched and not all is well;
// with any other error nothing was sent.
func Push(ctx context.Context, o Options) (*Report, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	switches, err := o.selected()
	if err != nil {
		return nil, err
	}
	r, err := o.open(ctx, switches, true)
	if err != nil {
		return nil, err
	}
	return r.push(ctx, func() (*journal.Journal, error) {
		j, err := journal.Create(o.Journal, o.Run)
		if err != nil {
			return nil, err
		}
		return j, j.Append(journal.Record{Kind: journal.Begin, Digest: r.intentDigest(), Switches: r.names()})
	})
}

// Resume goes on with the last run of the journal, for the switches it was about.
func Resume(ctx context.Context, o Options) (*Report, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	j, err := journal.Last(o.Journal)
	if err != nil {
		return nil, err
	}
	list := j.Records()
	begin := list[0]
	switches, err := o.named(begin.Switches)
	var r *run
	if err == nil {
		r, err = o.open(ctx, switches, true)
	}
	if err == nil && r.intentDigest() != begin.Digest {
		err = fmt.Errorf("what is declared has changed since push %s began: go back with --rollback, or resume with the cluster file as it was", j.Run)
	}
	if err == nil {
		err = r.recall(j)
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	r.resumed = true
	return r.push(ctx, func() (*journal.Journal, error) {
		return j, j.Append(journal.Record{Kind: journal.Continue, Note: "resume"})
	}, j)
}

// named finds switches by name in the plan.
func (o *Options) named(names []string) ([]*fabric.Switch, error) {
	if o.Fabric.Technology == fabric.InfiniBand {
		return nil, ErrInfiniBand
	}
	var list []*fabric.Switch
	for i := range o.Fabric.Switches {
		if slices.Contains(names, o.Fabric.Switches[i].Name) {
			list = append(list, &o.Fabric.Switches[i])
		}
	}
	if len(list) != len(names) {
		return nil, fmt.Errorf("the journal is about %d switches, of which the cluster file has %d", len(names), len(list))
	}
	return list, nil
}

// recall takes from the journal what each switch was before and which commit may
// still wait.
func (r *run) recall(j *journal.Journal) error {
	for _, x := range r.jobs {
		b, err := j.Undo(x.sw.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			x.undo = &undo{}
			err = json.Unmarshal(b, x.undo)
		}
		if err != nil {
			return fmt.Errorf("%s: undo file: %w", x.sw.Name, err)
		}
		if x.undo.Health == nil {
			x.undo.Health = &health{}
		}
	}
	for _, rec := range j.Records() {
		i := slices.IndexFunc(r.jobs, func(x *job) bool { return x.sw.Name == rec.Switch })
		if i < 0 {
			continue
		}
		r.jobs[i].replay(rec)
	}
	for _, x := range r.jobs {
		if !x.sent { // what it was then need not be what it is now
			x.undo = nil
		}
	}
	return nil
}

// replay takes one record of an earlier run.
func (j *job) replay(rec journal.Record) {
	switch rec.Kind {
	case journal.Restore:
		j.restoring = true
	case journal.Send:
		if j.restoring {
			return // the way back
		}
		j.sent, j.sentAt, j.requests, j.unanswered, j.kept = true, rec.At, rec.Of, true, false
		if rec.Commit != "" {
			j.commit, j.deadline = rec.Commit, rec.Deadline
		}
	case journal.Extend:
		j.deadline = rec.Deadline
	case journal.Answer:
		j.unanswered = j.unanswered && (j.restoring || rec.Lost)
	case journal.Stands:
		j.kept, j.restoring = rec.State == journal.Kept, false
		j.touched = j.touched || rec.State != journal.Before && rec.State != journal.Uncertain
		if rec.State != journal.Uncertain && rec.State != journal.Unknown {
			j.unanswered = false
		}
		if j.kept || rec.State == journal.Before {
			j.commit = ""
		}
	}
}

// push is what a new and a resumed run have in common. held is a journal that is
// open already.
func (r *run) push(ctx context.Context, open func() (*journal.Journal, error), held ...*journal.Journal) (*Report, error) {
	closeHeld := func() {
		for _, j := range held {
			_ = j.Close() // nothing was written that could be lost
		}
	}
	r.prepare(ctx)
	if err := ctx.Err(); err != nil {
		closeHeld()
		return r.report(""), err
	}
	p := r.preview(r.plan())
	if r.DryRun {
		closeHeld()
		return r.dryReport(p), r.failed()
	}
	if n := len(p.Failed); n >= r.StopAfter {
		closeHeld()
		return r.report("could not be read"), fmt.Errorf("nothing was sent, because %s cannot be changed (leave out with --select '!NAME', or permit with --stop-after): %w", count(n, "switch", "switches"), brevity{r.failed()})
	}
	if r.Confirm != nil && p.Changing() > 0 {
		yes, err := r.Confirm(p)
		if err != nil || !yes {
			closeHeld()
			return nil, cmp.Or(err, ErrDeclined)
		}
	}
	if p.Changing() == 0 && len(held) == 0 {
		return r.report(""), r.failed()
	}
	var err error
	if r.journal, err = open(); err != nil {
		if r.journal != nil {
			err = errors.Join(err, r.journal.Close())
		}
		return nil, err
	}
	r.failures = len(p.Failed)
	defer r.heed(ctx)()
	reason, err := r.waves(ctx, p.Waves)
	return r.finish(ctx, reason, err, journal.Kept)
}

// brevity is an error whose words the report has already.
type brevity struct{ error }

// Error is short; Unwrap has it all.
func (brevity) Error() string { return "see the report" }

func (b brevity) Unwrap() error { return b.error }

// plan orders what is to change.
func (r *run) plan() []waves.Wave {
	var names []string
	for _, j := range r.jobs {
		if j.pending() {
			names = append(names, j.sw.Name)
		}
	}
	return waves.Plan(r.Fabric, names, r.WaveSize)
}
