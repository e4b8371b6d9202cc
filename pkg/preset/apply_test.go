package preset

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// checkApplied applies presets, compares the text, and applies them again, which
// must change nothing.
func checkApplied(t *testing.T, text, want string, presets ...pack.Preset) {
	t.Helper()
	got, err := Apply(mustParse(t, text), presets...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Text()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(orEmpty(modelApply(modelValue(mustParse(t, text).Root()), presets...)), orEmpty(modelValue(got.Root()))); diff != "" {
		t.Errorf("-model +got:\n%s", diff)
	}
	again, err := Apply(got, presets...)
	if err != nil {
		t.Fatalf("again: %v", err)
	}
	if again != got {
		t.Errorf("applied again, it changes:\n%s", cmp.Diff(got.Text(), again.Text()))
	}
}

func TestApply(t *testing.T) {
	for _, tc := range []struct{ name, text, remove, add, want string }{
		// P1: remove first, then add.
		{"P1 a path that is removed and added", "a:\n  b: 1\n", "a.b", "a: {b: 2}", "a:\n  b: 2\n"},
		{"P1 a map that is removed and added in part", "a:\n  b: 1 # one\n  c: 2\nd: 3\n", "a", "a: {b: 1}", "a:\n  b: 1 # one\nd: 3\n"},

		// P2: absent paths do nothing, emptied parents stay.
		{"P2 an absent path", "a: 1\n", "b a.c a.b.c", "", "a: 1\n"},
		{"P2 a key that a step begins with", "ab: 1\nabc: 2\nd: {e: 1}\n", "abc def d.ef", "", "ab: 1\nd: {e: 1}\n"},
		{"P2 an emptied parent", "a:\n  b: 1\nc: 2\n", "a.b", "", "a: {}\nc: 2\n"},
		{"P2 emptied parents, to the top", "a:\n  b: 1\n", "a", "", "{}\n"},
		{"P2 a null", "a: null\nb: 1\n", "a", "", "b: 1\n"},
		{"P2 a subtree with its comments", "x: 1\n\n# about a\na:\n  # about b\n  b: 1 # one\n\ny: 2\n", "a", "", "x: 1\n\n\ny: 2\n"},
		{"V16 a key with dots", "a:\n  b.c: 1\n  d: 2\n", "a.b.c", "", "a:\n  d: 2\n"},
		{"V16 a key with dots on the way", "a.b:\n  c: 1\n  d: 2\n", "a.b.c", "", "a.b:\n  d: 2\n"},
		{"V16 a key with dots after a map that has no such key", "a:\n  x: 1\na.b: 2\n", "a.b", "", "a:\n  x: 1\n"},
		{"V16 every reading", "a: {b: 1}\na.b: 2\nc: 3\n", "a.b", "", "a: {}\nc: 3\n"},
		{"V16 slashes", "nvidia.com/gpu: 1\nb: 2\n", "nvidia.com/gpu", "", "b: 2\n"},
		{"V16 every element", "l:\n- a: 1\n  b: 2\n- a: 3\n  b: 4\n- c\n", "l.$[].a", "", "l:\n- b: 2\n- b: 4\n- c\n"},
		{"V16 elements of elements", "l:\n- m:\n  - {a: 1, b: 2}\n- m: []\n- m: 5\n", "l.$[].m.$[].a", "", "l:\n- m:\n  - {b: 2}\n- m: []\n- m: 5\n"},
		{"V16 all elements", "l:\n- a\n- b\nc: 1\n", "l.$[]", "", "l: []\nc: 1\n"},
		{"V16 a number in a path", "l:\n- a: 1\n- a: 2\n", "l.1.a", "", "l:\n- a: 1\n- {}\n"},
		{"V16 a key that is written like all elements", "a:\n  \"$[]\": 1\n", "a.$[]", "", "a:\n  \"$[]\": 1\n"},
		{"V16 over what is not a list", "l: 5\nm: {a: 1}\n", "l.$[].a m.$[].a", "", "l: 5\nm: {a: 1}\n"},

		// P3: maps merge deeply, everything else replaces.
		{"P3 maps merge", "a:\n  b:\n    c: 1\n    d: 2\n", "", "a: {b: {d: 3, e: 4}}", "a:\n  b:\n    c: 1\n    d: 3\n    e: 4\n"},
		{"P3 lists replace", "a:\n- 1\n- 2\nb: 1\n", "", "a: [3]", "a: [3]\nb: 1\n"},
		{"P3 a list of the same length", "a:\n- {x: 1, y: 2} # first\n", "", "a:\n- x: 5\n", "a:\n- x: 5\n"},
		{"P3 a scalar over a map", "a:\n  b: 1\nc: 2\n", "", "a: x", "a: x\nc: 2\n"},
		{"P3 a map over a scalar", "a: x # why\nc: 2\n", "", "a: {b: 1}", "a: {b: 1} # why\nc: 2\n"},
		{"P3 {} over a map", "a:\n  b: 1\n", "", "a: {}", "a:\n  b: 1\n"},
		{"P3 {} over a scalar", "a: 1\n", "", "a: {}", "a: {}\n"},
		{"an index after the last element", "a: [x, y]\nb: 1\n", "a.2", "b: 2", "a: [x, y]\nb: 2\n"},
		{"P3 {} over a map that is removed", "a:\n  b: 1\nc: 2\n", "a", "a: {}", "a: {}\nc: 2\n"},
		{"P3 null sets null", "a:\n  b: 1\nc: 2\n", "", "a: null", "a: null\nc: 2\n"},
		{"P3 null of a key that is not there", "a: 1\n", "", "b: null", "a: 1\nb: null\n"},

		// P4: the text with its comments; keys with dots are single keys; templates stay.
		{"P4 comments", "a: 1\n", "", "# two\nb: 2 # b\n\n# three\nc:\n  # four\n  d: 4\n", "a: 1\n# two\nb: 2 # b\n# three\nc:\n  # four\n  d: 4\n"},
		{"P4 a key with dots", "a:\n  b: 1\n", "", "a.b: 2", "a:\n  b: 1\na.b: 2\n"},
		{"P4 templates", "a: 1\n", "", "b: \"{{ .spectro.system.cluster.name }}\"\nc: |\n  {{ if .x }}\n  y\n  {{ end }}\n", "a: 1\nb: \"{{ .spectro.system.cluster.name }}\"\nc: |\n  {{ if .x }}\n  y\n  {{ end }}\n"},
		{"P4 nothing", "a: 1\n", "", "# later\n", "a: 1\n"},

		// P7: what is not named stays byte for byte.
		{"P7 quotes, blanks and comments", "# head\na:   'x'  # why\n\n\nb: [1,2,   3]\n# about c\nc: \"y\"   \nd: 1.30\n", "", "c: z", "# head\na:   'x'  # why\n\n\nb: [1,2,   3]\n# about c\nc: z   \nd: 1.30\n"},
		{"P7 equal values", "a: 'x' # why\nb: {c: 0x10}\n", "b", "a: x\nb:\n  c: 16\n", "a: 'x' # why\nb: {c: 0x10}\n"},
		{"P7 removed and added again, its place and comments", "x: 1\n# about a\na:\n  # about b\n  b: 1\n  c: 2\ny: 2\n", "a.b a.c", "a:\n  # new\n  b: 9\n  c: 2\n", "x: 1\n# about a\na:\n  # about b\n  # new\n  b: 9\n  c: 2\ny: 2\n"},
		{"P7 a list that loses keys that are added again", "l:\n# one\n- a: 1\n  b: 2\n", "l.$[].a", "l:\n- a: 1\n  b: 2\n", "l:\n# one\n- a: 1\n  b: 2\n"},
		{"P7 a list that loses a key, as it is added", "l:\n# one\n- a: 1\n  b: 2\n", "", "l:\n- a: 1\n", "l:\n# one\n- a: 1\n"},
		{"P7 line breaks of Windows", "a: 1\r\nb: 2\r\n", "b", "a: 3", "a: 3\r\n"},
		{"P7 no last line break", "a: 1\nb: 2", "a", "b: 3", "b: 3"},

		{"P7 an alias, and what it refers to", "a: &x {b: 1} # why\nc: *x # c\nd: 1\n", "c.b", "d: 2", "a: &x {b: 1} # why\nc: {} # c\nd: 2\n"},

		// P9: empty values.
		{"P9 empty values", "", "a", "b: 1 # one\n", "b: 1 # one\n"},
		{"P9 values that are a comment", "# later\n", "", "b: 1\n", "# later\nb: 1\n"},
		{"P9 values that are null", "null\n", "", "b: 1\n", "b: 1\n"},
		{"P9 nothing to empty values", "", "a", "", ""},
		{"P9 {} to empty values", "# none\n", "", "{}", "# none\n"},
	} {
		t.Run(tc.name, func(t *testing.T) { checkApplied(t, tc.text, tc.want, change(t, tc.remove, tc.add)) })
	}
}

// Presets come one after the other, and only their result is written.
func TestApplySeveral(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		presets          []pack.Preset
	}{
		{"in the given order", "a: 1\n", "a: 3\n", []pack.Preset{change(t, "", "a: 2"), change(t, "", "a: 3")}},
		{"in the other order", "a: 1\n", "a: 2\n", []pack.Preset{change(t, "", "a: 3"), change(t, "", "a: 2")}},
		{"what one adds and the next removes", "a: 1\n", "a: 1\nb: {}\n", []pack.Preset{change(t, "", "b: {c: 1}"), change(t, "b.c", "")}},
		{"what one removes and the next adds keeps its place", "a: 1 # why\nb: 2\n", "a: 1 # why\nb: 2\n", []pack.Preset{change(t, "a", ""), change(t, "", "a: 1")}},
		{"a map, a scalar, a map", "a: {z: 1}\n", "a: {y: 1}\n", []pack.Preset{change(t, "", "a: 5"), change(t, "", "a: {y: 1}")}},
		{"comments of both", "a: 1\n", "a: 1\nb:\n  # c\n  c: 1\n  # d\n  d: 1\n", []pack.Preset{change(t, "", "b:\n  # c\n  c: 1\n  # e\n  e: 1\n"), change(t, "b.e", "b:\n  # d\n  d: 1\n")}},
		{"the comment of what counts", "z: 1\n", "z: 1\n# two\na: 6\n", []pack.Preset{change(t, "", "# one\na: 5"), change(t, "", "# two\na: 6")}},
		{"none", "a: 1\n", "a: 1\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) { checkApplied(t, tc.text, tc.want, tc.presets...) })
	}
}

// A mapping in presets.yaml is added like text.
func TestApplyMapping(t *testing.T) {
	d := mustParse(t, "add:\n  b:\n    # about c\n    c: 1 # one\n")
	p := pack.Preset{Name: "it", Add: d.Part(values.Field(d.Root(), "add"))}
	checkApplied(t, "a: 1\n", "a: 1\nb:\n  # about c\n  c: 1 # one\n", p)
	checkApplied(t, "b:\n  d: 1\n", "b:\n  d: 1\n  # about c\n  c: 1 # one\n", p)
}

// A map that merges another one is written without it, when it loses one of its keys.
func TestApplyToMergeKey(t *testing.T) {
	got, err := Apply(mustParse(t, "m: &m {k: 1, l: 2}\na: # a\n  <<: *m\n  # n\n  n: 3\nd:   1\n"), change(t, "a.k", ""))
	if err != nil {
		t.Fatal(err)
	}
	if want := "m: &m {k: 1, l: 2}\na: # a\n  # n\n  n: 3\n  l: 2\nd:   1\n"; got.Text() != want {
		t.Errorf("got\n%s", got.Text())
	}
}

// An edit that cannot be made changes nothing and says why.
func TestApplyRefused(t *testing.T) {
	for _, tc := range []struct{ name, text, remove, add, want string }{ // want is the line
		{"a shared map", "a: &x {b: 1}\nc: *x\n", "", "a: {b: 2}", "1"},
		{"a merge key of all values", "m: &m {k: 1}\n<<: *m\nb:   1\n", "k", "", "1"},
		{"a key twice", "a: 1\na: 2\n", "", "b: 3", "2"},
		{"a list", "- a\n", "", "a: 3", "1"},
		{"an element by its number, of a list that is added", "", "a.0", "a: [b]", "a.0"},
		{"an element by its number", "a:\n- b\n- c\n", "a.0", "", "a.0"},
		{"an element by its number, of all lists", "l:\n- a: [b]\n", "l.$[].a.0", "", "l.$[].a.0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := Apply(mustParse(t, tc.text), change(t, tc.remove, tc.add))
			if err == nil {
				t.Fatalf("got %q", got.Text())
			}
			where := "0"
			if syntax, ok := errors.AsType[*values.SyntaxError](err); ok {
				where = fmt.Sprint(syntax.Line)
			}
			if refused, ok := errors.AsType[*values.EditError](err); ok {
				where = fmt.Sprint(refused.Position.Line)
			}
			if own, ok := errors.AsType[*Error](err); ok {
				where = own.Path.String()
				if own.Preset.Name != "it" {
					t.Errorf("got %v", own)
				}
			}
			if where != tc.want {
				t.Errorf("got %s: %v, want %s", where, err, tc.want)
			}
		})
	}
}
