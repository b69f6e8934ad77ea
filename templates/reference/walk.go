package reference

import (
	"fmt"
	"slices"
	"text/template/parse"
)

// value is what a template holds at some place: a struct, a list of one, or
// something whose fields are not known.
type value struct {
	of   *structure
	list bool
}

// walker follows data through the templates of one OS.
type walker struct {
	folder string
	trees  map[string]*parse.Tree
	data   map[string][]*structure // what each template is given
	used   map[*structure]map[string]bool
	faults []string
	deep   int
}

// scope is what the names in a template stand for.
type scope struct {
	file string
	dot  value
	root value
	vars map[string]value
}

// run follows a template with its data.
func (w *walker) run(name string, v value) {
	tree := w.trees[name]
	if tree == nil {
		w.faults = append(w.faults, fmt.Sprintf("%s: no template %s", w.folder, name))
		return
	}
	if v.of == nil || slices.Contains(w.data[name], v.of) || w.deep > 8 {
		return
	}
	w.data[name] = append(w.data[name], v.of)
	w.deep++
	w.list(tree.Root, &scope{name, v, v, map[string]value{"$": v}})
	w.deep--
}

func (w *walker) list(l *parse.ListNode, s *scope) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		w.node(n, s)
	}
}

func (w *walker) node(n parse.Node, s *scope) {
	switch n := n.(type) {
	case *parse.ActionNode:
		w.pipe(n.Pipe, s)
	case *parse.TemplateNode:
		v := s.dot
		if n.Pipe != nil {
			v = w.pipe(n.Pipe, s)
		}
		w.run(n.Name, v)
	case *parse.IfNode:
		w.pipe(n.Pipe, s)
		w.list(n.List, s)
		w.list(n.ElseList, s)
	case *parse.WithNode:
		inner := *s
		inner.dot = w.pipe(n.Pipe, s)
		w.list(n.List, &inner)
		w.list(n.ElseList, s)
	case *parse.RangeNode:
		v := w.pipe(n.Pipe, s)
		inner := *s
		inner.dot = value{of: v.of}
		if d := n.Pipe.Decl; len(d) > 0 { // the last of them is the element
			s.vars[d[len(d)-1].Ident[0]] = inner.dot
			if len(d) == 2 {
				s.vars[d[0].Ident[0]] = value{}
			}
		}
		w.list(n.List, &inner)
		w.list(n.ElseList, s)
	}
}

// pipe is the value of a pipeline.
func (w *walker) pipe(p *parse.PipeNode, s *scope) value {
	v := value{}
	for _, c := range p.Cmds {
		v = w.command(c, s)
	}
	for _, d := range p.Decl {
		if !p.IsAssign {
			s.vars[d.Ident[0]] = v
		}
	}
	return v
}

func (w *walker) command(c *parse.CommandNode, s *scope) value {
	var args []value
	for _, a := range c.Args {
		args = append(args, w.argument(a, s))
	}
	if id, ok := c.Args[0].(*parse.IdentifierNode); ok {
		if id.Ident == "index" && len(args) > 1 {
			return value{of: args[1].of}
		}
		return value{}
	}
	return args[0]
}

func (w *walker) argument(n parse.Node, s *scope) value {
	switch n := n.(type) {
	case *parse.DotNode:
		return s.dot
	case *parse.FieldNode:
		return w.fields(s.dot, n.Ident, s)
	case *parse.VariableNode:
		return w.fields(s.vars[n.Ident[0]], n.Ident[1:], s)
	case *parse.ChainNode:
		return w.fields(w.argument(n.Node, s), n.Field, s)
	case *parse.PipeNode:
		return w.pipe(n, s)
	}
	return value{}
}

// fields follows a chain of fields and notes those that do not exist.
func (w *walker) fields(v value, names []string, s *scope) value {
	for _, name := range names {
		if v.of == nil {
			return value{}
		}
		at := slices.IndexFunc(v.of.fields, func(f field) bool { return f.name == name })
		if at < 0 {
			w.faults = append(w.faults, fmt.Sprintf("%s/%s: %s has no field %s", w.folder, s.file, v.of.name, name))
			return value{}
		}
		if w.used[v.of] == nil {
			w.used[v.of] = map[string]bool{}
		}
		w.used[v.of][name] = true
		v = value{v.of.fields[at].of, v.of.fields[at].list}
	}
	return v
}
