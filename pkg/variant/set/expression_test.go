package set

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/variant"
)

// repositories makes an inventory with one Repository for each name, with labels.
func repositories(labels map[string]string, names ...string) *Inventory {
	i := &Inventory{}
	for _, name := range names {
		i.Add(&Object{APIVersion: RepositoryAPIVersion, Kind: RepositoryKind, Name: name, Labels: labels, Annotations: map[string]string{"note": "b"}})
	}
	return i
}

// expandFindings expands a spec with an inventory, and returns all findings.
func expandFindings(t testing.TB, spec string, inventory *Inventory) (*Expansion, []diag.Finding) {
	t.Helper()
	e, findings := New(read(t, spec), NewEnvironment())
	x, more := e.Expand(inventory, 0)
	findings = slices.DeleteFunc(append(findings, more...), isUnpinned)
	for _, f := range findings {
		if text := f.Message(); strings.Contains(text, "the list") || strings.Contains(text, "function's selectors") {
			t.Errorf("the plain API knows neither lists nor functions: %s", text)
		}
	}
	return x, findings
}

// expandWith is expandFindings with facts.
func expandWith(t testing.TB, spec string, inventory *Inventory) (*Expansion, []string) {
	t.Helper()
	x, findings := expandFindings(t, spec, inventory)
	return x, facts(findings)
}

// errorsOf are the facts of errors.
func errorsOf(facts []string) []string {
	return slices.DeleteFunc(slices.Clone(facts), func(fact string) bool { return !strings.HasPrefix(fact, "error") })
}

// Expressions that stay just below the limit of one evaluation are not tried for ever
// either, be they one or many, of one set or of many.
func TestLimitOfAllExpressions(t *testing.T) {
	const nine = "[1,2,3,4,5,6,7,8,9]"
	costly := nine + ".map(a, " + nine + ".map(b, " + nine + ".map(c, " + nine + ".map(d, [1,2,3].map(e, a + e)))))[0] == [] ? 'a' : 'b'"
	fails := strings.Replace(costly, "'b'", "repository.labels.absent", 1)
	var names []string
	for n := range 200 {
		names = append(names, fmt.Sprintf("r%03d", n))
	}
	isTooCostly := func(f diag.Finding) bool { return strings.Contains(f.Found, "take more for all variants") }
	template := func(expressions ...string) *Expander {
		var all []string
		for i, e := range expressions {
			all = append(all, fmt.Sprintf("{key: k%d, valueExpr: \"%s\"}", i, e))
		}
		e, _ := New(read(t, withTarget(`repositorySelector: {}
  template: {labelExprs: [`+strings.Join(all, ", ")+"]}")), NewEnvironment())
		e.Budget = almostSpent()
		return e
	}
	if _, findings := template(costly).Expand(repositories(nil, names[:2]...), 0); variant.HasError(findings) {
		t.Errorf("few are rejected: %s", facts(findings))
	}
	_, findings := template("repoDefault", costly).Expand(repositories(nil, names...), 0)
	if got := errorsOf(facts(findings)); len(got) != 1 || !slices.ContainsFunc(findings, isTooCostly) || !strings.Contains(got[0], "labelExprs[1]") {
		t.Errorf("got %q", got)
	}
	// One that fails at its end.
	_, findings = template(fails).Expand(repositories(nil, names...), 0)
	if got := errorsOf(facts(findings)); len(got) == 0 || len(got) > 50 || !slices.ContainsFunc(findings, isTooCostly) {
		t.Errorf("got %d, the last one is %q", len(got), got[len(got)-1:])
	}
	// Many expressions, each of which is evaluated a few times.
	var many []string
	for n := range 50 {
		many = append(many, strings.Replace(costly, "'a'", fmt.Sprintf("'a%d'", n), 1))
	}
	if _, findings = template(many...).Expand(repositories(nil, names[:2]...), 0); !slices.ContainsFunc(findings, isTooCostly) {
		t.Errorf("many expressions are evaluated: %s", facts(findings))
	}
	// Many sets. The set without expensive expressions has a finding with the reason why it is not expanded.
	budget := almostSpent()
	for range 20 {
		e := template(costly)
		e.Budget = budget
		_, findings = e.Expand(repositories(nil, names[:2]...), 0)
	}
	if !budget.isSpent() || !slices.ContainsFunc(findings, isTooCostly) {
		t.Errorf("many sets take %d steps of %d: %s", budget.meter.Spent(), budget.meter.Limit(), facts(findings))
	}
	e := template("repoDefault")
	e.Budget = budget
	if _, findings = e.Expand(repositories(nil, "a"), 0); len(errorsOf(facts(findings))) != 1 || !slices.ContainsFunc(findings, isTooCostly) {
		t.Errorf("got %s", facts(findings))
	}
}

// almostSpent is a budget as if others were evaluated before.
func almostSpent() *Budget {
	b := &Budget{}
	b.meter.Spend(meter.MaxSteps - 3*celenv.StepsOfUnit*celenv.CostLimit)
	return b
}

// Sets of usual size are far from the limit.
func TestLimitOfManyVariants(t *testing.T) {
	var names []string
	for n := range 10_000 {
		names = append(names, fmt.Sprintf("r%05d", n))
	}
	var all []string
	for n := range 40 {
		all = append(all, fmt.Sprintf("{key: k%d, valueExpr: \"'env' in repository.labels ? repository.labels['env'] + '-' + target.name + string(%d) : packageDefault + '-' + repoDefault\"}", n, n))
	}
	e, _ := New(read(t, withTarget(`repositorySelector: {}
  template: {labelExprs: [`+strings.Join(all, ", ")+"]}")), NewEnvironment())
	e.Budget = &Budget{}
	if _, findings := e.Expand(repositories(nil, names...), 0); variant.HasError(findings) {
		t.Fatal(facts(findings)[:1])
	}
	if spent, limit := e.Budget.meter.Spent(), e.Budget.meter.Limit(); spent == 0 || spent > limit/2 {
		t.Errorf("%d steps are taken, the limit is %d", spent, limit)
	}
}
