// Package numbering gives every device, rail and link its name and numbers.
// They follow from (plane, unit, slot) and from strides that the reserved size
// fixes, never from a position in a list of what exists today: so growing a
// cluster within its reserve renames and renumbers nothing.
package numbering

import (
	"fmt"
	"strconv"
)

// Names spells device names with digits as wide as the final size needs.
type Names struct {
	planes            int
	unit, spine, core int
	servers           map[string]int
}

// NewNames prepares names for a final size: units, spines and cores of one
// plane, and the final count of each server group.
func NewNames(planes, units, spines, cores int, servers map[string]int) Names {
	return Names{planes: planes, unit: width(units, 2), spine: width(spines, 2), core: width(cores, 2), servers: servers}
}

func width(n, least int) int { return max(len(strconv.Itoa(n)), least) }

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

// Server is gpu-001; index counts from zero within the group.
func (n Names) Server(group string, index int) string {
	return fmt.Sprintf("%s-%0*d", group, width(n.servers[group], 3), index+1)
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
