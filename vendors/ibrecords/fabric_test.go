package ibrecords

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors/opensm"
)

var update = flag.Bool("update", false, "write the captures under testdata anew from ibsim")

// twoTier is HDR, with the user's own GUIDs and partitions of both kinds.
const twoTier = `
version: 1
name: two-tier
switches: {leaf: {model: nvidia-qm8700}, spine: {model: nvidia-qm8700}}
fabric: {technology: infiniband}
servers: [{name: gpu, count: 24, gpu: h100-80-sxm5, gpus: 8, nic: cx7-200-vpi, nics: 2, nic_speed: 200G}]
infiniband:
  guids: guids.csv
  partitions:
    - {name: train, pkey: 0x8001, members: ['gpu-[001-012]']}
    - {name: store, pkey: 0x8005, members: [gpu-013]}
    - {name: client, pkey: 0x8005, members: ['gpu-[014-016]'], membership: limited}
`

// twoPlanes is NDR200 without GUIDs or partitions: two subnets.
const twoPlanes = `
version: 1
name: two-planes
switches: {leaf: {model: nvidia-qm9700}, spine: {model: nvidia-qm9700}}
fabric: {technology: infiniband, planes: 2}
servers: [{name: gpu, count: 40, gpu: h100-80-sxm5, gpus: 8, nic: cx7-200-vpi, nics: 2, nic_speed: 200G}]
`

// guids gives every node of twoTier a GUID of its own, none next to another.
func guids() string {
	var b strings.Builder
	for i := range 48 {
		fmt.Fprintf(&b, "gpu-%03d/nic%d,0x%016x\n", i/2+1, i%2, 0x1070fd0300100000+i*16)
	}
	for i, name := range []string{"leaf-u01-r0-1", "leaf-u02-r0-1", "leaf-u03-r0-1", "spine-01", "spine-02"} {
		fmt.Fprintf(&b, "%s,0x%016x\n", name, uint64(0xb83fd20300000000)+uint64(i)*64)
	}
	return b.String()
}

func design(t testing.TB, doc string) *fabric.Fabric {
	t.Helper()
	c, err := cluster.Load("cluster.yaml", strings.NewReader(doc), fstest.MapFS{"guids.csv": {Data: []byte(guids())}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func managerFiles(t *testing.T, f *fabric.Fabric) map[string]string {
	t.Helper()
	m, err := opensm.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := m.Files(f)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, x := range list {
		out[x.Name] = string(x.Body)
	}
	return out
}

// capture is a folder under testdata.
func capture(t testing.TB, name string) []File {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("testdata", name, "*"))
	if err != nil || len(list) == 0 {
		t.Fatalf("no capture %s: %v", name, err)
	}
	var out []File
	for _, p := range list {
		body, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, File{Name: filepath.ToSlash(filepath.Join(name, filepath.Base(p))), Body: body})
	}
	return out
}

// text is a result with one line for each line of it.
func text(r Result) string {
	var b strings.Builder
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "%s\n", strings.Join(c.Path, " | "))
		for _, l := range c.Remove {
			fmt.Fprintf(&b, "  - %s\n", l)
		}
		for _, l := range c.Add {
			fmt.Fprintf(&b, "  + %s\n", l)
		}
		if c.Note != "" {
			fmt.Fprintf(&b, "  # %s\n", c.Note)
		}
	}
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "! %s %s\n", p.Code, p.Text)
	}
	return b.String()
}
