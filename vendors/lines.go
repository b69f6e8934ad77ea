package vendors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"railyard/generator/fabric"
	"railyard/templates"
	"railyard/vendors/grammar"
)

// lined is a driver whose configuration is lines that a grammar holds.
type lined interface {
	Driver
	Grammar() (*grammar.Grammar, error)
	// Family is the kind of hardware in the grammar's terms; "" where it is not known.
	Family(m *fabric.Model, release string) string
}

// The codes of findings about rendered lines: of an OS with templates of the
// site's own, which is a warning, and of one without, which is an error of railyard.
const (
	TemplateLine = "TEMPLATE_LINE_UNCONFIRMED"
	BuiltInLine  = "LINE_UNCONFIRMED"
)

// Lines holds what the drivers write against the grammars of their OSes. Add may
// be called by many goroutines at once.
type Lines struct {
	set *Set
	f   *fabric.Fabric
	at  map[string]int // switch by name

	left map[string]bool // switches that need no check, by name

	mu    sync.Mutex
	found map[place]*sight
}

// kind is what makes the lines of switches alike but for numbers.
type kind struct {
	os, release string
	role        fabric.Role
	model       int
	ports       int
	asn         bool
}

func kindOf(sw *fabric.Switch) kind {
	return kind{sw.OS, sw.Release, sw.Role, sw.Model, len(sw.Ports), sw.ASN != 0}
}

// mostAlike is how many switches of a kind are checked where the templates are
// railyard's own: tests hold those to the grammar on every fixture and on thousands
// of drawn fabrics, so that more would only cost time on large fabrics.
const mostAlike = 32

// place tells lines that differ only in numbers as one.
type place struct{ os, family, shape string }

// sight is where lines of a place were seen.
type sight struct {
	first    grammar.Doubt // of the first switch
	sw       int
	switches map[int]bool
	lines    int
}

// CheckLines begins a check of what is rendered for a fabric.
func (s *Set) CheckLines(f *fabric.Fabric) *Lines {
	l := &Lines{set: s, f: f, left: map[string]bool{}, found: map[place]*sight{}}
	alike := map[kind]int{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		k := kindOf(sw)
		if alike[k]++; alike[k] > mostAlike && !s.overlaid[sw.OS] {
			l.left[sw.Name] = true
		}
	}
	return l
}

// Add checks the files of one switch of the fabric; those of an OS without templates
// of the site's own only as far as mostAlike goes.
func (l *Lines) Add(sw *fabric.Switch, files []fabric.File) error {
	d, ok := l.set.Driver(sw.OS).(lined)
	if !ok || l.left[sw.Name] {
		return nil
	}
	g, err := l.set.grammar(d)
	if err != nil {
		return err
	}
	family := d.Family(l.f.ModelOf(sw), sw.Release)
	for _, file := range files {
		if file.Name != g.File {
			continue
		}
		if doubts := g.Scan(file.Body, family); len(doubts) > 0 {
			l.note(sw, family, doubts)
		}
	}
	return nil
}

func (l *Lines) note(sw *fabric.Switch, family string, doubts []grammar.Doubt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.number(sw)
	for i := range doubts {
		k := place{sw.OS, family, doubts[i].Shape()}
		s := l.found[k]
		if s == nil {
			s = &sight{sw: -1, switches: map[int]bool{}}
			l.found[k] = s
		}
		if s.sw < 0 || at < s.sw {
			s.first, s.sw = doubts[i], at
		}
		s.switches[at] = true
		s.lines++
	}
}

func (l *Lines) number(sw *fabric.Switch) int {
	if l.at == nil {
		l.at = make(map[string]int, len(l.f.Switches))
		for i := range l.f.Switches {
			l.at[l.f.Switches[i].Name] = i
		}
	}
	return l.at[sw.Name]
}

// mostShown is how many kinds of lines of one OS are told one by one.
const mostShown = 40

// Findings are the lines that no rule confirms, those that differ only in numbers
// as one, in the order of switches and lines.
func (l *Lines) Findings() []fabric.Finding {
	l.mu.Lock()
	defer l.mu.Unlock()
	order := make([]place, 0, len(l.found))
	for k := range l.found {
		order = append(order, k)
	}
	slices.SortFunc(order, func(a, b place) int {
		x, y := l.found[a], l.found[b]
		switch {
		case x.sw != y.sw:
			return x.sw - y.sw
		case x.first.Line != y.first.Line:
			return x.first.Line - y.first.Line
		}
		return strings.Compare(a.shape, b.shape)
	})
	var list []fabric.Finding
	shown, left := map[string]int{}, map[string]int{}
	for _, k := range order {
		if shown[k.os]++; shown[k.os] > mostShown {
			left[k.os]++
			continue
		}
		list = append(list, l.finding(k, l.found[k]))
	}
	for _, os := range l.set.Names() {
		if left[os] > 0 {
			list = append(list, l.unconfirmed(os, fmt.Sprintf("%s: %d more kinds of lines are not confirmed", os, left[os])))
		}
	}
	return list
}

// unconfirmed is a finding whose severity is that of the OS's templates.
func (l *Lines) unconfirmed(os, message string) fabric.Finding {
	x := fabric.Finding{Severity: fabric.Error, Code: BuiltInLine, Message: message,
		Remedy: "railyard wrote what its own rules do not confirm: please report it; --allow " + BuiltInLine + " writes the file all the same"}
	if l.set.overlaid[os] {
		x.Severity, x.Code = fabric.Warning, TemplateLine
		x.Remedy = "correct the template in --templates, or confirm the line on a switch of this kind before you load it everywhere"
	}
	return x
}

func (l *Lines) finding(k place, s *sight) fabric.Finding {
	d := s.first
	g, err := l.set.grammar(l.set.Driver(k.os).(lined))
	if err != nil {
		return l.unconfirmed(k.os, err.Error())
	}
	g.Explain(&d, k.family)
	line := fmt.Sprintf("%q", d.Text)
	if d.Text == "" {
		line = "the end"
	}
	where := fmt.Sprintf("%s line %d", l.f.Switches[s.sw].Name, d.Line)
	if n := s.lines - 1; n > 0 {
		where += fmt.Sprintf(" and %d more like it", n)
	}
	message := fmt.Sprintf("%s: %s in view %s of %s: %s (%s)", g.File, line, d.View, k.os, d.Reason, where)
	if d.Nearest != "" {
		message += "; the nearest rule is " + d.Nearest
	}
	x := l.unconfirmed(k.os, message)
	x.Source = "vendors/" + k.os + "/grammar.yaml"
	for i := range l.f.Switches {
		if s.switches[i] {
			x.Objects = append(x.Objects, l.f.Switches[i].Name)
		}
	}
	return x
}

// grammar parses the grammar of an OS once.
func (s *Set) grammar(d lined) (*grammar.Grammar, error) {
	parse, ok := s.grammars[d.Name()]
	if !ok {
		return nil, fmt.Errorf("no grammar of %s", d.Name())
	}
	return parse()
}

// sketchSecret stands for every secret where lines are looked at without them.
func sketchSecret(fabric.Secret) (string, error) { return "-", nil }

// CheckTemplates renders one switch of each role, model, release and number of
// ports, of the OSes with templates of the site's own, without secrets, and tells
// which lines no grammar confirms. Without such templates it does nothing. The
// error is that of a template, a *templates.Error; where a driver fails for another
// reason, Check has a finding that says so.
func (s *Set) CheckTemplates(ctx context.Context, f *fabric.Fabric) ([]fabric.Finding, error) {
	lines := s.CheckLines(f)
	seen := map[kind]bool{}
	for i := range f.Switches {
		sw := &f.Switches[i]
		k := kindOf(sw)
		d := s.Driver(sw.OS)
		if d == nil || !s.overlaid[sw.OS] || seen[k] {
			continue
		}
		seen[k] = true
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files, err := d.Render(f, sw, sketchSecret)
		if broken := (*templates.Error)(nil); errors.As(err, &broken) {
			return nil, err
		} else if err != nil {
			continue
		}
		if err := lines.Add(sw, files); err != nil {
			return nil, err
		}
	}
	return lines.Findings(), nil
}

// overlaidFolders are the OS folders of a site's templates that hold any.
func overlaidFolders(overlay fs.FS) (map[string]bool, error) {
	out := map[string]bool{}
	if overlay == nil {
		return out, nil
	}
	files, err := fs.Glob(overlay, "*/*.tmpl")
	for _, f := range files {
		folder, _, _ := strings.Cut(f, "/")
		out[folder] = true
	}
	return out, err
}
