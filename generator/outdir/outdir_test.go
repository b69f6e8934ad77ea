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
