package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestBadTargets(t *testing.T) {
	parent := t.TempDir()
	home := filepath.Join(parent, "home", "me")
	for _, dir := range []string{"cwd/below", "full", "empty", "home/me", "repo/.git", "history/sub/.git"} {
		if err := os.MkdirAll(filepath.Join(parent, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"file", "full/theirs.txt", "cwd/x", "repo/.git/HEAD", "history/sub/.git/HEAD"} {
		if err := os.WriteFile(filepath.Join(parent, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("full", filepath.Join(parent, "link")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Chdir(filepath.Join(parent, "cwd", "below"))
	for _, tc := range []struct {
		dir, want string
		forced    bool // refused with Force too
	}{
		{"", "no output directory", true},
		{"/", "root of a file system", true},
		{".", "working directory", true},
		{"..", "working directory", true},
		{home, "home directory", true},
		{filepath.Dir(home), "home directory", true},
		{filepath.Join(parent, "file"), "it is a file", true},
		{filepath.Join(parent, "file", "out"), "not a directory", true},
		{filepath.Join(parent, "link"), "symbolic link to full", true},
		{filepath.Join(parent, "repo"), "holds the repository", true},
		{filepath.Join(parent, "history"), "holds the repository", true},
		{filepath.Join(parent, "full"), "railyard did not make it", false},
	} {
		for _, force := range []bool{false, true} {
			o := opts
			o.Force = force
			d, err := Open(tc.dir, o)
			switch {
			case err == nil && (!force || tc.forced):
				t.Errorf("Open(%q), force %v, was not refused", tc.dir, force)
			case err != nil && force && !tc.forced:
				t.Errorf("Open(%q), force %v: %v", tc.dir, force, err)
			case err != nil && !strings.Contains(err.Error(), tc.want):
				t.Errorf("Open(%q): %q lacks %q", tc.dir, err, tc.want)
			}
			if err == nil {
				if err := d.Abort(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	mustWrite(t, filepath.Join(parent, "empty"), first)
	mustWrite(t, filepath.Join("..", "..", "beside"), first)
	wantTree(t, filepath.Join(parent, "beside"), first)
	wantAlone(t, parent, "beside", "cwd", "empty", "file", "full", "history", "home", "link", "repo")
}

// A parent that is a symbolic link is fine; the target may hold empty folders.
func TestGoodTargets(t *testing.T) {
	parent := t.TempDir()
	if err := os.MkdirAll(filepath.Join(parent, "real", "out", "hollow", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", filepath.Join(parent, "link")); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(parent, "link", "out")+"/", first)
	wantTree(t, filepath.Join(parent, "real", "out"), first)
	if _, err := os.Stat(filepath.Join(parent, "real", "out", "hollow")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old folder is still there: %v", err)
	}
}

func TestMountPointIsRefused(t *testing.T) {
	for _, dir := range []string{"/proc", "/dev/shm", "/sys"} {
		if mount, err := isMount(dir); err != nil || !mount {
			continue
		}
		if _, err := Open(dir, Options{Force: true}); err == nil || !strings.Contains(err.Error(), "mount point") &&
			!strings.Contains(err.Error(), "cannot work in") {
			t.Errorf("Open(%s): %v", dir, err)
		}
		return
	}
	t.Skip("no mount point to try")
}

// edits are ways to change a directory that holds first.
var edits = []struct {
	name string
	edit func(dir string) error
	want EditedError
}{
	{"edited", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "plan.json"), []byte(`{"name":"z"}`+"\n"), 0o644)
	}, EditedError{Edited: []string{"plan.json"}}},
	{"longer", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "plan.json"), []byte("longer than it was before"), 0o644)
	}, EditedError{Edited: []string{"plan.json"}}},
	{"deleted", func(dir string) error { return os.Remove(filepath.Join(dir, "plan.json")) },
		EditedError{Deleted: []string{"plan.json"}}},
	{"extra", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, "switches", "notes.txt"), nil, 0o644)
	}, EditedError{Extra: []string{"switches/notes.txt"}}},
	{"a link to the same content", func(dir string) error {
		return errors.Join(os.Rename(filepath.Join(dir, "plan.json"), filepath.Join(dir, "..", "moved.json")),
			os.Symlink("../moved.json", filepath.Join(dir, "plan.json")))
	}, EditedError{Edited: []string{"plan.json"}}},
	{"no manifest", func(dir string) error { return os.Remove(filepath.Join(dir, ManifestName)) },
		EditedError{Reason: "railyard did not make it (it has files, but no manifest.json)"}},
	{"garbage manifest", func(dir string) error {
		return os.WriteFile(filepath.Join(dir, ManifestName), []byte("\x00\x01garbage"), 0o644)
	}, EditedError{Reason: "its manifest.json cannot be used"}},
}

func TestEditedDirectoryIsRefused(t *testing.T) {
	for _, tc := range edits {
		t.Run(tc.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			mustWrite(t, dir, first)
			if err := tc.edit(dir); err != nil {
				t.Fatal(err)
			}
			before := read(t, dir)
			_, err := write(t, dir, first, opts)
			var got *EditedError
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			if fmt.Sprint(got.Edited, got.Deleted, got.Extra) != fmt.Sprint(tc.want.Edited, tc.want.Deleted, tc.want.Extra) ||
				!strings.HasPrefix(got.Reason, tc.want.Reason) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
			for _, names := range [][]string{tc.want.Edited, tc.want.Deleted, tc.want.Extra, {"--force"}} {
				for _, n := range names {
					if !strings.Contains(err.Error(), n) {
						t.Errorf("%q does not name %s", err, n)
					}
				}
			}
			wantTree(t, dir, before)
			forced := opts
			forced.Force = true
			if _, err := write(t, dir, first, forced); err != nil {
				t.Fatal(err)
			}
			wantTree(t, dir, first)
			mustWrite(t, dir, first) // and it is railyard's again
		})
	}
}

func TestLongListsAreCut(t *testing.T) {
	e := &EditedError{Dir: "out"}
	for i := range 25 {
		e.Extra = append(e.Extra, fmt.Sprintf("f%02d", i))
	}
	if s := e.Error(); !strings.Contains(s, "f09") || strings.Contains(s, "f10") || !strings.Contains(s, "15 more") {
		t.Error(s)
	}
}

func TestEditWhileWritingIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, first)
	d, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Abort()
	if err := os.WriteFile(filepath.Join(dir, "saved-meanwhile"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := fill(d, first); err == nil || !strings.Contains(err.Error(), "changed while") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "saved-meanwhile")); err != nil {
		t.Error(err)
	}
}

func TestSecondRunIsTurnedAway(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	mustWrite(t, dir, first)
	d, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write("plan.json", Public, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{Force: true}); err == nil || !strings.Contains(err.Error(), "another railyard is writing") {
		t.Errorf("second run: %v", err)
	}
	if other, err := Open(filepath.Join(parent, "out2"), opts); err != nil {
		t.Errorf("another directory: %v", err)
	} else if err := other.Abort(); err != nil {
		t.Error(err)
	}
	if _, err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	wantAlone(t, parent, "out")
	mustWrite(t, dir, first)
}

// Many runs at once: each either completes or is turned away, and one whole
// directory remains.
func TestManyRuns(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for i := range 16 {
		wg.Go(func() {
			d, err := Open(dir, opts)
			if err == nil {
				files := tree{"a": strings.Repeat(fmt.Sprint(i%10), 100), "b/c": strings.Repeat(fmt.Sprint(i%10), 100)}
				_, err = fill(d, files)
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if !strings.Contains(err.Error(), "another railyard") {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := read(t, dir); won == 0 || len(got) != 2 || got["a"] != got["b/c"] {
		t.Errorf("%d runs completed and left %v", won, got)
	}
	wantAlone(t, parent, "out")
}

func TestForeignWorkDirectory(t *testing.T) {
	for name, content := range map[string]string{"notes.txt": "mine", "lock": "someone else's lock"} {
		parent := t.TempDir()
		theirs := filepath.Join(parent, ".out.railyard")
		if err := os.Mkdir(theirs, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(theirs, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(filepath.Join(parent, "out"), Options{Force: true}); err == nil || !strings.Contains(err.Error(), "not railyard's") {
			t.Errorf("%s: %v", name, err)
		}
		if body, err := os.ReadFile(filepath.Join(theirs, name)); err != nil || string(body) != content {
			t.Errorf("%s was touched: %v", name, err)
		}
	}
}

func TestReadOnlyParent(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	parent := t.TempDir()
	if err := os.Chmod(parent, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(parent, "out"), opts); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}
