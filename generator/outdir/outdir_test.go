package outdir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var opts = Options{Version: "v0.0.1-test", ClusterDigest: strings.Repeat("ab", 32)}

// tree is a directory's files: path to body.
type tree map[string]string

var first = tree{
	"plan.json":                         `{"name":"a"}` + "\n",
	"switches/leaf-u01-r0/startup.cfg":  "sysname leaf-u01-r0\n",
	"switches/spine-01/config_db.json":  "{}\n",
	"subnet-manager/partitions.conf":    "",
	"hosts/gpu-001/etc/netplan/60.yaml": "network:\n",
}

func write(t *testing.T, dir string, files tree, o Options) (Summary, error) {
	t.Helper()
	d, err := Open(dir, o)
	if err != nil {
		return Summary{}, err
	}
	defer d.Abort()
	return fill(d, files)
}

func fill(d *Dir, files tree) (Summary, error) {
	for name, body := range files {
		mode := Public
		if strings.HasSuffix(name, ".cfg") {
			mode = Secret
		}
		if err := d.Write(name, mode, []byte(body)); err != nil {
			return Summary{}, err
		}
	}
	return d.Commit()
}

func mustWrite(t *testing.T, dir string, files tree) Summary {
	t.Helper()
	s, err := write(t, dir, files, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// read returns a directory's files without the manifest.
func read(t *testing.T, dir string) tree {
	t.Helper()
	got := tree{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		if rel != ManifestName {
			got[filepath.ToSlash(rel)] = string(body)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func wantTree(t *testing.T, dir string, want tree) {
	t.Helper()
	got := read(t, dir)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%s holds\n%v\nwant\n%v", dir, got, want)
	}
}

// wantAlone fails if anything lies beside the named entries.
func wantAlone(t *testing.T, parent string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(names) {
		t.Errorf("%s holds %v, want %v", parent, got, names)
	}
}

func TestWriteAndManifest(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "not", "there", "out")
	sum := mustWrite(t, dir, first)
	wantTree(t, dir, first)
	wantAlone(t, filepath.Dir(dir), "out")
	if sum.Files != 5 || sum.Added != 5 || sum.Changed != 0 || sum.Removed != 0 || sum.Bytes != 45 {
		t.Errorf("summary %+v", sum)
	}

	body, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		FormatVersion   string `json:"format_version"`
		RailyardVersion string `json:"railyard_version"`
		ClusterSHA256   string `json:"cluster_sha256"`
		Files           []struct {
			Path, SHA256 string
			Size         int
			Secret       bool
		}
	}
	if err := json.Unmarshal(body, &m); err != nil {
		t.Fatal(err)
	}
	if m.FormatVersion != "1.0" || m.RailyardVersion != opts.Version || m.ClusterSHA256 != opts.ClusterDigest {
		t.Errorf("manifest head %+v", m)
	}
	if len(m.Files) != len(first) {
		t.Fatalf("%d files in the manifest, want %d", len(m.Files), len(first))
	}
	for i, f := range m.Files {
		sum := sha256.Sum256([]byte(first[f.Path]))
		if f.SHA256 != hex.EncodeToString(sum[:]) || f.Size != len(first[f.Path]) {
			t.Errorf("%s: wrong digest or size %d", f.Path, f.Size)
		}
		if f.Secret != strings.HasSuffix(f.Path, ".cfg") {
			t.Errorf("%s: secret is %v", f.Path, f.Secret)
		}
		if i > 0 && m.Files[i-1].Path >= f.Path {
			t.Errorf("%s is out of order", f.Path)
		}
	}
}

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, first)
	for name, want := range map[string]fs.FileMode{
		".": 0o755, "switches": 0o755, "switches/spine-01": 0o755, "plan.json": 0o644,
		"switches/leaf-u01-r0/startup.cfg": 0o600,
		ManifestName:                       0o600, // lists a secret file's digest
	} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %v, want %v", name, got, want)
		}
	}
	open := filepath.Join(t.TempDir(), "out")
	mustWrite(t, open, tree{"plan.json": "{}"})
	if info, _ := os.Stat(filepath.Join(open, ManifestName)); info.Mode().Perm() != 0o644 {
		t.Errorf("manifest without secrets has mode %v", info.Mode())
	}
	// What the owner set on the directory stays.
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, dir, tree{"plan.json": "{}"})
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o700 {
		t.Errorf("directory has mode %v, want its old 0700", info.Mode())
	}
}

func TestUnchangedFilesKeepTheirTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	mustWrite(t, dir, first)
	old := time.Date(2020, 1, 2, 3, 4, 5, 6000, time.UTC)
	for name := range first {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(dir, ManifestName), old, old); err != nil {
		t.Fatal(err)
	}
	modified := func(name string) time.Time {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	mustWrite(t, dir, first)
	for name := range first {
		if !modified(name).Equal(old) {
			t.Errorf("%s lost its time", name)
		}
	}
	if !modified(ManifestName).Equal(old) {
		t.Error("the manifest lost its time though nothing changed")
	}

	next := tree{}
	for name, body := range first {
		next[name] = body
	}
	next["plan.json"] = `{"name":"b"}` + "\n" // the same length
	next["new"] = "x"
	delete(next, "switches/spine-01/config_db.json")
	sum := mustWrite(t, dir, next)
	wantTree(t, dir, next)
	if sum.Added != 1 || sum.Changed != 1 || sum.Removed != 1 {
		t.Errorf("summary %+v", sum)
	}
	for name, kept := range map[string]bool{
		"plan.json": false, "new": false, ManifestName: false,
		"switches/leaf-u01-r0/startup.cfg": true, "subnet-manager/partitions.conf": true,
	} {
		if modified(name).Equal(old) != kept {
			t.Errorf("%s: kept its time is %v, want %v", name, !kept, kept)
		}
	}
}

func TestStreams(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	d, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Abort()
	want := tree{}
	var wg sync.WaitGroup
	for i := range 8 {
		name := fmt.Sprintf("deep/%d/%d/list.csv", i%2, i)
		line := strings.Repeat(fmt.Sprint(i), 1000)
		want[name] = strings.Repeat(line, 700) // more than a buffer
		wg.Go(func() {
			w, err := d.Create(name, Public)
			if err != nil {
				t.Error(err)
				return
			}
			for range 700 {
				if _, err := w.Write([]byte(line)); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if err := w.Close(); !errors.Is(err, os.ErrClosed) {
				t.Errorf("second close: %v", err)
			}
			if _, err := w.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
				t.Errorf("write after close: %v", err)
			}
		})
	}
	for i := range 300 {
		name := fmt.Sprintf("switches/leaf-%03d/startup.cfg", i)
		want[name] = strings.Repeat(name, 10)
		wg.Go(func() {
			if err := d.Write(name, Secret, []byte(strings.Repeat(name, 10))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	wantTree(t, dir, want)
	// The digests of streams are those of the files: the next run believes them.
	if _, err := write(t, dir, want, opts); err != nil {
		t.Fatal(err)
	}
}

func TestCommitNeedsAllStreamsClosed(t *testing.T) {
	parent := t.TempDir()
	d, err := Open(filepath.Join(parent, "out"), opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Create("a", Public); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Commit(); err == nil || !strings.Contains(err.Error(), "still being written") {
		t.Errorf("commit with an open stream: %v", err)
	}
	wantAlone(t, parent)
	if _, err := d.Commit(); err == nil {
		t.Error("a second commit worked")
	}
	if err := d.Write("b", Public, nil); err == nil {
		t.Error("a write after commit worked")
	}
	if err := d.Abort(); err != nil {
		t.Errorf("abort after commit: %v", err)
	}
}

func TestBadPaths(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "out"), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Abort()
	for _, name := range []string{
		"", ".", "..", "/etc/passwd", "../out2/x", "a/../../x", "a/./b", "a//b", "a/", "./a",
		"a\\b", "a\x00b", "a\nb", "manifest.json", "manifest.json/x", "\xff",
	} {
		if err := d.Write(name, Public, nil); err == nil {
			t.Errorf("%q was accepted", name)
		}
		if _, err := d.Create(name, Public); err == nil {
			t.Errorf("%q was accepted as a stream", name)
		}
	}
	if err := d.Write("a", 0o777, nil); err == nil {
		t.Error("mode 0777 was accepted")
	}
	if err := d.Write("a", Public, nil); err != nil {
		t.Error(err)
	}
	if err := d.Write("a", Public, nil); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("writing twice: %v", err)
	}
	if _, err := d.Commit(); err != nil {
		t.Errorf("refused paths spoilt the run: %v", err)
	}
}

// A symbolic link in the new directory, however it came there, is not followed.
func TestNoSymlinkEscape(t *testing.T) {
	parent := t.TempDir()
	outside := filepath.Join(parent, "outside")
	if err := os.Mkdir(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	d, err := Open(filepath.Join(parent, "out"), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Abort()
	if err := os.Symlink(outside, filepath.Join(d.work.newPath(), "switches")); err != nil {
		t.Fatal(err)
	}
	if err := d.Write("switches/x", Public, []byte("x")); err == nil {
		t.Error("a link out of the directory was followed")
	}
	wantAlone(t, outside)
}

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

func TestEditedDirectoryIsRefused(t *testing.T) {
	for _, tc := range []struct {
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
	} {
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

func TestSameInputSameManifest(t *testing.T) {
	var bodies [][]byte
	for range 2 {
		dir := filepath.Join(t.TempDir(), "out")
		mustWrite(t, dir, first)
		body, err := os.ReadFile(filepath.Join(dir, ManifestName))
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	if !bytes.Equal(bodies[0], bodies[1]) {
		t.Errorf("%s\n%s", bodies[0], bodies[1])
	}
}

func FuzzManifest(f *testing.F) {
	good := manifest{RailyardVersion: "v1", ClusterSHA256: "x", Files: []*entry{{Path: "a/b", Size: 1, SHA256: strings.Repeat("0a", 32)}}}
	f.Add(good.encode())
	f.Add([]byte(`{"format_version":"1.0","files":[null]}`))
	f.Add([]byte(`{"format_version":"1.0","files":[{"path":"../x","size":1,"sha256":"00"}]}`))
	f.Add([]byte(`{"format_version":"2.0"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := decode(body)
		if err != nil {
			return
		}
		for _, e := range m.Files {
			if checkPath(e.Path) != nil {
				t.Errorf("accepted path %q", e.Path)
			}
		}
		again, err := decode(m.encode())
		if err != nil || len(again.Files) != len(m.Files) {
			t.Errorf("does not survive a round trip: %v", err)
		}
	})
}
