package rollout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"railyard/vendors/gnmi"
	"railyard/vendors/rollout/journal"
)

// mostRestores bounds how often the way back is sent to one switch.
const mostRestores = 3

// restore brings a switch back to what it was. Every attempt begins with reading,
// so nothing is repeated blindly. It gives up when the time for verification is
// over and a pending commit, if there is one, must have reverted.
func (r *run) restore(ctx context.Context, j *job) error {
	j.release()
	if j.undo == nil || j.state == journal.Before && j.commit == "" {
		return nil
	}
	j.kept = false
	if err := r.journal.Append(journal.Record{Kind: journal.Restore, Switch: j.sw.Name, Commit: j.commit}); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	until := time.Now().Add(r.VerifyTimeout)
	if grace := j.deadline.Add(5 * time.Second); j.commit != "" && grace.After(until) {
		until = grace
	}
	plan := j.plan
	j.plan = nil // what counts now is what was before
	defer func() { j.plan = plan }()
	var said error
	helped := false // it was sent, or is known to have cancelled, what it had taken
	for sends := 0; ; {
		if j.commit != "" {
			var done bool
			done, said = r.cancel(ctx, j)
			helped = helped || done
		}
		r.observe(ctx, j, 0) // once
		if j.state == journal.Before {
			break
		}
		if j.state == journal.Other && sends < mostRestores {
			sends++
			helped = true
			said = r.sendBack(ctx, j)
			continue
		}
		if time.Now().After(until) || sends == mostRestores && j.commit == "" {
			break
		}
		time.Sleep(min(time.Second, max(50*time.Millisecond, r.VerifyTimeout/20)))
	}
	if j.state == journal.Before {
		j.touched = j.touched || helped
		if j.commit != "" && j.touched && (helped || time.Since(j.sentAt) >= r.CommitTimeout) {
			// It was cancelled, or out of reach for as long as it waits for its manager.
			j.unanswered = false
		}
		if !j.unanswered {
			j.reverted = j.commit != "" && j.touched && !helped && time.Since(j.sentAt) >= r.CommitTimeout
			j.commit = ""
		}
		return r.record(j)
	}
	err := fmt.Errorf("%s: could not be brought back: %s", j.sw.Name, j.note)
	return errors.Join(err, said, r.record(j))
}

// cancel reverts what is pending; that there is nothing pending is as good. done
// is the device's word that it did.
func (r *run) cancel(ctx context.Context, j *job) (done bool, err error) {
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return false, err
	}
	defer d.Close()
	ctx, stop := context.WithTimeout(ctx, r.CommitTimeout/confirmations)
	defer stop()
	err = d.Cancel(ctx, j.commit)
	if errors.Is(err, gnmi.ErrNothingPending) {
		return false, nil
	}
	return err == nil, err // that it is gone is for reading back to show
}

// sendBack reads and sends what leads back.
func (r *run) sendBack(ctx context.Context, j *job) error {
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return err
	}
	defer d.Close()
	now, err := j.dialect.Read(ctx, d)
	if err != nil {
		return err
	}
	back, err := j.dialect.Back(now, j.undo.Body)
	if err != nil {
		return err
	}
	for k, req := range back.Requests {
		err := r.journal.Append(journal.Record{Kind: journal.Send, Switch: j.sw.Name, Note: fmt.Sprintf("back, %d of %d", k+1, len(back.Requests))})
		if err != nil {
			return err
		}
		if err := d.Set(ctx, req); err != nil {
			return errors.Join(err, r.journal.Append(journal.Record{Kind: journal.Answer, Switch: j.sw.Name, Note: err.Error()}))
		}
	}
	return nil
}
