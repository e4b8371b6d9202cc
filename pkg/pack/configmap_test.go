package pack

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

func TestConfigMapPack(t *testing.T) {
	p := load(t, "", `
apiVersion: v1
kind: ConfigMap
metadata: {name: not-the-name, namespace: packs}
data:
  pack.json: |
    {"name": "vault", "version": "1.10", "layer": "addon", "x-unknown": {"kept": "yes"}}
  values.yaml: |
    replicas: 3
  schema.yaml: |
    replicas: {schema: '{{ required }}'}
  presets.yaml: "presets: []"
  properties.yaml: "properties: []"
  dependencies.yaml: "dependencies: []"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: bare}
data:
  pack.json: '{"name": "consul"}'
---
apiVersion: v1
kind: ConfigMap
metadata: {name: some-other-configmap}
data:
  readme: it mentions pack.json, and is none
`)
	if diff := cmp.Diff([]string(nil), p.Faults); diff != "" {
		t.Fatalf("faults -want +got:\n%s", diff)
	}
	if p.names() != "vault,consul" {
		t.Fatalf("got the packs %s, want those that have the key pack.json, by its name", p.names())
	}
	vault := p.Set.Packs[0]
	if vault.Version != "1.10" || vault.Layer != "addon" {
		t.Errorf("got version %q and layer %q", vault.Version, vault.Layer)
	}
	if r := vault.Resource; r.String() != "ConfigMap packs/not-the-name" {
		t.Errorf("got the resource %s", r)
	}
	metadata, err := vault.Metadata.Mapping()
	if err != nil || values.Text(values.Field(metadata.Root(), "x-unknown", "kept")) != "yes" {
		t.Errorf("an unknown field of pack.json was not kept (%v)", err)
	}
	for _, want := range []struct {
		got               *Source
		name, field, text string
	}{
		{vault.Metadata, "pack.json", "data[pack.json]", "{\"name\": \"vault\", \"version\": \"1.10\", \"layer\": \"addon\", \"x-unknown\": {\"kept\": \"yes\"}}\n"},
		{vault.Values, "values.yaml", "data[values.yaml]", "replicas: 3\n"},
		{vault.Schema, "schema.yaml", "data[schema.yaml]", "replicas: {schema: '{{ required }}'}\n"},
		{vault.Presets, "presets.yaml", "data[presets.yaml]", "presets: []"},
		{vault.Properties, "properties.yaml", "data[properties.yaml]", "properties: []"},
		{vault.Dependencies, "dependencies.yaml", "data[dependencies.yaml]", "dependencies: []"},
	} {
		if want.got == nil {
			t.Errorf("%s is missing", want.name)
			continue
		}
		if want.got.Name != want.name || want.got.Field != want.field || want.got.Text() != want.text || !want.got.Embedded {
			t.Errorf("got %s in %s: %q", want.got.Name, want.got.Field, want.got.Text())
		}
	}
	bare := p.Set.Packs[1]
	if bare.Values != nil || bare.Schema != nil || bare.Presets != nil || bare.Properties != nil || bare.Dependencies != nil {
		t.Errorf("a pack of pack.json alone got documents: %+v", bare)
	}
}
