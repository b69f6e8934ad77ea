package lossless

import (
	"slices"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

func subnetManaged(t *testing.T, k clos, engine string, change func(*fabric.Fabric)) *fabric.Fabric {
	t.Helper()
	c := declared(t)
	k.model = "nvidia-qm9700"
	f := k.build(t, c)
	f.Technology, f.RoCE, f.Underlay.BGP = fabric.InfiniBand, "", false
	f.InfiniBand = &fabric.Subnet{Manager: "opensm", Routing: engine}
	if change != nil {
		change(f)
	}
	mustPlan(t, c, f)
	return f
}

func TestCreditLoops(t *testing.T) {
	two := clos{leaves: 4, spines: 2, hosts: 4}
	three := clos{groups: 2, leaves: 4, spines: 4, cores: 4, hosts: 4}
	// A ring: leaf i reaches spine i and spine i+1 only, so the way to the
	// opposite leaf bounces off a leaf between.
	ring := func(f *fabric.Fabric) {
		f.Links = slices.DeleteFunc(f.Links, func(l fabric.Link) bool {
			if l.Kind != fabric.FabricLink {
				return false
			}
			leaf, spine := l.A.Device, l.B.Device-4
			return spine != leaf && spine != (leaf+1)%4
		})
	}
	peer := func(f *fabric.Fabric) { join(f, 0, 1, 400, 3) }
	for _, tc := range []struct {
		name, engine  string
		k             clos
		change        func(*fabric.Fabric)
		checked, free bool
		scope, code   string
	}{
		{"auto on two tiers", "auto", two, nil, true, true, "proved on all 8 links", ""},
		{"ftree on three tiers", "ftree", three, nil, true, true, "ftree's routes go up and then down", ""},
		{"adaptive up/down", "ar_updn", three, nil, true, true, "ar_updn's routes", ""},
		{"one switch", "auto", clos{leaves: 1, hosts: 8}, nil, true, true, "no link joins two switches", ""},
		{"minhop", "minhop", two, nil, true, true, "no failure and 14 single links and switches down", "CREDIT_LOOP_ENGINE"},
		{"minhop on a ring", "minhop", clos{leaves: 4, spines: 4, hosts: 4}, ring, true, false, "with no failure", "CREDIT_LOOP_RISK"},
		{"up/down on the same ring", "updn", clos{leaves: 4, spines: 4, hosts: 4}, ring, true, true, "proved on all 8 links", ""},
		{"virtual lanes", "dfsssp", two, nil, false, false, "virtual lanes", ""},
		{"leaf to leaf", "ftree", two, peer, false, false, "beside the tiers", "CREDIT_LOOP_RISK"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := subnetManaged(t, tc.k, tc.engine, tc.change)
			d := f.InfiniBand.Deadlock
			if d.Checked != tc.checked || d.Free != tc.free || !strings.Contains(d.Scope, tc.scope) {
				t.Errorf("%+v", d)
			}
			if tc.code != "" && finding(f, tc.code) == nil {
				t.Errorf("no %s in %+v", tc.code, f.Findings)
			}
			if (len(d.Cycle) > 0) != (tc.checked && !tc.free) {
				t.Errorf("cycle %q", d.Cycle)
			}
			if len(d.Cycle) > 0 && len(d.Cycle) != 8 { // the whole ring, one way round
				t.Errorf("cycle of %d links: %q", len(d.Cycle), d.Cycle)
			}
		})
	}
}
