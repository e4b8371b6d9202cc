package packfn

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// setFaults are the errors and warnings about the sets, with their lines.
func setFaults(file packfntest.Fleet) []string {
	var all []string
	for _, f := range file.Sets {
		if f.Severity != "info" {
			all = append(all, fmt.Sprintf("%s %s %s:%d %s", f.Severity, f.Rule, filepath.Base(f.File), f.Line, f.Field))
		}
	}
	return all
}

// What a set does in silence is told at its line: an injector that fits no point, a point
// that gets nothing in any cluster, a label that no Repository has.
func TestFleetSilentSets(t *testing.T) {
	const selector, injector = "matchLabels:\n          env: production", "nameExpr: repository.name"
	for name, tc := range map[string]struct {
		set, upstream []string // old and new
		want          []string
		words         string
	}{
		"right": {},
		"the annotation is lost": {
			upstream: []string{"kpt.dev/config-injection: required", "example.com/other: required"},
			want:     []string{"warning inject/unmatched set.yaml:30 spec.targets[0].template.injectors[0]"}, words: `ClusterContext "cluster" (cluster.yaml)`,
		},
		"an optional point without an object": {
			set: []string{injector, `nameExpr: repository.name + "-context"`}, upstream: []string{"injection: required", "injection: optional"},
			want: []string{"warning inject/unmatched set.yaml:30 spec.targets[0].template.injectors[0]"}, words: "-context",
		},
		"an injector of another kind": {
			set: []string{"kind: ClusterContext", "kind: ClusterContexts"}, upstream: []string{"injection: required", "injection: optional"},
			want: []string{"warning inject/unmatched set.yaml:30 spec.targets[0].template.injectors[0]"}, words: `did you mean "ClusterContext"?`,
		},
		"NotIn a label that is misspelt": {
			set:  []string{selector, "matchExpressions:\n          - {key: enviroment, operator: NotIn, values: [staging]}"},
			want: []string{"warning variant-set/unmatched set.yaml:16 spec.targets[0].repositorySelector.matchExpressions[0]"}, words: "env",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for from, to := range map[string]string{exampleSet: "set", exampleUpstream: "platform"} {
				if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(root, from))); err != nil {
					t.Fatal(err)
				}
			}
			edit(t, filepath.Join(dir, "platform/Kptfile"), func(text string) string { // Porch runs no exec, which is another warning
				return strings.ReplaceAll(text, "exec: ", "image: ghcr.io/krm-packs/")
			})
			for file, change := range map[string][]string{"set/set.yaml": tc.set, "platform/cluster.yaml": tc.upstream} {
				if change == nil {
					continue
				}
				text, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(text), change[0]) {
					t.Fatalf("%s has no %q", file, change[0])
				}
				write(t, filepath.Join(dir, file), strings.Replace(string(text), change[0], change[1], 1))
			}
			got := packfn(t, dir, "fleet", "--set", "set", "--upstream", "blueprints/platform=platform", "--format", "json")
			file := readFleet(t, got)
			if diff := cmp.Diff(tc.want, setFaults(file)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, f := range file.Sets {
				if f.Severity != "info" && f.Line != 29 && !strings.Contains(f.Message, tc.words) {
					t.Errorf("no %q in %s", tc.words, f.Message)
				}
			}
		})
	}
}

// Without PackageRevisions and Repositories there is one info, which says how to give them.
func TestFleetUnverified(t *testing.T) {
	dir := t.TempDir()
	set := "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: %s}\nspec:\n  upstream: {repo: b, package: p, workspaceName: v1}\n  targets:\n  - repositories: [{name: %s}]\n"
	write(t, filepath.Join(dir, "sets.yaml"), fmt.Sprintf(set, "a", "east")+"---\n"+fmt.Sprintf(set, "b", "west"))
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead)
	file := readFleet(t, packfn(t, dir, "fleet", "--set", "sets.yaml", "--upstream", "p", "--format", "json").want(t, 0))
	var found []packfntest.Finding
	for _, f := range file.Sets {
		if f.Rule == "variant-set/unverified" {
			found = append(found, f)
		}
	}
	if len(found) != 1 || found[0].Severity != "info" || !strings.Contains(found[0].Message, "--objects") {
		t.Errorf("got %+v", found)
	}
}

// A file that cannot be read is named with its line: it may have the set.
func TestFleetUnreadableSet(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "set/set.yaml"), "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: a}\nspec:\n  targets:\n  - name: x\n    - name: y\n")
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead)
	packfn(t, dir, "fleet", "--set", "set", "--upstream", "p").want(t, 2, "no PackageVariantSet", "set/set.yaml:7: ")
}

// Packages that overlap, and those in git's own files, are faults of their rows.
func TestFleetDownstreamPaths(t *testing.T) {
	dir := t.TempDir()
	variant := func(name, pkg string) string {
		return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: " + name + "}\nspec:\n  upstream: {repo: b, package: p, workspaceName: v1}\n  downstream: {repo: r, package: '" + pkg + "'}\n"
	}
	write(t, filepath.Join(dir, "v.yaml"), strings.Join([]string{
		variant("above", "p"), variant("below", "p/deep/sub"), variant("beside", "p2"), variant("same", "q/../q"), variant("same2", "q"),
		variant("git", "edge/.git"), variant("git2", "edge/.GiT. /x"), variant("hub", ".github"),
	}, "---\n"))
	write(t, filepath.Join(dir, "p/Kptfile"), kptfileHead)
	file := readFleet(t, packfn(t, dir, "fleet", "--set", "v.yaml", "--upstream", "p", "--format", "json", "--to", "out").want(t, 1))
	for _, p := range file.Packages {
		want := map[string][]string{
			"above": {"r/p ", "r/p/deep/sub", "below"}, "below": {"r/p/deep/sub", "r/p ", "above"}, "same": {"r/q", "same2"}, "same2": {"r/q", "same"},
			"git": {".git"}, "git2": {".GiT. "}, "beside": nil, "hub": nil,
		}[p.Variant]
		if (p.Outcome == packfntest.Deployable) != (want == nil) {
			t.Errorf("%s: %s", p.Variant, p.Outcome)
		}
		for _, word := range want {
			if !strings.Contains(p.Reason, word) {
				t.Errorf("%s: no %q in %q", p.Variant, word, p.Reason)
			}
		}
	}
	for name := range tree(t, filepath.Join(dir, "out")) {
		if strings.Contains(strings.ToLower(name), ".git/") || strings.HasPrefix(name, "r/p/") || strings.HasPrefix(name, "r/q/") {
			t.Errorf("%s is written", name)
		}
	}
}
