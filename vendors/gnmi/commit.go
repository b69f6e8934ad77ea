package gnmi

import (
	"context"
	"errors"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	ext "github.com/openconfig/gnmi/proto/gnmi_ext"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// ErrNothingPending is the device's word that it holds no commit to confirm or
// cancel: it was confirmed before, or reverted.
var ErrNothingPending = errors.New("the device holds no unconfirmed commit")

// WithCommit returns the request with the wish to revert unless confirmed in time.
func WithCommit(req *gpb.SetRequest, id string, revert time.Duration) *gpb.SetRequest {
	out := proto.Clone(req).(*gpb.SetRequest)
	out.Extension = append(out.Extension, commit(&ext.Commit{Id: id, Action: &ext.Commit_Commit{
		Commit: &ext.CommitRequest{RollbackDuration: durationpb.New(revert)}}}))
	return out
}

func commit(c *ext.Commit) *ext.Extension {
	return &ext.Extension{Ext: &ext.Extension_Commit{Commit: c}}
}

// KnowsCommit asks whether the device understands the commit extension: it
// confirms an id that nobody ever used. A device that understands must answer
// FAILED_PRECONDITION; one that ignores extensions answers OK to a request
// without changes. Nothing changes either way. The answer proves that the
// extension is read, not that the timer works.
func (d *Device) KnowsCommit(ctx context.Context, unused string) (bool, error) {
	req := &gpb.SetRequest{Extension: []*ext.Extension{
		commit(&ext.Commit{Id: unused, Action: &ext.Commit_Confirm{Confirm: &ext.CommitConfirm{}}})}}
	for try := 1; ; try++ { // it changes nothing, so it may be repeated
		err := d.set(ctx, req, d.timeout.Connect)
		var e *Error
		switch {
		case status.Code(err) == codes.FailedPrecondition:
			return true, nil
		case errors.As(err, &e) && (e.Code == codes.Unavailable || e.Code == codes.DeadlineExceeded || e.Code == codes.Canceled):
			if try == tries || ctx.Err() != nil {
				return false, err
			}
			time.Sleep(200 * time.Millisecond)
			continue
		}
		return false, nil
	}
}

// Confirm keeps a pending commit. ErrNothingPending comes back when there is none.
func (d *Device) Confirm(ctx context.Context, id string) error {
	return d.settle(ctx, &ext.Commit{Id: id, Action: &ext.Commit_Confirm{Confirm: &ext.CommitConfirm{}}})
}

// Cancel reverts a pending commit at once. ErrNothingPending comes back when there is none.
func (d *Device) Cancel(ctx context.Context, id string) error {
	return d.settle(ctx, &ext.Commit{Id: id, Action: &ext.Commit_Cancel{Cancel: &ext.CommitCancel{}}})
}

// Extend makes a pending commit wait so long from now on. It has the time of a
// small question. ErrNothingPending comes back when there is none any more.
func (d *Device) Extend(ctx context.Context, id string, revert time.Duration) error {
	return settled(d.set(ctx, &gpb.SetRequest{Extension: []*ext.Extension{commit(&ext.Commit{Id: id, Action: &ext.Commit_SetRollbackDuration{
		SetRollbackDuration: &ext.CommitSetRollbackDuration{RollbackDuration: durationpb.New(revert)}}})}}, d.timeout.Connect))
}

func (d *Device) settle(ctx context.Context, c *ext.Commit) error {
	return settled(d.Set(ctx, &gpb.SetRequest{Extension: []*ext.Extension{commit(c)}}))
}

func settled(err error) error {
	if status.Code(err) == codes.FailedPrecondition {
		return ErrNothingPending
	}
	return err
}
