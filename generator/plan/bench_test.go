package plan

import (
	"bytes"
	"io"
	"testing"

	"railyard/generator/cabling/sample"
	"railyard/generator/fabric"
)

// The benchmarks show the plan of 16,384 servers: 393,216 links.

func benchmark(b *testing.B, write func(io.Writer, *fabric.Fabric) error) {
	f := sample.Large()
	b.ReportAllocs()
	for b.Loop() {
		n := &counter{}
		if err := write(n, f); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(n.n)
	}
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

func BenchmarkJSON(b *testing.B) { benchmark(b, JSON) }
func BenchmarkText(b *testing.B) { benchmark(b, Text) }

func BenchmarkCompare(b *testing.B) {
	f := sample.Large()
	var old bytes.Buffer
	if err := JSON(&old, f); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(old.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if c, err := Compare(bytes.NewReader(old.Bytes()), f); err != nil || !c.Identical {
			b.Fatal(err)
		}
	}
}
