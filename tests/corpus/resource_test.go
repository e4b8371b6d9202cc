package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
)

// resourceTypes are the types of a capacity, each with the step by which tests
// change it.
var resourceTypes = map[string]resource.Quantity{
	"cpu":      resource.MustParse("1m"),
	"memory":   resource.MustParse("1"),
	"diskSize": resource.MustParse("1"),
}

// limits are what the minLimits of a pack.json ask for, read here by what they
// plainly say.
func limits(t *testing.T, p corpusPack) map[string]resource.Quantity {
	t.Helper()
	var metadata struct {
		Constraints struct {
			Resources []struct {
				Type     string
				MinLimit int64 `yaml:"minLimit"`
			}
		}
	}
	if err := yaml.Unmarshal([]byte(p.files["pack.json"]), &metadata); err != nil {
		t.Fatalf("%s: %v", p.name, err)
	}
	need := map[string]resource.Quantity{}
	for _, r := range metadata.Constraints.Resources {
		unit, known := map[string]string{"cpu": "m", "memory": "Mi", "diskSize": "G"}[r.Type]
		if !known {
			t.Errorf("%s asks for %s", p.name, r.Type)
		}
		sum := need[r.Type]
		sum.Add(resource.MustParse(fmt.Sprint(r.MinLimit, unit)))
		need[r.Type] = sum
	}
	return need
}

// pool is a ClusterContext with one worker pool of one node, which has what is
// needed, changed by some steps of one type.
func pool(need map[string]resource.Quantity, of string, steps int64) map[string]any {
	node := map[string]string{}
	for name := range resourceTypes {
		have := need[name].DeepCopy()
		if name == of {
			step := resourceTypes[name].DeepCopy()
			step.Mul(steps)
			have.Add(step)
		}
		node[name] = have.AsDec().String()
	}
	return map[string]any{
		"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "ClusterContext",
		"metadata": map[string]any{"name": "cluster"},
		"spec":     map[string]any{"machinePools": []any{map[string]any{"name": "workers", "role": "worker", "size": 1, "capacity": node}}},
	}
}

// lacking runs check-resources over a list, and returns the types that a pool
// lacks and everything else that is wrong.
func lacking(t *testing.T, items ...any) []string {
	t.Helper()
	read, err := list.Read(listOf(t, items...))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, r := range function.Evaluate(capacity.Function(), read).Results() {
		switch {
		case r.Severity == "info":
		case r.Tags["rule"] == "resources/insufficient":
			found = append(found, r.Tags["type"])
		default:
			found = append(found, r.Message)
		}
	}
	return found
}

// around checks items against pools of exactly what is needed, a step more and a
// step less.
func around(t *testing.T, need map[string]resource.Quantity, items ...any) {
	t.Helper()
	for of, amount := range need {
		for steps, want := range map[int64][]string{0: nil, 1: nil, -1: {of}} {
			if amount.IsZero() && steps < 0 {
				continue
			}
			got := lacking(t, append([]any{pool(need, of, steps)}, items...)...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d steps: -want +got:\n%s", of, steps, diff)
			}
		}
	}
}

// Every pack with resource constraints, alone and all of them together.
func TestResources(t *testing.T) {
	all := map[string]resource.Quantity{}
	var items []any
	for _, p := range packs(t) {
		need := limits(t, p)
		if len(need) == 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) { around(t, need, p.configMap()) })
		for of, amount := range need {
			sum := all[of]
			sum.Add(amount)
			all[of] = sum
		}
		items = append(items, p.configMap())
	}
	around(t, all, items...)
	t.Logf("%d packs with resource constraints", len(items))
}

// reference is a request among the values of a pack.
type reference struct {
	of, path string
	amount   resource.Quantity
}

// requests finds what the values of a pack request: `…requests.cpu` and
// `…requests.memory`.
func requests(n *yaml.Node, path []string) []reference {
	var found []reference
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		return requests(n.Content[0], nil)
	}
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for at := 0; at+1 < len(n.Content); at += 2 {
		key, value := n.Content[at].Value, n.Content[at+1]
		here := append(append([]string{}, path...), key)
		if _, known := resourceTypes[key]; known && len(path) > 0 && path[len(path)-1] == "requests" && value.Kind == yaml.ScalarNode {
			if amount, err := resource.ParseQuantity(value.Value); err == nil {
				found = append(found, reference{key, strings.Join(here, "."), amount})
			}
			continue
		}
		found = append(found, requests(value, here)...)
	}
	return found
}

// Every pack whose values request something, as if its pack.json referred to all
// of it: each request three times.
func TestRequests(t *testing.T) {
	count := 0
	for _, p := range packs(t) {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(p.files["values.yaml"]), &document); err != nil {
			continue // a template without quotes; other tests are about that
		}
		found := requests(&document, nil)
		if len(found) == 0 {
			continue
		}
		count += len(found)
		t.Run(p.name, func(t *testing.T) {
			need := map[string]resource.Quantity{}
			var resources []any
			for _, r := range found {
				resources = append(resources, map[string]any{"type": r.of, "components": []any{map[string]any{
					"resourceRequestParamRef": r.path, "replicaCountParamRef": "three", "scheduleType": "worker",
				}}})
				sum := need[r.of]
				for range 3 {
					sum.Add(r.amount)
				}
				need[r.of] = sum
			}
			around(t, need, map[string]any{
				"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "Pack", "metadata": map[string]any{"name": "pack"},
				"spec": map[string]any{"values": p.files["values.yaml"], "constraints": map[string]any{"resources": resources}},
			}, override("pack", "three: 3\n"))
		})
	}
	t.Logf("%d requests", count)
}
