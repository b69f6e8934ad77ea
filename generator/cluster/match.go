package cluster

import "railyard/generator/hostlist"

// Matches reports whether the override applies to a device: its name, a host
// list (leaf-u[01-04]-r0) or a glob (leaf-*-r0).
func (o *Override) Matches(name string) bool {
	if o.list == nil { // not from Load
		list, err := hostlist.Parse(o.Match)
		return err == nil && list.Match(name)
	}
	return o.list.Match(name)
}

// Holds reports whether a server is a member of the partition.
func (p *Partition) Holds(server string) bool {
	if p.lists == nil { // not from Load
		for _, m := range p.Members {
			if list, err := hostlist.Parse(m); err == nil && list.Match(server) {
				return true
			}
		}
		return false
	}
	for i := range p.lists {
		if p.lists[i].Match(server) {
			return true
		}
	}
	return false
}
