package preset

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// A key that a preset misspells does nothing. The warning is the same on a second run,
// when the values have the key.
func TestMisspeltKeys(t *testing.T) {
	for _, tc := range []struct {
		name, values, add string
		want              []string
	}{
		{"a map", "charts: {crossplane: {provider: {packages: []}, args: {}}}", "charts: {crosplane: {provider: {packages: [a]}}}", []string{
			"warning preset/invalid .add.charts.crosplane near=crossplane preset=it"}},
		{"a scalar", "replicas: 1\nname: a\n", "replcas: 3", []string{"warning preset/invalid .add.replcas near=replicas preset=it"}},
		{"below what both have", "a: {service: {port: 1}}", "a: {service: {prot: 2}, added: {prot: 1}}", []string{"warning preset/invalid .add.a.service.prot near=port preset=it"}},
		{"a map with a key that is a list", "limits: {a: 1}", "limist: {a: 1, ? [b] : 2}", []string{"warning preset/invalid .add.limist near=limits preset=it"}},
		{"a map with a new null", "limits: {a: 1}", "limist: {b: }", nil},
		{"a map with another form", "limits: {a: {b: 1}}", "limist: {a: 5}", nil},
		{"a new map", "config: {a: {b: 1}}", "configs: {other: 1}", nil},
		{"an empty map", "config: {a: {b: 1}}", "configs: {}", nil},
		{"another form", "hosts: []", "host: a", nil},
		{"another number", "port1: 1", "port2: 2", nil},
		{"a short key", "cpu: 1", "gpu: 1", nil},
		{"both keys of the preset", "other: 1", "limit: 1\nlimits: 2\n", nil},
		{"both keys with other values", "hosts: a\nhost: b\n", "host: c", []string{"warning preset/invalid .add.host near=hosts preset=it"}},
	} {
		d, p := mustParse(t, tc.values), change(t, "", tc.add)
		for range 2 {
			var err error
			if d, err = Apply(d, p); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, functiontest.Facts(misspelt(p, d.Root()))); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.name, diff)
			}
		}
	}
}

func TestMisspeltKeysOfRuns(t *testing.T) {
	const documents = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec:
  values: {server: {replicas: 1}}
  presets: [{name: ha, add: {server: {replcas: 3}}}]
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: upper}
spec: {packRef: {name: vault}, values: {other: 1}}
`
	for _, config := range []string{asked("vault ha"), asked("vault ha > upper")} {
		_, facts := evaluate(t, config, documents)
		want := "warning preset/invalid Pack/vault spec.presets[0].add.server.replcas key=[0].add.server.replcas near=replicas pack=vault preset=ha"
		if len(facts) != 2 || !slices.Contains(facts, want) {
			t.Errorf("got %q, want %q and one more", facts, want)
		}
		checkSteady(t, config, documents)
	}
}
