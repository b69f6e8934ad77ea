package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"railyard/vendors/rollout/journal"
	"railyard/vendors/rollout/waves"
)

// waves runs them in turn; a reason says why it stopped early.
func (r *run) waves(ctx context.Context, list []waves.Wave) (reason string, err error) {
	for n, w := range list {
		if n > 0 && r.Pause > 0 {
			select {
			case <-ctx.Done():
			case <-time.After(r.Pause):
			}
		}
		if ctx.Err() != nil {
			return "interrupted", nil
		}
		r.event("info", "wave", "", "%d of %d%s: %s", n+1, len(list), canaryWord(w), brief(w.Switches))
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
	r.parallel(list, func(j *job) bool {
		if ctx.Err() != nil {
			return false
		}
		j.started = true
		if err := r.applyOrAdopt(ctx, j); err != nil {
			return fail(j, "apply", err)
		}
		r.event("info", "apply", j.sw.Name, "reads back as declared%s", commitWord(j))
		return true
	})
	if r.failures < limit && ctx.Err() == nil {
		r.parallel(good(list), func(j *job) bool {
			if err := r.verify(ctx, j); err != nil {
				return fail(j, "verify", err)
			}
			return true
		})
	}
	if r.failures < limit && ctx.Err() == nil {
		r.parallel(good(list), func(j *job) bool {
			if err := r.settle(context.WithoutCancel(ctx), j); err != nil {
				return fail(j, "commit", err)
			}
			r.event("info", "commit", j.sw.Name, "done")
			return true
		})
	}
	if r.failures < limit && ctx.Err() == nil {
		return "", r.bringBack(ctx, bad(list))
	}
	reason = "interrupted"
	if r.failures >= limit {
		reason = fmt.Sprintf("%d of %d allowed failures", r.failures, limit)
		if canary {
			reason = "the canary failed"
		}
	}
	return reason, r.bringBack(ctx, list)
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
		r.event("warning", "restore", j.sw.Name, "is as it was before")
		return true
	})
	return errors.Join(broken...)
}

// finish ends the journal, unless something is still open that a later command
// must know of.
func (r *run) finish(ctx context.Context, reason string, err error, want journal.State) (*Report, error) {
	open, touched := false, false
	for _, j := range r.jobs {
		touched = touched || j.sent && j.touched
		switch {
		case !j.sent:
		case j.state == journal.Unknown, j.state == journal.Other, j.state == journal.Pending, j.commit != "", j.state != want && j.state != journal.Before:
			open = true
		}
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
		reason = errors.Join(errors.New(reason), err).Error()
	}
	rep := r.report(reason)
	switch {
	case reason == "" && !open && r.failed() == nil:
		return rep, nil
	case !touched && reason == "interrupted":
		return rep, ctx.Err()
	case !touched:
		return rep, fmt.Errorf("no switch was changed: %s: %w", reason, r.failed())
	}
	if rep.Reason == "" {
		rep.Reason = "some switches failed"
	}
	return rep, &StoppedError{rep}
}
