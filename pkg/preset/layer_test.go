package preset

import (
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
