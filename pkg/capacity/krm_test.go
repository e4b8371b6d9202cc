package capacity

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// evaluate runs the function over a list and returns the results, one line each:
// severity, resource, field, place, message. The list has to come back as it
// was.
func evaluate(t *testing.T, config, documents string) []string {
	t.Helper()
	text := functiontest.List(config, documents)
	output, outcome := functiontest.Evaluate(t, Function(), text)
	var results []string
	for _, r := range outcome.Results {
		where := ""
		if r.ResourceRef != nil {
			where = " " + r.ResourceRef.Kind + " " + r.ResourceRef.Name
		}
		if r.Field != nil {
			where += " " + r.Field.Path
		}
		if line := r.Tags["line"]; line != "" {
			where += ":" + line
		}
		fix := ""
		if r.Field != nil && r.Field.ProposedValue != nil {
			fix = fmt.Sprintf(" | %v → %v", r.Field.CurrentValue, r.Field.ProposedValue)
		}
		results = append(results, fmt.Sprintf("%s%s | %s%s", r.Severity, where, r.Message, fix))
	}
	if output != text {
		t.Errorf("the list was changed:\n%s", output)
	}
	return results
}

// without leaves the summaries out.
func without(results []string) []string {
	var left []string
	for _, r := range results {
		if !strings.HasSuffix(r, "[resources/summary]") {
			left = append(left, r)
		}
	}
	return left
}

// typed makes a Pack with resource constraints in flow style, and values.
func typed(name, resources, values string) string {
	text := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\nspec:\n  constraints: {resources: " + resources + "}\n"
	if values != "" {
		text += "  values: " + values + "\n"
	}
	return text
}

// cluster makes a ClusterContext of a spec in flow style.
func cluster(spec string) string {
	return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: " + spec + "\n"
}

const (
	oneWorker = "{machinePools: [{name: w, role: worker, size: 2, capacity: {cpu: 2, memory: 4Gi, diskSize: 50G}}]}"
	files     = `apiVersion: v1
kind: ConfigMap
metadata: {name: vault, annotations: {config.kubernetes.io/path: vault.yaml}}
data:
  pack.json: |
    {
      "name": "vault",
      "constraints": {"resources": [
        {"type": "cpu", "components": [
          {"resourceRequestParamRef": "server.cpu", "replicaCountParamRef": "server.replicas", "scheduleType": "worker"}
        ]}
      ]}
    }
  values.yaml: |
    server:
      cpu: 900m
      replicas: 5
`
)

func config(spec string) string {
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: CheckResources, metadata: {name: check}, spec: " + spec + "}"
}

func TestFunction(t *testing.T) {
	const nothing = "info | the list holds no packs: a pack is a ConfigMap with the key pack.json, or a Pack (packs.kpt.dev/v1alpha1); a selector of the function may hide it [nothing-to-do]"
	for _, tc := range []struct {
		name, config, items string
		want                []string
	}{
		{"enough", "", typed("a", "[{type: cpu, minLimit: 4000}]", "") + "---\n" + cluster(oneWorker), []string{
			`info ClusterContext c spec.machinePools[0] | pool "w" (2 nodes): packs need cpu 4000m of 4000m (100%), memory 0 of 8Gi (0%), diskSize 0 of 100G (0%) [resources/summary]`,
		}},
		{"files", "", files + "---\n" + cluster(oneWorker), []string{
			`error ClusterContext c spec.machinePools[0].size | pool "w" (2 nodes): cpu: packs need 4500m, but it has 4000m (2 × 2000m), 500m too little; most is asked by vault server.cpu (5 × 900m); 1 more node of this type would do (size 3) [resources/insufficient] | 2 → 3`,
		}},
		{"an override", "", files + "---\n" + cluster(oneWorker) + "---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: over}\nspec:\n  packRef: {name: vault}\n  values: {server: {replicas: two}}\n", []string{
			"error PackValues over spec.values.server.replicas | server.replicas: got text of 3 characters, want a number of replicas (spec.values) [resources/invalid]",
		}},
		{"no packs", "", cluster(oneWorker), []string{nothing}},
		{"packs without constraints", "", typed("a", "[]", "") + "---\n" + typed("b", "null", ""), []string{
			"info | none of the packs that are checked (2) has constraints.resources in its pack.json [nothing-to-do]",
		}},
		{"packs", config("{packs: [b]}"), typed("a", "[{type: cpu, minLimit: 9000}]", "") + "---\n" + typed("b", "[{type: cpu, minLimit: 1}]", "") + "---\n" + cluster(oneWorker), nil},
		{"an unknown pack", config("{packs: [valt]}"), files, []string{
			`error CheckResources check spec.packs[0] | spec.packs[0]: no pack is named "valt" (did you mean "vault"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`,
		}},
		{"no cluster", "", files, []string{
			`error | there are no machine pools, but packs ask cpu of the role worker (vault): add a pool of the role worker, or a control-plane pool that has schedulesWorkloads: true; machine pools stand in spec.machinePools of a ClusterContext (packs.kpt.dev/v1alpha1) or of CheckResources (fn.kpt.dev/v1alpha1), and a selector of the function may hide a ClusterContext [resources/no-pool]`,
		}},
		{"pools of the configuration", config("{machinePools: [{name: x, role: worker, size: 1, capacity: {cpu: 8}}]}"), files + "---\n" + cluster(oneWorker), nil},
		{"pools of the configuration that are too small", config("{machinePools: [{name: x, role: worker, size: 1, capacity: {cpu: 1}}]}"), files + "---\n" + cluster(oneWorker), []string{
			`error CheckResources check spec.machinePools[0].size | pool "x" (1 node): cpu: packs need 4500m, but it has 1000m (1 × 1000m), 3500m too little; most is asked by vault server.cpu (5 × 900m); 4 more nodes of this type would do (size 5) [resources/insufficient] | 1 → 5`,
		}},
		{"instance types of both", config("{instanceTypes: [{name: small, capacity: {cpu: 8}}]}"),
			files + "---\n" + cluster("{machinePools: [{name: a, role: worker, size: 1, instanceType: small}, {name: b, role: worker, size: 1, instanceType: large}], instanceTypes: [{name: small, capacity: {cpu: 1}}, {name: large, capacity: {cpu: 16}}]}"), nil},
		{"a faulty instance type of the cluster beside one of the configuration", config("{instanceTypes: [{name: small, capacity: {cpu: 8}}]}"),
			files + "---\n" + cluster("{machinePools: [{name: a, role: worker, size: 1, instanceType: small}], instanceTypes: [{name: small, capacity: {cpu: 1}}, {name: large, capacity: {cpu: x}}]}"), []string{
				"error ClusterContext c spec.instanceTypes[1].capacity.cpu | spec.instanceTypes[1].capacity.cpu: got text of 1 character, want a quantity of cores such as 500m or 1.5 [input/invalid]",
			}},
		{"two clusters", "", files + "---\n" + cluster(oneWorker) + "---\n" + strings.Replace(cluster(oneWorker), "name: c", "name: d", 1), []string{
			"error spec.clusterContext | the list holds 2 ClusterContexts (c, d); name the one that counts in spec.clusterContext [config/invalid]",
		}},
		{"one of two clusters", config("{clusterContext: d}"), typed("a", "[{type: cpu, minLimit: 4000}]", "") + "---\n" + cluster("{}") + "---\n" + strings.Replace(cluster(oneWorker), "name: c", "name: d", 1), nil},
		{"a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {packs: vault, severity: resources/insufficient=warning}}", files + "---\n" + cluster(oneWorker), []string{
			`warning ClusterContext c spec.machinePools[0].size | pool "w" (2 nodes): cpu: packs need 4500m, but it has 4000m (2 × 2000m), 500m too little; most is asked by vault server.cpu (5 × 900m); 1 more node of this type would do (size 3) [resources/insufficient] | 2 → 3`,
		}},
		{"packs of one name", "", typed("a", "[{type: cpu, minLimit: 3000}]", "") + "---\n" + strings.Replace(typed("b", "[{type: cpu, minLimit: 3000}]", ""), "spec:\n", "spec:\n  name: a\n", 1) + "---\n" + cluster(oneWorker), []string{
			`error ClusterContext c spec.machinePools[0].size | pool "w" (2 nodes): cpu: packs need 6000m, but it has 4000m (2 × 2000m), 2000m too little; most is asked by a (Pack a) minLimit (3000m), a (Pack b) minLimit (3000m); 1 more node of this type would do (size 3) [resources/insufficient] | 2 → 3`,
		}},
		{"a constraint of a Pack", "", typed("a", "[{type: cpus, minLimit: 1}]", "") + "---\n" + cluster(oneWorker), []string{
			`error Pack a spec.constraints.resources[0].type | spec.constraints.resources[0].type: got "cpus", want cpu, memory or diskSize (did you mean "cpu"?) [resources/invalid] | cpus → cpu`,
		}},
		{"constraints that are a list", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraints: [{type: cpu}]}\n", []string{
			"error Pack a spec.constraints | spec.constraints: got a list, want a mapping with resources and dependencies [resources/invalid]",
		}},
		{"resources that are misspelt", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraints: {Resources: [{type: cpu, minLimit: 9000}]}}\n", []string{
			`error Pack a spec.constraints.Resources | spec.constraints.Resources: unknown field (did you mean "resources"?) [resources/invalid]`,
		}},
		{"resources of a file that are misspelt", "", strings.Replace(files, `{"resources"`, `{"resuorces"`, 1) + "---\n" + cluster(oneWorker), []string{
			`error ConfigMap vault data[pack.json]:3 | constraints.resuorces: unknown field (did you mean "resources"?) (pack.json line 3) [resources/invalid]`,
		}},
		{"constraints that are misspelt", "", strings.Replace(files, `"constraints"`, `"constraint"`, 1) + "---\n" + cluster(oneWorker), []string{
			`error ConfigMap vault data[pack.json]:3 | constraint: unknown field (did you mean "constraints"?) (pack.json line 3) [resources/invalid]`,
		}},
		{"fields of the author's own that are nearly constraints", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraint: kubernetes >= 1.25}\n---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {constraints: {resource: small}}\n---\n" + strings.Replace(typed("c", "[{type: cpu, minLimit: 1, component: etcd}]", ""), "name: a", "name: c", 1) + "---\n" + cluster(oneWorker), nil},
		{"other constraints", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraints: {dependencies: [], sources: []}, resources: 5}\n", []string{
			"info | none of the packs that are checked (1) has constraints.resources in its pack.json [nothing-to-do]",
		}},
		{"several misspelt keys", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {contraints: {resources: [{type: cpu, minLimit: 1}]}}\n---\n" +
			strings.NewReplacer(`"resources"`, `"RESOURCE"`, "name: vault", "name: one").Replace(files) + "---\n" + strings.NewReplacer(`"resources"`, `"resuorces"`, `"constraints"`, `"constrains"`).Replace(files) + "---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {constraint: 1, constraints: {resource: 1, resources: []}}\n", []string{
			"error Pack a spec.contraints | spec.contraints: unknown field (did you mean \"constraints\"?) [resources/invalid]",
			"error ConfigMap one data[pack.json]:3 | constraints.RESOURCE: unknown field (did you mean \"resources\"?) (pack.json line 3) [resources/invalid]",
			"error ConfigMap vault data[pack.json]:3 | constrains: unknown field (did you mean \"constraints\"?) (pack.json line 3) [resources/invalid]",
		}},
		{"values that can not be read", "", strings.Replace(files, "cpu: 900m", "cpu: [", 1) + "---\n" + typed("b", "[{type: cpu, minLimit: 9000}]", "") + "---\n" + cluster(oneWorker), []string{
			`error ClusterContext c spec.machinePools[0].size | pool "w" (2 nodes): cpu: packs need 9000m, but it has 4000m (2 × 2000m), 5000m too little; most is asked by b minLimit (9000m); 3 more nodes of this type would do (size 5) [resources/insufficient] | 2 → 5`,
			`error ConfigMap vault data[values.yaml]:2 | values.yaml: can not be read as values: line 2: did not find expected ',' or ']'; the components of the pack "vault" are not counted until this is mended [input/invalid]`,
		}},
		{"values that nothing leads into are not read", "", strings.Replace(strings.Replace(files, "cpu: 900m", "cpu: [", 1), `"components": [`, `"minLimit": 1, "components": [], "note": [`, 1) + "---\n" + cluster(oneWorker), nil},
		{"faults of a pack whose values can not be read", "", strings.Replace(strings.Replace(files, "cpu: 900m", "cpu: [", 1), `"scheduleType": "worker"`, `"scheduleType": "wroker"`, 1) + "---\n" + cluster(oneWorker), []string{
			`error ConfigMap vault data[pack.json]:5 | constraints.resources[0].components[0].scheduleType: got "wroker", want master, worker or all (did you mean "worker"?) (pack.json line 5) [resources/invalid] | wroker → worker`,
			`error ConfigMap vault data[values.yaml]:2 | values.yaml: can not be read as values: line 2: did not find expected ',' or ']'; the components of the pack "vault" are not counted until this is mended [input/invalid]`,
		}},
		{"a pack.json that can not be read", "", strings.Replace(files, `"name": "vault"`, `"name" "vault"`, 1), []string{
			"error ConfigMap vault data[pack.json]:2 | pack.json can not be read: line 2, column 8: did not find expected ',' or '}' [input/invalid]",
		}},
		{"a pack.json that can not be read, and one without constraints", "", strings.Replace(files, `"name": "vault"`, `"name" "vault"`, 1) + "---\n" + typed("a", "[]", ""), []string{
			"error ConfigMap vault data[pack.json]:2 | pack.json can not be read: line 2, column 8: did not find expected ',' or '}' [input/invalid]",
		}},
		{"a pack.json without constraints", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{\"name\": \"a\"}'}\n---\n" + cluster(oneWorker), []string{
			"info | none of the packs that are checked (1) has constraints.resources in its pack.json [nothing-to-do]",
		}},
		{"a pack.json with escapes", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{\"name\": \"a\", \"constr\\u0061ints\": {\"resourc\\u0065s\": [{\"type\": \"cpu\"}]}}'}\n---\n" + cluster(oneWorker), []string{
			"error ConfigMap a data[pack.json]:1 | constraints.resources[0]: has neither a minLimit nor components: give one of them, minLimit being a number of millicores, without a unit (pack.json line 1) [resources/invalid]",
		}},
		{"resources that are no list", "", typed("a", "cpu", "") + "---\n" + typed("b", "{}", ""), []string{
			"error Pack a spec.constraints.resources | spec.constraints.resources: got text, want a list of resources, each with a type [resources/invalid]",
			"error Pack b spec.constraints.resources | spec.constraints.resources: got a mapping, want a list of resources, each with a type [resources/invalid]",
		}},
		{"faults of a second pack", "", typed("a", "[{type: cpu, minLimit: 1}]", "") + "---\n" + typed("b", "[{type: cpu, minLimit: 1m}]", "") + "---\n" + cluster(oneWorker), []string{
			`error Pack b spec.constraints.resources[0].minLimit | spec.constraints.resources[0].minLimit: got the text "1m", want a number of millicores, without a unit (did you mean 1?) [resources/invalid] | 1m → 1`,
		}},
		{"two clusters, and a fault of a pack", "", typed("b", "[{type: cpu, minLimit: 1}, {type: cpu}]", "") + "---\n" + cluster(oneWorker) + "---\n" + strings.Replace(cluster(oneWorker), "name: c", "name: d", 1), []string{
			"error Pack b spec.constraints.resources[1] | spec.constraints.resources[1]: has neither a minLimit nor components: give one of them, minLimit being a number of millicores, without a unit [resources/invalid]",
			"error spec.clusterContext | the list holds 2 ClusterContexts (c, d); name the one that counts in spec.clusterContext [config/invalid]",
		}},
		{"a cluster without a pool of the role", "", typed("a", "[{type: cpu, minLimit: 1}]", "") + "---\n" + cluster("{machinePools: [{name: m, role: master, schedulesWorkloads: 'no', size: 1, capacity: {cpu: 1}}]}"), []string{
			`error ClusterContext c spec.machinePools | no machine pool has the role worker, but packs ask cpu of it (a): add a pool of the role worker, or a control-plane pool that has schedulesWorkloads: true; machine pools stand in spec.machinePools of a ClusterContext (packs.kpt.dev/v1alpha1) or of CheckResources (fn.kpt.dev/v1alpha1) [resources/no-pool]`,
			"error ClusterContext c spec.machinePools[0].schedulesWorkloads | spec.machinePools[0].schedulesWorkloads: got text, want true or false [input/invalid]",
		}},
		{"a configuration without a pool of the role", config("{machinePools: [{name: m, role: master, size: 1, capacity: {cpu: 1}}]}"), typed("a", "[{type: cpu, minLimit: 1}]", ""), []string{
			`error CheckResources check spec.machinePools | no machine pool has the role worker, but packs ask cpu of it (a): add a pool of the role worker, or a control-plane pool that has schedulesWorkloads: true; machine pools stand in spec.machinePools of a ClusterContext (packs.kpt.dev/v1alpha1) or of CheckResources (fn.kpt.dev/v1alpha1), and a selector of the function may hide a ClusterContext [resources/no-pool]`,
		}},
		{"pools of the configuration that can not be read", config("{machinePools: none}"), typed("a", "[{type: cpu, minLimit: 1}]", ""), []string{
			"error CheckResources check spec.machinePools | spec.machinePools: got text, want a list [config/invalid]",
		}},
		{"pools of the configuration, of a faulty instance type of the cluster", config("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}]}"), typed("a", "[{type: cpu, minLimit: 1}]", "") + "---\n" + cluster("{instanceTypes: [{name: m5, capacity: {cpu: four}}]}"), []string{
			"error ClusterContext c spec.instanceTypes[0].capacity.cpu | spec.instanceTypes[0].capacity.cpu: got text of 4 characters, want a quantity of cores such as 500m or 1.5 [input/invalid]",
		}},
		{"an unknown instance type", "", typed("a", "[{type: cpu, minLimit: 1}, {type: memory, minLimit: 1}, {type: diskSize, minLimit: 1}]", "") + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5.larg}, {name: x, role: worker, size: 1}], instanceTypes: [{name: m5.large, capacity: {cpu: 1}}]}"), []string{
			`error ClusterContext c spec.machinePools[0].instanceType | spec.machinePools[0].instanceType: no instance type is named "m5.larg" (did you mean "m5.large"?); known are m5.large: add it to instanceTypes, or give the pool a capacity [input/invalid]`,
			"error ClusterContext c spec.machinePools[1].instanceType | spec.machinePools[1].instanceType: the pool has neither an instanceType nor a capacity: give one of them [input/invalid]",
		}},
		{"pools without names", "", typed("a", "[{type: cpu, minLimit: 1}]", "") + "---\n" + cluster("{machinePools: [{role: worker, size: 1, capacity: {cpu: 1}}, {role: worker, size: 1, capacity: {cpu: 1}}]}"), []string{
			"error ClusterContext c spec.machinePools[0].name | spec.machinePools[0].name: is required [input/invalid]",
			"error ClusterContext c spec.machinePools[1].name | spec.machinePools[1].name: is required [input/invalid]",
		}},
		{"reserved, and the capacity is not known", "", typed("a", "[{type: cpu, minLimit: 1}]", "") + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1}, reserved: {memory: 1Gi}}]}"), nil},
		{"items in the cluster", "", typed("a", "[{type: cpu, minLimit: 1}]", "") + "---\n" + strings.Replace(typed("b", "[{type: cpu, minLimit: 9000}]", ""), "{name: b}", "{name: b, annotations: {packs.kpt.dev/source: cluster}}", 1) + "---\n" + cluster(oneWorker) + "---\n" + strings.Replace(cluster("{machinePools: []}"), "{name: c}", "{name: d, annotations: {packs.kpt.dev/source: cluster}}", 1), nil},
		{"a key twice", "", files + "      cpu: 1\n---\n" + cluster(oneWorker), []string{
			"error ConfigMap vault data[values.yaml]:4 | server.cpu: the key stands on line 2 and again on line 4; remove one, so that it is certain which one counts (values.yaml) [input/invalid]",
			`error ClusterContext c spec.machinePools[0].size | pool "w" (2 nodes): cpu: packs need 5000m, but it has 4000m (2 × 2000m), 1000m too little; most is asked by vault server.cpu (5 × 1000m); 1 more node of this type would do (size 3) [resources/insufficient] | 2 → 3`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := evaluate(t, tc.config, tc.items)
			if tc.name != "enough" {
				got = without(got)
			}
			if diff := cmp.Diff(sorted(tc.want), sorted(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Where nothing is asked there is no summary.
func TestNoSummary(t *testing.T) {
	got := evaluate(t, "", typed("a", "[]", "")+"---\n"+cluster(oneWorker))
	want := []string{"info | none of the packs that are checked (1) has constraints.resources in its pack.json [nothing-to-do]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Results carry what programs look for: the pack and the place in it, the pool
// and the amounts.
func TestTags(t *testing.T) {
	list := functiontest.List("", files+"      # and\n---\n"+typed("a", "[{type: cpus, minLimit: 1}]", "")+"---\n"+cluster(oneWorker))
	_, outcome := functiontest.Evaluate(t, Function(), list)
	var got []map[string]string
	for _, r := range outcome.Results {
		got = append(got, r.Tags)
	}
	want := []map[string]string{
		{"rule": "resources/insufficient", "pool": "w", "type": "cpu", "need": "4500m", "have": "4000m", "short": "500m"},
		{"rule": "resources/summary", "pool": "w", "cpu.need": "4500m", "cpu.have": "4000m", "cpu.share": "113%", "memory.need": "0", "memory.have": "8Gi", "memory.share": "0%", "diskSize.need": "0", "diskSize.have": "100G", "diskSize.share": "0%"},
		{"rule": "resources/invalid", "pack": "a", "key": "constraints.resources[0].type"},
	}
	less := cmpopts.SortSlices(func(a, b map[string]string) bool { return a["rule"] < b["rule"] })
	if diff := cmp.Diff(want, got, less); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// One malformed field hides neither the others nor what is asked of the pools,
// and is reported once.
func TestFaultyPools(t *testing.T) {
	const more = ", {name: good, role: worker, size: 1, capacity: {cpu: 1}}"
	short := func(index int) string {
		return fmt.Sprintf(`ClusterContext c spec.machinePools[%d].size | pool "good" (1 node): cpu: packs need 2000m, but it has 1000m (1 × 1000m), 1000m too little; most is asked by a minLimit (2000m); 1 more node of this type would do (size 2) [resources/insufficient] | 1 → 2`, index)
	}
	for _, tc := range []struct {
		name, pool string
		want       []string
	}{
		{"no size", "{name: w, role: worker, capacity: {cpu: 4}}", []string{"ClusterContext c spec.machinePools[0].size | spec.machinePools[0].size: is required: the number of nodes, with autoscaling the least [input/invalid]"}},
		{"a size of text", "{name: w, role: worker, size: '3', capacity: {cpu: 4}}", []string{"ClusterContext c spec.machinePools[0].size | spec.machinePools[0].size: got text, want a whole number [input/invalid]"}},
		{"a negative size", "{name: w, role: worker, size: -1, capacity: {cpu: 4}}", []string{"ClusterContext c spec.machinePools[0].size | spec.machinePools[0].size: got -1, want the number of nodes, 0 or more [input/invalid]"}},
		{"no nodes", "{name: w, role: worker, size: 0, capacity: {cpu: 4}}", []string{`ClusterContext c spec.machinePools[0].size | pool "w" (0 nodes): cpu: packs need 2000m, but it has 0 (0 × 4000m), 2000m too little; most is asked by a minLimit (2000m); 1 more node of this type would do (size 1) [resources/insufficient] | 0 → 1`}},
		{"nodes of nothing", "{name: w, role: worker, size: 1, capacity: {cpu: 0}}", []string{`ClusterContext c spec.machinePools[0].size | pool "w" (1 node): cpu: packs need 2000m, but it has 0 (1 × 0), 2000m too little; most is asked by a minLimit (2000m); more nodes do not help, since nothing is left of one: choose larger nodes (capacity.cpu) [resources/insufficient]`}},
		{"no capacity", "{name: w, role: worker, size: 1}", []string{"ClusterContext c spec.machinePools[0].instanceType | spec.machinePools[0].instanceType: the pool has neither an instanceType nor a capacity: give one of them [input/invalid]"}},
		{"a capacity of the wrong kind", "{name: w, role: worker, size: 1, capacity: 4}", []string{"ClusterContext c spec.machinePools[0].capacity | spec.machinePools[0].capacity: got a number, want a mapping [input/invalid]"}},
		{"an unknown instance type", "{name: w, role: worker, size: 1, instanceType: m5}", []string{`ClusterContext c spec.machinePools[0].instanceType | spec.machinePools[0].instanceType: no instance type is named "m5"; none are given: add it to instanceTypes, or give the pool a capacity [input/invalid]`}},
		{"no role", "{name: w, size: 9, capacity: {cpu: 4}}", []string{"ClusterContext c spec.machinePools[0].role | spec.machinePools[0].role: is required: worker or control-plane [input/invalid]"}},
		{"another role", "{name: w, role: wroker, size: 9, capacity: {cpu: 4}}", []string{`ClusterContext c spec.machinePools[0].role | spec.machinePools[0].role: got "wroker", want worker, control-plane or master (did you mean "worker"?) [input/invalid]`}},
		{"one name", "{name: good, role: worker, size: 1, capacity: {cpu: 2}}", []string{`ClusterContext c spec.machinePools[1].name | spec.machinePools[1].name: the pool "good" stands twice (machinePools[0] too); give one of them another name [input/invalid]`}},
		{"no entry", "null", []string{"ClusterContext c spec.machinePools[0] | spec.machinePools[0]: got nothing: fill the entry or remove it [input/invalid]"}},
		{"no quantity", "{name: w, role: worker, size: 1, capacity: {cpu: four, memory: 1Gi}}", []string{"ClusterContext c spec.machinePools[0].capacity.cpu | spec.machinePools[0].capacity.cpu: got text of 4 characters, want a quantity of cores such as 500m or 1.5 [input/invalid]"}},
		{"a hostile quantity", "{name: w, role: worker, size: 1, capacity: {cpu: 1e999999999}}", []string{"ClusterContext c spec.machinePools[0].capacity.cpu | spec.machinePools[0].capacity.cpu: got a number that is far beyond any machine, want a quantity of cores such as 500m or 1.5 [input/invalid]"}},
		{"a negative quantity", "{name: w, role: worker, size: 1, capacity: {cpu: -4}}", []string{"ClusterContext c spec.machinePools[0].capacity.cpu | spec.machinePools[0].capacity.cpu: got -4, want a quantity of cores such as 500m or 1.5, 0 or more [input/invalid]"}},
		{"reserved what is no quantity", "{name: w, role: worker, size: 1, capacity: {cpu: 1}, reserved: {cpu: some}}", []string{"ClusterContext c spec.machinePools[0].reserved.cpu | spec.machinePools[0].reserved.cpu: got text of 4 characters, want a quantity of cores such as 500m or 1.5 [input/invalid]"}},
		{"reserved more than there is", "{name: w, role: worker, size: 1, capacity: {cpu: 1}, reserved: {cpu: 1001m}}", []string{"ClusterContext c spec.machinePools[0].reserved.cpu | spec.machinePools[0].reserved.cpu: got 1001m, which is more than a node has (1000m) [input/invalid]"}},
		{"an amount that is not known", "{name: w, role: worker, size: 1, capacity: {memory: 1Gi}}", []string{`ClusterContext c spec.machinePools[0].capacity | pool "w" (1 node): cpu: packs need 2000m, but it is not known how much its nodes have: add cpu to the capacity of the pool or of its instance type [resources/insufficient]`}},
		{"an odd unit", "{name: w, role: worker, size: 1, capacity: {cpu: 4, memory: 256m}}", []string{"ClusterContext c spec.machinePools[0].capacity.memory | spec.machinePools[0].capacity.memory: got 256m, which is thousandths of bytes (did you mean 256Mi?) [resources/suspicious-unit] | 256m → 256Mi"}},
		{"a node in millicores", "{name: w, role: worker, size: 1, capacity: {cpu: 4000}}", []string{"ClusterContext c spec.machinePools[0].capacity.cpu | spec.machinePools[0].capacity.cpu: got 4000, which is whole cores, more than nodes have (did you mean 4000m?) [resources/suspicious-unit] | 4000 → 4000m"}},
		{"a large machine", "{name: w, role: worker, size: 1, capacity: {cpu: 448}}", nil},
		{"reserved in millicores", "{name: w, role: worker, size: 1, capacity: {cpu: 448}, reserved: {cpu: 200}}", []string{"ClusterContext c spec.machinePools[0].reserved.cpu | spec.machinePools[0].reserved.cpu: got 200, which is whole cores, more than most nodes have (did you mean 200m?) [resources/suspicious-unit] | 200 → 200m"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := without(evaluate(t, "", typed("a", "[{type: cpu, minLimit: 2000}]", "")+"---\n"+cluster("{machinePools: ["+tc.pool+more+"]}")))
			for i, line := range got {
				_, got[i], _ = strings.Cut(line, " ")
			}
			if diff := cmp.Diff(sorted(append(tc.want, short(1))), sorted(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The same faults in the functionConfig are faults of the configuration.
func TestFaultyPoolsOfConfig(t *testing.T) {
	got := without(evaluate(t, config("{machinePools: [{name: w, size: three, capacity: {cpu: x}}], instanceTypes: [{capacity: {cpu: 4}}, {name: a, capacity: {memory: 16GB}}, {name: a}]}"), files))
	want := []string{
		`error CheckResources check spec.instanceTypes[0].name | spec.instanceTypes[0].name: is required [config/invalid]`,
		`error CheckResources check spec.instanceTypes[1].capacity.memory | spec.instanceTypes[1].capacity.memory: got a number and "GB", which is no unit of Kubernetes, want a quantity of bytes such as 512Mi or 2Gi (did you mean 16G?) [config/invalid] | 16GB → 16G`,
		`error CheckResources check spec.instanceTypes[2].name | spec.instanceTypes[2].name: the instance type "a" stands twice, and the first counts; remove one [config/invalid]`,
		`error CheckResources check spec.machinePools[0].capacity.cpu | spec.machinePools[0].capacity.cpu: got text of 1 character, want a quantity of cores such as 500m or 1.5 [config/invalid]`,
		`error CheckResources check spec.machinePools[0].role | spec.machinePools[0].role: is required: worker or control-plane [config/invalid]`,
		`error CheckResources check spec.machinePools[0].size | spec.machinePools[0].size: got text, want a whole number [config/invalid]`,
	}
	if diff := cmp.Diff(want, sorted(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What a reference leads to by mistake is not shown.
func TestSecrets(t *testing.T) {
	const secret = "hunter2-S3cr3t"
	items := typed("a", "[{type: cpu, components: [{resourceRequestParamRef: token}, {resourceRequestParamRef: cpu, replicaCountParamRef: token}, {resourceRequestParamRef: macro}]}]",
		"{token: "+secret+", cpu: 1, macro: '{{ .spectro.var.X | default \""+secret+"\" }}'}") + "---\n" + cluster(oneWorker)
	got := evaluate(t, "", items)
	if len(got) < 4 {
		t.Errorf("only %d results: %q", len(got), got)
	}
	if all := strings.Join(got, "\n"); strings.Contains(all, "hunter2") {
		t.Errorf("the secret is shown:\n%s", all)
	}
}

// sorted makes results comparable whatever their order.
func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return lines
}
