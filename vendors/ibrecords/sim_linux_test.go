package ibrecords

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sim is a running ibsim with a running OpenSM, in a folder of its own.
type sim struct {
	t   *testing.T
	dir string
	env []string
}

func preload() string {
	for _, pattern := range []string{"/usr/lib*/*/umad2sim/libumad2sim.so", "/usr/lib*/umad2sim/libumad2sim.so"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	return ""
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

// simulate runs the recipe in the head of topology.net.
func simulate(t *testing.T, files map[string]string) *sim {
	t.Helper()
	need(t, "ibsim", "opensm", "ibnetdiscover", "saquery", "smpquery", "ibnodes", "ibhosts", "ibswitches")
	s := &sim{t: t, dir: t.TempDir()}
	s.env = append(os.Environ(), "LC_ALL=C", fmt.Sprintf("IBSIM_SOCKNAME=railyard-%d-%d", os.Getpid(), time.Now().UnixNano()))
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
	s.waitFor("ibsim.out", "simulator ready")
	words := strings.Fields(recipe[3]) // two variables, then the command
	s.background("opensm", words[2:], append(words[:2:2], "LD_PRELOAD="+preload()))
	s.waitFor("log/opensm.log", "SUBNET UP")
	return s
}

func (s *sim) background(name string, command, env []string) {
	out, err := os.Create(filepath.Join(s.dir, name+".out"))
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.dir, append(s.env, env...), out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		out.Close()
	})
}

func (s *sim) waitFor(name, text string) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if b, _ := os.ReadFile(filepath.Join(s.dir, name)); strings.Contains(string(b), text) {
			return
		}
	}
	s.t.Fatalf("no %q in %s", text, name)
}

// run runs a tool and returns what it prints, errors of it included as a terminal
// session has them. The tools give up on a packet after a second or so, which a busy
// machine can take: a failed call is repeated.
func (s *sim) run(args ...string) string {
	s.t.Helper()
	var out []byte
	var err error
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env = s.dir, append(s.env, "LD_PRELOAD="+preload())
		out, err = cmd.CombinedOutput()
		cancel()
		if err == nil {
			return string(out)
		}
	}
	s.t.Fatalf("%v: %v\n%s", args, err, out)
	return ""
}
