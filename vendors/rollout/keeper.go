package rollout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"railyard/vendors/gnmi"
	"railyard/vendors/rollout/journal"
)

// A commit reverts by itself a fixed time after a switch took it, but a wave takes
// as long as its slowest switch. The keeper asks the switches of a wave that wait
// for more time again and again until it is their turn to be confirmed. That takes
// an answer of the switch, so one that lost its manager reverts all the same.
type keeper struct {
	stop, done chan struct{}
}

// watch starts the keeper of a wave.
func (r *run) watch(ctx context.Context, list []*job) *keeper {
	k := &keeper{stop: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(k.done)
		t := time.NewTicker(r.CommitTimeout / 4)
		defer t.Stop()
		for {
			select {
			case <-k.stop:
				return
			case <-t.C:
			}
			r.parallel(list, func(j *job) bool { r.extend(context.WithoutCancel(ctx), j); return true })
		}
	}()
	return k
}

// end returns when nothing is asked for any more.
func (k *keeper) end() {
	close(k.stop)
	<-k.done
}

// hold hands a switch with a pending commit to the keeper.
func (j *job) hold() {
	j.mu.Lock()
	j.held = j.commit != ""
	j.mu.Unlock()
}

// release takes it back, after the question that may be on its way.
func (j *job) release() {
	j.mu.Lock()
	j.held = false
	j.mu.Unlock()
}

func (r *run) extend(ctx context.Context, j *job) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.held {
		return
	}
	later := time.Now().Add(r.CommitTimeout)
	err := r.journal.Append(journal.Record{Kind: journal.Extend, Switch: j.sw.Name, Commit: j.commit, Deadline: later.UTC()})
	if err == nil {
		err = j.ask(ctx, r.CommitTimeout)
	}
	switch {
	case err == nil, lost(err):
		j.deadline = later // at the latest; when the answer was lost, it is asked again
		return
	case errors.Is(err, gnmi.ErrNothingPending):
		r.event("warning", "verify", j.sw.Name, "holds no unconfirmed commit any more: it reverted by itself")
	default:
		r.event("warning", "verify", j.sw.Name, "does not give the wave more time, and reverts at %s unless it is confirmed before: %v", j.deadline.Format(time.TimeOnly), err)
	}
	j.held = false
}

func (j *job) ask(ctx context.Context, more time.Duration) error {
	d, err := gnmi.Dial(j.at)
	if err != nil {
		return fmt.Errorf("extend: %w", err)
	}
	defer d.Close()
	return d.Extend(ctx, j.commit, more)
}
