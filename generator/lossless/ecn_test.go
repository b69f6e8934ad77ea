package lossless

import (
	"testing"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// Marking values by source; see the profile's own text.
func TestMarkingProfiles(t *testing.T) {
	for _, tc := range []struct {
		profile string
		speed   int
		role    fabric.Role
		want    band
	}{
		{"railyard", 100, fabric.Leaf, band{100_000, 400_000, 20}},
		{"railyard", 800, fabric.Leaf, band{800_000, 3_200_000, 20}},
		{"nvidia", 400, fabric.Leaf, band{150_000, 1_500_000, 100}},
		{"hpcc", 25, fabric.Leaf, band{100_000, 400_000, 20}},
		{"hpcc", 50, fabric.Leaf, band{200_000, 800_000, 20}},
		{"hpcc", 100, fabric.Leaf, band{400_000, 1_600_000, 20}},
		{"hpcc", 400, fabric.Leaf, band{1_600_000, 6_400_000, 20}},
		{"huawei-delay", 25, fabric.Leaf, band{7_000, 150_000, 30}},
		{"huawei-delay", 100, fabric.Leaf, band{7_000, 500_000, 30}},
		{"huawei-delay", 400, fabric.Leaf, band{7_000, 2_000_000, 30}},
		{"huawei-throughput", 25, fabric.Leaf, band{7_000, 200_000, 10}},
		{"huawei-throughput", 100, fabric.Leaf, band{7_000, 750_000, 10}},
		{"huawei-throughput", 400, fabric.Leaf, band{7_000, 3_000_000, 10}},
		{"huawei-throughput", 800, fabric.Leaf, band{7_000, 6_000_000, 10}},
		{"sonic", 400, fabric.Leaf, band{1_048_576, 2_097_152, 5}},
		{"h3c-400g", 400, fabric.Leaf, band{1_524_000, 3_048_000, 40}},
		{"arista-leaf-spine", 400, fabric.Leaf, band{256_000, 512_000, 100}},
		{"arista-leaf-spine", 400, fabric.Spine, band{512_000, 768_000, 100}},
		{"dell", 400, fabric.Leaf, band{2_048_000, 12_480_000, 15}},
	} {
		m := named(tc.profile)
		if m == nil || m.source == "" {
			t.Fatalf("no profile %s", tc.profile)
		}
		if got, ok := m.at(tc.speed, tc.role); !ok || got != tc.want {
			t.Errorf("%s at %dG on a %s: %+v %v, want %+v", tc.profile, tc.speed, tc.role, got, ok, tc.want)
		}
	}
	for _, none := range []struct {
		profile string
		speed   int
	}{{"h3c-400g", 100}, {"dell", 800}, {"arista-leaf-spine", 800}} {
		if _, ok := named(none.profile).at(none.speed, fabric.Leaf); ok {
			t.Errorf("%s claims a value at %dG", none.profile, none.speed)
		}
	}
}

// Where a profile treats tiers apart, leaf and spine ports of one kind get two
// profiles.
func TestMarkingByRole(t *testing.T) {
	c := declared(t)
	c.Lossless.ECN.Profile = "arista-leaf-spine"
	f := clos{leaves: 2, spines: 4, hosts: 4, length: 5}.build(t, c)
	mustPlan(t, c, f)
	leaf := f.Lossless.Profiles[f.Switches[0].Ports[5].Profile]
	spine := f.Lossless.Profiles[f.Switches[2].Ports[0].Profile]
	if leaf.KmaxBytes != 512_000 || spine.KmaxBytes != 768_000 || leaf.XoffBytes != spine.XoffBytes {
		t.Errorf("leaf %+v, spine %+v", leaf, spine)
	}
}

func TestCustomMarking(t *testing.T) {
	c := declared(t)
	c.Lossless.ECN = cluster.ECN{Kmin: 300_000, Kmax: 900_000, Pmax: 12}
	f := clos{leaves: 1, hosts: 8}.build(t, c)
	mustPlan(t, c, f)
	if p := f.Lossless.Profiles[0]; p.KminBytes != 300_000 || p.KmaxBytes != 900_000 || p.PmaxPercent != 12 || f.Lossless.ECNProfile != "custom" {
		t.Errorf("%+v %s", p, f.Lossless.ECNProfile)
	}
}
