package outdir

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// exchange swaps two directories in one step. It returns errors.ErrUnsupported
// where the kernel or the file system cannot (renameat2(2): ENOSYS, EINVAL).
func exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return fmt.Errorf("exchanging directories: %w", errors.ErrUnsupported)
	}
	return err
}

// syncFiles writes everything of the directory's file system to disk, once
// (syncfs(2)), which is far cheaper than a sync of each of thousands of files.
func syncFiles(root *os.Root) error {
	f, err := root.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd()))
}
