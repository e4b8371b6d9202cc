package preset

import (
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
