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

// One pack that cannot be read leaves the others alone.
func TestConfigMapFaults(t *testing.T) {
	const others = `
---
apiVersion: v1
kind: ConfigMap
metadata: {name: consul}
data: {pack.json: '{"name": "consul"}'}
`
	for _, tc := range []struct {
		name, item string
		want       []string
		loaded     string
	}{
		{"not JSON", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: |
    {"name":
     {{ .Chart.Name }}}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] at=2:3"}, "consul"},
		{"a comma too many", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: |
    {"name": "vault", "verson": "1.0.0",}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] at=1:36"}, "consul"},
		{"not a map", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '["vault"]'}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] at=1:1"}, "consul"},
		{"a list with a comma too many", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '["vault",]'}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] at=1:9"}, "consul"},
		{"a name that is misspelt", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '{"nam": "vault"}'}
`, []string{`error input/invalid ConfigMap/vault data[pack.json] key=nam at=1:2 unknown="field \"nam\"" near=name`}, "consul"},
		{"an empty name", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '{"name": ""}'}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] key=name at=1:10 missing="}, "consul"},
		{"another version", `
apiVersion: v1beta1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '{"name": "vault"}'}
`, []string{`error input/invalid ConfigMap/vault apiVersion got="\"v1beta1\"" want=v1`}, "consul"},
		{"an override of nothing", `
apiVersion: v1
kind: ConfigMap
metadata:
  name: more
  annotations: {packs.kpt.dev/values-of: consul}
data: {}
`, []string{"error input/invalid ConfigMap/more data[values.yaml] missing="}, "consul"},
		{"no name", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '{"version": "1.0.0"}'}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] key=name missing="}, "consul"},
		{"a name that is not text", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: '{"name": ["vault"]}'}
`, []string{`error input/invalid ConfigMap/vault data[pack.json] key=name at=1:10 got="a list" want="a string"`}, "consul"},
		{"empty text", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: ''}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] missing=empty"}, "consul"},
		{"null", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data: {pack.json: null}
`, []string{"error input/invalid ConfigMap/vault data[pack.json] missing=empty"}, "consul"},
		{"a key twice", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: |
    {
      "name": "vault",
      "version": "1.0.0",
      "constraints": {
        "dependencies": [],
        "dependencies": []
      }
    }
`, []string{"error input/invalid ConfigMap/vault data[pack.json] key=constraints.dependencies at=6:5 duplicate-of=5:5"}, "vault,consul"},
		{"files that are not text", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: {name: vault}
`, []string{`error input/invalid ConfigMap/vault data[pack.json] got="a map" want="a string with the content of a file"`}, "consul"},
		{"values that are not text", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: '{"name": "vault"}'
  values.yaml: {replicas: 3}
  schema.yaml: 5
`, []string{
			`error input/invalid ConfigMap/vault data[schema.yaml] got="a number" want="a string with the content of a file"`,
			`error input/invalid ConfigMap/vault data[values.yaml] got="a map" want="a string with the content of a file"`,
		}, "vault,consul"},
		{"a file twice", `
apiVersion: v1
kind: ConfigMap
metadata: {name: vault}
data:
  pack.json: '{"name": "vault"}'
  values.yaml: "a: 1"
  values.yaml: "a: 2"
`, []string{"error input/invalid ConfigMap/vault data[values.yaml] duplicate-of=6:5"}, "vault,consul"},
		{"a pack and an override at once", `
apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
  annotations: {packs.kpt.dev/values-of: consul}
data:
  pack.json: '{"name": "vault"}'
  values.yaml: "a: 1"
`, []string{"error input/invalid ConfigMap/vault metadata.annotations[packs.kpt.dev/values-of]"}, "consul"},
		{"an override without values", `
apiVersion: v1
kind: ConfigMap
metadata:
  name: more
  annotations: {packs.kpt.dev/values-of: consul}
data: {values.yml: "a: 1"}
`, []string{`error input/invalid ConfigMap/more data[values.yml] unknown="file \"values.yml\"" near=values.yaml`}, "consul"},
		{"an override that is not text", `
apiVersion: v1
kind: ConfigMap
metadata:
  name: more
  annotations: {packs.kpt.dev/values-of: consul}
data: {values.yaml: {a: 1}}
`, []string{`error input/invalid ConfigMap/more data[values.yaml] got="a map" want="a string with the content of a file"`}, "consul"},
		{"a key of an override twice", `
apiVersion: v1
kind: ConfigMap
metadata:
  name: more
  annotations: {packs.kpt.dev/values-of: consul}
data: {values.yaml: "a: 1"}
data: {values.yaml: "a: 2"}
`, []string{"error input/invalid ConfigMap/more data duplicate-of=6:3"}, "consul"},
		{"not YAML as a whole", `
apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
data:
  pack.json: {{ .Files.Get "pack.json" }}
`, []string{"error input/invalid ConfigMap/vault"}, "consul"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, "", tc.item+others)
			if diff := cmp.Diff(tc.want, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			if p.names() != tc.loaded {
				t.Errorf("got the packs %s, want %s", p.names(), tc.loaded)
			}
		})
	}
}

// A file under a wrong name is reported, since it would not be read. Others are
// ignored.
func TestMisspeltFiles(t *testing.T) {
	head := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  pack.json: '{\"name\": \"vault\"}'\n"
	fault := func(key, want string) []string {
		return []string{"error input/invalid ConfigMap/c data[" + key + "] unknown=\"file \\\"" + key + "\\\"\" near=" + want}
	}
	for _, tc := range []struct {
		keys string
		want []string
	}{
		{"schema.yml: ''", fault("schema.yml", "schema.yaml")},
		{"value.yaml: ''", fault("value.yaml", "values.yaml")},
		{"value.yml: ''", fault("value.yml", "values.yaml")},
		{"preset.yaml: ''", fault("preset.yaml", "presets.yaml")},
		{"Values.yaml: ''", fault("Values.yaml", "values.yaml")},
		{"shcema.yaml: ''", fault("shcema.yaml", "schema.yaml")},
		{"property.yaml: ''", nil},
		{"propertis.yaml: ''", fault("propertis.yaml", "properties.yaml")},
		{"dependancies.yaml: ''", fault("dependancies.yaml", "dependencies.yaml")},
		{"values.yaml: ''\n  values.yml: ''", nil},
		{"VALUES.YML: ''", fault("VALUES.YML", "values.yaml")},
		{"schema: ''", nil},
		{"README.md: ''\n  logo.png: ''\n  values-ha.yaml: ''\n  values.schema.json: ''\n  Chart.yaml: ''\n  package.json: ''\n  .helmignore: ''", nil},
	} {
		p := load(t, "", head+"  "+tc.keys+"\n")
		if diff := cmp.Diff(tc.want, p.Faults); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.keys, diff)
		}
	}
	p := load(t, "", head+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {packs.kpt.dev/values-of: vault}}\ndata: {value.yaml: ''}\n")
	if diff := cmp.Diff(fault("value.yaml", "values.yaml"), p.Faults); diff != "" {
		t.Errorf("an override: -want +got:\n%s", diff)
	}
}
