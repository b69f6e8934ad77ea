package inspect

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"railyard/generator/observed"
	"railyard/vendors/clitree"
	"railyard/vendors/comware"
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

// load reads a file, unpacked; larger ones than a configuration can be are refused.
func load(root fs.FS, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > clitree.MaxSize {
		return nil, &observed.Fault{Reason: fmt.Sprintf("%d bytes, more than the %d a configuration can have", info.Size(), clitree.MaxSize)}
	}
	buf := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(f, clitree.MaxSize+1)); err != nil {
		return nil, err
	}
	body := buf.Bytes()
	if len(body) > 2 && body[0] == 0x1f && body[1] == 0x8b {
		return unpack(body)
	}
	return body, nil
}

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
func (d *detector) examine(root fs.FS, name string, known map[string]reader) (out outcome) {
	out.file = name
	body, err := load(root, name)
	if err != nil {
		out.fault = &observed.Fault{Reason: reason(err)}
		errors.As(err, &out.fault)
		return out
	}
	if what := archive(body); what != "" {
		out.fault = &observed.Fault{Reason: "this is " + what + ", not a configuration"}
		return out
	}
	text := strings.ReplaceAll(decoded(body), "\r\n", "\n")
	if strings.HasPrefix(strings.TrimLeft(text[:min(len(text), 256)], "\ufeff \t\n\r"), "{") {
		return fromJSON(out, text)
	}
	out.os = d.system(text[:min(len(text), headSize)])
	r, ok := known[out.os]
	switch {
	case ok:
		return fromCLI(out, text, body, r)
	case out.os != "":
		out.fault = &observed.Fault{Line: 1, Reason: "this looks like " + out.os + "; audit reads comware, vrp, eos and sonic"}
		return out
	}
	// Nobody's: let the parser say what is wrong with it as text.
	_, problems := clitree.Parse(body, clitree.Generic())
	if p := clitree.Worst(problems, clitree.Fatal); p != nil {
		out.fault = &observed.Fault{Line: observed.Line(p.Line), Reason: p.Text}
		return out
	}
	out.alien = true
	out.fault = &observed.Fault{Line: 1, Reason: "not recognised as a configuration of comware, vrp, eos or sonic"}
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
func decoded(body []byte) string {
	if bytes.HasPrefix(body, []byte{0xff, 0xfe}) || bytes.HasPrefix(body, []byte{0xfe, 0xff}) {
		return strings.ReplaceAll(string(body[2:]), "\x00", "")
	}
	return strings.TrimPrefix(string(body), "\ufeff")
}

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

func fromJSON(out outcome, text string) outcome {
	out.os = "sonic"
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	sw, err := sonic.Observe(text)
	if err != nil {
		out.fault = &observed.Fault{Reason: err.Error()}
		errors.As(err, &out.fault)
		if !strings.Contains(text, "\"PORT\"") && !strings.Contains(text, "\"DEVICE_METADATA\"") {
			out.os, out.alien = "", true
		}
		return out
	}
	out.sw = sw
	return out
}

func fromCLI(out outcome, text string, raw []byte, r reader) outcome {
	lines, problems := rows(text, raw, r.syntax)
	for _, p := range problems {
		switch {
		case p.Severity == clitree.Fatal, p.Code == clitree.CodeTruncated && !strings.HasSuffix(text, "\n"):
			out.fault = &observed.Fault{Line: observed.Line(p.Line), Reason: p.Text}
			return out
		case p.Severity == clitree.Doubt:
			out.doubts = append(out.doubts, observed.Doubt{File: out.file, Line: observed.Line(p.Line), Code: p.Code, Reason: p.Text,
				Broken: p.Code == clitree.CodeTruncated || p.Code == clitree.CodePartial})
		}
	}
	out.sw = r.observe(observed.Text{Head: text[:min(len(text), headSize)], Rows: lines})
	return out
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
	for _, ext := range []string{".txt", ".cfg", ".conf", ".json", ".config", ".log"} {
		base = strings.TrimSuffix(base, ext)
	}
	for _, tail := range []string{".running-config", "-running-config", ".config_db", "-config_db", "_config_db"} {
		base = strings.TrimSuffix(base, tail)
	}
	return base
}
