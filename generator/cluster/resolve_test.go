package cluster_test

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"railyard/generator/cluster"
	"railyard/generator/quantity"
)

// parse loads a cluster file given as text, with the keys that have no default
// added where they are left out.
func parse(text string) (*cluster.Cluster, error) {
	for key, line := range map[string]string{
		"name:": "name: test\n", "servers:": "servers: [{name: gpu, count: 8, model: dgx-h100}]\n",
		"switches:": "switches: {leaf: {model: h3c-s9827-128dh}}\n",
	} {
		if !strings.Contains("\n"+text, "\n"+key) {
			text += line
		}
	}
	return cluster.Load("test.yaml", strings.NewReader(text), nil)
}

func mustParse(t testing.TB, text string) *cluster.Cluster {
	t.Helper()
	c, err := parse(text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return c
}

// TestDefaults: a file with nothing but the keys that have no default gets the
// values of the design's section 4.
func TestDefaults(t *testing.T) {
	c := mustParse(t, "")
	p := netip.MustParsePrefix
	for what, pair := range map[string][2]any{
		"version":    {c.Version, 1},
		"technology": {c.Fabric.Technology, "roce"}, "roce": {c.Fabric.RoCE, "v2"}, "topology": {c.Fabric.Topology, "auto"},
		"attachment": {c.Fabric.Attachment, "rail"}, "planes": {c.Fabric.Planes, 1},
		"oversubscription": {c.Fabric.Oversubscription, quantity.Ratio{Down: 1, Up: 1}}, "core": {c.Fabric.CoreOversubscription, quantity.Ratio{Down: 1, Up: 1}},
		"rails_per_leaf": {c.Fabric.RailsPerLeaf, cluster.AutoInt(0)}, "spines": {c.Fabric.Spines, cluster.AutoInt(0)},
		"priority": {c.Lossless.Priority.Set, false}, "cnp": {c.Lossless.CNP, cluster.CNP{DSCP: 48, Priority: 6}}, "ecn": {c.Lossless.ECN.Profile, "auto"},
		"watchdog": {c.Lossless.Watchdog, cluster.Watchdog{Detect: 200 * time.Millisecond, Restore: 400 * time.Millisecond, Action: "drop"}},
		"rails":    {c.Addressing.Rails, p("10.16.0.0/12")}, "loopbacks": {c.Addressing.Loopbacks, p("10.255.0.0/16")},
		"links": {c.Addressing.Links, cluster.LinkPrefix{Prefix: p("10.240.0.0/13")}}, "vlan_base": {c.Addressing.VLANBase, 100},
		"asn":    {c.Addressing.ASN, cluster.ASN{Leaf: 4200010000, Spine: 4200001000, Core: 4200000000, SpineMode: "shared"}},
		"host":   {c.Addressing.Host, "vlan"},
		"subnet": {c.Management.Subnet, p("192.168.100.0/22")}, "gateway": {c.Management.Gateway.String(), "192.168.100.1"}, "vrf": {c.Management.VRF, "mgmt"},
		"subnet_manager": {c.InfiniBand.SubnetManager, "opensm"}, "routing": {c.InfiniBand.Routing, "auto"},
		"outputs": {strings.Join(c.Outputs, " "), "switches hosts cabling inventory report"}, "management": {c.ManagementDeclared(), false},
		"spine cable": {c.Switches.Spine.Cable.Length, quantity.Length(30)}, "core cable": {c.Switches.Core.Cable.Length, quantity.Length(100)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s is %v, want %v", what, pair[0], pair[1])
		}
	}
	g := c.Servers[0]
	want := cluster.ServerGroup{Name: "gpu", Count: 8, Model: "dgx-h100", GPU: "h100-80-sxm5", GPUs: 8, NIC: "cx7-400-vpi", NICs: 8,
		NICSpeed: 400, PCIe: cluster.PCIe{Gen: 5, Lanes: 16}, Reserve: 8, Cable: cluster.Cable{Length: 5}}
	if g != want {
		t.Errorf("servers[0] is %+v\nwant %+v", g, want)
	}
	for _, tier := range []cluster.Tier{c.Switches.Leaf, c.Switches.Spine, c.Switches.Core} {
		// Tomahawk 5: 165.3 MB, cells of 254 bytes (catalog, SONiC tables).
		if tier.Model != "h3c-s9827-128dh" || tier.OS != "comware" || tier.Spec.Radix(400) != 128 || tier.Spec.Buffer != 165_300_000 || tier.Spec.Cell != 254 {
			t.Errorf("tier is %+v", tier)
		}
	}
}

func TestManagementDeclared(t *testing.T) {
	for text, want := range map[string]bool{
		"management: {subnet: 192.168.7.0/24}\n": true, "management: {gateway: 192.168.100.9}\n": true, "management: {vrf: oob}\n": false,
	} {
		c := mustParse(t, text)
		if got := c.ManagementDeclared(); got != want {
			t.Errorf("%s: declared %v", text, got)
		}
	}
	if c := mustParse(t, "management: {subnet: 192.168.7.0/24}\n"); c.Management.Gateway.String() != "192.168.7.1" {
		t.Errorf("gateway %s, want the first address of the declared subnet", c.Management.Gateway)
	}
}

func TestServers(t *testing.T) {
	for _, tc := range []struct {
		name, fabric, group string
		speed               quantity.Speed
		pcie                cluster.PCIe
		gpus, nics          int
	}{
		{"the card's two ports on two planes (DGX B300 reference architecture)", "{planes: 2}", "model: dgx-b300", 400, cluster.PCIe{Gen: 6, Lanes: 16}, 8, 8},
		{"the card's one port", "{planes: 1}", "model: dgx-b300", 800, cluster.PCIe{Gen: 6, Lanes: 16}, 8, 8},
		{"what is written stays", "{}", "model: dgx-h100, gpus: 4, nics: 4, nic_speed: 200G, pcie: {gen: 4}", 200, cluster.PCIe{Gen: 4, Lanes: 16}, 4, 4},
		{"an integrated port is not behind PCIe", "{}", "model: huawei-atlas-800t-a2", 200, cluster.PCIe{}, 8, 8},
		{"spelled out", "{}", "gpu: rtx-4090, gpus: 8, nic: cx6-100-vpi, nics: 1", 100, cluster.PCIe{Gen: 4, Lanes: 16}, 8, 1},
		{"a card that is not in the catalog", "{}", "nics: 2, nic_speed: 100G", 100, cluster.PCIe{}, 0, 2},
		{"a slower rate of the same card", "{technology: infiniband}", "model: dgx-h100, nic_speed: 200G", 200, cluster.PCIe{Gen: 5, Lanes: 16}, 8, 8},
	} {
		t.Run(tc.name, func(t *testing.T) {
			leaf := "nvidia-sn5600"
			if strings.Contains(tc.fabric, "infiniband") {
				leaf = "nvidia-qm9700"
			}
			c := mustParse(t, "fabric: "+tc.fabric+"\nservers: [{name: a, count: 2, "+tc.group+"}]\nswitches: {leaf: {model: "+leaf+"}}\n")
			g := c.Servers[0]
			if g.NICSpeed != tc.speed || g.PCIe != tc.pcie || g.GPUs != tc.gpus || g.NICs != tc.nics {
				t.Errorf("got %+v, want %+v", g, tc)
			}
		})
	}
}

func TestReserve(t *testing.T) {
	for _, tc := range []struct {
		text  string
		total int
		each  []int
	}{
		{"servers: [{name: a, count: 8, model: dgx-h100}]\n", 0, []int{8}},
		{"fabric: {reserve: {servers: 32}}\nservers: [{name: a, count: 8, model: dgx-h100}]\n", 32, []int{32}},
		{"servers: [{name: a, count: 8, model: dgx-h100, reserve: 16}]\n", 16, []int{16}},
		{"servers: [{name: a, count: 8, model: dgx-h100, reserve: 8}]\n", 0, []int{8}},
		{"fabric: {reserve: {servers: 40}}\nservers: [{name: a, count: 8, model: dgx-h100, reserve: 16}, {name: b, count: 8, model: dgx-h100}]\n", 40, []int{16, 24}},
		{"servers: [{name: a, count: 8, model: dgx-h100, reserve: 16}, {name: b, count: 8, model: dgx-h100}]\n", 24, []int{16, 8}},
	} {
		c := mustParse(t, tc.text)
		if c.Fabric.Reserve.Servers != tc.total {
			t.Errorf("%s: reserve %d, want %d", tc.text, c.Fabric.Reserve.Servers, tc.total)
		}
		for i, want := range tc.each {
			if got := c.Servers[i].Reserve; got != want {
				t.Errorf("%s: servers[%d].reserve %d, want %d", tc.text, i, got, want)
			}
		}
	}
}

func TestSwitches(t *testing.T) {
	c := mustParse(t, `
switches:
  leaf: {model: huawei-ce9866-128dq, os: vrp8, release: V300R024, buffer: 200MB, cell: 208, cable: {length: 7m, type: aoc}}
  spine: {model: acme-1, os: sonic, ports: [{count: 64, speed: 800G, breakout: [2x400G]}], buffer: 165MB, cable: {length: 40}}
overrides:
  - {match: "leaf-*-r0", os: sonic, model: dell-z9864f}
  - {match: "leaf-u[01-02]-r1", no_transit: false, asn: 65001}
`)
	s := c.Switches
	if s.Leaf.OS != "vrp" || s.Leaf.Spec.Buffer != 200_000_000 || s.Leaf.Spec.Cell != 208 {
		t.Errorf("leaf %+v", s.Leaf)
	}
	if g := c.Servers[0].Cable; g.Length != 7 || g.Type != "aoc" {
		t.Errorf("servers take the leaf's cable, got %+v", g)
	}
	if s.Spine.Spec.ID != "acme-1" || s.Spine.Spec.Kind != "eth" || s.Spine.Spec.Radix(400) != 128 || s.Spine.Spec.Confidence != "declared" {
		t.Errorf("spine %+v", s.Spine)
	}
	if s.Core.Model != "acme-1" || s.Core.OS != "sonic" || s.Core.Spec.Radix(400) != 128 || s.Core.Spec.Buffer != 165_000_000 || s.Core.Cable.Length != 100 {
		t.Errorf("core takes the spine's type but not its cable, got %+v", s.Core)
	}
	first, second := &c.Overrides[0], &c.Overrides[1]
	if first.Spec == nil || first.Spec.ID != "dell-z9864f" || first.Spec.Cell != 254 || !first.Matches("leaf-u01-r0") || first.Matches("leaf-u01-r1") {
		t.Errorf("override %+v", first)
	}
	if second.Spec != nil || *second.NoTransit || *second.ASN != 65001 || !second.Matches("leaf-u02-r1") || second.Matches("leaf-u03-r1") {
		t.Errorf("override %+v", second)
	}
}

func TestUnknownPortsDeclared(t *testing.T) {
	for _, model := range []string{"h3c-s9825-g", "h3c-s9855-g", "huawei-ce16800", "huawei-ce9860-4c-ei", "zte-generic", "arista-7700r4"} {
		_, err := parse("switches: {leaf: {model: " + model + "}}\n")
		if err == nil || !strings.Contains(err.Error(), "the ports of "+model+" are not known") || !strings.Contains(err.Error(), "write them under switches.leaf") {
			t.Errorf("%s without ports: %v", model, err)
		}
		c := mustParse(t, "switches: {leaf: {model: "+model+", ports: [{count: 32, speed: 400G}], buffer: 64MB}}\n")
		if spec := c.Switches.Leaf.Spec; spec.Radix(400) != 32 || spec.Confidence != "declared" || spec.Buffer != 64_000_000 {
			t.Errorf("%s: %+v", model, spec)
		}
	}
}

func TestCatalogOverlay(t *testing.T) {
	files := fstest.MapFS{"site/hw.yaml": {Data: []byte(`
gpus: [{id: my-gpu, vendor: me, scaleup: none, pcie: 5, lanes: 16}]
nics: [{id: my-nic, vendor: me, ports: [1x400G, 4x100G], pcie: 5, lanes: 16}]
servers: [{id: my-server, gpu: my-gpu, gpus: 8, nic: my-nic, nics: 4}]
switches: [{id: my-switch, vendor: me, os: [vrp8], asic: my-asic, ports: [{count: 64, speed: 400G, breakout: [4x100G]}]}]
`)}}
	c, err := cluster.Load("test.yaml", strings.NewReader(`
name: test
servers: [{name: a, count: 8, model: my-server, nic_speed: 300G}]
switches: {leaf: {model: my-switch}}
fabric: {planes: 3}
catalog:
  file: site/hw.yaml
  asics: [{id: my-asic, buffer: 100MB, cell: 128}]
  nics: [{id: cx7-400-vpi, ports: [2x400G]}]
`), files)
	if err != nil {
		t.Fatal(err)
	}
	g, leaf := c.Servers[0], c.Switches.Leaf
	if g.GPU != "my-gpu" || g.NICs != 4 || g.NICSpeed != 300 {
		t.Errorf("servers %+v: a declared card may run at any speed", g)
	}
	if leaf.OS != "vrp" || leaf.Spec.Cell != 128 || leaf.Spec.Buffer != 100_000_000 || leaf.Spec.Kind != "eth" || leaf.Spec.Confidence != "declared" {
		t.Errorf("leaf %+v", leaf.Spec)
	}
	if nic := c.Catalog.NIC("cx7-400-vpi"); nic.Confidence != "declared" || len(nic.Ports) != 1 || nic.Ports[0].Children != 2 {
		t.Errorf("a known id is replaced, got %+v", nic)
	}
}

func TestGUIDs(t *testing.T) {
	files := fstest.MapFS{"guids.csv": {Data: []byte("\ufeffName,GUID\n# switches\nleaf-u01-r0, 0x0002c90300000001\ngpu-001/nic0,0002:c903:00a1:b2c3\ngpu-016/nic7,0002c90300a1b2c4\nufm-01/nic0,0x5\n")}}
	c, err := cluster.Load("test.yaml", strings.NewReader(`
name: test
fabric: {technology: infiniband, reserve: {servers: 16}}
servers: [{name: gpu, count: 8, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}}
infiniband: {guids: guids.csv}
`), files)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]uint64{"leaf-u01-r0": 0x0002c90300000001, "gpu-001/nic0": 0x0002c90300a1b2c3, "gpu-016/nic7": 0x0002c90300a1b2c4, "ufm-01/nic0": 5}
	if len(c.GUIDs) != len(want) {
		t.Errorf("got %v", c.GUIDs)
	}
	for name, guid := range want {
		if c.GUIDs[name] != guid {
			t.Errorf("%s has %#x, want %#x", name, c.GUIDs[name], guid)
		}
	}
}

// TestFilesBeside: no way out of the folder, and nothing but regular files.
func TestFilesBeside(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	for _, err := range []error{
		os.WriteFile(outside, []byte("nics: []\n"), 0o600), os.Symlink(outside, filepath.Join(dir, "link.yaml")), os.Mkdir(filepath.Join(dir, "folder"), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, path := range []string{"link.yaml", "../secret.yaml", outside, "folder", ".", "no-such.yaml", "a/../../b", `..\b`, ""} {
		text := "name: t\nservers: [{name: a, count: 1, model: dgx-h100}]\nswitches: {leaf: {model: h3c-s9827-128dh}}\ncatalog: {file: '" + path + "'}\n"
		if _, err := cluster.Load("t.yaml", strings.NewReader(text), root.FS()); err == nil || !strings.HasPrefix(err.Error(), "t.yaml:4:11: catalog.file: ") {
			t.Errorf("%q: got %v", path, err)
		}
	}
	if _, err := parse("catalog: {file: x.yaml}\n"); err == nil || !strings.Contains(err.Error(), "the cluster file has no folder") {
		t.Errorf("without files: %v", err)
	}
}

func TestPartitions(t *testing.T) {
	c := mustParse(t, `
fabric: {technology: infiniband}
servers: [{name: gpu, count: 16384, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}}
infiniband:
  partitions:
    - {name: a, pkey: 0x8001, members: ['gpu-[00001-00004,00007]', gpu-16384]}
    - {name: b, pkey: 2, members: ['gpu-*'], membership: limited}
`)
	a, b := &c.InfiniBand.Partitions[0], &c.InfiniBand.Partitions[1]
	if a.Membership != "full" || a.PKey != 1 || b.PKey != 2 || b.Membership != "limited" {
		t.Errorf("got %+v, %+v", a, b)
	}
	for name, in := range map[string]bool{"gpu-00001": true, "gpu-00005": false, "gpu-00007": true, "gpu-16384": true, "gpu-001": false} {
		if a.Holds(name) != in {
			t.Errorf("%s holds %s: %v", a.Name, name, !in)
		}
	}
	if got := c.Servers[0].ServerName(0); got != "gpu-00001" {
		t.Errorf("first server %s", got)
	}
}

// A key stands twice where one part is full and the other limited.
func TestPartitionsShareAKey(t *testing.T) {
	for second, ok := range map[string]bool{"limited": true, "full": false} {
		_, err := parse(`
fabric: {technology: infiniband}
servers: [{name: gpu, count: 8, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}}
infiniband:
  partitions:
    - {name: store, pkey: 0x8005, members: [gpu-001]}
    - {name: client, pkey: 0x0005, members: ['gpu-[002-008]'], membership: ` + second + `}
`)
		if (err == nil) != ok {
			t.Errorf("full and %s: %v", second, err)
		}
	}
}

// TestSecretsStayHidden: whatever is wrong with a secret, its value is not said.
func TestSecretsStayHidden(t *testing.T) {
	const value = "hunter2-hunter2"
	for _, users := range []string{
		"[{name: admin, password_hash: " + value + "}]", "[{name: admin, password_hash: [" + value + "]}]", "[{name: admin, password_hash: {" + value + ": x}}]",
		"[{name: admin, password_hash: {env: [" + value + "]}}]", "[{name: admin, password_hash: {env: '" + value + " !'}}]", "[{name: admin, password_hash: {env: {" + value + ": 1}}}]",
		"[{name: admin, password: " + value + "}]", "[{name: admin, password_hash: !!str " + value + "}]", "[{name: admin, password_hash: {file: \"" + value + "\\n\"}}]",
		"[{name: admin, ssh_keys: ['" + value + "']}]", "[{name: admin, ssh_keys: ['ssh-rsa " + value + "']}]", "[{name: admin, password_hash: {env: A, env: " + value + "}}]",
	} {
		_, err := parse("management: {users: " + users + "}\n")
		if err == nil {
			t.Errorf("%s is accepted", users)
		} else if strings.Contains(err.Error(), value) {
			t.Errorf("%s: %v", users, err)
		}
	}
}

func TestSSHKeys(t *testing.T) {
	// A public key made for this test; its private half was thrown away.
	good := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz someone@example.net"
	c := mustParse(t, "management: {users: [{name: admin, ssh_keys: ['"+good+"']}]}\n")
	if u := c.Management.Users[0]; u.Role != "operator" || u.SSHKeys[0] != good {
		t.Errorf("got %+v", u)
	}
	for _, bad := range []string{
		strings.Replace(good, "ssh-ed25519", "ssh-rsa", 1), strings.Replace(good, "AAAAC3", "AAAAC4", 1), good[:60], "ssh-ed25519", good + ` "; reboot`, "command=\"x\" " + good,
	} {
		if _, err := parse("management: {users: [{name: admin, ssh_keys: ['" + bad + "']}]}\n"); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestProblemPositions(t *testing.T) {
	c := mustParse(t, "fabric:\n  planes: 1\n")
	for path, want := range map[string]string{
		"fabric.planes": "test.yaml:2:3", "fabric.spines": "test.yaml:1:1", "servers[0].count.x": "", "lossless.ecn": "test.yaml",
	} {
		if got := c.Where(path).String(); want != "" && got != want {
			t.Errorf("%s stands at %s, want %s", path, got, want)
		}
	}
}
