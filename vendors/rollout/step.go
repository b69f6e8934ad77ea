package rollout

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/rollout/journal"
	"railyard/vendors/rollout/targets"
)

// undo is what the journal keeps for going back.
type undo struct {
	Dialect string  `json:"dialect"`
	OS      string  `json:"os"`
	Body    []byte  `json:"body"`
	Health  *health `json:"health"`
}

// apply changes one switch and finds out what became of it. An error leaves the
// state in j.state; nil means that the switch reads back as declared.
func (r *run) apply(ctx context.Context, j *job) error {
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := r.begin(ctx, d, j); err != nil {
		return err
	}
	// From here on an interruption must not leave anything unread.
	calm := context.WithoutCancel(ctx)
	var said error
	for k, req := range j.plan.Requests {
		if said = r.send(calm, d, j, k, req); said != nil {
			break
		}
	}
	r.observe(calm, j, r.VerifyTimeout)
	if j.unanswered {
		r.linger(ctx, j, "apply")
	}
	j.touched = j.touched || j.state != journal.Before
	if err := r.record(j); err != nil {
		return err
	}
	switch {
	case j.state == journal.Intended && j.commit != "":
		j.state = journal.Pending
		return nil
	case j.state == journal.Intended:
		return nil
	case said != nil:
		return said
	case j.state == journal.Before:
		return fmt.Errorf("%s: the device said it is done, but reads back as it was", j.sw.Name)
	case j.state == journal.Other:
		return fmt.Errorf("%s: the device said it is done, but reads back otherwise", j.sw.Name)
	}
	return fmt.Errorf("%s: cannot be read any more: %s", j.sw.Name, j.note)
}

func lost(err error) bool {
	var e *gnmi.Error
	return errors.As(err, &e) && e.Lost
}

// begin does everything that comes before the first send.
func (r *run) begin(ctx context.Context, d *gnmi.Device, j *job) error {
	if j.commit != "" { // of the run that was interrupted
		if err := d.Cancel(ctx, j.commit); err != nil && !errors.Is(err, gnmi.ErrNothingPending) {
			return fmt.Errorf("%s: cancel the commit of the interrupted push: %w", j.sw.Name, err)
		}
		j.commit, j.plan = "", nil // what was pending is gone, and with it what was shown
	}
	now, err := j.dialect.Read(ctx, d)
	if err != nil {
		return fmt.Errorf("%s: read again: %w", j.sw.Name, err)
	}
	fresh, err := j.dialect.Plan(now)
	if err != nil {
		return fmt.Errorf("%s: compare again: %w", j.sw.Name, err)
	}
	if j.plan == nil {
		j.plan = fresh
	}
	if digest(fresh.Requests) != digest(j.plan.Requests) {
		return fmt.Errorf("%s: somebody changed it since it was shown: nothing was sent; run push again to see the difference", j.sw.Name)
	}
	if err := r.keep(ctx, d, j, fresh); err != nil {
		return err
	}
	if len(j.plan.Requests) == 1 { // a second transaction cannot follow a pending commit
		id := "railyard-" + r.journal.Run + "-" + j.sw.Name
		knows, err := d.KnowsCommit(ctx, id+"-probe")
		if err != nil {
			return err
		}
		if knows {
			j.commit = id
		}
	}
	return ctx.Err()
}

// keep writes down what going back takes.
func (r *run) keep(ctx context.Context, d *gnmi.Device, j *job, fresh *dialect.Plan) error {
	if j.undo != nil { // of the run that was interrupted: it knows what was before
		return nil
	}
	h, err := examine(ctx, d, j.caps, origin(j.sw.OS))
	if err != nil {
		return fmt.Errorf("%s: sessions and neighbours: %w", j.sw.Name, err)
	}
	if len(h.Unseen) > 0 {
		r.event("warning", "apply", j.sw.Name, "the device does not show its %s: they are not checked", strings.Join(h.Unseen, " and "))
	}
	j.undo = &undo{j.dialect.Name(), j.sw.OS, fresh.Undo, h}
	b, err := json.Marshal(j.undo)
	if err != nil {
		return err
	}
	return r.journal.SaveUndo(j.sw.Name, b)
}

// send sends one transaction, journal first.
func (r *run) send(ctx context.Context, d *gnmi.Device, j *job, k int, req *gpb.SetRequest) error {
	rec := journal.Record{Kind: journal.Send, Switch: j.sw.Name, Digest: digest([]*gpb.SetRequest{req}), Commit: j.commit,
		Of: len(j.plan.Requests), Note: fmt.Sprintf("%d of %d", k+1, len(j.plan.Requests))}
	if j.commit != "" {
		req = gnmi.WithCommit(req, j.commit, r.CommitTimeout)
		j.deadline = time.Now().Add(j.mostSet() + r.CommitTimeout) // its clock starts when it has done it
		rec.Deadline = j.deadline.UTC()
	}
	if err := r.journal.Append(rec); err != nil {
		j.commit = ""
		return err
	}
	j.sent, j.sentAt, j.requests = true, time.Now(), len(j.plan.Requests)
	err := d.Set(ctx, req)
	note := "ok"
	if err != nil {
		note = err.Error()
	}
	if j.unanswered = lost(err); !j.unanswered {
		j.deadline = time.Now().Add(r.CommitTimeout)
	}
	return errors.Join(err, r.journal.Append(journal.Record{Kind: journal.Answer, Switch: j.sw.Name, Note: note, Lost: j.unanswered}))
}

// mostSet is how long the device may take for a Set, in its owner's own words.
func (j *job) mostSet() time.Duration {
	return cmp.Or(j.at.Timeouts.Set, gnmi.DefaultTimeouts().Set)
}

// look reads a switch over a new connection.
func (j *job) look(ctx context.Context) ([]byte, error) {
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return j.dialect.Read(ctx, d)
}

// observe finds out where a switch stands, as long as it takes within budget.
func (r *run) observe(ctx context.Context, j *job, budget time.Duration) {
	until := time.Now().Add(budget)
	wait := 100 * time.Millisecond
	for {
		now, err := j.look(ctx)
		if err == nil {
			j.state, err = j.judge(now)
		}
		if err == nil {
			j.note = ""
			j.answered()
			return
		}
		j.state, j.note = journal.Unknown, err.Error()
		if time.Now().Add(wait).After(until) {
			return
		}
		time.Sleep(wait)
		wait = min(2*wait, 5*time.Second)
	}
}

// answered takes what a switch shows for the answer that did not come: it did
// carry out the change, wholly, or what of its only request it could.
func (j *job) answered() {
	if j.state == journal.Intended || j.state == journal.Other && j.requests == 1 {
		j.unanswered = false
	}
}

// linger watches a switch whose answer was lost and that reads as before: it may
// still be at work on what it was sent. Someone who wants to stop need not wait.
func (r *run) linger(ctx context.Context, j *job, phase string) {
	until := j.patience(r.VerifyTimeout)
	if j.state == journal.Before && time.Now().Before(until) {
		r.event("warning", phase, j.sw.Name, "the answer to the change was lost, and it reads as before: watched until %s, because it may still be at work", until.Format(time.TimeOnly))
	}
	wait := 100 * time.Millisecond
	for j.state == journal.Before && time.Now().Before(until) && sleep(ctx, min(wait, time.Until(until))) {
		wait = min(2*wait, 5*time.Second)
		r.observe(context.WithoutCancel(ctx), j, max(0, time.Until(until)))
	}
}

// patience is until when a switch that did not answer is taken to be at work: as
// long as a Set may take, and as long as a switch may take to show itself again.
func (j *job) patience(verify time.Duration) time.Time {
	return j.sentAt.Add(j.mostSet() + verify)
}

// sleep reports false when it was cut short.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// judge compares what a switch runs with the intent and with what was before.
func (j *job) judge(now []byte) (journal.State, error) {
	if j.plan != nil {
		p, err := j.dialect.Plan(now)
		if err != nil {
			return journal.Unknown, err
		}
		if len(p.Requests) == 0 {
			return journal.Intended, nil
		}
	}
	back, err := j.dialect.Back(now, j.undo.Body)
	switch {
	case err != nil:
		return journal.Unknown, err
	case len(back.Requests) == 0:
		return journal.Before, nil
	}
	return journal.Other, nil
}

// record writes down where a switch stands.
func (r *run) record(j *job) error {
	s := j.state
	switch {
	case s == journal.Intended && j.kept:
		s = journal.Kept
	case s == journal.Intended && j.commit != "":
		s = journal.Pending
	case s == journal.Before && j.unanswered:
		s = journal.Uncertain
	}
	return r.journal.Append(journal.Record{Kind: journal.Stands, Switch: j.sw.Name, State: s, Note: j.note})
}

// verify waits until sessions and neighbours are as before.
func (r *run) verify(ctx context.Context, j *job) error {
	if len(j.undo.Health.Sessions)+len(j.undo.Health.Neighbors) == 0 {
		return nil
	}
	until := time.Now().Add(r.VerifyTimeout)
	wait := 100 * time.Millisecond
	for {
		var missing []string
		err := func() error {
			d, err := gnmi.Dial(j.at)
			if err != nil {
				return err
			}
			defer d.Close()
			now, err := examine(ctx, d, j.caps, origin(j.sw.OS))
			if err == nil {
				missing = j.missing(j.undo.Health, now)
			}
			return err
		}()
		if err == nil && len(missing) == 0 {
			return nil
		}
		if time.Now().Add(wait).After(until) || ctx.Err() != nil {
			if len(missing) > 0 {
				return fmt.Errorf("%s: missing since the change: %s", j.sw.Name, targets.Brief(missing))
			}
			return fmt.Errorf("%s: sessions and neighbours cannot be read: %w", j.sw.Name, cmp.Or(err, ctx.Err()))
		}
		sleep(ctx, wait)
		wait = min(2*wait, 5*time.Second)
	}
}

// settle keeps a change for good: it confirms what is pending, and reads back
// once more, because much can happen while the rest of a wave is verified.
func (r *run) settle(ctx context.Context, j *job) error {
	j.release()
	reverted := "it went back by itself after it was read back: did it restart without having saved?"
	if j.commit != "" {
		reverted = fmt.Sprintf("it reverted by itself before it was confirmed (commit-confirm %s)", r.CommitTimeout)
		if err := r.journal.Append(journal.Record{Kind: journal.Confirm, Switch: j.sw.Name, Commit: j.commit}); err != nil {
			return err
		}
		if err := r.confirm(ctx, j); err != nil {
			return fmt.Errorf("%s: confirm: %w", j.sw.Name, err)
		}
	}
	r.observe(ctx, j, r.VerifyTimeout)
	switch j.state {
	case journal.Intended:
		j.commit, j.kept = "", true
		return r.record(j)
	case journal.Before:
		j.commit, j.reverted = "", true
		return errors.Join(fmt.Errorf("%s: %s", j.sw.Name, reverted), r.record(j))
	}
	if j.state == journal.Unknown {
		return errors.Join(fmt.Errorf("%s: at the end it cannot be read: %s", j.sw.Name, j.note), r.record(j))
	}
	return errors.Join(fmt.Errorf("%s: at the end it stands otherwise than declared", j.sw.Name), r.record(j))
}

// confirm repeats itself until the device says that nothing waits any more: an
// OK alone may come from one that forgot. It names its commit, so that repeating
// does no harm; whether the commit was kept or had reverted is for reading back.
func (r *run) confirm(ctx context.Context, j *job) error {
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return err
	}
	defer d.Close()
	for try := range confirmations {
		if err != nil {
			time.Sleep(time.Duration(try) * 200 * time.Millisecond)
		}
		in, cancel := context.WithTimeout(ctx, r.CommitTimeout/confirmations)
		err = d.Confirm(in, j.commit)
		cancel()
		if errors.Is(err, gnmi.ErrNothingPending) {
			return nil
		}
	}
	if err == nil {
		err = errors.New("the device says OK and still holds the commit as unconfirmed")
	}
	return err
}

// confirmations is how often a commit is confirmed at most, all within the time
// in which it reverts.
const confirmations = 5
