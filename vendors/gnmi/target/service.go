package target

import (
	"context"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	ext "github.com/openconfig/gnmi/proto/gnmi_ext"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type service struct {
	gpb.UnimplementedGNMIServer
	t *Target
}

// enter is what every call passes: login and the time a device takes.
func (s *service) enter(ctx context.Context, name string, set *gpb.SetRequest) (*Fault, error) {
	t := s.t
	t.mu.Lock()
	t.calls = append(t.calls, Call{name, set})
	t.mu.Unlock()
	if t.config.Username != "" {
		md, _ := metadata.FromIncomingContext(ctx)
		if first(md["username"]) != t.config.Username || first(md["password"]) != t.config.Password {
			return nil, status.Error(codes.Unauthenticated, "wrong user or password "+first(md["password"]))
		}
	}
	time.Sleep(t.config.Latency)
	f := t.fault(name)
	return f, t.before(f)
}

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func (s *service) Capabilities(ctx context.Context, _ *gpb.CapabilityRequest) (*gpb.CapabilityResponse, error) {
	f, err := s.enter(ctx, "capabilities", nil)
	if err != nil {
		return nil, err
	}
	c := &s.t.config
	r := &gpb.CapabilityResponse{GNMIVersion: "0.7.0", SupportedEncodings: []gpb.Encoding{gpb.Encoding_JSON}}
	switch {
	case c.OS == "eos" && !c.Plain:
		r.SupportedEncodings = append(r.SupportedEncodings, gpb.Encoding_JSON_IETF, gpb.Encoding_ASCII)
	case c.OS == "sonic":
		r.SupportedEncodings = append(r.SupportedEncodings, gpb.Encoding_JSON_IETF, gpb.Encoding_PROTO)
	case c.OS != "vrp":
		r.SupportedEncodings = append(r.SupportedEncodings, gpb.Encoding_JSON_IETF)
	}
	models := c.Models
	if c.Sessions != nil {
		models = append(models, "openconfig-network-instance", "openconfig-bgp")
	}
	if c.Neighbors != nil {
		models = append(models, "openconfig-lldp")
	}
	for _, m := range models {
		r.SupportedModels = append(r.SupportedModels, &gpb.ModelData{Name: m, Organization: "OpenConfig working group", Version: "1.0.0"})
	}
	return r, s.t.after(f)
}

func (s *service) Get(ctx context.Context, req *gpb.GetRequest) (*gpb.GetResponse, error) {
	state := req.GetType() == gpb.GetRequest_STATE
	name := "get"
	if state {
		name = "state"
	}
	f, err := s.enter(ctx, name, nil)
	if err != nil {
		return nil, err
	}
	if f != nil && f.Do == Huge {
		return huge(f.Size), nil
	}
	if f != nil && f.Do == Garbage {
		return garbage(), nil
	}
	if len(req.GetPath()) == 0 {
		return nil, status.Error(codes.InvalidArgument, "a get without a path")
	}
	n := &gpb.Notification{Timestamp: time.Now().UnixNano()}
	t := s.t
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range req.GetPath() {
		var list []*gpb.Update
		if state {
			list, err = t.state(p)
		} else {
			list, err = t.running.get(p, req)
		}
		if err != nil {
			return nil, err
		}
		n.Update = append(n.Update, list...)
	}
	t.mu.Unlock()
	err = t.after(f)
	t.mu.Lock()
	return &gpb.GetResponse{Notification: []*gpb.Notification{n}}, err
}

func (s *service) Set(ctx context.Context, req *gpb.SetRequest) (*gpb.SetResponse, error) {
	c, err := extension(req)
	if err != nil {
		return nil, err
	}
	t := s.t
	f, err := s.enter(ctx, t.callName(c), req)
	if err != nil {
		return nil, err
	}
	if f != nil && f.Do == Lie {
		return answer(req), nil
	}
	if f != nil && f.Do == Late {
		time.AfterFunc(f.Wait, func() {
			t.mu.Lock()
			defer t.mu.Unlock()
			_ = t.apply(req, c, nil) // nobody is there to be told
		})
		t.listener.drop()
		return nil, status.Error(codes.Unavailable, "dropped")
	}
	t.mu.Lock()
	err = t.apply(req, c, f)
	t.mu.Unlock()
	if err != nil {
		return nil, err
	}
	if err := t.after(f); err != nil {
		return nil, err
	}
	return answer(req), nil
}

// apply does a request that arrived; the lock is held.
func (t *Target) apply(req *gpb.SetRequest, c *ext.Commit, f *Fault) error {
	if done, err := t.commitRules(req, c); done || err != nil {
		return err
	}
	if f != nil && (f.Do == Half || f.Do == HalfSilent) {
		req = half(req)
	}
	if len(req.GetUnionReplace()) > 0 {
		return status.Error(codes.Unimplemented, "union_replace")
	}
	before := t.running
	after, err := before.set(req)
	if err != nil {
		return err
	}
	t.running = after
	if c != nil {
		t.hold(c, before)
	}
	return nil
}

// answer has one result for each operation, in the order they were done.
func answer(req *gpb.SetRequest) *gpb.SetResponse {
	r := &gpb.SetResponse{Timestamp: time.Now().UnixNano()}
	add := func(p *gpb.Path, op gpb.UpdateResult_Operation) {
		r.Response = append(r.Response, &gpb.UpdateResult{Path: p, Op: op})
	}
	for _, p := range req.GetDelete() {
		add(p, gpb.UpdateResult_DELETE)
	}
	for _, u := range req.GetReplace() {
		add(u.GetPath(), gpb.UpdateResult_REPLACE)
	}
	for _, u := range req.GetUpdate() {
		add(u.GetPath(), gpb.UpdateResult_UPDATE)
	}
	return r
}
