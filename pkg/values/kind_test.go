package values

import (
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestKindOf(t *testing.T) {
	for text, want := range map[string]string{
		"{}": "a map", "[]": "a list", "x": "a string", "'5'": "a string", "5": "a number", "0x5": "a number", "5.0": "a number", "true": "a boolean",
		"2001-01-01": "a date", "null": "null", "~": "null", "": "null", "*a": "a number", "!own x": "a string",
	} {
		if got := KindOf(mustParse(t, `- &a 7
- `+text).Root().Content[1]); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	if got := KindOf(nil); got != "null" {
		t.Errorf("got %s", got)
	}
}

// A clone shares no nodes with the tree, and its aliases refer to its own anchors.
func TestClone(t *testing.T) {
	root := mustParse(t, `a: &x {k: [1]}
b: *x
c: *x
`).Root()
	clone := Clone(root)
	if !Equal(clone, root) || clone == root || clone.Content[1] == root.Content[1] {
		t.Fatal("no clone")
	}
	for _, at := range []int{3, 5} {
		if alias := clone.Content[at]; alias.Kind != yaml.AliasNode || alias.Alias != clone.Content[1] {
			t.Errorf("%d: the alias is that of another tree", at)
		}
	}
	if Clone(nil) != nil {
		t.Error("a clone of nothing")
	}
}
