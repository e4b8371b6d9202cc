package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Sort brings findings into the order in which users fix them: causes, then others; each by
// file, resource, position and rule. It does not depend on the order in which they were found.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, compare)
}

// compare orders findings: causes first, then by resource, position and path.
func compare(a, b Finding) int {
	one, other := a.Path(), b.Path()
	order := cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		a.Resource().Compare(b.Resource()),
		cmp.Compare(a.Position.Line, b.Position.Line),
		cmp.Compare(a.Position.Column, b.Position.Column),
		ComparePaths(one, other),
		cmp.Compare(one, other),
		cmp.Compare(a.Key, b.Key),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
	)
	if order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(a.Message(), b.Message()),
		cmp.Compare(a.Pack, b.Pack),
		// Nothing that users read differs. The bytes still must not depend on the
		// order in which the findings were made.
		cmp.Compare(fmt.Sprint(a.Severity, a.Current, a.Proposed, a.Tags), fmt.Sprint(b.Severity, b.Current, b.Proposed, b.Tags)),
	)
}

// rank is 0 for causes.
func rank(f Finding) int {
	if f.Rule.Cause {
		return 0
	}
	return 1
}

// ComparePaths orders paths by their text, and the indexes in them by number:
// `a[2]` before `a[10]`.
func ComparePaths(a, b string) int {
	for a != "" && b != "" {
		if digits, others := leadingDigits(a), leadingDigits(b); digits != "" && others != "" {
			one, other := strings.TrimLeft(digits, "0"), strings.TrimLeft(others, "0")
			if order := cmp.Or(cmp.Compare(len(one), len(other)), cmp.Compare(one, other)); order != 0 {
				return order
			}
			a, b = a[len(digits):], b[len(others):]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// leadingDigits returns the number at the beginning of a text, so that x10 can come after x9.
func leadingDigits(text string) string {
	return text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
}

// Overlap reports whether one of two paths leads through the other: `spec.a` and
// `spec.a[0].b` do, `spec.a` and `spec.ab` do not.
func Overlap(a, b string) bool {
	_, isBelow := Below(a, b)
	_, isAbove := Below(b, a)
	return isBelow || isAbove
}

// Below returns the rest of a path after another one that it leads through: `[0].b` of
// `spec.a[0].b` after `spec.a`.
func Below(path, above string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, above)
	return rest, ok && (above == "" || rest == "" || rest[0] == '.' || rest[0] == '[')
}
