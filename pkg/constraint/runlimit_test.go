package constraint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/celenv"
)

// Many rules that each stay below their own limit end at the limit of a run.
func TestLimitOfARun(t *testing.T) {
	var properties strings.Builder
	for i := range 180 {
		fmt.Fprintf(&properties, "- {type: t%d, value: a}\n", i)
	}
	const rules = 60
	for i := range rules {
		fmt.Fprintf(&properties, "- {type: olm.constraint, value: {cel: {rule: 'properties.all(a, properties.all(b, a.type != \"x%d\"))'}}}\n", i)
	}
	set := readAll([]*Bundle{bundle(t, "a.v1.0.0", properties.String())}, nil)
	evaluator := newEvaluator(set.candidates)
	evaluator.meter.Spend(evaluator.meter.Left() - 2*celenv.StepsOfUnit*celenv.CostLimit) // as if many were evaluated before
	evaluated := 0
	for _, required := range set.candidates[0].requirements {
		if evaluator.rule(required.constraint, 0) == isTrue {
			evaluated++
		}
	}
	if evaluated == 0 || evaluated == rules || !evaluator.overspent() {
		t.Errorf("%d of %d rules were evaluated, %d steps are left", evaluated, rules, evaluator.meter.Left())
	}
	finding := (&Checker{evaluator: evaluator}).overrun(set.candidates[0].requirements[rules-1].constraint)
	if !strings.Contains(finding.Message(), "all rules together") {
		t.Error(finding.Message())
	}
}
