package suite

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
)

// Fields that may hold a value are not public, and those of the structure are.
func TestPublicFields(t *testing.T) {
	all := append(All(), function.Function{Kinds: kptpackage.Kinds()})
	fieldsOf := func(kind string) any {
		for _, f := range all {
			if f.Kind == kind && kind != "" {
				return f.New().Config()
			}
			if f.Kinds[kind] != nil {
				return f.Kinds[kind]
			}
		}
		t.Fatalf("no function reads the kind %s", kind)
		return nil
	}
	for _, tc := range []struct {
		kind, path string
		public     bool
	}{
		{"ApplyPreset", "spec.presets[3].name", true},
		{"ApplyPreset", "spec.severity.preset/unknown", true},
		{"ResolveMacros", "spec.variables.KEY", false},
		{"ResolveMacros", "spec.variables", false},
		{"ResolveMacros", "spec.packs[0]", true},
		{"InjectConfig", "spec.packageVariant.spec.upstream", false},
		{"CheckResources", "spec.machinePools[0].sise", true},
		{"Pack", "spec.values.a", false},
		{"Pack", "spec.values", false},
		{"Pack", "spec.valuse", false},
		{"Pack", "spec.presets[0].name", false},
		{"Pack", "spec.constraints.resources[0].type", true},
		{"Pack", "spec.schema", true},
		{"PackValues", "spec.valuse", false},
		{"PackValues", "spec.packRef.name", true},
		{"PackValues", "spec.packRef", true},
		{"ClusterContext", "spec.variables.KEY", false},
		{"ClusterContext", "spec.system.cluster.name", false},
		{"ClusterContext", "spec.properties[0].value", false},
		{"ClusterContext", "spec.machinePools[0].size", true},
		{"ClusterContext", "spec.machinePools[0]", true},
		{"ClusterContext", "spec.machinePool", false},
		{"Policy", "spec.interface.rules[0].interface.path", true},
		{"Policy", "spec.interface.default.inject.additionalParameters[0].value", false},
		{"Policy", "spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].value.a", false},
		{"Policy", "spec.interface.rules[0].oneOf[0].inject.additionalParameters[0].valeu", false},
		{"Kptfile", "pipeline.validators[0].image", true},
		{"Kptfile", "pipeline.validators[0].configMap.token", false},
		{"Kptfile", "pipeline.validators[0].exec", false},
		{"Kptfile", "pipeline.validators[0].exce", false},
		{"Kptfile", "pipeline.validators[0]", false},
		{"Kptfile", "metadata.annotations.a", false},
		{"Kptfile", "status.conditions[0].message", false},
		{"Kptfile", "info.descripton", true},
		{"PackageVariant", "spec.upstream.revison", true},
		{"PackageVariant", "spec.packageContext.data.token", false},
		{"PackageVariant", "spec.pipeline.mutators[0].configMap.token", false},
		{"PackageVariantSet", "spec.targets[0].template.labelExprs[0].valueExpr", false},
		{"PackageVariantSet", "spec.targets[0].template.packageContext.dataExprs[0].value", false},
		{"PackageVariantSet", "spec.targets[0].template.pipeline.mutators[0].exec", false},
		{"PackageVariantSet", "spec.targets[0].template.downstream.repoExpr", false},
		{"PackageVariantSet", "spec.targets[0].repositories[0].name", true},
		{"PackageVariantSet", "spec.targets[0].repositorySelector.matchLabels.env", true},
	} {
		if got := decode.IsPublic(fieldsOf(tc.kind), strings.TrimPrefix(tc.path, "spec.")); got != tc.public {
			t.Errorf("%s %s: got %v", tc.kind, tc.path, got)
		}
	}
}
