package cluster

import (
	"encoding"
	"encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"time"

	"github.com/invopop/jsonschema"

	"railyard/generator/quantity"
	"railyard/generator/strict"
)

// Schema returns the JSON Schema (draft 2020-12) of the cluster file, for
// editors. It is made from the structs and rules that Load decodes by, so it
// cannot promise what Load refuses; what needs more than one key to judge (a
// gateway in its subnet, a known catalog id) is left to Load.
func Schema() ([]byte, error) {
	s := &schemer{rules: newRules(), types: map[string]reflect.Type{}, defaults: map[reflect.Type]reflect.Value{}}
	s.collect(reflect.ValueOf(defaults()))
	r := &jsonschema.Reflector{
		Anonymous: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true, FieldNameTag: "yaml",
		Mapper: scalarSchema,
		Namer: func(t reflect.Type) string {
			if t.Kind() != reflect.Struct {
				return t.Name()
			}
			s.types[typeName(t)] = t
			return typeName(t)
		},
	}
	root := r.ReflectFromType(reflect.TypeFor[Cluster]())
	root.Title = "railyard cluster file"
	s.finish(root, reflect.TypeFor[Cluster]())
	for name, def := range root.Definitions {
		s.finish(def, s.types[name])
	}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("cluster schema: %w", err)
	}
	return append(out, '\n'), nil
}

type schemer struct {
	rules    *rules
	types    map[string]reflect.Type        // by name in $defs
	defaults map[reflect.Type]reflect.Value // of the sections that stand once
}

// collect finds the default of each section. A section that stands in several
// places has none, since its defaults may differ.
func (s *schemer) collect(v reflect.Value) {
	if _, several := s.defaults[v.Type()]; several {
		v = reflect.Zero(v.Type())
		s.defaults[v.Type()] = reflect.Value{}
	} else {
		s.defaults[v.Type()] = v
	}
	for _, f := range strict.Fields(v.Type()) {
		if f.Type.Kind() == reflect.Struct && scalarSchema(f.Type) == nil {
			s.collect(v.Field(f.Index))
		}
	}
}

// finish adds to a section what reflection cannot know.
func (s *schemer) finish(section *jsonschema.Schema, t reflect.Type) {
	for _, f := range strict.Fields(t) {
		p, ok := section.Properties.Get(f.Key)
		if !ok {
			continue
		}
		rule := s.rules.of(t, f.Key)
		p.Description = rule.doc
		if rule.required != "" {
			section.Required = append(section.Required, f.Key)
		}
		switch {
		case rule.def != "":
			p.Default = rule.def
		case s.defaults[t].IsValid():
			p.Default = defaultOf(s.defaults[t].Field(f.Index))
		}
		target := p
		for target.Items != nil {
			target = target.Items
		}
		limit(target, rule)
		if f.Type.Kind() == reflect.Slice && rule.required != "" {
			one := uint64(1)
			p.MinItems = &one
		}
	}
	if t == reflect.TypeFor[Secret]() {
		one := uint64(1)
		section.MinProperties, section.MaxProperties = &one, &one
	}
	if leaf, ok := section.Properties.Get("leaf"); ok && t == reflect.TypeFor[Switches]() {
		leaf.Required = []string{"model"}
	}
}

// limit writes a rule into the schema of a value.
func limit(p *jsonschema.Schema, k rule) {
	for _, word := range k.enum {
		p.Enum = append(p.Enum, word)
	}
	if k.form != "" {
		p.Pattern = "^(?:" + k.form + ")$"
	}
	if k.min == 0 && k.max == 0 {
		return
	}
	for _, way := range p.AnyOf {
		limit(way, rule{min: k.min, max: k.max})
	}
	if p.Type != "integer" {
		return
	}
	p.Minimum, p.Maximum = json.Number(strconv.FormatInt(k.min, 10)), json.Number(strconv.FormatInt(k.max, 10))
	if k.not != nil {
		p.Not = &jsonschema.Schema{}
		for _, n := range k.not {
			p.Not.Enum = append(p.Not.Enum, n)
		}
	}
}

// defaultOf writes a default as it would stand in the file; nil without one.
func defaultOf(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		return x.String()
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		if err != nil || len(text) == 0 {
			return nil
		}
		return string(text)
	}
	switch v.Kind() {
	case reflect.String, reflect.Slice:
		if v.Len() == 0 {
			return nil
		}
		return v.Interface()
	case reflect.Int, reflect.Uint32:
		return v.Interface()
	}
	return nil
}

// Spellings of scalars, as their UnmarshalText reads them.
const (
	ipForm     = `((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
	prefixForm = ipForm + `/(3[0-2]|[12]?[0-9])`
	speedText  = `([0-9]{1,5} ?(G|g|GE|Gbps|Gb/s|T)?|1\.6T)`
	sizeText   = `[0-9]{1,12}(\.[0-9]{1,6})? ?(B|KB|MB|GB|KiB|MiB|GiB)?`
	lengthText = `[0-9]{1,6}(\.[0-9]{1,3})? ?m?`
	ratioText  = `[0-9]{1,3}(\.[0-9]{1,3})?:[0-9]{1,3}(\.[0-9]{1,3})?`
)

// scalarSchema is the schema of a type that is written as one value; nil for
// others. It is the Mapper of the reflector.
func scalarSchema(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[quantity.Speed]():
		return either(textSchema(speedText), whole("1", "6400"))
	case reflect.TypeFor[quantity.Length]():
		return either(textSchema(lengthText), &jsonschema.Schema{Type: "number", Minimum: "0.1", Maximum: "100000"})
	case reflect.TypeFor[quantity.Size]():
		return either(textSchema(sizeText), whole("0", "1000000000000"))
	case reflect.TypeFor[quantity.Ratio]():
		return textSchema(ratioText)
	case reflect.TypeFor[quantity.Split]():
		return textSchema(`([1-9]|1[0-6])x` + speedText)
	case reflect.TypeFor[AutoInt]():
		return either(textSchema(`auto|[1-9][0-9]{0,6}`), whole("1", "1000000"))
	case reflect.TypeFor[AutoSpeed]():
		return either(textSchema("auto|"+speedText), whole("1", "6400"))
	case reflect.TypeFor[AutoSize]():
		return either(textSchema("auto|"+sizeText), whole("1", "1000000000000"))
	case reflect.TypeFor[AutoPriority]():
		return either(textSchema("auto|[0-7]"), whole("0", "7"))
	case reflect.TypeFor[AutoDSCP]():
		return either(textSchema("auto|[1-5]?[0-9]|6[0-3]"), whole("0", "63"))
	case reflect.TypeFor[netip.Prefix]():
		return textSchema(prefixForm)
	case reflect.TypeFor[netip.Addr]():
		return textSchema(ipForm)
	case reflect.TypeFor[LinkPrefix]():
		return textSchema("unnumbered|" + prefixForm)
	case reflect.TypeFor[time.Duration]():
		return textSchema(`([0-9]+(\.[0-9]+)?(ms|s|m))+`)
	case reflect.TypeFor[GUID]():
		// YAML turns 0x… into a number before a schema sees it.
		return either(&jsonschema.Schema{Type: "string", Pattern: guidForm.String()}, whole("1", "18446744073709551615"))
	case reflect.TypeFor[PKey]():
		return either(&jsonschema.Schema{Type: "string", Pattern: pkeyForm.String()}, whole("1", "32766"), whole("32769", "65534"))
	}
	return nil
}

func either(list ...*jsonschema.Schema) *jsonschema.Schema { return &jsonschema.Schema{AnyOf: list} }

func textSchema(form string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: "^(?:" + form + ")$"}
}

func whole(low, high string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: json.Number(low), Maximum: json.Number(high)}
}
