package dependency

import (
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// A document begins at its first line with content.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string]int{
		"a: 1\n": 11, "---\na: 1\n": 12, "\n# a comment\n  \n--- \na: 1\n": 15, "--- a\nb\n": 11, "": 11,
	} {
		if got := (embedded{text: text, line: 10}).first(); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

// JSON keeps its place, also after a marker.
func TestPlaceInJSON(t *testing.T) {
	for text, want := range map[string]int{`{"a": 1}`: 7, `--- {"a": 1}`: 11} {
		d, err := embedded{text: text}.parse()
		if err != nil {
			t.Fatal(err)
		}
		if at := values.At(values.Field(d.Root(), "a")); at.Column != want {
			t.Errorf("%s: got %v", text, at)
		}
	}
}
