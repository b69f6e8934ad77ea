package cumulus

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// expand writes out what a device collapses: swp1-3, 100-101, 0-25,27-47.
func expand(key string) []string {
	var out []string
	for _, part := range strings.Split(key, ",") {
		from, to, isRange := strings.Cut(part, "-")
		name := strings.TrimRight(from, "0123456789")
		a, errA := strconv.Atoi(strings.TrimPrefix(from, name))
		b, errB := strconv.Atoi(to)
		if !isRange || errA != nil || errB != nil {
			out = append(out, part)
			continue
		}
		for ; a <= b; a++ {
			out = append(out, name+strconv.Itoa(a))
		}
	}
	return out
}

// TestRunning: what "nv config show" prints after our file was applied says the
// same as our file, once the header, the device's own keys and its ranges are
// out of the way. The sample is written by hand after the vendor's pages.
func TestRunning(t *testing.T) {
	body, err := os.ReadFile("../../fixtures/running/cumulus/leaf-5.14.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(body, &root); err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(path string, n *yaml.Node)
	walk = func(path string, n *yaml.Node) {
		if n.Kind == yaml.ScalarNode {
			got = append(got, path+" "+n.Value)
			return
		}
		if len(n.Content) == 0 {
			got = append(got, path)
		}
		for i := 0; i < len(n.Content); i += 2 {
			for _, k := range expand(n.Content[i].Value) {
				walk(strings.TrimPrefix(path+" "+k, " "), n.Content[i+1])
			}
		}
	}
	for _, part := range root.Content[0].Content {
		if part.Content[0].Value == "set" {
			walk("", part.Content[1])
		}
	}
	got = slices.DeleteFunc(got, func(c string) bool { return strings.HasPrefix(c, "system global ") })
	want := commands(t, render(t, released("5.14.0"), 0)[startup])
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		for _, c := range got {
			if !slices.Contains(want, c) {
				t.Errorf("only on the device: %s", c)
			}
		}
		for _, c := range want {
			if !slices.Contains(got, c) {
				t.Errorf("only in our file: %s", c)
			}
		}
	}
}
