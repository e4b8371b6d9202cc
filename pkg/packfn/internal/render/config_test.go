package render

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// A functionConfig that configRef names is taken as the functions before leave it, and a
// finding about it has its place.
func TestConfigRef(t *testing.T) {
	config := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n---\napiVersion: fn.kpt.dev/v1alpha1\nkind: ApplyPreset\nmetadata: {name: fn}\nspec:\n  presets:\n  - {pack: a, name: %s}\n"
	kptfile := head + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configRef: {kind: ApplyPreset, name: fn}\n"
	for name, failed := range map[string]bool{"large": false, "lagre": true} {
		tree := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack, "b.yaml": strings.ReplaceAll(config, "%s", name)})
		result, err := tree.Render(Options{Functions: functions})
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
	result, err := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack, "b.yaml": injectedConfig}).Render(Options{Functions: functions})
	if err != nil || result.Failed || len(result.Runs) != 3 {
		t.Fatalf("%v, %+v", err, result)
	}
}

// A functionConfig that configPath names is taken as the functions before leave it, also
// by validators, and is not among the resources of its function. Others get it.
func TestConfigPathAsMutated(t *testing.T) {
	config := strings.TrimPrefix(injectedConfig[strings.Index(injectedConfig, "---\n"):], "---\n")
	inject := injectedConfig[:strings.Index(injectedConfig, "---\n")]
	kptfile := head + "pipeline:\n  mutators:\n  - exec: inject-config\n    configPath: inject.yaml\n  - exec: apply-preset\n    configPath: preset.yaml\n    when: resources.size() == 3\n" +
		"  validators:\n  - exec: apply-preset\n    configPath: preset.yaml\n    when: resources.all(r, r.metadata.name != \"preset\")\n" +
		"  - exec: validate-pack-values\n    configMap: {unknownKeys: ignore}\n    when: resources.exists(r, r.metadata.name == \"preset\" && r.data.a == \"large\")\n"
	tree := load(t, map[string]string{"Kptfile": kptfile, "a.yaml": whenPack, "inject.yaml": inject, "preset.yaml": config})
	result, err := tree.Render(Options{Functions: functions})
	if err != nil || result.Failed || len(result.Runs) != 4 {
		t.Fatalf("%v, %+v", err, result)
	}
	changed := map[string]string{}
	for _, change := range tree.Changes(result.Items) {
		changed[change.Path] = string(change.Text)
	}
	if !strings.Contains(changed["pkg/preset.yaml"], "a: large") || !strings.Contains(changed["pkg/a.yaml"], "replicas: 5") {
		t.Errorf("got %v", changed)
	}
}

// A PackageVariant that is the functionConfig of one function gets its status from another.
func TestStatusOfFunctionConfig(t *testing.T) {
	variant := "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: v, namespace: default}\nspec:\n  upstream: {repo: a, package: b, revision: 1}\n  downstream: {repo: a, package: c}\n  packageContext: {data: {a: b}}\n"
	kptfile := head + "pipeline:\n  mutators:\n  - exec: inject-config\n    configPath: variant.yaml\n  - exec: inject-config\n    configPath: fn.yaml\n"
	tree := load(t, map[string]string{
		"Kptfile": kptfile, "variant.yaml": variant,
		"fn.yaml": "apiVersion: fn.kpt.dev/v1alpha1\nkind: InjectConfig\nmetadata: {name: i}\nspec: {packageVariantRef: {name: v}, writeStatus: true}\n",
		"c.yaml":  "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata: {name: c}\n",
	})
	result, err := tree.Render(Options{Functions: functions})
	if err != nil || result.Failed {
		t.Fatalf("%v, %+v", err, result.Runs)
	}
	for _, change := range tree.Changes(result.Items) {
		if change.Path == "pkg/variant.yaml" && strings.Contains(string(change.Text), "type: Ready") {
			return
		}
	}
	t.Error("the PackageVariant has no status")
}

// A field that the suite does not know fails the render; its functions run all the same,
// and an acceptance lets it pass.
func TestRenderUnknownField(t *testing.T) {
	for _, tc := range []struct {
		annotations string
		want        string
	}{
		{"", "error kptfile/unknown-field pkg/Kptfile:5"},
		{"  annotations: {packs.kpt.dev/accept: \"kptfile/unknown-field: for another tool\"}\n", "info accepted pkg/Kptfile:6"},
	} {
		tree := load(t, map[string]string{"Kptfile": head + tc.annotations + "new: 1\npipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: large}\n", "a.yaml": whenPack})
		result, err := tree.Render(Options{Functions: functions})
		isError := strings.HasPrefix(tc.want, "error")
		if err != nil || result.Failed != isError || (result.Items == nil) != isError || len(result.Runs) != 2 {
			t.Fatalf("%s: %v, %+v", tc.want, err, result)
		}
		f := NewReporter(tree, func(name string) string { return name }).Report(result).Findings[0]
		if got := fmt.Sprintf("%s %s %s:%d", f.Severity, f.Rule, f.File, f.Line); got != tc.want || strings.Contains(f.Message, "kpt rejects") {
			t.Errorf("got %s: %s, want %s", got, f.Message, tc.want)
		}
	}
}

// Findings of a render name the selectors to check, where there are any, and an injection
// that comes too late. One about a configMap is about the Kptfile.
func TestFindingsNameTheKptfile(t *testing.T) {
	for _, tc := range []struct {
		name, pipeline string
		file           string
		line           int
		resource       string
		has, hasNot    string
	}{
		{"selectors", "  - exec: apply-preset\n    configMap: {zzzz: large}\n    selectors: [{kind: Pack}]\n    exclude: [{kind: X}]\n", "pkg/Kptfile", 8, "Kptfile x",
			"check line 9: pipeline.mutators[0].selectors and line 10: pipeline.mutators[0].exclude in the Kptfile", "function's"},
		{"no selectors", "  - exec: apply-preset\n    configMap: {zzzz: large}\n", "pkg/Kptfile", 8, "Kptfile x", "zzzz", "selectors"},
		{"the order", "  - exec: resolve-macros\n  - exec: inject-config\n", "pkg/a.yaml", 10, "Pack a",
			"move inject-config, which runs later in this pipeline (line 8: pipeline.mutators[1]), before resolve-macros", "function's"},
		{"the right order", "  - exec: inject-config\n  - exec: resolve-macros\n", "pkg/a.yaml", 10, "Pack a", "TOKEN", "runs later"},
	} {
		pack := strings.Replace(whenPack, "    replicas: 1\n", "    replicas: 1\n    a: '{{ .spectro.var.TOKEN }}'\n  x: 1\n", 1)
		tree := load(t, map[string]string{"Kptfile": head + "pipeline:\n  mutators:\n" + tc.pipeline, "a.yaml": strings.Replace(pack, "  x: 1\n", "", 1)})
		result, err := tree.Render(Options{Functions: functions})
		if err != nil {
			t.Fatal(err)
		}
		found := NewReporter(tree, func(name string) string { return name }).Report(result).Findings
		at := slices.IndexFunc(found, func(f report.Finding) bool { return f.Rule != "pipeline/hidden" })
		if at < 0 {
			t.Fatalf("%s: no finding", tc.name)
		}
		f := found[at]
		if f.Resource.String() != tc.resource || f.File != tc.file || !strings.Contains(f.Message, tc.has) || strings.Contains(f.Message, tc.hasNot) {
			t.Errorf("%s: got %s of %s at %s:%d", tc.name, f.Message, f.Resource, f.File, f.Line)
		}
	}
}
