package target

import (
	"maps"
	"slices"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// state answers the two questions of operational state that a push asks.
func (t *Target) state(p *gpb.Path) ([]*gpb.Update, error) {
	if o := p.GetOrigin(); o != "" && o != "openconfig" {
		return nil, status.Errorf(codes.InvalidArgument, "no state behind origin %s", o)
	}
	e := p.GetElem()
	if len(e) == 0 {
		return nil, status.Error(codes.Unimplemented, "state of everything")
	}
	switch {
	case e[0].GetName() == "network-instances" && t.config.Sessions != nil:
		return t.sessions(), nil
	case e[0].GetName() == "lldp" && t.config.Neighbors != nil:
		return t.neighbors(), nil
	}
	return nil, status.Errorf(codes.Unimplemented, "no model for %s", e[0].GetName())
}

func leaf(v string, elems ...*gpb.PathElem) *gpb.Update {
	return &gpb.Update{Path: &gpb.Path{Elem: elems}, Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: []byte(`"` + v + `"`)}}}
}

func el(name string, kv ...string) *gpb.PathElem {
	e := &gpb.PathElem{Name: name}
	for i := 0; i+1 < len(kv); i += 2 {
		if e.Key == nil {
			e.Key = map[string]string{}
		}
		e.Key[kv[i]] = kv[i+1]
	}
	return e
}

func (t *Target) sessions() []*gpb.Update {
	var list []*gpb.Update
	for _, s := range t.config.Sessions {
		state := "ESTABLISHED"
		if t.down[s] {
			state = "ACTIVE"
		}
		list = append(list, leaf(state, el("network-instances"), el("network-instance", "name", "default"), el("protocols"),
			el("protocol", "identifier", "BGP", "name", "BGP"), el("bgp"), el("neighbors"), el("neighbor", "neighbor-address", s), el("state"), el("session-state")))
	}
	return list
}

func (t *Target) neighbors() []*gpb.Update {
	var list []*gpb.Update
	for _, port := range slices.Sorted(maps.Keys(t.config.Neighbors)) {
		list = append(list, leaf(t.config.Neighbors[port], el("lldp"), el("interfaces"), el("interface", "name", port),
			el("neighbors"), el("neighbor", "id", "1"), el("state"), el("system-name")))
	}
	return list
}
