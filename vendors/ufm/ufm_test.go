package ufm

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files")

// The clusters of these tests. Small switches keep golden files readable.
const (
	twoTier = `
version: 1
name: two-tier
fabric: {technology: infiniband}
servers: [{name: gpu, count: 7, reserve: 8, gpu: h100-80-sxm5, gpus: 2, nic: cx6-200-vpi, nics: 2, nic_speed: 200G}]
switches:
  leaf: {model: small-8, os: mlnx-os, ports: [{count: 8, speed: 200G}]}
  spine: {model: small-8, os: mlnx-os, ports: [{count: 8, speed: 200G}]}
infiniband:
  subnet_manager: ufm
  ufm_links: 2
  partitions:
    - {name: train-a, pkey: 0x8001, members: ['gpu-[001-003]']}
    - {name: store, pkey: 0x0002, members: ['gpu-*'], membership: limited}
`
	xdrSwitch = `
version: 1
name: xdr
fabric: {technology: infiniband}
servers: [{name: gpu, count: 2, gpu: b300-288-sxm, gpus: 2, nic: cx8-800, nics: 2, nic_speed: 800G}]
switches: {leaf: {model: nvidia-q3400-ra}, spine: {model: nvidia-q3400-ra}}
infiniband: {subnet_manager: ufm}
`
	twoPlanes = `
version: 1
name: two-planes
fabric: {technology: infiniband, planes: 2}
servers: [{name: gpu, count: 2, gpu: h100-80-sxm5, gpus: 2, nic: cx7-200-vpi, nics: 2, nic_speed: 200G}]
switches: {leaf: {model: nvidia-qm9700}}
infiniband: {subnet_manager: ufm}
`
	superPOD = `
version: 1
name: superpod
fabric: {technology: infiniband}
servers: [{name: gpu, count: 127, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}, spine: {model: nvidia-qm9700}}
infiniband: {subnet_manager: ufm, ufm_links: 4, partitions: [{name: all, pkey: 0x7ffe, members: ['gpu-*']}]}
`
	oneSwitch = `
version: 1
name: one-switch
fabric: {technology: infiniband}
servers: [{name: gpu, count: 4, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}}
infiniband: {subnet_manager: ufm, routing: auto}
`
)

func designed(t testing.TB, doc string) *fabric.Fabric {
	t.Helper()
	c, err := cluster.Load("test.yaml", strings.NewReader(doc), fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// known replaces made-up GUIDs by ones that look real.
func known(f *fabric.Fabric) *fabric.Fabric {
	for i := range f.Switches {
		f.Switches[i].GUID = fabric.GUID{Value: 0xb83fd20300000000 + uint64(i)*0x10}
	}
	for i := range f.Servers {
		for j := range f.Servers[i].Ports {
			f.Servers[i].Ports[j].GUID = fabric.GUID{Value: 0x1070fd0300000001 + uint64(i*64+j)*4}
		}
	}
	return f
}

func filesOf(t testing.TB, f *fabric.Fabric) map[string]string {
	t.Helper()
	m, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := m.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string, len(list))
	for _, file := range list {
		if _, twice := out[file.Name]; twice {
			t.Errorf("%s is written twice", file.Name)
		}
		out[file.Name] = string(file.Body)
	}
	return out
}

func TestGolden(t *testing.T) {
	for _, g := range []struct {
		name string
		f    *fabric.Fabric
	}{
		{"two-tier", known(designed(t, twoTier))},
		{"one-switch", designed(t, oneSwitch)},
		{"xdr", designed(t, xdrSwitch)},
		{"two-planes", designed(t, twoPlanes)},
	} {
		t.Run(g.name, func(t *testing.T) {
			dir := filepath.Join("testdata", g.name)
			got := filesOf(t, g.f)
			for name := range got {
				if strings.Contains(name, "ibnl/") { // tested where they are made
					delete(got, name)
				}
			}
			if *update {
				write(t, dir, got)
			}
			if d := cmp.Diff(read(t, dir), got); d != "" {
				t.Errorf("files differ (-want +got):\n%s", d)
			}
		})
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, body := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		files[filepath.ToSlash(rel)] = string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Each request body is the whole member list of one partition as the plan has it:
// every list non-empty, memberships aligned with GUIDs, each GUID once, in the form
// 0x and 16 small digits (UFM REST as pinned by NVIDIA's Config Manager to 6.19).
func TestRequestsAreThePlan(t *testing.T) {
	for _, doc := range []string{twoTier, superPOD} {
		f := known(designed(t, doc))
		files := filesOf(t, f)
		for _, p := range f.InfiniBand.Partitions {
			key := p.PKey & 0x7fff
			name := fmt.Sprintf("rest/partition-0x%04x.json", key)
			var body request
			if err := json.Unmarshal([]byte(files[name]), &body); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			want := map[string]string{}
			for _, m := range p.Members {
				for _, port := range f.Servers[m].Ports {
					want[fmt.Sprintf("0x%016x", port.GUID.Value)] = map[bool]string{true: "full", false: "limited"}[p.Full]
				}
			}
			got := map[string]string{}
			for i, g := range body.GUIDs {
				got[g] = body.Memberships[i]
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
			if len(body.GUIDs) == 0 || len(body.GUIDs) != len(got) || len(body.GUIDs) != len(body.Memberships) {
				t.Errorf("%s: %d GUIDs, %d different, %d memberships", name, len(body.GUIDs), len(got), len(body.Memberships))
			}
			if body.PKey != fmt.Sprintf("0x%x", key) || !body.IPoverIB {
				t.Errorf("%s: %+v", name, body)
			}
			if !strings.Contains(files["rest/requests.txt"], "\nPUT /ufmRest/resources/pkeys/ "+strings.TrimPrefix(name, "rest/")+"\n") {
				t.Errorf("requests.txt does not send %s", name)
			}
		}
		for l := range strings.Lines(files["rest/requests.txt"]) {
			if strings.HasPrefix(l, "POST") || strings.HasPrefix(l, "DELETE") {
				t.Errorf("requests.txt: %s", l)
			}
		}
	}
}

// One key with full and limited members is one request: two would each remove the
// other's members.
func TestOneKeyIsOneRequest(t *testing.T) {
	f := known(designed(t, twoTier))
	f.InfiniBand.Partitions = []fabric.Partition{
		{Name: "limited", PKey: 0x0010, Members: []int{0, 1, 2}},
		{Name: "full", PKey: 0x8010, Full: true, Members: []int{2, 3}},
		{Name: "nobody", PKey: 0x0011, Full: true},
	}
	files := filesOf(t, f)
	if _, ok := files["rest/partition-0x0011.json"]; ok || strings.Contains(files["conf/partitions.conf.user_ext"], "nobody") {
		t.Error("a partition without members is written")
	}
	var body request
	if err := json.Unmarshal([]byte(files["rest/partition-0x0010.json"]), &body); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(body.Memberships, " "); got != "limited limited limited limited full full full full" {
		t.Errorf("memberships %s", got)
	}
	if strings.Count(files["conf/partitions.conf.user_ext"], "=0x0010,") != 1 {
		t.Error("the key has several rules")
	}
}

func TestPlaceholdersAreMarked(t *testing.T) {
	for name, body := range filesOf(t, designed(t, twoTier)) {
		marked := strings.Contains(body, "PLACEHOLDER GUIDs") || strings.Contains(name, ".PLACEHOLDER.")
		holds := !strings.Contains(name, ".topo") && !strings.Contains(name, ".ibnl") && !strings.Contains(name, "gv.cfg")
		if marked != holds {
			t.Errorf("%s: marked %v", name, marked)
		}
	}
	for name, body := range filesOf(t, known(designed(t, twoTier))) {
		if strings.Contains(body+name, "PLACEHOLDER") {
			t.Errorf("%s marks GUIDs that were given", name)
		}
	}
}

// NVIDIA's manual: ar_updn by default since MLNX SM 5.10, and nothing else on XDR.
func TestEngine(t *testing.T) {
	for _, c := range []struct{ doc, wish, engine, code string }{
		{superPOD, "auto", "ar_updn", ""},
		{superPOD, "", "ar_updn", ""},
		{superPOD, "updn", "updn", ""},
		{superPOD, "ar_ftree", "ar_ftree", ""},
		{superPOD, "dfsssp", "dfsssp", "IB_ROUTING_UNCONFIRMED"},
		{superPOD, "ar_dfsssp", "", "IB_ROUTING_ENGINE"},
		{oneSwitch, "auto", "minhop", ""},
		{xdrSwitch, "auto", "ar_updn", ""},
		{xdrSwitch, "ar_ftree", "", "IB_ROUTING_ENGINE"},
		{xdrSwitch, "updn", "", "IB_ROUTING_ENGINE"},
	} {
		f := designed(t, c.doc)
		f.InfiniBand.Routing = c.wish
		m, _ := New(nil)
		code := ""
		for _, x := range m.Check(f) {
			if strings.HasPrefix(x.Code, "IB_ROUTING") {
				code = x.Code
			}
		}
		if code != c.code {
			t.Errorf("%s %s: finding %q, want %q", f.Name, c.wish, code, c.code)
		}
		files, err := m.Files(f)
		if c.engine == "" {
			if err == nil {
				t.Errorf("%s %s: no error", f.Name, c.wish)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(files, func(x fabric.File) bool { return strings.HasSuffix(x.Name, "opensm.conf.changes") })
		body := string(files[at].Body)
		if !strings.Contains(body, "\nrouting_engine "+c.engine+"\n") {
			t.Errorf("%s %s:\n%s", f.Name, c.wish, body)
		}
		ordered := strings.Contains(body, "guid_routing_order_file")
		if ordered != (c.engine == "updn" || c.engine == "minhop") {
			t.Errorf("%s: the routing order is switched on: %v", c.engine, ordered)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func() *fabric.Fabric
		want []string // severity and code, in order
	}{
		{"partitions", func() *fabric.Fabric { return known(designed(t, twoTier)) },
			[]string{"warning IB_PARTITION_LIMITED", "info IB_PKEY_INDEX", "info IB_UFM_SETTINGS", "info IB_UFM_ORDER", "info IB_UFM_TOPOLOGY", "info IB_UFM_PARTITIONS"}},
		{"placeholders", func() *fabric.Fabric { return designed(t, superPOD) },
			[]string{"warning IB_GUID_PLACEHOLDER", "info IB_PORT_NUMBERS", "info IB_PKEY_INDEX", "info IB_UFM_SETTINGS", "info IB_UFM_ORDER", "info IB_UFM_TOPOLOGY", "info IB_UFM_PARTITIONS"}},
		{"no port for UFM", func() *fabric.Fabric { return known(designed(t, oneSwitch)) },
			[]string{"info IB_PORT_NUMBERS", "warning IB_UFM_PORT", "info IB_UFM_SETTINGS", "info IB_UFM_TOPOLOGY"}},
		{"two subnets", func() *fabric.Fabric { return known(designed(t, twoPlanes)) },
			[]string{"info IB_PORT_NUMBERS", "warning IB_UFM_PORT", "warning IB_UFM_PORT", "info IB_UFM_EACH", "info IB_UFM_SETTINGS", "info IB_UFM_TOPOLOGY"}},
		{"names", func() *fabric.Fabric {
			f := known(designed(t, oneSwitch))
			f.Switches[0].Name = "leaf 1"
			return f
		}, []string{"error IB_NAME", "info IB_PORT_NUMBERS", "warning IB_UFM_PORT", "info IB_UFM_SETTINGS", "info IB_UFM_TOPOLOGY"}},
		{"a GUID twice", func() *fabric.Fabric {
			f := known(designed(t, oneSwitch))
			f.Switches[0].GUID = f.Servers[0].Ports[0].GUID
			return f
		}, []string{"error IB_GUID_DUPLICATE", "info IB_PORT_NUMBERS", "warning IB_UFM_PORT", "info IB_UFM_SETTINGS", "info IB_UFM_TOPOLOGY"}},
		{"another manager", func() *fabric.Fabric {
			f := designed(t, oneSwitch)
			f.InfiniBand.Manager = "opensm"
			return f
		}, nil},
	} {
		m, err := New(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range m.Check(c.f()) {
			got = append(got, string(x.Severity)+" "+x.Code)
			if x.Message == "" || x.Remedy == "" || x.Source == "" {
				t.Errorf("%s lacks message, remedy or source", x.Code)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: findings (-want +got):\n%s", c.name, d)
		}
	}
}

func TestRefuses(t *testing.T) {
	m, _ := New(nil)
	for _, bad := range []func(f *fabric.Fabric){
		func(f *fabric.Fabric) { f.InfiniBand.Manager = "opensm" },
		func(f *fabric.Fabric) { f.Technology = fabric.RoCE },
		func(f *fabric.Fabric) { f.InfiniBand.Partitions[0].Name = "a:ALL=full;b" },
		func(f *fabric.Fabric) { f.Servers[0].Name = `a"b` },
	} {
		f := designed(t, twoTier)
		bad(f)
		if _, err := m.Files(f); err == nil {
			t.Error("no error")
		}
	}
}

func TestOverlay(t *testing.T) {
	m, err := New(fstest.MapFS{"ufm/gv.cfg.changes.tmpl": {Data: []byte("# site {{.Fabric}}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	files, err := m.Files(designed(t, twoTier))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(files, func(f fabric.File) bool {
		return f.Name == "conf/gv.cfg.changes" && string(f.Body) == "# site two-tier\n"
	}) {
		t.Error("the overlay was not used")
	}
}
