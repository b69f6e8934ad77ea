package advise

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/fabric"
)

// condition is one thing a rule asks.
type condition struct {
	what string
	asks []string // questions behind it
	test func(*facts) (answer, string)
}

// highEndFamilies are the accelerators that the article pairs with InfiniBand:
// A100, H100, H200, B200, GB200. H800, B300 and GB300 are railyard's addition,
// as a variant and the successors of those.
func highEndFamilies() []string {
	return []string{"a100", "h100", "h800", "h200", "b200", "b300", "gb200", "gb300"}
}

// costLedFamilies are the accelerators for which the article finds RoCE good enough.
func costLedFamilies() []string { return []string{"a100", "a800", "h20", "l40s", "v100"} }

// named asks whether most accelerators belong to a list.
func named(what string, families []string) condition {
	return condition{what: what + " (" + strings.ToUpper(strings.Join(families, ", ")) + ")", test: func(k *facts) (answer, string) {
		if k.main == nil {
			return no, "no accelerators"
		}
		return is(slices.Contains(families, k.main.family)), k.main.gpu
	}}
}

func domestic() condition {
	return condition{what: "accelerator of class domestic", test: func(k *facts) (answer, string) {
		for i := range k.groups {
			if g := &k.groups[i]; g.class == "domestic" {
				return yes, g.gpu + " in group " + g.name
			}
		}
		return no, mainClass(k)
	}}
}

func consumer() condition {
	return condition{what: "accelerator of class consumer", test: func(k *facts) (answer, string) {
		return is(k.main != nil && k.main.class == "consumer"), mainClass(k)
	}}
}

func mainClass(k *facts) string {
	if k.main == nil {
		return "no accelerators"
	}
	return k.main.gpu + " is " + or(k.main.class, "of no known class")
}

func noInfiniBand() condition {
	return condition{what: "a NIC or accelerator without InfiniBand", test: func(k *facts) (answer, string) {
		worst, why := no, "all NICs have an InfiniBand mode"
		for i := range k.groups {
			switch g := &k.groups[i]; g.infiniBand {
			case no:
				return yes, g.why
			case unknown:
				worst, why = unknown, g.why
			}
		}
		return worst, why
	}}
}

func counted(what string, test func(gpus int) bool) condition {
	return condition{what: what, test: func(k *facts) (answer, string) {
		if k.gpus == 0 {
			return no, "no accelerators"
		}
		return is(test(k.gpus)), gpuCount(k.gpus)
	}}
}

func atMost(n int) condition {
	return counted(fmt.Sprintf("at most %d GPUs", n), func(g int) bool { return g <= n })
}

func atLeast(n int) condition {
	return counted(fmt.Sprintf("at least %d GPUs", n), func(g int) bool { return g >= n })
}

func below(n int) condition {
	return counted(fmt.Sprintf("fewer than %d GPUs", n), func(g int) bool { return g < n })
}

func above(n int) condition {
	return counted(fmt.Sprintf("more than %d GPUs", n), func(g int) bool { return g > n })
}

func between(from, to int) condition {
	return counted(fmt.Sprintf("%d to %d GPUs", from, to), func(g int) bool { return g >= from && g <= to })
}

// answered asks whether a question has one of some answers.
func answered(name string, values ...string) condition {
	return condition{what: name + " " + strings.Join(values, " or "), asks: []string{name}, test: func(k *facts) (answer, string) {
		v := k.given[name]
		if v == "" {
			return unknown, name + " not given"
		}
		return is(slices.Contains(values, v)), name + " " + v
	}}
}

// either holds where one of two conditions does.
func either(a, b condition) condition {
	return condition{what: a.what + ", or " + b.what, asks: append(slices.Clone(a.asks), b.asks...), test: func(k *facts) (answer, string) {
		x, xv := a.test(k)
		y, yv := b.test(k)
		switch value := xv + ", " + yv; {
		case x == yes || y == yes:
			return yes, value
		case x == unknown || y == unknown:
			return unknown, value
		default:
			return no, value
		}
	}}
}

// budgetThenTeam settles the overlap of the two recommendations: a sufficient
// budget speaks for InfiniBand and a smaller one for RoCE; where it is not
// known, the team's experience does.
func budgetThenTeam(want fabric.Technology) condition {
	return condition{what: "budget, then team, for " + title(want), asks: []string{"budget", "team"}, test: func(k *facts) (answer, string) {
		budget, team := k.given["budget"], k.given["team"]
		value := "budget " + or(budget, "not given") + ", team " + or(team, "not given")
		switch {
		case budget == "sufficient", budget == "" && team == "infiniband":
			return is(want == fabric.InfiniBand), value
		case budget != "", team == "ethernet":
			return is(want == fabric.RoCE), value
		}
		return unknown, value
	}}
}

// on asks for the technology that was decided, or is declared while nothing is.
func on(t fabric.Technology) condition {
	return condition{what: title(t) + " chosen", test: func(k *facts) (answer, string) { return is(k.technology == t), title(k.technology) }}
}

// hashed asks whether flows are spread over equal paths by a hash.
func hashed() condition {
	return condition{what: "paths chosen by ECMP hash", test: func(k *facts) (answer, string) {
		hash := k.topology == string(fabric.LeafSpine) || k.topology == string(fabric.ThreeTier)
		return is(hash), "topology " + k.topology
	}}
}

// found asks for a finding of the design as declared.
func found(code, what string) condition {
	return condition{what: what + " (" + code + ")", test: func(k *facts) (answer, string) {
		n := len(k.findings[code])
		return is(n > 0), fmt.Sprintf("%d findings", n)
	}}
}

func always() condition {
	return condition{what: "always shown", test: func(*facts) (answer, string) { return yes, "published figures" }}
}
