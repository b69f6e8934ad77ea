package gnmi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/stats"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// Device is one open connection.
type Device struct {
	at      Endpoint
	conn    *grpc.ClientConn
	client  gpb.GNMIClient
	timeout Timeouts
}

// Dial prepares a connection; it is made by the first call. The caller closes it.
func Dial(at Endpoint) (*Device, error) {
	config, err := at.Security.config()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at.Name, err)
	}
	transport := insecure.NewCredentials()
	if config != nil {
		transport = credentials.NewTLS(config)
	}
	size := at.MaxAnswer
	if size == 0 {
		size = DefaultMaxAnswer
	}
	d := &Device{at: at, timeout: at.Timeouts.orDefault()}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(size)),
		// Only what this package says may be retried, and only to the device itself.
		grpc.WithDisableRetry(), grpc.WithDisableServiceConfig(), grpc.WithNoProxy(),
		grpc.WithConnectParams(grpc.ConnectParams{MinConnectTimeout: d.timeout.Connect,
			Backoff: backoff.Config{BaseDelay: 200 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 5 * time.Second}}),
		grpc.WithStatsHandler(answers{}),
	}
	if at.Connect != nil {
		options = append(options, grpc.WithContextDialer(at.Connect))
	}
	if at.Username != "" {
		if strings.ContainsFunc(at.Username+string(at.Password), func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil, fmt.Errorf("%s: the user name or password holds a character that gNMI cannot carry (printable ASCII only)", at.Name)
		}
		options = append(options, grpc.WithPerRPCCredentials(login{at.Username, at.Password, !at.Security.Plaintext}))
	}
	d.conn, err = grpc.NewClient("passthrough:///"+at.Address, options...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at.Name, err)
	}
	d.client = gpb.NewGNMIClient(d.conn)
	return d, nil
}

// Close ends the connection.
func (d *Device) Close() error { return d.conn.Close() }

// login is the user name and password of every call, under the metadata keys of
// the gNMI authentication specification.
type login struct {
	username string
	password Secret
	secure   bool
}

func (l login) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"username": l.username, "password": string(l.password)}, nil
}

func (l login) RequireTransportSecurity() bool { return l.secure }

// Error is what a device, or the way to it, answered.
type Error struct {
	Device, Call string
	Code         codes.Code
	Message      string
	// Lost says that the device's own answer did not come, or was that it does not
	// know either: nobody can say whether it did what it was asked, or still will.
	Lost bool
}

// Error names the device, the call and the code.
func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s: %s: %s", e.Device, e.Call, e.Code, e.Message)
}

// GRPCStatus lets status.Code see the code.
func (e *Error) GRPCStatus() *status.Status { return status.New(e.Code, e.Message) }

// mostMessage bounds what is kept of a device's own words; some print their
// whole schema.
const mostMessage = 1000

func (d *Device) fail(call string, err error) error {
	if err == nil {
		return nil
	}
	s := status.Convert(err)
	e := &Error{Device: d.at.Name, Call: call, Code: s.Code(), Message: hinted(d.clean(s.Message()))}
	switch s.Code() {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Internal, codes.Unknown, codes.DataLoss:
		e.Lost = true
	}
	return e
}

// hinted takes gRPC's wrapping off and adds what most often is the cause.
func hinted(s string) string {
	if inner, ok := strings.CutPrefix(s, `connection error: desc = "`); ok {
		s = strings.TrimPrefix(strings.TrimSuffix(inner, `"`), "transport: ")
	}
	for _, h := range []struct{ has, hint string }{
		{"signed by unknown authority", "is tls-ca the authority that signed the switch's certificate?"},
		{"certificate is valid for", "give the name in the certificate as tls-server-name"},
		{"doesn't contain any IP SANs", "give the name in the certificate as tls-server-name"},
		{"first record does not look like a TLS handshake", "does the switch speak TLS on this port?"},
		{"error reading server preface", "is this the gNMI port, and does the switch want TLS?"},
		{"connection refused", "is gNMI on, and is this its port?"},
		{"i/o timeout", "is the address right, and does a filter drop the connection?"},
	} {
		if strings.Contains(s, h.has) {
			return s + " (" + h.hint + ")"
		}
	}
	return s
}

// clean makes a device's words fit for a terminal and a journal: short, one
// line, no control characters, and without the password it was sent.
func (d *Device) clean(s string) string {
	if d.at.Password != "" {
		s = strings.ReplaceAll(s, string(d.at.Password), hidden)
	}
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == '\r' {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > mostMessage {
		s = string(r[:mostMessage]) + "…"
	}
	return s
}

// Capabilities is what a device says it can do.
type Capabilities struct {
	Version   string
	Encodings []gpb.Encoding
	Models    []*gpb.ModelData
}

// Has reports whether the device lists a model of that name.
func (c *Capabilities) Has(model string) bool {
	return slices.ContainsFunc(c.Models, func(m *gpb.ModelData) bool { return m.GetName() == model })
}

// Takes reports whether the device lists the encoding.
func (c *Capabilities) Takes(e gpb.Encoding) bool { return slices.Contains(c.Encodings, e) }

// Capabilities asks the device what it can do.
func (d *Device) Capabilities(ctx context.Context) (*Capabilities, error) {
	var out *Capabilities
	err := d.read(ctx, "capabilities", d.timeout.Connect, func(ctx context.Context) error {
		r, err := d.client.Capabilities(ctx, &gpb.CapabilityRequest{})
		if err == nil {
			out = &Capabilities{d.clean(r.GetGNMIVersion()), r.GetSupportedEncodings(), r.GetSupportedModels()}
		}
		return err
	})
	return out, err
}

// Get reads. A path that holds nothing is codes.NotFound.
func (d *Device) Get(ctx context.Context, req *gpb.GetRequest) (*gpb.GetResponse, error) {
	var out *gpb.GetResponse
	err := d.read(ctx, "get", d.timeout.Get, func(ctx context.Context) (err error) {
		out, err = d.client.Get(ctx, req)
		return err
	})
	return out, err
}

// tries bounds how often a read is repeated.
const tries = 3

// read makes a call that changes nothing, again when the way to the device failed.
func (d *Device) read(ctx context.Context, call string, limit time.Duration, do func(context.Context) error) error {
	pause := 200 * time.Millisecond
	for try := 1; ; try++ {
		in, cancel := context.WithTimeout(ctx, limit)
		err := do(in)
		cancel()
		again := status.Code(err) == codes.Unavailable || status.Code(err) == codes.Aborted
		if err == nil || !again || try == tries || ctx.Err() != nil {
			return d.fail(call, err)
		}
		select {
		case <-ctx.Done():
			return d.fail(call, err)
		case <-time.After(pause + rand.N(pause)):
			pause *= 2
		}
	}
}

// Set sends one transaction, once. A nil error means that the device says it is
// done; that is not proof. An *Error with Lost set means that nobody knows: the
// device may have done it, or may do it later.
func (d *Device) Set(ctx context.Context, req *gpb.SetRequest) error {
	if len(req.GetDelete())+len(req.GetReplace())+len(req.GetUpdate())+len(req.GetUnionReplace())+len(req.GetExtension()) == 0 {
		return fmt.Errorf("%s: set: an empty request would be answered with OK", d.at.Name)
	}
	return d.set(ctx, req, d.timeout.Set)
}

func (d *Device) set(ctx context.Context, req *gpb.SetRequest, limit time.Duration) error {
	var came atomic.Bool
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, answerKey{}, &came), limit)
	defer cancel()
	_, err := d.client.Set(ctx, req)
	err = d.fail("set", err)
	var e *Error
	if errors.As(err, &e) {
		// Whatever gRPC made up by itself says nothing about the device. Internal and
		// Unknown are how SONiC and others say no, when they say it.
		e.Lost = !came.Load() || e.Code == codes.Unavailable || e.Code == codes.DeadlineExceeded || e.Code == codes.Canceled
	}
	return err
}

// answers notes which calls were answered by the device itself.
type answers struct{}

type answerKey struct{}

func (answers) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context   { return ctx }
func (answers) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (answers) HandleConn(context.Context, stats.ConnStats)                       {}

func (answers) HandleRPC(ctx context.Context, s stats.RPCStats) {
	if _, ok := s.(*stats.InTrailer); ok { // a call ends with one when, and only when, its server ended it
		if came, ok := ctx.Value(answerKey{}).(*atomic.Bool); ok {
			came.Store(true)
		}
	}
}

// Size is the size of a request on the wire in bytes.
func Size(req *gpb.SetRequest) int { return proto.Size(req) }
