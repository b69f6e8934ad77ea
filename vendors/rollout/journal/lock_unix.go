//go:build unix

package journal

import (
	"os"
	"syscall"
)

// exclusive locks a file; the kernel unlocks it when the process ends.
func exclusive(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
