package strict

import (
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// shorten keeps messages readable and memory small whatever the input holds.
func shorten(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// show quotes a found text for a message: shortened, and without anything that
// a terminal would act on.
func show(s string) string { return strconv.Quote(shorten(s)) }

// found describes a node in a message.
func found(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a section"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case quoted(n) || n.Tag == "!!str":
		return "the text " + show(n.Value)
	case n.Tag == "!!int" || n.Tag == "!!float":
		return "the number " + shorten(n.Value)
	case n.Tag == "!!timestamp":
		return "the date " + shorten(n.Value)
	default:
		return shorten(n.Value)
	}
}

// mistyped reports a node of the wrong kind: a list for a number and so on.
func (d *decoder) mistyped(n *yaml.Node, want reflect.Type, p place) {
	if p.secret && n.Kind == yaml.ScalarNode {
		d.complain(p, "a value stands where a reference belongs (the value is not shown)",
			"a secret never stands in the file: write {env: NAME} or {file: PATH}, and change the secret if the file was shared")
		return
	}
	remedy := ""
	switch {
	case want.Kind() == reflect.Slice && n.Kind == yaml.ScalarNode && isScalar(want.Elem()) && !p.secret:
		remedy = "write [" + shorten(n.Value) + "]"
	case want.Kind() == reflect.Slice && n.Kind == yaml.MappingNode:
		remedy = "start each entry with -"
	case want.Kind() == reflect.Struct && n.Kind == yaml.SequenceNode:
		remedy = "without - or [ ], " + missing(want, d.section)
	case isScalar(want):
		remedy = "write one value"
	default:
		remedy = missing(want, d.section)
	}
	d.complain(p, found(n)+" stands where "+wanted(want)+" belongs", remedy)
}

// wanted names what a type is written as.
func wanted(t reflect.Type) string {
	switch {
	case isScalar(t):
		return "a single value"
	case t.Kind() == reflect.Slice:
		return "a list"
	default:
		return "a section"
	}
}

// missing says what to write for a type.
func missing(t reflect.Type, sections func(reflect.Type) section) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return missing(t.Elem(), sections)
	case isScalar(t):
		return "give it a value, or remove the key"
	case t.Kind() == reflect.Slice:
		return "write a list"
	case t.Kind() == reflect.Struct:
		return "write a section with the keys " + strings.Join(sections(t).keys, ", ")
	default:
		return "write a section"
	}
}
