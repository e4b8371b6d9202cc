package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/meter"
)

// The regexes of a run end to be searched for when they have cost too much together. Usual
// formats are checked nevertheless.
func TestBudget(t *testing.T) {
	const costly = "${string:/^((a?){30}){30}b/}"
	text := strings.Repeat("a", 400)
	isRefused := func(f *diag.Finding) bool { return f != nil && strings.Contains(f.Found, "take too many steps") }
	budget := new(meter.Meter)
	tried := 0
	for ; tried < 10 && !isRefused(mustFormat(t, costly).match(Scalar{text, true}, budget)); tried++ {
		budget.Spend(meter.MaxSteps / 5) // as if more were searched
	}
	if tried == 0 || tried > 5 {
		t.Errorf("%d values were checked", tried)
	}
	for _, tc := range []struct {
		format, value string
		isRefused     bool
	}{
		{costly, text, true}, {"${string:/^((a?){30}){30}b/}x", text + "x", true}, {"${string:/a+/}${string:/^((a?){30}){30}b/}${string:/a+/}", text, true},
		{"${string:/^[a-z]+$/}", "usual", false}, {"${string:/^[a-z]+$/}:${number}", "usual:1", false}, {"${number}", "1", false}, {costly, "b", false},
	} {
		budget := new(meter.Meter)
		budget.Spend(meter.MaxSteps)
		if f := mustFormat(t, tc.format).match(Scalar{tc.value, !strings.Contains(tc.value, "1") || strings.Contains(tc.value, ":")}, budget); isRefused(f) != tc.isRefused || !tc.isRefused && f != nil {
			t.Errorf("%s over %.20s: %+v", tc.format, tc.value, f)
		}
		if f := mustFormat(t, tc.format).Match(Scalar{tc.value, true}); isRefused(f) {
			t.Errorf("%s over %.20s is rejected in a budget of its own", tc.format, tc.value)
		}
	}
}

// All packs and fields of a run have one budget.
func TestBudgetOfARun(t *testing.T) {
	f := Function()
	f.New = func() function.Processor {
		p := &processor{schemas: map[string]readSchema{}}
		p.meter.Spend(meter.MaxSteps)
		return p
	}
	_, outcome := functiontest.Evaluate(t, f, functiontest.List("", `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  pack.json: '{"name":"a","version":"1"}'
  values.yaml: 'k: `+strings.Repeat("a", 400)+`'
  schema.yaml: |
    k: {schema: '{{ format "${string:/((a?){30}){30}b/}" }}'}
`))
	if !slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return strings.Contains(f.Found, "take too many steps") }) {
		t.Errorf("got %v", functiontest.Facts(outcome.Findings))
	}
}
