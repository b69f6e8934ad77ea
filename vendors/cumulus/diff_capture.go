package cumulus

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// diffPrompt finds the prompt of a shell: user@host:vrf:~$ or root's.
func diffPrompt(line string) (typed string, ok bool) {
	at := strings.IndexByte(line, '@')
	end := strings.IndexAny(line, "$#")
	if at <= 0 || end < at || strings.ContainsAny(line[:at], " \t:'\"{}") {
		return "", false
	}
	return strings.TrimSpace(line[end+1:]), true
}

// diffCapture cuts a document out of what a terminal showed. commands are the nv set
// lines where it is a list of them. whole says that the last line has its end.
func diffCapture(text []byte) (document []byte, commands []string, whole bool) {
	if !bytes.ContainsRune(text, '\n') {
		text = bytes.ReplaceAll(text, []byte{'\r'}, []byte{'\n'})
	}
	whole = len(text) == 0 || text[len(text)-1] == '\n'
	var kept []string
	started, quoted := false, false
	for _, l := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		l = strings.TrimRight(diffControls(l), " \t\r")
		if quoted { // a text over several lines
			last := len(commands) - 1
			commands[last] += "\n" + l
			_, err := diffShell(commands[last])
			quoted = err != nil
			continue
		}
		typed, prompt := diffPrompt(l)
		if prompt {
			l = typed
		}
		if set := strings.TrimSpace(l); strings.HasPrefix(set, "nv set ") {
			commands = append(commands, set)
			_, err := diffShell(set)
			quoted = err != nil
			continue
		}
		switch {
		case prompt && len(commands) > 0:
			whole = true
		case prompt && started:
			return []byte(strings.Join(kept, "\n") + "\n"), nil, true
		case prompt, !started && l != "---" && !strings.HasPrefix(l, "- "):
			continue
		}
		started = true
		kept = append(kept, l)
	}
	if !started || len(commands) > 0 {
		return text, commands, whole
	}
	return []byte(strings.Join(kept, "\n") + "\n"), nil, whole
}

// diffControls takes out a terminal's sequences: colours, and the mode in which a
// shell takes pasted text.
func diffControls(l string) string {
	for {
		at := strings.IndexByte(l, 0x1b)
		if at < 0 {
			return strings.TrimPrefix(l, "\r")
		}
		end := at + 1
		for end < len(l) && (l[end] < '@' || l[end] == '[') {
			end++
		}
		l = l[:at] + l[min(len(l), end+1):]
	}
}

// commands reads nv set lines. The last word of one may be a value or the member of
// a set, which closed finds out.
func (c *DiffConfig) commands(lines []string) error {
	for _, l := range lines {
		words, err := diffShell(strings.TrimPrefix(l, "nv set "))
		if err != nil {
			return fmt.Errorf("%.60q: %w", l, err)
		}
		if len(words) == 0 {
			continue
		}
		paths := [][]string{nil}
		for _, w := range words {
			var longer [][]string
			for _, p := range paths {
				for _, key := range diffWordKeys(w) {
					longer = append(longer, append(p[:len(p):len(p)], key))
				}
			}
			if paths = longer; len(paths)+len(c.settings) > 1<<20 {
				return errors.New("ranges beyond any configuration")
			}
		}
		for _, p := range paths {
			c.put(diffSetting{path: p, open: true}.shown())
		}
	}
	if len(c.settings) == 0 {
		return errors.New("no settings in it")
	}
	return nil
}

// diffWordKeys writes out ranges where a word is a list of names or numbers; texts and
// addresses stay.
func diffWordKeys(w string) []string {
	if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz0123456789,-_") != "" || !strings.ContainsAny(w, ",-") || !strings.ContainsAny(w, "0123456789") {
		return []string{w}
	}
	return diffKeys(w)
}

// diffShell cuts a line into words as a shell does, quotes off.
func diffShell(l string) ([]string, error) {
	var words []string
	var b strings.Builder
	quote, inside := byte(0), false
	for i := 0; i < len(l); i++ {
		switch ch := l[i]; {
		case quote != 0 && ch == quote:
			quote = 0
		case quote == '\'' || quote == '"' && ch != '\\':
			b.WriteByte(ch)
		case ch == '\\' && i+1 < len(l):
			i++
			b.WriteByte(l[i])
			inside = true
		case ch == '\'' || ch == '"':
			quote, inside = ch, true
		case ch == ' ' || ch == '\t':
			if inside {
				words = append(words, b.String())
			}
			b.Reset()
			inside = false
		default:
			b.WriteByte(ch)
			inside = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote that does not end")
	}
	if inside {
		words = append(words, b.String())
	}
	return words, nil
}

// closed decides what the last words of commands are: values where the other side has
// one there, or where a later command of the same setting overrides it.
func (c *DiffConfig) closed(other *DiffConfig) *DiffConfig {
	if !slices.ContainsFunc(c.order, func(key string) bool { return c.settings[key].open }) {
		return c
	}
	out := &DiffConfig{settings: make(map[string]diffSetting, len(c.settings))}
	for _, key := range c.order {
		s := c.settings[key]
		if n := len(s.path); s.open && n > 1 {
			head := strings.Join(s.path[:n-1], "\x00")
			if o, ok := other.settings[head]; ok && !o.open && o.value != "" {
				s = diffSetting{path: s.path[:n-1], value: s.path[n-1]}.shown()
			}
		}
		out.put(s)
	}
	return out
}

// shown adds what people see: the path below the section, secrets out.
func (s diffSetting) shown() diffSetting {
	s.show = strings.TrimSpace(strings.Join(s.path[min(len(s.path), diffSection):], " ") + " " + s.value)
	for i, p := range s.path {
		if !strings.Contains(p, "password") && p != "secret" {
			continue
		}
		switch {
		case s.value != "":
			s.show, s.value = strings.TrimSuffix(s.show, s.value)+"<secret>", "<secret>"
		case s.open && i == len(s.path)-2: // its last word is the secret
			s.path = append(s.path[:i+1:i+1], "<secret>")
			s.show = strings.Join(s.path[min(len(s.path), diffSection):], " ")
		}
		break
	}
	return s
}
