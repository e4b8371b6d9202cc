package pack

import (
	"testing"

	"github.com/krm-packs/functions/pkg/list"
)

// Both forms of an override name its pack.
func TestOverridden(t *testing.T) {
	for name, tc := range map[string]struct {
		text, want string
		is         bool
	}{
		"PackValues": {`apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
spec: {packRef: {name: web}}
`, "web", true},
		"PackValues of none": {`apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
`, "", true},
		"PackValues, not YAML": {`apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
spec: {a: 1, a: 2}
`, "", true},
		"ConfigMap": {`apiVersion: v1
kind: ConfigMap
metadata: {name: o, annotations: {packs.kpt.dev/values-of: web}}
data: {values.yaml: 'a: 1'}
`, "web", true},
		"ConfigMap of a pack": {`apiVersion: v1
kind: ConfigMap
metadata: {name: o}
data: {pack.json: '{}'}
`, "", false},
		"annotation of another": {`apiVersion: v1
kind: Secret
metadata: {name: o, annotations: {packs.kpt.dev/values-of: web}}
`, "", false},
		"PackValues of a stranger": {`apiVersion: example.com/v1
kind: PackValues
metadata: {name: o}
spec: {packRef: {name: web}}
`, "", false},
	} {
		item := list.FileItems([]byte(tc.text), "a.yaml")[0]
		if is, got := IsOverride(item), Overridden(item); is != tc.is || got != tc.want {
			t.Errorf("%s: got %t, %q", name, is, got)
		}
	}
}
