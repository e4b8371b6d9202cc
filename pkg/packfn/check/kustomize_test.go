package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
)

const contextText = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: NAME}\nspec: {system: {kubernetes: {version: 1.31.0}}}\n"

// Many kustomizations that name the same ones cost no more than a bound.
func TestSharedKustomizations(t *testing.T) {
	for _, tc := range []struct {
		overlays, bases int
		ok              bool
	}{{10, 100, true}, {1000, 1, true}, {30_000, 0, true}, {300, 300, false}} {
		k := kustomizations{}
		var files []*kptpackage.File
		for i := range tc.bases {
			files = append(files, &kptpackage.File{Path: fmt.Sprintf("base/%d.yaml", i)})
		}
		for i := range tc.overlays {
			k.add(fmt.Sprintf("overlay-%d", i), []byte("resources: [../base]\n"))
		}
		k.add("base", nil)
		groups, ok := k.groups(files)
		total := 0
		for _, group := range groups {
			total += len(group)
		}
		if want := tc.overlays * tc.bases; ok != tc.ok || ok && total != want || !ok && total != tc.bases {
			t.Errorf("%+v: %d groups of %d files, %v", tc, len(groups), total, ok)
		}
	}
}

// The files of each kustomization are checked with those that it names, and apart from those of
// others.
func TestKustomizations(t *testing.T) {
	override := func(port string) string { return strings.Replace(valuesText, "8", port, 1) }
	context := func(name string) string { return strings.Replace(contextText, "NAME", name, 1) }
	overlays := map[string]string{
		"base/kustomization.yaml": "resources: [pack.yaml]\n", "base/pack.yaml": packNamed("a"),
		"dev/Kustomization": "bases: [../base]\nresources: [values.yaml, cluster.yaml]\ntransformers: [config.yaml]\n", "dev/values.yaml": override("4"), "dev/cluster.yaml": context("dev"), "dev/config.yaml": validatePackValues,
		"prod/kustomization.yml": "resources:\n- values.yaml\n- cluster.yaml\ncomponents: [../base/]\nvalidators: [config.yaml]\n", "prod/values.yaml": override("9"), "prod/cluster.yaml": context("prod"), "prod/config.yaml": validatePackValues,
	}
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"overlays", overlays, []string{"error values/format prod/values.yaml:4"}},
		{"a file of another folder", map[string]string{
			"a/kustomization.yaml": "resources: [../shared/values.yaml, pack.yaml]\n", "a/pack.yaml": packNamed("a"), "shared/values.yaml": override("9")},
			[]string{"error values/format shared/values.yaml:4"}},
		{"a folder below", map[string]string{
			"a/kustomization.yaml": "resources: [x/pack.yaml]\n", "a/x/pack.yaml": packNamed("a"), "a/y/values.yaml": override("9")},
			[]string{"error values/format a/y/values.yaml:4"}},
		{"kustomizations that name each other", map[string]string{
			"a/kustomization.yaml": "resources: [../b, .]\n", "a/pack.yaml": packNamed("a"), "b/kustomization.yaml": "resources: [../a]\n", "b/values.yaml": override("3")}, nil},
		{"kustomizations that name each other, and files of none", map[string]string{
			"a/kustomization.yaml": "resources: [../b]\n", "a/pack.yaml": packNamed("a"), "b/kustomization.yaml": "resources: [../a]\n", "b/values.yaml": override("3"), "c.yaml": override("9")},
			[]string{"error input/invalid c.yaml:4"}},
		{"one that cannot be read", map[string]string{
			"a/kustomization.yaml": "resources: [\n", "a/pack.yaml": packNamed("a"), "b/kustomization.yaml": "resources: a\n", "b/pack.yaml": packNamed("a")},
			[]string{"error values/format a/pack.yaml:7", "error values/format b/pack.yaml:7"}},
		{"files of none", map[string]string{"a/pack.yaml": packNamed("a"), "b/values.yaml": override("9")}, []string{"error values/format b/values.yaml:4"}},
		{"ClusterContexts of none", map[string]string{"a.yaml": context("a"), "b/b.yaml": context("b") + "---\n" + strings.Replace(context("c"), "kubernetes:", "kubernets:", 1)},
			[]string{"error input/invalid b/b.yaml:9"}},
		{"ClusterContexts and a functionConfig of none", map[string]string{"a.yaml": context("a"), "b.yaml": context("b"), "c.yaml": validatePackValues}, nil},
		{"ClusterContexts and a pack of none", map[string]string{"a.yaml": context("a"), "b.yaml": context("b"), "c.yaml": packNamed("a")}, []string{"error values/format c.yaml:7"}},
	} {
		found, notes := checked(t, Options{}, tc.files)
		if !slices.Equal(found, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, found, tc.want)
		}
		isUnused := slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, "2 ClusterContexts are outside of packages") })
		if isUnused != strings.HasSuffix(tc.name, "and a pack of none") {
			t.Errorf("%s: got %q", tc.name, notes)
		}
	}
}
