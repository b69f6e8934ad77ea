package opensm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"railyard/generator/fabric"
)

// sim is a running ibsim with a running OpenSM, in a folder of its own. Everything
// runs without root and without devices.
type sim struct {
	t   *testing.T
	dir string
	env []string
	up  time.Duration // until SUBNET UP
}

// need finds the tools or skips; RAILYARD_REQUIRE_TOOLS=1 makes missing ones a failure.
func need(t *testing.T, tools ...string) {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	var missing []string
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			missing = append(missing, tool)
		}
	}
	if preload() == "" {
		missing = append(missing, "libumad2sim.so")
	}
	if len(missing) == 0 {
		return
	}
	why := "needs " + strings.Join(missing, ", ") + " (Debian: opensm ibsim-utils infiniband-diags)"
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func preload() string {
	found, _ := filepath.Glob("/usr/lib*/*/umad2sim/libumad2sim.so")
	flat, _ := filepath.Glob("/usr/lib*/umad2sim/libumad2sim.so")
	if found = append(found, flat...); len(found) == 0 {
		return ""
	}
	return found[0]
}

// start runs the recipe that topology.net gives, in a folder of its own. The
// returned error says why the subnet did not come up.
func start(t *testing.T, files map[string]string, limit time.Duration) (*sim, error) {
	t.Helper()
	need(t, "ibsim", "opensm", "ibnetdiscover", "iblinkinfo", "smpquery", "ibtracert")
	s := &sim{t: t, dir: t.TempDir()}
	s.env = append(os.Environ(), "LC_ALL=C",
		fmt.Sprintf("IBSIM_SOCKNAME=railyard-%d-%d", os.Getpid(), time.Now().UnixNano()))
	for name, body := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	recipe := regexp.MustCompile(`(?m)^#   (mkdir .*)\n#   (ibsim .*)\n#   LD_PRELOAD=\S+ \S+ (OSM_.*)$`).FindStringSubmatch(files["topology.net"])
	if recipe == nil {
		t.Fatal("topology.net does not say how it is run")
	}
	prepare := exec.Command("sh", "-c", recipe[1])
	prepare.Dir = s.dir
	if out, err := prepare.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", recipe[1], err, out)
	}
	s.background("ibsim", strings.Fields(recipe[2]), nil)
	if err := s.waitFor("ibsim.out", "simulator ready", limit); err != nil {
		return s, err
	}
	if out := s.read("ibsim.out"); strings.Contains(out, "ibwarn") || strings.Contains(out, "ibpanic") {
		return s, fmt.Errorf("ibsim does not like topology.net:\n%s", out)
	}
	began := time.Now()
	words := strings.Fields(recipe[3]) // two variables, then the command
	s.background("opensm", words[2:], append(words[:2:2], "LD_PRELOAD="+preload()))
	err := s.waitFor("log/opensm.log", "SUBNET UP", limit)
	s.up = time.Since(began)
	return s, err
}

func (s *sim) background(name string, command, env []string) {
	out, err := os.Create(filepath.Join(s.dir, name+".out"))
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, append(s.env, env...), out, out
	// Should the test be killed, the kernel takes the children with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if m := peak.FindSubmatch([]byte(readFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)))); m != nil {
			s.t.Logf("%s took at most %s", name, m[1])
		}
		cmd.Process.Kill()
		cmd.Wait()
		out.Close()
	})
}

var peak = regexp.MustCompile(`VmHWM:\s+(.*)`)

func readFile(name string) string {
	b, _ := os.ReadFile(name) // a file that is not there yet is an empty one
	return string(b)
}

func (s *sim) read(name string) string { return readFile(filepath.Join(s.dir, name)) }

func (s *sim) waitFor(name, text string, limit time.Duration) error {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(s.read(name), text) {
			return nil
		}
	}
	return fmt.Errorf("no %q in %s after %v:\n%s\n%s", text, name, limit, s.read("log/opensm.log"), s.read("opensm.out"))
}

// run runs a diagnostic tool in the simulation. The tools give up on a packet
// after a second or so, which a busy machine can take: a failed call is repeated.
func (s *sim) run(args ...string) string {
	s.t.Helper()
	var out []byte
	var err error
	for range 5 {
		if out, err = s.once(args); err == nil {
			return string(out)
		}
	}
	s.t.Fatalf("%v: %v\n%s", args, err, out)
	return ""
}

func (s *sim) once(args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Env = s.dir, append(s.env, "LD_PRELOAD="+preload())
	return cmd.Output()
}

// complaints are the things a good run must not say, and those it must.
func (s *sim) complaints(engine string) []string {
	var out []string
	for l := range strings.Lines(s.read("opensm.out")) {
		if strings.Contains(l, "Unrecognized token") || strings.Contains(l, "Invalid Cached") || strings.Contains(l, "PARSE ERROR") {
			out = append(out, strings.TrimSpace(l))
		}
	}
	log := s.read("log/opensm.log")
	for l := range strings.Lines(log) {
		if strings.Contains(l, " 0x01 -> ") && !strings.Contains(l, "Failed to setup routing engine 'no_fallback'") {
			out = append(out, strings.TrimSpace(l))
		}
	}
	if !strings.Contains(log, engine+" tables configured on all switches") {
		out = append(out, engine+" is not the engine in use")
	}
	return out
}

// discover is ibnetdiscover's view.
func (s *sim) discover() *network {
	s.t.Helper()
	n, err := parseNet(strings.NewReader(s.run("ibnetdiscover", "--node-name-map", "node-name-map")))
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// save keeps what ibnetdiscover prints as a fixture, without the date, under -update.
func (s *sim) save(name string) {
	s.t.Helper()
	if !*update {
		return
	}
	dir := filepath.Join("..", "..", "fixtures", "running", "opensm", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	out := regexp.MustCompile(`(?m)^# Topology file: generated on .*\n`).ReplaceAllString(s.run("ibnetdiscover", "--node-name-map", "node-name-map"), "")
	if err := os.WriteFile(filepath.Join(dir, "ibnetdiscover.txt"), []byte(out), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// lids reads the LIDs that OpenSM gave out, by port GUID.
func (s *sim) lids() map[uint64]string {
	out := map[uint64]string{}
	for l := range strings.Lines(s.read("log/guid2lid")) {
		if w := strings.Fields(l); len(w) == 3 {
			n, err := strconv.ParseInt(w[1], 0, 32)
			if err != nil {
				s.t.Fatal(err)
			}
			out[parseHex(w[0])] = strconv.Itoa(int(n))
		}
	}
	return out
}

var pkeyTable = regexp.MustCompile(`0x[0-9a-f]{4}`)

// pkeys are the non-zero keys in a port's own table.
func (s *sim) pkeys(lid string) map[string]bool {
	s.t.Helper()
	out := map[string]bool{}
	for _, k := range pkeyTable.FindAllString(s.run("smpquery", "pkeys", lid, "1"), -1) {
		if k != "0x0000" {
			out[k] = true
		}
	}
	return out
}

// wantKeys are the keys a server's ports should hold, from the plan alone.
func wantKeys(f *fabric.Fabric, server int, manager bool) map[string]bool {
	out := map[string]bool{"0x7fff": true}
	if len(f.InfiniBand.Partitions) == 0 || manager || f.Servers[server].UFM {
		out = map[string]bool{"0xffff": true}
	}
	for _, p := range f.InfiniBand.Partitions {
		for _, m := range p.Members {
			if key := p.PKey & 0x7fff; m == server && p.Full {
				out[fmt.Sprintf("0x%04x", key|0x8000)] = true
			} else if m == server {
				out[fmt.Sprintf("0x%04x", key)] = true
			}
		}
	}
	return out
}

// checkKeys compares the key tables of some servers' ports of a plane with the plan.
func (s *sim) checkKeys(f *fabric.Fabric, plane int, servers ...int) []string {
	s.t.Helper()
	var out []string
	lids := s.lids()
	first := true
	for _, i := range servers {
		for j := range f.Servers[i].Ports {
			p := &f.Servers[i].Ports[j]
			if p.Plane != plane || lids[p.GUID.Value] == "" {
				continue
			}
			// The subnet manager runs at the first port of the first server, or of the UFM host.
			manager := first && i == 0 && !f.Servers[len(f.Servers)-1].UFM
			first = false
			got, want := s.pkeys(lids[p.GUID.Value]), wantKeys(f, i, manager)
			if fmt.Sprint(got) != fmt.Sprint(want) { // fmt sorts keys
				out = append(out, fmt.Sprintf("%s %s holds %v, planned %v", f.Servers[i].Name, p.Name, got, want))
			}
		}
	}
	return out
}

// hops counts the switches between two ports.
func (s *sim) hops(f *fabric.Fabric, a, b fabric.End) int {
	s.t.Helper()
	lids := s.lids()
	lid := func(e fabric.End) string { return lids[f.Servers[e.Device].Ports[e.Port].GUID.Value] }
	return strings.Count(s.run("ibtracert", lid(a), lid(b)), "-> switch")
}
