package functiontest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestList(t *testing.T) {
	const start, end = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n", "items:\n- a: |\n    b\n\n    c\n- d: e\n"
	const documents = "a: |\n  b\n\n  c\n---\nd: e\n"
	for config, want := range map[string]string{
		"":                start + end,
		"{a: b}":          start + "functionConfig: {a: b}\n" + end,
		"\na: b\nc: d\n":  start + "functionConfig:\n  a: b\n  c: d\n" + end,
		"a: |\n\n  b\n\n": start + "functionConfig:\n  a: |\n\n    b\n" + end,
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

// failing reports an error about each item.
type failing struct{}

func (failing) Config() any               { return &struct{ function.Options }{} }
func (failing) Wants(*function.Item) bool { return true }
func (failing) Process(run *function.Run) {
	for _, item := range run.Items() {
		run.Invalid(item.Resource(), "", "m")
	}
}

func TestEvaluate(t *testing.T) {
	f := function.Function{Name: "f", Kind: "F", New: func() function.Processor { return failing{} }}
	list := functiontest.List("", "apiVersion: v1\nkind: A\nmetadata: {name: a}\n")
	output, outcome := functiontest.Evaluate(t, f, list)
	if output != list || !outcome.Failed || len(outcome.Results) != 1 || outcome.Results[0].Message != "m [input/invalid]" {
		t.Errorf("got %q and %v", output, outcome.Results)
	}
}
