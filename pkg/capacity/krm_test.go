package capacity

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "capacity")) }

// evaluate runs the function over a list, which must come back as it was.
func evaluate(t *testing.T, config, documents string) []diag.Finding {
	t.Helper()
	list := functiontest.List(config, documents)
	output, outcome := functiontest.Evaluate(t, Function(), list)
	if output != list {
		t.Errorf("the list was changed:\n%s", output)
	}
	return slices.DeleteFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule == rule.ResourcesSummary })
}

// findings is evaluate with messages that are in the golden list.
func findings(t *testing.T, config, documents string) []diag.Finding {
	t.Helper()
	functiontest.Run(t, Function(), config, documents)
	return evaluate(t, config, documents)
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
	for _, tc := range []struct {
		name, config, items string
		want                []string
	}{
		{"enough", "", typed("a", "[{type: cpu, minLimit: 4000}]", "") + "---\n" + cluster(oneWorker), nil},
		{"files", "", files + "---\n" + cluster(oneWorker), []string{
			`error resources/insufficient ClusterContext/c spec.machinePools[0].size now=2 propose=3 have=4000m need=4500m pool=w short=500m type=cpu`,
		}},
		{"an override", "", files + "---\n" + cluster(oneWorker) + "---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: over}\nspec:\n  packRef: {name: vault}\n  values: {server: {replicas: two}}\n", []string{
			`error resources/invalid PackValues/over spec.values.server.replicas key=server.replicas got="a string of 3 characters" want="an integer from 0 to 2147483647 (number of replicas)" pack=vault`,
		}},
		{"no packs", "", cluster(oneWorker), []string{
			`info nothing-to-do`,
		}},
		{"packs without constraints", "", typed("a", "[]", "") + "---\n" + typed("b", "null", ""), []string{
			`info nothing-to-do`,
		}},
		{"packs", config("{packs: [b]}"), typed("a", "[{type: cpu, minLimit: 9000}]", "") + "---\n" + typed("b", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster(oneWorker), nil},
		{"an unknown pack", config("{packs: [valt]}"), files, []string{
			`error config/invalid CheckResources/check spec.packs[0] no="pack named \"valt\"" want=vault near=vault`,
		}},
		{"no cluster", "", files, []string{
			`error resources/no-pool role=worker`,
		}},
		{"a cluster without pools", "", files + "---\n" + cluster("{}"), []string{
			`error resources/no-pool ClusterContext/c spec.machinePools role=worker`,
		}},
		{"pools of the configuration", config("{machinePools: [{name: x, role: worker, size: 1, capacity: {cpu: 8}}]}"), files + "---\n" + cluster(oneWorker), nil},
		{"pools of the configuration that are too small", config("{machinePools: [{name: x, role: worker, size: 1, capacity: {cpu: 1}}]}"), files + "---\n" + cluster(oneWorker), []string{
			`error resources/insufficient CheckResources/check spec.machinePools[0].size now=1 propose=5 have=1000m need=4500m pool=x short=3500m type=cpu`,
		}},
		{"instance types of both", config("{instanceTypes: [{name: small, capacity: {cpu: 8}}]}"),
			files + "---\n" + cluster("{machinePools: [{name: a, role: worker, size: 1, instanceType: small}, {name: b, role: worker, size: 1, instanceType: large}], instanceTypes: [{name: small, capacity: {cpu: 1}}, {name: large, capacity: {cpu: 16}}]}"), nil},
		{"a faulty instance type of the cluster beside one of the configuration", config("{instanceTypes: [{name: small, capacity: {cpu: 8}}]}"),
			files + "---\n" + cluster("{machinePools: [{name: a, role: worker, size: 1, instanceType: small}], instanceTypes: [{name: small, capacity: {cpu: 1}}, {name: large, capacity: {cpu: x}}]}"), []string{
				`error input/invalid ClusterContext/c spec.instanceTypes[1].capacity.cpu got="a string of 1 character" want="a quantity of cores such as 500m or 1.5"`,
			}},
		{"two clusters", "", files + "---\n" + cluster(oneWorker) + "---\n" + strings.Replace(cluster(oneWorker), "name: c", "name: d", 1), []string{
			`error config/invalid spec.clusterContext`,
		}},
		{"one of two clusters", config("{clusterContext: d}"), typed("a", "[{type: cpu, minLimit: 4000}]", "") + "---\n" + cluster("{}") + "---\n" + strings.Replace(cluster(oneWorker), "name: c", "name: d", 1), nil},
		{"a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {packs: vault, severity: resources/insufficient=warning}}", files + "---\n" + cluster(oneWorker), []string{
			`warning resources/insufficient ClusterContext/c spec.machinePools[0].size now=2 propose=3 have=4000m need=4500m pool=w short=500m type=cpu`,
		}},
		{"packs of one name", "", typed("a", "[{type: cpu, minLimit: 3000}]", "") + "---\n" + strings.Replace(typed("b", "[{type: cpu, minLimit: 3000}]", ""), "spec:\n", "spec:\n  name: a\n", 1) + "---\n" + cluster(oneWorker), []string{
			`error resources/insufficient ClusterContext/c spec.machinePools[0].size now=2 propose=3 have=4000m need=6000m pool=w short=2000m type=cpu`,
		}},
		{"a constraint of a Pack", "", typed("a", "[{type: cpus, minLimit: 1}]", "") + "---\n" + cluster(oneWorker), []string{
			`error resources/invalid Pack/a spec.constraints.resources[0].type key=constraints.resources[0].type got="\"cpus\"" want="cpu, memory or diskSize" near=cpu now=cpus propose=cpu pack=a`,
		}},
		{"constraints that are a list", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraints: [{type: cpu}]}\n", []string{
			`error resources/invalid Pack/a spec.constraints key=constraints got="a list" want="a map with dependencies and resources" pack=a`,
		}},
		{"resources that are misspelt", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraints: {Resources: [{type: cpu, minLimit: 9000}]}}\n", []string{
			`error resources/invalid Pack/a spec.constraints.Resources key=constraints.Resources unknown="field \"Resources\"" near=resources pack=a`,
		}},
		{"resources of a file that are misspelt", "", strings.Replace(files, `{"resources"`, `{"resuorces"`, 1) + "---\n" + cluster(oneWorker), []string{
			`error resources/invalid ConfigMap/vault vault.yaml#0 data[pack.json] key=constraints.resuorces at=3:19 unknown="field \"resuorces\"" near=resources pack=vault`,
		}},
		{"constraints that are misspelt", "", strings.Replace(files, `"constraints"`, `"constraint"`, 1) + "---\n" + cluster(oneWorker), []string{
			`error resources/invalid ConfigMap/vault vault.yaml#0 data[pack.json] key=constraint at=3:3 unknown="field \"constraint\"" near=constraints pack=vault`,
		}},
		{"fields of the author's own that are nearly constraints", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraint: kubernetes >= 1.25}\n---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {constraints: {resource: small}}\n---\n" + strings.Replace(typed("c", "[{type: cpu, minLimit: 16, component: etcd}]", ""), "name: a", "name: c", 1) + "---\n" + cluster(oneWorker), nil},
		{"other constraints", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {constraints: {dependencies: [], sources: []}, resources: 5}\n", []string{
			`info nothing-to-do`,
		}},
		{"resources in capitals", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{\"name\": \"a\", \"constraints\": {\"RESOURCES\": [{\"type\": \"cpu\"}]}}'}\n", []string{
			`error resources/invalid ConfigMap/a data[pack.json] key=constraints.RESOURCES at=1:31 unknown="field \"RESOURCES\"" near=resources pack=a`,
		}},
		{"a misspelt reference", "", strings.Replace(files, "server.replicas", "server.repilcas", 1) + "---\n" + cluster(oneWorker), []string{
			`warning resources/unresolved-ref ConfigMap/vault vault.yaml#0 data[pack.json] key=constraints.resources[0].components[0].replicaCountParamRef at=5:73 no="value named \"server.repilcas\"" near=server.replicas pack=vault`,
		}},
		{"several misspelt keys", "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {contraints: {resources: [{type: cpu, minLimit: 16}]}}\n---\n" +
			strings.NewReplacer(`"resources"`, `"RESOURCE"`, "name: vault", "name: one").Replace(files) + "---\n" + strings.NewReplacer(`"resources"`, `"resuorces"`, `"constraints"`, `"constrains"`).Replace(files) + "---\n" +
			"apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: b}\nspec: {constraint: 1, constraints: {resource: 1, resources: []}}\n", []string{
			`error resources/invalid Pack/a spec.contraints key=contraints unknown="field \"contraints\"" near=constraints pack=a`,
			`error resources/invalid ConfigMap/one vault.yaml#0 data[pack.json] key=constraints.RESOURCE at=3:19 unknown="field \"RESOURCE\"" near=resources pack=vault`,
			`error resources/invalid ConfigMap/vault vault.yaml#0 data[pack.json] key=constrains at=3:3 unknown="field \"constrains\"" near=constraints pack=vault`,
		}},
		{"values that cannot be read", "", strings.Replace(files, "cpu: 900m", "cpu: [", 1) + "---\n" + typed("b", "[{type: cpu, minLimit: 9000}]", "") + "---\n" + cluster(oneWorker), []string{
			`error input/invalid ConfigMap/vault vault.yaml#0 data[values.yaml] at=3:14 pack=vault`,
			`error resources/insufficient ClusterContext/c spec.machinePools[0].size now=2 propose=5 have=4000m need=9000m pool=w short=5000m type=cpu`,
		}},
		{"values that nothing leads into are not read", "", strings.Replace(strings.Replace(files, "cpu: 900m", "cpu: [", 1), `"components": [`, `"minLimit": 16, "components": [], "note": [`, 1) + "---\n" + cluster(oneWorker), nil},
		{"faults of a pack whose values cannot be read", "", strings.Replace(strings.Replace(files, "cpu: 900m", "cpu: [", 1), `"scheduleType": "worker"`, `"scheduleType": "wroker"`, 1) + "---\n" + cluster(oneWorker), []string{
			`error input/invalid ConfigMap/vault vault.yaml#0 data[values.yaml] at=3:14 pack=vault`,
			`error resources/invalid ConfigMap/vault vault.yaml#0 data[pack.json] key=constraints.resources[0].components[0].scheduleType at=5:108 got="\"wroker\"" want="worker, master, control-plane or all" near=worker now=wroker propose=worker pack=vault`,
		}},
		{"a pack.json that cannot be read", "", strings.Replace(files, `"name": "vault"`, `"name" "vault"`, 1), []string{
			`error input/invalid ConfigMap/vault vault.yaml#0 data[pack.json] at=2:10`,
		}},
		{"a pack.json that cannot be read, and one without constraints", "", strings.Replace(files, `"name": "vault"`, `"name" "vault"`, 1) + "---\n" + typed("a", "[]", ""), []string{
			`error input/invalid ConfigMap/vault vault.yaml#0 data[pack.json] at=2:10`,
		}},
		{"a pack.json without constraints", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{\"name\": \"a\"}'}\n---\n" + cluster(oneWorker), []string{
			`info nothing-to-do`,
		}},
		{"a pack.json with escapes", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{\"name\": \"a\", \"constr\\u0061ints\": {\"\\u0072esourc\\u0065s\": [{\"type\": \"cpu\"}]}}'}\n---\n" + cluster(oneWorker), []string{
			`error resources/invalid ConfigMap/a data[pack.json] key=constraints.resources[0] at=1:60 pack=a`,
		}},
		{"resources that are not a list", "", typed("a", "cpu", "") + "---\n" + typed("b", "{}", ""), []string{
			`error resources/invalid Pack/a spec.constraints.resources key=constraints.resources got="a string" want="a list of entries with type, minLimit and components" pack=a`,
			`error resources/invalid Pack/b spec.constraints.resources key=constraints.resources got="a map" want="a list of entries with type, minLimit and components" pack=b`,
		}},
		{"faults of a second pack", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + typed("b", "[{type: cpu, minLimit: 1m}]", "") + "---\n" + cluster(oneWorker), []string{
			`error resources/invalid Pack/b spec.constraints.resources[0].minLimit key=constraints.resources[0].minLimit got="\"1m\"" want="a number of millicores" now=1m propose=1 pack=b`,
		}},
		{"two clusters, and a fault of a pack", "", typed("b", "[{type: cpu, minLimit: 16}, {type: cpu}]", "") + "---\n" + cluster(oneWorker) + "---\n" + strings.Replace(cluster(oneWorker), "name: c", "name: d", 1), []string{
			`error config/invalid spec.clusterContext`,
			`error resources/invalid Pack/b spec.constraints.resources[1] key=constraints.resources[1] pack=b`,
		}},
		{"a cluster without a pool of the role", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster("{machinePools: [{name: m, role: master, schedulesWorkloads: 'no', size: 1, capacity: {cpu: 1}}]}"), []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].schedulesWorkloads got="a string" want="true or false"`,
			`error resources/no-pool ClusterContext/c spec.machinePools role=worker`,
		}},
		{"a configuration without a pool of the role", config("{machinePools: [{name: m, role: master, size: 1, capacity: {cpu: 1}}]}"), typed("a", "[{type: cpu, minLimit: 16}]", ""), []string{
			`error resources/no-pool CheckResources/check spec.machinePools role=worker`,
		}},
		{"pools of the configuration that cannot be read", config("{machinePools: none}"), typed("a", "[{type: cpu, minLimit: 16}]", ""), []string{
			`error config/invalid CheckResources/check spec.machinePools got="a string" want="a list"`,
		}},
		{"pools of the configuration, of a faulty instance type of the cluster", config("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}]}"), typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster("{instanceTypes: [{name: m5, capacity: {cpu: four}}]}"), []string{
			`error input/invalid ClusterContext/c spec.instanceTypes[0].capacity.cpu got="a string of 4 characters" want="a quantity of cores such as 500m or 1.5"`,
		}},
		{"unknown and missing instance types", "", typed("a", "[{type: cpu, minLimit: 16}, {type: memory, minLimit: 16}, {type: diskSize, minLimit: 1}]", "") + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5.larg}, {name: x, role: worker, size: 1}], instanceTypes: [{name: m5.large, capacity: {cpu: 1}}]}"), []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].instanceType no="instance type named \"m5.larg\"" want=m5.large near=m5.large pool=w`,
			`error input/invalid ClusterContext/c spec.machinePools[1].instanceType missing= want="an instance type" pool=x`,
		}},
		{"instance types of one name", "", files + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}], instanceTypes: [{name: m5, capacity: {cpu: 8}}, {name: m5, capacity: {cpu: 1}}]}"), []string{
			`error input/invalid ClusterContext/c spec.instanceTypes[1].name`,
		}},
		{"machine pools that are misspelt", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster("{machinePool: []}"), []string{
			`error input/invalid ClusterContext/c spec.machinePool unknown="field \"machinePool\"" want="system, variables, macros, properties, constraints, machinePools or instanceTypes" near=machinePools`,
		}},
		{"a machine pool that a ConfigMap cannot hold", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {machinePools: w}}", typed("a", "[{type: cpu, minLimit: 16}]", ""), []string{
			`error config/invalid ConfigMap/c data.machinePools`,
		}},
		{"pools without names", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster("{machinePools: [{role: worker, size: 1, capacity: {cpu: 1}}, {role: worker, size: 1, capacity: {cpu: 1}}]}"), []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].name missing=`,
			`error input/invalid ClusterContext/c spec.machinePools[1].name missing=`,
		}},
		{"instance types without names", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster("{instanceTypes: [{capacity: {cpu: 1}}, {name: ok, capacity: {cpu: 1}}], machinePools: [{name: w, role: worker, size: 1, instanceType: ok}]}"), []string{
			`error input/invalid ClusterContext/c spec.instanceTypes[0].name missing=`,
		}},
		{"reserved, and the capacity is unknown", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1}, reserved: {memory: 1Gi}}]}"), nil},
		{"items in the cluster", "", typed("a", "[{type: cpu, minLimit: 16}]", "") + "---\n" + strings.Replace(typed("b", "[{type: cpu, minLimit: 9000}]", ""), "{name: b}", "{name: b, annotations: {packs.kpt.dev/source: cluster}}", 1) + "---\n" + cluster(oneWorker) + "---\n" + strings.Replace(cluster("{machinePools: []}"), "{name: c}", "{name: d, annotations: {packs.kpt.dev/source: cluster}}", 1), nil},
		{"values that are not UTF-8", "", strings.Replace(files, "values.yaml: |", "ignored: |", 1) + "binaryData: {values.yaml: 6Q==}\n---\n" + cluster(oneWorker), []string{
			`error input/invalid ConfigMap/vault vault.yaml#0 binaryData[values.yaml] got="a file that is not UTF-8: byte 0xE9 at offset 0, on line 1 of the file" want="a string in UTF-8"`,
		}},
		{"a duplicate key", "", files + "      cpu: 1\n---\n" + cluster(oneWorker), []string{
			`error resources/insufficient ClusterContext/c spec.machinePools[0].size now=2 propose=3 have=4000m need=5000m pool=w short=1000m type=cpu`,
			`error values/duplicate-key ConfigMap/vault vault.yaml#0 data[values.yaml] key=server.cpu at=4:3 duplicate-of=2:3 pack=vault`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, functiontest.Facts(findings(t, tc.config, tc.items))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A message says what is taken off a node only if something is.
func TestReservedInMessages(t *testing.T) {
	for reserved, want := range map[string]string{"": "(1 × 1000m)", ", reserved: {cpu: 0}": "(1 × 1000m)", ", reserved: {cpu: 200m}": "(1 × 800m after 200m reserved)"} {
		items := typed("a", "[{type: cpu, minLimit: 4000}]", "") + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1}"+reserved+"}]}")
		found := evaluate(t, "", items)
		if len(found) != 1 || !strings.Contains(found[0].Message(), want) {
			t.Errorf("%q: got %v, want %s", reserved, found, want)
		}
	}
}

// The author of a pack wrote its pack.json and the constraints of a Pack, but not the values:
// tools change only these.
func TestAuthored(t *testing.T) {
	for _, tc := range []struct{ items, path string }{
		{typed("a", "[{type: cpus, minLimit: 1}]", ""), "spec.constraints.resources[0].type"},
		{strings.Replace(files, `"constraints"`, `"constraint"`, 1), "data[pack.json]"},
		{strings.Replace(files, `"cpu"`, `"cpus"`, 1), "data[pack.json]"},
		{strings.Replace(files, "cpu: 900m", "cpu: 900mb", 1), ""},
		{typed("a", "[{type: cpu, components: [{resourceRequestParamRef: cpu}]}]", "{cpu: 900mb}"), ""},
	} {
		var paths []string
		for _, f := range evaluate(t, "", tc.items+"---\n"+cluster(oneWorker)) {
			if f.Rule == rule.ResourcesInvalid && f.Origin.Authored {
				paths = append(paths, f.Path())
			}
		}
		if got := strings.Join(paths, " "); got != tc.path {
			t.Errorf("%s\ngot %q, want %q", tc.items, got, tc.path)
		}
	}
}

// A value that a reference leads to by mistake is not shown.
func TestSecrets(t *testing.T) {
	const secret = "hunter2-S3cr3t"
	items := typed("a", "[{type: cpu, components: [{resourceRequestParamRef: token}, {resourceRequestParamRef: cpu, replicaCountParamRef: token}, {resourceRequestParamRef: macro}]}]",
		"{token: "+secret+", cpu: 1, macro: '{{ .spectro.var.X | default \""+secret+"\" }}'}") + "---\n" + cluster(oneWorker)
	got := findings(t, "", items)
	if len(got) != 3 {
		t.Errorf("got %d findings: %v", len(got), got)
	}
	for _, f := range got {
		if all := fmt.Sprint(f.Message(), f); strings.Contains(all, "hunter2") {
			t.Errorf("the secret is shown: %s", all)
		}
	}
}
