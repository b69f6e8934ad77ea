package cluster

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"railyard/generator/catalog"
	"railyard/generator/strict"
)

// hardware lays the site's catalog entries over the built-in ones: those of
// catalog.file first, then those of the cluster file.
func (l *loader) hardware() {
	var checks []func() // once all entries are known, since they may name each other
	if file := l.c.Hardware.File; file != "" && l.usable("catalog.file") {
		if h, problem := l.hardwareFile(file); h != nil {
			checks = append(checks, l.entries(*h, "", problem))
		}
	}
	checks = append(checks, l.entries(l.c.Hardware, "catalog.", l.c.Problem))
	for _, check := range checks {
		check()
	}
}

// hardwareFile reads catalog.file; nil when it has problems.
func (l *loader) hardwareFile(file string) (*Hardware, problemFunc) {
	f := l.open("catalog.file", file)
	if f == nil {
		return nil, nil
	}
	defer f.Close()
	file = l.beside(file)
	doc, problems := strict.Parse(file, f)
	if problems != nil {
		l.report.Add(problems[0])
		l.bad = append(l.bad, "catalog")
		return nil, nil
	}
	var h Hardware
	at, report := doc.Decode(&h, l.options())
	if l.report.Merge(report); report.Len() > 0 {
		l.bad = append(l.bad, "catalog")
		return nil, nil
	}
	part := &Cluster{file: file, positions: at}
	if h.File != "" {
		l.report.Add(part.Problem("file", "a catalog file cannot name another", "put the entries into one file"))
	}
	return &h, part.Problem
}

// open opens a file beside the cluster file; nil with a problem when it cannot.
func (l *loader) open(key, file string) fs.File {
	switch {
	case l.files == nil:
		l.fail(key, "put the cluster into a file beside it", "%s cannot be read: the cluster file has no folder, because it comes from a pipe", quote(file))
		return nil
	case !fs.ValidPath(file) || file == ".":
		l.fail(key, "name a file in the folder of the cluster file, or below it, with / between folders", "%s leads out of the folder of the cluster file", quote(file))
		return nil
	}
	f, err := l.files.Open(file)
	if err != nil {
		l.fail(key, "", "cannot be read: %v", err)
		return nil
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		l.fail(key, "", "%s is not a regular file", quote(file))
		return nil
	}
	return f
}

// beside is the name of a file in the folder of the cluster file, as the user
// would have to spell it.
func (l *loader) beside(file string) string { return path.Join(path.Dir(l.c.file), file) }

// problemFunc makes a problem about a key of one file.
type problemFunc func(path, message, remedy string) Problem

// entries checks catalog entries and lays them over the catalog; what they name
// is left to the func that it returns. An entry that does not say how well it is
// known is declared.
func (l *loader) entries(h Hardware, prefix string, problem problemFunc) (references func()) {
	e := &entryCheck{l: l, prefix: prefix, problem: problem}
	unique(e, "gpus", h.GPUs, func(x *catalog.GPU) (string, *catalog.Confidence) { return x.ID, &x.Confidence })
	unique(e, "servers", h.Servers, func(x *catalog.Server) (string, *catalog.Confidence) { return x.ID, &x.Confidence })
	unique(e, "nics", h.NICs, func(x *catalog.NIC) (string, *catalog.Confidence) { return x.ID, &x.Confidence })
	unique(e, "asics", h.ASICs, func(x *catalog.ASIC) (string, *catalog.Confidence) { return x.ID, &x.Confidence })
	unique(e, "switches", h.Switches, func(x *catalog.Switch) (string, *catalog.Confidence) { return x.ID, &x.Confidence })
	for i := range h.Switches {
		s := &h.Switches[i]
		if s.Kind == "" {
			s.Kind = l.rules.byKey["catalog.Switch.kind"].def
		}
		for j := range s.OS {
			s.OS[j] = osName(s.OS[j])
		}
		e.ports(fmt.Sprintf("switches[%d]", i), s)
	}
	l.c.Catalog.Overlay(catalog.Catalog{GPUs: h.GPUs, Servers: h.Servers, NICs: h.NICs, ASICs: h.ASICs, Switches: h.Switches})
	return func() { e.references(h) }
}

type entryCheck struct {
	l       *loader
	prefix  string
	problem problemFunc
}

// fail reports a problem, unless the decoder complained about the entry already.
func (e *entryCheck) fail(path, remedy, format string, args ...any) {
	if e.prefix != "" && !e.l.usable(e.prefix+path) {
		return
	}
	e.l.report.Add(e.problem(e.prefix+path, fmt.Sprintf(format, args...), remedy))
}

func unique[E any](e *entryCheck, list string, entries []E, of func(*E) (string, *catalog.Confidence)) {
	seen := map[string]bool{}
	for i := range entries {
		id, confidence := of(&entries[i])
		if seen[id] && id != "" {
			e.fail(fmt.Sprintf("%s[%d].id", list, i), "remove one of the two", "%s is declared twice", id)
		}
		seen[id] = true
		if *confidence == "" {
			*confidence = catalog.Declared
		}
	}
}

// references checks that entries name what exists.
func (e *entryCheck) references(h Hardware) {
	c := e.l.c.Catalog
	for i, s := range h.Servers {
		if s.GPU != "" && c.GPU(s.GPU) == nil {
			e.fail(fmt.Sprintf("servers[%d].gpu", i), unknownRemedy("gpus", s.GPU, gpuIDs(c)), "the catalog has no GPU %s", s.GPU)
		}
		if s.NIC != "" && c.NIC(s.NIC) == nil {
			e.fail(fmt.Sprintf("servers[%d].nic", i), unknownRemedy("nics", s.NIC, nicIDs(c)), "the catalog has no NIC %s", s.NIC)
		}
	}
	for i, n := range h.NICs {
		if len(n.Ports) == 0 {
			e.fail(fmt.Sprintf("nics[%d].ports", i), "write ports: [1x400G]", "a NIC has at least one set of ports")
		}
	}
	for i, s := range h.Switches {
		if s.ASIC != "" && c.ASIC(s.ASIC) == nil {
			e.fail(fmt.Sprintf("switches[%d].asic", i), unknownRemedy("asics", s.ASIC, asicIDs(c)), "the catalog has no ASIC %s", s.ASIC)
		}
	}
}

// mostCages is more than the largest chassis in the catalog has (576).
const mostCages = 1024

// ports checks a front panel.
func (e *entryCheck) ports(key string, s *catalog.Switch) {
	cages := 0
	for i, p := range s.Ports {
		at := fmt.Sprintf("%s.ports[%d]", key, i)
		cages += p.Count
		for j, b := range p.Breakout {
			if p.Speed > 0 && b.Children*int(b.Speed) > int(p.Speed) {
				e.fail(fmt.Sprintf("%s.breakout[%d]", at, j), "", "%s is more than a cage of %s has", b, p.Speed)
			}
		}
		if p.Twin && len(p.Breakout) == 0 {
			e.fail(at+".breakout", fmt.Sprintf("write breakout: [2x%dG]", int(p.Speed)/2), "a twin cage is never run whole, so it needs a breakout")
		}
	}
	if cages > mostCages {
		e.fail(key+".ports", fmt.Sprintf("use at most %d", mostCages), "a switch of %d cages", cages)
	}
	g := s.PortGroups
	if g == nil {
		return
	}
	if (len(g.Cages) > 0) == (g.Size > 0) {
		e.fail(key+".port_groups", "write either cages or size", "port groups are given by cage numbers or by size")
	}
	for i, group := range g.Cages {
		if slices.ContainsFunc(group, func(cage int) bool { return cage > cages }) {
			e.fail(fmt.Sprintf("%s.port_groups.cages[%d]", key, i), "", "a cage number above %d", cages)
		}
	}
}
