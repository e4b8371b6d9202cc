// Package nearest finds the known name that a user most probably meant.
//
// Every message about an unknown name (a rule, a field, a pack, a preset, a
// function) ends with the name that comes closest, so that reading the message
// is enough to fix a typo.
package nearest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// minSimilarity is the similarity below which a suggestion would mislead more
// than it helps: about one wrong letter in three.
const minSimilarity = 0.6

// swapped is the similarity of names with the same letters in another order,
// the commonest slip of fast fingers, which edit distance counts twice.
const swapped = 0.8

// maxName is the length in bytes above which a name has no nearest: comparing costs
// the product of both lengths.
const maxName = 128

// Name returns the member of known that is most like got, or "" when none is
// like it. Letter case does not count, and of equally near names the first in
// known wins.
func Name(got string, known []string) string {
	best, bestSimilarity := "", minSimilarity
	for _, name := range known {
		s := similarity(got, name)
		if s > bestSimilarity || (s == bestSimilarity && best == "") {
			best, bestSimilarity = name, s
		}
	}
	return best
}

// Reference is Name for references to what users or vendors named: packs, presets,
// instance types, versions. Names with other digits are left out, because both are
// probably right: m5.xlarge is not a misspelt m5.2xlarge, and redis-6 is not redis-7.
func Reference(got string, known []string) string {
	var same []string
	for _, name := range known {
		if digits(name) == digits(got) {
			same = append(same, name)
		}
	}
	return Name(got, same)
}

// digits returns the digits of a name, and a dot where others are between them.
func digits(name string) string {
	var b strings.Builder
	gap := false
	for i := range len(name) {
		if c := name[i]; c < '0' || c > '9' {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('.')
			gap = false
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// Names returns the members of known that are most like got, at most n, the nearest
// first. Equally near names keep their order.
func Names(got string, known []string, n int) []string {
	type ranked struct {
		name       string
		similarity float64
	}
	all := make([]ranked, len(known))
	for i, name := range known {
		all[i] = ranked{name, similarity(got, name)}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.similarity, a.similarity) })
	var names []string
	for _, r := range all[:min(n, len(all))] {
		names = append(names, r.name)
	}
	return names
}

// similarity is 1 for equal names and 0 for those that share nothing.
func similarity(a, b string) float64 {
	if len(a) > maxName || len(b) > maxName {
		return 0
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	s := levenshtein.Similarity(a, b, nil)
	if anagram(a, b) {
		s = max(s, swapped)
	}
	return s
}

// anagram reports whether two names have the same letters.
func anagram(a, b string) bool {
	if len(a) != len(b) || len(a) < 3 {
		return false
	}
	var count [256]int
	for i := range len(a) {
		count[a[i]]++
		count[b[i]]--
	}
	return count == [256]int{}
}

// Hint returns ` (did you mean "NAME"?)` for the nearest name, or "" when none
// is near: an ending for a message.
func Hint(got string, known []string) string {
	if name := Name(got, known); name != "" && name != got {
		return ` (did you mean "` + name + `"?)`
	}
	return ""
}

// IsSlip reports whether a name is not another one, but that with its letters in
// the wrong case, one letter wrong, or two swapped. It is stricter than Name: for
// names that may be anything, where a wrong suspicion would be an error.
func IsSlip(got, want string) bool {
	if got == want {
		return false
	}
	if len(got) > maxName || len(want) > maxName {
		return false
	}
	got, want = strings.ToLower(got), strings.ToLower(want)
	distance := levenshtein.Distance(got, want, nil)
	return distance <= 1 || distance == 2 && anagram(got, want)
}

// longName is the length from which two wrong letters are still a slip.
const longName = 6

// IsNearMiss is a wider IsSlip, for the names of files, kinds and annotations: it also
// takes a plural for its singular, and in names of 6 letters or more two wrong letters.
// The first letter must be right, since names that differ in it are usually other words:
// stack.json is not a misspelt pack.json.
func IsNearMiss(got, want string) bool {
	if got == want || got == "" || want == "" || len(got) > maxName || len(want) > maxName {
		return false
	}
	got, want = strings.ToLower(got), strings.ToLower(want)
	switch {
	case got == want || anagram(got, want) && IsSlip(got, want):
		return true
	case got[0] != want[0]:
		return false
	}
	most := 1
	if len(want) >= longName {
		most = 2
	}
	return levenshtein.Distance(got, want, nil) <= most
}
