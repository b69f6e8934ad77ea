package strict

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

const (
	maxAliased = 20_000 // values that aliases stand for, each counted as often as it is used
	maxList    = 20_000 // entries of one list
	maxDepth   = 64
)

// Options are the caller's rules. Owner and key name a struct field: the struct
// type it stands in and its yaml key. Both funcs may be nil.
type Options struct {
	// Check judges a scalar once it has its Go type; in a list it is called for
	// each entry. Empty strings mean that all is well.
	Check func(owner reflect.Type, key string, value any) (message, remedy string)
	// Required says whether a key must stand in every section of its type, and
	// what to write when it does not.
	Required func(owner reflect.Type, key string) (remedy string, required bool)
}

// Positions says where each key stands, by key path: servers[0].count. A list
// entry stands where its value begins.
type Positions map[string]Position

// Decode fills the struct that into points to. Keys that the document does not
// have, and keys with a problem, keep the value that the struct came with. The
// report is never nil.
func (d *Document) Decode(into any, o Options) (Positions, *Report) {
	v := reflect.ValueOf(into).Elem()
	w := &decoder{
		name: d.name, root: v.Type(), options: o,
		positions: Positions{}, aliased: maxAliased,
		sections: map[reflect.Type]section{},
	}
	w.value(d.root, v, place{at: w.at(d.root), owner: v.Type()})
	return w.positions, &w.report
}

type decoder struct {
	name      string
	root      reflect.Type
	options   Options
	report    Report
	positions Positions
	aliased   int // what is left of maxAliased
	sections  map[reflect.Type]section
}

// place is where the walk stands.
type place struct {
	path   string
	at     Position
	owner  reflect.Type // the struct that holds the key
	key    string
	secret bool
	alias  bool // below an alias
	depth  int
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func (d *decoder) at(n *yaml.Node) Position {
	return Position{File: d.name, Line: n.Line, Column: n.Column}
}

// complain reports a problem.
func (d *decoder) complain(p place, message, remedy string) {
	d.report.Add(Problem{Position: p.at, Path: p.path, Message: message, Remedy: remedy})
}

// value decodes a node of any kind.
func (d *decoder) value(n *yaml.Node, v reflect.Value, p place) {
	if n.Kind == yaml.AliasNode {
		n, p.alias = n.Alias, true
	}
	if p.alias {
		if d.aliased--; d.aliased < 0 {
			if d.aliased == -1 {
				d.complain(p, fmt.Sprintf("aliases (*) stand for more than %d values", maxAliased), "write the values out")
			}
			return
		}
	}
	if p.depth++; p.depth > maxDepth {
		d.complain(p, fmt.Sprintf("nested more than %d deep", maxDepth), "")
		return
	}
	switch {
	case n.Style&yaml.TaggedStyle != 0:
		d.complain(p, "a YAML tag (!) is not supported", "write the plain value")
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null" && !quoted(n):
		d.complain(p, "has no value", missing(v.Type(), d.section))
	case v.Kind() == reflect.Pointer:
		fresh := reflect.New(v.Type().Elem())
		before := d.report.Len()
		d.value(n, fresh.Elem(), p)
		if d.report.Len() == before {
			v.Set(fresh)
		}
	case isScalar(v.Type()):
		d.scalar(n, v, p)
	case v.Kind() == reflect.Struct:
		d.mapping(n, v, p)
	case v.Kind() == reflect.Slice:
		d.list(n, v, p)
	case v.Kind() == reflect.Map:
		d.table(n, v, p)
	default:
		panic(fmt.Sprintf("strict: a struct holds a %s, which no YAML value fits", v.Type()))
	}
}

// pairs walks the keys of a mapping, each once, and yields the good ones.
func (d *decoder) pairs(n *yaml.Node, p place, yield func(key string, value *yaml.Node, in place)) {
	seen := make(map[string]int, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		in := place{path: p.path, at: d.at(key), secret: p.secret, alias: p.alias, depth: p.depth}
		switch {
		case isMerge(key):
			d.complain(in, "merge keys (<<) are not supported", "write the keys out, or use an alias (*name) for a whole value")
		case key.Kind != yaml.ScalarNode || key.Style&yaml.TaggedStyle != 0:
			d.complain(in, "a key that is not a plain word", "write key: value")
		case seen[key.Value] > 0:
			in.path = join(p.path, d.quote(key.Value, p))
			d.complain(in, fmt.Sprintf("stands twice in this section, first in line %d", seen[key.Value]), "remove one of the two")
		default:
			seen[key.Value] = key.Line
			in.path = join(p.path, d.quote(key.Value, p))
			yield(key.Value, n.Content[i+1], in)
		}
	}
}

func isMerge(n *yaml.Node) bool { return n.Tag == "!!merge" }

// quote makes a key fit for a path.
func (d *decoder) quote(key string, p place) string {
	switch message, _ := unfit(key); {
	case p.secret:
		return "(not shown)"
	case message != "" || key == "":
		return show(key)
	}
	return shorten(key)
}

func (d *decoder) mapping(n *yaml.Node, v reflect.Value, p place) {
	s := d.section(v.Type())
	if n.Kind != yaml.MappingNode {
		d.mistyped(n, v.Type(), p)
		return
	}
	written := make(map[string]bool, len(s.keys))
	d.pairs(n, p, func(key string, value *yaml.Node, in place) {
		f, ok := s.byKey[key]
		if !ok {
			if near := d.unknown(key, v.Type(), in); near != "" {
				written[near] = true // one problem is enough: the key is there, but misspelt
			}
			return
		}
		written[key] = true
		in.path = join(p.path, key) // a known key gives nothing away
		d.positions[in.path] = in.at
		in.owner, in.key, in.secret = v.Type(), key, p.secret || f.Secret
		d.value(value, v.Field(f.Index), in)
	})
	if d.options.Required == nil || slices.ContainsFunc(n.Content, isMerge) {
		return // what a merge key would have brought is not missing
	}
	for _, key := range s.keys {
		if remedy, required := d.options.Required(v.Type(), key); required && !written[key] {
			d.complain(place{path: join(p.path, key), at: p.at}, "is missing", remedy)
		}
	}
}

// unknown reports an unknown key and returns the key it was meant to be.
func (d *decoder) unknown(key string, t reflect.Type, p place) (near string) {
	if d.report.Full() {
		d.complain(p, "", "")
		return ""
	}
	keys := d.section(t).keys
	near = Nearest(key, keys)
	switch home := places(d.root, key, ""); {
	case p.secret:
		d.complain(p, "unknown key", "a secret never stands in the file: write {env: NAME} or {file: PATH}")
	case near != "":
		d.complain(p, "unknown key", "did you mean "+near+"?")
	case len(home) > 0 && len(home) <= 2:
		d.complain(p, "unknown key", "it belongs in "+strings.Join(rooted(home), " or ")+"; the keys here are "+strings.Join(keys, ", "))
	default:
		d.complain(p, "unknown key", "the keys here are "+strings.Join(keys, ", "))
	}
	return near
}

func rooted(paths []string) []string {
	for i, p := range paths {
		if p == "" {
			paths[i] = "the top level"
		}
	}
	return paths
}

func (d *decoder) list(n *yaml.Node, v reflect.Value, p place) {
	if n.Kind != yaml.SequenceNode {
		d.mistyped(n, v.Type(), p)
		return
	}
	if len(n.Content) > maxList {
		d.complain(p, fmt.Sprintf("a list of %d entries; the most is %d", len(n.Content), maxList), "")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
	for i, item := range n.Content {
		in := p
		in.path, in.at = fmt.Sprintf("%s[%d]", p.path, i), d.at(item)
		d.positions[in.path] = in.at
		d.value(item, v.Index(i), in)
	}
}

func (d *decoder) table(n *yaml.Node, v reflect.Value, p place) {
	if n.Kind != yaml.MappingNode {
		d.mistyped(n, v.Type(), p)
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	d.pairs(n, p, func(key string, value *yaml.Node, in place) {
		d.positions[in.path] = in.at
		in.owner, in.key = p.owner, p.key
		entry := reflect.New(v.Type().Elem()).Elem()
		d.value(value, entry, in)
		v.SetMapIndex(reflect.ValueOf(key).Convert(v.Type().Key()), entry)
	})
}
