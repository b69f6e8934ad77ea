package mlnxos

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
servers: [{name: gpu, count: 8, gpu: h100-80-sxm5, gpus: 2, nic: cx6-200-vpi, nics: 2, nic_speed: 200G}]
switches:
  leaf: {model: small-8, os: mlnx-os, ports: [{count: 8, speed: 200G}]}
  spine: {model: small-8, os: mlnx-os, ports: [{count: 8, speed: 200G}]}
infiniband:
  subnet_manager: switch
  partitions:
    - {name: train-a, pkey: 0x8001, members: ['gpu-[001-004]']}
    - {name: store, pkey: 0x0002, members: ['gpu-[005-008]'], membership: limited}
`
	planes = `
version: 1
name: planes
fabric: {technology: infiniband, planes: 2}
servers: [{name: gpu, count: 2, gpu: h100-80-sxm5, gpus: 2, nic: cx7-200-vpi, nics: 2, nic_speed: 200G}]
switches: {leaf: {model: nvidia-qm9700}}
infiniband: {subnet_manager: switch, partitions: [{name: all, pkey: 3, members: ['*']}]}
`
	xdr = `
version: 1
name: xdr
fabric: {technology: infiniband}
servers: [{name: gpu, count: 2, gpu: b300-288-sxm, gpus: 2, nic: cx8-800, nics: 2, nic_speed: 800G}]
switches: {leaf: {model: nvidia-q3400-ra}}
infiniband: {subnet_manager: switch}
`
	// 255 servers and 8 rails: 2040 adapters, 96 switches.
	large = `
version: 1
name: large
fabric: {technology: infiniband}
servers: [{name: gpu, count: 255, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}, spine: {model: nvidia-qm9700}}
infiniband: {subnet_manager: switch}
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

// given replaces made-up GUIDs by ones that look real.
func given(f *fabric.Fabric) *fabric.Fabric {
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

func nvos(f *fabric.Fabric) *fabric.Fabric {
	for i := range f.Switches {
		f.Switches[i].OS = "nvos"
	}
	f.InfiniBand.Partitions = nil
	return f
}

func manage(t testing.TB) *Manager {
	t.Helper()
	m, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func filesOf(t testing.TB, f *fabric.Fabric) map[string]string {
	t.Helper()
	list, err := manage(t).Files(f)
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
		{"two-tier", given(designed(t, twoTier))},
		{"planes", designed(t, planes)},
		{"nvos", nvos(given(designed(t, twoTier)))},
	} {
		t.Run(g.name, func(t *testing.T) {
			dir := filepath.Join("testdata", g.name)
			got := filesOf(t, g.f)
			for name := range got {
				if strings.Contains(name, "ibnl/") || strings.HasSuffix(name, ".topo") { // tested where they are made
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

// grammar is every command that a source shows; the sources are in the package
// comment.
var grammar = map[string][]*regexp.Regexp{
	".cli": {
		regexp.MustCompile(`^hostname \S+$`),                                                                       // STACKI
		regexp.MustCompile(`^ib sm$`),                                                                              // UM
		regexp.MustCompile(`^ib smnode \S+ enable$`),                                                               // UM
		regexp.MustCompile(`^ib smnode \S+ sm-priority \d+`),                                                       // UM
		regexp.MustCompile(`^ib sm routing-engines ftree$`),                                                        // APL
		regexp.MustCompile(`^ib partition [\w.-]+ pkey 0x[0-9a-f]{1,4} force$`),                                    // SX, STACKI
		regexp.MustCompile(`^ib partition [\w.-]+ ipoib force$`),                                                   // SX, STACKI
		regexp.MustCompile(`^ib partition [\w.-]+ member [0-9a-f]{2}(:[0-9a-f]{2}){7} type (full|limited) force$`), // WINOF, STACKI
		regexp.MustCompile(`^write memory$`),                                                                       // SX
	},
	".nvue": {
		regexp.MustCompile(`^nv set ib sm state enabled$`),           // NVOS
		regexp.MustCompile(`^nv set ib sm sm-priority (\d|1[0-5])$`), // NVOS, 0 to 15
		regexp.MustCompile(`^nv config apply$`),
	},
}

func TestOnlyKnownCommands(t *testing.T) {
	for _, f := range []*fabric.Fabric{given(designed(t, twoTier)), designed(t, planes), nvos(designed(t, twoTier))} {
		commands := 0
		for name, body := range filesOf(t, f) {
			rules := grammar[filepath.Ext(name)]
			if rules == nil {
				continue
			}
			commands++
			for l := range strings.Lines(body) {
				known := false
				for _, r := range rules {
					known = known || r.MatchString(strings.TrimSuffix(l, "\n"))
				}
				if !known {
					t.Errorf("%s: no source shows %q", name, l)
				}
			}
		}
		if commands != 2 {
			t.Errorf("%s: %d files of commands, want 2", f.Name, commands)
		}
	}
}

// Master and standby differ in name and priority only, and the default partition is
// left to steps-to-check.txt.
func TestMasterAndStandby(t *testing.T) {
	files := filesOf(t, given(designed(t, twoTier)))
	a, b := files["spine-01.cli"], files["spine-02.cli"]
	if !strings.Contains(a, " sm-priority 14\n") || !strings.Contains(b, " sm-priority 13\n") {
		t.Errorf("priorities:\n%s\n%s", a, b)
	}
	same := strings.NewReplacer("spine-02", "spine-01", "sm-priority 13", "sm-priority 14").Replace(b)
	if d := cmp.Diff(a, same); d != "" {
		t.Errorf("they differ in more:\n%s", d)
	}
	for name, body := range files {
		if steps := name == "steps-to-check.txt"; strings.Contains(body, "Default") != steps || strings.Contains(body, "root-guid") != steps {
			t.Errorf("%s: unconfirmed commands are in the wrong file", name)
		}
	}
}

// Members are the plan's, each in its partition once.
func TestMembersAreThePlan(t *testing.T) {
	f := given(designed(t, twoTier))
	got := map[string]string{}
	for l := range strings.Lines(filesOf(t, f)["spine-01.cli"]) {
		if w := strings.Fields(l); len(w) > 6 && w[3] == "member" {
			key := w[2] + " " + strings.ReplaceAll(w[4], ":", "")
			if got[key] != "" {
				t.Errorf("twice: %s", l)
			}
			got[key] = w[6]
		}
	}
	want := map[string]string{}
	for _, p := range f.InfiniBand.Partitions {
		for _, m := range p.Members {
			for _, port := range f.Servers[m].Ports {
				want[fmt.Sprintf("%s %016x", p.Name, port.GUID.Value)] = map[bool]string{true: "full", false: "limited"}[p.Full]
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCheck(t *testing.T) {
	tiers := []string{"warning IB_SWITCH_FEATURES"}
	for _, c := range []struct {
		name  string
		f     func() *fabric.Fabric
		want  []string // severity and code, in order
		files bool
	}{
		{"partitions", func() *fabric.Fabric { return given(designed(t, twoTier)) },
			append(tiers, "warning IB_PARTITION_LIMITED", "info IB_PKEY_INDEX", "warning IB_DEFAULT_PARTITION_OPEN", "info IB_SWITCH_MEMBERS", "info IB_SWITCH_HA"), true},
		{"no standby", func() *fabric.Fabric { return given(designed(t, planes)) },
			[]string{"warning IB_SWITCH_STANDBY", "info IB_PORT_NUMBERS", "info IB_PKEY_INDEX", "warning IB_DEFAULT_PARTITION_OPEN", "info IB_SWITCH_MEMBERS"}, true},
		{"XDR", func() *fabric.Fabric { return given(designed(t, xdr)) }, []string{"error IB_SWITCH_XDR", "info IB_PORT_NUMBERS"}, false},
		{"2048 nodes", func() *fabric.Fabric { return given(designed(t, large)) },
			[]string{"error IB_SWITCH_NODES", "warning IB_SWITCH_FEATURES", "info IB_PORT_NUMBERS", "info IB_SWITCH_HA"}, true},
		{"unmanaged", func() *fabric.Fabric {
			f := given(designed(t, twoTier))
			f.InfiniBand.Partitions = nil
			for i := range f.Switches {
				f.Switches[i].OS = ""
			}
			return f
		}, []string{"error IB_SWITCH_UNMANAGED", "warning IB_SWITCH_FEATURES"}, false},
		{"NVOS", func() *fabric.Fabric { return nvos(given(designed(t, twoTier))) }, append(tiers, "info IB_SWITCH_HA"), true},
		{"NVOS partitions", func() *fabric.Fabric {
			f := given(designed(t, planes))
			for i := range f.Switches {
				f.Switches[i].OS = "nvos"
			}
			return f
		}, []string{"warning IB_SWITCH_STANDBY", "info IB_PORT_NUMBERS", "info IB_PKEY_INDEX", "error IB_SWITCH_PARTITIONS"}, true},
		{"two managers", func() *fabric.Fabric {
			f := nvos(given(designed(t, twoTier)))
			f.InfiniBand.UFMLinks, f.InfiniBand.SMGUID = 1, 1
			return f
		}, append(tiers, "info IB_SWITCH_HA", "warning IB_TWO_MANAGERS", "info IB_SM_GUID"), true},
		{"names", func() *fabric.Fabric {
			f := nvos(given(designed(t, twoTier)))
			f.Switches[0].Name = "leaf;reload"
			return f
		}, append([]string{"error IB_NAME"}, append(tiers, "info IB_SWITCH_HA")...), false},
		{"another manager", func() *fabric.Fabric {
			f := designed(t, twoTier)
			f.InfiniBand.Manager = "ufm"
			return f
		}, nil, false},
	} {
		f := c.f()
		var got []string
		for _, x := range manage(t).Check(f) {
			got = append(got, string(x.Severity)+" "+x.Code)
			if x.Message == "" || x.Remedy == "" || x.Source == "" {
				t.Errorf("%s lacks message, remedy or source", x.Code)
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: findings (-want +got):\n%s", c.name, d)
		}
		if _, err := manage(t).Files(f); (err == nil) != c.files {
			t.Errorf("%s: files: %v", c.name, err)
		}
	}
}

func TestEngine(t *testing.T) {
	for _, c := range []struct {
		doc, wish, line, code string
		steps                 bool
	}{
		{twoTier, "auto", "ib sm routing-engines ftree", "", false},
		{twoTier, "ftree", "ib sm routing-engines ftree", "", false},
		{twoTier, "minhop", "", "", false},
		{planes, "auto", "", "", false},
		{planes, "ftree", "", "IB_ROUTING_ENGINE", false},
		{twoTier, "updn", "", "IB_ROUTING_UNCONFIRMED", true},
		{twoTier, "ar_updn", "", "IB_ROUTING_ENGINE", false},
		{twoTier, "dfsssp", "", "IB_ROUTING_ENGINE", false},
	} {
		f := given(designed(t, c.doc))
		f.InfiniBand.Routing = c.wish
		code := ""
		for _, x := range manage(t).Check(f) {
			if strings.HasPrefix(x.Code, "IB_ROUTING") {
				code = x.Code
			}
		}
		if code != c.code {
			t.Errorf("%s: finding %q, want %q", c.wish, code, c.code)
		}
		list, err := manage(t).Files(f)
		if refused := code == "IB_ROUTING_ENGINE"; (err != nil) != refused {
			t.Errorf("%s: files: %v", c.wish, err)
			continue
		}
		for _, file := range list {
			body := string(file.Body)
			if strings.HasSuffix(file.Name, ".cli") && strings.Contains(body, "routing-engines") != (c.line != "") {
				t.Errorf("%s: %s:\n%s", c.wish, file.Name, body)
			}
			if file.Name == "steps-to-check.txt" && strings.Contains(body, "routing-engines "+c.wish) != c.steps {
				t.Errorf("%s: %s:\n%s", c.wish, file.Name, body)
			}
		}
	}
}

// Unmanaged spines leave it to the leaves; a fabric of both OSes to one of them.
func TestWhichSwitches(t *testing.T) {
	f := given(designed(t, twoTier))
	for i := range f.Switches {
		if f.Switches[i].Role == fabric.Spine {
			f.Switches[i].OS = ""
		}
	}
	files := filesOf(t, f)
	if files["leaf-u01-r0.cli"] == "" || files["leaf-u01-r1.cli"] == "" || files["leaf-u02-r0.cli"] != "" {
		t.Error("the first two leaves should run it")
	}
	f.Switches[1].OS = "nvos"
	if files = filesOf(t, f); files["leaf-u01-r1.nvue"] != "" || files["leaf-u02-r0.cli"] == "" {
		t.Error("master and standby should have one OS")
	}
}

func TestPlaceholdersAreMarked(t *testing.T) {
	for name, body := range filesOf(t, designed(t, planes)) {
		if strings.Contains(name, "ibnl/") || strings.HasSuffix(name, ".topo") {
			continue
		}
		if !strings.Contains(name+body, "PLACEHOLDER") {
			t.Errorf("%s is not marked", name)
		}
	}
	for name, body := range filesOf(t, given(designed(t, planes))) {
		if strings.Contains(name+body, "PLACEHOLDER") {
			t.Errorf("%s marks GUIDs that were given", name)
		}
	}
}

func TestOverlay(t *testing.T) {
	m, err := New(fstest.MapFS{"mlnxos/nvos.nvue.tmpl": {Data: []byte("{{.NoSuchField}}")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Files(nvos(designed(t, twoTier))); err == nil || !strings.Contains(err.Error(), "nvos.nvue.tmpl") {
		t.Errorf("a template with an unknown field: %v", err)
	}
}
