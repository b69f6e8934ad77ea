// Package templates holds the text of every configuration, one folder per
// network OS, and parses it, with a site's own files laid over single ones.
package templates

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig/v3"
)

//go:embed */*.tmpl
var embedded embed.FS

// Set is the parsed templates of one network OS.
type Set struct {
	os string
	t  *template.Template
}

// Load parses the embedded templates of an OS and lays overlay's OS folder over
// them file by file; overlay may be nil. Functions are sprig's without those
// that read the environment, the clock or chance, plus funcs.
// Errors name the file and line.
func Load(os string, overlay fs.FS, funcs template.FuncMap) (*Set, error) {
	t := template.New(os).Option("missingkey=error").Funcs(sprig.HermeticTxtFuncMap()).Funcs(funcs)
	n := 0
	for _, layer := range []fs.FS{embedded, overlay} {
		if layer == nil {
			continue
		}
		names, err := fs.Glob(layer, path.Join(os, "*.tmpl"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			body, err := fs.ReadFile(layer, name)
			if err != nil {
				return nil, err
			}
			if _, err := t.New(path.Base(name)).Parse(string(body)); err != nil {
				return nil, fmt.Errorf("template %s: %w", name, err)
			}
			n++
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("no templates for %s", os)
	}
	return &Set{os: os, t: t}, nil
}

// Execute runs one template file for a device. A missing field, an error or a
// panic in a template comes back as an error that names device, template and line.
func (s *Set) Execute(name, device string, data any) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: template %s/%s: %v", device, s.os, name, r)
		}
	}()
	var b bytes.Buffer
	if err := s.t.ExecuteTemplate(&b, name, data); err != nil {
		var exec template.ExecError
		if errors.As(err, &exec) {
			return nil, fmt.Errorf("%s: template %s: %w", device, s.os, exec)
		}
		return nil, fmt.Errorf("%s: %w", device, err)
	}
	if i := bytes.Index(b.Bytes(), []byte("<no value>")); i >= 0 {
		line := 1 + strings.Count(b.String()[:i], "\n")
		return nil, fmt.Errorf("%s: template %s/%s: output line %d has a missing value", device, s.os, name, line)
	}
	return b.Bytes(), nil
}
