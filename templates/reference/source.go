package reference

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// structure is a Go struct that a template may see.
type structure struct {
	dir, name string
	doc       string
	fields    []field
}

// field is an exported field or a method without arguments.
type field struct {
	name    string
	form    string     // as people read it: text, list of numbers
	of      *structure // what it is made of, nil for plain values
	list    bool
	comment string
	method  bool
}

// source reads Go packages of this module.
type source struct {
	root string // of the module
	pkgs map[string]*pkg
}

type pkg struct {
	types   map[string]typeDecl
	methods map[string][]*ast.FuncDecl
	made    map[string]*structure
}

type typeDecl struct {
	spec    *ast.TypeSpec
	doc     string
	imports map[string]string // of its file: name to path
}

func (s *source) load(dir string) (*pkg, error) {
	if p := s.pkgs[dir]; p != nil {
		return p, nil
	}
	p := &pkg{map[string]typeDecl{}, map[string][]*ast.FuncDecl{}, map[string]*structure{}}
	files, err := filepath.Glob(filepath.Join(s.root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		body, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, body, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.add(f)
	}
	if len(p.types) == 0 {
		return nil, fmt.Errorf("no Go types in %s", dir)
	}
	s.pkgs[dir] = p
	return p, nil
}

func (p *pkg) add(f *ast.File) {
	imports := map[string]string{}
	for _, i := range f.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		name := path[strings.LastIndexByte(path, '/')+1:]
		if i.Name != nil {
			name = i.Name.Name
		}
		imports[name] = path
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv != nil && d.Name.IsExported() && len(d.Type.Params.List) == 0 && d.Type.Results != nil {
				to := d.Recv.List[0].Type
				if star, ok := to.(*ast.StarExpr); ok {
					to = star.X
				}
				if id, ok := to.(*ast.Ident); ok {
					p.methods[id.Name] = append(p.methods[id.Name], d)
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					doc := t.Doc.Text()
					if doc == "" {
						doc = d.Doc.Text()
					}
					p.types[t.Name.Name] = typeDecl{t, line(doc), imports}
				}
			}
		}
	}
}

// structure reads a struct and everything it is made of.
func (s *source) structure(dir, name string) (*structure, error) {
	p, err := s.load(dir)
	if err != nil {
		return nil, err
	}
	if made := p.made[name]; made != nil {
		return made, nil
	}
	decl, ok := p.types[name]
	if !ok {
		return nil, fmt.Errorf("%s has no type %s", dir, name)
	}
	st, ok := decl.spec.Type.(*ast.StructType)
	if !ok {
		return nil, nil
	}
	out := &structure{dir: dir, name: name, doc: decl.doc}
	p.made[name] = out
	for _, f := range st.Fields.List {
		if err := s.field(out, dir, decl, f); err != nil {
			return nil, err
		}
	}
	for _, m := range p.methods[name] {
		form, of, list, err := s.form(dir, decl, m.Type.Results.List[0].Type)
		if err != nil {
			return nil, err
		}
		out.fields = append(out.fields, field{m.Name.Name, form, of, list, line(m.Doc.Text()), true})
	}
	return out, nil
}

// field adds the exported names of one line of a struct; those of an embedded
// struct belong to the one around it.
func (s *source) field(out *structure, dir string, decl typeDecl, f *ast.Field) error {
	form, of, list, err := s.form(dir, decl, f.Type)
	if err != nil {
		return err
	}
	if len(f.Names) == 0 {
		if of != nil {
			out.fields = append(out.fields, of.fields...)
		}
		return nil
	}
	comment := line(f.Comment.Text())
	if comment == "" {
		comment = line(f.Doc.Text())
	}
	for _, n := range f.Names {
		if n.IsExported() {
			out.fields = append(out.fields, field{n.Name, form, of, list, comment, false})
		}
	}
	return nil
}

// form is what people call a type, and the struct behind it.
func (s *source) form(dir string, decl typeDecl, t ast.Expr) (form string, of *structure, list bool, err error) {
	switch t := t.(type) {
	case *ast.StarExpr:
		form, of, list, err = s.form(dir, decl, t.X)
		return form + " or nothing", of, list, err
	case *ast.ArrayType:
		form, of, _, err = s.form(dir, decl, t.Elt)
		if of == nil {
			form = strings.Replace(form, "number", "numbers", 1)
			form = strings.Replace(form, "text", "texts", 1)
		}
		return "list of " + form, of, true, err
	case *ast.Ident:
		if word, ok := plain[t.Name]; ok {
			return word, nil, false, nil
		}
		return s.named(dir, t.Name)
	case *ast.SelectorExpr:
		id, _ := t.X.(*ast.Ident)
		path, ours := strings.CutPrefix(decl.imports[id.Name], "railyard/")
		if !ours {
			return t.Sel.Name, nil, false, nil
		}
		return s.named(path, t.Sel.Name)
	}
	return "value", nil, false, nil
}

var plain = map[string]string{"string": "text", "bool": "yes or no", "int": "number", "uint32": "number", "int64": "number", "uint64": "number", "uint8": "number", "uint16": "number", "float64": "number"}

func (s *source) named(dir, name string) (string, *structure, bool, error) {
	of, err := s.structure(dir, name)
	if err != nil || of != nil {
		return name, of, false, err
	}
	p, err := s.load(dir)
	if err != nil {
		return "", nil, false, err
	}
	decl := p.types[name]
	form, below, list, err := s.form(dir, decl, decl.spec.Type)
	return form, below, list, err
}

// line joins a comment into one line.
func line(doc string) string { return strings.Join(strings.Fields(doc), " ") }
