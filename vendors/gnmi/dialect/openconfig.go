package dialect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"railyard/vendors/gnmi"
)

// flavor is how an OS wants OpenConfig.
type flavor struct {
	origin   string
	json     bool // plain JSON instead of JSON_IETF
	prefixed bool // the first path element carries the module name
	most     int  // bytes of a request; 0: mostOpenConfig
}

// flavors by OS. VRP: configuration guide, gRPC chapters (JSON only, no origin,
// 1 MB). The others follow the specification.
var flavors = map[string]flavor{
	"vrp":     {json: true, prefixed: true, most: 1_000_000},
	"eos":     {origin: "openconfig"},
	"comware": {},
}

// mostOpenConfig is gRPC's default limit of 4 MiB, less a margin.
const mostOpenConfig = 4<<20 - 64<<10

// openConfig writes the entries of an OpenConfig document that differ. An entry
// is merged, so that leaves railyard does not set stay; going back replaces it.
type openConfig struct {
	flavor
	doc  map[string]any
	tops []string // sorted top-level members of the document, with module names
}

func newOpenConfig(f flavor, doc []byte) (*openConfig, error) {
	d := &openConfig{flavor: f}
	if f.most == 0 {
		d.most = mostOpenConfig
	}
	v, err := decode(doc)
	if err != nil {
		return nil, err
	}
	var ok bool
	if d.doc, ok = v.(map[string]any); !ok {
		return nil, fmt.Errorf("not a JSON object")
	}
	for _, top := range slices.Sorted(maps.Keys(d.doc)) {
		if !strings.Contains(top, ":") {
			return nil, fmt.Errorf("%s has no module name", top)
		}
		d.tops = append(d.tops, top)
	}
	return d, nil
}

func decode(b []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// notOffered lists the modules of top containers that the device does not list.
func (d *openConfig) notOffered(caps *gnmi.Capabilities) (missing []string) {
	for _, top := range d.tops {
		if module, _, _ := strings.Cut(top, ":"); !caps.Has(module) {
			missing = append(missing, module)
		}
	}
	return missing
}

func (*openConfig) Name() string { return "openconfig" }

func (d *openConfig) encoding() gpb.Encoding {
	if d.json {
		return gpb.Encoding_JSON
	}
	return gpb.Encoding_JSON_IETF
}

// path turns a unit's place into a gNMI path.
func (d *openConfig) path(at []*gpb.PathElem) *gpb.Path {
	p := &gpb.Path{Origin: d.origin}
	for i, e := range at {
		name := e.GetName()
		if i > 0 || !d.prefixed {
			name = bare(name)
		}
		p.Elem = append(p.Elem, &gpb.PathElem{Name: name, Key: e.GetKey()})
	}
	return p
}

func (d *openConfig) Read(ctx context.Context, r Reader) ([]byte, error) {
	root := map[string]any{}
	for _, top := range d.tops {
		path := d.path([]*gpb.PathElem{{Name: top}})
		list, err := get(ctx, r, path, gpb.GetRequest_CONFIG, d.encoding())
		if status.Code(err) == codes.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, u := range list {
			v, err := value(u.GetVal())
			if err != nil {
				return nil, fmt.Errorf("%q: %w", gnmi.PathString(u.GetPath()), err)
			}
			at := u.GetPath().GetElem()
			if len(at) == 0 {
				at = path.GetElem()
			}
			if bare(at[0].GetName()) != bare(top) {
				if m, ok := v.(map[string]any); !ok || lookup(m, top) == nil {
					return nil, fmt.Errorf("asked for %s, got %q", bare(top), gnmi.PathString(u.GetPath()))
				}
			}
			if err := place(root, slices.Concat([]*gpb.PathElem{{Name: top, Key: at[0].GetKey()}}, at[1:]), v); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(root)
}

// value decodes what a device sent, whichever way it chose.
func value(t *gpb.TypedValue) (any, error) {
	switch v := t.GetValue().(type) {
	case *gpb.TypedValue_JsonIetfVal:
		return decode(v.JsonIetfVal)
	case *gpb.TypedValue_JsonVal:
		return decode(v.JsonVal)
	case *gpb.TypedValue_StringVal:
		return v.StringVal, nil
	case *gpb.TypedValue_BoolVal:
		return v.BoolVal, nil
	case *gpb.TypedValue_IntVal:
		return json.Number(fmt.Sprint(v.IntVal)), nil
	case *gpb.TypedValue_UintVal:
		return json.Number(fmt.Sprint(v.UintVal)), nil
	case *gpb.TypedValue_LeaflistVal:
		list := []any{}
		for _, e := range v.LeaflistVal.GetElement() {
			x, err := value(e)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		return list, nil
	}
	return nil, fmt.Errorf("a value of a kind that no configuration leaf has (%T)", t.GetValue())
}

// Host is not known: the document has no system container.
func (*openConfig) Host([]byte) string { return "" }

func (d *openConfig) Plan(running []byte) (*Plan, error) {
	now, err := tree(running)
	if err != nil {
		return nil, err
	}
	p := &Plan{}
	saved := []savedUnit{}
	var updates []*gpb.Update
	for _, top := range d.tops {
		for _, u := range units([]*gpb.PathElem{{Name: top}}, d.doc[top]) {
			have := find(now, u.at)
			changes := compare(u.label(), have, u.body)
			if len(changes) == 0 {
				continue
			}
			p.Changes = append(p.Changes, changes...)
			saved = append(saved, newSaved(u.at, have))
			up, err := d.update(u.at, u.body)
			if err != nil {
				return nil, err
			}
			updates = append(updates, up)
		}
	}
	p.Requests, err = d.pack(nil, nil, updates)
	if err != nil {
		return nil, err
	}
	p.Undo, err = json.Marshal(saved)
	return p, err
}

func tree(b []byte) (map[string]any, error) {
	v, err := decode(b)
	m, _ := v.(map[string]any)
	return m, err
}

func (d *openConfig) update(at []*gpb.PathElem, body any) (*gpb.Update, error) {
	module, _, _ := strings.Cut(at[0].GetName(), ":")
	for _, e := range at[1:] {
		if m, _, ok := strings.Cut(e.GetName(), ":"); ok {
			module = m
		}
	}
	b, err := json.Marshal(qualified(body, module))
	if err != nil {
		return nil, err
	}
	v := &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: b}}
	if d.json {
		v = &gpb.TypedValue{Value: &gpb.TypedValue_JsonVal{JsonVal: b}}
	}
	return &gpb.Update{Path: d.path(at), Val: v}, nil
}

// qualified gives the outermost members the module name that RFC 7951 wants there.
func qualified(body any, module string) any {
	m, ok := body.(map[string]any)
	if !ok {
		return body
	}
	out := make(map[string]any, len(m))
	for k, v := range m {
		if !strings.Contains(k, ":") {
			k = module + ":" + k
		}
		out[k] = v
	}
	return out
}

// pack fills requests up to the OS's limit.
func (d *openConfig) pack(deletes []*gpb.Path, replaces, updates []*gpb.Update) ([]*gpb.SetRequest, error) {
	var list []*gpb.SetRequest
	add := func(one *gpb.SetRequest) error {
		size := gnmi.Size(one)
		if size > d.most {
			return fmt.Errorf("one entry takes %d bytes, more than the %d the device takes at once", size, d.most)
		}
		if n := len(list); n > 0 && gnmi.Size(list[n-1])+size <= d.most {
			last := list[n-1]
			last.Delete, last.Replace, last.Update = append(last.Delete, one.Delete...), append(last.Replace, one.Replace...), append(last.Update, one.Update...)
			return nil
		}
		list = append(list, one)
		return nil
	}
	for _, p := range deletes {
		if err := add(&gpb.SetRequest{Delete: []*gpb.Path{p}}); err != nil {
			return nil, err
		}
	}
	for _, u := range replaces {
		if err := add(&gpb.SetRequest{Replace: []*gpb.Update{u}}); err != nil {
			return nil, err
		}
	}
	for _, u := range updates {
		if err := add(&gpb.SetRequest{Update: []*gpb.Update{u}}); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// savedUnit is one entry as it was; Body null: it did not exist.
type savedUnit struct {
	At      []savedElem `json:"at"`
	Body    any         `json:"body"`
	Secrets bool        `json:"secrets,omitempty"` // were taken out
}

type savedElem struct {
	Name string            `json:"name"`
	Key  map[string]string `json:"key,omitempty"`
}

func newSaved(at []*gpb.PathElem, body any) savedUnit {
	s := savedUnit{}
	for _, e := range at {
		s.At = append(s.At, savedElem{e.GetName(), e.GetKey()})
	}
	s.Body, s.Secrets = public(body)
	return s
}

func (d *openConfig) Back(now, undo []byte) (*Plan, error) {
	have, err := tree(now)
	if err != nil {
		return nil, err
	}
	var list []savedUnit
	dec := json.NewDecoder(bytes.NewReader(undo))
	dec.UseNumber()
	if err := dec.Decode(&list); err != nil {
		return nil, err
	}
	p := &Plan{}
	var deletes []*gpb.Path
	var replaces, updates []*gpb.Update
	for _, s := range slices.Backward(list) {
		var at []*gpb.PathElem
		for _, e := range s.At {
			at = append(at, &gpb.PathElem{Name: e.Name, Key: e.Key})
		}
		current, _ := public(find(have, at))
		label := unit{at: at}.label()
		changes := slices.Concat(compare(label, current, s.Body), inverse(compare(label, s.Body, current)))
		if len(changes) == 0 {
			continue
		}
		p.Changes = append(p.Changes, changes...)
		if s.Body == nil {
			deletes = append(deletes, d.path(at))
			continue
		}
		u, err := d.update(at, s.Body)
		if err != nil {
			return nil, err
		}
		if s.Secrets {
			p.Notes = append(p.Notes, strings.Join(label, " ")+" holds a secret that was not kept: it is merged, and leaves added since stay")
			updates = append(updates, u)
		} else {
			replaces = append(replaces, u)
		}
	}
	p.Requests, err = d.pack(deletes, replaces, updates)
	return p, err
}

// inverse shows what must go: leaves that only the other side has.
func inverse(list []Change) []Change {
	var out []Change
	for _, c := range list {
		if len(c.Remove) == 0 {
			out = append(out, Change{Path: c.Path, Remove: c.Add, Add: []string{}})
		}
	}
	return out
}
