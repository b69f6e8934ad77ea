package clitree

import (
	"fmt"
	"regexp"
	"strings"
)

// Ignore finds what a comparison leaves out, see Options.
type Ignore []*regexp.Regexp

// Ignoring reads patterns: * stands for any text, letters match in either case.
func Ignoring(patterns []string) Ignore {
	var out Ignore
	for _, p := range patterns {
		out = append(out, glob(p))
	}
	return out
}

// CheckIgnore refuses patterns that would leave out everything or cannot match.
func CheckIgnore(patterns []string) error {
	for _, p := range patterns {
		switch {
		case strings.Trim(p, "*/ \t") == "":
			return fmt.Errorf("the pattern %q names nothing; a section, a line or \"section / line\" would, such as 'interface Management*' or '* / description *'", p)
		case strings.TrimSpace(p) != p:
			return fmt.Errorf("the pattern %q has a blank in front or behind, which no line has", p)
		}
	}
	return nil
}

// Match tells whether a line of a section is left out: by itself, by its section, or
// by both. Without a line it is the section that is asked about.
func (ig Ignore) Match(path []string, line string) bool {
	if len(ig) == 0 {
		return false
	}
	names := path
	if line != "" {
		names = append(append([]string(nil), path...), line)
	}
	for i := range names {
		// "section" and "section / part of it" reach everything below.
		if ig.below(names[:i], names[i]) {
			return true
		}
	}
	return false
}

// below is Match where the sections above are known not to match.
func (ig Ignore) below(path []string, line string) bool {
	if len(ig) == 0 {
		return false
	}
	whole := line
	if len(path) > 0 {
		whole = strings.Join(path, " / ") + " / " + line
	}
	for _, p := range ig {
		if p.MatchString(line) || len(path) > 0 && p.MatchString(whole) {
			return true
		}
	}
	return false
}

// glob makes a pattern with * for any text; letters match in either case.
func glob(p string) *regexp.Regexp {
	parts := strings.Split(p, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("(?is)^" + strings.Join(parts, ".*") + "$")
}
