package lsp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The head says what a resource is, also while its text is half typed.
func TestHeadOf(t *testing.T) {
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"
	known := head{apiVersion: "v1", kind: "ConfigMap", name: "a"}
	pack, values := known, known
	pack.isPack, values.valuesOf = true, "vault"
	for text, want := range map[string]head{
		"":        {},
		configMap: known,
		configMap + "data:\n  values.yaml: |\n    pack.json: 1\n":                            known,
		configMap + "data:\n  pack.json: '{'\n  values.yaml: |\n    a: 1\n":                  pack,
		configMap + "data:\n  pack.json: |\n    {\n":                                         pack,
		configMap + "  annotations:\n    packs.kpt.dev/values-of: vault\ndata:\n  a.yaml: b": values,
		"kind: PackValues\nspec:\n  packRef:\n    name: vault\n  values:\n    kind: b\n":     {kind: "PackValues", packRef: "vault"},
	} {
		if diff := cmp.Diff(want, headOf(text), cmp.AllowUnexported(head{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}
