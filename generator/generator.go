// Package generator turns a declared cluster into a designed fabric. It is
// pure: no network, no vendor syntax, no clock, no chance.
package generator

import (
	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/lossless"
	"railyard/generator/numbering"
	"railyard/generator/topology"
)

// Design runs the whole pipeline: how many switches and which port to which
// port, then names and numbers, then the plan that keeps RoCE from dropping.
// The error is cluster.Problems when the wish cannot be built; whatever can be
// built at a price comes back as findings of the fabric.
func Design(c *cluster.Cluster) (*fabric.Fabric, error) {
	f, size, err := topology.Build(c)
	if err != nil {
		return nil, err
	}
	if err := numbering.Assign(c, f, size); err != nil {
		return nil, err
	}
	subnet(c, f)
	if err := lossless.Plan(c, f); err != nil {
		return nil, err
	}
	settle(f)
	return f, nil
}
