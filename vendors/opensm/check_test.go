package opensm

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"railyard/generator/fabric"
)

func hasFinding(list []fabric.Finding, s fabric.Severity, code string) bool {
	return slices.ContainsFunc(list, func(x fabric.Finding) bool { return x.Severity == s && x.Code == code })
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		name    string
		f       func() *fabric.Fabric
		want    []string // severity and code, in order
		objects []string // of the first finding
	}{
		{"nothing to say", twoTier.build, nil, nil},
		{"partitions", func() *fabric.Fabric { return tenants(twoTier.build()) }, []string{"info IB_PKEY_INDEX"}, nil},
		{"NDR placeholders", threeTier.build, []string{"warning IB_GUID_PLACEHOLDER", "warning IB_OPENSM_NDR", "info IB_PORT_NUMBERS"}, nil},
		{"one placeholder", func() *fabric.Fabric {
			f := twoTier.build()
			f.Servers[2].Ports[1].GUID.Placeholder = true
			return f
		}, []string{"warning IB_GUID_PLACEHOLDER"}, []string{"gpu-003/nic1"}},
		{"no GUID", func() *fabric.Fabric {
			f := twoTier.build()
			f.Switches[5].GUID.Value = 0
			return f
		}, []string{"error IB_GUID_MISSING"}, []string{"spine-02"}},
		{"a GUID twice", func() *fabric.Fabric {
			f := twoTier.build()
			f.Switches[5].GUID = f.Servers[0].Ports[0].GUID
			return f
		}, []string{"error IB_GUID_DUPLICATE"}, []string{"gpu-001/nic0", "spine-02"}},
		{"servers left alone", func() *fabric.Fabric {
			f := tenants(twoTier.build())
			f.InfiniBand.Partitions = f.InfiniBand.Partitions[:1]
			return f
		}, []string{"warning IB_NOT_PARTITIONED", "info IB_PKEY_INDEX"}, []string{"gpu-005", "gpu-006", "gpu-007", "gpu-008"}},
		{"limited only", func() *fabric.Fabric {
			f := tenants(twoTier.build())
			f.InfiniBand.Partitions[0].Full = false
			return f
		}, []string{"warning IB_PARTITION_LIMITED", "info IB_PKEY_INDEX"}, []string{"train-a"}},
		{"a key twice", func() *fabric.Fabric {
			f := tenants(twoTier.build())
			f.InfiniBand.Partitions[1].PKey = 0x8010
			return f
		}, []string{"error IB_PKEY", "info IB_PKEY_INDEX"}, []string{"infer-b", "train-a"}},
		{"full and limited in one key", func() *fabric.Fabric {
			f := tenants(twoTier.build())
			f.InfiniBand.Partitions[3].Members = append(f.InfiniBand.Partitions[3].Members, 0)
			return f
		}, []string{"error IB_PKEY", "info IB_PKEY_INDEX"}, []string{"store", "store-clients"}},
		{"the default partition's key", func() *fabric.Fabric {
			f := tenants(twoTier.build())
			f.InfiniBand.Partitions[0].PKey = 0xffff
			return f
		}, []string{"error IB_PKEY", "info IB_PKEY_INDEX"}, []string{"train-a"}},
		{"too many keys", func() *fabric.Fabric {
			f := tenants(twoTier.build())
			for i := range 127 {
				f.InfiniBand.Partitions = append(f.InfiniBand.Partitions, fabric.Partition{Name: fmt.Sprintf("p%d", i), PKey: uint16(0x100 + i), Full: true, Members: []int{3}})
			}
			return f
		}, []string{"error IB_PKEY_LIMIT", "info IB_PKEY_INDEX"}, []string{"gpu-004"}},
		{"another manager", func() *fabric.Fabric {
			f := threeTier.build()
			f.InfiniBand.Manager = "ufm"
			return f
		}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := manager(t).Check(c.f())
			var got []string
			for _, x := range list {
				got = append(got, string(x.Severity)+" "+x.Code)
				if x.Message == "" || x.Remedy == "" || x.Source == "" {
					t.Errorf("%s lacks message, remedy or source", x.Code)
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("findings (-want +got):\n%s", d)
			}
			if c.objects != nil && len(list) > 0 && !slices.Equal(c.objects, list[0].Objects) {
				t.Errorf("objects %v, want %v", list[0].Objects, c.objects)
			}
		})
	}
}

// Unicast LIDs end at 0xbfff, port numbers at 254.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		f    *fabric.Fabric
		code string
		want bool
	}{
		{tree{name: "x", servers: 6000, perUnit: 32, rails: 8, planes: 1, cages: 32, speed: 800}.wide(), "IB_LID_LIMIT", true},
		{tree{name: "x", servers: 5900, perUnit: 32, rails: 8, planes: 1, cages: 32, speed: 800}.wide(), "IB_LID_LIMIT", false},
		{tree{name: "x", servers: 2, perUnit: 8, rails: 1, planes: 1, cages: 128, speed: 800}.build(), "IB_PORT_LIMIT", true},
		{tree{name: "x", servers: 2, perUnit: 8, rails: 1, planes: 1, cages: 127, speed: 800}.build(), "IB_PORT_LIMIT", false},
		{tree{name: "x", servers: 0, perUnit: 8, rails: 1, planes: 1, cages: 8, speed: 200}.empty(), "IB_NO_MANAGER_PORT", true},
	} {
		found := false
		for _, x := range manager(t).Check(c.f) {
			found = found || x.Code == c.code
		}
		if found != c.want {
			t.Errorf("%s found %v, want %v", c.code, found, c.want)
		}
	}
}

func TestNamesCannotBreakFiles(t *testing.T) {
	for _, bad := range []func(f *fabric.Fabric){
		func(f *fabric.Fabric) { f.Name = "x\nguid 0x1" },
		func(f *fabric.Fabric) { f.Switches[0].Name = `a"b` },
		func(f *fabric.Fabric) { f.Switches[0].Name = "a#b" },
		func(f *fabric.Fabric) { f.Servers[0].Name = "s=1" },
		func(f *fabric.Fabric) { f.InfiniBand.Partitions[0].Name = "a:ALL=full;b" },
		func(f *fabric.Fabric) { f.InfiniBand.Partitions[0].Name = "a,ipoib" },
		func(f *fabric.Fabric) { f.InfiniBand.Partitions[0].Name = "" },
	} {
		f := tenants(twoTier.build())
		bad(f)
		if _, err := manager(t).Files(f); err == nil {
			t.Errorf("accepted %q %q %q %q", f.Name, f.Switches[0].Name, f.Servers[0].Name, f.InfiniBand.Partitions[0].Name)
		}
		if !hasFinding(manager(t).Check(f), fabric.Error, "IB_NAME") {
			t.Error("Check says nothing")
		}
	}
	f := threeTier.build()
	f.InfiniBand.Manager = "ufm"
	if _, err := manager(t).Files(f); err == nil {
		t.Error("files for another subnet manager")
	}
}
