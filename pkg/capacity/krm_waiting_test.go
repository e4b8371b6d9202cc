package capacity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// Machine pools that are still to be injected are not missing. Those that are there are
// checked.
func TestWaiting(t *testing.T) {
	const (
		kptfile  = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n---\n"
		tried    = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\nstatus: {conditions: [{type: config.injection.ClusterContext.c, status: \"False\"}]}\n---\n"
		field    = " metadata.annotations[kpt.dev/config-injection]"
		override = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: o, annotations: {kpt.dev/config-injection: required}}\nspec: {packRef: {name: a}, values: {cpu: 100}}\n"
		info     = "info resources/waiting ClusterContext/c metadata.annotations[kpt.dev/config-injection]"
		config   = "apiVersion: fn.kpt.dev/v1alpha1\nkind: CheckResources\nmetadata: {name: config}\nspec: "
	)
	point := func(spec string) string {
		return strings.Replace(cluster(spec), "{name: c}", "{name: c, annotations: {kpt.dev/config-injection: required}}", 1) + "---\n"
	}
	cpu := typed("a", "[{type: cpu, components: [{resourceRequestParamRef: cpu, replicaCountParamRef: n, scheduleType: worker}]}]", "{cpu: '3', n: 2}")
	memory := typed("a", "[{type: memory, minLimit: 100}]", "")
	both := typed("a", "[{type: cpu, minLimit: 5000}, {type: cpu, components: [{resourceRequestParamRef: cpu, scheduleType: worker}]}]", "{cpu: '3'}")
	workers := cluster("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 1}}]}") + "---\n"
	waiting := func(name, pack string) string {
		return strings.Replace(pack, "{name: "+name+"}", "{name: "+name+", annotations: {kpt.dev/config-injection: required}}", 1) + "---\n"
	}
	for _, tc := range []struct {
		name, config, documents string
		want                    []string
	}{
		{"no pools", "", kptfile + point("{}") + cpu, []string{info}},
		{"no spec", "", kptfile + strings.Replace(point("{}"), "spec: {}\n", "", 1) + cpu, []string{info}},
		{"a pool of the placeholder", "", kptfile + point("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 4}}]}") + cpu, []string{info}},
		{"a pool without what it needs", "", kptfile + point("{machinePools: [{name: w}]}") + cpu, []string{info}},
		{"a pool with an unknown instance type", "", kptfile + point("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}]}") + cpu, []string{info}},
		{"the capacity of another type", "", kptfile + point("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 4}}]}") + memory, []string{info}},
		{"a placeholder that is not a ClusterContext", "", kptfile + point("{machinePools: [{name: w, role: work, size: -1}]}") + cpu, []string{info}},
		{"pools of the functionConfig", config + "{machinePools: [{name: w, role: control-plane, size: 1, capacity: {cpu: 4}}]}", kptfile + point("{}") + cpu, []string{
			`error resources/no-pool CheckResources/config spec.machinePools role=worker`,
			info,
		}},
		{"pools of the functionConfig, of a type of the cluster", config + "{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}]}", kptfile + point("{}") + cpu, []string{info}},
		{"a macro", "", kptfile + point("{}") + strings.Replace(cpu, "'3'", "'{{ .spectro.var.CPU }}'", 1), []string{info}},
		{"nothing to compare", "", kptfile + point("{}") + typed("a", "[]", ""), []string{"info nothing-to-do"}},
		{"the pack waits", "", kptfile + waiting("a", cpu) + memory, []string{"error resources/no-pool role=worker", "info resources/waiting Pack/a" + field}},
		{"only the pack waits", "", kptfile + waiting("a", cpu), []string{"info resources/waiting Pack/a" + field}},
		{"an override waits", "", kptfile + workers + cpu + "---\n" + override, []string{"info resources/waiting PackValues/o" + field}},
		{"an override of a pack with a limit waits", "", kptfile + workers + both + "---\n" + override, []string{
			"error resources/insufficient ClusterContext/c spec.machinePools[0].size now=1 propose=5 have=1000m need=5000m pool=w short=4000m type=cpu",
			"info resources/waiting PackValues/o" + field,
		}},
		{"an override of another pack than the one with requests waits", "", kptfile + workers + typed("b", "[{type: cpu, minLimit: 500}]", "") + "---\n" + typed("a", "[]", "") + "---\n" + override, nil},
		{"an override of a pack without requests waits", "", kptfile + workers + typed("a", "[]", "") + "---\n" + override, []string{"info nothing-to-do"}},
		{"a macro that reads what waits", "", kptfile + workers + strings.Replace(cpu, "'3'", "'{{ .spectro.pack.b.x }}'", 1) + "---\n" + waiting("b", typed("b", "[]", "")), []string{
			"info resources/waiting Pack/b" + field,
		}},
		{"nothing was injected", "", tried + point("{}") + cpu, []string{"error resources/no-pool ClusterContext/c spec.machinePools role=worker"}},
		{"the Kptfile is hidden", "", point("{}") + cpu, []string{info, "error resources/no-pool ClusterContext/c spec.machinePools role=worker"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, functiontest.Facts(findings(t, tc.config, tc.documents))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
