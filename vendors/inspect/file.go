package inspect

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"railyard/generator/observed"
	"railyard/vendors/clitree"
	"railyard/vendors/comware"
	"railyard/vendors/cumulus"
	"railyard/vendors/eos"
	"railyard/vendors/sonic"
	"railyard/vendors/vrp"
)

// outcome is what became of one file: a switch, or why not.
type outcome struct {
	file   string
	sw     *observed.Switch
	fault  *observed.Fault
	os     string
	doubts []observed.Doubt
	alien  bool // readable text, but no configuration of any system
}

// reader is one system's way from text to facts.
type reader struct {
	syntax  *clitree.Syntax
	observe func(observed.Text) *observed.Switch
}

func readers() map[string]reader {
	return map[string]reader{
		"comware": {clitree.Comware(), comware.Observe},
		"vrp":     {clitree.VRP(), vrp.Observe},
		"eos":     {clitree.EOS(), eos.Observe},
	}
}

// scratch is what one worker reads files into, one after the other. Nothing that
// is kept may point into it: extractors copy the few strings they keep.
type scratch struct {
	buf []byte
	db  *sonic.Observer
}

// systems are those that are read, for messages.
const systems = "comware, vrp, eos, sonic and cumulus"

// load reads a file, unpacked, into the scratch; larger ones than a configuration
// can be are refused.
func (s *scratch) load(root fs.FS, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &observed.Fault{Reason: "not a file"} // a link may lead to a pipe or a device
	}
	if info.Size() > clitree.MaxSize {
		return nil, &observed.Fault{Reason: fmt.Sprintf("%d bytes, more than the %d a configuration can have", info.Size(), clitree.MaxSize)}
	}
	buf := bytes.NewBuffer(slices.Grow(s.buf[:0], int(info.Size())+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(f, clitree.MaxSize+1)); err != nil {
		return nil, err
	}
	body := buf.Bytes()
	if s.buf = body; cap(s.buf) > mostScratch {
		s.buf = nil // one huge file must not keep its memory
	}
	switch {
	case len(body) > clitree.MaxSize:
		return nil, &observed.Fault{Reason: fmt.Sprintf("it grows while it is read, beyond the %d bytes a configuration can have", clitree.MaxSize)}
	case len(body) > 2 && body[0] == 0x1f && body[1] == 0x8b:
		return unpack(body)
	}
	return body, nil
}

// mostScratch bounds what a worker keeps between files.
const mostScratch = 4 << 20

func unpack(body []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, &observed.Fault{Reason: "a damaged gzip file: " + err.Error()}
	}
	out, err := io.ReadAll(io.LimitReader(z, clitree.MaxSize+1))
	switch {
	case err != nil:
		return nil, &observed.Fault{Line: observed.Line(1 + bytes.Count(out, []byte{'\n'})), Reason: "a damaged gzip file: " + err.Error()}
	case len(out) > clitree.MaxSize:
		return nil, &observed.Fault{Reason: fmt.Sprintf("unpacks to more than the %d bytes a configuration can have", clitree.MaxSize)}
	}
	return out, nil
}

// examine reads one file and says what it is.
func (d *detector) examine(root fs.FS, name string, known map[string]reader, s *scratch) (out outcome) {
	out.file = name
	body, err := s.load(root, name)
	if err != nil {
		out.fault = &observed.Fault{Reason: reason(err)}
		errors.As(err, &out.fault)
		return out
	}
	if what := archive(body); what != "" {
		out.fault = &observed.Fault{Reason: "this is " + what + ", not a configuration"}
		return out
	}
	plain := unixed(decoded(body))
	text := view(plain)
	if strings.HasPrefix(strings.TrimLeft(text[:min(len(text), 256)], "\ufeff \t\n\r"), "{") {
		return s.fromJSON(out, text)
	}
	out.os = d.system(text[:min(len(text), headSize)])
	r, ok := known[out.os]
	switch {
	case ok:
		return fromCLI(out, plain, body, r)
	case out.os == "cumulus":
		return fromDocument(out, text, cumulus.Observe)
	case out.os == "rgos" || out.os == "zxros":
		out.fault = &observed.Fault{Line: 1, Reason: "this looks like " + out.os + ", whose lossless commands no public text shows: check it by the vendor's own tools"}
		return out
	case out.os != "":
		out.fault = &observed.Fault{Line: 1, Reason: "this looks like " + out.os + "; audit reads " + systems}
		return out
	}
	// Nobody's: let the parser say what is wrong with it as text.
	_, problems := clitree.Parse(body, clitree.Generic())
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		out.fault = &observed.Fault{Line: observed.Line(p.Line), Reason: p.Text}
		return out
	}
	out.alien = true
	out.fault = &observed.Fault{Line: 1, Reason: "not recognised as a configuration; audit reads " + systems}
	return out
}

func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}

// decoded is the text without a byte order mark and, if it was, out of UTF-16
// as far as telling the system needs.
func decoded(body []byte) []byte {
	if bytes.HasPrefix(body, []byte{0xff, 0xfe}) || bytes.HasPrefix(body, []byte{0xfe, 0xff}) {
		return bytes.ReplaceAll(body[2:], []byte{0}, nil)
	}
	return bytes.TrimPrefix(body, []byte("\ufeff"))
}

// unixed is the text with line feeds alone.
func unixed(body []byte) []byte {
	if bytes.IndexByte(body, '\r') < 0 {
		return body
	}
	return bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))
}

// view is the bytes as a string without a copy: a copy of every file would cost
// as much as reading it. It is good until the scratch is used again.
func view(body []byte) string { return unsafe.String(unsafe.SliceData(body), len(body)) }

// archive names formats that hold configurations but are none.
func archive(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return "a zip archive"
	case bytes.HasPrefix(body, []byte("\xfd7zXZ")), bytes.HasPrefix(body, []byte("BZh")):
		return "a packed file"
	case bytes.HasPrefix(body, []byte("\x7fELF")):
		return "a program"
	}
	return ""
}

func (s *scratch) fromJSON(out outcome, text string) outcome {
	if !strings.Contains(text, "\"PORT\"") && !strings.Contains(text, "\"DEVICE_METADATA\"") {
		out = fromDocument(out, text, s.document)
		out.alien = out.sw == nil
		return out
	}
	out.os = "sonic"
	return fromDocument(out, text, s.document)
}

// document reads a CONFIG_DB document.
func (s *scratch) document(text string) (*observed.Switch, error) {
	if s.db == nil {
		s.db = sonic.NewObserver()
	}
	return s.db.Observe(text)
}

func fromDocument(out outcome, text string, observe func(string) (*observed.Switch, error)) outcome {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	sw, err := observe(text)
	if err != nil {
		out.fault = &observed.Fault{Reason: err.Error()}
		errors.As(err, &out.fault)
		return out
	}
	return bounded(out, sw)
}

// bounded refuses what has more interfaces than a switch: it is something else.
func bounded(out outcome, sw *observed.Switch) outcome {
	if len(sw.Ports) >= observed.MostPorts {
		out.fault = &observed.Fault{Line: sw.Ports[len(sw.Ports)-1].At, Reason: fmt.Sprintf("%d interfaces and more: no single switch has that many", observed.MostPorts)}
		return out
	}
	out.sw = sw
	return out
}

func fromCLI(out outcome, plain, raw []byte, r reader) outcome {
	text, problems := rows(plain, raw, r.syntax)
	for _, p := range problems {
		switch {
		case p.Severity == clitree.Fatal, p.Code == clitree.CodeTruncated && !bytes.HasSuffix(plain, []byte("\n")):
			out.fault = &observed.Fault{Line: observed.Line(p.Line), Reason: p.Text}
			return out
		case p.Severity == clitree.Doubt:
			out.doubts = append(out.doubts, observed.Doubt{File: out.file, Line: observed.Line(p.Line), Code: p.Code, Reason: p.Text,
				Broken: p.Code == clitree.CodeTruncated || p.Code == clitree.CodePartial})
		}
	}
	return bounded(out, r.observe(text))
}

// ownNames are the names devices themselves give their configuration; the folder
// then names the switch.
var ownNames = [...]string{"startup.cfg", "startup-config", "running-config", "running.cfg", "current.cfg", "vrpcfg.cfg", "vrpcfg.txt", "config_db.json", "config.cfg", "startup.yaml"}

// stem is the switch's name by where its file lies.
func stem(file string) string {
	base := strings.TrimSuffix(path.Base(file), ".gz")
	bare := strings.TrimSuffix(base, ".txt")
	for _, own := range ownNames {
		if bare == own || base == own {
			if dir := path.Base(path.Dir(file)); dir != "." && dir != "/" {
				return dir
			}
		}
	}
	for _, ext := range []string{".txt", ".cfg", ".conf", ".json", ".config", ".log", ".yaml", ".yml"} {
		base = strings.TrimSuffix(base, ext)
	}
	for _, tail := range []string{".running-config", "-running-config", ".config_db", "-config_db", "_config_db"} {
		base = strings.TrimSuffix(base, tail)
	}
	return base
}
