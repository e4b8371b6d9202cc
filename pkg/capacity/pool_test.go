package capacity

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
)

// A fault of a pool is reported once. It hides neither other faults nor what is requested
// of the pools.
func TestFaultyPools(t *testing.T) {
	const good = `error resources/insufficient ClusterContext/c spec.machinePools[1].size now=1 propose=2 have=1000m need=2000m pool=good short=1000m type=cpu`
	for _, tc := range []struct {
		name, pool string
		want       []string
	}{
		{"no size", "{name: w, role: worker, capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].size missing= want="the number of nodes (with autoscaling, to the minimum)" pool=w`,
		}},
		{"a size of text", "{name: w, role: worker, size: '3', capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].size got="a string" want="an integer"`,
		}},
		{"a negative size", "{name: w, role: worker, size: -1, capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].size got=-1 want="at least 0" pool=w`,
		}},
		{"a large negative size", "{name: w, role: worker, size: -10, capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].size got=-10 want="at least 0" pool=w`,
		}},
		{"no nodes", "{name: w, role: worker, size: 0, capacity: {cpu: 4}}", []string{
			`error resources/insufficient ClusterContext/c spec.machinePools[0].size now=0 propose=1 have=0 need=2000m pool=w short=2000m type=cpu`,
		}},
		{"nodes of nothing", "{name: w, role: worker, size: 1, capacity: {cpu: 0}}", []string{
			`error resources/insufficient ClusterContext/c spec.machinePools[0].size now=1 have=0 need=2000m pool=w short=2000m type=cpu`,
		}},
		{"no capacity", "{name: w, role: worker, size: 1}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].instanceType missing= want="an instance type" pool=w`,
		}},
		{"a capacity of the wrong kind", "{name: w, role: worker, size: 1, capacity: 4}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].capacity got="a number" want="a map"`,
		}},
		{"a quantity that is a list", "{name: w, role: worker, size: 1, capacity: {cpu: [4]}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].capacity.cpu got="a list" want="a string"`,
		}},
		{"an unknown instance type", "{name: w, role: worker, size: 1, instanceType: m5}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].instanceType no="instance type named \"m5\"" pool=w`,
		}},
		{"no name", "{role: worker, size: 1, capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].name missing=`,
		}},
		{"no role", "{name: w, size: 9, capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].role missing= want="worker, control-plane or master" pool=w`,
		}},
		{"another role", "{name: w, role: wroker, size: 9, capacity: {cpu: 4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].role got="\"wroker\"" want="worker, control-plane or master" near=worker`,
		}},
		{"one name", "{name: good, role: worker, size: 1, capacity: {cpu: 2}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[1].name pool=good`,
		}},
		{"no entry", "null", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0] got=null want="a map"`,
		}},
		{"not a quantity", "{name: w, role: worker, size: 1, capacity: {cpu: four, memory: 1Gi}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].capacity.cpu got="a string of 4 characters" want="a quantity of cores such as 500m or 1.5" pool=w`,
		}},
		{"a hostile quantity", "{name: w, role: worker, size: 1, capacity: {cpu: 1e999999999}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].capacity.cpu got="a number that is out of range" want="a quantity of cores such as 500m or 1.5" pool=w`,
		}},
		{"a negative quantity", "{name: w, role: worker, size: 1, capacity: {cpu: -4}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].capacity.cpu got=-4 want="at least 0" pool=w`,
		}},
		{"reserved what is not a quantity", "{name: w, role: worker, size: 1, capacity: {cpu: 1}, reserved: {cpu: some}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].reserved.cpu got="a string of 4 characters" want="a quantity of cores such as 500m or 1.5" pool=w`,
		}},
		{"reserved more than there is", "{name: w, role: worker, size: 1, capacity: {cpu: 1}, reserved: {cpu: 1001m}}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].reserved.cpu got=1001m want="at most 1000m (the capacity of a node)" pool=w`,
		}},
		{"an amount that is unknown", "{name: w, role: worker, size: 1, capacity: {memory: 1Gi}}", []string{
			`error resources/insufficient ClusterContext/c spec.machinePools[0].capacity need=2000m pool=w type=cpu`,
		}},
		{"an odd unit", "{name: w, role: worker, size: 1, capacity: {cpu: 4, memory: 256m}}", []string{
			`warning resources/suspicious-unit ClusterContext/c spec.machinePools[0].capacity.memory near=256Mi now=256m propose=256Mi pool=w`,
		}},
		{"a node in millicores", "{name: w, role: worker, size: 1, capacity: {cpu: 4000}}", []string{
			`warning resources/suspicious-unit ClusterContext/c spec.machinePools[0].capacity.cpu near=4000m now=4000 propose=4000m pool=w`,
		}},
		{"a large machine", "{name: w, role: worker, size: 1, capacity: {cpu: 448}}", nil},
		{"reserved in millicores", "{name: w, role: worker, size: 1, capacity: {cpu: 448}, reserved: {cpu: 200}}", []string{
			`warning resources/suspicious-unit ClusterContext/c spec.machinePools[0].reserved.cpu near=200m now=200 propose=200m pool=w`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			isShort := false
			for _, fact := range functiontest.Facts(findings(t, "", typed("a", "[{type: cpu, minLimit: 2000}]", "")+"---\n"+cluster("{machinePools: ["+tc.pool+", {name: good, role: worker, size: 1, capacity: {cpu: 1}}]}"))) {
				if isShort = isShort || fact == good; fact != good {
					got = append(got, fact)
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || !isShort {
				t.Errorf("the good pool is compared: %t, -want +got:\n%s", isShort, diff)
			}
		})
	}
}

// Callers can give contexts that were not decoded: what has no name is reported.
func TestPoolsWithoutNames(t *testing.T) {
	size := int64(1)
	cluster := &pack.ClusterContext{
		MachinePools:  []pack.MachinePool{{Role: "worker", Size: &size, Capacity: pack.Capacity{CPU: "1"}}},
		InstanceTypes: []pack.InstanceType{{Capacity: pack.Capacity{CPU: "1"}}},
	}
	_, faults := Pools(nil, cluster)
	want := []string{"error input/invalid spec.instanceTypes[0].name missing=", "error input/invalid spec.machinePools[0].name missing="}
	if diff := cmp.Diff(want, functiontest.Facts(faults)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Faults of pools in the functionConfig are faults of the configuration.
func TestFaultyPoolsOfConfig(t *testing.T) {
	got := functiontest.Facts(findings(t, config("{machinePools: [{name: w, size: three, capacity: {cpu: x}}], instanceTypes: [{capacity: {cpu: 4}}, {name: a, capacity: {memory: 16GB}}, {name: a}]}"), files))
	want := []string{
		`error config/invalid CheckResources/check spec.instanceTypes[1].capacity.memory got="a number with the unit \"GB\"" want="a quantity of bytes such as 512Mi or 2Gi" near=16G now=16GB propose=16G`,
		`error config/invalid CheckResources/check spec.instanceTypes[2].name`,
		`error config/invalid CheckResources/check spec.machinePools[0].capacity.cpu got="a string of 1 character" want="a quantity of cores such as 500m or 1.5" pool=w`,
		`error config/invalid CheckResources/check spec.machinePools[0].role missing= want="worker, control-plane or master" pool=w`,
		`error config/invalid CheckResources/check spec.machinePools[0].size got="a string" want="an integer"`,
		`error config/invalid CheckResources/check spec.instanceTypes[0].name missing=`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A pool whose role cannot be read may be the worker pool: what workers must have is not
// requested of the control plane meanwhile.
func TestPoolOfUnknownRole(t *testing.T) {
	one := int64(1)
	capacity := pack.Capacity{CPU: "1", Memory: "1Gi", DiskSize: "1Gi"}
	pools, findings := Pools(nil, &pack.ClusterContext{MachinePools: []pack.MachinePool{
		{Name: "cp", Role: "control-plane", SchedulesWorkloads: true, Size: &one, Capacity: capacity},
		{Name: "w", Role: "workr", Size: &one, Capacity: capacity},
	}})
	if len(findings) != 1 || findings[0].Nearest != "worker" {
		t.Fatalf("%v", findings)
	}
	requested := []Demand{{Pack: &pack.Pack{Name: "p"}, Type: CPU, Roles: Worker, Request: quantity(t, "8"), Replicas: 1}}
	isShort := func(pools []Pool) bool {
		return slices.ContainsFunc(Compare(requested, pools), func(f diag.Finding) bool { return f.Rule == rule.ResourcesInsufficient })
	}
	if isShort(pools) || !isShort(pools[:1]) {
		t.Errorf("the control plane is short beside the pool: %t, and alone: %t", isShort(pools), isShort(pools[:1]))
	}
}

// A suspicious unit with one likely correction is compared as what it certainly means, and
// what is short then says so. What it says as written is not compared.
func TestShortageOfSuspiciousUnit(t *testing.T) {
	const suspicious = `warning resources/suspicious-unit `
	const short = `error resources/insufficient ClusterContext/c spec.machinePools[0].size now=1 `
	for _, tc := range []struct {
		name, resources, values, pool string
		want                          []string
	}{
		{"a disk of a node", "[{type: diskSize, minLimit: 100}]", "", "{diskSize: 60}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].capacity.diskSize near=60G now=60 propose=60G pool=w`,
			short + `propose=2 have=60G need=100G pool=w short=40G type=diskSize`,
		}},
		{"a disk that is enough", "[{type: diskSize, minLimit: 60}]", "", "{diskSize: 60}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].capacity.diskSize near=60G now=60 propose=60G pool=w`,
		}},
		{"a unit that may mean anything", "[{type: cpu, minLimit: 2000}]", "", "{cpu: 60Gi}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].capacity.cpu now=60Gi pool=w`,
		}},
		{"no unit of Kubernetes", "[{type: memory, minLimit: 20480}]", "", "{memory: 16GB}", []string{
			`error input/invalid ClusterContext/c spec.machinePools[0].capacity.memory got="a number with the unit \"GB\"" want="a quantity of bytes such as 512Mi or 2Gi" near=16G now=16GB propose=16G pool=w`,
			short + `propose=2 have=16G need=20Gi pool=w short=5474836480 type=memory`,
		}},
		{"a disk, but not the memory", "[{type: diskSize, minLimit: 100}, {type: memory, minLimit: 3072}]", "", "{diskSize: 60, memory: 1Gi}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].capacity.diskSize near=60G now=60 propose=60G pool=w`,
			short + `propose=3 have=60G need=100G pool=w short=40G type=diskSize`,
			short + `propose=3 have=1Gi need=3Gi pool=w short=2Gi type=memory`,
		}},
		{"a disk of a node without what is reserved", "[{type: diskSize, minLimit: 100}]", "", "{diskSize: 60}, reserved: {diskSize: 10G}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].capacity.diskSize near=60G now=60 propose=60G pool=w`,
			short + `propose=2 have=50G need=100G pool=w short=50G type=diskSize`,
		}},
		{"what is reserved of too little", "[{type: cpu, minLimit: 4000}]", "", "{cpu: 4}, reserved: {cpu: 200}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].reserved.cpu near=200m now=200 propose=200m pool=w`,
			short + `propose=2 have=3800m need=4000m pool=w short=200m type=cpu`,
		}},
		{"what is reserved", "[{type: cpu, minLimit: 2000}]", "", "{cpu: 4}, reserved: {cpu: 200}", []string{
			suspicious + `ClusterContext/c spec.machinePools[0].reserved.cpu near=200m now=200 propose=200m pool=w`,
		}},
		{"a request", component("cpu cpu - worker"), "{cpu: 500}", "{cpu: 4}", []string{
			suspicious + `Pack/a spec.values.cpu key=cpu near=500m now=500 propose=500m pack=a`,
		}},
		{"a request, but not another", "[{type: cpu, minLimit: 5000}, {type: cpu, components: [{resourceRequestParamRef: cpu, scheduleType: worker}]}]", "{cpu: 500}", "{cpu: 4}", []string{
			short + `propose=2 have=4000m need=5500m pool=w short=1500m type=cpu`,
			suspicious + `Pack/a spec.values.cpu key=cpu near=500m now=500 propose=500m pack=a`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := typed("a", tc.resources, tc.values) + "---\n" + cluster("{machinePools: [{name: w, role: worker, size: 1, capacity: "+tc.pool+"}]}")
			got := findings(t, "", text)
			if diff := cmp.Diff(tc.want, functiontest.Facts(got)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, f := range got {
				isMarked := strings.Contains(f.Message(), ", with the units that resources/suspicious-unit assumes: ")
				if f.Rule == rule.ResourcesInsufficient && isMarked == (f.Tags["type"] == "memory" && !strings.Contains(tc.pool, "16GB")) {
					t.Errorf("says that a unit is corrected: %t: %s", isMarked, f.Message())
				}
			}
		})
	}
}

// An accepted or switched off warning about a unit confirms the amount, which is compared.
func TestAcceptedUnit(t *testing.T) {
	const resources, values = "[{type: cpu, components: [{resourceRequestParamRef: cpu, scheduleType: worker}]}]", "{cpu: 500}"
	const pools = "{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 4}}, {name: v, role: worker, size: 1, capacity: {cpu: 2000}}]}"
	accept := func(text string) string {
		return strings.Replace(text, "metadata: {", "metadata: {annotations: {packs.kpt.dev/accept: 'resources/suspicious-unit: measured'}, ", 1)
	}
	pack, context := typed("a", resources, values), cluster(pools)
	for _, tc := range []struct {
		name, config, documents string
		want                    []string // the pools that are too small
	}{
		{"neither", "", pack + "---\n" + context, nil},
		{"both accepted", "", accept(pack) + "---\n" + accept(context), []string{"w", "w"}},
		{"the pool accepted", "", pack + "---\n" + accept(context), nil},
		{"switched off", config("{severity: {resources/suspicious-unit: 'off'}}"), pack + "---\n" + context, []string{"w", "w"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, f := range findings(t, tc.config, tc.documents) {
				if f.Rule == rule.ResourcesInsufficient {
					got = append(got, f.Tags["pool"])
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A pool is named with what is known of its nodes.
func TestPoolString(t *testing.T) {
	size := func(n int64) *int64 { return &n }
	for want, p := range map[string]Pool{
		`pool "a"`:                {Name: "a"},
		`pool "a" (m5.large)`:     {Name: "a", InstanceType: "m5.large"},
		`pool "a" (1 node)`:       {Name: "a", Size: size(1)},
		`pool "a" (0 nodes)`:      {Name: "a", Size: size(0)},
		`pool "a" (2 × m5.large)`: {Name: "a", Size: size(2), InstanceType: "m5.large"},
	} {
		if got := p.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestRoleString(t *testing.T) {
	for role, want := range map[Role]string{Worker: "worker", ControlPlane: "control-plane", Worker | ControlPlane: "worker and control-plane"} {
		if got := role.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
