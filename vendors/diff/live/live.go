// Package live reads the running configuration of switches over gNMI and compares
// it with the intent. It only reads: nothing it does can change a switch.
package live

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"railyard/generator/fabric"
	"railyard/vendors/clitree"
	"railyard/vendors/diff"
	"railyard/vendors/gnmi"
	"railyard/vendors/gnmi/dialect"
	"railyard/vendors/rollout/targets"
)

// Options say how the switches are reached. Fabric, Targets, Open and Tables must
// be set.
type Options struct {
	Fabric  *fabric.Fabric
	Targets *targets.File
	Open    targets.Files // opens what the targets file refers to
	// Insecure permits what the targets file asks for: no TLS, or no verification.
	Insecure    bool
	MaxParallel int // switches read at once; 0: 32
	// Tables are those of SONiC's CONFIG_DB that are read beside the intent's.
	Tables []string
	// OpenConfig makes the document of a switch, for devices that show nothing else,
	// and says what it leaves out; nil without one.
	OpenConfig func(*fabric.Fabric, *fabric.Switch) ([]byte, []dialect.Manual, error)
	// Connect opens the connections below TLS; nil: TCP.
	Connect func(ctx context.Context, address string) (net.Conn, error)
	// Warn is told what unprotected connections give up; may be nil.
	Warn func(string)
}

// ErrInfiniBand refuses fabrics whose configuration is no switch's.
var ErrInfiniBand = errors.New("an InfiniBand fabric is configured by its subnet manager, which is not read over gNMI: save its files and use --running")

// Run compares the switches of an intent, all or those a host list or glob selects,
// with what they run. What keeps one from being read is a result of that switch;
// errors are a targets file that leaves a switch out or asks for what is not
// permitted, and a cancelled context.
func Run(ctx context.Context, selected string, intent diff.Intent, o diff.Options, how Options) (*diff.Report, error) {
	if how.Fabric.Technology == fabric.InfiniBand {
		return nil, ErrInfiniBand
	}
	if how.MaxParallel < 0 {
		return nil, errors.New("--max-parallel cannot be negative")
	}
	if how.MaxParallel == 0 {
		how.MaxParallel = 32
	}
	open := func(switches []diff.Switch) (*diff.Source, error) {
		s, err := how.source(switches, o)
		if err != nil {
			return nil, err
		}
		return &diff.Source{Read: s.read}, nil
	}
	return diff.From(ctx, open, how.MaxParallel, selected, intent, o)
}

// source is the switches that were selected.
type source struct {
	*Options
	o    diff.Options
	at   map[string]gnmi.Endpoint // by switch; those that no gNMI shows are left out
	plan map[string]*fabric.Switch
}

// source finds out how to reach the switches.
func (how *Options) source(switches []diff.Switch, o diff.Options) (*source, error) {
	s := &source{Options: how, o: o, at: map[string]gnmi.Endpoint{}, plan: map[string]*fabric.Switch{}}
	for i := range how.Fabric.Switches {
		s.plan[how.Fabric.Switches[i].Name] = &how.Fabric.Switches[i]
	}
	var list []*fabric.Switch
	shown := map[string]bool{"eos": true, "sonic": true}
	for _, sw := range switches {
		f := s.plan[sw.Name]
		if f == nil {
			continue
		}
		if _, ok := shown[f.OS]; !ok { // what a document carries depends on the OS alone
			document, err := s.document(f)
			shown[f.OS] = err != nil || document != nil
		}
		if shown[f.OS] {
			list = append(list, f)
		}
	}
	resolved, err := how.Targets.Resolve(list)
	if err != nil {
		return nil, err
	}
	warnings, err := targets.Permit(resolved, how.Insecure)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		if how.Warn != nil {
			how.Warn(w)
		}
	}
	ends, err := how.Targets.Endpoints(resolved, how.Open)
	if err != nil {
		return nil, err
	}
	for _, e := range ends {
		e.Connect = how.Connect
		if e.MaxAnswer == 0 {
			e.MaxAnswer = mostRead
		}
		s.at[e.Name] = e
	}
	return s, nil
}

func (s *source) document(sw *fabric.Switch) ([]byte, error) {
	if s.OpenConfig == nil {
		return nil, nil
	}
	body, _, err := s.OpenConfig(s.Fabric, sw)
	return body, err
}

// instead is what to do about a switch that gNMI does not show.
const instead = "save its configuration and use --running"

// read is diff.Source's Read.
func (s *source) read(ctx context.Context, name string, intended []diff.File) (diff.Reading, error) {
	at, ok := s.at[name]
	if !ok {
		return diff.Reading{}, fmt.Errorf("%w: its system shows no configuration over gNMI: %s", diff.ErrUnreachable, instead)
	}
	got := diff.Reading{From: "gnmi://" + at.Address}
	ctx, cancel := context.WithTimeout(ctx, longest(at.Timeouts))
	defer cancel()
	d, err := gnmi.Dial(at)
	if err != nil {
		return got, fmt.Errorf("%w: %w", diff.ErrUnreachable, err)
	}
	defer d.Close() // nothing is lost with a connection that only read
	caps, err := d.Capabilities(ctx)
	if err != nil {
		return got, failure(at, err)
	}
	intent := dialect.Intent{Switch: name, OS: s.plan[name].OS, Ignore: s.o.Ignore}
	for _, f := range intended {
		intent.Files = append(intent.Files, fabric.File{Name: f.Name, Body: f.Body})
	}
	var gaps []dialect.Manual
	if s.OpenConfig != nil {
		intent.Document = func() (body []byte, list []dialect.Manual, err error) {
			body, gaps, err = s.OpenConfig(s.Fabric, s.plan[name])
			return body, gaps, err
		}
	}
	speech, manual, err := dialect.Choose(caps, intent, dialect.Differ{Tables: s.Tables})
	if err != nil {
		return got, err
	}
	if speech == nil {
		return got, fmt.Errorf("%w: it cannot be read over gNMI%s: %s", diff.ErrUnreachable, why(manual), instead)
	}
	running, err := speech.Read(ctx, &bounded{device: d, left: at.MaxAnswer})
	if err != nil {
		return got, failure(at, err)
	}
	if host := speech.Host(running); host != name && s.plan[host] != nil {
		return got, fmt.Errorf("the device at %s calls itself %s: check the targets file", at.Address, host)
	}
	err = s.fill(&got, speech, running, gaps)
	return got, err
}

// fill puts what was read into the form that is compared.
func (s *source) fill(got *diff.Reading, speech dialect.Dialect, running []byte, gaps []dialect.Manual) error {
	switch speech.Name() {
	case "cli":
		got.Files = []diff.File{{Name: "startup-config", Body: running}}
		return nil
	case "sonic-db":
		got.Files = []diff.File{{Name: "config_db.json", Body: running}}
		if s.o.Scope == clitree.Full {
			got.Partial = append(got.Partial, "over gNMI only the tables that railyard knows were read: rows of others are not compared")
		}
		return nil
	}
	p, err := speech.Plan(running)
	if err != nil {
		return err
	}
	got.Compared = true
	ignore := clitree.Ignoring(s.o.Ignore)
	for _, c := range p.Changes {
		skip := func(l string) bool { return ignore.Match(c.Path, l) }
		c.Remove, c.Add = slices.DeleteFunc(c.Remove, skip), slices.DeleteFunc(c.Add, skip)
		if len(c.Remove)+len(c.Add) > 0 {
			got.Changes = append(got.Changes, clitree.Change(c))
		}
	}
	got.Partial = append(got.Partial, "it shows OpenConfig only: what it has beside the intent is not seen"+left(gaps))
	return nil
}

// left names what the document does not carry, each once.
func left(gaps []dialect.Manual) string {
	var list []string
	for _, g := range gaps {
		what, _, _ := strings.Cut(g.What, ": ")
		if !slices.Contains(list, what) {
			list = append(list, what)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "; not compared: " + strings.Join(list, ", ")
}

// why is the reason that a list of work by hand gives for a configuration file.
func why(manual []dialect.Manual) string {
	for _, m := range manual {
		if m.File != "" && len(m.Commands) > 0 {
			return " (" + m.What + ")"
		}
	}
	return ""
}
