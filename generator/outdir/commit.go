package outdir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
)

// Commit completes the directory and puts it in the target's place. After an
// error the target is as it was before, unless the error says otherwise. The Dir
// is closed either way.
func (d *Dir) Commit() (Summary, error) {
	files, err := d.seal()
	if err != nil {
		return Summary{}, err
	}
	sum, err := d.finish(files)
	if err != nil {
		return Summary{}, errors.Join(err, d.discard())
	}
	replaced, err := d.swap()
	if err != nil {
		return Summary{}, errors.Join(err, d.discard())
	}
	if err = d.faults.at("clear"); err == nil && replaced {
		err = syncFolder(filepath.Dir(d.target.path))
	}
	if err = errors.Join(err, d.discard()); err != nil {
		return sum, fmt.Errorf("output directory %s: the new one is in place, but not all is well: %w", d.target.path, err)
	}
	return sum, nil
}

// Abort gives the new directory up and leaves the target alone. It does nothing
// after Commit, so it can be deferred.
func (d *Dir) Abort() error {
	d.mu.Lock()
	done := d.done
	d.done = true
	d.mu.Unlock()
	if done {
		return nil
	}
	return d.discard()
}

// seal stops further writes and returns the files in order.
func (d *Dir) seal() ([]*entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.done {
		return nil, fmt.Errorf("output directory %s is already closed", d.target.path)
	}
	d.done = true
	err := d.failed
	if err == nil && d.open > 0 {
		err = fmt.Errorf("output directory %s: %d files are still being written", d.target.path, d.open)
	}
	if err != nil {
		return nil, errors.Join(err, d.discard())
	}
	files := make([]*entry, 0, len(d.files))
	for _, e := range d.files {
		files = append(files, e)
	}
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, nil
}

// finish writes the manifest and gives unchanged files their old times.
func (d *Dir) finish(files []*entry) (Summary, error) {
	body := manifest{RailyardVersion: d.opts.Version, ClusterSHA256: d.opts.ClusterDigest, Files: files}.encode()
	err := d.faults.at("manifest")
	if err == nil {
		err = d.writeManifest(files, body)
	}
	if err != nil {
		return Summary{}, fmt.Errorf("output file %s: %w", ManifestName, plain(err))
	}
	sum := Summary{Files: len(files)}
	for _, e := range files {
		sum.Bytes += e.Size
		was, ok := d.old.files[e.Path]
		switch {
		case !ok:
			sum.Added++
		case was.sha256 != e.SHA256:
			sum.Changed++
		default:
			if err := d.root.Chtimes(filepath.FromSlash(e.Path), was.modified, was.modified); err != nil {
				return Summary{}, fmt.Errorf("output file %s: %w", e.Path, plain(err))
			}
		}
	}
	sum.Removed = len(d.old.files) - (sum.Files - sum.Added)
	if d.old.manifest != nil && bytes.Equal(d.old.manifest, body) {
		if err := d.root.Chtimes(ManifestName, d.old.modified, d.old.modified); err != nil {
			return Summary{}, fmt.Errorf("output file %s: %w", ManifestName, plain(err))
		}
	}
	return sum, nil
}

// writeManifest gives the manifest the mode of the most secret file it lists: a
// digest is enough to try guesses of a short secret against, and a guess is
// cheap. Whoever may read the manifest may read those files too.
func (d *Dir) writeManifest(files []*entry, body []byte) error {
	mode := Public
	for _, e := range files {
		if e.Secret {
			mode = Secret
		}
	}
	f, err := d.root.OpenFile(ManifestName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(mode))
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return errors.Join(err, f.Close())
}

// swap puts the new directory in the target's place; it reports whether an old
// one with content was replaced.
func (d *Dir) swap() (replaced bool, err error) {
	now, err := survey(d.target)
	if err != nil {
		return false, err
	}
	if !now.equal(d.old.seen) {
		return false, fmt.Errorf("output directory %s: it was changed while its replacement was written; nothing was replaced", d.target.path)
	}
	// Folders without files count here: they keep a plain rename from working.
	entries, err := os.ReadDir(d.target.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("output directory %s: %w", d.target.path, plain(err))
	}
	replaced = len(entries) > 0
	if err := d.settle(replaced); err != nil {
		return false, fmt.Errorf("output directory %s: %w", d.target.path, plain(err))
	}
	if err = d.faults.at("swap"); err == nil && replaced {
		err = d.replace()
	} else if err == nil {
		err = d.place()
	}
	if err != nil {
		return false, fmt.Errorf("output directory %s: cannot put the new one in place: %w", d.target.path, explain(err))
	}
	return replaced, nil
}

// settle makes the new directory ready to be moved: on disk where an old one is
// at stake, with the permissions that the owner gave the old one, and closed, as
// some systems do not rename what is open.
func (d *Dir) settle(sync bool) error {
	if sync {
		if err := d.faults.at("sync"); err != nil {
			return err
		}
		if err := syncFiles(d.root); err != nil {
			return err
		}
	}
	was, err := os.Lstat(d.target.path)
	if err == nil {
		err = d.root.Chmod(".", was.Mode().Perm())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.root.Close()
}

// place moves the new directory to where nothing is, or an empty directory.
func (d *Dir) place() error {
	err := os.Rename(d.work.newPath(), d.target.path)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	// Not every system renames over an empty directory.
	if err := os.Remove(d.target.path); err != nil {
		return err
	}
	return os.Rename(d.work.newPath(), d.target.path)
}

// replace exchanges the two directories in one step, or in two where the file
// system cannot. Between the two, the target is missing and the old directory
// waits in the work directory, where the next run finds it (see recover).
func (d *Dir) replace() error {
	err := d.faults.at("exchange")
	if err == nil {
		err = exchange(d.work.newPath(), d.target.path)
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := os.Rename(d.target.path, d.work.oldPath()); err != nil {
		return err
	}
	err = d.faults.at("second rename")
	if err == nil {
		err = os.Rename(d.work.newPath(), d.target.path)
	}
	if err != nil {
		return errors.Join(err, os.Rename(d.work.oldPath(), d.target.path))
	}
	return nil
}

// discard closes everything and removes the work directory with what is in it:
// the unfinished new directory, or the old one after a swap.
func (d *Dir) discard() error {
	_ = d.root.Close() // closed before in Commit
	return d.work.release()
}
