package preset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// tree makes what lies below a target.
func tree(t rapid.TB, text string) *values.Tree {
	t.Helper()
	return values.Merge(values.Layer{Document: mustParse(t, text)})
}

// checkLayered applies presets to text over below, compares the merged values
// with the model, and applies them again.
func checkLayered(t rapid.TB, below, text string, presets ...pack.Preset) *values.Document {
	t.Helper()
	lower := []*values.Tree{tree(t, below)}
	before := values.Merge(values.Layer{Document: mustParse(t, below)}, values.Layer{Document: mustParse(t, text)})
	result, err := Target{Document: mustParse(t, text), Below: lower}.Apply(presets...)
	if err != nil {
		t.Fatalf("%q over %q: %v", text, below, err)
	}
	after := values.Merge(values.Layer{Document: mustParse(t, below)}, values.Layer{Document: result})
	want := withoutNulls(orEmpty(modelApply(modelValue(before.Root()), presets...)))
	if diff := cmp.Diff(want, withoutNulls(orEmpty(modelValue(after.Root())))); diff != "" {
		t.Fatalf("%q over %q became\n%s\n-model +got:\n%s", text, below, result.Text(), diff)
	}
	again, err := Target{Document: result, Below: lower}.Apply(presets...)
	if err != nil || again != result {
		t.Fatalf("%q over %q, applied again: %v\n%s", text, below, err, cmp.Diff(result.Text(), again.Text()))
	}
	return result
}

// P8: the target is edited so that, over the layers below, it is
// what the preset makes of what it came to before.
func TestApplyOverLayers(t *testing.T) {
	for _, tc := range []struct{ name, below, text, remove, add, want string }{
		{"added to the target", "a: 1\n", "b: 2\n", "", "c: 3", "b: 2\nc: 3\n"},
		{"a value of a lower layer", "a: 1\n", "b: 2\n", "", "a: 3", "b: 2\na: 3\n"},
		{"a value of the target", "a: 1\n", "a: 2 # why\n", "", "a: 3", "a: 3 # why\n"},
		{"what a lower layer has already", "a: 1\nb: {c: 1}\n", "d: 1\n", "", "a: 1\nb: {c: 1}", "d: 1\n"},
		{"what a lower layer has in part", "b: {c: 1}\n", "d: 1\n", "", "# b\nb:\n  # c\n  c: 1\n  # e\n  e: 2\n", "d: 1\n# b\nb:\n  # e\n  e: 2\n"},
		{"what the target hides", "a: 1\n", "a: 2\nb: 1\n", "", "a: 1", "a: 1\nb: 1\n"},
		{"removed from the target", "a: 1\n", "b: 2\nc: 3\n", "b", "", "c: 3\n"},
		{"removed from a lower layer", "a: 1\nb: {c: 1, d: 2}\n", "e: 3\n", "a b.c", "", "e: 3\nb:\n  c: null\na: null\n"},
		{"removed from both", "a: 1\n", "a: 2\nb: 3\n", "a", "", "a: null\nb: 3\n"},
		{"a map that both make up", "m: {a: 1}\n", "m: {b: 2}\nc: 3\n", "m", "", "m: null\nc: 3\n"},
		{"a map that is removed and added in part", "m: {a: 1, b: 2}\n", "m:\n  # c\n  c: 3\n  d: 4\n", "m", "m: {c: 3, b: 5}", "m:\n  # c\n  c: 3\n  b: 5\n  a: null\n"},
		{"removed, and null below", "a: null\n", "a: null\n", "a", "", "a: null\n"},
		{"removed, null below and set on top", "a: null\n", "a: 1\nb: 1\n", "a", "", "b: 1\n"},
		{"null of a lower layer's value", "a: 1\n", "b: 1\n", "", "a: null", "b: 1\na: null\n"},
		{"an element's key in a list of a lower layer", "l:\n- a: 1\n  b: 2\n", "c: 1\n", "l.$[].a", "", "c: 1\nl:\n  - b: 2\n"},
		{"an element's key in a list of the target", "l: [{a: 0}]\n", "l:\n# one\n- a: 1\n  b: 2\n", "l.$[].a", "", "l:\n# one\n- b: 2\n"},
		{"a scalar over a map", "m: {a: 1}\n", "b: 1\n", "", "m: x", "b: 1\nm: x\n"},
		{"a map over a hidden one", "m: {a: 1, b: 2}\n", "m: null\n", "", "m: {c: 3}", "m: {c: 3, a: null, b: null}\n"},
		{"a map over a scalar on top of one", "m: {a: 1}\n", "m: x\n", "", "m: {a: 1, c: 3}", "m: {c: 3}\n"},
		{"{} over a scalar on top of a map", "m: {a: 1}\n", "m: x\n", "", "m: {}", "m:\n  a: null\n"},
		{"an empty target", "a: 1\n", "", "a", "b: 1", "b: 1\na: null\n"},
		{"an empty target that stays so", "a: 1\n", "# none\n", "b", "a: 1", "# none\n"},
		{"a key with dots below", "a.b: 1\n", "c: 1\n", "a.b", "", "c: 1\na.b: null\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := checkLayered(t, tc.below, tc.text, change(t, tc.remove, tc.add))
			if diff := cmp.Diff(tc.want, got.Text()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// One override of two packs is edited once, for both.
func TestApplyShared(t *testing.T) {
	target := Target{Document: mustParse(t, "e: 1\n"), Below: []*values.Tree{tree(t, "a: 1\nb: 1\n"), tree(t, "a: 2\nd: 1\n")}}
	p := change(t, "a d", "c: 1")
	var err error
	if target.Document, err = target.Apply(p); err != nil {
		t.Fatal(err)
	}
	if want := "e: 1\nc: 1\na: null\nd: null\n"; target.Document.Text() != want {
		t.Errorf("got\n%s", target.Document.Text())
	}
	if again, err := target.Apply(p); err != nil || again.Text() != target.Document.Text() {
		t.Errorf("again: %v", err)
	}
	target.Below = []*values.Tree{tree(t, "l: [{a: 1, b: 1}]"), tree(t, "l: [{a: 2, b: 2}]")}
	if _, err := target.Apply(change(t, "l.$[].a", "")); err == nil {
		t.Error("one text serves two packs that need different lists")
	}
}

// Keys that no path leads to stay, once, over lower layers too.
func TestApplyOverLayersKeepsOddKeys(t *testing.T) {
	target := Target{Document: mustParse(t, "? [k]\n: v\na: 1\n"), Below: []*values.Tree{tree(t, "? [k]\n: w\nb: 1\n")}}
	got, err := target.Apply(change(t, "b", "a: 2"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "? [k]\n: v\na: 2\nb: null\n"; got.Text() != want {
		t.Errorf("got\n%s", got.Text())
	}
}

// The values may be part of a document: the field of a resource.
func TestApplyAt(t *testing.T) {
	d := mustParse(t, "kind: Pack\nspec:\n  name: x\n  values: # ours\n    a: 1\n    # about b\n    b: 2\n")
	for _, tc := range []struct{ at, remove, add, want string }{
		{"values", "a", "c: 1", "kind: Pack\nspec:\n  name: x\n  values: # ours\n    # about b\n    b: 2\n    c: 1\n"},
		{"none", "a", "c: 1", d.Text() + "  none:\n    c: 1\n"},
		{"none", "a", "", d.Text()},
	} {
		target := Target{Document: d, At: values.Keys("spec", tc.at)}
		result, err := target.Apply(change(t, tc.remove, tc.add))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, result.Text()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.at, diff)
		}
	}
}

// A map that a preset empties keeps the comment on the line of its key.
func TestEmptiedMap(t *testing.T) {
	got, err := Apply(mustParse(t, "server: # settings\n  standalone: true\n"), change(t, "server.standalone", ""))
	if want := "server: {} # settings\n"; err != nil || got.Text() != want {
		t.Errorf("got %v, %v", got, err)
	}
}
