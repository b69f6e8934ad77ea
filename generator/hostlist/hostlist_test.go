package hostlist_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"railyard/generator/hostlist"
)

func TestMatch(t *testing.T) {
	for _, tc := range []struct {
		pattern string
		in, out []string
	}{
		{"gpu-001", []string{"gpu-001"}, []string{"gpu-0010", "gpu-01", "gpu-001x", "xgpu-001", ""}},
		// Slurm's documentation of host lists (slurm.conf, NodeName): ranges with leading zeros keep their width.
		{"linux[0-64,128]", []string{"linux0", "linux9", "linux64", "linux128"}, []string{"linux65", "linux127", "linux00", "linux", "linux1280"}},
		{"lx[15,18,32-33]", []string{"lx15", "lx18", "lx32", "lx33"}, []string{"lx16", "lx17", "lx1", "lx3"}},
		{"gpu-[001-004,007]", []string{"gpu-001", "gpu-004", "gpu-007"}, []string{"gpu-1", "gpu-0001", "gpu-005", "gpu-006", "gpu-01"}},
		{"n[08-11]", []string{"n08", "n09", "n10", "n11"}, []string{"n8", "n12", "n008"}},
		{"n[98-101]", []string{"n98", "n99", "n100", "n101"}, []string{"n098", "n102"}},
		{"rack[0-1]n[1-2]", []string{"rack0n1", "rack1n2"}, []string{"rack0n3", "rack2n1", "rack0"}},
		{"a[1-2],b,c-*", []string{"a1", "a2", "b", "c-", "c-x"}, []string{"a3", "c", "bb"}},
		{"leaf-*-r0", []string{"leaf-u01-r0", "leaf--r0"}, []string{"leaf-r0", "leaf-u01-r01", "p0-leaf-u01-r0"}},
		{"spine-0?", []string{"spine-01", "spine-0x"}, []string{"spine-0", "spine-011"}},
		{"*", []string{"", "x"}, nil},
		{"*[1-2]", []string{"x1", "12", "x22"}, []string{"x3", "x"}},
		{"x[1-2][3-4]", []string{"x13", "x24"}, []string{"x1", "x31"}},
		{"x[1-12][2]", []string{"x12", "x112", "x122"}, []string{"x1"}},
	} {
		list, err := hostlist.Parse(tc.pattern)
		if err != nil {
			t.Errorf("%s: %v", tc.pattern, err)
			continue
		}
		for _, name := range tc.in {
			if !list.Match(name) {
				t.Errorf("%s does not match %q", tc.pattern, name)
			}
		}
		for _, name := range tc.out {
			if list.Match(name) {
				t.Errorf("%s matches %q", tc.pattern, name)
			}
		}
		if got := list.Select(append(slices.Clone(tc.in), tc.out...)); !slices.Equal(got, tc.in) {
			t.Errorf("%s selects %q, want %q", tc.pattern, got, tc.in)
		}
		if list.String() != tc.pattern {
			t.Errorf("%s writes itself as %s", tc.pattern, list)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                        `host list "": a name is empty`,
		"a,":                      `host list "a,": a name is empty`,
		"gpu\u00e9":               "host list \"gpu\u00e9\": \"\u00e9\" cannot stand in a name",
		"a,,b":                    `host list "a,,b": a name is empty`,
		"gpu-[":                   `host list "gpu-[": a bracket is not closed`,
		"gpu-]":                   `host list "gpu-]": a bracket closes that never opened`,
		"gpu-[]":                  `host list "gpu-[]": [] is not a list of numbers like [001-004,007]`,
		"gpu-[a-z]":               `host list "gpu-[a-z]": [a-z] is not a list of numbers like [001-004,007]`,
		"gpu-[1--2]":              `host list "gpu-[1--2]": [1--2] is not a list of numbers like [001-004,007]`,
		"gpu-[1-9999999999]":      `host list "gpu-[1-9999999999]": [1-9999999999] is not a list of numbers like [001-004,007]`,
		"gpu-[4-1]":               `host list "gpu-[4-1]": the range 4-1 runs backwards`,
		"a b":                     `host list "a b": " " cannot stand in a name`,
		"a;b":                     `host list "a;b": ";" cannot stand in a name`,
		"../x":                    `host list "../x": "/" cannot stand in a name`,
		strings.Repeat("a", 5000): "the host list is longer than 4096 bytes; use ranges like [001-100]",
	} {
		_, err := hostlist.Parse(pattern)
		if err == nil || err.Error() != want {
			t.Errorf("%.20s: got %v, want %s", pattern, err, want)
		}
	}
}

func TestLowestAndPrefixes(t *testing.T) {
	list, err := hostlist.Parse("gpu-[010-020,5]x[3-4],leaf-*,[07]")
	if err != nil {
		t.Fatal(err)
	}
	if got := list.Lowest(); !slices.Equal(got, []string{"gpu-010x3", "07"}) {
		t.Errorf("lowest %q", got)
	}
	if got := list.Prefixes(); !slices.Equal(got, []string{"gpu-", "leaf-", ""}) {
		t.Errorf("prefixes %q", got)
	}
}

// TestHostilePatterns: what takes naive matchers exponential time or memory.
func TestHostilePatterns(t *testing.T) {
	start := time.Now()
	for _, pattern := range []string{strings.Repeat("*a", 2000) + "b", strings.Repeat("[0-9]", 800), "x[0-999999999]", strings.Repeat("*[0-999999999]", 250)} {
		list, err := hostlist.Parse(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			list.Match(strings.Repeat("a", 63))
			list.Match(strings.Repeat("1", 63))
		}
	}
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"gpu-[001-004,007]", "a,b*", "?x[1][2-3]", "leaf-*-r0", "[", "]", ",", "x[0-9]y[00-10]z", "*"} {
		f.Add(s, "gpu-001")
	}
	f.Fuzz(func(t *testing.T, pattern, name string) {
		list, err := hostlist.Parse(pattern)
		if err != nil {
			return
		}
		matched := list.Match(name)
		if matched && !slices.ContainsFunc(list.Prefixes(), func(p string) bool { return strings.HasPrefix(name, p) }) {
			t.Errorf("%q matches %q, which starts with none of its prefixes %q", pattern, name, list.Prefixes())
		}
		for _, low := range list.Lowest() {
			if !list.Match(low) {
				t.Errorf("%q does not match its own %q", pattern, low)
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	list, err := hostlist.Parse("gpu-[00001-08000,09000-16000]")
	if err != nil {
		b.Fatal(err)
	}
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("gpu-%05d", i*16)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		list.Match(names[i%len(names)])
	}
}
