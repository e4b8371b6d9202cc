package parents

import (
	"fmt"
	"slices"
	"testing"
)

// A walk ends, whatever the path is.
func TestOf(t *testing.T) {
	for dir, want := range map[string][]string{
		"/":        {"/"},
		"/a/b":     {"/a/b", "/a", "/"},
		"/a/b/":    {"/a/b/", "/a/b", "/a", "/"},
		"//a":      {"//a", "/"},
		"a/b":      {"a/b", "a", "."},
		".":        {"."},
		"":         {"", "."},
		"..":       {"..", "."},
		"../../a":  {"../../a", "../..", "..", "."},
		"a\x00b/c": {"a\x00b/c", "a\x00b", "."},
	} {
		if got := slices.Collect(OfSlash(dir)); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q: got %q, want %q", dir, got, want)
		}
		if got := slices.Collect(Of(dir)); len(got) != len(want) {
			t.Errorf("%q in files: got %q", dir, got)
		}
	}
	for dir := range Of("/a/b") {
		if dir != "/a/b" {
			t.Errorf("the walk goes on to %s", dir)
		}
		break
	}
}
