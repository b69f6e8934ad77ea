package audit

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"railyard/generator/observed"
)

// kin are switches that should be configured alike: one system, one model, one
// place in the fabric.
type kin struct {
	os, hardware string
	edge         bool
}

func (f *whole) kinships() ([]kin, map[kin][]int) {
	groups := map[kin][]int{}
	var order []kin
	for _, m := range f.members {
		sw := f.net.Switches[m]
		if len(f.lossless[m]) == 0 {
			continue
		}
		k := kin{sw.OS, sw.Hardware, f.edge[m]}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], m)
	}
	return order, groups
}

// oddSwitches compares the settings of whole switches.
func (f *whole) oddSwitches() {
	order, groups := f.kinships()
	said := f.saidSoFar()
	for _, k := range order {
		if members := groups[k]; len(members) >= leastTold {
			f.settings(members, said)
			f.rows(members, said)
		}
	}
}

func (f *whole) settings(members []int, said saidSet) {
	type holder struct {
		sw int
		at observed.Line
	}
	values := map[string]map[string][]holder{}
	one := map[string]observed.Setting{}
	owns := make([]map[string]bool, len(f.net.Switches)) // by switch: the profiles and rows it has
	for _, m := range members {
		owns[m] = map[string]bool{"": true}
		for _, s := range f.net.Switches[m].Settings {
			owns[m][s.Of] = true
			if values[s.Name] == nil {
				values[s.Name] = map[string][]holder{}
				one[s.Name] = s
			}
			values[s.Name][s.Value] = append(values[s.Name][s.Value], holder{m, s.At})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		most, total, has := "", 0, map[int]bool{}
		for _, v := range slices.Sorted(maps.Keys(values[name])) {
			at := values[name][v]
			total += len(at)
			for _, h := range at {
				has[h.sw] = true
			}
			if len(at) > len(values[name][most]) {
				most = v
			}
		}
		n := note{severity: observed.Warning, code: "SETTING_DIFFERS", aspect: one[name].Aspect, remedy: "set it as on the other switches of its kind"}
		tell := func(m int) {
			if sw := f.net.Switches[m].Name; !said[saidKey{sw: sw, aspect: n.aspect}] && !said[saidKey{sw: sw, line: n.at}] {
				f.add(spot{m, -1}, n)
			}
		}
		if few := total - len(values[name][most]); few > 0 && (rare(few, total) || hinted(few, total)) {
			n.severity = hint(rare(few, total) && f.wired, observed.Warning)
			for _, v := range slices.Sorted(maps.Keys(values[name])) {
				for _, h := range values[name][v] {
					if v != most {
						n.at, n.what = h.at, fmt.Sprintf("%s is %s here and %s on the other switches of its kind", name, v, most)
						tell(h.sw)
					}
				}
			}
		}
		if few := len(members) - len(has); few > 0 && (rare(few, len(members)) || hinted(few, len(members))) {
			n.severity = hint(rare(few, len(members)) && f.wired, observed.Warning)
			for _, m := range members {
				if !has[m] && owns[m][one[name].Of] {
					n.code, n.at = "SETTING_MISSING", f.besides(m, name)
					n.what = fmt.Sprintf("%s is not set here, on the other switches of its kind it is %s", name, most)
					tell(m)
				}
			}
		}
	}
}

// besides is where a missing setting would stand: at the one whose name is most
// like it.
func (f *whole) besides(m int, name string) observed.Line {
	at, longest := observed.Line(1), -1
	for _, s := range f.net.Switches[m].Settings {
		n := 0
		for n < len(name) && n < len(s.Name) && name[n] == s.Name[n] {
			n++
		}
		if n > longest {
			at, longest = s.At, n
		}
	}
	return at
}

// rows compares the class maps of whole switches row by row; what decides about
// lossless code points is judged elsewhere.
func (f *whole) rows(members []int, said saidSet) {
	first := func(m int) *observed.Maps { return f.net.Switches[m].Ports[f.lossless[m][0]].Maps }
	list := slices.DeleteFunc(slices.Clone(members), func(m int) bool { return first(m) == nil || f.misqueued[m] })
	if len(list) < leastTold {
		return
	}
	check := func(name string, of func(*observed.Maps) []observed.Step, skip func(i int) bool) {
		for i := range of(first(list[0])) {
			if skip != nil && skip(i) {
				continue
			}
			var counts [9]int
			for _, m := range list {
				counts[of(first(m))[i].To+1]++
			}
			most := slices.Index(counts[:], slices.Max(counts[:])) - 1
			if few := len(list) - counts[most+1]; few == 0 || !rare(few, len(list)) && !hinted(few, len(list)) {
				continue
			}
			for _, m := range list {
				if said[saidKey{sw: f.net.Switches[m].Name, aspect: "any dscp-map"}] {
					continue // that may be why
				}
				if step := of(first(m))[i]; int(step.To) != most {
					f.add(spot{m, -1}, note{severity: observed.Info, code: "MAP_DIFFERS", aspect: "dscp-map", at: line(step.At, first(m).DSCPAt, 1),
						what: fmt.Sprintf("%s %d leads to %s here and to %s on the other switches of its kind", name, i, numbered(int(step.To)), numbered(most)), remedy: "map it as the others do"})
				}
			}
		}
	}
	check("DSCP", func(m *observed.Maps) []observed.Step { return m.DSCP[:] }, func(d int) bool { return f.set.priority(d) >= 0 || d == cnp })
	check("traffic class", func(m *observed.Maps) []observed.Step { return m.Queue[:] }, nil)
	check("priority group of class", func(m *observed.Maps) []observed.Step { return m.Group[:] }, nil)
	check("queue that a pause stops, of priority", func(m *observed.Maps) []observed.Step { return m.Pause[:] }, nil)
}

func numbered(n int) string {
	if n < 0 {
		return "none"
	}
	return strings.TrimSpace(fmt.Sprint(n))
}
