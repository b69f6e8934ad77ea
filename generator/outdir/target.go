package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// target is the directory to be replaced.
type target struct {
	path string   // absolute, its parent free of symbolic links
	made []string // parents that were created for it, topmost first
}

// resolve refuses what must not or cannot be replaced, and makes the parents.
func resolve(dir string) (target, error) {
	if dir == "" {
		return target{}, errors.New("no output directory given")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return target{}, fmt.Errorf("output directory %s: %w", dir, err)
	}
	if filepath.Dir(abs) == abs {
		return target{}, fmt.Errorf("output directory %s: the root of a file system will not be replaced", dir)
	}
	made, err := makeParents(filepath.Dir(abs))
	t := target{made: made}
	if err != nil {
		t.unmake()
		return target{}, fmt.Errorf("output directory %s: cannot make the directory above it: %w", dir, err)
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(abs))
	if err == nil {
		t.path = filepath.Join(parent, filepath.Base(abs))
		err = t.check()
	}
	if err != nil {
		t.unmake()
		return target{}, fmt.Errorf("output directory %s: %w", dir, err)
	}
	return t, nil
}

// makeParents is MkdirAll that says what it made.
func makeParents(dir string) (made []string, err error) {
	var missing []string
	for p := dir; ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, p)
	}
	for i := len(missing) - 1; i >= 0; i-- {
		if err := os.Mkdir(missing[i], 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		} else if err == nil {
			made = append(made, missing[i])
		}
	}
	return made, nil
}

// unmake removes the parents that were made, as far as they are empty.
func (t target) unmake() {
	for i := len(t.made) - 1; i >= 0; i-- {
		if os.Remove(t.made[i]) != nil {
			return
		}
	}
}

func (t target) check() error {
	info, err := os.Lstat(t.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return plain(err)
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := os.Readlink(t.path)
		return fmt.Errorf("it is a symbolic link to %s; name that directory itself", to)
	case !info.IsDir():
		return errors.New("it is a file, not a directory")
	}
	if wd, err := os.Getwd(); err == nil {
		if real, err := filepath.EvalSymlinks(wd); err == nil {
			wd = real
		}
		if within(wd, t.path) {
			return errors.New("it is the working directory or above it; name a directory inside, like out")
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if real, err := filepath.EvalSymlinks(home); err == nil {
			home = real
		}
		if within(home, t.path) {
			return errors.New("it is the home directory or above it; name a directory inside, like out")
		}
	}
	mount, err := isMount(t.path)
	if err == nil && mount {
		return errors.New("it is a mount point, which cannot be swapped as a whole; name a directory inside it")
	}
	return err
}

// within reports whether dir is top or lies below it.
func within(dir, top string) bool {
	rel, err := filepath.Rel(top, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
