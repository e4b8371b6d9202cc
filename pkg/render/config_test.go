package render

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
)

// A functionConfig that configRef names is taken as the functions before leave it, and a
// finding about it has its place.
func TestConfigRef(t *testing.T) {
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n---\napiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyPreset\nmetadata: {name: fn}\nspec:\n  presets:\n  - {pack: a, name: %s}\n"
	kptfile := head + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configRef: {kind: ApplyPreset, name: fn}\n"
	for name, failed := range map[string]bool{"large": false, "lagre": true} {
		tree := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack, "b.yaml": strings.ReplaceAll(config, "%s", name)})
		result, err := tree.Render(Options{Functions: suite.All()})
		if err != nil || result.Failed != failed || len(result.Runs) != 1 {
			t.Fatalf("%s: %v, %+v", name, err, result)
		}
		if !failed {
			if changes := tree.Changes(result.Items); len(changes) != 1 || !strings.Contains(string(changes[0].Text), "replicas: 5") {
				t.Errorf("changes: %v", changes)
			}
			continue
		}
		found := NewReporter(tree, func(name string) string { return name }).Report(result).Findings
		if len(found) != 1 || found[0].File != "pkg/b.yaml" || found[0].Line != 10 {
			t.Errorf("got %+v", found)
		}
	}
}

// injectedConfig is a functionConfig whose data inject-config changes before it is used.
const injectedConfig = `apiVersion: fn.kpt.dev/v1alpha1
kind: InjectConfig
metadata: {name: i}
spec:
  packageVariant:
    metadata: {name: v}
    spec:
      upstream: {repo: a, package: b, revision: v1}
      downstream: {repo: a, package: c}
      injectors:
      - {kind: ConfigMap, name: sizes}
  objects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: sizes}, data: {a: large}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: preset
  annotations:
    kpt.dev/config-injection: required
data:
  a: nothing
`

func TestConfigRefAsMutated(t *testing.T) {
	kptfile := head + "pipeline:\n  mutators:\n  - exec: inject-config\n    configRef: {kind: InjectConfig, name: i}\n" +
		"  - exec: apply-preset\n    configRef: {kind: ConfigMap, name: preset}\n  validators:\n  - exec: apply-preset\n    configRef: {kind: ConfigMap, name: preset}\n"
	result, err := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack, "b.yaml": injectedConfig}).Render(Options{Functions: suite.All()})
	if err != nil || result.Failed || len(result.Runs) != 3 {
		t.Fatalf("%v, %+v", err, result)
	}
}
