package templates

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/Masterminds/sprig/v3"

	"railyard/generator/strict"
)

// definedIn are the templates that a file defines with {{define}}.
func (l *loader) definedIn(base, body string) ([]string, error) {
	if !strings.Contains(body, "define") && !strings.Contains(body, "block") {
		return nil, nil
	}
	t, err := template.New(base).Funcs(sprig.HermeticTxtFuncMap()).Funcs(l.funcs).Parse(body)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range t.Templates() {
		if d.Name() != base {
			names = append(names, d.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// unused refuses an overlay file, one behind the first known ones, that replaces
// no known file and that nothing else includes.
func (l *loader) unused(known int) error {
	included := map[string]bool{}
	for _, t := range l.base.Templates() {
		if t.Tree != nil && t.Root != nil {
			includes(t.Root, included)
		}
	}
	for _, f := range l.files[:known] {
		included[f.name] = true
	}
	for _, f := range l.files[known:] {
		if included[f.name] || slices.ContainsFunc(f.defines, func(n string) bool { return included[n] }) {
			continue
		}
		return fmt.Errorf("template %s/%s replaces no built-in template and no template includes it, so it would change nothing%s", l.os, f.name, l.meant(f.name, known))
	}
	return nil
}

// includes notes the templates that a tree calls.
func includes(n parse.Node, names map[string]bool) {
	list := func(l *parse.ListNode) {
		if l != nil {
			for _, c := range l.Nodes {
				includes(c, names)
			}
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		list(n)
	case *parse.TemplateNode:
		names[n.Name] = true
	case *parse.IfNode:
		list(n.List)
		list(n.ElseList)
	case *parse.RangeNode:
		list(n.List)
		list(n.ElseList)
	case *parse.WithNode:
		list(n.List)
		list(n.ElseList)
	}
}

// strays refuses what lies in the OS's folder and would not be read.
func (l *loader) strays(overlay fs.FS) error {
	entries, err := fs.ReadDir(overlay, l.os)
	if err != nil {
		return nil // no folder of this OS
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case strings.HasPrefix(name, ".") || strings.HasSuffix(name, "~") || path.Ext(name) == ".md":
		case e.IsDir(): // may hold other data of the OS, but no templates
			deep, err := fs.Glob(overlay, path.Join(l.os, name, "*.tmpl"))
			if err != nil {
				return err
			}
			if len(deep) > 0 {
				return fmt.Errorf("templates: %s would not be read; templates lie in %s itself", deep[0], l.os)
			}
		case path.Ext(name) != ".tmpl":
			return fmt.Errorf("templates: %s/%s would not be read, because its name does not end in .tmpl%s", l.os, name, l.meant(name, len(l.files)))
		}
	}
	return nil
}

// meant suggests the built-in template whose name is nearest.
func (l *loader) meant(name string, known int) string {
	var all []string
	for _, f := range l.files[:known] {
		all = append(all, f.name)
	}
	if near := strict.Nearest(name, all); near != "" {
		return fmt.Sprintf("; did you mean %s/%s?", l.os, near)
	}
	return "; the templates of " + l.os + " are " + strings.Join(all, ", ")
}
