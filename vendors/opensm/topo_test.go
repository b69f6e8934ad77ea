package opensm

import (
	"path"
	"slices"
	"strings"
	"testing"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// The topology has the folders of the other files and all cables of topology.net,
// which ibsim and OpenSM have confirmed. What ibdmchk says of it is tested in
// package ibsubnet.
func TestTopologyAgreesWithNetfile(t *testing.T) {
	for _, c := range []tree{twoTier, threeTier, twoPlanes, railOnly, oneSwitch, superPOD} {
		f := c.build()
		files := filesOf(t, f)
		subnets := ibsubnet.Split(f)
		for i := range subnets {
			s := &subnets[i]
			body, net := files[path.Join(s.Name, "cluster.topo")], files[path.Join(s.Name, "topology.net")]
			if body == "" || net == "" {
				t.Fatalf("%s: subnet %q has no topology", c.name, s.Name)
			}
			if got, want := strings.Count(body, " -> "), len(s.Hosts)+2*fabricLinks(f, s); got != want {
				t.Errorf("%s: subnet %q: %d cable ends, want %d", c.name, s.Name, got, want)
			}
			if got, want := strings.Count(net, "\n["), 2*len(s.Hosts)+2*fabricLinks(f, s); got != want {
				t.Errorf("%s: subnet %q: %d cable ends in topology.net, want %d", c.name, s.Name, got, want)
			}
		}
	}
}

func fabricLinks(f *fabric.Fabric, s *ibsubnet.Subnet) int {
	n := 0
	for i := range f.Links {
		if f.Links[i].Kind == fabric.FabricLink && slices.Contains(s.Switches, f.Links[i].B.Device) {
			n++
		}
	}
	return n
}

func TestTopologyRefusesNames(t *testing.T) {
	f := twoTier.build()
	f.Switches[0].Name = "leaf 1"
	if _, err := manager(t).Files(f); err == nil || !strings.Contains(err.Error(), `"leaf 1"`) {
		t.Errorf("a name with a blank: %v", err)
	}
}
