package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// Append records something; it is on the disk when Append returns. Records that
// arrive while the disk is busy are written together. After an error nothing more
// is accepted: a journal with holes is none.
func (j *Journal) Append(r Record) error { return j.put(request{record: r}) }

// SaveUndo keeps what is needed to bring a switch back; it is on the disk when
// SaveUndo returns. The last one counts, so it must not be called any more once
// something was sent: what is on the switch then is not what was there before.
func (j *Journal) SaveUndo(sw string, body []byte) error {
	return j.put(request{undo: &undoLine{sw, body}})
}

func (j *Journal) put(q request) error {
	q.done = make(chan error, 1)
	j.mu.Lock()
	j.queue = append(j.queue, q)
	lead := !j.busy
	j.busy = true
	j.mu.Unlock()
	if lead {
		j.flush()
	}
	return <-q.done
}

// flush writes what is queued until nothing is.
func (j *Journal) flush() {
	for {
		j.mu.Lock()
		batch := j.queue
		j.queue = nil
		if len(batch) == 0 {
			j.busy = false
			j.mu.Unlock()
			return
		}
		var records, undos bytes.Buffer
		err := errors.Join(j.broken, j.encode(batch, &records, &undos))
		j.mu.Unlock()
		err = errors.Join(err, store(j.undo, &undos, err), store(j.file, &records, err))
		if err != nil {
			err = fmt.Errorf("journal: %w", err)
			j.mu.Lock()
			j.broken = err
			j.mu.Unlock()
		}
		for _, q := range batch {
			q.done <- err
		}
	}
}

// encode numbers and writes a batch; the lock is held.
func (j *Journal) encode(batch []request, records, undos *bytes.Buffer) error {
	now := time.Now().UTC().Truncate(time.Millisecond)
	for i := range batch {
		if u := batch[i].undo; u != nil {
			before := undos.Len()
			if err := json.NewEncoder(undos).Encode(u); err != nil {
				return err
			}
			size := int64(undos.Len() - before)
			j.undos[u.Switch] = span{j.end, size}
			j.end += size
			continue
		}
		r := &batch[i].record
		r.Seq, r.At = len(j.records)+1, now
		j.records = append(j.records, *r)
		if err := json.NewEncoder(records).Encode(r); err != nil {
			return err
		}
	}
	return nil
}

// store writes and syncs, unless something failed before.
func store(f *os.File, b *bytes.Buffer, failed error) error {
	if failed != nil || b.Len() == 0 {
		return nil
	}
	if _, err := f.Write(b.Bytes()); err != nil {
		return err
	}
	return f.Sync()
}
