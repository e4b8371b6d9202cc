package preset

import (
	"slices"
	"strings"
	"testing"
)

// Paths overlap if they are equal, or one is above the other.
func TestTrie(t *testing.T) {
	var set trie
	for _, path := range []string{"a.b.c", "a.b.d", "e", "f.g", "f.g.h"} {
		set.add(strings.Split(path, "."))
	}
	for path, want := range map[string][]string{
		"a": {"a.b.c", "a.b.d"}, "a.b": {"a.b.c", "a.b.d"}, "a.b.c": {"a.b.c"}, "a.b.c.x.y": {"a.b.c"}, "a.b.x": nil, "a.x": nil, "x": nil,
		"e": {"e"}, "e.x": {"e"}, "f": {"f.g", "f.g.h"}, "f.g": {"f.g", "f.g.h"}, "f.g.h": {"f.g", "f.g.h"}, "f.g.x": {"f.g"},
	} {
		steps := strings.Split(path, ".")
		var got []string
		for _, found := range set.overlapping(steps) {
			got = append(got, strings.Join(found, "."))
		}
		if slices.Sort(got); !slices.Equal(got, want) || set.overlaps(steps) != (len(want) > 0) {
			t.Errorf("%s: got %q, %t", path, got, set.overlaps(steps))
		}
	}
	if empty := new(trie); empty.overlaps([]string{"a"}) || empty.overlaps(nil) {
		t.Error("an empty set overlaps")
	}
}
