package function

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/krm-functions-sdk/go/fn"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
)

var valuesFile = &diag.Origin{Resource: diag.Resource{Kind: "ConfigMap", Name: "a"}, Field: "data[values.yaml]", Name: "values.yaml", Embedded: true}

// outcomeOf evaluates a process over a list with a functionConfig, or without one if config is "".
func outcomeOf(t testing.TB, config string, process func(*Run)) Outcome {
	t.Helper()
	input := listStart + oneItem
	if config != "" {
		input += "functionConfig: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {severity: '" + config + "'}}\n"
	}
	return Evaluate(demo(&stub{process: process}), readList(t, input))
}

// Of findings of one rule at one key or field, elements of lists included, a hundred
// are listed and the rest is counted.
func TestAlikeFindingsAreCounted(t *testing.T) {
	resource := diag.Resource{Kind: "A", Name: "a"}
	for name, place := range map[string]func(f diag.Finding, i int) diag.Finding{
		"one key": func(f diag.Finding, i int) diag.Finding {
			return f.In(valuesFile, "a", diag.Position{Line: i + 1})
		},
		"elements": func(f diag.Finding, i int) diag.Finding {
			return f.In(valuesFile, fmt.Sprintf("a[%d].b[%d][0]", i, i), diag.Position{Line: i + 1})
		},
		"field": func(f diag.Finding, i int) diag.Finding {
			return f.About(resource, fmt.Sprintf("spec.pools[%d].name", i))
		},
		"no place": func(f diag.Finding, i int) diag.Finding { return f.For(fmt.Sprint(i)) },
	} {
		for _, rule := range []diag.Rule{demoWarning, demoError, rule.InputInvalid} {
			out := outcomeOf(t, "", func(r *Run) {
				for i := range 250 {
					f := place(diag.Say("m").Of(rule), i)
					r.Report(f, f) // the second is the same finding
				}
			})
			counts := 0
			for i := range out.Findings {
				if strings.Contains(out.Findings[i].Message(), "150 more findings") {
					counts++
				}
			}
			if len(out.Findings) != 101 || counts != 1 || out.Failed != (rule.Severity == diag.Error) {
				t.Errorf("%s: %d findings, %d counts, failed %v", name, len(out.Findings), counts, out.Failed)
			}
		}
	}
}

// What differs in key, rule, severity, resource or proposal is not alike.
func TestOtherFindingsAreNotAlike(t *testing.T) {
	out := outcomeOf(t, "", func(r *Run) {
		for i := range 150 {
			r.Report(diag.Say("m").Of(demoWarning).In(valuesFile, fmt.Sprintf("key%d", i), diag.Position{Line: 1}),
				diag.Say("m").Of(demoError).About(diag.Resource{Kind: "A", Name: fmt.Sprint(i)}, "spec"))
		}
		for i := range 80 {
			raised := diag.Say("%d", i).Of(demoInfo)
			raised.Severity = diag.Warning
			r.Report(raised, diag.Say("%d", i).Of(demoInfo))
		}
		for i := range 10 {
			proposed := diag.Say("other").Of(demoInfo)
			proposed.Proposed = i + 1
			r.Report(proposed)
		}
	})
	if len(out.Findings) != 470 {
		t.Errorf("got %d findings", len(out.Findings))
	}
}

// Ten thousand findings are listed, causes before others; one error counts the rest.
func TestFindingsOfARunAreCounted(t *testing.T) {
	const each = 6000
	run := func(config string) Outcome {
		return outcomeOf(t, config, func(r *Run) {
			for i := range each {
				r.Report(diag.Say("m").Of(demoWarning).In(valuesFile, fmt.Sprintf("key%d", i), diag.Position{Line: 1}),
					diag.Say("m").Of(demoInfo).In(valuesFile, fmt.Sprintf("key%d", i), diag.Position{Line: 1}))
			}
			for i := range 10 {
				r.Report(diag.Say("m").Of(rule.InputInvalid).About(diag.Resource{Kind: "Z", Name: fmt.Sprint(i)}, ""))
			}
		})
	}
	out := run("")
	if len(out.Findings) != maxFindings+1 || !out.Failed {
		t.Fatalf("%d findings, failed %v", len(out.Findings), out.Failed)
	}
	for i := range 10 {
		if out.Findings[i].Rule != rule.InputInvalid {
			t.Errorf("the cause is not first but %v", out.Findings[i].Rule)
		}
	}
	last := out.Findings[maxFindings]
	const message = "2010 more findings beyond the limit of 10000: 1005 of demo/info and 1005 of demo/warning. Fix the 10000 that are listed, and run the function again"
	if got := last.Message(); last.Rule != rule.InputInvalid || last.Severity != diag.Error || got != message {
		t.Errorf("got  %s\nwant %s", got, message)
	}
	// What the user suppresses takes no place.
	if out := run("demo/warning=off"); len(out.Findings) != each+10 {
		t.Errorf("%d findings with the warnings suppressed", len(out.Findings))
	}
}

// Findings take at most 2 KB of memory each, also those that are not listed.
func TestMemoryOfFindings(t *testing.T) {
	const n = 9000
	var out Outcome
	var before, after runtime.MemStats
	process := func(r *Run) {
		for i := range n {
			f := diag.Got("70000", "a number from 5000 to 5005").Of(demoWarning).In(valuesFile, fmt.Sprintf("registry.port%d", i), diag.Position{Line: i, Column: 9})
			f.Hints, f.Current = []string{"registry port"}, 70000
			r.Report(f)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&before)
	out = outcomeOf(t, "", process)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (after.HeapAlloc - before.HeapAlloc) / n; each > 2048 || len(out.Results()) != n {
		t.Errorf("%d results take %d bytes each", len(out.Results()), each)
	}
	runtime.KeepAlive(out)
}

// The hint about selectors is given once for a rule, alone or after another action.
func TestSelectorHintOnce(t *testing.T) {
	var got []string
	out := outcomeOf(t, "", func(r *Run) {
		for _, name := range []string{"b", "a", "c"} {
			at := diag.Resource{Kind: "A", Name: name}
			r.Report(diag.NotFound("pack", name, []string{"something"}).Of(demoError).About(at, ""))
			r.Report(diag.NotFound("pack", name, nil).Do("add it").IfUnseen(diag.ItExists).Of(demoWarning).About(at, ""))
		}
	})
	for i := range out.Findings {
		got = append(got, fmt.Sprintf("%s %s: %s; %s", out.Findings[i].Resource().Name, out.Findings[i].Rule.ID, out.Findings[i].Action, out.Findings[i].Unseen))
	}
	want := []string{
		"a demo/error: ; if it exists, check the function's selectors", "a demo/warning: add it; if it exists, check the function's selectors",
		"b demo/error: ; ", "b demo/warning: add it; ", "c demo/error: ; ", "c demo/warning: add it; ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Results are printed as one list, however many are printed at once.
func TestPrintManyResults(t *testing.T) {
	var all bytes.Buffer
	for _, n := range []int{0, 1, resultsAtOnce, resultsAtOnce + 1, 3 * resultsAtOnce} {
		out := outcomeOf(t, "", func(r *Run) {
			for i := range n {
				r.Report(diag.Say("m").Of(demoWarning).About(diag.Resource{Name: fmt.Sprint(i)}, ""))
			}
		})
		text, err := printResults(out.Results())
		if err != nil {
			t.Fatal(err)
		}
		all.Reset()
		for _, r := range out.Results() {
			one, err := printResults(fn.Results{r})
			if err != nil {
				t.Fatal(err)
			}
			all.Write(one)
		}
		if diff := cmp.Diff(all.String(), string(text)); diff != "" {
			t.Errorf("%d results: -one by one +at once:\n%s", n, diff)
		}
	}
}
