package fleet_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
)

// What the placeholder of an injection point has is in no package of a cluster, in Porch's
// two renders and in one: neither facts, nor values, nor the choice of a preset.
func TestPlaceholders(t *testing.T) {
	const override = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: site\n  annotations: {config.kubernetes.io/local-config: \"true\", kpt.dev/config-injection: required}\nspec: "
	for _, like := range fleet.Likes {
		w := newWorld(t)
		w.edit("set/set.yaml", "        pipeline:\n", "          - kind: PackValues\n            nameExpr: repository.name\n        pipeline:\n")
		var names []string
		for line := range strings.Lines(w.read("set/clusters.yaml")) {
			if name, ok := strings.CutPrefix(line, "  name: "); ok {
				names = append(names, strings.TrimSpace(name))
			}
		}
		for _, name := range names {
			w.write("set/site-"+name+".yaml", strings.NewReplacer("name: site", "name: "+name, ", kpt.dev/config-injection: required", ", packs.kpt.dev/source: cluster").Replace(override)+
				"{packRef: {name: vault}, values: {ingress: {host: "+name+".example.org}}}\n")
		}
		run := func(facts, site string) *fleet.Preview {
			w.write("upstream/cluster.yaml", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: cluster\n  annotations: {config.kubernetes.io/local-config: \"true\", kpt.dev/config-injection: required}\nspec: "+facts+"\n")
			w.write("upstream/site.yaml", override+site+"\n")
			return w.run(func(o *fleet.Options) { o.Like = like })
		}
		empty := run("{}", "{}")
		if got, want := summary(empty), "[can be deployed:8 refused:2]"; got != want {
			t.Errorf("%s: got %s, want %s: %v", like, got, want, faults(empty))
		}
		if text := file(t, empty, "us-east-1/platform", "site.yaml"); !strings.Contains(text, "us-east-1.example.org") {
			t.Errorf("%s: the truth is not injected:\n%s", like, text)
		}
		full := run("{system: {cluster: {name: example}, kubernetes: {version: 1.1.0}}, variables: {DOMAIN: example.net}, machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1m}}]}",
			"{packRef: {name: vault}, values: {ingress: {host: {not: text}}, server: {replicas: many}}}")
		if diff := cmp.Diff(summary(empty), summary(full)) + cmp.Diff(faults(empty), faults(full)); diff != "" {
			t.Errorf("%s: -without +with a placeholder:\n%s", like, diff)
		}
		for i := range full.Rows {
			for j := range full.Rows[i].Files {
				got, want := full.Rows[i].Files[j], empty.Rows[i].Files[j]
				if diff := cmp.Diff(string(want.Text), string(got.Text)); diff != "" {
					t.Errorf("%s: %s/%s: -without +with a placeholder:\n%s", like, full.Rows[i].Name(), got.Path, diff)
				}
			}
		}
	}
}
