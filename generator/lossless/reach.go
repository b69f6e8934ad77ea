package lossless

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/fabric"
	"railyard/generator/quantity"
)

// cable is a class of links that are judged together.
type cable struct {
	speed  int
	length float64
	kind   string
}

// checkReach warns of links that are longer than any cable or transceiver of
// their speed (and type, where the user named one) reaches.
func (p *planner) checkReach() {
	links := map[cable][]int{}
	var classes []cable
	for i := range p.f.Links {
		l := &p.f.Links[i]
		k := cable{l.SpeedGbps, l.LengthM, l.CableType}
		of := links[k]
		if of == nil {
			classes = append(classes, k)
		}
		links[k] = append(of, i)
	}
	slices.SortFunc(classes, func(a, b cable) int {
		return cmp.Or(cmp.Compare(a.speed, b.speed), cmp.Compare(a.length, b.length), cmp.Compare(a.kind, b.kind))
	})
	for _, k := range classes {
		best := longestReach(p.c.Catalog, k)
		if best == nil || best.Reach >= k.length {
			continue
		}
		what := k.kind
		if what == "" {
			what = "any known cable"
		}
		p.find(fabric.Warning, "REACH_EXCEEDED",
			fmt.Sprintf("%dG links of %s: %s reaches %s at most (%s, %s)", k.speed, metres(k.length), what, metres(best.Reach), best.ID, best.Confidence),
			p.reachRemedy(k), "catalog of cables and transceivers, nominal reach", p.ends(links[k]))
	}
}

func (p *planner) reachRemedy(k cable) string {
	if other := longestReach(p.c.Catalog, cable{speed: k.speed, length: k.length}); other != nil && other.Reach >= k.length {
		return fmt.Sprintf("a shorter cable, or %s (%s reaches %s)", other.Kind, other.ID, metres(other.Reach))
	}
	return "a shorter cable, or another transceiver class declared by its type"
}

// ends names links by their two devices.
func (p *planner) ends(links []int) []string {
	names := make([]string, len(links))
	for i, l := range links {
		names[i] = p.f.DeviceName(p.f.Links[l].A) + " to " + p.f.DeviceName(p.f.Links[l].B)
	}
	return names
}

// longestReach is the catalog's farthest-reaching entry for a class. It is nil
// where the catalog does not tell: no entry of that speed and type, or no type
// given and only copper known at that speed.
func longestReach(c *catalog.Catalog, k cable) *catalog.Optic {
	var best *catalog.Optic
	optical := false
	for i := range c.Optics {
		o := &c.Optics[i]
		if !runs(o, k.speed) || k.kind != "" && !isKind(o, k.kind) {
			continue
		}
		optical = optical || o.Kind == "multimode" || o.Kind == "singlemode"
		if best == nil || o.Reach > best.Reach {
			best = o
		}
	}
	if k.kind == "" && !optical {
		return nil
	}
	return best
}

// runs says whether a cable class carries links of that speed, whole or as a
// child of its split.
func runs(o *catalog.Optic, speed int) bool {
	if int(o.Speed) == speed {
		return true
	}
	var s quantity.Split
	return o.Split != "" && s.UnmarshalText([]byte(o.Split)) == nil && int(s.Speed) == speed
}

// isKind matches what a user may write as a cable's type with a catalog entry:
// its id or part number, its kind, or the trade's short names.
func isKind(o *catalog.Optic, kind string) bool {
	kind = strings.ToLower(kind)
	if kind == strings.ToLower(o.ID) || kind == strings.ToLower(o.Part) || kind == o.Kind {
		return true
	}
	short := map[string]string{
		"dac": "copper", "acc": "active-copper", "aec": "active-copper",
		"mm": "multimode", "mmf": "multimode", "sr": "multimode", "sr4": "multimode", "sr8": "multimode",
		"sm": "singlemode", "smf": "singlemode", "lr": "singlemode",
	}
	if full, ok := short[kind]; ok {
		return full == o.Kind
	}
	// dr4 and fr4 are classes of their own inside single mode.
	return strings.HasPrefix(kind, "dr") && strings.Contains(o.ID, "dr4") || strings.HasPrefix(kind, "fr") && strings.Contains(o.ID, "fr4")
}
