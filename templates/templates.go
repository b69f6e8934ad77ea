// Package templates holds the text of every configuration, one folder per
// network OS, and parses it, with a site's own files laid over single ones.
// README.md beside it documents what each template may use.
package templates

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

//go:generate go run ./reference/generate

//go:embed */*.tmpl
var embedded embed.FS

// Set is the parsed templates of one network OS.
type Set struct {
	os string
	t  *template.Template
}

// Error says that a template failed, for which device and in which line.
type Error struct {
	Device string
	Reason string // begins with OS, file and line
	err    error
}

// Error names device, template and line.
func (e *Error) Error() string { return e.Device + ": template " + e.Reason }

// Unwrap is what the template engine said.
func (e *Error) Unwrap() error { return e.err }

// Load parses the embedded templates of an OS and lays overlay's OS folder over
// them file by file; overlay may be nil. Functions are sprig's without those
// that read the environment, the clock or chance, plus funcs.
// Errors name the file and line. A file of overlay that no template uses, because
// its name is misspelt, is an error too: it would change nothing, silently.
func Load(os string, overlay fs.FS, funcs template.FuncMap) (*Set, error) {
	l := &loader{os: os, funcs: funcs, base: template.New(os).Option("missingkey=error").Funcs(sprig.HermeticTxtFuncMap()).Funcs(funcs)}
	if err := l.layer(embedded); err != nil {
		return nil, err
	}
	if len(l.files) == 0 {
		return nil, fmt.Errorf("no templates for %s", os)
	}
	if overlay != nil {
		known := len(l.files)
		if err := l.strays(overlay); err != nil {
			return nil, err
		}
		if err := l.layer(overlay); err != nil {
			return nil, err
		}
		if err := l.unused(known); err != nil {
			return nil, err
		}
	}
	return &Set{os: os, t: l.base}, nil
}

// loader parses the layers of an OS's folder.
type loader struct {
	os    string
	funcs template.FuncMap
	base  *template.Template
	files []file
}

// file is a template file and the names of the templates it defines besides.
type file struct {
	name    string
	defines []string
}

func (l *loader) layer(layer fs.FS) error {
	names, err := fs.Glob(layer, path.Join(l.os, "*.tmpl"))
	if err != nil {
		return err
	}
	for _, name := range names {
		body, err := fs.ReadFile(layer, name)
		if err != nil {
			return err
		}
		base := path.Base(name)
		if _, err := l.base.New(base).Parse(string(body)); err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
		defines, err := l.definedIn(base, string(body))
		if err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
		l.files = append(l.files, file{base, defines})
	}
	return nil
}

// Execute runs one template file for a device. A missing field, an error or a
// panic in a template comes back as an *Error that names device, template and line.
func (s *Set) Execute(name, device string, data any) (out []byte, err error) {
	fail := func(place, reason string, err error) error { return &Error{device, s.os + "/" + place + reason, err} }
	defer func() {
		if r := recover(); r != nil {
			err = fail(name, fmt.Sprintf(": %v", r), nil)
		}
	}()
	var b bytes.Buffer
	if err := s.t.ExecuteTemplate(&b, name, data); err != nil {
		// The engine begins with "template: file:line:column: ".
		return nil, fail(strings.TrimPrefix(err.Error(), "template: "), "", err)
	}
	if i := bytes.Index(b.Bytes(), []byte("<no value>")); i >= 0 {
		line := 1 + strings.Count(b.String()[:i], "\n")
		return nil, fail(name, fmt.Sprintf(": output line %d has a missing value", line), nil)
	}
	return b.Bytes(), nil
}

// Tidy drops empty lines and blanks at line ends, in place, so that templates may be
// written for reading. It suits systems that print neither.
func Tidy(body []byte) []byte {
	out := body[:0]
	for len(body) > 0 {
		line, rest, _ := bytes.Cut(body, []byte{'\n'})
		body = rest
		if line = bytes.TrimRight(line, " \t\r"); len(line) > 0 {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}
