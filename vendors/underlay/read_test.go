package underlay

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"railyard/generator/fabric"
)

// The proof stands on the readers: what they do not know must not pass.
func TestReadersRefuse(t *testing.T) {
	for _, tc := range []struct {
		model, file, right, wrong, want string
	}{
		{eosArista, "startup-config", "   redistribute connected", "   neighbor UPLINKS allowas-in 1\n   redistribute connected", "not understood: neighbor UPLINKS allowas-in 1"},
		{eosArista, "startup-config", "ip prefix-list PL-RAILS", "ip prefix-list PL-OTHERS", "PL-RAILS is used but not defined"},
		{eosArista, "startup-config", "   no switchport\n", "", "an address on the switched port"},
		{eosArista, "startup-config", "vlan 101\n", "vlan 102\n", "Vlan101 has no vlan"},
		{vrpHuawei, "vrpcfg.cfg", "  load-balancing as-path-relax", "  preference 20 200 200", "not understood: preference 20 200 200"},
		{vrpHuawei, "vrpcfg.cfg", "ip as-path-filter NO_TRANSIT", "ip as-path-filter OTHER", "not understood: peer 10.240.0.0 as-path-filter NO_TRANSIT export"},
		{vrpHuawei, "vrpcfg.cfg", "  network 10.16.0.0 255.255.255.0", "  network 10.16.0.1 255.255.255.0", "no network"},
		{vrpHuawei, "vrpcfg.cfg", "vlan batch 100 to 101", "vlan batch 100", "Vlanif101 has no vlan"},
		{h3c, "startup.cfg", "  balance as-path-relax", "  balance as-path-neglect", "not understood: balance as-path-neglect"},
		{h3c, "startup.cfg", " ip as-path 1", " ip as-path 2", "as-path-acl 1 export"},
		{h3c, "startup.cfg", " port link-mode route", " port link-mode bridge", "an address on the switched port"},
		{sonicDell, "config_db.json", `"split-unified"`, `"unified"`, "contradict each other"},
		{sonicDell, "config_db.json", `"Loopback0": {}`, `"Loopback1": {}`, "Loopback0 has no row of its own"},
		{cumulus, "startup.yaml", "type: numbered", "kind: numbered", "field kind not found"},
		{cumulus, "startup.yaml", "route-map: to-uplinks", "route-map: others", "route map others is not defined"},
	} {
		t.Run(tc.file+" "+tc.want, func(t *testing.T) {
			f, set := design(t, small(tc.model, tc.model, "unique"))
			files, err := set.Driver(f.Switches[0].OS).Render(f, &f.Switches[0], noSecrets)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := read(f.Switches[0].OS, files); err != nil {
				t.Fatalf("the right text: %v", err)
			}
			i := slices.IndexFunc(files, func(x fabric.File) bool { return x.Name == tc.file })
			if !bytes.Contains(files[i].Body, []byte(tc.right)) {
				t.Fatalf("%s does not say %q:\n%s", tc.file, tc.right, files[i].Body)
			}
			files[i].Body = bytes.Replace(files[i].Body, []byte(tc.right), []byte(tc.wrong), 1)
			if _, err := read(f.Switches[0].OS, files); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestLinuxName(t *testing.T) {
	for port, want := range map[string]string{
		"Ethernet512": "Ethernet512", "Ethernet64/1": "Ethernet64-1", "400GE1/0/128": "400GE1-0-128", "swp64s1": "swp64s1",
		"FourHundredGigE1/0/64": "FHGE1-0-64", "TwoHundredGigE1/0/64:2": "THGE1-0-64-2",
	} {
		if got := linuxName(port); got != want || len(got) > 15 {
			t.Errorf("%s: %s, want %s", port, got, want)
		}
	}
}

// What the plan promises, worked out by hand for three leaves under two spines
// (two cables a pair) and for a block of a three-tier fabric.
func TestPromise(t *testing.T) {
	at := func(f *fabric.Fabric, name string) int {
		return slices.IndexFunc(f.Switches, func(s fabric.Switch) bool { return s.Name == name })
	}
	for _, tc := range []struct {
		wish
		from, to string
		ports    int
		cut      []string // "leaf spine" pairs
		after    int
	}{
		{small(eosArista, eosArista, "shared"), "leaf-u01-r0-1", "leaf-u02-r0-1", 4, []string{"leaf-u01-r0-1 spine-01"}, 2},
		{small(eosArista, eosArista, "unique"), "leaf-u01-r0-1", "leaf-u02-r0-1", 4, []string{"leaf-u01-r0-1 spine-01", "leaf-u02-r0-1 spine-02"}, 0},
		{small(eosArista, eosArista, "shared"), "leaf-u01-r0-1", "spine-01", 2, []string{"leaf-u01-r0-1 spine-01"}, 0},
		{small(eosArista, eosArista, "unique"), "spine-01", "spine-02", 0, nil, 0}, // only through a leaf
		{small(eosArista, eosArista, "shared"), "spine-01", "leaf-u01-r0-1", 2, nil, 2},
		{tall(sonicDell, "shared"), "leaf-u01-r0", "leaf-u02-r1", 2, []string{"leaf-u01-r0 spine-01"}, 1}, // over the cores
		{tall(sonicDell, "shared"), "spine-01", "spine-03", 2, nil, 2},
		{tall(sonicDell, "shared"), "spine-01", "spine-02", 0, nil, 0}, // no core in common
	} {
		t.Run(fmt.Sprintf("%s %s to %s", tc.spineMode, tc.from, tc.to), func(t *testing.T) {
			f, _ := design(t, tc.wish)
			p := newPlan(f)
			if got := p.ports(at(f, tc.from), at(f, tc.to)); len(got) != tc.ports {
				t.Errorf("over %v, want %d ports", got, tc.ports)
			}
			for _, pair := range tc.cut {
				a, b, _ := strings.Cut(pair, " ")
				for _, l := range p.between(a, b) {
					p.cut[l] = true
				}
			}
			if got := p.ports(at(f, tc.from), at(f, tc.to)); len(got) != tc.after {
				t.Errorf("after %v over %v, want %d ports", tc.cut, got, tc.after)
			}
		})
	}
}
