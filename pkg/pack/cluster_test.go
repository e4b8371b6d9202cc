package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
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
		Resource: diag.Resource{APIVersion: GroupVersion, Kind: "ClusterContext", Name: "cluster-01"},
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
	ignore := []cmp.Option{cmpopts.IgnoreFields(ClusterContext{}, "Properties", "Constraints")}
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
			"error config/invalid spec.clusterContext",
		}},
		{"two, with a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {}}", context("west") + "---\n" + context("east"), "", []string{
			"error config/invalid ConfigMap/c data.clusterContext",
		}},
		{"two of one name", "", context("east") + "---\n" + context("east"), "", []string{
			"error config/invalid spec.clusterContext",
		}},
		{"two of the name that is given", config + "east}}", context("east") + "---\n" + context("west") + "---\n" + context("east"), "", []string{
			"error config/invalid Probe/c spec.clusterContext",
		}},
		{"the one that is named", config + "east}}", context("west") + "---\n" + context("east"), "east", nil},
		{"one of another group", "", "apiVersion: example.com/v1\nkind: ClusterContext\nmetadata: {name: east}\nspec: {}\n", "", nil},
		{"one, and a misspelt one of another group", "", context("east") + "---\n" + strings.NewReplacer("Context", "Contxt", "packs.kpt.dev", "example.com").Replace(context("west")), "east", nil},
		{"one, and a misspelt one of a cluster", "", context("east") + "---\n" + strings.NewReplacer("Context", "Contxt", "name: west", "name: west, annotations: {packs.kpt.dev/source: cluster}").Replace(context("west")), "east", nil},
		{"one that is named, and a misspelt one", config + "east}}", context("east") + "---\n" + strings.Replace(context("west"), "Context", "Contxt", 1), "east", []string{
			`error input/invalid ClusterContxt/west kind got="\"ClusterContxt\"" want="Pack, PackValues, ClusterContext or ClusterProfile, the kinds of packs.kpt.dev/v1alpha1" near=ClusterContext`,
		}},
		{"one, and it is named", config + "west}}", context("west"), "west", nil},
		{"an unknown name", config + "eest}}", context("west") + "---\n" + context("east"), "", []string{
			`error config/invalid Probe/c spec.clusterContext no="ClusterContext named \"eest\"" want="east or west" near=east`,
		}},
		{"a name, and none", config + "east}}", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "", []string{
			`error config/invalid Probe/c spec.clusterContext no="ClusterContext named \"east\""`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, tc.config, tc.items)
			if diff := cmp.Diff(tc.faults, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			for _, f := range p.ClusterFaults { // all facts are missing, and candidates are named
				if f.Key != "" || !strings.Contains(f.Found+f.Accepted, "east") {
					t.Errorf("at %q: %s", f.Key, f.Found)
				}
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
		read       bool // a cluster is returned
		want       []string
	}{
		{"a version", "apiVersion: packs.kpt.dev/v1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {}\n", false, []string{
			`error input/invalid ClusterContext/c apiVersion got="\"packs.kpt.dev/v1\"" want=packs.kpt.dev/v1alpha1`,
		}},
		{"no spec", head, false, []string{"error input/invalid ClusterContext/c spec missing="}},
		{"an unknown field", head + "spec: {machinePool: []}\n", true, []string{
			`error input/invalid ClusterContext/c spec.machinePool unknown="field \"machinePool\"" want="system, variables, macros, properties, constraints, machinePools or instanceTypes" near=machinePools`,
		}},
		{"an unknown field of a pool", head + "spec: {machinePools: [{name: a, count: 3}]}\n", true, []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].count unknown="field \"count\"" want="name, role, schedulesWorkloads, size, instanceType, capacity or reserved"`,
		}},
		{"a pool without a name", head + "spec: {machinePools: [{role: worker}]}\n", true, []string{
			"error input/invalid ClusterContext/c spec.machinePools[0].name missing=",
		}},
		{"a role", head + "spec: {machinePools: [{name: a, role: workers}]}\n", true, []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].role got="\"workers\"" want="worker, control-plane or master" near=worker`,
		}},
		{"a size", head + "spec: {machinePools: [{name: a, size: 1.5}]}\n", true, []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].size got="a number with a fraction" want="an integer"`,
		}},
		{"a capacity", head + "spec: {instanceTypes: [{name: a, capacity: {cpu: [4]}}]}\n", true, []string{
			`error input/invalid ClusterContext/c spec.instanceTypes[0].capacity.cpu got="a list" want="a string"`,
		}},
		{"a variable", head + "spec: {variables: {A: {B: c}}}\n", true, []string{
			`error input/invalid ClusterContext/c spec.variables.A got="a map" want="a string"`,
		}},
		{"a fact that is a list", head + "spec: {system: {cluster: {name: [a]}}}\n", true, []string{
			`error input/invalid ClusterContext/c spec.system.cluster.name got="a list" want="a string"`,
		}},
		{"a fact twice", head + "spec: {system: {cluster: {name: a}, cluster.name: b}}\n", true, []string{
			"error input/invalid ClusterContext/c spec.system.cluster.name duplicate-of=4:29",
		}},
		{"facts that are a list", head + "spec: {system: []}\n", true, []string{
			`error input/invalid ClusterContext/c spec.system got="a list" want="a map"`,
		}},
		{"not YAML", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\nspec:\n  macros: {{ .Values.macros }}\n", false, []string{
			"error input/invalid ClusterContext/c",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, "", tc.item+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: last}\n")
			if diff := cmp.Diff(tc.want, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			if got := p.Cluster != nil; got != tc.read {
				t.Errorf("got a cluster: %v, want %v", got, tc.read)
			}
			if len(p.ClusterFaults) != len(tc.want) {
				t.Fatalf("%d faults are returned", len(p.ClusterFaults))
			}
			// Callers look for facts by the path, which is empty when all are missing.
			for _, f := range p.ClusterFaults {
				if missing := f.Key == "" || f.Key == "spec"; missing == tc.read || tc.read && !strings.Contains(tc.want[0], " "+f.Key+" ") {
					t.Errorf("the fault is at %q", f.Key)
				}
			}
		})
	}
}

// A fact that no function reads is a fault of the resource, whichever function reads it. One
// that is misspelt is checked under its right name.
func TestUnknownFacts(t *testing.T) {
	p := load(t, "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec:\n  system:\n    kubernetesVersion: 1.29.4\n    cluster: {name: c, naem: d}\n    sku: e\n    cluod: {type: aws}\n")
	want := []string{
		`error input/invalid ClusterContext/c spec.system.cluod.type unknown="system name \"cluod.type\"" near=cloud.type`,
		`error input/invalid ClusterContext/c spec.system.cluster.naem unknown="system name \"cluster.naem\"" want="cluster.name, cluster.uid or cluster.kubevip" near=cluster.name`,
		`error input/invalid ClusterContext/c spec.system.kubernetesVersion unknown="system name \"kubernetesVersion\"" want="kubernetes.version, clusterprofile.version, clusterprofile.infra.version, user.email, reverseproxy.vhostport and 19 more" near=kubernetes.version`,
		`error input/invalid ClusterContext/c spec.system.sku unknown="system name \"sku\"" want="user.uid, cluster.kubevip, cluster.uid, user.name, clusterprofile.uid and 19 more"`,
	}
	if diff := cmp.Diff(want, p.Faults); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(Facts{"cluster.name": "c", "kubernetes.version": "1.29.4", "cloud.type": "aws"}, p.Cluster.System); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What can be read is returned beside faults.
func TestClusterBesideFaults(t *testing.T) {
	p := load(t, "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec:\n  system: {cluster: {name: c}, d: [e]}\n  variables: {A: b, C: {D: e}}\n  machinePools: [{name: a, size: x}, {name: b, size: 3}]\n")
	if p.Cluster == nil || len(p.ClusterFaults) != 3 {
		t.Fatalf("faults %q", p.Faults)
	}
	three := int64(3)
	want := &ClusterContext{
		Resource: diag.Resource{APIVersion: GroupVersion, Kind: "ClusterContext", Name: "c"},
		System:   Facts{"cluster.name": "c"}, Variables: map[string]Text{"A": "b"}, MachinePools: []MachinePool{{Name: "a"}, {Name: "b", Size: &three}},
	}
	if diff := cmp.Diff(want, p.Cluster); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Functions that only ask for the cluster report nothing about it.
func TestKubernetes(t *testing.T) {
	const cluster = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {system: {kubernetes.version: 1.30.0}}\n"
	for _, tc := range []struct {
		documents, want string
		isKnown         bool
	}{
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "", true},
		{cluster, "1.30.0", true},
		{cluster + "---\n" + cluster, "", false},
		{strings.Replace(cluster, "}}", "}, machinePools: 5}", 1), "1.30.0", false},
		{"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n---\n" + strings.Replace(cluster, "{name: c}", "{name: c, annotations: {kpt.dev/config-injection: required}}", 1), "", false},
	} {
		asked := &asking{}
		out := functiontest.Run(t, function.Function{Name: "probe", Kind: "Probe", New: func() function.Processor { return asked }}, "", tc.documents)
		if asked.kubernetes != tc.want || asked.isKnown != tc.isKnown || len(out.Findings) > 0 {
			t.Errorf("%s: got %q, %v and %q", tc.documents, asked.kubernetes, asked.isKnown, functiontest.Facts(out.Findings))
		}
	}
}

// asking is a function that only asks for the cluster.
type asking struct {
	probe
	kubernetes string
	isKnown    bool
}

func (a *asking) Process(run *function.Run) {
	cluster, isKnown := Cluster(run)
	a.isKnown = isKnown
	a.kubernetes, _ = cluster.Kubernetes()
}

// What the user of a tool says of the cluster is laid over the ClusterContext, also over one that
// waits. It stands alone without one.
func TestStandIn(t *testing.T) {
	const (
		context = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: %s}\nspec: {system: {kubernetes.version: 1.30.0, cluster.name: a}, properties: [{type: a}]}\n---\n"
		waiting = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: a, annotations: {kpt.dev/config-injection: required}}\nspec: {}\n---\n"
	)
	standIn := func(spec string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: " + StandIn + "}\nspec: " + spec + "\n"
	}
	for name, tc := range map[string]struct{ items, want string }{
		"alone":                      {standIn("{system: {kubernetes.version: 1.33.0}}"), "1.33.0 of --kube-version, , 0 properties"},
		"over another":               {strings.Replace(context, "%s", "a", 1) + standIn("{system: {kubernetes.version: 1.33.0}, properties: [{type: b}]}"), "1.33.0 of --kube-version, a, 2 properties"},
		"without a version":          {strings.Replace(context, "%s", "a", 1) + standIn("{properties: [{type: b}]}"), "1.30.0 of a, a, 2 properties"},
		"over one that waits":        {waiting + standIn("{system: {kubernetes.version: 1.33.0}}"), "1.33.0 of --kube-version, , 0 properties, waits"},
		"in place of two":            {strings.Replace(context, "%s", "a", 1) + strings.Replace(context, "%s", "b", 1) + standIn("{system: {kubernetes.version: 1.33.0}}"), "1.33.0 of --kube-version, , 0 properties"},
		"a ClusterContext by itself": {strings.Replace(context, "%s", "a", 1), "1.30.0 of a, a, 1 properties"},
	} {
		c := load(t, "", tc.items).Cluster
		by := c.Version
		if by == (diag.Resource{}) {
			by = c.Resource
		}
		got := fmt.Sprintf("%s of %s, %s, %d properties", c.System["kubernetes.version"], by.Name, c.System["cluster.name"], len(c.Properties))
		if c.Injection.IsPending {
			got += ", waits"
		}
		if got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}
