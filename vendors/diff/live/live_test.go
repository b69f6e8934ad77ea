package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"

	"railyard/generator/fabric"
	"railyard/vendors/clitree"
	"railyard/vendors/diff"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/gnmi/target"
	"railyard/vendors/openconfig/oc"
)

func TestSameAndOneLine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		edit := func(old, now string) func(*target.Config) {
			return func(c *target.Config) { c.Running = bytes.Replace(c.Running, []byte(old), []byte(now), 1) }
		}
		n.add("leaf-01", "eos", nil)
		n.add("leaf-02", "eos", edit("mtu 9214", "mtu 1500"))
		n.add("spine-01", "sonic", nil)
		n.add("spine-02", "sonic", edit(`"weight":"50"`, `"weight":"10"`))
		r := n.run("", diff.Options{Patch: true}, n.options())
		for name, want := range map[string]string{
			"leaf-01": "same []", "spine-01": "same []",
			"leaf-02":  "differs [{[interface Ethernet1/1] [mtu 1500] [mtu 9214] false }]",
			"spine-02": "differs [{[SCHEDULER sched.roce] [weight=10] [weight=50] false }]",
		} {
			s := of(r, name)
			if got := fmt.Sprint(s.Status, " ", s.Changes); got != want || len(s.Problems) > 0 {
				t.Errorf("%s: %s, want %s (%s %v)", name, got, want, s.Reason, s.Problems)
			}
			if !strings.HasPrefix(s.File, "gnmi://192.0.2.1:") {
				t.Errorf("%s: from %q", name, s.File)
			}
		}
		if p := string(of(r, "leaf-02").Patch.Body); !strings.Contains(p, "mtu 9214") {
			t.Errorf("patch %q", p)
		}
		r = n.run("", diff.Options{Options: clitree.Options{Ignore: []string{"mtu *", "SCHEDULER / *"}}}, n.options())
		if r.Differs() || r.Trouble() > 0 {
			t.Errorf("what is ignored shows: %+v", r.Switches)
		}
		before := len(n.boxes["leaf-02"].Calls("get"))
		if r = n.run("leaf-01", diff.Options{}, n.options()); len(r.Switches) != 1 || r.Differs() || len(n.boxes["leaf-02"].Calls("get")) != before {
			t.Errorf("more than the selected was asked: %+v", r.Switches)
		}
	})
}

// TestScope: what railyard does not manage shows with full only, and full tells
// that of SONiC not everything was read.
func TestScope(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		n.add("leaf-01", "eos", func(c *target.Config) {
			c.Running = append([]byte("snmp-server community letmein ro\n"), c.Running...)
		})
		n.add("spine-01", "sonic", nil)
		if r := n.run("", diff.Options{}, n.options()); r.Differs() || r.Trouble() > 0 {
			t.Errorf("owned: %+v", r.Switches)
		}
		r := n.run("", diff.Options{Options: clitree.Options{Scope: clitree.Full}}, n.options())
		if s := of(r, "leaf-01"); len(s.Changes) != 1 || strings.Contains(fmt.Sprint(s.Changes), "letmein") {
			t.Errorf("full: %+v", s)
		}
		if s := of(r, "spine-01"); s.Status != diff.Same || len(s.Problems) != 1 || s.Problems[0].Code != clitree.CodePartial {
			t.Errorf("full: %+v", s)
		}
	})
}

// TestTrouble: whatever keeps a switch from being read is its own result, and the
// others are compared.
func TestTrouble(t *testing.T) {
	tests := []struct {
		name   string
		status diff.Status
		reason string
		tune   func(*target.Config)
	}{
		{"refused", diff.Unreachable, "Unauthenticated: wrong user or password (not shown)", func(c *target.Config) { c.Username = "somebody else" }},
		{"forbidden", diff.Unreachable, "get: PermissionDenied", fault(target.Fault{Call: "get", Do: target.Refuse, Code: codes.PermissionDenied})},
		{"slow", diff.Unreachable, "get: DeadlineExceeded", fault(target.Fault{Call: "get", Do: target.Slow, Wait: time.Hour})},
		{"mute", diff.Unreachable, "capabilities: DeadlineExceeded", fault(target.Fault{Call: "capabilities", Do: target.Slow, Wait: time.Hour})},
		{"dropping", diff.Unreachable, "get: Unavailable", fault(target.Fault{Call: "get", Do: target.DropBefore})},
		{"dropping once", diff.Same, "", fault(target.Fault{Call: "get", Nth: 1, Do: target.DropBefore})},
		{"huge", diff.Unreadable, "more than a configuration can have; raise max-msg-size", fault(target.Fault{Call: "get", Do: target.Huge, Size: mostRead + 1<<20})},
		{"filler", diff.Unreadable, "", fault(target.Fault{Call: "get", Do: target.Huge, Size: 1 << 20})},
		{"garbage", diff.Unreadable, "", fault(target.Fault{Call: "get", Do: target.Garbage})},
		{"silent TLS", diff.Unreachable, "capabilities: Unavailable", func(c *target.Config) {
			a, err := target.NewAuthority()
			if err == nil {
				c.TLS, err = a.Server("switch.example", false, false)
			}
			if err != nil {
				panic(err)
			}
		}},
		{"impostor", diff.Unreadable, "calls itself leaf-good: check the targets file", func(c *target.Config) {
			c.Running = bytes.ReplaceAll(bytes.ReplaceAll(c.Running, []byte("hostname leaf-bad"), []byte("hostname leaf-good")), []byte(`"leaf-bad"`), []byte(`"leaf-good"`))
		}},
	}
	for _, test := range tests {
		for _, system := range []string{"eos", "sonic"} {
			t.Run(test.name+"/"+system, func(t *testing.T) {
				bubble(t, func(t *testing.T) {
					n := newLab(t)
					n.add("leaf-bad", system, test.tune)
					n.add("leaf-good", "eos", nil)
					r := n.run("", diff.Options{}, n.options())
					bad, good := of(r, "leaf-bad"), of(r, "leaf-good")
					if bad.Status != test.status || !strings.Contains(bad.Reason, test.reason) || len(bad.Changes) > 0 {
						t.Errorf("%+v", bad)
					}
					if good.Status != diff.Same {
						t.Errorf("the other: %+v", good)
					}
					if want := test.status != diff.Same; want != (r.Trouble() == 1) {
						t.Errorf("trouble %d", r.Trouble())
					}
				})
			})
		}
	}
}

// TestBounds: many answers, each within its bounds, do not add up to more time or
// memory than a switch may take.
func TestBounds(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		slow := fault(target.Fault{Call: "get", Do: target.Slow, Wait: 50 * time.Second})
		n.add("leaf-01", "eos", slow)
		n.add("spine-01", "sonic", slow)
		r := n.run("", diff.Options{}, n.options())
		if a, b := of(r, "leaf-01"), of(r, "spine-01"); a.Status != diff.Same || b.Status != diff.Unreachable || !strings.Contains(b.Reason, "DeadlineExceeded") {
			t.Errorf("%+v\n%+v", a, b)
		}
	})
	b := &bounded{device: filler{}, left: 2500}
	for i := range 3 {
		_, err := b.Get(t.Context(), nil)
		if want := i == 2; errors.Is(err, errTooMuch) != want {
			t.Errorf("answer %d: %v", i+1, err)
		}
	}
}

// filler answers a thousand bytes.
type filler struct{}

func (filler) Get(context.Context, *gpb.GetRequest) (*gpb.GetResponse, error) {
	return &gpb.GetResponse{Notification: []*gpb.Notification{{Update: []*gpb.Update{{
		Val: &gpb.TypedValue{Value: &gpb.TypedValue_AsciiVal{AsciiVal: strings.Repeat("x", 1000)}}}}}}}, nil
}

func fault(f target.Fault) func(*target.Config) {
	return func(c *target.Config) { c.Faults = []target.Fault{f} }
}

// TestUnreachable: nobody listens; many of them read as one line.
func TestUnreachable(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		n.add("leaf-1", "eos", nil)
		for i := 2; i <= 5; i++ {
			n.add(fmt.Sprintf("leaf-%d", i), "eos", nil)
			n.boxes[fmt.Sprintf("leaf-%d", i)].Stop()
		}
		r := n.run("", diff.Options{}, n.options())
		var b bytes.Buffer
		if err := r.Text(&b, diff.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if r.Trouble() != 4 || strings.Count(b.String(), "unreachable: leaf-[2-5]: capabilities: Unavailable") != 1 {
			t.Error(b.String())
		}
	})
}

func TestAlike(t *testing.T) {
	for _, test := range []struct{ address, text, want string }{
		{"10.0.0.1:6030", "dial tcp 10.0.0.1:6030: connect: connection refused", "dial tcp: connect: connection refused"},
		{"[2001:db8::1]:6030", "dial tcp [2001:db8::1]:6030: i/o timeout", "dial tcp: i/o timeout"},
		{"10.0.0.1:6030", "x509: cannot validate certificate for 10.0.0.1 because", "x509: cannot validate certificate for its address because"},
		{"not:6030", "x509: certificate is valid for a, not not", "x509: certificate is valid for a, not not"},
		{"a:1", "x509: certificate has expired or is not yet valid: current time 2026-12-01T11:07:41Z is after 2026-12-01T10:07:38Z", "x509: certificate has expired or is not yet valid"},
	} {
		if got := alike(test.address, test.text); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// TestPartial: what gNMI does not show of a switch is a doubt, never a difference.
func TestPartial(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		n.add("spine-01", "sonic", nil)
		n.want["spine-01"] = append(n.want["spine-01"], diff.File{Name: "frr.conf", Body: []byte("router bgp 65001\n")})
		r := n.run("", diff.Options{}, n.options())
		if s := of(r, "spine-01"); s.Status != diff.Same || len(s.Problems) != 1 || s.Problems[0].Code != clitree.CodePartial || !strings.Contains(s.Problems[0].Text, "frr.conf") {
			t.Errorf("%+v", s)
		}
	})
}

const document = `{"openconfig-interfaces:interfaces":{"interface":[{"name":"Ethernet1","config":{"name":"Ethernet1","type":"iana-if-type:ethernetCsmacd","mtu":9214,"description":"x"}}]}}`

// TestOpenConfig: of a device without command line and tables, what the document
// carries is compared, and the rest is named.
func TestOpenConfig(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		for name, mtu := range map[string]string{"leaf-01": "9214", "leaf-02": "1500"} {
			n.add(name, "eos", func(c *target.Config) {
				c.OS, c.Schema, c.Models = "openconfig", oc.Schema, []string{"openconfig-interfaces"}
				c.Running = []byte(strings.Replace(document, "9214", mtu, 1))
			})
		}
		for _, name := range []string{"leaf-03", "leaf-04"} { // one without the model, and one of a system that shows nothing
			n.add(name, "eos", func(c *target.Config) { c.Plain = true })
		}
		n.plan("leaf-05", "rgos")
		n.want["leaf-05"] = []diff.File{{Name: "config.text", Body: []byte("hostname leaf-05\n")}}
		how := n.options()
		how.OpenConfig = func(_ *fabric.Fabric, sw *fabric.Switch) ([]byte, []dialect.Manual, error) {
			gaps := []dialect.Manual{{What: "PFC: no model; use the file"}, {What: "PFC: on queue 3"}, {What: "ECN: none"}}
			if sw.OS == "rgos" {
				return nil, gaps, nil
			}
			return []byte(document), gaps, nil
		}
		r := n.run("", diff.Options{Patch: true}, how)
		if s := of(r, "leaf-01"); s.Status != diff.Same || len(s.Problems) != 1 || !strings.HasSuffix(s.Problems[0].Text, "not compared: PFC, ECN") {
			t.Errorf("%+v", s)
		}
		if s := of(r, "leaf-02"); s.Status != diff.Differs || fmt.Sprint(s.Changes) != "[{[/interfaces/interface[name=Ethernet1] config] [mtu=1500] [mtu=9214] false }]" || len(s.Patch.Notes) != 1 {
			t.Errorf("%+v", s)
		}
		for _, name := range []string{"leaf-03", "leaf-04", "leaf-05"} {
			if s := of(r, name); s.Status != diff.Unreachable || !strings.Contains(s.Reason, "over gNMI") || !strings.HasSuffix(s.Reason, instead) {
				t.Errorf("%+v", s)
			}
		}
		if s := of(n.run("", diff.Options{Options: clitree.Options{Ignore: []string{"*Ethernet1* / mtu=*"}}}, how), "leaf-02"); s.Status != diff.Same {
			t.Errorf("ignored: %+v", s)
		}
	})
}

// TestRefused: mistakes of the targets file stop the comparison before anybody is
// asked.
func TestRefused(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		n.add("leaf-01", "eos", nil)
		how := n.options()
		if _, err := Run(t.Context(), "", n.intent(), diff.Options{}, how); err == nil || !strings.Contains(err.Error(), "LIVE_TEST_PASSWORD is empty") {
			t.Errorf("without password: %v", err)
		}
		t.Setenv("LIVE_TEST_PASSWORD", password)
		how.Insecure = false
		if _, err := Run(t.Context(), "", n.intent(), diff.Options{}, how); err == nil || !strings.Contains(err.Error(), "say --insecure") {
			t.Errorf("no TLS: %v", err)
		}
		how.Insecure = true
		if _, err := Run(t.Context(), "spine-*", n.intent(), diff.Options{}, how); err == nil {
			t.Error("a selection of nothing was taken")
		}
		n.plan("leaf-02", "eos")
		if _, err := Run(t.Context(), "", n.intent(), diff.Options{}, how); err == nil || !strings.Contains(err.Error(), "leaf-02") || !strings.Contains(err.Error(), "no address") {
			t.Errorf("not in the targets file: %v", err)
		}
		how.Fabric = &fabric.Fabric{Technology: fabric.InfiniBand}
		if _, err := Run(t.Context(), "", n.intent(), diff.Options{}, how); err != ErrInfiniBand {
			t.Errorf("InfiniBand: %v", err)
		}
		if n := len(n.boxes["leaf-01"].Calls("capabilities")); n > 0 {
			t.Errorf("asked %d times", n)
		}
	})
}

// TestMany: 100 switches, ten at once, of which every tenth does not answer in
// time; the warning comes once.
func TestMany(t *testing.T) {
	bubble(t, func(t *testing.T) {
		n := newLab(t)
		for i := range 100 {
			n.add(fmt.Sprintf("leaf-%03d", i), []string{"eos", "sonic"}[i%2], func(c *target.Config) {
				c.Latency = time.Second
				if i%10 == 0 {
					c.Latency = time.Hour
				}
			})
		}
		how := n.options()
		how.MaxParallel = 10
		var warned []string
		how.Warn = func(s string) { warned = append(warned, s) }
		began := time.Now()
		r := n.run("", diff.Options{}, how)
		if r.Differs() || r.Trouble() != 10 || len(warned) != 1 || !strings.HasPrefix(warned[0], "NO TLS to leaf-000") {
			t.Errorf("trouble %d, warned %q", r.Trouble(), warned)
		}
		names := make([]string, len(r.Switches))
		for i := range r.Switches {
			names[i] = r.Switches[i].Name
		}
		if !slices.IsSorted(names) {
			t.Error("not in the order of the plan")
		}
		// SONiC is asked table by table, EOS twice; one by one it would take an hour.
		if took := time.Since(began); took > 5*time.Minute {
			t.Errorf("took %s", took)
		}
	})
}

func TestCancelled(t *testing.T) {
	bubble(t, func(t *testing.T) {
		t.Setenv("LIVE_TEST_PASSWORD", password)
		n := newLab(t)
		n.add("leaf-01", "eos", fault(target.Fault{Call: "get", Do: target.Slow, Wait: time.Hour}))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if r, err := Run(ctx, "", n.intent(), diff.Options{}, n.options()); err == nil {
			t.Errorf("%+v", r)
		}
	})
}
