package render

import (
	"strings"
	"testing"
)

const whenPack = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec:
  version: 1.0.0
  values: |
    replicas: 1
  presets:
  - {name: large, add: "replicas: 5\n"}
`

// A function is skipped where its field when is false. The expression sees what the
// functions before have changed, and what the selectors choose.
func TestWhen(t *testing.T) {
	large := `resources.exists(r, r.kind == "Pack" && r.spec.values.contains("replicas: 5"))`
	for _, tc := range []struct {
		name, first, second, third string
		ran, skipped               int
	}{
		{"all hold", "true", large, large, 3, 0},
		{"the first is false", "false", large, large, 0, 3},
		{"a mutator changes what is seen", "true", "!" + large, large, 2, 1},
		{"selectors choose what is seen", "true", "resources.size() == 1", "resources.size() == 1", 2, 1},
	} {
		kptfile := head + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: large}\n    when: '" + tc.first +
			"'\n  - exec: resolve-macros\n    selectors: [{kind: Pack}]\n    when: '" + tc.second +
			"'\n  validators:\n  - exec: validate-pack-values\n    when: '" + tc.third + "'\n"
		result, err := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack}).Render(Options{Functions: functions})
		if err != nil || result.Failed || len(result.Runs) != tc.ran || len(result.Skipped) != tc.skipped {
			t.Errorf("%s: %v, %+v", tc.name, err, result)
		}
	}
	kptfile := head + "pipeline:\n  validators:\n  - exec: validate-pack-values\n    when: resources[9].x\n"
	_, err := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack}).Render(Options{Functions: functions})
	if err == nil || !strings.Contains(err.Error(), "pkg/Kptfile: line 7: pipeline.validators[0]: when: ") {
		t.Errorf("got %v", err)
	}
}
