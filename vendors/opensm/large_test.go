package opensm

import (
	"testing"
	"time"

	"railyard/generator/fabric"
)

// 8192 servers with 8 adapters: more than the LIDs of one subnet, but the files must
// not be what takes long.
func TestLargeIsFast(t *testing.T) {
	f := tenants(tree{name: "huge", servers: 8192, perUnit: 32, rails: 8, planes: 1, cages: 32, speed: 800, spines: 16, cores: 16, placeholder: true}.wide())
	start := time.Now()
	files := filesOf(t, f)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("65,536 endpoints took %v", d)
	}
	if n := len(lines(files["cn_guids.conf"])); n != 65536 {
		t.Errorf("%d compute ports", n)
	}
}

func BenchmarkFiles(b *testing.B) {
	f := tenants(tree{name: "huge", servers: 8192, perUnit: 32, rails: 8, planes: 1, cages: 32, speed: 800, spines: 16, cores: 16, placeholder: true}.wide())
	m := manager(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Files(f); err != nil {
			b.Fatal(err)
		}
	}
}

// empty is one switch without servers.
func (t tree) empty() *fabric.Fabric {
	f := t.build()
	b := &builder{tree: t, f: f, lanes: 1}
	b.sw("", fabric.Leaf, 0, 0, "leaf-u01-r0")
	return f
}

// wide is the tree with leaves only joined in a chain, so that the number of
// endpoints is not bounded by the spines' ports.
func (t tree) wide() *fabric.Fabric {
	t.spines, t.cores = 0, 0
	f := t.build()
	b := &builder{tree: t, f: f, lanes: 2, taken: make([]int, len(f.Switches))}
	for i := range f.Switches[1:] {
		b.cable(fabric.End{Device: i, Port: 40}, fabric.End{Device: i + 1, Port: 41}, 0)
	}
	return f
}
