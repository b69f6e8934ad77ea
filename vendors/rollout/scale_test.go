package rollout_test

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"railyard/vendors/gnmi/target"
	"railyard/vendors/rollout"
)

// thousand pushes to many switches in one process. It returns the wall time, the
// most descriptors in use (both ends of each connection) and the largest heap
// (the switches' own included).
func thousand(t testing.TB, switches, at int, latency time.Duration) (wall time.Duration, files int, heap uint64) {
	l := realLab(t, switches, 0, func(_ string, c *target.Config) {
		c.Latency, c.Sessions, c.Commit = latency, []string{"10.0.0.1"}, target.Honours
	})
	y := strings.Replace(l.yaml.String(), "timeout: 1s", "timeout: 1m", 1)
	l.yaml.Reset()
	l.yaml.WriteString(strings.ReplaceAll(y, "timeout: 5s", "timeout: 2m"))
	o := l.options()
	o.MaxParallel, o.WaveSize, o.CommitTimeout, o.VerifyTimeout = at, at, 5*time.Minute, time.Minute
	before := fds(t)
	var m runtime.MemStats
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
				files = max(files, fds(t)-before)
				runtime.ReadMemStats(&m)
				heap = max(heap, m.HeapAlloc)
			}
		}
	}()
	begin := time.Now()
	rep, err := rollout.Push(context.Background(), o)
	wall = time.Since(begin)
	close(stop)
	<-done
	if err != nil || rep.Count("done") != switches {
		t.Fatalf("%v: %d of %d done", err, rep.Count("done"), switches)
	}
	return wall, files, heap
}

// TestThousandTargets: descriptors and memory are bounded by what is done at
// once, not by the number of switches.
func TestThousandTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	const at = 100
	_, files, heap := thousand(t, 1000, at, time.Millisecond)
	t.Logf("%d descriptors, heap %d MiB", files, heap>>20)
	// Two connections of a switch overlap for a moment; each is counted at both ends.
	if files > 4*at+100 {
		t.Errorf("%d descriptors for %d switches at once", files, at)
	}
	if heap > 512<<20 {
		t.Errorf("heap of %d MiB", heap>>20)
	}
}

// BenchmarkThousandTargets compares the wall time with what one switch takes
// for itself, times the waves: the aim is 1.5.
func BenchmarkThousandTargets(b *testing.B) {
	const n, at, latency = 1000, 125, 500 * time.Millisecond
	for b.Loop() {
		one, _, _ := thousand(b, 1, at, latency)
		wall, files, heap := thousand(b, n, at, latency)
		waves := 1 + (n-1+at-1)/at
		b.ReportMetric(one.Seconds(), "s/switch")
		b.ReportMetric(wall.Seconds(), "s/push")
		b.ReportMetric(float64(wall)/float64(one*time.Duration(waves)), "x-ideal")
		b.ReportMetric(float64(files), "descriptors")
		b.ReportMetric(float64(heap>>20), "MiB")
	}
}

func fds(t testing.TB) int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("needs /proc")
	}
	return len(list)
}
