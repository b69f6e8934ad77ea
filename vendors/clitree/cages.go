package clitree

import "strings"

// cages finds ports that are split or joined. Their old sections go by themselves.
func (p *patcher) cages(run, want *section) {
	if p.rules.Cage == nil {
		return
	}
	type state struct{ whole, parts []*entry }
	index := func(s *section) (map[string]*state, []string) {
		m := map[string]*state{}
		var order []string
		for _, e := range s.entries {
			cage, part, ok := p.rules.Cage(e.show)
			if !ok {
				continue
			}
			if m[cage] == nil {
				m[cage] = &state{}
				order = append(order, cage)
			}
			if part {
				m[cage].parts = append(m[cage].parts, e)
			} else {
				m[cage].whole = append(m[cage].whole, e)
			}
		}
		return m, order
	}
	old, _ := index(run)
	wanted, order := index(want)
	for _, cage := range order {
		w, o := wanted[cage], old[cage]
		var goes []*entry
		var first *entry
		switch {
		case o == nil && len(w.parts) == 0:
			continue
		case len(w.parts) > 0 && (o == nil || len(o.parts) == 0):
			first = w.parts[0]
			if o != nil {
				goes = o.whole
			}
		case len(w.whole) > 0 && len(o.parts) > 0:
			first, goes = w.whole[0], o.parts
		case o != nil && len(w.whole) > 0 && len(o.whole) > 0 && kind(w.whole[0].show) != kind(o.whole[0].show):
			first, goes = w.whole[0], o.whole // the cage runs at another speed
		case len(w.parts) > 0 && len(o.parts) > 0 && kind(w.parts[0].show) != kind(o.parts[0].show):
			first, goes = w.parts[0], o.parts
		default:
			continue
		}
		for _, e := range goes {
			p.wiped[e] = true
		}
		p.splitting(first.show, len(w.parts) == 0)
	}
}

// kind is a header up to its number: the interface type.
func kind(header string) string {
	_, name, _ := strings.Cut(header, " ")
	if cut := numberAt(name); cut > 0 {
		return name[:cut]
	}
	return name
}

func (p *patcher) splitting(header string, whole bool) {
	if p.rules.Split == nil {
		return
	}
	commands, remark := p.rules.Split(header, whole)
	if remark != "" {
		p.split = append(p.split, Step{Text: remark, Remark: true})
	}
	depth := 0
	for _, c := range commands {
		if c == p.rules.Leave {
			depth--
			p.split = append(p.split, Step{Text: c, Depth: depth + 1})
			continue
		}
		p.split = append(p.split, Step{Text: c, Depth: depth})
		if strings.HasPrefix(c, "interface ") {
			depth++
		}
	}
}
