package fleet_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
)

// Points and injectors of PackageVariants without a set that do not meet are reported at
// their lines, as for sets, and once for those that differ only in names.
func TestSilentVariants(t *testing.T) {
	variant := func(name, more string) string {
		return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: " + name +
			"\nspec:\n  upstream: {repo: blueprints, package: platform, workspaceName: v3}\n  downstream: {repo: " + name + ", package: platform}\n" + more
	}
	injector := func(kind, name string) string {
		return "  injectors:\n  - kind: " + kind + "\n    group: packs.kpt.dev\n    name: " + name + "\n"
	}
	for name, tc := range map[string]struct {
		variants []string
		// upstream is the annotation of the upstream's resource, that of a point by default.
		upstream string
		want     []string
	}{
		"no annotation": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-1"))}, upstream: "x: y",
			want: []string{`set/variants.yaml:9 spec.injectors[0] fits no injection point of blueprints/platform@v3. Annotate ClusterContext "cluster" (cluster.yaml) with kpt.dev/config-injection: required`},
		},
		"no point": {
			variants: []string{variant("us-east-1", injector("Cluster", "us-east-1"))}, upstream: "x: y",
			want: []string{"set/variants.yaml:9 spec.injectors[0] fits no injection point of blueprints/platform@v3, which has none"},
		},
		"an injector of any kind, and no point": {
			variants: []string{variant("us-east-1", "  injectors:\n  - name: us-east-1\n")}, upstream: "x: y",
			want: []string{"set/variants.yaml:9 spec.injectors[0] fits no injection point of blueprints/platform@v3, which has none"},
		},
		"right": {variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-1"))}},
		"no injector": {
			variants: []string{variant("us-east-1", ""), variant("us-east-2", "")},
			want:     []string{`set/variants.yaml:5 spec no injector fits the injection point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3 (and in 1 PackageVariant more). Add one, or remove the annotation kpt.dev/config-injection`},
		},
		"an injector of another kind": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-1")), variant("us-east-2", injector("Cluster", "us-east-2"))},
			want:     []string{`set/variants.yaml:20 spec.injectors no injector fits the injection point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3. Add one, or remove the annotation kpt.dev/config-injection`, `set/variants.yaml:21 spec.injectors[0] fits no injection point of blueprints/platform@v3. Available: ClusterContext "cluster" (cluster.yaml)`},
		},
		"no object": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-9"))},
			want:     []string{`set/variants.yaml:9 spec.injectors[0] nothing is injected into the point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3: no ClusterContext exists that an injector names, such as "us-east-9". Add the object, or correct the injector or its namespace`},
		},
		"an object for one of them": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-9")), variant("us-east-2", injector("ClusterContext", "us-east-2"))},
		},
		"of a set that is not given": {
			variants: []string{strings.Replace(variant("us-east-1", ""), "spec:", "  annotations: {packs.kpt.dev/variant-set: other}\nspec:", 1)},
			want:     []string{`set/variants.yaml:6 spec no injector fits the injection point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3. Add one, or remove the annotation kpt.dev/config-injection`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if err := os.Remove(w.path("set/set.yaml")); err != nil {
				t.Fatal(err)
			}
			w.write("set/variants.yaml", strings.Join(tc.variants, "---\n"))
			if tc.upstream != "" {
				w.edit("upstream/cluster.yaml", "kpt.dev/config-injection: required", tc.upstream)
			}
			for _, like := range fleet.Likes {
				var got []string
				for _, f := range w.run(func(o *fleet.Options) { o.Like = like }).Sets.Findings {
					if f.Rule == "inject/unmatched" {
						if f.Fingerprint == "" {
							t.Errorf("%s: the report is not finished", like)
						}
						got = append(got, fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Field, f.Message))
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", like, diff)
				}
			}
		})
	}
}

// Those of a set are reported once, at the set.
func TestSilentSet(t *testing.T) {
	for name, tc := range map[string]struct{ old, new, want string }{
		"right":                      {"env: production", "env: production", ""},
		"another kind":               {"kind: ClusterContext", "kind: Cluster", "set/set.yaml:29 spec.targets[0].template.injectors no injector fits the injection point ClusterContext \"cluster\" (cluster.yaml) of blueprints/platform@v3. Add one, or remove the annotation kpt.dev/config-injection\nset/set.yaml:30 spec.targets[0].template.injectors[0] fits no injection point of blueprints/platform@v3. Available: ClusterContext \"cluster\" (cluster.yaml)"},
		"no injectors":               {"injectors:", "injectors: []\n        x:", `set/set.yaml:17 spec.targets[0].template no injector fits the injection point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3. Add one, or remove the annotation kpt.dev/config-injection`},
		"objects that are not there": {"nameExpr: repository.name", `nameExpr: '"none"'`, `set/set.yaml:30 spec.targets[0].template.injectors[0] nothing is injected into the point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3: no ClusterContext exists that an injector names, such as "none". Add the object, or correct the injector or its namespace`},
		"no template":                {"template:", "x:", `set/set.yaml:13 spec.targets no injector fits the injection point ClusterContext "cluster" (cluster.yaml) of blueprints/platform@v3. Add one, or remove the annotation kpt.dev/config-injection`},
	} {
		w := newWorld(t)
		w.edit("set/set.yaml", tc.old, tc.new)
		var got []string
		for _, f := range w.run(nil).Sets.Findings {
			if f.Rule == "inject/unmatched" {
				got = append(got, fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Field, f.Message))
			}
			if f.Fingerprint == "" {
				t.Errorf("%s: %s has no fingerprint", name, f.Rule)
			}
		}
		if diff := cmp.Diff(tc.want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of the facts of clusters, which no set selects, those that cannot be read are reported.
func TestUnreadableFacts(t *testing.T) {
	w := newWorld(t)
	w.write("set/broken.yaml", "kind: ClusterContext\nmetadata:\n  name: x\n")
	var got []string
	for _, f := range w.run(nil).Sets.Findings {
		if f.Rule == "input/invalid" {
			got = append(got, fmt.Sprintf("%s:%d", f.File, f.Line))
		}
	}
	if diff := cmp.Diff([]string{"set/broken.yaml:1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
