package opensm

import (
	"maps"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// The real OpenSM, on a simulated fabric, with the files as generated. Each case
// runs every subnet of a fabric.
func TestOpenSM(t *testing.T) {
	all := func(f *fabric.Fabric) []int {
		out := make([]int, len(f.Servers))
		for i := range out {
			out[i] = i
		}
		return out
	}
	some := func(f *fabric.Fabric) []int {
		return []int{0, len(f.Servers)/2 - 1, len(f.Servers) / 2, len(f.Servers) - 1}
	}
	for _, c := range []struct {
		tree   tree
		f      *fabric.Fabric
		dirs   []string
		engine string
		keys   func(*fabric.Fabric) []int
		limit  time.Duration
	}{
		{twoTier, tenants(twoTier.build()), []string{""}, "ftree", all, 20 * time.Second},
		{threeTier, threeTier.build(), []string{""}, "ftree", all, 20 * time.Second},
		{twoPlanes, tenants(twoPlanes.build()), []string{"p0", "p1"}, "ftree", all, 20 * time.Second},
		{railOnly, railOnly.build(), []string{"leaf-u01-r0", "leaf-u01-r1"}, "minhop", all, 20 * time.Second},
		{oneSwitch, oneSwitch.build(), []string{""}, "minhop", all, 20 * time.Second},
		{superPOD, tenants(superPOD.build()), []string{""}, "ftree", some, time.Minute},
		{b200, tenants(b200.build()), []string{""}, "ftree", some, 2 * time.Minute},
	} {
		t.Run(c.tree.name, func(t *testing.T) {
			if testing.Short() && c.tree.servers > 100 {
				t.Skip("large fabric")
			}
			files := filesOf(t, c.f)
			for i, dir := range c.dirs {
				t.Run("subnet "+dir, func(t *testing.T) {
					s, err := start(t, folder(files, dir), c.limit)
					if err != nil {
						t.Fatal(err)
					}
					t.Logf("%d adapters: SUBNET UP after %v", strings.Count(files[path.Join(dir, "topology.net")], "\nCa\t"), s.up)
					for _, l := range s.complaints(c.engine) {
						t.Error(l)
					}
					if c.tree.name == railOnly.name { // a subnet per leaf, all in plane 0
						compare(t, c.f, func(sw *fabric.Switch) bool { return sw.Name == dir }, s)
						return
					}
					compare(t, c.f, inPlane(i), s)
					for _, l := range s.checkKeys(c.f, i, c.keys(c.f)...) {
						t.Error(l)
					}
					paths(t, c.f, i, s)
				})
			}
		})
	}
}

// folder takes a subnet's files out of the whole.
func folder(files map[string]string, dir string) map[string]string {
	out := map[string]string{}
	for name, body := range files {
		if path.Dir(name) == path.Clean(dir) {
			out[path.Base(name)] = body
		}
	}
	return out
}

func compare(t *testing.T, f *fabric.Fabric, keep func(*fabric.Switch) bool, s *sim) {
	t.Helper()
	diff := planned(f, keep).differences(s.discover())
	for i, l := range diff {
		if t.Error(l); i == 10 {
			t.Fatalf("and %d more differences", len(diff)-i)
		}
	}
}

// paths checks that servers of one unit meet on their rail's leaf and that all
// others go over the top: up to the spine their leaves share, or the core.
func paths(t *testing.T, f *fabric.Fabric, plane int, s *sim) {
	t.Helper()
	far := 3
	if f.Switches[len(f.Switches)-1].Role == fabric.Core {
		far = 5
	}
	end := func(server, nic int) fabric.End {
		for j, p := range f.Servers[server].Ports {
			if p.NIC == nic && p.Plane == plane {
				return fabric.End{Kind: fabric.ServerDevice, Device: server, Port: j}
			}
		}
		t.Fatal("no such port")
		return fabric.End{}
	}
	last := len(f.Servers) - 1
	if f.Servers[last].UFM {
		last--
	}
	if got := s.hops(f, end(0, 0), end(1, 0)); got != 1 {
		t.Errorf("two servers of one unit and rail: %d switches, want 1", got)
	}
	if f.Servers[last].Unit > 0 {
		if got := s.hops(f, end(0, 0), end(last, 0)); got != 3 {
			t.Errorf("one rail, two units: %d switches, want 3", got)
		}
		if got := s.hops(f, end(0, 0), end(last, 1)); got != far {
			t.Errorf("two rails, two units: %d switches, want %d", got, far)
		}
	}
}

// What goes wrong must be seen by the checks above, or they prove nothing.
func TestOpenSMSeesMistakes(t *testing.T) {
	const limit = 20 * time.Second
	base := func() (*fabric.Fabric, map[string]string) {
		f := tenants(twoTier.build())
		return f, filesOf(t, f)
	}
	up := func(t *testing.T, files map[string]string) *sim {
		s, err := start(t, files, limit)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	wants := func(t *testing.T, got []string, part string) {
		t.Helper()
		if !strings.Contains(strings.Join(got, "\n"), part) {
			t.Errorf("no complaint %q in %q", part, got)
		}
	}
	f, files := base()

	t.Run("nothing", func(t *testing.T) {
		s := up(t, files)
		s.save("two-tier")
		if got := s.complaints("ftree"); len(got) > 0 {
			t.Error(got)
		}
		compare(t, f, inPlane(0), s)
	})
	t.Run("a leaf as root", func(t *testing.T) {
		files := maps.Clone(files)
		files["root_guids.conf"] = ibsubnet.GUID(f.Switches[0].GUID.Value) + "\n"
		wants(t, up(t, files).complaints("ftree"), "ftree is not the engine in use")
	})
	t.Run("a file of roots that do not exist", func(t *testing.T) {
		files := maps.Clone(files)
		files["root_guids.conf"] = "0x1\n"
		wants(t, up(t, files).complaints("ftree"), " 0x01 -> ")
	})
	t.Run("no file of roots", func(t *testing.T) {
		files := maps.Clone(files)
		delete(files, "root_guids.conf")
		wants(t, up(t, files).complaints("ftree"), " 0x01 -> ")
	})
	t.Run("a key OpenSM does not know", func(t *testing.T) {
		files := maps.Clone(files)
		files["opensm.conf"] += "ar_mode 1\n"
		wants(t, up(t, files).complaints("ftree"), `Unrecognized token: "ar_mode"`)
	})
	t.Run("a value out of range", func(t *testing.T) {
		files := maps.Clone(files)
		files["opensm.conf"] = strings.Replace(files["opensm.conf"], "sm_priority 14", "sm_priority 99", 1)
		wants(t, up(t, files).complaints("ftree"), "Invalid Cached")
	})
	t.Run("two cables swapped", func(t *testing.T) {
		wrong, _ := base()
		swap(wrong, wrong.Servers[0].Ports[0].Link, wrong.Servers[7].Ports[1].Link)
		s := up(t, filesOf(t, wrong))
		s.save("two-tier-swapped")
		got := planned(f, inPlane(0)).differences(s.discover())
		wants(t, got, "wrong cable: gpu-001 nic0 port 1 goes to")
		if len(got) != 4 {
			t.Errorf("two swapped cables make %d differences, want one for each of four ends", len(got))
		}
	})
	t.Run("partitions that are not read", func(t *testing.T) {
		files := maps.Clone(files)
		delete(files, "partitions.conf")
		wants(t, up(t, files).checkKeys(f, 0, 1), "holds map[0xffff:true], planned")
	})
	t.Run("SELF before ALL", func(t *testing.T) {
		files := maps.Clone(files)
		p := files["partitions.conf"]
		p = strings.Replace(p, "    ALL=limited,\n", "    SELF=full,\n", 1)
		files["partitions.conf"] = strings.Replace(p, "    SELF=full ;", "    ALL=limited ;", 1)
		wants(t, up(t, files).checkKeys(f, 0, 0), "gpu-001 nic0 holds")
	})
	t.Run("a node-name map that is not applied", func(t *testing.T) {
		// The simulated adapters carry their names, so change the map and see it shine through.
		files := maps.Clone(files)
		files["node-name-map"] = strings.ReplaceAll(files["node-name-map"], `"leaf-u01-r0"`, `"nobody"`)
		wants(t, planned(f, inPlane(0)).differences(up(t, files).discover()), `"nobody", planned "leaf-u01-r0"`)
	})
}

// swap exchanges the switch ends of two host cables.
func swap(f *fabric.Fabric, a, b int) {
	la, lb := &f.Links[a], &f.Links[b]
	la.B, lb.B = lb.B, la.B
	for _, i := range []int{a, b} {
		l := &f.Links[i]
		p := &f.Switches[l.B.Device].Ports[l.B.Port]
		p.Link, p.Peer = i, l.A
	}
}

// A site that turns quality of service on must find a policy that is read whole, and
// with placeholders the map must name every node.
func TestOpenSMVariants(t *testing.T) {
	f := tenants(threeTier.build())
	files := filesOf(t, f)
	files["opensm.conf"] = strings.Replace(files["opensm.conf"], "\nqos FALSE", "\nqos TRUE", 1)
	files["node-name-map"] = regexp.MustCompile(`(?m)"$`).ReplaceAllString(files["node-name-map"], ` of the map"`)
	s, err := start(t, files, 20*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range s.complaints("ftree") {
		t.Error(l)
	}
	// ibnetdiscover maps the names of switches only; iblinkinfo maps those of adapters too.
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^(?:Switch: 0x[0-9a-f]{16}|CA:) (.*):$`).FindAllStringSubmatch(s.run("iblinkinfo", "--node-name-map", "node-name-map"), -1) {
		named[m[1]] = true
	}
	for _, sw := range f.Switches {
		if !named[sw.Name+" of the map"] {
			t.Errorf("%s is not called what the map says", sw.Name)
		}
	}
	for _, sv := range f.Servers {
		for _, p := range sv.Ports {
			if !named[sv.Name+" "+p.Name+" of the map"] {
				t.Errorf("%s %s is not called what the map says", sv.Name, p.Name)
			}
		}
	}
}

// Every engine that Check lets pass must really exist in OpenSM.
func TestOpenSMKnowsTheEngines(t *testing.T) {
	need(t, "opensm")
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			f := twoTier.build()
			f.InfiniBand.Routing = engine
			s, err := start(t, filesOf(t, f), 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range s.complaints(engine) {
				t.Error(l)
			}
			compare(t, f, inPlane(0), s)
		})
	}
}
