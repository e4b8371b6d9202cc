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
			case source.Name != name || source.Field != name || source.Embedded() != embedded:
				t.Errorf("%s of %s: got name %s, field %s, embedded %v", name, pack.Name, source.Name, source.Field, source.Embedded())
			}
		}
		document, err := pack.Values.Mapping()
		if err != nil || values.Text(values.Field(document.Root(), "replicas")) != "3" {
			t.Errorf("the values of %s do not hold replicas (%v)", pack.Name, err)
		}
	}
}

// What the kinds of the group do not know is an error that names the nearest
// known name, so that nothing misspelt passes in silence.
func TestTypedFaults(t *testing.T) {
	const pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\n"
	const override = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\n"
	for _, tc := range []struct {
		name, item string
		want       []string
	}{
		{"a kind", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pak\nmetadata: {name: vault}\n", []string{
			`Pak vault kind | got "Pak", want Pack, PackValues or ClusterContext, the kinds of packs.kpt.dev/v1alpha1 (did you mean "Pack"?) [input/invalid]`,
		}},
		{"a version", "apiVersion: packs.kpt.dev/v1beta1\nkind: Pack\nmetadata: {name: vault}\nspec: {}\n", []string{
			`Pack vault apiVersion | got "packs.kpt.dev/v1beta1", want packs.kpt.dev/v1alpha1 [input/invalid]`,
		}},
		{"no version", "apiVersion: packs.kpt.dev\nkind: PackValues\nmetadata: {name: vault}\nspec: {}\n", []string{
			`PackValues vault apiVersion | got "packs.kpt.dev", want packs.kpt.dev/v1alpha1 [input/invalid]`,
		}},
		{"a field beside spec", pack + "spec: {}\nspecs: {}\n", []string{
			`Pack vault specs | specs: unknown field; known are apiVersion, kind, metadata, spec (did you mean "spec"?) [input/invalid]`,
		}},
		{"no spec", pack, []string{`Pack vault spec | spec: is required [input/invalid]`}},
		{"a spec that is no mapping", pack + "spec: []\n", []string{`Pack vault spec | spec: got a list, want a mapping [input/invalid]`}},
		{"a name that is no text", pack + "spec: {name: [vault]}\n", []string{`Pack vault spec.name | spec.name: got a list, want text [input/invalid]`}},
		{"a version that is no text", pack + "spec: {version: {a: 1}}\n", []string{`Pack vault spec.version | spec.version: got a mapping, want text [input/invalid]`}},
		{"a letter off", pack + "spec: {shema: {}}\n", []string{`Pack vault spec.shema | spec.shema: unknown field (did you mean "schema"?) [input/invalid]`}},
		{"letters swapped", pack + "spec: {vaules: {}}\n", []string{`Pack vault spec.vaules | spec.vaules: unknown field (did you mean "values"?) [input/invalid]`}},
		{"in capitals", pack + "spec: {Values: {}}\n", []string{`Pack vault spec.Values | spec.Values: unknown field (did you mean "values"?) [input/invalid]`}},
		{"like a document that is there too", pack + "spec: {shema: {}, schema: {}}\n", nil},
		{"values that are a list", pack + "spec: {values: []}\n", []string{`Pack vault spec.values | spec.values: got a list, want text or a mapping [input/invalid]`}},
		{"values that are a number", pack + "spec: {values: 5}\n", []string{`Pack vault spec.values | spec.values: got a number, want text or a mapping [input/invalid]`}},
		{"presets that are a mapping", pack + "spec: {presets: {}}\n", []string{`Pack vault spec.presets | spec.presets: got a mapping, want text or a list [input/invalid]`}},
		{"documents that are null", pack + "spec: {values: null, schema: null}\n", nil},
		{"a key of the resource twice", pack + "spec:\n  version: 1.0.0\n  version: 1.1.0\n", []string{
			`Pack vault spec.version | spec.version: the key "version" is given twice; remove one [input/invalid]`,
		}},
		{"the spec twice", pack + "spec: {}\nspec: {}\n", []string{`Pack vault spec | spec: is given twice [input/invalid]`}},
		{"a label twice", "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more, labels: {a: b, a: c}}\nspec: {packRef: {name: vault}, values: {}}\n", []string{
			`PackValues more metadata.labels.a | metadata.labels.a: the key "a" is given twice; remove one [input/invalid]`,
		}},
		// These have rules of their own, which say more.
		{"a key of the values twice", pack + "spec:\n  values: {a: 1, a: 2}\n", nil},
		{"a key of the schema twice", pack + "spec:\n  schema: {a: {schema: '{{ required }}'}, a: {schema: '{{ required }}'}}\n", nil},
		{"a key beside the values twice", pack + "spec: {valuesOf: {a: 1, a: 2}}\n", []string{
			`Pack vault spec.valuesOf.a | spec.valuesOf.a: the key "a" is given twice; remove one [input/invalid]`,
		}},

		{"an override's field", override + "spec: {packRef: {name: vault}, values: {}, scpe: cluster}\n", []string{
			`PackValues more spec.scpe | spec.scpe: unknown field; known are packRef, scope, strategy, values (did you mean "scope"?) [input/invalid]`,
		}},
		{"an override's reference", override + "spec: {packRef: {nam: vault}, values: {}}\n", []string{
			`PackValues more spec.packRef.nam | spec.packRef.nam: unknown field; known are name (did you mean "name"?) [input/invalid]`,
			`PackValues more spec.packRef.name | spec.packRef.name: is required [input/invalid]`,
		}},
		{"an override of nothing", override + "spec: {values: {}}\n", []string{
			`PackValues more spec.packRef | spec.packRef: is required [input/invalid]`,
		}},
		{"an override's scope", override + "spec: {packRef: {name: vault}, values: {}, scope: clusters}\n", []string{
			`PackValues more spec.scope | spec.scope: got "clusters", want profile or cluster (did you mean "cluster"?) [input/invalid]`,
		}},
		{"an override's strategy", override + "spec: {packRef: {name: vault}, values: {}, strategy: replac}\n", []string{
			`PackValues more spec.strategy | spec.strategy: got "replac", want merge or replace (did you mean "replace"?) [input/invalid]`,
		}},
		{"an override without values", override + "spec: {packRef: {name: vault}}\n", []string{
			`PackValues more spec.values | spec.values: is required: the values that come on top of the pack's own, as text or a mapping [input/invalid]`,
		}},
		{"an override's values that are a list", override + "spec: {packRef: {name: vault}, values: [1]}\n", []string{
			`PackValues more spec.values | spec.values: got a list, want text or a mapping [input/invalid]`,
		}},
		{"an override's field twice", override + "spec: {packRef: {name: vault}, values: {}, scope: profile, scope: cluster}\n", []string{
			`PackValues more spec.scope | spec.scope: is given twice [input/invalid]`,
		}},
		{"a key of an override's values twice", override + "spec: {packRef: {name: vault}, values: {a: 1, a: 2}}\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, "", tc.item+"---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: another}\nspec: {name: vault}\n")
			if diff := cmp.Diff(tc.want, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			if found := len(p.Set.Packs); found == 0 || p.Set.Packs[found-1].Resource.Name != "another" {
				t.Error("the pack beside it was not loaded")
			}
		})
	}
}
