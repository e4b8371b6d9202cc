package check

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
)

// A known form that is no resource is named with its door: as a finding if the user names the
// file, and as a line if a walk meets it. Others are counted.
func TestForms(t *testing.T) {
	const pack = "ame the directory of the pack, or add the pack to a package"
	for name, tc := range map[string]struct {
		file, text, want string
		isNamed          bool // only then
	}{
		"annotations":      {"a.yaml", "annotations:\n  operators.operatorframework.io.bundle.package.v1: a\n", "the annotations.yaml of a bundle of OLM", false},
		"dependencies":     {"a.yaml", "dependencies:\n- type: olm.package\n  value: {packageName: a, version: 1.0.0}\n", "a dependencies.yaml of OLM", false},
		"properties":       {"a.yaml", "properties:\n- type: a\n  value: b\n", "a properties.yaml of OLM", false},
		"new instances":    {"a.yaml", "typeInstances:\n- alias: a\n  typeRef: {path: cap.type.a, revision: 0.1.0}\n", "capact typeinstance get", false},
		"a manifest part":  {"a.yaml", "metadata: {prefix: cap.type, name: a}\nspec: {}\n", "a part of a manifest of Capact", false},
		"requirements":     {"a.yaml", "requires:\n  cap.type.a:\n    allOf:\n    - {name: b, revision: 0.1.0}\n", "a part of an Implementation of Capact", false},
		"targets":          {"a.yaml", "spec:\n  targets: []\n", "kind: PackageVariantSet", false},
		"a variant":        {"a.yaml", "spec:\n  downstream: {repo: a}\n", "kind: PackageVariant and", false},
		"presets":          {"presets.yaml", "presets:\n- {name: a, displayName: A, group: a, add: 'b: 1'}\n", pack, false},
		"a schema":         {"schema.yaml", "a:\n  schema: '{{ required }}'\n", pack, false},
		"a layer":          {"b.json", `{"name": "a", "layer": "addon"}`, pack, true},
		"pack.json":        {"pack.json", `{"name": "a"}`, "name its directory", true},
		"Terraform":        {"main.tf", "resource \"a\" \"b\" {}\n", "no file of this folder has a resource spectrocloud_cluster_profile", true},
		"a kustomization":  {"kustomization.yaml", "resources: []\n", "this is a kustomization; name its directory", true},
		"a chart":          {"Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n", "the Chart.yaml of a Helm chart", true},
		"package.json":     {"package.json", `{"name": "a", "dependencies": {"b": "1"}}`, "", false},
		"a JSON schema":    {"s.json", `{"type": "object", "properties": {"presets": {"type": "array"}, "a": {"schema": 1}}}`, "", false},
		"other properties": {"s.yaml", "properties: [a]\nschema: b\n", "", false},
		"a workflow":       {"ci.yaml", "on: push\njobs: {}\n", "", false},
	} {
		dir := folderOf(t, map[string]string{tc.file: tc.text})
		var notes []string
		options := Options{Functions: suite.All(), Root: dir, Note: func(note string) { notes = append(notes, note) }}
		if _, err := runNoted([]string{dir}, options); !tc.isNamed && tc.want != "" && (err != nil || len(notes) != 1 || !strings.HasPrefix(notes[0], "not checked: "+tc.file+": ") || !strings.Contains(notes[0], tc.want)) {
			t.Errorf("%s in a walk: %v, %q", name, err, notes)
		} else if tc.want == "" && strings.Contains(strings.Join(notes, ""), "not checked: "+tc.file) {
			t.Errorf("%s in a walk: %q", name, notes)
		}
		if tc.want == "" {
			continue
		}
		r, err := runNoted([]string{filepath.Join(dir, tc.file)}, options)
		if err != nil || len(r.Findings) != 1 || r.Findings[0].Rule != "input/invalid" || r.Findings[0].Line != 1 || !strings.Contains(r.Findings[0].Message, tc.want) {
			t.Errorf("%s by its name: %v, %+v", name, err, r)
		}
	}
}

// A cluster profile of Palette is checked where a walk meets it.
func TestProfileInWalk(t *testing.T) {
	profile := `{"metadata": {"name": "p"}, "spec": {"version": "1.0.0", "template": {"type": "add-on", "packs": [{"name": "a", "tag": "1.0.0", "values": "port: ["}]}}}`
	dir := folderOf(t, map[string]string{"profiles/p.json": profile, "other.json": `{"a": 1}`})
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil || len(r.Findings) == 0 || r.Findings[0].File != "profiles/p.json" {
		t.Errorf("%v, %+v", err, r)
	}
}
