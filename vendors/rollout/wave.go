package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"railyard/vendors/rollout/journal"
	"railyard/vendors/rollout/targets"
	"railyard/vendors/rollout/waves"
)

// waves runs them in turn; a reason says why it stopped early.
func (r *run) waves(ctx context.Context, list []waves.Wave) (reason string, err error) {
	for n, w := range list {
		if n > 0 && r.Pause > 0 {
			r.event("info", "wave", "", "%s until the next", r.Pause)
			sleep(ctx, r.Pause)
		}
		if ctx.Err() != nil {
			return interrupted, nil
		}
		r.event("info", "wave", "", "%d of %d%s: %s", n+1, len(list), canaryWord(w), targets.Brief(w.Switches))
		if stop, err := r.wave(ctx, r.members(w), w.Canary); stop != "" || err != nil {
			return stop, err
		}
	}
	return "", nil
}

func canaryWord(w waves.Wave) string {
	if w.Canary {
		return " (canary)"
	}
	return ""
}

func (r *run) members(w waves.Wave) []*job {
	var list []*job
	for _, name := range w.Switches {
		i := slices.IndexFunc(r.jobs, func(j *job) bool { return j.sw.Name == name })
		list = append(list, r.jobs[i])
	}
	return list
}

// wave changes, verifies and keeps a set of switches, or brings it back.
func (r *run) wave(ctx context.Context, list []*job, canary bool) (reason string, err error) {
	limit := r.StopAfter
	if canary {
		limit = r.failures + 1 // what fails on the first of its kind fails on all
	}
	fail := func(j *job, phase string, err error) bool {
		j.err = err
		r.mu.Lock()
		r.failures++
		more := r.failures < limit
		r.mu.Unlock()
		r.event("error", phase, j.sw.Name, "%v", err)
		return more
	}
	keeper := r.watch(ctx, list)
	defer keeper.end()
	r.parallel(list, func(j *job) bool {
		if ctx.Err() != nil {
			return false
		}
		j.started = true
		if err := r.applyOrAdopt(ctx, j); err != nil {
			if ctx.Err() != nil && !j.sent { // it is not the switch that failed
				j.started = false
				return false
			}
			return fail(j, "apply", err)
		}
		r.event("info", "apply", j.sw.Name, "reads back as declared%s", commitWord(j))
		j.hold()
		return true
	})
	if r.failures < limit && ctx.Err() == nil {
		r.parallel(good(list), func(j *job) bool {
			err := r.verify(ctx, j)
			if err != nil && ctx.Err() == nil {
				return fail(j, "verify", err)
			}
			return err == nil
		})
	}
	settled := r.failures < limit && ctx.Err() == nil
	if settled {
		r.parallel(good(list), func(j *job) bool {
			if err := r.settle(context.WithoutCancel(ctx), j); err != nil {
				return fail(j, "commit", err)
			}
			r.event("info", "commit", j.sw.Name, "done")
			return true
		})
	}
	if settled && r.failures < limit { // what holds stays, even when the user wants to stop now
		return "", r.bringBack(ctx, bad(list))
	}
	return r.why(limit, canary), r.bringBack(ctx, list)
}

// why says what stopped a wave.
func (r *run) why(limit int, canary bool) string {
	switch {
	case r.failures < limit:
		return interrupted
	case canary:
		return "the canary failed"
	}
	return fmt.Sprintf("%d of %d allowed failures", r.failures, limit)
}

// heed tells a user who asked to stop what happens now.
func (r *run) heed(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		r.event("warning", "wave", "", "interrupted: what is under way is finished or taken back; interrupted once more, it ends at once, and push --resume or --rollback must see to the rest")
	})
}

func commitWord(j *job) string {
	if j.commit != "" {
		return fmt.Sprintf("; it reverts by itself at %s unless confirmed", j.deadline.Format(time.TimeOnly))
	}
	return ""
}

// applyOrAdopt applies, unless an interrupted run got that far already.
func (r *run) applyOrAdopt(ctx context.Context, j *job) error {
	if !r.resumed || len(j.plan.Requests) > 0 || j.undo == nil {
		return r.apply(ctx, j)
	}
	r.observe(ctx, j, r.VerifyTimeout)
	if j.state != journal.Intended {
		return fmt.Errorf("%s: changed again since it was shown", j.sw.Name)
	}
	return r.record(j)
}

func good(list []*job) []*job {
	return slices.DeleteFunc(slices.Clone(list), func(j *job) bool { return j.err != nil || !j.started })
}

func bad(list []*job) []*job {
	return slices.DeleteFunc(slices.Clone(list), func(j *job) bool { return j.err == nil || !j.started })
}

// bringBack restores what a wave changed.
func (r *run) bringBack(ctx context.Context, list []*job) error {
	var broken []error
	r.parallel(list, func(j *job) bool {
		if !j.started || j.undo == nil || !j.sent {
			return true
		}
		if err := r.restore(ctx, j); err != nil {
			r.event("error", "restore", j.sw.Name, "%v", err)
			r.mu.Lock()
			j.err = errors.Join(j.err, err)
			if j.state == journal.Before {
				broken = append(broken, err)
			}
			r.mu.Unlock()
			return true
		}
		switch {
		case j.unanswered:
			r.event("warning", "restore", j.sw.Name, "reads as it was before, but never answered: looked at again at the end")
		case j.reverted:
			r.event("warning", "restore", j.sw.Name, "went back by itself")
		case j.touched:
			r.event(r.backLevel(), "restore", j.sw.Name, "is as it was before")
		}
		return true
	})
	return errors.Join(broken...)
}

// backLevel is how bad it is that a switch goes back: not at all, when that is
// what was asked for.
func (r *run) backLevel() string {
	if r.back {
		return "info"
	}
	return "warning"
}

// again reads once more, at the very end, every switch that never answered and
// read as before. One that carried the change out after all is brought back like
// the rest of its wave.
func (r *run) again(ctx context.Context) {
	var list []*job
	for _, j := range r.jobs {
		if j.sent && j.unanswered && j.state == journal.Before {
			list = append(list, j)
		}
	}
	ctx = context.WithoutCancel(ctx)
	r.parallel(list, func(j *job) bool {
		note := j.note
		if r.observe(ctx, j, 0); j.state == journal.Unknown {
			j.state, j.note = journal.Before, note // as it was seen last
		}
		if j.state != journal.Before {
			j.touched = true
			r.event("warning", "restore", j.sw.Name, "carried the change out after all")
			if err := r.restore(ctx, j); err != nil {
				r.mu.Lock()
				j.err = errors.Join(j.err, err)
				r.mu.Unlock()
			}
		}
		return true
	})
}

// interrupted is the reason of a run that its user stopped.
const interrupted = "interrupted"

// finish ends the journal, unless something is still open that a later command
// must know of.
func (r *run) finish(ctx context.Context, reason string, err error, want journal.State) (*Report, error) {
	r.again(ctx)
	open, touched, good := false, false, true
	for _, j := range r.jobs {
		if !j.sent {
			continue
		}
		touched = touched || j.touched || j.unanswered
		good = good && (j.kept || j.state == journal.Before && !j.touched)
		open = open || j.commit != "" || j.unanswered || j.state != journal.Before && (want == journal.Before || !j.kept)
	}
	if err == nil && !open {
		state := want
		if reason != "" {
			state = journal.Other
		}
		err = r.journal.Append(journal.Record{Kind: journal.End, State: state, Note: reason})
	}
	err = errors.Join(err, r.journal.Close())
	if err != nil {
		reason = strings.TrimPrefix(reason+"; ", "; ") + err.Error()
	}
	rep := r.report(reason)
	rep.Unfinished = open
	switch {
	case err == nil && reason == "" && !open && r.failed() == nil:
		return rep, nil
	case err == nil && reason == interrupted && !open && (!touched || good && want == journal.Kept):
		return rep, ctx.Err() // it stopped between two waves
	case !touched:
		return rep, fmt.Errorf("no switch was changed: %w", errors.Join(notEmpty(reason), r.failed()))
	}
	if rep.Reason == "" {
		rep.Reason = "some switches failed"
	}
	return rep, &StoppedError{rep}
}

func notEmpty(reason string) error {
	if reason == "" {
		return nil
	}
	return errors.New(reason)
}
