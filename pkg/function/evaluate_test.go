package function

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/rule"
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

func TestExitCode(t *testing.T) {
	const input = listStart + oneItem
	const earlier = input + `results:
- message: a
  severity: error
`
	tests := []struct {
		name, input, stderr string // stderr is a pattern
		process             func(*Run)
		code                int
	}{
		{"nothing", input, "", nil, 0},
		{"infos and warnings", input, "", reporting(demoInfo, demoWarning), 0},
		{"error", input, "error: m [demo/error]\n", reporting(demoInfo, demoError), 1},
		{
			"two errors", input,
			`error: m [demo/error]
error: n [demo/error]
`,
			func(r *Run) {
				r.Report(diag.Say("n").Of(demoError), diag.Say("m").Of(demoError))
			}, 1,
		},
		{"the same twice", input, "error: m [demo/error]\n", reporting(demoError, demoInfo, demoError), 1},
		{"earlier error", earlier, "", nil, 0},
		{"earlier error and a warning", earlier, "", reporting(demoWarning), 0},
		{"nothing to do", input, "", func(r *Run) { r.NothingToDo("no packs") }, 0},
		{"raised by the function", input, "error: m [demo/info]\n", func(r *Run) {
			f := diag.Say("m").Of(demoInfo)
			f.Severity = diag.Error
			r.Report(f)
		}, 1},
		{"panic", input, "error: …a value of type string at pkg/function/evaluate_test.go:…[internal/panic]\n", func(*Run) {
			panic("secret")
		}, 1},
		{"an added text that is not a resource", input, "error: …type *errors.errorString at pkg/function/function.go:…[internal/panic]\n", func(r *Run) {
			r.Add("kind: A\n")
		}, 1},
		{"a rule that the function does not have", input, "error: …\"demo/none\"…[internal/panic]\n", reporting(diag.Rule{ID: "demo/none", Severity: diag.Info}), 1},
		{"a rule of another severity", input, "error: …\"demo/info\"…[internal/panic]\n", reporting(diag.Rule{ID: "demo/info", Severity: diag.Warning}), 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			stdout, stderr, code := evaluated(t, &stub{process: test.process}, test.input)
			if code != test.code || !matches(test.stderr, stderr) {
				t.Errorf("exit code %d, stderr %q; want %d, %q", code, stderr, test.code, test.stderr)
			}
			if !strings.HasPrefix(stdout, test.input) || strings.Contains(stdout, "secret") {
				t.Errorf("the list is not complete, or says too much:\n%s", stdout)
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
	if want := `error: …type *errors.errorString at pkg/function/evaluate_test.go:…[internal/panic]
error: b.yaml: ConfigMap b: …ConfigMap b: runtime error: index out of range [4] with length 0 at pkg/function/evaluate_test.go:…[internal/panic]
`; !matches(strings.Replace(want, "*errors.errorString", "…", 1), stderr) {
		t.Errorf("got stderr %q", stderr)
	}
	if strings.Contains(stdout+stderr, "password") {
		t.Error("the value of a panic is printed")
	}
	if !strings.HasPrefix(stdout, input) {
		t.Errorf("the list changed:\n%s", stdout)
	}
}

// A guarded part in another one gives its place back.
func TestGuardInGuard(t *testing.T) {
	a, b := diag.Resource{Kind: "A", Name: "a"}, diag.Resource{Kind: "B", Name: "b"}
	out := Evaluate(demo(&stub{process: func(r *Run) {
		r.Guard(a, func() {
			r.Guard(b, func() {})
			panic(1)
		})
	}}), readList(t, listStart+oneItem))
	if len(out.Findings) != 1 || out.Findings[0].Resource() != a {
		t.Errorf("got %v", out)
	}
}

// With an error nothing is written, unless each change is right by itself. A panic
// and a faulty functionConfig undo even those.
func TestChangesBeforeAFailure(t *testing.T) {
	input := listStart + oneItem + "  data: {a: x}\n" + twoItem
	changed := listStart + oneItem + "  data: {a: b}\n- " + strings.ReplaceAll(strings.TrimSuffix(newResource, "\n"), "\n", "\n  ") + "\n"
	tests := []struct {
		name           string
		process        func(*Run)
		config         string
		written, keeps bool // keeps: written by a function that keeps its changes
	}{
		{"no finding", func(*Run) {}, "", true, true},
		{"warning", reporting(demoWarning), "", true, true},
		{"error", reporting(demoError), "", false, true},
		{"error that is overridden", reporting(demoError), "demo/error=off", false, true},
		{"warning that is raised", reporting(demoWarning), "demo/warning=error", true, true},
		{"bad input", reporting(rule.InputInvalid), "", false, true},
		{"bad configuration", func(r *Run) { r.ConfigInvalid(diag.Say("m").At("spec", diag.Position{})) }, "", false, false},
		{"bad configuration of the harness", func(*Run) {}, "demo/none=off", false, false},
		{"panic", func(*Run) { panic(1) }, "", false, false},
		{"guarded panic", func(r *Run) { r.Guard(diag.Resource{}, func() { panic(1) }) }, "", false, false},
	}
	for _, test := range tests {
		for _, keeps := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, keeps changes: %v", test.name, keeps), func(t *testing.T) {
				text := input
				if test.config != "" {
					text += `functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data:
    severity: ` + test.config + "\n"
				}
				f := demo(&stub{wants: wantAll, process: func(r *Run) {
					setData(t, r.Items()[0])
					r.Items()[1].Remove()
					r.Add(newResource)
					test.process(r)
				}})
				f.KeepsChanges = keeps
				var stdout, stderr bytes.Buffer
				filter("demo", always(f), []byte(text), &stdout, &stderr)
				want := input
				if test.written || keeps && test.keeps {
					want = changed
				}
				if got, _, _ := strings.Cut(stdout.String(), "functionConfig:"); !strings.HasPrefix(got, want) || strings.Contains(strings.TrimPrefix(got, want), "- apiVersion") {
					t.Errorf("got\n%s", got)
				}
			})
		}
	}
}

func TestFailed(t *testing.T) {
	for name, test := range map[string]struct {
		process func(*Run)
		config  string
		want    bool
	}{
		"nothing":                  {func(*Run) {}, "", false},
		"warning":                  {reporting(demoWarning), "", false},
		"error":                    {reporting(demoError), "", true},
		"error that is suppressed": {reporting(demoError), "severity: demo/error=off", true},
		"faulty configuration":     {func(*Run) {}, "none: x", true},
	} {
		got := false
		Evaluate(demo(&stub{process: func(r *Run) { test.process(r); got = r.Failed() }}),
			readList(t, listStart+oneItem+"functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {"+test.config+"}}\n"))
		if got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// An item beyond the limits leaves byte for byte, and is an error only when it is
// read.
func TestItemBeyondTheLimits(t *testing.T) {
	input := listStart + `- apiVersion: v1
  kind: Deep
  metadata:
    name: deep
  a: ` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + "\n" + oneItem
	if stdout, stderr, code := evaluated(t, &stub{}, input); code != 0 || stdout != input {
		t.Errorf("not wanted: exit code %d, stderr %q", code, stderr)
	}
	stdout, stderr, code := evaluated(t, &stub{wants: wantAll, process: func(r *Run) {
		for _, i := range r.Items() {
			if _, err := i.Document(); err != nil {
				r.Report(diag.Unreadable(err).Of(rule.InputInvalid).About(i.Resource(), ""))
			}
		}
	}}, input)
	if code != 1 || !strings.HasPrefix(stdout, input) || !matches("error: Deep deep: …1000…[input/invalid]\n", stderr) {
		t.Errorf("wanted: exit code %d, stderr %q", code, stderr)
	}
}

// Two packages have a file of the same path: their results stay apart, and the
// path of the package, which is absolute, is never printed.
func TestResultsDoNotDependOnOrder(t *testing.T) {
	items := []string{
		item("a", "/secret/dir", "a.yaml", 0), item("b", "/secret/dir", "a.yaml", 1), item("a", "/secret/dir/sub", "a.yaml", 0),
		item("c", "/secret/dir", "b.yaml", 0),
		`- apiVersion: v1
  kind: ConfigMap
`,
		`- kind: ConfigMap
  metadata:
    name: d
`,
	}
	outcome := func(items []string) Outcome {
		return Evaluate(demo(&stub{wants: wantAll, process: func(r *Run) {
			for _, i := range r.Items() {
				r.Report(diag.Say("m").Of(demoWarning).About(i.Resource(), ""), diag.Say("n").Of(demoError).About(i.Resource(), "x").At("x", diag.Position{Line: 3}))
			}
		}}), readList(t, listStart+strings.Join(items, "")))
	}
	want := outcome(items)
	var places []string
	for _, r := range want.Results() {
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
		got := outcome(rapid.Permutation(items).Draw(t, "items"))
		if got.Wanted = nil; len(want.Wanted) != 4 {
			t.Fatalf("the function read %v", want.Wanted)
		}
		if diff := cmp.Diff(Outcome{Findings: want.Findings, Failed: want.Failed}, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
	text, err := printResults(want.Results())
	if err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("%v, the path of a package is printed:\n%s", err, text)
	}
}

// An outcome contains the findings with the severities that the user chose.
func TestOutcome(t *testing.T) {
	out := Evaluate(demo(&stub{process: reporting(demoInfo, demoWarning, demoError)}),
		readList(t, listStart+oneItem+"functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {severity: 'demo/info=off,demo/error=warning'}}\n"))
	var got []string
	for i, f := range out.Findings {
		got = append(got, f.Rule.ID+" "+string(f.Severity)+" "+string(out.Results()[i].Severity))
	}
	if diff := cmp.Diff([]string{"demo/error warning warning", "demo/warning warning warning"}, got); diff != "" || out.Failed || len(out.Results()) != 2 {
		t.Errorf("failed %v, (-want +got):\n%s", out.Failed, diff)
	}
}
