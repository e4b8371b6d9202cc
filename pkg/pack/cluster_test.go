package pack

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

func TestLoadCluster(t *testing.T) {
	p := load(t, "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: cluster-01}
spec:
  system:
    cluster: {name: cluster-01, uid: 0x1f}
    kubernetes: {version: 1.30}
    clusterprofile.infra.name: dotted
    reverseproxy: {port: null}
  variables: {NUMBER: 000123456789, QUOTED: "1.30", FLAG: yes, EMPTY: ""}
  macros: {proxy: http://proxy}
  properties: [{type: olm.k8s, value: {version: "1.30"}}]
  constraints: [{type: olm.constraint, value: {}}]
  machinePools:
  - name: workers
    role: worker
    size: 3
    instanceType: m5.xlarge
    reserved: {cpu: 200m, memory: 1Gi}
  - name: masters
    role: control-plane
    schedulesWorkloads: true
    capacity: {cpu: 4, memory: 16Gi, diskSize: 60Gi}
  instanceTypes:
  - {name: m5.xlarge, capacity: {cpu: "4", memory: 16Gi, diskSize: 60Gi}}
`)
	if len(p.Faults) > 0 || p.Cluster == nil {
		t.Fatalf("got no cluster: %q", p.Faults)
	}
	three := int64(3)
	want := &ClusterContext{
		Resource: function.Resource{APIVersion: GroupVersion, Kind: "ClusterContext", Name: "cluster-01"},
		System: Facts{
			"cluster.name": "cluster-01", "cluster.uid": "0x1f", "kubernetes.version": "1.30",
			"clusterprofile.infra.name": "dotted",
		},
		Variables: map[string]Text{"NUMBER": "000123456789", "QUOTED": "1.30", "FLAG": "yes", "EMPTY": ""},
		Macros:    map[string]Text{"proxy": "http://proxy"},
		MachinePools: []MachinePool{
			{Name: "workers", Role: "worker", Size: &three, InstanceType: "m5.xlarge", Reserved: Capacity{CPU: "200m", Memory: "1Gi"}},
			{Name: "masters", Role: "control-plane", SchedulesWorkloads: true, Capacity: Capacity{CPU: "4", Memory: "16Gi", DiskSize: "60Gi"}},
		},
		InstanceTypes: []InstanceType{{Name: "m5.xlarge", Capacity: Capacity{CPU: "4", Memory: "16Gi", DiskSize: "60Gi"}}},
	}
	ignore := []cmp.Option{cmpopts.IgnoreFields(ClusterContext{}, "Properties", "Constraints"), cmpopts.IgnoreUnexported(function.Resource{})}
	if diff := cmp.Diff(want, p.Cluster, ignore...); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for want, got := range map[string][]*yaml.Node{"olm.k8s": p.Cluster.Properties, "olm.constraint": p.Cluster.Constraints} {
		if len(got) != 1 || values.Text(values.Field(got[0], "type")) != want {
			t.Errorf("%s was not kept", want)
		}
	}
}

func TestLoadClusterChoice(t *testing.T) {
	context := func(name string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: " + name + "}\nspec: {}\n"
	}
	const config = "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {clusterContext: "
	for _, tc := range []struct {
		name, config, items string
		want                string // the context's name
		faults              []string
	}{
		{"none", "", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "", nil},
		{"one", "", context("east"), "east", nil},
		{"two", "", context("west") + "---\n" + context("east"), "", []string{
			"- spec.clusterContext | the list holds 2 ClusterContexts (east, west); name the one that counts in spec.clusterContext [config/invalid]",
		}},
		{"two, with a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {}}", context("west") + "---\n" + context("east"), "", []string{
			"ConfigMap c data.clusterContext | the list holds 2 ClusterContexts (east, west); name the one that counts in data.clusterContext [config/invalid]",
		}},
		{"two of one name", "", context("east") + "---\n" + context("east"), "", []string{
			`- spec.clusterContext | spec.clusterContext: the list holds 2 ClusterContexts of the name "east"; give each a name of its own, or remove all but one [config/invalid]`,
		}},
		{"two of the name that is given", config + "east}}", context("east") + "---\n" + context("west") + "---\n" + context("east"), "", []string{
			`Probe c spec.clusterContext | spec.clusterContext: the list holds 2 ClusterContexts of the name "east"; give each a name of its own, or remove all but one [config/invalid]`,
		}},
		{"the one that is named", config + "east}}", context("west") + "---\n" + context("east"), "east", nil},
		{"one, and it is named", config + "west}}", context("west"), "west", nil},
		{"an unknown name", config + "eest}}", context("west") + "---\n" + context("east"), "", []string{
			`Probe c spec.clusterContext | spec.clusterContext: no ClusterContext is named "eest" (did you mean "east"?); if it is in the package, a selector of the function may hide it [config/invalid]`,
		}},
		{"a name, and none", config + "east}}", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "", []string{
			`Probe c spec.clusterContext | spec.clusterContext: no ClusterContext is named "east"; if it is in the package, a selector of the function may hide it [config/invalid]`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := loadWith(t, tc.config, tc.items)
			if diff := cmp.Diff(tc.faults, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			got := ""
			if p.Cluster != nil {
				got = p.Cluster.Resource.Name
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestClusterFaults(t *testing.T) {
	const head = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\n"
	for _, tc := range []struct {
		name, item string
		want       []string
	}{
		{"a version", "apiVersion: packs.kpt.dev/v1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {}\n", []string{
			`ClusterContext c apiVersion | got "packs.kpt.dev/v1", want packs.kpt.dev/v1alpha1 [input/invalid]`,
		}},
		{"no spec", head, []string{"ClusterContext c spec | spec: is required [input/invalid]"}},
		{"an unknown field", head + "spec: {machinePool: []}\n", []string{
			`ClusterContext c spec.machinePool | spec.machinePool: unknown field; known are system, variables, macros, properties, constraints, machinePools, instanceTypes (did you mean "machinePools"?) [input/invalid]`,
		}},
		{"an unknown field of a pool", head + "spec: {machinePools: [{name: a, count: 3}]}\n", []string{
			`ClusterContext c spec.machinePools[0].count | spec.machinePools[0].count: unknown field; known are name, role, schedulesWorkloads, size, instanceType, capacity, reserved [input/invalid]`,
		}},
		{"a pool without a name", head + "spec: {machinePools: [{role: worker}]}\n", []string{
			`ClusterContext c spec.machinePools[0].name | spec.machinePools[0].name: is required [input/invalid]`,
		}},
		{"a role", head + "spec: {machinePools: [{name: a, role: workers}]}\n", []string{
			`ClusterContext c spec.machinePools[0].role | spec.machinePools[0].role: got "workers", want worker, control-plane or master (did you mean "worker"?) [input/invalid]`,
		}},
		{"a size", head + "spec: {machinePools: [{name: a, size: 1.5}]}\n", []string{
			`ClusterContext c spec.machinePools[0].size | spec.machinePools[0].size: got a number, want a whole number [input/invalid]`,
		}},
		{"a capacity", head + "spec: {instanceTypes: [{name: a, capacity: {cpu: [4]}}]}\n", []string{
			`ClusterContext c spec.instanceTypes[0].capacity.cpu | spec.instanceTypes[0].capacity.cpu: got a list, want text [input/invalid]`,
		}},
		{"a variable", head + "spec: {variables: {A: {B: c}}}\n", []string{
			`ClusterContext c spec.variables.A | spec.variables.A: got a mapping, want text [input/invalid]`,
		}},
		{"a fact that is a list", head + "spec: {system: {cluster: {name: [a]}}}\n", []string{
			`ClusterContext c spec.system.cluster.name | spec.system.cluster.name: got a list, want text [input/invalid]`,
		}},
		{"a fact twice", head + "spec: {system: {cluster: {name: a}, cluster.name: b}}\n", []string{
			`ClusterContext c spec.system.cluster.name | spec.system.cluster.name: is given twice [input/invalid]`,
		}},
		{"facts that are a list", head + "spec: {system: []}\n", []string{
			`ClusterContext c spec.system | spec.system: got a list, want a mapping [input/invalid]`,
		}},
		{"not YAML", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\nspec:\n  macros: {{ .Values.macros }}\n", []string{
			`ClusterContext c | ClusterContext c can not be read: line 6, column 13: the value starts with {{ and is not quoted: put quotes around it [input/invalid]`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, "", tc.item+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: last}\n")
			if diff := cmp.Diff(tc.want, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			if p.Cluster != nil {
				t.Error("got a cluster all the same")
			}
		})
	}
}
