package generator

import (
	"cmp"
	"slices"

	"railyard/generator/fabric"
)

var rank = map[fabric.Severity]int{fabric.Error: 0, fabric.Warning: 1, fabric.Info: 2}

// settle puts the findings in order: errors first, then by code and message.
func settle(f *fabric.Fabric) { SortFindings(f.Findings) }

// SortFindings orders findings by severity, code and message.
func SortFindings(list []fabric.Finding) {
	slices.SortStableFunc(list, func(a, b fabric.Finding) int {
		return cmp.Or(cmp.Compare(rank[a.Severity], rank[b.Severity]), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
}
