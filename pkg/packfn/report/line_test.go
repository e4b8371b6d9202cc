package report

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// A line is shown only where all of it may be.
func TestSource(t *testing.T) {
	const secret = "Zq7Hunter2xW"
	for _, tc := range []struct {
		kind, field, name, key string
		line                   string
		shown                  bool
	}{
		{"PackValues", "", "", "spec.packRef.name", "    name: vaultt", true},
		{"PackValues", "", "", "spec.packRef.name", `    "name": "vaultt",`, true},
		{"PackValues", "", "", "spec.packRef.name", "  packRef: {name: vaultt}", false},
		{"PackValues", "", "", "spec.packRef.name", "spec: {packRef: {name: vaultt}, values: {token: " + secret + "}}", false},
		{"PackValues", "", "", "spec.packRef.name", "    name: vaultt # " + secret, false},
		{"PackValues", "", "", "spec.packRef.name", `  name: vaultt, token: ` + secret + `}`, false},
		{"ClusterContext", "", "", "spec.machinePools[0].role", "spec: {variables: {TOKEN: " + secret + "}, machinePools: [{role: workr}]}", false},
		{"ClusterContext", "", "", "spec.machinePools[0].role", "  - role: workr", true},
		{"ClusterContext", "", "", "spec.machinePools[0].role", "  token: " + secret, false},
		{"ClusterContext", "", "", "spec.machinePools[0]", "  - name: workers", true},
		{"ClusterContext", "", "", "spec.machinePools[0]", "  token: " + secret, false},
		{"ClusterContext", "", "", "spec.machinePools[0]", "  - {name: workers, token: " + secret + "}", false},
		{"Secret", "", "", "", "apiVersion: v1", true},
		{"PackValues", "", "", "spec", "kind: PackValues", true},
		{"PackValues", "", "", "spec.values", "kind: PackValues", false},
		{"Secret", "", "", "data", "token: " + secret, false},
		{"Secret", "", "", "", "{apiVersion: v1, kind: Secret, data: {token: " + secret + "}}", false},
		{"Kptfile", "", "", "pipeline.validators[0].image", "  - image: validate-valeus", true},
		{"Kptfile", "", "", "pipeline.validators[0].image", "  - exec: f --token " + secret, false},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `{"data":{"values.yaml":"token: ` + secret + `\n","pack.json":"{}"}}`, false},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `  pack.json: "{}", values.yaml: "token: ` + secret + `"`, false},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `  pack.json: "{\"layer\": \"x\"}"`, true},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `    {"name": "vault", "layer": "x"}`, true},
		{"ConfigMap", "data[pack.json]", "pack.json", "", `data: {values.yaml: "token: ` + secret + `"}`, false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].name", `    - name: ha`, true},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].group", `  presets.yaml: "presets:\n- name: ha\n  group: 1\n  add: {token: ` + secret + `}\n"`, false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].group", `  presets.yaml: 'presets: [{group: 1, add: {token: ` + secret + `}}]'`, false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].remove[1]", `      - server.` + "ha", true},
	} {
		isPrivate := tc.kind == "Secret" || tc.key == "spec.values" || tc.key == "spec" || strings.Contains(tc.key, "data")
		cause := diag.Say("x").In(&diag.Origin{Resource: diag.Resource{Kind: tc.kind}, Field: tc.field, Name: tc.name, Embedded: tc.field != "", Public: tc.name == "pack.json"}, tc.key, diag.Position{})
		cause.Public = !isPrivate
		f := Finding{Cause: &cause}
		f.SetSource(tc.line)
		if (f.Source == tc.line) != tc.shown || strings.Contains(f.Source, secret) {
			t.Errorf("%s %s: %s: got %s", tc.name, tc.key, tc.line, f.Source)
		}
	}
}
