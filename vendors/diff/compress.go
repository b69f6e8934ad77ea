package diff

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNames is how many groups of names a line shows.
const maxNames = 8

// compress writes names as host lists, as --select takes them: leaf-u[01-12]-r0.
// Names that differ in one number are put together, then those groups once more.
func compress(names []string) string {
	groups := names
	for at := range maxNumbers {
		groups = merge(groups, at)
	}
	if len(groups) > maxNames {
		return strings.Join(groups[:maxNames], ",") + fmt.Sprintf(",… (%d)", len(names))
	}
	return strings.Join(groups, ",")
}

// maxNumbers is how many numbers of a name are tried, from the last.
const maxNumbers = 4

// merge puts names together that differ only in their number at from the end.
func merge(names []string, at int) []string {
	type group struct {
		head, tail string
		numbers    []string
	}
	var order []string
	groups := map[string]*group{}
	for _, n := range names {
		head, number, tail, ok := numberFromEnd(n, at)
		key := head + "\x00" + tail + "\x00" + strconv.Itoa(len(number))
		if !ok {
			key = "\x01" + n
		}
		if groups[key] == nil {
			groups[key] = &group{head: head, tail: tail}
			order = append(order, key)
		}
		groups[key].numbers = append(groups[key].numbers, number)
	}
	var out []string
	for _, key := range order {
		g := groups[key]
		if name, alone := strings.CutPrefix(key, "\x01"); alone {
			out = append(out, name)
			continue
		}
		if len(g.numbers) == 1 {
			out = append(out, g.head+g.numbers[0]+g.tail)
			continue
		}
		out = append(out, g.head+"["+spans(g.numbers)+"]"+g.tail)
	}
	return out
}

// numberFromEnd finds a number of a name, counted from the end; numbers in
// brackets are there already and count as one.
func numberFromEnd(name string, at int) (head, number, tail string, ok bool) {
	end := len(name)
	for {
		for end > 0 && (name[end-1] < '0' || name[end-1] > '9') && name[end-1] != ']' {
			end--
		}
		if end == 0 {
			return "", "", "", false
		}
		start := end
		if name[end-1] == ']' {
			start = strings.LastIndexByte(name[:end], '[')
			if start < 0 {
				return "", "", "", false
			}
		} else {
			for start > 0 && name[start-1] >= '0' && name[start-1] <= '9' {
				start--
			}
		}
		if at == 0 {
			if name[start] == '[' {
				return "", "", "", false
			}
			return name[:start], name[start:end], name[end:], true
		}
		at--
		end = start
	}
}

func spans(numbers []string) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && next(numbers[j], numbers[j+1]) {
			j++
		}
		if j == i {
			parts = append(parts, numbers[i])
		} else {
			parts = append(parts, numbers[i]+"-"+numbers[j])
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

func next(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err == nil && err2 == nil && y == x+1
}
