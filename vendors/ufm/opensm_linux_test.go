package ufm

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"railyard/generator/fabric"
	"railyard/vendors/opensm"
)

// need finds the tools or skips; RAILYARD_REQUIRE_TOOLS=1 makes missing ones a
// failure. It returns the library that puts a program into the simulator.
func need(t *testing.T, tools ...string) string {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	var missing []string
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			missing = append(missing, tool)
		}
	}
	libs, _ := filepath.Glob("/usr/lib*/*/umad2sim/libumad2sim.so")
	if len(libs) == 0 {
		missing = append(missing, "libumad2sim.so")
	}
	if len(missing) == 0 {
		return libs[0]
	}
	why := "needs " + strings.Join(missing, ", ") + " (Debian: opensm ibsim-utils infiniband-diags)"
	if os.Getenv("RAILYARD_REQUIRE_TOOLS") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}

// UFM itself cannot be had here, but its subnet manager descends from OpenSM and
// reads the same rules. What UFM's merge makes of partitions.conf.user_ext, its own
// default partition in front, goes through a real OpenSM on a simulated fabric, and
// the keys that ports then hold are read back.
func TestPartitionsInOpenSM(t *testing.T) {
	lib := need(t, "ibsim", "opensm", "smpquery")
	f := known(designed(t, twoTier))
	files := filesOf(t, f)
	dir := t.TempDir()
	put := func(name, body string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("partitions.conf", "Default=0x7fff, ipoib : ALL=limited, ALL_SWITCHES=full, SELF=full ;\n"+files["conf/partitions.conf.user_ext"])
	put("opensm.conf", "routing_engine updn\nroot_guid_file root_guid.conf\npartition_config_file partitions.conf\nforce_log_flush TRUE\nlog_file opensm.log\n")
	put("root_guid.conf", files["conf/opensm/root_guid.conf"])
	put("fabric.net", netfile(t, f))

	env := append(os.Environ(), "LC_ALL=C", "OSM_TMP_DIR="+dir, "OSM_CACHE_DIR="+dir,
		fmt.Sprintf("IBSIM_SOCKNAME=railyard-ufm-%d", os.Getpid()))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	sim := exec.CommandContext(ctx, "ibsim", "-s", "-n", "fabric.net")
	sim.Dir, sim.Env = dir, env
	sim.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	ready, err := os.Create(filepath.Join(dir, "ibsim.out"))
	if err != nil {
		t.Fatal(err)
	}
	defer ready.Close()
	sim.Stdout, sim.Stderr = ready, ready
	if err := sim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { sim.Process.Kill(); sim.Wait() }()
	for !strings.Contains(readFile(dir, "ibsim.out"), "simulator ready") {
		if ctx.Err() != nil {
			t.Fatalf("ibsim is not ready:\n%s", readFile(dir, "ibsim.out"))
		}
		time.Sleep(20 * time.Millisecond)
	}
	run := func(args ...string) string {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "LD_PRELOAD="+lib)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	out := run("opensm", "-F", "opensm.conf", "-o", "-e")
	if log := readFile(dir, "opensm.log"); strings.Contains(out+log, "PARSE ERROR") || strings.Contains(log, " 0x01 -> ") ||
		!strings.Contains(log, "updn tables configured on all switches") {
		t.Fatalf("%s\n%s", out, log)
	}
	lids := lidsOf(t, readFile(dir, "guid2lid"))
	for i := range f.Servers {
		want := "0x0002 0x7fff" // store, and limited in the default partition
		switch {
		case f.Servers[i].UFM: // the subnet manager's first port alone is full
			continue
		case i < 3:
			want = "0x0002 0x7fff 0x8001" // train-a
		}
		for j := range f.Servers[i].Ports {
			p := &f.Servers[i].Ports[j]
			var got []string
			for _, k := range regexp.MustCompile(`0x[0-9a-f]{4}`).FindAllString(run("smpquery", "pkeys", lids[p.GUID.Value], "1"), -1) {
				if k != "0x0000" {
					got = append(got, k)
				}
			}
			slices.Sort(got)
			if strings.Join(got, " ") != want {
				t.Errorf("%s %s holds %v, want %s", f.Servers[i].Name, p.Name, got, want)
			}
		}
	}
}

// netfile is the fabric as ibsim reads it.
func netfile(t *testing.T, f *fabric.Fabric) string {
	t.Helper()
	sim := *f
	subnet := *f.InfiniBand
	subnet.Manager, subnet.Routing = "opensm", "updn"
	sim.InfiniBand = &subnet
	m, err := opensm.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := m.Files(&sim)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		if file.Name == "topology.net" {
			return string(file.Body)
		}
	}
	t.Fatal("no topology.net")
	return ""
}

func readFile(dir, name string) string {
	b, _ := os.ReadFile(filepath.Join(dir, name)) // a file that is not there yet is an empty one
	return string(b)
}

func lidsOf(t *testing.T, body string) map[uint64]string {
	t.Helper()
	lids := map[uint64]string{}
	for l := range strings.Lines(body) {
		var guid uint64
		var low, high int
		if n, _ := fmt.Sscanf(l, "0x%x 0x%x 0x%x", &guid, &low, &high); n == 3 {
			lids[guid] = fmt.Sprint(low)
		}
	}
	return lids
}
