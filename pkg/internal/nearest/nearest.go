// Package nearest finds the known name that a user most probably meant.
//
// Every message about an unknown name (a rule, a field, a pack, a preset, a
// function) ends with the name that comes closest, so that reading the message
// is enough to fix a typo.
//
// The functions differ in what they take for the same name. [IsTypo] is the strictest one, for names
// that may be anything, and [IsMisspelt] is wider. [Name] takes the most similar of several names, for
// advice only:
//
//	Name("registy", []string{"registry", "replicas"})  // registry
//	Reference("redis-6", []string{"redis-7"})          // "", because the digits differ
package nearest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

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

// The limits of a comparison with many names: a message may need it for each of very
// many findings.
const (
	// maxCompared is the number of names whose distance is computed. Of more names
	// they are the first that have nearly the same letters.
	maxCompared = 200
	// maxCounted is the number of names of nearly the same length whose letters are
	// counted. Later ones are similar to no name.
	maxCounted = 500
	// maxSeen is the number of names whose length is looked at.
	maxSeen = 2000
)

// Name returns the member of known that is most similar to got, or "" when none is
// similar. Letter case does not count, and of equally similar names the first in
// known wins. Common words at the begin or end do not make names similar: the words
// between must be similar, too. So none.yaml is not a misspelt cache.yaml.
func Name(got string, known []string) string {
	return newComparison(got, len(known)).nearest(known)
}

// Reference is Name for references to what users or vendors named: packs, presets,
// instance types, versions. Names with other digits are left out, because both are
// probably right: m5.xlarge is not a misspelt m5.2xlarge, and redis-6 is not redis-7.
func Reference(got string, known []string) string {
	compare := newComparison(got, len(known))
	compare.digits = true
	return compare.nearest(known)
}

// nearest returns the most similar name, or "" if none is similar enough.
func (c *comparison) nearest(known []string) string {
	best, bestSimilarity := "", minSimilarity
	for _, name := range known {
		if c.isDone() {
			break
		}
		s := c.similarity(name)
		if (s > bestSimilarity || s == bestSimilarity && best == "") && c.hasSimilarWords(name) {
			best, bestSimilarity = name, s
		}
	}
	return best
}

// Path returns the known path that another path was most probably meant to be, with dots between
// its steps. They differ in one step, whose key is similar to its counterpart. All other steps are
// equal, because a key with the same name elsewhere has another meaning: the request of a component
// is not the request of another one. fits reports whether a path is a candidate. If it is nil, all
// are. Path returns "" if there is none.
func Path(got string, known []string, fits func(path string) bool) string {
	best, most := "", 0.0
	for _, path := range known {
		step, other, ok := differingStep(got, path)
		if !ok {
			continue
		}
		if s := newComparison(step, 1).similarity(other); s >= minSimilarity && s > most && (fits == nil || fits(path)) {
			best, most = path, s
		}
	}
	return best
}

// differingStep returns the steps in which two paths differ, when it is one in each.
func differingStep(a, b string) (stepOfA, stepOfB string, ok bool) {
	start := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '.' {
			start = i + 1
		}
	}
	stepOfA, restOfA, _ := strings.Cut(a[start:], ".")
	stepOfB, restOfB, _ := strings.Cut(b[start:], ".")
	return stepOfA, stepOfB, stepOfA != stepOfB && restOfA == restOfB
}

// HasSameDigits reports whether two names have the same numbers: node-1 is not a misspelt
// node-2.
func HasSameDigits(a, b string) bool {
	isOther := func(r rune) bool { return r < '0' || r > '9' }
	return slices.Equal(strings.FieldsFunc(a, isOther), strings.FieldsFunc(b, isOther))
}

// Names returns the members of known that are most similar to got, at most n, the
// nearest first. Equally similar names keep their order.
func Names(got string, known []string, n int) []string {
	type ranked struct {
		name       string
		similarity float64
	}
	var best []ranked
	compare := newComparison(got, len(known))
	for _, name := range known {
		if compare.isDone() {
			break
		}
		s := compare.similarity(name)
		at := len(best)
		for at > 0 && best[at-1].similarity < s {
			at--
		}
		best = slices.Insert(best, at, ranked{name, s})
		best = best[:min(n, len(best))]
	}
	var names []string
	for _, r := range best {
		names = append(names, r.name)
	}
	return names
}

// comparison compares one name with many.
type comparison struct {
	// name is the name that is compared, and letters counts its letters, which rules most others out.
	name    string
	letters letterCounts
	// many reports whether there are more names than maxCompared. seen, counted and compared count
	// the names.
	many                    bool
	seen, counted, compared int
	// digits reports whether names with different digits are not similar.
	digits bool
}

// letterCounts has how often each letter is in a name, by its last five bits.
type letterCounts [32]uint8

func newComparison(name string, names int) *comparison {
	name = strings.ToLower(name)
	return &comparison{name: name, letters: countLetters(name), many: names > maxCompared}
}

// countLetters counts the letters of a name, letter case aside.
func countLetters(name string) (counts letterCounts) {
	for i := range len(name) {
		counts[name[i]&31]++
	}
	return counts
}

// similarity is 1 for equal names and 0 for those that share nothing. Of many names it
// is 0 for all that cannot be similar.
func (c *comparison) similarity(name string) float64 {
	c.seen++
	if max(len(c.name), len(name)) > maxName || c.many && !c.maybeSimilar(name) || c.digits && !HasSameDigits(c.name, name) {
		return 0
	}
	c.compared++
	name = strings.ToLower(name)
	s := levenshtein.Similarity(c.name, name, nil)
	if anagram(c.name, name) {
		s = max(s, swapped)
	}
	return s
}

// hasSimilarWords reports whether what two similar names have between the words that they share
// is similar, too. One letter wrong is always a slip, and so are words that only one has.
func (c *comparison) hasSimilarWords(name string) bool {
	restOfGot, restOfName := c.differingWords(name)
	return restOfGot == "" || restOfName == "" || IsTypo(c.name, name) || newComparison(restOfGot, 1).similarity(restOfName) >= minSimilarity
}

// differingWords returns what the names have between the words of name that both begin and end
// with. A word of name ends before a capital letter, and beside what is no letter or digit.
func (c *comparison) differingWords(name string) (restOfGot, rest string) {
	lower := strings.ToLower(name)
	if len(lower) != len(name) { // a letter whose lower case has another length
		return c.name, name
	}
	start, end := 0, len(name)
	for i := 0; i < len(name) && i < len(c.name) && c.name[i] == lower[i]; i++ {
		if isBetweenWords(name, i+1) {
			start = i + 1
		}
	}
	for i := 1; i <= len(name)-start && i <= len(c.name)-start && c.name[len(c.name)-i] == lower[len(name)-i]; i++ {
		if isBetweenWords(name, len(name)-i) {
			end = len(name) - i
		}
	}
	return c.name[start : len(c.name)-(len(name)-end)], name[start:end]
}

// isBetweenWords reports whether a word of a name begins or ends at an index.
func isBetweenWords(name string, at int) bool {
	if at == 0 || at == len(name) {
		return true
	}
	isUpper := func(b byte) bool { return 'A' <= b && b <= 'Z' }
	inWord := func(b byte) bool {
		return isUpper(b) || 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b >= utf8.RuneSelf
	}
	before, after := name[at-1], name[at]
	return !inWord(before) || !inWord(after) || !isUpper(before) && isUpper(after)
}

// isDone reports whether no further name is compared.
func (c *comparison) isDone() bool {
	return c.seen == maxSeen || c.counted == maxCounted || c.compared == maxCompared
}

// maybeSimilar is false if the lengths or the letters of a name differ too much.
func (c *comparison) maybeSimilar(name string) bool {
	most := max(len(c.name), len(name)) * 2 / 5 // changes that leave minSimilarity
	if abs(len(c.name)-len(name)) > most {
		return false
	}
	c.counted++
	different := 0
	for i, n := range countLetters(name) {
		different += abs(int(n) - int(c.letters[i]))
	}
	return different <= 2*most // a change replaces one letter by another
}

func abs(n int) int { return max(n, -n) }

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
	if name := Name(got, known); name != got {
		return Ask(name)
	}
	return ""
}

// Ask returns ` (did you mean "NAME"?)`, or "" when there is no name.
func Ask(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", name)
}

// IsTypo reports whether a name is not another one, but that with its letters in
// the wrong case, one letter wrong, or two swapped. It is stricter than Name: for
// names that may be anything, where a wrong suspicion would be an error.
func IsTypo(got, want string) bool {
	if got == want || max(len(got), len(want)) > maxName || abs(utf8.RuneCountInString(got)-utf8.RuneCountInString(want)) > 1 {
		return false
	}
	got, want = strings.ToLower(got), strings.ToLower(want)
	if restOfGot, restOfWant := differing(got, want); max(utf8.RuneCountInString(restOfGot), utf8.RuneCountInString(restOfWant)) <= 1 {
		return true
	}
	return anagram(got, want) && levenshtein.Distance(got, want, nil) == 2
}

// differing returns what two texts have between the letters that they begin and end with.
func differing(a, b string) (restOfA, restOfB string) {
	for a != "" && b != "" {
		r, size := utf8.DecodeRuneInString(a)
		if other, otherSize := utf8.DecodeRuneInString(b); r != other || size != otherSize {
			break
		}
		a, b = a[size:], b[size:]
	}
	for a != "" && b != "" {
		r, size := utf8.DecodeLastRuneInString(a)
		if other, otherSize := utf8.DecodeLastRuneInString(b); r != other || size != otherSize {
			break
		}
		a, b = a[:len(a)-size], b[:len(b)-size]
	}
	return a, b
}

// longName is the length from which two wrong letters are still a slip.
const longName = 6

// IsMisspelt is a wider IsTypo, for the names of files, groups, kinds, annotations and fields:
// it also takes a plural for its singular, and in names of 6 letters or more two wrong
// letters. A wrong first letter must be left out, or be next to the right one on the keyboard:
// other names are usually other words, as stack.json is not a misspelt pack.json.
func IsMisspelt(got, want string) bool {
	const mostLonger = 2 // two letters more, or the plural of a name that ends with y
	if got == want || got == "" || want == "" || max(len(got), len(want)) > maxName || abs(len(got)-len(want)) > mostLonger {
		return false
	}
	got, want = strings.ToLower(got), strings.ToLower(want)
	most := 1
	if len(want) >= longName {
		most = 2
	}
	switch {
	case got == want || isPlural(got, want) || isPlural(want, got) || anagram(got, want) && IsTypo(got, want):
		return true
	case got == want[1:] || got[1:] == want[1:] && areBeside(got[0], want[0]):
		return true
	case got[0] != want[0] || abs(len(got)-len(want)) > most:
		return false
	}
	return levenshtein.Distance(got, want, nil) <= most
}

// Misspelt returns the name that another one is a misspelling of, see [IsMisspelt]; of
// several the nearest. It is "" for other names, and for those that are known.
func Misspelt(got string, known []string) string {
	if slices.Contains(known, got) {
		return ""
	}
	var meant []string
	for _, name := range known {
		if IsMisspelt(got, name) {
			meant = append(meant, name)
		}
	}
	if len(meant) == 0 {
		return ""
	}
	return cmp.Or(Name(got, meant), meant[0])
}

// keyboard are the letters as they are on most keyboards. Each row is half a key to the right
// of the one above.
var keyboard = [...]string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// areBeside reports whether two letters are next to each other on a keyboard.
func areBeside(a, b byte) bool {
	place := func(letter byte) (row, column int) {
		for row, letters := range keyboard {
			if column := strings.IndexByte(letters, letter); column >= 0 {
				return row, 2*column + row
			}
		}
		return -2 * len(keyboard), 0
	}
	row, column := place(a)
	otherRow, otherColumn := place(b)
	return row >= 0 && abs(row-otherRow) <= 1 && abs(column-otherColumn) <= 2
}

// isPlural reports whether a noun is the plural of one that ends with y. All others have one
// letter more.
func isPlural(noun, of string) bool {
	stem, ok := strings.CutSuffix(of, "y")
	return ok && noun == stem+"ies"
}
