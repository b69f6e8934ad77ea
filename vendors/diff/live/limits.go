package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strings"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	"railyard/vendors/diff"
	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
)

// mostRead bounds in bytes what is kept of one switch, where the targets file does
// not: some ten times the largest configuration, and little beside a machine's
// memory when 32 switches send it at once.
const mostRead = 16 << 20

// longest is how long one switch may take, however many questions it is asked: a
// connection that is made again and several slow answers, but no slow answer to
// each table of SONiC.
func longest(t gnmi.Timeouts) time.Duration { return 4*t.Connect + 4*t.Get }

// errTooMuch is an answer that is no configuration.
var errTooMuch = errors.New("more than a configuration can have; raise max-msg-size in the targets file if it is one")

// bounded reads from a device up to a number of bytes in all.
type bounded struct {
	device dialect.Reader
	left   int
}

// Get makes bounded a dialect.Reader.
func (b *bounded) Get(ctx context.Context, req *gpb.GetRequest) (*gpb.GetResponse, error) {
	answer, err := b.device.Get(ctx, req)
	if err != nil {
		return nil, err
	}
	if b.left -= proto.Size(answer); b.left < 0 {
		return nil, errTooMuch
	}
	return answer, nil
}

// failure tells a switch that did not answer, or said no, from one whose answer
// is of no use. What is wrong with many alike must read alike, to be shown once.
func failure(at gnmi.Endpoint, err error) error {
	var e *gnmi.Error
	switch {
	case !errors.As(err, &e):
		return err
	case e.Code == codes.ResourceExhausted && strings.Contains(e.Message, "larger than max"):
		return fmt.Errorf("%s: %w", e.Call, errTooMuch)
	}
	return fmt.Errorf("%w: %s: %s: %s", diff.ErrUnreachable, e.Call, e.Code, alike(at.Address, e.Message))
}

// alike takes out of a message what is of one switch only: its address and the
// second in which a certificate was looked at.
func alike(address, text string) string {
	text = strings.ReplaceAll(text, " "+address, "")
	if host, _, err := net.SplitHostPort(address); err == nil {
		if _, err := netip.ParseAddr(host); err == nil { // a short name could be part of other words
			text = strings.ReplaceAll(text, " "+host+" ", " its address ")
		}
	}
	return now.ReplaceAllString(text, "")
}

var now = regexp.MustCompile(`: current time \S+ is (after|before) \S+`)
