package opensm

import (
	"errors"

	"railyard/generator/fabric"
	"railyard/vendors/ibsubnet"
)

// topologies are the files that cables are checked against, before the first cable
// is laid (ibdmchk) and after (ibtopodiff): a topology per subnet, in its folder,
// and the definitions of the systems in it. Names that would end early in them are
// an error.
func topologies(f *fabric.Fabric) ([]fabric.File, error) {
	r := ibsubnet.Report{Fabric: f, Manager: "ibdmchk"}
	if r.Names(); len(r.Findings) > 0 {
		return nil, errors.New(r.Findings[0].Message)
	}
	subnets := ibsubnet.Split(f)
	var files []fabric.File
	for i := range subnets {
		files = append(files, ibsubnet.Topology(f, &subnets[i])...)
	}
	return files, nil
}
