package manager

import (
	"errors"
	"slices"
	"strings"

	"railyard/vendors/clitree"
)

// Switch says how the commands of a switch with a subnet manager of its own are read.
type Switch struct {
	name string
	// starts are beginnings of the lines that count.
	starts []string
	// alien are beginnings of lines that count although only the switch has them.
	alien []string
	save  []string // ends a patch
}

// The systems of such switches. A third subnet manager or another partition is never
// welcome; other lines only the switch has are its own business.
var (
	MLNXOS = Switch{"mlnx-os", []string{"hostname ", "ib sm", "ib partition ", "no ib "}, []string{"ib smnode ", "ib partition "}, []string{"write memory"}}
	NVOS   = Switch{"nvos", []string{"nv set ib ", "nv unset ib "}, nil, []string{"nv config apply"}}
)

// Knows tells whether a text is a configuration of the system.
func (s Switch) Knows(text []byte) bool {
	t := string(text)
	if s.name == "mlnx-os" && strings.Contains(t, "## Running database") {
		return true
	}
	for _, l := range strings.Split(t, "\n") {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "ib sm") && s.name == "mlnx-os" || strings.HasPrefix(l, "nv set ib sm ") && s.name == "nvos" {
			return true
		}
	}
	return false
}

// command is one line: what it sets and to what.
type command struct{ key, value, text string }

// read takes what the switch prints (show running-config, nv config show -o commands)
// or what is typed: comments, prompts and the word force say nothing (M7800).
func (s Switch) read(text []byte) (order []string, all map[string]command) {
	all = map[string]command{}
	for _, l := range strings.Split(string(text), "\n") {
		if at := strings.Index(l, ") # "); at >= 0 && at < 80 { // a prompt: switch (config) #
			l = l[at+4:]
		}
		words := strings.Fields(l)
		for i := range words {
			words[i] = strings.Trim(words[i], `"`)
			if colons := strings.Count(words[i], ":"); colons == 7 {
				words[i] = strings.ToLower(words[i])
			}
			if i > 0 && words[i-1] == "pkey" {
				words[i] = keyOf(words[i])
			}
		}
		if n := len(words); n > 1 && words[n-1] == "force" {
			words = words[:n-1]
		}
		line := strings.Join(words, " ")
		if line == "" || line[0] == '#' || !slices.ContainsFunc(s.starts, func(p string) bool { return strings.HasPrefix(line+" ", p) || strings.HasPrefix(line, p) }) {
			continue
		}
		c := command{key: line, text: line}
		if valued(words) {
			c.key, c.value = strings.Join(words[:len(words)-1], " "), words[len(words)-1]
		}
		if rest, ok := strings.CutPrefix(line, "no "); ok {
			c.key, c.value = rest, "no"
		}
		if _, twice := all[c.key]; !twice {
			order = append(order, c.key)
		}
		all[c.key] = c
	}
	return order, all
}

// valued tells lines whose last word is a value of what stands before it.
func valued(words []string) bool {
	switch n := len(words); {
	case n < 2:
		return false
	case words[0] == "hostname" || words[0] == "nv":
		return true
	default:
		before := words[n-2]
		return before == "pkey" || before == "type" || before == "sm-priority" || before == "routing-engines"
	}
}

// Compare compares a switch's commands. patch is what to type.
func (s Switch) Compare(running, intended []byte, o clitree.Options) (out Outcome, patch []byte, err error) {
	runOrder, run := s.read(running)
	wantOrder, want := s.read(intended)
	if len(want) == 0 {
		return out, nil, errors.New("the intent has no commands")
	}
	if len(run) == 0 {
		return out, nil, errors.New("no configuration of " + s.name + " in it")
	}
	c := &comparison{o: o, ignore: clitree.Ignoring(o.Ignore)}
	ignored := func(l string) bool { return c.ignore.Match(nil, l) }
	var ch clitree.Change
	for _, key := range wantOrder {
		r, ok := run[key]
		w := want[key]
		if ok && r.value == w.value || ignored(w.text) {
			continue
		}
		if ok {
			ch.Remove = append(ch.Remove, r.text)
		}
		ch.Add = append(ch.Add, w.text)
	}
	patch = s.patch(ch.Add)
	for _, key := range runOrder {
		r := run[key]
		if _, ok := want[key]; ok || r.value == "no" || ignored(r.text) || !s.counts(key, want, o.Scope) {
			continue
		}
		ch.Remove = append(ch.Remove, r.text)
		out.Steps = append(out.Steps, "take away by hand: "+r.text)
	}
	if len(ch.Remove)+len(ch.Add) > 0 {
		out.Changes = append(out.Changes, ch)
	}
	return out, patch, nil
}

// counts says whether a line that only the switch has counts. The default partition is
// always there.
func (s Switch) counts(key string, want map[string]command, scope clitree.Scope) bool {
	if scope == clitree.Full {
		return true
	}
	if strings.HasPrefix(key, "ib partition Default ") {
		return false
	}
	return slices.ContainsFunc(s.alien, func(p string) bool { return strings.HasPrefix(key, p) })
}

func (s Switch) patch(add []string) []byte {
	if len(add) == 0 {
		return nil
	}
	return []byte(strings.Join(append(slices.Clone(add), s.save...), "\n") + "\n")
}
