package function

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/krm-functions-sdk/go/fn"
	"pgregory.net/rapid"
)

// item prints a ConfigMap with its place.
func item(name, packagePath, path string, index int) string {
	return fmt.Sprintf(`- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: %s
    annotations:
      internal.config.kubernetes.io/index: '%d'
      internal.config.kubernetes.io/package-path: '%s'
      internal.config.kubernetes.io/path: '%s'
`, name, index, packagePath, path)
}

// evaluated runs a processor over a list and returns all that a client sees.
func evaluated(t testing.TB, p Processor, input string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = filter(demo(p), []byte(input), &out, &errs)
	return out.String(), errs.String(), code
}

func messages(results fn.Results) []string {
	var all []string
	for _, r := range results {
		all = append(all, string(r.Severity)+" "+r.Message)
	}
	return all
}

func wantAll(*Item) bool { return true }

func TestExitCode(t *testing.T) {
	report := func(rules ...string) func(*Run) {
		return func(r *Run) {
			for _, rule := range rules {
				r.Report(Finding{Rule: rule, Message: "m"})
			}
		}
	}
	const input = listStart + oneItem
	tests := []struct {
		name, input, stderr string
		process             func(*Run)
		code                int
	}{
		{"nothing", input, "", nil, 0},
		{"infos and warnings", input, "", report("demo/info", "demo/warning"), 0},
		{"error", input, "error: m [demo/error]\n", report("demo/info", "demo/error"), 1},
		{"two errors", input, "error: m [demo/error]\nerror: n [demo/error]\n", func(r *Run) {
			r.Report(Finding{Rule: "demo/error", Message: "n"}, Finding{Rule: "demo/error", Message: "m"})
		}, 1},
		{"the same twice", input, "error: m [demo/error]\n", report("demo/error", "demo/info", "demo/error"), 1},
		{"earlier error", input + "results:\n- message: a\n  severity: error\n", "", nil, 0},
		{"earlier error and a warning", input + "results:\n- message: a\n  severity: error\n", "", report("demo/warning"), 0},
		{"nothing to do", input, "", func(r *Run) { r.NothingToDo("no packs") }, 0},
		{"panic", input, "error: the function failed: a panic with a value of type string at pkg/function/evaluate_test.go:71; this is a defect of the function, please report it with the resource [internal/panic]\n", func(*Run) {
			panic("secret")
		}, 1},
		{"unregistered rule", input, "error: the function reported the rule \"demo/none\", which it does not have; this is a defect of the function, please report it [internal/panic]\n", report("demo/none"), 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, code := evaluated(t, &stub{process: test.process}, test.input)
			if code != test.code || stderr != test.stderr {
				t.Errorf("exit code %d, stderr %q; want %d, %q", code, stderr, test.code, test.stderr)
			}
			if !strings.HasPrefix(stdout, input) {
				t.Errorf("the list is not complete:\n%s", stdout)
			}
		})
	}
}

func TestWanted(t *testing.T) {
	tests := []struct {
		name, item string
		wants      func(*Item) bool
		wanted     int
		want       []string
	}{
		{"wanted", oneItem, wantAll, 1, nil},
		{"unwanted", oneItem, nil, 0, nil},
		{"without apiVersion", "- kind: A\n  metadata:\n    name: a\n", nil, 0, []string{"error A a: the resource lacks apiVersion [input/invalid]"}},
		{"without kind", "- apiVersion: v1\n  metadata:\n    name: a\n", wantAll, 0, []string{"error a: the resource lacks kind [input/invalid]"}},
		{"without both", "- a: b\n", wantAll, 0, []string{"error the resource lacks apiVersion and kind [input/invalid]"}},
		{"wanted without a name", "- apiVersion: v1\n  kind: A\n", wantAll, 0, []string{"error a A without a name: set metadata.name [input/invalid]"}},
		{"kustomization.yaml", "- apiVersion: kustomize.config.k8s.io/v1beta1\n  kind: Kustomization\n  resources: []\n", nil, 0, nil},
		{"head that can not be read", "- apiVersion: v1\n  kind: {{ .kind }}\n" + twoItem, wantAll, 1, []string{"error can not be read: line 2, column 9: the value starts with {{ and is not quoted: put quotes around it [input/invalid]"}},
		{"broken and unwanted", "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n  x:\n    y: z\n   b: c\n" + twoItem, nil, 0, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, err := Read([]byte(listStart + test.item))
			if err != nil {
				t.Fatal(err)
			}
			wanted := 0
			out := Evaluate(demo(&stub{wants: test.wants, process: func(r *Run) { wanted = len(r.Items()) }}), list)
			if diff := cmp.Diff(test.want, messages(out.Results)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if wanted != test.wanted || out.Failed != (test.want != nil) {
				t.Errorf("wanted %d, failed %v", wanted, out.Failed)
			}
			if got := string(written(t, list)); got != listStart+test.item {
				t.Errorf("the list changed:\n%s", got)
			}
		})
	}
}

func TestGuard(t *testing.T) {
	input := listStart + item("a", "/p", "a.yaml", 0) + item("b", "/p", "b.yaml", 0) + item("c", "/p", "c.yaml", 0)
	var done []string
	p := &stub{wants: wantAll, process: func(r *Run) {
		for _, i := range r.Items() {
			r.Guard(i.Resource(), func() {
				if i.Name() == "b" {
					var none []int
					_ = none[len(done)+3]
				}
				done = append(done, i.Name())
			})
		}
		panic(fmt.Errorf("password"))
	}}
	stdout, stderr, code := evaluated(t, p, input)
	if code != 1 || !slices.Equal(done, []string{"a", "c"}) {
		t.Errorf("exit code %d, done %v", code, done)
	}
	if want := "b.yaml: ConfigMap b: the function failed while working on ConfigMap b: runtime error: index out of range [4] with length 0 at pkg/function/evaluate_test.go:"; !strings.Contains(stderr, want) {
		t.Errorf("stderr %q lacks %q", stderr, want)
	}
	if strings.Contains(stdout+stderr, "password") {
		t.Error("the value of a panic is printed")
	}
	if !strings.HasPrefix(stdout, input) {
		t.Errorf("the list changed:\n%s", stdout)
	}
}

func TestChangesBeforeAFailure(t *testing.T) {
	input := listStart + oneItem + "  data: {a: x}\n" + twoItem
	change := func(r *Run) {
		setData(t, r.Items()[0])
		r.Items()[1].Remove()
	}
	changed := listStart + oneItem + "  data: {a: b}\n"
	tests := []struct {
		name    string
		process func(*Run)
		config  string
		written bool
	}{
		{"no finding", change, "", true},
		{"warning", func(r *Run) { change(r); r.Report(Finding{Rule: "demo/warning", Message: "m"}) }, "", true},
		{"error", func(r *Run) { r.Report(Finding{Rule: "demo/error", Message: "m"}); change(r) }, "", false},
		{"error that is overridden", func(r *Run) { change(r); r.Report(Finding{Rule: "demo/error", Message: "m"}) }, "demo/error=off", false},
		{"warning that is raised", func(r *Run) { change(r); r.Report(Finding{Rule: "demo/warning", Message: "m"}) }, "demo/warning=error", true},
		{"panic", func(r *Run) { change(r); panic(1) }, "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := input
			if test.config != "" {
				text += plainConfig + "  data:\n    severity: " + test.config + "\n"
			}
			stdout, _, _ := evaluated(t, &stub{wants: wantAll, process: test.process}, text)
			want := input
			if test.written {
				want = changed
			}
			if !strings.HasPrefix(stdout, want) || test.written == strings.Contains(stdout, "name: two") {
				t.Errorf("got\n%s", stdout)
			}
		})
	}
}

func TestResult(t *testing.T) {
	got := Finding{
		Rule: "demo/error", Severity: Error, Message: "a\n  b\tc\u2028d \x1b[31mred", Field: "data[x]", Current: 5, Proposed: "y",
		Resource: Resource{"v1", "ConfigMap", "n", "m", "a.yaml", 2, "/abs"}, Pack: "p", Key: "k.l", Line: 3, Column: 4, Tags: map[string]string{"more": "z"},
	}.result()
	want := &fn.Result{
		Message: "a b c d \ufffd[31mred [demo/error]", Severity: fn.Error,
		ResourceRef: &fn.ResourceRef{APIVersion: "v1", Kind: "ConfigMap", Namespace: "n", Name: "m"},
		File:        &fn.File{Path: "a.yaml", Index: 2},
		Field:       &fn.Field{Path: "data[x]", CurrentValue: 5, ProposedValue: "y"},
		Tags:        map[string]string{"rule": "demo/error", "pack": "p", "key": "k.l", "line": "3", "column": "4", "more": "z"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	bare := Finding{Rule: "demo/info", Severity: Info, Message: "m"}.result()
	if diff := cmp.Diff(&fn.Result{Message: "m [demo/info]", Severity: fn.Info, Tags: map[string]string{"rule": "demo/info"}}, bare); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOrderOfResults(t *testing.T) {
	at := func(packagePath, file string, index int, name string) Resource {
		return Resource{APIVersion: "v1", Kind: "A", Name: name, File: file, Index: index, packagePath: packagePath}
	}
	ordered := []Finding{
		{Rule: "demo/info", Message: "without a resource"},
		{Rule: "demo/info", Message: "without a file", Resource: Resource{APIVersion: "v1", Kind: "A", Name: "z"}},
		{Rule: "demo/info", Message: "file", Resource: at("/p", "a.yaml", 0, "z")},
		{Rule: "demo/info", Message: "index", Resource: at("/p", "a.yaml", 1, "b")},
		{Rule: "demo/info", Message: "name", Resource: at("/p", "a.yaml", 1, "c")},
		{Rule: "demo/info", Message: "line", Resource: at("/p", "a.yaml", 1, "c"), Line: 9},
		{Rule: "demo/info", Message: "later line", Resource: at("/p", "a.yaml", 1, "c"), Line: 10, Column: 2},
		{Rule: "demo/info", Message: "index", Resource: at("/p", "a.yaml", 1, "c"), Line: 10, Column: 2, Field: "spec.a[2].b"},
		{Rule: "demo/info", Message: "higher index", Resource: at("/p", "a.yaml", 1, "c"), Line: 10, Column: 2, Field: "spec.a[10]"},
		{Rule: "demo/info", Message: "higher index", Resource: at("/p", "a.yaml", 1, "c"), Line: 10, Column: 2, Field: "spec.a[10].b"},
		{Rule: "demo/info", Message: "column", Resource: at("/p", "a.yaml", 1, "c"), Line: 10, Column: 10},
		{Rule: "demo/info", Message: "rule", Resource: at("/p", "b.yaml", 0, "a")},
		{Rule: "demo/warning", Message: "later rule", Resource: at("/p", "b.yaml", 0, "a")},
		{Rule: "demo/warning", Message: "pack", Resource: at("/p", "b.yaml", 1, "a"), Pack: "a"},
		{Rule: "demo/warning", Message: "pack", Resource: at("/p", "b.yaml", 1, "a"), Pack: "b"},
		{Rule: "demo/warning", Message: "pack", Resource: at("/p", "b.yaml", 1, "a"), Pack: "c", Proposed: 1},
		{Rule: "demo/warning", Message: "pack", Resource: at("/p", "b.yaml", 1, "a"), Pack: "c", Proposed: 1, Tags: map[string]string{"z": "z"}},
		{Rule: "demo/info", Message: "other package", Resource: at("/p/sub", "a.yaml", 0, "a")},
	}
	rapid.Check(t, func(t *rapid.T) {
		got := rapid.Permutation(ordered).Draw(t, "findings")
		sortFindings(got)
		if diff := cmp.Diff(ordered, got, cmp.AllowUnexported(Resource{})); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// Two packages have a file of the same path: their results stay apart, and the
// path of the package, which is absolute, is never printed.
func TestResultsDoNotDependOnOrder(t *testing.T) {
	items := []string{
		item("a", "/secret/dir", "a.yaml", 0), item("b", "/secret/dir", "a.yaml", 1), item("a", "/secret/dir/sub", "a.yaml", 0),
		item("c", "/secret/dir", "b.yaml", 0), "- apiVersion: v1\n  kind: ConfigMap\n", "- kind: ConfigMap\n  metadata:\n    name: d\n",
	}
	outcome := func(input string) Outcome {
		list, err := Read([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		return Evaluate(demo(&stub{wants: wantAll, process: func(r *Run) {
			for _, i := range r.Items() {
				r.Report(Finding{Rule: "demo/warning", Resource: i.Resource(), Message: "m"}, Finding{Rule: "demo/error", Resource: i.Resource(), Message: "n", Line: 3})
			}
		}}), list)
	}
	want := outcome(listStart + strings.Join(items, ""))
	if len(want.Results) != 10 {
		t.Fatalf("got %d results", len(want.Results))
	}
	var places []string
	for _, r := range want.Results {
		place := ""
		if r.File != nil {
			place = fmt.Sprintf("%s %d ", r.File.Path, r.File.Index)
		}
		if r.ResourceRef != nil {
			place += r.ResourceRef.Name
		}
		places = append(places, place)
	}
	if diff := cmp.Diff([]string{
		"d", "", "a.yaml 0 a", "a.yaml 0 a", "a.yaml 1 b", "a.yaml 1 b", "b.yaml 0 c", "b.yaml 0 c", "a.yaml 0 a", "a.yaml 0 a",
	}, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	rapid.Check(t, func(t *rapid.T) {
		got := outcome(listStart + strings.Join(rapid.Permutation(items).Draw(t, "items"), ""))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
	var results bytes.Buffer
	list, err := Read([]byte(listStart + oneItem))
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Write(&results, want.Results); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(results.String(), "secret") {
		t.Errorf("the path of a package is printed:\n%s", results.String())
	}
}
