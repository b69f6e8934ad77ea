package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// mostPieces bounds the pieces a folded list of names is shown with.
const mostPieces = 6

// fold writes names as Slurm host lists, which every option that takes names
// reads back: leaf-u[01-04]-r[0-7],spine-[01-16]. What does not fold into a few
// pieces is cut, with the number of names left out.
func fold(names []string) string {
	pieces, sizes := foldAll(names)
	if len(pieces) <= mostPieces {
		return strings.Join(pieces, ", ")
	}
	rest := 0
	for _, n := range sizes[mostPieces-1:] {
		rest += n
	}
	return strings.Join(pieces[:mostPieces-1], ", ") + " and " + thousands(rest) + " more"
}

// shape is what names have in common that can be folded together: the text
// between their numbers, and how many digits each number has.
type shape struct {
	texts []string // one more than numbers
	rows  [][]string
}

// foldAll returns the pieces in order of first appearance, and how many names
// each stands for.
func foldAll(names []string) (pieces []string, sizes []int) {
	at := map[string]int{}
	var shapes []*shape
	for _, name := range names {
		texts, numbers := dissect(name)
		var key strings.Builder
		for i, t := range texts {
			key.WriteString(t)
			if i < len(numbers) {
				key.WriteByte(0)
				key.WriteString(strconv.Itoa(len(numbers[i])))
				key.WriteByte(0)
			}
		}
		n, ok := at[key.String()]
		if !ok {
			n = len(shapes)
			at[key.String()] = n
			shapes = append(shapes, &shape{texts: texts})
		}
		shapes[n].rows = append(shapes[n].rows, numbers)
	}
	for _, s := range shapes {
		slices.SortFunc(s.rows, slices.Compare[[]string])
		s.rows = slices.CompactFunc(s.rows, slices.Equal[[]string])
		for _, f := range foldRows(s.texts, s.rows) {
			pieces, sizes = append(pieces, f.text), append(sizes, f.size)
		}
	}
	return pieces, sizes
}

// dissect cuts a name into texts and the numbers between them.
func dissect(name string) (texts, numbers []string) {
	start := 0
	for i := 0; i < len(name); {
		if name[i] < '0' || name[i] > '9' {
			i++
			continue
		}
		j := i
		for j < len(name) && '0' <= name[j] && name[j] <= '9' {
			j++
		}
		texts, numbers = append(texts, name[start:i]), append(numbers, name[i:j])
		start, i = j, j
	}
	return append(texts, name[start:]), numbers
}

type folded struct {
	text string
	size int
}

// foldRows folds sorted rows of numbers: rows with the same first number are
// folded by the rest, then first numbers whose rests fold alike are put together.
func foldRows(texts []string, rows [][]string) []folded {
	if len(rows[0]) == 0 {
		return []folded{{texts[0], 1}}
	}
	type bundle struct {
		firsts []string
		size   int
	}
	bundles := map[string]*bundle{}
	var order []string
	for i := 0; i < len(rows); {
		j := i
		var rests [][]string
		for ; j < len(rows) && rows[j][0] == rows[i][0]; j++ {
			rests = append(rests, rows[j][1:])
		}
		for _, rest := range foldRows(texts[1:], rests) {
			b := bundles[rest.text]
			if b == nil {
				b = &bundle{size: rest.size}
				bundles[rest.text] = b
				order = append(order, rest.text)
			}
			b.firsts = append(b.firsts, rows[i][0])
		}
		i = j
	}
	var out []folded
	for _, rest := range order {
		b := bundles[rest]
		out = append(out, folded{texts[0] + spans(b.firsts) + rest, b.size * len(b.firsts)})
	}
	return out
}

// spans writes sorted numbers of equal width: 7, [001-004,007].
func spans(numbers []string) string {
	if len(numbers) == 1 {
		return numbers[0]
	}
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && follows(numbers[j], numbers[j+1]) {
			j++
		}
		if j == i {
			parts = append(parts, numbers[i])
		} else {
			parts = append(parts, numbers[i]+"-"+numbers[j])
		}
		i = j + 1
	}
	return "[" + strings.Join(parts, ",") + "]"
}

func follows(a, b string) bool {
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	return cmp.Or(errA, errB) == nil && y == x+1
}

// numberSpans writes numbers as 100-107, 120.
func numberSpans(numbers []int) string {
	numbers = slices.Clone(numbers)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		text := strconv.Itoa(numbers[i])
		if j > i {
			text += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, text)
		i = j + 1
	}
	if len(parts) > mostPieces {
		return strconv.Itoa(numbers[0]) + "-" + strconv.Itoa(numbers[len(numbers)-1]) + " (" + thousands(len(numbers)) + ")"
	}
	return strings.Join(parts, ",")
}

// thousands writes 131072 as 131,072.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
