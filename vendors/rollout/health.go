package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"

	"railyard/vendors/gnmi"
)

// health is what a switch must have again after a change.
type health struct {
	Sessions  []string          `json:"sessions,omitempty"`  // BGP neighbours whose session is up, sorted
	Neighbors map[string]string `json:"neighbors,omitempty"` // LLDP: port to system name
	Unseen    []string          `json:"unseen,omitempty"`    // what the device does not show
}

// examine reads sessions and neighbours from OpenConfig state, where offered.
func examine(ctx context.Context, d *gnmi.Device, caps *gnmi.Capabilities, origin string) (*health, error) {
	h := &health{}
	encoding := gpb.Encoding_JSON_IETF
	if !caps.Takes(encoding) {
		encoding = gpb.Encoding_JSON
	}
	if caps.Has("openconfig-network-instance") || caps.Has("openconfig-bgp") {
		list, err := state(ctx, d, encoding, &gpb.Path{Origin: origin, Elem: []*gpb.PathElem{
			{Name: "network-instances"}, {Name: "network-instance", Key: map[string]string{"name": "*"}}, {Name: "protocols"},
			{Name: "protocol", Key: map[string]string{"identifier": "*", "name": "*"}}, {Name: "bgp"}, {Name: "neighbors"},
			{Name: "neighbor", Key: map[string]string{"neighbor-address": "*"}}, {Name: "state"}, {Name: "session-state"}}})
		if err != nil {
			return nil, err
		}
		seen := list != nil && len(list) == 0 // no neighbours is an answer too
		for _, u := range list {
			peer := keyOf(u, "neighbor", "neighbor-address")
			seen = seen || peer != ""
			if peer != "" && strings.HasSuffix(text(u), "ESTABLISHED") {
				h.Sessions = append(h.Sessions, peer)
			}
		}
		if !seen {
			h.Unseen = append(h.Unseen, "BGP sessions")
		}
		slices.Sort(h.Sessions)
	} else {
		h.Unseen = append(h.Unseen, "BGP sessions")
	}
	if !caps.Has("openconfig-lldp") {
		h.Unseen = append(h.Unseen, "LLDP neighbours")
		return h, nil
	}
	list, err := state(ctx, d, encoding, &gpb.Path{Origin: origin, Elem: []*gpb.PathElem{
		{Name: "lldp"}, {Name: "interfaces"}, {Name: "interface", Key: map[string]string{"name": "*"}}, {Name: "neighbors"},
		{Name: "neighbor", Key: map[string]string{"id": "*"}}, {Name: "state"}, {Name: "system-name"}}})
	if err != nil {
		return nil, err
	}
	seen := list != nil && len(list) == 0
	for _, u := range list {
		port := keyOf(u, "interface", "name")
		seen = seen || port != ""
		if port != "" && text(u) != "" {
			if h.Neighbors == nil {
				h.Neighbors = map[string]string{}
			}
			h.Neighbors[port] = text(u)
		}
	}
	if !seen {
		h.Unseen = append(h.Unseen, "LLDP neighbours")
	}
	return h, nil
}

// state reads leaves of operational state; nil where the device answers that it
// has none, or no such path.
func state(ctx context.Context, d *gnmi.Device, encoding gpb.Encoding, p *gpb.Path) ([]*gpb.Update, error) {
	r, err := d.Get(ctx, &gpb.GetRequest{Path: []*gpb.Path{p}, Type: gpb.GetRequest_STATE, Encoding: encoding})
	var e *gnmi.Error
	if errors.As(err, &e) && !e.Lost {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := []*gpb.Update{}
	for _, n := range r.GetNotification() {
		for _, u := range n.GetUpdate() {
			list = append(list, &gpb.Update{Path: &gpb.Path{Elem: slices.Concat(n.GetPrefix().GetElem(), u.GetPath().GetElem())}, Val: u.GetVal()})
		}
	}
	return list, nil
}

func keyOf(u *gpb.Update, elem, key string) string {
	for _, e := range u.GetPath().GetElem() {
		name := e.GetName()
		if _, rest, ok := strings.Cut(name, ":"); ok {
			name = rest
		}
		if name == elem {
			return e.GetKey()[key]
		}
	}
	return ""
}

func text(u *gpb.Update) string {
	switch v := u.GetVal().GetValue().(type) {
	case *gpb.TypedValue_StringVal:
		return v.StringVal
	case *gpb.TypedValue_JsonIetfVal:
		return unquote(v.JsonIetfVal)
	case *gpb.TypedValue_JsonVal:
		return unquote(v.JsonVal)
	}
	return ""
}

func unquote(b []byte) string {
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}

// missing says what was there before and is not now.
func (j *job) missing(before, now *health) []string {
	var out []string
	for _, s := range before.Sessions {
		if !slices.Contains(now.Sessions, s) && !j.excused(s) {
			out = append(out, "BGP session with "+s)
		}
	}
	for _, port := range slices.Sorted(maps.Keys(before.Neighbors)) {
		if now.Neighbors[port] != before.Neighbors[port] && !j.excused(port) {
			out = append(out, fmt.Sprintf("LLDP neighbour %q on %s", before.Neighbors[port], port))
		}
	}
	return out
}

// origin is how an OS wants OpenConfig state addressed.
func origin(os string) string {
	if os == "vrp" {
		return ""
	}
	return "openconfig"
}
