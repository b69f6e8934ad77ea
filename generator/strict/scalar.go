package strict

import (
	"encoding"
	"fmt"
	"net/netip"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// maxText is the longest text a value may have; the longest honest one is an
// RSA public key of 16384 bits (some 2800 characters).
const maxText = 4096

var (
	textType     = reflect.TypeFor[encoding.TextUnmarshaler]()
	durationType = reflect.TypeFor[time.Duration]()
	prefixType   = reflect.TypeFor[netip.Prefix]()
	addrType     = reflect.TypeFor[netip.Addr]()
)

// isScalar reports whether values of t are written as one YAML scalar.
func isScalar(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(textType) {
		return true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		return false
	}
	return true
}

func quoted(n *yaml.Node) bool {
	return n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// scalar decodes a node into a scalar and lets the caller's rules judge it.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value, p place) {
	if n.Kind != yaml.ScalarNode {
		d.mistyped(n, v.Type(), p)
		return
	}
	if message, remedy := unfit(n.Value); message != "" {
		d.complain(p, message, remedy)
		return
	}
	fresh := reflect.New(v.Type())
	message, remedy := d.parse(n, fresh)
	if message == "" && d.options.Check != nil {
		message, remedy = d.options.Check(p.owner, p.key, fresh.Elem().Interface())
	}
	switch {
	case message == "":
		v.Set(fresh.Elem())
	case p.secret:
		d.complain(p, "is not what belongs here (the value is not shown)", "write {env: NAME} or {file: PATH}, the name of a variable or the path of a file that holds the secret")
	default:
		d.complain(p, message, remedy)
	}
}

// unfit refuses text that would break out of the line it is written to later.
func unfit(s string) (message, remedy string) {
	if utf8.RuneCountInString(s) > maxText {
		return fmt.Sprintf("longer than %d characters", maxText), ""
	}
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r':
			return "holds a line break", "write the value on one line, without | or >"
		case !unicode.IsPrint(r):
			return fmt.Sprintf("holds the character %U, which does not print", r), "remove it"
		}
	}
	return "", ""
}

// parse sets the value that to points to.
func (d *decoder) parse(n *yaml.Node, to reflect.Value) (message, remedy string) {
	v := to.Elem()
	switch v.Type() {
	case durationType:
		t, err := time.ParseDuration(n.Value)
		if err != nil || unitless(n) {
			return found(n) + " is not a duration", "write it like 200ms or 2s"
		}
		v.SetInt(int64(t))
		return "", ""
	case prefixType:
		t, err := netip.ParsePrefix(n.Value)
		if err != nil {
			return found(n) + " is not an IP prefix", "write it like 10.16.0.0/12"
		}
		v.Set(reflect.ValueOf(t))
		return "", ""
	case addrType:
		t, err := netip.ParseAddr(n.Value)
		if err != nil {
			return found(n) + " is not an IP address", "write it like 192.168.100.1"
		}
		v.Set(reflect.ValueOf(t))
		return "", ""
	}
	if u, ok := to.Interface().(encoding.TextUnmarshaler); ok {
		err := u.UnmarshalText([]byte(n.Value))
		if short := shorten(n.Value); err != nil && short != n.Value {
			err = reflect.New(v.Type()).Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(short))
		}
		if err != nil {
			return err.Error(), ""
		}
		return "", ""
	}
	return basic(n, v)
}

// unitless reports a bare number where a unit belongs ("0" parses as a duration).
func unitless(n *yaml.Node) bool {
	_, err := strconv.ParseFloat(n.Value, 64)
	return err == nil
}

// basic decodes the kinds that Go has by itself.
func basic(n *yaml.Node, v reflect.Value) (message, remedy string) {
	switch k := v.Kind(); {
	case k == reflect.String:
		if n.Tag != "!!str" && !quoted(n) {
			return found(n) + " stands where a text belongs", "put it in quotes: \"" + shorten(n.Value) + "\""
		}
		v.SetString(n.Value)
	case k == reflect.Bool:
		if quoted(n) || n.Value != "true" && n.Value != "false" {
			return found(n) + " stands where true or false belongs", truth(n.Value)
		}
		v.SetBool(n.Value == "true")
	case v.CanInt(), v.CanUint():
		return whole(n, v)
	case v.CanFloat():
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil || quoted(n) || !floatForm.MatchString(n.Value) {
			return found(n) + " stands where a number belongs", "write it in plain digits"
		}
		v.SetFloat(f)
	default:
		panic(fmt.Sprintf("strict: a struct holds a %s, which no YAML scalar fits", v.Type()))
	}
	return "", ""
}

func truth(s string) string {
	switch strings.ToLower(s) {
	case "yes", "on", "y", "true":
		return "write true"
	case "no", "off", "n", "false":
		return "write false"
	}
	return ""
}

var (
	wholeForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	floatForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`)
	zerosForm = regexp.MustCompile(`^0[0-9]+$`)
)

// whole decodes an integer from plain decimal digits, the one spelling that
// every version of YAML reads alike.
func whole(n *yaml.Node, v reflect.Value) (message, remedy string) {
	switch {
	case quoted(n) && wholeForm.MatchString(n.Value):
		return found(n) + " stands where a number belongs", "remove the quotes"
	case quoted(n):
		return found(n) + " stands where a number belongs", ""
	case zerosForm.MatchString(n.Value):
		return "the number " + shorten(n.Value) + " starts with a zero, which some read as octal", "write it without leading zeros"
	case wholeForm.MatchString(n.Value):
	case n.Tag == "!!int" || n.Tag == "!!float":
		return found(n) + " stands where a whole number belongs", "write it in plain digits"
	default:
		return found(n) + " stands where a number belongs", ""
	}
	tooLarge := "the number " + shorten(n.Value) + " is out of range"
	if v.CanInt() {
		i, err := strconv.ParseInt(n.Value, 10, 64)
		if err != nil || v.OverflowInt(i) {
			return tooLarge, ""
		}
		v.SetInt(i)
		return "", ""
	}
	u, err := strconv.ParseUint(n.Value, 10, 64)
	if err != nil || v.OverflowUint(u) {
		return tooLarge, ""
	}
	v.SetUint(u)
	return "", ""
}
