package target

import (
	"fmt"
	"strings"
	"time"

	gpb "github.com/openconfig/gnmi/proto/gnmi"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Kind is a way to break.
type Kind int

// The ways to break. Those about applying matter to set, confirm and cancel.
const (
	Refuse      Kind = iota + 1 // answer Code and do nothing
	DropBefore                  // cut the connection, do nothing
	DropAfter                   // do it, cut the connection before the answer
	ErrorAfter                  // do it, answer Code
	Half                        // do the first half, answer Code
	HalfSilent                  // do the first half, answer OK
	Lie                         // do nothing, answer OK
	Slow                        // wait Wait, then do it
	Late                        // cut the connection at once, do it after Wait, which nobody waits for
	Restart                     // do it, restart for Wait with the changes
	RestartLose                 // do it, restart for Wait with the configuration of the start
	CutOff                      // do it; nobody can connect for Wait, or until a commit reverts
	SessionDown                 // do it; BGP sessions fall
	Huge                        // answer Size bytes, 80 MiB where it is 0
	Garbage                     // answer what nobody asked for
)

// Fault breaks one call, or every call of a name.
type Fault struct {
	Call string
	Nth  int // 1-based; 0: every one
	Do   Kind
	Code codes.Code
	Wait time.Duration
	Size int
}

// fault counts a call and returns what is to go wrong with it.
func (t *Target) fault(name string) *Fault {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[name]++
	for i := range t.config.Faults {
		f := &t.config.Faults[i]
		if f.Call == name && (f.Nth == 0 || f.Nth == t.counts[name]) {
			return f
		}
	}
	return nil
}

// SetFaults replaces what is to go wrong from now on; counting starts again.
func (t *Target) SetFaults(list ...Fault) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.config.Faults = list
	t.counts = map[string]int{}
}

// Heal ends every fault: nothing goes wrong from now on, and it can be reached.
func (t *Target) Heal() {
	t.SetFaults()
	t.mu.Lock()
	l := t.listener
	t.mu.Unlock()
	l.setCut(false)
}

func (f *Fault) err() error {
	code := f.Code
	if code == codes.OK {
		code = codes.Internal
	}
	return status.Error(code, "injected fault")
}

// before handles faults that keep a call from being done.
func (t *Target) before(f *Fault) error {
	if f == nil {
		return nil
	}
	switch f.Do {
	case Refuse:
		return f.err()
	case DropBefore:
		t.listener.drop()
		return status.Error(codes.Unavailable, "dropped")
	case Slow:
		time.Sleep(f.Wait)
	}
	return nil
}

// after handles faults that follow a call that was done.
func (t *Target) after(f *Fault) error {
	if f == nil {
		return nil
	}
	switch f.Do {
	case DropAfter:
		t.listener.drop()
		return status.Error(codes.Unavailable, "dropped")
	case ErrorAfter, Half:
		return f.err()
	case Restart, RestartLose:
		t.restart(f.Wait, f.Do == RestartLose)
		t.listener.drop()
		return status.Error(codes.Unavailable, "restarting")
	case CutOff:
		t.listener.setCut(true)
		t.listener.drop()
		l := t.listener
		if f.Wait > 0 {
			time.AfterFunc(f.Wait, func() { l.setCut(false) })
		}
		return status.Error(codes.Unavailable, "cut off")
	case SessionDown:
		t.mu.Lock()
		for _, s := range t.config.Sessions {
			t.down[s] = true
		}
		t.mu.Unlock()
	}
	return nil
}

// half keeps the first half of a request's operations, or of its lines.
func half(req *gpb.SetRequest) *gpb.SetRequest {
	out := &gpb.SetRequest{Prefix: req.GetPrefix()}
	n := (len(req.GetDelete()) + len(req.GetReplace()) + len(req.GetUpdate()) + 1) / 2
	for _, d := range req.GetDelete() {
		if n--; n >= 0 {
			out.Delete = append(out.Delete, d)
		}
	}
	for _, r := range req.GetReplace() {
		if n--; n >= 0 {
			out.Replace = append(out.Replace, r)
		}
	}
	for _, u := range req.GetUpdate() {
		if n--; n < 0 {
			break
		}
		if text := u.GetVal().GetAsciiVal(); text != "" {
			lines := strings.SplitAfter(text, "\n")
			u = &gpb.Update{Path: u.GetPath(), Val: &gpb.TypedValue{Value: &gpb.TypedValue_AsciiVal{AsciiVal: strings.Join(lines[:(len(lines)+1)/2], "")}}}
		}
		out.Update = append(out.Update, u)
	}
	return out
}

func huge(size int) *gpb.GetResponse {
	if size == 0 {
		size = 80 << 20
	}
	return &gpb.GetResponse{Notification: []*gpb.Notification{{Update: []*gpb.Update{{Path: &gpb.Path{},
		Val: &gpb.TypedValue{Value: &gpb.TypedValue_AsciiVal{AsciiVal: strings.Repeat("! filler\n", size/9)}}}}}}}
}

func garbage() *gpb.GetResponse {
	return &gpb.GetResponse{Notification: []*gpb.Notification{{Update: []*gpb.Update{{Path: &gpb.Path{Elem: []*gpb.PathElem{{Name: "\x1b[2J"}}},
		Val: &gpb.TypedValue{Value: &gpb.TypedValue_JsonIetfVal{JsonIetfVal: fmt.Appendf(nil, "[1,{\"x\":\x00")}}}}}}}
}
