// Package inspect reads directories of running configurations: which files are
// configurations, of which operating system, and what they say about
// losslessness. It knows the vendors; what the facts mean is package audit's.
package inspect

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"railyard/generator/observed"
)

// maxFiles bounds what one directory may hold.
const maxFiles = 100_000

// Dir reads every configuration under a directory: a file or a folder for each
// switch, plain or gzip, or an output directory of generate. Files that cannot
// be read are in the result; an error is a directory that cannot be.
//
// Memory is what the facts take and one file for each processor.
func Dir(ctx context.Context, dir string) (*observed.Network, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := list(root.FS())
	if err != nil {
		return nil, err
	}
	outcomes := make([]outcome, len(files.configs))
	d, known := newDetector(), readers()
	work, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), len(outcomes)) {
		work.Go(func() error {
			var s scratch
			for i := next.Add(1) - 1; int(i) < len(outcomes); i = next.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				outcomes[i] = d.examine(root.FS(), files.configs[i], known, &s)
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	net := assemble(outcomes)
	net.Skipped = append(net.Skipped, files.others...)
	slices.Sort(net.Skipped)
	if len(net.Switches)+len(net.Unreadable) == 0 {
		return nil, fmt.Errorf("%s: no configurations in it", dir)
	}
	for _, table := range files.tables {
		net.neighbors(root.FS(), table)
	}
	slices.SortFunc(net.Neighbors, func(a, b observed.Neighbor) int {
		return cmp.Or(cmp.Compare(a.Switch, b.Switch), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Remote, b.Remote), cmp.Compare(a.RemotePort, b.RemotePort))
	})
	net.Words = worder()
	net.Network.Quote = (&quoter{dir: dir}).line
	return net.Network, nil
}

// listing sorts the files of a directory by what they are for.
type listing struct {
	configs, tables []string
	others          []string
}

// list walks the directory. Of an output directory of generate only the
// switches are of interest.
func list(root fs.FS) (*listing, error) {
	start := "."
	if _, err := fs.Stat(root, "manifest.json"); err == nil {
		if start = "switches"; !exists(root, start) {
			return &listing{}, nil // of an InfiniBand fabric
		}
	}
	out := &listing{}
	err := fs.WalkDir(root, start, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == start:
			return err
		case err != nil:
			out.configs = append(out.configs, name) // reading it will say why
			return nil
		case name != start && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return nil
		case len(out.configs) >= maxFiles:
			return fmt.Errorf("more than %d files", maxFiles)
		case e.Type()&fs.ModeSymlink != 0:
			// Opening a pipe would wait for its writer; a folder behind a link is
			// somewhere else too, or above.
			if info, err := fs.Stat(root, name); err == nil && !info.Mode().IsRegular() {
				out.others = append(out.others, name)
				return nil
			}
		case !e.Type().IsRegular():
			out.others = append(out.others, name)
			return nil
		}
		out.sort(name)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func exists(root fs.FS, name string) bool {
	_, err := fs.Stat(root, name)
	return err == nil
}

// sort decides by the name alone what a file can be.
func (l *listing) sort(name string) {
	base := strings.ToLower(strings.TrimSuffix(path.Base(name), ".gz"))
	switch ext := path.Ext(base); {
	case strings.Contains(base, "lldp"), path.Base(path.Dir(name)) == "lldp":
		l.tables = append(l.tables, name)
	case slices.Contains(otherNames, base), slices.Contains(otherExtensions, ext), strings.HasSuffix(base, ".steps.txt"), strings.HasSuffix(base, "~"),
		strings.HasPrefix(base, "readme"), strings.HasPrefix(base, "license"):
		l.others = append(l.others, name)
	default:
		l.configs = append(l.configs, name)
	}
}

var (
	otherNames      = []string{"steps-to-check.txt", "breakout.yaml", "ztp.json", "manifest.json", "plan.json", "frr.conf", "bgpd.conf", "zebra.conf", "minigraph.xml", "port_config.ini", "makefile"}
	otherExtensions = []string{".md", ".html", ".csv", ".xlsx", ".pdf", ".png", ".jpg", ".svg", ".py", ".go", ".pem", ".crt", ".key", ".bak", ".old", ".orig", ".swp", ".ini", ".pub"}
)

// network is the result while it is put together.
type network struct {
	*observed.Network
	byName map[string]*observed.Switch
	folder map[string]*observed.Switch // the switch of a folder that holds just one
}

// factory are host names that a switch has before it gets one.
var factory = []string{"", "huawei", "h3c", "sysname", "sonic", "localhost", "switch", "arista", "cumulus"}

// assemble names the switches and decides what else the files are.
func assemble(outcomes []outcome) *network {
	net := &network{Network: &observed.Network{}, byName: map[string]*observed.Switch{}, folder: map[string]*observed.Switch{}}
	slices.SortStableFunc(outcomes, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(path.Dir(a.file), path.Dir(b.file)), cmp.Compare(rank(a.file), rank(b.file)), cmp.Compare(a.file, b.file))
	})
	inFolder := map[string]int{}
	for i := range outcomes {
		if outcomes[i].sw != nil {
			inFolder[path.Dir(outcomes[i].file)]++
		}
	}
	for i := range outcomes {
		o := &outcomes[i]
		dir := path.Dir(o.file)
		if o.sw == nil {
			// A note beside a switch's configuration is not a broken switch.
			if o.alien && dir != "." && inFolder[dir] > 0 {
				net.Skipped = append(net.Skipped, o.file)
			} else {
				net.Unreadable = append(net.Unreadable, observed.Unreadable{Name: stem(o.file), File: o.file, OS: o.os, Line: o.fault.Line, Reason: o.fault.Reason})
			}
			continue
		}
		net.add(o, dir, inFolder[dir] == 1)
	}
	slices.SortFunc(net.Switches, func(a, b *observed.Switch) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(net.Unreadable, func(a, b observed.Unreadable) int { return cmp.Compare(a.File, b.File) })
	return net
}

// rank puts what runs before what would be started.
func rank(file string) int {
	switch base := strings.ToLower(path.Base(file)); {
	case strings.Contains(base, "running"), strings.Contains(base, "current"):
		return 0
	case strings.Contains(base, "startup"), strings.Contains(base, "saved"):
		return 2
	}
	return 1
}

func (net *network) add(o *outcome, dir string, alone bool) {
	o.sw.File = o.file
	if slices.Contains(factory, strings.ToLower(o.sw.Name)) {
		o.sw.Name = stem(o.file)
	}
	if other := net.byName[o.sw.Name]; other != nil {
		if path.Dir(other.File) == dir && dir != "." {
			net.Skipped = append(net.Skipped, o.file) // the same switch's other copy
			return
		}
		net.Unreadable = append(net.Unreadable, observed.Unreadable{Name: stem(o.file), File: o.file, OS: o.sw.OS, Line: 1,
			Reason: fmt.Sprintf("it says it is %s, and so does %s: one of them is a copy", o.sw.Name, other.File)})
		return
	}
	net.byName[o.sw.Name] = o.sw
	if alone && dir != "." {
		net.folder[dir] = o.sw
	}
	net.Switches = append(net.Switches, o.sw)
	for _, x := range o.doubts {
		x.Switch = o.sw.Name
		net.Doubts = append(net.Doubts, x)
	}
}

// quoter reads lines of files again, for findings. Findings are sorted by
// switch, so it keeps one file.
type quoter struct {
	dir, file string
	lines     []string
}

// mostQuoted bounds a quoted line, in bytes.
const mostQuoted = 200

func (q *quoter) line(file string, line observed.Line) string {
	if file != q.file || q.lines == nil {
		root, err := os.OpenRoot(q.dir)
		if err != nil {
			return ""
		}
		defer root.Close()
		body, err := new(scratch).load(root.FS(), file)
		if err != nil {
			body = nil
		}
		q.file, q.lines = file, strings.Split(string(unixed(decoded(body))), "\n")
	}
	if line < 1 || int(line) > len(q.lines) {
		return ""
	}
	return printable(q.lines[line-1])
}

// printable cuts a line to what may go to a terminal.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r == '\ufffd' {
			return -1
		}
		return r
	}, strings.TrimSpace(s))
	if len(s) > mostQuoted {
		s = strings.ToValidUTF8(s[:mostQuoted], "") + "…"
	}
	return s
}
