package gnmi

import (
	"maps"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
)

// Path builds a path of plain elements.
func Path(origin string, elems ...string) *gpb.Path {
	p := &gpb.Path{Origin: origin}
	for _, e := range elems {
		p.Elem = append(p.Elem, &gpb.PathElem{Name: e})
	}
	return p
}

// PathString writes a path as people do: origin:/a/b[key=value].
func PathString(p *gpb.Path) string {
	var b strings.Builder
	if p.GetOrigin() != "" {
		b.WriteString(p.GetOrigin() + ":")
	}
	if len(p.GetElem()) == 0 {
		b.WriteString("/")
	}
	for _, e := range p.GetElem() {
		b.WriteString("/" + e.GetName())
		for _, k := range slices.Sorted(maps.Keys(e.GetKey())) {
			b.WriteString("[" + k + "=" + strings.NewReplacer(`\`, `\\`, `]`, `\]`).Replace(e.GetKey()[k]) + "]")
		}
	}
	return b.String()
}
