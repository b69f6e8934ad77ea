package diff

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"railyard/vendors/clitree"
	"railyard/vendors/diff/manager"
)

// Source gives the running configuration of a switch. A directory of saved files
// is one; switches asked live can be another.
type Source struct {
	// Read returns what there is of a switch; intended are the files it should
	// have. It fails with ErrMissing when there is nothing and ErrUnreachable when
	// the switch does not answer. Many goroutines ask.
	Read func(ctx context.Context, name string, intended []File) (Reading, error)
	// Others are what the source holds of switches that nobody named.
	Others []Other
}

// Reading is what a source has of one switch.
type Reading struct {
	From  string // where it was found, also where reading it failed
	Files []File
	Note  string // about the choice of files
	// Partial says what of the intent the source cannot show and why, one text
	// each: it is not compared, and not taken for missing.
	Partial []string
	// Compared means that there are no files, because the source itself compared
	// what it could, with these changes.
	Compared bool
	Changes  []clitree.Change
}

// Other is a file that belongs to none of the named switches.
type Other struct {
	Name string
	open func() (File, error)
}

// limits of a directory of running configurations.
const (
	maxDepth = 6
	maxFiles = 200_000
)

// found is a file of the directory.
type found struct {
	path  string // slash-separated, relative to the directory
	exact int    // how well its name fits the switch; higher is better
}

// Dir finds the running configurations of switches in a directory. It takes what
// tools leave: a file NAME (Oxidized, also in a folder per group), NAME.cfg and
// other endings, NAME with a domain or a date behind it, configs/NAME (RANCID), a
// folder NAME with files in it, switches/NAME (railyard's own output); each plain
// or gzip.
func Dir(dir string, names []string) (*Source, error) { return openDir(dir, names, false) }

// openDir is Dir. Where a subnet manager is the only one named, all its files are its
// own, in whatever folder: people copy /etc/opensm as it is.
func openDir(dir string, names []string, manager bool) (*Source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	d := &directory{root: root, byName: map[string][]found{}, known: map[string]string{}, manager: manager}
	for _, n := range names {
		d.known[strings.ToLower(n)] = n
	}
	if err := d.scan(); err != nil {
		return nil, err
	}
	s := &Source{Read: d.read}
	for _, o := range d.others {
		s.Others = append(s.Others, Other{Name: o, open: func() (File, error) { return d.file(o) }})
	}
	return s, nil
}

type directory struct {
	root   *os.Root
	byName map[string][]found
	known  map[string]string // lower case to the name itself
	others []string
	files  int
	ours   bool // an output directory of railyard
	// manager: see openDir.
	manager bool
}

// beside are files that stand beside configurations and are none.
func beside(base string) bool {
	low := strings.ToLower(base)
	for _, end := range []string{".md", ".html", ".csv", ".xlsx", ".db", ".log", ".sh", ".py", ".lock", "steps-to-check.txt", "manifest.json", "plan.json", "ztp.json", "breakout.yaml"} {
		if strings.HasSuffix(low, end) {
			return true
		}
	}
	return strings.HasPrefix(base, ".") || strings.Contains(low, "lldp")
}

func (d *directory) scan() error {
	if f, err := d.root.Open("manifest.json"); err == nil {
		d.ours = f.Close() == nil
	}
	err := fs.WalkDir(d.root.FS(), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && p == ".":
			return err
		case err != nil:
			return nil // a folder that may not be read holds nothing to compare
		case e.IsDir():
			if p != "." && strings.HasPrefix(e.Name(), ".") || strings.Count(p, "/") > maxDepth {
				return fs.SkipDir
			}
			return nil
		case beside(e.Name()) || d.ours && strings.HasPrefix(p, "inventory/") || d.ours && strings.HasPrefix(p, "hosts/"):
			return nil
		}
		if d.files++; d.files > maxFiles {
			return fmt.Errorf("more than %d files: not a directory of configurations", maxFiles)
		}
		d.place(p)
		return nil
	})
	if err != nil {
		return err
	}
	for _, list := range d.byName {
		slices.SortFunc(list, func(a, b found) int {
			if a.exact != b.exact {
				return b.exact - a.exact
			}
			return strings.Compare(b.path, a.path) // of several dates the latest
		})
	}
	slices.Sort(d.others)
	return nil
}

// place finds the switch of a file: by the folders it lies in, else by its name.
func (d *directory) place(p string) {
	if d.manager {
		if manager.Takes(strings.TrimSuffix(p, ".gz")) {
			d.byName[SubnetManager] = append(d.byName[SubnetManager], found{p, 3})
		} else {
			d.others = append(d.others, p)
		}
		return
	}
	parts := strings.Split(p, "/")
	for i := len(parts) - 2; i >= 0; i-- {
		if name, ok := d.known[strings.ToLower(parts[i])]; ok {
			d.byName[name] = append(d.byName[name], found{p, 3})
			return
		}
	}
	base := strings.TrimSuffix(parts[len(parts)-1], ".gz")
	if name, exact := d.match(base); name != "" {
		d.byName[name] = append(d.byName[name], found{p, exact})
		return
	}
	d.others = append(d.others, p)
}

// match finds the switch whose name a file's name begins with; of several the
// longest, so that leaf-1-3.cfg is not taken for leaf-1.
func (d *directory) match(base string) (string, int) {
	low := strings.ToLower(base)
	if name, ok := d.known[low]; ok {
		return name, 3
	}
	for cut := len(low) - 1; cut > 0; cut-- {
		if !strings.ContainsRune("._- @(", rune(low[cut])) {
			continue
		}
		name, ok := d.known[low[:cut]]
		if !ok {
			continue
		}
		if low[cut] == '-' && !suffix(low[cut+1:]) {
			return "", 0 // another switch whose name begins alike
		}
		if low[cut] == '.' && !strings.Contains(low[cut+1:], ".") {
			return name, 2
		}
		return name, 1
	}
	return "", 0
}

// suffix tells what tools put behind a name and a dash from the rest of another
// name: words like config and running, or a date.
func suffix(s string) bool {
	for _, w := range []string{"conf", "running", "run", "startup", "current", "show", "display", "backup", "20"} {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// usual are names of files that hold a switch's configuration in its folder.
var usual = []string{"running-config", "running-config.txt", "running-config.cfg", "running.cfg", "running", "current-configuration", "current.cfg",
	"startup.cfg", "vrpcfg.cfg", "startup-config", "config_db.json", "startup.yaml", "nvue.yaml", "config", "config.txt", "config.cfg", "show_running-config.txt"}

func (d *directory) read(ctx context.Context, name string, intended []File) (Reading, error) {
	if err := ctx.Err(); err != nil {
		return Reading{}, err
	}
	list := d.byName[name]
	if len(list) == 0 {
		return Reading{}, ErrMissing
	}
	if d.manager {
		return d.all(list)
	}
	var files []File
	taken := map[string]bool{}
	for _, w := range intended {
		for _, f := range list {
			if p := strings.TrimSuffix(f.path, ".gz"); (p == w.Name || strings.HasSuffix(p, "/"+w.Name)) && !taken[f.path] {
				body, err := d.file(f.path)
				if err != nil {
					return Reading{}, err
				}
				taken[f.path] = true
				files = append(files, body)
				break
			}
		}
	}
	if len(files) > 0 {
		return Reading{From: files[0].Name, Files: files}, nil
	}
	best, note := choose(list)
	f, err := d.file(best.path)
	return Reading{From: f.Name, Files: []File{f}, Note: note}, err
}

// all reads a subnet manager's files.
func (d *directory) all(list []found) (Reading, error) {
	got := Reading{From: path.Dir(list[0].path)}
	left := clitree.MaxSize
	for _, f := range list {
		file, err := d.file(f.path)
		if err != nil {
			return got, fmt.Errorf("%s: %w", f.path, err)
		}
		if left -= len(file.Body); left < 0 {
			return got, fmt.Errorf("more than %d bytes of files: no subnet manager's", clitree.MaxSize)
		}
		got.Files = append(got.Files, file)
	}
	return got, nil
}

// choose takes one of several files and says so.
func choose(list []found) (found, string) {
	best := list[0]
	for _, u := range usual {
		i := slices.IndexFunc(list, func(f found) bool { return strings.TrimSuffix(path.Base(f.path), ".gz") == u })
		if i >= 0 {
			best = list[i]
			break
		}
	}
	if len(list) == 1 {
		return best, ""
	}
	return best, fmt.Sprintf("%d files could be its configuration; %s was taken", len(list), best.path)
}

func (d *directory) file(p string) (File, error) {
	f, err := d.root.Open(filepath.FromSlash(p))
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	body, err := content(f)
	return File{Name: strings.TrimSuffix(p, ".gz"), Body: body}, err
}

// ReadFile reads one configuration file, plain or gzip; "-" is in.
func ReadFile(name string, in io.Reader) (File, error) {
	if name == "-" {
		body, err := content(in)
		return File{Name: "stdin", Body: body}, err
	}
	f, err := os.Open(name)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return File{}, fmt.Errorf("%s is a directory; two files are compared", name)
	}
	body, err := content(f)
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return File{Name: strings.TrimSuffix(filepath.ToSlash(name), ".gz"), Body: body}, err
}

// content reads a file up to what a configuration can have, and unpacks it.
func content(r io.Reader) ([]byte, error) {
	buffered := bufio.NewReader(r)
	r = buffered
	if head, _ := buffered.Peek(2); len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	}
	body, err := io.ReadAll(io.LimitReader(r, clitree.MaxSize+1))
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("the compressed file is cut off")
	case err != nil:
		return nil, err
	case len(body) > clitree.MaxSize:
		return nil, fmt.Errorf("more than %d bytes: no configuration", clitree.MaxSize)
	}
	return body, nil
}
