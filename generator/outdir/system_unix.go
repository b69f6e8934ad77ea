//go:build unix

package outdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// tryLock takes an exclusive lock that ends with the process.
func tryLock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errBusy
	}
	return err
}

// ownedByUser keeps railyard from writing into a directory that someone else
// prepared, as anybody can in a shared directory like /tmp.
func ownedByUser(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// isMount reports whether a directory is on another device than its parent.
func isMount(path string) (bool, error) {
	var at, above unix.Stat_t
	if err := unix.Stat(path, &at); err != nil {
		return false, err
	}
	if err := unix.Stat(filepath.Dir(path), &above); err != nil {
		return false, err
	}
	return at.Dev != above.Dev, nil
}

// syncFolder makes the renames in a directory last.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	// Some file systems have no sync of directories, and need none.
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// explain puts a rename's error in words.
func explain(err error) error {
	if errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EBUSY) {
		return errors.New("it is a mount point or in use by the system; name a directory inside it")
	}
	return plain(err)
}
