package advise

import (
	"fmt"
	"slices"
	"strings"
)

// Conflict is a place where the rules, or the rules and the cluster, contradict
// each other.
type Conflict struct {
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Sides      []string `json:"sides"`
	Resolution string   `json:"resolution"`
}

// conflicts lists them: K1 an accelerator recommended for both, K2 the overlap
// of two sizes, K3 a later rule that points the other way, K4 accelerators of
// different standing in one cluster, K5 an advice that cannot be built.
func conflicts(a *Advice, table []rule, k *facts, winner int) []Conflict {
	list := []Conflict{}
	outcome := "nothing decides yet"
	if winner >= 0 {
		outcome = fmt.Sprintf("rule %s decides: %s", table[winner].id, title(table[winner].technology))
	}
	if c := bothWays(k, outcome); c != nil {
		list = append(list, *c)
	}
	if c := overlap(k, outcome); c != nil {
		list = append(list, *c)
	}
	if winner >= 0 {
		list = append(list, dissent(a, table, winner)...)
	}
	if c := mixed(k); c != nil {
		list = append(list, *c)
	}
	if c := a.cannotBuild(); c != nil {
		list = append(list, *c)
	}
	return list
}

// bothWays is A100: the article calls it a classic pairing with InfiniBand in
// one place and cost-effective on RoCE in another.
func bothWays(k *facts, outcome string) *Conflict {
	for i := range k.groups {
		g := &k.groups[i]
		if g.gpus == 0 || !slices.Contains(highEndFamilies(), g.family) || !slices.Contains(costLedFamilies(), g.family) {
			continue
		}
		name := strings.ToUpper(g.family)
		return &Conflict{
			ID: "K1", Title: name + " is recommended for both technologies",
			Sides: []string{
				"A5: InfiniBand is the established pairing for " + name + " (sections 2.1, 6)",
				"A6: RoCE is the cost-effective choice for " + name + " (section 2.2)",
			},
			Resolution: fmt.Sprintf("scale, budget and team split the two: %s, budget %s, team %s; %s",
				gpuCount(k.gpus), or(k.given["budget"], "not given"), or(k.given["team"], "not given"), outcome),
		}
	}
	return nil
}

func overlap(k *facts, outcome string) *Conflict {
	t := k.thresholds
	if k.main == nil || !slices.Contains(highEndFamilies(), k.main.family) || k.gpus < t.Thousands || k.gpus > t.FewThousand {
		return nil
	}
	return &Conflict{
		ID: "K2", Title: fmt.Sprintf("%d GPUs are both \"thousands\" and \"a few thousand\"", k.gpus),
		Sides: []string{
			fmt.Sprintf("A5: InfiniBand from %d GPUs (section 4.1)", t.Thousands),
			fmt.Sprintf("A6: RoCE up to %d GPUs (section 4.2)", t.FewThousand),
		},
		Resolution: fmt.Sprintf("budget first (%s), then team (%s); %s", or(k.given["budget"], "not given"), or(k.given["team"], "not given"), outcome),
	}
}

// dissent names the rules that hold as well and name the other technology.
func dissent(a *Advice, table []rule, winner int) []Conflict {
	var list []Conflict
	won := &table[winner]
	for i := range a.Rules {
		r := &a.Rules[i]
		if r.State != Fired || r.Technology == "" || r.Technology == string(won.technology) {
			continue
		}
		list = append(list, Conflict{
			ID: "K3", Title: fmt.Sprintf("rule %s points the other way", r.ID),
			Sides: []string{
				fmt.Sprintf("%s: %s, since %s", won.id, title(won.technology), won.reason),
				fmt.Sprintf("%s: %s, since %s", r.ID, title(table[i].technology), r.Reason),
			},
			Resolution: fmt.Sprintf("%s stands above %s in the table; weigh it yourself if %s matters more to you", won.id, r.ID, conditionsOf(&table[i])),
		})
	}
	return list
}

func conditionsOf(r *rule) string {
	what := make([]string, len(r.when))
	for i := range r.when {
		what[i] = r.when[i].what
	}
	return strings.Join(what, " and ")
}

// standing is how the table sees a group's accelerators.
func standing(g *group) string {
	switch {
	case g.class == "domestic" || g.class == "consumer":
		return g.class
	case slices.Contains(highEndFamilies(), g.family) && slices.Contains(costLedFamilies(), g.family):
		return "high-end and cost-led"
	case slices.Contains(highEndFamilies(), g.family):
		return "high-end"
	case slices.Contains(costLedFamilies(), g.family):
		return "cost-led"
	}
	return "named by no rule"
}

func mixed(k *facts) *Conflict {
	var sides, kinds []string
	for i := range k.groups {
		g := &k.groups[i]
		if g.gpus == 0 {
			continue
		}
		s := standing(g)
		sides = append(sides, fmt.Sprintf("%s: %d x %s, %s", g.name, g.gpus, g.gpu, s))
		if !slices.Contains(kinds, s) {
			kinds = append(kinds, s)
		}
	}
	if len(kinds) < 2 {
		return nil
	}
	return &Conflict{
		ID: "K4", Title: "the table judges these accelerators differently", Sides: sides,
		Resolution: fmt.Sprintf("group %s has the most accelerators and stands for the cluster; domestic accelerators and NICs without InfiniBand count wherever they are", k.main.name),
	}
}

// cannotBuild is an advice for hardware that cannot follow it.
func (a *Advice) cannotBuild() *Conflict {
	for i := range a.Designs {
		d := &a.Designs[i]
		if d.Technology != a.Verdict.Technology || d.Possible || len(d.Why) == 0 {
			continue
		}
		return &Conflict{
			ID: "K5", Title: "the advised technology could not be designed with the declared hardware",
			Sides:      []string{fmt.Sprintf("%s: %s", a.Verdict.Rule, a.Verdict.Advice), strings.Join(d.Why, "; ")},
			Resolution: "other NICs or switches are needed before the advice can be followed",
		}
	}
	return nil
}
