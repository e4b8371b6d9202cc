package policy

import (
	"os"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "policy")) }

// evaluate runs the function over a list, and returns the list as it leaves and the
// facts of its findings.
func evaluate(t testing.TB, text string) (output string, facts []string) {
	t.Helper()
	output, outcome := functiontest.RunList(t, Function(), text)
	return output, functiontest.Facts(outcome.Findings)
}

// evaluateUnnoted is evaluate for inputs whose messages are not in the golden list:
// public manifests, and many variants of one message.
func evaluateUnnoted(t testing.TB, text string) (output string, facts []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), text)
	return output, functiontest.Facts(outcome.Findings)
}
