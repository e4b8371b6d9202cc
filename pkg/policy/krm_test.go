package policy

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "policy")) }

// The cases are in testdata/cases.
func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// evaluate runs the function over a list, and returns the list as it leaves and the
// facts of its findings. A second run must find the same, and change nothing.
func evaluate(t testing.TB, text string) (output string, facts []string) {
	t.Helper()
	output, outcome := functiontest.RunList(t, Function(), text)
	return output, stable(t, output, outcome)
}

// evaluateUnnoted is evaluate for inputs whose messages are not in the golden list:
// public manifests, and many variants of one message.
func evaluateUnnoted(t testing.TB, text string) (output string, facts []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), text)
	return output, stable(t, output, outcome)
}

func stable(t testing.TB, output string, first function.Outcome) []string {
	t.Helper()
	again, second := functiontest.Evaluate(t, Function(), output)
	if diff := cmp.Diff(output, again); diff != "" {
		t.Errorf("the second run changes the list, -first +second:\n%s", diff)
	}
	if diff := cmp.Diff(first.Findings, second.Findings); diff != "" {
		t.Errorf("the second run finds something else, -first +second:\n%s", diff)
	}
	return functiontest.Facts(first.Findings)
}
