package bundle_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/vendors"
	"railyard/vendors/bundle"
)

// BenchmarkGenerate is the whole of generate: read, design, render, write. The
// metric links/s should stay level as the fabric grows.
func BenchmarkGenerate(b *testing.B) {
	set, err := vendors.Load(nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, servers := range []int{1024, 4096, 16384} {
		b.Run(fmt.Sprint(servers), func(b *testing.B) {
			text := fmt.Sprintf("version: 1\nname: big\nservers: [{name: gpu, count: %d, model: dgx-h100}]\nswitches: {leaf: {model: h3c-s9827-128dh}}\n", servers)
			b.ReportAllocs()
			links, bytes := 0, int64(0)
			for i := 0; b.Loop(); i++ {
				c, err := cluster.Load("big.yaml", strings.NewReader(text), nil)
				if err != nil {
					b.Fatal(err)
				}
				f, err := generator.Design(c)
				if err != nil {
					b.Fatal(err)
				}
				set.NamePorts(f)
				sum, err := bundle.Generate(context.Background(), f, set, bundle.Options{
					Dir: filepath.Join(b.TempDir(), "out"), Outputs: []string{"switches", "cabling"},
				})
				if err != nil {
					b.Fatal(err)
				}
				links, bytes = len(f.Links), sum.Bytes
			}
			b.ReportMetric(float64(links)*float64(b.N)/b.Elapsed().Seconds(), "links/s")
			b.ReportMetric(float64(bytes)*float64(b.N)/b.Elapsed().Seconds()/1e6, "MB/s")
		})
	}
}
