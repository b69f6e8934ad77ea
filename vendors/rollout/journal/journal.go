// Package journal keeps what a push is about to do, and did, on disk, so that
// whoever comes after a crash knows which switches may have changed.
//
// A run is a folder: journal.jsonl has one record a line, undo.jsonl what going
// back takes, one switch a line. Both are on the disk (fsync) when Append and
// SaveUndo return, before anything is sent; so the journal may name a switch that
// was never touched, but never misses one that was. A last line that a crash cut
// off is not a record. What many switches write at once shares one fsync. Nothing
// here holds a secret, and everything is mode 0600 all the same.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Kind says what a record is about.
type Kind string

// The kinds of records.
const (
	Begin    Kind = "begin"    // the run: its switches in Switches
	Send     Kind = "send"     // a Set is about to go out
	Answer   Kind = "answer"   // what came back, Note says
	Stands   Kind = "stands"   // what reading back showed, State says
	Extend   Kind = "extend"   // a commit is about to be given more time
	Confirm  Kind = "confirm"  // a commit is about to be confirmed
	Restore  Kind = "restore"  // going back is about to start
	Note     Kind = "note"     // for people
	End      Kind = "end"      // the run is over, State says how
	Continue Kind = "continue" // a resume or rollback took over
)

// State is where a switch, or the run, stands.
type State string

// The states.
const (
	Kept      State = "kept"      // as declared, verified, and confirmed where that is needed
	Intended  State = "intended"  // as declared, not yet verified
	Pending   State = "pending"   // as declared, and reverts unless confirmed
	Before    State = "before"    // as it was before the run
	Uncertain State = "uncertain" // as before, but a send was never answered and may still be carried out
	Other     State = "other"     // neither: changed and not finished
	Unknown   State = "unknown"   // cannot be read
)

// Record is one line.
type Record struct {
	Seq      int       `json:"seq"`
	At       time.Time `json:"at"`
	Kind     Kind      `json:"kind"`
	Switch   string    `json:"switch,omitempty"`
	State    State     `json:"state,omitempty"`
	Digest   string    `json:"digest,omitempty"`  // begin: of the intent; send: of the request
	Commit   string    `json:"commit,omitempty"`  // id of a commit-confirmed transaction
	Deadline time.Time `json:"deadline,omitzero"` // when a commit has reverted at the latest
	Of       int       `json:"of,omitempty"`      // send: how many transactions the change has
	Lost     bool      `json:"lost,omitempty"`    // answer: none came
	Note     string    `json:"note,omitempty"`
	Switches []string  `json:"switches,omitempty"`
}

// Journal is the open journal of one run.
type Journal struct {
	Run  string
	dir  string
	lock *os.File
	file *os.File
	undo *os.File

	mu      sync.Mutex
	records []Record
	undos   map[string]span
	end     int64 // of the undo file
	queue   []request
	busy    bool
	broken  error
}

// request is a record, or an undo, on its way to the disk.
type request struct {
	record Record
	undo   *undoLine
	done   chan error
}

type undoLine struct {
	Switch string `json:"switch"`
	Body   []byte `json:"body"`
}

// span is where a line stands in the undo file.
type span struct{ at, size int64 }

const (
	name     = "journal.jsonl"
	undoName = "undo.jsonl"
)

// ErrNone is the error of Last where there is no run.
var ErrNone = errors.New("no push has been recorded here")

// Create starts the journal of a new run. It fails while another process holds
// the folder, and with *UnfinishedError when the last run did not end.
func Create(dir, run string) (*Journal, error) {
	lock, err := acquire(dir)
	if err != nil {
		return nil, err
	}
	last, err := newest(dir)
	if err == nil && last != "" {
		var list []Record
		if list, _, err = read(filepath.Join(dir, last, name)); err == nil && !Ended(list) {
			err = &UnfinishedError{dir, last}
		}
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, run), 0o700)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	j := &Journal{Run: run, dir: filepath.Join(dir, run), lock: lock, undos: map[string]span{}}
	j.file, err = os.OpenFile(filepath.Join(j.dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		err = j.openUndo()
	}
	if err == nil {
		err = errors.Join(syncDir(j.dir), syncDir(dir))
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return j, nil
}

// UnfinishedError says that the last run did not end.
type UnfinishedError struct{ Dir, Run string }

// Error says what to do.
func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("push %s was interrupted and may have left switches changed: go on with --resume, or back with --rollback (journal %s)", e.Run, filepath.Join(e.Dir, e.Run))
}

// Last opens the newest run to go on with it.
func Last(dir string) (*Journal, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	lock, err := acquire(dir)
	if err != nil {
		return nil, err
	}
	run, err := newest(dir)
	if err == nil && run == "" {
		err = fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	j := &Journal{Run: run, dir: filepath.Join(dir, run), lock: lock}
	if err := j.open(); err != nil {
		lock.Close()
		return nil, err
	}
	return j, nil
}

func (j *Journal) open() error {
	path := filepath.Join(j.dir, name)
	list, size, err := read(path)
	if err != nil {
		return err
	}
	j.records = list
	if j.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return err
	}
	return errors.Join(j.file.Truncate(size), j.openUndo()) // without a line that a crash cut off
}

// openUndo finds what the undo file holds; the last line of a switch counts.
func (j *Journal) openUndo() error {
	var err error
	if j.undo, err = os.OpenFile(filepath.Join(j.dir, undoName), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600); err != nil {
		return err
	}
	j.undos = map[string]span{}
	r := bufio.NewReader(j.undo)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return j.undo.Truncate(j.end)
		}
		if err != nil {
			return err
		}
		var u undoLine
		if err := json.Unmarshal(line, &u); err != nil {
			return fmt.Errorf("%s: %w", j.undo.Name(), err)
		}
		j.undos[u.Switch] = span{j.end, int64(len(line))}
		j.end += int64(len(line))
	}
}

// acquire takes the folder's lock, which the kernel releases with the process.
func acquire(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := exclusive(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: another push is running", dir)
	}
	return f, nil
}

// newest finds the last run that has a record; run names sort by time. A folder
// without one was never begun: nothing was sent.
func newest(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range slices.Backward(entries) {
		if !e.IsDir() {
			continue
		}
		list, _, err := read(filepath.Join(dir, e.Name(), name))
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(list) == 0 {
			continue
		}
		return e.Name(), err
	}
	return "", nil
}

// read returns the records and how many bytes they take.
func read(path string) (list []Record, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return list, size, nil
		}
		if err != nil {
			return nil, 0, err
		}
		var rec Record
		d := json.NewDecoder(bytes.NewReader(line))
		if err := d.Decode(&rec); err != nil || rec.Seq != len(list)+1 {
			return nil, 0, fmt.Errorf("%s: line %d is not a record of this journal", path, len(list)+1)
		}
		list = append(list, rec)
		size += int64(len(line))
	}
}

// Ended reports whether a run came to its end.
func Ended(list []Record) bool {
	return len(list) > 0 && list[len(list)-1].Kind == End
}

// Records are what was recorded so far.
func (j *Journal) Records() []Record {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.records)
}

// Undo returns what SaveUndo kept, fs.ErrNotExist where it kept nothing.
func (j *Journal) Undo(sw string) ([]byte, error) {
	j.mu.Lock()
	at, ok := j.undos[sw]
	j.mu.Unlock()
	if !ok {
		return nil, fs.ErrNotExist
	}
	line := make([]byte, at.size)
	if _, err := j.undo.ReadAt(line, at.at); err != nil {
		return nil, err
	}
	var u undoLine
	err := json.Unmarshal(line, &u)
	return u.Body, err
}

// Close releases the folder.
func (j *Journal) Close() error {
	return errors.Join(j.file.Close(), j.undo.Close(), j.lock.Close())
}
