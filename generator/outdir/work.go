package outdir

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mark begins the lock file of every work directory and tells it from a
// directory that someone else gave the same name.
const mark = "railyard work directory\n"

const lockName = "lock"

// errBusy is what tryLock returns when another process holds the lock.
var errBusy = errors.New("locked by another process")

var errForeign = errors.New("it exists and is not railyard's; move it away")

// work is the directory beside the target in which a run does everything: the
// lock, the directory in the making and, for a moment, the old one. The kernel
// drops the lock with the process, so a lock that can be had means that no run
// is alive, however the last one ended.
type work struct {
	path string
	root *os.Root
	lock *os.File
	made []string // parents made for the target
}

func (w *work) newPath() string { return filepath.Join(w.path, "new") }
func (w *work) oldPath() string { return filepath.Join(w.path, "old") }

// claim makes the work directory of a target, or takes over a dead run's.
func claim(t target) (*work, error) {
	dir := filepath.Join(filepath.Dir(t.path), "."+filepath.Base(t.path)+".railyard")
	var w *work
	err := fs.ErrNotExist
	// A run that ends removes the directory between two of our steps; then there
	// is nothing in the way and we begin again.
	for tries := 0; tries < 100 && errors.Is(err, fs.ErrNotExist); tries++ {
		w, err = tryClaim(dir)
	}
	switch {
	case err == nil:
		w.made = t.made
		return w, nil
	case errors.Is(err, errBusy):
		return nil, fmt.Errorf("output directory %s: another railyard is writing it; wait for it to end", t.path)
	}
	t.unmake()
	return nil, fmt.Errorf("output directory %s: cannot work in %s: %w", t.path, dir, plain(err))
}

func tryClaim(dir string) (*work, error) {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() || !ownedByUser(info) {
		return nil, errForeign
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	w := &work{path: dir, root: root}
	if err = w.ours(); err == nil {
		err = w.take()
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// take gets the lock and marks it.
func (w *work) take() (err error) {
	if w.lock, err = w.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	if err := tryLock(w.lock); err != nil {
		return err
	}
	// The file may have been removed by its last holder before we got the lock.
	have, err := w.lock.Stat()
	if err != nil {
		return err
	}
	now, err := os.Lstat(filepath.Join(w.path, lockName))
	if err != nil {
		return err
	}
	if !os.SameFile(have, now) {
		return fs.ErrNotExist
	}
	_, err = w.lock.WriteAt([]byte(mark), 0)
	return err
}

// ours refuses a directory that no railyard left: one with content, but without
// a lock file that begins with the mark. (A run that was killed at once leaves an
// empty directory or an empty lock file.)
func (w *work) ours() error {
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil || len(entries) == 0 {
		return err
	}
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == lockName }) {
		return errForeign
	}
	f, err := w.root.Open(lockName)
	if err != nil {
		return err // not there any more: its holder has just ended
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(len(mark))))
	if err == nil && !strings.HasPrefix(mark, string(head)) {
		err = errForeign
	}
	return err
}

// recover clears what a dead run left and, if it died between the two renames of
// a swap, puts the old directory back.
func (w *work) recover(t target) error {
	_, err := os.Lstat(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = os.Rename(w.oldPath(), t.path)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err == nil {
		err = w.clear()
	}
	if err != nil {
		return fmt.Errorf("output directory %s: cannot clear what an interrupted run left in %s: %w", t.path, w.path, plain(err))
	}
	return nil
}

func (w *work) clear() error {
	return errors.Join(w.root.RemoveAll("new"), w.root.RemoveAll("old"))
}

// create makes the new directory and opens it.
func (w *work) create() (*os.Root, error) {
	if err := w.root.Mkdir("new", 0o755); err != nil {
		return nil, fmt.Errorf("cannot make %s: %w", w.newPath(), plain(err))
	}
	return w.root.OpenRoot("new")
}

// release removes the work directory and lets go of the lock. The lock file goes
// last but one: while it is there, and held, no other run touches the directory.
func (w *work) release() error {
	err := w.clear()
	if err == nil {
		err = w.root.Remove(lockName)
	}
	w.close()
	if err == nil {
		// Another run may already have taken the empty directory over.
		if os.Remove(w.path) == nil {
			target{made: w.made}.unmake()
		}
		return nil
	}
	return fmt.Errorf("cannot remove %s: %w", w.path, err)
}

func (w *work) close() {
	if w.lock != nil {
		_ = w.lock.Close() // nothing of worth is written to it
	}
	_ = w.root.Close()
}
