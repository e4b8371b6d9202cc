package function_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// annotated is a resource with an annotation of the suite.
func annotated(name, value string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: ConfigMap
metadata:
  name: one
  annotations:
    %s: %q
`, name, value)
}

// findAtKeys reports an error at each key of values of the ConfigMap, and one of another
// resource.
func findAtKeys(keys ...string) func(*function.Run) {
	rule := diag.Rule{ID: "demo/error", Severity: diag.Error}
	return func(r *function.Run) {
		resource := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
		for i, key := range keys {
			f := diag.Got("5", "7").In(&diag.Origin{Resource: resource, Field: "data[v]", Name: "v", Embedded: true}, key, diag.Position{Line: i + 1, Column: 1})
			f.Current, f.Proposed = 5, 7
			r.Report(f.Of(rule))
		}
		resource.Name = "two"
		r.Report(diag.Say("m").About(resource, "").Of(diag.Rule{ID: "demo/warning", Severity: diag.Warning}))
	}
}

func TestAccept(t *testing.T) {
	const other = "warning demo/warning ConfigMap/two"
	const accepted, found = `info accepted ConfigMap/one data[v] key=%s at=%d:1 got=5 want=7 now=5`, `error demo/error ConfigMap/one data[v] key=%s at=%d:1 got=5 want=7 now=5 propose=7`
	const unused = `warning accept/unused ConfigMap/one metadata.annotations[packs.kpt.dev/accept]`
	const fault = `error input/invalid ConfigMap/one metadata.annotations[packs.kpt.dev/accept]`
	for _, tc := range []struct {
		name, lines string
		want        []string
	}{
		{"a rule", "demo/error: the vendor's default", []string{fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other}},
		{"a rule at a key", "demo/error b.c: because: of that", []string{fmt.Sprintf(found, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other}},
		{"a rule at a path of the resource", "demo/error data[v]: so", []string{fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other}},
		{"two keys", "demo/error b.c: x\n\ndemo/error a: y\n", []string{fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other}},
		{"another key", "demo/error c: x", []string{unused, fmt.Sprintf(found, "a", 1), fmt.Sprintf(found, "b.c", 2), other}},
		{
			"a rule without a finding",
			`demo/info: x
demo/error: y`,
			[]string{unused, fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other},
		},
		{
			"a rule of another resource",
			`demo/warning: x
demo/error: y`,
			[]string{unused, fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other},
		},
		{
			"an error of another rule may hide it",
			`demo/info: x
demo/error a: y`,
			[]string{fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(found, "b.c", 2), other},
		},
		{
			"a rule of another function",
			`preset/path-conflict: x
demo/error: y`,
			[]string{fmt.Sprintf(accepted, "a", 1), fmt.Sprintf(accepted, "b.c", 2), other},
		},
		{"an unknown rule", "demo/eror: x", []string{fault + ` unknown="rule \"demo/eror\""`}},
		{"near a rule of another function", "values/formt: x", []string{fault + ` unknown="rule \"values/formt\""`}},
		{"a fault cannot be accepted", "input/invalid: x", []string{fault}},
		{"nor a fault of the configuration", "config/invalid: x", []string{fault}},
		{"nor a panic", "internal/panic: x", []string{fault}},
		{"no reason", "demo/error", []string{fault}},
		{"an empty reason", "demo/error a: ", []string{fault}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := &processor{process: findAtKeys("a", "b.c")}
			out := functiontest.Run(t, p.function(), "", annotated("packs.kpt.dev/accept", tc.lines))
			got := functiontest.Facts(out.Findings)
			if strings.HasPrefix(tc.want[0], fault) {
				// The rest is as without the annotation; what is near depends on all rules.
				if len(got) != 4 || !strings.HasPrefix(got[0], tc.want[0]) || !out.Failed {
					t.Errorf("got %q", got)
				}
				if strings.Contains(tc.lines, "formt") && out.Findings[0].Nearest != "values/format" {
					t.Errorf("near %q", out.Findings[0].Nearest)
				}
				return
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for i := range out.Findings {
				if f := &out.Findings[i]; f.Rule == rule.Accepted && (!strings.Contains(f.Message(), "(demo/error): ") || out.Results()[i].Tags["rule"] != "accepted") {
					t.Errorf("got %s", f.Message())
				}
			}
		})
	}
}

// The functionConfig accepts findings about itself, unless they are faults of it.
func TestAcceptInTheConfiguration(t *testing.T) {
	p := &processor{process: func(r *function.Run) {
		r.Report(diag.Say("m").About(r.ConfigOrigin().Resource, "spec.mode").Of(diag.Rule{ID: "demo/warning", Severity: diag.Warning}))
	}}
	out := functiontest.Run(t, p.function(), strings.Replace(typedConfig, "name: c\n", `name: c
  annotations: {packs.kpt.dev/accept: 'demo/warning spec.mode: so'}
`, 1), oneResource)
	if diff := cmp.Diff([]string{"info accepted Demo/c spec.mode"}, functiontest.Facts(out.Findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A line of the functionConfig that no finding needs is reported there.
func TestUnusedInTheConfiguration(t *testing.T) {
	out := functiontest.Run(t, new(processor).function(), strings.Replace(typedConfig, "name: c\n", `name: c
  annotations: {packs.kpt.dev/accept: 'demo/error: so'}
`, 1), oneResource)
	if diff := cmp.Diff([]string{"warning accept/unused Demo/c metadata.annotations[packs.kpt.dev/accept]"}, functiontest.Facts(out.Findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The finding names the rule, and the key if the line has one.
func TestMessageOfUnused(t *testing.T) {
	for line, want := range map[string]string{"demo/info: x": "there is no finding of demo/info to accept. ", "demo/info c.d: x": "there is no finding of demo/info at c.d to accept. "} {
		_, out := functiontest.Evaluate(t, new(processor).function(), functiontest.List("", annotated("packs.kpt.dev/accept", line)))
		if len(out.Findings) != 1 || !strings.HasPrefix(out.Findings[0].Message(), want) {
			t.Errorf("%s: got %q", line, functiontest.Messages(out))
		}
	}
}

// Whether something is written is decided before findings are accepted, and an
// accepted error does not fail the run.
func TestAcceptedErrorsAreNotWritten(t *testing.T) {
	find := findAtKeys("a")
	p := &processor{process: func(r *function.Run) {
		r.Add(`apiVersion: v1
kind: A
metadata:
  name: a
`)
		if find(r); !r.Failed() {
			t.Error("the run does not know of the error")
		}
	}}
	text := functiontest.List("", annotated("packs.kpt.dev/accept", "demo/error: so"))
	output, out := functiontest.Evaluate(t, p.function(), text)
	if output != text || out.Failed {
		t.Errorf("failed %v, got %s", out.Failed, output)
	}
}

// After a fault it is unknown which findings there would be.
func TestNothingIsUnusedAfterAFault(t *testing.T) {
	p := &processor{process: func(r *function.Run) { r.Report(diag.Say("m").Of(rule.InputInvalid)) }}
	out := functiontest.Run(t, p.function(), "", annotated("packs.kpt.dev/accept", "demo/error: so"))
	if diff := cmp.Diff([]string{"error input/invalid"}, functiontest.Facts(out.Findings)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Unknown annotations of the suite are faults, and others are not.
func TestAnnotationsOfTheSuite(t *testing.T) {
	for name, near := range map[string]string{
		"packs.kpt.dev/acept": "packs.kpt.dev/accept", "packs.kpt.dev/value-of": "packs.kpt.dev/values-of", "packs.kpt.dev/xyz": "", "packs.kpt.dev/injected": "packs.kpt.dev/injected-from",
		"packs.kpt.dev/source": "-", "packs.kpt.dev/imported": "-", "kpt.dev/packs": "-", "x.packs.kpt.dev/a": "-",
	} {
		out := functiontest.Run(t, (&processor{}).function(), "", annotated(name, "x"))
		switch {
		case near == "-" && len(out.Findings) > 0:
			t.Errorf("%s: got %q", name, functiontest.Facts(out.Findings))
		case near != "-" && (len(out.Findings) != 1 || out.Findings[0].Rule != rule.InputInvalid || out.Findings[0].Nearest != near ||
			out.Findings[0].Path() != "metadata.annotations["+name+"]"):
			t.Errorf("%s: got %q", name, functiontest.Facts(out.Findings))
		}
	}
}

// The value of an annotation that functions read must be a string, in whatever
// style it is written. Other annotations are not checked.
func TestAnnotationsThatAreNoTexts(t *testing.T) {
	const lines = `a string with a line for each finding (RULE: reason, or RULE KEY: reason)`
	for _, tc := range []struct{ annotations, want string }{
		{"packs.kpt.dev/values-of: [cache]", `[packs.kpt.dev/values-of] got="a list" want="the name of a pack"`},
		{"packs.kpt.dev/values-of: {cache: x}", `[packs.kpt.dev/values-of] got="a map" want="the name of a pack"`},
		{
			`packs.kpt.dev/values-of:
    - cache`,
			`[packs.kpt.dev/values-of] got="a list" want="the name of a pack"`,
		},
		{
			`packs.kpt.dev/values-of:
      cache: x`,
			`[packs.kpt.dev/values-of] got="a map" want="the name of a pack"`,
		},
		{"packs.kpt.dev/values-of:", `[packs.kpt.dev/values-of] got=null want="the name of a pack"`},
		{"packs.kpt.dev/values-of: ''", `[packs.kpt.dev/values-of] got="an empty string" want="the name of a pack"`},
		{"packs.kpt.dev/accept: [values/format]", `[packs.kpt.dev/accept] got="a list" want="` + lines + `"`},
		{"packs.kpt.dev/accept: {values/format: why}", `[packs.kpt.dev/accept] got="a map" want="` + lines + `"`},
		{"packs.kpt.dev/imported: [1]", `[packs.kpt.dev/imported] got="a list" want="a string"`},
		{"kpt.dev/config-injection: [required]", `[kpt.dev/config-injection] got="a list" want="a string"`},
		{"packs.kpt.dev/accept:", ""},
		{"packs.kpt.dev/values-of: 1", ""},
		{"example.com/note: [a]", ""},
	} {
		annotations := "  annotations:\n    " + tc.annotations + "\n"
		for where, input := range map[string][2]string{"ConfigMap/one": {"", oneResource + annotations}, "Demo/c": {typedConfig + annotations, oneResource}} {
			if where == "Demo/c" && strings.HasPrefix(tc.annotations, "kpt.dev/") {
				continue // the content of the functionConfig is injected
			}
			var want []string
			if tc.want != "" {
				want = []string{"error input/invalid " + where + " metadata.annotations" + tc.want}
			}
			out := functiontest.Run(t, (&processor{}).function(), input[0], input[1])
			if diff := cmp.Diff(want, functiontest.Facts(out.Findings)); diff != "" {
				t.Errorf("%s, %s: -want +got:\n%s", tc.annotations, where, diff)
			}
		}
	}
}

// A resource that is nearly a functionConfig of the function is a fault: nothing would
// read it.
func TestMisspeltConfigs(t *testing.T) {
	const own = "apiVersion: fn.kpt.dev/v1alpha1"
	for _, tc := range []struct{ head, want string }{
		{own + "\nkind: Demos", `error input/invalid Demos/c kind got="\"Demos\"" want=Demo near=Demo`},
		{own + "\nkind: demo", `error input/invalid demo/c kind got="\"demo\"" want=Demo near=Demo`},
		{
			`apiVersion: fn.kpt.dev/v1
kind: Demo`,
			`error input/invalid Demo/c apiVersion got="\"fn.kpt.dev/v1\"" want=fn.kpt.dev/v1alpha1 near=fn.kpt.dev/v1alpha1`,
		},
		{
			`apiVersion: fn.ktp.dev/v1alpha1
kind: Demo`,
			`error input/invalid Demo/c apiVersion got="\"fn.ktp.dev/v1alpha1\"" want=fn.kpt.dev/v1alpha1 near=fn.kpt.dev/v1alpha1`,
		},
		{
			`apiVersion: fn.ktp.dev/v1alpha1
kind: Dmeo`,
			`error input/invalid Dmeo/c apiVersion unknown="group and kind \"fn.ktp.dev Dmeo\"" want="fn.kpt.dev Demo" near="fn.kpt.dev/v1alpha1 Demo"`,
		},
		{own + "\nkind: Demo", ""},
		{own + "\nkind: SetLabels", ""},
		{`apiVersion: other.dev/v1
kind: Demo`, ""},
		{`apiVersion: v1
kind: Demos`, ""},
	} {
		out := functiontest.Run(t, (&processor{}).function(), "", tc.head+`
metadata:
  name: c
`)
		if got := strings.Join(functiontest.Facts(out.Findings), "\n"); got != tc.want {
			t.Errorf("%s: got %s", tc.head, got)
		}
	}
}

// A resource that is nearly one of those that the function reads is a fault, and is not given to
// the function. The kinds of objects in a cluster are as the cluster has them.
func TestMisspeltKinds(t *testing.T) {
	for _, tc := range []struct{ head, want string }{
		{
			`apiVersion: apps/v1
kind: Deploymnt
metadata:
  name: c`,
			`error input/invalid Deploymnt/c kind unknown="kind \"Deploymnt\"" want=Deployment near=Deployment`,
		},
		{
			`apiVersion: app/v1
kind: Deployment
metadata:
  name: c`,
			`error input/invalid Deployment/c apiVersion unknown="group \"app\"" want=apps near=apps`,
		},
		{`apiVersion: apps/v1
kind: Deploymnt
metadata:
  name: c
  annotations: {packs.kpt.dev/source: cluster}`, ""},
		{`apiVersion: apps/v1
kind: Deployment
metadata:
  name: c`, ""},
		{`apiVersion: example.com/v1
kind: Deploymnt
metadata:
  name: c`, ""},
	} {
		given := 0
		f := (&processor{wants: func(*list.Item) bool { return true }, process: func(r *function.Run) { given = len(r.Items()) }}).function()
		f.Reads = []list.GroupKind{{Group: "apps", Kind: "Deployment"}}
		out := functiontest.Run(t, f, "", tc.head+"\n")
		if got := strings.Join(functiontest.Facts(out.Findings), "\n"); got != tc.want || (given == 0) != (tc.want != "") {
			t.Errorf("%s: %d items, got %s", tc.head, given, got)
		}
	}
}

// Another step may need an acceptance that this one does not: what its configuration leaves
// out is not unused.
func TestNothingIsUnusedThatIsLeftOut(t *testing.T) {
	one := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
	text := annotated("packs.kpt.dev/accept", "demo/error: so")
	other := strings.Replace(typedConfig, "name: c\n", `name: other
  annotations: {packs.kpt.dev/accept: 'demo/error: so'}
`, 1)
	const unused = "warning accept/unused ConfigMap/one metadata.annotations[packs.kpt.dev/accept]"
	for _, tc := range []struct {
		name, documents string
		process         func(*function.Run)
		want            []string
	}{
		{"checked", text, func(*function.Run) {}, []string{unused}},
		{"a resource", text, func(r *function.Run) { r.Skip(one) }, nil},
		{"another resource", text, func(r *function.Run) { r.Skip(diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "two"}) }, []string{unused}},
		{"a rule", text, func(r *function.Run) { r.SkipRule(diag.Rule{ID: "demo/error"}) }, nil},
		{"another rule", text, func(r *function.Run) { r.SkipRule(diag.Rule{ID: "demo/warning"}) }, []string{unused}},
		{"the functionConfig of another step", other, func(*function.Run) {}, nil},
	} {
		p := &processor{process: tc.process}
		p.wants = func(item *list.Item) bool { return item.Kind() == "ConfigMap" }
		out := functiontest.Run(t, p.function(), typedConfig, tc.documents)
		if diff := cmp.Diff(tc.want, functiontest.Facts(out.Findings)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

// Names that every resource has are an error when they are misspelt, whether the function
// reads the resource or not. Misspelt names in the content are an error only if the
// function reads it. Consequences of the misspelt name are not reported.
func TestMisspeltNamesOfResources(t *testing.T) {
	wants := func(item *list.Item) bool { return item.Kind() == "ConfigMap" }
	for _, tc := range []struct{ item, want string }{
		{`apiVersion: v1
kind: ConfigMap
metadata: {name: a}
dtaa: {}
`, `ConfigMap/a dtaa unknown="field \"dtaa\"" near=data`},
		{`apiVersion: v1
kind: ConfigMap
metadata: {nmae: a}
`, `ConfigMap metadata.nmae unknown="field \"nmae\"" near=name`},
		{
			`apiVersion: v1
kind: ConfigMap
metdata: {name: a}
`,
			`ConfigMap metdata unknown="field \"metdata\"" near=metadata`,
		},
		{
			`apiVersion: v1
kind: ConfigMap
metadata: {name: a, naemspace: b}
`,
			`ConfigMap/a metadata.naemspace unknown="field \"naemspace\"" near=namespace`,
		},
		{
			`apiversion: v1
kind: ConfigMap
metadata: {name: a}
`,
			`ConfigMap/a apiversion unknown="field \"apiversion\"" near=apiVersion`,
		},
		{`apiVersion: v1
knid: ConfigMap
metadata: {name: a}
`, `a knid unknown="field \"knid\"" near=kind`},
		{
			`apiVersion: apps/v1
kind: Deployment
metadata: {name: a, annottaions: {}}
`,
			`Deployment/a metadata.annottaions unknown="field \"annottaions\"" near=annotations`,
		},
		{
			`apiVersion: apps/v1
kind: Deployment
metadata: {name: a, annotations: {kpt.dev/config-injecton: required}}
`,
			`Deployment/a metadata.annotations[kpt.dev/config-injecton] unknown="annotation \"kpt.dev/config-injecton\"" near=kpt.dev/config-injection`,
		},
		{`apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spc: {}
`, ""}, // which is the user's
		{`apiVersion: apps/v1
kind: Deployment
metadata:
  name: a
  annotations:
    kpt.dev/injection: a
    note: |
      kpt.dev/config-injecton: b
`, ""},
	} {
		p := &processor{wants: wants}
		var want []string
		if tc.want != "" {
			want = []string{"error input/invalid " + tc.want}
		}
		got := functiontest.Run(t, p.function(), "", tc.item)
		if diff := cmp.Diff(want, functiontest.Facts(got.Findings)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.item, diff)
		}
	}
	for _, tc := range []struct{ config, want string }{
		{strings.Replace(typedConfig, "apiVersion", "apiversion", 1), `Demo/c apiversion unknown="field \"apiversion\"" near=apiVersion`},
		{strings.Replace(typedConfig, "kind", "Kind", 1), `c Kind unknown="field \"Kind\"" near=kind`},
		{typedConfig + "Spec: {mode: strict}\n", `Demo/c Spec unknown="field \"Spec\"" near=spec`},
		{typedConfig + "  annotation: {}\n", `Demo/c metadata.annotation unknown="field \"annotation\"" near=annotations`},
		{plainConfig + "dtaa: {}\n", `ConfigMap/function-input dtaa unknown="field \"dtaa\"" near=data`},
	} {
		_, got := runConfig(t, tc.config, nil)
		if diff := cmp.Diff([]string{"error config/invalid " + tc.want}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.config, diff)
		}
	}
}

// Which of many unused lines are listed does not depend on the order of a map.
func TestManyUnused(t *testing.T) {
	var lines strings.Builder
	for i := range 300 {
		fmt.Fprintf(&lines, "demo/error key%03d: so\n", i)
	}
	first := ""
	for range 5 {
		p := &processor{process: func(*function.Run) {}}
		out := functiontest.Run(t, p.function(), "", annotated("packs.kpt.dev/accept", lines.String()))
		var got strings.Builder
		for i := range out.Findings {
			fmt.Fprintln(&got, out.Findings[i].Message())
		}
		if first == "" {
			first = got.String()
		}
		if got.String() != first || !strings.Contains(first, "at key099") || strings.Contains(first, "at key100") {
			t.Fatalf("got\n%sand\n%s", first, got.String())
		}
	}
}
