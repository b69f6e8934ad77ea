package cluster

import (
	"fmt"
	"net/netip"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"railyard/generator/strict"
)

// rule is what is known of a key besides its Go type. The decoder and the JSON
// Schema both read it, so that neither can accept what the other refuses.
type rule struct {
	doc      string
	enum     []string
	min, max int64   // of numbers (durations in nanoseconds); both 0: no limit
	not      []int64 // numbers between that are refused
	form     string  // regular expression for the whole text
	like     string  // what form wants, in words, or an example
	required string  // what to write when it is missing; "": not required
	def      string  // default of a key in a list entry; others are in defaults
}

// rules are the rules by field: "Fabric.technology", "catalog.Switch.id".
type rules struct {
	byKey map[string]rule
	forms map[string]*regexp.Regexp
}

func newRules() *rules {
	r := &rules{byKey: keys(), forms: map[string]*regexp.Regexp{}}
	for _, k := range r.byKey {
		if k.form != "" && r.forms[k.form] == nil {
			r.forms[k.form] = regexp.MustCompile("^(?:" + k.form + ")$")
		}
	}
	return r
}

// typeName is the name of a struct type in the rules and in the schema.
func typeName(t reflect.Type) string {
	if pkg := path.Base(t.PkgPath()); pkg != "cluster" {
		return pkg + "." + t.Name()
	}
	return t.Name()
}

func (r *rules) of(owner reflect.Type, key string) rule { return r.byKey[typeName(owner)+"."+key] }

// required is strict.Options.Required.
func (r *rules) required(owner reflect.Type, key string) (remedy string, required bool) {
	remedy = r.of(owner, key).required
	return remedy, remedy != ""
}

// check is strict.Options.Check.
func (r *rules) check(owner reflect.Type, key string, value any) (message, remedy string) {
	switch v := value.(type) {
	case netip.Prefix:
		return checkPrefix(v)
	case LinkPrefix:
		if !v.Unnumbered {
			return checkPrefix(v.Prefix)
		}
		return "", ""
	case netip.Addr:
		return checkAddr(v)
	}
	k, v := r.of(owner, key), reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.String:
		return r.text(k, v.String())
	case k.min == 0 && k.max == 0:
		return "", ""
	case v.CanInt():
		return number(k, v.Int(), value)
	case v.CanUint():
		return number(k, int64(v.Uint()), value)
	}
	return "", ""
}

func (r *rules) text(k rule, s string) (message, remedy string) {
	switch {
	case k.enum != nil && !slices.Contains(k.enum, s):
		return fmt.Sprintf("%s is not known here", quote(s)), choice(s, k.enum)
	case k.form != "" && !r.forms[k.form].MatchString(s):
		if lower := strings.ToLower(s); lower != s && r.forms[k.form].MatchString(lower) {
			return fmt.Sprintf("%s is not %s", quote(s), k.like), "write " + lower
		}
		return fmt.Sprintf("%s is not %s", quote(s), k.like), ""
	}
	return "", ""
}

// choice suggests the nearest word, or lists them all.
func choice(s string, words []string) string {
	if near := strict.Nearest(s, words); near != "" {
		return "did you mean " + near + "? Choose from " + strings.Join(words, ", ")
	}
	return "choose from " + strings.Join(words, ", ")
}

func number(k rule, n int64, value any) (message, remedy string) {
	if d, ok := value.(time.Duration); ok {
		switch {
		case n < k.min || n > k.max:
			return fmt.Sprintf("%s is out of range", period(d)), fmt.Sprintf("use %s to %s", period(time.Duration(k.min)), period(time.Duration(k.max)))
		case d%time.Millisecond != 0:
			return fmt.Sprintf("%s is not whole milliseconds", period(d)), "write " + period(d.Round(time.Millisecond))
		}
		return "", ""
	}
	switch {
	case k.min == k.max && n != k.min:
		return fmt.Sprintf("%d is not supported", n), fmt.Sprintf("write %d", k.min)
	case n < k.min || n > k.max:
		return fmt.Sprintf("%d is out of range", n), fmt.Sprintf("use %d to %d", k.min, k.max)
	case slices.Contains(k.not, n) && k.like != "":
		return fmt.Sprintf("%d is not %s", n, k.like), ""
	case slices.Contains(k.not, n):
		return fmt.Sprintf("%d is reserved", n), "use another number"
	}
	return "", ""
}

// period writes 1m where Go writes 1m0s.
func period(d time.Duration) string {
	if s, ok := strings.CutSuffix(d.String(), "m0s"); ok {
		return s + "m"
	}
	return d.String()
}

// checkPrefix insists on an IPv4 network that hosts can have.
func checkPrefix(p netip.Prefix) (message, remedy string) {
	switch {
	case !p.Addr().Is4():
		return fmt.Sprintf("%s is not IPv4", p), "write an IPv4 prefix like 10.16.0.0/12"
	case p.Masked() != p:
		return fmt.Sprintf("%s has bits set behind its length", p), "write " + p.Masked().String()
	}
	for _, taken := range unusable() {
		if taken.Overlaps(p) {
			return fmt.Sprintf("%s overlaps %s, which hosts cannot use", p, taken), "use a private range (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16)"
		}
	}
	return "", ""
}

func checkAddr(a netip.Addr) (message, remedy string) {
	if !a.Is4() {
		return fmt.Sprintf("%s is not IPv4", a), "write an IPv4 address like 192.168.100.2"
	}
	for _, taken := range unusable() {
		if taken.Contains(a) {
			return fmt.Sprintf("%s is in %s, which hosts cannot use", a, taken), ""
		}
	}
	return "", ""
}

// unusable are this network, loopback, and everything from multicast up (RFC 6890).
func unusable() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("224.0.0.0/3")}
}

// quote shows a found text, shortened.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
