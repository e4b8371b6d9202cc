package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/deploy"
)

// What the user says of the cluster stands in for the ClusterContext, also one that waits for
// its facts, and in pack directories.
func TestCluster(t *testing.T) {
	const (
		metadata = `{"name": "web", "version": "1.0.0", "charts": ["charts/web"], "constraints": {"dependencies": [{"packName": "kubernetes", "type": "required", "minVersion": "1.30.0"}]}}`
		requires = `{"name": "web", "version": "1.0.0", "dependencies": [{"type": "olm.gvk", "value": {"group": "cert-manager.io", "version": "v1", "kind": "Issuer"}}]}`
		form     = "apiVersion: packs.kpt.dev/v1alpha1\nkind: %s\nmetadata: {name: web, annotations: {config.kubernetes.io/local-config: \"true\"%s}}\nspec: %s\n"
	)
	local := func(kind, annotation, spec string) string { return fmt.Sprintf(form, kind, annotation, spec) }
	packDir := map[string]string{
		"web/pack.json": metadata, "web/values.yaml": "charts: {web: {port: 1}}\n",
		"web/charts/web/Chart.yaml": "name: web\nversion: 1.0.0\nkubeVersion: '>=1.32.0'\n", "web/charts/web/templates/a.yaml": "{{ .Values.port }}",
	}
	pkg := func(cluster string) map[string]string {
		files := map[string]string{"Kptfile": kptfileHead, "web.yaml": local("Pack", "", strings.Replace(metadata, `"name"`, `"values": {}, "name"`, 1))}
		if cluster != "" {
			files["cluster.yaml"] = cluster
		}
		return files
	}
	kubernetes := func(version string) Options { return Options{Cluster: deploy.Cluster{Kubernetes: version}} }
	apis := func(names ...string) Options { return Options{Cluster: deploy.Cluster{APIs: names}} }
	gvk := map[string]string{"Kptfile": kptfileHead, "web.yaml": local("Pack", "", strings.Replace(requires, `"name"`, `"values": {}, "name"`, 1))}
	pipeline := pkg("")
	pipeline["Kptfile"] += "pipeline:\n  validators:\n  - exec: check-dependencies\n"
	const below, chart, missing, unsatisfied = "error dependency/below-min :0", "error values/chart-version web/pack.json:1", "error dependency/missing web.yaml:4", "error requirement/unsatisfied web.yaml:4"
	for _, tc := range []struct {
		name    string
		options Options
		files   map[string]string
		want    []string
	}{
		{"a pack directory, of which nothing is known", Options{}, packDir, nil},
		{"a pack directory", kubernetes("1.31.0"), packDir, []string{chart}},
		{"a pack directory that is too new", kubernetes("1.27.0"), packDir, []string{"error dependency/below-min web/pack.json:1", chart}},
		{"a package without a ClusterContext", Options{}, pkg(""), []string{missing}},
		{"in place of none", kubernetes("1.31.0"), pkg(""), nil},
		{"in place of none, and too old", kubernetes("1.27.0"), pkg(""), []string{below}},
		{"in place of another version", kubernetes("1.31.0"), pkg(local("ClusterContext", "", "{system: {kubernetes.version: 1.27.0}}")), nil},
		{"in place of another version, and too old", kubernetes("1.27.0"), pkg(local("ClusterContext", "", "{system: {kubernetes.version: 1.31.0}}")), []string{below}},
		{"in place of what waits", kubernetes("1.27.0"), pkg(local("ClusterContext", ", kpt.dev/config-injection: required", "{}")), []string{below}},
		{"of a function of a pipeline", kubernetes("1.27.0"), pipeline, []string{below}},
		{"a kind that is missing", Options{}, gvk, []string{unsatisfied}},
		{"a kind", apis("v1/Pod", "cert-manager.io/v1/Issuer"), gvk, nil},
		{"an API version without a kind", apis("cert-manager.io/v1", "v1", "Issuer"), gvk, []string{unsatisfied}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if found, _ := checked(t, tc.options, tc.files); !slices.Equal(found, tc.want) {
				t.Errorf("got %q, want %q", found, tc.want)
			}
		})
	}
}

// Machine pools are not among what the user says, so they are not missing.
func TestClusterWithoutPools(t *testing.T) {
	needs := strings.Replace(packNamed("a"), "spec:\n", "spec:\n  constraints: {resources: [{type: cpu, minLimit: 1}]}\n", 1)
	dir := folderOf(t, map[string]string{"a.yaml": needs})
	messages := func(cluster deploy.Cluster) (all []string) {
		r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Cluster: cluster})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			all = append(all, f.Message)
		}
		return all
	}
	if before, after := messages(deploy.Cluster{}), messages(deploy.Cluster{Kubernetes: "1.31.0"}); !slices.Equal(before, after) {
		t.Errorf("got %q, want %q", after, before)
	}
}
