package waves_test

import (
	"slices"
	"strings"
	"testing"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors/rollout/waves"
)

func design(t *testing.T, text string) *fabric.Fabric {
	t.Helper()
	c, err := cluster.Load("c.yaml", strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(f *fabric.Fabric) []string {
	var out []string
	for i := range f.Switches {
		out = append(out, f.Switches[i].Name)
	}
	return out
}

const rails = "version: 1\nname: a\nservers: [{name: gpu, count: 128, model: dgx-h100}]\nswitches: {leaf: {model: h3c-s9827-128dh, os: comware}, spine: {model: h3c-s9827-128dh, os: comware}}\n"

// TestRules checks the rules on every wave of several designs.
func TestRules(t *testing.T) {
	for name, text := range map[string]string{
		"rails":       rails,
		"tor":         strings.Replace(rails, "servers:", "fabric: {attachment: tor}\nservers:", 1),
		"three tiers": strings.Replace(strings.Replace(rails, "count: 128", "count: 2048", 1), "servers:", "fabric: {topology: three-tier}\nservers:", 1),
		"planes":      strings.Replace(strings.Replace(rails, "dgx-h100", "dgx-b300", 1), "servers:", "fabric: {planes: 2}\nservers:", 1),
	} {
		t.Run(name, func(t *testing.T) {
			f := design(t, text)
			for _, size := range []int{0, 3} {
				list := waves.Plan(f, names(f), size)
				check(t, f, list, size)
			}
			if len(f.Switches) > 8 {
				some := names(f)[3:8]
				var got []string
				for _, w := range waves.Plan(f, some, 0) {
					got = append(got, w.Switches...)
				}
				slices.Sort(got)
				slices.Sort(some)
				if !slices.Equal(got, some) {
					t.Errorf("asked for %v, got %v", some, got)
				}
			}
		})
	}
}

func check(t *testing.T, f *fabric.Fabric, list []waves.Wave, size int) {
	t.Helper()
	at := map[string]*fabric.Switch{}
	for i := range f.Switches {
		at[f.Switches[i].Name] = &f.Switches[i]
	}
	seen := map[string]int{}
	canaries, last := map[string]bool{}, 0
	for n, w := range list {
		first := at[w.Switches[0]]
		if w.Canary {
			if len(w.Switches) != 1 || n > 0 && !list[n-1].Canary {
				t.Errorf("wave %d: canaries go alone and first", n)
			}
			canaries[string(first.Role)+first.OS] = true
		} else {
			r := slices.Index([]fabric.Role{fabric.Core, fabric.Spine, fabric.Leaf}, first.Role)
			if r < last {
				t.Errorf("wave %d goes back up", n)
			}
			last = r
		}
		if size > 0 && len(w.Switches) > size {
			t.Errorf("wave %d has %d switches", n, len(w.Switches))
		}
		served := map[string]string{}
		for _, name := range w.Switches {
			sw := at[name]
			seen[name]++
			if sw.Role != first.Role || sw.Plane != first.Plane {
				t.Errorf("wave %d mixes %s and %s", n, first.Name, name)
			}
			if sw.Role == fabric.Leaf && !slices.Equal(sw.Rails, first.Rails) {
				t.Errorf("wave %d takes rails %v and %v", n, first.Rails, sw.Rails)
			}
			below := map[string]bool{}
			for _, l := range f.Links {
				if l.B.Kind == fabric.SwitchDevice && f.DeviceName(l.B) == name {
					below[f.DeviceName(l.A)] = true
				}
			}
			for d := range below {
				if other, ok := served[d]; ok {
					t.Errorf("wave %d: %s loses %s and %s at once", n, d, other, name)
				}
				served[d] = name
			}
		}
	}
	for i := range f.Switches {
		sw := &f.Switches[i]
		if seen[sw.Name] != 1 {
			t.Errorf("%s is in %d waves", sw.Name, seen[sw.Name])
		}
		if !canaries[string(sw.Role)+sw.OS] {
			t.Errorf("no canary for %s", sw.Role)
		}
	}
}

// TestSmallCluster is the plan a person would write for 8 leaves of one unit and
// their spines.
func TestSmallCluster(t *testing.T) {
	f := design(t, rails)
	var got []string
	for _, w := range waves.Plan(f, names(f), 0) {
		got = append(got, strings.Join(w.Switches, "+"))
	}
	t.Log(got)
	if got[0] != "spine-01" || !strings.HasPrefix(got[1], "leaf-u01-r0") {
		t.Errorf("canaries: %v", got[:2])
	}
}

func BenchmarkPlan(b *testing.B) {
	c, err := cluster.Load("c.yaml", strings.NewReader(strings.Replace(rails, "count: 128", "count: 2048", 1)), nil)
	if err != nil {
		b.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		waves.Plan(f, names(f), 32)
	}
}
