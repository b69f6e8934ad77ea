package live

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"railyard/generator/fabric"
	"railyard/vendors/diff"
	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout/targets"
	"railyard/vendors/sonic"
)

const eosText = `hostname %s
vlan 100
   name rail0
qos profile ROCE
   uc-tx-queue 3
      random-detect ecn minimum-threshold 400 bytes maximum-threshold 1600 bytes max-mark-probability 20 weight 0
   priority-flow-control on
interface Ethernet1/1
   mtu 9214
   no switchport
end
`

const sonicText = `{"PORT":{"Ethernet0":{"lanes":"1,2","mtu":"9216"},"Ethernet8":{"lanes":"3,4","mtu":"9216"}},
"INTERFACE":{"Ethernet0":{},"Ethernet0|10.1.0.0/31":{}},"SCHEDULER":{"sched.roce":{"type":"DWRR","weight":"50"}},
"DEVICE_METADATA":{"localhost":{"hostname":"%s","mac":"aa:bb"}}}`

// lab is a network of leaves that a test can break, and what they should have.
type lab struct {
	t       *testing.T
	network *target.Network
	fabric  *fabric.Fabric
	boxes   map[string]*target.Target
	want    map[string][]diff.File
	yaml    strings.Builder
}

// bubble runs a test where minutes take no time.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(24 * time.Hour) }) // last: whoever sleeps in a switch wakes up and goes
		f(t)
	})
}

func newLab(t *testing.T) *lab {
	n := &lab{t: t, network: target.NewNetwork(), fabric: &fabric.Fabric{Technology: fabric.RoCE}, boxes: map[string]*target.Target{}, want: map[string][]diff.File{}}
	n.yaml.WriteString("insecure: true\nusername: reader\npassword: {env: LIVE_TEST_PASSWORD}\ntargets:\n")
	return n
}

const password = "pw-of-the-test"

// add starts a switch that runs what it should, but for what tune does.
func (n *lab) add(name, system string, tune func(c *target.Config)) {
	n.t.Helper()
	c := target.Config{Name: name, OS: system, Network: n.network, Username: "reader", Password: password, Running: fmt.Appendf(nil, eosText, name)}
	file := "startup-config"
	if system == "sonic" {
		c.Running, file = fmt.Appendf(nil, sonicText, name), "config_db.json"
	}
	n.want[name] = []diff.File{{Name: file, Body: c.Running}, {Name: "steps-to-check.txt"}}
	n.plan(name, system)
	if tune != nil {
		tune(&c)
	}
	box, err := target.Start(c)
	if err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(box.Stop)
	n.boxes[name] = box
	fmt.Fprintf(&n.yaml, "  - {name: %s, address: \"%s\"}\n", name, box.Addr())
}

func (n *lab) plan(name, system string) {
	n.fabric.Switches = append(n.fabric.Switches, fabric.Switch{Name: name, OS: system})
}

func (n *lab) options() Options {
	file, err := targets.Read("targets.yaml", strings.NewReader(n.yaml.String()))
	if err != nil {
		n.t.Fatal(err)
	}
	return Options{Fabric: n.fabric, Targets: file, Insecure: true, Tables: sonic.OwnTables(), Connect: n.network.Connect,
		Open: func(string) (io.ReadCloser, error) { return nil, os.ErrNotExist }}
}

func (n *lab) intent() diff.Intent {
	var in diff.Intent
	for _, sw := range n.fabric.Switches {
		in.Switches = append(in.Switches, diff.Switch{Name: sw.Name, OS: sw.OS})
	}
	in.Render = func(_ context.Context, emit func(string, []diff.File) error) error {
		for _, sw := range in.Switches {
			if err := emit(sw.Name, n.want[sw.Name]); err != nil {
				return err
			}
		}
		return nil
	}
	return in
}

// run compares, and holds what must be true of every comparison: no switch was
// asked anything that could change it, and no password is shown.
func (n *lab) run(selected string, o diff.Options, how Options) *diff.Report {
	n.t.Helper()
	n.t.Setenv("LIVE_TEST_PASSWORD", password)
	r, err := Run(n.t.Context(), selected, n.intent(), o, how)
	if err != nil {
		n.t.Fatal(err)
	}
	n.unchanged()
	var b bytes.Buffer
	for _, err := range []error{r.Text(&b, diff.TextOptions{}), r.JSON(&b), r.Patch(&b, &b)} {
		if err != nil {
			n.t.Fatal(err)
		}
	}
	if strings.Contains(b.String(), password) {
		n.t.Errorf("the password is shown:\n%s", b.String())
	}
	return r
}

func (n *lab) unchanged() {
	n.t.Helper()
	for name, box := range n.boxes {
		for _, call := range []string{"set", "probe", "confirm", "cancel", "extend"} {
			if len(box.Calls(call)) > 0 {
				n.t.Errorf("%s was asked to %s", name, call)
			}
		}
	}
}

func of(r *diff.Report, name string) *diff.Result {
	for i := range r.Switches {
		if r.Switches[i].Name == name {
			return &r.Switches[i]
		}
	}
	return &diff.Result{}
}
