package ibsubnet

import (
	"fmt"

	"railyard/generator/fabric"
)

const partitionDoc = "OpenSM doc/partition-config.txt"

// Partitions looks for keys that clash and servers that isolation leaves alone.
func (r *Report) Partitions() {
	if len(r.Fabric.InfiniBand.Partitions) == 0 {
		return
	}
	r.keys()
	held := make([]int, len(r.Fabric.Servers))
	for i := range r.Fabric.InfiniBand.Partitions {
		for _, m := range r.Fabric.InfiniBand.Partitions[i].Members {
			held[m]++
		}
	}
	var alone, many []string
	several := false
	for i := range r.Fabric.Servers {
		name := r.Fabric.Servers[i].Name
		switch {
		case held[i] == 0 && !r.Fabric.Servers[i].UFM:
			alone = append(alone, name)
		case held[i]+1 > maxPKeys:
			many = append(many, name)
		}
		several = several || held[i] > 1
	}
	if len(alone) > 0 {
		r.Add(fabric.Warning, "IB_NOT_PARTITIONED",
			fmt.Sprintf("%d servers are in no partition; being limited members of the default one, they reach management hosts but not one another", len(alone)),
			"add them to a partition", partitionDoc, alone...)
	}
	if len(many) > 0 {
		r.Add(fabric.Error, "IB_PKEY_LIMIT", fmt.Sprintf("%d servers need more than %d partition keys a port", len(many), maxPKeys),
			"put them in fewer partitions", "Mellanox/ib-kubernetes pull 49", many...)
	}
	hint := "index 1"
	if several {
		hint = "index 1 or, for servers in several partitions, a later one"
	}
	r.Add(fabric.Info, "IB_PKEY_INDEX",
		"the default partition keeps index 0 of each port's key table and partitions follow at "+hint+"; NCCL and NVSHMEM use index 0 unless told otherwise and would hang there as limited members",
		"set the partition key index on the hosts (NCCL_IB_PKEY); smpquery pkeys LID PORT shows the table", "NVIDIA/nccl issue 1323, NVIDIA/nvshmem issue 82")
}

// keys refuses a key that two partitions claim: a subnet manager would merge them.
func (r *Report) keys() {
	first := make(map[uint16]*fabric.Partition)
	for i := range r.Fabric.InfiniBand.Partitions {
		p := &r.Fabric.InfiniBand.Partitions[i]
		key := p.PKey & 0x7fff
		if key == 0 || key == 0x7fff {
			r.Add(fabric.Error, "IB_PKEY", fmt.Sprintf("partition %s has the key 0x%04x, which is reserved", p.Name, key),
				"choose one from 0x0001 to 0x7ffe", partitionDoc, p.Name)
		}
		if other, dup := first[key]; dup && (other.Full == p.Full || overlap(other.Members, p.Members)) {
			r.Add(fabric.Error, "IB_PKEY", fmt.Sprintf("partitions %s and %s share the key 0x%04x; %s would merge them", other.Name, p.Name, key, r.Manager),
				"give each partition its own key; one key may have a full and a limited part of different servers", partitionDoc, other.Name, p.Name)
		}
		first[key] = p
	}
	for i := range r.Fabric.InfiniBand.Partitions {
		p := &r.Fabric.InfiniBand.Partitions[i]
		if !p.Full && !r.anyFull(p.PKey) {
			r.Add(fabric.Warning, "IB_PARTITION_LIMITED",
				fmt.Sprintf("partition %s has limited members only, and two limited members cannot talk", p.Name),
				"set membership: full, or add a partition with the same key for its full members", partitionDoc, p.Name)
		}
	}
}

func (r *Report) anyFull(key uint16) bool {
	for i := range r.Fabric.InfiniBand.Partitions {
		if p := &r.Fabric.InfiniBand.Partitions[i]; p.Full && p.PKey&0x7fff == key&0x7fff {
			return true
		}
	}
	return false
}

func overlap(a, b []int) bool {
	in := make(map[int]bool, len(a))
	for _, m := range a {
		in[m] = true
	}
	for _, m := range b {
		if in[m] {
			return true
		}
	}
	return false
}
