// Package outdir writes the output directory of generate and swaps it in whole.
//
// Everything is written to a work directory beside the target, .NAME.railyard,
// and takes the target's place in one rename when it is complete. A run that
// fails, is interrupted or killed leaves the old directory as it was; the next
// run clears what it left. A directory that railyard did not make, or that
// someone changed since, is not replaced unless the caller insists.
//
// Durability: the files are not synced one by one, which would take minutes for
// thousands of them. The file system is synced once, before the swap, and the
// parent directory once after it, so that a power cut finds either the old
// directory or the new one, never a new one with empty files. Where there is
// nothing to lose, because no old directory is replaced, nothing is synced: a
// power cut then costs a run that gives the same bytes again, and the manifest
// tells a torn directory from a whole one.
package outdir

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// Mode is the permission of an output file, before the umask.
type Mode fs.FileMode

// The two modes of output files.
const (
	Public Mode = 0o644
	Secret Mode = 0o600 // for files that hold a secret
)

// ManifestName is the file that lists all others. It cannot be written by hand.
const ManifestName = "manifest.json"

const streamBuffer = 256 << 10

// Options are the choices of one run.
type Options struct {
	Force         bool   // replace a directory that is not railyard's, or was edited
	Version       string // of railyard, for the manifest
	ClusterDigest string // hex SHA-256 of the cluster file, for the manifest
}

// Summary says what a commit changed.
type Summary struct {
	Files   int   // in the new directory, manifest.json not counted
	Bytes   int64 // their size
	Added   int
	Changed int
	Removed int
}

// Dir is an output directory in the making. Write and Create may be called from
// many goroutines at once. Every Dir ends with Commit or Abort.
type Dir struct {
	target target
	work   *work
	root   *os.Root // of the new directory
	opts   Options
	old    snapshot // what the target held when the run began
	faults faults

	mu      sync.Mutex
	files   map[string]*entry
	folders map[string]bool
	open    int   // streams not closed yet
	failed  error // first error of any writer; Commit refuses after one
	done    bool
}

// faults lets tests make a step fail; nil in real use.
type faults func(step string) error

func (f faults) at(step string) error {
	if f == nil {
		return nil
	}
	return f(step)
}

// Open begins a new output directory that will replace dir. It fails if another
// run is at work on the same directory, if dir is a file, a symbolic link, a
// mount point, the root, the home or the working directory or one above it, or
// if dir has content that railyard did not write (see EditedError and Options.Force).
// Nothing is changed in dir before Commit.
func Open(dir string, opts Options) (*Dir, error) { return open(dir, opts, nil) }

func open(dir string, opts Options, fail faults) (d *Dir, err error) {
	t, err := resolve(dir)
	if err != nil {
		return nil, err
	}
	w, err := claim(t)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.release())
		}
	}()
	if err := w.recover(t); err != nil {
		return nil, err
	}
	old, err := inspect(t, opts.Force)
	if err != nil {
		return nil, err
	}
	root, err := w.create()
	if err != nil {
		return nil, err
	}
	return &Dir{
		target: t, work: w, root: root, opts: opts, old: old, faults: fail,
		files: map[string]*entry{}, folders: map[string]bool{".": true},
	}, nil
}

// Write writes one file. The path is slash-separated and relative to the
// directory; folders are made as needed. Writing a path twice is an error.
func (d *Dir) Write(name string, mode Mode, body []byte) error {
	e, f, err := d.begin(name, mode)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	if err = d.faults.at("write " + name); err == nil {
		_, err = f.Write(body)
	}
	return d.end(e, f, int64(len(body)), sum[:], err)
}

// Create opens one file for streaming. The file counts as written once Close
// has returned nil. One stream must not be written from two goroutines at once.
func (d *Dir) Create(name string, mode Mode) (io.WriteCloser, error) {
	e, f, err := d.begin(name, mode)
	if err != nil {
		return nil, err
	}
	s := &stream{dir: d, entry: e, file: f, hash: sha256.New()}
	s.buf = bufio.NewWriterSize(sink{s}, streamBuffer)
	return s, nil
}

// begin checks and reserves a path and creates its file.
func (d *Dir) begin(name string, mode Mode) (*entry, *os.File, error) {
	if err := checkPath(name); err != nil {
		return nil, nil, err
	}
	if mode != Public && mode != Secret {
		return nil, nil, fmt.Errorf("output file %s: mode %#o is neither public nor secret", name, mode)
	}
	e := &entry{Path: name, Secret: mode == Secret}
	if err := d.reserve(e); err != nil {
		return nil, nil, err
	}
	err := d.faults.at("create " + name)
	var f *os.File
	if err == nil {
		f, err = d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(mode))
	}
	if err != nil {
		return nil, nil, d.end(e, nil, 0, nil, err)
	}
	return e, f, nil
}

func (d *Dir) reserve(e *entry) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.done:
		return fmt.Errorf("output file %s: the directory is already closed", e.Path)
	case d.files[e.Path] != nil:
		return fmt.Errorf("output file %s is written twice", e.Path)
	}
	if folder := path.Dir(e.Path); !d.folders[folder] {
		if err := d.root.MkdirAll(filepath.FromSlash(folder), 0o755); err != nil {
			return d.fail(fmt.Errorf("output folder %s: %w", folder, plain(err)))
		}
		for ; !d.folders[folder]; folder = path.Dir(folder) {
			d.folders[folder] = true
		}
	}
	d.files[e.Path] = e
	d.open++
	return nil
}

// end closes a file and notes its digest, or the error that spoilt it.
func (d *Dir) end(e *entry, f *os.File, size int64, sum []byte, err error) error {
	if f != nil {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	if err != nil {
		return d.fail(fmt.Errorf("output file %s: %w", e.Path, plain(err)))
	}
	e.Size, e.SHA256 = size, hex.EncodeToString(sum)
	return nil
}

func (d *Dir) fail(err error) error {
	if d.failed == nil {
		d.failed = err
	}
	return err
}

// stream is a file that is hashed while it is written.
type stream struct {
	dir   *Dir
	entry *entry
	file  *os.File
	buf   *bufio.Writer
	hash  hash.Hash
	size  int64
	shut  bool
}

// sink takes the full buffers of a stream.
type sink struct{ *stream }

func (s sink) Write(p []byte) (int, error) {
	if err := s.dir.faults.at("write " + s.entry.Path); err != nil {
		return 0, err
	}
	n, err := s.file.Write(p)
	s.hash.Write(p[:n])
	s.size += int64(n)
	return n, err
}

// Write adds to the file.
func (s *stream) Write(p []byte) (int, error) {
	if s.shut {
		return 0, fmt.Errorf("output file %s: %w", s.entry.Path, os.ErrClosed)
	}
	return s.buf.Write(p)
}

// Close completes the file. A write that failed before fails here too.
func (s *stream) Close() error {
	if s.shut {
		return fmt.Errorf("output file %s: %w", s.entry.Path, os.ErrClosed)
	}
	s.shut = true
	err := s.buf.Flush()
	return s.dir.end(s.entry, s.file, s.size, s.hash.Sum(nil), err)
}

// checkPath accepts slash-separated relative paths without dot elements,
// backslashes and control characters.
func checkPath(name string) error {
	switch {
	case !fs.ValidPath(name) || name == ".":
		return fmt.Errorf("output file %q: not a clean relative path", name)
	case strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) >= 0:
		return fmt.Errorf("output file %q: control characters and backslashes are not allowed", name)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return fmt.Errorf("output file %q: not allowed by this operating system", name)
	case name == ManifestName || strings.HasPrefix(name, ManifestName+"/"):
		return fmt.Errorf("output file %s is written by railyard itself", name)
	}
	return nil
}

// plain strips the work directory's path from an error, which means nothing to
// the reader, and keeps the reason.
func plain(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}
