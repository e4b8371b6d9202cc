package fleet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
)

// Several functions meet a mistake in the package of a cluster. It is one finding, where the parser
// stopped, also in a resource that a mutator changed.
func TestOneMistake(t *testing.T) {
	const (
		local = "metadata: {name: NAME, annotations: {config.kubernetes.io/local-config: \"true\"}}\n"
		head  = "apiVersion: v1\nkind: ConfigMap\n" + local + "data:\n  pack.json: |\n    {\"name\": \"NAME\", \"version\": \"1.0.0\", \"layer\": \"addon\", \"constraints\": CONSTRAINTS}\n  values.yaml: |\n    port: 1\n"
	)
	for name, tc := range map[string]struct{ mutators, values, schema, want string }{
		"values":           {"", "port: [1", "", "error values/invalid-yaml other/override.yaml:7:13"},
		"schema":           {"  mutators:\n  - exec: apply-preset\n    configMap: {vault: \"Size:large\"}\n", "port: 5", "    port: {{ required }}\n", "error schema/invalid other/vault.yaml:10:11"},
		"the name of none": {"", "port: 5", "none", "error dependency/missing other/shop.yaml:6:106"},
	} {
		w := newWorld(t)
		w.write("variants/v.yaml", "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: one}\nspec: {upstream: {repo: b, package: p, workspaceName: v1}, downstream: {repo: d, package: p}}\n")
		w.write("other/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n"+tc.mutators+"  validators:\n  - exec: validate-pack-values\n  - exec: check-resources\n  - exec: check-dependencies\n")
		w.write("other/vault.yaml", strings.NewReplacer("NAME", "vault", "CONSTRAINTS", `{"resources": [{"type": "cpu", "minLimit": 1}]}`).Replace(head)+
			"  schema.yaml: |\n"+strings.TrimPrefix(tc.schema, "none")+"  presets.yaml: |\n    presets:\n    - {name: large, displayName: Large, group: Size, remove: [], add: \"port: 3\\n\"}\n")
		pack := "vault"
		if tc.schema == "none" {
			pack = "none"
		}
		w.write("other/shop.yaml", strings.NewReplacer("NAME", "shop", "CONSTRAINTS", `{"dependencies": [{"packName": "`+pack+`", "type": "required"}]}`).Replace(head))
		w.write("other/cluster.yaml", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\n"+strings.ReplaceAll(local, "NAME", "c")+"spec: {machinePools: [{name: w, role: worker, size: 3, capacity: {cpu: \"8\", memory: 32Gi}}]}\n")
		w.write("other/override.yaml", "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\n"+strings.ReplaceAll(local, "NAME", "site")+"spec:\n  packRef: {name: "+pack+"}\n  values: |\n    "+tc.values+"\n")
		p := w.run(func(o *fleet.Options) {
			o.Like, o.Sets, o.Upstreams = fleet.Kpt, []string{w.path("variants")}, []fleet.Upstream{{Dir: w.path("other")}}
		})
		var got []string
		for i := range p.Groups {
			if f := &p.Groups[i].Finding; f.Severity == diag.Error {
				got = append(got, fmt.Sprintf("%s %s %s:%d:%d", f.Severity, f.Rule, f.File, f.Line, f.Column))
			}
		}
		if diff := cmp.Diff([]string{tc.want}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
