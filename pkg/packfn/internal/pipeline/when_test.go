package pipeline

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

const whenResources = `apiVersion: v1
kind: ConfigMap
metadata: {name: a, labels: {tier: front}}
data: {size: "3"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: b, annotations: {x: y}}
spec: {replicas: 2, ratio: 0.5, paused: false, none: null, since: 2026-01-02}
`

// An expression has what kpt 1.0 gives it: a list of resources of any type, the
// extensions of kpt's environment, and annotations for files.
func TestRuns(t *testing.T) {
	items := list.FileItems([]byte(whenResources), "dir/a.yaml")
	for expression, want := range map[string]bool{
		"":      true,
		"true":  true,
		"false": false,
		`resources.exists(r, r.kind == "ConfigMap" && r.metadata.labels.tier == "front")`:          true,
		`resources.exists(r, r.kind == "Deployment" && r.spec.replicas > 2.5)`:                     false,
		`resources.exists(r, r.kind == "Deployment" && r.spec.replicas > 1.5 && r.spec.ratio < 1)`: true,
		`resources.filter(r, r.kind == "Secret").size() == 0`:                                      true,
		`resources.all(r, has(r.metadata.annotations))`:                                            true,
		`resources[1].metadata.annotations["config.kubernetes.io/path"] == "dir/a.yaml"`:           true,
		`resources[1].metadata.annotations["internal.config.kubernetes.io/index"] == "1"`:          true,
		`resources[1].spec.none == null && !resources[1].spec.paused`:                              true,
		`timestamp(resources[1].spec.since).getFullYear() == 2026`:                                 true,
		`resources.map(r, r.metadata.name).join(",") == "a,b"`:                                     true,
		`sets.contains(resources.map(r, r.kind), ["Deployment"])`:                                  true,
		`resources.exists(i, r, i == 1 && r.kind == "Deployment")`:                                 true,
		`resources.map(r, r.kind).sort()[0] == "ConfigMap" && lists.range(2) == [0, 1]`:            true,
		`resources[0].?spec.?replicas.orValue(7) == 7`:                                             true,
		`resources[0].metadata.name.matches("^a$")`:                                                true,
	} {
		step := Step{Entry: kptpackage.Function{When: expression}}
		got, err := step.Runs(items)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v", expression, got, err)
		}
	}
	if _, changed := items[0].Edited(); changed || strings.Contains(string(items[0].Text()), "path") {
		t.Error("an item has changed")
	}
}

// What kpt cannot compile or evaluate ends its render.
func TestRunsFaults(t *testing.T) {
	items := list.FileItems([]byte(whenResources), "a.yaml")
	long := list.FileItems([]byte(strings.Repeat("kind: A\n---\n", 300)), "b.yaml")
	for _, tc := range []struct {
		expression, want string
		items            []*list.Item
	}{
		{"resources.exists(", "line 1, column 18: the expression ends too early. Add what is missing", items},
		{"resource.size() > 0", `Did you mean "resources"?`, items},
		{"resources.size() > 0 and true", `"and" is not an operator. Write &&`, items},
		{"resources.size()", "must yield bool, got int", items},
		{"resources[0].data.ok", "must yield bool, got dyn", items},
		{`[1, "a"].size() == 2`, "", items},
		{"resources[0].spec.replicas == 1", "no such key", items},
		{"resources[5].kind == 'A'", "index out of bounds", items},
		{"resources.all(a, resources.all(b, resources.all(c, a.kind == b.kind)))", "costs more", long},
		{" ", "", items},
	} {
		step := Step{Entry: kptpackage.Function{When: tc.expression}}
		if got, err := step.Runs(tc.items); err == nil || got || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "when: ") {
			t.Errorf("%s: got %v, %v; want %s", tc.expression, got, err, tc.want)
		}
	}
}
