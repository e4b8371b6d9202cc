package language

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The head contains the kind and the name of a resource, also while its text is half typed.
func TestHeadOf(t *testing.T) {
	const configMap = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
`
	known := head{apiVersion: "v1", kind: "ConfigMap", name: "a"}
	pack, values := known, known
	pack.isPack, values.valuesOf = true, "vault"
	for text, want := range map[string]head{
		"":        {},
		configMap: known,
		configMap + `data:
  values.yaml: |
    pack.json: 1
`: known,
		configMap + `data:
  pack.json: '{'
  values.yaml: |
    a: 1
`: pack,
		configMap + `data:
  pack.json: |
    {
`: pack,
		configMap + `  annotations:
    packs.kpt.dev/values-of: vault
data:
  a.yaml: b`: values,
		`kind: PackValues
spec:
  packRef:
    name: vault
  values:
    kind: b
`: {kind: "PackValues", packRef: "vault"},
	} {
		if diff := cmp.Diff(want, headOf(text), cmp.AllowUnexported(head{})); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}
