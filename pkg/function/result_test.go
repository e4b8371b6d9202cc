package function

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/krm-functions-sdk/go/fn"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
)

func TestResult(t *testing.T) {
	resource := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: "m", File: "a.yaml", Index: 2, PackagePath: "/abs"}
	ref := &fn.ResourceRef{APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: "m"}
	file := &fn.File{Path: "a.yaml", Index: 2}
	full := diag.Say("a\n  b\tc\u2028d \x1b[31mred").Of(demoError).For("p").Do("e")
	full.Current, full.Proposed, full.Tags = 5, "y", map[string]string{"more": "z", "empty": ""}
	at := diag.Position{Line: 3, Column: 4}
	for _, tc := range []struct {
		name    string
		finding diag.Finding
		want    fn.Result
	}{
		{"an embedded document", full.In(&diag.Origin{Resource: resource, Field: "data[x]", Name: "x", Embedded: true}, "k.l", at), fn.Result{
			Message: "k.l: a b c\\u{2028}d \\u{1b}[31mred (x line 3). E [demo/error]", ResourceRef: ref, File: file,
			Field: &fn.Field{Path: "data[x]", CurrentValue: "5", ProposedValue: "y"},
			Tags:  map[string]string{"rule": "demo/error", "pack": "p", "key": "k.l", "line": "3", "column": "4", "more": "z"},
		}},
		{"without a column", full.In(&diag.Origin{Resource: resource, Field: "data[x]", Name: "x", Embedded: true}, "", diag.Position{Line: 3}), fn.Result{
			Message: "a b c\\u{2028}d \\u{1b}[31mred (x line 3). E [demo/error]", ResourceRef: ref, File: file,
			Field: &fn.Field{Path: "data[x]", CurrentValue: "5", ProposedValue: "y"},
			Tags:  map[string]string{"rule": "demo/error", "pack": "p", "line": "3", "more": "z"},
		}},
		{"a part of a resource", full.In(&diag.Origin{Resource: resource, Field: "spec.x", Name: "spec.x"}, "k.l", at), fn.Result{
			Message: "a b c\\u{2028}d \\u{1b}[31mred. E [demo/error]", ResourceRef: ref, File: file,
			Field: &fn.Field{Path: "spec.x.k.l", CurrentValue: "5", ProposedValue: "y"},
			Tags:  map[string]string{"rule": "demo/error", "pack": "p", "key": "k.l", "more": "z"},
		}},
		{"a field of a resource", diag.Say("m").Of(demoError).About(resource, "spec.k"), fn.Result{
			Message: "m [demo/error]", ResourceRef: ref, File: file, Field: &fn.Field{Path: "spec.k"}, Tags: map[string]string{"rule": "demo/error"},
		}},
		{"a resource without a file", diag.Say("m").Of(demoError).About(diag.Resource{Kind: "A"}, ""), fn.Result{
			Message: "m [demo/error]", ResourceRef: &fn.ResourceRef{Kind: "A"}, Tags: map[string]string{"rule": "demo/error"},
		}},
		{"nothing", diag.Say("m").Of(demoError), fn.Result{Message: "m [demo/error]", Tags: map[string]string{"rule": "demo/error"}}},
	} {
		tc.finding.Severity, tc.want.Severity = diag.Error, fn.Error
		if diff := cmp.Diff(&tc.want, result(&tc.finding)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

// Results are printed one at a time, and are what one encoder prints of all.
func TestPrintResults(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "- a", "a: b", "yes", "1.30", "null", "a\nb\n", " a ", "a\n\n  b", "#", "\"", "{", "é\u2028", "\xff", "a\n", "\n"}))
	key := text.Filter(utf8.ValidString) // go-yaml leaves the order of keys open that decode alike
	value := rapid.OneOf(rapid.Just(any(nil)), rapid.Map(text, func(s string) any { return s }), rapid.Map(rapid.Int(), func(n int) any { return n }), rapid.Map(rapid.Float64(), func(n float64) any { return n }),
		rapid.Map(rapid.MapOf(key, text), func(m map[string]string) any { return m }), rapid.Map(rapid.SliceOf(text), func(s []string) any { return s }), rapid.SampledFrom([]any{true, []any{map[string]any{"a": []int{1}}}}))
	results := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *fn.Result {
		r := &fn.Result{Message: text.Draw(t, "message"), Severity: rapid.SampledFrom([]fn.Severity{fn.Error, fn.Info, ""}).Draw(t, "severity"), Tags: rapid.MapOf(key, text).Draw(t, "tags")}
		if rapid.Bool().Draw(t, "field") {
			r.Field = &fn.Field{Path: text.Draw(t, "path"), CurrentValue: value.Draw(t, "current"), ProposedValue: value.Draw(t, "proposed")}
		}
		if rapid.Bool().Draw(t, "file") {
			r.File = &fn.File{Path: text.Draw(t, "file"), Index: rapid.IntRange(0, 3).Draw(t, "index")}
			r.ResourceRef = &fn.ResourceRef{Kind: text.Draw(t, "kind")}
		}
		return r
	}), 1, 4)
	rapid.Check(t, func(t *rapid.T) {
		all := results.Draw(t, "results")
		var want bytes.Buffer
		encoder := yaml.NewEncoder(&want)
		encoder.SetIndent(2)
		encoder.CompactSeqIndent()
		if err := encoder.Encode(all); err != nil {
			t.Fatal(err)
		}
		got, err := printResults(all)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.String(), string(got)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
	if text, err := printResults(nil); text != nil || err != nil {
		t.Errorf("got %q, %v of no results", text, err)
	}
}
