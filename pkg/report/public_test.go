package report

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// Lines that may hold a value are masked, and those of the structure are shown.
func TestIsPublic(t *testing.T) {
	for _, tc := range []struct {
		kind, field, name string
		embedded          bool
		key               string
		public            bool
	}{
		{"ConfigMap", "data[values.yaml]", "values.yaml", true, "a", false},
		{"ConfigMap", "data[pack.json]", "pack.json", true, "name", true},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", true, "", false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", true, "presets[1].remove[0]", true},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", true, "presets[1].add", false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", true, "presets[1].ad", false},
		{"ApplyPreset", "", "", false, "spec.presets[3].name", true},
		{"ResolveMacros", "", "", false, "spec.variables.KEY", false},
		{"ConfigMap", "", "", false, "data.token", false},
		{"Pack", "spec.values", "spec.values", true, "a", false},
		{"Pack", "spec.values", "spec.values", false, "a", false},
		{"Pack", "spec.schema", "spec.schema", true, "a", true},
		{"Pack", "spec", "spec", false, "constraints.resources[0].type", true},
		{"PackValues", "", "", false, "spec.scope", false},
		{"PackValues", "", "", false, "spec.packRef.name", true},
		{"ClusterContext", "", "", false, "spec.variables.KEY", false},
		{"ClusterContext", "", "", false, "spec.machinePools[0].size", true},
		{"ConfigMap", "", "", false, "metadata.annotations[a]", false},
		{"ConfigMap", "", "", false, "metadata.annotations[packs.kpt.dev/accept]", true},
		{"Policy", "", "", false, "spec.interface.rules[0].interface.path", true},
		{"Policy", "", "", false, "spec.interface.default.inject.additionalParameters[0].value", false},
		{"Secret", "", "", false, "", false},
		{"Kptfile", "", "", false, "pipeline.validators[0].image", true},
		{"Kptfile", "", "", false, "pipeline.validators[0].configMap.token", false},
		{"Kptfile", "", "", false, "pipeline.validators[0].exec", false},
		{"Kptfile", "", "", false, "pipeline.validators[0]", false},
		{"PackageVariant", "", "", false, "spec.upstream.revison", true},
		{"PackageVariant", "", "", false, "spec.packageContext.data.token", false},
		{"PackageVariantSet", "", "", false, "spec.targets[0].template.labelExprs[0].valueExpr", false},
		{"PackageVariantSet", "", "", false, "spec.targets[0].repositories[0].name", true},
	} {
		f := diag.Say("x").In(&diag.Origin{Resource: diag.Resource{Kind: tc.kind}, Field: tc.field, Name: tc.name, Embedded: tc.embedded}, tc.key, diag.Position{})
		if got := isPublic(&f); got != tc.public {
			t.Errorf("%s %s %s: %v", tc.kind, tc.field, tc.key, got)
		}
	}
	f := diag.Say("x")
	if isPublic(&f) {
		t.Error("a finding without an origin is public")
	}
}
