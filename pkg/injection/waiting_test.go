package injection

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
)

// fake is a run over items.
type fake struct {
	items    []*list.Item
	findings []diag.Finding
}

func (f *fake) Items() []*list.Item             { return f.items }
func (f *fake) Report(findings ...diag.Finding) { f.findings = append(f.findings, findings...) }
func (f *fake) Failed() bool                    { return true }

const (
	kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
	done    = "status: {conditions: [{type: config.injection.ClusterContext.c, status: \"True\"}]}\n"
	cluster = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c, annotations: {kpt.dev/config-injection: required}}\nspec: {}\n"
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
		{"a gate is no condition", cluster, map[string]string{"Kptfile": kptfile + "info: {readinessGates: [{conditionType: config.injection.ClusterContext.c}]}\n"}, true, nil},
		{"conditions that are no list", cluster, map[string]string{"Kptfile": kptfile + "status: {conditions: {type: config.injection.ClusterContext.c}}\n"}, true, nil},
		{"a status that is no mapping", cluster, map[string]string{"Kptfile": kptfile + "status: [conditions]\n"}, true, nil},
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
			status := Of(run, item)
			if status.Waits != tc.waits {
				t.Errorf("waits: %v", status.Waits)
			}
			if !status.Waits {
				status.Report(run, item.Resource(), diag.Rule{ID: "demo/waiting", Severity: diag.Info}, "", "")
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
		{"a name that starts alike", "ab/cluster.yaml", map[string]string{"a/Kptfile": kptfile + done, "ab/Kptfile": kptfile}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			item := at(tc.file, cluster)[0]
			run := &fake{items: []*list.Item{item}}
			for file, text := range tc.kptfiles {
				run.items = append(run.items, at(file, text)...)
			}
			if got := Of(run, item); got.Waits != tc.waits || got.Doubt != nil {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// What a function says does not depend on errors of others: a doubt is said where it may
// explain an error.
func TestReport(t *testing.T) {
	rule := diag.Rule{ID: "demo/waiting", Severity: diag.Info}
	item := at("cluster.yaml", cluster)[0]
	run := &fake{items: []*list.Item{item}}
	doubtful := Of(run, item)
	doubtful.Report(passed{run}, item.Resource(), rule, "x", "")
	if len(run.findings) > 0 {
		t.Errorf("without an error it says %v", functiontest.Facts(run.findings))
	}
	Status{Waits: true}.Report(passed{run}, item.Resource(), rule, "nothing is done", "do it")
	want := []string{"info demo/waiting ClusterContext/c cluster.yaml#0 metadata.annotations[kpt.dev/config-injection]"}
	if diff := cmp.Diff(want, functiontest.Facts(run.findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
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
	if status := Of(run, l.Items[0]); !status.Waits {
		t.Errorf("got %+v", status)
	}
	if diff := cmp.Diff([]string{"error input/invalid Kptfile/p"}, functiontest.Facts(run.findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
