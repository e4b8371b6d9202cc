package pack

import (
	"slices"
	"strings"
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
			`error input/invalid Pak/vault kind got="\"Pak\"" want="Pack, PackValues, ClusterContext or ClusterProfile, the kinds of packs.kpt.dev/v1alpha1" near=Pack`,
		}},
		{"a version", "apiVersion: packs.kpt.dev/v1beta1\nkind: Pack\nmetadata: {name: vault}\nspec: {}\n", []string{
			`error input/invalid Pack/vault apiVersion got="\"packs.kpt.dev/v1beta1\"" want=packs.kpt.dev/v1alpha1`,
		}},
		{"no version", "apiVersion: packs.kpt.dev\nkind: PackValues\nmetadata: {name: vault}\nspec: {}\n", []string{
			`error input/invalid PackValues/vault apiVersion got="\"packs.kpt.dev\"" want=packs.kpt.dev/v1alpha1`,
		}},
		{"a field beside spec", pack + "spec: {}\nspecs: {}\n", []string{
			`error input/invalid Pack/vault specs unknown="field \"specs\"" want="apiVersion, kind, metadata or spec" near=spec`,
		}},
		{"no spec", pack, []string{"error input/invalid Pack/vault spec missing="}},
		{"a spec that is not a map", pack + "spec: []\n", []string{`error input/invalid Pack/vault spec got="a list" want="a map"`}},
		{"a name that is not text", pack + "spec: {name: [vault]}\n", []string{`error input/invalid Pack/vault spec.name got="a list" want="a string"`}},
		{"a version that is not text", pack + "spec: {version: {a: 1}}\n", []string{`error input/invalid Pack/vault spec.version got="a map" want="a string"`}},
		{"a letter off", pack + "spec: {shema: {}}\n", []string{`error input/invalid Pack/vault spec.shema key=shema unknown="field \"shema\"" near=schema`}},
		{"letters swapped", pack + "spec: {vaules: {}}\n", []string{`error input/invalid Pack/vault spec.vaules key=vaules unknown="field \"vaules\"" near=values`}},
		{"in capitals", pack + "spec: {Values: {}}\n", []string{`error input/invalid Pack/vault spec.Values key=Values unknown="field \"Values\"" near=values`}},
		{"like a document that is there too", pack + "spec: {shema: {}, schema: {}}\n", nil},
		{"values that are a list", pack + "spec: {values: []}\n", []string{`error input/invalid Pack/vault spec.values got="a list" want="a string or a map"`}},
		{"values that are a number", pack + "spec: {values: 5}\n", []string{`error input/invalid Pack/vault spec.values got="a number" want="a string or a map"`}},
		{"presets that are a map", pack + "spec: {presets: {}}\n", []string{`error input/invalid Pack/vault spec.presets got="a map" want="a string or a list"`}},
		{"documents that are null", pack + "spec: {values: null, schema: null}\n", nil},
		{"a key of the resource twice", pack + "spec:\n  version: 1.0.0\n  version: 1.1.0\n", []string{
			"error input/invalid Pack/vault spec.version duplicate-of=5:5",
		}},
		{"the spec twice", pack + "spec: {}\nspec: {}\n", []string{"error input/invalid Pack/vault spec duplicate-of=4:3"}},
		{"a label twice", "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more, labels: {a: b, a: c}}\nspec: {packRef: {name: vault}, values: {}}\n", []string{
			"error input/invalid PackValues/more metadata.labels.a duplicate-of=3:35",
		}},
		// These have rules of their own, which say more.
		{"a key of the values twice", pack + "spec:\n  values: {a: 1, a: 2}\n", nil},
		{"a key of the schema twice", pack + "spec:\n  schema: {a: {schema: '{{ required }}'}, a: {schema: '{{ required }}'}}\n", nil},
		{"a key beside the values twice", pack + "spec: {valuesOf: {a: 1, a: 2}}\n", []string{
			"error input/invalid Pack/vault spec.valuesOf.a duplicate-of=4:21",
		}},

		{"an override's field", override + "spec: {packRef: {name: vault}, values: {}, scpe: cluster}\n", []string{
			`error input/invalid PackValues/more spec.scpe unknown="field \"scpe\"" want="packRef, scope, strategy or values" near=scope`,
		}},
		{"an override's reference", override + "spec: {packRef: {nam: vault}, values: {}}\n", []string{
			`error input/invalid PackValues/more spec.packRef.nam unknown="field \"nam\"" want=name near=name`,
		}},
		{"an override of nothing", override + "spec: {values: {}}\n", []string{
			"error input/invalid PackValues/more spec.packRef missing=",
		}},
		{"an override's scope", override + "spec: {packRef: {name: vault}, values: {}, scope: clusters}\n", []string{
			`error input/invalid PackValues/more spec.scope got="\"clusters\"" want="profile or cluster" near=cluster`,
		}},
		{"an override's strategy", override + "spec: {packRef: {name: vault}, values: {}, strategy: replac}\n", []string{
			`error input/invalid PackValues/more spec.strategy got="\"replac\"" want="merge or replace" near=replace`,
		}},
		{"an override without values", override + "spec: {packRef: {name: vault}}\n", []string{
			`error input/invalid PackValues/more spec.values missing= want="the values of the override: a map, or a string that contains one"`,
		}},
		{"an override's values that are a list", override + "spec: {packRef: {name: vault}, values: [1]}\n", []string{
			`error input/invalid PackValues/more spec.values got="a list" want="a string or a map"`,
		}},
		{"an override's field twice", override + "spec: {packRef: {name: vault}, values: {}, scope: profile, scope: cluster}\n", []string{
			"error input/invalid PackValues/more spec.scope duplicate-of=4:46",
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

// All faults of a resource are reported, not only the first one.
func TestAllFaults(t *testing.T) {
	for name, tc := range map[string]struct {
		resource string
		want     []string
	}{
		"a Pack": {"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nother: 1\nspec: {name: [1], version: {a: 1}, layer: addon, values: 5, presets: {a: 1}}\n",
			[]string{"other", "spec.name", "spec.presets", "spec.values", "spec.version"}},
		"a PackValues": {"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: a}\nspec: {packRef: {}, scope: cluser, values: [1]}\n",
			[]string{"spec.packRef.name", "spec.scope", "spec.values"}},
		"a misspelt field": {"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: a}\nspec: {packRef: {name: b}, valeus: {}}\n", []string{"spec.valeus"}},
		"no spec":          {"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n", []string{"spec"}},
	} {
		var got []string
		p := load(t, "", tc.resource)
		got = append(got, p.Faults...)
		if len(got) != len(tc.want) || len(p.Set.Packs) != 0 {
			t.Errorf("%s: got %q and %d packs", name, got, len(p.Set.Packs))
			continue
		}
		slices.Sort(got)
		for i := range got {
			if !strings.Contains(got[i], " "+tc.want[i]+" ") {
				t.Errorf("%s: got %q, want %s", name, got[i], tc.want[i])
			}
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
