package cabling

import (
	"io"
	"testing"

	"railyard/generator/cabling/sample"
	"railyard/generator/fabric"
)

// The benchmarks write the lists of 16,384 servers: 393,216 links.

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

func BenchmarkCSV(b *testing.B)        { benchmark(b, CSV) }
func BenchmarkAddressing(b *testing.B) { benchmark(b, Addressing) }
func BenchmarkWorkbook(b *testing.B)   { benchmark(b, Workbook) }
