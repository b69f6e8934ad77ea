package observed

import "strings"

// maxList bounds the numbers of a list; VLANs, code points and priorities all fit.
const maxList = 4096

// Numbers reads a list as switches write it: "3", "3,4", "0-7", "2 4 5", "4 to 6".
// It is false when something in it is no number or a range falls.
func Numbers(s string) ([]int, bool) {
	var out []int
	from, open := 0, false
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if f == "to" {
			if len(out) == 0 || open {
				return nil, false
			}
			open, from = true, out[len(out)-1]+1
			continue
		}
		low, high, dashed := strings.Cut(f, "-")
		a, ok := Number(low)
		b := a
		if dashed && ok {
			b, ok = Number(high)
		}
		if !ok || dashed && open {
			return nil, false
		}
		if open {
			a, open = from, false
		}
		if b < a-1 || len(out)+b-a >= maxList {
			return nil, false
		}
		for ; a <= b; a++ {
			out = append(out, a)
		}
	}
	return out, len(out) > 0 && !open
}

// Number reads a whole number without a sign, up to a billion.
func Number(s string) (int, bool) {
	if s == "" || len(s) > 10 {
		return 0, false
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, n <= 1_000_000_000
}

// Within is the number when it lies in 0..most, else -1.
func Within(s string, most int) int {
	if n, ok := Number(s); ok && n <= most {
		return n
	}
	return -1
}

// Priorities reads a list as a set; members above 7 are left out.
func Priorities(s string) Set {
	if len(s) == 1 && s[0] >= '0' && s[0] <= '7' {
		return 1 << (s[0] - '0')
	}
	list, _ := Numbers(s)
	var set Set
	for _, n := range list {
		set = set.With(n)
	}
	return set
}

// Fields is strings.Fields without allocation, for lines that each port has: at
// most as many words as into holds.
func Fields(s string, into *[16]string) []string {
	n := 0
	for i := 0; i < len(s) && n < len(into); {
		if s[i] == ' ' || s[i] == '\t' {
			i++
			continue
		}
		end := i
		for end < len(s) && s[end] != ' ' && s[end] != '\t' {
			end++
		}
		into[n] = s[i:end]
		n++
		i = end
	}
	return into[:n]
}
