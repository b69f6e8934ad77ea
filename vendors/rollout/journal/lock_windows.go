package journal

import (
	"os"

	"golang.org/x/sys/windows"
)

// exclusive locks a file; the kernel unlocks it when the process ends.
func exclusive(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
}
