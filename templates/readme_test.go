package templates_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"railyard/templates/reference"
)

// README.md names every template, every field that its data has, and none besides:
// the tables are those that the Go source gives. The built-in templates use no field
// that is not there.
func TestReadme(t *testing.T) {
	have, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := reference.Fill(have, "..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		diff := udiff.Unified("README.md", "go generate ./templates", string(have), string(want))
		t.Errorf("run go generate ./templates:\n%s", diff[:min(len(diff), 3000)])
	}
	for _, field := range []string{"| `.Sysname` |", "| `.LosslessSystem` |", "| `.MaxPaths` |", "| `.PoolMB` |", "| `bgp.tmpl` | [view](#eos-view)"} {
		if !strings.Contains(string(want), field) {
			t.Errorf("the tables lack %q", field)
		}
	}
}
