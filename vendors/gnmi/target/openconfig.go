package target

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"github.com/openconfig/ygot/ygot"
	"github.com/openconfig/ygot/ytypes"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// oc is an OpenConfig tree that a ygot schema checks.
type oc struct{ schema *ytypes.Schema }

func parseOpenConfig(schema func() (*ytypes.Schema, error), body []byte) (store, error) {
	if schema == nil {
		return nil, errors.New("an OpenConfig target needs a schema")
	}
	s, err := schema()
	if err != nil {
		return nil, err
	}
	if len(body) > 0 {
		if err := s.Unmarshal(body, s.Root); err != nil {
			return nil, err
		}
	}
	return &oc{s}, nil
}

var ietf = &ygot.RFC7951JSONConfig{AppendModuleName: true}

func (o *oc) dump() []byte {
	b, err := ygot.Marshal7951(o.schema.Root, ietf, ygot.JSONIndent("  "))
	if err != nil {
		return []byte(err.Error())
	}
	return b
}

// normal takes the module names out of a path and refuses origins.
func normal(p *gpb.Path) (*gpb.Path, error) {
	if o := p.GetOrigin(); o != "" && o != "openconfig" {
		return nil, status.Errorf(codes.InvalidArgument, "origin %q is not known", o)
	}
	out := &gpb.Path{}
	for _, e := range p.GetElem() {
		name := e.GetName()
		if _, rest, ok := strings.Cut(name, ":"); ok {
			name = rest
		}
		if name == "state" {
			return nil, status.Error(codes.InvalidArgument, "state is read only")
		}
		out.Elem = append(out.Elem, &gpb.PathElem{Name: name, Key: e.GetKey()})
	}
	return out, nil
}

func (o *oc) get(p *gpb.Path, _ *gpb.GetRequest) ([]*gpb.Update, error) {
	at, err := normal(p)
	if err != nil {
		return nil, err
	}
	nodes, err := ytypes.GetNode(o.schema.RootSchema(), o.schema.Root, at)
	if err != nil || len(nodes) == 0 || nodes[0].Data == nil {
		return nil, status.Errorf(codes.NotFound, "nothing at %v", at)
	}
	b, err := ygot.Marshal7951(nodes[0].Data, ietf)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	return []*gpb.Update{{Path: p, Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: b}}}}, nil
}

func (o *oc) set(req *gpb.SetRequest) (store, error) {
	clean := &gpb.SetRequest{}
	for _, p := range req.GetDelete() {
		at, err := normal(p)
		if err != nil {
			return nil, err
		}
		if n := len(at.GetElem()); n > 1 && isKey(at) {
			return nil, status.Error(codes.InvalidArgument, "deletes the key of a list entry")
		}
		clean.Delete = append(clean.Delete, at)
	}
	for i, u := range slices.Concat(req.GetReplace(), req.GetUpdate()) {
		at, err := normal(u.GetPath())
		if err != nil {
			return nil, err
		}
		v := u.GetVal()
		if j := v.GetJsonVal(); j != nil {
			v = &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: j}}
		}
		if i < len(req.GetReplace()) {
			clean.Replace = append(clean.Replace, &gpb.Update{Path: at, Val: v})
		} else {
			clean.Update = append(clean.Update, &gpb.Update{Path: at, Val: v})
		}
	}
	copied, err := ygot.DeepCopy(o.schema.Root)
	if err != nil {
		return nil, status.Error(codes.Internal, err.Error())
	}
	next := &ytypes.Schema{Root: copied, SchemaTree: o.schema.SchemaTree, Unmarshal: o.schema.Unmarshal}
	if err := ytypes.UnmarshalSetRequest(next, clean); err != nil {
		return nil, refusal(err)
	}
	valid, ok := next.Root.(ygot.ValidatedGoStruct)
	if !ok {
		return nil, status.Error(codes.Internal, "a schema without validation")
	}
	if err := valid.Validate(); err != nil {
		return nil, refusal(err)
	}
	return &oc{next}, nil
}

// isKey reports whether the last element is a key leaf of the entry above.
func isKey(p *gpb.Path) bool {
	n := len(p.GetElem())
	last := p.GetElem()[n-1].GetName()
	for i := n - 2; i >= 0 && i >= n-3; i-- {
		if _, ok := p.GetElem()[i].GetKey()[last]; ok {
			return true
		}
	}
	return false
}

// refusal keeps what ygot says short: it likes to print schemas.
func refusal(err error) error {
	s := err.Error()
	if len(s) > 500 {
		s = s[:500]
	}
	return status.Error(codes.InvalidArgument, fmt.Sprintf("not valid: %s", s))
}
