package outdir

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes an exclusive lock that ends with the process.
func tryLock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	// The byte locked lies behind the mark, which others must be able to read.
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: 1 << 20})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errBusy
	}
	return err
}

// ownedByUser is left to the directory's access list.
func ownedByUser(fs.FileInfo) bool { return true }

// isMount is left to the rename, which fails on one.
func isMount(string) (bool, error) { return false, nil }

// syncFolder has nothing to do: directories cannot be synced.
func syncFolder(string) error { return nil }

// explain puts a rename's error in words.
func explain(err error) error { return plain(err) }
