package strict

import "strings"

// Nearest returns the candidate that word was probably meant to be, "" when
// none is near: one that differs only in case, hyphens and underscores, else one
// that begins with the word, else the first with the fewest edits, at most a
// third of the word's length.
func Nearest(word string, candidates []string) string {
	plain := fold(word)
	best, least := "", max(1, len(plain)/3)+1
	if len(plain) > 64 {
		return ""
	}
	for _, c := range candidates {
		if fold(c) == plain && c != word {
			return c
		}
	}
	if whole := completion(plain, candidates); whole != "" {
		return whole
	}
	for _, c := range candidates {
		f := fold(c)
		if d := len(f) - len(plain); d >= least || -d >= least {
			continue
		}
		if d := edits(plain, f); d < least && d < len(f) {
			best, least = c, d
		}
	}
	return best
}

// completion returns the shortest candidate that begins with the word.
func completion(plain string, candidates []string) string {
	best := ""
	for _, c := range candidates {
		if f := fold(c); len(plain) >= 3 && len(f) > len(plain) && strings.HasPrefix(f, plain) && (best == "" || len(c) < len(best)) {
			best = c
		}
	}
	return best
}

var folding = strings.NewReplacer("-", "", "_", "", ".", "", " ", "")

func fold(s string) string { return folding.Replace(strings.ToLower(s)) }

// edits counts insertions, deletions, replacements and swaps of neighbours.
func edits(a, b string) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(last[j]+1, next[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
