package variant

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// As Porch, the function writes one annotation and Porch's messages, ignores the points
// of injectors, and leaves conditions, gates and marks of earlier injections.
func TestPorch(t *testing.T) {
	const injectors = "spec:\n  packageVariant:\n    metadata:\n      name: pv\n    spec:\n      upstream: {repo: a, package: b}\n      downstream: {repo: c, package: d}\n"
	config := func(injector, objects string) string {
		text := "apiVersion: fn.kpt.dev/v1alpha1\nkind: InjectConfig\nmetadata:\n  name: x\n" + injectors
		if injector != "" {
			text += "      injectors: [" + injector + "]\n"
		}
		return text + "  objects: [" + objects + "]\n"
	}
	const object = "{apiVersion: ex.com/v1, kind: Thing, metadata: {name: east}, spec: {of: east}}"
	marks := []string{required, InjectedNameAnnotation + ": old", InjectedAnnotation + ": old"}
	stale := kptfile + "info:\n  readinessGates:\n  - conditionType: config.injection.Thing.gone\nstatus:\n  conditions:\n  - {type: config.injection.Thing.gone, status: \"True\"}\n"
	for _, tc := range []struct {
		name, injector, objects, of, reason, message string
		annotations                                  map[string]string
	}{
		{"injected", "{kind: Thing, name: east, point: other}", object, "east", "ConfigInjected", `injected resource "east" from cluster`, map[string]string{InjectedAnnotation: "east", InjectedNameAnnotation: "old"}},
		{"no injectors", "", object, "point", "NoResourceSelected", "no injectors defined", map[string]string{InjectedAnnotation: "old", InjectedNameAnnotation: "old"}},
		{"no objects", "{kind: Thing, name: east}", "{apiVersion: ex.com/v1, kind: Other, metadata: {name: east}, spec: {}}", "point", "NoResourceSelected", "no in-cluster resources of type ex.com/v1.Thing", map[string]string{InjectedAnnotation: "old", InjectedNameAnnotation: "old"}},
		{"no objects in the namespace", "{kind: Thing, name: east}", "{apiVersion: ex.com/v1, kind: Thing, metadata: {name: east, namespace: other}, spec: {}}", "point", "NoResourceSelected", "no in-cluster resources of type ex.com/v1.Thing", map[string]string{InjectedAnnotation: "old", InjectedNameAnnotation: "old"}},
		{"no match, anywhere", "{kind: Thing, name: west}", "{apiVersion: ex.com/v1, kind: Thing, metadata: {name: east, namespace: default}, spec: {}}", "point", "NoResourceSelected", "no resource matched any injection selector for this injection point", map[string]string{InjectedAnnotation: "old", InjectedNameAnnotation: "old"}},
		{"no match", "{kind: Thing, name: west}", object, "point", "NoResourceSelected", "no resource matched any injection selector for this injection point", map[string]string{InjectedAnnotation: "old", InjectedNameAnnotation: "old"}},
		{"no field", "{kind: Thing, name: east}", "{apiVersion: ex.com/v1, kind: Thing, metadata: {name: east}}", "point", "NoResourceSelected", `field "spec" not found in resource "east"`, map[string]string{InjectedAnnotation: "old", InjectedNameAnnotation: "old"}},
	} {
		output, outcome := functiontest.Evaluate(t, Preview{AsPorch: true}.Function(), functiontest.List(config(tc.injector, tc.objects), stale+"---\n"+thing("point.yaml", "point", marks...)))
		if outcome.Failed {
			t.Fatalf("%s: %v", tc.name, functiontest.Facts(outcome.Findings))
		}
		documents := strings.Split(functiontest.Documents(output), "---\n")
		read := func(i int) *values.Document {
			d, err := values.Parse(documents[i])
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		root, point := read(0).Root(), read(1).Root()
		if got := values.Text(values.Field(point, "spec", "of")); got != tc.of {
			t.Errorf("%s: got the content of %q", tc.name, got)
		}
		annotations := map[string]string{}
		for _, name := range []string{InjectedAnnotation, InjectedNameAnnotation, InjectedFromAnnotation} {
			if n := values.Field(point, "metadata", "annotations", name); n != nil {
				annotations[name] = values.Text(n)
			}
		}
		if diff := cmp.Diff(tc.annotations, annotations); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		var types, gates []string
		for _, n := range values.Field(root, "status", "conditions").Content {
			types = append(types, values.Text(values.Field(n, "type")))
			if values.Text(values.Field(n, "type")) != "config.injection.Thing.point" {
				continue
			}
			if reason, message := values.Text(values.Field(n, "reason")), values.Text(values.Field(n, "message")); reason != tc.reason || message != tc.message {
				t.Errorf("%s: got %s: %s", tc.name, reason, message)
			}
		}
		for _, n := range values.Field(root, "info", "readinessGates").Content {
			gates = append(gates, values.Text(values.Field(n, "conditionType")))
		}
		both := []string{"config.injection.Thing.gone", "config.injection.Thing.point"}
		if diff := cmp.Diff([][]string{both, both}, [][]string{types, gates}); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}

// Porch sorts conditions and gates by their types, those that were there as well.
func TestPorchOrder(t *testing.T) {
	before := kptfile + "info:\n  readinessGates:\n    - conditionType: z # the last\n    - conditionType: b\nstatus:\n  conditions:\n    - type: z\n      status: \"True\"\n"
	d, findings := ApplyConditions(parse(t, before), []Condition{{"config.injection.Thing.point", "True", "ConfigInjected", "it"}}, []string{"config.injection.Thing.point"})
	if findings == nil {
		d, findings = sortConditionsOf(d)
	}
	want := kptfile + "info:\n  readinessGates:\n    - conditionType: b\n    - conditionType: config.injection.Thing.point\n    - conditionType: z # the last\nstatus:\n  conditions:\n    - type: config.injection.Thing.point\n      status: \"True\"\n      reason: ConfigInjected\n      message: it\n    - type: z\n      status: \"True\"\n"
	if diff := cmp.Diff(want, d.Text()); diff != "" || findings != nil {
		t.Errorf("%v %s", findings, diff)
	}
}
