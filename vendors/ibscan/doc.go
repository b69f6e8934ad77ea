// Package ibscan holds what InfiniBand's own tools saw of a fabric against the plan:
// saved output of ibnetdiscover, ibswitches, ibhosts and ibnodes, of saquery
// (NodeRecord, PKeyTableRecord, PortInfoRecord) and of smpquery pkeys under the
// command that asked. Sources: infiniband-diags of rdma-core, and what its tools print
// of a simulated fabric.
package ibscan

import (
	"bytes"

	"railyard/generator/fabric"
	"railyard/vendors/clitree"
)

// Result is what the records say.
type Result struct {
	Changes  []clitree.Change // by device; Remove is what was seen, Add what is planned
	Problems []clitree.Problem
}

// marks are what the files of these tools have near their beginning.
var marks = [][]byte{
	[]byte("# Topology file: generated"), []byte("\nswitchguid=0x"), []byte("\ncaguid=0x"), []byte("NodeRecord dump:"), []byte("PKeyTableRecord dump:"),
	[]byte("PortInfoRecord dump:"), []byte("Switch\t: 0x"), []byte("Ca\t: 0x"), []byte("pkeys capacity for this port"),
}

// Recognise reports whether a file is output that Compare reads.
func Recognise(body []byte) bool {
	head := body[:min(len(body), 64<<10)]
	for _, m := range marks {
		if bytes.Contains(head, m) {
			return true
		}
	}
	return false
}

// Compare reads the records and compares them with the plan. Whatever no record
// speaks of is not judged: cables need ibnetdiscover, keys the tables of their ports.
func Compare(f *fabric.Fabric, files []fabric.File) Result {
	s := read(files)
	c := comparison{f: f, seen: s, out: Result{Problems: s.problems}}
	c.run()
	return c.out
}
