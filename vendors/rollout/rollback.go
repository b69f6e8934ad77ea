package rollout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/rollout/journal"
	"railyard/vendors/rollout/targets"
	"railyard/vendors/rollout/waves"
)

// Rollback brings every switch of the last run back to what it was before it.
func Rollback(ctx context.Context, o Options) (*Report, error) {
	if err := o.ready(); err != nil {
		return nil, err
	}
	j, err := journal.Last(o.Journal)
	if err != nil {
		return nil, err
	}
	switches, err := o.named(j.Records()[0].Switches)
	var r *run
	if err == nil {
		r, err = o.open(ctx, switches, false)
	}
	if err == nil {
		r.journal, r.back = j, true
		err = r.recall(j)
	}
	if err != nil {
		return nil, errors.Join(err, j.Close())
	}
	r.jobs = slices.DeleteFunc(r.jobs, func(x *job) bool { return x.undo == nil || !x.sent })
	r.prepareBack(ctx)
	if !o.DryRun {
		r.outwait(ctx)
	}
	p := r.preview(r.backwards())
	if err := ctx.Err(); err != nil {
		return r.report(""), errors.Join(err, j.Close())
	}
	if r.DryRun {
		return r.dryReport(p), errors.Join(r.failed(), j.Close())
	}
	if r.Confirm != nil && p.Changing() > 0 {
		yes, err := r.Confirm(p)
		if err != nil || !yes {
			return nil, errors.Join(cmp.Or(err, ErrDeclined), j.Close())
		}
	}
	if err := j.Append(journal.Record{Kind: journal.Continue, Note: "rollback"}); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	reason := ""
	defer r.heed(ctx)()
	for n, w := range p.Waves {
		if ctx.Err() != nil {
			reason = interrupted
			break
		}
		r.event("info", "wave", "", "%d of %d, back: %s", n+1, len(p.Waves), targets.Brief(w.Switches))
		list := r.members(w)
		for _, x := range list {
			x.started, x.err = true, nil
		}
		if err := r.bringBack(ctx, list); err != nil {
			return r.finish(ctx, "rollback", err, journal.Before)
		}
	}
	return r.finish(ctx, reason, nil, journal.Before)
}

// outwait sees to those that never answered: once they had the time they may take,
// what they show holds.
func (r *run) outwait(ctx context.Context) {
	r.parallel(r.jobs, func(x *job) bool {
		if x.err != nil || !x.unanswered {
			return ctx.Err() == nil
		}
		r.linger(ctx, x, "prepare")
		x.unanswered = x.unanswered && time.Now().Before(x.patience(r.VerifyTimeout))
		return ctx.Err() == nil
	})
}

// backwards orders the way back: the last first, by the same rules.
func (r *run) backwards() []waves.Wave {
	var names []string
	for _, x := range r.jobs {
		if x.state != journal.Before || x.commit != "" {
			names = append(names, x.sw.Name)
		}
	}
	list := waves.Plan(r.Fabric, names, r.WaveSize)
	slices.Reverse(list)
	for i := range list {
		list[i].Canary = false // nothing is tried out
	}
	return list
}

// prepareBack reads every switch and plans the way back.
func (r *run) prepareBack(ctx context.Context) {
	r.parallel(r.jobs, func(x *job) bool {
		var err error
		x.dialect, err = dialect.Reopen(x.undo.Dialect, x.undo.OS, x.undo.Body, r.Ignore, r.Differ)
		var now []byte
		if err == nil {
			now, err = x.look(ctx)
		}
		var back *dialect.Plan
		if err == nil {
			back, err = x.dialect.Back(now, x.undo.Body)
		}
		x.plan = nil
		switch {
		case err != nil:
			x.err, x.state = fmt.Errorf("%s: %w", x.sw.Name, err), journal.Unknown
			r.event("error", "prepare", x.sw.Name, "%v", x.err)
		case len(back.Requests) == 0:
			x.state, x.touched = journal.Before, false // it went back before
		default:
			x.state, x.back, x.touched = journal.Other, back, true
			x.answered()
		}
		return ctx.Err() == nil
	})
}
