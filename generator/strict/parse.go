package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// MaxBytes is the size up to which a file is read: 4 MiB.
const MaxBytes = 4 << 20

// maxEntries bounds the characters that can start a key, a list entry or a
// flow collection. With two nodes of some 200 bytes for each, the tree of the
// largest accepted file stays under 100 MB.
const maxEntries = 120_000

// Document is one parsed YAML document.
type Document struct {
	name string
	root *yaml.Node
}

// Parse reads one YAML document. The name stands in positions. It fails on
// input that is too large, not text, not YAML, empty, or more than one document.
func Parse(name string, r io.Reader) (*Document, Problems) {
	file := Position{File: name}
	body, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, Problems{{Position: file, Message: fmt.Sprintf("cannot be read: %v", err)}}
	}
	if len(body) > MaxBytes {
		return nil, Problems{{Position: file, Message: "larger than 4 MiB", Remedy: "give a cluster file, not an image, a log or an archive"}}
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if p := text(name, body); p != nil {
		return nil, Problems{*p}
	}
	if p := bounded(name, body); p != nil {
		return nil, Problems{*p}
	}
	return parse(name, body)
}

func parse(name string, body []byte) (*Document, Problems) {
	dec := yaml.NewDecoder(bytes.NewReader(body))
	root, err := next(dec)
	switch {
	case errors.Is(err, io.EOF):
		return nil, Problems{{Position: Position{File: name}, Message: "is empty"}}
	case err != nil:
		return nil, Problems{syntax(name, body, err)}
	}
	if n := root.Content[0]; n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil, Problems{{Position: Position{File: name}, Message: "is empty"}}
	}
	second, err := next(dec)
	switch {
	case errors.Is(err, io.EOF):
		return &Document{name, root.Content[0]}, nil
	case err != nil:
		return nil, Problems{syntax(name, body, err)}
	}
	return nil, Problems{{
		Position: Position{File: name, Line: second.Line, Column: second.Column},
		Message:  "a second YAML document starts here",
		Remedy:   "one file describes one thing: remove the line --- or split the file",
	}}
}

// next parses one document. yaml.v3 panics on some malformed input instead of
// returning an error; that must not leave this package.
func next(dec *yaml.Decoder) (n *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("yaml: %v", p)
		}
	}()
	n = new(yaml.Node)
	if err := dec.Decode(n); err != nil {
		return nil, err
	}
	if len(n.Content) == 0 {
		return nil, io.EOF
	}
	return n, nil
}

// text insists on UTF-8 without control characters and names what it is instead.
func text(name string, body []byte) *Problem {
	for _, known := range []struct{ start, is, remedy string }{
		{"\xff\xfe", "is UTF-16 text", "save it as UTF-8"},
		{"\xfe\xff", "is UTF-16 text", "save it as UTF-8"},
		{"\x1f\x8b", "is compressed with gzip", "unpack it first"},
		{"PK\x03\x04", "is a zip archive or an office document", "give the YAML text"},
		{"\x7fELF", "is a program", "give the YAML text"},
	} {
		if bytes.HasPrefix(body, []byte(known.start)) {
			return &Problem{Position: Position{File: name}, Message: known.is, Remedy: known.remedy}
		}
	}
	for i := 0; i < len(body); {
		r, n := utf8.DecodeRune(body[i:])
		what, remedy := "", "remove it"
		switch {
		case r == utf8.RuneError && n <= 1:
			what, remedy = fmt.Sprintf("the byte 0x%02x is not UTF-8 text", body[i]), "save the file as UTF-8"
		case r == 0:
			what, remedy = "a NUL byte: this is not a text file", "give the YAML text"
		case r == '\ufeff':
			what = "a byte order mark in the middle of the file"
		case unicode.IsControl(r) && !strings.ContainsRune("\t\n\r\u0085", r):
			what = fmt.Sprintf("the control character %U", r)
		}
		if what != "" {
			return &Problem{Position: at(name, body, i), Message: what, Remedy: remedy}
		}
		i += n
	}
	return nil
}

// at turns an offset into a position.
func at(name string, body []byte, offset int) Position {
	before := body[:offset]
	line := bytes.LastIndexByte(before, '\n') + 1
	return Position{File: name, Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[line:]) + 1}
}

// bounded counts what may become nodes, before yaml.v3 builds them.
func bounded(name string, body []byte) *Problem {
	entries := 0
	for i, c := range body {
		switch c {
		case ':', '-', '?':
			// In block context these start an entry only before white space; a
			// colon may also follow a quoted key directly.
			if i+1 < len(body) && !strings.ContainsRune(" \t\r\n,[]{}", rune(body[i+1])) && (c != ':' || i == 0 || body[i-1] != '"' && body[i-1] != '\'') {
				continue
			}
		case ',', '[', '{':
		default:
			continue
		}
		if entries++; entries > maxEntries {
			return &Problem{
				Position: at(name, body, i),
				Message:  fmt.Sprintf("more than %d keys and list entries", maxEntries),
				Remedy:   "a cluster file describes groups, not single devices",
			}
		}
	}
	return nil
}
