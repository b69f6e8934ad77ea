package gnmi

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"
)

// Endpoint is how to reach one device.
type Endpoint struct {
	Name     string // of the switch, for messages
	Address  string // host:port
	Security Security
	Username string // empty: the client certificate is the login
	Password Secret
	Timeouts Timeouts
	// MaxAnswer bounds an answer in bytes; 0 means DefaultMaxAnswer. gRPC's own
	// 4 MiB is less than the configuration of a large switch.
	MaxAnswer int
	// Connect opens the connection below TLS; nil: TCP to the address.
	Connect func(ctx context.Context, address string) (net.Conn, error)
}

// DefaultMaxAnswer is 64 MiB: several times the largest configuration, and still
// small when many devices answer at once.
const DefaultMaxAnswer = 64 << 20

// Security is how a connection is protected. The zero value is TLS with the
// system's roots.
type Security struct {
	CA               []byte // PEM; nil: the system's roots
	Certificate, Key []byte // PEM of the client, both or none
	ServerName       string // name in the device's certificate, where it is not its address
	SkipVerify       bool   // TLS with whoever answers
	Plaintext        bool   // no TLS
}

// Timeouts bound the calls; zero values mean the defaults of DefaultTimeouts.
type Timeouts struct{ Connect, Get, Set time.Duration }

// DefaultTimeouts are generous because devices apply slowly: a Set on SONiC or
// EOS can take minutes.
func DefaultTimeouts() Timeouts {
	return Timeouts{Connect: 10 * time.Second, Get: time.Minute, Set: 5 * time.Minute}
}

func (t Timeouts) orDefault() Timeouts {
	d := DefaultTimeouts()
	if t.Connect > 0 {
		d.Connect = t.Connect
	}
	if t.Get > 0 {
		d.Get = t.Get
	}
	if t.Set > 0 {
		d.Set = t.Set
	}
	return d
}

// Secret is a text that no message, log or dump shows.
type Secret string

const hidden = "(not shown)"

// String hides the value.
func (Secret) String() string { return hidden }

// GoString hides the value from %#v.
func (Secret) GoString() string { return hidden }

// MarshalText hides the value from encoders.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// config is nil for plaintext.
func (s *Security) config() (*tls.Config, error) {
	if s.Plaintext {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: s.ServerName, InsecureSkipVerify: s.SkipVerify}
	if s.CA != nil {
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(s.CA) {
			return nil, errors.New("the CA file holds no certificate in PEM form")
		}
	}
	if s.Certificate == nil && s.Key == nil {
		return c, nil
	}
	pair, err := tls.X509KeyPair(s.Certificate, s.Key)
	if err != nil {
		return nil, fmt.Errorf("client certificate and key: %w", err)
	}
	c.Certificates = []tls.Certificate{pair}
	return c, nil
}
