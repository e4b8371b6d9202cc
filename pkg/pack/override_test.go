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
		"PackValues":               {"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: o}\nspec: {packRef: {name: web}}\n", "web", true},
		"PackValues of none":       {"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: o}\n", "", true},
		"PackValues, not YAML":     {"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: o}\nspec: {a: 1, a: 2}\n", "", true},
		"ConfigMap":                {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o, annotations: {packs.kpt.dev/values-of: web}}\ndata: {values.yaml: 'a: 1'}\n", "web", true},
		"ConfigMap of a pack":      {"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: o}\ndata: {pack.json: '{}'}\n", "", false},
		"annotation of another":    {"apiVersion: v1\nkind: Secret\nmetadata: {name: o, annotations: {packs.kpt.dev/values-of: web}}\n", "", false},
		"PackValues of a stranger": {"apiVersion: example.com/v1\nkind: PackValues\nmetadata: {name: o}\nspec: {packRef: {name: web}}\n", "", false},
	} {
		item := list.FileItems([]byte(tc.text), "a.yaml")[0]
		if is, got := IsOverride(item), Overridden(item); is != tc.is || got != tc.want {
			t.Errorf("%s: got %t, %q", name, is, got)
		}
	}
}
