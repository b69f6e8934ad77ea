package manager

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"railyard/vendors/clitree"
)

// guid writes a GUID as railyard does. It takes hexadecimal and decimal numbers, and
// hexadecimal without 0x and with colons, as tools print it.
func guid(s string) (string, bool) {
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil || len(s) == 16 {
		n, err = strconv.ParseUint(strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(s), ":", ""), "0x"), 16, 64)
	}
	return fmt.Sprintf("0x%016x", n), err == nil
}

// guids reads a list, one a line; what follows a GUID is for people (OSM).
func guids(text string) ([]string, error) {
	var out []string
	for i, l := range strings.Split(text, "\n") {
		l, _, _ = strings.Cut(l, "#")
		words := strings.Fields(l)
		if len(words) == 0 {
			continue
		}
		g, ok := guid(words[0])
		if !ok {
			return nil, fmt.Errorf("line %d: %.40q is no GUID", i+1, words[0])
		}
		if !slices.Contains(out[max(0, len(out)-1):], g) {
			out = append(out, g)
		}
	}
	return out, nil
}

func (c *comparison) guids() (run, want []string, err error) {
	if run, err = guids(c.run); err != nil {
		return nil, nil, err
	}
	if want, err = guids(c.want); err != nil {
		return nil, nil, fmt.Errorf("the intended list: %w", err)
	}
	return run, want, nil
}

// guidSet compares lists whose order says nothing.
func guidSet(c *comparison) error {
	run, want, err := c.guids()
	if err != nil {
		return err
	}
	run, want = once(run), once(want)
	c.add(clitree.Change{Remove: without(run, want), Add: without(want, run)})
	return nil
}

func once(list []string) []string {
	seen := make(map[string]bool, len(list))
	return slices.DeleteFunc(list, func(s string) bool { was := seen[s]; seen[s] = true; return was })
}

// guidOrder compares the order in which ports are routed.
func guidOrder(c *comparison) error {
	run, want, err := c.guids()
	if err != nil {
		return err
	}
	c.ordered(run, want, "")
	return nil
}

// ordered compares lists whose order counts: what is missing and too much, else what
// moved. Of a list where one entry moved, only the entries between its places show.
func (c *comparison) ordered(run, want []string, note string) {
	ch := clitree.Change{Remove: without(run, want), Add: without(want, run), Note: note}
	if len(ch.Remove)+len(ch.Add) == 0 && !slices.Equal(run, want) {
		for len(run) > 0 && run[0] == want[0] {
			run, want = run[1:], want[1:]
		}
		for len(run) > 0 && run[len(run)-1] == want[len(want)-1] {
			run, want = run[:len(run)-1], want[:len(want)-1]
		}
		ch.Reordered, ch.Remove, ch.Add = true, run, want
	}
	c.add(ch)
}

// nameMap compares the names that tools show, by GUID.
func nameMap(c *comparison) error {
	runOrder, run := names(c.run)
	wantOrder, want := names(c.want)
	var ch clitree.Change
	for _, g := range wantOrder {
		if run[g] != want[g] {
			if _, ok := run[g]; ok {
				ch.Remove = append(ch.Remove, g+" "+strconv.Quote(run[g]))
			}
			ch.Add = append(ch.Add, g+" "+strconv.Quote(want[g]))
		}
	}
	for _, g := range runOrder {
		if _, ok := want[g]; !ok && c.full() {
			ch.Remove = append(ch.Remove, g+" "+strconv.Quote(run[g]))
		}
	}
	c.add(ch)
	return nil
}

func names(text string) (order []string, all map[string]string) {
	all = map[string]string{}
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' {
			continue
		}
		first, rest, _ := strings.Cut(strings.ReplaceAll(l, "\t", " "), " ")
		g, ok := guid(first)
		if !ok {
			g = first
		}
		name := strings.TrimSpace(rest)
		if len(name) > 1 && name[0] == '"' {
			name, _, _ = strings.Cut(name[1:], `"`)
		}
		if _, twice := all[g]; !twice {
			order = append(order, g)
		}
		all[g] = name
	}
	return order, all
}

// policy compares QoS rules: the first that fits a packet counts, so their order does.
func policy(c *comparison) error {
	c.ordered(rules(c.run), rules(c.want), "")
	return nil
}

// rules are the lines of a policy without blanks around its signs, numbers in one form.
func rules(text string) []string {
	lines := plainLines(text)
	for i, l := range lines {
		for _, sign := range []string{":", ",", "-"} {
			if sign == "-" && !strings.ContainsAny(l, "0123456789") {
				continue // end-qos-ulps is a word
			}
			for _, spaced := range []string{" " + sign, sign + " "} {
				l = strings.ReplaceAll(l, spaced, sign)
			}
		}
		words := strings.FieldsFunc(l, func(r rune) bool { return r == ' ' })
		for j, w := range words {
			words[j] = hex(w)
		}
		lines[i] = strings.NewReplacer(":", " : ", ",", ", ").Replace(strings.Join(words, " "))
	}
	return lines
}

// hex writes the hexadecimal numbers of a word in small letters without leading zeros.
func hex(w string) string {
	var b strings.Builder
	for i := 0; i < len(w); {
		if i+2 < len(w) && w[i] == '0' && w[i+1]|0x20 == 'x' {
			j := i + 2
			for j < len(w) && strings.IndexByte("0123456789abcdefABCDEF", w[j]) >= 0 {
				j++
			}
			if digits := strings.TrimLeft(strings.ToLower(w[i+2:j]), "0"); j > i+2 {
				b.WriteString("0x" + strings.Repeat("0", max(0, 1-len(digits))) + digits)
				i = j
				continue
			}
		}
		b.WriteByte(w[i])
		i++
	}
	return b.String()
}
