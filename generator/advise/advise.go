// Package advise weighs InfiniBand against RoCE for a declared cluster: which of
// the two, in which topology, at what cost, with the rule behind every word, the
// facts that were missing and the places where the rules contradict each other.
//
// The rules are data (rules.go) and are read from top to bottom: the first that
// holds and names a technology decides, later ones only warn. What a rule asks
// and nobody said stays unknown; it is never guessed.
package advise

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
)

// Undecided is the verdict's technology where no rule decides.
const Undecided = "undecided"

// Unknown is the answer to a question that nobody answered; "" means the same.
const Unknown = "unknown"

// Thresholds are the GPU counts behind the words of the rules.
type Thresholds struct {
	FewDozen    int `json:"few_dozen"`    // "a few dozen" ends here
	Hundreds    int `json:"hundreds"`     // "hundreds" begin here
	Thousands   int `json:"thousands"`    // "thousands" begin here
	FewThousand int `json:"few_thousand"` // "a few thousand" ends here
}

// DefaultThresholds is how railyard reads those words. The article behind the
// rules gives no numbers.
func DefaultThresholds() Thresholds {
	return Thresholds{FewDozen: 64, Hundreds: 65, Thousands: 2000, FewThousand: 4096}
}

// Options are what the rules ask and a cluster file does not say.
type Options struct {
	Budget           string // strict, balanced, sufficient
	Team             string // ethernet, infiniband, none: what the people who run it know
	LargeModels      string // yes, no: training of models of 100 billion parameters and more
	MultiVendor      string // yes, no: several vendors or local supply are required
	FastStart        string // yes, no: must run soon
	ExistingEthernet string // yes, no: there is an Ethernet network that could carry it

	Thresholds  Thresholds // zero: DefaultThresholds
	Prices      *Prices    // nil: no price list
	OtherSwitch string     // catalog id of the switch for the other technology; "": railyard's pick

	// Design designs a cluster, for the other technology. Nil: it is not designed.
	Design func(*cluster.Cluster) (*fabric.Fabric, error)
}

// Advice is the result. Every list is in a fixed order.
type Advice struct {
	FormatVersion int         `json:"format_version"`
	Name          string      `json:"name"`
	Declared      Declared    `json:"declared"`
	Verdict       Verdict     `json:"verdict"`
	Facts         []Fact      `json:"facts"`
	Missing       []Missing   `json:"missing"`
	Thresholds    Thresholds  `json:"thresholds"`
	Rules         []Rule      `json:"rules"` // all of them, in the order of precedence
	Conflicts     []Conflict  `json:"conflicts"`
	PCIe          PCIe        `json:"pcie"`
	Designs       []Design    `json:"designs"` // the declared technology, then the other
	Published     []Published `json:"published"`
	PriceList     *PriceList  `json:"price_list,omitempty"`
}

// Declared is what the cluster file asks for.
type Declared struct {
	Technology string `json:"technology"`
	Topology   string `json:"topology"` // as designed
}

// Verdict is the advice in one place.
type Verdict struct {
	Technology  string   `json:"technology"` // roce, infiniband or undecided
	Rule        string   `json:"rule"`       // that decided; "" without one
	Firm        bool     `json:"firm"`       // no missing fact could turn it
	Reason      string   `json:"reason"`
	Advice      string   `json:"advice"`
	Topology    string   `json:"topology"`                // as the rule names it
	Designed    string   `json:"designed_topology"`       // of this cluster with that technology; "" where it was not designed
	Note        string   `json:"topology_note,omitempty"` // where cluster and rule part
	Agrees      bool     `json:"agrees_with_file"`        // also true where nothing was decided
	WouldChange []Change `json:"would_change"`
}

// Change is a set of answers that would change the technology.
type Change struct {
	Answers    []string `json:"answers"` // as flags
	Technology string   `json:"technology"`
	Rule       string   `json:"rule"`
}

// Fact is an input of the rules.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"` // cluster file, or the flag
}

// Missing is a fact that a rule asked in vain.
type Missing struct {
	Name  string   `json:"name"`
	Rules []string `json:"rules"` // that ask it
	How   string   `json:"how"`   // how to give it
}

// PCIe sums up what the lossless plan found about slots.
type PCIe struct {
	Findings   []Finding `json:"findings"`
	NotChecked []string  `json:"not_checked"` // groups of which too little is known
}

// Finding is a finding of the design, as far as it matters here.
type Finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Message  string `json:"message"`
	Remedy   string `json:"remedy"`
}

// Advise weighs the two technologies for c, of which f is the design as
// declared. The error names every option that is not usable.
func Advise(c *cluster.Cluster, f *fabric.Fabric, opt Options) (*Advice, error) {
	if opt.Thresholds == (Thresholds{}) {
		opt.Thresholds = DefaultThresholds()
	}
	if err := check(c, f, &opt); err != nil {
		return nil, err
	}
	known := gather(c, f, &opt)
	table := rules(opt.Thresholds)
	a := &Advice{
		FormatVersion: 1, Name: c.Name, Thresholds: opt.Thresholds,
		Declared: Declared{Technology: string(f.Technology), Topology: string(f.Topology)},
		Facts:    known.list(), PCIe: pcie(c, f), Published: published(),
	}
	a.Designs = []Design{describe(c, f, true), designOther(c, f, &opt)}
	a.decide(table, known)
	a.price(c, opt.Prices)
	return a, nil
}

// check validates the options.
func check(c *cluster.Cluster, f *fabric.Fabric, opt *Options) error {
	var errs []error
	for _, q := range questions() {
		value := q.field(opt)
		if *value == Unknown {
			*value = ""
		}
		if *value != "" && !slices.Contains(q.values, *value) {
			errs = append(errs, fmt.Errorf("%s: %q is not an answer; use %s or %s", q.flag(), *value, strings.Join(q.values, ", "), Unknown))
		}
	}
	t := opt.Thresholds
	if t.FewDozen < 1 || t.Hundreds < 1 || t.Hundreds >= t.Thousands || t.FewDozen >= t.Thousands || t.FewThousand < t.Thousands {
		errs = append(errs, fmt.Errorf("thresholds must be above zero and rise: few dozen %d, hundreds %d, thousands %d, few thousand %d", t.FewDozen, t.Hundreds, t.Thousands, t.FewThousand))
	}
	if id := opt.OtherSwitch; id != "" {
		hw := c.Catalog.Switch(id)
		switch ethernet := f.Technology == fabric.InfiniBand; {
		case hw == nil:
			errs = append(errs, fmt.Errorf("--other-switch: the catalog has no switch %q; railyard catalog lists them", id))
		case ethernet != (hw.Kind != "ib"):
			errs = append(errs, fmt.Errorf("--other-switch: %s is of kind %s, and the other technology here is %s", id, hw.Kind, title(otherThan(f.Technology))))
		case len(hw.Ports) == 0 || hw.DDC != "":
			errs = append(errs, fmt.Errorf("--other-switch: %s cannot be put in alone: its ports are not known or it is part of a distributed system", id))
		}
	}
	return errors.Join(errs...)
}

// decide runs the rules and writes down what each of them saw.
func (a *Advice) decide(table []rule, known *facts) {
	known.technology, known.topology = known.declared, a.Declared.Topology
	winner := deciding(table, known)
	v := &a.Verdict
	v.Technology, v.Agrees = Undecided, true
	if winner >= 0 {
		r := &table[winner]
		v.Technology, v.Rule, v.Reason, v.Topology = string(r.technology), r.id, r.reason, r.topology
		v.Advice = r.advise(known)
		v.Agrees = r.technology == known.declared
		known.technology = r.technology
	}
	if d := a.designOf(known.technology); d != nil && d.Possible {
		v.Designed, known.topology = d.Topology, d.Topology
	}
	v.Note = topologyNote(v)
	for i := range table {
		a.Rules = append(a.Rules, table[i].result(known, i == winner))
	}
	v.WouldChange = changes(table, known, v.Technology)
	v.Firm = winner >= 0 && len(v.WouldChange) == 0 && !a.openAbove(v)
	if winner < 0 {
		v.Reason = a.whyUndecided()
	}
	a.Missing = missing(table, a.Rules, known, winner)
	a.Conflicts = conflicts(a, table, known, winner)
}

// topologyNote says where the rule's topology is too small for the cluster.
func topologyNote(v *Verdict) string {
	if strings.HasPrefix(v.Topology, "single switch") && !strings.Contains(v.Topology, "else") && v.Designed != "" && v.Designed != string(fabric.SingleSwitch) {
		return "the rule thinks of clusters that fit one switch; this one does not, or the file asks for more"
	}
	return ""
}

// openAbove reports whether a rule above the deciding one lacks a fact and
// would have named the other technology.
func (a *Advice) openAbove(v *Verdict) bool {
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.ID == v.Rule {
			return false
		}
		if r.State == Open && r.Technology != "" && r.Technology != v.Technology {
			return true
		}
	}
	return false
}

func (a *Advice) whyUndecided() string {
	for i := range a.Rules {
		if a.Rules[i].State == Open && a.Rules[i].Technology != "" {
			return "no rule holds with what is known; the open ones need the facts listed as missing"
		}
	}
	return "no rule of the table covers this cluster, and no missing fact would change that; compare the two designs"
}

func (a *Advice) designOf(t fabric.Technology) *Design {
	for i := range a.Designs {
		if a.Designs[i].Technology == string(t) {
			return &a.Designs[i]
		}
	}
	return nil
}

// pcie repeats the lossless plan's findings about slots.
func pcie(c *cluster.Cluster, f *fabric.Fabric) PCIe {
	p := PCIe{Findings: withCode(f, codePCIe), NotChecked: []string{}}
	for i := range c.Servers {
		g := &c.Servers[i]
		if g.Count > 0 && g.PCIe.Gen == 0 && c.Catalog.NIC(g.NIC) == nil {
			p.NotChecked = append(p.NotChecked, g.Name)
		}
	}
	return p
}

func withCode(f *fabric.Fabric, code string) []Finding {
	list := []Finding{}
	for i := range f.Findings {
		if x := &f.Findings[i]; x.Code == code {
			list = append(list, Finding{Severity: string(x.Severity), Code: x.Code, Message: x.Message, Remedy: x.Remedy})
		}
	}
	return list
}

func title(t fabric.Technology) string {
	if t == fabric.InfiniBand {
		return "InfiniBand"
	}
	return "RoCE"
}

func otherThan(t fabric.Technology) fabric.Technology {
	if t == fabric.InfiniBand {
		return fabric.RoCE
	}
	return fabric.InfiniBand
}
