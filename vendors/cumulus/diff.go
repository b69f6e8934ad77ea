package cumulus

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"railyard/vendors/clitree"
)

// DiffConfig is an NVUE configuration: every setting by its path.
type DiffConfig struct {
	settings map[string]diffSetting // by path, words joined by zero bytes
	order    []string
	doubts   []string
	lines    int
}

// Doubts say what makes the text look incomplete.
func (c *DiffConfig) Doubts() []string { return c.doubts }

type diffSetting struct {
	path  []string
	value string // "" for a member of a set
	show  string
	// open settings come from a command, which does not say whether its last word is
	// a value.
	open bool
}

// maxDiff bounds what DiffRead takes.
const maxDiff = 16 << 20

// DiffRead reads what "nv config show" prints and startup.yaml holds: a list of
// header, set and unset maps, or with -o commands a list of nv set lines; a capture may
// have prompts around it. Ranges of interfaces and VLANs are written out; the header
// says nothing about the configuration.
func DiffRead(text []byte) (*DiffConfig, error) {
	if len(text) > maxDiff {
		return nil, fmt.Errorf("%d bytes, more than the %d a configuration can have", len(text), maxDiff)
	}
	text, commands, whole := diffCapture(text)
	c := &DiffConfig{settings: map[string]diffSetting{}}
	if !whole {
		c.doubts = append(c.doubts, "the last line has no end: the text may be cut off there")
	}
	if len(commands) > 0 {
		return c, c.commands(commands)
	}
	var doc []map[string]yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("no list of header and set maps, as nv config show prints: %w", err)
	}
	c.lines = 1 + bytes.Count(bytes.TrimSpace(text), []byte{'\n'})
	sets := 0
	for _, part := range doc {
		for name, node := range part {
			switch name {
			case "set":
				sets++
				if err := c.add(nil, &node, 0); err != nil {
					return nil, err
				}
			case "header", "unset":
			default:
				return nil, fmt.Errorf("%q where header, set or unset should stand", name)
			}
		}
	}
	if sets == 0 || len(c.settings) == 0 {
		return nil, errors.New("no settings in it")
	}
	return c, nil
}

func (c *DiffConfig) add(path []string, n *yaml.Node, depth int) error {
	if depth > 32 || len(c.settings) > 1<<20 {
		return errors.New("nested or repeated beyond any configuration")
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return c.leaf(path, n)
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		for _, key := range diffKeys(n.Content[i].Value) {
			if err := c.add(append(path[:len(path):len(path)], key), n.Content[i+1], depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *DiffConfig) leaf(path []string, n *yaml.Node) error {
	if len(path) == 0 {
		return nil // an empty set map
	}
	s := diffSetting{path: path}
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Tag == "!!null" && n.Value == "" && n.Line >= c.lines {
			return fmt.Errorf("nothing stands below %q, where the text ends: it is cut off", strings.Join(path, " "))
		}
		s.value = n.Value
	case yaml.SequenceNode:
		for _, x := range n.Content {
			if err := c.leaf(append(path[:len(path):len(path)], x.Value), &yaml.Node{Kind: yaml.MappingNode}); err != nil {
				return err
			}
		}
		return nil
	case yaml.AliasNode:
		return errors.New("an alias, which NVUE does not print")
	}
	c.put(s.shown())
	return nil
}

func (c *DiffConfig) put(s diffSetting) {
	key := strings.Join(s.path, "\x00")
	if _, twice := c.settings[key]; !twice {
		c.order = append(c.order, key)
	}
	c.settings[key] = s
}

// diffSection is how many words of a path name the section.
const diffSection = 2

var diffRange = regexp.MustCompile(`^([a-z]*(?:\d+s)?)(\d+)-(\d+)$`)

// diffKeys writes out swp1-32, swp6s0-1, 100-101 and lists of them.
func diffKeys(key string) []string {
	var out []string
	prefix := ""
	for i, part := range strings.Split(key, ",") {
		m := diffRange.FindStringSubmatch(part)
		if m == nil {
			if i > 0 && digitsOnly(part) {
				part = prefix + part
			} else {
				prefix = strings.TrimRight(part, "0123456789")
			}
			out = append(out, part)
			continue
		}
		if m[1] != "" {
			prefix = m[1]
		} else {
			m[1] = prefix
		}
		a, _ := strconv.Atoi(m[2])
		b, _ := strconv.Atoi(m[3])
		if b < a || b-a > 4096 {
			return []string{key}
		}
		for ; a <= b; a++ {
			out = append(out, m[1]+strconv.Itoa(a))
		}
	}
	return out
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// diffSame compares values: 5.15 renamed on and off to enabled and disabled.
func diffSame(a, b string) bool { return diffWord(a) == diffWord(b) }

func diffWord(s string) string {
	switch s {
	case "on", "enable", "enabled", "true":
		return "on"
	case "off", "disable", "disabled", "false":
		return "off"
	}
	return s
}

// diffOwned: what only the switch has counts where railyard writes everything.
var diffOwned = map[string]bool{"interface": true, "bridge": true, "qos": true, "router": true, "vrf": true}

type diffChange struct{ run, want *diffSetting }

func (c *DiffConfig) changes(intended *DiffConfig, o clitree.Options) []diffChange {
	c, intended = c.closed(intended), intended.closed(c)
	ignore := clitree.Ignoring(o.Ignore)
	skip := func(s diffSetting) bool {
		section := s.path[:min(len(s.path), diffSection)]
		return ignore.Match([]string{strings.Join(section, " ")}, s.show) || ignore.Match(section, s.show)
	}
	var out []diffChange
	for _, key := range intended.order {
		w := intended.settings[key]
		r, ok := c.settings[key]
		switch {
		case skip(w) || ok && diffSame(r.value, w.value):
		case ok:
			out = append(out, diffChange{&r, &w})
		default:
			out = append(out, diffChange{want: &w})
		}
	}
	for _, key := range c.order {
		r := c.settings[key]
		if _, ok := intended.settings[key]; ok || skip(r) || o.Scope == clitree.Owned && !diffOwned[r.path[0]] {
			continue
		}
		out = append(out, diffChange{run: &r})
	}
	return out
}

// Compare returns what differs, by the first two words of the paths.
func (c *DiffConfig) Compare(intended *DiffConfig, o clitree.Options) []clitree.Change {
	var out []clitree.Change
	at := map[string]int{}
	for _, d := range c.changes(intended, o) {
		s := d.want
		if s == nil {
			s = d.run
		}
		path := s.path[:min(len(s.path), diffSection)]
		key := strings.Join(path, " ")
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, clitree.Change{Path: path})
		}
		if d.run != nil {
			out[i].Remove = append(out[i].Remove, d.run.show)
		}
		if d.want != nil {
			out[i].Add = append(out[i].Add, d.want.show)
		}
	}
	return out
}

// Patch returns nv commands: unset what is too much, set what is missing or other.
// They wait for "nv config apply".
func (c *DiffConfig) Patch(intended *DiffConfig, o clitree.Options) []byte {
	var unset, set []string
	for _, d := range c.changes(intended, o) {
		switch {
		case d.want == nil:
			unset = append(unset, "nv unset "+diffWords(d.run.path))
		case d.want.value == "<secret>":
			set = append(set, "# left out because it holds a secret: "+diffWords(d.want.path))
		case d.want.value == "":
			set = append(set, "nv set "+diffWords(d.want.path))
		default:
			set = append(set, "nv set "+diffWords(append(d.want.path[:len(d.want.path):len(d.want.path)], d.want.value)))
		}
	}
	lines := append(append(unset, set...), "nv config diff", "nv config apply")
	return []byte(strings.Join(lines, "\n") + "\n")
}

// diffWords quotes words that a shell would cut.
func diffWords(path []string) string {
	out := make([]string, len(path))
	for i, w := range path {
		if out[i] = w; strings.ContainsAny(w, " '\"$#*") || w == "" {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}
