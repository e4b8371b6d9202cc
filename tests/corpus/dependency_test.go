package corpus

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// packDependency is an entry of constraints.dependencies as the standard library
// reads it.
type packDependency struct {
	PackName, Layer, MinVersion, MaxVersion, Type string
}

// dependencies are those of a pack.
func (p corpusPack) dependencies(t *testing.T) []packDependency {
	t.Helper()
	var metadata struct {
		Constraints struct{ Dependencies []packDependency }
	}
	if err := json.Unmarshal([]byte(p.files["pack.json"]), &metadata); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return metadata.Constraints.Dependencies
}

// version is the version that pack.json gives.
func (p corpusPack) version(t *testing.T) string {
	t.Helper()
	var metadata struct{ Version string }
	if err := json.Unmarshal([]byte(p.files["pack.json"]), &metadata); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	return metadata.Version
}

// checkDependencies runs check-dependencies over a list and returns what it finds, each as
// its rule, the pack that requires another one and the path in its pack.json.
func checkDependencies(t *testing.T, items ...any) []string {
	t.Helper()
	_, outcome := functiontest.Evaluate(t, dependency.Function(), string(listOf(t, items...)))
	var found []string
	for _, f := range outcome.Findings {
		if f.Rule == rule.InternalPanic || f.Rule == rule.InputInvalid {
			t.Error(f.Message())
		}
		by, key := f.Pack, f.Key
		if path := f.Tags["dependency"]; path != "" {
			by, key = f.Tags["requirer"], path
		}
		found = append(found, fmt.Sprintf("%s %s %s", f.Rule.ID, by, key))
	}
	return found
}

// partner is a pack of a name, layer and version.
func partner(d packDependency, version string) map[string]any {
	spec := map[string]any{"name": d.PackName, "version": version}
	if d.Layer != "" {
		spec["layer"] = d.Layer
	}
	return map[string]any{
		"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "Pack",
		"metadata": map[string]any{"name": "partner"}, "spec": spec,
	}
}

// Each dependency of each pack is met by a partner at its bounds, and not by one
// beyond them.
func TestEachDependency(t *testing.T) {
	tested := 0
	all := packs(t)
	for _, p := range all {
		for i, d := range p.dependencies(t) {
			if d.Type == "upgrade" {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", p.name, i), func(t *testing.T) {
				key := fmt.Sprintf(" constraints.dependencies[%d]", i)
				about := func(version string) []string {
					items := []any{p.configMap()}
					if version != "" {
						items = append(items, partner(d, version))
					}
					return slices.DeleteFunc(checkDependencies(t, items...), func(line string) bool { return !strings.Contains(line, key) })
				}
				check := func(version, want string) {
					var expected []string
					if want != "" {
						rule, field, _ := strings.Cut(want, " ")
						expected = []string{rule + " " + p.packName(t) + key + field}
					}
					if diff := cmp.Diff(expected, about(version), cmpopts.EquateEmpty()); diff != "" {
						t.Errorf("%+v with %q: -want +got:\n%s", d, version, diff)
					}
				}
				missing := ""
				if d.Type == "required" {
					missing = "dependency/missing .packName"
				}
				check("", missing)
				if d.MinVersion != "" {
					check(d.MinVersion, "")
					check("v"+d.MinVersion+"+build.5", "")
					check("0.0.1", "dependency/below-min .minVersion")
					check(d.MinVersion+"-alpha.1", "dependency/below-min .minVersion")
				}
				if d.MaxVersion != "" {
					check(d.MaxVersion, "")
					check("999.0.0", "dependency/above-max .maxVersion")
					if strings.Count(d.MaxVersion, ".") == 1 {
						check(d.MaxVersion+".99", "")
						check(d.MaxVersion+".4-eks-7f9249a", "")
					}
				}
				if d.MinVersion == "" && d.MaxVersion == "" {
					check("anything", "")
				}
				tested++
			})
		}
	}
	if all != nil && tested < 50 {
		t.Errorf("tested %d dependencies", tested)
	}
}

// One profile of all packs: every dependency is checked against every pack of its
// name, as a second look at the files says it.
func TestAllPacksAsOneProfile(t *testing.T) {
	all := packs(t)
	if all == nil {
		return
	}
	var items []any
	present := map[string]bool{}
	for _, p := range all {
		items = append(items, p.configMap())
		present[p.packName(t)] = true
	}
	want := map[string]int{}
	seen := map[string]bool{}
	for _, p := range all {
		if name := p.packName(t); seen[name] { // a profile takes one version of a pack
			want["pack/duplicate "+name+" "]++
		} else {
			seen[name] = true
		}
		for i, d := range p.dependencies(t) {
			if d.Type == "required" && !present[d.PackName] {
				want[fmt.Sprintf("dependency/missing %s constraints.dependencies[%d].packName", p.packName(t), i)]++
			}
		}
	}
	got := map[string]int{}
	for _, line := range checkDependencies(t, items...) {
		if strings.HasPrefix(line, "dependency/missing ") || strings.HasPrefix(line, "pack/duplicate ") {
			got[line]++
		} else if !strings.HasPrefix(line, "dependency/below-min elastic-stack ") {
			// Stacks of several versions meet operators of several versions.
			t.Errorf("did not expect %s", line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The version of every pack is read, and lies within bounds that are its own.
func TestVersionsOfPacks(t *testing.T) {
	for _, p := range packs(t) {
		if found := checkDependencies(t, partner(packDependency{PackName: p.packName(t)}, p.version(t)), map[string]any{
			"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "Pack", "metadata": map[string]any{"name": "needs"},
			"spec": map[string]any{"name": "needs-it", "constraints": map[string]any{"dependencies": []any{
				map[string]any{"packName": p.packName(t), "minVersion": p.version(t), "maxVersion": p.version(t), "type": "required"},
			}}},
		}); len(found) > 0 {
			t.Errorf("%s: %s %s: %v", p.name, p.packName(t), p.version(t), found)
		}
	}
}
