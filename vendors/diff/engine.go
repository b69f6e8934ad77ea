package diff

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"railyard/vendors/clitree"
	"railyard/vendors/comware"
	"railyard/vendors/cumulus"
	"railyard/vendors/diff/manager"
	"railyard/vendors/eos"
	"railyard/vendors/rgos"
	"railyard/vendors/sonic"
	"railyard/vendors/vrp"
	"railyard/vendors/zxros"
)

// engine compares the files of one switch. It may be used by many goroutines.
type engine interface {
	// main is the name of the file that holds the configuration; others are names
	// that saved ones go by.
	main() string
	// compare fills changes, problems and patch. whole says that the running text
	// must be a whole configuration. An error means that it cannot be read.
	compare(running, intended []File, o Options, whole bool) (outcome, error)
	// knows tells whether a text is of this system, for files that nobody asked for.
	knows(body []byte) bool
}

type outcome struct {
	changes  []clitree.Change
	problems []clitree.Problem
	patch    Patch
}

// Engines are the systems that can be compared, by the name cluster files use.
type Engines struct{ byOS map[string]engine }

// Load makes the engines ready. An error is a mistake in a system's rules.
func Load() (*Engines, error) {
	e := &Engines{byOS: map[string]engine{"sonic": nil, "cumulus": nvue{}, "opensm": managerFiles{}, "ufm": managerFiles{},
		"mlnx-os": managerCommands{manager.MLNXOS, ".cli"}, "nvos": managerCommands{manager.NVOS, ".nvue"}}}
	for _, c := range []struct {
		os, file string
		rules    *clitree.Rules
	}{
		{"comware", "startup.cfg", comware.DiffRules()}, {"vrp", "vrpcfg.cfg", vrp.DiffRules()}, {"eos", "startup-config", eos.DiffRules()},
		{"rgos", "config.text", rgos.DiffRules()}, {"zxros", "startrun.dat", zxros.DiffRules()},
	} {
		compiled, err := clitree.Compile(c.rules)
		if err != nil {
			return nil, fmt.Errorf("rules of %s: %w", c.os, err)
		}
		e.byOS[c.os] = &cli{rules: c.rules, comparer: compiled, file: c.file}
	}
	frr, err := clitree.Compile(sonic.DiffFRR())
	if err != nil {
		return nil, fmt.Errorf("rules of frr.conf: %w", err)
	}
	e.byOS["sonic"] = &configDB{frr: cli{rules: sonic.DiffFRR(), comparer: frr, file: "frr.conf"}}
	return e, nil
}

// Names are the systems, sorted.
func (e *Engines) Names() []string {
	var names []string
	for n := range e.byOS {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// recognise finds the system of a text.
func (e *Engines) recognise(body []byte) string {
	for _, os := range e.Names() {
		if e.byOS[os].knows(body) {
			return os
		}
	}
	return ""
}

// pick returns the file of a name, else the first.
func pick(files []File, name string) (File, bool) {
	for _, f := range files {
		if path.Base(f.Name) == name {
			return f, true
		}
	}
	if len(files) == 0 {
		return File{}, false
	}
	return files[0], true
}

// cli is an engine for indented command lines.
type cli struct {
	rules    *clitree.Rules
	comparer *clitree.Comparer
	file     string
}

func (c *cli) main() string { return c.file }

func (c *cli) knows(body []byte) bool {
	_, problems := clitree.Parse(body, c.rules.Syntax)
	return clitree.Worst(problems, clitree.Fatal) == nil && clitree.Recognise(body) == c.rules.Syntax.Name
}

func (c *cli) compare(running, intended []File, o Options, whole bool) (outcome, error) {
	runFile, _ := pick(running, c.file)
	wantFile, ok := pick(intended, c.file)
	if !ok {
		return outcome{}, fmt.Errorf("the intent has no %s", c.file)
	}
	want, wantProblems := clitree.Parse(wantFile.Body, c.rules.Syntax)
	if p := clitree.Worst(wantProblems, clitree.Fatal); p != nil && p.Code != clitree.CodeTruncated {
		return outcome{}, fmt.Errorf("the intended configuration: %s", p)
	}
	run, problems := clitree.Parse(runFile.Body, c.rules.Syntax)
	out := outcome{problems: problems}
	if p := unusable(problems, whole || !cut(wantProblems)); p != nil {
		return out, fmt.Errorf("%s", p)
	}
	out.changes = c.comparer.Compare(run, want, o.Options)
	if o.Patch && len(out.changes) > 0 {
		out.patch = c.patch(c.comparer.Patch(run, want, o.Options))
	}
	return out, nil
}

// unusable returns the problem that makes a text useless. Of a whole
// configuration nothing may be missing: what is not there would be taken for
// deleted.
func unusable(problems []clitree.Problem, whole bool) *clitree.Problem {
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		return p
	}
	for i, p := range problems {
		if whole && (p.Code == clitree.CodeTruncated || p.Code == clitree.CodePartial || p.Code == clitree.CodeUnclosed) && p.Severity == clitree.Doubt {
			return &problems[i]
		}
	}
	return nil
}

func cut(problems []clitree.Problem) bool {
	return slices.ContainsFunc(problems, func(p clitree.Problem) bool { return p.Code == clitree.CodeTruncated })
}

func (c *cli) patch(steps []clitree.Step) Patch {
	var b strings.Builder
	p := Patch{File: "patch.txt"}
	for _, s := range steps {
		b.WriteString(strings.Repeat(" ", s.Depth))
		if s.Remark {
			b.WriteByte(c.rules.Syntax.Separator)
			b.WriteByte(' ')
			p.Notes = append(p.Notes, s.Text)
		}
		b.WriteString(s.Text)
		b.WriteByte('\n')
	}
	p.Body = []byte(b.String())
	return p
}

// configDB is SONiC's engine: tables, and frr.conf where railyard writes one.
type configDB struct{ frr cli }

const (
	configDBFile = "config_db.json"
	frrFile      = "frr.conf"
)

func (c *configDB) main() string { return configDBFile }

func (c *configDB) knows(body []byte) bool {
	db, problems := sonic.DiffRead(body)
	return clitree.Worst(problems, clitree.Fatal) == nil && db.Has("PORT")
}

func (c *configDB) compare(running, intended []File, o Options, whole bool) (outcome, error) {
	var out outcome
	wantFile, ok := pick(intended, configDBFile)
	if !ok {
		return out, fmt.Errorf("the intent has no %s", configDBFile)
	}
	runFile, _ := pick(running, configDBFile)
	if isFRR(wantFile) {
		return c.frr.compare(running, intended, o, whole)
	}
	want, problems := sonic.DiffRead(wantFile.Body)
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		return out, fmt.Errorf("the intended configuration: %s", p)
	}
	run, problems := sonic.DiffRead(runFile.Body)
	out.problems = problems
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		return out, fmt.Errorf("%s", p)
	}
	out.changes = run.Compare(want, o.Options)
	if o.Patch && len(out.changes) > 0 {
		body, notes, err := run.Patch(want, o.Options)
		if err != nil {
			return out, err
		}
		out.patch = Patch{File: "patch.json", Body: body, Notes: notes}
	}
	if _, ok := named(running, frrFile); !ok && run.Routing() != "" {
		running = append(slices.Clone(running), File{frrFile, []byte(run.Routing())})
	}
	return out, c.routing(&out, running, intended, o)
}

func isFRR(f File) bool {
	return path.Base(f.Name) != configDBFile && !strings.HasPrefix(strings.TrimSpace(string(f.Body[:min(len(f.Body), 512)])), "{") && strings.HasSuffix(f.Name, ".conf")
}

// routing compares frr.conf where the intent has one.
func (c *configDB) routing(out *outcome, running, intended []File, o Options) error {
	want, ok := named(intended, frrFile)
	if !ok {
		return nil
	}
	run, ok := named(running, frrFile)
	if !ok {
		out.problems = append(out.problems, clitree.Problem{Severity: clitree.Doubt, Code: clitree.CodePartial,
			Text: "the intent has a frr.conf, but none came with config_db.json (gNMI does not show it): routing is not compared"})
		return nil
	}
	frr, err := c.frr.compare([]File{run}, []File{want}, o, false)
	if err != nil {
		return fmt.Errorf("frr.conf: %w", err)
	}
	for _, ch := range frr.changes {
		ch.Path = append([]string{"frr.conf"}, ch.Path...)
		out.changes = append(out.changes, ch)
	}
	out.problems = append(out.problems, frr.problems...)
	if len(frr.patch.Body) > 0 {
		out.patch.Notes = append(out.patch.Notes, "frr.conf differs too; in vtysh:\n"+string(frr.patch.Body))
	}
	return nil
}

func named(files []File, name string) (File, bool) {
	for _, f := range files {
		if path.Base(f.Name) == name {
			return f, true
		}
	}
	return File{}, false
}

// nvue is Cumulus Linux's engine.
type nvue struct{}

func (nvue) main() string { return "startup.yaml" }

func (nvue) knows(body []byte) bool {
	_, err := cumulus.DiffRead(body)
	return err == nil
}

func (n nvue) compare(running, intended []File, o Options, _ bool) (outcome, error) {
	wantFile, ok := pick(intended, n.main())
	if !ok {
		return outcome{}, fmt.Errorf("the intent has no %s", n.main())
	}
	want, err := cumulus.DiffRead(wantFile.Body)
	if err != nil {
		return outcome{}, fmt.Errorf("the intended configuration: %w", err)
	}
	runFile, _ := pick(running, n.main())
	run, err := cumulus.DiffRead(runFile.Body)
	if err != nil {
		return outcome{}, err
	}
	out := outcome{changes: run.Compare(want, o.Options)}
	for _, text := range run.Doubts() {
		out.problems = append(out.problems, clitree.Problem{Severity: clitree.Doubt, Code: clitree.CodeTruncated, Text: text})
	}
	if o.Patch && len(out.changes) > 0 {
		out.patch = Patch{File: "patch.txt", Body: run.Patch(want, o.Options)}
	}
	return out, nil
}
