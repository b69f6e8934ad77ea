package lossless

import "testing"

// 16,384 servers of 8 NICs on 128-port switches: 2048 leaves, 2048 spines, 1024
// cores, 262,144 links between them.
func huge() clos {
	return clos{groups: 32, leaves: 64, spines: 64, cores: 1024, hosts: 64}
}

func BenchmarkPlan16384Servers(b *testing.B) {
	c := declared(b)
	f := huge().build(b, c)
	if len(f.Switches) != 5120 || len(f.Links) != 262144+131072 {
		b.Fatalf("%d switches, %d links", len(f.Switches), len(f.Links))
	}
	b.ReportAllocs()
	for b.Loop() {
		f.Findings = nil
		mustPlan(b, c, f)
		if !f.Lossless.Deadlock.Free {
			b.Fatal(f.Lossless.Deadlock.Scope)
		}
	}
}

// The same with unique ASNs and no policy: the circle must be found.
func BenchmarkPlan16384ServersUnique(b *testing.B) {
	c := declared(b)
	k := huge()
	k.unique = true
	f := k.build(b, c)
	b.ReportAllocs()
	for b.Loop() {
		f.Findings = nil
		mustPlan(b, c, f)
		if d := f.Lossless.Deadlock; !d.Checked || d.Free {
			b.Fatal(d.Scope)
		}
	}
}

// 2,048 GPUs in two tiers (64 leaves, 32 spines), every single failure
// simulated rather than proved.
func BenchmarkSingleFailures2048GPUs(b *testing.B) {
	c := declared(b)
	f := clos{leaves: 64, spines: 32, hosts: 32}.build(b, c)
	p := &planner{c: c, f: f}
	g := newGraph(f, p.packetLink)
	cases := append([]failure{{}}, g.singles()...)
	b.ReportAllocs()
	for b.Loop() {
		if r := g.simulate(cases); r.cycle != nil {
			b.Fatal("a circle")
		}
	}
	b.ReportMetric(float64(len(cases)), "cases")
}

func BenchmarkPlan2048GPUs(b *testing.B) {
	c := declared(b)
	f := clos{leaves: 64, spines: 32, hosts: 32}.build(b, c)
	b.ReportAllocs()
	for b.Loop() {
		f.Findings = nil
		mustPlan(b, c, f)
	}
}
