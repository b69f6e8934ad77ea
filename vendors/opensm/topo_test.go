package opensm

import (
	"path"
	"strings"
	"testing"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// The topology has the folders of the other files and the port numbers of
// topology.net, which ibsim and OpenSM have confirmed. What ibdmchk says of it is
// tested in package ibsubnet.
func TestTopologyAgreesWithNetfile(t *testing.T) {
	for _, c := range []tree{twoTier, threeTier, twoPlanes, railOnly, oneSwitch, superPOD} {
		f := c.build()
		files, err := topologies(f)
		if err != nil {
			t.Fatal(err)
		}
		topo := map[string]string{}
		for _, file := range files {
			topo[file.Name] = string(file.Body)
		}
		subnets := split(f)
		for i := range subnets {
			s := &subnets[i]
			body := topo[path.Join(s.name, "cluster.topo")]
			if body == "" {
				t.Fatalf("%s: subnet %q has no topology", c.name, s.name)
			}
			for at, sw := range s.switches {
				for p := range f.Switches[sw].Ports {
					port := &f.Switches[sw].Ports[p]
					if want := ibsubnet.NumberingOf(f, &f.Switches[sw]).Number(port); s.numbers[at].number(port) != want {
						t.Fatalf("%s: port %d of %s has number %d there and %d here", c.name, p, f.Switches[sw].Name, want, s.numbers[at].number(port))
					}
				}
			}
			if got, want := strings.Count(body, " -> "), len(s.hosts)+2*fabricLinks(f, s); got != want {
				t.Errorf("%s: subnet %q: %d cable ends, want %d", c.name, s.name, got, want)
			}
		}
	}
}

func fabricLinks(f *fabric.Fabric, s *subnet) int {
	n := 0
	for i := range f.Links {
		if _, in := s.links[f.Links[i].B.Device]; in && f.Links[i].Kind == fabric.FabricLink {
			n++
		}
	}
	return n
}

func TestTopologyRefusesNames(t *testing.T) {
	f := twoTier.build()
	f.Switches[0].Name = "leaf 1"
	if _, err := topologies(f); err == nil || !strings.Contains(err.Error(), `"leaf 1"`) {
		t.Errorf("a name with a blank: %v", err)
	}
}
