package fleet_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		want     []string
	}{
		"right": {variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-1"))}},
		"no injector": {
			variants: []string{variant("us-east-1", ""), variant("us-east-2", "")},
			want:     []string{"set/variants.yaml:5 spec no injector fits the injection point ClusterContext \"cluster\" (cluster.yaml)"},
		},
		"an injector of another kind": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-1")), variant("us-east-2", injector("Cluster", "us-east-2"))},
			want: []string{
				"set/variants.yaml:20 spec.injectors no injector fits the injection point",
				"set/variants.yaml:21 spec.injectors[0] ",
			},
		},
		"no object": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-9"))},
			want:     []string{"set/variants.yaml:9 spec.injectors[0] nothing is injected into the point"},
		},
		"an object for one of them": {
			variants: []string{variant("us-east-1", injector("ClusterContext", "us-east-9")), variant("us-east-2", injector("ClusterContext", "us-east-2"))},
		},
		"of a set that is not given": {
			variants: []string{strings.Replace(variant("us-east-1", ""), "spec:", "  annotations: {packs.kpt.dev/variant-set: other}\nspec:", 1)},
			want:     []string{"set/variants.yaml:6 spec no injector fits"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if err := os.Remove(w.path("set/set.yaml")); err != nil {
				t.Fatal(err)
			}
			w.write("set/variants.yaml", strings.Join(tc.variants, "---\n"))
			var got []string
			for _, f := range w.run(nil).Sets.Findings {
				if f.Rule == "inject/unmatched" {
					got = append(got, fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Field, f.Message))
				}
			}
			for i := range min(len(got), len(tc.want)) {
				if strings.HasPrefix(got[i], tc.want[i]) {
					got[i] = tc.want[i]
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
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
