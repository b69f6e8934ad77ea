package target

import (
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	ext "github.com/openconfig/gnmi/proto/gnmi_ext"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// pending is a commit that waits for confirmation.
type pending struct {
	id     string
	before store
	timer  *time.Timer
}

// defaultRevert is the specification's, where a request does not say.
const defaultRevert = 10 * time.Minute

func extension(req *gpb.SetRequest) (*ext.Commit, error) {
	var found *ext.Commit
	for _, e := range req.GetExtension() {
		c := e.GetCommit()
		if c == nil {
			continue
		}
		if found != nil {
			return nil, status.Error(codes.InvalidArgument, "two commit extensions")
		}
		found = c
	}
	return found, nil
}

// callName tells the calls of the extension apart.
func (t *Target) callName(c *ext.Commit) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case c.GetConfirm() != nil && (t.pending == nil || t.pending.id != c.GetId()):
		return "probe"
	case c.GetConfirm() != nil:
		return "confirm"
	case c.GetCancel() != nil:
		return "cancel"
	case c.GetSetRollbackDuration() != nil:
		return "extend"
	}
	return "set"
}

// commitRules are the specification's; done means that nothing is left to do.
func (t *Target) commitRules(req *gpb.SetRequest, c *ext.Commit) (done bool, err error) {
	if t.config.Commit == Ignores {
		return len(req.GetDelete())+len(req.GetReplace())+len(req.GetUpdate()) == 0, nil
	}
	if c != nil && c.GetId() == "" {
		return true, status.Error(codes.InvalidArgument, "a commit without id")
	}
	if c == nil || c.GetCommit() != nil {
		if t.pending != nil {
			return true, status.Errorf(codes.FailedPrecondition, "commit %s waits for confirmation", t.pending.id)
		}
		return false, nil
	}
	if t.pending == nil {
		return true, status.Error(codes.FailedPrecondition, "no commit waits for confirmation")
	}
	if t.pending.id != c.GetId() {
		return true, status.Error(codes.InvalidArgument, "another commit waits for confirmation")
	}
	p := t.pending
	switch {
	case c.GetConfirm() != nil:
		p.timer.Stop()
		t.pending = nil
	case c.GetCancel() != nil:
		p.timer.Stop()
		t.pending = nil
		if t.config.Commit != Forgets {
			t.running = p.before
		}
	case c.GetSetRollbackDuration() != nil:
		d := c.GetSetRollbackDuration().GetRollbackDuration().AsDuration()
		if d <= 0 {
			return true, status.Error(codes.InvalidArgument, "a rollback duration that is not positive")
		}
		p.timer.Reset(d)
	default:
		return true, status.Error(codes.InvalidArgument, "a commit extension without action")
	}
	return true, nil
}

// hold starts the timer of a commit; the lock is held.
func (t *Target) hold(c *ext.Commit, before store) {
	if t.config.Commit == Ignores {
		return
	}
	wait := defaultRevert
	if d := c.GetCommit().GetRollbackDuration().AsDuration(); d > 0 {
		wait = d
	}
	p := &pending{id: c.GetId(), before: before}
	t.pending = p
	l := t.listener
	p.timer = time.AfterFunc(wait, func() {
		t.mu.Lock()
		if t.pending == p && t.config.Commit == Honours {
			t.running, t.pending = before, nil
			t.down = map[string]bool{}
			l.setCut(false) // what cut the switch off is gone
		}
		t.mu.Unlock()
	})
}
