package functiontest_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestList(t *testing.T) {
	const start, end = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
`, `items:
- a: |
    b

    c
- d: e
`
	const documents = `a: |
  b

  c
---
d: e
`
	for config, want := range map[string]string{
		"":       start + end,
		"{a: b}": start + "functionConfig: {a: b}\n" + end,
		`
a: b
c: d
`: start + `functionConfig:
  a: b
  c: d
` + end,
		`a: |

  b

`: start + `functionConfig:
  a: |

    b
` + end,
	} {
		got := functiontest.List(config, "\n"+documents)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(documents, functiontest.Documents(got)); diff != "" {
			t.Errorf("documents (-want +got):\n%s", diff)
		}
	}
}

// failing reports an error about each item, and changes the first.
type failing struct{ keeps bool }

func (failing) Config() any           { return &struct{ function.Options }{} }
func (failing) Wants(*list.Item) bool { return true }
func (failing) Process(r *function.Run) {
	r.Items()[0].Remove()
	for _, item := range r.Items() {
		r.Report(diag.Say("m").Of(rule.InputInvalid).About(item.Resource(), ""))
	}
}

func (f failing) function() function.Function {
	return function.Function{Name: "f", Kind: "F", KeepsChanges: f.keeps, New: func() function.Processor { return f }}
}

const two = `apiVersion: v1
kind: A
metadata: {name: a}
---
apiVersion: v1
kind: B
metadata: {name: b}
`

func TestEvaluate(t *testing.T) {
	text := functiontest.List("", two)
	output, outcome := functiontest.Evaluate(t, failing{}.function(), text)
	if output != text || !outcome.Failed || len(outcome.Results()) != 2 {
		t.Errorf("got %q and %v", output, outcome.Results())
	}
	output, _ = functiontest.Evaluate(t, failing{keeps: true}.function(), text)
	if want := functiontest.List("", two[strings.Index(two, "---\n")+4:]); output != want {
		t.Errorf("got %q, want %q", output, want)
	}
}

func TestRun(t *testing.T) {
	got := functiontest.Facts(functiontest.Run(t, failing{}.function(), "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {x: y}}", two).Findings)
	want := []string{"error input/invalid A/a", "error input/invalid B/b", `error config/invalid ConfigMap/c data.x unknown="option \"x\"" want=severity`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// fatal is a test that stops.
type fatal struct {
	testing.TB
	message string
}

func (f *fatal) Helper() {}
func (f *fatal) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestEvaluateFailsTheTest(t *testing.T) {
	f := &fatal{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		functiontest.Evaluate(f, failing{}.function(), "kind: Pod\n")
	}()
	<-done
	if f.message == "" {
		t.Error("a list that cannot be read is not a failure")
	}
}
