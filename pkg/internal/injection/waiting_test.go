package injection_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
)

// fake is a run over items.
type fake struct {
	items    []*list.Item
	findings []diag.Finding
	keeps    bool
}

func (f *fake) Items() []*list.Item             { return f.items }
func (f *fake) Report(findings ...diag.Finding) { f.findings = append(f.findings, findings...) }
func (f *fake) Failed() bool                    { return true }
func (f *fake) KeepAcceptances()                { f.keeps = true }

const (
	kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
`
	done    = "status: {conditions: [{type: config.injection.ClusterContext.c, status: \"True\"}]}\n"
	cluster = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c, annotations: {kpt.dev/config-injection: required}}
spec: {}
`
)

// at makes the items of a file.
func at(file, text string) []*list.Item { return list.FileItems([]byte(text), file) }

func TestOf(t *testing.T) {
	annotated := func(annotations string) string {
		return strings.Replace(cluster, "kpt.dev/config-injection: required", annotations, 1)
	}
	const field = "ClusterContext/c cluster.yaml#0 metadata.annotations[kpt.dev/config-injection]"
	hidden := []string{"info demo/waiting " + field}
	for _, tc := range []struct {
		name, cluster string
		kptfiles      map[string]string
		waits         bool
		findings      []string // errors, and the doubt
	}{
		{"a required point", cluster, map[string]string{"Kptfile": kptfile}, true, nil},
		{"an optional point", annotated("kpt.dev/config-injection: optional"), map[string]string{"Kptfile": kptfile}, true, nil},
		{"no point", annotated("note: x"), map[string]string{"Kptfile": kptfile}, false, nil},
		{"injected", annotated("kpt.dev/config-injection: required, kpt.dev/injected-resource: c1"), map[string]string{"Kptfile": kptfile}, false, nil},
		{"injected, as only inject-config says", annotated("kpt.dev/config-injection: required, kpt.dev/injected-resource-name: c1"), map[string]string{"Kptfile": kptfile}, true, nil},
		{"the condition is True", cluster, map[string]string{"Kptfile": kptfile + done}, false, nil},
		{"the condition is False", cluster, map[string]string{"Kptfile": kptfile + strings.Replace(done, "True", "False", 1)}, false, nil},
		{"the condition has no status", cluster, map[string]string{"Kptfile": kptfile + strings.Replace(done, `, status: "True"`, "", 1)}, false, nil},
		{"the condition of another name", cluster, map[string]string{"Kptfile": kptfile + strings.Replace(done, "Context.c", "Context.d", 1)}, true, nil},
		{"the condition of another kind", cluster, map[string]string{"Kptfile": kptfile + strings.Replace(done, "ClusterContext", "ConfigMap", 1)}, true, nil},
		{"a gate is not a condition", cluster, map[string]string{"Kptfile": kptfile + "info: {readinessGates: [{conditionType: config.injection.ClusterContext.c}]}\n"}, true, nil},
		{"conditions that are not a list", cluster, map[string]string{"Kptfile": kptfile + "status: {conditions: {type: config.injection.ClusterContext.c}}\n"}, true, nil},
		{"conditions in a map", cluster, map[string]string{"Kptfile": kptfile + "status: {conditions: {a: {type: config.injection.ClusterContext.c}}}\n"}, true, nil},
		{"a status that is not a map", cluster, map[string]string{"Kptfile": kptfile + "status: [conditions]\n"}, true, nil},
		{"conditions of other forms", cluster, map[string]string{"Kptfile": kptfile + "status: {conditions: [x, null, [type], {type: {a: b}}]}\n"}, true, nil},
		{"an unknown mode", annotated("kpt.dev/config-injection: require"), map[string]string{"Kptfile": kptfile}, false,
			[]string{"info demo/waiting " + field + ` got="\"require\"" want="required or optional" near=required`}},
		{"a mode that is empty", annotated("kpt.dev/config-injection: ''"), map[string]string{"Kptfile": kptfile}, false, nil},
		{"no Kptfile", cluster, nil, false, hidden},
		{"a Kptfile of another group", cluster, map[string]string{"Kptfile": strings.Replace(kptfile, "kpt.dev", "example.com", 1)}, false, hidden},
		{"the Kptfile of the root package counts", cluster, map[string]string{"Kptfile": kptfile, "sub/Kptfile": kptfile + done}, true, nil},
		{"the Kptfile of a subpackage does not", cluster, map[string]string{"Kptfile": kptfile + done, "sub/Kptfile": kptfile}, false, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			item := at("cluster.yaml", tc.cluster)[0]
			run := &fake{items: []*list.Item{item}}
			for file, text := range tc.kptfiles {
				run.items = append(run.items, at(file, text)...)
			}
			status := injection.NewReader(run).Of(item)
			if status.IsPending != tc.waits {
				t.Errorf("waits: %v", status.IsPending)
			}
			if !status.IsPending {
				injection.Report(run, []injection.Status{status}, diag.Rule{ID: "demo/waiting", Severity: diag.Info}, "", "")
			}
			if diff := cmp.Diff(tc.findings, functiontest.Facts(run.findings)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A point in a subpackage has its condition in the root package. Where a list has several
// packages without one around them, each has its own.
func TestOfSubpackages(t *testing.T) {
	for _, tc := range []struct {
		name     string
		file     string
		kptfiles map[string]string
		waits    bool
	}{
		{"in the root", "sub/cluster.yaml", map[string]string{"Kptfile": kptfile + done, "sub/Kptfile": kptfile}, false},
		{"in the subpackage alone", "sub/cluster.yaml", map[string]string{"Kptfile": kptfile, "sub/Kptfile": kptfile + done}, true},
		{"two packages", "a/x/cluster.yaml", map[string]string{"a/Kptfile": kptfile + done, "a/x/Kptfile": kptfile, "b/Kptfile": kptfile}, false},
		{"two packages, the other one", "b/cluster.yaml", map[string]string{"a/Kptfile": kptfile + done, "b/Kptfile": kptfile}, true},
		{"outside of the only package", "cluster.yaml", map[string]string{"a/Kptfile": kptfile}, true},
		{"outside of the only package, with the condition", "b/cluster.yaml", map[string]string{"a/Kptfile": kptfile + done}, false},
		{"a name that starts alike", "ab/cluster.yaml", map[string]string{"a/Kptfile": kptfile + done, "ab/Kptfile": kptfile}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			item := at(tc.file, cluster)[0]
			run := &fake{items: []*list.Item{item}}
			for file, text := range tc.kptfiles {
				run.items = append(run.items, at(file, text)...)
			}
			if got := injection.NewReader(run).Of(item); got.IsPending != tc.waits || got.Doubt != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// What a function says does not depend on errors of others: a doubt is said where it may
// explain an error. Several points are one finding, which counts them.
func TestReport(t *testing.T) {
	rule := diag.Rule{ID: "demo/waiting", Severity: diag.Info}
	status := func(name string, waits bool) injection.Status {
		one := injection.Status{Resource: diag.Resource{Kind: "Pack", Name: name}, IsPending: waits}
		if !waits {
			f := diag.Say("gets no Kptfile").About(one.Resource, "doubt")
			one.Doubt = &f
		}
		return one
	}
	a, b, c, doubt, other := status("a", true), status("b", true), status("c", true), status("d", false), status("e", false)
	const field = " metadata.annotations[kpt.dev/config-injection]"
	for _, tc := range []struct {
		name   string
		passed bool
		points []injection.Status
		want   []string
		says   string
		keeps  bool
	}{
		{"nothing", false, []injection.Status{{}}, nil, "", false},
		{"one", true, []injection.Status{{}, a}, []string{"info demo/waiting Pack/a" + field}, "is pending: Porch has not injected its content yet, so nothing is done. Do it", true},
		{"one twice", true, []injection.Status{a, a}, []string{"info demo/waiting Pack/a" + field}, "nothing is done. Do it", true},
		{"two", true, []injection.Status{b, a, b}, []string{"info demo/waiting Pack/a" + field}, "(1 other resource is pending, too)", true},
		{"three", true, []injection.Status{c, a, b}, []string{"info demo/waiting Pack/a" + field}, "(2 other resources are pending, too)", true},
		{"a doubt without an error", true, []injection.Status{doubt}, nil, "", false},
		{"a doubt", false, []injection.Status{other, doubt}, []string{"info demo/waiting Pack/d doubt"}, "gets no Kptfile", false},
		{"both", false, []injection.Status{doubt, b}, []string{"info demo/waiting Pack/b" + field, "info demo/waiting Pack/d doubt"}, "", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			run := &fake{}
			if tc.passed {
				injection.Report(passed{run}, tc.points, rule, "nothing is done", "do it")
			} else {
				injection.Report(run, tc.points, rule, "nothing is done", "do it")
			}
			if diff := cmp.Diff(tc.want, functiontest.Facts(run.findings)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(run.findings) > 0 && !strings.Contains(run.findings[0].Message(), tc.says) {
				t.Errorf("lacks %q: %s", tc.says, run.findings[0].Message())
			}
			if run.keeps != tc.keeps {
				t.Errorf("keeps acceptances: %v", run.keeps)
			}
		})
	}
}

// The content of a point is what Porch replaces.
func TestIsContent(t *testing.T) {
	for _, tc := range []struct {
		apiVersion, kind, path string
		want                   bool
	}{
		{"v1", "ConfigMap", "data", true}, {"v1", "ConfigMap", "data[values.yaml]", true}, {"v1", "ConfigMap", "data.x", true},
		{"v1", "ConfigMap", "spec.x", false}, {"v1", "ConfigMap", "binaryData", false}, {"v1", "ConfigMap", "metadata.labels", false},
		{"example.com/v1", "ConfigMap", "spec.x", true}, {"example.com/v1", "ConfigMap", "data.x", false},
		{"apps/v1", "Deployment", "spec", true}, {"apps/v1", "Deployment", "specs", false}, {"v1", "Pod", "spec.containers.$[]", true},
	} {
		if got := injection.IsContent(tc.apiVersion, tc.kind, tc.path); got != tc.want {
			t.Errorf("%+v: got %v", tc, got)
		}
	}
}

// passed is a run without errors.
type passed struct{ *fake }

func (passed) Failed() bool { return false }

// A Kptfile that cannot be read may have the condition: what the resource lacks then only
// follows from the fault, which is reported.
func TestOfUnreadable(t *testing.T) {
	text := strings.TrimSuffix(kptfile, "\n") + "\nstatus: " + strings.Repeat("[", 1100) + strings.Repeat("]", 1100)
	l, err := list.Read([]byte(functiontest.List("", cluster+"---\n"+strings.Replace(text, "{name: p}", "\n  name: p", 1))))
	if err != nil {
		t.Fatal(err)
	}
	run := &fake{items: l.Items}
	if status := injection.NewReader(run).Of(l.Items[0]); !status.IsPending {
		t.Errorf("got %+v", status)
	}
	if diff := cmp.Diff([]string{"error input/invalid Kptfile/p"}, functiontest.Facts(run.findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
