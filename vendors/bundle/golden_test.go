package bundle_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/plan"
	"railyard/vendors"
	"railyard/vendors/bundle"
)

var update = flag.Bool("update", false, "rewrite fixtures/golden")

const fixtures = "../../fixtures"

// golden lists the clusters whose whole output is held. Files that people read
// are kept whole: those of the first switch of each tier, the plan as text and
// the subnet manager's settings. The rest is held by its digest.
var golden = []string{
	"h100-64-single", "h3c-256", "mixed-arista-sonic-512", "huawei-1024", "superpod-h100-127",
	"b200-512-ib", "rtx4090-4", "b300-dual-plane", "ddc",
}

// design reads, designs, names and checks a fixture, as the command line does.
func design(t testing.TB, set *vendors.Set, name string) (*cluster.Cluster, *fabric.Fabric) {
	t.Helper()
	file, err := os.Open(filepath.Join(fixtures, "clusters", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c, err := cluster.Load(name+".yaml", file, os.DirFS(filepath.Join(fixtures, "clusters")))
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	set.NamePorts(f)
	f.Findings = append(f.Findings, set.Check(f)...)
	generator.SortFindings(f.Findings)
	return c, f
}

func TestGolden(t *testing.T) {
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range golden {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, f := design(t, set, name)
			out := filepath.Join(t.TempDir(), "out")
			if _, err := bundle.Generate(context.Background(), f, set, bundle.Options{Dir: out, Outputs: c.Outputs}); err != nil {
				t.Fatal(err)
			}
			got := map[string][]byte{"sums.txt": sums(t, out)}
			var text bytes.Buffer
			if err := plan.Text(&text, f); err != nil {
				t.Fatal(err)
			}
			got["plan.txt"] = text.Bytes()
			for _, file := range whole(t, out, f) {
				body, err := os.ReadFile(filepath.Join(out, file))
				if err != nil {
					t.Fatal(err)
				}
				got[file] = body
			}
			compare(t, filepath.Join(fixtures, "golden", name), got)
		})
	}
}

// whole lists the files that are kept in full.
func whole(t *testing.T, out string, f *fabric.Fabric) []string {
	var files []string
	seen := map[string]bool{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		if key := string(sw.Role) + sw.OS; !seen[key] {
			seen[key] = true
			found, err := filepath.Glob(filepath.Join(out, "switches", sw.Name, "*"))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, found...)
		}
	}
	for _, name := range []string{"opensm.conf", "partitions.conf", "qos-policy.conf", "root_guids.conf"} {
		found, err := filepath.Glob(filepath.Join(out, "subnet-manager", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	for i := range files {
		files[i], _ = filepath.Rel(out, files[i])
	}
	return files
}

// sums lists every file with the digest that the manifest gives it, but for the
// workbook, whose compression belongs to the Go release.
func sums(t *testing.T, out string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(out, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for line := range strings.Lines(string(body)) {
		if strings.Contains(line, `"path"`) && !strings.Contains(line, ".xlsx") {
			fmt.Fprintln(&b, strings.Trim(line, " ,\n"))
		}
	}
	return b.Bytes()
}

func compare(t *testing.T, dir string, got map[string][]byte) {
	t.Helper()
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		for name, body := range got {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, body, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	want := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		want[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range want {
		names = append(names, name)
	}
	for name := range got {
		if want[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !bytes.Equal(got[name], want[name]) {
			diff := udiff.Unified("golden/"+name, "generated", string(want[name]), string(got[name]))
			t.Errorf("%s differs; run with -update and read the change\n%s", name, diff[:min(len(diff), 3000)])
		}
	}
}
