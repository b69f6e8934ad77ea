package cluster

import (
	"maps"
	"slices"
)

var TypeName = typeName

func RuleKeys() []string { return slices.Sorted(maps.Keys(keys())) }

func Written(c *Cluster, path string) bool { return c.written(path) }
