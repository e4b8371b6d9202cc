package function_test

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// The origin of a finding says whether the field at fault holds values.
func TestPublic(t *testing.T) {
	type names struct {
		List []struct {
			Name string `json:"name"`
		} `json:"list"`
		Values map[string]string `json:"values"`
	}
	resource := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
	whole, other := diag.Whole(resource), diag.Whole(diag.Resource{APIVersion: "v1", Kind: "Other", Name: "one"})
	for _, tc := range []struct {
		origin *diag.Origin
		key    string
		public bool
	}{
		{nil, "", false},
		{whole, "", false},
		{whole, "spec", false},
		{whole, "kind", true},
		{whole, "metadata.nmae", true},
		{whole, "metadata.annotations[a]", false},
		{whole, "metadata.annotations[packs.kpt.dev/accept]", true},
		{whole, "spec.list[0].name", true},
		{whole, "spec.values.a", false},
		{other, "spec.list[0].name", false},
		{other, "data.token", false},
		{&diag.Origin{Resource: resource, Embedded: true}, "list[0].name", false},
		{&diag.Origin{Resource: resource, Embedded: true, Public: true}, "a", true},
		{&diag.Origin{Resource: resource, Embedded: true, Fields: new(names)}, "list[0].name", true},
		{&diag.Origin{Resource: resource, Embedded: true, Fields: new(names)}, "values.a", false},
		{&diag.Origin{Resource: resource, Embedded: true, Fields: new(names)}, "", false},
	} {
		p := &processor{process: func(r *function.Run) {
			r.Report(diag.Say("x").In(tc.origin, tc.key, diag.Position{}).Of(rule.InputInvalid))
		}}
		f := p.function()
		f.Kinds = map[string]any{"ConfigMap": new(names)}
		_, outcome := functiontest.Evaluate(t, f, functiontest.List("", oneResource))
		if got := outcome.Findings[0].Public; got != tc.public {
			t.Errorf("%+v %s: got %v", tc.origin, tc.key, got)
		}
	}
}
