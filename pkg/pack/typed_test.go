package pack

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

func TestTypedPack(t *testing.T) {
	p := load(t, "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: default-name}
spec:
  version: 1.10
  layer: addon
  x-unknown: {kept: "yes"}
  values: {replicas: 3}
  schema: {replicas: {schema: '{{ required }}'}}
  presets: [{name: ha}]
  properties: []
  dependencies: []
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: not-the-name}
spec:
  name: vault
  values: "replicas: 3"
  schema: "replicas: {schema: '{{ required }}'}"
  presets: "presets: []"
  properties: "properties: []"
  dependencies: "dependencies: []"
`)
	if diff := cmp.Diff([]string(nil), p.Faults); diff != "" {
		t.Fatalf("faults -want +got:\n%s", diff)
	}
	if p.names() != "default-name,vault" {
		t.Fatalf("got the packs %s, want spec.name, or metadata.name without one", p.names())
	}
	first := p.Set.Packs[0]
	if first.Version != "1.10" || first.Layer != "addon" {
		t.Errorf("got version %q and layer %q, want them as written", first.Version, first.Layer)
	}
	metadata, err := first.Metadata.Mapping()
	if err != nil || values.Text(values.Field(metadata.Root(), "x-unknown", "kept")) != "yes" {
		t.Errorf("an unknown field of the spec was not kept (%v)", err)
	}
	for i, embedded := range []bool{false, true} {
		pack := p.Set.Packs[i]
		for name, source := range map[string]*Source{
			"spec.values": pack.Values, "spec.schema": pack.Schema, "spec.presets": pack.Presets,
			"spec.properties": pack.Properties, "spec.dependencies": pack.Dependencies,
		} {
			switch {
			case source == nil:
				t.Errorf("%s of %s is missing", name, pack.Name)
			case source.Name != name || source.Field != name || source.Embedded != embedded:
				t.Errorf("%s of %s: got name %s, field %s, embedded %v", name, pack.Name, source.Name, source.Field, source.Embedded)
			}
		}
		document, err := pack.Values.Mapping()
		if err != nil || values.Text(values.Field(document.Root(), "replicas")) != "3" {
			t.Errorf("the values of %s do not hold replicas (%v)", pack.Name, err)
		}
	}
}

// Presets have all their faults, also beside a fault of the file.
func TestAllFaultsOfPresets(t *testing.T) {
	p := load(t, "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  pack.json: '{\"name\": \"a\"}'\n  presets.yaml: |\n    other: 1\n    presets:\n    - {name: x, add: [1]}\n    - {name: z, add: {a: 1, a: 2, b: 1, b: 2}}\n    - {nmae: y}\n")
	_, faults := p.Set.Packs[0].ReadPresets()
	var keys []string
	for _, f := range faults {
		keys = append(keys, f.Key)
	}
	if diff := cmp.Diff([]string{"other", "presets[0].add", "presets[1].add.a", "presets[1].add.b", "presets[2].nmae"}, keys[:min(5, len(keys))]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
