package pack

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func documentOf(t *testing.T, content any) string {
	t.Helper()
	text, err := yaml.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Every kind, group, annotation, file and field that is read is misspelt once in several
// ways. None of the slips is silent: an error names the right name.
func TestNoSlipIsSilent(t *testing.T) {
	count := 0
	check := func(documents, name, slip string) {
		t.Helper()
		count++
		_, outcome := functiontest.Evaluate(t, (&probe{}).function(), functiontest.List("", documents))
		findings := outcome.Findings
		if !slices.ContainsFunc(findings, func(f diag.Finding) bool {
			return f.Level() == diag.Error && (f.Nearest == name || slices.Contains(strings.FieldsFunc(f.Accepted, func(r rune) bool { return r == ' ' || r == ',' }), name))
		}) {
			t.Errorf("%s for %s: got %q of\n%s", slip, name, functiontest.Facts(findings), documents)
		}
	}
	resource := func(apiVersion, kind string, annotations map[string]any, fields map[string]any) map[string]any {
		all := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": "one", "annotations": annotations}}
		maps.Copy(all, fields)
		return all
	}
	packFiles := map[string]any{metadataFile: `{"name": "vault"}`, "values.yaml": "", "schema.yaml": "", "presets.yaml": "", "properties.yaml": "", "dependencies.yaml": "", "chart-facts.yaml": ""}
	if len(packFiles) != len(files) {
		t.Fatalf("the files are %q", files)
	}
	for field := range map[string]bool{"data": true, "binaryData": true} {
		for _, name := range files {
			for _, slip := range functiontest.Misspellings(name) {
				changed := maps.Clone(packFiles)
				delete(changed, name)
				r := resource("v1", "ConfigMap", nil, map[string]any{"data": changed})
				if field == "data" {
					changed[slip] = packFiles[name]
				} else {
					r["binaryData"] = map[string]any{slip: ""}
				}
				check(documentOf(t, r), name, field+" "+slip)
			}
		}
	}
	for _, slip := range functiontest.Misspellings("ConfigMap") {
		check(documentOf(t, resource("v1", slip, nil, map[string]any{"data": packFiles})), "ConfigMap", slip)
		check(documentOf(t, resource("v1", slip, nil, map[string]any{"binaryData": packFiles})), "ConfigMap", slip)
		check(documentOf(t, resource("v1", slip, map[string]any{ValuesOfAnnotation: "vault"}, map[string]any{"data": map[string]any{"values.yaml": ""}})), "ConfigMap", slip)
	}
	for _, annotation := range function.Annotations() {
		group, name, _ := strings.Cut(annotation, "/")
		slips := []string{group + "/" + name + "x", group + "/x-" + name}
		for _, slip := range functiontest.Misspellings(name) {
			slips = append(slips, group+"/"+slip)
		}
		for _, slip := range functiontest.Misspellings(group) {
			slips = append(slips, slip+"/"+name)
		}
		for _, slip := range slips {
			for _, kind := range []string{"ConfigMap", "Secret"} {
				check(documentOf(t, resource("v1", kind, map[string]any{slip: "x"}, nil)), annotation, slip)
			}
			check(documentOf(t, resource("apps/v1", "Deployment", map[string]any{slip: "x"}, nil)), annotation, slip)
			check(documentOf(t, resource(GroupVersion, "Pack", map[string]any{slip: "x"}, map[string]any{"spec": map[string]any{}})), annotation, slip)
		}
	}
	for kind, spec := range Kinds() {
		filled := functiontest.Sample(reflect.TypeOf(spec).Elem()).(map[string]any)
		for _, slip := range functiontest.Misspellings(kind) {
			check(documentOf(t, resource(GroupVersion, slip, nil, map[string]any{"spec": filled})), kind, slip)
		}
		for _, slip := range functiontest.Misspellings(Group) {
			check(documentOf(t, resource(slip+"/v1alpha1", kind, nil, map[string]any{"spec": filled})), GroupVersion, slip)
		}
		for _, slip := range []string{"v1", "v1alpha2", "v1alph1", ""} {
			check(documentOf(t, resource(Group+"/"+slip, kind, nil, map[string]any{"spec": filled})), GroupVersion, slip)
		}
		for _, slip := range functiontest.Misspellings("spec") {
			check(documentOf(t, resource(GroupVersion, kind, nil, map[string]any{slip: filled})), "spec", slip)
		}
		if kind == "Pack" {
			// Its constraints are read by the features, and its other fields are free.
			delete(filled, "constraints")
			filled["schema"], filled["properties"], filled["dependencies"], filled["presets"] = "", "", "", ""
		}
		functiontest.Renamed(filled, func(changed any, key, slip string) {
			check(documentOf(t, resource(GroupVersion, kind, nil, map[string]any{"spec": changed})), key, kind+" "+slip)
		})
	}
	for _, name := range metadataFields {
		for _, slip := range functiontest.Misspellings(name) {
			text := fmt.Sprintf(`{%q: "x"}`, slip)
			if name != "name" {
				text = fmt.Sprintf(`{"name": "vault", %q: "x"}`, slip)
			}
			check(documentOf(t, resource("v1", "ConfigMap", nil, map[string]any{"data": map[string]any{metadataFile: text}})), name, slip)
		}
	}
	preset := functiontest.Sample(reflect.TypeFor[presetEntry]()).(map[string]any)
	functiontest.Renamed(preset, func(changed any, key, slip string) {
		var n yaml.Node
		if err := n.Encode(changed); err != nil {
			t.Fatal(err)
		}
		count++
		var entry presetEntry
		if findings := decode.Node(&n, "", &entry); !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Nearest == key }) {
			t.Errorf("%s for %s in a preset: got %q", slip, key, functiontest.Facts(findings))
		}
	})
	t.Logf("%d slips", count)
	if count < 500 {
		t.Errorf("only %d slips were tried", count)
	}
}
