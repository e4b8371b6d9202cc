// Package meter bounds what a run does and makes.
//
// Limits of sizes do not bound time where work is a product of two sizes: 1,000 keys that are
// required in each of 1,000 elements are a million look-ups. A loop over such pairs charges the
// meter of its run, and ends with a finding when that has not enough left. A loop that is linear
// in its input need not charge. The count depends on the input alone, never on a clock.
package meter

import "github.com/krm-packs/functions/pkg/diag"

// The budget of a run.
const (
	// MaxSteps is the work, in steps of about ten nanoseconds.
	MaxSteps = 1 << 28
	// MaxMade is the size of the texts that are made, in bytes.
	MaxMade = 64 << 20
)

// Meter has the rest of the budget of a run. The zero Meter is a new budget. It is not safe for
// concurrent use.
type Meter struct{ steps, made, more int }

// Grow adds steps to the budget: some for each thing that is judged alone, which keeps the time of
// a run linear in their number.
func (m *Meter) Grow(steps int) { m.more += steps }

// Limit returns all steps of the budget.
func (m *Meter) Limit() int { return MaxSteps + m.more }

// Spent returns the steps that were taken.
func (m *Meter) Spent() int { return m.steps }

// Charge takes steps, and reports whether there are enough. Otherwise it takes none, so that what
// costs less may still be done.
func (m *Meter) Charge(steps int) bool {
	if steps < 0 || steps > m.Left() {
		return false
	}
	m.steps += steps
	return true
}

// Spend takes steps that were done already, also if there are not enough.
func (m *Meter) Spend(steps int) { m.steps += max(0, steps) }

// Left returns the steps that are left.
func (m *Meter) Left() int { return max(0, m.Limit()-m.steps) }

// Make takes bytes, and reports whether there are enough. Otherwise it takes none.
func (m *Meter) Make(bytes int) bool {
	if bytes < 0 || bytes > m.Room() {
		return false
	}
	m.made += bytes
	return true
}

// Room returns the bytes that are left.
func (m *Meter) Room() int { return MaxMade - m.made }

// Exceeded returns the finding for a loop that ended because it needs more steps than are left.
// way is how to need fewer, in the imperative.
func Exceeded(what, way string) diag.Finding {
	return diag.Say("%s takes more than the limit of %d steps for a run, so the rest is not checked", what, MaxSteps).Do(way)
}
