package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/kustomization"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/schema"
)

// Environments that share many pack directories cost no more than a bound.
func TestSharedEnvironments(t *testing.T) {
	files := map[string]string{}
	for i := range 150 {
		files[fmt.Sprintf("clusters/c%d/c.yaml", i)] = fmt.Sprintf(clusterNamed, "c")
		files[fmt.Sprintf("packs/p%d/pack.json", i)] = fmt.Sprintf(`{"name": "p%d", "version": "1.0.0"}`, i)
	}
	dir := folderOf(t, files)
	r, err := Run([]string{dir}, Options{Functions: []function.Function{schema.Function()}, Root: dir})
	if err != nil || !r.HasSkipped(report.Limit) {
		t.Errorf("%v: %+v", err, r.Skipped)
	}
}

// Outside of packages, each environment without one below it is checked with what is above it and what is
// in no environment.
func TestEnvironments(t *testing.T) {
	const (
		cluster = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
`
		override = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: o}
spec: {packRef: {name: web}, values: {a: 1}}
`
	)
	pack := func(name string) string {
		return `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: ` + name + "}\nspec: {version: 1.0.0, values: {a: 1}}\n"
	}
	directory := `{"name": "web", "version": "1.0.0"}`
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"clusters beside pack directories": {
			map[string]string{"clusters/dev/c.yaml": cluster, "clusters/prod/c.yaml": cluster, "packs/web/pack.json": directory},
			"clusters/dev: clusters/dev packs/web; clusters/prod: clusters/prod packs/web",
		},
		"clusters beside packs": {
			map[string]string{"clusters/dev/c.yaml": cluster, "clusters/prod/c.yaml": cluster, "packs/web.yaml": pack("web")},
			"clusters/dev: clusters/dev packs; clusters/prod: clusters/prod packs",
		},
		"five apps, each with pack and override": {
			map[string]string{"a/p.yaml": pack("web"), "a/o.yaml": override, "b/p.yaml": pack("web"), "b/o.yaml": override},
			"a: a; b: b",
		},
		"one ClusterContext above all": {
			map[string]string{"c.yaml": cluster, "a/p.yaml": pack("a"), "a/o.yaml": override, "b/p.yaml": pack("b")},
			"a: . a b",
		},
		"one ClusterContext above all, without overrides": {
			map[string]string{"c.yaml": cluster, "a/p.yaml": pack("a"), "b/p.yaml": pack("b")},
			".: . a b",
		},
		"no environment": {
			map[string]string{"a/p.yaml": pack("a"), "a/b/p.yaml": pack("b"), "d/p.yaml": pack("d")},
			"a/b: a/b a; d: d",
		},
		"packs of one name in no environment": {
			map[string]string{"e/c.yaml": cluster, "a/p.yaml": pack("web"), "b/p.yaml": pack("web"), "d/p.yaml": pack("d")},
			"e: e d; a: a; b: b",
		},
		"a pack in the environment and one beside it": {
			map[string]string{"e/o.yaml": override, "e/p.yaml": pack("web"), "b/p.yaml": pack("web")},
			"e: e; b: b",
		},
		"several versions": {
			map[string]string{"e/o.yaml": override, "packs/web-1/pack.json": directory, "packs/web-2/pack.json": `{"name": "web", "version": "2.0.0"}`},
			"e: e",
		},
		"only the pack that is named": {
			map[string]string{"e/o.yaml": override, "packs/web/pack.json": directory, "packs/other/pack.json": `{"name": "other", "version": "2.0.0"}`},
			"e: e packs/web",
		},
		"and what it requires": {
			map[string]string{"e/o.yaml": override, "packs/web/pack.json": `{"name": "web", "version": "1.0.0", "constraints": {"dependencies": [{"packName": "other", "type": "required"}]}}`, "packs/other/pack.json": `{"name": "other", "version": "2.0.0"}`},
			"e: e packs/web packs/other",
		},
		"the clusters of a fleet": {
			map[string]string{"fleet/a.yaml": cluster, "fleet/b.yaml": cluster, "e/o.yaml": override},
			"e: e; fleet: fleet",
		},
	} {
		dir := folderOf(t, tc.files)
		c, _, err := newChecker([]string{dir}, Options{Functions: []function.Function{schema.Function(), dependency.Function()}, Root: dir})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, s := range c.tree.Sets() {
			var dirs []string
			for _, one := range s.Sources {
				dirs = append(dirs, one.Dir)
			}
			got = append(got, s.Name+": "+strings.Join(dirs, " "))
		}
		if got := strings.Join(got, "; "); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, tc.want)
		}
		if isSkipped := c.report.HasSkipped(report.NoFacts); isSkipped != (name == "several versions") {
			t.Errorf("%s: %+v", name, c.report.Skipped)
		}
	}
}

// A function that check can run is not reported as a change that was left out.
// Which functions it can run depends on the list of functions.
func TestFunctionsOfKustomizations(t *testing.T) {
	c := &checker{checks: []function.Function{{Kind: "CheckDemo"}}}
	for kind, want := range map[string]bool{"CheckDemo": false, "ChangeDemo": true} {
		text := `transformers:
- |
  apiVersion: fn.kpt.dev/v1alpha1
  kind: ` + kind + `
  metadata: {name: a}
`
		k, err := kustomization.Parse("kustomization.yaml", []byte(text), c.isCheck)
		if err != nil {
			t.Fatal(err)
		}
		if changes := k.Changes["transformers"] != nil; changes != want {
			t.Errorf("%s changes what is checked: %v", kind, changes)
		}
	}
}
