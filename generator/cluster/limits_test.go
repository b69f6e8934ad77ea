package cluster_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"railyard/generator/cluster"
)

// endless repeats a line for ever.
type endless string

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e[i%len(e)]
	}
	return len(p), nil
}

const head = "name: t\nfabric: {technology: infiniband}\nswitches: {leaf: {model: nvidia-qm9700}}\n"

// TestHostileFiles: files made to be expensive get a short list of problems soon.
func TestHostileFiles(t *testing.T) {
	many := func(start, format string, n int) io.Reader {
		var b bytes.Buffer
		b.WriteString(start)
		for i := range n {
			fmt.Fprintf(&b, format, i, i)
		}
		return &b
	}
	for _, tc := range []struct {
		name string
		r    io.Reader
		want string // how the last problem begins
	}{
		{"a file without end", endless("a: b\n"), "t.yaml: larger than 4 MiB"},
		{"100000 lines with errors", many("", "k%d: %d\n", 100_000), "t.yaml: and 99903 more problems"},
		{"a million anchors", many("x: [", "&a%d %d,", 1_000_000), "t.yaml: larger than 4 MiB"},
		{"150000 anchors", many("x: [", "&a%d %d,", 150_000), "t.yaml:1:1697768: more than 120000 keys"},
		{"15000 groups", many("name: t\nswitches: {leaf: {model: dell-z9864f}}\nservers:\n", "  - {name: g%d, count: 8, model: dgx-h100} # %d\n", 15_000), "t.yaml:3:1: servers: 15000 groups of servers"},
		{"patterns that match nothing", many(head+"servers: [{name: gpu, count: 200000, model: dgx-h100}]\ninfiniband:\n  partitions:\n", "  - {name: p%d, pkey: 1, members: ['gpu-*%dx']}\n", 1000), "t.yaml: and "},
		{"partitions", many(head+"servers: [{name: gpu, count: 8, model: dgx-h100}]\ninfiniband:\n  partitions:\n", "  - {name: p%d, pkey: 1, members: [gpu-001]} # %d\n", 10_000), "t.yaml:6:3: infiniband.partitions: 10000 partitions"},
		{"deep", strings.NewReader("lossless: " + strings.Repeat("{ecn: ", 9000) + strings.Repeat("}", 9000)), "t.yaml:1:18: lossless.ecn.ecn: unknown key"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			start := time.Now()
			_, err := cluster.Load("t.yaml", tc.r, nil)
			took := time.Since(start)
			if err == nil {
				t.Fatal("accepted")
			}
			lines := strings.Split(err.Error(), "\n")
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, tc.want) || len(lines) > 101 {
				t.Errorf("%d problems, the last: %s", len(lines), last)
			}
			// On an idle machine each takes under a second; the bound allows for a busy one.
			if took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestLargeClusters: what is large but honest is accepted.
func TestLargeClusters(t *testing.T) {
	var b strings.Builder
	b.WriteString(head + "servers: [{name: gpu, count: 200000, model: dgx-h100}]\ninfiniband:\n  partitions:\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "    - {name: p%d, pkey: %d, members: ['gpu-[%06d-%06d]']}\n", i, i+1, i*200+1, i*200+200)
	}
	c, err := cluster.Load("t.yaml", strings.NewReader(b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := &c.InfiniBand.Partitions[999]; !p.Holds("gpu-200000") || p.Holds("gpu-199800") {
		t.Error("the last partition holds the wrong servers")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("name: a\nservers: [{name: gpu, count: 8, model: dgx-h100}]\nswitches: {leaf: {model: h3c-s9827-128dh}}\n"))
	f.Add([]byte("servers:\n  - {name: a, count: 3, gpu: l40s, gpus: 8, nic: e810, nics: 2, nic_speed: 100G, pcie: {gen: 4, lanes: 8}, reserve: 9}\n"))
	f.Add([]byte("management: {subnet: 10.0.0.0/30, gateway: 10.0.0.3, users: [{name: a, password_hash: {env: B}, ssh_keys: ['ssh-rsa AAAA']}]}\n"))
	f.Add([]byte("infiniband: {guids: g.csv, partitions: [{name: a, pkey: 0x8001, members: ['a-[1-3]', '*']}]}\nfabric: {technology: infiniband, planes: 2}\n"))
	f.Add([]byte("catalog: {file: c.yaml, switches: [{id: x, os: [vrp8], asic: th5, ports: [{count: 4, speed: 800G, breakout: [2x400G], twin: true}], port_groups: {cages: [[1]], max: 2}}]}\n"))
	f.Add([]byte("lossless: {priority: 3, dscp: 26, ecn: {kmin: 1KB, kmax: 2KB, pmax: 3}, watchdog: {detect: 1s}}\naddressing: {links: unnumbered, asn: {leaf: 1, spine: 1}}\n"))
	f.Add([]byte("overrides: [{match: 'leaf-*', os: eos, asn: 5}, {match: 'p0-spine-[01-02]', model: dell-z9864f}]\noutputs: []\n"))
	f.Add([]byte("a: &a {b: *a}\n---\n"))
	if all, err := os.ReadFile(fixtures + "/all-keys.yaml"); err == nil {
		f.Add(all)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := cluster.Load("f.yaml", bytes.NewReader(text), nil)
		if err == nil {
			checkUsable(t, c)
			return
		}
		problems, ok := err.(cluster.Problems)
		if !ok || c != nil || len(problems) == 0 {
			t.Fatalf("got %v, %T %v", c, err, err)
		}
		for _, p := range problems {
			if p.Message == "" || p.Position.File == "" || strings.ContainsAny(p.Error(), "\n\x00\x1b") {
				t.Errorf("problem %q", p.Error())
			}
		}
	})
}

// checkUsable: what Load promises of a cluster.
func checkUsable(t *testing.T, c *cluster.Cluster) {
	if c.Name == "" || len(c.Servers) == 0 || len(c.Switches.Leaf.Spec.Ports) == 0 || c.Catalog == nil {
		t.Errorf("unusable: %+v", c)
	}
	for i := range c.Servers {
		if g := &c.Servers[i]; g.Count < 1 || g.Reserve < g.Count || g.NICs < 1 || g.NICSpeed < 1 || g.Cable.Length <= 0 {
			t.Errorf("unusable: %+v", g)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, p := range cluster.Presets() {
		if p.Name != "b200-512-ib" {
			continue
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := cluster.Load(p.Name, strings.NewReader(p.Body), nil); err != nil {
				b.Fatal(err)
			}
		}
	}
}
