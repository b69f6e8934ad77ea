package outdir

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// BenchmarkReplace writes 5,000 configurations of 40 kB over an unchanged
// directory: hash the old one, write, sync, swap, remove.
func BenchmarkReplace(b *testing.B) { benchmark(b, true) }

// BenchmarkFresh writes the same where nothing was.
func BenchmarkFresh(b *testing.B) { benchmark(b, false) }

func benchmark(b *testing.B, replace bool) {
	const files, size = 5000, 40_000
	body := make([]byte, size)
	parent := b.TempDir()
	b.SetBytes(files * size)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if replace {
			n = 0
		}
		d, err := Open(filepath.Join(parent, fmt.Sprint(n)), opts)
		if err != nil {
			b.Fatal(err)
		}
		var wg sync.WaitGroup
		next := make(chan int)
		for range runtime.GOMAXPROCS(0) {
			wg.Go(func() {
				for i := range next {
					if err := d.Write(fmt.Sprintf("switches/leaf-%04d/startup.cfg", i), Secret, body); err != nil {
						b.Error(err)
					}
				}
			})
		}
		for i := range files {
			next <- i
		}
		close(next)
		wg.Wait()
		if _, err := d.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}
