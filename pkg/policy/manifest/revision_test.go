package manifest

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// semanticVersion is the regex that semver.org suggests.
var semanticVersion = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)

// precedence compares by the words of semver.org's rule 11, and then by text.
func precedence(a, b string) int {
	m, n := semanticVersion.FindStringSubmatch(a), semanticVersion.FindStringSubmatch(b)
	numbers := func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)) }
	order := cmp.Or(numbers(m[1], n[1]), numbers(m[2], n[2]), numbers(m[3], n[3]))
	switch {
	case order != 0:
	case m[4] == "" || n[4] == "":
		order = cmp.Compare(len(n[4]), len(m[4]))
	default:
		order = slices.CompareFunc(strings.Split(m[4], "."), strings.Split(n[4], "."), func(x, y string) int {
			_, notX := strconv.ParseUint(x, 10, 64)
			_, notY := strconv.ParseUint(y, 10, 64)
			switch {
			case notX == nil && notY == nil:
				return numbers(x, y)
			case notX == nil:
				return -1
			case notY == nil:
				return 1
			}
			return strings.Compare(x, y)
		})
	}
	return cmp.Or(order, strings.Compare(a, b))
}

// TestRevisionsAreSemanticVersions holds the acceptance and the order of
// revisions against semver.org, over generated versions and near misses of them.
func TestRevisionsAreSemanticVersions(t *testing.T) {
	number := rapid.SampledFrom([]string{"0", "1", "2", "9", "10", "11", "100", "20260131"})
	identifier := rapid.OneOf(number, rapid.SampledFrom([]string{"a", "A", "b", "ab", "-", "-1", "1a", "0a", "alpha", "rc", "rc1", "x-y", "00a"}))
	identifiers := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(identifier, 1, 3).Draw(t, "identifiers"), ".")
	})
	version := rapid.Custom(func(t *rapid.T) string {
		text := strings.Join(rapid.SliceOfN(number, 3, 3).Draw(t, "numbers"), ".")
		if rapid.Bool().Draw(t, "prerelease") {
			text += "-" + identifiers.Draw(t, "prerelease")
		}
		if rapid.IntRange(0, 3).Draw(t, "build") == 0 {
			text += "+" + rapid.OneOf(identifiers, rapid.Just("01")).Draw(t, "build")
		}
		if rapid.IntRange(0, 3).Draw(t, "miss") > 0 {
			return text
		}
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		return text[:at] + rapid.SampledFrom([]string{"", "0", "1", ".", "-", "+", "v", "é", " ", "\n"}).Draw(t, "added") + text[min(len(text), at+rapid.IntRange(0, 2).Draw(t, "removed")):]
	})
	refused, orders := 0, map[int]int{}
	for range 50 {
		rapid.Check(t, func(t *rapid.T) {
			a, b := version.Draw(t, "a"), version.Draw(t, "b")
			for _, text := range []string{a, b} {
				if got := CheckRevision(text) == nil; got != semanticVersion.MatchString(text) {
					t.Fatalf("%q: accepted is %t", text, got)
				}
			}
			if CheckRevision(a) != nil || CheckRevision(b) != nil {
				refused++
				return
			}
			got, want := CompareRevisions(a, b), precedence(a, b)
			orders[got]++
			if got != want {
				t.Fatalf("%s and %s: got %d, want %d", a, b, got, want)
			}
		})
	}
	t.Logf("orders of pairs %v, %d refused", orders, refused)
	if least := (orders[-1] + orders[0] + orders[1] + refused) / 10; min(orders[-1], orders[1], refused) < least {
		t.Errorf("orders of pairs %v, %d refused: the generators hardly test one of them", orders, refused)
	}
}

// TestRevisionLimits: what semver.org does not limit.
func TestRevisionLimits(t *testing.T) {
	for revision, want := range map[string]bool{
		"18446744073709551615.0.0": true, "18446744073709551616.0.0": false, "1.0.0-" + strings.Repeat("1", 30): true,
		"1.0.0-" + strings.Repeat("a", 250): true, "1.0.0-" + strings.Repeat("a", 251): false,
	} {
		if got := CheckRevision(revision) == nil; got != want {
			t.Errorf("%s: accepted is %t", revision, got)
		}
	}
	order := []string{"", "v9.0.0", "0.0.1-a", "0.0.1"}
	if !slices.IsSortedFunc(order, CompareRevisions) {
		t.Errorf("%q: invalid revisions do not come first", order)
	}
}
