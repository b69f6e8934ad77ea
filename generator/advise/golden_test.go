package advise_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"railyard/generator"
	"railyard/generator/advise"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

var update = flag.Bool("update", false, "write the expected texts anew")

// load reads and designs one of the clusters people copy.
func load(t testing.TB, name string) (*cluster.Cluster, *fabric.Fabric) {
	t.Helper()
	file := filepath.Join("..", "..", "fixtures", "clusters", name+".yaml")
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := cluster.Load(file, r, os.DirFS(filepath.Dir(file)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return c, f
}

func prices(t testing.TB, name string) *advise.Prices {
	t.Helper()
	r, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p, err := advise.ReadPrices(name, r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGolden(t *testing.T) {
	for _, row := range []struct {
		golden, cluster, prices string
		opt                     advise.Options
	}{
		{golden: "h3c-256-balanced", cluster: "h3c-256", prices: "complete.csv", opt: advise.Options{Budget: "balanced", Team: "ethernet"}},
		{golden: "superpod-no-facts", cluster: "superpod-h100-127"},
		{golden: "rtx4090-partial-prices", cluster: "rtx4090-4", prices: "partial.csv", opt: advise.Options{Budget: "strict"}},
	} {
		t.Run(row.golden, func(t *testing.T) {
			c, f := load(t, row.cluster)
			row.opt.Design = generator.Design
			if row.prices != "" {
				row.opt.Prices = prices(t, row.prices)
			}
			a, err := advise.Advise(c, f, row.opt)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := a.Text(&text); err != nil {
				t.Fatal(err)
			}
			checkText(t, text.String())
			file := filepath.Join("testdata", row.golden+".txt")
			if *update {
				if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if text.String() != string(want) {
				t.Errorf("%s differs; run with -update and read the change\n%s", file, text.String())
			}
		})
	}
}

func checkText(t testing.TB, text string) {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("line %d has %d columns: %s", i+1, n, line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("line %d ends in spaces: %q", i+1, line)
		}
	}
}

// TestEveryCluster runs all clusters that people copy: the text fits, JSON says
// what the text says, and a second run says the same.
func TestEveryCluster(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "clusters", "*.yaml"))
	if err != nil || len(files) < 9 {
		t.Fatalf("%d clusters, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			c, f := load(t, name)
			before, err := json.Marshal(c)
			if err != nil {
				t.Fatal(err)
			}
			var out [2]string
			for i := range out {
				a, err := advise.Advise(c, f, advise.Options{Design: generator.Design, Prices: prices(t, "partial.csv")})
				if err != nil {
					t.Fatal(err)
				}
				var text, doc bytes.Buffer
				if err := a.Text(&text); err != nil {
					t.Fatal(err)
				}
				if err := a.JSON(&doc); err != nil {
					t.Fatal(err)
				}
				checkText(t, text.String())
				out[i] = text.String() + doc.String()
				checkDocument(t, doc.Bytes(), f)
			}
			if out[0] != out[1] {
				t.Error("two runs differ")
			}
			if after, _ := json.Marshal(c); !bytes.Equal(before, after) {
				t.Error("the declared cluster was changed")
			}
		})
	}
}

func checkDocument(t testing.TB, body []byte, f *fabric.Fabric) {
	t.Helper()
	var doc struct {
		Format  int `json:"format_version"`
		Verdict struct {
			Technology string
		}
		Rules   []struct{ ID, State string }
		Designs []struct {
			Technology string
			Possible   bool
			Why        []string
			Power      string
			Switches   struct{ Leaf, Spine, Core int } `json:"switch_count"`
			Links      struct{ Total int }
			Ports      struct{ Total, Used, Reserved, Spare int }
			CableCount int `json:"cable_count"`
		}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Format != 1 || doc.Verdict.Technology == "" || len(doc.Rules) != 17 || len(doc.Designs) != 2 {
		t.Fatalf("format %d, verdict %q, %d rules, %d designs", doc.Format, doc.Verdict.Technology, len(doc.Rules), len(doc.Designs))
	}
	d, n := doc.Designs[0], f.Counts
	if d.Technology != string(f.Technology) || d.Switches.Leaf != n.Leaf || d.Switches.Spine != n.Spine || d.Switches.Core != n.Core ||
		d.Links.Total != len(f.Links) || d.Ports.Total != d.Ports.Used+d.Ports.Reserved+d.Ports.Spare || !strings.HasPrefix(d.Power, "unknown") {
		t.Errorf("the declared design is told wrongly: %+v", d)
	}
	if f.Topology != fabric.DDC && d.CableCount != n.HostCables+n.FabricCables {
		t.Errorf("%d cables, counted %d and %d", d.CableCount, n.HostCables, n.FabricCables)
	}
	if o := doc.Designs[1]; o.Technology == d.Technology || !o.Possible && len(o.Why) == 0 {
		t.Errorf("the alternative: %+v", o)
	}
}
