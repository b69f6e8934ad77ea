package underlay

import (
	"fmt"
	"strings"
	"testing"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/vendors"
)

// The switches of the cases.
const (
	sonicDell = "dell-z9864f, os: sonic"
	eosArista = "arista-7060x6-64pe, os: eos"
	vrpHuawei = "huawei-ce9866-128dq, os: vrp"
	h3c       = "h3c-s9825-64d, os: comware"
	cumulus   = "nvidia-sn5600, os: cumulus"
)

// wish is the part of a cluster file that the cases differ in.
type wish struct {
	topology          string
	leaf, spine       string // "model, os: x"
	links             string // "" for numbered
	host              string // "" for VLANs
	spineMode         string
	overrides         string
	units, nics, each int // units, NICs of a server, servers of a unit
	spines            int
}

func (w wish) yaml() string {
	var b strings.Builder
	railsPerLeaf := w.nics
	if w.topology == "three-tier" {
		railsPerLeaf = 1
	}
	fmt.Fprintf(&b, "version: 1\nname: underlay\n")
	fmt.Fprintf(&b, "fabric: {technology: roce, topology: %s, spines: %d, servers_per_unit: %d, rails_per_leaf: %d}\n",
		w.topology, w.spines, w.each, railsPerLeaf)
	fmt.Fprintf(&b, "servers: [{name: gpu, count: %d, gpu: h100-80-sxm5, gpus: %d, nic: cx7-400-vpi, nics: %d, nic_speed: 400G}]\n",
		w.units*w.each, w.nics, w.nics)
	fmt.Fprintf(&b, "switches: {leaf: {model: %s}, spine: {model: %s}}\n", w.leaf, w.spine)
	fmt.Fprintf(&b, "addressing:\n  asn: {spine_mode: %s}\n", w.spineMode)
	if w.links != "" {
		fmt.Fprintf(&b, "  links: %s\n", w.links)
	}
	if w.host != "" {
		fmt.Fprintf(&b, "  host: %s\n", w.host)
	}
	if w.overrides != "" {
		fmt.Fprintf(&b, "overrides: %s\n", w.overrides)
	}
	return b.String()
}

// small is three leaves with two rails each under two spines, two cables a pair
// (four where the ports are slower).
func small(leaf, spine, mode string) wish {
	return wish{topology: "leaf-spine", leaf: leaf, spine: spine, spineMode: mode, units: 3, nics: 2, each: 4, spines: 2}
}

// tall is two units of two rails, a leaf and two spines for each rail, two cores.
func tall(model, mode string) wish {
	return wish{topology: "three-tier", leaf: model, spine: model, spineMode: mode, units: 2, nics: 2, each: 4, spines: 4}
}

func (w wish) unnumbered() wish { w.links = "unnumbered"; return w }
func (w wish) routed() wish     { w.host = "routed"; return w }

// design designs the fabric the way the command does.
func design(t *testing.T, w wish) (*fabric.Fabric, *vendors.Set) {
	t.Helper()
	c, err := cluster.Load("cluster.yaml", strings.NewReader(w.yaml()), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, w.yaml())
	}
	set, err := vendors.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	set.NamePorts(f)
	for _, x := range set.Check(f) {
		if x.Severity == fabric.Error {
			t.Fatalf("the design is refused: %s: %s", x.Code, x.Message)
		}
	}
	return f, set
}

// build designs the fabric, renders all switches and reads them back. spoil,
// where given, may change a switch's files before they are read.
func build(t *testing.T, w wish, spoil func(sw *fabric.Switch, files []fabric.File)) (*fabric.Fabric, []*device) {
	t.Helper()
	f, set := design(t, w)
	devices := make([]*device, len(f.Switches))
	for i := range f.Switches {
		sw := &f.Switches[i]
		files, err := set.Driver(sw.OS).Render(f, sw, noSecrets)
		if err != nil {
			t.Fatal(err)
		}
		if spoil != nil {
			spoil(sw, files)
		}
		if devices[i], err = read(sw.OS, files); err != nil {
			t.Fatalf("%s (%s): %v", sw.Name, sw.OS, err)
		}
	}
	return f, devices
}

func noSecrets(fabric.Secret) (string, error) { return "", nil }

// read reads the routing out of a switch's files.
func read(os string, files []fabric.File) (*device, error) {
	text := map[string][]byte{}
	for _, f := range files {
		text[f.Name] = f.Body
	}
	switch os {
	case "sonic":
		return readSONiC(text["config_db.json"], text["frr.conf"])
	case "eos":
		return readEOS(text["startup-config"])
	case "vrp":
		return readVRP(text["vrpcfg.cfg"])
	case "cumulus":
		return readCumulus(text["startup.yaml"])
	case "comware":
		return readComware(text["startup.cfg"])
	}
	return nil, fmt.Errorf("no reader for %s", os)
}
