package ibsubnet

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"railyard/generator"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// The clusters of these tests. Small switches keep golden files readable.
const (
	twoTier = `
version: 1
name: two-tier
fabric: {technology: infiniband}
servers: [{name: gpu, count: 8, gpu: h100-80-sxm5, gpus: 2, nic: cx6-200-vpi, nics: 2, nic_speed: 200G}]
switches:
  leaf: {model: small-8, os: mlnx-os, ports: [{count: 8, speed: 200G}]}
  spine: {model: small-8, os: mlnx-os, ports: [{count: 8, speed: 200G}]}
infiniband: {partitions: [{name: train-a, pkey: 0x8001, members: ['gpu-[001-004]']}, {name: infer-b, pkey: 0x0002, members: ['gpu-*'], membership: limited}]}
`
	superPOD = `
version: 1
name: superpod
fabric: {technology: infiniband}
servers: [{name: gpu, count: 127, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}, spine: {model: nvidia-qm9700}}
infiniband: {ufm_links: 4}
`
	twoPlanes = `
version: 1
name: two-planes
fabric: {technology: infiniband, planes: 2}
servers: [{name: gpu, count: 40, gpu: h100-80-sxm5, gpus: 8, nic: cx7-200-vpi, nics: 8, nic_speed: 200G}]
switches: {leaf: {model: nvidia-qm9700}, spine: {model: nvidia-qm9700}}
`
	railOnly = `
version: 1
name: rail-only
fabric: {technology: infiniband, topology: rail-only, rails_per_leaf: 1}
servers: [{name: gpu, count: 4, gpu: h100-80-sxm5, gpus: 2, nic: cx6-200-vpi, nics: 2, nic_speed: 200G}]
switches: {leaf: {model: nvidia-qm8700}}
`
	oneSwitch = `
version: 1
name: one-switch
fabric: {technology: infiniband}
servers: [{name: gpu, count: 4, model: dgx-h100}]
switches: {leaf: {model: nvidia-qm9700}}
`
)

func designed(t testing.TB, doc string) *fabric.Fabric {
	t.Helper()
	c, err := cluster.Load("test.yaml", strings.NewReader(doc), fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := generator.Design(c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		want      string // name switches/roots/hosts of each subnet
	}{
		{"two-tier", twoTier, " 6/2/16"},
		{"superpod", superPOD, " 48/16/1020"}, // DGX SuperPOD H100, table 4: 32 leaves, 16 spines
		{"two-planes", twoPlanes, "p0 9/4/320 p1 9/4/320"},
		{"rail-only", railOnly, "leaf-u01-r0 1/0/4 leaf-u01-r1 1/0/4"},
		{"one-switch", oneSwitch, " 1/0/32"},
	} {
		f := designed(t, c.doc)
		var got []string
		for _, s := range Split(f) {
			got = append(got, fmt.Sprintf("%s %d/%d/%d", s.Name, len(s.Switches), len(s.Roots), len(s.Hosts)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, strings.Join(got, " "), c.want)
		}
	}
	f := designed(t, superPOD)
	if s := Split(f)[0]; !s.Hosts[0].Manager || !strings.HasPrefix(s.Hosts[0].Name(f), "ufm") {
		t.Errorf("the first port is %s, not UFM's", s.Hosts[0].Name(f))
	}
}
