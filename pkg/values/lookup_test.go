package values

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPairs(t *testing.T) {
	d := mustParse(t, `x: &x {a: 1, b: 1, c: 1, a: 2}
y: &y {b: 2, d: 2, <<: *x}
z:
  k: 0
  <<: [*y, *x]
  c: 9
  k: *x
  ? [l]
  : 1
`)
	var got []string
	for _, p := range Pairs(Field(d.Root(), "z")) {
		name, ok := p.Name()
		text, _ := JSON(p.Value)
		got = append(got, fmt.Sprint(name, ok, text, p.Merged))
	}
	want := []string{`ktrue{"a":2,"b":1,"c":1}false`, "ctrue9false", "false1false", "btrue2true", "dtrue2true", "atrue2true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := Pairs(mustParse(t, "[1]").Root()); got != nil {
		t.Errorf("got %v", got)
	}
}

// A step that does not fit what is there leads to nothing.
func TestFollow(t *testing.T) {
	root := mustParse(t, `a: {b: [1, 2]}
c: &x [3]
d: *x
`).Root()
	for path, want := range map[string]string{"a.b.[1]": "2", "d.[0]": "3", "a.b.[2]": "", "a.b.c": "", "a.[0]": "", "a.b.[0].[0]": "", "a.x.y": ""} {
		if got := Text(Follow(root, at(path))); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if Follow(root, []Step{{Key: "c"}, {Index: -1, IsIndex: true}}) != nil || Follow(nil, at("a")) != nil {
		t.Error("found a value")
	}
}

func TestHasLeadingZero(t *testing.T) {
	for text, want := range map[string]bool{"010": true, "-08": true, "0_1": true, "0": false, "10": false, "0.5": false, "0x10": false, "0o10": false, "'010'": false, "00a": false, "": false, "[01]": false} {
		if got := HasLeadingZero(mustParse(t, text).Root()); got != want {
			t.Errorf("%s: got %v", text, got)
		}
	}
}
