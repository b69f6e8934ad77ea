package advise

import (
	"fmt"
	"slices"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// answer is what is known of a condition.
type answer uint8

const (
	unknown answer = iota
	no
	yes
)

func (a answer) String() string { return [...]string{Unknown, "no", "yes"}[a] }

func is(b bool) answer {
	if b {
		return yes
	}
	return no
}

// question is a fact that only a person can give.
type question struct {
	name   string
	what   string
	values []string
	field  func(*Options) *string
}

func (q *question) flag() string { return "--" + q.name }

// questions are in the order in which their answers weigh.
func questions() []question {
	truth := []string{"yes", "no"}
	return []question{
		{"budget", "budget", []string{"strict", "balanced", "sufficient"}, func(o *Options) *string { return &o.Budget }},
		{"team", "what the team knows", []string{"ethernet", "infiniband", "none"}, func(o *Options) *string { return &o.Team }},
		{"large-models", "models of 100 billion parameters and more", truth, func(o *Options) *string { return &o.LargeModels }},
		{"multi-vendor", "several vendors or local supply required", truth, func(o *Options) *string { return &o.MultiVendor }},
		{"fast-start", "must run soon", truth, func(o *Options) *string { return &o.FastStart }},
		{"existing-ethernet", "an Ethernet network is there", truth, func(o *Options) *string { return &o.ExistingEthernet }},
	}
}

// group is what the rules see of a server group.
type group struct {
	name, gpu, nic string
	family         string // a100 of a100-80-sxm4
	class          string // datacenter, consumer, domestic, rack
	gpus           int    // of all its servers
	infiniBand     answer
	why            string // behind infiniBand
}

// facts is everything the rules may ask.
type facts struct {
	thresholds Thresholds
	given      map[string]string // answers by question; "" or absent: unknown
	groups     []group
	main       *group // with the most accelerators; nil where there are none
	gpus       int
	declared   fabric.Technology
	roce       string // v1 or v2
	findings   map[string][]Finding
	deadlock   string

	technology fabric.Technology // decided, or declared as long as nothing is
	topology   string            // designed for it
}

// Codes of findings that rules build on.
const (
	codePCIe   = "PCIE_BELOW_NIC"
	codeRoCEv1 = "ROCE_V1_ROUTED"
)

func gather(c *cluster.Cluster, f *fabric.Fabric, opt *Options) *facts {
	k := &facts{thresholds: opt.Thresholds, given: map[string]string{}, declared: f.Technology, roce: f.RoCE, findings: map[string][]Finding{}}
	for _, q := range questions() {
		k.given[q.name] = *q.field(opt)
	}
	for _, code := range []string{codePCIe, codeRoCEv1} {
		k.findings[code] = withCode(f, code)
	}
	if f.Lossless != nil {
		switch d := &f.Lossless.Deadlock; {
		case d.Checked && d.Free:
			k.deadlock = "railyard's check of the declared design found no deadlock"
		case d.Checked:
			k.deadlock = "railyard's check of the declared design found a possible deadlock"
		default:
			k.deadlock = "the declared design was not checked for deadlock"
		}
	}
	for i := range c.Servers {
		if c.Servers[i].Count > 0 {
			k.groups = append(k.groups, groupOf(c.Catalog, &c.Servers[i]))
		}
	}
	for i := range k.groups {
		g := &k.groups[i]
		k.gpus += g.gpus
		if g.gpus > 0 && (k.main == nil || g.gpus > k.main.gpus) {
			k.main = g
		}
	}
	return k
}

func groupOf(cat *catalog.Catalog, s *cluster.ServerGroup) group {
	g := group{name: s.Name, gpu: s.GPU, nic: s.NIC, gpus: s.Count * s.GPUs}
	g.family, _, _ = strings.Cut(s.GPU, "-")
	gpu, nic := cat.GPU(s.GPU), cat.NIC(s.NIC)
	if gpu != nil {
		g.class = gpu.Class
		if gpu.Class == "consumer" || gpu.Class == "domestic" {
			g.family = s.GPU // such ids have a series, not a family, in front: rtx-4090
		}
	}
	switch {
	case gpu != nil && gpu.RoCEOnly:
		g.infiniBand, g.why = no, s.GPU+" cannot use InfiniBand"
	case nic == nil:
		g.why = "the NIC of group " + s.Name + " is not declared"
	case len(nic.IB) == 0:
		g.infiniBand, g.why = no, s.NIC+" has no InfiniBand mode"
	default:
		g.infiniBand, g.why = yes, s.NIC+" speaks "+strings.Join(nic.IB, ", ")
	}
	return g
}

// list writes the facts down, the file's first.
func (k *facts) list() []Fact {
	const file = "cluster file"
	list := []Fact{{"gpus", fmt.Sprint(k.gpus), file}}
	var gpus, nics []string
	for i := range k.groups {
		g := &k.groups[i]
		if g.gpus > 0 {
			gpus = append(gpus, fmt.Sprintf("%s: %d x %s (%s)", g.name, g.gpus, g.gpu, or(g.class, "class not known")))
		}
		nics = append(nics, g.name+": "+g.why)
	}
	if len(gpus) == 0 {
		gpus = []string{"none declared"}
	}
	list = append(list, Fact{"accelerators", strings.Join(gpus, "; "), file}, Fact{"infiniband mode", strings.Join(nics, "; "), file},
		Fact{"technology", title(k.declared), file})
	for _, q := range questions() {
		if v := k.given[q.name]; v != "" {
			list = append(list, Fact{q.name, v, q.flag()})
		}
	}
	return list
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// with returns the facts with more answers given.
func (k *facts) with(answers []string, names []string) *facts {
	n := *k
	n.given = make(map[string]string, len(k.given))
	for name, v := range k.given {
		n.given[name] = v
	}
	for i, v := range answers {
		if v != "" {
			n.given[names[i]] = v
		}
	}
	return &n
}

// mostChanges bounds what the verdict lists; smaller sets of answers come first.
const mostChanges = 12

// changes finds the smallest sets of answers to open questions that would make
// the rules name another technology. There are at most a few thousand sets.
func changes(table []rule, k *facts, now string) []Change {
	var names []string
	var values [][]string
	for _, q := range questions() {
		if k.given[q.name] == "" {
			names, values = append(names, q.name), append(values, q.values)
		}
	}
	var all [][]string
	var fill func(set []string)
	fill = func(set []string) {
		i := len(set)
		if i == len(names) {
			all = append(all, set)
			return
		}
		for _, v := range append([]string{""}, values[i]...) {
			fill(append(slices.Clone(set), v))
		}
	}
	fill(nil)
	slices.SortStableFunc(all, func(a, b []string) int { return size(a) - size(b) })
	found, sets := []Change{}, [][]string{}
	for _, set := range all {
		trial := k.with(set, names)
		trial.technology = trial.declared
		i := deciding(table, trial)
		if i < 0 || string(table[i].technology) == now || covered(set, sets, found, string(table[i].technology)) {
			continue
		}
		c := Change{Technology: string(table[i].technology), Rule: table[i].id}
		for j, v := range set {
			if v != "" {
				c.Answers = append(c.Answers, "--"+names[j]+" "+v)
			}
		}
		found, sets = append(found, c), append(sets, set)
	}
	return found[:min(len(found), mostChanges)]
}

func size(set []string) int {
	n := 0
	for _, v := range set {
		if v != "" {
			n++
		}
	}
	return n
}

// covered reports whether a part of the set already leads to that technology.
func covered(set []string, sets [][]string, found []Change, technology string) bool {
	for i, s := range sets {
		part := found[i].Technology == technology
		for j := range s {
			part = part && (s[j] == "" || s[j] == set[j])
		}
		if part {
			return true
		}
	}
	return false
}
