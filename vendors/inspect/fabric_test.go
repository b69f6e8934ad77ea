package inspect_test

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"railyard/generator"
	"railyard/generator/audit"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/observed"
	"railyard/vendors"
	"railyard/vendors/inspect"
)

const testHash = "$6$saltsalt$A./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zA./zAz"

// generated renders every switch of a cluster, files by path.
func generated(t testing.TB, name string, c *cluster.Cluster) map[string]string {
	t.Helper()
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	set.NamePorts(f)
	files := map[string]string{}
	var mu sync.Mutex
	secrets := func(fabric.Secret) (string, error) { return testHash, nil }
	err = set.Render(context.Background(), f, secrets, func(sw *fabric.Switch, out []fabric.File) error {
		mu.Lock()
		defer mu.Unlock()
		for _, file := range out {
			files[sw.Name+"/"+file.Name] = string(file.Body)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return files
}

func ofFile(t testing.TB, file string) map[string]string {
	t.Helper()
	const dir = "../../fixtures/clusters"
	body, err := os.Open(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c, err := cluster.Load(file, body, root.FS())
	if err != nil {
		t.Fatal(err)
	}
	return generated(t, file, c)
}

func ofText(t testing.TB, text string) map[string]string {
	t.Helper()
	c, err := cluster.Load("inline", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return generated(t, "inline", c)
}

// write puts files into a directory of the test.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func judged(t testing.TB, dir, cables string) (*observed.Network, *audit.Report) {
	t.Helper()
	net, err := inspect.Dir(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var list *audit.Cables
	if cables != "" {
		if list, err = audit.ReadCables("cables", strings.NewReader(cables)); err != nil {
			t.Fatal(err)
		}
	}
	return net, audit.Judge(net, list)
}

// serious are the findings that would make a command fail.
func serious(r *audit.Report) []audit.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f audit.Finding) bool { return f.Severity == observed.Info })
}

// TestGeneratedFabricsAreClean renders every cluster of the fixtures: what
// railyard itself writes must give no error and no warning.
func TestGeneratedFabricsAreClean(t *testing.T) {
	files, err := fs.Glob(os.DirFS("../../fixtures/clusters"), "*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("fixtures: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			out := ofFile(t, file)
			if len(out) == 0 {
				t.Skip("an InfiniBand fabric has no switch configurations")
			}
			net, r := judged(t, write(t, out), "")
			if len(net.Unreadable) > 0 {
				t.Errorf("unreadable: %+v", net.Unreadable)
			}
			for _, f := range serious(r) {
				if file == "huawei-1024.yaml" && f.Code == "PFC_ONE_END" && f.Port == "" {
					continue // lossless lines of that spine model are only proposed, in a file of their own
				}
				t.Errorf("%+v", f)
			}
		})
	}
}

// TestGoldensAreClean reads the drivers' golden files one by one. Three of them
// are written with the watchdog off.
func TestGoldensAreClean(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../comware/testdata/*.cfg", "../vrp/testdata/*.cfg", "../eos/testdata/*.cfg", "../sonic/testdata/*/*/config_db.json"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if len(files) < 25 {
		t.Fatalf("only %d golden files", len(files))
	}
	unwatched := 0
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, r := judged(t, write(t, map[string]string{filepath.Base(file): string(body)}), "")
		if r.Judged != 1 || r.Unread != 0 {
			t.Errorf("%s: judged %d, unread %d", file, r.Judged, r.Unread)
		}
		for _, f := range serious(r) {
			if f.Code == "WATCHDOG_MISSING" && f.Port == "" {
				unwatched++
				continue
			}
			t.Errorf("%s: %+v", file, f)
		}
	}
	if unwatched != 3 {
		t.Errorf("%d golden files without a watchdog, 3 are known", unwatched)
	}
}
