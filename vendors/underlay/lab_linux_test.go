package underlay

import (
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// Where Debian keeps the programs; they need not be on a user's PATH.
const (
	daemons = "/usr/lib/frr"
	vtysh   = "/usr/bin/vtysh"
	ipTool  = "/sbin/ip"
)

// need skips without the tools; RAILYARD_REQUIRE_TOOLS=1 makes that a failure.
func need(t *testing.T) {
	t.Helper()
	var missing []string
	for _, tool := range []string{daemons + "/zebra", daemons + "/bgpd", vtysh, ipTool} {
		if _, err := os.Stat(tool); err != nil {
			missing = append(missing, tool)
		}
	}
	if os.Geteuid() != 0 {
		missing = append(missing, "root")
	}
	if len(missing) == 0 {
		return
	}
	why := "needs " + strings.Join(missing, ", ") + " (Debian: frr iproute2)"
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// lab is a fabric that runs.
type lab struct {
	*testing.T
	*plan
	boxes []*box // by index of the fabric's switches
}

// box is one switch: a namespace with zebra and bgpd in it.
type box struct {
	name string
	dir  string // sockets, logs, configuration
	ns   *namespace
	dev  *device
	stop []func()
}

// start cables the fabric and starts every switch with what its files say.
func start(t *testing.T, f *fabric.Fabric, devices []*device) *lab {
	t.Helper()
	dir, err := os.MkdirTemp("", "railyard-underlay-")
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{T: t, plan: newPlan(f)}
	t.Cleanup(func() {
		for _, b := range l.boxes {
			b.halt()
			b.ns.close()
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil { // the daemons run as user frr
		t.Fatal(err)
	}
	for i := range f.Switches {
		ns, err := newNamespace()
		if err != nil {
			t.Fatal(err)
		}
		b := &box{name: f.Switches[i].Name, dir: filepath.Join(dir, strconv.Itoa(i)), ns: ns, dev: devices[i]}
		l.boxes = append(l.boxes, b)
	}
	l.cable()
	for i, b := range l.boxes { // all ports have their carrier before any daemon starts
		if err := b.dress(&f.Switches[i]); err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
	}
	for _, b := range l.boxes {
		if err := b.boot(); err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
	}
	return l
}

// cable lays one veth pair for each cable between switches.
func (l *lab) cable() {
	lines := make([]strings.Builder, len(l.boxes))
	names := map[string]string{}
	for i := range l.f.Links {
		c := &l.f.Links[i]
		if c.Kind != fabric.FabricLink {
			continue
		}
		a, b := l.f.PortName(c.A), l.f.PortName(c.B)
		for _, end := range []string{l.f.DeviceName(c.A) + " " + linuxName(a), l.f.DeviceName(c.B) + " " + linuxName(b)} {
			if other, twice := names[end]; twice {
				l.Fatalf("cables %d and %s end at the same device: %s", i, other, end)
			}
			names[end] = strconv.Itoa(i)
		}
		fmt.Fprintf(&lines[c.A.Device], "link add name %s type veth peer name %s netns %d\n", linuxName(a), linuxName(b), l.boxes[c.B.Device].ns.thread)
	}
	for i, b := range l.boxes {
		if _, err := b.ns.run(lines[i].String(), ipTool, "-batch", "-"); err != nil {
			l.Fatalf("%s: %v", b.name, err)
		}
	}
}

// dress gives the ports what the switch's own text says, and each rail subnet a
// stub: a pair of devices that are both here, so that the gateway has a carrier.
func (b *box) dress(sw *fabric.Switch) error {
	off := 1 // IPv6 is off where the text does not turn it on
	values := map[string]int{"ipv4/ip_forward": 0, "ipv4/fib_multipath_hash_policy": 1, "ipv6/conf/all/disable_ipv6": 0, "ipv6/conf/default/accept_dad": 0}
	if b.dev.forwards {
		values["ipv4/ip_forward"] = 1
	}
	var ip strings.Builder
	fmt.Fprintf(&ip, "link set lo up\n")
	if b.dev.loopback.IsValid() {
		fmt.Fprintf(&ip, "addr add %s dev lo\n", b.dev.loopback)
	}
	stub := func(n int, p netip.Prefix) {
		fmt.Fprintf(&ip, "link add name rail%d type veth peer name hosts%d\nlink set hosts%d up\nlink set rail%d up\naddr add %s dev rail%d\n", n, n, n, n, p, n)
	}
	for n, p := range b.dev.stubs {
		stub(n, p)
	}
	stubs := len(b.dev.stubs)
	for i := range sw.Ports {
		p := &sw.Ports[i]
		text, routed := b.dev.links[p.Name]
		switch {
		case p.Link < 0 || !routed:
		case p.Role == fabric.HostPort:
			stub(stubs, text.address)
			stubs++
		default:
			name := linuxName(p.Name)
			values["ipv6/conf/"+name+"/accept_dad"] = 0
			if !text.linkLocal {
				values["ipv6/conf/"+name+"/disable_ipv6"] = off
			}
			if text.address.IsValid() {
				fmt.Fprintf(&ip, "addr add %s dev %s\n", text.address, name)
			}
			fmt.Fprintf(&ip, "link set %s up\n", name)
		}
	}
	if err := b.ns.set(values); err != nil {
		return err
	}
	_, err := b.ns.run(ip.String(), ipTool, "-batch", "-")
	return err
}

// boot starts the daemons and types the configuration in, as a switch does at boot.
func (b *box) boot() error {
	if err := os.Mkdir(b.dir, 0o755); err != nil {
		return err
	}
	frr, err := user.Lookup("frr")
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(frr.Uid)
	gid, _ := strconv.Atoi(frr.Gid)
	if err := os.Chown(b.dir, uid, gid); err != nil {
		return err
	}
	config := filepath.Join(b.dir, "frr.conf")
	if err := os.WriteFile(config, []byte(b.dev.routing), 0o644); err != nil {
		return err
	}
	// A veth end can lose its carrier only by the other being shut, and then the
	// kernel takes the end out of its next hop groups behind zebra's back, who
	// does not put it back (FRR 8.4). Routes that carry their next hops heal.
	if err := b.daemon("zebra", "no zebra nexthop kernel enable\n"); err != nil {
		return err
	}
	if err := b.daemon("bgpd", ""); err != nil {
		return err
	}
	out, err := exec.Command(vtysh, "--vty_socket", b.dir, "-f", config).CombinedOutput()
	if err != nil || len(out) > 0 && string(out) != restartNote {
		return fmt.Errorf("FRR does not take the configuration: %v: %s\n%s", err, out, b.dev.routing)
	}
	return nil
}

// restartNote is what FRR says to bgp graceful-restart, even without any peer.
const restartNote = "Graceful restart configuration changed, reset all peers to take effect\n"

// daemon starts one daemon inside, under a shell that kills it as soon as its
// standard input ends: when the box halts, or when the test process is gone.
func (b *box) daemon(name, config string) error {
	in := func(file string) string { return filepath.Join(b.dir, file) }
	if err := os.WriteFile(in(name+".conf"), []byte(config), 0o644); err != nil {
		return err
	}
	cmd := exec.Command("sh", "-c", `"$@" & read -r line; kill -9 $!; wait $! 2>/dev/null`, "sh", filepath.Join(daemons, name),
		"-i", in(name+".pid"), "-z", in("zserv.api"), "--vty_socket", b.dir, "-A", "127.0.0.1", "-P", "0", "-f", in(name+".conf"))
	log, err := os.Create(in(name + ".log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	var hold io.WriteCloser
	if hold, err = cmd.StdinPipe(); err != nil {
		return err
	}
	b.ns.do(func() { err = cmd.Start() })
	if err != nil {
		return err
	}
	b.stop = append(b.stop, func() { hold.Close(); _ = cmd.Wait() })
	for limit := time.Now().Add(20 * time.Second); time.Now().Before(limit); time.Sleep(20 * time.Millisecond) {
		if exec.Command(vtysh, "--vty_socket", b.dir, "-d", name, "-c", "show version").Run() == nil {
			return nil
		}
	}
	said, _ := os.ReadFile(in(name + ".log"))
	return fmt.Errorf("%s did not start: %s", name, said)
}

// halt kills the daemons.
func (b *box) halt() {
	for _, stop := range b.stop {
		stop()
	}
	b.stop = nil
}

// link pulls or plugs cables.
func (l *lab) link(up bool, links ...int) {
	l.Helper()
	word := map[bool]string{true: "up", false: "down"}[up]
	for _, i := range links {
		end := l.f.Links[i].A
		if _, err := l.boxes[end.Device].ns.run("", ipTool, "link", "set", linuxName(l.f.PortName(end)), word); err != nil {
			l.Fatal(err)
		}
		l.cut[i] = !up
	}
}

// kill takes a switch down: its daemons, and the light on all its ports.
func (l *lab) kill(name string) {
	l.Helper()
	for i, b := range l.boxes {
		if b.name != name {
			continue
		}
		b.halt()
		for p := range l.f.Switches[i].Ports {
			if port := &l.f.Switches[i].Ports[p]; port.Link >= 0 {
				if _, err := b.ns.run("", ipTool, "link", "set", linuxName(port.Name), "down"); err != nil {
					l.Fatal(err)
				}
			}
		}
		l.dead[i] = true
	}
}
