package strict

import (
	"reflect"
	"strings"
)

// Field is one key of a struct.
type Field struct {
	Key    string
	Index  int // in the struct
	Type   reflect.Type
	Secret bool // tagged strict:"secret"
}

// Fields lists the keys of a struct type in order: its exported fields with a
// yaml tag other than "-".
func Fields(t reflect.Type) []Field {
	var list []Field
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if !f.IsExported() || key == "" || key == "-" {
			continue
		}
		list = append(list, Field{Key: key, Index: i, Type: f.Type, Secret: f.Tag.Get("strict") == "secret"})
	}
	return list
}

// section is a struct type as the walk needs it.
type section struct {
	byKey map[string]Field
	keys  []string
}

// section looks a type up, once for each walk.
func (d *decoder) section(t reflect.Type) section {
	s, ok := d.sections[t]
	if !ok {
		s.byKey = map[string]Field{}
		for _, f := range Fields(t) {
			s.byKey[f.Key] = f
			s.keys = append(s.keys, f.Key)
		}
		d.sections[t] = s
	}
	return s
}

// places lists the sections of t in which a key stands, as generic paths
// ("lossless", "servers[]"), so that a key in the wrong place can be sent home.
func places(t reflect.Type, key, path string) []string {
	for {
		switch t.Kind() {
		case reflect.Pointer:
			t = t.Elem()
			continue
		case reflect.Slice:
			t, path = t.Elem(), path+"[]"
			continue
		}
		break
	}
	if t.Kind() != reflect.Struct || isScalar(t) {
		return nil
	}
	var found []string
	for _, f := range Fields(t) {
		if f.Key == key {
			found = append(found, path)
		}
		found = append(found, places(f.Type, key, join(path, f.Key))...)
	}
	return found
}
