package opensm

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

var update = flag.Bool("update", false, "write the golden files")

func manager(t testing.TB) *Manager {
	t.Helper()
	m, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func filesOf(t testing.TB, f *fabric.Fabric) map[string]string {
	t.Helper()
	list, err := manager(t).Files(f)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string, len(list))
	for _, f := range list {
		if _, twice := out[f.Name]; twice {
			t.Errorf("%s is written twice", f.Name)
		}
		out[f.Name] = string(f.Body)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, g := range []struct {
		name string
		f    *fabric.Fabric
	}{
		{"two-tier", tenants(twoTier.build())},
		{"three-tier", threeTier.build()},
		{"two-planes", twoPlanes.build()},
		{"rail-only", railOnly.build()},
		{"one-switch", oneSwitch.build()},
	} {
		t.Run(g.name, func(t *testing.T) {
			dir := filepath.Join("testdata", g.name)
			got := filesOf(t, g.f)
			if *update {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
				for name, body := range got {
					at := filepath.Join(dir, filepath.FromSlash(name))
					if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(at, []byte(body), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			want := map[string]string{}
			err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				body, err := os.ReadFile(p)
				rel, _ := filepath.Rel(dir, p)
				want[filepath.ToSlash(rel)] = string(body)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("files differ (-want +got):\n%s", d)
			}
		})
	}
}

// lines are a file's lines without comments and blanks.
func lines(body string) []string {
	var out []string
	for l := range strings.Lines(body) {
		l, _, _ = strings.Cut(l, "#")
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

func TestRootsAreTheTopTier(t *testing.T) {
	for _, c := range []struct {
		t     tree
		files []string
		role  fabric.Role
		n     int
	}{
		{twoTier, []string{"root_guids.conf"}, fabric.Spine, 2},
		{threeTier, []string{"root_guids.conf"}, fabric.Core, 2},
		{superPOD, []string{"root_guids.conf"}, fabric.Spine, 16},
		{b200, []string{"root_guids.conf"}, fabric.Core, 64},
		{twoPlanes, []string{"p0/root_guids.conf", "p1/root_guids.conf"}, fabric.Spine, 2},
	} {
		f := c.t.build()
		files := filesOf(t, f)
		for plane, name := range c.files {
			var want []string
			for i := range f.Switches {
				if s := &f.Switches[i]; s.Role == c.role && s.Plane == plane {
					want = append(want, fmt.Sprintf("0x%016x", s.GUID.Value))
				}
			}
			if len(want) != c.n {
				t.Fatalf("%s: the test fabric has %d switches of the top tier", c.t.name, len(want))
			}
			if d := cmp.Diff(want, lines(files[name])); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.t.name, name, d)
			}
		}
	}
}

// keys reads opensm.conf.
func keys(t *testing.T, body string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, l := range lines(body) {
		k, v, ok := strings.Cut(l, " ")
		if !ok || strings.Contains(k, "=") {
			t.Errorf("OpenSM reads `key value`, not %q", l)
		}
		if _, twice := out[k]; twice {
			t.Errorf("%s is set twice", k)
		}
		out[k] = v
	}
	return out
}

func TestConf(t *testing.T) {
	conf := keys(t, filesOf(t, tenants(twoTier.build()))["opensm.conf"])
	for k, v := range map[string]string{
		"guid":                  "0x1070fd0300000001", // the first adapter of topology.net
		"subnet_prefix":         "0xfe80000000000000",
		"routing_engine":        "ftree,updn,no_fallback",
		"root_guid_file":        "/etc/opensm/root_guids.conf",
		"partition_config_file": "/etc/opensm/partitions.conf",
		"force_log_flush":       "TRUE",
		"max_wire_smps":         "16",
	} {
		if conf[k] != v {
			t.Errorf("%s is %q, want %q", k, conf[k], v)
		}
	}
	// Made-up keys lock tools out; the others are NVIDIA's or experimental.
	for _, k := range []string{"m_key", "m_key_protection_level", "ar_mode", "sharp_enabled", "congestion_control", "io_guid_file", "dump_files_dir"} {
		if _, ok := conf[k]; ok {
			t.Errorf("%s must not be set", k)
		}
	}
}

func TestSubnets(t *testing.T) {
	for _, c := range []struct {
		t     tree
		names []string
	}{
		{twoTier, []string{""}},
		{twoPlanes, []string{"p0", "p1"}},
		{railOnly, []string{"leaf-u01-r0", "leaf-u01-r1"}},
	} {
		files := filesOf(t, c.t.build())
		prefixes, logs, dirs := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, n := range c.names {
			conf := keys(t, files[path.Join(n, "opensm.conf")])
			prefixes[conf["subnet_prefix"]], logs[conf["log_file"]], dirs[path.Dir(conf["partition_config_file"])] = true, true, true
			if want := path.Join("/etc/opensm", n); !dirs[want] {
				t.Errorf("%s: files are looked for in %v, not %s", c.t.name, dirs, want)
			}
			delete(files, path.Join(n, "opensm.conf"))
		}
		if len(prefixes) != len(c.names) || len(logs) != len(c.names) {
			t.Errorf("%s: prefixes %v and logs %v are not distinct", c.t.name, prefixes, logs)
		}
		for name := range files {
			if path.Base(name) == "opensm.conf" {
				t.Errorf("%s: unexpected %s", c.t.name, name)
			}
		}
	}
}

func TestComputeListLeavesManagementOut(t *testing.T) {
	f := superPOD.build()
	files := filesOf(t, f)
	cn, order := lines(files["cn_guids.conf"]), lines(files["guid_routing_order.conf"])
	if len(cn) != 1016 || len(order) != 1016 {
		t.Fatalf("%d compute ports and %d in routing order, want 1016", len(cn), len(order))
	}
	ufm := fmt.Sprintf("0x%016x", f.Servers[127].Ports[0].GUID.Value)
	if slices.Contains(cn, ufm) || slices.Contains(order, ufm) {
		t.Error("a UFM port is listed as a compute port")
	}
	if conf := keys(t, files["opensm.conf"]); conf["guid"] != ufm {
		t.Errorf("OpenSM binds to %s, want the UFM host's %s", conf["guid"], ufm)
	}
	// Rail by rail: the first 127 are rail 0 of the servers in order.
	for i := range 127 {
		if want := fmt.Sprintf("0x%016x", f.Servers[i].Ports[0].GUID.Value); order[i] != want {
			t.Fatalf("place %d of the routing order is %s, want %s", i, order[i], want)
		}
	}
	slices.Sort(cn)
	slices.Sort(order)
	if !slices.Equal(cn, order) {
		t.Error("the routing order is not a permutation of the compute ports")
	}
}

func TestPartitions(t *testing.T) {
	open := lines(filesOf(t, twoTier.build())["partitions.conf"])
	if want := []string{"Default=0x7fff, ipoib, rate=17, mtu=5 :", "ALL=full,", "SELF=full ;"}; !slices.Equal(open, want) {
		t.Errorf("without partitions: %q", open)
	}
	body := filesOf(t, tenants(twoTier.build()))["partitions.conf"]
	got := lines(body)
	if want := []string{"Default=0x7fff, ipoib, rate=17, mtu=5 :", "ALL=limited,", "ALL_SWITCHES=full,", "SELF=full ;"}; !slices.Equal(got[:4], want) {
		t.Errorf("the default rule is %q", got[:4])
	}
	for l := range strings.Lines(body) {
		if len(l) > 4000 {
			t.Errorf("a line of %d characters; OpenSM reads 4096", len(l))
		}
	}
	member := regexp.MustCompile(`^0x[0-9a-f]{16}=(full|limited)( ;|,)$`)
	rule := regexp.MustCompile(`^[\w-]+=0x[0-7][0-9a-f]{3}, ipoib, rate=\d+, mtu=5, defmember=(full|limited) :$`)
	rules := 0
	for _, l := range got[4:] {
		if rule.MatchString(l) {
			rules++
		} else if !member.MatchString(l) {
			t.Errorf("line %q is neither a rule nor a member", l)
		}
	}
	if rules != 4 || strings.Count(body, ";") != 5 {
		t.Errorf("%d rules, %d ends", rules, strings.Count(body, ";"))
	}
	if strings.Index(body, "store-clients=") > strings.Index(body, "train-a=") {
		t.Error("limited rules must stand before full ones: the last one wins")
	}
}

// Codes: OpenSM 3.3.23, ib_types.h; speeds are those of InfiniBand generations.
func TestRate(t *testing.T) {
	for gbps, code := range map[int]int{0: 3, 10: 3, 40: 7, 56: 7, 100: 16, 200: 17, 400: 21, 800: 21, 1600: 21} {
		f := twoTier.build()
		hosts := ibsubnet.Split(f)[0].Hosts
		f.Links[f.Servers[hosts[1].Server].Ports[hosts[1].Port].Link].SpeedGbps = gbps
		if hosts = hosts[1:2]; gbps == 0 {
			hosts = nil
		}
		if got := ibsubnet.RateOf(f, hosts).Code; got != code {
			t.Errorf("%d Gb/s has code %d, want %d", gbps, got, code)
		}
	}
	f := tenants(twoTier.build())
	f.Links[f.Servers[1].Ports[0].Link].SpeedGbps = 100 // one slow member bounds the group
	body := filesOf(t, f)["partitions.conf"]
	for _, want := range []string{"Default=0x7fff, ipoib, rate=16,", "train-a=0x0010, ipoib, rate=16,", "infer-b=0x0020, ipoib, rate=17,"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}

func TestRouting(t *testing.T) {
	for _, c := range []struct {
		wish string
		t    tree
		want string // or a part of the error
		ok   bool
	}{
		{"auto", twoTier, "ftree,updn,no_fallback", true},
		{"", threeTier, "ftree,updn,no_fallback", true},
		{"auto", oneSwitch, "minhop,no_fallback", true},
		{"updn", twoTier, "updn,no_fallback", true},
		{"dfsssp", twoTier, "dfsssp,no_fallback", true},
		{"ftree", oneSwitch, "needs two tiers", false},
		{"ar_updn", twoTier, "NVIDIA's own subnet manager; it has minhop, updn, dnup, ftree,", false},
		{"ftre", twoTier, "no routing engine \"ftre\"; it has minhop,", false},
		{"file", twoTier, "forwarding tables", false},
		{"torus-2QoS", twoTier, "tori", false},
		{"updn,minhop", twoTier, "no routing engine", false},
	} {
		f := c.t.build()
		f.InfiniBand.Routing = c.wish
		files, err := manager(t).Files(f)
		switch {
		case c.ok && err != nil:
			t.Errorf("%s: %v", c.wish, err)
		case c.ok:
			if got := keys(t, string(files[0].Body))["routing_engine"]; got != c.want {
				t.Errorf("%s: routing_engine %s, want %s", c.wish, got, c.want)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: error %v, want one with %q", c.wish, err, c.want)
		case !hasFinding(manager(t).Check(f), fabric.Error, "IB_ROUTING_ENGINE"):
			t.Errorf("%s: Check does not refuse it", c.wish)
		}
	}
}

// Names: MLNX-OS User Manual, "InfiniBand Interface"; NVOS manuals. Numbers: 64
// ports in 32 twin cages (QM9700 manual).
func TestPorts(t *testing.T) {
	for _, c := range []struct {
		cages, speed, cage, lane, split int
		name                            string
		number, count                   int
	}{
		{40, 200, 5, 0, 1, "1/5", 5, 40},
		{40, 200, 5, 2, 2, "1/5/2", 10, 80},
		{32, 800, 1, 1, 2, "1/1/1", 1, 64},
		{32, 800, 3, 1, 2, "1/3/1", 5, 64},
		{32, 800, 32, 2, 2, "1/32/2", 64, 64},
		{32, 800, 3, 3, 4, "1/3/2/1", 11, 128},
		{32, 800, 3, 4, 4, "1/3/2/2", 12, 128},
		{32, 800, 3, 0, 1, "1/3", 5, 64}, // not a way these switches run, but never a clash
		{72, 1600, 9, 1, 2, "sw9p1", 17, 144},
		{72, 1600, 72, 2, 2, "sw72p2", 144, 144},
	} {
		f := tree{name: "x", perUnit: 1, planes: 1, cages: c.cages, speed: c.speed}.build()
		sw := fabric.Switch{Ports: []fabric.Port{{Cage: c.cage, Lane: c.lane, Split: c.split}}}
		if got := manager(t).PortName(&f.Models[0], &sw.Ports[0]); got != c.name {
			t.Errorf("%+v is called %s", c, got)
		}
		if got := ibsubnet.NumberingOf(f, &sw).Number(&sw.Ports[0]); got != c.number {
			t.Errorf("%+v has number %d", c, got)
		}
		if got := ibsubnet.NumberingOf(f, &sw).Count; got != c.count {
			t.Errorf("%+v: %d ports", c, got)
		}
	}
	// Cages split two and four ways beside each other share no number.
	f := tree{name: "x", perUnit: 1, planes: 1, cages: 2, speed: 800}.build()
	sw := fabric.Switch{Ports: []fabric.Port{{Cage: 1, Lane: 1, Split: 4}, {Cage: 1, Lane: 4, Split: 4}, {Cage: 2, Lane: 1, Split: 2}, {Cage: 2, Lane: 2, Split: 2}}}
	var got []int
	for i := range sw.Ports {
		got = append(got, ibsubnet.NumberingOf(f, &sw).Number(&sw.Ports[i]))
	}
	if !slices.Equal(got, []int{1, 4, 5, 7}) {
		t.Errorf("mixed splits are numbered %v", got)
	}
}

func TestPlaceholdersAreMarked(t *testing.T) {
	for name, body := range filesOf(t, threeTier.build()) {
		// Topology files for the cable check hold no GUIDs.
		if marked := strings.Contains(body, "PLACEHOLDER GUIDs"); marked == (name == "qos-policy.conf" || name == "cluster.topo" || strings.HasPrefix(name, "ibnl/")) {
			t.Errorf("%s: marked %v", name, marked)
		}
	}
	for name, body := range filesOf(t, twoTier.build()) {
		if strings.Contains(body, "PLACEHOLDER") {
			t.Errorf("%s marks GUIDs that were given", name)
		}
	}
	// The name map has node GUIDs: the port's own on a real ConnectX, the simulated
	// adapter's for a placeholder.
	if m := filesOf(t, twoTier.build())["node-name-map"]; !strings.Contains(m, `0x1070fd0300000001 "gpu-001 nic0"`) {
		t.Errorf("real GUID not found in\n%s", m)
	}
	if m := filesOf(t, threeTier.build())["node-name-map"]; !strings.Contains(m, `0x1070fd0300000000 "gpu-001 nic0"`) {
		t.Errorf("placeholder not found in\n%s", m)
	}
}

// topology.net must be the plan, whatever reads it.
func TestNetfileIsThePlan(t *testing.T) {
	for _, c := range []tree{twoTier, threeTier, twoPlanes, superPOD} {
		f := c.build()
		files := filesOf(t, f)
		for plane := range c.planes {
			name := "topology.net"
			if c.planes > 1 {
				name = fmt.Sprintf("p%d/topology.net", plane)
			}
			seen, err := parseNet(strings.NewReader(files[name]))
			if err != nil {
				t.Fatal(err)
			}
			want := planned(f, inPlane(plane))
			want.guids = nil // the netfile has node GUIDs only
			if d := want.differences(seen); len(d) > 0 {
				t.Errorf("%s plane %d: %d differences, first %s", c.name, plane, len(d), d[0])
			}
		}
	}
}

// What ibnetdiscover really printed for the two-tier fabric, as planned and with two
// host cables exchanged.
func TestSavedDiscovery(t *testing.T) {
	for name, want := range map[string]int{"two-tier": 0, "two-tier-swapped": 4} {
		r, err := os.Open(filepath.Join("..", "..", "fixtures", "running", "opensm", name, "ibnetdiscover.txt"))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		seen, err := parseNet(r)
		if err != nil {
			t.Fatal(err)
		}
		if d := planned(twoTier.build(), inPlane(0)).differences(seen); len(d) != want {
			t.Errorf("%s: %d differences, want %d: %q", name, len(d), want, d)
		}
	}
}

func TestOverlay(t *testing.T) {
	m, err := New(fstest.MapFS{"opensm/qos-policy.conf.tmpl": {Data: []byte("# site {{.Fabric}}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := m.Files(twoTier.build())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Name == "qos-policy.conf" && string(f.Body) != "# site two-tier\n" {
			t.Errorf("the overlay was not used: %s", f.Body)
		}
	}
	if _, err := New(fstest.MapFS{"opensm/opensm.conf.tmpl": {Data: []byte("{{")}}); err == nil {
		t.Error("a broken overlay is accepted")
	}
}

func TestSameBytes(t *testing.T) {
	a, b := tenants(twoPlanes.build()), tenants(twoPlanes.build())
	x, _ := manager(t).Files(a)
	y, _ := manager(t).Files(b)
	for i := range x {
		if x[i].Name != y[i].Name || !bytes.Equal(x[i].Body, y[i].Body) {
			t.Errorf("%s differs between runs", x[i].Name)
		}
	}
}
