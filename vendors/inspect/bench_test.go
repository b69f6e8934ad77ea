package inspect_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"railyard/generator/audit"
	"railyard/vendors/inspect"
)

// thousands writes n configurations of about 100 KB each, of two systems, and
// returns their folder and size.
func thousands(b *testing.B, n int) (string, int64) {
	b.Helper()
	dir := b.TempDir()
	h3c, mixed := ofFile(b, "h3c-256.yaml"), ofFile(b, "mixed-arista-sonic-512.yaml")
	sources := []struct{ body, name, ext, pad string }{
		{h3c["leaf-u01-r0/startup.cfg"], "leaf-u01-r0", ".cfg", "acl advanced %d\n rule 0 permit ip source 10.0.0.0 0.255.255.255 destination 10.0.0.0 0.255.255.255\n#\n"},
		{mixed["leaf-u01-r0/startup-config"], "leaf-u01-r0", ".txt", "ip access-list A%d\n   10 permit ip 10.0.0.0/8 10.0.0.0/8\n   20 deny ip any any\n!\n"},
		{mixed["spine-01/config_db.json"], "spine-01", ".json", ""},
	}
	var size int64
	for i := range n {
		s := sources[i%len(sources)]
		body := strings.ReplaceAll(s.body, s.name, fmt.Sprintf("sw-%04d", i))
		// Every copy gets addresses of its own, or they would all be neighbours.
		body = strings.ReplaceAll(body, "10.240.", fmt.Sprintf("%d.%d.", 11+i/200, 10+i%200))
		if s.pad != "" {
			end := strings.LastIndex(body[:len(body)-1], "\n") + 1
			var pad strings.Builder
			for k := 0; len(body)+pad.Len() < 100_000; k++ {
				fmt.Fprintf(&pad, s.pad, k)
			}
			body = body[:end] + pad.String() + body[end:]
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("sw-%04d%s", i, s.ext)), []byte(body), 0o644); err != nil {
			b.Fatal(err)
		}
		size += int64(len(body))
	}
	return dir, size
}

// BenchmarkAudit2000 is the size the tool is made for: 2,000 configurations of
// 100 KB. BenchmarkRead2000 reads the same files without looking at them.
func BenchmarkAudit2000(b *testing.B) {
	dir, size := thousands(b, 2000)
	b.SetBytes(size)
	b.ReportAllocs()
	var most uint64
	before := used()
	for b.Loop() {
		net, err := inspect.Dir(context.Background(), dir)
		if err != nil {
			b.Fatal(err)
		}
		r := audit.Judge(net, nil)
		if err := r.Text(io.Discard); err != nil {
			b.Fatal(err)
		}
		if r.Judged != 2000 {
			b.Fatalf("%d judged", r.Judged)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapInuse)
	}
	b.ReportMetric(float64(most)/(1<<20), "MiB-heap")
	b.ReportMetric(float64((used()-before).Milliseconds())/float64(b.N), "cpu-ms/op")
}

// used is the processor time of this process, user and system.
func used() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func BenchmarkRead2000(b *testing.B) {
	dir, size := thousands(b, 2000)
	b.SetBytes(size)
	for b.Loop() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			f, err := os.Open(filepath.Join(dir, e.Name()))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, f); err != nil {
				b.Fatal(err)
			}
			f.Close()
		}
	}
}
