package sonic

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/aymanbagabas/go-udiff"

	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the golden files anew")

func newDriver(t testing.TB) *Driver {
	t.Helper()
	d, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var goldens = map[string]func() *testFabric{
	"leaf-spine": leafSpineFabric,
	"single":     singleFabric,
	"breakout":   breakoutFabric,
	"unnumbered": unnumberedFabric,
}

func render(t testing.TB, d *Driver, f *fabric.Fabric, sw int) map[string][]byte {
	t.Helper()
	files, err := d.Render(f, &f.Switches[sw], nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, file := range files {
		if file.Secret {
			t.Errorf("%s is marked secret", file.Name)
		}
		out[file.Name] = file.Body
	}
	return out
}

func TestGolden(t *testing.T) {
	d := newDriver(t)
	for name, build := range goldens {
		f := build().named(d)
		for i := range f.Switches {
			dir := filepath.Join("testdata", name, f.Switches[i].Name)
			for file, got := range render(t, d, f, i) {
				compareGolden(t, filepath.Join(dir, file), got)
			}
		}
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := udiff.Unified(file, "rendered", string(want), string(got)); diff != "" {
		t.Errorf("differs from the golden file (run with -update after reading it):\n%s", diff)
	}
}

func TestGoldensAreValidYANG(t *testing.T) {
	models := yangDir(t)
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*", "config_db.json"))
	if err != nil || len(files) < len(goldens) {
		t.Fatalf("%d golden files (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := Validate(body); err != nil {
				t.Error(err)
			}
			instance, err := YANG(body)
			if err != nil {
				t.Fatal(err)
			}
			if ok, said := yanglint(t, models, instance); !ok {
				t.Errorf("yanglint refuses it:\n%s", said)
			}
		})
	}
}
