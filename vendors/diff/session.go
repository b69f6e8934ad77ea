package diff

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"railyard/vendors/clitree"
)

// Switch is a switch of the intent.
type Switch struct{ Name, OS string }

// Session compares one source with an intent that comes switch by switch.
type Session struct {
	engines *Engines
	source  *Source
	o       Options
	order   map[string]int
	mu      sync.Mutex
	results []Result
}

// NewSession begins a comparison of the named switches, which is the order of the
// report. Until Add or Skip has told of it, a switch counts as unreadable.
func NewSession(e *Engines, source *Source, switches []Switch, o Options) *Session {
	s := &Session{engines: e, source: source, o: o, order: map[string]int{}}
	for i, sw := range switches {
		s.order[sw.Name] = i
		s.results = append(s.results, Result{Name: sw.Name, OS: sw.OS, Status: Unreadable, Reason: "no intended configuration was made for it"})
	}
	return s
}

// Add compares one switch. It may be called by many goroutines; only a cancelled
// context is an error, everything else is a result. Switches that the session was
// not told of are left out.
func (s *Session) Add(ctx context.Context, name string, intended []File) error {
	i, ok := s.order[name]
	if !ok {
		return nil
	}
	r := Result{Name: name, OS: s.results[i].OS}
	e := s.engines.byOS[r.OS]
	if e == nil {
		s.put(i, Result{Name: name, OS: r.OS, Status: Unreadable, Reason: s.engines.unknown(r.OS).Error()})
		return nil
	}
	got, err := s.source.Read(ctx, name, intended)
	r.File = got.From
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrMissing):
		r.Status = Missing
	case errors.Is(err, ErrUnreachable):
		r.Status, r.Reason = Unreachable, strings.TrimPrefix(err.Error(), ErrUnreachable.Error()+": ")
	case err != nil:
		r.Status, r.Reason = Unreadable, err.Error()
	case got.Compared:
		r.judge(outcome{changes: got.Changes, patch: Patch{Notes: []string{"compared as OpenConfig, which has no lines to type: railyard push sends these changes"}}})
	default:
		r.compare(e, got.Files, intended, s.o, true)
		if got.Note != "" && r.Reason == "" {
			r.Reason = got.Note
		}
	}
	for _, text := range got.Partial {
		r.Problems = append(r.Problems, clitree.Problem{Severity: clitree.Doubt, Code: clitree.CodePartial, Text: text})
	}
	s.put(i, r)
	return nil
}

func (s *Session) put(i int, r Result) {
	s.mu.Lock()
	s.results[i] = r
	s.mu.Unlock()
}

// Skip leaves a switch out with a reason, as unreadable.
func (s *Session) Skip(name, reason string) {
	if i, ok := s.order[name]; ok {
		s.put(i, Result{Name: name, OS: s.results[i].OS, Status: Unreadable, Reason: reason})
	}
}

// Report ends the comparison. Configurations of switches nobody intends come last.
func (s *Session) Report() *Report {
	r := &Report{Switches: slices.Clone(s.results)}
	for _, o := range s.source.Others {
		f, err := o.open()
		if err != nil {
			continue
		}
		os := s.engines.recognise(f.Body)
		if os == "" {
			r.Strange = append(r.Strange, o.Name)
			continue
		}
		r.Switches = append(r.Switches, Result{Name: switchName(o.Name), OS: os, File: o.Name, Status: Extra, Reason: "no switch of the cluster has this name"})
	}
	return r
}

// switchName is what a file of a switch outside the intent says its name is: that
// of its folder, if the file's own name is a usual one.
func switchName(p string) string {
	base := strings.TrimSuffix(path.Base(p), ".gz")
	if slices.Contains(usual, base) && path.Dir(p) != "." {
		return path.Base(path.Dir(p))
	}
	return strings.TrimSuffix(base, path.Ext(base))
}

func (r *Result) compare(e engine, running, intended []File, o Options, whole bool) {
	if r.File == "" {
		r.File = running[0].Name
	}
	out, err := e.compare(running, intended, o, whole)
	r.Problems = out.problems
	if err != nil {
		r.Status, r.Reason = Unreadable, err.Error()
		return
	}
	r.judge(out)
}

func (r *Result) judge(out outcome) {
	r.Status = Same
	if len(out.changes) > 0 {
		r.Status, r.Changes, r.Patch = Differs, out.changes, out.patch
	}
}

func (e *Engines) unknown(os string) error {
	return fmt.Errorf("configurations of the system %q cannot be compared; those of %s can", os, strings.Join(e.Names(), ", "))
}

// Pair compares two files of one system. The running one must be whole if the
// intended one is. An error means that they cannot be compared.
func (e *Engines) Pair(os string, running, intended File, o Options) (*Report, error) {
	engine := e.byOS[os]
	if engine == nil {
		return nil, e.unknown(os)
	}
	if err := clitree.CheckIgnore(o.Ignore); err != nil {
		return nil, err
	}
	r := Result{Name: running.Name, OS: os}
	r.compare(engine, []File{running}, []File{intended}, o, false)
	return &Report{Switches: []Result{r}, pair: true}, nil
}
