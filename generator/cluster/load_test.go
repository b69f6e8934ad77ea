package cluster_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"railyard/generator/cluster"
)

var update = flag.Bool("update", false, "write the golden files")

const fixtures = "../../fixtures/clusters"

// load reads a cluster file beside which other files may stand.
func load(t testing.TB, file string) (*cluster.Cluster, error) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	return cluster.Load(filepath.Base(file), bytes.NewReader(body), root.FS())
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}

// TestBadFiles holds every file in bad against its list of problems, which a
// person has read.
func TestBadFiles(t *testing.T) {
	for _, file := range glob(t, fixtures+"/bad/*.yaml") {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			c, err := load(t, file)
			problems, ok := err.(cluster.Problems)
			if !ok || c != nil {
				t.Fatalf("got %v, %T %v, want nothing and problems", c, err, err)
			}
			got := problems.Error() + "\n"
			golden := strings.TrimSuffix(file, ".yaml") + ".txt"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}
