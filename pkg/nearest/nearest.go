// Package nearest finds the known name that a user most probably meant.
//
// Every message about an unknown name (a rule, a field, a pack, a preset, a
// function) ends with the name that comes closest, so that a typo is mended by
// reading the message.
package nearest

import (
	"strings"

	"github.com/agext/levenshtein"
)

// minSimilarity is the similarity below which a suggestion would mislead more
// than it helps: about one wrong letter in three.
const minSimilarity = 0.6

// swapped is the similarity of names with the same letters in another order,
// the commonest slip of fast fingers, which edit distance counts twice.
const swapped = 0.8

// Name returns the member of known that is most like got, or "" when none is
// like it. Letter case does not count, and of equally near names the first in
// known wins.
func Name(got string, known []string) string {
	best, bestSimilarity := "", minSimilarity
	lower := strings.ToLower(got)
	for _, name := range known {
		similarity := levenshtein.Similarity(lower, strings.ToLower(name), nil)
		if anagram(lower, strings.ToLower(name)) {
			similarity = max(similarity, swapped)
		}
		if similarity > bestSimilarity || (similarity == bestSimilarity && best == "") {
			best, bestSimilarity = name, similarity
		}
	}
	return best
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
	got, want = strings.ToLower(got), strings.ToLower(want)
	distance := levenshtein.Distance(got, want, nil)
	return distance <= 1 || distance == 2 && anagram(got, want)
}
