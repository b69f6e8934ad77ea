//go:build !linux

package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// exchange is Linux's alone; elsewhere two renames do.
func exchange(_, _ string) error {
	return fmt.Errorf("exchanging directories: %w", errors.ErrUnsupported)
}

// syncFiles writes the directory's files to disk one by one: only Linux has a
// call that waits for one file system.
func syncFiles(root *os.Root) error {
	return fs.WalkDir(root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := root.OpenFile(p, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
