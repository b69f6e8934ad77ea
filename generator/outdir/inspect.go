package outdir

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"time"
)

// listed bounds the file names an error names of each kind.
const listed = 10

// maxManifest bounds what is read as a manifest, in bytes: a hundred times the
// size that 16,384 servers with all outputs need.
const maxManifest = 1 << 30

// EditedError says why an existing directory was not replaced.
type EditedError struct {
	Dir                    string
	Reason                 string   // why the directory does not count as railyard's; "" when it does
	Edited, Deleted, Extra []string // paths, sorted
}

// Error names the first files of each kind and the way out.
func (e *EditedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s will not be replaced: ", e.Dir)
	if e.Reason != "" {
		b.WriteString(e.Reason)
	} else {
		b.WriteString("it was changed since railyard wrote it")
	}
	for _, kind := range []struct {
		name  string
		paths []string
	}{{"edited", e.Edited}, {"deleted", e.Deleted}, {"not railyard's", e.Extra}} {
		for i, p := range kind.paths {
			if i == listed {
				fmt.Fprintf(&b, "\n  and %d more %s", len(kind.paths)-listed, kind.name)
				break
			}
			fmt.Fprintf(&b, "\n  %s: %s", kind.name, p)
		}
	}
	b.WriteString("\nmove what you want to keep elsewhere, choose another directory, or use --force to discard it")
	return b.String()
}

// snapshot is the old directory as the run found it.
type snapshot struct {
	seen     state               // everything in it
	files    map[string]oldEntry // files as railyard wrote them
	manifest []byte              // nil without one
	modified time.Time           // of the manifest
}

type oldEntry struct {
	sha256   string
	modified time.Time
}

// state is what a directory holds, by slash-separated path; folders are left out.
type state map[string]fs.FileInfo

// equal reports whether two looks at a directory saw the same files.
func (s state) equal(o state) bool {
	return maps.EqualFunc(s, o, func(a, b fs.FileInfo) bool {
		return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
	})
}

// keepers are folders that hold history no one can make again; not even Force
// throws them away.
var keepers = map[string]bool{".git": true, ".hg": true, ".svn": true, ".jj": true}

// survey lists a directory without reading its files.
func survey(t target) (state, error) {
	s := state{}
	err := filepath.WalkDir(t.path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			if p == t.path && errors.Is(err, fs.ErrNotExist) {
				return filepath.SkipAll
			}
			return err
		}
		if p != t.path && keepers[d.Name()] {
			return fmt.Errorf("it holds the repository %s, which would be lost; use a directory inside the repository instead", p)
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(t.path, p)
		if err != nil {
			return err
		}
		s[filepath.ToSlash(rel)] = info
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("output directory %s: %w", t.path, err)
	}
	return s, nil
}

// inspect decides whether the target may be replaced and remembers what it held.
func inspect(t target, force bool) (snapshot, error) {
	seen, err := survey(t)
	if err != nil {
		return snapshot{}, err
	}
	snap := snapshot{seen: seen, files: map[string]oldEntry{}}
	if len(seen) == 0 {
		return snap, nil
	}
	m, refusal := readManifest(t, seen, &snap)
	if refusal != "" {
		if !force {
			return snapshot{}, &EditedError{Dir: t.path, Reason: refusal}
		}
		return snap, nil
	}
	edited, err := check(t, m, seen, &snap)
	if err != nil && !force {
		return snapshot{}, err
	}
	if edited != nil && !force {
		return snapshot{}, edited
	}
	return snap, nil
}

// readManifest returns the directory's manifest, or why it has none.
func readManifest(t target, seen state, snap *snapshot) (*manifest, string) {
	info, ok := seen[ManifestName]
	switch {
	case !ok:
		return nil, "railyard did not make it (it has files, but no " + ManifestName + ")"
	case !info.Mode().IsRegular() || info.Size() > maxManifest:
		return nil, "its " + ManifestName + " is not one that railyard wrote"
	}
	body, err := os.ReadFile(filepath.Join(t.path, ManifestName))
	if err != nil {
		return nil, "its " + ManifestName + " cannot be read: " + plain(err).Error()
	}
	m, err := decode(body)
	if err != nil {
		return nil, "its " + ManifestName + " cannot be used: " + err.Error()
	}
	snap.manifest, snap.modified = body, info.ModTime()
	return m, ""
}

// check compares every file with the manifest.
func check(t target, m *manifest, seen state, snap *snapshot) (*EditedError, error) {
	e := &EditedError{Dir: t.path}
	known := make(map[string]bool, len(m.Files))
	var same []*entry // as far as their size tells
	for _, f := range m.Files {
		known[f.Path] = true
		switch info, ok := seen[f.Path]; {
		case !ok:
			e.Deleted = append(e.Deleted, f.Path)
		case !info.Mode().IsRegular() || info.Size() != f.Size:
			e.Edited = append(e.Edited, f.Path)
		default:
			same = append(same, f)
		}
	}
	for p := range seen {
		if !known[p] && p != ManifestName {
			e.Extra = append(e.Extra, p)
		}
	}
	sums, err := digests(t, same)
	for i, f := range same {
		if sums[i] == f.SHA256 {
			snap.files[f.Path] = oldEntry{f.SHA256, seen[f.Path].ModTime()}
		} else {
			e.Edited = append(e.Edited, f.Path)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("output directory %s: cannot see whether it was edited: %w", t.path, err)
	}
	if len(e.Edited)+len(e.Deleted)+len(e.Extra) == 0 {
		return nil, nil
	}
	sort.Strings(e.Edited)
	sort.Strings(e.Deleted)
	sort.Strings(e.Extra)
	return e, nil
}

// digests hashes files on all processors; a file that cannot be read has "".
func digests(t target, files []*entry) ([]string, error) {
	root, err := os.OpenRoot(t.path)
	if err != nil {
		return make([]string, len(files)), err
	}
	defer root.Close()
	sums := make([]string, len(files))
	errs := make([]error, len(files))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			buf := make([]byte, 128<<10)
			for i := range next {
				sums[i], errs[i] = digest(root, files[i].Path, buf)
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	wg.Wait()
	return sums, errors.Join(errs...)
}

func digest(root *os.Root, name string, buf []byte) (string, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, plain(err))
	}
	defer f.Close()
	h := sha256.New()
	// The wrapper hides ReadFrom and WriteTo, which would allocate a buffer each.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, buf); err != nil {
		return "", fmt.Errorf("%s: %w", name, plain(err))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
