package rollout_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"railyard/generator/fabric"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout"
	"railyard/vendors/rollout/targets"
)

// lab is a small network: leaves below spines, each a server that a test can break.
type lab struct {
	t      testing.TB
	fabric *fabric.Fabric
	boxes  map[string]*target.Target
	want   map[string][]byte
	was    map[string][]byte
	yaml   strings.Builder
	dir    string
	net    *target.Network // nil: real sockets
}

// bubble runs a test in a world of its own whose clock moves only when everybody
// waits: minutes take no time, and how busy the machine is changes nothing. The
// switches are joined in memory; the journal is on the real disk.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(24 * time.Hour) }) // last: whoever sleeps in a switch wakes up and goes
		f(t)
	})
}

func plainDiffer(os string, running, intended []byte, _ []string) (dialect.Difference, error) {
	lines, patch, err := target.PlainDiff(os, running, intended)
	d := dialect.Difference{Patch: patch}
	for _, l := range lines {
		d.Changes = append(d.Changes, dialect.Change{Path: l.Path, Remove: l.Remove, Add: l.Add})
	}
	return d, err
}

const eosBefore = `hostname %s
management api gnmi
   transport grpc default
      vrf mgmt
qos profile ROCE
   uc-tx-queue 3
      random-detect ecn minimum-threshold 100 bytes maximum-threshold 200 bytes max-mark-probability 20 weight 0
interface Ethernet1/1
   description old
   mtu 1500
`

const eosAfter = `hostname %s
management api gnmi
   transport grpc default
      vrf mgmt
vlan 100
   name rail0
qos profile ROCE
   uc-tx-queue 3
      random-detect ecn minimum-threshold 400 bytes maximum-threshold 1600 bytes max-mark-probability 20 weight 0
   priority-flow-control on
interface Ethernet1/1
   mtu 9214
   no switchport
`

const sonicBefore = `{"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"1500"},"Ethernet8":{"lanes":"3,4","mtu":"1500"}},
"INTERFACE":{"Ethernet0":{},"Ethernet0|10.9.0.0/31":{}},"SCHEDULER":{"sched.roce":{"type":"DWRR","weight":"10"}},
"DEVICE_METADATA":{"localhost":{"hostname":"%s","mac":"aa:bb"}}}`

const sonicAfter = `{"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"9216"},"Ethernet8":{"lanes":"3,4","mtu":"9216"}},
"INTERFACE":{"Ethernet0":{},"Ethernet0|10.1.0.0/31":{}},"SCHEDULER":{"sched.roce":{"type":"DWRR","weight":"50"}},
"WRED_PROFILE":{"ECN":{"ecn":"ecn_all","green_max_threshold":"1600000"}},"QUEUE":{"Ethernet0|3":{"scheduler":"sched.roce","wred_profile":"ECN"}},
"DEVICE_METADATA":{"localhost":{"hostname":"%s","mac":"aa:bb"}}}`

// newLab starts leaves and spines, joined in memory, with the times that push has
// where nobody says otherwise.
func newLab(t testing.TB, leaves, spines int, tune func(name string, c *target.Config)) *lab {
	return build(t, target.NewNetwork(), "insecure: true\ntargets:\n", leaves, spines, tune)
}

// realLab starts them on real sockets, with short times.
func realLab(t testing.TB, leaves, spines int, tune func(name string, c *target.Config)) *lab {
	return build(t, nil, "insecure: true\ntimeout: 1s\nget-timeout: 5s\nset-timeout: 5s\ntargets:\n", leaves, spines, tune)
}

func build(t testing.TB, network *target.Network, head string, leaves, spines int, tune func(name string, c *target.Config)) *lab {
	l := &lab{net: network, t: t, fabric: &fabric.Fabric{Name: "lab", Technology: fabric.RoCE}, boxes: map[string]*target.Target{},
		want: map[string][]byte{}, was: map[string][]byte{}, dir: t.TempDir()}
	l.fabric.Models = []fabric.Model{{ID: "m"}}
	l.yaml.WriteString(head)
	add := func(role fabric.Role, n int) {
		name := fmt.Sprintf("%s-%02d", role, n+1)
		l.fabric.Switches = append(l.fabric.Switches, fabric.Switch{Name: name, Role: role, OS: "eos", Index: n})
		c := target.Config{Name: name, OS: "eos", Network: network, Running: fmt.Appendf(nil, eosBefore, name)}
		if tune != nil {
			tune(name, &c)
		}
		l.fabric.Switches[len(l.fabric.Switches)-1].OS = c.OS
		l.want[name] = fmt.Appendf(nil, eosAfter, name)
		if c.OS == "sonic" {
			c.Running = fmt.Appendf(nil, sonicBefore, name)
			l.want[name] = fmt.Appendf(nil, sonicAfter, name)
		}
		if os.Getenv("ROLLOUT_TEST_CHILD") != "" {
			return // the switches live in the parent process
		}
		box, err := target.Start(c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(box.Stop)
		l.boxes[name], l.was[name] = box, box.Running()
		fmt.Fprintf(&l.yaml, "  - {name: %s, address: \"%s\"}\n", name, box.Addr())
	}
	for i := range leaves {
		add(fabric.Leaf, i)
	}
	for i := range spines {
		add(fabric.Spine, i)
	}
	for i := range leaves {
		for k := range spines {
			l.fabric.Links = append(l.fabric.Links, fabric.Link{Kind: fabric.FabricLink, A: fabric.End{Device: i}, B: fabric.End{Device: leaves + k}})
		}
	}
	return l
}

func (l *lab) options() rollout.Options {
	file, err := targets.Read("targets.yaml", strings.NewReader(l.yaml.String()))
	if err != nil {
		l.t.Fatal(err)
	}
	o := rollout.Options{Fabric: l.fabric, Differ: dialect.Differ{Compare: plainDiffer}, Targets: file, Insecure: true,
		Open: func(string) (io.ReadCloser, error) { return nil, os.ErrNotExist },
		Render: func(_ context.Context, emit func(*fabric.Switch, []fabric.File) error) error {
			for i := range l.fabric.Switches {
				sw := &l.fabric.Switches[i]
				name := "startup-config"
				if sw.OS == "sonic" {
					name = "config_db.json"
				}
				if err := emit(sw, []fabric.File{{Name: name, Body: l.want[sw.Name]}}); err != nil {
					return err
				}
			}
			return nil
		},
		Journal: filepath.Join(l.dir, "push"), Run: fmt.Sprint(time.Now().UnixNano())}
	if l.net == nil {
		o.VerifyTimeout, o.CommitTimeout = time.Second, 2*time.Second
	} else {
		o.Connect = l.net.Connect
	}
	return o
}

// stand says where a switch really stands.
func (l *lab) stand(name string) string {
	box := l.boxes[name]
	now := box.Running()
	os := "eos"
	for i := range l.fabric.Switches {
		if l.fabric.Switches[i].Name == name {
			os = l.fabric.Switches[i].OS
		}
	}
	same := func(to []byte) bool {
		lines, _, err := target.PlainDiff(os, now, to)
		if err != nil {
			l.t.Fatal(err)
		}
		return len(lines) == 0
	}
	switch {
	case same(l.want[name]) && box.Pending():
		return "pending"
	case same(l.want[name]):
		return "after"
	case same(l.was[name]):
		return "before"
	}
	return "other"
}

func (l *lab) expect(want string, names ...string) {
	l.t.Helper()
	if len(names) == 0 {
		for i := range l.fabric.Switches {
			names = append(names, l.fabric.Switches[i].Name)
		}
	}
	for _, n := range names {
		if got := l.stand(n); got != want {
			l.t.Errorf("%s stands %s, want %s:\n%s", n, got, want, l.boxes[n].Running())
		}
	}
}

func status(r *rollout.Report, name string) string {
	if r == nil {
		return "no report"
	}
	for _, s := range r.Switches {
		if s.Switch == name {
			return s.Status
		}
	}
	return "not in the report"
}
