// Package reference writes the tables of templates/README.md: every template, the
// data it is given, and every field that it may use. It reads the Go structs of the
// drivers, with their comments, and follows the data through the built-in templates.
// What a comment does not say, pages.yaml does.
package reference

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template/parse"

	"gopkg.in/yaml.v3"
)

//go:embed pages.yaml
var pagesFile []byte

// page is what is said about the templates of one folder beyond the Go source.
type page struct {
	Folder    string            `yaml:"folder"`
	Source    string            `yaml:"source"` // folder of the Go package
	About     string            `yaml:"about"`
	Run       map[string]string `yaml:"run"` // templates that railyard runs by itself, with the type of their data
	Templates map[string]string `yaml:"templates"`
	Functions map[string]string `yaml:"functions"`
	Fields    map[string]string `yaml:"fields"` // by type.field, or by field for all types
}

// The marks between which README.md holds the tables.
const (
	Begin = "<!-- tables: begin (written by go generate ./templates) -->\n"
	End   = "<!-- tables: end -->\n"
)

// Fill replaces the tables of a README; root is the folder of the module. Errors
// list whatever does not fit: a template or field without a word about it, words
// about one that does not exist, a template that uses a field its data lacks.
func Fill(readme []byte, root string) ([]byte, error) {
	before, rest, ok := bytes.Cut(readme, []byte(Begin))
	_, after, ok2 := bytes.Cut(rest, []byte(End))
	if !ok || !ok2 {
		return nil, fmt.Errorf("README.md lacks the marks %q and %q", Begin, End)
	}
	var doc struct {
		Common map[string]string `yaml:"common"` // meanings of fields, by name, for all folders
		Pages  []page            `yaml:"pages"`
	}
	d := yaml.NewDecoder(bytes.NewReader(pagesFile))
	d.KnownFields(true)
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(slices.Clip(before))
	b.WriteString(Begin)
	src := &source{root: root, pkgs: map[string]*pkg{}}
	var faults []string
	told := map[string]bool{}
	for i := range doc.Pages {
		text, wrong, err := doc.Pages[i].write(src, doc.Common, told)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", doc.Pages[i].Folder, err)
		}
		b.WriteString(text)
		faults = append(faults, wrong...)
	}
	for _, name := range sorted(doc.Common) {
		if !told[name] {
			faults = append(faults, fmt.Sprintf("pages.yaml describes %s, which no field needs", name))
		}
	}
	b.WriteString(End)
	b.Write(after)
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	return b.Bytes(), nil
}

// follow walks through all templates of the folder that railyard runs.
func (p *page) follow(src *source) (*walker, error) {
	w := &walker{folder: p.Folder, trees: map[string]*parse.Tree{}, data: map[string][]*structure{}, used: map[*structure]map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(src.root, "templates", p.Folder, "*.tmpl"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		t := parse.New(filepath.Base(file))
		t.Mode = parse.SkipFuncCheck
		if _, err := t.Parse(string(body), "", "", w.trees); err != nil {
			return nil, err
		}
		if w.trees[t.Name] == nil { // it only defines others
			w.trees[t.Name] = t
		}
	}
	for _, name := range sorted(p.Run) {
		st, err := src.structure(p.Source, p.Run[name])
		if err != nil {
			return nil, err
		}
		w.run(name, value{of: st})
	}
	for _, file := range files {
		name := filepath.Base(file)
		if p.Templates[name] == "" {
			w.faults = append(w.faults, fmt.Sprintf("pages.yaml says nothing about %s/%s", p.Folder, name))
		}
	}
	for name := range p.Templates {
		if w.trees[name] == nil {
			w.faults = append(w.faults, fmt.Sprintf("pages.yaml describes %s/%s, which does not exist", p.Folder, name))
		}
	}
	return w, nil
}

func (p *page) write(src *source, common map[string]string, told map[string]bool) (string, []string, error) {
	w, err := p.follow(src)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n### %s\n\n%s\n\n| template | data | writes |\n|---|---|---|\n", p.Folder, strings.TrimSpace(p.About))
	var types []*structure
	for _, name := range sorted(p.Run) { // what everything else is part of comes first
		for _, st := range w.data[name] {
			types = collect(types, st)
		}
	}
	for _, name := range sorted(p.Templates) {
		var data []string
		for _, st := range w.data[name] {
			data = append(data, link(p.Folder, st.name))
			types = collect(types, st)
		}
		if len(data) == 0 {
			data = []string{"that of its caller"}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", name, strings.Join(data, ", "), p.Templates[name])
	}
	for _, name := range sorted(p.Functions) {
		fmt.Fprintf(&b, "\nFunction `%s`: %s\n", name, p.Functions[name])
	}
	for _, st := range types {
		p.table(&b, w, st, common, told)
	}
	for _, key := range sorted(p.Fields) {
		if !told[p.Folder+"/"+key] {
			w.faults = append(w.faults, fmt.Sprintf("pages.yaml describes %s of %s, which has a comment or does not exist", key, p.Folder))
		}
	}
	return b.String(), w.faults, nil
}

// table lists the fields of a struct.
func (p *page) table(b *strings.Builder, w *walker, st *structure, common map[string]string, told map[string]bool) {
	fmt.Fprintf(b, "\n#### %s: %s\n\n", p.Folder, st.name)
	if st.doc != "" {
		b.WriteString(st.doc + "\n\n")
	}
	b.WriteString("| field | holds | meaning |\n|---|---|---|\n")
	for i := range st.fields {
		f := &st.fields[i]
		form := f.form
		if f.of != nil {
			form = strings.Replace(form, f.of.name, link(p.Folder, f.of.name), 1)
		}
		text := f.comment
		for _, key := range []string{st.name + "." + f.name, f.name} {
			if said := p.Fields[key]; text == "" && said != "" {
				text, told[p.Folder+"/"+key] = said, true
			}
		}
		if text == "" && common[f.name] != "" {
			text, told[f.name] = common[f.name], true
		}
		if text == "" {
			w.faults = append(w.faults, fmt.Sprintf("nothing says what %s.%s of %s is: give the field a comment", st.name, f.name, p.Folder))
		}
		fmt.Fprintf(b, "| `.%s` | %s | %s |\n", f.name, form, strings.ReplaceAll(text, "|", "\\|"))
	}
}

// collect adds a struct and what it is made of, in the order of use.
func collect(list []*structure, st *structure) []*structure {
	if slices.Contains(list, st) {
		return list
	}
	list = append(list, st)
	for i := range st.fields {
		if of := st.fields[i].of; of != nil {
			list = collect(list, of)
		}
	}
	return list
}

func link(folder, name string) string {
	return fmt.Sprintf("[%s](#%s-%s)", name, folder, strings.ToLower(name))
}

func sorted(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
