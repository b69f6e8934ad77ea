package opensm

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// The designer's own fabrics through the real OpenSM, as a user gets them.
func TestDesignedFabrics(t *testing.T) {
	guids := "leaf-u01-r0-7,0x1070fd0300ff0000\n"
	for i := range 32 { // one after the other, as two ports of a card have them
		guids += fmt.Sprintf("gpu-%03d/nic%d,0x%016x\n", i/8+1, i%8, 0x1070fd0300100000+i)
	}
	const head = "version: 1\nname: designed\nswitches: {leaf: {model: nvidia-qm9700}, spine: {model: nvidia-qm9700}}\n"
	for _, c := range []struct {
		name, yaml string
		adapters   int // a subnet
		engine     string
		hosts      []int // servers whose keys are looked up
		dirs       []string
	}{
		{"single switch", `
fabric: {technology: infiniband}
servers: [{name: gpu, count: 4, model: dgx-h100}]
infiniband: {guids: guids.csv, partitions: [{name: train-a, pkey: 0x8001, members: ['gpu-[001-002]']}]}
`, 32, "minhop", []int{0, 1, 2, 3}, []string{""}},
		{"one key, full and limited", `
fabric: {technology: infiniband}
servers: [{name: gpu, count: 4, model: dgx-h100}]
infiniband:
  guids: guids.csv
  partitions:
    - {name: store, pkey: 0x8005, members: [gpu-002]}
    - {name: client, pkey: 0x8005, members: ['gpu-[003-004]'], membership: limited}
`, 32, "minhop", []int{0, 1, 2, 3}, []string{""}},
		{"superpod", `
fabric: {technology: infiniband}
servers: [{name: gpu, count: 127, model: dgx-h100}]
infiniband: {ufm_links: 4, partitions: [{name: train-a, pkey: 0x8001, members: ['gpu-*']}]}
`, 1020, "ftree", []int{0, 63, 126, 127}, []string{""}},
		{"two planes", `
fabric: {technology: infiniband, planes: 2}
servers: [{name: gpu, count: 40, gpu: h100-80-sxm5, gpus: 8, nic: cx7-200-vpi, nics: 8, nic_speed: 200G}]
`, 320, "ftree", []int{0, 39}, []string{"p0", "p1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			need(t, "ibsim", "opensm")
			f := designed(t, head+c.yaml, guids)
			files := filesOf(t, f)
			for i, dir := range c.dirs {
				s, err := start(t, folder(files, dir), time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range s.complaints(c.engine) {
					t.Error(l)
				}
				compare(t, f, inPlane(i), s)
				for _, l := range s.checkKeys(f, i, c.hosts...) {
					t.Error(l)
				}
				if got := strings.Count(files[path.Join(dir, "topology.net")], "\nCa\t"); got != c.adapters {
					t.Errorf("%d adapters, want %d", got, c.adapters)
				}
			}
			for _, x := range manager(t).Check(f) {
				if x.Severity == fabric.Error {
					t.Errorf("%s: %s", x.Code, x.Message)
				}
			}
		})
	}
}

func designed(t *testing.T, doc, guids string) *fabric.Fabric {
	t.Helper()
	c, err := cluster.Load("designed.yaml", strings.NewReader(doc), fstest.MapFS{"guids.csv": {Data: []byte(guids)}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A name that nothing has is told: its device would keep a made-up GUID.
func TestUnusedGUIDIsTold(t *testing.T) {
	const doc = "version: 1\nname: x\nfabric: {technology: infiniband}\nswitches: {leaf: {model: nvidia-qm9700}}\nservers: [{name: gpu, count: 4, model: dgx-h100}]\ninfiniband: {guids: guids.csv}\n"
	for guids, want := range map[string]string{"leaf-u01-r0-7,0x1070fd0300ff0000\n": "", "leaf-u1-r0-7,0x1070fd0300ff0000\n": "such as leaf-u1-r0-7"} {
		got := ""
		for _, x := range designed(t, doc, guids).Findings {
			if x.Code == "IB_GUID_UNUSED" {
				got = x.Message
			}
		}
		if (got != "") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q", guids, got)
		}
	}
}
