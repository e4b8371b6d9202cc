package policy

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// evaluate runs the function over a list, and returns the list as it leaves and
// the results, one line each: severity, resource, field, message.
func evaluate(t testing.TB, text string) (output string, results []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), text)
	for _, r := range outcome.Results {
		where := ""
		if r.ResourceRef != nil {
			where = " " + r.ResourceRef.Kind + " " + r.ResourceRef.Name
		}
		if r.Field != nil {
			where += " " + r.Field.Path
		}
		results = append(results, fmt.Sprintf("%s%s | %s", r.Severity, where, r.Message))
	}
	return output, results
}
