package check

import (
	"slices"
	"strings"
	"testing"
)

// PackageVariants and their sets are checked by the functions' code, with the objects of their
// files. What clusters make is not missing.
func TestVariants(t *testing.T) {
	const head = "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s, namespace: default}\nspec:\n" +
		"  upstream: {repo: catalog, package: platform, workspaceName: v1}\n  targets:\n"
	const variant = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: v, namespace: default}\nspec:\n  upstream: {repo: catalog, package: platform, workspaceName: v1}\n  downstream: {repo: blue, package: x}\n"
	repository := func(name string) string {
		return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: " + name + ", namespace: default}\nspec: {type: git}\n"
	}
	cluster := func(env string) string {
		return "apiVersion: infra.example.com/v1\nkind: Cluster\nmetadata: {name: c, namespace: default, labels: {env: " + env + "}}\n"
	}
	const blue = head + "  - repositories: [{name: blue, packageNames: [a]}]\n"
	const selects = head + "  - objectSelector: {apiVersion: infra.example.com/v1, kind: Cluster, matchLabels: {env: prod}}\n    template: {downstream: {repo: blue}}\n"
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a set", map[string]string{"set.yaml": blue, "r.yaml": repository("blue")}, []string{"info variant-set/expanded set.yaml:6", "info variant-set/unverified set.yaml:4"}},
		{"a set in a package", map[string]string{"Kptfile": kptfileHead, "set.yaml": blue}, []string{"info variant-set/expanded set.yaml:6", "info variant-set/unverified set.yaml:4"}},
		{"a set of a package that expands it", map[string]string{"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: expand-variant-set\n", "set.yaml": strings.Replace(blue, "name: blue", "nam: blue", 1)},
			[]string{"error variant-set/invalid set.yaml:7"}},
		{"a repository that is not there", map[string]string{"set.yaml": blue, "r/r.yaml": repository("green")}, []string{"error variant-set/repository-not-found set.yaml:7", "info variant-set/unverified set.yaml:4"}},
		{"a repository of another directory", map[string]string{"sets/set.yaml": strings.Replace(blue, "name: blue", "name: bleu", 1), "r/r.yaml": repository("blue")}, []string{"info variant-set/expanded sets/set.yaml:6", "info variant-set/unverified sets/set.yaml:4"}},
		{"a misspelt repository beside it", map[string]string{"set.yaml": strings.Replace(blue, "name: blue", "name: bleu", 1), "r.yaml": repository("blue")}, []string{"error variant-set/repository-not-found set.yaml:7"}},
		{"objects that clusters make", map[string]string{"set.yaml": selects}, []string{"info variant-set/expanded set.yaml:6", "info variant-set/unverified set.yaml:4", "info variant-set/unverified set.yaml:7"}},
		{"objects of other labels", map[string]string{"set.yaml": selects, "c.yaml": cluster("dev")}, []string{"info variant-set/expanded set.yaml:6", "info variant-set/unverified set.yaml:4", "warning variant-set/unmatched set.yaml:7"}},
		{"a revision that is text", map[string]string{"set.yaml": strings.Replace(blue, "workspaceName: v1", "revision: v1", 1)}, []string{"info variant-set/expanded set.yaml:6", "info variant-set/unverified set.yaml:4", "warning variant-set/not-in-porch set.yaml:5"}},
		{"a variant", map[string]string{"v.yaml": variant}, nil},
		{"a variant without a repository", map[string]string{"v.yaml": strings.Replace(variant, "repo: blue, ", "", 1)}, []string{"error variant/invalid v.yaml:6"}},
		{"a misspelt field of metadata", map[string]string{"v.yaml": strings.Replace(variant, "{name: v,", "{name: v, anotations: {a: b},", 1)}, []string{"error input/invalid v.yaml:3"}},
	} {
		found, _ := checkedWith(t, Options{Rendered: true}, tc.files, func(_, id string) bool { return id != "nothing-to-do" })
		slices.Sort(found)
		if !slices.Equal(found, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, found, tc.want)
		}
	}
}
