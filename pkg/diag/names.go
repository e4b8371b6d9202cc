package diag

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// The number of names up to which a list of them is shown whole, and how many of a
// longer one are.
const (
	wholeList = 8
	shownList = 5
)

// Count writes a number with a noun: `1 pool`, `3 pools`.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// OneOf lists alternatives: `a, b or c`.
func OneOf(names []string) string { return list(names, "or") }

// AllOf lists what belongs together: `a, b and c`.
func AllOf(names []string) string { return list(names, "and") }

// SomeOf lists what belongs together, of many the first: `a, b, c, d, e and 4 more`.
func SomeOf(names []string) string {
	if len(names) <= wholeList {
		return AllOf(names)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shownList], ", "), len(names)-shownList)
}

// Quoted is [Names] with each name in quotes: `"a", "b"`.
func Quoted(name string, known []string) string {
	_, shown := choose(name, known)
	return inCommas(choice(quoted(shown), len(known)))
}

// inCommas lists names in quotes without a word before the last one.
func inCommas(names string) string { return strings.Replace(names, `" or "`, `", "`, 1) }

// quoted returns names in quotes.
func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quote(name)
	}
	return out
}

// list returns names with commas, and a word before the last one.
func list(names []string, last string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " " + last + " " + names[n-1]
	}
}

// Names lists the names to choose from: all of a few, the nearest of many.
func Names(name string, known []string) string {
	_, shown := choose(name, known)
	return choice(shown, len(known))
}

// choice lists the names to choose from, which may be the first of more.
func choice(shown []string, all int) string {
	if all > len(shown) {
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), all-len(shown))
	}
	return OneOf(shown)
}

// choose returns the name that was probably meant, or "" if there is none, and the names to show:
// all of a few, the nearest of many.
func choose(name string, known []string) (near string, shown []string) {
	shown = known
	if len(known) > wholeList {
		shown = nearest.Names(name, known, shownList)
	}
	if near = nearest.Name(name, shown); near == name {
		near = ""
	}
	if near == "" {
		near = abbreviated(name, known)
	}
	return near, shown
}

// abbreviated returns the only one of the known names that continues a name of at least four
// letters, as `warning` continues `warn`, or "" if there is none.
func abbreviated(name string, known []string) string {
	const least = 4
	found := ""
	for _, one := range known {
		if len(name) >= least && len(one) > len(name) && strings.HasPrefix(one, name) {
			if found != "" {
				return ""
			}
			found = one
		}
	}
	return found
}

// areSeveral reports whether a name may be a misspelling of several of the known ones: of
// those that are equal but for the letter case, or else of all.
func areSeveral(name string, known []string) bool {
	equal, meant := 0, 0
	for _, one := range known {
		if strings.EqualFold(one, name) {
			equal++
		}
		if nearest.IsMisspelt(name, one) {
			meant++
		}
	}
	return equal > 1 || equal == 0 && meant > 1
}

// quote puts a name in quotes. Unlike Go's %q it leaves letters of all languages.
func quote(name string) string { return `"` + name + `"` }
