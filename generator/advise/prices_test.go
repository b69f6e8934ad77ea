package advise_test

import (
	"errors"
	"strings"
	"testing"

	"railyard/generator"
	"railyard/generator/advise"
	"railyard/generator/strict"
)

func TestReadPrices(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"good", "item,price,currency\nnvidia-qm9700,12500.5,EUR\ncx7-400-vpi,0\n# comment\n\noptic-400G, 800.1234\n", ""},
		{"windows", "\ufeffitem,price\r\nnvidia-qm9700,1\r\n", ""},
		{"empty", "", "p.csv: has no prices"},
		{"header only", "item,price\n", "has no prices"},
		{"one field", "nvidia-qm9700\n", "p.csv:1:1: 1 fields"},
		{"semicolons", "a,1\nnvidia-qm9700;12\n", "p.csv:2:1: one field only"},
		{"thousands separator", "nvidia-qm9700,12,500\n", `p.csv:1:18: "500" is not a currency`},
		{"quoted separator", "nvidia-qm9700,\"12,500\"\n", `p.csv:1:15: "12,500" is not a price`},
		{"sign", "nvidia-qm9700,-1\n", `"-1" is not a price`},
		{"symbol", "nvidia-qm9700,€100\n", `is not a price`},
		{"exponent", "nvidia-qm9700,1e9\n", `is not a price`},
		{"too many places", "nvidia-qm9700,1.23456\n", `is not a price`},
		{"too large", "nvidia-qm9700,1234567890\n", `is not a price`},
		{"not a number", "nvidia-qm9700,NaN\n", `is not a price`},
		{"currency", "nvidia-qm9700,1,euro\n", `p.csv:1:17: "euro" is not a currency`},
		{"two currencies", "a,1,EUR\nb,1\nc,1,USD\n", "p.csv:3:5: USD, but line 1 has EUR"},
		{"twice", "a,1\nb,2\na,3\n", `p.csv:3:1: "a" stands in line 1 already`},
		{"item", "an item,1\n", `"an item" is not an item`},
		{"binary", "a,1\nPK\x03\x04\n", "p.csv:2:3: not text"},
		{"latin-1", "a,1,EUR\ncaf\xe9,2\n", "p.csv:2:4: not text"},
		{"quote", "a,\"1\n", "not valid CSV"},
		{"all at once", "a,x\nb,y\nc,1\n", "p.csv:2:3"},
		{"huge", strings.Repeat("a", 5<<20), "larger than 4 MiB"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p, err := advise.ReadPrices("p.csv", strings.NewReader(row.text))
			if row.want == "" {
				if err != nil || p == nil {
					t.Fatal(err)
				}
				return
			}
			var problems strict.Problems
			if !errors.As(err, &problems) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v; want %s", err, row.want)
			}
		})
	}
}

func price(t *testing.T, cluster, list string) *advise.Advice {
	t.Helper()
	c, f := load(t, cluster)
	p, err := advise.ReadPrices("p.csv", strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}
	a, err := advise.Advise(c, f, advise.Options{Design: generator.Design, Prices: p})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// rtx4090-4 has 4 NICs and 4 copper cables of 2 m on one switch, with either technology.
func TestTotals(t *testing.T) {
	for _, row := range []struct{ name, list, roce, ib, saving string }{
		{"complete", "nvidia-sn4600c,1000\nnvidia-qm8700,2000\ncx6-100-vpi,10.25\ncable-dac-100G,1.5\n", "1047.00", "2047.00", "RoCE is 48.9 % cheaper by these prices"},
		{"one is missing", "nvidia-sn4600c,1000\ncx6-100-vpi,10.25\ncable-dac-100G,1.5\n", "1047.00", "", ""},
		{"length before class, catalog id between", "nvidia-sn4600c,1000\nnvidia-qm8700,1000\ncx6-100-vpi,0\ncable-dac-100G-2m,1\ndac-100,50\ncable-dac-100G,99\n", "1004.00", "1004.00", "both cost the same by these prices"},
		{"catalog id before class", "nvidia-sn4600c,1000\nnvidia-qm8700,1000\ncx6-100-vpi,0\ndac-100,50\ncable-dac-100G,99\n", "1200.00", "1200.00", "both cost the same by these prices"},
		{"a technology's own price", "nvidia-sn4600c,1000\nnvidia-qm8700,1000\ncx6-100-vpi,0\ncable-dac-100G,1\ninfiniband-cable-dac-100G,2\n", "1004.00", "1008.00", "RoCE is 0.4 % cheaper by these prices"},
		{"small change is kept", "nvidia-sn4600c,0.0001\nnvidia-qm8700,0\ncx6-100-vpi,0\ncable-dac-100G,0\n", "0.0001", "0.00", "InfiniBand is 100.0 % cheaper by these prices"},
		{"large", "nvidia-sn4600c,999999999.9999\nnvidia-qm8700,999999999\ncx6-100-vpi,999999999.9999\ncable-dac-100G,999999999.9999\n", "8999999999.9991", "8999999998.9992", "InfiniBand is 0.0 % cheaper by these prices"},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := price(t, "rtx4090-4", row.list)
			if got := a.Designs[0].Cost.Total; got != row.roce {
				t.Errorf("RoCE %q, want %q: %+v", got, row.roce, a.Designs[0].Cost)
			}
			if got := a.Designs[1].Cost.Total; got != row.ib {
				t.Errorf("InfiniBand %q, want %q: %+v", got, row.ib, a.Designs[1].Cost)
			}
			if a.PriceList.Saving != row.saving {
				t.Errorf("%q, want %q", a.PriceList.Saving, row.saving)
			}
		})
	}
}

// Without a declared cable type nobody knows whether optics are needed.
func TestOpenCables(t *testing.T) {
	c, f := load(t, "rtx4090-4")
	for i := range f.Links {
		f.Links[i].CableType = ""
	}
	p, err := advise.ReadPrices("p.csv", strings.NewReader("nvidia-sn4600c,1000\ncx6-100-vpi,10\ncable-dac-100G,1\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, err := advise.Advise(c, f, advise.Options{Prices: p})
	if err != nil {
		t.Fatal(err)
	}
	d := a.Designs[0]
	if d.Transceivers.OpenLinks != 4 || d.Transceivers.LinkEnds != 0 || d.Cost.Total != "" || len(d.Cost.Missing) != 1 || d.Cost.Missing[0] != (advise.CountItem{Item: "cable-open-100G", Count: 4}) {
		t.Errorf("%+v %+v", d.Transceivers, d.Cost)
	}
}

func FuzzReadPrices(f *testing.F) {
	for _, s := range []string{
		"item,price,currency\nnvidia-qm9700,12500.50,EUR\n", "a,1\n", "a,1,EUR\nb,2,USD\n", "\"a\nb\",1\n", "a,\"1\n2\"\n", "\ufeff# x\na,0.0001\n", "a;1\n", ",,\n", "a,1,\r\n", "\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := advise.ReadPrices("p.csv", strings.NewReader(text))
		if (p == nil) == (err == nil) {
			t.Fatalf("%v and %v", p, err)
		}
		if err == nil {
			return
		}
		var problems strict.Problems
		if !errors.As(err, &problems) || len(problems) == 0 {
			t.Fatalf("%T without problems: %v", err, err)
		}
		for _, q := range problems {
			if q.Message == "" || q.Position.File != "p.csv" || q.Position.Line < 0 {
				t.Errorf("%+v", q)
			}
		}
	})
}
