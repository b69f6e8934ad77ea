package cluster

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"railyard/generator/catalog"
	"railyard/generator/strict"
)

// Load reads a cluster file: strict decoding, defaults, the catalog with the
// site's own hardware laid over it, then every check that needs no topology.
//
// The name stands in positions; it is not opened. Files is the folder of the
// cluster file, for catalog.file and infiniband.guids; with nil those keys are
// errors. Paths in the file cannot leave that folder by .. or by being absolute;
// that a symbolic link cannot lead out of it is for the caller to see to, by
// passing the FS of an os.Root.
//
// The error is Problems, sorted by position, at most 100 of them and how many
// more there are.
func Load(name string, r io.Reader, files fs.FS) (*Cluster, error) {
	doc, problems := strict.Parse(name, r)
	if problems != nil {
		return nil, problems
	}
	base, err := catalog.Load()
	if err != nil {
		return nil, fmt.Errorf("built-in catalog: %w", err)
	}
	c := defaults()
	l := &loader{c: &c, files: files, rules: newRules()}
	c.file, c.Catalog = name, base
	positions, report := doc.Decode(&c, l.options())
	c.positions = positions
	l.note(report)
	if !l.report.Full() {
		l.complete()
	}
	if problems := l.report.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return &c, nil
}

// loader is a cluster on its way to be usable.
type loader struct {
	c      *Cluster
	files  fs.FS
	rules  *rules
	report strict.Report
	bad    []string // key paths that did not decode
}

func (l *loader) options() strict.Options {
	return strict.Options{Check: l.rules.check, Required: l.rules.required}
}

// complete does everything after decoding. Each step leaves alone what an
// earlier one complained about, so that no problem is reported twice.
func (l *loader) complete() {
	l.fill()
	l.hardware()
	l.servers()
	l.reserve()
	l.switches()
	l.fabric()
	l.lossless()
	l.addressing()
	l.management()
	l.infiniBand()
	l.overrides()
	l.outputs()
}

// note takes over the decoder's problems. An unknown key makes its whole section
// doubtful, since nobody knows what it was meant to be; at the top level only
// the section that it resembles.
func (l *loader) note(report *strict.Report) {
	l.report.Merge(report)
	for _, p := range report.Problems() {
		i := strings.LastIndexByte(p.Path, '.')
		switch {
		case p.Message != "unknown key":
			l.bad = append(l.bad, p.Path)
		case i >= 0:
			l.bad = append(l.bad, p.Path[:i])
		default:
			for _, key := range []string{"name", "servers", "switches", "fabric", "lossless", "addressing", "management", "infiniband", "overrides", "outputs", "catalog"} {
				if strict.Nearest(p.Path, []string{key}) != "" {
					l.bad = append(l.bad, key)
				}
			}
		}
	}
}

// usable reports whether nothing at, above or below any of these keys failed.
func (l *loader) usable(paths ...string) bool {
	for _, p := range paths {
		for _, b := range l.bad {
			if within(p, b) || within(b, p) {
				return false
			}
		}
	}
	return true
}

// within reports whether path is at or below top.
func within(path, top string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (top == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}

// fail reports a problem about a key and marks the key as bad.
func (l *loader) fail(path, remedy, format string, args ...any) {
	l.report.Add(l.c.Problem(path, fmt.Sprintf(format, args...), remedy))
	if len(l.bad) < 2*strict.MostProblems {
		l.bad = append(l.bad, path)
	}
}

// require reports a problem unless ok, where the keys are usable at all.
func (l *loader) require(ok bool, path, remedy, format string, args ...any) {
	if !ok && l.usable(path) {
		l.fail(path, remedy, format, args...)
	}
}
