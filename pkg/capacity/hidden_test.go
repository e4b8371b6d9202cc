package capacity

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// What only follows from a name that is misspelt, or from a capacity that cannot be read, is not
// reported: neither what a node lacks nor what packs need in total.
func TestHiddenByFaults(t *testing.T) {
	asks := typed("a", "[{type: memory, minLimit: 16}]", "") + "---\n"
	for _, tc := range []struct {
		name, items string
		want        []string
	}{
		{"a request of another name", strings.Replace(files, `"components"`, `"minLimit": 16}, {"type": "memroy", "components"`, 1) + "---\n" + cluster(oneWorker), []string{"resources/invalid"}},
		{"a memory of another name", asks + cluster("{machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: 8, memroy: 16Gi}}]}"), []string{"input/invalid"}},
		{"an instance type beside a capacity", asks + cluster("{machinePools: [{name: w, role: worker, size: 1, instanceTyp: m5, capacity: {cpu: 8}}]}"), []string{"input/invalid"}},
		{"an instance type of a misspelt capacity", asks + cluster("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}], instanceTypes: [{name: m5, capacty: {memory: 16Gi}}]}"), []string{"input/invalid"}},
		{"a capacity of an instance type", asks + cluster("{machinePools: [{name: w, role: worker, size: 1, instanceType: m5}], instanceTypes: [{name: m5, capacity: {cpu: 8, memroy: 16Gi}}]}"), []string{"input/invalid"}},
	} {
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", tc.items))
		var got []string
		for i := range outcome.Findings {
			got = append(got, outcome.Findings[i].Rule.ID)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s\n%q", tc.name, diff, functiontest.Facts(outcome.Findings))
		}
	}
}
