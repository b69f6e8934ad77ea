package gnmi_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/target"
)

const running = "hostname leaf-1\nvlan 100\n   name rail0\ninterface Ethernet1/1\n   mtu 1500\n   no switchport\nend\n"

func start(t *testing.T, c target.Config) *target.Target {
	t.Helper()
	if c.OS == "" {
		c.OS, c.Running = "eos", []byte(running)
	}
	s, err := target.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

func dial(t *testing.T, at gnmi.Endpoint) *gnmi.Device {
	t.Helper()
	if at.Name == "" {
		at.Name = "leaf-1"
	}
	if at.Timeouts == (gnmi.Timeouts{}) {
		at.Timeouts = gnmi.Timeouts{Connect: 2 * time.Second, Get: 5 * time.Second, Set: 2 * time.Second}
	}
	d, err := gnmi.Dial(at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func lines(text string) *gpb.SetRequest {
	return &gpb.SetRequest{Update: []*gpb.Update{{Path: &gpb.Path{Origin: "cli"},
		Val: &gpb.TypedValue{Value: &gpb.TypedValue_AsciiVal{AsciiVal: text}}}}}
}

func plain(s *target.Target) gnmi.Endpoint {
	return gnmi.Endpoint{Address: s.Addr(), Security: gnmi.Security{Plaintext: true}}
}

func TestTLS(t *testing.T) {
	a, err := target.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	other, err := target.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	cert, key, err := a.Issue("operator", false)
	if err != nil {
		t.Fatal(err)
	}
	server := func(mutual, expired bool, most uint16) *tls.Config {
		c, err := a.Server("leaf-1.example", mutual, expired)
		if err != nil {
			t.Fatal(err)
		}
		if most != 0 {
			c.MinVersion, c.MaxVersion = tls.VersionTLS10, most
		}
		return c
	}
	good := gnmi.Security{CA: a.CA, ServerName: "leaf-1.example"}
	mutual := good
	mutual.Certificate, mutual.Key = cert, key
	for _, row := range []struct {
		name   string
		server *tls.Config
		client gnmi.Security
		want   string // part of the error; "" for none
	}{
		{"verified", server(false, false, 0), good, ""},
		{"mutual", server(true, false, 0), mutual, ""},
		{"no client certificate", server(true, false, 0), good, "Unavailable"},
		{"TLS 1.2", server(false, false, tls.VersionTLS12), good, ""},
		{"TLS 1.1 is refused", server(false, false, tls.VersionTLS11), good, "version"},
		{"expired", server(false, true, 0), good, "expired"},
		{"another authority", server(false, false, 0), gnmi.Security{CA: other.CA, ServerName: "leaf-1.example"}, "unknown authority"},
		{"another name", server(false, false, 0), gnmi.Security{CA: a.CA, ServerName: "leaf-2.example"}, "leaf-2.example"},
		{"an address without a name", server(false, false, 0), gnmi.Security{CA: a.CA}, "127.0.0.1"},
		{"unverified on purpose", server(false, true, 0), gnmi.Security{SkipVerify: true}, ""},
		{"no fallback to plaintext", nil, good, "tls"},
		{"plaintext to a TLS port", server(false, false, 0), gnmi.Security{Plaintext: true}, "Unavailable"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := start(t, target.Config{TLS: row.server})
			d := dial(t, gnmi.Endpoint{Address: s.Addr(), Security: row.client})
			_, err := d.Capabilities(t.Context())
			if row.want == "" && err != nil {
				t.Fatal(err)
			}
			if row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Fatalf("got %v, want an error with %q", err, row.want)
			}
		})
	}
}

func TestPasswordIsSentAndNeverShown(t *testing.T) {
	s := start(t, target.Config{Username: "admin", Password: "s3cr3t-Word"})
	at := plain(s)
	at.Username, at.Password = "admin", "s3cr3t-Word"
	if _, err := dial(t, at).Capabilities(t.Context()); err != nil {
		t.Fatal(err)
	}
	at.Password = "wrong-one"
	_, err := dial(t, at).Capabilities(t.Context())
	if status.Code(err) != codes.Unauthenticated || strings.Contains(err.Error(), "wrong-one") {
		t.Fatalf("got %v", err)
	}
	at.Password = "ä"
	if _, err := gnmi.Dial(at); err == nil || strings.Contains(err.Error(), "ä") {
		t.Fatalf("got %v", err)
	}
	at.Password = "wrong-one"
	for _, shown := range []string{fmt.Sprint(at), fmt.Sprintf("%+v", at), fmt.Sprintf("%#v", at)} {
		if strings.Contains(shown, "wrong-one") {
			t.Errorf("shown: %s", shown)
		}
	}
}

func TestPasswordNeedsTLSUnlessAskedFor(t *testing.T) {
	s := start(t, target.Config{Username: "admin", Password: "x"})
	d := dial(t, gnmi.Endpoint{Address: s.Addr(), Username: "admin", Password: "x"})
	if _, err := d.Capabilities(t.Context()); err == nil {
		t.Fatal("a password went out without TLS")
	}
	if n := len(s.Calls("capabilities")); n != 0 {
		t.Fatalf("%d calls arrived", n)
	}
}

func TestReadingIsRetriedWritingNever(t *testing.T) {
	s := start(t, target.Config{Faults: []target.Fault{
		{Call: "capabilities", Nth: 1, Do: target.DropBefore},
		{Call: "set", Nth: 1, Do: target.DropBefore},
	}})
	d := dial(t, plain(s))
	if _, err := d.Capabilities(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := d.Set(t.Context(), lines("hostname x\n"))
	var e *gnmi.Error
	if !errors.As(err, &e) || !e.Lost {
		t.Fatalf("got %v, want a lost answer", err)
	}
	if n := len(s.Calls("set")); n != 1 {
		t.Fatalf("%d sets arrived, want 1", n)
	}
}

func TestSetOutcomes(t *testing.T) {
	for _, row := range []struct {
		name    string
		fault   target.Fault
		lost    bool
		code    codes.Code
		applied bool
	}{
		{"fine", target.Fault{}, false, codes.OK, true},
		{"refused", target.Fault{Do: target.Refuse, Code: codes.InvalidArgument}, false, codes.InvalidArgument, false},
		{"dropped before", target.Fault{Do: target.DropBefore}, true, codes.Unavailable, false},
		{"dropped after", target.Fault{Do: target.DropAfter}, true, codes.Unavailable, true},
		{"too slow", target.Fault{Do: target.Slow, Wait: 3 * time.Second}, true, codes.DeadlineExceeded, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			row.fault.Call = "set"
			s := start(t, target.Config{Faults: []target.Fault{row.fault}})
			err := dial(t, plain(s)).Set(t.Context(), lines("hostname changed\n"))
			var e *gnmi.Error
			errors.As(err, &e)
			if status.Code(err) != row.code || (e != nil && e.Lost) != row.lost {
				t.Fatalf("got %v", err)
			}
			if got := strings.Contains(string(s.Running()), "hostname changed"); got != row.applied {
				t.Fatalf("applied %v, want %v", got, row.applied)
			}
		})
	}
}

func TestHugeAnswerIsRefused(t *testing.T) {
	s := start(t, target.Config{Faults: []target.Fault{{Call: "get", Do: target.Huge}}})
	_, err := dial(t, plain(s)).Get(t.Context(), &gpb.GetRequest{Path: []*gpb.Path{gnmi.Path("cli", "show running-config")}, Encoding: gpb.Encoding_ASCII})
	if status.Code(err) != codes.ResourceExhausted {
		t.Fatalf("got %v", err)
	}
}

func TestCommit(t *testing.T) {
	for _, row := range []struct {
		name  string
		mode  target.Commit
		knows bool
	}{{"honours", target.Honours, true}, {"ignores", target.Ignores, false}} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, target.Config{Commit: row.mode})
			d := dial(t, plain(s))
			knows, err := d.KnowsCommit(t.Context(), "probe-1")
			if err != nil || knows != row.knows {
				t.Fatalf("knows %v, %v", knows, err)
			}
			if string(s.Running()) != string(start(t, target.Config{}).Running()) {
				t.Fatal("the probe changed something")
			}
		})
	}
	s := start(t, target.Config{Commit: target.Honours})
	d := dial(t, plain(s))
	changed := func() bool { return strings.Contains(string(s.Running()), "hostname b") }
	set := func(id string, wait time.Duration) {
		t.Helper()
		if err := d.Set(t.Context(), gnmi.WithCommit(lines("hostname b\n"), id, wait)); err != nil || !changed() {
			t.Fatal(err, changed())
		}
	}
	set("one", 150*time.Millisecond)
	if err := d.Set(t.Context(), lines("hostname c\n")); status.Code(err) != codes.FailedPrecondition {
		t.Fatalf("a set beside a pending commit: %v", err)
	}
	if err := d.Confirm(t.Context(), "two"); status.Code(err) != codes.InvalidArgument {
		t.Fatalf("another id: %v", err)
	}
	time.Sleep(300 * time.Millisecond)
	if changed() {
		t.Fatal("the timer did not revert")
	}
	if err := d.Confirm(t.Context(), "one"); !errors.Is(err, gnmi.ErrNothingPending) {
		t.Fatalf("late confirm: %v", err)
	}
	set("three", time.Minute)
	if err := d.Cancel(t.Context(), "three"); err != nil || changed() {
		t.Fatal(err, changed())
	}
	set("four", 100*time.Millisecond)
	if err := d.Confirm(t.Context(), "four"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	if !changed() {
		t.Fatal("a confirmed commit reverted")
	}
}

func TestEmptySetIsNotSent(t *testing.T) {
	s := start(t, target.Config{})
	if err := dial(t, plain(s)).Set(t.Context(), &gpb.SetRequest{}); err == nil || len(s.Calls("set")) > 0 {
		t.Fatal(err)
	}
}

func TestRedact(t *testing.T) {
	req := lines("interface Ethernet1/1\n   description password here\nusername admin secret sha512 $6$abc\nrouter bgp 1\n   neighbor 10.0.0.1 password 7 0A1B\nsnmp-server community hidden ro\n")
	req.Update = append(req.Update, &gpb.Update{Path: gnmi.Path("", "bgp"), Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{
		JsonIetfVal: []byte(`{"openconfig-bgp:auth-password":"pw-one","x":[{"passkey":"pw-two","mtu":9214}]}`)}}},
		&gpb.Update{Path: gnmi.Path("sonic-db", "CONFIG_DB", "localhost", "TACPLUS", "global", "passkey"), Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: []byte(`"pw-three"`)}}})
	for name, show := range map[string]func(*gpb.SetRequest) ([]byte, error){"text": gnmi.Text, "json": gnmi.JSON} {
		b, err := show(req)
		if err != nil {
			t.Fatal(err)
		}
		if name == "json" { // bytes are base64 there: look at the redacted message instead
			b = []byte(gnmi.Redact(req).String())
		}
		for _, secret := range []string{"$6$abc", "0A1B", "hidden", "pw-one", "pw-two", "pw-three"} {
			if strings.Contains(string(b), secret) {
				t.Errorf("%s shows %s:\n%s", name, secret, b)
			}
		}
		if !strings.Contains(string(b), "description password here") || !strings.Contains(string(b), "9214") {
			t.Errorf("%s hides too much:\n%s", name, b)
		}
	}
	if !strings.Contains(req.Update[0].Val.GetAsciiVal(), "$6$abc") {
		t.Error("the request itself was changed")
	}
}

// TestTextReadsBack: what is printed for people is what a parser of protobuf reads.
func TestTextReadsBack(t *testing.T) {
	for _, text := range []string{"", "\n", "hostname a\n", "banner \"q\\\n\\n\" end\n   description \\\n", "no newline", "\\\"", "ü\t\x01\n"} {
		req := lines(text)
		req.Replace = []*gpb.Update{{Path: gnmi.Path("sonic-db", "CONFIG_DB", `a"b\`), Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: []byte(`{"a":"\n"}`)}}}}
		req.Delete = []*gpb.Path{{Elem: []*gpb.PathElem{{Name: "interface", Key: map[string]string{"name": "x]"}}}}}
		b, err := gnmi.Text(req)
		if err != nil {
			t.Fatal(err)
		}
		var back gpb.SetRequest
		if err := prototext.Unmarshal(b, &back); err != nil || !proto.Equal(&back, req) {
			t.Errorf("%q: %v\n%s", text, err, b)
		}
	}
}
