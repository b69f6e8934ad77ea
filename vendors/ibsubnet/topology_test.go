package ibsubnet

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files")

func TestGolden(t *testing.T) {
	f := designed(t, twoTier)
	s := &Split(f)[0]
	for _, file := range Topology(f, s) {
		at := filepath.Join("testdata", filepath.FromSlash(file.Name))
		if *update {
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, file.Body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(file.Body)); d != "" {
			t.Errorf("%s (-want +got):\n%s", file.Name, d)
		}
	}
}

// cables reads a topology file: "device port" of both ends, each way.
func cables(t *testing.T, body string) map[string]string {
	t.Helper()
	out := map[string]string{}
	name := ""
	for i, l := range strings.Split(body, "\n") {
		w := strings.Fields(l)
		switch {
		case len(w) == 0 || strings.HasPrefix(l, "#"):
			name = ""
		case name == "" && len(w) == 2:
			name = w[1]
		case len(w) == 5 && w[1] == "->":
			near, far := name+" "+w[0], w[3]+" "+w[4]
			if out[near] != "" {
				t.Errorf("line %d: %s has two cables", i+1, near)
			}
			out[near] = far
		default:
			t.Fatalf("line %d is no topology: %q", i+1, l)
		}
	}
	return out
}

// The file has every cable of the plan, at both ends, and no other.
func TestTopologyIsThePlan(t *testing.T) {
	for _, doc := range []string{twoTier, superPOD, twoPlanes, railOnly, oneSwitch} {
		f := designed(t, doc)
		got := map[string]string{}
		subnets := Split(f)
		for i := range subnets {
			for near, far := range cables(t, string(Topology(f, &subnets[i])[0].Body)) {
				got[near] = far
			}
		}
		want := map[string]string{}
		name := func(e fabric.End) string {
			if e.Kind == fabric.ServerDevice {
				return f.Servers[e.Device].Name + " " + f.Servers[e.Device].Ports[e.Port].Name + "/P1"
			}
			sw := &f.Switches[e.Device]
			return fmt.Sprintf("%s P%d", sw.Name, NumberingOf(f, sw).Number(&sw.Ports[e.Port]))
		}
		for i := range f.Links {
			l := &f.Links[i]
			want[name(l.B)] = name(l.A)
			if l.Kind == fabric.FabricLink {
				want[name(l.A)] = name(l.B)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name, d)
		}
	}
}

// need finds a tool or skips; RAILYARD_REQUIRE_TOOLS=1 makes a missing one a failure.
func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err == nil {
		return
	}
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatalf("needs %s (Debian: ibutils)", tool)
	}
	t.Skipf("needs %s (Debian: ibutils)", tool)
}

// ibdmchk checks a subnet's files in a folder of their own, as the file itself says. The tool crashes as it
// ends a good run, so its text is judged and not its exit code.
func ibdmchk(t *testing.T, s *Subnet, files []fabric.File) string {
	t.Helper()
	need(t, "ibdmchk")
	dir := t.TempDir()
	for _, file := range files {
		at := filepath.Join(dir, strings.TrimPrefix(file.Name, s.Name+"/"))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, file.Body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	recipe := regexp.MustCompile(`(?m)^#   (IBDM_IBNL_PATH=.*)$`).FindSubmatch(files[0].Body)
	if recipe == nil {
		t.Fatal("the file does not say how it is checked")
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", string(recipe[1]))
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "LC_ALL=C")
	out, _ := cmd.CombinedOutput() // see above
	return string(out)
}

var (
	defined = regexp.MustCompile(`-I- Defined (\d+)/(\d+) systems/nodes`)
	scanned = regexp.MustCompile(`-I- Scanned:(\d+) CA to CA paths`)
)

// count is the number that a pattern found.
func count(out string, re *regexp.Regexp) string {
	if m := re.FindStringSubmatch(out); m != nil {
		return strings.Join(m[1:], "/")
	}
	return ""
}

// The real checker reads the files, finds all systems and nodes, a path between any
// two adapters and no credit loop.
func TestRealChecker(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		systems   string // systems/nodes of each subnet
		adapters  int
		hops      []string // distances that occur
	}{
		{"two-tier", twoTier, "14/22", 16, []string{"2", "4"}},
		{"superpod", superPOD, "176/1068", 1020, []string{"2", "4"}}, // 127 servers and UFM, 48 switches
		{"two-planes", twoPlanes, "49/329", 320, []string{"2", "4"}},
		{"rail-only", railOnly, "5/5", 4, []string{"2"}},
		{"one-switch", oneSwitch, "5/33", 32, []string{"2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := designed(t, c.doc)
			subnets := Split(f)
			for i := range subnets {
				s := &subnets[i]
				out := ibdmchk(t, s, Topology(f, s))
				if got := count(out, defined); got != c.systems {
					t.Errorf("subnet %q: %s systems and nodes, want %s", s.Name, got, c.systems)
				}
				if got, want := count(out, scanned), fmt.Sprint(c.adapters*(c.adapters-1)); got != want {
					t.Errorf("subnet %q: %s paths, want %s", s.Name, got, want)
				}
				if strings.Contains(out, "-E-") || strings.Contains(out, "-W-") || !strings.Contains(out, "no credit loops found") {
					t.Errorf("subnet %q:\n%s", s.Name, out)
				}
				_, hist, _ := strings.Cut(out, "HOPS NUM-CA-CA-PAIRS\n")
				hist, _, _ = strings.Cut(hist, "---")
				for n, l := range strings.Split(strings.TrimSpace(hist), "\n") {
					if w := strings.Fields(l); n >= len(c.hops) || len(w) != 2 || w[0] != c.hops[n] {
						t.Errorf("subnet %q: hop histogram\n%s", s.Name, hist)
					}
				}
			}
		})
	}
}

// What must not pass: a plug used twice, a port the system lacks, a cable named
// with a speed the tools do not know (they drop it without a word).
func TestRealCheckerRefuses(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"a spine's port twice", "-> SMALL_8 spine-01 P2\n", "-> SMALL_8 spine-01 P1\n", "spine-01/P1 already connected to"},
		{"a NIC twice", "HOST_2 gpu-002 nic0/P1", "HOST_2 gpu-001 nic0/P1", "gpu-001/nic0/P1 already connected to"},
		{"no such port", "P1 -> HOST_2 gpu-001", "P9 -> HOST_2 gpu-001", "-E-"},
		{"no such system", "SMALL_8 leaf-u01-r0", "SMALL_9 leaf-u01-r0", "Fail to find definition for system:SMALL_9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := designed(t, twoTier)
			s := &Split(f)[0]
			files := Topology(f, s)
			body := strings.Replace(string(files[0].Body), c.old, c.new, 1)
			if body == string(files[0].Body) {
				t.Fatalf("nothing to replace:\n%s", body)
			}
			files[0].Body = []byte(body)
			out := ibdmchk(t, s, files)
			if !strings.Contains(out, c.want) || strings.Contains(out, "no credit loops found") {
				t.Errorf("wanted %q:\n%s", c.want, out)
			}
		})
	}
	f := designed(t, twoTier)
	s := &Split(f)[0]
	files := Topology(f, s)
	files[0].Body = []byte(strings.ReplaceAll(string(files[0].Body), " -> ", " -4x-50G-> "))
	if out := ibdmchk(t, s, files); count(out, scanned) != "" {
		t.Errorf("speeds are understood after all; write them:\n%s", out)
	}
}

// NVIDIA's names: UFM Validation Tool, "Topo File"; NVOS node descriptions.
func TestSystemType(t *testing.T) {
	for id, want := range map[string]string{
		"nvidia-qm9700": "MQM9700", "nvidia-qm8790": "MQM8790", "nvidia-q3400-ra": "Q3400_RA", "small-8": "SMALL_8",
	} {
		if got := SystemType(&fabric.Model{ID: id}); got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
}
