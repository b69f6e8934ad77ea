package manager

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// defaultText is what OpenSM prints of itself (OSM): a setting a line. Paths are left
// out, which each distribution sets in its own way.
//
//go:embed defaults.txt
var defaultText string

// setting is a key and its value in one form.
type setting struct{ key, value, show string }

// settings reads opensm.conf: the first word of a line is the key, the rest its value,
// of several lines with one key the last counts, # begins a comment only in front (OSM).
// shape tells what a key's value is, by its default.
func settings(text string, shape map[string]string) (order []string, all map[string]setting) {
	all = map[string]setting{}
	for _, l := range strings.Split(text, "\n") {
		words := strings.Fields(l)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		key := words[0]
		value := strings.Join(words[1:], " ")
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		if _, twice := all[key]; !twice {
			order = append(order, key)
		}
		all[key] = setting{key, settingValue(value, shape[key]), strings.Join(words, " ")}
	}
	return order, all
}

// settingValue is a value in one form. Of booleans only the word TRUE is true; numbers
// may be decimal, octal or hexadecimal; (null) is nothing (OSM).
func settingValue(value, shape string) string {
	switch {
	case shape == "TRUE" || shape == "FALSE":
		if value == "TRUE" {
			return "TRUE"
		}
		return "FALSE"
	case value == "(null)":
		return ""
	case strings.Contains(value, ","): // lists of engines, of virtual lanes
		value = strings.ReplaceAll(value, " ", "")
	}
	words := strings.Fields(value)
	for i, w := range words {
		if strings.HasPrefix(w, "#") && i > 0 { // numbers end where digits do
			words = words[:i]
			break
		}
		words[i] = number(w)
	}
	return strings.Join(words, " ")
}

// number writes a number as decimal; other words stay.
func number(w string) string {
	if n, err := strconv.ParseUint(w, 0, 64); err == nil && !strings.Contains(w, "_") {
		return strconv.FormatUint(n, 10)
	}
	return w
}

func openSM(c *comparison) error {
	_, shape := settings(defaultText, nil)
	shapes := map[string]string{}
	for key, s := range shape {
		shapes[key] = strings.TrimSpace(strings.TrimPrefix(s.show, key))
	}
	return c.settings(shapes, func(key string) (string, bool) {
		d, ok := shapes[key]
		return settingValue(d, d), ok
	}, c.full())
}

// someSettings compares keys of a file that UFM owns: those of the intent, whatever
// the scope. NVIDIA's subnet manager has defaults of its own.
func someSettings(c *comparison) error {
	_, shape := settings(defaultText, nil)
	shapes := map[string]string{}
	for key, s := range shape {
		shapes[key] = strings.TrimSpace(strings.TrimPrefix(s.show, key))
	}
	return c.settings(shapes, func(string) (string, bool) { return "", false }, false)
}

func (c *comparison) settings(shapes map[string]string, standard func(key string) (string, bool), strangers bool) error {
	runOrder, run := settings(c.run, shapes)
	wantOrder, want := settings(c.want, shapes)
	if len(run) == 0 {
		return fmt.Errorf("no setting in it")
	}
	if !slices.ContainsFunc(runOrder, func(k string) bool { _, a := shapes[k]; _, b := want[k]; return a || b }) {
		return fmt.Errorf("no setting of a subnet manager in it")
	}
	var ch clitree.Change
	for _, key := range wantOrder {
		r, ok := run[key]
		w := want[key]
		d, known := standard(key)
		switch {
		case ok && r.value == w.value || !ok && known && d == w.value:
		case ok:
			ch.Remove, ch.Add = append(ch.Remove, r.show), append(ch.Add, w.show)
		default:
			ch.Add = append(ch.Add, w.show)
		}
	}
	for _, key := range runOrder {
		d, known := standard(key)
		if _, ok := want[key]; ok || !strangers || known && d == run[key].value {
			continue
		}
		ch.Remove = append(ch.Remove, run[key].show)
	}
	c.add(ch)
	return nil
}

// sections compares a file of [sections] with "key = value" lines, as far as the
// intent has keys. Keys match in either case (UM).
func sections(c *comparison) error {
	run, want := ini(c.run), ini(c.want)
	var names []string
	for _, s := range want {
		if !slices.Contains(names, s.section) {
			names = append(names, s.section)
		}
	}
	for _, name := range names {
		var ch clitree.Change
		for _, w := range want {
			if w.section != name {
				continue
			}
			i := slices.IndexFunc(run, func(r iniLine) bool { return r.section == name && strings.EqualFold(r.key, w.key) })
			if i >= 0 && strings.EqualFold(run[i].value, w.value) {
				continue
			}
			if i >= 0 {
				ch.Remove = append(ch.Remove, run[i].String())
			}
			ch.Add = append(ch.Add, w.String())
		}
		c.add(ch, name)
	}
	return nil
}

type iniLine struct{ section, key, value string }

func (l iniLine) String() string { return l.key + " = " + l.value }

func ini(text string) (out []iniLine) {
	section := ""
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' || l[0] == ';' {
			continue
		}
		if l[0] == '[' {
			section = strings.Trim(l, "[] ")
			continue
		}
		key, value, _ := strings.Cut(l, "=")
		out = append(out, iniLine{section, strings.TrimSpace(key), strings.TrimSpace(value)})
	}
	return out
}
