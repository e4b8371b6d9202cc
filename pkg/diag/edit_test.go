package diag

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A name is corrected if one name alone can be meant.
func TestCorrection(t *testing.T) {
	known := func(name string, known ...string) Finding { return GotName(name, known) }
	for _, tc := range []struct {
		name string
		f    Finding
		want string // "" if the edit is dropped
	}{
		{"one slip", known("wrker", "control-plane", "worker"), "worker"},
		{"two that are equally near", known("Caa", "Cat", "Car"), ""},
		{"two that are near, among more", known("Caa", "Dog", "Cat", "Car", "Cow"), ""},
		{"two of other first letters", known("bat", "cat", "rat"), ""},
		{"another letter case, next to a near name", known("cat", "Car", "Cat"), "Cat"},
		{"two that differ in the letter case", known("cAt", "CAT", "Cat"), ""},
		{"two slips in a long name", known("wrkr", "worker"), "worker"},
		{"two slips in a short name", known("wrk", "woork"), ""},
		{"a slip next to two slips", known("us-east1", "us-east-1", "us-east-2"), "us-east-1"},
		{"two slips away from two", known("us-xst-1", "us-east-1", "us-west-1"), ""},
		{"several letter cases, next to a slip", known("cATs", "CAT", "Cat", "Cats"), "Cats"},
		{"the name itself", known("worker", "worker"), ""},
		{"spaces around it", known(" worker ", "worker"), "worker"},
		{"nothing is near", known("x", "worker"), ""},
		{"a proposal", Got("x", "y").Propose("True", "true"), "true"},
		{"a proposal that is far", Got("x", "y").Propose("True", "enabled"), ""},
		{"a certain text", Got("x", "y").Correct("256m", "256Mi"), "256Mi"},
		{"a reference", NotFound("pack", "vaul", []string{"vault"}), "vault"},
		{"a reference with other digits", NotFound("pack", "vault-1", []string{"vault-2"}), ""},
		{"missing quotes", Got("a number", "text").Quote("5"), `"5"`},
		{"quotes around a list", Got("a list", "text").Quote("[a]"), ""},
		{"quotes around a macro", Got("a map", "text").Quote("{{ a }}"), ""},
	} {
		got := ""
		for _, s := range tc.f.Mistakes {
			got = tc.f.Correction(s)
		}
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// An edit may be written into a file if it is of one letter, a letter case, quotes or a unit.
func TestIsSure(t *testing.T) {
	for _, tc := range []struct {
		slip  Mistake
		right string
		want  bool
	}{
		{Mistake{Text: "wrker"}, "worker", true}, {Mistake{Text: "wrkr"}, "worker", false}, {Mistake{Text: "TRUE"}, "true", true}, {Mistake{Text: "work"}, "worker", false},
		{Mistake{Text: "5", Right: `"5"`}, `"5"`, true}, {Mistake{Text: "256", Right: "256Mi"}, "256Mi", true}, {Mistake{Text: "256m", Right: "256Mi"}, "0.25", false},
	} {
		for _, e := range tc.slip.Edits(Position{}, tc.right) {
			if e.IsSure != tc.want {
				t.Errorf("%+v to %s: got %v", tc.slip, tc.right, e.IsSure)
			}
		}
	}
}

// An edit holds nothing of the value that it puts in quotes.
func TestEdits(t *testing.T) {
	at := Position{Line: 3, Column: 5}
	for _, tc := range []struct {
		text, right string
		want        []Edit
	}{
		{"wörkr", "worker", []Edit{{at, 5, "worker", false}}},
		{"name", "names", []Edit{{at, 4, "names", true}}},
		{"12", `"12"`, []Edit{{at, 0, `"`, true}, {Position{Line: 3, Column: 7}, 0, `"`, true}}},
	} {
		if diff := cmp.Diff(tc.want, Mistake{Text: tc.text}.Edits(at, tc.right)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.text, diff)
		}
	}
}
