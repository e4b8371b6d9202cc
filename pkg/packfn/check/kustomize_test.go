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
		k := &tree{checker: &checker{}, dir: t.TempDir(), kustomizations: kustomizations{}, isGenerating: map[string]bool{}}
		base := ""
		for i := range tc.bases {
			name := fmt.Sprintf("base/%d.yaml", i)
			k.files = append(k.files, &kptpackage.File{Path: name})
			base += fmt.Sprintf("- %d.yaml\n", i)
		}
		for i := range tc.overlays {
			k.kustomizations.add(fmt.Sprintf("overlay-%d/kustomization.yaml", i), []byte("resources: [../base]\n"))
		}
		k.kustomizations.add("base/kustomization.yaml", []byte("resources:\n"+base))
		sets, left := k.readKustomizations()
		total := 0
		for _, s := range sets {
			for _, one := range s.sources {
				total += len(one.files)
			}
		}
		if want := tc.overlays * tc.bases; (len(left) == 0) != tc.ok || tc.ok && total != want || !tc.ok && len(left) != tc.bases {
			t.Errorf("%+v: %d sets of %d files, %d left", tc, len(sets), total, len(left))
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
			[]string{"error values/format a/x/pack.yaml:7"}},
		{"kustomizations that name each other", map[string]string{
			"a/kustomization.yaml": "resources: [../b, ., pack.yaml]\n", "a/pack.yaml": packNamed("a"), "b/kustomization.yaml": "resources: [../a, values.yaml]\n", "b/values.yaml": override("3")}, nil},
		{"kustomizations that name each other, and files of none", map[string]string{
			"a/kustomization.yaml": "resources: [../b, pack.yaml]\n", "a/pack.yaml": packNamed("a"), "b/kustomization.yaml": "resources: [../a, values.yaml]\n", "b/values.yaml": override("3"), "c.yaml": override("9")}, nil},
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

// A ConfigMap that kustomize generates of a pack's files is a pack, and one that it merges into it
// changes that. What check does not apply is said in one line.
func TestGenerators(t *testing.T) {
	pack := map[string]string{
		"packs/a/pack.json": `{"name": "a", "version": "1.0.0"}`, "packs/a/values.yaml": "port: 3\n", "packs/a/schema.yaml": "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
	}
	const generator = "configMapGenerator:\n- name: a\n  files: [packs/a/pack.json, packs/a/values.yaml, schema.yaml=packs/a/schema.yaml]\n"
	const merge = "resources: [..]\nconfigMapGenerator:\n- name: a\n  behavior: BEHAVIOR\n  files: [values.yaml=port.yaml]\n"
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
		note  string
	}{
		{"a pack that is generated", map[string]string{
			"kustomization.yaml": generator + "resources: [values.yaml]\n", "values.yaml": overrideOf("v", "a", "cluster", "9")},
			[]string{"error values/format values.yaml:4"}, ""},
		{"values that are merged", map[string]string{
			"kustomization.yaml": generator, "prod/kustomization.yaml": strings.Replace(merge, "BEHAVIOR", "merge", 1), "prod/port.yaml": "# ours\nport: 9\n"},
			[]string{"error values/format prod/port.yaml:2"}, ""},
		{"values that are generated, for a pack", map[string]string{
			"kustomization.yaml": generator + "- name: v\n  options: {annotations: {packs.kpt.dev/values-of: a}}\n  files: [values.yaml=mine.yaml]\n", "mine.yaml": "port: 9\n"},
			[]string{"error values/format mine.yaml:1"}, ""},
		{"a component", map[string]string{
			"base/kustomization.yaml": "resources: [a.yaml]\n", "base/a.yaml": packNamed("a"),
			"big/kustomization.yaml": "kind: Component\nresources: [v.yaml]\n", "big/v.yaml": overrideOf("v", "a", "cluster", "9"),
			"small/kustomization.yaml": "kind: Component\nresources: [v.yaml]\n", "small/v.yaml": overrideOf("v", "a", "cluster", "4"),
			"dev/kustomization.yaml": "resources: [../base]\ncomponents: [../small]\n", "prod/kustomization.yaml": "resources: [../base]\ncomponents: [../big]\n"},
			[]string{"error values/format big/v.yaml:4"}, ""},
		{"patches of a pack", map[string]string{
			"kustomization.yaml": "namePrefix: x-\nresources: [a.yaml]\npatches:\n- target: {kind: Pack}\n  patch: '- {op: remove, path: /spec}'\n", "a.yaml": goodPack("a", "")},
			nil, "not applied: kustomization.yaml (namePrefix, patches); kustomize build with the functions as transformers checks the result"},
		{"patches of others", map[string]string{
			"kustomization.yaml": "resources: [a.yaml]\npatches:\n- target: {kind: Deployment}\n  path: x.yaml\n- patch: |\n    apiVersion: apps/v1\n    kind: StatefulSet\n    metadata: {name: x}\n", "a.yaml": goodPack("a", "")},
			nil, ""},
		{"functions", map[string]string{
			"kustomization.yaml": "resources: [a.yaml]\ntransformers:\n- v.yaml\n- |\n  apiVersion: fn.kpt.dev/v1alpha1\n  kind: CheckResources\n  metadata: {name: c}\n", "v.yaml": validatePackValues, "a.yaml": goodPack("a", "")},
			nil, ""},
		{"functions that change resources", map[string]string{
			"kustomization.yaml": "resources: [a.yaml]\ntransformers: [m.yaml]\n", "m.yaml": "apiVersion: fn.kpt.dev/v1alpha1\nkind: ResolveMacros\nmetadata: {name: m}\n", "a.yaml": goodPack("a", "")},
			nil, "not applied: kustomization.yaml (functions); kustomize"},
		{"a remote base", map[string]string{
			"kustomization.yaml": "resources:\n- a.yaml\n- https://example.com/a?ref=v1\n", "a.yaml": packNamed("a")},
			[]string{"error values/format a.yaml:7"}, "not applied: kustomization.yaml (https://example.com/a?ref=v1); kustomize"},
		{"names of what is not there", map[string]string{
			"kustomization.yaml": "resources: [a.yaml, b.yaml, ../c]\n", "a.yaml": packNamed("a")},
			[]string{"error values/format a.yaml:7"}, "kustomization.yaml names b.yaml, which is not there"},
		{"a base that uses itself", map[string]string{
			"kustomization.yaml": "resources: [., a.yaml]\n", "a.yaml": packNamed("a")},
			[]string{"error values/format a.yaml:7"}, ""},
		{"an overlay of a package", map[string]string{
			"p/Kptfile": kptfileHead, "p/a.yaml": goodPack("a", ""), "site/kustomization.yaml": "resources: [../p/a.yaml, v.yaml]\n", "site/v.yaml": overrideOf("v", "a", "cluster", "9")},
			[]string{"error values/format site/v.yaml:4"}, ""},
	} {
		for name, text := range pack {
			if strings.Contains(tc.files["kustomization.yaml"], "packs/") {
				tc.files[name] = text
			}
		}
		found, notes := checked(t, Options{}, tc.files)
		if text := strings.Join(notes, "\n"); !slices.Equal(found, tc.want) || !strings.Contains(text, tc.note) || tc.note == "" && strings.Contains(text, "not applied") {
			t.Errorf("%s: got %q and %q", tc.name, found, notes)
		}
	}
}
