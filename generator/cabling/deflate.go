package cabling

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"hash/crc32"
	"runtime"
	"strconv"
	"sync"
)

// blockSize is how much text is compressed at a time. The blocks know nothing of
// each other, which costs little at this size and lets all processors work. It is
// fixed, so the bytes are the same however many there are.
const blockSize = 1 << 20

// deflater makes the compressed text of one sheet in memory.
type deflater struct {
	text    []byte // not compressed yet
	number  []byte // of the current row
	refs    bool   // cells say where they are
	queue   chan *block
	result  chan member
	writers sync.Pool // of *flate.Writer
	free    sync.Pool // of *block
}

type block struct {
	text []byte
	out  bytes.Buffer
	done chan struct{} // gets one value when out is complete
}

// member is a compressed file of a zip archive.
type member struct {
	data []byte
	crc  uint32
	size uint64
}

func newDeflater(refs bool) *deflater {
	d := &deflater{
		text: make([]byte, 0, blockSize+blockSize/8), refs: refs,
		queue: make(chan *block, runtime.GOMAXPROCS(0)), result: make(chan member, 1),
	}
	go d.collect()
	return d
}

// collect puts the blocks together in order.
func (d *deflater) collect() {
	var m member
	for b := range d.queue {
		<-b.done
		m.crc = crc32.Update(m.crc, crc32.IEEETable, b.text)
		m.size += uint64(len(b.text))
		m.data = append(m.data, b.out.Bytes()...)
		b.out.Reset()
		d.free.Put(b)
	}
	d.result <- m
}

// flush hands the text over; the queue bounds how many blocks are under way.
func (d *deflater) flush(last bool) {
	b, ok := d.free.Get().(*block)
	if !ok {
		b = &block{text: make([]byte, 0, cap(d.text)), done: make(chan struct{}, 1)}
	}
	b.text, d.text = d.text, b.text[:0]
	d.queue <- b
	go func() {
		w, ok := d.writers.Get().(*flate.Writer)
		if !ok {
			w, _ = flate.NewWriter(nil, flate.BestSpeed) // the level is valid
		}
		// Writes to a bytes.Buffer do not fail.
		w.Reset(&b.out)
		_, _ = w.Write(b.text)
		if last {
			_ = w.Close()
		} else {
			_ = w.Flush()
		}
		d.writers.Put(w)
		b.done <- struct{}{}
	}()
}

// close compresses what is left and returns the whole.
func (d *deflater) close() member {
	d.flush(true)
	close(d.queue)
	return <-d.result
}

// store adds the member to an archive.
func (m member) store(out *zip.Writer, name string) error {
	w, err := out.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: m.crc,
		CompressedSize64: uint64(len(m.data)), UncompressedSize64: m.size})
	if err != nil {
		return err
	}
	_, err = w.Write(m.data)
	return err
}

// row adds a row in SpreadsheetML (ECMA-376, part 1, 18.3): texts in line, numbers
// as values. A text cell is never run as a formula.
func (d *deflater) row(r *row, number int) {
	d.number = strconv.AppendInt(d.number[:0], int64(number), 10)
	t := append(d.text, `<row r="`...)
	t = append(t, d.number...)
	t = append(t, `">`...)
	for i := range r.ends {
		cell, isNumber := r.cell(i)
		if len(cell) == 0 && d.refs {
			continue
		}
		t = append(t, `<c`...)
		if d.refs {
			t = append(t, ` r="`...)
			t = append(t, byte('A'+i)) // no list has more than 26 columns
			t = append(t, d.number...)
			t = append(t, '"')
		}
		switch {
		case len(cell) == 0:
			t = append(t, `/>`...)
		case isNumber:
			t = append(t, `><v>`...)
			t = append(t, cell...)
			t = append(t, `</v></c>`...)
		default:
			t = appendText(t, cell)
		}
	}
	d.text = append(t, `</row>`...)
	if len(d.text) >= blockSize {
		d.flush(false)
	}
}

func appendText(t, cell []byte) []byte {
	if cell[0] == ' ' || cell[len(cell)-1] == ' ' {
		t = append(t, ` t="inlineStr"><is><t xml:space="preserve">`...)
	} else {
		t = append(t, ` t="inlineStr"><is><t>`...)
	}
	t = appendXML(t, cell)
	return append(t, `</t></is></c>`...)
}

// appendXML escapes a text; what XML cannot hold becomes U+FFFD.
func appendXML(b, text []byte) []byte {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '<' || c == '>' || c == '&' {
			var out bytes.Buffer
			_ = xml.EscapeText(&out, text) // a buffer takes all
			return append(b, out.Bytes()...)
		}
	}
	return append(b, text...)
}
