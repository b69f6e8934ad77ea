package gnmi_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/openconfig/gnmi/client"
	gclient "github.com/openconfig/gnmi/client/gnmi"
	gpb "github.com/openconfig/gnmi/proto/gnmi"
	fake "github.com/openconfig/gnmi/testing/fake/gnmi"
	fpb "github.com/openconfig/gnmi/testing/fake/proto"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"

	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/target"
)

// TestForeignClient drives the test target with the client of openconfig/gnmi:
// what this project's client is tested against speaks gNMI to others too.
func TestForeignClient(t *testing.T) {
	a, err := target.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	server, err := a.Server("leaf-1.example", false, false)
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, target.Config{TLS: server, Username: "admin", Password: "pw", Commit: target.Honours})
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.CA)
	impl, err := gclient.New(t.Context(), client.Destination{Addrs: []string{s.Addr()}, Timeout: 5 * time.Second,
		TLS: &tls.Config{RootCAs: roots, ServerName: "leaf-1.example"}, Credentials: &client.Credentials{Username: "admin", Password: "pw"}})
	if err != nil {
		t.Fatal(err)
	}
	c := impl.(*gclient.Client)
	defer c.Close()
	caps, err := c.Capabilities(t.Context(), &gpb.CapabilityRequest{})
	if err != nil || caps.GetGNMIVersion() != "0.7.0" {
		t.Fatal(caps, err)
	}
	// A request as railyard prints it for a dry run, read back by protobuf's parser.
	text, err := gnmi.Text(gnmi.WithCommit(lines("interface Ethernet1/1\n   mtu 9214\n"), "run-1", 200*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	var req gpb.SetRequest
	if err := prototext.Unmarshal(text, &req); err != nil {
		t.Fatal(err)
	}
	r, err := c.Set(t.Context(), &req)
	if err != nil || len(r.GetResponse()) != 1 || r.GetResponse()[0].GetOp() != gpb.UpdateResult_UPDATE {
		t.Fatal(r, err)
	}
	get := func() string {
		r, err := c.Get(t.Context(), &gpb.GetRequest{Path: []*gpb.Path{{Origin: "cli", Elem: []*gpb.PathElem{{Name: "show running-config"}}}}, Encoding: gpb.Encoding_ASCII})
		if err != nil {
			t.Fatal(err)
		}
		return r.GetNotification()[0].GetUpdate()[0].GetVal().GetAsciiVal()
	}
	if !strings.Contains(get(), "mtu 9214") {
		t.Fatal(get())
	}
	time.Sleep(400 * time.Millisecond)
	if !strings.Contains(get(), "mtu 1500") {
		t.Fatal("the commit was not reverted:", get())
	}
}

// TestForeignServer points the client at the fake agent of openconfig/gnmi, over
// TLS. It implements neither Get nor Set, and must be understood as such.
func TestForeignServer(t *testing.T) {
	a, err := target.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	server, err := a.Server("fake.example", false, false)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := fake.New(&fpb.Config{Target: "fake", Port: 0}, []grpc.ServerOption{grpc.Creds(credentials.NewTLS(server))})
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	_, port, _ := strings.Cut(agent.Address()[strings.LastIndex(agent.Address(), ":"):], ":")
	d := dial(t, gnmi.Endpoint{Address: "127.0.0.1:" + port, Security: gnmi.Security{CA: a.CA, ServerName: "fake.example"}})
	_, get := d.Get(t.Context(), &gpb.GetRequest{Path: []*gpb.Path{gnmi.Path("", "interfaces")}})
	for call, err := range map[string]error{"get": get, "set": d.Set(t.Context(), lines("hostname x\n"))} {
		if status.Code(err) != codes.Unimplemented || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s: %v", call, err)
		}
	}
}
