package policy

import (
	"fmt"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// What would take for ever is refused, and says so.
func TestLimits(t *testing.T) {
	element := func(n int) string {
		return fmt.Sprintf("{implementationConstraints: {path: cap.implementation.x%d}}", n)
	}
	value := func(int) string { return "{inject: {additionalParameters: [{name: params, value: {}}]}}" }
	repeat := func(n int, make func(int) string) string {
		all := make(0)
		for i := 1; i < n; i++ {
			all += ", " + make(i)
		}
		return rulesOf("{interface: {path: cap.*}, oneOf: [" + all + "]}")
	}
	hub := []string{dbInterface}
	for n := range 51 {
		hub = append(hub, implementation(fmt.Sprintf("a%d", n), "additionalInput: {parameters: {params: {typeRef: {path: cap.type.p, revision: 0.1.0}}}}"))
	}
	for _, tc := range []struct{ name, policy, want string }{
		{"trials", repeat(2000, element), "error policy/invalid Policy/global spec.interface.rules[0].oneOf"},
		{"values of a parameter", repeat(501, value), "error policy/invalid Policy/global spec.interface.rules[0].oneOf[500].inject.additionalParameters[0].name"},
	} {
		output, results := evaluate(t, functiontest.List("", join(append(hub, policyOf("GLOBAL", tc.policy))...)))
		if errors := only(results, "error"); len(errors) != 1 || errors[0] != tc.want {
			t.Errorf("%s: got %s", tc.name, errors)
		}
		if len(selections(t, output)) != 0 {
			t.Errorf("%s: a selection is made", tc.name)
		}
	}
}

// Near names are looked for until that would take too long, but always for the
// first unknown one.
func TestHintBudget(t *testing.T) {
	b := hintBudget(maxHints)
	if !b.take(2 * maxHints) {
		t.Error("the first gets no hint")
	}
	if b.take(1) {
		t.Error("the budget has no end")
	}
	b = maxHints
	if !b.take(10) || !b.take(maxHints-10) || b.take(1) {
		t.Error("the budget is not spent as it should be")
	}
}
