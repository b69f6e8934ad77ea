// Package numbering gives every device, rail and link its name and numbers.
// They follow from (plane, unit, slot) and from strides that the reserved size
// fixes, never from a position in a list of what exists today: so growing a
// cluster within its reserve renames and renumbers nothing.
package numbering

import (
	"fmt"
	"strconv"
)

// Names spells switch and port names (server names are cluster.ServerGroup's) with digits as wide as the final size needs.
type Names struct {
	planes            int
	unit, spine, core int
}

// NewNames prepares names for a final size: units, spines and cores of one plane.
func NewNames(planes, units, spines, cores int) Names {
	return Names{planes: planes, unit: width(units), spine: width(spines), core: width(cores)}
}

func width(n int) int { return max(len(strconv.Itoa(n)), 2) }

func (n Names) plane(p int) string {
	if n.planes < 2 {
		return ""
	}
	return fmt.Sprintf("p%d-", p)
}

// Leaf is leaf-u01-r0, or leaf-u01-r0-3 where several rails share it. Unit and
// rails count from zero.
func (n Names) Leaf(plane, unit, firstRail, lastRail int) string {
	s := fmt.Sprintf("%sleaf-u%0*d-r%d", n.plane(plane), n.unit, unit+1, firstRail)
	if lastRail > firstRail {
		s += fmt.Sprintf("-%d", lastRail)
	}
	return s
}

// Spine is spine-01; index counts from zero within the plane.
func (n Names) Spine(plane, index int) string {
	return fmt.Sprintf("%sspine-%0*d", n.plane(plane), n.spine, index+1)
}

// Core is core-01; index counts from zero within the plane.
func (n Names) Core(plane, index int) string {
	return fmt.Sprintf("%score-%0*d", n.plane(plane), n.core, index+1)
}

// UFM is ufm-01; index counts from zero.
func (n Names) UFM(index int) string { return fmt.Sprintf("ufm-%02d", index+1) }

// NIC is nic0, or nic0p1 where a NIC has a port in every plane.
func (n Names) NIC(nic, plane int) string {
	if n.planes < 2 {
		return fmt.Sprintf("nic%d", nic)
	}
	return fmt.Sprintf("nic%dp%d", nic, plane)
}
