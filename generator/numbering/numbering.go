package numbering

// Size is the final fabric in numbers, of one plane: the strides of every
// numbering. It is filled by the topology.
type Size struct {
	Units, Leaves, Spines, Cores int
	SpineGroups                  int
	HostsPerUnit                 int   // server places of the largest unit
	FirstHost                    []int // of each server group: place of its first server in a unit that groups share
	LeafSpineLinks               int
	SpineCoreLinks               int
	LinkIndex                    []int // of each fabric link: its number in the final plane; -1 for host links
}
