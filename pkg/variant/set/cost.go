package set

import (
	"errors"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/meter"
)

// stepsOfVariant is what the budget of a run grows by with each variant. It is enough for some
// hundred expressions of usual size.
const stepsOfVariant = celenv.StepsOfUnit * celenv.CostLimit / 500

// Budget limits how many variants several sets make together, and what all their expressions
// may cost. Each expression could stay just below the limit of one evaluation, and take minutes for
// thousands of variants. The zero value is a new budget.
type Budget struct {
	// meter counts steps, which the costs of CEL expressions are converted to.
	meter meter.Meter
	// made is the number of variants that the sets made, and targets the number of their targets.
	made, targets int
}

// grow allows the cost of more variants.
func (b *Budget) grow(variants int) {
	b.meter.Grow(stepsOfVariant * variants)
	b.made += variants
}

// variantsLeft returns how many variants a further set may make.
func (b *Budget) variantsLeft(targets int, inventory *Inventory) int {
	b.targets += targets
	return min(max(SomeVariants, VariantsOfEach*(b.targets+inventory.count())), MaxVariants) - b.made
}

func (b *Budget) isSpent() bool { return b.meter.Left() == 0 }

// costs records the costs of the expressions of a set.
type costs struct {
	// budget is shared by all sets of a run.
	budget *Budget
	// spent is in steps.
	spent map[*textMaker]int
	// rejected are the expressions that exceed the limit of one evaluation, which was reported.
	rejected map[*textMaker]bool
	// isReported reports whether the exhausted budget was reported.
	isReported bool
}

func newCosts(budget *Budget) *costs {
	return &costs{budget: budget, spent: map[*textMaker]int{}, rejected: map[*textMaker]bool{}}
}

// isRefused reports whether an expression is not to be evaluated again.
func (c *costs) isRefused(m *textMaker) bool { return c.isReported || c.rejected[m] }

// evaluate evaluates an expression.
func (c *costs) evaluate(m *textMaker, variables map[string]any) (string, error) {
	if c.budget.isSpent() {
		return "", nil // by another set
	}
	text, cost, err := m.expr.evaluate(variables)
	steps := celenv.StepsOfUnit * int(cost)
	c.budget.meter.Spend(steps)
	c.spent[m] += steps
	if errors.Is(err, celenv.ErrTooExpensive) {
		c.rejected[m] = true
	}
	return text, err
}

// overrun returns the finding that the budget is spent, once for a set, at the most expensive
// expression, or else at the last one. It is nil if the budget is not spent.
func (c *costs) overrun(last *textMaker) *diag.Finding {
	if !c.budget.isSpent() || c.isReported {
		return nil
	}
	c.isReported = true
	dearest := last
	for m, cost := range c.spent {
		if cost > c.spent[dearest] || cost == c.spent[dearest] && m.path < dearest.path {
			dearest = m
		}
	}
	f := diag.Say("the expressions of the package take more for all variants than the limit of %d steps for a run; this one takes %d", c.budget.meter.Limit(), c.spent[dearest]).
		Do("take less of the data")
	f.Key = dearest.path
	return &f
}
