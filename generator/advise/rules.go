package advise

import (
	"fmt"
	"strings"

	"railyard/generator/fabric"
)

// State is what became of a rule.
type State string

// States of a rule.
const (
	Decides State = "decides" // the first that holds and names a technology
	Fired   State = "fired"   // holds; a warning, or too late to decide
	Open    State = "open"    // holds as far as is known, but a fact is missing
	NotMet  State = "not met"
)

// Levels of rules that do not name a technology.
const (
	levelNote    = "note"
	levelWarning = "warning"
	levelError   = "error"
)

// rule is one row of the decision table.
type rule struct {
	id         string
	when       []condition // all must hold
	technology fabric.Technology
	level      string // of rows without a technology
	topology   string
	advice     string
	more       func(*facts) string // what the advice adds for this cluster
	uses       []string            // questions that change the advice only
	reason     string
	source     string
}

// Rule is what became of a row of the decision table.
type Rule struct {
	ID         string  `json:"id"`
	State      State   `json:"state"`
	Technology string  `json:"technology,omitempty"`
	Level      string  `json:"level,omitempty"` // note, warning or error, for rows without a technology
	Topology   string  `json:"topology,omitempty"`
	Advice     string  `json:"advice"`
	Reason     string  `json:"reason"`
	Source     string  `json:"source"`
	Inputs     []Input `json:"inputs"`
}

// Input is one condition of a rule and what was known of it.
type Input struct {
	Condition string   `json:"condition"`
	Holds     string   `json:"holds"` // yes, no or unknown
	Value     string   `json:"value"`
	Missing   []string `json:"missing,omitempty"` // questions without an answer
}

func article(section string) string {
	return "article comparing InfiniBand and RoCE for GPU clusters, section " + section
}

const (
	asScale  = "one switch where everything fits, else rail-optimised leaf-spine, three tiers above that"
	railClos = "rail-optimised leaf-spine"
)

// rules is the decision table in the order of precedence. K2 settles where A5
// and A6 overlap; it stands between them.
func rules(t Thresholds) []rule {
	return append(deciders(t), warnings(t)...)
}

func deciders(t Thresholds) []rule {
	highEnd, costLed := named("high-end accelerator", highEndFamilies()), named("accelerator of the cost-led list", costLedFamilies())
	return []rule{
		{id: "A1", when: []condition{domestic()}, technology: fabric.RoCE,
			topology: "single switch where one is enough, else multi-rail leaf-spine", advice: "RoCE",
			reason: "domestic accelerators are built around Ethernet and work well with RoCE; a cluster of 32 servers and 256 cards ran on it",
			source: article("2.2, 3.2")},
		{id: "A2", when: []condition{noInfiniBand()}, technology: fabric.RoCE, topology: asScale, advice: "RoCE",
			reason: "a NIC or accelerator without an InfiniBand mode leaves no choice: a hard limit, not an opinion", source: article("1.2") + "; inferred"},
		{id: "A3", when: []condition{consumer()}, technology: fabric.RoCE, topology: "single switch",
			advice: "RoCE with ConnectX-6 or 7 and a switch that does PFC, or plain TCP; expect more tuning and no official support for several nodes",
			reason: "consumer cards have no supported way to scale over nodes, so the network stays small and cheap", source: article("2.3")},
		{id: "A4", when: []condition{atMost(t.FewDozen), answered("budget", "strict")}, technology: fabric.RoCE,
			topology: "single switch or chassis, one VLAN for each NIC index", advice: "RoCE, or TCP over fast Ethernet", more: reuse, uses: []string{"existing-ethernet"},
			reason: "at a few dozen GPUs one box holds everything, and Ethernet that is there already can be used", source: article("4.3, 3.2")},
		{id: "A5", when: []condition{highEnd, atLeast(t.Thousands), answered("budget", "sufficient"), answered("team", "infiniband"), answered("large-models", "yes")},
			technology: fabric.InfiniBand, topology: "rail-optimised fat-tree", advice: "InfiniBand, NDR or XDR",
			reason: "for the fastest accelerators at this scale InfiniBand is the established choice, the more so the newer they are; scale, budget, skill and model size all point to it",
			source: article("2.1, 4.1")},
		{id: "K2.IB", when: []condition{highEnd, between(t.Thousands, t.FewThousand), budgetThenTeam(fabric.InfiniBand)}, technology: fabric.InfiniBand,
			topology: "rail-optimised fat-tree", advice: "InfiniBand; RoCE is the documented alternative at this size",
			reason: "both technologies are recommended at this size; budget decides, then what the team knows", source: article("4.1 against 4.2")},
		{id: "K2.RoCE", when: []condition{highEnd, between(t.Thousands, t.FewThousand), budgetThenTeam(fabric.RoCE)}, technology: fabric.RoCE,
			topology: railClos, advice: "RoCE; InfiniBand is the documented alternative at this size",
			reason: "both technologies are recommended at this size; budget decides, then what the team knows", source: article("4.1 against 4.2")},
		{id: "A6", when: []condition{costLed, between(t.Hundreds, t.FewThousand), either(answered("budget", "strict", "balanced"), answered("team", "ethernet"))},
			technology: fabric.RoCE, topology: railClos, advice: "RoCE on 400GE or 100GE switches, of the class of H3C S9825 or S9855",
			reason: "for these accelerators the cheaper network gives comparable results, as tests with 64 GPUs showed, and Ethernet people can run it", source: article("2.2, 4.2")},
		{id: "A7", when: []condition{highEnd, below(t.Thousands), either(answered("team", "ethernet"), answered("budget", "balanced"))},
			technology: fabric.RoCE, topology: railClos, advice: "RoCE is acceptable; InfiniBand stays the alternative, for its maturity and smaller tuning effort",
			reason: "below thousands of GPUs the team's skills and the total cost weigh more than the last percent of performance", source: article("4.2, 2.2")},
		{id: "A8", when: []condition{answered("fast-start", "yes"), answered("team", "none"), answered("budget", "sufficient")}, technology: fabric.InfiniBand,
			topology: asScale, advice: "InfiniBand",
			reason: "InfiniBand is mature, needs less tuning of parameters and is up faster", source: article("3.3")},
		{id: "A9", when: []condition{answered("multi-vendor", "yes")}, technology: fabric.RoCE, topology: asScale, advice: "RoCE",
			reason: "many vendors build for it, Huawei, H3C, ZTE and Ruijie among them, and supply is going local", source: article("3.3, 5")},
	}
}

func warnings(t Thresholds) []rule {
	return []rule{
		{id: "A10", when: []condition{on(fabric.RoCE), above(t.FewThousand)}, level: levelWarning, topology: "three tiers or two planes",
			advice: "RoCE is possible at this size, with care",
			reason: "InfiniBand is proven with tens of thousands of GPUs, RoCE with thousands and growing; against that stand Meta with 24 thousand and Alibaba with 15 thousand GPUs on RoCE",
			source: article("3.3") + "; counter-examples from the field"},
		{id: "W1", when: []condition{found(codePCIe, "a NIC faster than its PCIe path")}, level: levelWarning,
			advice: "the NIC's extra speed is wasted",
			reason: "a 400G NIC in a PCIe 4.0 slot brings little over a 200G one; it needs PCIe 5.0", source: article("3.1")},
		{id: "W2", when: []condition{on(fabric.RoCE)}, level: levelWarning, advice: "PFC and ECN are required on every switch and host", more: func(k *facts) string { return k.deadlock },
			reason: "RoCE must not lose packets, and PFC that is set wrongly blocks unrelated traffic (head of line) or deadlocks", source: article("3.2")},
		{id: "W3", when: []condition{on(fabric.RoCE), hashed()}, level: levelNote, topology: "DDC", advice: "consider DDC, or planned paths, where flows that meet on one uplink matter",
			reason: "a scheduled fabric got more bus bandwidth than hashing: in one published test with 64 GPUs ECMP gave 212.6 GB/s and planned paths 233.3 GB/s",
			source: article("3.2") + "; Tolly 225112"},
		{id: "W4", when: []condition{found(codeRoCEv1, "RoCE v1 across subnets")}, level: levelError, advice: "set fabric.roce to v2",
			reason: "RoCE v1 has no IP header and works within one broadcast domain only", source: article("1.2")},
		{id: "C1", when: []condition{always()}, level: levelNote, advice: "published comparison: RoCE 36 % cheaper at 100G, 14.3 % at 400G",
			reason: "one vendor case; it says nothing about this cluster", source: article("2.2")},
	}
}

// reuse says what an existing network changes.
func reuse(k *facts) string {
	switch k.given["existing-ethernet"] {
	case "yes":
		return "use the Ethernet that is there, if its switches do PFC and ECN"
	case "no":
		return "buy one switch with PFC and ECN"
	}
	return "use Ethernet that is there already, if any"
}

func (r *rule) advise(k *facts) string {
	if r.more != nil {
		if add := r.more(k); add != "" {
			return r.advice + "; " + add
		}
	}
	return r.advice
}

// holds is yes where all conditions are, no where one is not.
func (r *rule) holds(k *facts) answer {
	all := yes
	for i := range r.when {
		switch a, _ := r.when[i].test(k); {
		case a == no:
			return no
		case a == unknown:
			all = unknown
		}
	}
	return all
}

// deciding is the index of the first rule that holds and names a technology, -1 without.
func deciding(table []rule, k *facts) int {
	for i := range table {
		if table[i].technology != "" && table[i].holds(k) == yes {
			return i
		}
	}
	return -1
}

func (r *rule) result(k *facts, decides bool) Rule {
	out := Rule{ID: r.id, State: NotMet, Technology: string(r.technology), Level: r.level, Topology: r.topology, Advice: r.advise(k), Reason: r.reason, Source: r.source}
	switch holds := r.holds(k); {
	case decides:
		out.State = Decides
	case holds == yes:
		out.State = Fired
	case holds == unknown:
		out.State = Open
	}
	for i := range r.when {
		c := &r.when[i]
		a, value := c.test(k)
		in := Input{Condition: c.what, Holds: a.String(), Value: value}
		if a == unknown {
			for _, q := range c.asks {
				if k.given[q] == "" {
					in.Missing = append(in.Missing, q)
				}
			}
		}
		out.Inputs = append(out.Inputs, in)
	}
	return out
}

// missing lists the questions that open rules ask, and what the deciding
// rule's advice would have liked to know.
func missing(table []rule, results []Rule, k *facts, winner int) []Missing {
	list := []Missing{}
	for _, q := range questions() {
		m := Missing{Name: q.name, How: q.flag() + " " + strings.Join(q.values, "|") + " (" + q.what + ")"}
		for i := range results {
			asked := i == winner && k.given[q.name] == "" && contains(table[i].uses, q.name)
			for _, in := range results[i].Inputs {
				asked = asked || results[i].State == Open && contains(in.Missing, q.name)
			}
			if asked {
				m.Rules = append(m.Rules, results[i].ID)
			}
		}
		if len(m.Rules) > 0 {
			list = append(list, m)
		}
	}
	for i := range k.groups {
		if g := &k.groups[i]; g.infiniBand == unknown {
			list = append(list, Missing{Name: "nic of group " + g.name, Rules: []string{"A2"}, How: "write nic: under the group in the cluster file, e.g. cx7-400-vpi"})
		}
	}
	return list
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

func gpuCount(n int) string { return fmt.Sprintf("%d GPUs", n) }
