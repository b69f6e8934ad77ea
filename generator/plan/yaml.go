package plan

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"railyard/generator/fabric"
)

// YAML writes the same document as JSON, with the same keys in the same order.
// It is made in small pieces and needs little memory, but takes over a hundred times
// as long as JSON.
func YAML(w io.Writer, f *fabric.Fabric) error {
	e := newEncoder(w)
	e.yaml = true
	document(e, f)
	return e.close()
}

// yamlBatch is how many elements of a list are turned into YAML at once: each turn
// costs the same in buffers, however little it does.
const yamlBatch = 100

// block turns a JSON value into YAML in block style.
func block(body []byte) ([]byte, error) {
	var n yaml.Node
	if err := yaml.Unmarshal(body, &n); err != nil {
		return nil, err
	}
	unfold(&n)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&n); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

// unfold takes braces, brackets and needless quotes away. Short lists of numbers
// stay on one line.
func unfold(n *yaml.Node) {
	simple := func(c *yaml.Node) bool { return c.Kind == yaml.ScalarNode && c.Tag == "!!int" }
	switch n.Kind {
	case yaml.ScalarNode:
		if isWord(n.Value) {
			n.Style = 0
		}
	case yaml.SequenceNode:
		if len(n.Content) > 0 && !slices.ContainsFunc(n.Content, func(c *yaml.Node) bool { return !simple(c) }) {
			return
		}
		fallthrough
	default:
		if len(n.Content) > 0 {
			n.Style = 0
		}
		for _, c := range n.Content {
			unfold(c)
		}
	}
}

// isWord reports whether a text means itself in every version of YAML without
// quotes.
func isWord(s string) bool {
	if s == "" || !('a' <= s[0] && s[0] <= 'z' || 'A' <= s[0] && s[0] <= 'Z') {
		return false
	}
	for _, c := range s {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-./", c)) {
			return false
		}
	}
	return !slices.Contains([]string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}, strings.ToLower(s))
}
